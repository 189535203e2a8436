"""What the club has assigned is offered while no game runs, and begins with its names."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tests.service.test_other_tables import choose, order, press
from tests.service.test_remote_play import DARK, LIGHT, SharedTable, Two
from tests.service.test_table_invitations import begin_own_game
from urpi.journal import Journal, last_game
from urpi.link.protocol.messages import NextGame
from urpi.referee import Phase
from urpi.referee.facts import Abandon, Draw, Resign
from urpi.referee.orders import AnswerPairing, Invite, NewGame, Pairing
from urpi.referee.seats import NO_COACH, PERSONS
from urpi.rules import rule_set
from urpi.service.club_pairing import CLUB_MS, RESULT_MS
from urpi.show.menu import Invitation, Listing, PagePin
from urpi.show.menu import NextGame as NextGameScreen

NEXT = NextGame(3, "Cup", 2, 1, "Ann", "Zoë", "blitz")


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    with ExitStack() as stack:
        made = Two(tmp_path, stack)
        made.wait(200)
        yield made


@pytest.fixture
def table(two: Two) -> SharedTable:
    return two.light


def tell(table: SharedTable, game: NextGame | bytes | None) -> None:
    """Let the club send a message about the next game, None for an empty one."""
    message = game.encode() if isinstance(game, NextGame) else game or b""
    table.board.tables.receive_next(message)
    table.wait(100)


def offered(table: SharedTable) -> Pairing | None:
    view = table.board.tables.view.next
    return None if view is None else view.pairing


def shows(table: SharedTable) -> bool:
    return isinstance(table.board.menu.screen, NextGameScreen)


def begin(table: SharedTable) -> None:
    found = offered(table)
    assert found is not None
    order(table, AnswerPairing(found.game, accepted=True))


def test_a_long_press_begins_the_game_with_names_sides_and_rules(table: SharedTable) -> None:
    # What was played last with other settings does not matter.
    order(table, NewGame(rule_set("finkel"), "Kit", "Lou", coach=("bad", "bad")))
    table.request(Abandon(table.board.clock(), LIGHT))
    table.wait(RESULT_MS + 1000)
    tell(table, NEXT)
    assert shows(table)
    press(table, "long", DARK)
    shot = table.shot
    assert shot.position is not None
    assert (shot.light, shot.dark, shot.position.rules.id) == ("Ann", "Zoë", "blitz")
    assert (shot.seats, shot.coach, shot.hints) == (PERSONS, NO_COACH, False)
    assert offered(table) is None
    assert not shows(table)
    # The club may show both, or it could not find the result.
    assert set(table.board.preferences.published) == {"Ann", "Zoë"}
    # The next game is not theirs.
    assert table.board.next_game.light == "Kit"
    with Journal.read_only(table.path) as journal:
        found = last_game(journal, "board")
        assert found is not None
        assert (found.light, found.dark) == ("Ann", "Zoë")


def test_it_is_not_offered_during_a_game_but_in_place_of_one_without_a_throw(
    table: SharedTable,
) -> None:
    begin_own_game(table)
    tell(table, NEXT)
    assert offered(table) is not None
    table.answer(faces="g---")
    assert offered(table) is None
    assert not shows(table)
    # A page that still shows it begins nothing.
    game = table.board.service.game
    order(table, AnswerPairing("0" * 32, accepted=True))
    assert table.board.service.game == game
    table.request(Resign(table.board.clock(), LIGHT))
    table.wait(100)
    # The display shows first how the game ended.
    assert offered(table) is not None
    assert not shows(table)
    table.wait(RESULT_MS, 500)
    assert shows(table)


def test_it_disappears_when_the_club_takes_it_back_or_another_one_comes(
    table: SharedTable,
) -> None:
    tell(table, NEXT)
    assert shows(table)
    tell(table, replace(NEXT, light="Cyd"))
    found = offered(table)
    assert found is not None
    assert (found.light, found.agreed) == ("Cyd", False)
    assert shows(table)
    tell(table, None)
    assert offered(table) is None
    assert table.board.menu.screen is None


def test_a_short_press_puts_it_off_and_the_menu_offers_it_again(table: SharedTable) -> None:
    tell(table, NEXT)
    press(table, "short")
    table.wait(5000, 500)
    assert not shows(table)
    assert offered(table) is not None
    press(table, "both")
    choose(table, "next-game")
    assert shows(table)
    press(table, "long")
    assert table.shot.light == "Ann"


def test_the_menu_offers_it_in_place_of_a_game_that_waits_for_its_first_throw(
    table: SharedTable,
) -> None:
    begin_own_game(table)
    assert table.shot.phase is Phase.THROW
    tell(table, NEXT)
    press(table, "short")
    assert not shows(table)
    press(table, "both")
    choose(table, "next-game")
    press(table, "long")
    assert table.shot.light == "Ann"


def test_it_is_not_offered_once_dice_have_decided_who_begins(table: SharedTable) -> None:
    order(table, NewGame(rule_set("finkel3"), "Kit", "Lou"))
    table.wait(500)
    assert table.shot.phase is Phase.START_THROW
    tell(table, NEXT)
    assert offered(table) is not None
    table.answer(faces="g--")
    assert table.shot.start_throws != (None, None)
    assert offered(table) is None


def test_the_menu_can_be_opened_and_others_may_use_the_display(two: Two) -> None:
    table = two.light
    tell(table, NEXT)
    table.board.show_pin("123456", "192.168.1.20:8011")
    table.wait(50)
    assert isinstance(table.board.menu.screen, PagePin)
    table.wait(25_000, 500)
    assert shows(table)
    order(two.dark, Invite("lisbon", rule_set("finkel"), DARK, "Pia"))
    two.wait()
    assert isinstance(table.board.menu.screen, Invitation)
    press(table, "short")
    two.wait()
    assert shows(table)
    press(table, "both")
    screen = table.board.menu.screen
    assert isinstance(screen, Listing)
    assert screen.item.name == "next-game"
    press(table, "both")
    assert not shows(table)


def test_a_game_that_waits_for_the_club_is_not_offered_again(table: SharedTable) -> None:
    tell(table, NEXT)
    begin(table)
    table.request(Resign(table.board.clock(), LIGHT))
    table.wait(1000)
    assert table.shot.phase is Phase.OVER
    assert offered(table) is None
    # As after a draw in a knockout: the players play again.
    table.wait(CLUB_MS, 500)
    assert offered(table) is not None
    assert not shows(table)
    begin(table)
    # One that was abandoned has no result.
    table.request(Abandon(table.board.clock(), LIGHT))
    table.wait(1000)
    assert offered(table) is not None
    begin(table)
    table.request(Resign(table.board.clock(), LIGHT))
    table.wait(1000)
    assert offered(table) is None
    # The arbiter has removed the result.
    tell(table, None)
    tell(table, NEXT)
    assert offered(table) is not None


def test_a_drawn_game_waits_for_the_club_too(table: SharedTable) -> None:
    tell(table, replace(NEXT, rules="freecompany"))
    begin(table)
    table.request(Draw(table.board.clock(), LIGHT, agreed=True))
    table.wait(1000)
    assert table.shot.phase is Phase.OVER
    assert offered(table) is None


def test_players_who_typed_their_names_are_not_asked(table: SharedTable) -> None:
    tell(table, replace(NEXT, rules=None))
    assert offered(table) is not None
    order(table, NewGame(rule_set("finkel"), "Ann", "Zoë"))
    # The club may not show their names yet.
    found = offered(table)
    assert found is not None
    assert not found.agreed
    begin(table)
    assert offered(table) is None
    # Sides exchanged, or with a coach: the game is another one.
    order(table, NewGame(rule_set("finkel"), "Zoë", "Ann"))
    assert offered(table) is not None
    order(table, NewGame(rule_set("finkel"), "Ann", "Zoë", coach=("bad", "off")))
    assert offered(table) is not None


@pytest.mark.parametrize(
    "message",
    [
        b"\xff",
        b"{}",
        b"[" * 100_000,
        NEXT.encode().replace(b"blitz", b"chess"),
        NEXT.encode().replace(b"blitz", b"finkel[pieces=99]"),
        NEXT.encode().replace(b"Ann", b"A\xe2\x80\xaeB"),
        NEXT.encode().replace(b"Ann", b"A" * 41),
        NEXT.encode().replace(b"Ann", b""),
    ],
)
def test_what_cannot_be_played_leaves_the_table_usable(table: SharedTable, message: bytes) -> None:
    tell(table, message)
    view = table.board.tables.view.next
    assert view is not None
    assert view.pairing is None
    assert not shows(table)
    begin_own_game(table)
    assert table.shot.light == "Kit"
    tell(table, NEXT)
    assert offered(table) is not None


def test_names_with_braces_and_forty_letters_are_played(table: SharedTable) -> None:
    tell(table, replace(NEXT, light="{dark}" + "W" * 34, dark="{0}%s\\n'\""))
    assert shows(table)
    table.board.picture()
    begin(table)
    assert table.shot.light == "{dark}" + "W" * 34
    assert table.shot.dark == "{0}%s\\n'\""
