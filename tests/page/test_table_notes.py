"""What the page shows of other tables besides the game."""

from typing import Any

import pytest

from tests.journal.games import TIMING
from urpi.link.remote.messages import Invited
from urpi.link.remote.tables_view import TablesView
from urpi.page.documents.state import tables_document
from urpi.referee import Settings, begin, snapshot
from urpi.rules import Side
from urpi.show.words import words_for

SHOT = snapshot(begin(Settings(lambda code, _details: code, TIMING)))


def invitation(rules: str, language: str) -> dict[str, Any]:
    invited = Invited("5f" * 16, rules, Side.LIGHT, "Ann", Side.LIGHT, "2026.11.20")
    view = TablesView(invitation=("lisbon", invited, "Zoë"))
    (found,) = tables_document(view, SHOT, words_for(language))
    return found


@pytest.mark.parametrize(
    ("language", "about"),
    [
        ("en", "pieces per side, for a shorter game"),
        ("fr", "pions par camp, pour une partie plus courte"),
    ],
)
def test_an_invitation_describes_the_options_it_changes(language: str, about: str) -> None:
    found = invitation("finkel[pieces=3]", language)
    assert "pieces=3" not in found["text"]
    assert found["options"] == [{"about": about, "value": "3"}]


def test_an_invitation_to_the_usual_rules_has_no_options() -> None:
    assert invitation("finkel", "en")["options"] == []
