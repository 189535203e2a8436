"""Line numbers of the keys in a TOML text, which `tomllib` does not report.

The text must be valid: `tomllib` has parsed it before.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Final

from urpi.config.keys import KeyPath

_KEY_PART: Final = r'(?:"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|[A-Za-z0-9_-]+)'
_KEY: Final = re.compile(rf"{_KEY_PART}(?:[ \t]*\.[ \t]*{_KEY_PART})*")
_TOKEN: Final = re.compile(
    r'"""(?:\\[\s\S]|[^\\])*?"{3,5}'
    r"|'''[\s\S]*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    # Strings and comments first: brackets and line ends inside of them do not count.
    r"|[\s\S]"
)


def key_lines(text: str) -> Mapping[KeyPath, int]:
    r"""The line, from 1, of each TOML table's header and each key outside inline ones.

    >>> key_lines('[table]\nlight = "Ann"\n')
    {('table',): 1, ('table', 'light'): 2}
    """
    lines: dict[KeyPath, int] = {}
    table: KeyPath = ()
    number, counted = 1, 0
    for start, statement in _statements(text):
        # Counted on from the last statement; from the start each time would take quadratic time.
        number, counted = number + text.count("\n", counted, start), start
        key = _key_of(statement.lstrip("["))
        if statement.startswith("["):
            path = table = key
        else:
            path = table + key
        # A table's header may follow that of an inner one; the first line is the one to look at.
        lines.setdefault(path, number)
    return lines


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield each header and each key with its value: its offset and its text."""
    start, depth = None, 0
    for token in _TOKEN.finditer(text):
        found = token[0]
        if start is None:
            if found.isspace() or found[0] == "#":
                continue
            start = token.start()
        if found in {"[", "{"}:
            depth += 1
        elif found in {"]", "}"}:
            depth -= 1
        elif found == "\n" and depth == 0:
            yield start, text[start : token.start()]
            start = None
    if start is not None:
        yield start, text[start:]


def _key_of(statement: str) -> KeyPath:
    match = _KEY.match(statement.lstrip(" \t"))
    assert match, statement
    return tuple(_plain(part[0]) for part in re.finditer(_KEY_PART, match[0]))


def _plain(part: str) -> str:
    """A part of a key without quotes and escapes."""
    if part[0] in {'"', "'"}:
        value: str = tomllib.loads(f"key = {part}")["key"]
        return value
    return part
