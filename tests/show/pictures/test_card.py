"""Cards: the picture of a position shows what the position contains."""

import pytest
from PIL import Image, ImageColor

from urpi.rules import parse_move, parse_position, parse_square
from urpi.show.pictures import Card, CardLabels, CardPainter
from urpi.show.svg.plan import PITCH, centre
from urpi.show.svg.themes import THEMES

SCALE = 2
LABELS = CardLabels("hand", "home")
SHELL = (0xF4, 0xE8, 0xCF)
LIGHT, DARK, MARK = (0xFF, 0xFD, 0xF6), (0x26, 0x24, 0x2A), (0x1A, 0x7F, 0x37)


@pytest.fixture(scope="module")
def painter() -> CardPainter:
    return CardPainter(400 * SCALE, LABELS)


def paint(painter: CardPainter, position: str, **more: object) -> Image.Image:
    return painter.paint(Card(parse_position(position), ("Ann", "Bob"), **more))


def colour(picture: Image.Image, square: str, across: float = 0, down: float = 0) -> object:
    """Return the colour at a distance from the centre of a square, in units."""
    x, y = centre(parse_square(square))
    return picture.getpixel((round((x + 26 + across) * SCALE), round((y + 22 + down) * SCALE)))


def test_a_card_has_the_shape_of_link_previews(painter: CardPainter) -> None:
    assert paint(painter, "finkel - L7D7 L0D0 L").size == (800, 420)
    assert CardPainter(1200, LABELS).paint(
        Card(parse_position("finkel - L7D7 L0D0 L"), ("", ""))
    ).size == (1200, 630)


def test_every_piece_is_drawn_on_its_square_and_nowhere_else(painter: CardPainter) -> None:
    empty = paint(painter, "finkel - L7D7 L0D0 L")
    picture = paint(painter, "finkel A3:L,B4:D,C8:D L6D5 L0D0 L")
    # Between the centre of a piece and its ring, no motif and no dot changes the colour.
    assert colour(picture, "A3", 6) == LIGHT
    assert colour(picture, "B4", 6) == colour(picture, "C8", 6) == DARK
    for square in ("A1", "A2", "B3", "B5", "C7"):
        assert colour(picture, square, 6) == colour(empty, square, 6)


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_replaces_the_colours_of_the_board(theme: str) -> None:
    picture = paint(CardPainter(400 * SCALE, LABELS, theme), "finkel - L7D7 L0D0 L")
    for square, own in (("A2", "#f4e8cf"), ("B4", "#fbf4e4")):
        ground = THEMES[theme].get(own, own)
        assert colour(picture, square, 17, 17) == ImageColor.getrgb(ground)
        drawn = {colour(picture, square, x, y) for x in range(-16, 17) for y in range(-16, 17)}
        only_ground = theme == "plain" and square == "A2"
        assert (len(drawn) == 1) == only_ground


def test_turned_pieces_have_dots_and_piles_a_number(painter: CardPainter) -> None:
    plain = paint(painter, "skiryuk B4:L L6D7 L0D0 L")
    dotted = paint(painter, "skiryuk B4:L' L6D7 L0D0 L")
    assert colour(plain, "B4") == LIGHT
    assert colour(dotted, "B4") == (0xA8, 0x3A, 0x28)
    pile = paint(painter, "ravensburger B4:DDL L9D8 L0D0 L")
    assert colour(pile, "B4", 12, 5) == (0xA3, 0x31, 0x07)


@pytest.mark.parametrize(
    ("move", "marked"), [("+A4", "A4"), ("A2-A3", "A3"), ("B7xB8", "B8"), ("A7-off", None)]
)
def test_the_target_of_the_move_is_framed(
    painter: CardPainter, move: str, marked: str | None
) -> None:
    picture = paint(painter, "finkel - L7D7 L0D0 L", moved=parse_move(move))
    edge = PITCH / 2 - 1
    framed = [name for name in ("A2", "A3", "A4", "B8") if colour(picture, name, -edge, 9) == MARK]
    assert framed == ([marked] if marked else [])


def test_names_captions_and_dice_change_the_picture_and_long_ones_fit(
    painter: CardPainter,
) -> None:
    start = parse_position("finkel - L7D7 L0D0 L")
    pictures = [
        painter.paint(Card(start, names, faces=faces, caption=caption)).tobytes()
        for names, faces, caption in (
            (("Ann", "Bob"), "", ""),
            (("Ann", "Bob"), "gs--", ""),
            (("Ann", "Bob"), "gs--", "Ann: A3"),
            (("Ann", "Щука Őrült"), "gs--", "Ann: A3"),
            (("W" * 300, "\x1b\N{SNOWMAN}"), "6", "x" * 900),
        )
    ]
    assert len(set(pictures)) == len(pictures)
