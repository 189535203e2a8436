"""The events of a game of two tables: what one table referees, and the other one repeats.

Both tables have the same events in the same order. They are not stored for themselves: they follow
from the decisions in the journal, so that a table that has its journal has everything.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from urpi.core.codec import Codec, Type, short_text
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Abandoned, Decision, Drawn, Moved, Roll, TakenBack, Won
from urpi.referee.facts import (
    Abandon,
    Answer,
    Claim,
    Confidence,
    Draw,
    Fact,
    RemoteMove,
    RemoteTakeback,
    RemoteThrow,
    Resign,
)
from urpi.rules import Side, parse_move

ShortText: TypeAlias = Annotated[str, short_text(100)]


@dataclass(frozen=True, slots=True)
class SharedThrow:
    """A throw that counts, with its faces."""

    side: Side
    faces: Annotated[str, short_text(8)]


@dataclass(frozen=True, slots=True)
class SharedMove:
    """A move, and how the table of the player knows it."""

    side: Side
    move: ShortText
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class SharedTakeback:
    """The newest move was taken back."""

    side: Side
    move: ShortText


@dataclass(frozen=True, slots=True)
class SharedResignation:
    """A side has resigned."""

    side: Side


@dataclass(frozen=True, slots=True)
class SharedClaim:
    """A side has claimed the game, because the other one was silent."""

    side: Side


@dataclass(frozen=True, slots=True)
class SharedDraw:
    """The game is drawn, by a code of `urpi.referee.decisions.Drawn`."""

    code: ShortText


@dataclass(frozen=True, slots=True)
class SharedAbandoning:
    """The game was abandoned."""


SharedEnd: TypeAlias = SharedResignation | SharedClaim | SharedDraw | SharedAbandoning
"""An end of the game that does not follow from a move."""
SharedEvent: TypeAlias = SharedThrow | SharedMove | SharedTakeback | SharedEnd
EVENTS: Final[Codec[SharedEvent]] = Codec(
    "an event of type {}",
    (
        Type("throw", SharedThrow),
        Type("move", SharedMove),
        Type("takeback", SharedTakeback),
        Type("resign", SharedResignation),
        Type("claim", SharedClaim),
        Type("draw", SharedDraw),
        Type("abandon", SharedAbandoning),
    ),
    strict=True,
)
"""An event's line is that of which the checksum is made (FORMATS.md, Two tables)."""
AGREED: Final = "agreed"


def _event_of(decision: Decision) -> SharedEvent | None:
    """The event that a decision is, None if the other table need not know of it.

    It knows passes and wins from the throws and moves.
    """
    match decision:
        case Roll(side=side, faces=faces):
            return SharedThrow(side, faces)
        case Moved(side=side, move=move, confidence=confidence):
            return SharedMove(side, move, confidence)
        case TakenBack(side=side, move=move):
            return SharedTakeback(side, move)
        case Won(side=winner, code="resigned"):
            return SharedResignation(winner.other)
        case Won(side=winner, code="silent"):
            return SharedClaim(winner)
        case Drawn(code=code):
            return SharedDraw(code)
        case Abandoned():
            return SharedAbandoning()
        case _:
            return None


def events_of(decisions: Iterable[Decision]) -> tuple[SharedEvent, ...]:
    """The events among decisions, in their order."""
    found = map(_event_of, decisions)
    return tuple(event for event in found if event is not None)


def planned_event(snapshot: Snapshot) -> SharedMove | None:
    """The other table's move that is still to be made on this board, or None."""
    side, planned, confidence = snapshot.remote, snapshot.planned, snapshot.planned_as
    if side is None or planned is None or confidence is None:
        return None
    return SharedMove(side, planned, confidence)


def one_sided_end(events: Sequence[SharedEvent], side: Side) -> Literal["resign", "claim"] | None:
    """Return what ended a game at the table of `side` alone, None if it has no such end."""
    if list(events[-1:]) == [SharedResignation(side)]:
        return "resign"
    return "claim" if list(events[-1:]) == [SharedClaim(side)] else None


def holder(snapshot: Snapshot) -> Side | None:
    """Return the side whose table decides what happens next; None after the end.

    Only this table adds events, so that there is one order. A move of the other table counts from
    its arrival, before hands have made it here.
    """
    position, throw, planned = snapshot.position, snapshot.throw, snapshot.planned
    if position is None or snapshot.phase is Phase.OVER:
        return None
    if snapshot.remote is None or throw is None or planned is None:
        return position.turn
    return position.rules.play(position, throw, parse_move(planned)).turn


def fact_of(event: SharedEvent, t: int, snapshot: Snapshot) -> Fact | None:
    """The fact by which an event of the other table enters the game here.

    Args:
        event: The event.
        t: The time of the fact.
        snapshot: The game as it stands here.

    Returns:
        None if the event does not fit the game as it stands: hands here may still have to make
        the move before it.
    """
    match event:
        case SharedThrow(side=side, faces=faces):
            fits = snapshot.phase is Phase.THROW and snapshot.side is side
            return RemoteThrow(t, side, faces) if fits else None
        case SharedMove(side=side, move=move, confidence=confidence):
            rolled = snapshot.rolled
            fits = snapshot.phase is Phase.MOVE and snapshot.side is side
            fits = fits and (snapshot.thinking or side is not snapshot.remote)
            legal = rolled is not None and move in rolled.legal
            return RemoteMove(t, side, move, confidence) if fits and legal else None
        case SharedTakeback(side=side, move=move):
            return RemoteTakeback(t, side, move) if _is_newest(side, move, snapshot) else None
        case SharedResignation(side=side):
            return Resign(t, side)
        case SharedClaim(side=side):
            return Claim(t, side)
        case SharedDraw(code=code):
            # The event does not state who claimed the draw, and the result is the same.
            return Draw(t, snapshot.side or Side.LIGHT, agreed=code == AGREED)
        case _:
            return Abandon(t, Side.LIGHT)


def _is_newest(side: Side, move: str, snapshot: Snapshot) -> bool:
    """Return whether a move is the newest of the game, and may be taken back."""
    if snapshot.phase not in {Phase.THROW, Phase.MOVE}:
        return False
    if snapshot.planned is not None and snapshot.side is side:
        return snapshot.planned == move
    acted = snapshot.acted
    if isinstance(acted, TakenBack):
        # Another move of the same turn may be taken back after it; the referee knows which.
        return acted.side is side
    return isinstance(acted, Moved) and (acted.side, acted.move) == (side, move)


def last_act(events: Sequence[SharedEvent], side: Side) -> int:
    """The number of a side's last throw or move, which its own table has added; 0 without one."""
    acts = (
        number
        for number in range(len(events), 0, -1)
        if isinstance(one := events[number - 1], SharedThrow | SharedMove) and one.side is side
    )
    return next(acts, 0)


def lost_fact(event: SharedEvent, t: int, snapshot: Snapshot) -> Fact | None:
    """The fact by which an event that the journal here has had enters the game again.

    The pieces were moved then, so hands need not make the moves before it.
    """
    if snapshot.planned is not None and isinstance(event, SharedThrow):
        return Answer(t, move=snapshot.planned)
    return fact_of(event, t, snapshot)


def newest_move(snapshot: Snapshot, by: Side) -> str | None:
    """The newest move of the game if that side made it, None otherwise."""
    if snapshot.planned is not None and snapshot.side is by:
        return snapshot.planned
    acted = snapshot.acted
    is_open = snapshot.phase is Phase.THROW and isinstance(acted, Moved)
    return acted.move if is_open and isinstance(acted, Moved) and acted.side is by else None
