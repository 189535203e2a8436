"""Stories: a table at which something happens, and what its players then read.

A story in `stories/` is a few acts (``.story``, see `tests.referee.story`) or all facts of a table
(``.jsonl``). Beside it are the words in every language (``.txt``) and the picture on the OLED
(``.png``); `--update-golden` writes them, to be reviewed.
"""

from pathlib import Path

import pytest

from tests.referee.story import tell
from tests.show.views.golden import check_picture
from urpi.referee import Settings, begin, snapshot, step
from urpi.referee.decisions import Cleared, Decision, Fault, Ready
from urpi.referee.lines import parse_fact
from urpi.referee.snapshot import Snapshot
from urpi.rules.refusals import REFUSAL_CODES
from urpi.show.views import draw
from urpi.show.views.phrases import refusal
from urpi.show.words import display_languages, words_for
from urpi.show.words.decisions import announcements

STORIES = Path(__file__).parent / "stories"
NAMES = sorted(path.stem for path in STORIES.iterdir() if path.suffix in {".story", ".jsonl"})
WITHOUT_STORY = {"must-move", "must-enter"}
"""Codes that are no warnings of a board: nobody can show a pass with the pieces."""


def played(name: str, language: str) -> tuple[Snapshot, list[Decision]]:
    """Return the end of a story at a table with a language, and its decisions."""
    story = STORIES / f"{name}.story"
    if story.exists():
        desk = tell(story.read_text("utf-8"), language)
        return snapshot(desk.state), desk.decided
    state, decided = begin(Settings(words_for(language).sentence)), list[Decision]()
    for line in (STORIES / f"{name}.jsonl").read_text("utf-8").splitlines():
        state, decisions = step(state, parse_fact(line))
        decided += decisions
    return snapshot(state), decided


def words_of(shown: Snapshot, decided: list[Decision], language: str) -> str:
    """Return what the players read first: the warning, a refused throw, or the last event."""
    words = words_for(language)
    if shown.warning is not None:
        return shown.warning.text
    newest = [each for each in decided if not isinstance(each, Ready | Cleared | Fault)][-1]
    texts = announcements(words, shown.light, shown.dark)
    return refusal(shown, words) or texts.text(newest)


@pytest.mark.parametrize("name", NAMES)
def test_the_players_of_a_story_read_what_happened(name: str, update_golden: bool) -> None:
    found = "".join(
        f"{language}: {words_of(*played(name, language), language)}\n"
        for language in display_languages()
    )
    expected = STORIES / f"{name}.txt"
    if update_golden:
        expected.write_text(found, "utf-8")
    assert found == expected.read_text("utf-8")
    picture = draw(played(name, "en")[0], words_for("en"))
    check_picture(name, picture, update=update_golden, folder=STORIES)


def test_every_warning_has_a_story() -> None:
    warnings = (played(name, "en")[0].warning for name in NAMES)
    assert set(REFUSAL_CODES) - {each.code for each in warnings if each} == WITHOUT_STORY
