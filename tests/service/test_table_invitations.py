"""Two boards agree on a game: what begins at both of them, and when none begins."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.service.test_remote_play import AT, DARK, GAME, LIGHT, SharedTable, Two, Wire
from urpi.core.errors import UrpiError
from urpi.link.remote.invitations import INVITATION_MS, REPEAT_MS
from urpi.link.remote.messages import Invited, Progress, encode
from urpi.referee import Phase
from urpi.referee.orders import NewGame
from urpi.rules import Side, rule_set
from urpi.service.table_invitations import TableInvitations

INVITATION = Invited(GAME, "blitz", DARK, "Ann", LIGHT, "2026.11.23")


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    with ExitStack() as stack:
        yield Two(tmp_path, stack)


def invitations(table: SharedTable) -> TableInvitations:
    return table.board.remote.invitations


def invite(table: SharedTable, invited: Invited = INVITATION) -> None:
    done = table.board.service.call(
        lambda: invitations(table).invite(AT[table.side.other], invited)
    )
    table.wait(50)
    done.result()


def answer(table: SharedTable, name: str | None) -> None:
    table.board.service.call(lambda: invitations(table).answer(GAME, name))


def begin_own_game(table: SharedTable) -> None:
    table.board.order(NewGame(rule_set("finkel"), "Kit", "Lou", LIGHT))
    table.wait(500)


def cut(table: SharedTable, *, is_cut: bool) -> None:
    wire = table.board.remote.link
    assert isinstance(wire, Wire)
    wire.is_cut = is_cut


def test_an_accepted_invitation_begins_one_game_at_both_boards(two: Two) -> None:
    invite(two.light)
    two.wait()
    assert invitations(two.dark).agreement.asked == ("lisbon", INVITATION)
    answer(two.dark, "Zoë")
    two.wait()
    assert invitations(two.light).agreement.state == "accepted"
    for one, remote in ((two.light, LIGHT), (two.dark, DARK)):
        shot = one.shot
        assert (shot.light, shot.dark, shot.side, shot.remote) == ("Zoë", "Ann", LIGHT, remote)
    two.dark.answer(faces="g---")
    two.dark.answer(move="+A4")
    two.wait()
    two.light.answer(move="+A4")
    two.wait()
    assert two.light.record() == two.dark.record()


def test_a_declined_invitation_leaves_both_boards_as_they_were(two: Two) -> None:
    invite(two.light)
    two.wait()
    answer(two.dark, None)
    two.wait()
    assert invitations(two.light).agreement.state == "declined"
    assert two.light.shot.phase is two.dark.shot.phase is Phase.NO_GAME


def test_a_board_with_a_game_in_progress_declines_and_cannot_invite(two: Two) -> None:
    begin_own_game(two.dark)
    two.dark.answer(faces="g---")
    two.dark.wait(500)
    invite(two.light)
    two.wait()
    assert invitations(two.light).agreement.state == "busy"
    assert two.dark.shot.light == "Kit"
    with pytest.raises(UrpiError, match="A game is in progress"):
        invite(two.dark)


def test_a_game_without_a_throw_is_replaced(two: Two) -> None:
    begin_own_game(two.dark)
    invite(two.light)
    two.wait()
    answer(two.dark, "Zoë")
    two.wait()
    assert two.dark.shot.shared is not None
    assert two.dark.shot.light == "Zoë"


def test_a_game_that_begins_here_declines_the_invitation(two: Two) -> None:
    invite(two.light)
    two.wait()
    begin_own_game(two.dark)
    two.dark.answer(faces="g---")
    two.wait()
    assert invitations(two.dark).agreement.asked is None
    assert invitations(two.light).agreement.state == "busy"


def test_a_lost_first_message_about_the_game_is_sent_again(two: Two) -> None:
    invite(two.light)
    two.wait()
    answer(two.dark, "Zoë")
    two.dark.wait(50)
    cut(two.light, is_cut=True)
    # By then the message itself is repeated only every eight seconds.
    two.wait(8_000)
    assert two.light.shot.shared is not None
    assert two.dark.shot.shared is None
    cut(two.light, is_cut=False)
    # The acceptance is repeated every two seconds, and answered then.
    two.wait(2_500)
    assert two.dark.shot.shared is not None


def test_a_game_that_the_other_board_never_begins_is_abandoned(two: Two) -> None:
    invite(two.light)
    two.wait()
    answer(two.dark, "Zoë")
    two.dark.wait(50)
    cut(two.light, is_cut=True)
    two.wait(INVITATION_MS + 1_000)
    assert two.light.shot.phase is not Phase.OVER
    cut(two.light, is_cut=False)
    two.wait(11_000)
    assert two.light.shot.phase is Phase.OVER
    assert two.dark.shot.phase is Phase.NO_GAME


def test_only_the_table_that_was_accepted_can_begin_the_game(two: Two) -> None:
    invite(two.light)
    two.wait()
    cut(two.dark, is_cut=True)
    answer(two.dark, "Zoë")
    two.dark.board.remote.receive("faro", encode(Progress(GAME, 0, GAME, 1, GAME)))
    two.dark.wait(500)
    assert two.dark.shot.shared is None


def test_the_id_of_a_table_is_checked(two: Two) -> None:
    done = two.light.board.service.call(lambda: invitations(two.light).invite("Porto", INVITATION))
    two.light.wait(50)
    with pytest.raises(UrpiError, match="table's id"):
        done.result()


@pytest.mark.parametrize("side", list(Side))
def test_the_game_is_the_one_of_the_invitation(two: Two, side: Side) -> None:
    invite(two.light, Invited(GAME, "finkel", side, "Ann", side, "2026.11.23"))
    two.wait()
    answer(two.dark, "")
    two.wait()
    assert two.light.shot.name(side) == two.dark.shot.name(side) == "Ann"
    assert (two.light.shot.remote, two.dark.shot.remote) == (side.other, side)
    assert two.light.shot.side is two.dark.shot.side is side
    assert '[Date "2026.11.23"]' in two.dark.record()


def test_the_program_wakes_up_to_repeat_an_invitation(two: Two) -> None:
    assert two.light.board.remote.next_due is None
    invite(two.light)
    due = two.light.board.remote.next_due
    assert due is not None
    assert due <= two.light.board.clock() + REPEAT_MS
