"""The lists of the parts on each circuit board, for docs/build/boards.md."""

from collections.abc import Callable, Iterator
from typing import Final

from wiring.boards.assembly import groups
from wiring.boards.design import Board, Part
from wiring.boards.die import die
from wiring.boards.hub import hub
from wiring.boards.panel import panel
from wiring.boards.squares import squares
from wiring.pages.markdown import table

_BOARDS: Final[tuple[Callable[[], Board], ...]] = (die, hub, panel, squares)


def parts() -> dict[str, str]:
    """Return the lists by the names of their markers."""
    return {f"{board.name}-parts": _list(board) for board in (make() for make in _BOARDS)}


def _list(board: Board) -> str:
    """Return the list of a board, with a column of numbers for each variant."""
    numbers = list(board.variants) or ["number"]
    head = [*numbers, "parts", "value", "order", "or", "LCSC", "soldered by"]
    return table(head, list(_rows(board)))


def _numbers(board: Board, same: list[Part]) -> Iterator[str]:
    for name in board.variants or [""]:
        count = sum(name in part.only if part.only else True for part in same)
        yield str(count or "")


def _rows(board: Board) -> Iterator[tuple[str, ...]]:
    for by_hand in (False, True):
        for same, order in groups(board, by_hand=by_hand):
            also = "; ".join(text for text in (order.also, order.mate) if text)
            yield (
                *_numbers(board, same),
                ", ".join(part.reference for part in same),
                same[0].value,
                f"{order.maker} {order.number}",
                also,
                order.lcsc,
                "hand" if by_hand else "assembler",
            )
