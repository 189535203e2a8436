import pytest
from PIL import Image

from urpi.hardware.screen_saver import Appearance, Brightness, ScreenSaver, shifted

BRIGHT, DIM, DARK = Appearance(), Appearance(Brightness.DIM), Appearance(Brightness.DARK)


@pytest.mark.parametrize(
    ("saver", "idle_ms", "appearance", "next_change"),
    [
        (ScreenSaver(100, 500, 0), 0, BRIGHT, 100),
        (ScreenSaver(100, 500, 0), 99, BRIGHT, 100),
        (ScreenSaver(100, 500, 0), 100, DIM, 500),
        (ScreenSaver(100, 500, 0), 500, DARK, None),
        (ScreenSaver(100, 500, 0), 9000, DARK, None),
        (ScreenSaver(0, 500, 0), 499, BRIGHT, 500),
        (ScreenSaver(0, 0, 0), 10**9, BRIGHT, None),
        (ScreenSaver(100, 0, 0), 10**9, DIM, None),
        (ScreenSaver(100, 500, 50), 100, DIM, 150),
        (ScreenSaver(100, 500, 50), 150, Appearance(Brightness.DIM, (1, 0)), 200),
        (ScreenSaver(100, 500, 50), 449, Appearance(Brightness.DIM, (-1, -1)), 450),
        (ScreenSaver(500, 100, 0), 100, DARK, None),
    ],
)
def test_appearance_and_next_change_by_idle_time(saver, idle_ms, appearance, next_change):
    assert saver.appearance(idle_ms) == appearance
    assert saver.next_change(idle_ms) == next_change


def test_appearance_changes_at_every_next_change():
    saver = ScreenSaver(1000, 20_000, 700)
    idle_ms, seen = 0, [saver.appearance(0)]
    while (change := saver.next_change(idle_ms)) is not None:
        assert saver.appearance(change - 1) == seen[-1]
        idle_ms = change
        seen.append(saver.appearance(change))
    assert seen[0].brightness is Brightness.BRIGHT
    assert seen[-1].brightness is Brightness.DARK
    assert len({appearance.shift for appearance in seen}) == 9


def test_shifted_drops_pixels_outside_the_picture():
    image = Image.new("1", (128, 64), 1)
    assert shifted(image, (1, 0)).getbbox() == (1, 0, 128, 64)
    assert shifted(image, (-1, 1)).getbbox() == (0, 1, 127, 64)
    assert shifted(image, (0, 0)) is image
