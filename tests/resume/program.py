"""The program that is killed: the real service on mock pins and a hub's terminal.

It runs in a forked process that may be killed at any moment. It receives commands, each with the
time, as JSON lines from a pipe, and sends its replies to another one. Each decision that it
displays is a line of its own, sent at the moment of the display.
"""

import json
import os
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from urpi.config import Config, HubSection
from urpi.hardware import DieFaces, default_pins
from urpi.journal import Keeper
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.lines import decision_line
from urpi.referee.orders import NewGame
from urpi.referee.seats import Seats
from urpi.rules import RuleSet, Side, names_of
from urpi.service.backends import Backends, make_dice_hub
from urpi.service.board import BoardService
from urpi.service.board_parts import BoardParts
from urpi.simulation import MockPins

NOW = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
CONNECT_S = 120.0


class WiredPin(MockPin):
    """A pin that a closed contact holds low from the beginning, regardless of its pull-up."""

    grounded = False

    def drive_low(self) -> None:
        self.grounded = True
        super().drive_low()

    def drive_high(self) -> None:
        self.grounded = False
        super().drive_high()

    def _set_pull(self, value: str) -> None:
        grounded = self.grounded
        super()._set_pull(value)
        if grounded:
            self.drive_low()


class Program:
    """One run of the service. Its clock starts at 0, as a Pi's does at every start."""

    def __init__(
        self, path: Path, hub: str, closed: int, send: Callable[[dict[str, Any]], None]
    ) -> None:
        self._t = 0
        self._send = send
        factory, pins = MockFactory(pin_class=WiredPin), default_pins()
        self._pins = MockPins(factory, pins)
        for square in range(20):
            self._pins.square(square, bool(closed >> square & 1))
        make_dice = partial(make_dice_hub, HubSection(), hub, DieFaces())
        self.board = BoardService(
            BoardParts(
                Config(),
                Keeper.open(path, NOW),
                lambda: self._t,
                Backends(factory, pins, make_dice),
                self._show,
                table="virtual",
            )
        )

    def run(self, rules: RuleSet, first: Side | None, seats: Seats, lines: TextIOWrapper) -> None:
        """Resume the game, or begin one; then execute commands until the pipe is closed."""
        began = time.perf_counter()
        resumed = self.board.service.resume()
        took_ms = (time.perf_counter() - began) * 1000
        with self.board:
            self._wait_for_hub()
            if resumed is None:
                self.board.begin(NewGame(rules, first=first, seats=seats))
            self._send({"resumed": resumed is not None, "took_ms": took_ms, **self._state()})
            for line in lines:
                self._execute(json.loads(line))

    def _wait_for_hub(self) -> None:
        deadline = time.monotonic() + CONNECT_S
        while not self.board.devices.dice.health.connected and time.monotonic() < deadline:
            time.sleep(0.0005)

    def _execute(self, command: list[Any]) -> None:
        name, self._t, *arguments = command
        match name:
            case "square":
                self._pins.square(*arguments)
            case "button":
                self._pins.button(Side(arguments[0]), arguments[1])
            case "work":
                self.board.service.work()
                self._send(self._state())

    def _show(self, _snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        for decision in decisions:
            self._send({"shown": decision_line(decision)})

    def _state(self) -> dict[str, Any]:
        service = self.board.service
        snapshot, due = service.snapshot, service.next_due
        asks_move = snapshot.question is not None and snapshot.question.ask == "move"
        choices = snapshot.choices[snapshot.chosen :] + snapshot.choices[: snapshot.chosen]
        return {
            "due": None if due is None else due - service.clock(),
            "idle": self.board.idle,
            "alive": self.board.devices.dice.health.alive,
            "phase": snapshot.phase.value,
            "position": str(snapshot.position),
            "planned": snapshot.planned,
            "faces": snapshot.throw.faces if snapshot.throw else None,
            "fill": names_of(snapshot.fill),
            "clear": names_of(snapshot.clear),
            "choices": choices if asks_move else (),
            "warning": snapshot.warning.code if snapshot.warning else None,
        }


def fork(
    path: Path, hub: str, closed: int, rules: RuleSet, first: Side | None, seats: Seats
) -> tuple[int, int, int]:
    """Fork a process that runs the program; return its id, a pipe to it, and a pipe from it."""
    (commands, to_program), (from_program, replies) = os.pipe(), os.pipe()
    pid = os.fork()
    if pid:
        os.close(commands)
        os.close(replies)
        return pid, to_program, from_program
    os.close(to_program)
    os.close(from_program)
    status = 1
    try:

        def send(reply: dict[str, Any]) -> None:
            os.write(replies, json.dumps(reply).encode() + b"\n")

        with os.fdopen(commands) as lines:
            Program(path, hub, closed, send).run(rules, first, seats, lines)
        status = 0
    finally:
        if status:
            traceback.print_exc()
        os._exit(status)
