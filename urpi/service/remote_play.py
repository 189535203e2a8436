"""A game with another table: connects the pure protocol with the service and the connection.

Everything happens in the service's thread, between two facts. Sending passes a message to the
connection's thread and never waits.
"""

import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from threading import Semaphore
from typing import Final

from urpi.core.errors import UrpiError
from urpi.core.limited_log import LimitedLog
from urpi.link.remote.events import SharedEvent, events_of, holder, newest_move, planned_event
from urpi.link.remote.exchange import answers
from urpi.link.remote.messages import (
    Accepted,
    Declined,
    Invited,
    Progress,
    ProposalCode,
    Proposed,
    Replied,
    Sealed,
    TableMessage,
    Unknown,
    encode,
    invited_game,
    parse_table_message,
)
from urpi.link.remote.session import Session
from urpi.link.remote.silence import NOTICE_MS
from urpi.link.remote.tables_view import ClaimNotice, ProblemCode
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision
from urpi.referee.facts import Abandon, Answer, Claim, Draw, Fact, Resign
from urpi.referee.orders import NewGame
from urpi.rules import Side
from urpi.service.devices import log_failure
from urpi.service.notices import claim_notice
from urpi.service.service import Service
from urpi.service.stored_events import stored_events
from urpi.service.table_invitations import TableInvitations
from urpi.service.table_link import TableLink

MAX_WAITING: Final = 50
"""Messages of other tables that wait for the service's thread; further ones are dropped."""
SILENT_MS: Final = 25_000
"""Silence of the other table after which it is shown; it sends something every ten seconds."""

_log: Final = logging.getLogger(__name__)


class RemotePlay:
    """The game with another table, if the current game is one.

    Its methods are called in the service's thread, except `receive` and `on_connect`.

    Args:
        service: The service of the board.
        begin: Begins the game of an order.
    """

    def __init__(self, service: Service, begin: Callable[[NewGame], object]) -> None:
        self._service = service
        self.link: TableLink | None = None
        """The connection to other tables, None before `connect`."""
        self.invitations: Final = TableInvitations(service, begin)
        """The invitations between this table and others."""
        self._game: int | None = None
        self._session: Session | None = None
        self._events: list[SharedEvent] = []
        self._table = ""
        self._limited_log = LimitedLog(_log)
        self._waiting = Semaphore(MAX_WAITING)
        self._last_fact: tuple[object, ...] = ()
        self._began = 0
        self._is_silent = self._is_unknown = False
        service.add_task(self)

    def connect(self, link: TableLink) -> None:
        """Use a connection from now on."""
        self.link = link

    @property
    def is_alone(self) -> bool:
        """Whether there is neither a connection to other tables nor a game with one."""
        return self.link is None and self._session is None

    def look_for_tables(self) -> tuple[str, ...]:
        """As `TableLink.look_for_tables`; none without a connection."""
        return () if self.link is None else self.link.look_for_tables()

    @property
    def asked(self) -> ProposalCode | None:
        """What the other table proposes and a player here must answer; None if nothing."""
        return None if self._session is None else self._session.asked

    @property
    def asked_move(self) -> str:
        """The move that the other table asks to take back; empty if it asks for something else."""
        snapshot = self._service.snapshot
        if self.asked != "takeback" or snapshot.remote is None:
            return ""
        return newest_move(snapshot, snapshot.remote) or ""

    @property
    def asking(self) -> ProposalCode | None:
        """What this table has proposed and is not answered; None if nothing."""
        return None if self._session is None else self._session.asking

    @property
    def declined(self) -> bool:
        """Whether the newest proposal of this table was declined or not answered."""
        return self._session is not None and self._session.declined

    @property
    def diverged(self) -> bool:
        """Whether the other table has another course of this game."""
        return self._session is not None and self._session.exchange.diverged

    @property
    def problem(self) -> ProblemCode | None:
        """Why the game cannot continue between the tables, None if it can.

        It is then ended here alone, without the other table's consent.
        """
        session = self._session
        if session is None or session.exchange.over:
            return None
        if session.exchange.diverged or session.is_disputed:
            return "diverged"
        if self._is_unknown:
            return "unknown"
        link = self.link
        if not self._is_silent and not (link is not None and link.is_offline(self._table)):
            return "comparing" if self._service.held else None
        return "no-contact" if link is not None and link.can_send else "no-broker"

    @property
    def silent_ms(self) -> int | None:
        """Time since the last contact with the other table, None without a game that continues.

        Before the first contact since the start of the program or of the game, that start counts.
        """
        session = self._session
        if session is None or session.exchange.over or session.exchange.diverged:
            return None
        contact = session.exchange.last_contact
        return self._service.clock() - (self._began if contact is None else contact)

    @property
    def may_claim(self) -> bool:
        """Whether a player here may claim the game, because the other side is silent."""
        due = None if self._session is None else self._session.claimable
        return due is not None and due <= self._service.clock()

    @property
    def claim(self) -> ClaimNotice | None:
        """Who may soon claim the game and when, None while nobody may."""
        session, service = self._session, self._service
        if session is None:
            return None
        return claim_notice(session.claimable, session.liable, service.clock(), service.now())

    # Called by the connection's thread.

    def receive(self, table: str, data: bytes) -> None:
        """Process a message of another table. Thread-safe."""
        try:
            message = parse_table_message(data)
        except UrpiError as error:
            text = f"A message of the table {table} is ignored. {error}"
            self._limited_log.warning(table, text)
            # Of a later version: without an answer, the players there would wait for nothing.
            if (game := invited_game(data)) is not None:
                self._send(table, Declined(game, "unsupported"))
            return
        if not self._waiting.acquire(blocking=False):
            return
        received = self._service.call(lambda: self._receive(table, message))
        # Also if the call is cancelled, as when the service is closed.
        received.add_done_callback(lambda _done: self._waiting.release())
        received.add_done_callback(log_failure)

    def on_connect(self) -> None:
        """Note that the broker is connected again. Thread-safe."""
        self._service.call(self._reconnect).add_done_callback(log_failure)

    # Called in the service's thread.

    def _reconnect(self) -> None:
        session, now = self._session, self._service.clock()
        if session is not None:
            session.exchange.reconnect(now)
            if session.silence is not None:
                session.silence.connected = now

    def _receive(self, table: str, message: TableMessage) -> None:
        if isinstance(message, Progress) and not self._is_current(message.game):
            # The other table has begun the game that was accepted here.
            self.invitations.note_game(table, message.game)
        if self._is_current(message.game):
            if table == self._table:
                self._receive_about_game(message)
        elif isinstance(message, Progress | Proposed):
            self._answer_about_another_game(table, message)
        elif isinstance(message, Invited | Accepted | Declined):
            self.invitations.receive(table, message)

    def _is_current(self, game: str) -> bool:
        return self._session is not None and self._session.exchange.game == game

    def _receive_about_game(self, message: TableMessage) -> None:
        session = self._session
        assert session is not None
        exchange, now = session.exchange, self._service.clock()
        match message:
            case Progress() | Sealed() | Proposed() | Replied():
                self._is_unknown = False
                session.receive(message, now)
                if exchange.diverged and not isinstance(message, Replied | Sealed):
                    self._send(self._table, Unknown(message.game, "diverged"))
            case Accepted():
                # It has not received yet that the game has begun here.
                exchange.reconnect(now)
            case Unknown(code="diverged"):
                exchange.diverged = True
            case Unknown(game=game):
                if exchange.last_contact is None and self.invitations.agreement.was_accepted(game):
                    # The other table has not begun the game in time, and does not any more.
                    self._session = None
                    self._service.process(Abandon(now, Side.LIGHT))
                else:
                    exchange.last_contact, self._is_unknown = now, True

    def _answer_about_another_game(self, table: str, message: Progress | Proposed) -> None:
        """Send what another table lacks of an earlier game, such as its last move."""
        read = self._service.read(lambda journal: (stored_events(journal, message.game, table),))
        if read is None:
            # During an outage of the disk nothing is known; the other table repeats its message.
            return
        (found,) = read
        if found is not None and not found.is_over and found.game == self._service.game:
            # The disk failed when it was resumed: its session begins when the journal is read.
            return
        if found is None or not found.is_over:
            # An unfinished game that is not the current one is not continued.
            self._send(table, Unknown(message.game, "missing"))
            return
        for answer in answers(message, found.events, found.side, self._service.clock()):
            self._send(table, answer)

    def update(self, snapshot: Snapshot, decisions: tuple[Decision, ...]) -> None:
        """Note a change of the game; call it after every one."""
        if self._service.game != self._game:
            self._begin(snapshot)
        elif self._session is not None:
            self._events += events_of(decisions)

    def _begin(self, snapshot: Snapshot) -> None:
        before, self._game, self._service.held = self._game, self._service.game, False
        opening, remote = self._service.opening, snapshot.remote
        self._session, self._events, self._is_unknown = None, [], False
        if opening is None or opening.shared is None or remote is None:
            return
        shared, self._table = opening.shared, opening.shared.table
        found = self._service.read(lambda journal: stored_events(journal, shared.id, shared.table))
        if found is None:
            # Nothing is read during an outage of the disk: begin when it is over.
            self._game = before
            return
        self._events = list(found.events)
        resumed = bool(self._events) and self._service.resumed
        self._session = Session(shared.id, remote.other, _new_number, found.key, resumed=resumed)
        # Before the first fact of the devices: what the journal has may not be all.
        self._service.held = resumed and not found.is_over
        self._began = self._service.clock()

    @property
    def next_due(self) -> int | None:
        """When `tick` must be called, None for no deadline."""
        link, session = self.link, self._session
        now = self._service.clock()
        times = [self.invitations.agreement.due]
        if session is not None and link is not None and link.can_send:
            times.append(session.due)
        if session is not None:
            claims = [due for due in (session.claimable, session.liable) if due is not None]
            times += [t for due in claims for t in (due - NOTICE_MS, due) if t > now]
        silent_ms = self.silent_ms
        if silent_ms is not None and not self._is_silent:
            times.append(now + SILENT_MS - silent_ms)
        due = min((t for t in times if t is not None), default=None)
        return None if due is None else max(due, now)

    def tick(self, t: int) -> None:
        """Submit what the other table has sent, and send what it lacks."""
        # It is called in each loop, also of the many tables without a club.
        if self.is_alone and not self._is_silent:
            return
        session = self._session
        self._watch_silence()
        self._send_invitations(t)
        if session is None:
            return
        if session.silence is not None:
            session.silence.connect(self.link is not None and self.link.can_send, t)
        while (fact := self._next_fact(session, t)) is not None:
            self._service.process(fact)
            if self._session is not session:
                return
        # While the board is set up nothing is thrown or moved.
        is_set_up = self._service.snapshot.phase is not Phase.SET_UP
        self._service.held = is_set_up and session.is_unclear
        if self.link is not None and self.link.can_send and self._is_stored:
            for message in session.next_messages(t):
                self._send(self._table, message)

    def _send_invitations(self, t: int) -> None:
        # Messages that are lost without a connection are repeated, or their effect expires.
        for table, message in self.invitations.next_messages(t):
            self._send(table, message)

    def _watch_silence(self) -> None:
        silent_ms = self.silent_ms
        is_silent = silent_ms is not None and silent_ms >= SILENT_MS
        if is_silent != self._is_silent:
            self._is_silent = is_silent
            self._service.report_silent(silent_ms if is_silent else None)

    @property
    def _is_stored(self) -> bool:
        """Whether everything shown is on the disk; only that may be sent."""
        return self._service.seq is not None and self._service.failing is None

    def _next_fact(self, session: Session, t: int) -> Fact | None:
        if not self._is_stored:
            return None
        snapshot = self._service.snapshot
        planned = planned_event(snapshot)
        events = self._events if planned is None else [*self._events, planned]
        session.update(snapshot, events, t)
        fact = session.next_fact(snapshot, t)
        if fact is None:
            return None
        key = self._game, type(fact), session.exchange.have
        if key == self._last_fact:
            # It was submitted before, and nothing followed from it.
            _log.warning("An event of the table %s has no effect: %s", self._table, fact)
            session.exchange.diverged = True
            return None
        self._last_fact = key
        return fact

    def act(self, fact: Fact) -> Fact | None:
        """Return the fact to be processed here for a player's request, None if it is proposed.

        In a game with another table a request may need the consent of that table's player, or be
        for that table to carry out.
        """
        session, snapshot = self._session, self._service.snapshot
        if session is None or snapshot.phase is Phase.OVER or snapshot.remote is None:
            return fact
        if self.problem is not None and isinstance(fact, Abandon):
            # No consent will arrive.
            return fact
        if self._service.held and not isinstance(fact, Abandon | Resign | Claim | Draw):
            # Nothing is thrown or moved until the tables agree.
            return None
        side, now = snapshot.remote.other, self._service.clock()
        if isinstance(fact, Answer) and fact.takeback and snapshot.takeback is None:
            session.propose("takeback", now)
        elif isinstance(fact, Draw):
            if snapshot.position is None or not snapshot.position.rules.draws:
                # The referee refuses it.
                return fact
            if snapshot.draw is not None and not fact.agreed and holder(snapshot) is side:
                return Draw(fact.t, side)
            session.propose("draw", now)
        elif isinstance(fact, Abandon):
            session.propose("abandon", now)
        elif isinstance(fact, Resign | Claim):
            # It binds as soon as it is stored; the session repeats it until it has arrived.
            return replace(fact, side=side)
        else:
            return fact
        return None

    def answer(self, what: str, *, accepted: bool) -> None:
        """Accept or decline what the other table proposes, if it is `what`."""
        if self._session is not None and self._session.asked == what:
            self._session.answer(accepted)

    def _send(self, table: str, message: TableMessage) -> None:
        if self.link is not None:
            self.link.send(table, encode(message))


def _new_number() -> str:
    return secrets.token_hex(16)
