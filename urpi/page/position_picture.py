"""A picture of any position, with a throw and a move as an arrow, as the content of a file."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from urpi.page.game_pictures import card_png, labels_of, words_in
from urpi.rules import Move, Position, Side, Throw
from urpi.show.pictures import Card
from urpi.show.svg import BoardScene, Labels, board_document
from urpi.show.svg.themes import LAPIS
from urpi.show.words import Words
from urpi.show.words.move_texts import move_text
from urpi.show.words.sentences import N_

PositionForm: TypeAlias = Literal["svg", "png"]


@dataclass(frozen=True, slots=True)
class PositionPicture:
    """A picture to draw.

    Attributes:
        position: The position.
        form: The format of its file.
        language: The language of its texts.
        throw: The throw to be played, None before it.
        move: A move that is drawn as an arrow; it is not played.
        theme: One of `urpi.show.svg.themes.THEMES`.
    """

    position: Position
    form: PositionForm
    language: str
    throw: Throw | None = None
    move: Move | None = None
    theme: str = LAPIS


def draw_position(picture: PositionPicture) -> bytes:
    """Return the content of a picture file."""
    words, position = words_in(picture.form, picture.language), picture.position
    caption = _caption(picture, words)
    arrow = picture.move if picture.move is not None and picture.move.parts else None
    if picture.form == "svg":
        scene = BoardScene(position, position.occupancy, arrow)
        labels = Labels(caption, *labels_of(position.rules, words))
        return board_document(scene, labels, picture.theme).encode()
    light, dark = (words.side(side) for side in Side)
    faces = "" if picture.throw is None else picture.throw.faces
    card = Card(position, (light, dark), arrow, faces, caption, position.turn)
    return card_png(card, words, picture.theme)


def _caption(picture: PositionPicture, words: Words) -> str:
    side = picture.position.turn
    if side is None:
        winner = picture.position.rules.winner(picture.position)
        if winner is None:
            return words.text(N_("No winner"))
        return words.text(N_("{name} wins!")).format(name=words.side(winner))
    if picture.move is not None:
        move = move_text(picture.move, words)
        return words.text(N_("{name}: {move}")).format(name=words.side(side), move=move)
    if picture.throw is not None:
        value = words.text(N_("Throw: {value}")).format(value=picture.throw.value)
        return f"{words.side(side)} \N{MIDDLE DOT} {value}"
    return words.text(N_("Next to throw: {side}.")).format(side=words.side(side))
