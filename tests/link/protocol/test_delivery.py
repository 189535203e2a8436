"""Every line is stored exactly once, whatever the broker, the club and the table go through."""

from copy import deepcopy

import pytest

from tests.link.protocol.delivery import Delivery, Misfortunes
from tests.slow import slow_except
from urpi.link.protocol.archive import receive
from urpi.link.protocol.messages import MAX_OFFERED, Ack, Compared, Lines, Offer
from urpi.link.protocol.outbox import FULL_BYTES


@pytest.mark.parametrize("seed", slow_except(range(40), 0))
def test_every_line_is_stored_exactly_once(seed: int) -> None:
    one = Misfortunes(seed)
    for _ in range(300):
        one.next_event()
    one.settle()
    one.check()


def test_a_week_offline_is_sent_with_the_newest_game_first() -> None:
    one = Delivery()
    one.outbox.disconnect()
    for _ in range(5):
        one.play(20)
        one.finish()
    one.play()
    one.outbox.connect()
    one.outbox.look()
    offer = one.outbox.next_message(0)
    assert isinstance(offer, Offer)
    assert [game.number for game in offer.games] == [6, 5, 4, 3, 2, 1]
    one.outbox.receive(Compared(offer.offer, ()))
    sent = one.outbox.next_message(0)
    assert isinstance(sent, Lines)
    assert sent.number == 6
    one.settle()
    one.check()
    assert one.outbox.waiting_games == 0


@pytest.mark.slow
def test_the_newest_game_goes_on_while_many_earlier_ones_are_compared() -> None:
    one = Delivery()
    for _ in range(2 * MAX_OFFERED):
        one.play()
        one.finish()
    one.play()
    one.settle()
    newest = max(one.journal.games_by_number)
    one.outbox.connect()
    kinds = []
    for _ in range(6):
        one.play()
        one.outbox.look()
        message = one.outbox.next_message(one.now)
        assert message is not None
        assert isinstance(message, Offer) or message.number == newest
        kinds.append(type(message))
        one.outbox.receive(receive(one.store, message))
    # Nothing moves: the next page is compared.
    one.outbox.look()
    assert isinstance(one.outbox.next_message(one.now), Offer)
    assert kinds == [Offer, *[Lines] * 5]
    one.settle()
    one.check()


def test_a_journal_that_was_restored_and_continued_differently_is_a_second_history() -> None:
    one = Delivery()
    one.play(20)
    backup = one.journal.backup()
    one.play(20)
    one.settle()
    (first,) = one.store.stored.values()
    lines = list(first.lines)
    one.restore_journal(backup)
    one.play(30)
    one.settle()
    one.check()
    first, second = one.store.stored.values()
    assert first.lines == lines
    assert second.lines == one.journal.games_by_number[1].lines
    assert first.lines[:10] == second.lines[:10]


def test_the_history_that_the_table_continues_is_the_current_one() -> None:
    one = Delivery()
    one.play(10)
    backup = one.journal.backup()
    one.play(5)
    one.outbox.look()
    one.pump()
    late = one.outbox.next_message(0)
    one.restore_journal(backup)
    one.play(5)
    one.settle()
    assert late is not None
    receive(one.store, late)  # of a history that the table's journal does not contain
    one.play(5)
    one.outbox.look()
    one.pump()
    one.check()


def test_an_unanswered_message_is_repeated_ever_less_often() -> None:
    one = Delivery()
    one.play()
    one.outbox.look()
    first = one.outbox.next_message(0)
    sent = [t for t in range(0, 200_000, 500) if t and one.outbox.next_message(t) == first]
    assert sent == [5_000, 15_000, 35_000, 75_000, 135_000, 195_000]


def test_an_old_answer_confirms_nothing() -> None:
    one = Delivery()
    one.play(5)
    one.settle()
    confirmed = dict(one.ledger.stored)
    one.play(5)
    one.send()
    old = confirmed[1]
    one.outbox.receive(Ack(old.key, old.lines, old.chain, old.finished, stored=True))
    one.outbox.receive(Compared("run1-1", (old.key,)))
    assert one.ledger.stored == confirmed
    assert one.outbox.next_message(0) is None


def test_a_message_ends_where_the_journal_stored_lines_at_once() -> None:
    one = Delivery()
    number = one.begin()
    long = ['{"t":1,"type":"time","x":"' + "x" * 30_000 + '"}'] * 3
    for _ in range(4):
        one.journal.append(number, long)
    one.pump()
    one.outbox.look()
    message = one.outbox.next_message(one.now)
    assert isinstance(message, Lines)
    assert len(message.lines) == 4  # the game's own line, and one batch
    assert len(message.encode()) < FULL_BYTES
    one.settle()
    one.check()


def test_the_rest_of_a_batch_that_does_not_fit_into_a_message_is_sent_too() -> None:
    one = Delivery()
    number = one.begin()
    one.journal.append(number, ['{"t":1,"type":"time","x":"' + "x" * 30_000 + '"}'] * 12)
    one.pump()
    one.pump()
    assert len(one.store.stored[1].lines) == 1  # what ends a batch
    one.pump()
    one.pump()
    assert one.ledger.stored[1].lines == 1  # not the middle of a batch
    one.restart_table()
    one.settle()
    one.check()


def test_a_pruned_game_is_not_sent_again() -> None:
    one = Delivery()
    one.play(5)
    one.finish()
    one.settle()
    before = deepcopy(one.store)
    game = one.journal.games_by_number[1]
    game.pruned = True
    game.batches = [(seq, ["" for _ in lines]) for seq, lines in game.batches]
    one.restart_table()
    one.settle()
    one.ledger.stored.clear()
    one.restart_table()
    one.settle()
    assert one.store == before


def test_a_pruned_game_that_the_club_lacks_is_sent_without_the_lines_removed() -> None:
    one = Delivery()
    one.play(5)
    one.finish()
    game = one.journal.games_by_number[1]
    game.pruned = True
    game.batches = [
        (seq, [lines[0] if seq == 1 else "" for _ in lines]) for seq, lines in game.batches
    ]
    one.settle()
    one.check()
