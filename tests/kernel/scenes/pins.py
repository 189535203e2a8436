"""The pins: finding the header's chip, and every contact through each library.

lgpio sometimes misses the edges of a single pin (`urpi.hardware.gpio.reclaim_later` explains it).
Its rate is measured with and without the workaround.
"""

import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from threading import Event
from typing import Final

from gpiozero import DigitalInputDevice

from tests.kernel.apart import apart
from tests.kernel.findings import Findings, play
from tests.kernel.gpio_sim import PI_4, PI_5, Chip
from urpi.hardware import RetryingContacts, default_pins, pin_factory
from urpi.hardware.contacts import Switches
from urpi.hardware.gpio import gpio_chips, header_chip, reclaim_later
from urpi.referee.facts import Button, Edge, Fact
from urpi.rules import SQUARE_NAMES, Side

OTHER_CHIPS_OF_A_PI_5: Final = 11
LIBRARIES: Final = {"lgpio": "lgpio", "rpigpio": "rpi-lgpio as RPi.GPIO"}
CHATTER_S: Final = (0.0, 0.001, 0.001, 0.002, 0.001)
"""The pauses before a contact's edges: it closes, opens, closes, opens, closes."""
PRESSED_S: Final = 0.05
"""Longer than a button bounces, and much shorter than a long press."""
BUTTON_NAMES: Final = tuple(f"{side.value} button" for side in Side)
CONTACT_NAMES: Final = (*SQUARE_NAMES, *BUTTON_NAMES)
LONE_PINS: Final = 5
REPORT_S: Final = 60.0
"""Longest wait for a report."""
MISSED_S: Final = 1.0
"""Time after which a pin that is claimed only once has missed an edge."""
APART_S: Final = 300.0
RETRY_S: Final = 0.05


def check_header(findings: Findings) -> None:
    """Check that the header's chip is found by its name, whatever its number."""
    with ExitStack() as chips:
        for number in range(OTHER_CHIPS_OF_A_PI_5):
            chips.enter_context(Chip(f"gpio-brcmstb@{number}", 4))
        header = chips.enter_context(Chip(*PI_5))
        seen = sorted(gpio_chips())
        found = header_chip(seen)
        sentence = f"on a Pi 5 the header is found at /dev/gpiochip{OTHER_CHIPS_OF_A_PI_5}"
        right = found == header.number == OTHER_CHIPS_OF_A_PI_5
        findings.check(sentence, right, (found, seen))
        line = default_pins().squares[0]
        alone = apart(partial(_hears, header, line, cured=True), APART_S)
        findings.check("lgpio reports a pin of it", alone)


def _hears(chip: Chip, line: int, *, cured: bool) -> bool:
    """Return whether a pin that is claimed alone reports an edge at once."""
    reported = Event()
    contact = DigitalInputDevice(line, pull_up=True, pin_factory=pin_factory("lgpio"))
    contact.when_activated = reported.set
    claiming = reclaim_later(contact, lambda: None) if cured else None
    if claiming is not None:
        claiming.join()
    chip.pull(line, closed=True)
    found = reported.wait(MISSED_S if claiming is None else REPORT_S)
    chip.pull(line, closed=False)
    return found


def check_lone_pins(findings: Findings) -> None:
    """Check that a single pin always reports its edges."""
    with Chip(*PI_4) as chip:
        for cured in (False, True):
            reports = partial(_hears, chip, default_pins().buttons[Side.LIGHT], cured=cured)
            reported = sum(apart(reports, APART_S) for _ in range(LONE_PINS))
            how = "claimed again" if cured else "claimed once"
            findings.figure(f"a lone pin, {how}, is reported", f"{reported} times of {LONE_PINS}")
        findings.check("a lone pin that is claimed again is always reported", reported == LONE_PINS)


def _facts(chip: Chip, library: str) -> list[str]:
    """Return the facts of the switches when each contact closes with bounce and opens."""
    facts: list[Fact] = []
    pins = default_pins()
    switches = Switches(
        pin_factory(library), pins, lambda: time.monotonic_ns() // 1_000_000, facts.append
    )
    lines = [*pins.squares, *pins.buttons.values()]
    # The pull-ups that the program enabled must be overridden here.
    for line in lines:
        chip.pull(line, closed=False)
    stories: list[str] = []
    before = ""
    for line, name in zip(lines, CONTACT_NAMES, strict=True):
        facts.clear()
        _chatter(chip, line)
        own = partial(_without, facts, before)
        if line in pins.squares:
            _wait(lambda own=own: _last(own()) == "on")  # type: ignore[misc]
        standing = switches.read().squares
        chip.pull(line, closed=False)
        _wait(lambda own=own: _last(own()) in {"off", "pressed"})  # type: ignore[misc]
        stories.append(_story(own(), standing))
        before = name
    switches.close()
    return stories


def _chatter(chip: Chip, line: int) -> None:
    closed = False
    for pause_s in CHATTER_S:
        time.sleep(pause_s)
        closed = not closed
        chip.pull(line, closed=closed)
    # A hand holds the contact closed for this time, in the kernel's own time.
    time.sleep(PRESSED_S)


def _wait(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + REPORT_S
    while not reached() and time.monotonic() < deadline:
        time.sleep(0.002)


def _last(facts: Iterable[Fact]) -> str:
    last = next(reversed(list(facts)), None)
    if isinstance(last, Edge):
        return "on" if last.on else "off"
    # After a pause of the machine a press is a long one.
    return "pressed" if isinstance(last, Button) else ""


def _without(facts: Iterable[Fact], late: str) -> list[Fact]:
    """Return facts but those of the contact before.

    On a busy machine a bounce is a press of its own, which is reported after the next contact.
    """
    return [fact for fact in list(facts) if _name(fact) != late]


def _name(fact: Fact) -> str:
    if isinstance(fact, Edge):
        return SQUARE_NAMES[fact.square]
    return f"{fact.button.value} button" if isinstance(fact, Button) else ""


def _story(facts: Iterable[Fact], standing: int) -> str:
    """Return the facts of a contact in words: name, final state, and the states before."""
    found = list(facts)
    who = {name for one in found if (name := _name(one))}
    squares = "".join(SQUARE_NAMES[n] for n in range(len(SQUARE_NAMES)) if standing >> n & 1)
    return f"{' '.join(sorted(who))}: {_last(found)}, standing {squares or 'nothing'}"


def check_contacts(findings: Findings) -> None:
    """Check that every contact is reported under its own name, through each library."""
    expected = [f"{name}: off, standing {name}" for name in SQUARE_NAMES]
    expected += [f"{name}: pressed, standing nothing" for name in BUTTON_NAMES]
    for library, name in LIBRARIES.items():
        with Chip(*PI_4) as chip:
            stories = apart(partial(_facts, chip, library), APART_S)
        sentence = f"all {len(expected)} contacts are reported under their names through {name}"
        different = [pair for pair in zip(stories, expected, strict=True) if pair[0] != pair[1]]
        findings.check(sentence, not different, different)


def _taken_late(chip: Chip, square: int) -> tuple[str, bool, bool, str]:
    """Use a square's line in another program; check what is reported, what is read, and the end."""
    import lgpio  # noqa: PLC0415 - as the program, only where there are pins

    pins, faults, facts = default_pins(), [], []
    other = lgpio.gpiochip_open(chip.number)
    lgpio.gpio_claim_input(other, pins.squares[square])
    switches = partial(Switches, pin_factory("lgpio"), pins, lambda: 0, facts.append)
    contacts = RetryingContacts(switches, faults.append, retry_s=RETRY_S)
    _wait(lambda: bool(faults))
    # Several attempts fail meanwhile, which are not reported again: there is nothing to poll.
    time.sleep(5 * RETRY_S)
    why, blind, once = str(faults[0]), contacts.read() is None, len(faults) == 1
    lgpio.gpiochip_close(other)
    _wait(lambda: faults[1:] == [None])
    for line in (*pins.squares, *pins.buttons.values()):
        chip.pull(line, closed=False)
    chip.pull(pins.squares[square], closed=True)
    _wait(lambda: _last(facts) == "on")
    reading = contacts.read()
    contacts.close()
    return why, blind, once, _story(facts, 0 if reading is None else reading.squares)


def check_held_pin(findings: Findings) -> None:
    """Check that a pin held by another program is reported, and claimed when it is released."""
    square = 6
    with Chip(*PI_4) as chip:
        why, blind, once, then = apart(partial(_taken_late, chip, square), APART_S)
    name = SQUARE_NAMES[square]
    findings.check("a pin that another program holds is named", f"contact {name}" in why, why)
    findings.check("it is reported once, and nothing is read", blind and once, (blind, once))
    story = f"{name}: on, standing {name}"
    findings.check("it is claimed when it is released", then == story, then)


def act(findings: Findings) -> None:
    """Test the pins."""
    check_header(findings)
    check_lone_pins(findings)
    check_contacts(findings)
    check_held_pin(findings)


if __name__ == "__main__":
    play("pins", act)
