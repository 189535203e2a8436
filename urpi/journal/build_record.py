"""The record of a game, made from its stored decisions (FORMATS.md, Game record)."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from typing import Any, Final

from urpi.core.errors import UrpiError
from urpi.journal.corrections import Correction, correction_text, names_before
from urpi.journal.entries import Entry
from urpi.journal.journal import Journal
from urpi.journal.queries import GameSummary, entries_of, find_game
from urpi.referee.decisions import (
    UNPLAYED_WINS,
    Abandoned,
    Coached,
    Decision,
    Drawn,
    Hinted,
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
"""A key of a `game` fact that was made from a record: its tags as [name, value] in order."""
COACH: Final = "coach"
"""The comment of a move that the coach answered with a better one."""
PROGRAM: Final = "program"
"""The comment of a throw that the program made for the engine."""
HINT: Final = "hint"
"""The comment of a move for which the side asked for a hint."""
NOT_SET: Final = "not set; the date is estimated from the games around it"
"""The tag Clock of a game that began while the machine's clock was not set."""
CORRECTION: Final = "Correction"
"""The tag of a correction, with its number."""
COMMENTS: Final = "comments"
PASSED: Final = "passed"
"""Keys of an answer that was made from a record: the comments after it and after a pass."""


@dataclass(slots=True)
class _Draft:
    """A record in the making.

    Attributes:
        tags: The tags by name.
        throws: Every throw with its side.
        imported: Whether the game was imported from a record, whose tags and comments are used.
        hinted: Whether the side to move has asked for a hint.
        coached: A move that seems made, and that the coach has answered with a better one.
        from_record: What the record had at the place of the newest fact, by key.
    """

    tags: dict[str, str] = field(default_factory=dict)
    throws: list[tuple[Side, Thrown]] = field(default_factory=list)
    imported: bool = False
    hinted: bool = False
    coached: str = ""
    from_record: dict[str, Any] = field(default_factory=dict)

    def comments(self, key: str) -> tuple[str, ...]:
        """The comments that the record had at the newest fact."""
        found = self.from_record.get(key, ()) if self.imported else ()
        return tuple(one for one in found if isinstance(one, str))

    def play(self, play: Play) -> None:
        """Add a play to the newest throw."""
        side, thrown = self._pop(play.move)
        self.throws.append((side, replace(thrown, plays=(*thrown.plays, play))))

    def coach(self, move: str) -> None:
        """Mark a move that the coach has answered: the newest play, or one that seems made."""
        side, thrown = self._pop(move)
        if _last_play_is(thrown, move):
            *before, last = thrown.plays
            last = replace(last, comments=(COACH, *last.comments))
            thrown = replace(thrown, plays=(*before, last))
        else:
            self.coached = move
        self.throws.append((side, thrown))

    def take_back(self, move: str) -> None:
        """Mark the newest play of a move; the throws after it become part of its comment."""
        later: list[Thrown] = []
        side, thrown = self._pop(move)
        while not _last_play_is(thrown, move):
            later.insert(0, thrown)
            side, thrown = self._pop(move)
        *before, last = thrown.plays
        taken = replace(last, taken_back=True, comments=(*last.comments, *_comment_of(later)))
        self.throws.append((side, replace(thrown, plays=(*before, taken))))

    def _pop(self, move: str) -> tuple[Side, Thrown]:
        if not self.throws:
            message = f"The stored decisions play or take back {move} without a throw for it."
            raise UrpiError(message)
        return self.throws.pop()

    def turns(self) -> tuple[Turn, ...]:
        """The turns: consecutive throws of one side are one turn."""
        turns: list[Turn] = []
        for side, thrown in self.throws:
            if turns and turns[-1].side is side:
                turns[-1] = Turn(side, (*turns[-1].throws, thrown))
            else:
                turns.append(Turn(side, (thrown,)))
        return tuple(turns)


def _last_play_is(thrown: Thrown, move: str) -> bool:
    if not thrown.plays:
        return False
    last = thrown.plays[-1]
    return last.move == move and not last.taken_back


def _comment_of(throws: list[Thrown]) -> tuple[str, ...]:
    # A comment ends at the first closing brace, so that it cannot contain another comment.
    texts = (throw_text(thrown).translate({ord("{"): "(", ord("}"): ")"}) for thrown in throws)
    return (f"then {' ; '.join(texts)}",) if throws else ()


def build_record(entries: Iterable[Entry], started: datetime) -> GameRecord:
    """The record of a game.

    A move that was not sensed has a comment ``inferred`` or ``answered``, one for which the side
    was shown a hint the comment ``hint``, and one that the coach answered ``coach``. A throw after
    a move that was later taken back is invalid, and becomes a comment on that move:
    ``+A1~ {then gs-- +A3~}``.

    Args:
        entries: The game's entries, in their order.
        started: When it began, for the Date tag.

    Raises:
        UrpiError: If a stored line cannot be read, or the decisions are inconsistent.
    """
    draft = _Draft()
    for entry in entries:
        if entry.kind == "fact":
            draft.from_record = _from_record(entry.line)
            _apply_fact(draft, parse_fact(entry.line, entry.seq), started)
        else:
            _apply_decision(draft, parse_decision(entry.line, entry.seq))
    return GameRecord(tuple(draft.tags.items()), draft.turns())


def stored_record(journal: Journal, game: int) -> GameRecord:
    """The record of a game in the journal.

    Raises:
        UrpiError: If there is no such game, or as `build_record`.
    """
    summary = find_game(journal, game)
    record = build_record(entries_of(journal, game), summary.started.astimezone())
    if summary.estimated:
        place = [name for name, _ in record.tags].index("Date") + 1
        tags = (*record.tags[:place], ("Clock", NOT_SET), *record.tags[place:])
        record = replace(record, tags=tags)
    return _corrected(record, summary.corrections)


def _corrected(record: GameRecord, corrections: tuple[Correction, ...]) -> GameRecord:
    """A record with the corrected names, and a tag for each correction."""
    tags = dict(record.tags)
    names = tags.get("Light", ""), tags.get("Dark", "")
    for one, before in names_before(names, corrections):
        if one.kind in {"light", "dark"}:
            tags[one.kind.title()] = one.text
        # An imported record may have such tags already.
        number = next(n for n in count(1) if f"{CORRECTION}{n}" not in tags)
        tags[f"{CORRECTION}{number}"] = correction_text(one, before)
    return replace(record, tags=tuple(tags.items()))


def exported_record(journal: Journal, game: int) -> GameRecord:
    """The record of a game as it leaves the journal: also with its time, its table and its key.

    An imported game keeps the tags of its record. The key stays the same when the players are
    renamed.

    Raises:
        UrpiError: As `stored_record`.
    """
    record, summary = stored_record(journal, game), find_game(journal, game)
    opening = next(journal.entries(game)).line
    fact = parse_fact(opening)
    assert isinstance(fact, Game)
    if _imported_tags(_from_record(opening).get(TAGS)) is not None:
        return record
    started = summary.started.astimezone()
    tags = {"Time": started.isoformat(timespec="seconds").partition("T")[2]}
    if fact.shared is not None:
        # The date is the same at both tables, the time is not.
        tags = {"Game": fact.shared.id}
    else:
        tags["Game"] = _key_of(record, summary)
    if summary.table:
        tags["Table"] = _one_line(summary.table)
    place = [name for name, _ in record.tags].index("Date") + 1
    return replace(record, tags=(*record.tags[:place], *tags.items(), *record.tags[place:]))


def _key_of(record: GameRecord, game: GameSummary) -> str:
    turns = (throw_text(thrown) for turn in record.turns for thrown in turn.throws)
    content = (game.stored_start.astimezone(UTC).isoformat(), game.rules, game.table or "", *turns)
    return sha256("\n".join(content).encode()).hexdigest()[:32]


def _from_record(line: str) -> dict[str, Any]:
    """The keys of a fact's line that an imported record added."""
    # Few games are imported; the lines of the others need not be parsed a second time.
    if f'"{COMMENTS}":' not in line and f'"{PASSED}":' not in line and f'"{TAGS}":' not in line:
        return {}
    found = json.loads(line)
    return {key: found[key] for key in (TAGS, COMMENTS, PASSED) if type(found.get(key)) is list}


def _apply_fact(draft: _Draft, fact: Fact, started: datetime) -> None:
    if not isinstance(fact, Game):
        return
    tags = _imported_tags(draft.from_record.get(TAGS))
    if tags is not None:
        names = {"Light": _one_line(fact.light), "Dark": _one_line(fact.dark)}
        draft.tags = {name: names.get(name, value) for name, value in tags.items()}
        draft.imported = True
        return
    rules = rule_set(fact.rules, dict(fact.options))
    draft.tags |= {
        "Rules": rules.text,
        "Date": f"{started:%Y.%m.%d}" if fact.shared is None else fact.shared.date,
        "Light": _one_line(fact.light),
        "Dark": _one_line(fact.dark),
        "Result": "*",
    }
    if fact.clock is not None:
        draft.tags["GameClock"] = str(fact.clock)
    if fact.position is not None:
        position = parse_position(fact.position)
        if position.turn is None or position != rules.start(position.turn):
            draft.tags["Position"] = fact.position


def _imported_tags(found: Any) -> dict[str, str] | None:
    """The tags of an imported record, None if the game was played here."""
    if not isinstance(found, list):
        return None
    pairs = [tag for tag in found if isinstance(tag, list) and len(tag) == 2]
    texts = {
        name: value for name, value in pairs if isinstance(name, str) and isinstance(value, str)
    }
    # Tags that are not as an import writes them: the game is treated as one that was played here.
    return texts if len(texts) == len(found) else None


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _apply_decision(draft: _Draft, decision: Decision) -> None:
    match decision:
        # An imported game has the tags of its record, in their order, its start and its end
        # included.
        case Starts() if not draft.imported:
            result = draft.tags.pop("Result", "*")
            # Result stays the last tag of what a game has from its beginning.
            draft.tags |= {"Start": decision.side.value, "Result": result}
        case Roll():
            program = (PROGRAM,) if decision.program else ()
            thrown = Thrown(decision.faces, comments=(*program, *draft.comments(COMMENTS)))
            draft.throws.append((decision.side, thrown))
        case Moved(move=move, confidence=confidence):
            # In an imported game every move is an answer; that says nothing about how it was once
            # detected.
            sure = draft.imported or confidence == "sensed"
            comments = draft.comments(COMMENTS) if sure else (confidence,)
            hints = (HINT,) if draft.hinted else ()
            coach = (COACH,) if draft.coached == move else ()
            draft.hinted, draft.coached = False, ""
            draft.play(Play(move, comments=(*hints, *coach, *comments)))
        case Hinted():
            draft.hinted = True
        case Coached(move=move):
            draft.coach(move)
        case Passed(code="declined"):
            side, thrown = draft.throws[-1]
            draft.throws[-1] = side, replace(thrown, declined=True)
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
    if decision.code in UNPLAYED_WINS or not isinstance(decision, Won):
        draft.tags["Termination"] = _one_line(decision.code)
