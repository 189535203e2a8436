"""Golden pictures: the expected pictures of the views as PNG files, compared pixel by pixel."""

from pathlib import Path

from PIL import Image, ImageChops

PICTURES = Path(__file__).parents[2] / "golden" / "views"


def check_picture(name, actual, *, update, folder=PICTURES):
    """Compare a picture with the golden one of that name.

    On a mismatch the actual picture and the difference are written next to the golden picture.
    """
    golden, found, difference = (folder / f"{name}{kind}.png" for kind in ("", ".actual", ".diff"))
    if update:
        golden.parent.mkdir(parents=True, exist_ok=True)
        actual.save(golden)
    assert golden.exists(), f"{golden} is missing; run pytest --update-golden and review it."
    expected = Image.open(golden).convert(actual.mode)
    if expected.tobytes() == actual.tobytes():
        found.unlink(missing_ok=True)
        difference.unlink(missing_ok=True)
        return
    actual.save(found)
    # In black and white this is where the pixels differ.
    ImageChops.difference(*(each.convert("L") for each in (expected, actual))).save(difference)
    message = f"{golden} differs from the picture drawn; see {found.name} and {difference.name}."
    raise AssertionError(message)
