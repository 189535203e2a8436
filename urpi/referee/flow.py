"""The flow of a game: set-up, who begins, throws, moves, passes, take-backs, the end.

Every function works on the step's own copy of the state and tells what was decided.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from urpi.errors import UrpiError
from urpi.referee import throws
from urpi.referee.contacts import forget
from urpi.referee.decisions import (
    Abandoned,
    Cleared,
    Confidence,
    Decision,
    Drawn,
    Fault,
    FaultCode,
    Moved,
    Passed,
    Question,
    QuestionType,
    Ready,
    Roll,
    RollRefused,
    StartReason,
    Starts,
    TakenBack,
    ThrowForStart,
    Won,
)
from urpi.referee.facts import Game
from urpi.referee.inference import Candidate, candidates_of
from urpi.referee.pending import hold_incomplete, reject
from urpi.referee.snapshot import Phase
from urpi.referee.state import Played, State
from urpi.rules import (
    PASS,
    SQUARE_NAMES,
    RuleSet,
    Side,
    Square,
    Squares,
    Starter,
    Throw,
    each_square,
    parse_position,
    rule_set,
)

Tell: TypeAlias = Callable[[Decision], None]

WHY_FIRST: Final[Mapping[Starter, StartReason]] = {Starter.DRAWN: "drawn", Starter.CHOICE: "chosen"}
"""Why a side begins that was named when the game was made."""


def begin_game(state: State, fact: Game) -> None:
    """Forget what was and set the board of a new game.

    Raises:
        UrpiError: when the fact's rule set, option or position is none, or a side's own dice
            are not as many as it throws.
    """
    rules = rule_set(fact.rules, dict(fact.options))
    for side, own in zip(Side, fact.dice or (), strict=False):
        _check_dice(rules, side, own)
    if fact.position is None:
        position = rules.start(fact.first or Side.LIGHT)
    else:
        position = parse_position(fact.position)
        rules = position.rules
    fresh = State(state.settings, fact.t, Phase.SET_UP, fact, rules, position, awaits_reading=True)
    for name in State.__slots__:
        setattr(state, name, getattr(fresh, name))


def _check_dice(rules: RuleSet, side: Side, own: tuple[int, ...]) -> None:
    if len(set(own)) == len(own) == rules.dice.count:
        return
    found = ", ".join(map(str, own)) or "none"
    message = (
        f"In {rules.id} a side's own dice are {rules.dice.count}, each another one; found {found} "
        f"for {side.value}."
    )
    raise UrpiError(message)


def ready(state: State, tell: Tell) -> None:
    """The board shows the position: the game can begin."""
    tell(Ready(state.t))
    game, rules, position = state.game, state.rules, state.now
    assert game is not None
    assert rules is not None
    if position.turn is None:
        end_won(state, tell)
    elif game.first is not None or game.position is not None:
        why = WHY_FIRST.get(rules.starter, "given") if game.position is None else "given"
        starts(state, position.turn, why, tell)
    elif rules.starter in {Starter.DRAWN, Starter.CHOICE}:
        state.phase = Phase.CHOOSE_FIRST
        ask(state, game.chooser or Side.LIGHT, "first", ("light", "dark"), tell)
    else:
        throw_for_start(state, Side.LIGHT, tell)


def throw_for_start(state: State, side: Side, tell: Tell) -> None:
    """Let a side throw for the start."""
    state.phase = Phase.START_THROW
    state.to_throw = side
    state.dice = throws.new_turn(state.dice)
    tell(ThrowForStart(state.t, side))


def starts(state: State, side: Side, why: StartReason, tell: Tell) -> None:
    """A side begins; it throws anew."""
    state.question, state.choices = None, ()
    state.position = replace(state.now, turn=side)
    tell(Starts(state.t, side, why))
    new_turn(state)


def new_turn(state: State) -> None:
    """The side on turn is to throw."""
    state.phase = Phase.THROW
    state.throw, state.candidates = None, ()
    state.dice = throws.new_turn(state.dice)
    state.early, state.told_bumped = frozenset(), False
    _forget_picture(state)


def _forget_picture(state: State) -> None:
    """Look at the board anew, with nothing remembered of how it came about."""
    state.contacts = forget(state.contacts)
    state.chute = False
    state.seems = state.seemed = state.entered = None
    if state.question is not None and state.question.ask != "first":
        state.question, state.choices = None, ()
    state.look_at = state.t + state.settings.timing.still_ms


def count_throw(state: State, throw: Throw, tell: Tell) -> None:
    """A throw is complete: it decides who starts, or is to be played, or the turn passes."""
    if state.phase is Phase.START_THROW:
        _count_start_throw(state, throw, tell)
        return
    position = state.now
    side = position.turn
    assert side is not None
    _doubt_the_switch(state, tell)
    if state.played and state.played[0].position.turn is not side:
        state.played = ()
    candidates = candidates_of(position, throw)
    legal = tuple(candidate.move.text for candidate in candidates)
    tell(Roll(state.t, side, throw.faces, throw.value, legal))
    state.throw, state.candidates, state.thrown_at = throw, candidates, state.t
    state.returned = False
    if candidates:
        state.phase = Phase.MOVE
        _forget_picture(state)
    else:
        pass_turn(state, throw, tell)


def count_pending(state: State, tell: Tell) -> None:
    """Count the pending throw for the side that is now to throw.

    A complete throw counts as it fell, even if its dice were touched later. Of an incomplete
    one, those dice count that still lie as they fell. The opponent's own dice are refused.
    """
    pending, state.pending = state.pending, {}
    if state.phase not in {Phase.THROW, Phase.START_THROW}:
        return
    side, dice = state.side, state.throwing()
    assert side is not None
    assert state.rules is not None
    others = tuple(sorted(set(pending) - set(dice)))
    if others:
        tell(RollRefused(state.t, side.other, "not-your-turn", others))
    for die in dice:
        now = throws.of(state.dice, die)
        if now.state == "settled" and now.face == pending.get(die):
            state.dice = throws.count(state.dice, die)
    if all(die in pending for die in dice):
        faces = "".join(pending[die] for die in dice)
        count_throw(state, state.rules.dice.throw(faces), tell)
        # A move that was made meanwhile came after the throw.
        state.thrown_at = state.pending_at


def _count_start_throw(state: State, throw: Throw, tell: Tell) -> None:
    light, _dark = state.start_throws
    if state.to_throw is Side.LIGHT:
        state.start_throws = throw, None
        throw_for_start(state, Side.DARK, tell)
        return
    assert light is not None
    assert state.rules is not None
    state.start_throws = light, throw
    side = state.rules.starts(light, throw)
    if side is None:
        state.start_throws = None, None
        throw_for_start(state, Side.LIGHT, tell)
    else:
        starts(state, side, "throw", tell)


def pass_turn(state: State, throw: Throw, tell: Tell) -> None:
    """No move is legal: the turn passes."""
    position = state.now
    assert position.turn is not None
    tell(Passed(state.t, position.turn, "no-move" if throw.value else "zero"))
    state.past = (*state.past, (position, position.turn, PASS.text))
    state.position = position.rules.play(position, throw, PASS)
    state.played = ()
    new_turn(state)


def commit(state: State, candidate: Candidate, confidence: Confidence, tell: Tell) -> None:
    """The move is made. `confidence` is sensed, inferred or answered."""
    before = state.now
    throw = state.throw
    assert before.turn is not None
    assert throw is not None
    clear_warning(state, tell)
    if confidence != "answered":
        # The move was made after that throw.
        reject(state, "unplayed-throw", tell)
    if confidence == "sensed" and candidate.touches & state.mask:
        confidence = "inferred"
    move, after = candidate.move.text, candidate.position
    tell(Moved(state.t, before.turn, move, str(after), confidence))
    played = Played(before, throw, state.thrown_at, candidate, state.candidates)
    state.played = (*state.played, played)
    state.past = (*state.past, (before, before.turn, move))
    state.position = after
    if after.turn is None:
        end_won(state, tell)
    else:
        new_turn(state)


def end_won(state: State, tell: Tell) -> None:
    """The position is won by the rules."""
    position = state.now
    winner = position.rules.winner(position)
    assert winner is not None
    end(state, Won(state.t, winner, position.rules.win_code), tell)


def end(state: State, outcome: Won | Drawn | Abandoned, tell: Tell) -> None:
    """The game is over."""
    state.phase = Phase.OVER
    state.outcome = outcome
    state.look_at = state.question = state.seems = state.warning = None
    state.throw, state.candidates, state.choices = None, (), ()
    tell(outcome)


def take_back(state: State, count: int, tell: Tell, *, anew: bool = True) -> None:
    """The newest moves of the turn are taken back; the first one's throw is to be played again.

    Args:
        state: the step's own.
        count: how many moves.
        tell: reports what is decided.
        anew: Forget how the picture came about. Otherwise it is another move of that throw, or
            a part of one, and is looked at at once.
    """
    for played in reversed(state.played[-count:]):
        side = played.position.turn
        assert side is not None
        tell(TakenBack(state.t, side, played.candidate.move.text))
    hold_incomplete(state)
    first = state.played[-count]
    state.played = state.played[:-count]
    state.past = state.past[:-count]
    state.position, state.throw, state.candidates = first.position, first.throw, first.candidates
    state.phase, state.returned = Phase.MOVE, True
    if anew:
        state.thrown_at = state.t
        _forget_picture(state)
    else:
        state.thrown_at, state.look_at = first.thrown_at, state.t


def ask(state: State, side: Side, what: QuestionType, choices: tuple[str, ...], tell: Tell) -> None:
    """Ask what only a person can tell, unless it is asked already."""
    if state.question is not None and (state.question.ask, state.choices) == (what, choices):
        return
    question = Question(state.t, side, what, choices if what == "move" else ())
    state.question, state.choices, state.chosen = question, choices, 0
    tell(question)


def clear_warning(state: State, tell: Tell) -> None:
    """The board is right again, if it was not."""
    if state.warning is not None:
        state.warning = None
        tell(Cleared(state.t))


def leave_out(state: State, square: Square, code: FaultCode, tell: Tell) -> None:
    """A square's switch is broken: name it and leave it out of the picture."""
    state.mask |= 1 << square
    fault = Fault(state.t, SQUARE_NAMES[square], code)
    state.faults = (*state.faults, fault)
    tell(fault)


def leave_out_all(state: State, squares: Squares, tell: Tell) -> None:
    """Leave out every one of these squares; its picture says which way its switch sticks."""
    for square in each_square(squares):
        code: FaultCode = "stuck-on" if state.contacts.picture() >> square & 1 else "stuck-off"
        leave_out(state, square, code, tell)


def _doubt_the_switch(state: State, tell: Tell) -> None:
    """A throw although one square is wrong: the board is right, the switch is not.

    The players were warned of it, or have entered a move that it does not show.
    """
    evidence = state.evidence()
    wrong = evidence.missing | evidence.extra
    if wrong.bit_count() != 1 or (state.warning is None and not state.is_as_entered):
        return
    code: FaultCode = "stuck-off" if evidence.missing else "stuck-on"
    leave_out(state, wrong.bit_length() - 1, code, tell)
    clear_warning(state, tell)
