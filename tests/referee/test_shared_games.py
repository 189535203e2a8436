"""A game of which one side plays at another table."""

import pytest

from tests.referee.playing import Desk
from urpi.core.errors import UrpiError
from urpi.referee.facts import (
    Button,
    Draw,
    Game,
    Occupancy,
    RemoteMove,
    RemoteTakeback,
    RemoteThrow,
    Resign,
)
from urpi.referee.lines import parse_fact
from urpi.referee.make_snapshot import snapshot
from urpi.referee.seats import SharedGame
from urpi.rules import Side, parse_position

LIGHT, DARK = Side
SHARED = SharedGame("5f" * 16, "lisbon", "2026.11.20")
POSITION = "finkel A4:L,C4:D L6D6 L0D0 {}"


def desk(to_throw: str = "D", position: str = POSITION) -> Desk:
    """Return a game of light at this table against dark at another one."""
    text = position.format(to_throw)
    fact = Game(0, "finkel", position=text, seats=("person", "remote"), shared=SHARED, hints=False)
    found = Desk(fact)
    found.do(Occupancy(0, parse_position(text).occupancy))
    found.wait(1000)
    found.pop_decisions()
    return found


def remote_throw(game: Desk, faces: str = "gs--") -> Desk:
    game.do(RemoteThrow(game.t, DARK, faces))
    return game


def remote_move(game: Desk, move: str = "C4-C2", confidence: str = "inferred") -> Desk:
    game.do(RemoteMove(game.t, DARK, move, confidence))
    return game


def test_hands_make_the_move_of_the_other_table() -> None:
    game = remote_move(remote_throw(desk()))
    assert game.pop_decisions() == ["roll 2", "planned C4-C2"]
    game.lift("C4").wait(300)
    game.put("C2").wait(200)
    assert game.pop_decisions() == ["move C4-C2"]
    # How that table knows it, although it was sensed here.
    assert snapshot(game.state).acted.confidence == "inferred"


def test_another_move_is_a_warning() -> None:
    game = remote_move(remote_throw(desk()))
    game.put("C3").wait(5000)
    assert game.warning.code == "not-planned"
    assert game.warning.text.startswith("Make this move: C4-C2.")


def test_before_the_move_is_known_the_board_is_not_judged() -> None:
    game = remote_throw(desk())
    game.lift("C4").wait(300)
    game.put("C2").wait(20_000)
    assert game.pop_decisions() == ["roll 2"]
    remote_move(game).wait(20_000)
    assert "move C4-C2" in game.pop_decisions()


def test_dice_here_are_refused_in_the_other_tables_turn() -> None:
    game = desk()
    game.throw("gs--").wait(1000)
    assert game.pop_decisions() == ["roll-refused not-your-turn"]
    assert snapshot(game.state).waiting == ()
    remote_throw(game)
    assert game.pop_decisions() == ["roll 2"]


def test_its_faces_and_its_move_cannot_be_entered_here() -> None:
    game = desk()
    game.answer(faces="gs--")
    assert game.pop_decisions() == ["refused nothing-to-answer"]
    remote_throw(game).answer(move="C4-C2")
    assert game.pop_decisions() == ["roll 2", "refused nothing-to-answer"]


@pytest.mark.parametrize("fact", [
    RemoteThrow(2000, LIGHT, "gs--"),
    RemoteThrow(2000, DARK, "gs"),
    RemoteMove(2000, DARK, "C4-C2", "sensed"),
    RemoteTakeback(2000, DARK, "C4-C2"),
])  # fmt: skip
def test_what_does_not_fit_is_ignored(fact: object) -> None:
    game = desk()
    game.do(fact)
    assert not game.pop_decisions()


def test_a_move_that_is_not_legal_is_ignored() -> None:
    game = remote_move(remote_throw(desk()), "C4-C1")
    assert game.pop_decisions() == ["roll 2"]
    assert snapshot(game.state).thinking


def test_the_next_throw_here_waits_for_the_move() -> None:
    game = remote_move(remote_throw(desk()))
    game.pop_decisions()
    game.throw("g---").wait(500)
    assert game.pop_decisions() == ["roll-refused unplayed-throw"]


def test_own_moves_stay_once_the_turn_has_ended() -> None:
    game = desk("L")
    game.throw("gs--").wait(500)
    game.lift("A4").wait(300)
    game.put("A2").wait(1000)
    assert "move A4-A2" in game.pop_decisions()
    assert snapshot(game.state).takeback is None
    game.lift("A2").wait(300)
    game.put("A4").wait(5000)
    assert game.warning.code == "takebacks-off"


def test_own_moves_may_be_taken_back_during_the_turn() -> None:
    game = desk("L")
    # Four squares: onto the rosette, which gives another throw.
    game.answer(faces="gsgs")
    game.answer(move="+A1")
    assert snapshot(game.state).takeback == (LIGHT, "+A1")
    assert snapshot(game.state).side is LIGHT


def test_either_side_can_take_its_move_back_with_the_consent_of_the_other_table() -> None:
    game = desk("L")
    game.throw("gs--").wait(500)
    game.lift("A4").wait(300)
    game.put("A2").wait(1000)
    game.do(RemoteTakeback(game.t, LIGHT, "A4-A2"))
    assert game.pop_decisions()[-1] == "takeback A4-A2"
    # The piece still stands as after the move, which is no second move.
    game.wait(20_000)
    assert not game.pop_decisions()
    game.lift("A2").wait(300)
    game.put("A4").wait(5000)
    game.put("A3").wait(1000)
    assert "move +A3" in game.pop_decisions()


def test_a_remote_move_taken_back_before_hands_have_made_it() -> None:
    game = remote_move(remote_throw(desk()))
    game.do(RemoteTakeback(game.t, DARK, "C4-C2"))
    assert game.pop_decisions() == ["roll 2", "planned C4-C2", "move C4-C2", "takeback C4-C2"]
    assert snapshot(game.state).thinking
    remote_move(game, "+C3")
    game.put("C3").wait(1000)
    assert game.pop_decisions() == ["planned +C3", "move +C3"]


def test_a_remote_move_taken_back_after_hands_have_made_it() -> None:
    game = remote_move(remote_throw(desk()))
    game.lift("C4").wait(300)
    game.put("C2").wait(1000)
    game.pop_decisions()
    game.do(RemoteTakeback(game.t, DARK, "C4-C2"))
    remote_move(game, "+C3").wait(5000)
    assert game.warning.code == "not-planned"
    game.lift("C2").wait(100)
    game.put("C4").wait(100)
    game.put("C3").wait(1000)
    assert game.pop_decisions()[-1] == "move +C3"


def test_an_end_comes_after_the_move_before_it() -> None:
    game = remote_move(remote_throw(desk()))
    game.do(Resign(game.t, DARK))
    assert game.pop_decisions() == ["roll 2", "planned C4-C2", "move C4-C2", "won resigned"]


def test_a_refused_draw_comes_after_the_move_before_it() -> None:
    game = remote_move(remote_throw(desk()))
    game.do(Draw(game.t, DARK, agreed=True))
    assert game.pop_decisions()[-1] == "refused no-draw"


def test_a_piece_moved_by_mistake_is_a_warning_here() -> None:
    game = desk()
    game.lift("A4").wait(300)
    game.put("B4").wait(5000)
    assert game.warning.code == "not-your-turn"


def test_either_button_answers_for_the_other_table() -> None:
    # A piece lifted to bear it off seems borne off until a button confirms it.
    game = desk("D", "finkel A4:L,C7:D L6D0 L0D6 {}")
    remote_move(remote_throw(game, "g---"), "C7-off")
    game.lift("C7").wait(1500)
    assert game.pop_decisions()[-1] == "seems C7-off"
    game.do(Button(game.t, LIGHT, "short"))
    assert "move C7-off" in game.pop_decisions()


@pytest.mark.parametrize("more", [
    '"seats":{"light":"person","dark":"remote"}',
    '"shared":{"id":"5f","table":"lisbon","date":"2026.11.20"}',
    '"seats":{"light":"person","dark":"remote"},"shared":{"id":"5f","table":"lisbon"}',
    '"seats":{"light":"person","dark":"remote"},"shared":"lisbon"',
])  # fmt: skip
def test_a_game_needs_a_remote_seat_and_the_other_table(more: str) -> None:
    line = f'{{"t":0,"type":"game","rules":"finkel","options":{{}},"light":"","dark":"",{more}}}'
    with pytest.raises(UrpiError):
        parse_fact(line)
