"""Two tables agree to play one game, also if messages are lost, doubled and reordered."""

from collections.abc import Callable
from random import Random
from typing import get_args

import pytest

from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.link.remote.invitations import (
    FORGOTTEN_MS,
    INVITATION_MS,
    MAX_SETTLED,
    REPEAT_MS,
    AgreedGame,
    Invitations,
)
from urpi.link.remote.messages import Accepted, DeclineCode, Declined, Invited, TableMessage
from urpi.rules import Side

LOW, HIGH = "0a" * 16, "f1" * 16


def invitation(game: str = LOW, side: Side = Side.LIGHT, name: str = "Ann") -> Invited:
    return Invited(game, "finkel", side, name, Side.DARK, "2026.11.23")


def receive(table: Invitations, sender: str, message: TableMessage, now: int = 0) -> None:
    assert isinstance(message, Invited | Accepted | Declined)
    table.receive(sender, message, now)


def asked_table(game: str = LOW) -> Invitations:
    """Return the table porto, which lisbon has invited."""
    porto = Invitations()
    porto.update(busy=False)
    receive(porto, "lisbon", invitation(game))
    return porto


class Pair:
    """Two tables, lisbon and porto, and the messages between them.

    Args:
        deliver: Returns how often a message arrives.
    """

    def __init__(self, deliver: Callable[[], int] = lambda: 1) -> None:
        self.tables = {"lisbon": Invitations(), "porto": Invitations()}
        self.begun: dict[str, list[AgreedGame]] = {"lisbon": [], "porto": []}
        self.deliver, self.now = deliver, 0

    def begin_agreed(self) -> None:
        for name, table in self.tables.items():
            while (agreed := table.next_game()) is not None:
                self.begun[name].append(agreed)
                table.update(busy=True)

    def step(self, shuffle: Callable[[list[tuple[str, str, TableMessage]]], None]) -> None:
        """Deliver what both tables send now, and let 500 ms pass."""
        sent = [
            (sender, to, message)
            for sender, table in self.tables.items()
            for to, message in table.next_messages(self.now)
            for _ in range(self.deliver())
        ]
        shuffle(sent)
        for sender, to, message in sent:
            receive(self.tables[to], sender, message, self.now)
            self.begin_agreed()
        for sender, games in self.begun.items():
            for one in games:
                for _ in range(self.deliver()):
                    self.tables[one.table].note_game(sender, one.invited.game)
        self.begin_agreed()
        self.now += 500


def test_an_accepted_invitation_begins_the_same_game_at_both_tables() -> None:
    pair = Pair()
    lisbon, porto = pair.tables.values()
    lisbon.invite("porto", invitation(), 0)
    pair.step(lambda _sent: None)
    assert porto.asked == ("lisbon", invitation())
    assert (lisbon.invited_table, lisbon.state) == ("porto", "waiting")
    porto.answer(LOW, "Zoë", pair.now)
    assert porto.joining is not None
    pair.step(lambda _sent: None)
    assert lisbon.state == "accepted"
    assert pair.begun["lisbon"] == [AgreedGame("porto", invitation(), Side.LIGHT, "Zoë")]
    assert pair.begun["porto"] == [AgreedGame("lisbon", invitation(), Side.DARK, "Zoë")]


@pytest.mark.parametrize(
    ("side", "names"), [(Side.LIGHT, ("Ann", "Zoë")), (Side.DARK, ("Zoë", "Ann"))]
)
def test_the_player_who_invites_has_the_side_of_the_invitation(
    side: Side, names: tuple[str, str]
) -> None:
    assert AgreedGame("porto", invitation(side=side), side, "Zoë").names == names


def test_the_invited_table_begins_only_after_the_other_one_has_begun() -> None:
    porto = asked_table()
    porto.answer(LOW, "Zoë", 0)
    assert porto.next_game() is None
    porto.note_game("faro", LOW)
    porto.note_game("lisbon", HIGH)
    assert porto.next_game() is None
    porto.note_game("lisbon", LOW)
    assert porto.next_game() is not None
    porto.note_game("lisbon", LOW)
    assert porto.next_game() is None


def test_a_message_about_a_game_accepts_no_invitation() -> None:
    porto = asked_table()
    porto.note_game("lisbon", LOW)
    assert porto.next_game() is None
    assert porto.asked is not None


def test_a_declined_invitation_stays_declined() -> None:
    porto = asked_table()
    porto.answer(LOW, None, 0)
    assert porto.asked is None
    declined = [("lisbon", Declined(LOW, "declined"))]
    assert porto.next_messages(0) == declined
    receive(porto, "lisbon", invitation())
    assert porto.asked is None
    assert porto.next_messages(0) == declined


@pytest.mark.parametrize("code", get_args(DeclineCode)[:2])
def test_the_table_that_invited_learns_why_no_game_begins(code: DeclineCode) -> None:
    lisbon = Invitations()
    lisbon.invite("porto", invitation(), 0)
    lisbon.receive("porto", Declined(LOW, code), 0)
    assert lisbon.state == code
    assert lisbon.next_messages(REPEAT_MS) == []
    assert lisbon.due is None


def test_an_invitation_is_repeated_until_it_is_withdrawn_without_an_answer() -> None:
    lisbon = Invitations()
    lisbon.invite("porto", invitation(), 0)
    invited, withdrawn = ("porto", invitation()), ("porto", Declined(LOW, "withdrawn"))
    assert lisbon.next_messages(0) == [invited]
    assert lisbon.due == REPEAT_MS
    assert lisbon.next_messages(REPEAT_MS - 1) == []
    assert lisbon.next_messages(REPEAT_MS) == [invited]
    assert lisbon.next_messages(INVITATION_MS) == [withdrawn]
    assert lisbon.state == "no-answer"
    assert lisbon.due is None


def test_an_acceptance_after_the_withdrawal_begins_no_game() -> None:
    pair = Pair()
    lisbon, porto = pair.tables.values()
    lisbon.invite("porto", invitation(), 0)
    pair.step(lambda _sent: None)
    lisbon.withdraw()
    assert lisbon.state is None
    porto.answer(LOW, "Zoë", pair.now)
    for _ in range(3):
        pair.step(lambda _sent: None)
    assert pair.begun == {"lisbon": [], "porto": []}
    assert porto.joining is None


def test_a_withdrawn_invitation_is_not_asked_again_by_a_late_copy() -> None:
    porto = asked_table()
    receive(porto, "lisbon", Declined(LOW, "withdrawn"))
    assert porto.asked is None
    receive(porto, "lisbon", invitation())
    assert porto.asked is None
    receive(porto, "lisbon", invitation(HIGH))
    assert porto.asked is not None


def test_an_invitation_whose_withdrawal_was_lost_is_forgotten() -> None:
    porto = asked_table()
    assert porto.due == FORGOTTEN_MS
    receive(porto, "lisbon", invitation(), 5_000)
    porto.next_messages(FORGOTTEN_MS)
    assert porto.asked is not None
    assert porto.next_messages(5_000 + FORGOTTEN_MS) == []
    assert porto.asked is None


def test_an_acceptance_is_repeated_until_the_other_table_begins_or_for_a_minute() -> None:
    porto = asked_table()
    porto.answer(LOW, "", 0)
    accepted = [("lisbon", Accepted(LOW, ""))]
    assert porto.next_messages(0) == accepted
    assert porto.next_messages(1) == []
    assert porto.next_messages(REPEAT_MS) == accepted
    assert porto.next_messages(INVITATION_MS) == []
    assert porto.joining is None


def test_a_table_with_a_game_declines_as_busy() -> None:
    porto = Invitations()
    porto.update(busy=True)
    receive(porto, "lisbon", invitation())
    assert porto.asked is None
    assert porto.next_messages(0) == [("lisbon", Declined(LOW, "busy"))]
    with pytest.raises(UrpiError, match="A game is in progress"):
        porto.invite("lisbon", invitation(HIGH), 0)


def test_a_game_that_begins_at_the_table_ends_its_invitations() -> None:
    lisbon, porto = Invitations(), asked_table()
    lisbon.invite("porto", invitation(), 0)
    lisbon.update(busy=True)
    porto.update(busy=True)
    assert lisbon.next_messages(0) == [("porto", Declined(LOW, "withdrawn"))]
    assert porto.next_messages(0) == [("lisbon", Declined(LOW, "busy"))]
    assert (lisbon.state, porto.asked) == (None, None)


def test_an_asked_table_declines_a_third_one_and_answers_before_it_invites() -> None:
    porto = asked_table()
    receive(porto, "faro", invitation(HIGH))
    assert porto.next_messages(0) == [("faro", Declined(HIGH, "busy"))]
    assert porto.asked == ("lisbon", invitation())
    with pytest.raises(UrpiError, match="The table lisbon invites this one"):
        porto.invite("faro", invitation(HIGH), 0)


def test_an_inviting_table_declines_a_third_one() -> None:
    lisbon = Invitations()
    lisbon.invite("porto", invitation(), 0)
    receive(lisbon, "faro", invitation(HIGH))
    assert ("faro", Declined(HIGH, "busy")) in lisbon.next_messages(0)
    assert lisbon.state == "waiting"


@pytest.mark.parametrize(("of_lisbon", "of_porto"), [(LOW, HIGH), (HIGH, LOW)])
def test_of_two_tables_that_invite_each_other_one_is_asked(of_lisbon: str, of_porto: str) -> None:
    pair = Pair()
    lisbon, porto = pair.tables.values()
    lisbon.invite("porto", invitation(of_lisbon), 0)
    porto.invite("lisbon", invitation(of_porto), 0)
    for _ in range(3):
        pair.step(lambda _sent: None)
    host, guest = (lisbon, porto) if of_lisbon == LOW else (porto, lisbon)
    assert (host.state, host.asked) == ("waiting", None)
    assert guest.state is None
    assert guest.asked is not None
    assert guest.asked[1].game == LOW
    guest.answer(LOW, "Zoë", pair.now)
    for _ in range(3):
        pair.step(lambda _sent: None)
    assert [len(games) for games in pair.begun.values()] == [1, 1]


def test_a_new_invitation_withdraws_the_earlier_one() -> None:
    lisbon = Invitations()
    lisbon.invite("porto", invitation(), 0)
    lisbon.invite("faro", invitation(HIGH), 0)
    assert lisbon.next_messages(0) == [
        ("porto", Declined(LOW, "withdrawn")),
        ("faro", invitation(HIGH)),
    ]
    receive(lisbon, "porto", Accepted(LOW, "Zoë"))
    assert lisbon.next_game() is None


def test_only_the_invited_table_can_answer() -> None:
    lisbon = Invitations()
    lisbon.invite("porto", invitation(), 0)
    receive(lisbon, "faro", Accepted(LOW, "Eve"))
    receive(lisbon, "faro", Declined(LOW, "declined"))
    receive(lisbon, "porto", Accepted(HIGH, "Eve"))
    assert lisbon.state == "waiting"
    assert lisbon.next_game() is None


def test_an_answer_to_another_invitation_has_no_effect() -> None:
    porto = asked_table()
    porto.answer(HIGH, "Zoë", 0)
    assert porto.asked is not None
    assert porto.next_messages(0) == []


def test_the_number_of_answers_that_are_kept_is_limited() -> None:
    porto = Invitations()
    porto.update(busy=True)
    for number in range(10 * MAX_SETTLED):
        receive(porto, "lisbon", invitation(f"{number:032x}"))
    assert len(porto._settled) == MAX_SETTLED


@pytest.mark.parametrize("seed", slow_except(range(300), *range(12)))
def test_lost_doubled_and_reordered_messages_begin_at_most_one_game(seed: int) -> None:
    rng = Random(seed)
    pair = Pair(lambda: rng.choice((0, 0, 1, 1, 2)))
    lisbon, porto = pair.tables.values()
    lisbon.invite("porto", invitation(HIGH), 0)
    if seed % 3 == 0:
        porto.invite("lisbon", invitation(LOW, name="Zoë"), 0)
    withdraws, declines = seed % 5 == 1, seed % 5 == 2
    for number in range(300):
        pair.step(rng.shuffle)
        for table in pair.tables.values():
            if table.asked is not None and rng.random() < 0.2:
                table.answer(table.asked[1].game, None if declines else "Mia", pair.now)
        if withdraws and number == 10:
            lisbon.withdraw()
    both = [games for games in pair.begun.values() if games]
    if both:
        first, second = pair.begun["lisbon"], pair.begun["porto"]
        assert len(first) == len(second) == 1
        assert first[0].invited == second[0].invited
        assert first[0].side is second[0].side.other
        assert first[0].names == second[0].names
    assert not declines or not both
    assert all(table.asked is None and table.joining is None for table in pair.tables.values())
    assert both or declines or withdraws
