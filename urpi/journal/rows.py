"""Rows for spreadsheets and other programs: one for each game, or one for each throw."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Final, Literal, TypeAlias

from urpi.core.errors import UrpiError
from urpi.journal.build_record import TAGS
from urpi.journal.course import Course
from urpi.journal.journal import Journal
from urpi.journal.queries import find_game
from urpi.referee.decisions import Decision, Moved, Passed, Roll, TakenBack
from urpi.referee.facts import Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.rules import PASS, Position, Side, parse_move
from urpi.rules.board import SQUARE_NAMES
from urpi.rules.moves import HAND, OFF

Value: TypeAlias = str | int | float | bool | None
Row: TypeAlias = Mapping[str, Value]
RowForm: TypeAlias = Literal["csv", "tsv", "json"]

GAME_COLUMNS: Final = (
    *("game", "started", "finished", "rules", "light", "dark", "turns", "result"),
    *("table", "program"),
)
TURN_COLUMNS: Final = (
    *("game", "turn", "throw", "side", "player", "seconds", "faces", "value", "move"),
    *("from", "to", "captures", "taken_back", "declined", "confidence", "position"),
)
_FORMULA: Final = ("=", "+", "-", "@")
_CONTROL: Final = dict.fromkeys(range(32), " ")


def write_rows(
    form: RowForm, columns: Sequence[str], rows: Iterable[Row], write: Callable[[str], object]
) -> None:
    """Write rows with a line of headings as CSV or TSV, or as JSON lines without headings.

    In CSV and TSV, None is an empty cell, and a text that a spreadsheet would compute, because it
    begins with one of ``=+-@``, has an apostrophe before it.
    """
    if form == "json":
        for row in rows:
            write(json.dumps({name: row[name] for name in columns}, ensure_ascii=False) + "\n")
        return
    write(_line(form, columns))
    for row in rows:
        write(_line(form, [_cell(row[name]) for name in columns]))


def _line(form: Literal["csv", "tsv"], cells: Sequence[str]) -> str:
    if form == "tsv":
        # This format has no quotes: its cells cannot contain tabs and line ends.
        return "\t".join(cells) + "\n"
    line = StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return str(value)
    text = value.translate(_CONTROL)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def game_rows(journal: Journal, games: Iterable[int]) -> Iterator[Row]:
    """Yield a row for each game.

    Raises:
        UrpiError: If there is no such game.
    """
    for number in games:
        game = find_game(journal, number)
        finished = None if game.finished is None else game.finished.isoformat()
        values: tuple[Value, ...] = (
            *(game.id, game.started.isoformat(), finished),
            *(game.rules, game.light, game.dark, game.turns, game.result),
            *(game.table, game.program),
        )
        yield dict(zip(GAME_COLUMNS, values, strict=True))


def turn_rows(journal: Journal, games: Iterable[int]) -> Iterator[Row]:
    """Yield a row for each throw of games, with its move; the moves taken back included.

    Raises:
        UrpiError: If there is no such game, or a stored line cannot be read.
    """
    for number in games:
        find_game(journal, number)
        entries = journal.entries(number)
        opening = next(entries)
        fact = parse_fact(opening.line, opening.seq)
        if not isinstance(fact, Game):
            message = f"Game {number} does not begin with its `game` fact."
            raise UrpiError(message)
        turns = _Turns(number, fact, timed=f'"{TAGS}":' not in opening.line)
        for entry in entries:
            if entry.kind == "decision":
                turns.add(parse_decision(entry.line, entry.seq))
        yield from turns.rows()


class _Turns:
    """The rows of one game, in the making."""

    def __init__(self, number: int, game: Game, *, timed: bool) -> None:
        self._number, self._game, self._timed = number, game, timed
        self._course = Course(game)
        self._rows: list[dict[str, Value]] = []
        self._open = False

    def add(self, decision: Decision) -> None:
        """Add the next decision."""
        before = self._course.position
        if isinstance(decision, TakenBack):
            self._take_back(decision.move)
        self._course.apply(decision)
        match decision:
            case Roll():
                self._open = True
            case Moved(move=move, confidence=confidence):
                self._add_row(before, move, confidence)
            case Passed(code="declined"):
                self._rows[-1]["declined"] = True
            case Passed():
                self._add_row(before, PASS.text)

    def rows(self) -> Sequence[Row]:
        """The rows; the last throw may have no move."""
        if self._open:
            self._add_row(self._course.position)
        return self._rows

    def _add_row(
        self, before: Position, move: str | None = None, confidence: str | None = None
    ) -> None:
        roll = self._course.roll
        assert roll is not None, "the course has refused a move without a throw"
        self._open = False
        throw = before.rules.dice.throw(roll.faces)
        parts = () if move is None else parse_move(move).parts
        values: tuple[Value, ...] = (
            *(self._number, *self._place(roll.side), roll.side.value),
            self._game.light if roll.side is Side.LIGHT else self._game.dark,
            (roll.t - self._game.t) / 1000 if self._timed else None,
            *(throw.shown or None, throw.value, move),
            " ".join(
                "hand" if part.origin == HAND else SQUARE_NAMES[part.origin] for part in parts
            ),
            " ".join("off" if part.target == OFF else SQUARE_NAMES[part.target] for part in parts),
            sum(stop.captures for part in parts for stop in part.stops),
            *(False, False, confidence if self._timed else None, str(before)),
        )
        self._rows.append(dict(zip(TURN_COLUMNS, values, strict=True)))

    def _place(self, side: Side) -> tuple[int, int]:
        """The numbers of the turn and of the throw in it, without moves that were taken back."""
        standing = [row for row in self._rows if not row["taken_back"]]
        if not standing:
            return 1, 1
        turn, throw = standing[-1]["turn"], standing[-1]["throw"]
        assert isinstance(turn, int)
        assert isinstance(throw, int)
        return (turn, throw + 1) if standing[-1]["side"] == side.value else (turn + 1, 1)

    def _take_back(self, move: str) -> None:
        if self._open:
            # The throw that followed the move does not count.
            self._add_row(self._course.position)
            self._rows[-1]["taken_back"] = True
        for row in reversed(self._rows):
            if row["taken_back"]:
                continue
            row["taken_back"] = True
            if row["move"] == move:
                return
