"""The icons are those that are drawn from icon.svg."""

import pytest
from PIL import Image, ImageChops

from tools.icons import FOLDER, icons

DRAWN = icons()


@pytest.mark.parametrize("name", DRAWN)
def test_an_icon_is_current(name: str) -> None:
    with Image.open(FOLDER / name) as stored:
        difference = ImageChops.difference(stored.convert("RGBA"), DRAWN[name])
        assert difference.getchannel("A").getextrema()[1] < 64
        # Versions of Pillow choose slightly different palettes.
        assert (
            sum(difference.convert("RGB").convert("L").histogram()[32:])
            < 0.01 * stored.width * stored.height
        )


def test_there_is_no_other_icon() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(DRAWN)
