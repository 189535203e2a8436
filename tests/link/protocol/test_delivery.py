"""Every line is stored exactly once, whatever the broker, the club and the table go through."""

from copy import deepcopy

import pytest

from tests.link.protocol.delivery import Delivery, Misfortunes, RemovedLines
from tests.slow import slow_except
from urpi.link.protocol import outbox
from urpi.link.protocol.archive import receive
from urpi.link.protocol.message_parsers import parse_from_table
from urpi.link.protocol.messages import (
    LAST_NUMBER,
    MAX_OFFERED,
    Ack,
    Block,
    Compared,
    Digest,
    Lines,
    Offer,
    Rejected,
)
from urpi.link.protocol.outbox import FULL_BYTES


@pytest.mark.parametrize("seed", slow_except(range(40), 0))
def test_every_line_is_stored_exactly_once(seed: int) -> None:
    one = Misfortunes(seed)
    for _ in range(300):
        one.next_event()
    one.settle()
    one.check()


@pytest.mark.parametrize("kind", [Misfortunes, RemovedLines])
@pytest.mark.parametrize("seed", slow_except(range(100, 130), 100))
def test_many_games_are_compared_by_digests(
    kind: type[Misfortunes], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MAX_OFFERED", 4)
    one = kind(seed)
    for _ in range(300):
        one.next_event()
    one.settle()
    one.check()


def offered(one: Delivery) -> list[set[int] | int]:
    """Settle, and return what the table compares: games of an offer, or the blocks of a digest."""
    one.outbox.connect()
    found: list[set[int] | int] = []
    while (message := one.outbox.next_message(one.now)) is not None:
        if isinstance(message, Offer):
            found.append({game.number for game in message.games})
        elif isinstance(message, Digest):
            found.append(len(message.blocks))
        one.outbox.receive(receive(one.store, parse_from_table(message.encode())))
    one.check()
    return found


BLOCK = 10


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> Delivery:
    """A table with five blocks of games at the club, the last one incomplete."""
    monkeypatch.setattr(outbox, "MAX_OFFERED", BLOCK)
    one = Delivery()
    for _ in range(4 * BLOCK + 5):
        one.begin(light="Ann", dark="Bo")
        one.finish()
    one.settle()
    return one


def test_a_digest_finds_what_differs_and_nothing_else(many: Delivery) -> None:
    assert offered(many) == [set(), 5]
    many.begin()
    newest = 4 * BLOCK + 6
    assert offered(many) == [{newest}, 5]
    before = deepcopy(many.store)
    many.finish()
    offered(many)
    assert offered(many) == [set(), 5]
    # As if the answer to its end had been lost.
    many.ledger.stored.pop(newest)
    block = set(range(4 * BLOCK, newest))
    assert offered(many) == [{newest}, 5, block]
    many.store = before
    assert offered(many) == [set(), 5, block | {newest}]
    key = many.journal.games_by_number[25].head.key
    many.store.stored[many.store.current[key]].finished = None
    assert offered(many) == [set(), 5, set(range(2 * BLOCK, 3 * BLOCK))]


def test_a_name_in_one_of_many_games_is_withdrawn(many: Delivery) -> None:
    games = many.journal.games_by_number
    # Corrected at the table, where both still agree.
    games[7].names["light"] = "Bo"
    assert offered(many) == [set(), 5, set(range(1, BLOCK))]
    assert many.store.names[games[7].head.key] == {"dark": "Bo"}
    assert many.store.names[games[8].head.key] == {"light": "Ann", "dark": "Bo"}
    many.journal.withdraw("Ann")
    # The first offer, which has the names of all who agree, has erased that of the others.
    assert offered(many) == [set(), 5, set(range(1, BLOCK))]
    assert all(names == {"dark": "Bo"} for names in many.store.names.values())


@pytest.mark.parametrize("last", [1 + MAX_OFFERED, LAST_NUMBER])
def test_a_short_digest_cannot_have_the_club_read_everything(last: int) -> None:
    one = Delivery()
    one.store.finished_games = None  # type: ignore[assignment,method-assign]
    digest = Digest("a", (Block(1, last, "0" * 32),))
    answer = receive(one.store, parse_from_table(digest.encode()))
    assert isinstance(answer, Rejected)
    assert answer.text == "A block must have at most 200 numbers."


def test_a_club_without_digests_is_offered_all_games(many: Delivery) -> None:
    many.outbox.connect()
    compared: set[int] = set()
    while (message := many.outbox.next_message(many.now)) is not None:
        if isinstance(message, Digest):
            many.outbox.receive(Rejected("malformed", "the type must be one of lines, offer"))
            continue
        assert isinstance(message, Offer)
        compared |= {game.number for game in message.games}
        many.outbox.receive(receive(many.store, message))
    assert compared == set(many.journal.games_by_number)


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
    # Nothing moves: the others are compared.
    one.outbox.look()
    assert isinstance(one.outbox.next_message(one.now), Digest)
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
