"""The test of the squares: its steps, its verdicts and its findings."""

import pytest
from gpiozero.pins.mock import MockFactory

from urpi.cli.doctor_report import begin, run_session, run_square_test
from urpi.config import Config, ExpanderSection, GpioSection
from urpi.core.errors import UrpiError
from urpi.hardware import ContactBackend, configured_pins, default_pins, open_contacts
from urpi.install.doctor.findings.squares import pin_texts
from urpi.install.doctor.findings.squares import squares as squares_findings
from urpi.install.doctor.square_session import (
    CLEARING_MS,
    HOLDING_MS,
    PATIENCE_MS,
    STILL_MS,
    ContactEdge,
    Result,
    Session,
    SquareStep,
    SquareVerdict,
    judge,
)
from urpi.rules import SQUARE_NAMES, parse_square
from urpi.simulation import MockPins

PINS = default_pins()


def edges(*times, name="A1"):
    """Return edges of a contact at those times, alternating, the first one closing."""
    return [ContactEdge(t, name, at % 2 == 0) for at, t in enumerate(times)]


GOOD = edges(0, 1, 2)


@pytest.mark.parametrize(
    ("placing", "holding", "verdict"),
    [
        (GOOD, [], SquareVerdict.RIGHT),
        (edges(0), [], SquareVerdict.RIGHT),
        ([], [], SquareVerdict.SILENT),
        (edges(0, name="B2"), [], SquareVerdict.OTHER),
        ([*GOOD, *edges(3, name="A2")], [], SquareVerdict.SEVERAL),
        ([*edges(0, 50, name="A2"), *edges(80)], [], SquareVerdict.RIGHT),
        (GOOD, edges(500, 510), SquareVerdict.FLICKERS),
        (GOOD, edges(500), SquareVerdict.RIGHT),
        (GOOD, edges(500, 510, name="C8"), SquareVerdict.RIGHT),
        (edges(*range(13)), [], SquareVerdict.WEAK),
        (edges(0, 100, 300), [], SquareVerdict.WEAK),
        (edges(0, 1), [], SquareVerdict.RIGHT),
    ],
)
def test_the_verdict_follows_from_the_edges(placing, holding, verdict):
    assert judge("A1", placing, holding).verdict is verdict


class Person:
    """A person who follows the instructions, with a clock that the test sets."""

    def __init__(self, squares, closed=()):
        self.now = 1000
        levels = {name: name in closed for name in SQUARE_NAMES}
        self.session = Session(squares, levels, self.now)

    def wait(self, ms):
        self.now += ms
        self.session.tick(self.now)

    def contact(self, name, on):
        self.session.on_edge(name, on, self.now)

    def place(self, name, on=True):
        self.contact(name, on)
        self.wait(STILL_MS)

    def place_and_lift(self, name):
        self.place(name)
        self.wait(HOLDING_MS)
        self.place(name, on=False)

    @property
    def verdicts(self):
        return {one.square: one.verdict for one in self.session.results}


def test_a_piece_is_placed_held_and_lifted():
    person = Person(["A1"])
    assert (person.session.step, person.session.square) == (SquareStep.PLACE, "A1")
    person.place("A1")
    assert person.session.step is SquareStep.HOLD
    person.wait(HOLDING_MS)
    assert person.session.step is SquareStep.LIFT
    person.place("A1", on=False)
    assert person.session.step is SquareStep.DONE
    assert person.verdicts == {"A1": SquareVerdict.RIGHT}


def test_the_test_waits_for_an_empty_board():
    person = Person(["A1"], closed=["B4"])
    assert person.session.step is SquareStep.CLEAR
    person.place("B4", on=False)
    assert person.session.step is SquareStep.PLACE


def test_a_contact_that_stays_closed_is_stuck_and_the_test_continues():
    person = Person(["A1", "A2"], closed=["A1"])
    person.wait(CLEARING_MS)
    assert person.session.square == "A2"
    person.place_and_lift("A2")
    assert person.verdicts == {"A1": SquareVerdict.STUCK, "A2": SquareVerdict.RIGHT}


def test_a_square_that_does_not_react_is_skipped():
    person = Person(["A1", "A2"])
    person.wait(PATIENCE_MS)
    person.place_and_lift("A2")
    assert person.verdicts == {"A1": SquareVerdict.SILENT, "A2": SquareVerdict.RIGHT}


def test_a_contact_that_does_not_open_is_stuck():
    person = Person(["A1", "A2"])
    person.place("A1")
    person.wait(HOLDING_MS)
    person.wait(PATIENCE_MS)
    person.place_and_lift("A2")
    assert person.verdicts == {"A1": SquareVerdict.STUCK, "A2": SquareVerdict.RIGHT}


def test_a_contact_that_never_settles_flickers():
    person = Person(["A1"])
    for _ in range(400):
        person.contact("A1", on=True)
        person.wait(5)
        person.contact("A1", on=False)
        person.wait(5)
    person.wait(HOLDING_MS + STILL_MS)
    assert person.verdicts == {"A1": SquareVerdict.FLICKERS}


def test_contacts_other_than_squares_are_ignored():
    person = Person(["A1"])
    person.contact("light button", on=True)
    person.wait(PATIENCE_MS)
    assert person.verdicts == {"A1": SquareVerdict.SILENT}


def findings(*results, config=None):
    config = config or Config()
    return [
        (one.level.name.lower(), f"{one.found} -> {one.cure}")
        for one in squares_findings(results, pin_texts(config, PINS))
    ]


@pytest.mark.parametrize(
    ("result", "level", "expected"),
    [
        (
            Result("A1", SquareVerdict.SILENT),
            "broken",
            "A1 does not react -> Check its wire to GPIO 4",
        ),
        (
            Result("A1", SquareVerdict.OTHER, ("B2",)),
            "broken",
            "Move the wire of A1 to GPIO 4 (pin 7); it is on GPIO 10 (pin 19) now",
        ),
        (Result("A1", SquareVerdict.SEVERAL, ("A1", "A2")), "broken", "A1 closes, and A2 with it"),
        (Result("A1", SquareVerdict.STUCK), "broken", "A1 is closed without a piece"),
        (
            Result("A1", SquareVerdict.FLICKERS),
            "broken",
            "A1 flickers below a piece that stands still",
        ),
        (
            Result("A1", SquareVerdict.WEAK, ("A1",), 15, 30),
            "poor",
            "A1 is weak: 15 edges in 30 ms",
        ),
        (Result("A1", SquareVerdict.RIGHT), "right", "1 of 1 squares work"),
    ],
)
def test_every_verdict_has_its_cure(result, level, expected):
    assert [one for one in findings(result) if one[0] == level and expected in one[1]]


def test_swapped_wires_are_one_finding():
    found = findings(
        Result("A1", SquareVerdict.OTHER, ("B2",)), Result("B2", SquareVerdict.OTHER, ("A1",))
    )
    expected = (
        "the contacts of A1 and B2 are swapped -> Swap their wires: A1 belongs on GPIO 4 (pin 7)"
    )
    assert [level for level, _ in found] == ["broken", "right"]
    assert found[0][1] == f"{expected}, B2 on GPIO 10 (pin 19)."
    assert found[1][1].startswith("0 of 2 squares")


def test_with_expanders_the_pin_is_the_chip_s():
    (found, _) = findings(
        Result("C8", SquareVerdict.SILENT), config=Config(gpio=GpioSection(wiring="expander"))
    )
    assert "its wire to 1.A5 of the expanders" in found[1]


class Hands:
    """Hands that follow the instructions at the mock pins of a board with faulty wires.

    Args:
        wires: squares by the square whose pin their switch is wired to.
        silent: squares whose switch is not connected.
        bounce: squares whose switch bounces too often.
    """

    def __init__(self, wires, silent=(), bounce=()):
        factory = MockFactory()
        self.now, self.facts, self.shown = 0, [], []
        self.wires, self.silent, self.bounce = wires, silent, bounce
        self.contacts = open_contacts(
            Config(), ContactBackend(factory, PINS), lambda: self.now, self.facts.append, print
        )
        self.pins = MockPins(factory, PINS)
        self.pins.refresh()

    def show(self, line):
        self.shown.append(line)
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

    def next_fact(self):
        if self.facts:
            return self.facts.pop(0)
        self.now += 20
        return None


def test_a_whole_test_at_mock_pins_finds_the_faulty_squares():
    hands = Hands({"A1": "B2", "B2": "A1"}, silent=["C7"], bounce=["C8"])
    try:
        session = begin(hands.contacts, 0)
        run_session(session, hands.next_fact, lambda: hands.now, hands.show)
    finally:
        hands.contacts.close()
    wrong = {
        one.square: one.verdict for one in session.results if one.verdict is not SquareVerdict.RIGHT
    }
    assert wrong == {
        "A1": SquareVerdict.OTHER,
        "B2": SquareVerdict.OTHER,
        "C7": SquareVerdict.SILENT,
        "C8": SquareVerdict.WEAK,
    }
    assert hands.shown[:5] == [
        "Put a piece on A1.",
        "Leave it there.",
        "Take it off A1 again.",
        "  A1: other (B2)",
        "Put a piece on A2.",
    ]


def test_a_chip_that_does_not_answer_ends_the_test_with_an_error():
    # No machine has an I2C bus of this number.
    expander = Config(
        gpio=GpioSection(factory="mock", wiring="expander"), expander=ExpanderSection(i2c_port=31)
    )
    shown = []
    with pytest.raises(UrpiError, match=r"MCP23017 at 0x20 does not respond: .*/dev/i2c-31"):
        run_square_test(expander, configured_pins(expander, PINS), shown.append)
    assert shown == ["Put a piece on A1."]
