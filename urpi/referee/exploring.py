"""Explorations: lines tried from a position beside the game, and the way back to it.

An exploration has its own state and its own stream of facts, which begins with a `Game` fact whose
`explore` is ``line``; that of the game is left as it is. One with ``back`` begins the way back: the
board is set up as at the beginning of a game, and the exploration ends once it shows the position.
"""

from dataclasses import replace
from typing import Literal, TypeAlias

from urpi.referee.facts import Explore, Game
from urpi.referee.fields import NO_FIELDS, Fields
from urpi.referee.seats import NO_COACH, PERSONS, engine_sides
from urpi.referee.snapshot import Phase
from urpi.referee.stages import Moving, SettingUp, Throwing
from urpi.referee.state import GameState, State
from urpi.rules import Position

ExploreRefusal: TypeAlias = Literal[
    "explore-no-game", "explore-remote", "explore-engine", "explore-now", "explore-rated"
]
"""Why no exploration may begin: there is no game in progress; it is one with another table, or one
with the engine in which it must not; a throw or move is being made; the game counts for ratings.
"""


def why_not_explore(state: State, *, rated: bool = False) -> ExploreRefusal | None:
    """Return why the players may not explore from the position now, None if they may.

    They may between two throws or moves, when the board shows the position and nothing is asked or
    warned of. In a game with the engine only at a person's turn, and if that person may ask for
    hints and take moves back anyway.

    Args:
        state: The state of the game.
        rated: Whether the game will count for ratings.
    """
    if not isinstance(state, GameState) or state.phase is Phase.OVER:
        return "explore-no-game"
    game, stage = state.game, state.stage
    if game.shared is not None:
        return "explore-remote"
    if engine_sides(game.seats):
        is_person = state.side is not None and not state.awaits_plan(state.side)
        if not (is_person and game.hints and game.takebacks):
            return "explore-engine"
    is_between = isinstance(stage, Moving) or (
        isinstance(stage, Throwing) and not state.has_begun_to_throw
    )
    # The occupancy has stood still, and is understood.
    is_quiet = state.look_at is None and not (
        state.question or state.warning or state.seeming or state.pending.faces
    )
    if game.explore is not None or not (is_between and is_quiet) or state.evidence().changed:
        return "explore-now"
    return "explore-rated" if rated else None


def may_explore(state: State) -> bool:
    """Return whether the players may explore from the position now, if it is not rated."""
    return why_not_explore(state) is None


def exploration_of(game: Game, t: int, position: Position, explore: Explore) -> Game:
    """Return the fact that begins a line of an exploration from a position, or the way back to it.

    Both sides' moves are made by persons, who may ask for hints and take moves back,
    without a clock.

    Args:
        game: The game that is left, or one with the names, dice and rules of the players.
        t: Time of the fact.
        position: The position to begin with.
        explore: Whether a line or the way back begins.
    """
    return replace(
        game,
        t=t,
        rules=position.rules.id,
        options=position.rules.changed,
        first=None,
        position=str(position),
        chooser=None,
        seats=PERSONS,
        hints=True,
        coach=NO_COACH,
        engine_throws="dice",
        takebacks=True,
        shared=None,
        explore=explore,
        clock=None,
    )


def begin_exploration(before: State, begun: GameState) -> GameState:
    """Return the state at the beginning of an exploration, with what is known of the board.

    Args:
        before: The state that is left: of the game, or of the line whose way back begins.
        begun: The state of a game that begins with the same fact.
    """
    begun.contacts, begun.dice, begun.mask = before.contacts, before.dice, before.mask
    begun.fields = Fields(now=before.fields.now) if before.fields != NO_FIELDS else NO_FIELDS
    begun.faults = before.faults if isinstance(before, GameState) else ()
    # Nothing has to be read: the board is judged as soon as it stands still.
    begun.stage, begun.look_at = SettingUp(awaits_reading=False), begun.t
    return begun


def explores_game(left: State, line: State) -> bool:
    """Return whether a line is tried from the position of the game that was left for it.

    That game continues after the way back; otherwise another line can be tried then.
    """
    return (
        isinstance(left, GameState)
        and isinstance(line, GameState)
        and isinstance(left.stage, Moving | Throwing)
        and str(left.position) == line.game.position
    )


def is_back(state: State) -> bool:
    """Return whether the way back has ended: the board shows the position that was left."""
    return (
        isinstance(state, GameState)
        and state.game.explore == "back"
        and state.phase is not Phase.SET_UP
    )
