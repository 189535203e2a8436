"""Dice with Bluetooth whose connection is interrupted: one question, and no throw is guessed."""

from urpi.hardware.bluetooth_link import BluetoothLink, PairedDie
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.die_reports import Motion
from urpi.referee import Phase, Settings, begin, snapshot, step
from urpi.referee.decisions import Question, Roll
from urpi.referee.facts import Answer, Game, Occupancy, Time
from urpi.rules import Side

DICE = tuple(PairedDie(number, "pixels", f"C0:00:00:00:00:0{number}", 4) for number in range(1, 5))
ROLLING = Motion("rolling")


class Table:
    """The referee of a game of finkel, and the link of four Pixels."""

    def __init__(self):
        self.now, self.decisions = 0, []
        self.link = BluetoothLink(DICE, DieFaces())
        self.state = begin(Settings(lambda code, _: code))
        self.submit(Game(0, "finkel", first=Side.LIGHT), Occupancy(0, 0))
        for die in DICE:
            self.submit(*self.link.on_connect(die.number, self.now))
            self.report(die.number, Motion("rolled", 3))
        self.wait(5000)
        self.decisions.clear()

    def submit(self, *facts):
        for fact in facts:
            self.state, decisions = step(self.state, fact)
            self.decisions += decisions

    def report(self, number, *motions):
        for motion in motions:
            self.now += 50
            self.submit(*self.link.on_report(number, motion, self.now))

    def throw(self, *numbers, value=1):
        for number in numbers:
            self.report(number, ROLLING, Motion("rolled", value))

    def disconnect(self, number):
        self.submit(*self.link.on_disconnect(number, self.now))

    def reconnect(self, number, value):
        self.submit(*self.link.on_connect(number, self.now))
        self.report(number, Motion("rolled", value))

    def wait(self, ms):
        for _ in range(ms // 50):
            self.now += 50
            self.submit(Time(self.now))

    def count(self, kind):
        return sum(isinstance(one, kind) for one in self.decisions)


def test_two_throws_in_one_gap_lead_to_one_question():
    table = Table()
    assert snapshot(table.state).phase is Phase.THROW
    table.throw(1, 2, 3)
    table.disconnect(4)
    table.wait(1000)
    # It was thrown twice meanwhile; it reports only the last face.
    table.reconnect(4, 1)
    table.wait(30_000)
    assert (table.count(Question), table.count(Roll)) == (1, 0)
    table.submit(Answer(table.now, faces="ggg-"))
    table.wait(1000)
    assert (table.count(Question), table.count(Roll)) == (1, 1)


def test_the_die_thrown_again_needs_no_answer():
    table = Table()
    table.throw(1, 2, 3)
    table.disconnect(4)
    table.reconnect(4, 1)
    table.throw(4, value=3)
    table.wait(1000)
    assert (table.count(Question), table.count(Roll)) == (0, 1)


def test_a_reconnect_of_dice_that_lie_as_before_changes_nothing():
    table = Table()
    table.throw(1, 2, 3, 4)
    assert table.count(Roll) == 1
    for die in DICE:
        table.disconnect(die.number)
        table.reconnect(die.number, 1)
    table.wait(10_000)
    assert (table.count(Question), table.count(Roll)) == (0, 1)
