"""A table whose journal was restored from a backup gets the lost part of its game back."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from tests.service.test_remote_play import DARK, GAME, LIGHT, SharedTable, Two, Wire, cut, notice_at
from tests.service_desk import STARTED
from tests.slow import slow_except
from urpi.journal import Journal
from urpi.journal.backup import back_up, restore_backup
from urpi.link.protocol.chain import next_chain
from urpi.link.remote.events import EVENTS, SharedEvent, SharedMove, SharedThrow
from urpi.link.remote.messages import Progress, Sealed, TableMessage, encode, parse_table_message
from urpi.referee import Phase
from urpi.referee.facts import Abandon, Resign
from urpi.rules import Side
from urpi.service.stored_events import stored_events

HEX = "0123456789abcdef"


class Restored:
    """Both tables; the journal of light's was restored, and the other one has what it lacks."""

    def __init__(self, folder: Path, stack: ExitStack, turns: int = 4) -> None:
        self.stack, self.two = stack, Two(folder, stack)
        self.two.begin()
        for _ in range(3):
            self.turn()
        backup = folder / "backup.db"
        back_up(self.two.light.path, backup)
        for _ in range(turns):
            self.turn()
        self.lost = self.events(self.dark)
        path = self.light.path
        self.light.__exit__()
        restore_backup(backup, path, STARTED, replace=True)
        cut(self.two)
        self.start(self.light)

    @property
    def light(self) -> SharedTable:
        return self.two.light

    @property
    def dark(self) -> SharedTable:
        return self.two.dark

    def start(self, before: SharedTable) -> None:
        """Start a table's program again, with the board as it was left."""
        before.__exit__()
        after, side = SharedTable(before.path, before.side), before.side
        assert after.board.service.resume() is not None
        self.stack.enter_context(after)
        other = self.dark if side is LIGHT else self.light
        old = other.board.remote.link
        assert isinstance(old, Wire)
        wires = Wire("lisbon", other), Wire("porto", other)
        wire = wires[side is DARK]
        wire.is_cut, old.other = old.is_cut, after
        after.board.remote.connect(wire)
        if side is LIGHT:
            self.two.light = after
        else:
            self.two.dark = after

    def turn(self) -> None:
        """Let the side that is to throw do so and move, and hands at the other board move, too."""
        side = self.dark.shot.side
        here, there = (self.light, self.dark) if side is LIGHT else (self.dark, self.light)
        here.answer(faces="g---")
        move = here.shot.legal[-1]
        here.answer(move=move)
        self.two.wait()
        there.answer(move=move)
        self.two.wait()

    def connect(self) -> None:
        cut(self.two, is_cut=False)
        for one in (self.light, self.dark):
            one.board.remote.on_connect()
        self.two.wait(15_000)

    @staticmethod
    def events(table: SharedTable) -> tuple[SharedEvent, ...]:
        """The events that a table's journal has."""
        with Journal.read_only(table.path) as journal:
            other = "porto" if table.side is LIGHT else "lisbon"
            found = stored_events(journal, GAME, other)
        assert found is not None
        return found.events


@pytest.fixture
def restored(tmp_path: Path) -> Iterator[Restored]:
    with ExitStack() as stack:
        yield Restored(tmp_path, stack)


@pytest.mark.parametrize("turns", slow_except([1, 4, 5], 4))
def test_a_restored_table_goes_on_where_the_other_one_is(tmp_path: Path, turns: int) -> None:
    with ExitStack() as stack:
        restored = Restored(tmp_path, stack, turns)
        kept = restored.events(restored.light)
        assert kept == restored.lost[: len(kept)] != restored.lost
        # Until it is clear what it lacks, nothing that is thrown there counts.
        restored.light.answer(faces="gg--")
        restored.two.wait(30_000)
        assert restored.events(restored.light) == kept
        restored.two.wait(1_000)
        assert restored.light.board.service.notices.current is not None
        assert restored.light.board.remote.problem == "no-contact"
        restored.connect()
        if (planned := restored.light.shot.planned) is not None:
            # Hands had made it, but this program has not seen that.
            restored.light.answer(move=planned)
        found = restored.events(restored.light)
        assert found[: len(restored.lost)] == restored.lost
        assert restored.light.board.remote.problem is restored.dark.board.remote.problem is None
        if restored.light.shot.phase is Phase.MOVE:
            # What was thrown meanwhile was the next throw of the game, and of that side.
            assert found[len(restored.lost) :] == (SharedThrow(LIGHT, "gg--"),)
            restored.light.answer(move=restored.light.shot.legal[-1])
            restored.two.wait()
            restored.dark.answer(move=restored.events(restored.light)[-1].move)  # type: ignore[union-attr]
            restored.two.wait()
        for _ in range(2):
            restored.turn()
        restored.dark.request(Resign(restored.dark.board.clock(), DARK))
        restored.two.wait(3_000)
        assert restored.light.record() == restored.dark.record()
        assert '[Result "light"]' in restored.light.record()


def test_both_boards_say_that_they_wait(restored: Restored) -> None:
    light, dark = restored.light, restored.dark
    wire = dark.board.remote.link
    assert isinstance(wire, Wire)
    # Light's table hears nothing, and dark's hears that light's has lost a part.
    wire.is_cut = True
    light_wire = light.board.remote.link
    assert isinstance(light_wire, Wire)
    light_wire.is_cut = False
    light.board.remote.on_connect()
    # That the game goes on is shown first.
    restored.two.wait(8_000)
    # These boards have no hub, which would be shown instead, 3 s after a thread has found it out.
    for one in (light, dark):
        one.board.service.notices.set_available("hub-missing")
    restored.two.wait(100)
    for one in (light, dark):
        assert one.board.service.held
        assert one.board.tables.view.problem == "comparing"
        notice = one.board.service.notices.current
        assert notice is not None
        assert notice.code == "comparing"
    before = restored.events(dark)
    dark.answer(faces="g---")
    restored.two.wait(1_000)
    assert restored.events(dark) == before
    # Nobody has to wait for ever.
    light.request(Abandon(light.board.clock(), LIGHT))
    restored.two.wait()
    assert light.shot.phase is Phase.OVER
    assert notice_at(light) is None


def test_a_table_that_was_only_started_again_waits_for_the_other_one(tmp_path: Path) -> None:
    with ExitStack() as stack:
        restored = Restored(tmp_path, stack)
        restored.connect()
        cut(restored.two)
        restored.start(restored.light)
        restored.two.wait(1_000)
        assert restored.light.board.tables.view.problem == "comparing"
        restored.connect()
        assert restored.light.board.tables.view.problem is None
        assert not restored.light.board.service.held
        restored.turn()
        assert restored.events(restored.light) == restored.events(restored.dark)


def chain_of(events: tuple[SharedEvent, ...]) -> list[str]:
    chain = [GAME]
    for event in events:
        chain.append(next_chain(chain[-1], [EVENTS.line_of(event)]))
    return chain


def overheard(restored: Restored) -> list[TableMessage]:
    """What dark's table sends when light's returns, with the true seals."""
    sent: list[bytes] = []
    wire = restored.dark.board.remote.link
    assert isinstance(wire, Wire)
    send, wire.send = wire.send, lambda _table, data: sent.append(data)  # type: ignore[method-assign]
    light = restored.light.board.remote
    have = restored.events(restored.light)
    greeting = Progress(GAME, len(have), chain_of(have)[-1], len(have) + 1, chain_of(have)[-1])
    restored.dark.board.remote.receive("lisbon", encode(greeting))
    restored.dark.wait(1_000)
    wire.send = send  # type: ignore[method-assign]
    assert light.problem == "comparing"
    return [parse_table_message(data) for data in sent]


# One for each kind of lie.
@pytest.mark.parametrize("seed", slow_except(range(12), 0, 1, 2))
def test_a_hostile_table_cannot_invent_what_was_lost(restored: Restored, seed: int) -> None:
    """It changes a throw or a move of the other side, or adds some, with every seal it can get."""
    print(f"seed {seed}")  # noqa: T201 - shown if it fails
    rng = Random(seed)
    kept, true = restored.events(restored.light), restored.lost
    found = overheard(restored)
    own = next(one for one in found if isinstance(one, Sealed))
    assert own.have == len(true)
    lies = list(true)
    number = rng.randrange(len(kept), len(true))
    if seed % 3 == 0:
        lies[number:] = [SharedThrow(LIGHT, "----")]
    elif seed % 3 == 1:
        lies[number] = SharedThrow(rng.choice([LIGHT, DARK]), "gggg")
    else:
        lies += [SharedThrow(Side(rng.choice(["light", "dark"])), "----") for _ in range(2)]
        number = len(true)
    chain = chain_of(tuple(lies))
    invented = "".join(rng.choice(HEX) for _ in range(32))
    dark_seal = next(one.seal for one in found if isinstance(one, Progress))
    forged = [
        Sealed(GAME, len(lies), chain[-1], own.seal),
        Sealed(GAME, len(lies), chain[-1], invented),
        Sealed(GAME, len(lies), chain[-1], dark_seal),
        own,
    ]
    light, first = restored.light, len(kept) + 1
    progress = Progress(
        GAME, len(lies), chain[-1], first, chain[len(kept)], tuple(lies[len(kept) :])
    )
    for message in [*rng.sample(forged, len(forged)), progress, progress]:
        light.board.remote.receive("porto", encode(message))
        light.wait(500)
    after = restored.events(light)
    for place, event in enumerate(after):
        # What the other side threw and moved is refereed at its table.
        if isinstance(event, SharedThrow | SharedMove) and event.side is LIGHT:
            assert after[: place + 1] == true[: place + 1]
    # It is light's turn again only with the true course.
    assert light.board.service.held or after == true or light.shot.side is DARK
    assert light.shot.phase is not Phase.OVER
