"""The flow of a game: set-up, start, throws, moves, passes, take-backs and the end.

Every function changes the step's own copy of the state and reports its decisions.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, Literal

from urpi.core.errors import UrpiError
from urpi.referee import throws
from urpi.referee.clock import full_clock
from urpi.referee.contacts import forget
from urpi.referee.decisions import (
    NO_MOVE,
    Abandoned,
    Cleared,
    Drawn,
    Fault,
    FaultCode,
    Moved,
    Passed,
    Question,
    QuestionType,
    Ready,
    Report,
    Roll,
    RollRefused,
    StartReason,
    StartRoll,
    Starts,
    TakenBack,
    ThrowForStart,
    Won,
)
from urpi.referee.facts import Confidence, Game
from urpi.referee.fields import doubted, rebased
from urpi.referee.inference import Candidate, candidates_of
from urpi.referee.pending import hold_incomplete, reject_early, why_early
from urpi.referee.settings import Settings
from urpi.referee.stages import (
    AnyThrowing,
    ChoosingFirst,
    Ended,
    LegalMoves,
    Moving,
    Throwing,
    ThrowingForStart,
)
from urpi.referee.state import NO_PENDING_THROW, GameState, OpenQuestion, Played
from urpi.referee.timekeeping import clock_after, stopped_clock
from urpi.rules import (
    PASS,
    SQUARE_NAMES,
    Position,
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

WHY_FIRST: Final[Mapping[Starter, StartReason]] = {
    Starter.DRAWN: "drawn",
    Starter.CHOICE: "chosen",
}
"""Why a side begins that the game fact names, by the rule set's way of starting."""


def begin_game(settings: Settings, fact: Game) -> GameState:
    """Return the state at the beginning of a game.

    Raises:
        UrpiError: If the rule set, an option or the position is invalid, or a side's own dice
            are not as many as it throws.
    """
    rules = rule_set(fact.rules, dict(fact.options))
    for side, own in zip(Side, fact.dice or (), strict=False):
        _check_dice(rules, side, own)
    if fact.position is None:
        position = rules.start(fact.first or Side.LIGHT)
    else:
        position = parse_position(fact.position)
    clock = None if fact.clock is None else full_clock(fact.clock)
    return GameState(settings, fact.t, game=fact, position=position, clock=clock)


def _check_dice(rules: RuleSet, side: Side, own: tuple[int, ...]) -> None:
    if len(set(own)) == len(own) == rules.dice.count:
        return
    found = ", ".join(map(str, own)) or "none"
    message = (
        f"In {rules.id} a side's own dice must be {rules.dice.count} different ones; found {found} "
        f"for {side.value}."
    )
    raise UrpiError(message)


def ready(state: GameState, report: Report) -> None:
    """Begin the game: the board shows the position."""
    report(Ready(state.t))
    _know_board(state, state.position)
    game, position = state.game, state.position
    rules = position.rules
    if position.turn is None:
        end_won(state, report)
    elif game.position is not None:
        starts(state, position.turn, "given", report)
    elif game.first is not None:
        starts(state, position.turn, WHY_FIRST.get(rules.starter, "given"), report)
    elif rules.starter in {Starter.DRAWN, Starter.CHOICE}:
        state.stage = ChoosingFirst()
        ask(state, game.chooser or Side.LIGHT, "first", ("light", "dark"), report)
    else:
        throw_for_start(state, ThrowingForStart(), report)


def throw_for_start(state: GameState, stage: ThrowingForStart, report: Report) -> None:
    """Let the next side throw for the start."""
    state.stage = stage
    state.dice = throws.new_turn(state.dice)
    report(ThrowForStart(state.t, stage.side))


def starts(state: GameState, side: Side, why: StartReason, report: Report) -> None:
    """Let a side begin; it throws for its first move."""
    withdraw_question(state)
    # `begin_game` had to name a side before it was known which one begins.
    state.position = state.position._replace(turn=side)
    report(Starts(state.t, side, why))
    new_turn(state, side)


def new_turn(state: GameState, side: Side) -> None:
    """Let a side throw."""
    state.stage = Throwing(side)
    state.dice = throws.new_turn(state.dice)
    state.early, state.bump_refused = MappingProxyType({}), False
    _forget_changes(state)


def _forget_changes(state: GameState) -> None:
    """Look at the board again, without the evidence of how the occupancy came about."""
    state.contacts = forget(state.contacts)
    state.entered = None
    if state.question is not None and state.question.ask != "first":
        withdraw_question(state)
    # Even without another edge: pieces may have been moved already.
    state.look_at = state.t + state.settings.timing.still_ms


def count_throw(
    state: GameState,
    stage: AnyThrowing,
    throw: Throw,
    report: Report,
    *,
    by: Literal["dice", "program", "remote"] = "dice",
) -> None:
    """Count a complete throw: for the start, for a move, or to pass the turn.

    `by`: what has thrown; ``remote``: another table has the throw.
    """
    if isinstance(stage, ThrowingForStart):
        _count_start_throw(state, stage, throw, report)
        return
    side = stage.side
    if by != "remote":
        _doubt_the_switches(state, report)
    state.thrown_over = None
    if state.played and state.played[0].side is not side:
        if by != "program" and _made_by_dice(state, state.played[-1]):
            state.thrown_over = state.played[-1]
        # Moves can be taken back until the opponent's throw counts; those of earlier throws of the
        # same turn too.
        state.played = ()
    candidates = candidates_of(state.position, throw)
    legal = tuple(candidate.text for candidate in candidates)
    report(Roll(state.t, side, throw.faces, throw.value, legal, by == "program"))
    if candidates:
        moves = LegalMoves(candidates, awaits_plan=state.awaits_plan(side))
        state.stage = Moving(side, throw, state.t, moves)
        _forget_changes(state)
    else:
        pass_turn(state, side, throw, report)


def _made_by_dice(state: GameState, last: Played) -> bool:
    """Return whether the opponent's dice made a move final that may not have been all of it.

    It may be the first part of another, or its landing was not seen. It was committed by this very
    fact, or while the dice came to rest.
    """
    moved, newest = state.latest.action, last.candidate.text
    if (
        isinstance(moved, Moved)
        and moved.move == newest
        and state.t - moved.t > state.settings.timing.final_ms
    ):
        return False
    may_go_on = last.candidate.unfinished or last.confidence == "inferred"
    return may_go_on and state.may_take_back(last)


def count_pending(state: GameState, report: Report) -> None:
    """Count the pending throw for the side that is now to throw.

    A complete throw counts as it fell, even if its dice were touched later. Of an incomplete
    one, those dice count that still lie as they fell. The opponent's own dice are refused.
    """
    pending, state.pending = state.pending, NO_PENDING_THROW
    stage = state.stage
    if not isinstance(stage, AnyThrowing):
        return
    dice = state.throwing()
    others = tuple(sorted(set(pending.faces) - set(dice)))
    if others:
        report(RollRefused(state.t, stage.side.other, "not-your-turn", others))
    for die in dice:
        now = throws.state_of(state.dice, die)
        if now.state == "settled" and now.face == pending.faces.get(die):
            state.dice = throws.count(state.dice, die)
    # A side at another table throws no dice here.
    if dice and all(die in pending.faces for die in dice):
        faces = "".join(pending.faces[die] for die in dice)
        count_throw(state, stage, state.position.rules.dice.throw(faces), report)
    if isinstance(state.stage, Moving):
        # A piece that was moved while the throw was pending was moved after it.
        state.stage.thrown_at = pending.t


def _count_start_throw(
    state: GameState, stage: ThrowingForStart, throw: Throw, report: Report
) -> None:
    light, starter = stage.light, state.starter
    report(StartRoll(state.t, stage.side, throw.faces, throw.value))
    if light is None:
        state.start_throws = throw, None
        throw_for_start(state, ThrowingForStart(throw), report)
        return
    state.start_throws = light, throw
    side = state.position.rules.starts(light, throw, starter)
    if side is None:
        throw_for_start(state, ThrowingForStart(), report)
    else:
        starts(state, side, "one" if starter is Starter.ONE_MARK else "throw", report)


def decline(state: GameState, side: Side, report: Report) -> None:
    """Pass the turn: the side declines its extra throw."""
    before = state.position
    report(Passed(state.t, side, "declined"))
    state.past = (*state.past, (before, side, PASS.text))
    state.played = ()
    _continue_at(state, before.rules.decline(before), report)


def pass_turn(state: GameState, side: Side, throw: Throw, report: Report) -> None:
    """Pass the turn: no move is legal."""
    before = state.position
    report(Passed(state.t, side, "no-move" if throw.value else "zero"))
    state.clock = clock_after(state, side)
    state.past = (*state.past, (before, side, PASS.text))
    state.played = ()
    _continue_at(state, before.rules.play(before, throw, PASS), report)


def commit(
    state: GameState, moving: Moving, candidate: Candidate, confidence: Confidence, report: Report
) -> None:
    clear_warning(state, report)
    early = why_early(state, moving, candidate, entered=confidence == "answered")
    # A switch that is left out has shown nothing of it.
    if confidence == "sensed" and candidate.touches & state.mask:
        confidence = "inferred"
    # The table of the player who moved referees the move; here it is only repeated.
    confidence = moving.moves.confidence or confidence
    before, after = state.position, candidate.position
    state.clock = stopped_clock(state, moving, entered=confidence == "answered")
    report(Moved(state.t, moving.side, candidate.text, str(after), confidence))
    played = Played(
        moving.side,
        before,
        moving.throw,
        moving.thrown_at,
        candidate,
        moving.moves,
        confidence,
        state.clock,
    )
    state.played = (*state.played, played)
    state.clock = clock_after(state, moving.side)
    state.past = (*state.past, (before, moving.side, candidate.text))
    _continue_at(state, after, report)
    coached = moving.coached
    if coached is not None and coached.move == candidate.text and isinstance(state.stage, Throwing):
        state.stage = replace(state.stage, coached=coached)
    if early is not None:
        # Refused after the move, so that the side that is now to throw reads why it throws again.
        reject_early(state, early, moving.thrown_at, report)
    elif confidence != "answered":
        count_pending(state, report)


def _continue_at(state: GameState, position: Position, report: Report) -> None:
    """Begin the turn of the side to throw in `position`, or end the game there."""
    _know_board(state, position)
    state.position = position
    if position.turn is None:
        end_won(state, report)
    else:
        new_turn(state, position.turn)


def _know_board(state: GameState, position: Position) -> None:
    """Take the readings of Hall sensors for those of a position that has become known."""
    closed = state.contacts.raw & ~state.mask
    state.fields = rebased(state.fields, state.position, position, closed)


def end_won(state: GameState, report: Report) -> None:
    """End the game: the position is won by the rules."""
    position = state.position
    winner = position.rules.winner(position)
    assert winner is not None
    end(state, Won(state.t, winner, position.rules.win_code), report)


def end(state: GameState, outcome: Won | Drawn | Abandoned, report: Report) -> None:
    state.stage = Ended(outcome)
    state.look_at = state.question = state.warning = None
    report(outcome)


def take_back(
    state: GameState, count: int, report: Report, *, forget_evidence: bool = True
) -> None:
    """Take back the newest moves of the turn; the throw of the first one is played again.

    Args:
        state: The step's own.
        count: Number of moves.
        report: Receives the decisions.
        forget_evidence: Whether to forget how the occupancy came about, the default. Otherwise it
            is another move of that throw, or a part of one, and is looked at immediately.
    """
    for played in reversed(state.played[-count:]):
        report(TakenBack(state.t, played.side, played.candidate.text))
    hold_incomplete(state)
    first = state.played[-count]
    state.played = state.played[:-count]
    # A taken-back move must not count as a repetition when a draw is claimed.
    state.past = state.past[:-count]
    _know_board(state, first.position)
    state.position, state.clock = first.position, first.clock
    thrown_at = state.t if forget_evidence else first.thrown_at
    moves = first.moves.before_remote_move()
    state.stage = Moving(first.side, first.throw, thrown_at, moves, taken_back=True)
    if forget_evidence:
        _forget_changes(state)
    else:
        state.look_at = state.t


def ask(
    state: GameState, side: Side, what: QuestionType, choices: tuple[str, ...], report: Report
) -> None:
    """Ask a player, unless the same question is open already."""
    if state.question is not None and (state.question.ask, state.choices) == (what, choices):
        return
    moves = tuple(each for each in choices if each != NO_MOVE) if what == "move" else ()
    question = Question(state.t, side, what, moves)
    earlier, chosen = state.question, 0
    withdraw_question(state)
    # What is selected stays so, because the player may confirm it without another look.
    if state.settings.timing.unread_ms and earlier is not None and earlier.selected in choices:
        chosen = choices.index(earlier.selected)
    state.question = OpenQuestion(question, choices, chosen)
    report(question)


def withdraw_question(state: GameState) -> None:
    """Withdraw the open question, if there is one; presses may still be for it."""
    if state.question is not None:
        state.earlier_question = state.question, state.t
        state.question = None


def clear_warning(state: GameState, report: Report) -> None:
    """Withdraw the open warning, if there is one."""
    if state.warning is not None:
        state.warning = None
        report(Cleared(state.t))


def leave_out(state: GameState, square: Square, code: FaultCode, report: Report) -> None:
    """Report a square's switch as broken, and leave it out of the occupancy."""
    state.mask |= 1 << square
    fault = Fault(state.t, SQUARE_NAMES[square], code)
    state.faults = (*state.faults, fault)
    report(fault)


def leave_out_all(state: GameState, squares: Squares, report: Report) -> None:
    """Leave out all of these squares; the occupancy shows in which state each switch is stuck."""
    for square in each_square(squares):
        code: FaultCode = "stuck-on" if state.contacts.raw >> square & 1 else "stuck-off"
        leave_out(state, square, code, report)


def _doubt_the_switches(state: GameState, report: Report) -> None:
    """Leave out a single wrong square: the players throw because the board is correct.

    They were warned of the square, or entered a move that it does not show; if both, two squares.
    """
    doubt_the_poles(state, report)
    wrong = state.evidence().changed
    if 0 < wrong.bit_count() <= (state.warning is not None) + state.is_as_entered:
        leave_out_all(state, wrong, report)
        clear_warning(state, report)


def doubt_the_poles(state: GameState, report: Report) -> None:
    """Disregard the poles that players were warned of who throw although they could read it."""
    warning, read_ms = state.warning, state.settings.timing.warning_ms
    if warning and warning.code == "wrong-piece" and state.t - warning.t >= read_ms:
        state.fields = doubted(state.fields, state.evidence().misplaced)
        clear_warning(state, report)
