"""Looking at the board: what a picture that has stood still means in each phase."""

from dataclasses import replace

from urpi.referee.contacts import forget, settled
from urpi.referee.decisions import Ready, Seems, Warned
from urpi.referee.explain import Explanation, acts_after, differs, explain
from urpi.referee.flow import (
    Tell,
    ask,
    clear_warning,
    commit,
    leave_out,
    ready,
    take_back,
)
from urpi.referee.inference import (
    Candidate,
    Evidence,
    has_landed,
    matching,
    most_likely,
)
from urpi.referee.snapshot import Phase
from urpi.referee.state import Played, State
from urpi.rules import SQUARE_NAMES, Side, each_square

MOST_CHOICES = 6
"""More moves than this are no question that a player can answer with a button."""
UNSEEN_PATIENCE = 5
"""A player who could also make a move that is seen may think so many times longer."""
QUIET_MS = 10_000
"""A switch that flickered is trusted again after so long without an edge."""
FEW = 2
"""So many pieces one player's hands may hold; more that are gone were swept off."""


def look(state: State, tell: Tell) -> None:
    """Judge the picture, and say in `state.look_at` when to look again if it is not clear yet."""
    state.look_at = None
    state.contacts = settled(state.contacts, state.t, state.settings.timing.contact_stable_ms)
    if state.phase is Phase.SET_UP:
        _look_at_set_up(state, tell)
        return
    if state.phase in {Phase.NO_GAME, Phase.OVER}:
        return
    _trust_again(state)
    evidence = state.evidence()
    if state.phase is Phase.MOVE:
        _look_for_move(state, evidence, tell)
    elif not evidence.missing | evidence.extra:
        _right(state, tell)
    elif not _look_for_takeback(state, evidence, tell):
        _wrong(state, evidence, tell)


def _age(state: State) -> int:
    """How long the picture has stood still, in milliseconds."""
    return state.t - state.contacts.last_edge


def _look_at_age(state: State, age_ms: int) -> None:
    state.look_at = state.contacts.last_edge + age_ms


def _look_at_set_up(state: State, tell: Tell) -> None:
    evidence = state.evidence()
    wrong = evidence.missing | evidence.extra
    if not wrong:
        ready(state, tell)
    elif wrong != state.set_up_told:
        state.set_up_told = wrong
        tell(Ready(state.t, wrong))


def _trust_again(state: State) -> None:
    """Take a switch back that has changed since it was left out and says what must be there."""
    if not state.mask:
        return
    right = ~(state.contacts.picture() ^ state.now.occupancy)
    faults = {fault.device: fault for fault in state.faults}
    for square in each_square(state.mask & right):
        fault = faults[SQUARE_NAMES[square]]
        quiet = fault.code != "flicker" or state.t - state.contacts.since[square] > QUIET_MS
        if state.contacts.since[square] > fault.t and quiet:
            state.mask &= ~(1 << square)
            state.faults = tuple(each for each in state.faults if each is not fault)


def _right(state: State, tell: Tell, unseen: tuple[Candidate, ...] = ()) -> None:
    """The board is as the position says; `unseen` are moves that would leave it so."""
    if state.warning is not None:
        # What was mended is no sign of a move.
        state.contacts = forget(state.contacts)
    clear_warning(state, tell)
    state.seems = state.seemed = None
    if not set(state.choices) <= {candidate.move.text for candidate in unseen}:
        _drop_question(state)


def _drop_question(state: State) -> None:
    if state.question is not None and state.question.ask == "move":
        state.question, state.choices = None, ()


def _look_for_move(state: State, evidence: Evidence, tell: Tell) -> None:
    matches = matching(evidence, state.candidates)
    landed = tuple(each for each in matches if has_landed(evidence, each))
    if state.seems not in matches:
        state.seems = None
    if landed and _may_be_adjusting(evidence, matches):
        _ask_later(state, matches, tell)
    elif landed:
        _decide_landed(state, evidence, landed, tell)
    elif not evidence.missing | evidence.extra:
        _right(state, tell, matches)
        _ask_for_unseen(state, matches, tell)
    elif matches:
        _decide_lifted(state, evidence, matches, tell)
    elif not (state.returned and _look_for_takeback(state, evidence, tell)):
        _wrong(state, evidence, tell)


def _ask_for_unseen(state: State, unseen: tuple[Candidate, ...], tell: Tell) -> None:
    """Ask when long nothing has happened, and a legal move is one that no switch can see.

    Sooner when no other is legal; for the next dice may never come, after the last move.
    """
    if not 0 < len(unseen) <= MOST_CHOICES:
        return
    patience = 1 if len(unseen) == len(state.candidates) else UNSEEN_PATIENCE
    begun = max(state.contacts.last_edge, state.thrown_at)
    due = begun + patience * state.settings.timing.seems_ms
    if state.t < due:
        state.look_at = due
    else:
        _ask_move(state, unseen, tell)


def _decide_landed(
    state: State, evidence: Evidence, landed: tuple[Candidate, ...], tell: Tell
) -> None:
    """Every piece was seen to come down."""
    best = most_likely(evidence, landed)
    changed = evidence.missing | evidence.extra
    if len(best) > 1:
        _ask_move(state, best, tell)
    elif best[0].unfinished or not changed:
        _seem(state, best[0], tell)
    else:
        commit(state, best[0], "sensed", tell)


def _may_be_adjusting(evidence: Evidence, matches: tuple[Candidate, ...]) -> bool:
    """Whether a piece may only have been adjusted, behind a move that no switch could see."""
    return len(matches) > 1 and not evidence.missing | evidence.extra


def _ask_later(state: State, candidates: tuple[Candidate, ...], tell: Tell) -> None:
    """Ask when the hand is gone: what was seen may be no move, or another one's end."""
    clear_warning(state, tell)
    wait_ms = state.settings.timing.bear_off_ms
    if _age(state) < wait_ms:
        _look_at_age(state, wait_ms)
    else:
        _ask_move(state, candidates, tell)


def _decide_lifted(
    state: State, evidence: Evidence, matches: tuple[Candidate, ...], tell: Tell
) -> None:
    """The picture is right, but the piece may still be in the hand."""
    timing = state.settings.timing
    bears_off = all(candidate.bears_off for candidate in matches)
    wait_ms = timing.bear_off_ms if bears_off else timing.capture_ms
    if state.warning is not None and not evidence.missing & ~state.warning.fill:
        # It is among what the players were told to fill.
        wait_ms = timing.lifted_ms
    if _age(state) < wait_ms:
        _look_at_age(state, wait_ms)
        return
    best = _or_one_switch(state, evidence, most_likely(evidence, matches))
    if len(best) > 1:
        _ask_move(state, best, tell)
        return
    _seem(state, best[0], tell)
    if len(state.candidates) == 1:
        commit(state, best[0], "inferred", tell)


def _seem(state: State, candidate: Candidate, tell: Tell) -> None:
    side = state.now.turn
    assert side is not None
    if state.seems is not candidate:
        clear_warning(state, tell)
        state.seems = state.seemed = candidate
        state.seems_until = state.t + state.settings.timing.seems_ms
        tell(Seems(state.t, side, candidate.move.text))
    if state.t >= state.seems_until:
        commit(state, candidate, "inferred", tell)
    else:
        state.look_at = state.seems_until


def _ask_move(state: State, candidates: tuple[Candidate, ...], tell: Tell) -> None:
    side = state.now.turn
    assert side is not None
    state.seems = None
    ask(state, side, "move", tuple(each.move.text for each in candidates), tell)


def hurry(state: State, tell: Tell, *, again: bool) -> bool:
    """The next dice were thrown: take the picture for what it is. Whether a move was made.

    Who throws `again` after being told to move first, or asked for another move, may have moved
    where a switch is dead.
    """
    state.contacts = settled(state.contacts, state.t, state.settings.timing.contact_stable_ms)
    evidence = state.evidence()
    matches = matching(evidence, state.candidates)
    landed = tuple(each for each in matches if has_landed(evidence, each))
    changed = bool(evidence.missing | evidence.extra)
    if landed and _may_be_adjusting(evidence, matches):
        best = matches
    else:
        best = most_likely(evidence, landed or matches) if landed or (matches and changed) else ()
    if best and not landed:
        best = _or_one_switch(state, evidence, best)
    if not best and not changed and len(matches) == 1 and _is_hidden(state, matches[0]):
        best = matches
    if len(best) == 1:
        if not landed and state.seems is not best[0]:
            _seem(state, best[0], tell)
        commit(state, best[0], "sensed" if landed else "inferred", tell)
        return True
    near = best or matches
    if again or (changed and not near):
        near = _together(state, near, _one_off(evidence, state.candidates))
    asked = set(state.choices) if state.question is not None else set()
    few = again or len(near) <= MOST_CHOICES
    if near and few and not asked >= {each.move.text for each in near}:
        _ask_move(state, near, tell)
    return False


def _or_one_switch(
    state: State, evidence: Evidence, best: tuple[Candidate, ...]
) -> tuple[Candidate, ...]:
    """With what else it may be, when a square emptied before the throw: its switch may be dead."""
    gone = [
        square
        for square in each_square(evidence.missing)
        if evidence.contacts.since[square] < evidence.thrown_at
    ]
    return _together(state, best, _one_off(evidence, state.candidates)) if gone else best


def _together(state: State, *groups: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """All that are in one of the groups; the first group when they are too many to ask for."""
    texts = {candidate.move.text for group in groups for candidate in group}
    if len(texts) > MOST_CHOICES:
        return groups[0]
    return tuple(candidate for candidate in state.candidates if candidate.move.text in texts)


def _is_hidden(state: State, candidate: Candidate) -> bool:
    """Whether a switch that is left out would have shown the move."""
    return bool((candidate.occupancy ^ state.now.occupancy) & state.mask)


def _look_for_takeback(state: State, evidence: Evidence, tell: Tell) -> bool:
    """Whether the picture is one from before: another move of the last throw, or none of it."""
    if not state.played or state.phase not in {Phase.THROW, Phase.MOVE}:
        return False
    if state.phase is Phase.THROW and _look_for_other_move(state, evidence, tell):
        return True
    for count in range(1, len(state.played) + 1):
        if not evidence.fits(state.played[-count].position.occupancy):
            continue
        if not evidence.extra and _age(state) < state.settings.timing.capture_ms:
            _look_at_age(state, state.settings.timing.capture_ms)
            return True
        clear_warning(state, tell)
        take_back(state, count, tell)
        return True
    return False


def _look_for_other_move(state: State, evidence: Evidence, tell: Tell) -> bool:
    """Whether the picture is another move's of the last throw: what was committed is undone."""
    last = state.played[-1]
    others = tuple(
        each
        for each in last.candidates
        if each.move.text != last.move and evidence.fits(each.occupancy)
    )
    came_down = tuple(each for each in others if _took_its_place(state, evidence, each))
    if len(came_down) == 1:
        take_back(state, 1, tell)
        commit(state, came_down[0], "sensed", tell)
        return True
    if _is_undone(evidence, last) and any(each.lifts & evidence.missing for each in others):
        take_back(state, 1, tell)
        return True
    return False


def _took_its_place(state: State, evidence: Evidence, other: Candidate) -> bool:
    """Whether another move was seen to be made in place of the last one."""
    last = state.played[-1]
    # An edge that comes only with a reading may have been part of the move; a hand's was not.
    came_late = evidence.missing & state.contacts.read
    since_then = replace(evidence, before=last.position.occupancy)
    captured = _is_undone(evidence, last) and has_landed(since_then, other)
    return bool(evidence.extra & other.lands or came_late or captured)


def _is_undone(evidence: Evidence, last: Played) -> bool:
    """Whether every square is empty on which the last move put a piece down."""
    lands = next(each.lands for each in last.candidates if each.move.text == last.move)
    return bool(lands) and not lands & ~evidence.missing


def _wrong(state: State, evidence: Evidence, tell: Tell) -> None:
    """No legal picture: a hand at work at first, then something to say."""
    timing = state.settings.timing
    state.seems = None
    if _age(state) < timing.warning_ms:
        _look_at_age(state, timing.warning_ms)
        return
    told, side = _explained(state, evidence)
    swept = evidence.missing.bit_count() > FEW
    in_hand = not (evidence.extra or swept or state.warning)
    gone = told.refusal.code == "piece-missing" or (
        told.refusal.code == "inexact-exit" and not evidence.chute
    )
    if in_hand and gone and _age(state) < timing.lifted_ms:
        _look_at_age(state, timing.lifted_ms)
        return
    details = {**told.refusal.details, "side": side.value}
    text = state.settings.say(told.refusal.code, details)
    warning = Warned(state.t, side, told.refusal.code, told.squares, text, told.fill, told.clear)
    if not _same(state.warning, warning):
        # What was asked of this very picture stays open: the answer settles the warning too.
        if state.question is not None and state.question.t < state.contacts.last_edge:
            _drop_question(state)
        state.warning, state.warned_at = warning, state.t
        tell(warning)
    if swept:
        # What is put back from now on comes from beside the board: it is no landing of a move.
        state.contacts = forget(state.contacts)
    _doubt(state, evidence, tell)


def _explained(state: State, evidence: Evidence) -> tuple[Explanation, Side]:
    """What is wrong and whose turn it is: this one's or, when a move seems made, the next."""
    seemed = state.seemed
    if seemed is not None:
        after = replace(evidence, before=seemed.occupancy, chute=False)
        if acts_after(evidence, state.now, after, seemed):
            told = explain(after, seemed.position, None, ())
            return told, seemed.position.turn or state.side or Side.LIGHT
    told = explain(evidence, state.now, state.throw, state.candidates)
    return told, state.side or Side.LIGHT


def _same(one: Warned | None, other: Warned) -> bool:
    return one is not None and (one.code, one.squares, one.fill, one.clear) == (
        other.code,
        other.squares,
        other.fill,
        other.clear,
    )


def _doubt(state: State, evidence: Evidence, tell: Tell) -> None:
    """Nobody mends the board for long: perhaps it is right, and one switch is not."""
    due = state.warned_at + state.settings.timing.stuck_ms
    if state.phase is not Phase.MOVE or state.question is not None:
        return
    if state.t < due:
        state.look_at = due
        return
    near = _one_off(evidence, state.candidates)
    if near and len(near) <= MOST_CHOICES:
        _ask_move(state, near, tell)


def _one_off(evidence: Evidence, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The candidates whose picture this would be if one switch were wrong."""
    return tuple(each for each in candidates if differs(evidence, each.occupancy).bit_count() == 1)


def answered(state: State, candidate: Candidate, tell: Tell) -> None:
    """A person said which move it was; one square that says otherwise has a broken switch."""
    evidence = state.evidence()
    wrong = differs(evidence, candidate.occupancy)
    if state.question is not None and wrong.bit_count() == 1:
        code = "stuck-on" if wrong & state.contacts.picture() else "stuck-off"
        leave_out(state, wrong.bit_length() - 1, code, tell)
    commit(state, candidate, "answered", tell)
