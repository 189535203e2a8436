"""Writing and reading the files of `urpi games export` and `import`."""

from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import SpooledTemporaryFile, gettempdir
from typing import IO, BinaryIO, Final

import click

from urpi import __version__
from urpi.cli.output import counted, form_of, replacing, utf_8_output
from urpi.core.errors import UrpiError
from urpi.core.inputs import decoded, opened, reason
from urpi.core.moments import local_now
from urpi.journal import (
    Choice,
    Journal,
    find_game,
    list_games,
)
from urpi.journal.archive import ARCHIVE_LIMITS
from urpi.journal.archive import HEAD as ARCHIVE
from urpi.journal.formats import SUFFIXES, Rows, write_games
from urpi.rules import RuleSet
from urpi.rules.record import LONGEST_RECORD, IllegalMoveError
from urpi.rules.royalur_json import VERSION_KEY
from urpi.show.words import words_for

_ADVICE: Final = "choose an archive, a record or a game of RoyalUr"
_FOREIGN: Final = {
    b"RGU\0": "a table of values of RoyalUr, not a game",
    b"game=": "a trial of Ludii, whose form is not documented",
}
"""What files are that are not read, by what they begin with."""
"""The beginning of RoyalUr's files ``.rgu``."""
MAX_IN_MEMORY: Final = 2**24
"""Default for the bytes of an archive that are kept in memory: about a hundred games."""


def export_games(  # noqa: PLR0913, PLR0917 - a call's options
    journal: Journal,
    numbers: tuple[int, ...],
    choice: Choice,
    form: str | None,
    rows: Rows | None,
    output: Path | None,
) -> None:
    """Write the given games, or else the selected ones, to a file or to standard output.

    Raises:
        UrpiError: If there is no such game, the format cannot contain this, or the file cannot be
            written.
    """
    usual = "csv" if rows else "text" if len(numbers) == 1 else "json"
    form = form_of(output, SUFFIXES, usual, chosen=form)
    chosen = _selected(journal, numbers, choice)
    with _opened_output(output) as file:
        write_games(journal, chosen, form, rows, file.write)


def _selected(journal: Journal, numbers: tuple[int, ...], choice: Choice) -> list[int]:
    if numbers:
        return [find_game(journal, number).id for number in dict.fromkeys(numbers)]
    return [game.id for game in reversed(list_games(journal, choice))]


@contextmanager
def _opened_output(output: Path | None) -> Iterator[IO[str]]:
    if output is None:
        yield utf_8_output()
    else:
        with replacing(output) as file:
            yield file


def import_file(
    path: Path, file: Path, rules: RuleSet | None = None, *, max_in_memory: int = MAX_IN_MEMORY
) -> None:
    """Store the games of an archive or a record in the journal at `path`, and print their numbers.

    Args:
        path: The journal.
        file: The archive or the record.
        rules: The rule set of a record that names none.
        max_in_memory: Bytes of an archive that are kept in memory; a larger one is copied to a
            temporary file.

    Raises:
        UrpiError: If the file cannot be read, or a game in it is invalid.
    """
    from urpi.journal.import_archive import check_archive, store_archive

    now = local_now()
    found = _read(file, max_in_memory)
    # Checked before the journal is opened: with nothing to store, none is created.
    if isinstance(found, str):
        _import_record(path, file, found, now, rules)
        return
    with found:
        if rules is not None:
            message = f"The archive {file} names the rules of its games; leave out --rules."
            raise UrpiError(message)
        check_archive(found)
        with Journal.open(path) as journal:
            done = store_archive(journal, found, now)
    known = f"; {counted(done.known, 'was', 'were')} there already" if done.known else ""
    click.echo(
        f"{counted(len(done.games), 'game was', 'games were')} read{_numbers(done.games)}{known}."
    )


def _import_record(path: Path, file: Path, text: str, now: datetime, rules: RuleSet | None) -> None:
    from urpi.journal.import_record import check_import, known_game, store_record

    try:
        record, entries = check_import(text, now, rules)
    except IllegalMoveError as error:
        refusal = error.refusal
        why = words_for("en").reason(refusal.code, refusal.details)
        message = f"{file}: {error.before}: {why} {error.after}"
        raise UrpiError(message) from error
    except UrpiError as error:
        message = f"{file}: {error}"
        raise UrpiError(message) from error
    with Journal.open(path) as journal:
        known = known_game(journal, record)
        if known is not None:
            click.echo(f"The record is that of game {known}, which was there already.")
            return
        number = store_record(journal, record, entries, now, __version__)
    click.echo(f"Game {number} was read from a record.")


def _read(file: Path, max_in_memory: int) -> str | IO[bytes]:
    """Return the text of a record, or a copy of an archive that can be read repeatedly.

    Raises:
        UrpiError: If the file cannot be read, or is neither.
    """
    with opened(file, "file", _ADVICE) as source:
        # A character takes four bytes at most.
        head = source.read(4 * LONGEST_RECORD + 1)
        for beginning, what in _FOREIGN.items():
            if head.startswith(beginning):
                message = f"The file {file} is {what}; {_ADVICE}."
                raise UrpiError(message)
        if not head.removeprefix(BOM_UTF8).strip():
            message = f"The file {file} is empty; {_ADVICE}."
            raise UrpiError(message)
        is_json = head.lstrip()[:1] == b"{"
        if is_json and not _is_of_royalur(head):
            return _copied(head, source, max_in_memory)
        return _record_text(head, file)


def _is_of_royalur(head: bytes) -> bool:
    """Whether JSON is a single game of RoyalUr rather than an archive, by what it begins with."""
    return f'"{VERSION_KEY}"'.encode() in head and ARCHIVE.encode() not in head[:100]


def _copied(head: bytes, rest: BinaryIO, max_in_memory: int) -> IO[bytes]:
    """A copy of an archive, in an unnamed temporary file if it is large.

    An archive is checked completely before anything is stored, and a pipe cannot be read twice.

    Raises:
        UrpiError: If it is larger than an archive may be, or there is no room for it.
    """
    with ExitStack() as closing:
        copy = closing.enter_context(SpooledTemporaryFile(max_in_memory))
        chunk = head
        while chunk:
            _append(copy, chunk)
            chunk = rest.read(2**20)
        closing.pop_all()
        return copy


def _append(copy: IO[bytes], chunk: bytes) -> None:
    most = ARCHIVE_LIMITS.size_bytes
    if copy.tell() + len(chunk) > most:
        message = f"An archive must be at most {most} bytes long; export fewer games."
        raise UrpiError(message)
    try:
        copy.write(chunk)
    except OSError as error:
        message = (
            f"An archive is copied to {gettempdir()} while it is checked, and that cannot be "
            f"written: {reason(error)}; make room there, or set TMPDIR to another folder."
        )
        raise UrpiError(message) from error


def _numbers(found: tuple[int, ...]) -> str:
    if not found:
        return ""
    return f", game {found[0]}" if len(found) == 1 else f", games {found[0]} to {found[-1]}"


def _record_text(head: bytes, file: Path) -> str:
    """Decode the text of a record.

    Raises:
        UrpiError: If it is too long for a record, or is not UTF-8.
    """
    if len(head) > 4 * LONGEST_RECORD:
        message = f"The file {file} is too long for a record of {LONGEST_RECORD} characters."
        raise UrpiError(message)
    return decoded(head, f"The file {file}", _ADVICE)
