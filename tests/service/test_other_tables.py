"""Players of two boards meet: inviting, answering, and what both OLEDs show of it."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.service.test_remote_play import DARK, LIGHT, SharedTable, Two, Wire
from tests.service.test_table_invitations import begin_own_game, cut
from urpi.core.errors import UrpiError
from urpi.link.remote.invitations import INVITATION_MS
from urpi.link.remote.messages import Unknown, encode
from urpi.referee import Phase
from urpi.referee.facts import Abandon, Button, Draw
from urpi.referee.orders import (
    AnswerInvitation,
    AnswerProposal,
    Invite,
    NewGame,
    Order,
    WithdrawInvitation,
)
from urpi.rules import Side, rule_set
from urpi.show.menu import Invitation, Listing, Message

INVITE = Invite("porto", rule_set("blitz"), LIGHT, "Ann", LIGHT)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    with ExitStack() as stack:
        made = Two(tmp_path, stack)
        made.wait(200)
        yield made


def order(table: SharedTable, what: Order) -> None:
    """Carry out an order, and raise its error."""
    done = table.board.order(what)
    table.wait(50)
    done.result()


def press(table: SharedTable, press: str, side: Side = LIGHT) -> None:
    table.board.submit(Button(table.board.clock(), side, press))
    table.wait(50)


def choose(table: SharedTable, name: str, value: str = "") -> None:
    """Select a line of the list that is open, with light's button."""
    while True:
        screen = table.board.menu.screen
        assert isinstance(screen, Listing), (screen, name)
        if screen.item.name == name and value in {"", screen.item.value}:
            press(table, "long")
            return
        press(table, "short")


def message(table: SharedTable) -> str:
    screen = table.board.menu.screen
    return screen.code if isinstance(screen, Message) else ""


def test_a_game_begins_by_the_buttons_of_both_boards(two: Two) -> None:
    press(two.light, "both")
    choose(two.light, "new-game")
    choose(two.light, "dark")
    choose(two.light, "table-dark", "porto")
    choose(two.light, "begin")
    two.wait()
    assert message(two.light) == "waiting-table"
    asked = two.dark.board.menu.screen
    assert isinstance(asked, Invitation)
    assert (asked.place, asked.rules, asked.side) == ("Lisbon", "finkel", DARK)
    # Both buttons are those of the player who is asked.
    press(two.dark, "long", DARK)
    two.wait()
    for one, remote in ((two.light, DARK), (two.dark, LIGHT)):
        assert one.shot.remote is remote
        assert one.board.menu.screen is None
    assert two.light.shot.shared is not None
    assert two.dark.shot.shared is not None
    assert two.light.shot.shared.id == two.dark.shot.shared.id


def test_a_short_press_declines(two: Two) -> None:
    order(two.light, INVITE)
    two.wait()
    press(two.dark, "short")
    two.wait()
    assert two.dark.board.menu.screen is None
    assert message(two.light) == "table-declined"
    assert two.light.board.tables.view.sent == ("porto", "declined")
    # The result is shown until a player has read it.
    order(two.light, WithdrawInvitation())
    assert two.light.board.tables.view.sent is None
    assert two.dark.shot.phase is Phase.NO_GAME


def test_a_withdrawn_invitation_disappears(two: Two) -> None:
    order(two.light, INVITE)
    two.wait()
    press(two.light, "both")
    choose(two.light, "withdraw")
    two.wait()
    assert two.light.board.menu.screen is two.dark.board.menu.screen is None
    assert two.dark.board.tables.view.invitation is None


def test_an_invitation_waits_until_the_menu_is_closed(two: Two) -> None:
    press(two.dark, "both")
    order(two.light, INVITE)
    two.wait()
    assert isinstance(two.dark.board.menu.screen, Listing)
    press(two.dark, "both")
    assert isinstance(two.dark.board.menu.screen, Invitation)
    # One that a player has closed is not shown again.
    press(two.dark, "both")
    two.wait()
    assert two.dark.board.menu.screen is None
    assert two.dark.board.tables.view.invitation is not None


def test_the_page_answers_with_a_name(two: Two) -> None:
    order(two.light, INVITE)
    two.wait()
    asked = two.dark.board.tables.view.invitation
    assert asked is not None
    order(two.dark, AnswerInvitation(asked[1].game, accepted=True, name="Zoë"))
    two.wait()
    for one in (two.light, two.dark):
        assert (one.shot.light, one.shot.dark) == ("Ann", "Zoë")
        assert one.board.tables.view.invitation is None


def test_only_a_free_table_is_offered_and_can_be_invited(two: Two) -> None:
    assert two.light.board.remote.look_for_tables() == ("porto",)
    begin_own_game(two.dark)
    two.wait()
    # A game before its first throw is replaced.
    assert two.light.board.remote.look_for_tables() == ("porto",)
    two.dark.answer(faces="g---")
    two.wait()
    assert two.light.board.remote.look_for_tables() == ()
    with pytest.raises(UrpiError, match="End the game at this table first"):
        order(two.dark, Invite("lisbon", rule_set("blitz"), DARK))


def test_a_table_without_a_connection_cannot_invite(two: Two) -> None:
    wire = two.light.board.remote.link
    assert isinstance(wire, Wire)
    wire.can_send = False
    with pytest.raises(UrpiError, match="no connection to the club"):
        order(two.light, INVITE)


def test_a_running_game_is_not_disturbed(two: Two) -> None:
    begin_own_game(two.dark)
    order(two.light, INVITE)
    two.wait(200)
    two.dark.answer(faces="g---")
    two.wait()
    assert two.dark.board.menu.screen is None
    assert two.dark.shot.light == "Kit"
    assert message(two.light) == "table-busy"


@pytest.mark.slow
def test_an_invitation_without_an_answer_ends(two: Two) -> None:
    order(two.light, INVITE)
    two.wait(INVITATION_MS + 1000)
    assert two.light.board.tables.view.sent == ("porto", "no-answer")
    assert two.dark.board.menu.screen is None
    assert two.dark.board.tables.view.invitation is None
    assert two.light.board.remote.look_for_tables() == ("porto",)


def test_a_table_that_goes_offline_invites_no_longer(two: Two) -> None:
    order(two.light, INVITE)
    two.wait()
    cut(two.light, is_cut=True)
    two.dark.wait(11_000)
    assert two.dark.board.menu.screen is None
    assert two.dark.board.tables.view.invitation is None


def test_a_game_that_never_begins_is_reported_where_it_was_accepted(two: Two) -> None:
    order(two.light, INVITE)
    two.wait()
    cut(two.dark, is_cut=True)
    press(two.dark, "long")
    assert message(two.dark) == "joining"
    two.wait(INVITATION_MS + 1000)
    assert message(two.dark) == "joining-failed"
    assert two.dark.shot.phase is Phase.NO_GAME


@pytest.fixture
def playing(two: Two) -> Two:
    two.begin("freecompany")
    return two


def test_the_page_answers_a_proposal(playing: Two) -> None:
    two = playing
    two.dark.request(Draw(two.dark.board.clock(), DARK, agreed=True))
    two.wait()
    assert two.dark.board.tables.view.proposing == "draw"
    assert two.light.board.tables.view.proposed == "draw"
    # An answer to something else has no effect.
    order(two.light, AnswerProposal("abandon", accepted=True))
    two.wait()
    assert two.light.board.tables.view.proposed == "draw"
    order(two.light, AnswerProposal("draw", accepted=True))
    two.wait()
    assert '[Result "draw"]' in two.light.record()
    assert two.light.record() == two.dark.record()


def test_a_new_game_does_not_end_one_with_another_table(playing: Two) -> None:
    with pytest.raises(UrpiError, match="Abandon the game with the other table first"):
        order(playing.light, NewGame(rule_set("finkel"), "Kit", "Lou", LIGHT))
    assert playing.light.shot.shared is not None


def test_a_game_that_the_other_table_does_not_have_is_abandoned_here_alone(playing: Two) -> None:
    two = playing
    assert two.light.shot.shared is not None
    two.light.board.remote.receive("porto", encode(Unknown(two.light.shot.shared.id, "missing")))
    two.light.wait(50)
    assert two.light.board.tables.view.problem == "unknown"
    assert message(two.light) == "diverged"
    two.light.request(Abandon(two.light.board.clock(), LIGHT))
    two.light.wait(50)
    assert two.light.shot.phase is Phase.OVER


def test_a_table_that_goes_offline_is_shown_at_once_and_does_not_hold_the_game(
    playing: Two,
) -> None:
    wire = playing.light.board.remote.link
    assert isinstance(wire, Wire)
    wire.offline = ("porto",)
    playing.light.wait(50)
    assert playing.light.board.tables.view.problem == "no-contact"
    order(playing.light, NewGame(rule_set("finkel"), "Kit", "Lou", LIGHT))
    assert playing.light.shot.light == "Kit"
