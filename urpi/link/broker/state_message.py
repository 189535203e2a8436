"""The retained state of a table, for walls and for home automation (FORMATS.md, Club)."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from urpi.referee import Snapshot
from urpi.referee.decisions import Won
from urpi.referee.lines import decision_object
from urpi.referee.seats import is_engine
from urpi.rules import Side

FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class DieState:
    """What is known of a die.

    Attributes:
        die: Its number.
        in_range: Whether the hub receives it.
        battery_mv: The voltage of its battery in millivolts, None if it has not reported it.
        battery_percent: The charge, None if it does not report it.
        low: Whether the battery is low.
    """

    die: int
    in_range: bool
    battery_mv: int | None
    battery_percent: int | None
    low: bool


@dataclass(frozen=True, slots=True)
class TableState:
    """What is published of a table.

    Attributes:
        game: The number of the game in the journal, None before the first.
        snapshot: The game as it stands.
        dice: The dice that have reported.
        unavailable: The codes of devices that do not respond.
    """

    game: int | None
    snapshot: Snapshot
    dice: tuple[DieState, ...] = ()
    unavailable: tuple[str, ...] = ()


def clock_document(shot: Snapshot) -> dict[str, Any] | None:
    """The clocks at the snapshot's time, None without; the engine has none."""
    clock = shot.clock
    if clock is None:
        return None
    return {
        "control": str(clock.control),
        "running": None if clock.running is None else clock.running.value,
        "left_ms": {
            side.value: None if is_engine(shot.seat(side)) else clock.left_ms[side.number]
            for side in Side
        },
    }


def state_message(
    state: TableState, at: str, names: Mapping[str, str], *, passed_ms: int = 0
) -> bytes:
    """The message.

    Args:
        state: The state, with the clocks at its time.
        at: The local time, ISO 8601 with the offset from UTC.
        names: The names of the players that agree to publish them, by side.
        passed_ms: The time since then, by default none.
    """
    shot, position = state.snapshot, state.snapshot.position
    if shot.clock is not None:
        shot = shot.at(shot.clock.since + passed_ms)
    document = {
        "type": "state",
        "format": FORMAT,
        "at": at,
        "game": state.game,
        "phase": shot.phase.value,
        "rules": None if position is None else position.rules.text,
        "position": None if position is None else str(position),
        "turn": None if shot.side is None else shot.side.value,
        "throw": None
        if shot.throw is None
        else {"faces": shot.throw.faces, "value": shot.throw.value},
        "score": None if position is None else _by_side(position.off),
        "seats": _by_side(shot.seats),
        "opponent": None if shot.shared is None else shot.shared.table,
        "names": _by_side(names.get(side.value) for side in Side),
        "last": None if shot.last is None else _without_text(decision_object(shot.last)),
        "warning": None if shot.warning is None else shot.warning.code,
        "question": None if shot.question is None else shot.question.ask,
        "outcome": _outcome(shot),
        "faults": [{"device": fault.device, "code": fault.code} for fault in shot.faults],
        "unavailable": list(state.unavailable),
        "dice": [
            {
                "die": die.die,
                "in_range": die.in_range,
                "battery_mv": die.battery_mv,
                "battery_percent": die.battery_percent,
                "low": die.low,
            }
            for die in state.dice
        ],
    }
    if shot.clock is not None:
        document["clock"] = clock_document(shot)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def _outcome(shot: Snapshot) -> dict[str, Any] | None:
    outcome = shot.outcome
    if outcome is None:
        return None
    side = outcome.side.value if isinstance(outcome, Won) else None
    return {"type": decision_object(outcome)["type"], "side": side, "code": outcome.code}


def _without_text(document: dict[str, Any]) -> dict[str, Any]:
    """A decision without its sentence, which may contain a name."""
    return {key: value for key, value in document.items() if key != "text"}


def _by_side(values: Iterable[Any]) -> dict[str, Any]:
    return {side.value: value for side, value in zip(Side, values, strict=True)}


@dataclass(frozen=True, slots=True)
class ClubStatus:
    """The state of the connection.

    Attributes:
        connected: Whether the broker is connected.
        rejected: Whether the club does not accept a game.
        problem: Why it is not connected, or what was rejected, in English; empty if all is well.
        waiting: Number of games of which something is not acknowledged.
    """

    connected: bool = False
    rejected: bool = False
    problem: str = ""
    waiting: int = 0
