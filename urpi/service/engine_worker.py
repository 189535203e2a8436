"""The engine's process: one JSON line for each request, read from standard input.

| request | response |
|---|---|
| `position`, `faces`, `level`, `chance`, `seen` | `move`: what a player of the level chooses |
| `position`, `faces` | `moves`: every legal move with its `value`, best first, and `by` |
| `position`, `faces`, `played` | `best` move, `loss` of the played one, and `by` |
| `position`, `extra` | `declines`: whether the side to throw should decline its extra throw |
| `position`, `faces`, `move`, `analysis` | an `Analysis`; faces and move may be omitted |
| `position` | `value`: the probability that the side to throw wins, and `by` |

`seen` are the positions of the game up to now, for rule sets with draws; by default none.
`by` is ``exact`` or ``network``. The response to an invalid request has `error`, a sentence.
Values come from the installed tables, and from the networks of rule sets without one.
"""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, Final

from urpi.core.errors import UrpiError, one_line
from urpi.engine.analysis import analyse
from urpi.engine.evaluator import (
    Evaluator,
    deep_move_values,
    expected_value,
    move_values,
    should_decline,
)
from urpi.engine.exact.installed import Installed
from urpi.engine.levels import level_move
from urpi.engine.network_file import estimator
from urpi.engine.review import best_and_loss
from urpi.engine.review.values import ReviewValues
from urpi.rules import PASS, Position, RuleSet, parse_move, parse_position

MAX_VALUES: Final = 20_000
"""Maximum number of positions whose values are kept for further analyses."""
LOWER_PRIORITY: Final = 10
"""What is added to the process's nice value, so that the referee comes first."""


class Worker:
    """Answers requests.

    Args:
        tables: The folder of the installed tables.
    """

    def __init__(self, tables: Path) -> None:
        self._installed = Installed(tables)
        self._opened: dict[str, Evaluator] = {}
        self._analysed: dict[str, ReviewValues] = {}
        """The values of the latest analyses by the rules of their positions."""

    def respond(self, line: str) -> dict[str, Any]:
        """Return the response to a line."""
        try:
            return self._respond(json.loads(line))
        except (UrpiError, ValueError, LookupError, TypeError) as error:
            return {"error": str(error) or type(error).__name__}

    def _respond(self, request: dict[str, Any]) -> dict[str, Any]:
        position = parse_position(request["position"])
        evaluator = self._evaluator(position.rules)
        if "analysis" in request:
            return _analysis(self._values(evaluator, position.rules), position, request)
        if "extra" in request:
            return {"declines": should_decline(evaluator, position)}
        if "faces" not in request:
            exact = evaluator.kind == "exact"
            value = evaluator.value(position) if exact else expected_value(evaluator, position)
            return {"value": value, "by": evaluator.kind}
        throw = position.rules.dice.throw(request["faces"])
        if "level" in request:
            seen = frozenset(map(parse_position, request.get("seen", ())))
            level, chance = request["level"], request["chance"]
            move = level_move(level, evaluator, position, throw, chance, seen)
            return {"move": move.text}
        if "played" in request:
            played = parse_move(request["played"])
            if played not in (position.rules.legal_moves(position, throw) or (PASS,)):
                message = f"The move {played.text} is not legal after the throw {throw.faces}."
                raise UrpiError(message)
            best, loss = best_and_loss(evaluator, position, throw, played)
            return {"best": best.text, "loss": loss, "by": evaluator.kind}
        values = deep_move_values if evaluator.kind == "network" else move_values
        moves = [
            {"move": each.move.text, "value": each.value}
            for each in values(evaluator, position, throw)
        ]
        return {"moves": moves, "by": evaluator.kind}

    def _values(self, evaluator: Evaluator, rules: RuleSet) -> ReviewValues:
        found = self._analysed.get(rules.text)
        if found is None:
            found = self._analysed[rules.text] = ReviewValues(evaluator)
        if sum(map(len, self._analysed.values())) > MAX_VALUES:
            self._analysed.clear()
        return found

    def _evaluator(self, rules: RuleSet) -> Evaluator:
        found = self._opened.get(rules.text)
        if found is None:
            found = self._opened[rules.text] = self._open(rules)
        return found

    def _open(self, rules: RuleSet) -> Evaluator:
        try:
            table = self._installed.open(rules)
        except UrpiError as error:
            sys.stderr.write(f"{one_line(error)} The network is used instead.\n")
            table = None
        return table or estimator(rules)


def _analysis(values: ReviewValues, position: Position, request: dict[str, Any]) -> dict[str, Any]:
    throw = position.rules.dice.throw(request["faces"]) if "faces" in request else None
    played = parse_move(request["move"]) if "move" in request else None
    try:
        return analyse(values, position, throw, played).document(throw)
    except UrpiError:
        if values.kind == "network":
            raise
        # Some tables contain only the positions that can be reached in a game.
        return _analysis(ReviewValues(estimator(position.rules)), position, request)


def main() -> None:
    """Respond until standard input is closed. The argument is the folder of the tables."""
    os.nice(LOWER_PRIORITY)
    # The program may have been killed meanwhile; nothing is left to respond to then.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    worker = Worker(Path(sys.argv[1]))
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(worker.respond(line))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
