"""From a game's stored decisions to its record (FORMATS.md, Game record)."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from urpi.errors import UrpiError
from urpi.journal.journal import Entry, Journal
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


@dataclass(slots=True)
class _Draft:
    """A record while it is written: tags by name, and every throw with its side."""

    tags: dict[str, str] = field(default_factory=dict)
    throws: list[tuple[Side, Thrown]] = field(default_factory=list)

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


def _take_fact(draft: _Draft, fact: Fact, started: datetime) -> None:
    if not isinstance(fact, Game):
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


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _take(draft: _Draft, decision: Decision) -> None:
    match decision:
        case Starts():
            result = draft.tags.pop("Result", "*")
            draft.tags |= {"Start": decision.side.value, "Result": result}
        case Roll():
            draft.throws.append((decision.side, Thrown(decision.faces)))
        case Moved(move=move, confidence=confidence):
            draft.play(Play(move, comments=() if confidence == "sensed" else (confidence,)))
        case Passed():
            draft.play(Play("pass"))
        case TakenBack(move=move):
            draft.take_back(move)
        case Won() | Drawn() | Abandoned():
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
