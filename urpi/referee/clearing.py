"""Clearing: a board from which all pieces were taken during a game, which may mean a new one."""

from typing import Final

from urpi.referee.stages import Moving, Throwing
from urpi.referee.state import GameState, State

CLEARED_MS: Final = 10_000
"""How long a cleared board must stay empty. A hand that moves a piece is never that slow with all
of them.
"""
_FEWEST: Final = 2
"""The fewest pieces that are cleared: a player may think with the only piece in the hand."""


def cleared_at(state: State) -> int | None:
    """Return when a cleared board has been empty for long enough, None if it is not empty.

    The pieces of a game with another table, or of an exploration, are put back: nothing new begins
    there without the other players, or before the game is gone back to.
    """
    if not isinstance(state, GameState) or not isinstance(state.stage, Moving | Throwing):
        return None
    if state.game.shared is not None or state.game.explore is not None:
        return None
    shown = ~state.mask
    should_stand = state.position.occupancy & shown
    if should_stand.bit_count() < _FEWEST or state.contacts.raw & shown:
        return None
    return state.contacts.last_edge + CLEARED_MS
