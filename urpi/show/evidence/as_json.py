"""A dispute as JSON: the content of the page, with codes in addition to sentences."""

import json
from collections.abc import Iterator
from typing import Any

from urpi import __version__
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import HAND, OFF, SQUARE_NAMES, Position, Refusal, Side, Square, names_of
from urpi.show.evidence.dispute import Dispute
from urpi.show.evidence.pictures import positions_of
from urpi.show.evidence.reasons import Choices, choices_of, pass_refusal
from urpi.show.evidence.story import Decided, DieUpdate, Event, Input, ThrowStory, Touch, TurnStory
from urpi.show.evidence.wording import Wording, section
from urpi.show.words import Words

PLACES = {HAND: "hand", OFF: "off"}


def dispute_json(dispute: Dispute, words: Words) -> dict[str, Any]:
    """Return a dispute as an object that json can encode.

    Args:
        dispute: the dispute.
        words: language of the sentences.
    """
    summary, checked = dispute.summary, dispute.checked
    wording = Wording(words, dispute.story.game)
    return {
        "game": summary.id,
        "rules": summary.rules,
        "light": summary.light,
        "dark": summary.dark,
        "started": summary.started.isoformat(),
        "result": summary.result,
        "read_from": dispute.origin.value if dispute.origin else None,
        "refereed_by": summary.program,
        "replayed_by": __version__,
        "replay": checked.verdict.value,
        "sha256": dispute.digest,
        "since": dispute.since_t,
        "turns": [_turn(turn, wording) for turn in dispute.story.turns],
    }


def _turn(turn: TurnStory, wording: Wording) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "side": turn.side.value if turn.side else None,
        "throws": [_throw(throw, wording) for throw in turn.throws],
    }


def _throw(throw: ThrowStory, wording: Wording) -> dict[str, Any]:
    found: dict[str, Any] = {
        "position": str(throw.position),
        "t": throw.thrown_t,
        "faces": throw.faces,
        "value": throw.value if throw.faces else None,
        "played_again": throw.again,
        "legal": list(throw.legal),
        "left_out": names_of(throw.left_out),
    }
    if throw.faces is not None and throw.position.turn is not None:
        thrown = throw.position.rules.dice.throw(throw.faces)
        choices = choices_of(throw.position, thrown)
        found["choices"] = [_choice(each, throw.position, wording) for each in choices]
        no_pass = pass_refusal(throw.position, thrown)
        found["no_pass"] = no_pass and _refusal(no_pass, throw.position, wording)
    found["events"] = list(_events(throw, wording))
    return found


def _choice(choices: Choices, position: Position, wording: Wording) -> dict[str, Any]:
    return {
        "piece": _place(choices.origin),
        "legal": list(choices.legal),
        "refused": [
            {
                "to": [_place(target) for target in each.targets],
                "reached": each.reached,
                **_refusal(each.refusal, position, wording),
            }
            for each in choices.refused
        ],
    }


def _refusal(refusal: Refusal, position: Position, wording: Wording) -> dict[str, Any]:
    rule = section(position.rules.id, refusal.code)
    return {
        "code": refusal.code,
        "section": rule.number,
        "section_title": rule.title,
        "text": wording.refusal(refusal, position.turn or Side.LIGHT, one=False),
    }


def _place(place: Square) -> str:
    return PLACES[place] if place in PLACES else SQUARE_NAMES[place]


def _events(throw: ThrowStory, wording: Wording) -> Iterator[dict[str, Any]]:
    for event, before, after in positions_of(throw):
        found = {"t": event.t, **_details(event), "text": wording.event(event, before)}
        yield found if before is after else {**found, "position": str(after)}


def _details(event: Event) -> dict[str, Any]:
    match event:
        case DieUpdate():
            return {
                "what": "die",
                "die": event.die,
                "state": event.state,
                "face": event.face,
                "tumbled": event.tumbled,
                "repeated": event.repeated,
                **event.measured,
            }
        case Touch():
            return {
                "what": "put" if event.on else "lift",
                "square": SQUARE_NAMES[event.square],
                "edges": event.edges,
                "picture": names_of(event.occupancy),
            }
        case Input(fact=fact):
            return {"what": "told", "fact": json.loads(fact_line(fact))}
        case Decided(decision=decision):
            return {
                "what": "decided",
                "entry": event.seq,
                "shown_from": event.shown_from,
                "decision": json.loads(decision_line(decision)),
            }
