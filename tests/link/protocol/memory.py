"""In memory, with the same promises as the real: a club's store, a table's journal and ledger."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from zlib import crc32

from urpi.link.protocol.archive import History
from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.messages import FinishedGame, GameHead
from urpi.link.protocol.outbox import NumberedLine, OutboxGame, Place


@dataclass
class StoredHistory:
    key: str
    lines: list[str]
    finished: str | None = None
    chains: list[str] = field(default_factory=list, compare=False)
    """The checksums after the lines, from that before the first one."""
    removed: int = 0
    """Number of first lines that the club has removed; they are empty."""
    number: int = field(default=0, compare=False)
    """The game's number at its table."""

    def __post_init__(self) -> None:
        self.chains = self.chains or [self.key]


@dataclass
class MemoryStore:
    """Histories by their number, names by the key of the game; deep copies are backups."""

    stored: dict[int, StoredHistory] = field(default_factory=dict)
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    current: dict[str, int] = field(default_factory=dict)

    def _history(self, number: int) -> History:
        one = self.stored[number]
        return History(number, len(one.lines), one.chains[-1], one.finished)

    def histories(self, keys: Collection[str]) -> Mapping[str, Sequence[History]]:
        found: dict[str, list[History]] = {}
        for number, one in reversed(self.stored.items()):
            if one.key in keys:
                found.setdefault(one.key, []).append(self._history(number))
        return found

    def finished_games(self, first: int, last: int) -> Iterable[FinishedGame]:
        for number in self.current.values():
            one = self.stored[number]
            if one.finished is not None and first <= one.number <= last:
                about = one.number, one.key, len(one.lines), one.chains[-1]
                yield FinishedGame(*about, self.names[one.key])

    def chain_at(self, history: History, line: int) -> str | None:
        one = self.stored[history.id]
        assert line <= len(one.lines)
        return None if line < one.removed and line < len(one.lines) else one.chains[line]

    def create(self, key: str, head: GameHead, names: Mapping[str, str]) -> History:
        assert not self.histories((key,))
        self.names[key] = dict(names)
        return self._add(StoredHistory(key, [], number=head.number))

    def fork(self, history: History, lines: int, chain: str) -> History:
        one = self.stored[history.id]
        removed = min(one.removed, lines)
        chains = [*one.chains[:lines], chain]
        return self._add(
            StoredHistory(one.key, one.lines[:lines], None, chains, removed, one.number)
        )

    def _add(self, one: StoredHistory) -> History:
        number = len(self.stored) + 1
        self.stored[number] = one
        self.current[one.key] = number
        return self._history(number)

    def append(self, history: History, lines: Sequence[str], chain: str) -> History:
        one = self.stored[history.id]
        assert one.finished is None
        one.lines += lines
        for line in lines:
            one.chains.append(next_chain(one.chains[-1], [line]))
        assert one.chains[-1] == chain
        return self._history(history.id)

    def remove_lines(self, number: int) -> None:
        """Remove all lines of a history, as when an operator drops their partition."""
        one = self.stored[number]
        one.removed = len(one.lines)
        one.lines = [""] * one.removed

    def make_current(self, history: History) -> None:
        self.current[self.stored[history.id].key] = history.id

    def finish(self, history: History, at: str) -> None:
        self.stored[history.id].finished = at

    def withdraw_names(self, kept: Mapping[str, Mapping[str, str]]) -> None:
        for key in kept.keys() & self.names.keys():
            names = self.names[key].items()
            self.names[key] = {side: name for side, name in names if kept[key].get(side) == name}

    def withdraw_all_but(self, names: Collection[str]) -> None:
        self.withdraw_names(
            {
                key: {side: name for side, name in found.items() if name in names}
                for key, found in self.names.items()
            }
        )


@dataclass
class MemoryGame:
    head: GameHead
    batches: list[tuple[int, list[str]]] = field(default_factory=list)
    finished: str | None = None
    pruned: bool = False
    names: dict[str, str] = field(default_factory=dict)

    @property
    def lines(self) -> list[str]:
        return [line for _, lines in self.batches for line in lines]


@dataclass
class MemoryJournal:
    games_by_number: dict[int, MemoryGame] = field(default_factory=dict)
    consents: set[str] = field(default_factory=set)
    seq: int = 0

    def begin(self, started: str, names: Mapping[str, str] | None = None) -> int:
        number = len(self.games_by_number) + 1
        head = GameHead(number, started, "1.0.0", "finkel", {"still_ms": "150"})
        self.games_by_number[number] = MemoryGame(head, names=dict(names or {}))
        self.consents |= set(self.games_by_number[number].names.values())
        self.append(
            number, ['{"t":0,"type":"game","rules":"finkel","options":{},"light":"","dark":""}']
        )
        return number

    def withdraw(self, name: str) -> None:
        """End a player's consent, which also a later one does not renew for these games."""
        self.consents.discard(name)
        for game in self.games_by_number.values():
            game.names = {side: one for side, one in game.names.items() if one != name}

    def append(self, number: int, lines: list[str]) -> None:
        self.seq += len(lines)
        self.games_by_number[number].batches.append((self.seq, lines))

    def games(self) -> Sequence[OutboxGame]:
        return [
            OutboxGame(
                game.head,
                game.batches[-1][0],
                game.finished,
                game.pruned,
                dict(game.names),
            )
            for game in self.games_by_number.values()
        ]

    def agreed(self) -> Collection[str]:
        return self.consents

    def lines(self, game: int, after_seq: int) -> Iterable[NumberedLine]:
        for last, lines in self.games_by_number[game].batches:
            for seq, line in enumerate(lines, last - len(lines) + 1):
                if seq > after_seq:
                    yield NumberedLine(seq, line, seq == last)

    def checksum(self, game: int, seq: int) -> int | None:
        found = [batch for batch in self.games_by_number[game].batches if batch[0] <= seq]
        return crc32(repr(found).encode()) if found else None

    def backup(self) -> "MemoryJournal":
        return deepcopy(self)


@dataclass
class MemoryLedger:
    stored: dict[int, Place] = field(default_factory=dict)

    def places(self) -> dict[int, Place]:
        return {number: replace(place) for number, place in self.stored.items()}

    def store(self, game: int, place: Place) -> None:
        self.stored[game] = place

    def remove(self, game: int) -> None:
        self.stored.pop(game, None)
