"""The state that a table publishes, as the page draws it (FORMATS.md, Club). Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from urpi.core import strict_json
from urpi.core.errors import UrpiError
from urpi.core.json_schema import Schema, check, object_of, one_of
from urpi.core.moments import parse_moment
from urpi.page.documents.positions import position_document, rules_document
from urpi.page.documents.state import throw_document
from urpi.referee import Phase
from urpi.rules import Position, Side, Throw, parse_position
from urpi.show.words import words_for

MAX_BYTES: Final = 32 * 1024
"""Size limit of a state. The longest one of a game has less than 4 KiB."""
_NULL: Final[Schema] = {"type": "null"}
_TEXT: Final[Schema] = {"type": "string", "maxLength": 1000}
_NAME: Final[Schema] = {"type": "string", "maxLength": 200}
_SIDE: Final = one_of(*(side.value for side in Side))


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [_NULL, schema]}


_LEFT_MS: Final = _or_null({"type": "integer", "minimum": 0, "maximum": 2**53 - 1})
_KEYS: Final[Mapping[str, Schema]] = {
    "type": {"const": "state"},
    "format": {"const": 1},
    "at": _TEXT,
    "game": _or_null({"type": "integer", "minimum": 1, "maximum": 2**53 - 1}),
    "phase": one_of(*(phase.value for phase in Phase)),
    "position": _or_null(_TEXT),
    "turn": _or_null(_SIDE),
    "throw": _or_null(
        object_of(
            ("faces", "value"),
            faces=_TEXT,
            value={"type": "integer", "minimum": 0, "maximum": 1000},
        )
    ),
    "seats": object_of(("light", "dark"), light=_TEXT, dark=_TEXT),
    "warning": _or_null(_TEXT),
    "opponent": _or_null(_TEXT),
    "clock": object_of(
        ("running", "left_ms"),
        control=_TEXT,
        running=_or_null(_SIDE),
        left_ms=object_of(("light", "dark"), light=_LEFT_MS, dark=_LEFT_MS),
    ),
    "names": object_of(light=_or_null(_NAME), dark=_or_null(_NAME)),
}
_SCHEMA: Final = object_of(
    ("type", "format", "at", "game", "phase", "position", "turn", "throw", "seats", "warning"),
    **_KEYS,
)
_OUTCOME: Final = object_of(
    ("type", "side"), type=one_of("won", "drawn", "abandoned"), side=_or_null(_SIDE)
)
_LAST_MOVE: Final = object_of(("move",), move=_TEXT)


@dataclass(frozen=True, slots=True)
class TableState:
    """What is drawn of a table.

    Attributes:
        at: When the table published it, by its own clock.
        game: The number of the game in the table's journal, None before the first.
        phase: What the game waits for.
        position: The position, None without a game.
        turn: The side to act.
        throw: The throw to be played.
        seats: Who decides the moves of each side.
        opponent: The id of the table of a side that is played there, None in a game of one table.
        names: The names of the players that agreed to publish them, by side.
        warning: The code of the warning, None if there is none.
        result: ``light``, ``dark``, ``draw`` or ``abandoned``; None while the game is running.
        last: The last move, empty if the last decision was none.
        clock: The side whose clock runs and the time that each had left, None without a clock.
    """

    at: datetime
    game: int | None
    phase: Phase
    position: Position | None
    turn: Side | None
    throw: Throw | None
    seats: Mapping[str, str]
    opponent: str | None
    names: Mapping[str, str | None]
    warning: str | None
    result: str | None
    last: str
    clock: Mapping[str, Any] | None = None

    def document(self) -> dict[str, Any]:
        """The state with the keys of a table's own page (`urpi.page.documents.state`)."""
        position = self.position
        return {
            "game": self.game,
            "phase": self.phase.value,
            "position": None if position is None else position_document(position),
            # The page translates the names of rule sets.
            "rules": None if position is None else rules_document(position.rules, words_for("en")),
            "side": None if self.turn is None else self.turn.value,
            "throw": throw_document(self.throw),
            "seats": dict(self.seats),
            "opponent": self.opponent,
            "players": {side.value: self.names.get(side.value) or "" for side in Side},
            "warning": None if self.warning is None else {"code": self.warning},
            "result": self.result,
            "last": self.last,
            **({} if self.clock is None else {"clock": dict(self.clock)}),
        }


def parse_state(data: bytes) -> TableState:
    """The state in a message. Unknown keys are ignored.

    Raises:
        UrpiError: If it is not one.
    """
    found = _object(data)
    known = {name: value for name, value in found.items() if name in _KEYS}
    check(known, _SCHEMA, "A state")
    position = None if known["position"] is None else parse_position(known["position"])
    throw = known["throw"]
    if throw is not None and position is not None:
        # The value follows from the faces; what the table sends is not believed.
        throw = position.rules.dice.throw(throw["faces"])
    elif throw is not None:
        message = "A state with a throw must have a position."
        raise UrpiError(message)
    return TableState(
        parse_moment(known["at"], "The time of a state"),
        known["game"],
        Phase(known["phase"]),
        position,
        None if known["turn"] is None else Side(known["turn"]),
        throw,
        known["seats"],
        known.get("opponent"),
        known.get("names", {}),
        known["warning"],
        _result(found.get("outcome")),
        _last_move(found.get("last")),
        known.get("clock"),
    )


def _object(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        message = f"A state must have at most {MAX_BYTES} bytes; found {len(data)}."
        raise UrpiError(message)
    try:
        found = strict_json.parse(data.decode())
    except ValueError as error:
        message = "A state must be one JSON object in UTF-8."
        raise UrpiError(message) from error
    if not isinstance(found, dict):
        message = f"A state must be a JSON object; found {type(found).__name__}."
        raise UrpiError(message)
    return found


def _result(outcome: object) -> str | None:
    if outcome is None:
        return None
    keys = {"type", "side"}
    known = (
        {name: value for name, value in outcome.items() if name in keys}
        if isinstance(outcome, dict)
        else outcome
    )
    check(known, _OUTCOME, "An outcome")
    assert isinstance(known, dict)
    match known["type"]:
        case "won":
            if known["side"] is None:
                message = "An outcome of type won must have a side."
                raise UrpiError(message)
            return str(known["side"])
        case "drawn":
            return "draw"
    return "abandoned"


def _last_move(last: object) -> str:
    """The move of the last decision, empty if that is another one."""
    if not isinstance(last, dict) or last.get("type") != "move":
        return ""
    known = {"move": last.get("move")}
    check(known, _LAST_MOVE, "A move")
    return str(known["move"])
