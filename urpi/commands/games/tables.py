"""Tables in a terminal: columns as wide as they need to be, and nothing that steers it."""

from collections.abc import Collection, Iterator, Sequence


def harmless(text: str) -> str:
    r"""A text without what could steer a terminal; ``-`` for none.

    >>> harmless("Ann\x1b[2J"), harmless("Camp\N{NO-BREAK SPACE}: Clair") == "Camp : Clair"
    ('Ann?[2J', True)
    """
    plain = text.replace("\N{NO-BREAK SPACE}", " ")
    return "".join(letter if letter.isprintable() else "?" for letter in plain) or "-"


def counted(number: int, one: str, more: str) -> str:
    """A number with its noun and verb.

    >>> counted(1, "game was", "games were"), counted(0, "game was", "games were")
    ('1 game was', '0 games were')
    """
    return f"{number} {one if number == 1 else more}"


def table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], flush_right: Collection[str] = ()
) -> Iterator[str]:
    """The lines of a table; the columns of those headings stand flush right."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        cells = (
            text.rjust(width) if heading in flush_right else text.ljust(width)
            for heading, text, width in zip(headings, row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()
