"""Stories: the facts of a table at which something goes wrong, and what its players then read.

A story in `stories/` has its facts (``.jsonl``), the words in every language (``.txt``) and the
picture on the OLED (``.png``); `--update-golden` writes the last two, to be reviewed.
"""

from pathlib import Path

import pytest

from tests.show.views.golden import check_picture
from urpi.referee import Settings, begin, snapshot, step
from urpi.referee.lines import parse_fact
from urpi.referee.snapshot import Snapshot
from urpi.show.views import draw
from urpi.show.views.phrases import refusal
from urpi.show.words import languages, words_for

STORIES = Path(__file__).parent / "stories"


def played(name: str, language: str) -> Snapshot:
    """Return the end of a story at a table with a language."""
    state = begin(Settings(words_for(language).sentence))
    for line in (STORIES / f"{name}.jsonl").read_text("utf-8").splitlines():
        state, _ = step(state, parse_fact(line))
    return snapshot(state)


def words_of(shown: Snapshot, language: str) -> str:
    """Return what the players read first: the warning, or why a throw was refused."""
    if shown.warning is not None:
        return shown.warning.text
    return refusal(shown, words_for(language))


@pytest.mark.parametrize("name", sorted(path.stem for path in STORIES.glob("*.jsonl")))
def test_the_players_of_a_story_read_what_happened(name: str, update_golden: bool) -> None:
    found = "".join(
        f"{language}: {words_of(played(name, language), language)}\n" for language in languages()
    )
    expected = STORIES / f"{name}.txt"
    if update_golden:
        expected.write_text(found, "utf-8")
    assert found == expected.read_text("utf-8")
    picture = draw(played(name, "en"), words_for("en"))
    check_picture(name, picture, update=update_golden, folder=STORIES)
