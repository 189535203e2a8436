"""A table, a broker and a club as the protocol sees them, and what may happen to them."""

import random
from copy import deepcopy
from typing import ClassVar

from tests.link.protocol.memory import (
    MemoryGame,
    MemoryJournal,
    MemoryLedger,
    MemoryStore,
    StoredHistory,
)
from urpi.link.protocol.archive import receive
from urpi.link.protocol.message_parsers import parse_from_club, parse_from_table
from urpi.link.protocol.messages import Ack, Compared
from urpi.link.protocol.outbox import RETRY_MS, Outbox

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
            # What is compared first may leave nothing to send.
            waits = self.outbox.waiting_games or self.outbox._offers
            if not (self.to_club or self.to_table or waits):
                return
        raise AssertionError("something is never acknowledged")

    def check(self) -> None:
        """Check that the club has each history of each game exactly once."""
        # Read once, as a database may have them.
        found, current, names = self.store.stored, self.store.current, self.store.names
        for game in self.journal.games_by_number.values():
            same = [
                number
                for number, one in found.items()
                if (one.key, one.lines, one.finished) == (game.head.key, game.lines, game.finished)
            ]
            assert len(same) == 1, game.head
            assert current[game.head.key] == same[0]
        truths = [
            *self.abandoned,
            *((game.head.key, game.lines) for game in self.journal.games_by_number.values()),
        ]
        for game in self.journal.games_by_number.values():
            assert names[game.head.key].items() <= game.names.items()
        for by_side in names.values():
            assert set(by_side.values()) <= self.journal.consents
        stored = list(found.values())
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


class RemovedLines(Misfortunes):
    """A delivery to a club whose operator removes the lines of old games."""

    events: ClassVar[dict[str, float]] = {**Misfortunes.events, "remove_lines": 1}

    def remove_lines(self) -> None:
        stored = sorted(self.store.stored)
        for number in stored[: self.random.randint(0, len(stored))]:
            self.store.remove_lines(number)

    def check(self) -> None:
        """Check that no line is missing but those that were removed."""
        found, current = self.store.stored, self.store.current
        for game in self.journal.games_by_number.values():
            same = [
                number
                for number, one in found.items()
                if one.key == game.head.key and self._is_course(one, game)
            ]
            assert current[game.head.key] in same

    def _is_course(self, one: StoredHistory, game: MemoryGame) -> bool:
        if (len(one.lines), one.finished) != (len(game.lines), game.finished):
            # The club cannot know whether the game took another course within the lines removed.
            return not game.finished and len(game.lines) < one.removed
        return one.lines[one.removed :] == game.lines[one.removed :]
