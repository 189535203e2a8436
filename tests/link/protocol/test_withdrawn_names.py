"""A name that is withdrawn is erased at the club, and never returns."""

from copy import deepcopy
from dataclasses import replace

import pytest

from tests.link.protocol.delivery import Delivery
from tests.link.protocol.memory import (
    MemoryJournal,
    MemoryStore,
)
from urpi.link.protocol.archive import receive
from urpi.link.protocol.message_parsers import parse_from_club
from urpi.link.protocol.messages import Lines, Offer
from urpi.link.protocol.outbox import RETRY_MS


def names_at_the_club(one: Delivery) -> list[dict[str, str]]:
    """The names of each game that the club has stored, in the order of the journal."""
    keys = [game.head.key for game in one.journal.games_by_number.values()]
    return [one.store.names[key] for key in sorted(one.store.names, key=keys.index)]


@pytest.mark.parametrize("ledger_lost", [False, True])
def test_a_name_that_is_withdrawn_is_erased_and_never_returns(ledger_lost: bool) -> None:
    one = Delivery()
    one.begin(light="Ann", dark="Zoë")
    one.outbox.look()
    one.pump()
    old = one.outbox.next_message(0)
    assert old is not None
    one.settle()
    assert names_at_the_club(one) == [{"light": "Ann", "dark": "Zoë"}]
    one.journal.withdraw("Ann")
    if ledger_lost:
        one.ledger.stored.clear()
        one.restart_table()
    one.pump()
    one.settle()
    assert names_at_the_club(one) == [{"dark": "Zoë"}]
    receive(one.store, replace(old))
    assert names_at_the_club(one) == [{"dark": "Zoë"}]


def test_a_withdrawal_is_repeated_until_the_club_answers() -> None:
    one = Delivery()
    one.begin(light="Ann")
    one.settle()
    one.journal.withdraw("Ann")
    one.outbox.look()
    first = one.outbox.next_message(one.now)
    assert isinstance(first, Offer)
    assert first.agreed == ()
    # It is lost on the way.
    assert one.outbox.next_message(one.now + RETRY_MS[0]) == first
    one.outbox.receive(parse_from_club(receive(one.store, first).encode()))
    assert one.outbox.next_message(one.now + 2 * RETRY_MS[-1]) is None
    assert names_at_the_club(one) == [{}]


def test_a_name_is_erased_in_games_that_the_journal_has_lost() -> None:
    one = Delivery()
    one.begin(light="Ann", dark="Zoë")
    one.settle()
    one.journal = MemoryJournal(consents={"Zoë"})
    one.restart_table()
    one.settle()
    assert list(one.store.names.values()) == [{"dark": "Zoë"}]


def test_a_name_is_erased_at_once_although_no_game_of_the_journal_has_it() -> None:
    one = Delivery()
    one.begin(light="Ann", dark="Zoë")
    one.settle()
    one.journal = MemoryJournal(consents={"Ann", "Zoë"})
    one.restart_table()
    one.settle()
    one.journal.withdraw("Ann")
    one.pump()
    assert list(one.store.names.values()) == [{"dark": "Zoë"}]


def test_a_restored_club_does_not_show_a_name_again_that_was_withdrawn() -> None:
    one = Delivery()
    one.begin(light="Ann")
    one.finish()
    one.settle()
    backup = deepcopy(one.store)
    one.journal.withdraw("Ann")
    one.settle()
    one.begin(light="Ann")
    one.settle()
    assert names_at_the_club(one) == [{}, {"light": "Ann"}]
    one.store = backup
    one.settle()
    assert names_at_the_club(one) == [{}, {"light": "Ann"}]
    one.store = MemoryStore()
    one.settle()
    assert sorted(map(len, names_at_the_club(one))) == [0, 1]


def test_a_name_that_another_one_replaces_is_erased() -> None:
    one = Delivery()
    one.begin(light="Ann")
    one.begin(dark="Ann", light="Bo")
    one.settle()
    # `urpi games anonymise Ann --as Bo`, at the table of a Bo who agrees.
    one.journal.withdraw("Ann")
    one.journal.games_by_number[1].names = {"light": "Bo"}
    one.settle()
    assert names_at_the_club(one) == [{}, {"light": "Bo"}]


def test_a_name_that_was_withdrawn_in_flight_is_not_sent_again() -> None:
    one = Delivery()
    one.begin(light="Ann")
    one.pump()
    one.outbox.look()
    late = one.outbox.next_message(one.now)
    assert isinstance(late, Lines)
    assert late.names == {"light": "Ann"}
    one.journal.withdraw("Ann")
    one.outbox.look()
    sent = one.outbox.next_message(one.now)
    assert isinstance(sent, Offer)
    # The club receives the withdrawal first.
    one.outbox.receive(parse_from_club(receive(one.store, sent).encode()))
    receive(one.store, late)
    again = one.outbox.next_message(one.now)
    assert isinstance(again, Lines)
    assert again.names == {}
    receive(one.store, again)
    assert names_at_the_club(one) == [{}]
