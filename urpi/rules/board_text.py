"""The board as text, with the numbers of the squares on one side's path."""

from collections.abc import Mapping
from typing import Final

from urpi.rules.board import ROSETTES, SQUARE_NAMES, Side, parse_square
from urpi.rules.position import Position
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
    return _drawing({name: _mark(rules, side, name) for name in SQUARE_NAMES})


def board_drawing(position: Position) -> str:
    """Return the board with its pieces, and the pieces in hand and off below it.

    ``*`` marks an empty rosette; a pile is written from bottom to top as in a position.

    >>> from urpi.rules.notation import parse_position
    >>> print(board_drawing(parse_position("finkel A1:L,B4:L,B6:D L5D6 L0D0 L")))
        1   2   3   4   5   6   7   8
      +---+---+---+---+       +---+---+
    A | L |   |   |   |       | * |   |
      +---+---+---+---+---+---+---+---+
    B |   |   |   | L |   | D |   |   |
      +---+---+---+---+---+---+---+---+
    C | * |   |   |   |       | * |   |
      +---+---+---+---+       +---+---+
    in hand: L5 D6, off: L0 D0
    """
    squares = enumerate(zip(SQUARE_NAMES, position.board, strict=True))
    marks = {
        name: f"{pile or ('*' if square in ROSETTES else ' ')} " for square, (name, pile) in squares
    }
    (light, dark), (light_off, dark_off) = position.hand, position.off
    below = f"in hand: L{light} D{dark}, off: L{light_off} D{dark_off}"
    return f"{_drawing(marks)}\n{below}"


def _drawing(marks: Mapping[str, str]) -> str:
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


def _row(row: str, marks: Mapping[str, str], width: int) -> str:
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
