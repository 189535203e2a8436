"""Throws through adapters that drop, delay and reorder what they hear: none is lost or invented.

A controller's filter of duplicates drops within a scan what it has reported, by the address alone
or by the contents, and may forget it early. The sequences are those of firmware/ble/link.c.
"""

import random
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import pairwise

from hypothesis import given, note
from hypothesis import strategies as st

from .test_advertised_dice import ADDRESSES, ROLLING, SETTLED, Table, report

LIFE_MS = 32_000
GAP_MS = 60
"""Until a scan that ended is followed by the next one."""
BEFORE_MS = 300_000
"""For how long the dice have reported when the program starts."""


def code(ms):
    """Return the age as firmware/common/air_frame.c encodes it."""
    exponent = 0
    ms = min(ms, 65535)
    while ms >= 32:
        ms, exponent = ms >> 1, exponent + 1
    return ms if not exponent and ms < 16 else (exponent + ms // 16) << 4 | ms % 16


def repeats(at, until, awake):
    """Yield when a report is sent that was made at a time; the next one is made at another."""
    chance = random.Random(at)
    now = at
    while now < min(at + 1000, until):
        yield now
        now += 21 + chance.randrange(11)
    signs = [at + 1000 * n for n in range(2, 12)] if awake else []
    signs += range(at + LIFE_MS, until, LIFE_MS)
    for sign in signs:
        yield from (each for each in (sign, sign + 26, sign + 51) if each < until)


def sent(die, throws, end):
    """Return when a die sends what, and the contents; throws are (begin, duration, face)."""
    made = [(-BEFORE_MS, SETTLED, 1, 0)]
    for count, (begin, lasts, face) in enumerate(throws, 1):
        made += [(begin, ROLLING, 0, count), (begin + lasts, SETTLED, face, count)]
    found = []
    for place, (at, state, face, count) in enumerate(made):
        until = made[place + 1][0] if place + 1 < len(made) else end
        for now in repeats(at, until, state == SETTLED):
            data = report(die, 65536 + place, state, face, count, age=code(now - at))
            found.append((now, die, data))
    return found


@dataclass
class Adapter:
    """One that loses a part of what is in the air, and has a filter of duplicates.

    The filter is by the contents, by the address, or none, and forgets all but the last so many.
    What it lets pass is lost as well, and arrives late.
    """

    chance: random.Random
    loss: float
    by: str
    remembers: int
    late_ms: int
    passed: OrderedDict = field(default_factory=OrderedDict)

    def begin(self):
        self.passed.clear()

    def hear(self, now, die, data):
        """Return when an advertisement is reported, None if it is not."""
        if self.chance.random() < self.loss / 2:
            return None
        key = {"contents": (die, data), "address": die}.get(self.by)
        if key is not None:
            seen = key in self.passed
            self.passed[key] = self.passed.pop(key, None)
            while len(self.passed) > self.remembers:
                self.passed.popitem(last=False)
            if seen:
                return None
            # The other half is lost behind the filter, which will not report it again.
        if self.chance.random() < self.loss / 2 and self.by != "address":
            return None
        return now + self.chance.randint(0, self.late_ms)


def listened(table, air, adapter, end):
    """Return the facts of a program that starts at 0, and scans as it decides."""
    facts, waiting, now = [], sorted(each for each in air if each[0] >= 0), 0
    arriving = []
    while now < end:
        adapter.begin()
        over = now + round(1000 * table.dice.begin_scan(now))
        while waiting and waiting[0][0] < over:
            at, die, data = waiting.pop(0)
            arrives = adapter.hear(at, die, data) if at >= now + GAP_MS else None
            if arrives is not None:
                arriving.append((arrives, die, data))
        arriving.sort()
        while arriving and arriving[0][0] < over:
            arrives, die, data = arriving.pop(0)
            facts += table.hear(data, arrives, ADDRESSES[die])
        facts += table.facts(table.dice.tick(over))
        now = over
    return facts


def counted(facts, die):
    """Return the faces of the throws that the referee counts."""
    own = [fact for fact in facts if fact.die == die]
    return [
        late.face for soon, late in pairwise(own)
        if late.state == "settled" and late.tumbled and soon.state == "rolling"
    ]  # fmt: skip


@st.composite
def thrown(draw, pause_ms):
    """Throws of a die: when it begins to roll, for how long, and its face.

    One may have ended before the program starts, which the program must not count.
    """
    throws, now = [], draw(st.integers(1000, 40_000))
    if draw(st.booleans()):
        throws.append((-draw(st.integers(4000, 70_000)), 1500, draw(st.integers(1, 4))))
    for _ in range(draw(st.integers(1, 4))):
        lasts = draw(st.integers(150, 2500))
        throws.append((now, lasts, draw(st.integers(1, 4))))
        now += lasts + draw(st.integers(pause_ms, pause_ms + 8000))
    return throws


def test_a_result_that_is_heard_first_of_all_counts_if_the_throw_was_since_the_start():
    """Its age tells, unless that is as old as a report can tell."""
    result = report(1, 65538, SETTLED, 2, 7, age=code(500))
    for listens, counts in ((2000, True), (1400, False)):
        table = Table(1)
        table.dice.begin_scan(0)
        facts = table.hear(result, listens)
        assert counted(facts, 1) == (["s"] if counts else [])
        # Its first report comes late, and is no other throw.
        assert not table.hear(report(1, 65537, ROLLING, 0, 7, age=code(300)), listens + 100)
    table = Table(1)
    table.dice.begin_scan(0)
    old = report(1, 65538, SETTLED, 2, 7, age=code(3_600_000))
    assert not counted(table.hear(old, 600_000), 1)


@given(
    by=st.sampled_from(["none", "contents", "address"]),
    remembers=st.sampled_from([1, 3, 1000]),
    loss=st.floats(0, 0.4),
    late_ms=st.sampled_from([0, 30, 250]),
    seed=st.integers(0, 2**32),
    data=st.data(),
)
def test_no_throw_is_lost_or_invented(by, remembers, loss, late_ms, seed, data):
    # A filter by address reports a die once in a scan: a result is heard in the next one.
    pause_ms = 4000 if by == "address" else 1500
    dice = {die: data.draw(thrown(pause_ms), f"die {die}") for die in (1, 2)}
    end = max(throws[-1][0] for throws in dice.values()) + 20_000
    air = [each for die, throws in dice.items() for each in sent(die, throws, end)]
    adapter = Adapter(random.Random(seed), loss, by, remembers, late_ms)
    facts = listened(Table(*dice), air, adapter, end)
    for die, throws in dice.items():
        note(f"die {die}: {[(fact.t, fact.state, fact.face) for fact in facts if fact.die == die]}")
        expected = ["gs--"[face - 1] for begin, _, face in throws if begin > 0]
        assert counted(facts, die) == expected
