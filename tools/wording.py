"""Count words of the docstrings and comments of Python packages, per 10,000 words.

It counts words that make a text heavier to read, next to other projects when their folders are
given too:

    python -m tools.wording urpi .venv/lib/python3.11/site-packages/gpiozero

The counts point at text to read again. They are no substitute for reading it.

A constant or an attribute is explained by a string below it here, where the other projects write a
comment (``#`` or Sphinx's ``#:``). The share of comments is therefore given without these strings,
and again with them.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

GROUPS: Final = {
    "say": r"sa(?:y|ys|id)",
    "tell": r"tells?|told",
    "whoever": r"whoever|nobody|somebody",
    "so long": r"so (?:long|often|many)",
    "hear": r"hears?|heard",
    "ask": r"ask(?:s|ed)?",
    "return": r"returns?|returned",
    "default": r"defaults?",
    "callback": r"callbacks?",
    "retry": r"retry|retries|retried",
    "timeout": r"timeouts?",
    "cache": r"caches?|cached",
}
"""Each group's name and the words in it, as a regular expression that ignores case."""
_PATTERNS: Final = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in GROUPS.items()
}
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")


@dataclass(frozen=True, slots=True)
class Count:
    """The words of one folder, how many of them are in each group, and its lines.

    Attributes:
        words: The number of words.
        groups: Of these, how many are in each group.
        lines: The number of lines.
        comment_lines: Of these, how many have a comment.
        attribute_lines: How many belong to the docstring of a constant or an attribute.
    """

    words: int
    groups: Counter[str]
    lines: int
    comment_lines: int
    attribute_lines: int

    def rate(self, group: str) -> float:
        """Return the occurrences of a group per 10,000 words."""
        return 10_000 * self.groups[group] / max(self.words, 1)

    def share(self, lines: int) -> float:
        """Return a number of lines as a percentage of all lines."""
        return 100 * lines / max(self.lines, 1)


def docstrings(source: str) -> Iterator[str]:
    """Yield the docstrings of a module, including the strings below its constants."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                yield text


def attribute_docstring_lines(source: str) -> int:
    """Return the number of lines of the strings below constants and attributes."""
    bodies = (getattr(node, "body", None) for node in ast.walk(ast.parse(source)))
    return sum(
        _lines_of_string(below)
        for body in bodies
        if isinstance(body, list)
        for above, below in pairwise(body)
        if isinstance(above, ast.Assign | ast.AnnAssign)
    )


def _lines_of_string(node: ast.stmt) -> int:
    match node:
        case ast.Expr(ast.Constant(str(), lineno=first, end_lineno=int(last))):
            return 1 + last - first
    return 0


def comments(source: str) -> Iterator[str]:
    """Yield the comments of a module without their number sign."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("#! ")


def count(sources: Iterable[str]) -> Count:
    """Count the words of the docstrings and comments of Python sources."""
    groups: Counter[str] = Counter()
    words = lines = comment_lines = attribute_lines = 0
    for source in sources:
        remarks = list(comments(source))
        text = "\n".join([*docstrings(source), *remarks])
        words += len(_WORD.findall(text))
        lines += source.count("\n")
        comment_lines += len(remarks)
        attribute_lines += attribute_docstring_lines(source)
        groups.update({name: len(found.findall(text)) for name, found in _PATTERNS.items()})
    return Count(words, groups, lines, comment_lines, attribute_lines)


def table(counts: dict[str, Count]) -> str:
    """Return a table with a row for each group and a column for each folder."""
    found = counts.values()
    rows = [["per 10,000 words", *counts]]
    rows += [[name, *(f"{one.rate(name):.1f}" for one in found)] for name in GROUPS]
    rows += [
        ["words", *(str(one.words) for one in found)],
        ["comments, % of lines", *(f"{one.share(one.comment_lines):.1f}" for one in found)],
        [
            "with attributes' docstrings",
            *(f"{one.share(one.comment_lines + one.attribute_lines):.1f}" for one in found),
        ],
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    )


def main(folders: list[str]) -> None:
    """Print the table of the given folders."""
    counts = {
        folder: count(
            path.read_text(encoding="utf-8") for path in sorted(Path(folder).rglob("*.py"))
        )
        for folder in folders
    }
    print(table(counts))  # noqa: T201 - its purpose


if __name__ == "__main__":
    main(sys.argv[1:] or ["urpi"])
