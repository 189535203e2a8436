"""The pictures of a throw: how the board looked before it, and after every change."""

from collections.abc import Iterator
from dataclasses import dataclass

from urpi.evidence.story import Decided, Event, ThrowStory, picture_after
from urpi.referee.decisions import Moved, TakenBack
from urpi.rules import Position, Squares, parse_move, parse_position
from urpi.svg import BoardScene


@dataclass(frozen=True, slots=True)
class Picture:
    """A scene and the event that led to it, None for the one at the beginning."""

    scene: BoardScene
    event: Event | None = None


def positions_of(throw: ThrowStory) -> Iterator[tuple[Event, Position, Position]]:
    """Every event with the position before it and behind it."""
    before = [throw.position]
    for event in throw.events:
        was = before[-1]
        match event:
            case Decided(decision=Moved(position=text)):
                before.append(parse_position(text))
            case Decided(decision=TakenBack()) if len(before) > 1:
                before.pop()
        yield event, was, before[-1]


def pictures_of(throw: ThrowStory) -> Iterator[Picture]:
    """The pictures in their order."""
    picture: Squares = throw.picture
    yield Picture(BoardScene(throw.position, picture, left_out=throw.left_out))
    for event, _, position in positions_of(throw):
        seen = picture_after(event)
        if seen is not None and seen != picture:
            picture = seen
            yield Picture(BoardScene(position, picture, left_out=throw.left_out), event)
        match event:
            case Decided(decision=Moved(move=move)):
                scene = BoardScene(position, picture, parse_move(move), throw.left_out)
                yield Picture(scene, event)
            case Decided(decision=TakenBack()):
                yield Picture(BoardScene(position, picture, left_out=throw.left_out), event)
