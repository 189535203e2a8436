"""From a game's stored decisions to its record (FORMATS.md, Game record)."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from urpi.errors import UrpiError
from urpi.journal.entries import Entry
from urpi.journal.journal import Journal
from urpi.journal.queries import entries_of, find_game
from urpi.referee.decisions import (
    Abandoned,
    Decision,
    Drawn,
    Moved,
    Passed,
    Roll,
    Starts,
    TakenBack,
    Won,
)
from urpi.referee.facts import Fact, Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.rules import Side, parse_position, rule_set
from urpi.rules.record import GameRecord, Play, Thrown, Turn, throw_text

TAGS: Final = "tags"
"""The key of a `game` fact that was made from a record: its tags as [name, value] in order."""
COMMENTS: Final = "comments"
PASSED: Final = "passed"
"""The keys of an answer that was made from a record: the comments behind it and behind a pass."""


@dataclass(slots=True)
class _Draft:
    """A record while it is written: tags by name, and every throw with its side.

    `imported`: the tags are those of a record that was read, and so are the comments, which
    stand with the newest fact.
    """

    tags: dict[str, str] = field(default_factory=dict)
    throws: list[tuple[Side, Thrown]] = field(default_factory=list)
    imported: bool = False
    noted: dict[str, Any] = field(default_factory=dict)

    def comments(self, key: str) -> tuple[str, ...]:
        """The comments that a record had there."""
        found = self.noted.get(key, ()) if self.imported else ()
        return tuple(one for one in found if isinstance(one, str))

    def play(self, play: Play) -> None:
        """Write a play behind the newest throw."""
        side, thrown = self._pop(play.move)
        self.throws.append((side, replace(thrown, plays=(*thrown.plays, play))))

    def take_back(self, move: str) -> None:
        """Mark the newest play of that move; throws behind it vanish into its comment."""
        behind: list[Thrown] = []
        side, thrown = self._pop(move)
        while not _stands(thrown, move):
            behind.insert(0, thrown)
            side, thrown = self._pop(move)
        *before, last = thrown.plays
        taken = replace(last, taken_back=True, comments=(*last.comments, *_vanished(behind)))
        self.throws.append((side, replace(thrown, plays=(*before, taken))))

    def _pop(self, move: str) -> tuple[Side, Thrown]:
        if not self.throws:
            message = f"The stored decisions play or take back {move} without a throw for it."
            raise UrpiError(message)
        return self.throws.pop()

    def turns(self) -> tuple[Turn, ...]:
        """The throws a turn each; throws of one side that follow each other are one turn's."""
        turns: list[Turn] = []
        for side, thrown in self.throws:
            if turns and turns[-1].side is side:
                turns[-1] = Turn(side, (*turns[-1].throws, thrown))
            else:
                turns.append(Turn(side, (thrown,)))
        return tuple(turns)


def _stands(thrown: Thrown, move: str) -> bool:
    if not thrown.plays:
        return False
    last = thrown.plays[-1]
    return last.move == move and not last.taken_back


def _vanished(throws: list[Thrown]) -> tuple[str, ...]:
    texts = (throw_text(thrown).translate({ord("{"): "(", ord("}"): ")"}) for thrown in throws)
    return (f"then {' ; '.join(texts)}",) if throws else ()


def build_record(entries: Iterable[Entry], started: datetime) -> GameRecord:
    """The record of a game.

    A comment says ``inferred`` or ``answered`` where a move was not simply sensed. A throw
    that was made in between and lost its meaning when the move before it was taken back
    stands in a comment behind that move: ``+A1~ {then gs-- +A3~}``.

    Args:
        entries: the game's, in their order.
        started: for the Date tag.

    Raises:
        UrpiError: when a stored line cannot be read, or the decisions do not fit each other.
    """
    draft = _Draft()
    for entry in entries:
        if entry.kind == "fact":
            draft.noted = _noted(entry.line)
            _take_fact(draft, parse_fact(entry.line, entry.seq), started)
        else:
            _take(draft, parse_decision(entry.line, entry.seq))
    return GameRecord(tuple(draft.tags.items()), draft.turns())


def stored_record(journal: Journal, game: int) -> GameRecord:
    """The record of a game in the journal.

    Raises:
        UrpiError: when there is no such game, or as `build_record`.
    """
    started = find_game(journal, game).started.astimezone()
    return build_record(entries_of(journal, game), started)


def _noted(line: str) -> dict[str, Any]:
    """What a record that was read left in a fact."""
    if f'"{COMMENTS}":' not in line and f'"{PASSED}":' not in line and f'"{TAGS}":' not in line:
        return {}
    found = json.loads(line)
    return {key: found[key] for key in (TAGS, COMMENTS, PASSED) if type(found.get(key)) is list}


def _take_fact(draft: _Draft, fact: Fact, started: datetime) -> None:
    if not isinstance(fact, Game):
        return
    tags = _tags_read(draft.noted.get(TAGS))
    if tags is not None:
        names = {"Light": _one_line(fact.light), "Dark": _one_line(fact.dark)}
        draft.tags = {name: names.get(name, value) for name, value in tags.items()}
        draft.imported = True
        return
    rules = rule_set(fact.rules, dict(fact.options))
    draft.tags |= {
        "Rules": rules.text,
        "Date": f"{started:%Y.%m.%d}",
        "Light": _one_line(fact.light),
        "Dark": _one_line(fact.dark),
        "Result": "*",
    }
    if fact.position is not None:
        position = parse_position(fact.position)
        if position.turn is None or position != rules.start(position.turn):
            draft.tags["Position"] = fact.position


def _tags_read(found: Any) -> dict[str, str] | None:
    """The tags of a record that was read, None when the game was played here."""
    if not isinstance(found, list):
        return None
    pairs = [tag for tag in found if isinstance(tag, list) and len(tag) == 2]
    texts = {
        name: value for name, value in pairs if isinstance(name, str) and isinstance(value, str)
    }
    return texts if len(texts) == len(found) else None


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _take(draft: _Draft, decision: Decision) -> None:
    match decision:
        case Starts() if not draft.imported:
            result = draft.tags.pop("Result", "*")
            draft.tags |= {"Start": decision.side.value, "Result": result}
        case Roll():
            thrown = Thrown(decision.faces, comments=draft.comments(COMMENTS))
            draft.throws.append((decision.side, thrown))
        case Moved(move=move, confidence=confidence):
            sure = draft.imported or confidence == "sensed"
            draft.play(Play(move, comments=draft.comments(COMMENTS) if sure else (confidence,)))
        case Passed():
            draft.play(Play("pass", comments=draft.comments(PASSED)))
        case TakenBack(move=move):
            draft.take_back(move)
        case Won() | Drawn() | Abandoned() if not draft.imported:
            _end(draft, decision)
        case _:
            pass


def _end(draft: _Draft, decision: Won | Drawn | Abandoned) -> None:
    match decision:
        case Won(side=side):
            draft.tags["Result"] = side.value
        case Drawn():
            draft.tags["Result"] = "draw"
    if decision.code == "resigned" or not isinstance(decision, Won):
        draft.tags["Termination"] = _one_line(decision.code)
