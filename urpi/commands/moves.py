"""`urpi moves`: the legal moves of positions and throws, as JSON lines."""

import json
from typing import Final

import click

from urpi.errors import UrpiError
from urpi.inputs import stdin_lines
from urpi.rules import parse_position

MAX_LINE_BYTES: Final = 4096
"""Maximum length of a request in bytes, ten times that of the longest position."""


@click.command()
def moves() -> None:
    """Read positions and throws as JSON lines on standard input, and print their legal moves.

    A request is {"position": TEXT, "faces": "gs--"}. The response is {"moves": [...],
    "positions": [...]}, sorted, with the position after each move; or {"error": SENTENCE}. Both
    lists are empty if the turn passes or the game is over. Each response is flushed before the
    next line is read.
    """
    for line in stdin_lines(MAX_LINE_BYTES):
        click.echo(json.dumps(respond(line)))


def respond(line: bytes) -> dict[str, str | list[str]]:
    """Return the response to one line.

    >>> respond(b'{"position": "finkel - L7D7 L0D0 L", "faces": "g---"}')
    {'moves': ['+A4'], 'positions': ['finkel A4:L L6D7 L0D0 D']}
    """
    try:
        position_text, faces = _request(line)
        return _moves(position_text, faces)
    except UrpiError as error:
        return {"error": str(error)}


def _moves(position_text: str, faces: str) -> dict[str, str | list[str]]:
    position = parse_position(position_text)
    rules = position.rules
    throw = rules.dice.throw(faces)
    legal = rules.legal_moves(position, throw)
    return {
        "moves": [move.text for move in legal],
        "positions": [str(rules.play(position, throw, move)) for move in legal],
    }


def _request(line: bytes) -> tuple[str, str]:
    if len(line) > MAX_LINE_BYTES:
        message = f"A request is at most {MAX_LINE_BYTES} bytes long; found a longer line."
        raise UrpiError(message)
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        message = f'A request is a JSON object, {{"position": TEXT, "faces": TEXT}}; {error}.'
        raise UrpiError(message) from error
    if not isinstance(found, dict):
        message = f"A request is a JSON object; found {type(found).__name__}."
        raise UrpiError(message)
    return _text(found, "position"), _text(found, "faces")


def _text(found: dict[str, object], key: str) -> str:
    value = found.get(key)
    if not isinstance(value, str):
        message = f"A request has {key!r}, a text; found {value!r:.60}."
        raise UrpiError(message)
    return value
