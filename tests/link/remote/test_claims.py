"""Claims after a silence, between two referees: honest and hostile tables, at generated times."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.link.remote.pure_table import GAME, PureTable, opening
from tests.slow import mostly_slow, slow_except
from urpi.link.remote.events import SharedThrow, holder
from urpi.link.remote.messages import Progress, Proposed, encode
from urpi.link.remote.silence import CLAIM_MS, TOLERANCE_MS, Silence
from urpi.referee import Phase
from urpi.referee.decisions import Won
from urpi.referee.facts import Answer, Claim
from urpi.rules import Side

LIGHT, DARK = Side
STEP_MS = 500


def play(table: PureTable) -> None:
    """Throw or move; nobody gives up here, and nothing is proposed."""
    shot, rng = table.now, table.rng
    if shot.phase is Phase.SET_UP:
        table.show()
    elif table.session.is_unclear:
        # The service holds what hands do.
        return
    elif shot.phase is Phase.MOVE and not shot.thinking:
        table.process(Answer(table.t, move=rng.choice(shot.legal)))
        table.show()
    elif shot.phase is Phase.THROW and shot.side is table.side and shot.position is not None:
        dice = shot.position.rules.dice
        faces = rng.choices(list(dice.faces), k=dice.count)
        table.process(Answer(table.t, faces="".join(faces)))


class Club:
    """The broker between two tables, each with a connection that can be cut."""

    def __init__(self, seed: int) -> None:
        rules = Random(seed).choice(["finkel", "freecompany"])
        self.tables = [PureTable(opening(s, rules), s, Random(f"{seed} {s}")) for s in Side]
        self.cut = [False, False]
        self.idle = [False, False]
        self.now = 0

    def run(self, ms: int, claims: bool = True) -> None:
        """Let time pass; who may claim does so at once."""
        for _ in range(ms // STEP_MS):
            self.now += STEP_MS
            for number, table in enumerate(self.tables):
                silence = table.session.silence
                if silence is not None:
                    silence.connect(not self.cut[number], self.now)
                due = table.session.claimable
                if claims and due is not None and due <= self.now and not table.over:
                    table.process(Claim(table.t, table.side))
                if not self.idle[number] and not table.over and table.rng.random() < 0.3:
                    play(table)
            for number, table in enumerate(self.tables):
                sent = table.work(self.now)
                if not any(self.cut):
                    for data in sent:
                        self.tables[1 - number].receive(data, self.now)

    def reconnect(self) -> None:
        self.cut = [False, False]
        for table in self.tables:
            table.session.exchange.reconnect(self.now)

    @property
    def won(self) -> list[list[tuple[Side, str]]]:
        return [[(one.side, one.code) for one in table.decisions(Won)] for table in self.tables]


def begun(seed: int, rng: Random) -> Club:
    """A game that runs, with events on both sides."""
    for attempt in range(100):
        club = Club(seed + 1000 * attempt)
        club.run(rng.randrange(3_000, 20_000))
        if not any(one.over for one in club.tables) and club.tables[0].session.exchange.have > 2:
            return club
    raise AssertionError(seed)


@pytest.mark.parametrize("seed", slow_except(range(60), 0, 1))
def test_who_pulls_the_plug_loses_and_both_tables_know_it(seed: int) -> None:
    rng = Random(seed)
    club = begun(seed, rng)
    away = rng.randrange(2)
    club.cut[away] = True
    # It may go on playing alone, or its program is killed.
    club.idle[away] = rng.random() < 0.5
    club.run(CLAIM_MS + 60_000)
    stays, leaves = club.tables[1 - away], club.tables[away]
    assert club.won[1 - away] == [(stays.side, "silent")]
    if rng.random() < 0.5:
        leaves.restart()
    # Hands there make the moves before the claim, or whatever they want.
    club.idle[away] = False
    club.reconnect()
    club.run(30_000)
    assert club.won == [[(stays.side, "silent")]] * 2
    assert not leaves.session.is_disputed


@pytest.mark.parametrize("seed", slow_except(range(60), 0, 1))
def test_who_returns_in_time_or_in_the_same_second_plays_on_or_both_agree(seed: int) -> None:
    rng = Random(seed)
    club = begun(seed, rng)
    away = rng.randrange(2)
    club.cut[away], club.idle[away] = True, True
    club.run(CLAIM_MS + rng.choice([-20_000, -1_000, -500, 0, 500, 1_000]), claims=False)
    club.reconnect()
    club.idle[away] = False
    # Whoever may claim now does so in the same second.
    club.run(1_000)
    club.run(20_000, claims=False)
    light, dark = club.won
    silent = {one for won in (light, dark) for one in won if one[1] == "silent"}
    assert len(silent) <= 1
    if silent:
        assert light == dark
    assert not any(table.session.is_disputed for table in club.tables)


@pytest.mark.parametrize("seed", slow_except(range(60), 0, 1))
def test_a_false_claim_is_not_believed(seed: int) -> None:
    """A modified program claims while the other side plays, or soon after its last act."""
    rng = Random(seed)
    club = begun(seed, rng)
    liar = rng.randrange(2)
    victim = club.tables[1 - liar]
    if rng.random() < 0.5:
        # It cuts itself off for less than the agreed time, and then claims.
        club.cut[liar] = True
        club.run(rng.randrange(CLAIM_MS - 2 * TOLERANCE_MS), claims=False)
        club.reconnect()
        club.run(5_000, claims=False)
    if any(one.over for one in club.tables):
        return
    club.tables[liar].process(Claim(club.tables[liar].t, club.tables[liar].side))
    club.run(10_000, claims=False)
    assert "silent" not in {one.code for one in victim.decisions(Won)}
    # A table that notices other events tells the other one.
    diverged = any(table.session.exchange.diverged for table in club.tables)
    assert victim.session.is_disputed or diverged


@pytest.mark.parametrize("seed", slow_except(range(40), 0, 1))
def test_who_makes_the_other_table_wait_cannot_claim_for_it(seed: int) -> None:
    """A modified program says that the other table has lost events, so that it may not act."""
    rng = Random(seed)
    club = begun(seed, rng)
    while not (acting := [one for one in club.tables if holder(one.now) is one.side]):
        club.run(STEP_MS, claims=False)
    (victim,) = acting
    exchange = victim.session.exchange
    have = exchange.have
    lie = rng.choice(
        [
            Progress(GAME, have + rng.randrange(1, 9), "ab" * 16, have + 1, exchange.chain),
            Progress(
                GAME,
                have + 1,
                "ab" * 16,
                have + 1,
                exchange.chain,
                (SharedThrow(rng.choice([LIGHT, DARK]), rng.choice(["gggg", "g---"])),),
            ),
        ]
    )
    for now in range(club.now, club.now + CLAIM_MS + TOLERANCE_MS, STEP_MS):
        victim.receive(encode(lie), now)
        play(victim)
        victim.work(now)
        club.now = now
    assert victim.session.exchange.have == have
    assert victim.session.is_unclear
    if rng.random() < 0.5:
        # It lets the table go on, and claims at once.
        truth = Progress(GAME, have, exchange.chain, have + 1, exchange.chain)
        victim.receive(encode(truth), club.now)
    victim.receive(encode(Proposed(GAME, "cd" * 16, "claim", have)), club.now)
    victim.work(club.now)
    assert not victim.over


@pytest.mark.parametrize("seed", slow_except(range(60), 0, 1))
def test_events_that_are_never_delivered_postpone_no_claim(seed: int) -> None:
    """A modified program says again and again that it has more events, and sends none of them."""
    rng = Random(seed)
    club = begun(seed, rng)
    liar = rng.randrange(2)
    victim = club.tables[1 - liar]
    # It does nothing else, so that soon it is the one that has to act.
    club.idle[liar] = True
    while holder(victim.now) is not victim.side.other or victim.session.exchange.next_event:
        club.run(STEP_MS)
        if victim.over:
            return
    club.cut[liar] = True
    have, end = victim.session.exchange.have, club.now + CLAIM_MS + 60_000
    while club.now < end and not victim.over:
        have += rng.randrange(1, 50)
        lie = Progress(GAME, have, f"{rng.randrange(16**32):032x}", have + 1, GAME, ())
        victim.receive(encode(lie), club.now)
        club.run(rng.randrange(1_000, 40_000))
    assert club.won[1 - liar] == [(victim.side, "silent")]


@pytest.mark.parametrize("seed", mostly_slow(range(6), 1))
def test_neither_claims_when_the_broker_fails(seed: int) -> None:
    club = begun(seed, Random(seed))
    club.cut = [True, True]
    club.idle = [True, True]
    club.run(3 * CLAIM_MS)
    assert not any(table.over for table in club.tables)


@given(gap=st.integers(0, 600_000), acts=st.lists(st.integers(1, 100_000), max_size=20))
def test_a_claim_is_believed_after_silence_only(gap: int, acts: list[int]) -> None:
    silence, now = Silence(0, 0), 0
    silence.hear(0, now)
    for have, wait in enumerate(acts, 1):
        now += wait
        silence.hear(have, now)
        silence.acted = now
    assert silence.believes(now + gap) == (not acts or gap >= CLAIM_MS - TOLERANCE_MS)
    # A repeated or reordered message is no act.
    silence.hear(max(len(acts) - 1, 0), now + gap)
    assert silence.liable == now + CLAIM_MS
