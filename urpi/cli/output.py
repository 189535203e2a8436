"""Output for other programs and terminals, and files that are written completely or not at all."""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final, TypeAlias, TypeVar

import click

from urpi.core.atomic_file import draft_of
from urpi.core.errors import UrpiError, one_line

_F = TypeVar("_F")
_Command: TypeAlias = Callable[..., Any]
_LIST_FORMS: Final = {".txt": "text", ".jsonl": "json", ".json": "json"}
"""The formats of lists by the suffixes of their files."""
LONGEST_CELL: Final = 60
"""Letters of a table's cell; a longer one, as an imported name, would hide the others."""
AS_JSON: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""The option of every command that prints data."""
FILE: Final = click.Path(path_type=Path, dir_okay=False)
"""The type of a file in a command's words."""
LANGUAGE: Final = click.option("--language", help="Language of the texts.  [default: the table's]")


def json_text(values: object) -> str:
    """Values as JSON in one line, as all commands print them."""
    # Imported on use: most commands print text.
    import json

    return json.dumps(values, ensure_ascii=False)


def echo_json(values: object) -> None:
    click.echo(json_text(values))


@dataclass(frozen=True, slots=True)
class ListOutput:
    """How and where a command prints a list.

    Attributes:
        as_json: Whether to print a JSON line for each item.
        limit: Maximum number of items, None for all.
        output: The file, None for standard output.
    """

    as_json: bool
    limit: int | None
    output: Path | None

    def write(
        self,
        found: Iterable[_F],
        values: Callable[[_F], object],
        lines: Callable[[Sequence[_F]], Iterable[str]],
    ) -> None:
        """Write the first items.

        Args:
            found: All items.
            values: Returns the values of one as JSON.
            lines: Returns the text of some.

        Raises:
            UrpiError: If the file cannot be written, or its suffix is that of another format.
        """
        chosen = "json" if self.as_json else None
        form = form_of(self.output, _LIST_FORMS, "text", chosen=chosen, option="--json")
        # islice() refuses a greater number, of which there are never as many items anyway.
        limit = None if self.limit is None else min(self.limit, sys.maxsize)
        some = tuple(islice(found, limit))
        text = map(json_text, map(values, some)) if form == "json" else lines(some)
        if self.output is None:
            for line in text:
                click.echo(line)
            return
        with replacing(self.output) as file:
            file.writelines(f"{line}\n" for line in text)


def list_options(command: _Command) -> _Command:
    """Add the options of a list to a command; it is called with `to`, a `ListOutput`."""

    @click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each.")
    @click.option("--limit", metavar="N", type=click.IntRange(1), help="Only the first N.")
    @click.option(
        "--output",
        metavar="FILE",
        type=FILE,
        help="Write to this file; a suffix .jsonl or .json selects JSON.",
    )
    @wraps(command)
    def with_output(
        *args: Any, as_json: bool, limit: int | None, output: Path | None, **others: Any
    ) -> Any:
        return command(*args, to=ListOutput(as_json, limit, output), **others)

    return with_output


def format_options(forms: Mapping[str, str]) -> Callable[[_Command], _Command]:
    """Return what adds the options of a format and of a file to a command, for `form_of`.

    Args:
        forms: The formats by the suffixes of their files; the first one is the default.
    """
    (*others, last), (default, *_) = forms, forms.values()
    of_file = f"Write to this file; a suffix {', '.join(others)} or {last} selects the format."

    def with_options(command: _Command) -> _Command:
        command = click.option("--output", metavar="FILE", type=FILE, help=of_file)(command)
        return click.option(
            "--format",
            "form",
            type=click.Choice(tuple(forms.values())),
            help=f"Output format.  [default: the suffix of --output, else {default}]",
        )(command)

    return with_options


def form_of(
    output: Path | None,
    forms: Mapping[str, _F],
    default: _F,
    *,
    chosen: _F | None = None,
    option: str = "--format",
) -> _F:
    """The format that a file's suffix selects, the default without a file or a suffix.

    Args:
        output: The file.
        forms: The formats by their suffixes in lower case, such as ``.svg``.
        default: The default.
        chosen: The format given by an option, which any suffix of no format may have.
        option: The option that chooses it.

    Raises:
        UrpiError: If the suffix is that of another format.
    """
    suffix = "" if output is None else output.suffix.lower()
    if chosen is not None:
        if forms.get(suffix, chosen) != chosen:
            message = (
                f"The suffix of {output} is that of {forms[suffix]}, but {chosen} is chosen; "
                "change one of them."
            )
            raise UrpiError(message)
        return chosen
    if not suffix:
        return default
    if suffix not in forms:
        *others, last = forms
        message = (
            f"The suffix of {output} must be {', '.join(others)} or {last}; found {suffix}. Change "
            f"it, or choose the format with {option}."
        )
        raise UrpiError(message)
    return forms[suffix]


def echo_error(message: object) -> None:
    """Print an error in one line on standard error, whatever names it contains."""
    click.echo(one_line(message), err=True)


def utf_8_output() -> IO[str]:
    """Return standard output, encoded in UTF-8 in every locale, for lines read by programs.

    Raises:
        UrpiError: If the process has no standard output.
    """
    if sys.stdout is None:
        message = "Standard output is closed; redirect it to a file or a pipe."
        raise UrpiError(message)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return sys.stdout


def write(output: Path | None, content: str | bytes) -> None:
    """Write a file, or to standard output if it is None. A file's text is in UTF-8.

    Raises:
        UrpiError: As `replacing`.
    """
    if output is None:
        click.echo(content, nl=False)
        return
    with _temporary(output) as part:
        part.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def replacing(path: Path) -> Iterator[IO[str]]:
    """Open a text file for writing, which replaces the old one when it is complete.

    Raises:
        UrpiError: If it cannot be written; the old one is then unchanged.
    """
    with _temporary(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        yield file


@contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """Yield the path to write to: a temporary file beside `path`, or `path` if it is a device."""
    with _errors_of(path):
        # /dev/stdout or a named pipe cannot be replaced by a file.
        if path.exists() and not path.is_file():
            yield path
            return
        # A link is kept: the file that it points to is replaced.
        with draft_of(Path(os.path.realpath(path))) as draft:
            yield draft


@contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        message = f"The file {path} cannot be written: {error.strerror}; choose another."
        raise UrpiError(message) from error


def printable(text: str) -> str:
    r"""A text without control characters, ``-`` if it is empty.

    >>> printable("Ann\x1b[2J"), printable("Camp\N{NO-BREAK SPACE}: Clair") == "Camp : Clair"
    ('Ann?[2J', True)
    """
    plain = text.replace("\N{NO-BREAK SPACE}", " ")
    return "".join(letter if letter.isprintable() else "?" for letter in plain) or "-"


def _cut(cell: str) -> str:
    return cell if len(cell) <= LONGEST_CELL else f"{cell[: LONGEST_CELL - 1]}…"


def counted(number: int, one: str, more: str) -> str:
    """A number with its noun and verb.

    >>> counted(1, "game was", "games were"), counted(0, "game was", "games were")
    ('1 game was', '0 games were')
    """
    return f"{number} {one if number == 1 else more}"


def table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], right_aligned: Collection[str] = ()
) -> Iterator[str]:
    """Yield the lines of a table; the columns of some headings are right-aligned.

    >>> *_, line = table(["Player", "Won"], [["A" * 5000, "1"]])
    >>> len(line), line[-6:]
    (63, 'AA…  1')
    """
    cut = [[_cut(cell) for cell in row] for row in (headings, *rows)]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    for row in cut:
        cells = (
            text.rjust(width) if heading in right_aligned else text.ljust(width)
            for heading, text, width in zip(headings, row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()
