"""Consents of players that the club shows their names."""

import pytest

from urpi.journal.consents import (
    MAX_NAMES,
    NO_CONSENTS,
    parse_consents,
    with_consent,
    without_consent,
)


def test_a_consent_is_kept_until_it_is_withdrawn() -> None:
    text = with_consent(with_consent(NO_CONSENTS, "Ann", 3), "Zoë", 5)
    assert parse_consents(text) == {"Ann": 3, "Zoë": 5}
    assert with_consent(text, "Ann", 9) == text
    text = without_consent(text, "Ann")
    assert parse_consents(with_consent(text, "Ann", 9)) == {"Zoë": 5, "Ann": 9}


def test_players_without_a_name_have_nothing_to_agree_to() -> None:
    assert with_consent(NO_CONSENTS, "", 3) == NO_CONSENTS


def test_a_name_that_no_club_accepts_is_not_published() -> None:
    assert parse_consents(with_consent(NO_CONSENTS, "x" * 200, 3))
    assert with_consent(NO_CONSENTS, "x" * 201, 3) == NO_CONSENTS


def test_the_oldest_consent_ends_if_there_are_too_many() -> None:
    text = NO_CONSENTS
    for number in range(MAX_NAMES + 1):
        text = with_consent(text, f"Player {number}", 0)
    found = list(parse_consents(text))
    assert len(found) == MAX_NAMES
    assert (found[0], found[-1]) == ("Player 1", f"Player {MAX_NAMES}")


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, '{"Ann":true}', '{"Ann":"1"}'])
def test_invalid_consents_are_none(text: str) -> None:
    assert parse_consents(text) == {}
