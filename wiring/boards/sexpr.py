"""The nested lists in which KiCad stores symbols, footprints, schematics and boards.

A list of the file is a Python list, a bare word or number is a `Word`, a quoted text is a `str`.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

Node: TypeAlias = list[Any]

_TOKEN: Final = re.compile(r'\s*(?:([()])|"((?:[^"\\]|\\.)*)"|([^\s()"]+))')
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n"}


class Word(str):
    """A text that is written without quotes: a keyword or a number."""

    __slots__ = ()


def parse(text: str) -> Node:
    """Return the list that `text` contains.

    Raises:
        ValueError: if the text is not one list, or a parenthesis is missing.
    """
    stack: list[Node] = [[]]
    at = 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"Invalid text at character {at}: {text[at : at + 20]!r}")
        at = found.end()
        bracket, quoted, bare = found.groups()
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            if len(stack) == 1:
                raise ValueError(f"A parenthesis too many at character {at}.")
            node = stack.pop()
            stack[-1].append(node)
        elif bare is not None:
            stack[-1].append(Word(bare))
        else:
            stack[-1].append(re.sub(r"\\(.)", lambda one: _unescaped(one[1]), quoted))
    if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], list):
        raise ValueError("The text is not a single list, or a parenthesis is missing.")
    root: Node = stack[0][0]
    return root


def _unescaped(letter: str) -> str:
    return "\n" if letter == "n" else letter


def dump(node: Node) -> str:
    """Return the text of a list, indented as KiCad does, with a newline at its end."""
    return "\n".join(_lines(node, "")) + "\n"


def _lines(node: Node, indent: str) -> Iterator[str]:
    nested = [one for one in node if isinstance(one, list)]
    flat = _flat(node)
    if not nested or (len(flat) <= 70 and not any(_depth(one) > 1 for one in nested)):
        yield indent + flat
        return
    head = next(at for at, one in enumerate(node) if isinstance(one, list))
    yield indent + "(" + " ".join(_atom(one) for one in node[:head])
    for one in node[head:]:
        inner = indent + "\t"
        yield from _lines(one, inner) if isinstance(one, list) else [inner + _atom(one)]
    yield indent + ")"


def _flat(node: Node) -> str:
    return "(" + " ".join(_flat(one) if isinstance(one, list) else _atom(one) for one in node) + ")"


def _depth(node: Node) -> int:
    return 1 + max((_depth(one) for one in node if isinstance(one, list)), default=0)


def _atom(atom: object) -> str:
    if isinstance(atom, Word):
        return atom
    if isinstance(atom, str):
        return '"' + re.sub(r'[\\"\n]', lambda one: _ESCAPES[one[0]], atom) + '"'
    if isinstance(atom, bool):
        return "yes" if atom else "no"
    return number(atom) if isinstance(atom, int | float) else str(atom)


def number(value: float) -> str:
    """Return a length in millimetres with at most four decimals."""
    return f"{round(value, 4) + 0.0:.4f}".rstrip("0").rstrip(".")


def word(name: str, *rest: Any) -> Node:
    """Return a list that begins with the keyword `name`."""
    return [Word(name), *rest]


def children(node: Node, name: str) -> list[Node]:
    """Return the lists in `node` that begin with the keyword `name`."""
    return [one for one in node if isinstance(one, list) and one and one[0] == name]


def child(node: Node, name: str) -> Node:
    """Return the first list in `node` that begins with `name`.

    Raises:
        LookupError: if there is none.
    """
    for one in children(node, name):
        return one
    raise LookupError(f"({node[0]} {node[1]!r} ...) has no ({name} ...).")
