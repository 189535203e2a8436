"""The pictures of a throw: the board before it and after every change."""

from collections.abc import Iterator
from dataclasses import dataclass

from urpi.referee.decisions import Fault, Moved, TakenBack
from urpi.rules import SQUARE_NAMES, Position, parse_move, parse_position, parse_square
from urpi.show.evidence.story import Decided, Event, ThrowStory, occupancy_after
from urpi.show.svg import BoardScene


@dataclass(frozen=True, slots=True)
class Picture:
    """A scene and the event that led to it, None for the first one."""

    scene: BoardScene
    event: Event | None = None


def positions_of(throw: ThrowStory) -> Iterator[tuple[Event, Position, Position]]:
    """Yield every event with the position before and after it."""
    # A stack, since a take-back returns to the position before the move.
    before = [throw.position]
    for event in throw.events:
        old = before[-1]
        match event:
            case Decided(decision=Moved(position=text)):
                before.append(parse_position(text))
            case Decided(decision=TakenBack()) if len(before) > 1:
                before.pop()
        yield event, old, before[-1]


def pictures_of(throw: ThrowStory) -> Iterator[Picture]:
    occupancy, left_out = throw.occupancy, throw.left_out
    yield Picture(BoardScene(throw.position, occupancy, left_out=left_out))
    for event, _, position in positions_of(throw):
        seen = occupancy_after(event)
        if seen is not None and seen != occupancy:
            occupancy = seen
            yield Picture(BoardScene(position, occupancy, left_out=left_out), event)
        match event:
            case Decided(decision=Moved(move=move)):
                yield Picture(BoardScene(position, occupancy, parse_move(move), left_out), event)
            case Decided(decision=TakenBack()):
                yield Picture(BoardScene(position, occupancy, left_out=left_out), event)
            case Decided(decision=Fault(device=device)) if device in SQUARE_NAMES:
                left_out |= 1 << parse_square(device)
