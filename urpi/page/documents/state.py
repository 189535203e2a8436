"""The state document: everything that the page draws of the table's current state.

It is the same for all browsers; what depends on the browser or the time is added by
`urpi.page.versions`.
"""

from dataclasses import dataclass
from typing import Any, assert_never

from urpi.link.remote.tables_view import NOTHING, TablesView
from urpi.page.documents.positions import (
    by_side,
    chances_document,
    move_document,
    position_document,
    rules_document,
    squares_document,
)
from urpi.referee import Snapshot
from urpi.referee.decisions import NO_MOVE, Abandoned, Coached, Drawn, Fault, Question, Won
from urpi.referee.lines import decision_object
from urpi.referee.orders import Pairing
from urpi.referee.seats import place_name
from urpi.rules import SQUARE_NAMES, Position, Side, Throw, parse_move, parse_rules
from urpi.service.notices import Notice
from urpi.service.table_state import Device
from urpi.show.lights import ALL_DARK, Lights, lights
from urpi.show.words import Words, menu_words
from urpi.show.words.decisions import DecisionTexts, announcements
from urpi.show.words.end_review import EndReview, end_sentences
from urpi.show.words.move_texts import NOT_MOVED, move_text, shown_move
from urpi.show.words.table_words import (
    CLAIMS,
    CLUB_MAY_SHOW,
    NEXT_GAME,
    PROBLEMS,
    PROPOSING,
    RESIGNING,
    ROUND,
    UNKNOWN_GAME,
    YOUR_SIDE,
)

_SENT = {
    "waiting": "waiting-table",
    "declined": "table-declined",
    "busy": "table-busy",
    "no-answer": "table-silent",
    "unsupported": "table-unsupported",
}


@dataclass(frozen=True, slots=True)
class Scene:
    """The values from which the state document is made.

    Attributes:
        seq: The place of the newest decision in the journal.
        game: The number of the running game, None before the first.
        table: ``board`` or ``virtual``.
        snapshot: The state of the game.
        words: The language of the texts.
        notice: A notice to the players, None if there is none.
        devices: The state of each device.
        oled: The OLED's picture as a data URL.
        has_lights: Whether there are lights below the squares.
        review: The review of the game that has ended, None until it is shown.
        tables: What concerns other tables besides the game.
        waits: Whether a game waits for the exploration.
    """

    seq: int
    game: int | None
    table: str
    snapshot: Snapshot
    words: Words
    notice: Notice | None
    devices: dict[str, Device]
    oled: str
    review: EndReview | None = None
    tables: TablesView = NOTHING
    waits: bool = False
    has_lights: bool = False

    @property
    def texts(self) -> DecisionTexts:
        """The announcements with the names of this game's players."""
        return announcements(self.words, self.snapshot.light, self.snapshot.dark)


def state_document(scene: Scene) -> dict[str, Any]:
    """The state without the record."""
    return {
        "seq": scene.seq,
        "game": scene.game,
        "table": scene.table,
        "language": scene.words.language,
        **_game(scene),
        "faults": [fault_document(fault, scene.words) for fault in scene.snapshot.faults],
        "notice": _notice_text(scene.notice, scene.words),
        "review": [] if scene.review is None else end_sentences(scene.review, scene.words),
        "opponent": opponent_document(scene.snapshot),
        "tables": tables_document(scene.tables, scene.snapshot, scene.words),
        "devices": {name: device_document(one) for name, one in scene.devices.items()},
        "oled": scene.oled,
        "lit": lit_document(lights(scene.snapshot) if scene.has_lights else ALL_DARK),
    }


def lit_document(lit: Lights) -> dict[str, str]:
    """The squares that are lit, each with its colour and mode, such as ``dark winking``."""
    return {
        name: f"{light.colour.value} {light.mode.value}"
        for name, light in zip(SQUARE_NAMES, lit, strict=True)
        if light is not None
    }


def _notice_text(notice: Notice | None, words: Words) -> str | None:
    return None if notice is None else words.sentence(notice.code, notice.details)


def device_document(device: Device) -> dict[str, Any]:
    return {
        "alive": device.available,
        "text": device.problem,
        "dice": list(device.dice),
        "low": list(device.low),
    }


def _game(scene: Scene) -> dict[str, Any]:
    shot, texts = scene.snapshot, scene.texts
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
        "seats": by_side(shot.seats),
        "planned": None if shot.planned is None else move_document(shot.planned, scene.words),
        "thinking": shot.thinking,
        "hints": shot.hints,
        "may_hint": shot.may_hint,
        "may_decline": shot.may_decline,
        "hint": None if shot.hint is None else move_document(shot.hint.move, scene.words),
        "engine_throws": shot.engine_throws,
        "program_threw": shot.throw is not None and shot.rolled is not None and shot.rolled.program,
        "coach": by_side(shot.coach),
        "coached": _coached_document(shot.coached, texts),
        "takeback": takeback_document(shot.takeback, scene.words),
        "draw": shot.draw,
        "chooser": None if shot.chooser is None else shot.chooser.value,
        "last": None
        if shot.last is None
        else {**decision_object(shot.last), "text": texts.text(shot.last)},
        "warning": warning_document(shot, scene.words),
        "question": question_document(shot, texts),
        "fill": squares_document(shot.fill),
        "clear": squares_document(shot.clear),
        "outcome": outcome_document(shot.outcome, texts),
        "explore": _explore_document(scene),
        "may_explore": shot.may_explore,
    }


def _explore_document(scene: Scene) -> dict[str, Any] | None:
    """What is done of an exploration, and whether a game waits for it; None if there is none."""
    stage = scene.snapshot.explore
    return None if stage is None else {"stage": stage, "game": scene.waits}


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
    """A throw: its faces and its value."""
    return None if throw is None else {"faces": throw.faces, "value": throw.value}


def _coached_document(coached: Coached | None, texts: DecisionTexts) -> dict[str, Any] | None:
    """The better move with the percentage points that it gains, None if there is none."""
    if coached is None:
        return None
    return {
        "side": coached.side.value,
        "loss": coached.loss,
        "better": move_document(coached.better, texts.words),
        "text": texts.text(coached),
    }


def warning_document(shot: Snapshot, words: Words) -> dict[str, Any] | None:
    """Return a warning: its rule, its squares, its text, and the squares to fill and to clear."""
    warning, details = shot.warning, shot.warning_details
    if warning is None:
        return None
    return {
        "code": warning.code,
        "side": warning.side.value,
        "text": words.sentence(warning.code, details) if details else warning.text,
        "squares": squares_document(warning.squares),
        "fill": squares_document(warning.fix.fill),
        "clear": squares_document(warning.fix.clear),
    }


def question_document(shot: Snapshot, texts: DecisionTexts) -> dict[str, Any] | None:
    """Return a question to a side with its possible answers; `chosen` is an index from 0."""
    question = shot.question
    if question is None:
        return None
    return {
        "ask": question.ask,
        "side": question.side.value,
        "text": texts.text(question),
        "choices": [
            {"value": choice, "text": choice_text(question, choice, texts)}
            for choice in shot.choices
        ],
        "chosen": shot.chosen,
    }


def choice_text(question: Question, choice: str, texts: DecisionTexts) -> str:
    """One of a question's answers in words."""
    ask = question.ask
    match ask:
        case "move" if choice == NO_MOVE:
            return texts.words.text(NOT_MOVED)
        case "move":
            return move_text(parse_move(choice), texts.words)
        case "first":
            side = Side(choice)
            # Two players may have the same name.
            alike = texts.name(side) == texts.name(side.other)
            return texts.words.side(side) if alike else texts.name(side)
        case "faces":
            return choice
        case _:
            assert_never(ask)


def takeback_document(takeback: tuple[Side, str] | None, words: Words) -> dict[str, Any] | None:
    """The move that may be taken back, with its side."""
    if takeback is None:
        return None
    side, move = takeback
    return {"side": side.value, **move_document(move, words)}


def fault_document(fault: Fault, words: Words) -> dict[str, Any]:
    """The fault of a switch or die."""
    text = words.sentence(fault.code, {"device": fault.device})
    return {"device": fault.device, "code": fault.code, "text": text}


def outcome_document(
    outcome: Won | Drawn | Abandoned | None, texts: DecisionTexts
) -> dict[str, Any] | None:
    """How the game ended, None if it has not ended."""
    if outcome is None:
        return None
    side = outcome.side.value if isinstance(outcome, Won) else None
    kind = decision_object(outcome)["type"]
    return {"type": kind, "side": side, "code": outcome.code, "text": texts.text(outcome)}


def opponent_document(shot: Snapshot) -> dict[str, str] | None:
    """The other table of the game, None in a game of one table."""
    return None if shot.shared is None else {"table": shot.shared.table, "place": shot.place}


def tables_document(view: TablesView, shot: Snapshot, words: Words) -> list[dict[str, Any]]:
    """What is shown, each with its `kind` and `text`.

    An ``invitation`` has its `game`, the `name` under which a player here accepts, and the
    `options` that differ from the usual ones; ``next``, which the club has assigned, the `game`
    and the `options`; a ``proposal`` has what is proposed.
    """
    found: list[dict[str, Any]] = []
    if view.invitation is not None:
        table, invited, name = view.invitation
        found.append(
            {
                "kind": "invitation",
                "text": _invitation_text(view, words),
                "place": place_name(table),
                "game": invited.game,
                "name": name,
                "options": options_document(invited.rules, words),
            }
        )
    if view.next is not None:
        found.append(_next_game(view.next.pairing, words))
    if view.joining is not None:
        found.append(_row("joining", _note("joining", view.joining, words)))
    if view.sent is not None:
        table, state = view.sent
        kind = "waiting" if state == "waiting" else "result"
        found.append(_row(kind, _note(_SENT[state], table, words)))
    if view.proposed is not None:
        found.append({"kind": "proposal", "text": _proposal_text(view, shot, words)})
        found[-1]["what"] = view.proposed
    if view.proposing is not None:
        text = RESIGNING if view.proposing == "resign" else PROPOSING
        found.append(_row("note", words.text(text)))
    elif view.declined:
        found.append(_row("note", words.text(menu_words.NOTES["declined"])))
    if view.problem is not None:
        text = words.text(PROBLEMS[view.problem]).replace("{place}", shot.place)
        found.append(_row("problem", text))
    if (claim := view.claim) is not None:
        text = words.text(CLAIMS[claim.code]).replace("{place}", shot.place)
        kind = "claim" if claim.code == "may-claim" else "note"
        found.append(_row(kind, text.replace("{time}", claim.at)))
    return found


def _row(kind: str, text: str) -> dict[str, Any]:
    return {"kind": kind, "text": text}


def _note(code: str, table: str, words: Words) -> str:
    return words.text(menu_words.NOTES[code]).replace("{value}", place_name(table))


def _invitation_text(view: TablesView, words: Words) -> str:
    assert view.invitation is not None
    table, invited, _ = view.invitation
    place, rules = place_name(table), words.rules(parse_rules(invited.rules).id)
    text = words.text(menu_words.INVITED).replace("{rules}", rules)
    player = f"{invited.name} ({place})" if invited.name else place
    side = words.text(YOUR_SIDE[invited.side.other])
    return f"{text.replace('{name}', player)} {side}"


def _next_game(pairing: Pairing | None, words: Words) -> dict[str, Any]:
    if pairing is None:
        return _row("note", words.text(UNKNOWN_GAME))
    rules = words.rules(pairing.rules.id)
    # The names may have braces, too.
    game = words.text(NEXT_GAME).format(light=pairing.light, dark=pairing.dark, rules=rules)
    number = words.text(ROUND).format(number=pairing.round)
    agreed = () if pairing.agreed else (words.text(CLUB_MAY_SHOW),)
    return {
        "kind": "next",
        "text": " ".join((game, f"{pairing.tournament}, {number}.", *agreed)),
        "game": pairing.game,
        "options": options_document(pairing.rules.text, words),
    }


def options_document(rules: str, words: Words) -> list[dict[str, str]]:
    """The options of a RULES word that differ from their defaults, described as a choice."""
    found = parse_rules(rules)
    about = {option.name: words.text(option.about) for option in found.known_options}
    return [{"about": about[name], "value": value} for name, value in found.changed]


def _proposal_text(view: TablesView, shot: Snapshot, words: Words) -> str:
    name = "take-back" if view.proposed == "takeback" else str(view.proposed)
    text = words.text(menu_words.OFFERS[name])
    if "{move}" in text:
        text = text.replace("{move}", shown_move(view.move, words))
    remote = shot.remote
    player = "" if remote is None else shot.name(remote) or words.side(remote)
    return text.replace("{name}", f"{player} ({shot.place})")
