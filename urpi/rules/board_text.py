"""The board as text, with the numbers of the squares on one side's path."""

from typing import Final

from urpi.rules.board import ROSETTES, SQUARE_NAMES, Side, parse_square
from urpi.rules.ruleset import RuleSet

_COLUMNS: Final = range(1, 9)
_ROWS: Final = "ABC"


def path_drawing(rules: RuleSet, side: Side) -> str:
    """Return the board with each square's numbers on a side's path; ``*`` marks a rosette.

    Numbers start at 1. A square that is visited twice has two numbers, one that is not on the
    path has none.

    >>> from urpi.rules.notation import rule_set
    >>> print(path_drawing(rule_set("finkel"), Side.LIGHT))
        1    2    3    4    5    6    7    8
      +----+----+----+----+         +----+----+
    A | 4* | 3  | 2  | 1  |         |14* | 13 |
      +----+----+----+----+----+----+----+----+
    B | 5  | 6  | 7  | 8* | 9  | 10 | 11 | 12 |
      +----+----+----+----+----+----+----+----+
    C | *  |    |    |    |         | *  |    |
      +----+----+----+----+         +----+----+
    """
    marks = {name: _mark(rules, side, name) for name in SQUARE_NAMES}
    width = max(map(len, marks.values())) + 1
    rows = [_row(row, marks, width) for row in _ROWS]
    outer, inner = _border("A", width), _border("B", width)
    header = "   " + " ".join(str(column).center(width) for column in _COLUMNS)
    return "\n".join(
        line.rstrip() for line in (header, outer, rows[0], inner, rows[1], inner, rows[2], outer)
    )


def _mark(rules: RuleSet, side: Side, name: str) -> str:
    square = parse_square(name)
    path = rules.path(side)
    numbers = "/".join(str(n) for n, visited in enumerate(path, 1) if visited == square)
    return numbers + ("*" if square in ROSETTES else "")


def _row(row: str, marks: dict[str, str], width: int) -> str:
    cells = (marks.get(f"{row}{column}", "").center(width) for column in _COLUMNS)
    line = f"{row} |" + "|".join(cells) + "|"
    return line if row == "B" else _without_bridge(line, width)


def _border(row: str, width: int) -> str:
    line = "  +" + "+".join("-" * width for _ in _COLUMNS) + "+"
    return line if row == "B" else _without_bridge(line, width)


def _without_bridge(line: str, width: int) -> str:
    """Return the line of an outer row with columns 5 and 6 blank, where it has no squares."""
    start = 3 + 4 * (width + 1)
    return line[:start] + " " * (2 * width + 1) + line[start + 2 * width + 1 :]
