"""Draws at the board in games against the engine: offered to it, and claimed by it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.test_engine import Table
from tests.slow import mostly_slow, slow_except
from urpi.referee import Phase
from urpi.referee.decisions import Drawn, Refused
from urpi.referee.facts import Answer, Draw
from urpi.referee.orders import NewGame
from urpi.referee.seats import Seats
from urpi.rules import Side, parse_position, parse_square, rule_set

LIGHT, DARK = Side
AGAINST: Seats = ("person", "engine:best")
REPEATED = 16
"""Turns after which the third repetition permits a claim, see `play_in_circles`."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path / "games.sqlite")
    with made.board:
        made.pins.refresh()
        begin(made, AGAINST)
        yield made


def begin(table: Table, seats: Seats, position: str | None = None, first: Side = LIGHT) -> None:
    laid = None if position is None else parse_position(position)
    table.board.begin(NewGame(rule_set("freecompany"), first=first, seats=seats, position=laid))
    table.wait(500)
    table.fake.requests.clear()


def respond(table: Table, value: float | None) -> None:
    """Respond to the oldest request with the value for the side to throw, None for a failure."""
    request, on_response = table.fake.requests.pop(0)
    assert request == {"position": str(table.shot.position)}
    on_response(None if value is None else {"value": value, "by": "network"})
    table.wait(50)


def offer(table: Table, by: Side) -> list[str]:
    """Let a side offer the engine a draw; return the list to which the answer is added."""
    answers: list[str] = []
    table.board.engine.consider_draw(
        by, lambda: answers.append("declined"), lambda: answers.append("accepted")
    )
    return answers


@pytest.mark.parametrize(
    ("by", "value", "answer"),
    [
        # Light is to throw, so the value is that of the engine if dark offers.
        (LIGHT, 0.501, "accepted"),
        (LIGHT, 0.5, "declined"),
        (LIGHT, 0.3, "declined"),
        (DARK, 0.499, "accepted"),
        (DARK, 0.5, "declined"),
        (DARK, 0.7, "declined"),
        (LIGHT, None, "declined"),
        (DARK, None, "declined"),
    ],
)
def test_the_engine_accepts_a_draw_only_if_it_is_behind(
    table: Table, by: Side, value: float | None, answer: str
) -> None:
    answers = offer(table, by)
    assert answers == []
    respond(table, value)

    assert answers == [answer]
    assert (table.shot.phase is Phase.OVER) is (answer == "accepted")
    if answer == "accepted":
        assert isinstance(table.shot.outcome, Drawn)


def test_an_offer_lapses_when_play_goes_on(table: Table) -> None:
    answers = offer(table, LIGHT)
    _, on_response = table.fake.requests.pop(0)
    begin(table, AGAINST, first=DARK)
    on_response({"value": 0.9, "by": "network"})
    table.wait(50)

    assert answers == ["declined"]
    assert table.shot.phase is not Phase.OVER


def test_an_offer_before_the_first_game_is_declined_at_once(tmp_path: Path) -> None:
    idle = Table(tmp_path / "games.sqlite")
    with idle.board:
        assert offer(idle, LIGHT) == ["declined"]
        assert idle.fake.requests == []


def play_in_circles(table: Table, seats: Seats, turns: int = REPEATED) -> None:
    """Move the same pieces forward and back, until a draw may be claimed."""
    for square in ("A3", "C3"):
        table.pins.square(parse_square(square), True)
    begin(table, seats, "freecompany A3:L,C3:D L6D6 L0D0 L")
    for turn in range(turns):
        assert table.shot.draw is None, turn
        row = "AC"[turn % 2]
        there, back = f"{row}3-{row}4", f"{row}4-{row}3"
        move = there if turn % 4 < 2 else back
        table.throw("g-")
        if table.shot.thinking:
            table.fake.respond({"move": move})
            table.wait(50)
        table.board.service.submit(Answer(table.board.clock(), move=move))
        table.fake.requests.clear()
        table.wait(50)


@pytest.mark.parametrize(
    ("seats", "value", "claimed"),
    mostly_slow(
        [
            (("engine:best", "person"), 0.49, LIGHT),
            (("engine:best", "person"), 0.5, None),
            (("engine:best", "person"), None, None),
            (("person", "engine:best"), 0.51, DARK),
            (("person", "engine:best"), 0.5, None),
        ],
        3,
    ),
)
def test_the_engine_claims_a_draw_that_the_rules_permit_if_it_is_behind(
    table: Table, seats: Seats, value: float | None, claimed: Side | None
) -> None:
    play_in_circles(table, seats)
    assert table.shot.draw is not None
    respond(table, value)

    assert (table.shot.phase is Phase.OVER) is (claimed is not None)
    if claimed is not None:
        assert isinstance(table.shot.outcome, Drawn)


def test_it_considers_a_claim_once_in_a_position_and_only_for_its_sides(table: Table) -> None:
    play_in_circles(table, ("engine:best", "person"))
    assert len(table.fake.requests) == 1
    service = table.board.service
    service.notices.set_unavailable("contacts-missing", service.clock())
    table.wait(5_000)
    assert len(table.fake.requests) == 1


@pytest.mark.parametrize("agreed", [False, True])
@pytest.mark.parametrize("side", slow_except(Side, Side.LIGHT))
@pytest.mark.parametrize(
    "seats",
    [
        ("engine:best", "person"),
        ("person", "engine:easy"),
        pytest.param(("engine:best", "engine:best"), marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("turns", slow_except([4, REPEATED], REPEATED))
def test_nobody_claims_or_agrees_to_a_draw_for_the_engine(
    table: Table, seats: Seats, side: Side, agreed: bool, turns: int
) -> None:
    play_in_circles(table, seats, turns)
    requested = table.board.request(Draw(table.board.clock(), side, agreed))
    table.wait(50)
    [decision] = requested.result(timeout=0)
    if agreed or seats[side.number] != "person":
        assert isinstance(decision, Refused)
        assert (decision.what, decision.code) == ("draw", "engine-side")
    elif turns == REPEATED:
        assert isinstance(decision, Drawn)
    else:
        assert isinstance(decision, Refused)
        assert decision.code == "no-draw"
    assert (table.shot.phase is Phase.OVER) is isinstance(decision, Drawn)


def test_persons_decide_themselves_whether_to_claim_a_draw(table: Table) -> None:
    play_in_circles(table, ("person", "person"))
    assert table.shot.draw is not None
    assert table.fake.requests == []
