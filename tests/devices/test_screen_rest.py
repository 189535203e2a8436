import pytest
from PIL import Image

from urpi.devices.screen_rest import Glow, Look, Rest, shifted

BRIGHT, DIM, DARK = Look(), Look(Glow.DIM), Look(Glow.DARK)


@pytest.mark.parametrize(
    ("rest", "idle_ms", "look", "next_change"),
    [
        (Rest(100, 500, 0), 0, BRIGHT, 100),
        (Rest(100, 500, 0), 99, BRIGHT, 100),
        (Rest(100, 500, 0), 100, DIM, 500),
        (Rest(100, 500, 0), 500, DARK, None),
        (Rest(100, 500, 0), 9000, DARK, None),
        (Rest(0, 500, 0), 499, BRIGHT, 500),
        (Rest(0, 0, 0), 10**9, BRIGHT, None),
        (Rest(100, 0, 0), 10**9, DIM, None),
        (Rest(100, 500, 50), 100, DIM, 150),
        (Rest(100, 500, 50), 150, Look(Glow.DIM, (1, 0)), 200),
        (Rest(100, 500, 50), 449, Look(Glow.DIM, (-1, -1)), 450),
        (Rest(500, 100, 0), 100, DARK, None),
    ],
)
def test_how_the_panel_looks_after_so_long_and_when_that_changes(rest, idle_ms, look, next_change):
    assert rest.look(idle_ms) == look
    assert rest.next_change(idle_ms) == next_change


def test_every_next_change_changes_something():
    rest = Rest(1000, 20_000, 700)
    idle_ms, seen = 0, [rest.look(0)]
    while (change := rest.next_change(idle_ms)) is not None:
        assert rest.look(change - 1) == seen[-1]
        idle_ms = change
        seen.append(rest.look(change))
    assert seen[0].glow is Glow.BRIGHT
    assert seen[-1].glow is Glow.DARK
    assert len({look.shift for look in seen}) == 9


def test_a_shifted_picture_loses_what_leaves_it():
    image = Image.new("1", (128, 64), 1)
    assert shifted(image, (1, 0)).getbbox() == (1, 0, 128, 64)
    assert shifted(image, (-1, 1)).getbbox() == (0, 1, 127, 64)
    assert shifted(image, (0, 0)) is image
