"""The hub's reader and writer of lines compared with the host's on the same bytes."""

import random
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.slow import mostly_slow
from urpi.hardware.protocol import (
    AckLine,
    AskLine,
    BatLine,
    CalLine,
    DieLine,
    HubLine,
    LedLine,
    LineReader,
    NewLine,
    encode,
    line_bytes,
)
from urpi.hardware.protocol_constants import ERRORS, RANGES, STATES, TYPES

FIRMWARE = Path(__file__).parents[2] / "firmware"
FROM_PI = {kind.TYPE: kind for kind in (AckLine, AskLine, CalLine, LedLine, BatLine, NewLine)}
ROUNDS = 4000

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None, reason="builds the hub's reader: needs Debian's gcc and libc6-dev"
)


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    build = tmp_path_factory.mktemp("host")
    target = f"{build}/host/tests/serial_tool"
    made = subprocess.run(
        ["make", "-C", str(FIRMWARE), "--silent", f"BUILD={build}", target],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert made.returncode == 0, made.stderr
    return target


def run(tool, mode, data):
    done = subprocess.run([tool, mode], input=data, capture_output=True, check=True, timeout=240)
    return done.stdout


def number(rng, key):
    low, high = RANGES[key]
    return rng.choice((low, high, rng.randint(low, high)))


def random_die(rng):
    state = rng.choice(STATES)
    if state in {"lost", "found"}:
        return DieLine(number(rng, "seq"), number(rng, "die"), state, t_ms=number(rng, "t"))
    kind = rng.choice((4, 6))
    settled = state == "settled"
    return DieLine(
        number(rng, "seq"),
        number(rng, "die"),
        state,
        throws=number(rng, "n"),
        kind=kind if settled else None,
        face=rng.randint(1, kind) if settled else None,
        angle_deg=number(rng, "ang") if state in {"settled", "cocked"} else None,
        tumbles=number(rng, "tum") if settled else None,
        fall_ms=number(rng, "ff") if settled else None,
        battery_mv=number(rng, "bat"),
        error=rng.choice((None, *ERRORS)),
        thrown=rng.choice((None, 0, 1)) if settled else None,
        t_ms=number(rng, "t"),
    )


def random_hub(rng):
    return HubLine(
        proto=1,
        firmware=f"{rng.randint(0, 99)}.{rng.randint(0, 9)}.0",
        hub_id=f"{rng.randint(0, 0xFFFF):04X}",
        dice=number(rng, "dice"),
        t_ms=number(rng, "t"),
        dropped=number(rng, "drop"),
        authenticates=rng.choice((None, 1)),
        renewed=rng.choice((None, number(rng, "new"))),
        error=rng.choice((None, *ERRORS)),
    )


def error_number(error):
    return ERRORS.index(error) if error else len(ERRORS)


def fields(line):
    """Return a line in the tool's format."""
    if isinstance(line, HubLine):
        values = (line.firmware, int(line.hub_id, 16), line.dice, line.t_ms, line.dropped)
        return "hub", *values, line.authenticates or 0, line.renewed or 0, error_number(line.error)
    details = (line.kind, line.face, line.angle_deg, line.tumbles, line.fall_ms, line.battery_mv)
    return (
        "die",
        line.seq,
        line.die,
        STATES.index(line.state),
        int(line.throws is not None),
        line.throws or 0,
        *(value or 0 for value in details),
        error_number(line.error),
        0 if line.thrown is None else 1 + line.thrown,
        line.t_ms,
    )


def test_hub_and_host_write_the_same_lines(tool):
    rng = random.Random(5)
    lines = [rng.choice((random_die, random_hub))(rng) for _ in range(ROUNDS)]
    data = "".join(" ".join(map(str, fields(line))) + "\n" for line in lines)
    assert run(tool, "write", data.encode()) == b"".join(map(line_bytes, lines))


def test_host_reads_every_line_of_the_hub(tool):
    rng = random.Random(6)
    lines = [replace(random_die(rng), seq=count) for count in range(ROUNDS)]
    data = "".join(" ".join(map(str, fields(line))) + "\n" for line in lines)
    assert LineReader().feed(run(tool, "write", data.encode())) == lines


def a_line_for_the_hub(rng):
    kind = rng.choice((*FROM_PI, "OLD", "ASK"))
    keys = {
        "ACK": ("seq",),
        "CAL": ("die", "face"),
        "LED": ("die", "on"),
        "BAT": ("die", "bat"),
        "NEW": ("die",),
    }.get(kind, ())
    values = {key: rng.choice((number(rng, key), rng.randint(0, 10**10))) for key in keys}
    if rng.random() < 0.2:
        values["x"] = rng.choice(("1", "red", "a=b"))
    if values and rng.random() < 0.1:
        values.pop(rng.choice(list(values)))
    return encode(kind, values)


def damaged(rng, data):
    """Return the bytes with one transmission error."""
    at = rng.randrange(len(data) or 1)
    return rng.choice(
        (
            lambda: data,
            lambda: data,
            lambda: data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :],
            lambda: data[:at],
            lambda: data[at:],
            lambda: data[:at] + data[at + 1 :],
            lambda: data[:at] + data[max(0, at - 5) :],
            lambda: rng.randbytes(rng.randint(1, 300)) + data,
            lambda: b"$" + b"x" * rng.randint(100, 200) + data,
        )
    )()


def tool_line(line):
    """Return a command in the tool's format."""
    values = {
        AckLine: lambda: (line.seq, 0, 0),
        AskLine: lambda: (0, 0, 0),
        CalLine: lambda: (0, line.die, line.face),
        LedLine: lambda: (0, line.die, line.on),
        BatLine: lambda: (0, line.die, line.battery_mv),
        NewLine: lambda: (0, line.die, 0),
    }[type(line)]()
    return " ".join(map(str, (TYPES.index(line.TYPE), *values)))


@pytest.mark.parametrize("seed", mostly_slow(range(3), 1))
def test_both_readers_accept_and_drop_the_same_lines(tool, seed):
    rng = random.Random(seed)
    data = b"".join(damaged(rng, a_line_for_the_hub(rng)) for _ in range(ROUNDS)) + b"\r\n"
    ours = LineReader()
    lines = ours.feed(data)
    *commands, counts = run(tool, "read", data).decode().splitlines()
    assert commands == [tool_line(line) for line in lines]
    assert len(lines) > ROUNDS / 10
    wanted = ours.counts
    assert counts == (
        f"counts {wanted.lines} {wanted.half} {wanted.too_long} {wanted.crc} {wanted.value} "
        f"{wanted.unknown}"
    )
    assert wanted.dropped > ROUNDS / 10
