"""What a table sends to its club next. The journal is the outbox; this is its reader's place.

Pure: the time, the journal and the ledger of what was acknowledged are passed in. One message is
in flight at a time, so that a repeated, lost or reordered message cannot cause a gap.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final, NamedTuple, Protocol

from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.messages import (
    MAX_BLOCKS,
    MAX_LINES,
    MAX_OFFERED,
    Ack,
    Block,
    Compared,
    Digest,
    FinishedGame,
    FromClub,
    FromTable,
    GameHead,
    Lines,
    Offer,
    OfferedGame,
    Rejected,
    block_checksum,
)

RETRY_MS: Final = (5_000, 10_000, 20_000, 40_000, 60_000)
"""Waiting times for an answer, before a message is sent again; the last one repeats."""
FULL_BYTES: Final = 128 * 1024
"""Size of lines at which a message is full, unless it has a single line."""


@dataclass(frozen=True, slots=True)
class OutboxGame:
    """A game of the journal.

    Attributes:
        head: What is known of it since its beginning.
        last_seq: The seq of its newest entry.
        finished: When it ended, None if it has not.
        pruned: Whether some of its lines have been removed.
        names: The names of the players that agree to publish them, by side; none by default.
        void: Whether it does not count. Then no more of it is sent, and it has no names, so that a
            club that has it does not rate it.
    """

    head: GameHead
    last_seq: int
    finished: str | None = None
    pruned: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    void: bool = False


class NumberedLine(NamedTuple):
    """A line of the journal as it is published.

    Attributes:
        seq: Its seq in the journal.
        text: The line without names, empty if it has been removed.
        ends_batch: Whether it is the last one of those that were stored at once.
    """

    seq: int
    text: str
    ends_batch: bool


@dataclass(frozen=True, slots=True)
class Place:
    """How far a game is stored by the club.

    Attributes:
        key: The game's key.
        lines: Number of lines.
        chain: The checksum after them.
        seq: The seq of the last of them in the journal, 0 before the first.
        checksum: The journal's own checksum of the batch up to that seq.
        finished: Whether its end is stored too.
    """

    key: str
    lines: int = 0
    chain: str = ""
    seq: int = 0
    checksum: int = 0
    finished: bool = False

    @classmethod
    def start(cls, key: str) -> "Place":
        """The place before the first line."""
        return cls(key, chain=key)


class OutboxJournal(Protocol):
    """The journal, as the outbox reads it."""

    def games(self) -> Sequence[OutboxGame]:
        """The games to be published, by number."""

    def lines(self, game: int, after_seq: int) -> Iterable[NumberedLine]:
        """A game's lines with a greater seq."""

    def checksum(self, game: int, seq: int) -> int | None:
        """The checksum of the game's last batch up to a seq, None if there is none."""

    def agreed(self) -> Collection[str]:
        """The names of all players of the table that agree to publish them."""


class Ledger(Protocol):
    """What the club acknowledged. It may be lost: the club then recognises what it has."""

    def places(self) -> dict[int, Place]:
        """The places by the number of the game."""

    def store(self, game: int, place: Place) -> None:
        """Store a place."""

    def remove(self, game: int) -> None:
        """Remove a place."""


@dataclass(slots=True)
class _InFlight:
    """A message that has been sent.

    Attributes:
        message: The message.
        after: The place that its acknowledgement confirms, None for an offer or a digest.
        ends_batch: Whether that place is the end of a batch of the journal.
        resend_at: When it is sent again.
        attempts: How often it has been sent.
    """

    message: FromTable
    after: Place | None
    ends_batch: bool
    resend_at: int
    attempts: int = 1


class Outbox:
    """Decides what to send. Belongs to one thread.

    Args:
        journal: The journal.
        ledger: What the club acknowledged.
        run: Differs at every start of the program, so that an old answer is not taken for a new
            one.
    """

    def __init__(self, journal: OutboxJournal, ledger: Ledger, run: str) -> None:
        self._journal, self._ledger, self._run = journal, ledger, run
        self._places: dict[int, Place] = {}
        """Places that are known to be correct; those of the ledger have been compared."""
        self._offers: list[Offer | Digest] | None = None
        """What is still to be compared, None if nothing was on this connection."""
        self._blocks: dict[str, list[OfferedGame]] = {}
        """The games of the digest by the checksums of its blocks."""
        self._is_newest_compared = False
        self._offer_number = 0
        self._in_flight: _InFlight | None = None
        self._connected = False
        self._games: dict[int, OutboxGame] = {}
        self._agreed: frozenset[str] = frozenset()
        self.rejected: dict[str, Rejected] = {}
        """The games that the club does not accept, by key."""

    @property
    def waiting_games(self) -> int:
        """Number of games of which something is not acknowledged yet."""
        return sum(map(self._is_waiting, self._games.values()))

    @property
    def resend_at(self) -> int | None:
        """When `next_message` has to be called again even without an event, None for never."""
        return self._in_flight.resend_at if self._connected and self._in_flight else None

    def connect(self) -> None:
        """Begin a connection to the broker, or begin again after the club's hello."""
        self._connected, self._in_flight, self._offers = True, None, None
        # A club that was updated may accept what it rejected before.
        self.rejected.clear()

    def disconnect(self) -> None:
        """End the connection. What was in flight is sent again on the next one."""
        self._connected, self._in_flight = False, None

    def look(self) -> None:
        """Read games and consents again. Call it when something may have been stored."""
        before, agreed = self._games, self._agreed
        self._games = {game.head.number: game for game in self._journal.games()}
        self._agreed = frozenset(self._journal.agreed())
        if agreed - self._agreed or any(
            game.names.items() - self._games[number].names.items()
            for number, game in before.items()
            if number in self._games
        ):
            # A name has been withdrawn: what is in flight may contain it.
            self._offers = self._in_flight = None

    def names(self, game: int | None) -> Mapping[str, str]:
        """The names of a game that may be published, by side."""
        found = None if game is None else self._games.get(game)
        return {} if found is None else found.names

    def next_message(self, now: int) -> FromTable | None:
        """Return the message to be sent now, None if there is nothing to send.

        Args:
            now: Milliseconds of any clock that never goes back.
        """
        if not self._connected:
            return None
        if self._in_flight is not None:
            return self._repeated(self._in_flight, now)
        if self._offers is None:
            self._offers = self._make_offers()
        # The game that people watch goes on before the many earlier ones are compared.
        newest = self._in_order()[:1] if self._is_newest_compared else []
        if self._offers and not any(map(self._is_waiting, newest)):
            offer = self._offers[0]
            self._in_flight = _InFlight(offer, None, True, now + RETRY_MS[0])
            return offer
        for game in self._in_order():
            if self._is_waiting(game):
                self._in_flight = waiting = self._next_lines(game, now)
                return waiting.message
        return None

    def receive(self, answer: FromClub) -> None:
        """Process an answer of the club; one to another message has no effect."""
        waiting = self._in_flight
        match answer:
            case Rejected():
                self._reject(answer)
            case Compared() if waiting is not None and isinstance(waiting.message, Offer | Digest):
                if answer.offer == waiting.message.offer:
                    self._compare(waiting.message, answer)
            case Ack() if waiting is not None and isinstance(waiting.message, Lines):
                self._receive_ack(waiting, waiting.message, answer)
            case _:
                pass

    def _receive_ack(self, waiting: _InFlight, message: Lines, ack: Ack) -> None:
        after = waiting.after
        assert after is not None
        found = (ack.key, ack.lines, ack.chain, ack.finished)
        # The answer to an earlier message, which the broker has delayed.
        if found != (after.key, after.lines, after.chain, after.finished):
            return
        if ack.stored:
            self._acknowledge(waiting, message, after)
        # Before line 1 nothing can be missing: such an answer is not believed, and the message is
        # sent again.
        elif message.first > 1:
            self._in_flight = None
            self._forget(message.number)

    def _repeated(self, waiting: _InFlight, now: int) -> FromTable | None:
        if now < waiting.resend_at:
            return None
        waiting.resend_at = now + RETRY_MS[min(waiting.attempts, len(RETRY_MS) - 1)]
        waiting.attempts += 1
        return waiting.message

    def _make_offers(self) -> list[Offer | Digest]:
        """All games, to be compared with what the club has; many finished ones by a digest."""
        self.look()
        self._places, self._is_newest_compared = {}, False
        stored = self._ledger.places()
        for number, place in stored.items():
            if self._is_valid(number, place):
                self._places[number] = place
            else:
                self._ledger.remove(number)
        offered = [
            _offered(game, self._place(game))
            for _, game in sorted(self._games.items(), reverse=True)
        ]
        blocks = self._make_blocks(offered) if len(offered) > MAX_OFFERED else {}
        in_blocks = {game.number for games in blocks.values() for game in games}
        named = [game for game in offered if game.number not in in_blocks]
        # Without games the names of earlier ones may have to be erased.
        starts = range(0, max(1, len(named)), MAX_OFFERED)
        offers: list[Offer | Digest] = [self._offer(named[at : at + MAX_OFFERED]) for at in starts]
        self._blocks = {block.checksum: games for block, games in blocks.items()}
        if blocks:
            # In the order of their numbers.
            offers.append(Digest(self._name(), tuple(reversed(blocks))))
        return offers

    def _make_blocks(self, offered: list[OfferedGame]) -> dict[Block, list[OfferedGame]]:
        """The finished games that the club has acknowledged, as blocks that fit in an offer."""
        # One whose place is unknown cannot be compared by the checksum of its lines.
        settled = [game for game in offered if game.finished and game.lines]
        found = {}
        for place, group in groupby(settled, lambda game: game.number // MAX_OFFERED):
            games, first = list(group), place * MAX_OFFERED
            checksum = block_checksum(
                FinishedGame(game.number, game.key, game.lines, game.chain, game.names)
                for game in games
            )
            block = Block(max(first, 1), first + MAX_OFFERED - 1, checksum)
            found[block] = games
        return dict(list(found.items())[:MAX_BLOCKS])

    def _offer(self, games: Sequence[OfferedGame]) -> Offer:
        return Offer(self._name(), tuple(games), tuple(sorted(self._agreed)))

    def _name(self) -> str:
        self._offer_number += 1
        return f"{self._run}-{self._offer_number}"

    def _place(self, game: OutboxGame) -> Place:
        key = game.head.key
        place = self._places.get(game.head.number)
        return place if place is not None and place.key == key else Place.start(key)

    def _is_valid(self, number: int, place: Place) -> bool:
        """Whether the journal still contains what was acknowledged.

        It does not if it was restored from a backup and then continued differently.
        """
        game = self._games.get(number)
        if game is None or game.head.key != place.key:
            return False
        if place.finished and game.finished is None:
            return False
        # Its batches have other checksums since it was pruned, and nothing of it is to be sent.
        if game.pruned and place.finished:
            return True
        return self._journal.checksum(number, place.seq) == place.checksum

    def _in_order(self) -> list[OutboxGame]:
        """The newest game first, which people watch, then the others from the oldest."""
        games = [self._games[number] for number in sorted(self._games)]
        return games[-1:] + games[:-1]

    def _is_waiting(self, game: OutboxGame) -> bool:
        place = self._place(game)
        if place.finished or game.void or game.head.key in self.rejected:
            return False
        return place.seq < game.last_seq or game.finished is not None

    def _next_lines(self, game: OutboxGame, now: int) -> _InFlight:
        number, key, place = game.head.number, game.head.key, self._place(game)
        lines, complete = self._read(number, place)
        first = place.lines == 0
        message = Lines(
            number,
            key,
            place.lines + 1,
            place.chain,
            tuple(line.text for line in lines),
            game.head if first else None,
            game.names if first else {},
            game.finished if complete else None,
        )
        seq = lines[-1].seq if lines else place.seq
        after = Place(
            key,
            message.last,
            next_chain(place.chain, message.lines),
            seq,
            self._journal.checksum(number, seq) or 0,
            message.finished is not None,
        )
        ends_batch = not lines or lines[-1].ends_batch
        return _InFlight(message, after, ends_batch, now + RETRY_MS[0])

    def _read(self, game: int, place: Place) -> tuple[list[NumberedLine], bool]:
        """Return the lines of the next message, and whether they are the last ones."""
        found: list[NumberedLine] = []
        size = batch_end = 0
        for line in self._journal.lines(game, place.seq):
            length = len(line.text.encode()) + 1
            if found and (len(found) == MAX_LINES or size + length > FULL_BYTES):
                # Where possible up to the end of a batch, which the ledger can store.
                return found[:batch_end] or found, False
            found.append(line)
            size += length
            if line.ends_batch:
                batch_end = len(found)
        return found, True

    def _acknowledge(self, waiting: _InFlight, message: Lines, after: Place) -> None:
        self._in_flight = None
        self._places[message.number] = after
        # The ledger proves a place by the journal's checksum of a whole batch.
        if waiting.ends_batch:
            self._ledger.store(message.number, after)

    def _forget(self, game: int) -> None:
        """Forget what was acknowledged of a game, so that it is sent from its beginning."""
        self._places.pop(game, None)
        self._ledger.remove(game)

    def _compare(self, offer: Offer | Digest, answer: Compared) -> None:
        self._in_flight = None
        if self._offers and self._offers[0] == offer:
            self._offers.pop(0)
            # It is in the first offer, or its end was acknowledged.
            self._is_newest_compared = True
        missing = set(answer.missing)
        if isinstance(offer, Digest):
            self._offer_blocks(missing)
            return
        for offered in offer.games:
            if offered.key in missing:
                self._forget(offered.number)
            elif offered.pruned and not offered.lines:
                # The club has a game of which this journal lacks some lines by now.
                game = self._games.get(offered.number)
                seq = 0 if game is None else game.last_seq
                place = replace(Place.start(offered.key), seq=seq, finished=True)
                self._places[offered.number] = place

    def _offer_blocks(self, checksums: Collection[str]) -> None:
        """Offer the games of blocks that differ, or that the club could not compare."""
        assert self._offers is not None, "the digest was the next of them"
        for checksum, games in self._blocks.items():
            if checksum in checksums:
                self._offers.append(self._offer(games))

    def _reject(self, answer: Rejected) -> None:
        waiting = self._in_flight
        if waiting is None:
            return
        key = answer.key
        if key is None or (isinstance(waiting.message, Lines) and waiting.message.key == key):
            if isinstance(waiting.message, Lines):
                self.rejected[waiting.message.key] = answer
            elif self._offers:
                self._offers.pop(0)
                # A club of an earlier version has no digests.
                if isinstance(waiting.message, Digest):
                    self._offer_blocks(self._blocks)
            self._in_flight = None


def _offered(game: OutboxGame, place: Place) -> OfferedGame:
    # A pruned game without a place is compared by its key and its end alone.
    finished = place.finished or (game.pruned and game.finished is not None)
    key, number = game.head.key, game.head.number
    return OfferedGame(number, key, place.lines, place.chain, finished, game.pruned, game.names)
