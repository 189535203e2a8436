"""What the referee learns of Bluetooth dice, above all when a connection is interrupted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.hardware.bluetooth_link import BluetoothLink, PairedDie
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.die_reports import Battery, Identity, Motion
from urpi.referee.facts import Die
from urpi.show.menu import DieStatus

PIXELS_D4 = PairedDie(1, "pixels", "C0:00:00:00:00:01", 4)
GODICE_D6 = PairedDie(2, "godice", "C0:00:00:00:00:02", 6)
PIXELS_D20 = PairedDie(3, "pixels", "C0:00:00:00:00:03", 20)
ROLLING, HANDLED, COCKED = Motion("rolling"), Motion("handled"), Motion("cocked")


def rolled(value):
    return Motion("rolled", value)


def placed(value):
    return Motion("placed", value)


class Dice:
    """A link whose time advances by 10 ms with each event; facts in short."""

    def __init__(self):
        self.link = BluetoothLink((PIXELS_D4, GODICE_D6, PIXELS_D20), DieFaces())
        self.now = 0

    def short(self, facts):
        assert all(fact.t == self.now for fact in facts)
        return [
            f"{one.state} {one.face} {'thrown' if one.tumbled else 'by hand'}"
            if one.state == "settled"
            else one.state
            for one in facts
        ]

    def connect(self, die=1):
        self.now += 10
        return self.short(self.link.on_connect(die, self.now))

    def disconnect(self, die=1):
        self.now += 10
        return self.short(self.link.on_disconnect(die, self.now))

    def report(self, *reports, die=1):
        found = []
        for report in reports:
            self.now += 10
            found += self.short(self.link.on_report(die, report, self.now))
        return found


@pytest.fixture
def dice():
    return Dice()


@pytest.mark.parametrize(
    ("die", "reports", "facts"),
    [
        (1, (ROLLING, rolled(2)), ["rolling", "settled s thrown"]),
        (1, (HANDLED, ROLLING, rolled(1)), ["handled", "rolling", "settled g thrown"]),
        (1, (ROLLING, HANDLED, rolled(4)), ["rolling", "handled", "settled - thrown"]),
        (1, (HANDLED, rolled(3)), ["handled", "settled - by hand"]),
        (1, (HANDLED, placed(3)), ["handled", "settled - by hand"]),
        (1, (ROLLING, COCKED, ROLLING, rolled(1)),
         ["rolling", "cocked", "rolling", "settled g thrown"]),
        (2, (ROLLING, placed(5)), ["rolling", "handled", "settled 5 by hand"]),
        (2, (ROLLING, COCKED), ["rolling", "cocked"]),
        (3, (ROLLING, rolled(20)), ["rolling", "settled - thrown"]),
        (3, (ROLLING, rolled(13)), ["rolling", "settled g thrown"]),
        (1, (ROLLING, ROLLING, rolled(2), rolled(2)), ["rolling", "settled s thrown"]),
        (1, (Battery(80), Identity(4)), []),
    ],
)  # fmt: skip
def test_reports_become_the_facts_of_any_die(dice, die, reports, facts):
    dice.connect(die)
    assert dice.report(*reports, die=die) == facts


def test_the_first_report_shows_how_a_die_lies(dice):
    assert dice.connect() == []
    assert dice.report(rolled(2)) == ["settled s by hand"]


def test_the_same_face_thrown_again_is_a_throw(dice):
    dice.connect()
    dice.report(ROLLING, rolled(2))
    assert dice.report(ROLLING, rolled(2)) == ["rolling", "settled s thrown"]


def test_a_reconnect_never_repeats_a_throw(dice):
    dice.connect()
    dice.report(ROLLING, rolled(2))
    assert dice.disconnect() == ["lost"]
    assert dice.connect() == []
    assert dice.report(rolled(2)) == ["found"]
    assert dice.report(rolled(2)) == []


@pytest.mark.parametrize("before", [(ROLLING, rolled(2)), (ROLLING,), (HANDLED,)])
def test_a_throw_that_may_have_been_missed_leaves_the_die_lost_until_it_moves(dice, before):
    dice.connect()
    dice.report(*before)
    dice.disconnect()
    dice.connect()
    assert dice.report(rolled(3)) == []
    assert dice.link.statuses()[0].in_range
    assert dice.report(HANDLED, ROLLING, rolled(3)) == [
        "found", "handled", "rolling", "settled - thrown"
    ]  # fmt: skip


def test_a_missed_throw_stays_missed_when_it_is_reported_again(dice):
    dice.connect()
    dice.report(ROLLING, rolled(1))
    assert dice.disconnect() == ["lost"]
    assert dice.connect() == []
    assert dice.report(rolled(3), rolled(3)) == []
    assert dice.disconnect() == []
    assert dice.connect() == []
    assert dice.report(rolled(3)) == []
    assert dice.report(ROLLING, rolled(3)) == ["found", "rolling", "settled - thrown"]


def test_two_throws_in_one_gap_are_neither_counted_nor_repeated(dice):
    """The die was thrown twice; only the last face is known, and not by which throw."""
    dice.connect()
    dice.report(ROLLING, rolled(1))
    dice.disconnect()
    dice.connect()
    dice.disconnect()
    dice.connect()
    assert dice.report(rolled(4)) == []
    assert dice.disconnect() == []


def test_a_die_placed_meanwhile_is_found_because_it_did_not_roll(dice):
    dice.connect()
    dice.report(ROLLING, rolled(2))
    dice.disconnect()
    dice.connect()
    assert dice.report(placed(3)) == ["found", "handled", "settled - by hand"]


def test_a_die_that_still_rolls_after_a_gap_is_counted(dice):
    dice.connect()
    dice.report(ROLLING)
    dice.disconnect()
    dice.connect()
    assert dice.report(ROLLING, rolled(4)) == ["found", "rolling", "settled - thrown"]


def test_a_godice_that_lay_still_is_found_at_once_and_one_that_rolled_when_it_moves(dice):
    dice.connect(2)
    dice.report(ROLLING, rolled(5), die=2)
    assert dice.disconnect(2) == ["lost"]
    assert dice.connect(2) == ["found"]
    dice.report(ROLLING, die=2)
    assert dice.disconnect(2) == ["lost"]
    assert dice.connect(2) == []
    assert dice.report(rolled(3), die=2) == []
    assert dice.report(ROLLING, rolled(3), die=2) == ["found", "rolling", "settled 3 thrown"]


def test_a_battery_is_low_until_it_is_charged_a_little(dice):
    dice.connect()
    low = []
    for percent in (30, 10, 12, 15, 16, 11):
        dice.report(Battery(percent))
        low.append(dice.link.health("").low)
    assert low == [(), (1,), (1,), (1,), (), ()]
    assert dice.link.statuses()[0].battery_percent == 11


def test_a_paired_die_that_was_never_connected_has_a_status(dice):
    dice.connect(2)
    dice.report(Battery(60), die=2)
    assert dice.link.statuses() == (
        DieStatus(1, False), DieStatus(2, True, battery_percent=60), DieStatus(3, False)
    )  # fmt: skip


def test_the_health_names_the_connected_dice(dice):
    dice.connect(2)
    dice.connect(1)
    dice.disconnect(2)
    assert dice.link.health("").dice == (1,)
    assert dice.link.health("").available
    assert dice.link.health("off").unavailable == ("bluetooth",)


EVENTS = st.one_of(
    st.sampled_from(["connect", "disconnect"]),
    st.sampled_from([ROLLING, HANDLED, COCKED]),
    st.integers(1, 4).map(rolled),
    st.integers(1, 4).map(placed),
)


@given(events=st.lists(EVENTS, max_size=30), die=st.sampled_from([1, 2]))
def test_every_counted_throw_was_seen_rolling_in_the_same_connection(events, die):
    link = BluetoothLink((PIXELS_D4, GODICE_D6), DieFaces())
    rolling = connected = lost = False
    for now, event in enumerate(events):
        if event == "connect":
            facts = () if connected else link.on_connect(die, now)
            connected = True
        elif event == "disconnect":
            facts = link.on_disconnect(die, now) if connected else ()
            connected = rolling = False
        elif connected:
            facts = link.on_report(die, event, now)
            rolling |= event == ROLLING
        else:
            continue
        for fact in facts:
            assert fact == Die(now, die, fact.state, fact.face, fact.tumbled, why=fact.why)
            placed = isinstance(event, Motion) and event.state == "placed"
            assert (fact.why == "by-hand") == (placed and fact.state == "settled")
            assert not (fact.tumbled and not rolling)
            # Between lost and found there is nothing.
            assert lost == (fact.state == "found")
            lost = fact.state == "lost"
        if isinstance(event, Motion) and event.state in {"rolled", "placed"}:
            rolling = False
