"""The page that shows at the end of a game who was lucky and who erred."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from tests.show.views.golden import check_picture
from tests.show.views.text_monitor import monitored
from tests.slow import slow_except
from urpi.rules import Side
from urpi.show.views import draw_end_review
from urpi.show.words import Words, display_languages, words_for
from urpi.show.words.end_review import EndReview, end_sentences

ANN_LUCKY = EndReview(12, "Ann", "Zoë", Side.LIGHT, luck=0.4, loss=-0.25, mistakes=(1, 5))
SCENES = {
    "lucky": ANN_LUCKY,
    "even": replace(ANN_LUCKY, luck=0.01, loss=0.02, mistakes=(2, 2), winner=None),
    "names": replace(
        ANN_LUCKY,
        light="Nebuchadnezzar the Second",
        dark="Hammurabi of Babylon",
        luck=-0.1,
        winner=Side.DARK,
    ),
}
LANGUAGES = display_languages()


def every_end(light: str = "", dark: str = "") -> Iterator[EndReview]:
    """Yield reviews that lead to every sentence, for both sides."""
    values = (-0.9, -0.1, 0.0, 0.9)
    counts = ((0, 0), (1, 1), (12, 12), (0, 1), (2, 0), (5, 0), (0, 21))
    for winner, luck, loss, mistakes in product((None, *Side), values, values, counts):
        yield EndReview(1, light, dark, winner, luck, loss, mistakes)


@pytest.mark.parametrize(
    ("end", "sentences"),
    [
        (ANN_LUCKY, ["Ann was much luckier.", "Zoë made 4 more mistakes."]),
        (replace(ANN_LUCKY, luck=-0.2), ["Zoë was luckier.", "Zoë made 4 more mistakes."]),
        (
            replace(ANN_LUCKY, luck=0.04, mistakes=(0, 0)),
            ["Both were equally lucky.", "Neither made a mistake."],
        ),
        (
            replace(ANN_LUCKY, loss=0.01, mistakes=(1, 1)),
            ["Ann was much luckier.", "Each made 1 mistake."],
        ),
        # Two small mistakes give away less than one that is very bad.
        (
            replace(ANN_LUCKY, loss=-0.3, mistakes=(2, 1)),
            ["Ann was much luckier.", "Zoë made the bigger mistakes."],
        ),
        (
            replace(ANN_LUCKY, light="", loss=0.3, mistakes=(2, 2)),
            ["Light was much luckier.", "Light made the bigger mistakes."],
        ),
    ],
)
def test_the_sentences_name_who_was_lucky_and_who_erred(
    end: EndReview, sentences: list[str]
) -> None:
    assert end_sentences(end, words_for("en")) == sentences


@pytest.mark.parametrize("language", slow_except(LANGUAGES, "hu"))
def test_every_sentence_is_complete(language: str) -> None:
    words: Words = words_for(language)
    with monitored() as monitor:
        for end in every_end():
            draw_end_review(end, words)
        for end in every_end("Ann", "urpi hard"):
            draw_end_review(end, words)
    assert monitor.lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SCENES)
def test_page_equals_its_golden_picture(name: str, language: str, *, update_golden: bool) -> None:
    picture = draw_end_review(SCENES[name], words_for(language))
    check_picture(f"languages/{language}-end-{name}", picture, update=update_golden)
