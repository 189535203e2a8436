"""What the words in braces of the messages stand for, from `placeholders.toml`."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter


@cache
def known_placeholders() -> Mapping[str, Mapping[str, str]]:
    """Return what each placeholder stands for, by its kind: count, number or text."""
    path = Path(__file__).with_suffix(".toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def placeholders_of(message: str) -> tuple[str, ...]:
    """Return the placeholders of a message in their order, each once.

    >>> placeholders_of("{name}: {move}, {name}")
    ('name', 'move')
    """
    return tuple(dict.fromkeys(name for _, name, _, _ in Formatter().parse(message) if name))


def described(message: str) -> Iterator[str]:
    """Yield a line for each placeholder of a message that is known.

    >>> list(described("Game {game}"))
    ['{game}: the number of a game']
    """
    known = {name: about for kind in known_placeholders().values() for name, about in kind.items()}
    for name in placeholders_of(message):
        if name in known:
            yield f"{{{name}}}: {known[name]}"
