"""Offers of a draw to the engine by the page; tests.service.test_draws has the engine's answers."""

from pathlib import Path

import pytest

from tests.page.client import Client
from tests.page.table import PageDesk, Table
from tests.service.test_engine import Table as Board
from tests.slow import mostly_slow
from urpi.referee import Phase
from urpi.referee.facts import Game
from urpi.referee.orders import NewGame
from urpi.referee.seats import PERSONS, Seats
from urpi.rules import Side, rule_set

LIGHT, DARK = Side
AGAINST: Seats = ("person", "engine:best")
BOTH: Seats = ("engine:best", "engine:best")


@pytest.mark.parametrize("accepts", [True, False])
@pytest.mark.parametrize(
    ("seats", "entered", "by"),
    [(AGAINST, "light", LIGHT), (AGAINST, "dark", LIGHT), (AGAINST[::-1], "light", DARK)],
)
def test_the_engine_is_offered_an_agreed_draw(
    client: Client,
    table: Table,
    desk: PageDesk,
    seats: Seats,
    entered: str,
    by: Side,
    accepts: bool,
) -> None:
    table.service.new_game(Game(table.t, "freecompany", seats=seats))
    desk.engine_accepts = accepts
    answer = client.post("/api/draw", {"side": entered, "agreed": True})
    assert desk.draws_offered == [by]
    assert answer.status == (200 if accepts else 409)
    if not accepts:
        assert answer.json["error"].startswith("The engine declines the draw")
    # The fact that ends the game is the engine's.
    assert table.service.snapshot.phase is not Phase.OVER


@pytest.mark.parametrize(
    ("rules", "seats", "error"),
    [("freecompany", PERSONS, None), ("finkel", AGAINST, "You cannot claim a draw now. Play on.")],
)
def test_it_is_asked_only_in_a_game_with_draws_against_it(
    client: Client, table: Table, desk: PageDesk, rules: str, seats: Seats, error: str | None
) -> None:
    table.service.new_game(Game(table.t, rules, seats=seats))
    answer = client.post("/api/draw", {"side": "light", "agreed": True})
    assert desk.draws_offered == []
    assert answer.json.get("error") == error


@pytest.mark.parametrize(
    ("seats", "entered", "agreed", "by"),
    mostly_slow(
        [
            *((AGAINST, entered, False, LIGHT) for entered in ("light", "dark")),
            *((AGAINST[::-1], entered, False, DARK) for entered in ("light", "dark")),
            *((BOTH, "dark", agreed, DARK) for agreed in (False, True)),
            *((PERSONS, "dark", agreed, DARK) for agreed in (False, True)),
        ],
        4,
    ),
)
def test_only_the_person_claims_a_draw(
    client: Client,
    table: Table,
    desk: PageDesk,
    seats: Seats,
    entered: str,
    agreed: bool,
    by: Side,
) -> None:
    """A request for the engine's side is refused in tests.service.test_draws."""
    table.service.new_game(Game(table.t, "freecompany", seats=seats))
    client.post("/api/draw", {"side": entered, "agreed": True} if agreed else {"side": entered})
    assert desk.draws_offered == []
    assert [(fact.side, fact.agreed) for fact in desk.requested] == [(by, agreed)]


@pytest.mark.parametrize(("value", "accepts"), [(0.4, False), (0.6, True)])
def test_the_page_receives_the_engine_s_answer(tmp_path: Path, value: float, accepts: bool) -> None:
    path = tmp_path / "games.sqlite"

    def play(board: Board) -> None:
        board.board.begin(NewGame(rule_set("freecompany"), first=LIGHT, seats=AGAINST))
        board.wait(500)
        board.fake.requests.clear()
        offered = board.board.offer_draw(LIGHT)
        board.wait(50)
        _, on_response = board.fake.requests.pop()
        # The value is that of light, which is to throw.
        on_response({"value": value, "by": "network"})
        board.wait(50)
        assert offered.result(timeout=0) is accepts
        assert (board.shot.phase is Phase.OVER) is accepts

    Board(path).play(play)
