"""Two boards that play one game: events and proposals across, and what one of them shows."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pytest

from tests.service.test_engine import EngineTable
from tests.slow import slow_except
from urpi.journal import Journal, last_game
from urpi.journal.build_record import stored_record
from urpi.link.protocol.chain import next_chain
from urpi.link.remote.events import EVENTS, SharedMove, SharedResignation, SharedThrow
from urpi.link.remote.messages import Declined, Progress, encode
from urpi.referee import Phase, Snapshot
from urpi.referee.facts import Abandon, Answer, Button, Claim, Draw, Fact, Game, Resign
from urpi.referee.orders import AnswerProposal, NewGame
from urpi.referee.seats import Seats, SharedGame
from urpi.rules import Side, rule_set
from urpi.rules.record import record_text
from urpi.service.remote_play import MAX_WAITING
from urpi.show.menu import Offer
from urpi.show.views.phrases import player_name
from urpi.show.words import words_for

LIGHT, DARK = Side
GAME = "5f" * 16
AT = {LIGHT: "lisbon", DARK: "porto"}


class Wire:
    """Carries messages to the other table at once, unless it is cut."""

    can_send = True
    is_cut = False
    """Whether messages are lost without notice."""

    def __init__(self, table: str, other: "SharedTable") -> None:
        self.table, self.other = table, other

    offline: tuple[str, ...] = ()
    free: bool | None = None
    """What the table has announced last."""

    def look_for_tables(self) -> tuple[str, ...]:
        wire = self.other.board.remote.link
        return (AT[self.other.side],) if isinstance(wire, Wire) and wire.free else ()

    def is_offline(self, table: str) -> bool:
        return table in self.offline

    def announce_free(self, free: bool) -> None:
        self.free = free

    def send(self, table: str, message: bytes) -> None:
        if table == AT[self.other.side] and not self.is_cut:
            self.other.board.remote.receive(self.table, message)


class SharedTable(EngineTable):
    """One of the boards. No piece is ever moved; moves are entered."""

    def __init__(self, path: Path, side: Side) -> None:
        super().__init__(path)
        self.side, self.path = side, path

    @property
    def shot(self) -> Snapshot:
        return self.board.service.snapshot

    def request(self, fact: Fact) -> None:
        """Do what a player enters in the menu or on the page."""
        self.board.request(fact)

    def begin(self, rules: str = "finkel", first: Side = LIGHT) -> None:
        seats: Seats = ("person", "remote") if self.side is LIGHT else ("remote", "person")
        shared = SharedGame(GAME, AT[self.side.other], "2026.11.20")
        self.board.order(NewGame(rule_set(rules), "Ann", "Zoë", first, seats, shared=shared))
        self.wait(500)

    def record(self) -> str:
        with Journal.read_only(self.path) as journal:
            found = last_game(journal, "board")
            assert found is not None
            return record_text(stored_record(journal, found.id))


class Two:
    """Both boards, whose clocks advance together."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.light, self.dark = (
            SharedTable(folder / f"{AT[side]}.db", side) for side in (LIGHT, DARK)
        )
        for one in (self.light, self.dark):
            stack.enter_context(one)
        self.light.board.remote.connect(Wire("lisbon", self.dark))
        self.dark.board.remote.connect(Wire("porto", self.light))

    def begin(self, rules: str = "finkel", first: Side = LIGHT) -> None:
        self.light.begin(rules, first)
        self.dark.begin(rules, first)
        self.wait(3000)

    def wait(self, ms: int = 500) -> None:
        # Minutes in longer steps, except for the last seconds.
        long = max(ms - 3000, 0) // 500
        for step in (*(500,) * long, *(50,) * ((ms - 500 * long) // 50)):
            self.light.wait(step, step)
            self.dark.wait(step, step)

    def light_moves(self, move: str = "+A4", faces: str = "g---") -> None:
        self.light.answer(faces=faces)
        self.light.answer(move=move)
        self.wait()


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    with ExitStack() as stack:
        made = Two(tmp_path, stack)
        made.begin()
        yield made


def test_a_move_arrives_and_is_made_by_hands_here(two: Two) -> None:
    two.light_moves()
    shot = two.dark.shot
    assert (shot.planned, shot.planned_as) == ("+A4", "answered")
    assert two.light.shot.side is DARK
    two.dark.answer(move="+A4")
    two.wait()
    assert (two.dark.shot.phase, two.dark.shot.side) == (Phase.THROW, DARK)
    assert two.light.record() == two.dark.record()


def test_the_display_names_player_and_place(two: Two) -> None:
    words = words_for("en")
    assert player_name(two.dark.shot, LIGHT, words) == "Ann (Lisbon)"
    assert player_name(two.dark.shot, DARK, words) == "Zoë"


def test_a_player_resigns_out_of_turn(two: Two) -> None:
    two.light_moves()
    # Hands at dark's board have not made the move yet; it is part of both records.
    two.light.request(Resign(two.light.board.clock(), LIGHT))
    two.wait()
    assert two.light.shot.phase is two.dark.shot.phase is Phase.OVER
    assert two.light.record() == two.dark.record()
    assert '[Result "dark"]' in two.light.record()


@pytest.mark.parametrize("press", ["long", "short"])
def test_a_takeback_is_asked_at_the_other_board(two: Two, press: str) -> None:
    two.light_moves()
    assert two.light.shot.takeback_to_ask == (LIGHT, "+A4")
    two.light.request(Answer(two.light.board.clock(), takeback=True))
    two.wait()
    screen = two.dark.board.menu.screen
    assert isinstance(screen, Offer)
    assert (screen.proposal.name, screen.proposal.move) == ("take-back", "+A4")
    # Both buttons there are those of the player who is asked.
    two.dark.board.submit(Button(two.dark.board.clock(), LIGHT, press))
    two.wait()
    assert (two.light.shot.phase is Phase.MOVE) == (press == "long")
    assert two.light.shot.side is (LIGHT if press == "long" else DARK)
    assert two.dark.shot.thinking == (press == "long")


def test_an_offer_of_a_draw_is_accepted(tmp_path: Path) -> None:
    with ExitStack() as stack:
        two = Two(tmp_path, stack)
        two.begin("freecompany")
        two.dark.request(Draw(two.dark.board.clock(), DARK, agreed=True))
        two.wait()
        two.light.board.submit(Button(two.light.board.clock(), LIGHT, "long"))
        two.wait()
        assert '[Result "draw"]' in two.light.record()
        assert two.light.record() == two.dark.record()


def test_abandoning_needs_the_consent_of_the_other_table(two: Two) -> None:
    two.light.request(Abandon(two.light.board.clock(), LIGHT))
    two.wait()
    assert two.light.shot.phase is not Phase.OVER
    two.dark.board.submit(Button(two.dark.board.clock(), DARK, "long"))
    two.wait()
    assert two.light.shot.phase is two.dark.shot.phase is Phase.OVER


def test_what_was_declined_on_the_page_is_no_longer_asked_on_the_display(two: Two) -> None:
    two.light_moves()
    two.light.request(Answer(two.light.board.clock(), takeback=True))
    two.wait()
    assert isinstance(two.dark.board.menu.screen, Offer)
    two.dark.board.order(AnswerProposal("takeback", accepted=False))
    two.wait()
    assert two.dark.board.menu.screen is None
    assert two.light.board.remote.declined
    # It is shown for a while only.
    two.wait(21_000)
    assert not two.light.board.remote.declined


def test_a_proposal_is_shown_when_the_menu_is_closed(two: Two) -> None:
    t = two.dark.board.clock()
    two.dark.board.submit(Button(t, DARK, "both"))
    two.wait()
    two.light.request(Abandon(two.light.board.clock(), LIGHT))
    two.wait()
    assert two.dark.board.menu.is_open
    assert not isinstance(two.dark.board.menu.screen, Offer)
    two.dark.board.submit(Button(two.dark.board.clock(), DARK, "both"))
    two.wait()
    assert isinstance(two.dark.board.menu.screen, Offer)
    # As long as the other table waits, which the screen of a menu would not.
    two.wait(40_000)
    assert isinstance(two.dark.board.menu.screen, Offer)
    two.wait(25_000)
    assert two.dark.board.menu.screen is None


def test_a_move_that_hands_have_not_made_need_not_be_put_back(two: Two) -> None:
    two.light_moves()
    two.light.request(Answer(two.light.board.clock(), takeback=True))
    two.wait()
    assert two.dark.shot.planned == "+A4"
    two.dark.board.submit(Button(two.dark.board.clock(), LIGHT, "long"))
    two.wait(100)
    assert two.dark.board.menu.screen is None


def cut(two: Two, *, is_cut: bool = True) -> None:
    for one in (two.light, two.dark):
        wire = one.board.remote.link
        assert isinstance(wire, Wire)
        wire.is_cut = is_cut


@pytest.mark.parametrize(
    ("plays_on", "begins_another"),
    slow_except(product((False, True), repeat=2), (False, True)),
)
def test_a_resignation_binds_whenever_the_other_table_returns(
    two: Two, plays_on: bool, begins_another: bool
) -> None:
    two.light_moves()
    cut(two)
    # Dark's table decides what happens next, and may play on alone.
    two.light.request(Resign(two.light.board.clock(), LIGHT))
    if plays_on:
        two.dark.answer(move="+A4")
        two.dark.answer(faces="g---")
    two.wait(90_000)
    assert two.light.shot.phase is Phase.OVER
    assert '[Result "dark"]' in two.light.record()
    record = two.light.record()
    if begins_another:
        service = two.light.board.service
        service.call(lambda: service.new_game(Game(two.light.board.clock(), "finkel")))
    assert two.dark.shot.phase is not Phase.OVER
    cut(two, is_cut=False)
    two.wait(20_000)
    assert two.dark.shot.phase is Phase.OVER
    assert '[Result "dark"]' in two.dark.record()
    assert plays_on or two.dark.record() == record
    assert two.light.board.remote.asking is two.light.board.remote.problem is None
    assert two.dark.board.remote.problem is None


@pytest.mark.slow
def test_a_resignation_binds_although_the_winner_has_abandoned(two: Two) -> None:
    two.light_moves()
    cut(two)
    two.light.request(Resign(two.light.board.clock(), LIGHT))
    two.wait(30_000)
    two.dark.request(Abandon(two.dark.board.clock(), DARK))
    two.wait()
    assert '[Result "*"]' in two.dark.record()
    cut(two, is_cut=False)
    two.wait(20_000)
    # The copies differ: such a game is not rated.
    assert '[Result "dark"]' in two.light.record()
    for one in (two.light, two.dark):
        assert one.shot.phase is Phase.OVER
        assert one.board.remote.problem is one.board.remote.asking is None


def test_a_draw_is_not_offered_where_the_rules_have_none(two: Two) -> None:
    two.light.request(Draw(two.light.board.clock(), LIGHT))
    two.wait()
    assert two.light.board.remote.asking is None
    assert two.dark.board.remote.asked is None


def test_events_of_this_side_that_only_the_other_table_has_are_not_believed(two: Two) -> None:
    light = two.light.board.remote
    # As if light's journal had been restored from a backup, but without a seal.
    lost = (SharedThrow(LIGHT, "g---"), SharedMove(LIGHT, "+A4", "answered"))
    chain = next_chain(GAME, [EVENTS.line_of(lost[0])])
    chain = next_chain(chain, [EVENTS.line_of(lost[1])])
    light.receive("porto", encode(Progress(GAME, 2, chain, 1, GAME, lost)))
    two.wait()
    assert light.problem == "comparing"
    two.light.answer(faces="g---")
    two.wait()
    assert two.light.shot.phase is Phase.THROW
    # Nothing follows from it; the players can leave the game alone.
    two.light.request(Abandon(two.light.board.clock(), LIGHT))
    two.wait()
    assert two.light.shot.phase is Phase.OVER


def test_a_game_that_was_left_without_an_end_cannot_be_continued(two: Two) -> None:
    two.light_moves()
    two.wait()
    # Dark's program begins another game without ending this one, as after a crash between both.
    service = two.dark.board.service
    service.call(lambda: service.new_game(Game(two.dark.board.clock(), "finkel", "Kit", "Lou")))
    two.wait(12_000)
    assert two.light.board.remote.problem == "unknown"
    two.light.request(Abandon(two.light.board.clock(), LIGHT))
    two.wait()
    assert two.light.shot.phase is Phase.OVER


def test_an_invitation_of_another_version_is_declined(two: Two) -> None:
    for table in (two.light, two.dark):
        table.request(Abandon(table.board.clock(), LIGHT))
    two.wait()
    sent: list[bytes] = []
    wire = two.dark.board.remote.link
    assert isinstance(wire, Wire)
    wire.send = lambda _table, message: sent.append(message)  # type: ignore[method-assign]
    later = {"type": "invite", "format": 2, "game": "6a" * 16, "rules": "chess"}
    two.dark.board.remote.receive("lisbon", json.dumps(later).encode())
    assert encode(Declined("6a" * 16, "unsupported")) in sent


def test_the_last_events_arrive_although_the_next_game_has_begun(two: Two) -> None:
    wire = two.light.board.remote.link
    assert isinstance(wire, Wire)
    wire.can_send = False
    two.light.request(Resign(two.light.board.clock(), LIGHT))
    two.wait()
    assert two.dark.shot.phase is not Phase.OVER
    two.light.board.order(NewGame(rule_set("finkel"), "Kit", "Lou", LIGHT))
    two.wait()
    wire.can_send = True
    # Dark's table repeats what it has at least every ten seconds.
    two.wait(12_000)
    assert two.dark.shot.phase is Phase.OVER
    assert two.light.shot.light == "Kit"


def test_what_is_not_a_message_of_the_other_table_is_ignored(two: Two) -> None:
    two.light_moves()
    before = two.dark.shot
    two.dark.board.remote.receive("lisbon", b"{}")
    two.dark.board.remote.receive("faro", two_progress(two))
    two.wait()
    assert two.dark.shot.planned == before.planned
    assert not two.dark.board.remote.diverged


def two_progress(two: Two) -> bytes:
    """A message about the game from a table that does not play in it."""
    return encode(Progress(GAME, 0, GAME, 1, GAME))


def test_time_since_the_last_contact(two: Two) -> None:
    # These boards have no hub, which would be shown instead.
    two.light.board.service.notices.set_available("hub-missing")
    for one in (two.light, two.dark):
        assert one.board.remote.link is not None
        one.board.remote.link.can_send = False  # type: ignore[misc]
    two.wait(20_000)
    silent = two.light.board.remote.silent_ms
    assert silent is not None
    assert silent >= 20_000
    assert two.light.board.service.notices.current is None
    two.wait(6_000)
    notice = two.light.board.service.notices.current
    assert notice is not None
    assert notice.code == "no-contact"
    assert len(notice.since) == len("19:02")
    for one in (two.light, two.dark):
        one.board.remote.link.can_send = True  # type: ignore[misc,union-attr]
    two.wait(1_000)
    assert two.light.board.service.notices.current is None


def disconnect(two: Two, *tables: SharedTable, is_cut: bool = True) -> None:
    """Cut the connections of tables to the broker, so that they know it and nothing arrives."""
    for one in tables:
        one.board.remote.link.can_send = not is_cut  # type: ignore[misc,union-attr]
    for one in (two.light, two.dark):
        one.board.remote.link.is_cut = is_cut  # type: ignore[misc,union-attr]


def notice_at(table: SharedTable) -> str | None:
    """What display and page show about a claim."""
    found = table.board.tables.view.claim
    return None if found is None else found.code


@pytest.mark.slow
def test_a_side_that_pulled_the_plug_is_claimed_against(two: Two) -> None:
    disconnect(two, two.dark)
    two.light_moves()
    two.wait(148_000)
    # Both displays name the time half of the time before.
    two.wait(4_000)
    assert notice_at(two.light) == "claim-later"
    assert notice_at(two.dark) == "may-lose"
    two.light.request(Claim(two.light.board.clock(), LIGHT))
    two.wait()
    assert two.light.shot.phase is not Phase.OVER
    two.wait(150_000)
    assert notice_at(two.light) == "may-claim"
    two.light.request(Claim(two.light.board.clock(), DARK))
    two.wait()
    assert '[Result "light"]' in two.light.record()
    assert '[Termination "silent"]' in two.light.record()
    # The one that was away ends the game in the same way when it is back, by itself.
    disconnect(two, two.dark, is_cut=False)
    for one in (two.light, two.dark):
        one.board.remote.on_connect()
    two.wait(3_000)
    assert two.dark.record() == two.light.record()
    assert two.dark.board.remote.problem is None


@pytest.mark.slow
def test_a_player_who_does_not_act_is_warned_and_who_acts_in_time_plays_on(two: Two) -> None:
    two.light_moves()
    two.wait(152_000)
    assert (notice_at(two.light), notice_at(two.dark)) == ("claim-later", "may-lose")
    two.wait(140_000)
    two.dark.answer(move="+A4")
    two.dark.answer(faces="g---")
    two.wait(10_000)
    assert (notice_at(two.light), notice_at(two.dark)) == (None, None)
    two.light.request(Claim(two.light.board.clock(), LIGHT))
    two.wait()
    two.dark.request(Claim(two.dark.board.clock(), DARK))
    two.wait()
    assert Phase.OVER not in {two.light.shot.phase, two.dark.shot.phase}


def test_who_has_no_connection_or_has_to_act_cannot_claim(two: Two) -> None:
    two.light_moves()
    disconnect(two, two.light, two.dark)
    two.wait(310_000)
    for one, side in ((two.light, LIGHT), (two.dark, DARK)):
        one.request(Claim(one.board.clock(), side))
        two.wait()
        assert one.shot.phase is not Phase.OVER
    # Light was not connected all the time: it waits once more.
    disconnect(two, two.light, two.dark, is_cut=False)
    two.wait(1_000)
    two.light.request(Claim(two.light.board.clock(), LIGHT))
    two.wait()
    assert two.light.shot.phase is not Phase.OVER


@pytest.mark.slow
def test_a_false_claim_does_not_end_the_game_here(two: Two) -> None:
    two.light_moves()
    two.dark.answer(move="+A4")
    two.wait(60_000)
    # A modified program claims after a minute.
    two.light.board.service.process(Claim(two.light.board.service.clock(), LIGHT))
    two.wait(3_000)
    assert two.dark.shot.phase is not Phase.OVER
    assert two.dark.board.remote.problem == "diverged"
    two.dark.request(Abandon(two.dark.board.clock(), DARK))
    two.wait()
    assert two.dark.shot.phase is Phase.OVER


def test_the_other_table_cannot_resign_for_this_side(two: Two) -> None:
    two.light_moves()
    light = two.light.board.remote
    events = (SharedThrow(LIGHT, "g---"), SharedMove(LIGHT, "+A4", "answered"))
    chain = [GAME]
    for event in (*events, SharedResignation(LIGHT)):
        chain.append(next_chain(chain[-1], [EVENTS.line_of(event)]))
    forged = Progress(GAME, 3, chain[3], 3, chain[2], (SharedResignation(LIGHT),))
    light.receive("porto", encode(forged))
    two.wait()
    assert two.light.shot.phase is not Phase.OVER
    assert light.problem == "diverged"
    # The players at this table can leave the game alone.
    two.light.request(Abandon(two.light.board.clock(), LIGHT))
    two.wait()
    assert two.light.shot.phase is Phase.OVER
    assert '[Result "*"]' in two.light.record()


def test_messages_that_are_never_processed_leave_room_for_others(two: Two) -> None:
    remote = two.dark.board.remote
    message = two_progress(two)
    for _ in range(MAX_WAITING + 5):
        remote.receive("porto", message)
    # Closing the service cancels what waits.
    two.dark.board.service._inbox.close()
    assert all(remote._waiting.acquire(blocking=False) for _ in range(MAX_WAITING))
    assert not remote._waiting.acquire(blocking=False)
