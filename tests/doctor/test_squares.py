"""Each square in turn: what the person is asked, and what came of it."""

import pytest
from gpiozero.pins.mock import MockFactory

from urpi.commands.doctor import begin, try_squares, walk
from urpi.config import Config, Expander, Gpio
from urpi.devices import ContactBackend, configured_pins, default_pins, open_contacts
from urpi.doctor.findings.squares import squares as squares_findings
from urpi.doctor.findings.squares import where_on
from urpi.doctor.squares import (
    CLEARING_MS,
    HOLDING_MS,
    PATIENCE_MS,
    STILL_MS,
    Heard,
    Result,
    Session,
    Step,
    Verdict,
    judge,
)
from urpi.errors import UrpiError
from urpi.rules import SQUARE_NAMES, parse_square
from urpi.table import MockPins

PINS = default_pins()


def edges(*times, name="A1"):
    """Edges of a contact, closing first."""
    return [Heard(t, name, at % 2 == 0) for at, t in enumerate(times)]


GOOD = edges(0, 1, 2)


@pytest.mark.parametrize(
    ("placing", "holding", "verdict"),
    [
        (GOOD, [], Verdict.RIGHT),
        (edges(0), [], Verdict.RIGHT),
        ([], [], Verdict.SILENT),
        (edges(0, name="B2"), [], Verdict.OTHER),
        ([*GOOD, *edges(3, name="A2")], [], Verdict.SEVERAL),
        ([*edges(0, 50, name="A2"), *edges(80)], [], Verdict.RIGHT),
        (GOOD, edges(500, 510), Verdict.FLICKERS),
        (GOOD, edges(500), Verdict.RIGHT),
        (GOOD, edges(500, 510, name="C8"), Verdict.RIGHT),
        (edges(*range(13)), [], Verdict.WEAK),
        (edges(0, 100, 300), [], Verdict.WEAK),
        (edges(0, 1), [], Verdict.RIGHT),
    ],
)
def test_a_square_is_judged_by_its_edges(placing, holding, verdict):
    assert judge("A1", placing, holding).verdict is verdict


class Person:
    """Somebody who does what is asked, with a clock that the test sets."""

    def __init__(self, squares, closed=()):
        self.now = 1000
        levels = {name: name in closed for name in SQUARE_NAMES}
        self.session = Session(squares, levels, self.now)

    def wait(self, ms):
        self.now += ms
        self.session.passed(self.now)

    def contact(self, name, on):
        self.session.heard(name, on, self.now)

    def place(self, name, on=True):
        self.contact(name, on)
        self.wait(STILL_MS)

    def whole(self, name):
        self.place(name)
        self.wait(HOLDING_MS)
        self.place(name, on=False)

    @property
    def verdicts(self):
        return {one.square: one.verdict for one in self.session.results}


def test_a_square_is_asked_for_watched_and_cleared():
    person = Person(["A1"])
    assert (person.session.step, person.session.square) == (Step.PLACE, "A1")
    person.place("A1")
    assert person.session.step is Step.HOLD
    person.wait(HOLDING_MS)
    assert person.session.step is Step.LIFT
    person.place("A1", on=False)
    assert person.session.step is Step.DONE
    assert person.verdicts == {"A1": Verdict.RIGHT}


def test_the_walk_waits_for_an_empty_board():
    person = Person(["A1"], closed=["B4"])
    assert person.session.step is Step.CLEAR
    person.place("B4", on=False)
    assert person.session.step is Step.PLACE


def test_a_contact_that_stays_closed_is_stuck_and_does_not_hinder_the_others():
    person = Person(["A1", "A2"], closed=["A1"])
    person.wait(CLEARING_MS)
    assert person.session.square == "A2"
    person.whole("A2")
    assert person.verdicts == {"A1": Verdict.STUCK, "A2": Verdict.RIGHT}


def test_a_square_that_does_not_answer_is_passed_over():
    person = Person(["A1", "A2"])
    person.wait(PATIENCE_MS)
    person.whole("A2")
    assert person.verdicts == {"A1": Verdict.SILENT, "A2": Verdict.RIGHT}


def test_a_contact_that_does_not_open_again_is_stuck():
    person = Person(["A1", "A2"])
    person.place("A1")
    person.wait(HOLDING_MS)
    person.wait(PATIENCE_MS)
    person.whole("A2")
    assert person.verdicts == {"A1": Verdict.STUCK, "A2": Verdict.RIGHT}


def test_a_contact_that_never_rests_flickers():
    person = Person(["A1"])
    for _ in range(400):
        person.contact("A1", on=True)
        person.wait(5)
        person.contact("A1", on=False)
        person.wait(5)
    person.wait(HOLDING_MS + STILL_MS)
    assert person.verdicts == {"A1": Verdict.FLICKERS}


def test_what_is_no_square_counts_for_nothing():
    person = Person(["A1"])
    person.contact("light button", on=True)
    person.wait(PATIENCE_MS)
    assert person.verdicts == {"A1": Verdict.SILENT}


def words(*results, config=None):
    config = config or Config()
    return [
        (one.level.name.lower(), f"{one.found} -> {one.cure}")
        for one in squares_findings(results, where_on(config, PINS))
    ]


@pytest.mark.parametrize(
    ("result", "level", "said"),
    [
        (Result("A1", Verdict.SILENT), "broken", "A1 does not answer -> Check its wire to GPIO 4"),
        (
            Result("A1", Verdict.OTHER, ("B2",)),
            "broken",
            "Put the wire of A1 on GPIO 4 (pin 7); it is on GPIO 10 (pin 19) now",
        ),
        (Result("A1", Verdict.SEVERAL, ("A1", "A2")), "broken", "A1 answers, and A2 with it"),
        (Result("A1", Verdict.STUCK), "broken", "A1 is closed without a piece"),
        (Result("A1", Verdict.FLICKERS), "broken", "A1 flickers under a piece that stands still"),
        (Result("A1", Verdict.WEAK, ("A1",), 15, 30), "poor", "A1 is weak: 15 edges in 30 ms"),
        (Result("A1", Verdict.RIGHT), "right", "1 of 1 squares answer as they should"),
    ],
)
def test_every_verdict_has_its_cure(result, level, said):
    assert [one for one in words(result) if one[0] == level and said in one[1]]


def test_swapped_wires_are_told_once_as_what_they_are():
    found = words(Result("A1", Verdict.OTHER, ("B2",)), Result("B2", Verdict.OTHER, ("A1",)))
    told = (
        "A1 and B2 answer in each other's place -> Change their wires: A1 belongs on GPIO 4 (pin 7)"
    )
    assert [level for level, _ in found] == ["broken", "right"]
    assert found[0][1] == f"{told}, B2 on GPIO 10 (pin 19)."
    assert found[1][1].startswith("0 of 2 squares")


def test_behind_expanders_the_pin_is_the_chip_s():
    (found, _) = words(Result("C8", Verdict.SILENT), config=Config(gpio=Gpio(wiring="expander")))
    assert "its wire to 1.A5 of the expanders" in found[1]


class Hands:
    """Hands that do what the doctor says, at the table's mock pins, with faulty wires.

    `wires` are squares whose switch hangs on another's pin; `bounce` edges come at each touch.
    """

    def __init__(self, wires, silent=(), bounce=()):
        factory = MockFactory()
        self.now, self.facts, self.told = 0, [], []
        self.wires, self.silent, self.bounce = wires, silent, bounce
        self.contacts = open_contacts(
            Config(), ContactBackend(factory, PINS), lambda: self.now, self.facts.append, print
        )
        self.pins = MockPins(factory, PINS)
        self.pins.refresh()

    def say(self, line):
        self.told.append(line)
        verb, _, rest = line.partition(" ")
        if verb in {"Put", "Take"} and "board" not in rest:
            square = line.rstrip(".").removesuffix(" again").split()[-1]
            self.touch(square, on=verb == "Put")

    def touch(self, square, on):
        if square in self.silent:
            return
        place = parse_square(self.wires.get(square, square))
        for _ in range(8 if square in self.bounce else 1):
            self.pins.square(place, on)
            self.now += 1
            self.pins.square(place, not on)
            self.now += 1
        self.pins.square(place, on)

    def hear(self):
        if self.facts:
            return self.facts.pop(0)
        self.now += 20
        return None


def test_a_whole_walk_at_the_table_s_pins_finds_what_is_wrong():
    hands = Hands({"A1": "B2", "B2": "A1"}, silent=["C7"], bounce=["C8"])
    try:
        session = begin(hands.contacts, 0)
        walk(session, hands.hear, lambda: hands.now, hands.say)
    finally:
        hands.contacts.close()
    wrong = {one.square: one.verdict for one in session.results if one.verdict is not Verdict.RIGHT}
    assert wrong == {
        "A1": Verdict.OTHER,
        "B2": Verdict.OTHER,
        "C7": Verdict.SILENT,
        "C8": Verdict.WEAK,
    }
    assert hands.told[:5] == [
        "Put a piece on A1.",
        "Leave it there.",
        "Take it off A1 again.",
        "  A1: other (B2)",
        "Put a piece on A2.",
    ]


def test_a_chip_that_does_not_answer_ends_the_walk_and_is_named():
    """There is no such bus here, whatever machine this is."""
    behind = Config(gpio=Gpio(factory="mock", wiring="expander"), expander=Expander(i2c_port=31))
    told = []
    with pytest.raises(UrpiError, match=r"MCP23017 at 0x20 does not answer: .*/dev/i2c-31"):
        try_squares(behind, configured_pins(behind, PINS), told.append)
    assert told == ["Put a piece on A1."]
