"""`urpi dice watch`: a table of the dice, redrawn; in a pipe, a line for each change."""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from urpi.cli.dice.live_bluetooth import PLACE
from urpi.cli.dice.live_dice import Change, DieChange, HubChange, LiveDice
from urpi.cli.dice.roster import DieView
from urpi.core.moments import local_now, milliseconds
from urpi.hardware import HubHealth
from urpi.hardware.protocol import DieLine
from urpi.hardware.protocol_constants import VERSION
from urpi.hardware.serial_port import UsbPort, usb_ports
from urpi.hardware.throw_evidence import angle_of, evidence_of
from urpi.show.words import Words
from urpi.show.words import dice_sentences as sentences

REDRAW_S: Final = 0.5
"""Longest time between two drawings, in seconds: the column "reported" counts seconds."""
_COLUMNS: Final = "{:>3}  {:<14} {:<16} {:>5}  {:>7}  {:>6}  {:>9}  {:>7}  {:>6}"


def watch_dice(live: LiveDice, words: Words, *, as_json: bool) -> None:
    """Show the dice until Ctrl-C."""
    try:
        if as_json:
            _log(
                live,
                lambda change: json.dumps(change_values(live, change)),
                lambda address: json.dumps({"at": _now(), "waiting": address}),
            )
        elif sys.stdout.isatty():
            _redraw(live, words)
        else:
            _log(
                live,
                lambda change: f"{_now()} {change_words(live, change, words)}",
                lambda address: f"{_now()} {waiting_words(address, words)}",
            )
    except KeyboardInterrupt:
        return


def _now() -> str:
    return local_now().isoformat(sep=" ", timespec="milliseconds")


def waiting_words(address: str, words: Words) -> str:
    """What is known of a die without settings."""
    return words.text(sentences.PAIR_BUILT).format(address=address)


def _log(
    live: LiveDice, text_of: Callable[[Change], str], text_of_waiting: Callable[[str], str]
) -> None:
    waiting: set[str] = set()
    while True:
        now = {*live.waiting}
        for address in sorted(now - waiting):
            sys.stdout.write(f"{text_of_waiting(address)}\n")
            sys.stdout.flush()
        waiting = now
        for change in live.changes(REDRAW_S):
            if is_change(change):
                sys.stdout.write(f"{text_of(change)}\n")
                sys.stdout.flush()


def is_change(change: Change) -> bool:
    """Return whether a change is worth a line; a repeated report is not."""
    if isinstance(change, HubChange):
        return True
    return not change.repeated or change.now.lost != change.before.lost


def change_values(live: LiveDice, change: Change) -> dict[str, Any]:
    """Return a change as JSON values: those of DieLine and DieView; `at` is the local time."""
    if isinstance(change, HubChange):
        greeting = asdict(live.greeting) if live.greeting else None
        return {"at": _now(), "hub": asdict(change.health), "greeting": greeting}
    now, line = change.now, change.now.line
    values = {"at": _now(), "die": now.die, "state": now.state}
    if line is not None and not now.lost:
        values |= {
            "kind": line.kind,
            "face": line.face,
            "shows": live.shows(line),
            "angle_deg": angle_of(line),
            **_motion(line),
            "thrown": change.thrown if line.state == "settled" else None,
            "why": change.why,
            "error": line.error,
        }
    values |= {
        "battery_mv": now.battery_mv,
        "battery_percent": live.battery_percent(now.die),
        "throws": now.throws,
        "repeats": now.repeats,
        "missed": now.missed,
    }
    return {key: value for key, value in values.items() if value is not None}


def _motion(line: DieLine) -> dict[str, int | bool | None]:
    evidence = evidence_of(line)
    if evidence is None:
        return {"tumbles": line.tumbles, "fall_ms": line.fall_ms}
    return {
        "edges": evidence.edges,
        "flight_ms": evidence.flight_ms,
        "held": evidence.turned_deg is not None,
        "turned_deg": evidence.turned_deg,
    }


def change_words(live: LiveDice, change: Change, words: Words) -> str:
    if isinstance(change, HubChange):
        return _hub(live, change.health, words)
    return f"die {change.now.die}: " + ", ".join(_parts(live, change, words))


def _parts(live: LiveDice, change: DieChange, words: Words) -> list[str]:
    now, line = change.now, change.now.line
    parts = [words.text(sentences.STATES[now.state])]
    if line is None or now.lost:
        return [*parts, *_error(now, words)]
    shows = live.shows(line)
    if shows is not None and line.face is not None:
        parts.append(sentences.face_words(words, line.face, shows))
    angle = angle_of(line)
    if angle is not None:
        parts.append(words.text(sentences.DEGREES).format(angle=angle))
    if line.state == "settled":
        parts.append(words.text(verdict_words(change)))
    percent = live.battery_percent(now.die)
    if percent is not None:
        parts.append(words.percent(percent))
    elif line.battery_mv is not None:
        parts.append(volts(line.battery_mv, words))
    return [*parts, *_error(now, words)]


def verdict_words(change: DieChange) -> str:
    """The sentence that says whether a die that settled was thrown, and if not, why."""
    if change.thrown:
        return sentences.THROWN
    return sentences.NOT_THROWN[change.why] if change.why else sentences.TURNED


def _error(view: DieView, words: Words) -> list[str]:
    error = view.line.error if view.line else None
    return [words.text(sentences.ERRORS.get(error, error))] if error else []


def volts(millivolts: int | None, words: Words) -> str:
    """A battery's voltage, ``-`` if unknown."""
    if millivolts is None:
        return "-"
    return words.text(sentences.VOLTS).format(volts=words.number(millivolts / 1000, 2))


def port_advice(ports: tuple[UsbPort, ...], words: Words) -> str:
    """What to do about a missing port, by the USB ports that are present."""
    if not ports:
        return words.text(sentences.HUB_NO_PORTS)
    names = [f"{one.path} ({one.about})" if one.about else one.path for one in ports]
    return words.text(sentences.HUB_PORTS).format(ports=", ".join(names), first=ports[0].path)


def hub_words(health: HubHealth, words: Words, port: str) -> str:
    """The status of the hub at a port, or of Bluetooth, in one line."""
    if port == PLACE:
        if health.error:
            return words.text(sentences.BLUETOOTH_AWAY).format(error=health.error)
        dice = ", ".join(map(str, health.dice)) or "-"
        return words.text(sentences.BLUETOOTH_READY).format(dice=dice)
    if not health.connected:
        unavailable = words.text(sentences.HUB_AWAY)
        status = unavailable.format(port=port, error=health.error or "-")
        missing = health.error and "://" not in port and not Path(port).exists()
        return f"{status}. {port_advice(usb_ports(), words)}" if missing else status
    if not health.alive:
        return words.text(sentences.HUB_SILENT).format(port=health.port)
    connected = words.text(sentences.HUB_CONNECTED).format(
        id=health.hub_id or "-", port=health.port, firmware=health.firmware or "-"
    )
    if not health.protocol_supported:
        return words.text(sentences.HUB_OTHER).format(proto=health.proto, ours=VERSION)
    signed = sentences.SIGNED if health.authenticates else sentences.UNSIGNED
    return words.text(signed).format(hub=connected)


def _redraw(live: LiveDice, words: Words) -> None:
    height = 0
    while True:
        picture = picture_of(live, words)
        up = f"\x1b[{height}F" if height else ""
        width = shutil.get_terminal_size().columns
        # A line that wraps would make the picture higher than the cursor goes up.
        sys.stdout.write(up + "\x1b[J" + "".join(f"{line[: width - 1]}\n" for line in picture))
        sys.stdout.flush()
        height = len(picture)
        for _ in live.changes(REDRAW_S):
            pass


def picture_of(live: LiveDice, words: Words) -> list[str]:
    """The lines of the table: the hub, its counts, the dice."""
    health = live.health
    views = live.roster.views
    rows = [_row(live, view, words) for view in views] or [words.text(sentences.NOBODY)]
    heads = [words.text(column) for column in sentences.COLUMNS]
    return [
        _hub(live, health, words),
        *([] if live.hub.port == PLACE else [_counts(live, health, words)]),
        "",
        *([_COLUMNS.format(*heads)] if views else []),
        *rows,
        *(waiting_words(address, words) for address in live.waiting),
        "",
        words.text(sentences.END_HINT),
    ]


def _hub(live: LiveDice, health: HubHealth, words: Words) -> str:
    error = live.greeting.error if live.greeting and health.alive else None
    errors = [words.text(sentences.ERRORS.get(error, error))] if error else []
    return "; ".join([*errors, hub_words(health, words, live.hub.port)])


def _counts(live: LiveDice, health: HubHealth, words: Words) -> str:
    counts = health.counts
    return words.text(sentences.HUB_COUNTS).format(
        lines=counts.lines,
        repeats=health.repeats,
        dropped=counts.dropped,
        noise=counts.noise_bytes,
        unknown=counts.unknown,
        hub=live.greeting.dropped or 0 if live.greeting else 0,
    )


def _row(live: LiveDice, view: DieView, words: Words) -> str:
    line = None if view.lost else view.line
    shows = live.shows(line) if line else None
    face, angle = (line.face, angle_of(line)) if line else (None, None)
    percent = live.battery_percent(view.die)
    seconds = words.number((milliseconds() - view.received_ms) / 1000, 1)
    row = _COLUMNS.format(
        view.die,
        words.text(sentences.STATES[view.state]),
        "-" if shows is None or face is None else sentences.face_words(words, face, shows),
        "-" if angle is None else f"{angle}°",
        volts(view.battery_mv, words) if percent is None else words.percent(percent),
        "-" if view.throws is None else view.throws,
        words.text(sentences.SECONDS_AGO).format(seconds=seconds),
        view.repeats,
        view.missed,
    )
    return "  ".join([row, *_error(view, words)])
