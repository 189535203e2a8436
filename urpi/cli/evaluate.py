"""`urpi evaluate`: the values of a position and its moves, or of the positions of JSON lines."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from urpi.cli.evaluators import MAX_LINE_BYTES, Evaluators, evaluator_option, parse_request, text_of
from urpi.cli.options import settings_of
from urpi.cli.output import table
from urpi.core.errors import UrpiError
from urpi.core.inputs import stdin_lines
from urpi.rules import Position, Throw, parse_position

if TYPE_CHECKING:
    from urpi.engine.analysis import Analysis

_SOURCES: Final = {"exact": "exact", "network": "estimated by a network"}


@click.command()
@click.argument("position", required=False)
@evaluator_option
@click.option("--faces", help="The faces of the dice, whose moves are evaluated, such as g-s-.")
@click.option(
    "--plies",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="How far the moves of JSON lines are looked ahead: 2 also evaluates those of the next "
    "throw, as it is always done for POSITION.",
)
@click.option("--json", "as_json", is_flag=True, help="Print POSITION's values as JSON.")
@click.pass_context
def evaluate(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    position: str | None,
    evaluator: str,
    faces: str | None,
    plies: int,
    as_json: bool,
) -> None:
    """Print the values of POSITION, of its throws, and of the moves with --faces.

    For example: urpi evaluate "finkel A4:L,B2:D L6D6 L0D0 L" --faces g-s-

    Without POSITION, read positions as JSON lines on standard input, and print their values, one
    JSON line for each. A request is {"position": TEXT, "faces": "g---"}; faces may be omitted. The
    response is {"value": V, "by": "exact", "moves": [{"move": TEXT, "value": V}, ...]}. The value
    is the probability that the side to throw wins under best play. With faces, the moves follow,
    best first, each with the mover's probability to win after it. "by" is "exact" for values of a
    table (`urpi solve`) and "network" for estimates of the network that each rule set has. The
    response to an invalid line is {"error": SENTENCE}. Each response is flushed before the next
    line is read.
    """
    from urpi.engine.exact.folder import tables_folder
    from urpi.engine.exact.installed import Installed

    installed = Installed(tables_folder(settings_of(ctx).config.journal.file))
    evaluators = Evaluators(installed, evaluator)
    if position is not None:
        for line in _analysis(evaluators, position, faces, as_json=as_json):
            click.echo(line)
        return
    if faces is not None or as_json:
        message = "--faces and --json need a POSITION; in JSON lines, faces are a key of each."
        raise UrpiError(message)
    responses = Responses(evaluators, plies)
    for each in stdin_lines(MAX_LINE_BYTES):
        click.echo(json.dumps(responses.to(each)))


def _analysis(
    evaluators: Evaluators, text: str, faces: str | None, *, as_json: bool
) -> Iterator[str]:
    from urpi.engine.analysis import analyse
    from urpi.engine.review.values import ReviewValues

    position = parse_position(text)
    throw = None if faces is None else position.rules.dice.throw(faces)
    found = analyse(ReviewValues(evaluators.of(position.rules)), position, throw)
    if as_json:
        document = {"position": str(position), "faces": faces, **found.document(throw)}
        return iter([json.dumps(document)])
    return _lines(position, throw, found)


def _lines(position: Position, throw: Throw | None, found: "Analysis") -> Iterator[str]:
    assert position.turn is not None
    before = found.evaluation.value
    source = _SOURCES[found.evaluation.by]
    yield f"{position.turn.value.capitalize()} to throw wins {before:.1%}, {source}."
    yield ""
    throws = [
        (
            str(each.throw.value),
            each.throw.faces,
            f"{each.chance:.1%}",
            each.best.text,
            f"{each.value:.1%}",
            f"{each.value - before:+.1%}",
        )
        for each in found.throws
    ]
    yield from table(
        ("THROW", "FACES", "CHANCE", "BEST MOVE", "WINS", "LUCK"),
        throws,
        ("CHANCE", "WINS", "LUCK"),
    )
    if throw is None:
        return
    yield ""
    best = found.evaluation.moves[0].value
    moves = [
        (each.move.text, f"{each.value:.1%}", f"{best - each.value:.1%}")
        for each in found.evaluation.moves
    ]
    yield from table(
        (f"MOVE WITH {throw.faces}", "WINS", "GIVES AWAY"), moves, ("WINS", "GIVES AWAY")
    )


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
        from urpi.engine import analysis

        position = parse_position(text_of(request, "position"))
        rules = position.rules
        throw = rules.dice.throw(text_of(request, "faces")) if "faces" in request else None
        evaluator = self._evaluators.of(rules)
        found = analysis.evaluate(evaluator, position, throw, plies=self._plies)
        return found.document(throw)
