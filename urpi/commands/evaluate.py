"""`urpi evaluate`: the values of positions and moves, one JSON line for each."""

import json
from typing import TYPE_CHECKING, Any

import click

from urpi.commands.options import settings_of
from urpi.commands.position_lines import MAX_LINE_BYTES, parse_request, text_of
from urpi.errors import UrpiError
from urpi.inputs import stdin_lines
from urpi.rules import parse_position

if TYPE_CHECKING:
    from urpi.tables.installed import Installed


@click.command()
@click.pass_context
def evaluate(ctx: click.Context) -> None:
    """Read positions as JSON lines on standard input, and print their values.

    A request is {"position": TEXT, "faces": "g---"}; faces may be omitted. The response is
    {"value": V, "by": "exact", "moves": [{"move": TEXT, "value": V}, ...]}. The value is the
    probability that the side to throw wins under best play. With faces, the moves follow, best
    first, each with the mover's probability to win after it. The response to an invalid line is
    {"error": SENTENCE}. Values need an installed table, see `urpi solve`. Each response is
    flushed before the next line is read.
    """
    from urpi.tables.installed import Installed

    installed = Installed(settings_of(ctx).config.journal.file.parent / "tables")
    responses = Responses(installed)
    for line in stdin_lines(MAX_LINE_BYTES):
        click.echo(json.dumps(responses.to(line)))


class Responses:
    """The responses to requests. Each table is opened once."""

    def __init__(self, installed: "Installed") -> None:
        from urpi.tables.table import Table

        self._installed = installed
        self._tables: dict[str, Table] = {}

    def to(self, line: bytes) -> dict[str, Any]:
        """Return the response to one line."""
        try:
            return self._evaluate(parse_request(line))
        except UrpiError as error:
            return {"error": str(error)}

    def _evaluate(self, request: dict[str, object]) -> dict[str, Any]:
        from urpi.engine.evaluator import move_values

        position = parse_position(text_of(request, "position"))
        rules = position.rules
        throw = rules.dice.throw(text_of(request, "faces")) if "faces" in request else None
        if position.turn is None:
            message = "The game is over; a value is of a position in which a side throws."
            raise UrpiError(message)
        table = self._tables.get(rules.text) or self._installed.open(rules)
        if table is None:
            message = (
                f"No table for {rules.text} is installed; build it with `urpi solve`, "
                "or install one with `urpi tables install`."
            )
            raise UrpiError(message)
        self._tables[rules.text] = table
        response: dict[str, Any] = {"value": round(table.value(position), 6), "by": table.kind}
        if throw is not None:
            response["moves"] = [
                {"move": each.move.text, "value": round(each.value, 6)}
                for each in move_values(table, position, throw)
            ]
        return response
