"""Animations: the frames of the GIF, as another decoder reads them."""

from io import BytesIO

import pytest
from PIL import Image, ImageChops

from urpi.rules import parse_position
from urpi.show.pictures import Card, CardLabels, CardPainter, write_animation

POSITIONS = (
    "finkel - L7D7 L0D0 L",
    "finkel A3:L L6D7 L0D0 D",
    "finkel A3:L L6D7 L0D0 D",
    "finkel A3:L,C4:D L6D6 L0D0 L",
)


@pytest.fixture(scope="module")
def painter() -> CardPainter:
    return CardPainter(400, CardLabels("hand", "home"))


def cards() -> list[Card]:
    return [Card(parse_position(one), ("Ann", "Bob")) for one in POSITIONS]


def animation(painter: CardPainter, cards: list[Card]) -> Image.Image:
    file = BytesIO()
    count = write_animation(file, cards, painter, step_ms=1000, last_ms=4000)
    assert count == len(cards)
    file.seek(0)
    return Image.open(file)


def test_every_card_is_a_frame_shown_for_its_time_and_repeated_forever(
    painter: CardPainter,
) -> None:
    with animation(painter, cards()) as gif:
        assert (gif.format, gif.size, gif.n_frames) == ("GIF", (400, 210), len(POSITIONS))
        assert gif.info["loop"] == 0
        times = []
        for at in range(gif.n_frames):
            gif.seek(at)
            times.append(gif.info["duration"])
    assert times == [1000, 1000, 1000, 4000]


def test_every_frame_shows_its_card_in_nearly_its_colours(painter: CardPainter) -> None:
    with animation(painter, cards()) as gif:
        for at, card in enumerate(cards()):
            gif.seek(at)
            difference = ImageChops.difference(gif.convert("RGB"), painter.paint(card)).convert("L")
            histogram = difference.histogram()
            # The palette changes colours a little; a missing piece would change 500 pixels a lot.
            assert sum(histogram[48:]) < 100, at


def test_a_single_card_is_an_animation(painter: CardPainter) -> None:
    with animation(painter, cards()[:1]) as gif:
        assert (gif.n_frames, gif.info["duration"]) == (1, 4000)
