"""The state document: all that the page draws of the table, as it stands.

It is made from values alone. What differs from one browser to the next (`may_act`) is added
where it is sent.
"""

from dataclasses import dataclass
from typing import Any, assert_never

from urpi.referee import Snapshot
from urpi.referee.decisions import Abandoned, Drawn, Fault, Question, Warned, Won
from urpi.referee.lines import decision_object
from urpi.rules import Position, Side, Throw, parse_move
from urpi.web.documents.pieces import (
    by_side,
    chances_document,
    move_document,
    move_said,
    position_document,
    rules_document,
    squares_document,
)
from urpi.web.documents.said import Teller
from urpi.words import Words


@dataclass(frozen=True, slots=True)
class Device:
    """How a part of the table is: `said` is empty where all is well.

    `alive`: it answers. `dice` are those that the hub hears, `low` those with a low battery.
    """

    alive: bool
    said: str = ""
    dice: tuple[int, ...] = ()
    low: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """What there is to show of a table.

    `game` is the running game's number, None before the first; `seq` the newest stored entry's;
    `table` is board or virtual; `notice` what the players are told besides; `oled` the OLED's
    picture as a data URL.
    """

    seq: int
    game: int | None
    table: str
    snapshot: Snapshot
    words: Words
    notice: str | None
    devices: dict[str, Device]
    oled: str

    @property
    def teller(self) -> Teller:
        """Says things with this game's names."""
        return Teller(self.words, self.snapshot.light, self.snapshot.dark)


def state_document(scene: Scene) -> dict[str, Any]:
    """The document, but for the record."""
    return {
        "seq": scene.seq,
        "game": scene.game,
        "table": scene.table,
        "language": scene.words.language,
        **_game(scene),
        "faults": [fault_document(fault, scene.words) for fault in scene.snapshot.faults],
        "notice": scene.notice,
        "devices": {name: device_document(one) for name, one in scene.devices.items()},
        "oled": scene.oled,
    }


def device_document(device: Device) -> dict[str, Any]:
    """A device's health."""
    return {
        "alive": device.alive,
        "said": device.said,
        "dice": list(device.dice),
        "low": list(device.low),
    }


def _game(scene: Scene) -> dict[str, Any]:
    shot, teller = scene.snapshot, scene.teller
    side = None if shot.side is None else shot.side.value
    light, dark = shot.start_throws
    return {
        **_rules(shot.position, scene.words),
        "phase": shot.phase.value,
        "side": side,
        "players": {"light": shot.light, "dark": shot.dark},
        "dice": _dice(shot),
        "throw": throw_document(shot.throw),
        "start_throws": by_side((throw_document(light), throw_document(dark))),
        "legal": [move_document(text, scene.words) for text in shot.legal],
        "seems": shot.seems,
        "takeback": takeback_document(shot.takeback, scene.words),
        "chooser": None if shot.chooser is None else shot.chooser.value,
        "last": None
        if shot.last is None
        else {**decision_object(shot.last), "said": teller.say(shot.last)},
        "warning": warning_document(shot.warning),
        "question": question_document(shot, teller),
        "fill": squares_document(shot.fill),
        "clear": squares_document(shot.clear),
        "outcome": outcome_document(shot.outcome, teller),
    }


def _rules(position: Position | None, words: Words) -> dict[str, Any]:
    if position is None:
        return {"rules": None, "position": None, "chances": []}
    return {
        "rules": rules_document(position.rules, words),
        "position": position_document(position),
        "chances": chances_document(position.rules),
    }


def _dice(shot: Snapshot) -> dict[str, Any]:
    return {
        "rolling": list(shot.rolling),
        "waiting": list(shot.waiting),
        "settled": {str(die): face for die, face in shot.settled},
    }


def throw_document(throw: Throw | None) -> dict[str, Any] | None:
    """A throw: its faces, and what it counts."""
    return None if throw is None else {"faces": throw.faces, "value": throw.value}


def warning_document(warning: Warned | None) -> dict[str, Any] | None:
    """A warning: which rule, where, in words, and how to put it right."""
    if warning is None:
        return None
    return {
        "code": warning.code,
        "side": warning.side.value,
        "text": warning.text,
        "squares": squares_document(warning.squares),
        "fill": squares_document(warning.fill),
        "clear": squares_document(warning.clear),
    }


def question_document(shot: Snapshot, teller: Teller) -> dict[str, Any] | None:
    """A question: who is asked, what, and what may be answered; `chosen` is a place from 0."""
    question = shot.question
    if question is None:
        return None
    return {
        "ask": question.ask,
        "side": question.side.value,
        "said": teller.say(question),
        "choices": [
            {"value": choice, "said": choice_said(question, choice, teller)}
            for choice in shot.choices
        ],
        "chosen": shot.chosen,
    }


def choice_said(question: Question, choice: str, teller: Teller) -> str:
    """One of a question's answers in words."""
    ask = question.ask
    match ask:
        case "move":
            return move_said(parse_move(choice), teller.words)
        case "first":
            return teller.name(Side(choice))
        case "faces":
            return choice
        case _:
            assert_never(ask)


def takeback_document(takeback: tuple[Side, str] | None, words: Words) -> dict[str, Any] | None:
    """The move that may be taken back."""
    if takeback is None:
        return None
    side, move = takeback
    return {"side": side.value, **move_document(move, words)}


def fault_document(fault: Fault, words: Words) -> dict[str, Any]:
    """A broken sensor or die."""
    said = words.sentence(fault.code, {"device": fault.device})
    return {"device": fault.device, "code": fault.code, "said": said}


def outcome_document(
    outcome: Won | Drawn | Abandoned | None, teller: Teller
) -> dict[str, Any] | None:
    """How the game ended."""
    if outcome is None:
        return None
    side = outcome.side.value if isinstance(outcome, Won) else None
    kind = decision_object(outcome)["type"]
    return {"type": kind, "side": side, "code": outcome.code, "said": teller.say(outcome)}
