"""Whether a claim is confirmed: games of two referees, with generated times of the club's clock."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.link.remote.pure_table import PureTable, opening
from tests.slow import mostly_slow
from urpi.club.claims import Batch, Judgement, Presence, judge
from urpi.link.remote.events import holder
from urpi.referee import Phase, step
from urpi.referee.facts import Answer, Claim, Fact
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import Side

T0 = datetime(2026, 11, 28, 20, tzinfo=UTC)
LONG_AGO = T0 - timedelta(hours=1)
ONLINE = Presence(True, LONG_AGO)


def seconds(count: float) -> timedelta:
    return timedelta(seconds=count)


def text_of(entries: Sequence[tuple[Fact, Sequence[object]]]) -> str:
    lines = [
        line
        for fact, decisions in entries
        for line in (fact_line(fact), *map(decision_line, decisions))  # type: ignore[arg-type]
    ]
    return "\n".join(lines)


class Played:
    """A game until one side has to act: the copies of that side, and of the one that may claim."""

    def __init__(self, seed: int) -> None:
        rng = Random(f"claims {seed}")
        tables = [PureTable(opening(s, "finkel"), s, rng) for s in Side]
        for now in range(0, rng.randrange(60, 120) * 100, 100):
            for one, other in (tables, tables[::-1]):
                if not one.session.asking and not one.over:
                    one.play(now)
                for data in one.work(now):
                    other.receive(data, now)
        holders = {holder(one.now) for one in tables}
        self.usable = not any(one.over for one in tables) and len(holders) == 1
        if not self.usable:
            return
        (side,) = holders
        self.silent, self.claimant = tables if tables[0].side is side else tables[::-1]
        self.usable = self.silent.now.phase in {Phase.THROW, Phase.MOVE} and (
            self.claimant.session.exchange.have == self.silent.session.exchange.have > 4
        )

    def end(self) -> str:
        """The lines of a claim at the claimant's table."""
        fact = Claim(10**9, self.claimant.side)
        return text_of([(fact, step(self.claimant.state, fact)[1])])

    def act(self) -> str:
        """The lines of a further throw or move at the silent table."""
        shot, state = self.silent.now, self.silent.state
        fact = (
            Answer(10**8, move=shot.legal[0])
            if shot.phase is Phase.MOVE
            else Answer(10**8, faces="gggg")
        )
        if shot.thinking or (shot.phase is Phase.MOVE and shot.side is self.claimant.side):
            # Hands first make the claimant's move, and then throw.
            state, decisions = step(state, fact)
            thrown = Answer(10**8 + 1, faces="gggg")
            return text_of([(fact, decisions), (thrown, step(state, thrown)[1])])
        return text_of([(fact, step(state, fact)[1])])


@cache
def game(seed: int) -> Played:
    found = Played(seed)
    return found if found.usable else game(seed + 100)


def judged(
    played: Played,
    wait: float,
    *,
    acts_after: float | None = None,
    knows_after: float | None = 1,
    claimant: Presence | None = ONLINE,
    silent: Presence | None = ONLINE,
    watched: datetime = LONG_AGO,
) -> Judgement:
    """Judge a claim `wait` seconds after the last act."""
    before = text_of(played.claimant.stored)
    own: list[Batch] = [(T0, before), (T0 + seconds(wait), played.end())]
    other: list[Batch] = []
    if knows_after is not None:
        other.append((T0 + seconds(knows_after), text_of(played.silent.stored)))
    if acts_after is not None:
        other.append((T0 + seconds(acts_after), played.act()))
    return judge(own, [other], (claimant, silent), watched)


SEEDS = st.integers(0, 9)


@given(seed=SEEDS, wait=st.floats(1, 900), acts=st.none() | st.floats(2, 900))
def test_who_does_not_act_for_the_agreed_time_has_lost(
    seed: int, wait: float, acts: float | None
) -> None:
    found = judged(game(seed), wait, acts_after=acts)
    if acts is not None and acts <= wait:
        assert found.code == "contradicted", found
    elif wait >= 300:
        assert found.code == "confirmed", found
    elif wait < 270:
        assert found.code == "contradicted", found


@given(seed=SEEDS, wait=st.floats(300, 900), away=st.floats(-600, 600), knows=st.booleans())
def test_who_was_away_has_lost(seed: int, wait: float, away: float, knows: bool) -> None:
    offline = Presence(False, T0 + seconds(min(away, wait)))
    found = judged(game(seed), wait, silent=offline, knows_after=1 if knows else None)
    if knows or away <= 0:
        assert found.code == "confirmed"
    elif away > wait - 200:
        # It was connected most of the time: was it told of the last move?
        assert found.code == "unknown"


@pytest.mark.slow
@given(seed=SEEDS, wait=st.floats(300, 900), back=st.floats(-600, 900))
def test_a_claimant_that_was_cut_off_itself_is_contradicted(
    seed: int, wait: float, back: float
) -> None:
    gone = seconds(min(back, wait))
    for claimant in (Presence(True, T0 + gone), Presence(False, T0 + gone)):
        found = judged(game(seed), wait, claimant=claimant)
        if not claimant.online or back > wait - 270:
            assert found.code == "contradicted"


@pytest.mark.parametrize("seed", mostly_slow(range(10), 3))
def test_hostile_and_unlucky_claims(seed: int) -> None:
    played = game(seed)
    # The last move was kept from the other table, which waits and is connected.
    assert judged(played, 600, knows_after=None).code == "unknown"
    # It heard of it late, and has acted within its time.
    assert judged(played, 310, knows_after=200).code == "contradicted"
    # The club was away, or was restored: it has not seen anything.
    assert judged(played, 600, watched=T0 + seconds(500)).code == "unknown"
    assert judged(played, 600, claimant=None).code == "unknown"
    assert judged(played, 0).code == "unknown"
    # The claimant had to act itself.
    fact = Claim(10**9, played.silent.side)
    end = text_of([(fact, step(played.silent.state, fact)[1])])
    own = [(T0, text_of(played.silent.stored)), (T0 + seconds(600), end)]
    assert judge(own, [[]], (ONLINE, None), LONG_AGO).text == "The claimant had to act."
