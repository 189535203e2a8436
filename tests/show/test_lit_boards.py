"""The lights of every view equal their reviewed golden pictures, as the LEDs show them.

A picture has the display's view, and below it the board in three parts of a second: with all
lights, without those that blink, and also without those that wink. A disc is a LED, the ring beside
it the side of the piece on top of the square.
"""

import pytest
from PIL import Image, ImageDraw

from tests.show.views.golden import PICTURES, check_picture
from tests.show.views.scenes import SCENES
from urpi.config import LightsSection
from urpi.hardware.led_bus import LedBus
from urpi.hardware.led_chain import CHAIN, PHASE_MS, colours_of, encoded
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Side, owner
from urpi.show.lights import ALL_DARK, lights
from urpi.show.views import draw
from urpi.show.words import words_for

BOARDS = PICTURES.parent / "lights"
SETTINGS = LightsSection(on=True)
LIT = {name: snapshot for name, snapshot in SCENES.items() if lights(snapshot) != ALL_DARK}
PHASES = (0, 5, 7)
CELL = 16


def lit_board(snapshot):
    """Return what the display and the LEDs show for a snapshot."""
    display = draw(snapshot, words_for("en"))
    picture = Image.new("RGB", (8 * CELL, display.height + len(PHASES) * (3 * CELL + 4)))
    picture.paste(display)
    pen, bus = ImageDraw.Draw(picture), LedBus()
    for place, phase in enumerate(PHASES):
        colours = colours_of(lights(snapshot), phase * PHASE_MS, SETTINGS)
        bus.write(encoded(tuple(colours[square] for square in CHAIN)))
        lit = bus.lit()
        for square in ALL_SQUARES:
            row, column = "ABC".index(SQUARE_NAMES[square][0]), int(SQUARE_NAMES[square][1]) - 1
            x, y = column * CELL, display.height + place * (3 * CELL + 4) + 4 + row * CELL
            pen.rectangle((x, y, x + CELL - 2, y + CELL - 2), fill="#302418")
            # An eye sees a weak light much brighter than its number tells.
            seen = tuple(round(255 * (part / 255) ** 0.3) for part in lit.get(square, ()))
            pen.ellipse((x + 5, y + 5, x + 13, y + 13), fill=seen or "black")
            pile = snapshot.position.board[square] if snapshot.position else ()
            if side := owner(pile):
                pen.ellipse((x, y, x + 4, y + 4), outline=("white", "black")[side is Side.DARK])
    return picture


@pytest.mark.parametrize("name", LIT)
def test_the_lights_of_a_view_equal_their_golden_picture(name, update_golden):
    check_picture(name, lit_board(LIT[name]), update=update_golden, folder=BOARDS)


def test_every_golden_picture_of_lights_has_a_view():
    assert {path.stem for path in BOARDS.glob("*.png") if "." not in path.stem} == {*LIT}
