"""What the dice say, and what it means in each phase."""

from dataclasses import replace
from itertools import product

from urpi.referee import throws
from urpi.referee.asking import MOST_CHOICES
from urpi.referee.decisions import Fault, RollRefused
from urpi.referee.facts import Die
from urpi.referee.flow import Tell, ask, commit, count_throw
from urpi.referee.inference import Candidate
from urpi.referee.look import hurry
from urpi.referee.pending import add, refuse_once, rolls_again
from urpi.referee.set_up import thrown_in_set_up
from urpi.referee.snapshot import Phase
from urpi.referee.state import State
from urpi.rules import Side

THROWING = (Phase.THROW, Phase.START_THROW)


def heard(state: State, fact: Die, tell: Tell) -> None:
    """A die said something."""
    if _is_of_another_set(state, fact):
        fact = replace(fact, state="handled", face=None, tumbled=False)
    before = state.dice
    state.dice = throws.heard(before, fact)
    if state.game is None or not throws.is_news(before, state.dice, fact.die):
        return
    if fact.state in {"lost", "found"}:
        _lost_or_found(state, fact, tell)
    if fact.state == "settled" and throws.of(before, fact.die).state == "unknown":
        # The first report of a die says how it lay before.
        return
    if fact.state == "rolling":
        rolls_again(state, fact.die)
    if state.phase in {Phase.SET_UP, Phase.CHOOSE_FIRST}:
        _before_the_game(state, fact, tell)
    elif state.phase is Phase.MOVE:
        _while_a_throw_is_unplayed(state, fact, tell)
    elif state.phase in THROWING:
        _while_throwing(state, fact, tell)


def _is_of_another_set(state: State, fact: Die) -> bool:
    """Whether it shows what no die of this game can: the table's dice are still other ones."""
    return (
        fact.face is not None
        and state.rules is not None
        and fact.face not in state.rules.dice.faces
    )


def _lost_or_found(state: State, fact: Die, tell: Tell) -> None:
    device = f"die {fact.die}"
    state.faults = tuple(fault for fault in state.faults if fault.device != device)
    if fact.state == "lost":
        fault = Fault(state.t, device, "lost")
        state.faults = (*state.faults, fault)
        tell(fault)


def _before_the_game(state: State, fact: Die, tell: Tell) -> None:
    """Handle a throw before the board is set up, or before the players say who begins."""
    if not _is_thrown(fact) or fact.die not in state.all_dice():
        return
    side = next(each for each in Side if fact.die in state.dice_of(each))
    if state.phase is Phase.SET_UP:
        assert fact.face is not None
        thrown_in_set_up(state, side, fact.die, fact.face, tell)
    else:
        refuse_once(state, side, "not-begun", fact.die, tell)


def _is_thrown(fact: Die) -> bool:
    return fact.state == "settled" and fact.tumbled


def _count(state: State, die: int, tell: Tell) -> None:
    """Count a die that settled as the turn began as a part of its throw, or refuse it."""
    if state.phase not in THROWING:
        return
    if die in state.throwing():
        state.dice = throws.count(state.dice, die)
        _complete(state, tell)
    else:
        assert state.side is not None
        refuse_once(state, state.side.other, "not-your-turn", die, tell)


def _while_a_throw_is_unplayed(state: State, fact: Die, tell: Tell) -> None:
    if fact.die not in state.all_dice():
        return
    seems = _seems_made(state)
    if fact.state == "rolling" and state.seems is not None:
        if seems is not None and not (seems.wins and state.settings.timing.win_ms):
            # After a winning move nobody throws: a die that moves is no sign of it.
            commit(state, seems, "inferred", tell)
        return
    if fact.state != "settled":
        return
    if seems is not None and not fact.tumbled:
        _refuse_laid_down(state, seems, fact.die, tell)
        return
    if fact.tumbled:
        _thrown_early(state, fact, tell)
    else:
        _moved_by_hand(state, fact.die, tell)


def _moved_by_hand(state: State, die: int, tell: Tell) -> None:
    """Refuse a die that was moved after the throw, once; it changes nothing."""
    assert state.side is not None
    if state.pending and die not in state.pending:
        tell(RollRefused(state.t, state.side.other, "not-tumbled", (die,)))
    elif not state.pending and not state.told_bumped:
        tell(RollRefused(state.t, state.side, "unplayed-throw", (die,)))
        state.told_bumped = True


def _thrown_early(state: State, fact: Die, tell: Tell) -> None:
    """Handle a throw while another one is unplayed: the move may be made, but nothing shows it.

    While a player is asked which move was made, the throw is pending.
    """
    again = fact.die in state.early
    if hurry(state, tell, again=again, all_moved=_have_all_moved(state, fact.die)):
        _count(state, fact.die, tell)
        return
    state.early = (frozenset() if again else state.early) | {fact.die}
    assert fact.face is not None
    waits = state.asks_for_move and state.settings.timing.pending_ms
    if waits and add(state, fact.die, fact.face):
        return
    state.told_bumped = True
    assert state.side is not None
    refuse_once(state, state.side, "unplayed-throw", fact.die, tell)


def _seems_made(state: State) -> Candidate | None:
    """The move that seems made, None while the picture is not its picture."""
    seems = state.seems
    return seems if seems is not None and state.evidence().fits(seems.occupancy) else None


def _refuse_laid_down(state: State, seems: Candidate, die: int, tell: Tell) -> None:
    """Refuse a die laid down by hand for the throw that may follow a move that seems made."""
    side = seems.position.turn
    if side is not None and die in state.dice_of(side):
        tell(RollRefused(state.t, side, "not-tumbled", (die,)))


def _have_all_moved(state: State, die: int) -> bool:
    """Whether every die of a die's set has moved since the throw: else one alone was bumped."""
    moved_at = (throws.of(state.dice, each).t for each in state.set_of(die))
    return all(t > state.thrown_at for t in moved_at)


def _while_throwing(state: State, fact: Die, tell: Tell) -> None:
    side = state.side
    assert side is not None
    if fact.die not in state.throwing():
        if _is_thrown(fact) and fact.die in state.all_dice():
            refuse_once(state, side.other, "not-your-turn", fact.die, tell)
        return
    if fact.state == "rolling":
        # What the picture is must be decided before they settle.
        state.look_again()
    die = throws.of(state.dice, fact.die)
    if fact.state == "settled" and not die.counts:
        state.dice = throws.tell(state.dice, (fact.die,))
        tell(RollRefused(state.t, side, "not-tumbled", (fact.die,)))
    _complete(state, tell)


def _complete(state: State, tell: Tell) -> None:
    """Count the throw when every die of the set has tumbled and settled."""
    faces = throws.faces(state.dice, state.throwing())
    if faces is not None and state.rules is not None:
        count_throw(state, state.rules.dice.throw(faces), tell)


def next_due(state: State) -> int | None:
    """When a die that keeps the players waiting is to be named, None when none does."""
    if state.phase not in THROWING:
        return None
    timing, dice = state.settings.timing, state.throwing()
    times = [
        throws.cocked_due(state.dice, dice, timing.cocked_ms),
        throws.missing_due(state.dice, dice, timing.missing_die_ms),
        _dead_due(state) if state.question is None else None,
    ]
    return min((t for t in times if t is not None), default=None)


def _dead_due(state: State) -> int | None:
    """When dead dice are asked for; a hub that starts anew is back long before."""
    return throws.dead_due(state.dice, state.throwing(), state.settings.timing.missing_die_ms)


def remind(state: State, tell: Tell) -> None:
    """Name the dice that are due."""
    side, timing, dice = state.side, state.settings.timing, state.throwing()
    assert side is not None
    cocked = tuple(
        die
        for die in dice
        if (one := throws.of(state.dice, die)).state == "cocked"
        and not one.told
        and one.t + timing.cocked_ms <= state.t
    )
    missing_due = throws.missing_due(state.dice, dice, timing.missing_die_ms)
    if cocked:
        state.dice = throws.tell(state.dice, cocked)
        tell(RollRefused(state.t, side, "cocked", cocked))
    if missing_due is not None and missing_due <= state.t:
        missing = throws.missing(state.dice, dice)
        state.dice = throws.tell(state.dice, missing)
        tell(RollRefused(state.t, side, "missing-die", missing))


def ask_for_dead_dice(state: State, tell: Tell) -> None:
    """When only dead dice are left to wait for, a person tells what they showed."""
    if state.phase not in THROWING:
        return
    side, due = state.side, _dead_due(state)
    assert side is not None
    if due is None:
        if state.question is not None and state.question.ask == "faces":
            state.question, state.choices = None, ()
    elif due <= state.t:
        ask(state, side, "faces", _possible_faces(state), tell)


def _possible_faces(state: State) -> tuple[str, ...]:
    """A throw of each meaning that the dice heard leave possible, few enough for a button."""
    assert state.rules is not None
    dice = state.rules.dice
    options = [
        (one.face,) if (one := throws.of(state.dice, die)).lies and one.face else dice.faces
        for die in state.throwing()
    ]
    found: dict[str, str] = {}
    for faces in product(*options):
        throw = dice.throw("".join(faces))
        found.setdefault(throw.meaning, throw.faces)
    return tuple(found.values())[: MOST_CHOICES + 1]
