"""A network as an evaluator: three layers, the first one a sum of rows (`urpi.engine.features`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from operator import mul
from typing import Final

from urpi.engine.evaluator import EvaluatorKind
from urpi.engine.features import Features, Layout
from urpi.rules import Position

Row = Sequence[float]


@dataclass(frozen=True)
class Weights:
    """The weights of a network.

    Attributes:
        rows: The first layer by row of the layout, each with one weight for each unit.
        bias: The first layer's bias by unit.
        second: The second layer by its units, each with one weight for each unit of the first one.
        second_bias: The second layer's bias by unit.
        last: The weights of the output by unit of the second layer.
        last_bias: The bias of the output.
    """

    rows: Sequence[Row]
    bias: Row
    second: Sequence[Row]
    second_bias: Row
    last: Row
    last_bias: float


class Network:
    """An evaluator that estimates values.

    Both hidden layers are rectified (negative sums count as 0), and the output is a logistic
    function.
    """

    kind: EvaluatorKind = "network"

    def __init__(self, layout: Layout, weights: Weights) -> None:
        self.features: Final = Features(layout)
        self.weights: Final = weights
        self._second: Final = tuple(zip(weights.second, weights.second_bias, strict=True))

    def value(self, position: Position) -> float:
        """Return the estimated value of a position that is not over."""
        weights = self.weights
        rows = [weights.rows[row] for row in self.features.rows(position)]
        # Sums of columns by zip() and sum(), which loop in C.
        hidden = [each if each > 0 else 0.0 for each in map(sum, zip(weights.bias, *rows))]  # noqa: B905 - equal by construction
        total = weights.last_bias
        for (inputs, bias), factor in zip(self._second, weights.last, strict=True):
            unit = sum(map(mul, inputs, hidden), bias)
            # Rectified: a negative sum adds nothing, and its multiplication can be left out.
            if unit > 0:
                total += unit * factor
        # exp() of more than about 709 overflows; the value is 0 long before.
        if total < -500:
            return 0.0
        return 1 / (1 + exp(-total))
