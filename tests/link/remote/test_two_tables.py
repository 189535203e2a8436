"""Whole games of two tables over a network that loses, doubles, delays and reorders messages."""

from heapq import heappop, heappush
from random import Random

import pytest

from tests.link.remote.pure_table import GAME, PureTable, opening
from tests.slow import slow_except
from urpi.link.protocol.chain import next_chain
from urpi.link.remote.events import (
    EVENTS,
    SharedAbandoning,
    SharedDraw,
    SharedEvent,
    SharedMove,
    SharedResignation,
    SharedTakeback,
)
from urpi.link.remote.messages import Progress, encode
from urpi.referee.decisions import Won
from urpi.rules import Side

LIGHT, DARK = Side
STEP_MS = 50
LONGEST_MS = 4_000_000
RULES = ("finkel", "masters", "freecompany", "murray", "ravensburger")


class Network:
    """Carries messages with the faults of a bad network."""

    def __init__(self, rng: Random, lossy: float) -> None:
        self.rng, self.lossy = rng, lossy
        self.cut_until = 0
        self._queue: list[tuple[int, int, int, bytes]] = []
        self._count = 0

    def send(self, to: int, data: bytes, now: int) -> None:
        if now < self.cut_until:
            return
        for _ in range(self.rng.choices([0, 1, 2], [self.lossy, 1 - self.lossy, self.lossy])[0]):
            delay = self.rng.choice([0, 10, 60, 700 if self.lossy else 60])
            self._count += 1
            heappush(self._queue, (now + delay, self._count, to, data))

    def arrived(self, now: int) -> list[tuple[int, bytes]]:
        found = []
        while self._queue and self._queue[0][0] <= now:
            _, _, to, data = heappop(self._queue)
            if now >= self.cut_until:
                found.append((to, data))
        return found


def play(seed: int, rules: str, *, lossy: float, cuts: float) -> list[PureTable]:
    """Play a game with cuts and restarts, and return both tables once both know its end."""
    rng = Random(seed)
    first = rng.choice([LIGHT, DARK])
    tables = [
        PureTable(opening(side, rules, first), side, Random(f"{seed} {side}"))
        for side in (LIGHT, DARK)
    ]
    network = Network(rng, lossy)
    for now in range(0, LONGEST_MS, STEP_MS):
        if rng.random() < cuts:
            network.cut_until = now + rng.choice([500, 5_000, 40_000])
        for table in tables:
            if rng.random() < cuts:
                table.restart()
            if rng.random() < 0.3:
                table.play(now)
        for to, data in network.arrived(now):
            tables[to].receive(data, now)
        for number, table in enumerate(tables):
            for data in table.work(now):
                network.send(1 - number, data, now)
        # What was thrown where a resignation had not arrived yet has no part in the other course.
        resigned = any(isinstance(end, SharedResignation) for end in ends(tables))
        assert resigned or not any(table.session.exchange.diverged for table in tables)
        if all(table.over for table in tables):
            return tables
    raise AssertionError([table.events[-3:] for table in tables])


def ends(tables: list[PureTable]) -> list[SharedEvent]:
    """The last event of each table."""
    return [end for table in tables for end in table.events[-1:]]


@pytest.mark.parametrize("rules", slow_except(RULES, "freecompany"))
@pytest.mark.parametrize(("lossy", "cuts"), slow_except([(0.0, 0.0), (0.3, 0.005)], (0.3, 0.005)))
@pytest.mark.parametrize("seed", slow_except(range(2), 0))
def test_both_tables_have_the_same_game(seed: int, rules: str, lossy: float, cuts: float) -> None:
    light, dark = play(seed, rules, lossy=lossy, cuts=cuts)
    last = ends([light, dark])
    resigned = [end.side for end in last if isinstance(end, SharedResignation)]
    if set(resigned) == {LIGHT, DARK}:
        # Both resigned before they knew of the other: an arbiter decides.
        return
    if resigned:
        won = {one.side for table in (light, dark) for one in table.decisions(Won)}
        assert won == {resigned[0].other}
        assert light.decisions(Won)
        assert dark.decisions(Won)
        return
    assert light.events == dark.events
    assert light.record() == dark.record()
    assert light.now.position == dark.now.position


def restore(tables: list[PureTable], number: int, rng: Random) -> tuple[SharedEvent, ...]:
    """Restore a table's journal, of the day before or a moment ago, and return what must come back.

    What the other table has not received is lost for good.
    """
    table, other = tables[number], tables[1 - number]
    kept = min(len(table.events), len(other.events))
    before = table.events[:kept]
    table.restart(rng.randrange(1, len(table.stored) + 1))
    return before


@pytest.mark.parametrize("rules", slow_except(RULES, "finkel", "freecompany"))
@pytest.mark.parametrize("lossy", slow_except([0.0, 0.3], 0.3))
@pytest.mark.parametrize("seed", slow_except(range(20), 0, 1))
def test_a_table_gets_back_what_its_backup_lacks(seed: int, rules: str, lossy: float) -> None:
    rng = Random(f"backups {seed} {lossy}")
    tables = [
        PureTable(opening(side, rules), side, Random(f"{seed} {side}"), proposes=seed % 2 > 0)
        for side in (LIGHT, DARK)
    ]
    network = Network(rng, lossy)
    at = rng.randrange(10_000, 40_000) // STEP_MS * STEP_MS
    run(tables, network, range(0, at, STEP_MS))
    if any(table.over for table in tables):
        return
    # What it sent just before is no longer on its way when the backup is restored.
    network.cut_until = at + 5_000
    lost = restore(tables, rng.choice([0, 1]), rng)
    run(tables, network, range(at, at + 150_000, STEP_MS))
    assert [table.events[: len(lost)] for table in tables] == [lost, lost]
    resigned = any(isinstance(end, SharedResignation) for end in ends(tables))
    common = min(len(table.events) for table in tables)
    assert resigned or tables[0].events[:common] == tables[1].events[:common]
    assert common > len(lost) or all(table.over for table in tables)


def run(tables: list[PureTable], network: Network, times: range) -> None:
    """Play on, until both know the end."""
    for now in times:
        for to, data in network.arrived(now):
            tables[to].receive(data, now)
        for number, table in enumerate(tables):
            if network.rng.random() < 0.3:
                table.play(now)
            for data in table.work(now):
                network.send(1 - number, data, now)
        if all(table.over for table in tables):
            return


def test_nothing_is_sent_after_the_end() -> None:
    light, dark = play(1, "finkel", lossy=0.0, cuts=0.0)
    sent = 0
    for now in range(LONGEST_MS, LONGEST_MS + 60_000, STEP_MS):
        for table, other in ((light, dark), (dark, light)):
            for data in table.work(now):
                other.receive(data, now)
                sent += now > LONGEST_MS + 1_000
    assert not sent


def hostile_end(rng: Random, table: PureTable) -> SharedEvent:
    """Any end or take-back of either side, as a hostile table adds it."""
    side = rng.choice([LIGHT, DARK])
    moves = [one.move for one in table.events if isinstance(one, SharedMove)]
    return rng.choice(
        [
            SharedResignation(table.side),
            SharedTakeback(side, moves[-1] if moves else "+A4"),
            SharedDraw("agreed"),
            SharedAbandoning(),
        ]
    )


@pytest.mark.parametrize("seed", slow_except(range(40), 0, 1, 2))
def test_another_table_cannot_end_or_change_this_side(seed: int) -> None:
    """Honest play to a random point, then an event that no player here has agreed to."""
    rng = Random(seed)
    rules = rng.choice(["finkel", "freecompany"])
    tables = [PureTable(opening(s, rules), s, Random(f"{seed} {s}")) for s in (LIGHT, DARK)]
    now = 0
    for now in range(0, rng.randrange(500, 20_000), STEP_MS):
        for number, table in enumerate(tables):
            if rng.random() < 0.3 and not table.session.asking and not table.over:
                table.play(now)
            for data in table.work(now):
                tables[1 - number].receive(data, now)
    victim = rng.choice(tables)
    victim.restart()
    victim.work(now)
    if victim.over:
        return
    before, exchange = victim.events, victim.session.exchange
    event = hostile_end(rng, victim)
    chain = [GAME]
    for one in (*before, event):
        chain.append(next_chain(chain[-1], [EVENTS.line_of(one)]))
    have = exchange.have
    message = Progress(GAME, have + 1, chain[-1], have + 1, chain[-2], (event,))
    victim.receive(encode(message), now)
    victim.work(now + 1)
    own = not (isinstance(event, SharedTakeback) and event.side is not victim.side)
    if own:
        assert victim.events == before
        assert victim.session.is_disputed or exchange.diverged
    if isinstance(event, SharedResignation) and not exchange.diverged:
        victim.session.propose("resign", now + 2)
        victim.work(now + 3)
        assert victim.over
