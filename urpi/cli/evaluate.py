"""`urpi evaluate`: the values of positions and moves, one JSON line for each."""

import json
from typing import Any

import click

from urpi.cli.evaluators import MAX_LINE_BYTES, Evaluators, evaluator_option, parse_request, text_of
from urpi.cli.options import settings_of
from urpi.core.errors import UrpiError
from urpi.core.inputs import stdin_lines
from urpi.rules import parse_position


@click.command()
@evaluator_option
@click.option(
    "--plies",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="How far the moves are looked ahead: 2 also evaluates the moves of the next throw.",
)
@click.pass_context
def evaluate(ctx: click.Context, evaluator: str, plies: int) -> None:
    """Read positions as JSON lines on standard input, and print their values.

    A request is {"position": TEXT, "faces": "g---"}; faces may be omitted. The response is
    {"value": V, "by": "exact", "moves": [{"move": TEXT, "value": V}, ...]}. The value is the
    probability that the side to throw wins under best play. With faces, the moves follow, best
    first, each with the mover's probability to win after it. "by" is "exact" for values of a
    table (`urpi solve`) and "network" for estimates of the network that each rule set has. The
    response to an invalid line is {"error": SENTENCE}. Each response is flushed before the next
    line is read.
    """
    from urpi.engine.exact.folder import tables_folder
    from urpi.engine.exact.installed import Installed

    installed = Installed(tables_folder(settings_of(ctx).config.journal.file))
    responses = Responses(Evaluators(installed, evaluator), plies)
    for line in stdin_lines(MAX_LINE_BYTES):
        click.echo(json.dumps(responses.to(line)))


class Responses:
    """The responses to requests."""

    def __init__(self, evaluators: Evaluators, plies: int) -> None:
        self._evaluators = evaluators
        self._plies = plies

    def to(self, line: bytes) -> dict[str, Any]:
        try:
            return self._evaluate(parse_request(line))
        except UrpiError as error:
            return {"error": str(error)}

    def _evaluate(self, request: dict[str, object]) -> dict[str, Any]:
        from urpi.engine.evaluator import deep_move_values, expected_value, move_values

        position = parse_position(text_of(request, "position"))
        rules = position.rules
        throw = rules.dice.throw(text_of(request, "faces")) if "faces" in request else None
        if position.turn is None:
            message = "The game is over; only a position in which a side is to throw has a value."
            raise UrpiError(message)
        evaluator = self._evaluators.of(rules)
        deep = self._plies == 2
        value = expected_value(evaluator, position) if deep else evaluator.value(position)
        response: dict[str, Any] = {"value": round(value, 6), "by": evaluator.kind}
        if throw is not None:
            values = (deep_move_values if deep else move_values)(evaluator, position, throw)
            response["moves"] = [
                {"move": each.move.text, "value": round(each.value, 6)} for each in values
            ]
        return response
