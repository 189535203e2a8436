"""Players' names as they are entered."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page.client import Client
from tests.page.table import Table
from urpi.config.kinds import PlayerName
from urpi.core.names import InvalidNameError, normalised_name

DECOMPOSED = unicodedata.normalize("NFD", "Zoë Žižek Ödön Йожеф")


@pytest.mark.parametrize(
    ("entered", "name"),
    [
        ("Ann", "Ann"),
        ("", ""),
        ("   ", ""),
        (DECOMPOSED, "Zoë Žižek Ödön Йожеф"),
        ("  Ann   Marie ", "Ann Marie"),
        ("An\u200bn\ufeff", "Ann"),
        ("\u202eAnn\u202c", "Ann"),
        ("Ann\u00a0Marie", "Ann Marie"),
        ("7", "7"),
        ("e\u200b\u0301", "é"),
        ("王", "王"),
    ],
)
def test_a_name_is_normalised(entered: str, name: str) -> None:
    assert normalised_name(entered) == name


INVISIBLE = ["\u200b", "\u200b \u200d", "\u3164", "\u2800", "\u0301", "\ufe0f", "\u00ad"]


@pytest.mark.parametrize("entered", INVISIBLE)
def test_a_name_without_anything_to_see_is_rejected(entered: str) -> None:
    with pytest.raises(InvalidNameError, match="no visible character"):
        normalised_name(entered)
    with pytest.raises(ValueError, match="a name with a visible character"):
        PlayerName().parse(entered)


@given(st.text(max_size=40))
def test_a_normalised_name_stays_as_it_is(text: str) -> None:
    try:
        name = normalised_name(text)
    except InvalidNameError:
        return
    assert normalised_name(name) == name
    assert not any(unicodedata.category(one) in {"Cf", "Zl", "Zp"} for one in name)


def test_names_of_the_configuration_are_normalised() -> None:
    assert PlayerName().parse(DECOMPOSED) == "Zoë Žižek Ödön Йожеф"


def test_names_of_a_new_game_are_normalised(client: Client, table: Table) -> None:
    body = {"rules": "finkel", "light": "Be\u0301la", "dark": " An\u200bn "}
    assert client.post("/api/new-game", body).status == 200
    snapshot = table.service.snapshot
    assert (snapshot.light, snapshot.dark) == ("Béla", "Ann")


def test_a_new_game_with_a_name_that_cannot_be_seen_is_rejected(
    client: Client, table: Table
) -> None:
    game = table.service.game
    answer = client.post("/api/new-game", {"rules": "finkel", "light": "\u200b"})
    assert (answer.status, answer.json["code"]) == (409, "no-name")
    assert answer.json["error"] == "Give a name with at least one letter, or leave it empty."
    assert table.service.game == game
