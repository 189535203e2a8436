"""A finished game is verified from its facts."""

import json

import pytest

from tests.journal.games import store_game
from tests.link.remote.pure_table import GAME
from urpi.club.server.verification import examine, is_rated, result_of, shared_copy, verify
from urpi.journal import Journal, entries_of, settings_of
from urpi.link.protocol.line_checks import without_names
from urpi.link.protocol.messages import GameHead
from urpi.referee.decisions import GameResult
from urpi.rules import Side

STARTED = "2026-11-20T19:02:11+01:00"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[GameHead, tuple[str, ...]]:
    with Journal.open(tmp_path_factory.mktemp("journal") / "j.db") as journal:
        number = store_game(journal, seed=5)
        lines = tuple(without_names(entry.line) for entry in entries_of(journal, number))
        return GameHead(1, STARTED, "1.0.0", "finkel", settings_of(journal, number)), lines


Stored = tuple[GameHead, tuple[str, ...]]


def test_a_game_without_names_is_verified(game: Stored) -> None:
    assert verify(*game).code == "verified"


def forged(lines: tuple[str, ...], kind: str, **values: object) -> list[str]:
    """The lines with other values in the last one of a type."""
    found = list(lines)
    at = max(place for place, line in enumerate(lines) if json.loads(line)["type"] == kind)
    found[at] = json.dumps({**json.loads(lines[at]), **values}, separators=(",", ":"))
    return found


def test_a_forged_throw_is_found(game: Stored) -> None:
    head, lines = game
    assert verify(head, forged(lines, "roll", faces="gggg", value=4)).code == "differs"


@pytest.mark.parametrize("before", range(1, 60, 20))
def test_an_illegal_move_is_found(game: Stored, before: int) -> None:
    head, lines = game
    rolls = [place for place, line in enumerate(lines) if json.loads(line)["type"] == "roll"]
    at = next(place for place in rolls[before:] if json.loads(lines[place])["legal"])
    move = next(place for place in range(at, len(lines)) if '"type":"move"' in lines[place])
    # A piece that takes eight squares too many.
    illegal = json.dumps({**json.loads(lines[move]), "move": "+B8"}, separators=(",", ":"))
    found = verify(head, [*lines[:move], illegal, *lines[move + 1 :]])
    assert found.code == "differs"
    assert "+B8" in found.text


def test_one_of_two_winners_is_forged(game: Stored) -> None:
    head, lines = game
    codes = {verify(head, forged(lines, "won", side=side)).code for side in ("light", "dark")}
    assert codes == {"verified", "differs"}


def test_a_game_whose_end_was_cut_off_differs(game: Stored) -> None:
    head, lines = game
    won = next(place for place, line in enumerate(lines) if '"won"' in line)
    found = verify(head, lines[:won])
    assert found.code == "differs"
    assert "lacks its last decision" in found.text


def test_half_a_game_has_no_end(game: Stored) -> None:
    head, lines = game
    found = verify(head, lines[: len(lines) // 2])
    assert (found.code, found.text) == (
        "invalid",
        "It was reported as finished, but it has no end.",
    )


def test_a_game_that_lacks_facts_is_not_judged(game: Stored) -> None:
    head, lines = game
    assert verify(head, ["" if "occupancy" in line else line for line in lines]).code == "pruned"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"rules": "bell"}, "The rules are finkel; the head has bell."),
        ({"settings": {"still_ms": "soon"}}, "still_ms must be a whole number"),
    ],
)
def test_a_head_that_does_not_fit_is_invalid(
    game: Stored, change: dict[str, object], found: str
) -> None:
    head, lines = game
    about = {**head.about, **change}
    result = verify(GameHead(1, **about), lines)  # type: ignore[arg-type]
    assert result.code == "invalid"
    assert found in result.text


def test_no_lines_are_invalid() -> None:
    assert verify(GameHead(1, STARTED, "1.0.0", "finkel", {}), []).code == "invalid"


def test_the_end_of_a_game_is_found_behind_what_was_recorded_after_it(game: Stored) -> None:
    _, lines = game
    won = next(json.loads(line) for line in lines if json.loads(line)["type"] == "won")
    after = (*lines, *(f'{{"t":{10**9 + t},"type":"time"}}' for t in range(20)), "")
    assert result_of(lines) == result_of(after) == won["side"]


def test_a_game_without_an_end_has_no_result(game: Stored) -> None:
    _, lines = game
    assert result_of(lines[: len(lines) // 2]) is None
    assert result_of([]) is None


def as_played(game: Stored, **values: object) -> list[str]:
    """The lines with other values in the first one."""
    first = {**json.loads(game[1][0]), **values}
    return [json.dumps(first, separators=(",", ":")), *game[1][1:]]


def test_a_game_of_two_people_without_advice_is_rated(game: Stored) -> None:
    head, lines = game
    examined = examine(head, lines)
    assert examined.rated
    assert examined.result in {"light", "dark"}
    assert not examine(head, forged(lines, "roll", faces="gggg", value=4)).rated


@pytest.mark.parametrize(
    "values",
    [
        {"seats": {"light": "person", "dark": "engine:easy"}},
        {"coach": {"light": "off", "dark": "bad"}},
        {"position": "finkel C4:D L7D6 L0D0 L"},
    ],
)
def test_a_game_with_an_engine_a_coach_or_a_set_up_is_not_rated(
    game: Stored, values: dict[str, object]
) -> None:
    assert is_rated(as_played(game), "light")
    assert not is_rated(as_played(game, **values), "light")


@pytest.mark.parametrize("kind", ["hint", "hinted", "coach", "coached"])
def test_a_game_with_advice_is_not_rated(game: Stored, kind: str) -> None:
    assert not is_rated([*game[1], json.dumps({"t": 1, "type": kind})], "light")


@pytest.mark.parametrize("result", [None, "abandoned"])
def test_a_game_without_a_winner_or_a_draw_is_not_rated(
    game: Stored, result: GameResult | None
) -> None:
    assert not is_rated(game[1], result)


def test_a_game_of_two_tables_is_rated_and_has_the_side_of_its_table(game: Stored) -> None:
    shared = {"id": GAME, "table": "porto", "date": "2026.11.20"}
    lines = as_played(game, seats={"light": "remote", "dark": "person"}, shared=shared)
    assert shared_copy(lines) == (GAME, "porto", Side.DARK)
    assert is_rated(lines, "light")
    assert shared_copy(game[1]) is None
