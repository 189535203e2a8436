"""Processing of a table's messages: store them, recognise them, or request what is missing.

Pure except for the store, which is passed in. Everything that one call stores is one transaction,
and the answer is sent after its commit.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from urpi.core.errors import UrpiError
from urpi.link.protocol.chain import next_chain
from urpi.link.protocol.line_checks import check_lines
from urpi.link.protocol.messages import (
    MAX_OFFERED,
    Ack,
    Compared,
    Digest,
    FinishedGame,
    FromClub,
    FromTable,
    GameHead,
    Lines,
    OfferedGame,
    Rejected,
    block_checksum,
)

MAX_GAME_LINES: Final = 500_000
"""Maximum number of lines of a game, as in an archive (FORMATS.md)."""
MAX_HISTORIES: Final = 100
"""Maximum number of histories of one game. Each restored backup of a journal may cause one."""


@dataclass(frozen=True, slots=True)
class History:
    """One history of a game.

    A game has several if its table's journal was restored from a backup and then continued
    differently. They are the same up to a line.

    Attributes:
        id: Its number in the store.
        lines: Number of lines.
        chain: The checksum after them.
        finished: When the game ended, None if it has not.
    """

    id: int
    lines: int
    chain: str
    finished: str | None = None


class Store(Protocol):
    """The histories of one table, in a transaction in which no other process stores any."""

    def histories(self, keys: Collection[str]) -> Mapping[str, Sequence[History]]:
        """The histories of each of these games that has any, by its key; the newest first."""

    def finished_games(self, first: int, last: int) -> Iterable[FinishedGame]:
        """The games from one number to another whose current history has an end, with names."""

    def chain_at(self, history: History, line: int) -> str | None:
        """Return the checksum after a line, at most the last one; 0 is before the first.

        None if the club has removed its lines.
        """

    def create(self, key: str, head: GameHead, names: Mapping[str, str]) -> History:
        """Store a game's first history, without lines, the current one, and the game's names."""

    def fork(self, history: History, lines: int, chain: str) -> History:
        """Store a new history with the first lines of another one; `chain` is the one after them.

        Lines that the club has removed are missing in the new one, too.
        """

    def append(self, history: History, lines: Sequence[str], chain: str) -> History:
        """Store further lines; `chain` is the checksum after them."""

    def make_current(self, history: History) -> None:
        """Mark the one history of a game that the table's journal contains now."""

    def finish(self, history: History, at: str) -> None:
        """Store when a game ended."""

    def withdraw_names(self, kept: Mapping[str, Mapping[str, str]]) -> None:
        """Erase the names of games, except those that are the same in `kept`, by key and side."""

    def withdraw_all_but(self, names: Collection[str]) -> None:
        """Erase all names in all games of the table, except these."""


def receive(store: Store, message: FromTable) -> FromClub:
    """Store what a message contains, unless it is already stored; return the answer."""
    if isinstance(message, Lines):
        return _receive_lines(store, message)
    if isinstance(message, Digest):
        return _compare_blocks(store, message)
    missing = []
    # Before the comparison, and whatever it finds: a withdrawn name must not wait for its game.
    store.withdraw_all_but(message.agreed)
    # All at once: a club compares every game of every table after its start.
    histories = store.histories({game.key for game in message.games})
    store.withdraw_names({game.key: game.names for game in message.games})
    for game in message.games:
        found = histories.get(game.key, ())
        current = next((one for one in found if _contains(store, one, game)), None)
        if current is None:
            missing.append(game.key)
        # An offer without lines, of a pruned game without a place, says nothing about which history
        # it is.
        elif game.lines:
            store.make_current(current)
    # Each key once, in the order of the offer.
    return Compared(message.offer, tuple(dict.fromkeys(missing)))


def _compare_blocks(store: Store, digest: Digest) -> Compared | Rejected:
    # A short message must not have the club read all games that a table has ever stored.
    if any(block.last - block.first >= MAX_OFFERED for block in digest.blocks):
        return Rejected("malformed", f"A block must have at most {MAX_OFFERED} numbers.")
    differ = (
        block.checksum
        for block in digest.blocks
        if block.checksum != block_checksum(store.finished_games(block.first, block.last))
    )
    return Compared(digest.offer, tuple(dict.fromkeys(differ)))


def _contains(store: Store, history: History, game: OfferedGame) -> bool:
    if game.finished and history.finished is None:
        return False
    if game.pruned and not game.lines:
        return True
    return history.lines >= game.lines and store.chain_at(history, game.lines) == game.chain


def _receive_lines(store: Store, message: Lines) -> FromClub:
    found = _check(message)
    if found is not None:
        return found
    chain = next_chain(message.before, message.lines)
    histories = store.histories((message.key,)).get(message.key, ())
    if histories and message.head is not None:
        # A message from before the withdrawal may have been stored first.
        store.withdraw_names({message.key: message.names})
    history = _stored(store, histories, message, chain)
    if history is None:
        history = _extended(store, histories, message)
    if history is None and message.finished is None:
        history = _removed(store, histories, message.last)
    if history is None and len(histories) >= MAX_HISTORIES:
        text = f"A game must have at most {MAX_HISTORIES} histories."
        return Rejected("too-many", text, message.key)
    if history is None:
        history = _begun(store, histories, message)
    if history is not None and message.finished is not None and history.finished is None:
        store.finish(history, message.finished)
    return Ack(
        message.key, message.last, chain, message.finished is not None, stored=history is not None
    )


def _check(message: Lines) -> Rejected | None:
    head = message.head
    if head is not None and head.key != message.key:
        text = f"The key of a game must be that of its head, {head.key}; found {message.key}."
        return Rejected("forged", text, message.key)
    if message.first == 1 and message.before != message.key:
        text = f"The checksum before line 1 must be the key; found {message.before}."
        return Rejected("forged", text, message.key)
    if message.last > MAX_GAME_LINES:
        text = f"A game must have at most {MAX_GAME_LINES} lines; found {message.last}."
        return Rejected("too-many", text, message.key)
    try:
        check_lines(message.first, message.lines)
    except UrpiError as error:
        return Rejected("forged", str(error), message.key)
    return None


def _stored(
    store: Store, histories: Sequence[History], message: Lines, chain: str
) -> History | None:
    """The history that contains the message's lines already."""
    for history in histories:
        # A game that goes on here has not ended there.
        ends = message.finished is None or history.lines == message.last
        if (
            ends
            and history.lines >= message.last
            and store.chain_at(history, message.last) == chain
        ):
            return history
    return None


def _removed(store: Store, histories: Sequence[History], line: int) -> History | None:
    """The newest history if the club has removed its lines up to this one.

    They cannot be compared, and are not stored again.
    """
    newest = next(iter(histories), None)
    if newest is None or newest.lines < line or store.chain_at(newest, line) is not None:
        return None
    return newest


def _extended(store: Store, histories: Sequence[History], message: Lines) -> History | None:
    """Append the lines to the history that they continue, and return it."""
    for history in histories:
        # The number of the message's lines that the history has already.
        known = history.lines - message.first + 1
        # A finished history is not continued: a game that goes on after its end is another history.
        if history.finished is not None or not 0 <= known <= len(message.lines):
            continue
        if next_chain(message.before, message.lines[:known]) == history.chain:
            further = message.lines[known:]
            store.make_current(history)
            return store.append(history, further, next_chain(history.chain, further))
    return None


def _begun(store: Store, histories: Sequence[History], message: Lines) -> History | None:
    """Begin a history with the lines, and return it; None if lines before them are missing."""
    chain = next_chain(message.before, message.lines)
    before = message.first - 1
    for history in histories:
        if history.lines < before:
            continue
        # None: the club has removed its lines, which can no longer be compared.
        if store.chain_at(history, before) in {message.before, None}:
            fork = store.fork(history, before, message.before)
            store.make_current(fork)
            return store.append(fork, message.lines, chain)
    if message.head is None:
        return None
    return store.append(
        store.create(message.key, message.head, message.names), message.lines, chain
    )
