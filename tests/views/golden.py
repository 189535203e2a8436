"""Golden pictures: what a view must draw, pixel by pixel, kept as PNG files."""

from pathlib import Path

from PIL import Image, ImageChops

PICTURES = Path(__file__).parents[1] / "golden" / "views"


def check_picture(name, actual, *, update):
    """Compare with the golden picture of that name; a mismatch leaves `actual` and `diff`."""
    golden, found, difference = (
        PICTURES / f"{name}{kind}.png" for kind in ("", ".actual", ".diff")
    )
    if update:
        golden.parent.mkdir(parents=True, exist_ok=True)
        actual.save(golden)
    assert golden.exists(), f"{golden} is missing; run pytest --update-golden and look at it."
    expected = Image.open(golden).convert("1")
    if expected.tobytes() == actual.tobytes():
        found.unlink(missing_ok=True)
        difference.unlink(missing_ok=True)
        return
    actual.save(found)
    ImageChops.logical_xor(expected, actual).save(difference)
    message = f"{golden} is not what is drawn; look at {found.name} and {difference.name}."
    raise AssertionError(message)
