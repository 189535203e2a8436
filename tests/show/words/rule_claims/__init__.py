"""What each sentence of the rule pages claims, as a check of the second implementation's games.

A check is called with the turns of some games, and fails where one contradicts the sentence, or
where none shows it.
"""

from typing import Final

from tests.show.words.rule_claims.freecompany import FREECOMPANY
from tests.show.words.rule_claims.race import RACE
from tests.show.words.rule_claims.ravensburger import RAVENSBURGER
from tests.show.words.rule_claims.skiryuk import SKIRYUK
from tests.show.words.rule_claims.turns import Check
from urpi.rules.ruleset import Starter
from urpi.show.words import race_page as race
from urpi.show.words import rules_pages as pages

CLAIMS: Final[dict[object, Check]] = {**RACE, **SKIRYUK, **RAVENSBURGER, **FREECOMPANY}
SHOWN_BY: Final = {
    pages.MORE_BEGINS: "test_starters:test_the_higher_throw_starts_and_a_tie_is_thrown_again",
    pages.ONE_BEGINS: "test_starters:test_by_an_option_the_only_player_who_throws_a_one_starts",
    race.BEGINS[Starter.CHOICE]: (
        "test_freecompany:test_the_players_say_who_starts_and_later_the_loser"
    ),
    race.BEGINS[Starter.DRAWN]: "DRAWN",
    "You may claim a draw when a player has made the same move or placement five turns in a row, "
    "or when the same position has come up five times.": (
        "test_freecompany:test_when_a_draw_may_be_claimed"
    ),
}
"""Tests of `tests/rules` for what happens before and beside the moves."""
NO_RULES: Final = {
    race.NEED,
    race.SEATS,
    race.HAND,
    pages.PILE_NUMBER,
    (
        "Each piece has a plain face and one with five dots. On other pieces, stick a paper dot to "
        "one face."
    ),
    (
        "Each piece has a blue and a red face, and comes in with the blue one up. On other pieces, "
        "stick a paper dot to the red face: so they are drawn here."
    ),
    "Throwing sticks may be used instead.",
}
"""What players need, and how it is drawn."""
