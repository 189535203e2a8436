"""What the views are told: the snapshot of a state."""

from urpi.referee import throws
from urpi.referee.dicing import THROWING
from urpi.referee.snapshot import Phase, Snapshot
from urpi.referee.state import State
from urpi.rules import Side


def snapshot(state: State) -> Snapshot:
    """All that a view may need to draw the game as it stands."""
    if state.game is None or state.position is None:
        return Snapshot(Phase.NO_GAME)
    evidence = state.evidence()
    rolling, waiting, settled = _dice(state)
    warning = state.warning
    if warning is not None:
        fill, clear = warning.fill, warning.clear
    elif state.phase is Phase.SET_UP:
        fill, clear = evidence.missing, evidence.extra
    else:
        fill = clear = 0
    return Snapshot(
        phase=state.phase,
        position=state.position,
        light=state.game.light,
        dark=state.game.dark,
        side=state.side,
        rolling=rolling,
        waiting=waiting,
        settled=settled,
        throw=state.throw,
        legal=tuple(candidate.move.text for candidate in state.candidates),
        start_throws=state.start_throws,
        seems=state.seems.move.text if state.seems is not None else None,
        last=state.last,
        warning=warning,
        question=state.question,
        choices=state.choices,
        chosen=state.chosen,
        faults=state.faults,
        fill=fill,
        clear=clear,
        outcome=state.outcome,
        rolled=state.rolled,
        acted=state.acted,
        takeback=_takeback(state),
        chooser=state.game.chooser,
    )


def _takeback(state: State) -> tuple[Side, str] | None:
    """Whose move an answer could take back now, and which."""
    if state.phase is not Phase.THROW or not state.played:
        return None
    newest = state.played[-1]
    assert newest.position.turn is not None
    return newest.position.turn, newest.candidate.move.text


def _dice(
    state: State,
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, str], ...]]:
    """The dice of the running throw: in the air, not yet counting, and what the others show."""
    if state.phase not in THROWING:
        return (), (), ()
    known = {die: throws.of(state.dice, die) for die in state.throwing()}
    rolling = tuple(die for die, one in known.items() if one.state == "rolling")
    counting = {die: one.face for die, one in known.items() if one.lies and one.face is not None}
    waiting = tuple(die for die in known if die not in counting)
    return rolling, waiting, tuple(counting.items())
