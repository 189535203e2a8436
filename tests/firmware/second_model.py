"""Control of firmware/build/second_model/second-model by its commands (its README.md)."""

import json
import struct
import subprocess
import sys
from binascii import crc_hqx
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from .simulator import BUILD, HubSession, Wire, with_crc

PROGRAM = BUILD / "second_model" / "second-model"
EEPROM_TOOL = BUILD.parent / "eeprom.py"
SET = 7

# The directions of firmware/common/faces.h in milli-g, as if measured.
UP = {
    4: ((577, 577, 577), (577, -577, -577), (-577, 577, -577), (-577, -577, 577)),
    6: ((0, 0, 1000), (0, 1000, 0), (1000, 0, 0), (-1000, 0, 0), (0, -1000, 0), (0, 0, -1000)),
}
CALIBRATION_AT = 0x20


class RefusedError(RuntimeError):
    """The program replied with an error."""


def hex_rows(at: int, data: bytes) -> str:
    """Return Intel HEX rows without the end."""
    rows = []
    for start in range(0, len(data), 16):
        part = data[start : start + 16]
        row = struct.pack(">BHB", len(part), at + start, 0) + part
        rows.append(f":{(row + bytes([-sum(row) & 0xFF])).hex().upper()}\n")
    return "".join(rows)


def calibration(kind: int) -> bytes:
    """Return the record of a calibrated die (firmware/common/eeprom_layout.h)."""
    ups = [value for up in UP[kind] for value in up]
    body = struct.pack("<HBB18h", 1, (1 << kind) - 1, kind, *ups, *([0] * (18 - len(ups))))
    return body + struct.pack("<H", crc_hqx(body, 0xFFFF))


def eeprom_file(path: Path, *role: str, kind: int | None = None) -> Path:
    """Write a chip's EEPROM file, for a die with its calibration, and return its path."""
    made = subprocess.run(
        [sys.executable, EEPROM_TOOL, *role], capture_output=True, text=True, check=True
    ).stdout
    rows = hex_rows(CALIBRATION_AT, calibration(kind)) if kind else ""
    path.write_text(rows + made)
    return path


@dataclass
class SecondModel(HubSession):
    """One hub and dice on the second model; a context manager.

    `numbers` are those that the dice are flashed with, `options` more of the program's, and
    `images` a folder with hub.hex and die.hex, and `key` the one with which all are flashed.
    """

    folder: Path
    numbers: Sequence[int] = (1,)
    kind: int = 4
    options: tuple[str, ...] = ()
    images: Path = BUILD
    key: str = ""
    acknowledges: bool = True
    wire: Wire = field(default_factory=Wire)
    now_ms: float = 0.0
    seen: set[tuple[str, str]] = field(default_factory=set)

    def __enter__(self) -> Self:
        board = ("--set", str(SET), *(("--key", self.key) if self.key else ()))
        hub = eeprom_file(self.folder / "hub.eep", "hub", *board)
        dice = []
        for place, number in enumerate(self.numbers, 1):
            role = ("die", str(number), "--kind", str(self.kind), *board)
            dice.append(eeprom_file(self.folder / f"die-{place}.eep", *role, kind=self.kind))
        flashed = ("--hub", self.images / "hub.hex", hub, "--die", self.images / "die.hex", *dice)
        self.process = subprocess.Popen(
            [PROGRAM, *flashed, "--kind", str(self.kind), *self.options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline().startswith("ok")
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()

    def command(self, text: str) -> str:
        """Send a command, and return the reply after its ok."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        verdict, _, rest = self.process.stdout.readline().strip().partition(" ")
        if verdict != "ok":
            raise RefusedError(f"{text}: {rest}")
        return rest

    def write(self, text: str) -> None:
        """Send a line to the hub."""
        self.command(f"send {with_crc(text).hex()}")

    def status(self) -> dict[str, Any]:
        return dict(json.loads(self.command("status")))

    def board(self, number: int) -> dict[str, Any]:
        """Return the state of the hub (0) or of a die, by its place."""
        return dict(self.status()["boards"][number])

    def violations(self) -> list[str]:
        """Return what the firmware did against the data sheets, with the boards' numbers."""
        return [
            f"{'die' if it['board'] else 'hub'} {it['board']}: {it['text']}, {it['times']} times, "
            f"first at {it['first_ms']} ms"
            for it in json.loads(self.command("violations"))
        ]

    def advance(self, ms: float) -> bytes:
        """Advance the time, and return the bytes that the hub has sent."""
        now_ms, _, sent = self.command(f"run {ms}").partition(" ")
        self.now_ms = float(now_ms)
        return bytes.fromhex(sent)

    def run_into(self, what: str, board: str = "1") -> None:
        """Advance the time into the next `packet` of a board, or `transfer` with its sensor."""
        self.now_ms = float(self.command(f"run-into {board} {what}"))

    def move(self, die: int, motion: str, face: int) -> float:
        """Begin a motion, and return when the die will be at rest, in ms since the start."""
        return float(self.command(f"move {die} {motion} {face}"))

    def charge_uc(self, die: int) -> float:
        """Return a die's charge so far in microcoulombs."""
        return float(sum(self.board(die)["charge_uc"].values()))
