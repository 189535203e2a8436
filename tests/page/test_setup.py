"""What the page to set up a position asks the server."""

from typing import get_args
from urllib.parse import quote

import pytest

from tests.page.client import Client
from urpi.page.setup import reason_against
from urpi.rules import RULE_SETS
from urpi.rules.impossible import PositionCode
from urpi.rules.notation import read_any_position
from urpi.show.words import languages, words_for
from urpi.show.words.position_reasons import SENTENCES

REASONS = {
    "count": ("finkel A4:L L7D7 L0D0 L", "Light, pieces in these rules: 7; here: 8."),
    "not-here": ("finkel C4:L L6D7 L0D0 L", "In these rules such a piece is never on C4."),
    "one-piece": ("finkel B4:LL L5D7 L0D0 L", "In these rules B4 holds one piece only."),
    "pile-full": ("skiryuk B3:LLLLL L2D7 L0D0 L", "Most pieces like this on B3: 4."),
    "one-side": ("skiryuk B7:LD L6D6 L0D0 L", "B7 holds pieces of one side only."),
    "top-piece": ("ravensburger A8:D L10D9 L0D0 L", "A8: Light must be on top."),
    "nobody-left": (
        "ravensburger - L0D0 L10D10 =",
        "There must be pieces in the reserve or on the board.",
    ),
    "both-home": ("finkel - L0D0 L7D7 =", "Only one side can have all its pieces home."),
    "stay": ("freecompany - L6D7 L1D0 L", "In these rules no piece leaves the game."),
    "turn": ("finkel - L0D7 L7D0 L", "Light has won in this position; the game is over."),
    "extra-throw": ("finkel - L7D7 L0D0 L*", "These rules do not limit extra throws."),
    "over": ("finkel - L0D7 L7D0 =", "The game is over in this position."),
    "not-entered": (
        "bell A4:L L6D7 L0D0 L",
        "Dark: after a turn, a piece must be on the board.",
    ),
    "no-fort": ("freecompany B1:L L6D7 L0D0 L*", "Light: an extra throw needs a piece on a fort."),
    "no-red": (
        "ravensburger A4:L,C4:D L8D9 L1D0 L",
        "Dark: prisoners left the game, so a red piece must be on the board.",
    ),
}
"""For each code a position, and the sentence that says why no game can begin from it."""


@pytest.mark.parametrize("code", get_args(PositionCode))
def test_a_position_says_in_the_reader_s_language_why_no_game_can_begin(
    reader: Client, code: PositionCode
) -> None:
    text, sentence = REASONS[code]
    answer = reader.get(f"/api/position?text={quote(text)}")
    assert answer.json == {"text": text, "reason": sentence}
    for language in languages():
        reason = reason_against(read_any_position(text), words_for(language))
        assert reason
        assert "{" not in reason
        assert (reason == sentence) == (language == "en")


def test_there_is_a_sentence_for_every_code() -> None:
    assert set(SENTENCES) == set(get_args(PositionCode)) == set(REASONS)


def test_a_possible_position_has_no_reason(reader: Client) -> None:
    text = "skiryuk[pieces=3;loop=opponent-first] A2:LL,B3:DL,B7:D' L0D1 L0D0 D"
    answer = reader.get(f"/api/position?text={quote(text)}")
    assert answer.json == {
        "text": "skiryuk[pieces=3] A2:LL,B3:DL,B7:D' L0D1 L0D0 D",
        "reason": None,
    }


@pytest.mark.parametrize("text", ["", "finkel", "chess - L7D7 L0D0 L", "finkel - L7 L0D0 L"])
def test_a_text_that_is_no_position_is_rejected(reader: Client, text: str) -> None:
    answer = reader.get(f"/api/position?text={quote(text)}")
    assert (answer.status, answer.json["code"]) == (404, "not-found")
    assert reader.get("/api/position").status == 404


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_squares_of_a_rule_set_have_the_pieces_that_they_can_hold(
    reader: Client, name: str
) -> None:
    document = reader.get(f"/api/setup?rules={name}").json
    assert document["rules"]["id"] == name
    assert len(document["squares"]) == 20
    assert document["leave"] is (name != "freecompany")
    assert document["extra"] is (name == "freecompany")
    own_square = document["squares"]["A4"]
    pieces = {"murray": ["L", "L'"], "freecompany": ["L", "D"]}.get(name, ["L"])
    assert own_square == {"pieces": pieces, "piles": name in {"skiryuk", "ravensburger"}}


def test_an_unknown_rule_set_has_no_squares(reader: Client) -> None:
    assert reader.get("/api/setup?rules=chess").status == 404
