"""Drawing dice by their faces and states."""

import pytest

from tests.show.views.golden import check_picture
from tests.show.views.scenes import MIDDLE, to_throw
from urpi.show.views.dice_row import (
    BIG_DIE,
    ROLLING,
    SMALL_DIE,
    WAITING,
    DieSymbol,
    draw_dice,
    row_width,
    symbols_of,
    symbols_of_faces,
)
from urpi.show.views.panel import WIDTH, blank

AT_REST = (DieSymbol(5, WAITING), DieSymbol(6, ROLLING))


@pytest.mark.parametrize(("body", "faces"), [("d4", "gs"), ("d4", "-s"), ("d6", "123456")])
def test_every_face_has_its_own_picture(body, faces):
    drawn = set()
    for face in faces:
        image = blank()
        draw_dice(image, (0, 0), body, symbols_of_faces(face), SMALL_DIE)
        drawn.add(image.tobytes())
    assert len(drawn) == len(faces)


@pytest.mark.parametrize(
    ("name", "body", "faces"),
    [("dice-d4", "d4", "gs-"), ("dice-d6", "d6", "1234"), ("dice-d6-high", "d6", "56")],
)
def test_dice_equal_their_golden_picture(name, body, faces, update_golden):
    image = blank()
    rest = AT_REST if len(faces) < 4 else ()
    draw_dice(image, (0, 0), body, symbols_of_faces(faces) + rest[:1], BIG_DIE)
    draw_dice(image, (0, 32), body, symbols_of_faces(faces) + rest, SMALL_DIE)
    check_picture(name, image, update=update_golden)


def test_dice_of_a_snapshot_are_ordered_by_number():
    snapshot = to_throw(MIDDLE, rolling=(2,), waiting=(2, 3), settled=((4, "-"), (1, "g")))
    assert symbols_of(snapshot) == (
        DieSymbol(1, "g"),
        DieSymbol(2, ROLLING),
        DieSymbol(3, WAITING),
        DieSymbol(4, "-"),
    )


def test_four_dice_fit_the_panel():
    assert row_width(4, BIG_DIE) <= WIDTH
