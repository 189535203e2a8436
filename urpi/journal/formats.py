"""The formats of games that leave a journal or come into it: the one table of them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from urpi import __version__
from urpi.core.errors import UrpiError
from urpi.journal.archive import write_archive
from urpi.journal.build_record import exported_record
from urpi.journal.journal import Journal
from urpi.journal.rows import (
    GAME_COLUMNS,
    TURN_COLUMNS,
    RowForm,
    game_rows,
    turn_rows,
    write_rows,
)
from urpi.rules.notation import parse_rules
from urpi.rules.position import Position
from urpi.rules.record import GameRecord, parse_record, record_text
from urpi.rules.rgn import fits_rgn, is_rgn, parse_rgn, rgn_text
from urpi.rules.royalur_json import is_royalur_json, parse_royalur_json
from urpi.rules.ruleset import RuleSet

Rows: TypeAlias = Literal["games", "turns"]
"""Whether a table has a row for each game, or for each throw of its turns."""
ROWS: Final = get_args(Rows)
Write: TypeAlias = Callable[[str], object]
Writer: TypeAlias = Callable[[Journal, Sequence[int], Write], None]


@dataclass(frozen=True, slots=True)
class GameFormat:
    """A format of files with games.

    Attributes:
        suffixes: The suffixes of its files, in lower case; the first is the usual one.
        write: Writes games, whose numbers are given; None if it is only read.
        read: Converts a text to a record, with the rules of one that names none; None if it is read
            in another way, or never.
        is_text_of: Whether a text is of this format, by its beginning.
        rows: The form of its tables, None if it has none.
        single: Whether a file contains a single game.
        media_type: The type that its files are served with.
        fits: Whether games from a position, of its rules, can be written.
    """

    suffixes: tuple[str, ...]
    write: Writer | None = None
    read: Callable[[str, RuleSet | None], GameRecord] | None = None
    is_text_of: Callable[[str], bool] = lambda _: False
    rows: RowForm | None = None
    single: bool = False
    media_type: str = "text/plain; charset=utf-8"
    fits: Callable[[Position], bool] = lambda _: True


def _write_archive(journal: Journal, games: Sequence[int], write: Write) -> None:
    write_archive(journal, games, write, __version__)


def _write_record(journal: Journal, games: Sequence[int], write: Write) -> None:
    (game,) = games
    write(record_text(exported_record(journal, game)))


def _write_rgn(journal: Journal, games: Sequence[int], write: Write) -> None:
    (game,) = games
    write(rgn_text(exported_record(journal, game)))


def _write_table(
    form: RowForm, rows: Rows, journal: Journal, games: Sequence[int], write: Write
) -> None:
    if rows == "games":
        write_rows(form, GAME_COLUMNS, game_rows(journal, games), write)
    else:
        write_rows(form, TURN_COLUMNS, turn_rows(journal, games), write)


FORMATS: Final[Mapping[str, GameFormat]] = {
    "text": GameFormat((".txt",), _write_record, parse_record, single=True),
    "json": GameFormat(
        (".jsonl", ".json"), _write_archive, rows="json", media_type="application/jsonl"
    ),
    "rgn": GameFormat((".rgn",), _write_rgn, parse_rgn, is_rgn, single=True, fits=fits_rgn),
    # Its files end in .json as archives do, and are told from them by their content.
    "royalur-json": GameFormat(
        (), None, lambda text, _: parse_royalur_json(text), is_royalur_json, single=True
    ),
    "csv": GameFormat(
        (".csv",), partial(_write_table, "csv", "games"), rows="csv", media_type="text/csv"
    ),
    "tsv": GameFormat(
        (".tsv",),
        partial(_write_table, "tsv", "games"),
        rows="tsv",
        media_type="text/tab-separated-values",
    ),
}
SUFFIXES: Final = {suffix: name for name, form in FORMATS.items() for suffix in form.suffixes}
"""The name of the format by the suffix of a file."""
_TURN_WITH_TABS: Final = re.compile(r"^([0-9]+\.)[ \t]+([LD])[ \t]+", re.MULTILINE)


class GameFile(NamedTuple):
    """A file with one game: the name of its format, and what the rows of a table are."""

    form: str
    rows: Rows | None = None


def _game_files() -> Iterator[tuple[str, GameFile]]:
    for name, form in FORMATS.items():
        if form.single and form.write:
            yield f"record{form.suffixes[0]}", GameFile(name)
        elif form.rows == "json":
            yield f"archive{form.suffixes[0]}", GameFile(name)
        if form.rows:
            yield f"turns{form.suffixes[0]}", GameFile(name, "turns")


GAME_FILES: Final = dict(_game_files())
"""The files in which a single game can be had, by their names."""


def read_game(text: str, rules: RuleSet | None = None) -> GameRecord:
    """Convert a text of any format of single games to a record.

    Args:
        text: The text.
        rules: The rule set of a game that does not name its own.

    Raises:
        UrpiError: If it is invalid, or names another rule set.
    """
    # A sheet that was typed with tabs is still one, not RGN.
    text = _TURN_WITH_TABS.sub(r"\1 \2 ", text)
    readers = [form.read for form in FORMATS.values() if form.read and form.is_text_of(text)]
    record = (readers[0] if readers else parse_record)(text, rules)
    named = record.tag("Rules")
    if named is None:
        message = (
            "The game names no rules; add --rules with their name, such as --rules finkel, or the "
            'tag [Rules "finkel"] before its turns.'
        )
        raise UrpiError(message)
    if rules is not None and parse_rules(named) is not rules:
        message = f"The game names the rules {named}, not {rules.text}; import it with its own."
        raise UrpiError(message)
    return record


def write_games(
    journal: Journal, games: Sequence[int], form: str, rows: Rows | None, write: Write
) -> None:
    """Write games in a format.

    Args:
        journal: The journal.
        games: Their numbers.
        form: The name of the format.
        rows: What the rows of a table are; None for the whole games, or for rows of games where
            the format has tables only.
        write: Called with each part of the text.

    Raises:
        UrpiError: If the format cannot contain this, there is no such game, or the journal cannot
            be read.
    """
    chosen = FORMATS[form]
    if rows is not None:
        if chosen.rows is None:
            tables = ", ".join(name for name, each in FORMATS.items() if each.rows)
            message = f"The format {form} has no rows of {rows}; choose one of {tables}."
            raise UrpiError(message)
        _write_table(chosen.rows, rows, journal, games, write)
        return
    if chosen.single and len(games) != 1:
        message = (
            f"A file of the format {form} contains one game, but {len(games)} were selected; add "
            "--format json."
        )
        raise UrpiError(message)
    assert chosen.write is not None, "only formats that are written can be chosen"
    chosen.write(journal, games, write)
