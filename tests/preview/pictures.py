"""Every picture of the display in two languages, with what is cut or covered in the second."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest
from PIL import Image

from tests.show.views.scenes import SCENES, squares, warning_scene
from tests.show.views.test_languages import (
    DETAILS,
    endings,
    faults,
    nameless,
    refusals,
    screens,
    set_ups,
    turns,
)
from tests.show.views.text_monitor import monitored
from urpi.show.views import draw, draw_menu
from urpi.show.words import Words
from urpi.show.words import sentences as tables

Draw = Callable[[Words], Image.Image]


class PicturePair(NamedTuple):
    """The display in English and in another language; `cut` names the lines that do not fit."""

    english: Image.Image
    other: Image.Image
    cut: str


def picture_pairs(english: Words, words: Words) -> Iterator[PicturePair]:
    """Yield each picture that the two languages have, once."""
    known = set()
    for covered, drawing in _drawings():
        pair = drawing(english), drawing(words)
        key = tuple(one.tobytes() for one in pair)
        if key not in known:
            known.add(key)
            yield PicturePair(*pair, _cut(drawing, words, covered=covered))


def _cut(drawing: Draw, words: Words, *, covered: bool) -> str:
    """Return what the tests of the display find wrong, measured with its fonts."""
    try:
        with monitored(covered=covered):
            drawing(words)
    except pytest.fail.Exception as failed:
        return str(failed)
    return ""


def _drawings() -> Iterator[tuple[bool, Draw]]:
    """Yield functions that draw a picture, each with whether it intentionally covers some text."""
    plain = (
        nameless(scene)
        for name, scene in SCENES.items()
        if scene.warning is None and not name.startswith("set-up")
    )
    for group in (plain, refusals(), faults(), turns(), endings(), set_ups()):
        for snapshot in group:
            yield False, lambda words, shown=snapshot: draw(shown, words)
    scene = warning_scene("must-move", squares("A4", "B2"), squares("B8", "C3"))
    for code in tables.WARNINGS:
        for details in DETAILS:
            yield (
                False,
                lambda words, code=code, details=details: draw(
                    replace(
                        scene,
                        warning=replace(
                            scene.warning, text=words.sentence(code, {**details, "side": "light"})
                        ),
                    ),
                    words,
                ),
            )
    for screen, around in screens():
        yield True, lambda words, one=screen, at=around: draw_menu(one, at.snapshot, words)
