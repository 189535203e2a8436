"""`urpi moves`: the legal moves of positions and throws, as JSON lines."""

import json

import click

from urpi.cli.evaluators import MAX_LINE_BYTES, parse_request, text_of
from urpi.core.errors import UrpiError
from urpi.core.inputs import stdin_lines
from urpi.rules import parse_position


@click.command()
def moves() -> None:
    """Read positions and throws as JSON lines on standard input, and print their legal moves.

    A request is {"position": TEXT, "faces": "gs--"}. The response is {"moves": [...],
    "positions": [...]}, sorted, with the position after each move; or {"error": SENTENCE}. Both
    lists are empty if the turn passes or the game is over. Each response is flushed before the
    next line is read.

    For example: urpi moves < positions.jsonl
    """
    for line in stdin_lines(MAX_LINE_BYTES):
        click.echo(json.dumps(respond(line)))


def respond(line: bytes) -> dict[str, str | list[str]]:
    """The response to one line.

    >>> respond(b'{"position": "finkel - L7D7 L0D0 L", "faces": "g---"}')
    {'moves': ['+A4'], 'positions': ['finkel A4:L L6D7 L0D0 D']}
    """
    try:
        request = parse_request(line)
        return _moves(text_of(request, "position"), text_of(request, "faces"))
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
