"""The last turns of a simulated game: what an illegal act may look like after them.

The referee may take it for a part of the last turn, or for a take-back; and a board that hands
leave by chance must not be that of another legal move.
"""

from collections.abc import Sequence
from typing import Final

from urpi.rules import Move, Position, Side, Squares, owner
from urpi.rules.board import Pile
from urpi.simulation.illegal_acts import (
    MOVE_CHANGES,
    Act,
    codes_as_second_part,
    hides_capture,
    moments,
    right_codes,
)
from urpi.simulation.true_game import TrueGame

REMEMBERED: Final = 4
"""The number of recent turns that a take-back might go back to."""


def codes_of_the_last_turn(
    game: TrueGame, board: Sequence[Pile], known: Position | None, act: Act
) -> frozenset[str]:
    """Return the codes of warnings that treat an act before the throw as part of the last turn.

    A piece of the side that moved last is one moved too many. If its move did not change the
    occupied squares, or another piece could still have moved with it, the act may also be
    refused as a move with that side's throw. While that move is not known, a board on which
    more squares differ than a move changes is disturbed.

    Args:
        game: The game, whose last turn is meant.
        board: The piles on the wood.
        known: The position that the display shows, None if it shows none.
        act: What is done.
    """
    last = game.turns[-1]
    origins = [origin for origin, _ in act if not isinstance(origin, Side)]
    again = any(owner(board[origin]) is last.side for origin in origins)
    second = frozenset({"two-moves"} if again else ())
    position, rules = last.before, game.rules
    throw = rules.dice.throw(last.faces)
    legal = rules.legal_moves(position, throw)
    move = next((each for each in legal if each.text == last.move), None)
    # The first half of a two-piece move: the referee still expects a second one.
    half = move is not None and rules.unfinished(move, legal)
    *_, left = moments(game.position, act)
    known = known or position
    if any((left ^ each.occupancy).bit_count() > MOVE_CHANGES for each in (position, known)):
        second |= {"disturbed"}
    if known == position and hides_capture(position, game.position, act):
        second |= {"not-your-piece"}
    if move is not None and (half or move.parts[-1].target in origins):
        second |= codes_as_second_part(position, throw, move, act)
    unchanged = game.position.occupancy == position.occupancy
    if move is not None and (unchanged or (half and game.position.turn is not last.side)):
        second |= right_codes(position, throw, act)
    return second


def codes_of_the_past(game: TrueGame, act: Act) -> frozenset[str]:
    """Return the code of a take-back that is too late, if the act looks like one."""
    now = after = game.position.occupancy
    *_, left = moments(game.position, act)
    for turn in reversed(game.turns):
        before = turn.before.occupancy
        if left in {before, now ^ before ^ after}:
            return frozenset({"too-late"})
        after = before
    return frozenset()


def occupancies_before(game: TrueGame) -> set[Squares]:
    """Return the sets of occupied squares that the last turns had, or could have had."""
    occupancies = set[Squares]()
    for turn in game.turns[-REMEMBERED:]:
        occupancies |= {turn.before.occupancy, *occupancies_after(turn.before, turn.faces)}
    return occupancies


def occupancies_around(game: TrueGame) -> set[Squares]:
    """Return the same, and those after each legal move of the current throw."""
    position, throw = game.position, game.throw
    now = occupancies_after(position, throw.faces) if throw else set[Squares]()
    return {position.occupancy} | now | occupancies_before(game)


def looking_different(
    position: Position, faces: str, legal: tuple[Move, ...], first: str
) -> tuple[Move, ...]:
    """Return the legal moves that occupy other squares than the one with the text `first`."""
    throw = position.rules.dice.throw(faces)
    occupancies = {each: position.rules.play(position, throw, each).occupancy for each in legal}
    shown = next(occupancy for each, occupancy in occupancies.items() if each.text == first)
    return tuple(each for each, occupancy in occupancies.items() if occupancy != shown)


def occupancies_after(position: Position, faces: str) -> set[Squares]:
    """Return the sets of occupied squares after the legal moves of a throw."""
    rules = position.rules
    throw = rules.dice.throw(faces)
    legal = rules.legal_moves(position, throw)
    return {rules.play(position, throw, move).occupancy for move in legal}
