"""The public functions: texts in, texts out, for every rule set."""

from types import ModuleType

from . import freecompany, race, ravensburger, skiryuk
from .board import other_side
from .dice import throws, value
from .texts import (
    Position,
    parse_position,
    parse_rules,
    pieces_each,
    write_position,
    write_rules,
)

MODULES: dict[str, ModuleType] = {
    "finkel": race,
    "finkel3": race,
    "murray": race,
    "bell": race,
    "coursework": race,
    "skiryuk": skiryuk,
    "ravensburger": ravensburger,
    "freecompany": freecompany,
    "masters": race,
    "blitz": race,
}


def start(rules: str, first: str) -> str:
    """The position text of a new game that `first`, `L` or `D`, begins."""
    name, options = parse_rules(rules)
    if first not in {"L", "D"}:
        raise ValueError(f"no side: {first!r}")
    each = pieces_each(name, options)
    return write_position(
        Position(name, options, {}, {"L": each, "D": each}, {"L": 0, "D": 0}, first)
    )


def moves_of(position: Position, faces: str) -> dict[str, Position]:
    """The legal moves' texts, each with the position after it; none when the game is over."""
    value(position.name, position.options, faces)
    if position.turn == "=":
        return {}
    found: dict[str, Position] = MODULES[position.name].moves(position, faces)
    return found


def pass_turn(position: Position) -> Position:
    """The position after a throw that moves nothing: the other side's turn."""
    return position.changed(other_side(position.turn))


def legal(position: str, faces: str) -> list[str]:
    """The legal moves' texts, sorted; empty when there is none (the pass is not listed)."""
    return sorted(moves_of(parse_position(position), faces))


def play(position: str, faces: str, move: str) -> str:
    """The position text after a move or a `pass`.

    Raises:
        ValueError: the move is not legal, a pass while a move is, or the game is over.
    """
    before = parse_position(position)
    found = moves_of(before, faces)
    if move in found:
        return write_position(found[move])
    if move == "pass" and not found and before.turn != "=":
        return write_position(pass_turn(before))
    raise ValueError(f"{move!r} is not legal after {faces!r} in {position!r}")


def decline(position: str) -> str:
    """The position text after the side to throw has declined its extra throw.

    Raises:
        ValueError: the rules do not allow it, or the game is over.
    """
    before = parse_position(position)
    if before.turn == "=" or before.options.get("decline") != "yes":
        raise ValueError(f"no throw may be declined in {position!r}")
    return write_position(pass_turn(before))


def count_leaves(position: Position, throw_faces: list[str], depth: int) -> int:
    """The number of ways that are exactly `depth` throws long."""
    if depth == 0:
        return 1
    # No throws are made any more.
    if position.turn == "=":
        return 0
    total = 0
    for faces in throw_faces:
        found = list(moves_of(position, faces).values()) or [pass_turn(position)]
        if depth == 1:
            total += len(found)
        else:
            total += sum(count_leaves(after, throw_faces, depth - 1) for after in found)
    return total


def perft_from(position: str, depth: int) -> int:
    """As `perft`, from a position."""
    before = parse_position(position)
    rules = write_rules(before.name, before.options)
    return count_leaves(before, [faces for faces, _ in throws(rules)], depth)


def perft(rules: str, depth: int, first: str = "L") -> int:
    """The number of ways that a new game can go in exactly `depth` throws.

    Each throw of a different meaning branches once, each legal move branches, a pass counts
    one. A finished position counts one when it is reached with the last throw and 0 at deeper
    depths: no throws are made any more.
    """
    return perft_from(start(rules, first), depth)


def winner(position: str) -> str | None:
    """`L` or `D` when the game is over by the rules, else None."""
    over = parse_position(position)
    if over.turn != "=":
        return None
    won: str | None = MODULES[over.name].winner(over)
    return won
