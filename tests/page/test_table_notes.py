"""What the page shows of other tables besides the game."""

from typing import Any

import pytest

from tests.journal.games import TIMING
from urpi.link.remote.messages import Invited
from urpi.link.remote.tables_view import PairingView, TablesView
from urpi.page.documents.state import tables_document
from urpi.referee import Settings, begin, snapshot
from urpi.referee.orders import Pairing
from urpi.rules import Side, parse_rules
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


@pytest.mark.parametrize("agreed", [True, False])
def test_a_next_game_names_players_rules_and_round(agreed: bool) -> None:
    rules = parse_rules("finkel[pieces=3]")
    pairing = Pairing("5f" * 16, "Cup {light}", 2, "A{dark}", "Zoë", rules, agreed)
    view = TablesView(next=PairingView(pairing))
    (found,) = tables_document(view, SHOT, words_for("de"))
    text = "Als Nächstes an diesem Tisch: A{dark} (hell) und Zoë (dunkel), Finkel, vier Würfel."
    shown = "" if agreed else " Wenn ihr beginnt, darf der Klub beide Namen zeigen."
    assert found["text"] == f"{text} Cup {{light}}, Runde 2.{shown}"
    assert (found["kind"], found["game"]) == ("next", "5f" * 16)
    assert [one["value"] for one in found["options"]] == ["3"]


def test_a_next_game_that_this_program_does_not_know_is_a_note() -> None:
    (found,) = tables_document(TablesView(next=PairingView(None)), SHOT, words_for("en"))
    assert found["kind"] == "note"
    assert "cannot play" in found["text"]
