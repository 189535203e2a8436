"""Every line is stored exactly once, whatever the broker, the club and the table go through."""

import random
from copy import deepcopy
from dataclasses import replace
from typing import ClassVar

import pytest

from tests.club.memory import (
    MemoryGame,
    MemoryJournal,
    MemoryLedger,
    MemoryStore,
    StoredHistory,
)
from urpi.club.archive import receive
from urpi.club.message_parsers import parse_from_club, parse_from_table
from urpi.club.messages import Ack, Compared, Lines, Offer
from urpi.club.outbox import FULL_BYTES, RETRY_MS, Outbox

NAMES = ("Ann", "Zoë", "Bo")


class Delivery:
    """A table, a broker that may lose, repeat and reorder, and a club; with their backups."""

    def __init__(self, seed: int = 0, loss: float = 0.0) -> None:
        self.random, self.loss = random.Random(seed), loss
        self.now = self.runs = self.stamp = 0
        self.journal, self.ledger, self.store = MemoryJournal(), MemoryLedger(), MemoryStore()
        self.to_club: list[bytes] = []
        self.to_table: list[bytes] = []
        self.abandoned: list[tuple[str, list[str]]] = []
        self.restart_table()

    def restart_table(self) -> None:
        self.runs += 1
        self.outbox = Outbox(self.journal, self.ledger, f"run{self.runs}")
        self.outbox.connect()

    def begin(self, **names: str) -> int:
        self.stamp += 1
        return self.journal.begin(
            f"2026-11-20T19:{self.stamp // 60:02}:{self.stamp % 60:02}+01:00", names
        )

    def play(self, count: int = 1) -> None:
        """Store some lines of the newest game, as a service does."""
        number = max(self.journal.games_by_number, default=0) or self.begin()
        if self.journal.games_by_number[number].finished:
            number = self.begin()
        for _ in range(count):
            self.stamp += 1
            lines = [
                f'{{"t":{self.stamp},"type":"time","n":{each}}}'
                for each in range(self.random.randint(1, 4))
            ]
            self.journal.append(number, lines)

    def finish(self) -> None:
        number = max(self.journal.games_by_number, default=0)
        if number:
            self.journal.games_by_number[number].finished = "2026-11-20T20:00:00+01:00"

    def restore_journal(self, backup: MemoryJournal) -> None:
        """Continue with an older journal. Lines after the backup are lost at the table."""
        self.abandoned += [
            (game.head.key, game.lines) for game in self.journal.games_by_number.values()
        ]
        self.journal = deepcopy(backup)
        # Another program's start in between is required to replace the file.
        self.restart_table()

    def send(self) -> None:
        self.outbox.look()
        message = self.outbox.next_message(self.now)
        if message is not None:
            data = message.encode()
            assert parse_from_table(data) == message
            self._put(self.to_club, data)

    def _put(self, queue: list[bytes], data: bytes) -> None:
        while self.random.random() >= self.loss:
            queue.insert(self.random.randint(0, len(queue)) if self.loss else len(queue), data)
            if not self.loss or self.random.random() < 0.8:
                break

    def pump(self) -> None:
        """Let the club and the table each receive a message."""
        self.send()
        if self.to_club:
            answer = receive(self.store, parse_from_table(self.to_club.pop(0)))
            assert isinstance(answer, Ack | Compared), answer
            self._put(self.to_table, answer.encode())
        if self.to_table:
            self.outbox.receive(parse_from_club(self.to_table.pop(0)))

    def settle(self) -> None:
        """Deliver everything over a connection without faults."""
        self.loss = 0.0
        self.outbox.connect()
        for _ in range(20_000):
            self.now += RETRY_MS[0]
            self.pump()
            if not (self.to_club or self.to_table or self.outbox.waiting_games):
                return
        raise AssertionError("something is never acknowledged")

    def check(self) -> None:
        """Check that the club has each history of each game exactly once."""
        for game in self.journal.games_by_number.values():
            same = [
                number
                for number, one in self.store.stored.items()
                if (one.key, one.lines, one.finished) == (game.head.key, game.lines, game.finished)
            ]
            assert len(same) == 1, game.head
            assert self.store.current[game.head.key] == same[0]
        truths = [
            *self.abandoned,
            *((game.head.key, game.lines) for game in self.journal.games_by_number.values()),
        ]
        for game in self.journal.games_by_number.values():
            assert self.store.names[game.head.key].items() <= game.names.items()
        for names in self.store.names.values():
            assert set(names.values()) <= self.journal.consents
        stored = list(self.store.stored.values())
        for number, one in enumerate(stored):
            assert any(
                key == one.key and lines[: len(one.lines)] == one.lines for key, lines in truths
            )
            for other in stored[:number]:
                assert (other.key, other.lines, other.finished) != (
                    one.key,
                    one.lines,
                    one.finished,
                )


class Misfortunes(Delivery):
    """A delivery to which anything may happen at any time."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, loss=random.Random(seed).choice([0.0, 0.1, 0.4]))
        self.club_backup, self.journal_backup = deepcopy(self.store), self.journal.backup()

    events: ClassVar[dict[str, float]] = {
        "play_some": 40,
        "pump": 80,
        "wait": 10,
        "finish": 3,
        "restart_table": 1,
        "restart_broker": 1,
        "reconnect": 1,
        "back_up_club": 2,
        "restore_club": 0.5,
        "back_up_journal": 2,
        "restore_backup": 0.5,
        "lose_ledger": 0.5,
        "spend_a_week_offline": 0.5,
        "begin_named": 2,
        "withdraw": 1,
    }

    def next_event(self) -> None:
        (event,) = self.random.choices(list(self.events), list(self.events.values()))
        getattr(self, event)()

    def play_some(self) -> None:
        self.play(self.random.randint(1, 3))

    def begin_named(self) -> None:
        self.finish()
        self.begin(light=self.random.choice(NAMES), dark=self.random.choice(NAMES))

    def withdraw(self) -> None:
        self.journal.withdraw(self.random.choice(NAMES))

    def wait(self) -> None:
        self.now += self.random.choice([1000, 20_000, 60_000])

    def restart_broker(self) -> None:
        """Without its store."""
        self.to_club.clear()
        self.to_table.clear()
        self.reconnect()

    def reconnect(self) -> None:
        self.outbox.disconnect()
        self.outbox.connect()

    def back_up_club(self) -> None:
        self.club_backup = deepcopy(self.store)

    def restore_club(self) -> None:
        self.store = deepcopy(self.club_backup)
        self.outbox.connect()  # its hello

    def back_up_journal(self) -> None:
        self.journal_backup = self.journal.backup()

    def restore_backup(self) -> None:
        self.restore_journal(self.journal_backup)
        # Otherwise the club would have a longer history of which the journal is a part.
        self.play()

    def lose_ledger(self) -> None:
        self.ledger.stored.clear()

    def spend_a_week_offline(self) -> None:
        self.outbox.disconnect()
        for _ in range(50):
            self.play()
            self.finish()
        self.outbox.connect()


@pytest.mark.parametrize("seed", range(40))
def test_every_line_is_stored_exactly_once(seed: int) -> None:
    one = Misfortunes(seed)
    for _ in range(300):
        one.next_event()
    one.settle()
    one.check()


class RemovedLines(Misfortunes):
    """A delivery to a club whose operator removes the lines of old games."""

    events: ClassVar[dict[str, float]] = {**Misfortunes.events, "remove_lines": 1}

    def remove_lines(self) -> None:
        stored = sorted(self.store.stored)
        for number in stored[: self.random.randint(0, len(stored))]:
            self.store.remove_lines(number)

    def check(self) -> None:
        """Check that no line is missing but those that were removed."""
        for game in self.journal.games_by_number.values():
            same = [
                number
                for number, one in self.store.stored.items()
                if one.key == game.head.key and self._is_course(one, game)
            ]
            assert self.store.current[game.head.key] in same

    def _is_course(self, one: StoredHistory, game: MemoryGame) -> bool:
        if (len(one.lines), one.finished) != (len(game.lines), game.finished):
            # The club cannot know whether the game took another course within the lines removed.
            return not game.finished and len(game.lines) < one.removed
        return one.lines[one.removed :] == game.lines[one.removed :]


@pytest.mark.parametrize("seed", range(40))
def test_every_line_that_was_not_removed_is_stored(seed: int) -> None:
    one = RemovedLines(seed)
    for _ in range(300):
        one.next_event()
    one.settle()
    one.check()


def club_without_lines(*, finished: bool = False) -> Delivery:
    """A club that has removed the lines of a game that it had received."""
    one = Delivery()
    one.play(2000)
    if finished:
        one.finish()
    one.settle()
    one.store.remove_lines(1)
    return one


@pytest.mark.parametrize("finished", [False, True])
def test_removed_lines_are_not_stored_again(finished: bool) -> None:
    one = club_without_lines(finished=finished)
    before = deepcopy(one.store)
    one.ledger.stored.clear()
    one.restart_table()
    one.settle()
    assert one.store == before


def test_a_game_whose_lines_were_removed_goes_on() -> None:
    one = club_without_lines()
    one.play(5)
    one.finish()
    one.settle()
    (stored,) = one.store.stored.values()
    lines = one.journal.games_by_number[1].lines
    assert stored.lines == [""] * stored.removed + lines[stored.removed :]
    assert len(lines) > stored.removed
    assert stored.finished


@pytest.mark.parametrize("ends_earlier", [False, True])
def test_another_course_of_a_game_whose_lines_were_removed_is_a_second_history(
    ends_earlier: bool,
) -> None:
    one = Delivery()
    one.play(1000)
    backup = one.journal.backup()
    one.play(20)
    one.settle()
    one.store.remove_lines(1)
    one.restore_journal(backup)
    if ends_earlier:
        one.play(1)
        one.finish()
    else:
        one.play(2000)
    one.settle()
    first, second = one.store.stored.values()
    assert not any(first.lines)
    assert first.finished is None
    lines = one.journal.games_by_number[1].lines
    assert len(second.lines) == len(lines)
    assert second.lines[second.removed :] == lines[second.removed :]
    assert second.removed < first.removed
    assert one.store.current == {second.key: 2}


def test_later_courses_are_stored_although_the_lines_of_the_first_one_were_removed() -> None:
    one = Delivery()
    one.play(10)
    backup = one.journal.backup()
    one.play(1000)
    one.settle()
    one.restore_journal(backup)
    one.play(10)
    backup = one.journal.backup()
    one.play(10)
    one.settle()
    one.store.remove_lines(1)
    one.restore_journal(backup)
    one.play(10)
    one.settle()
    assert one.store.stored[3].lines == one.journal.games_by_number[1].lines


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
    assert [game.number for game in offer.games] == [1, 2, 3, 4, 5, 6]
    one.outbox.receive(Compared(offer.offer, ()))
    sent = one.outbox.next_message(0)
    assert isinstance(sent, Lines)
    assert sent.number == 6
    one.settle()
    one.check()
    assert one.outbox.waiting_games == 0


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
    assert one.outbox.confirmed_lines == 1  # what ends a batch
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
