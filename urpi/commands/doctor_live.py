"""`urpi doctor --live`: every contact as it closes and opens, until Ctrl-C."""

from collections.abc import Callable, Iterable, Mapping
from queue import Empty, SimpleQueue
from typing import Final

from urpi.config import Config
from urpi.devices import ContactBackend, open_contacts, pin_factory
from urpi.devices.pins import PinMap
from urpi.doctor.live import Changes
from urpi.errors import UrpiError
from urpi.referee.facts import Button, Chute, Edge, Fact
from urpi.rules import SQUARE_NAMES

LOOK_S: Final = 0.02
Say = Callable[[str], None]


def watch_contacts(config: Config, pins: PinMap, clock: Callable[[], int], say: Say) -> None:
    """Say every change of every contact, until Ctrl-C.

    Raises:
        UrpiError: when the contacts cannot be opened, or fail.
    """
    facts: SimpleQueue[Fact | UrpiError | None] = SimpleQueue()
    factory = pin_factory(config.gpio.factory, chip=config.gpio.chip)
    contacts = open_contacts(config, ContactBackend(factory, pins), clock, facts.put, facts.put)
    try:
        say(closed_line(contacts.levels()))
        changes = Changes()
        while True:
            for line in lines(changes, heard(facts), clock):
                say(line)
    except KeyboardInterrupt:
        return
    finally:
        contacts.close()


def closed_line(levels: Mapping[str, bool]) -> str:
    """What is closed at the beginning."""
    closed = [name for name, on in levels.items() if on]
    said = f"Closed now: {', '.join(closed)}." if closed else "Nothing is closed now."
    return f"{said} Ctrl-C ends this."


def lines(
    changes: Changes, facts: Iterable[Fact | UrpiError | None], clock: Callable[[], int]
) -> Iterable[str]:
    """What to say of those facts, and of the changes that are over by now."""
    for fact in facts:
        if isinstance(fact, UrpiError):
            raise fact
        if isinstance(fact, Edge):
            changes.heard(SQUARE_NAMES[fact.square], fact.on, fact.t)
        elif isinstance(fact, Button):
            yield f"{fact.button.value} button, {fact.press} press"
        elif isinstance(fact, Chute):
            yield f"{fact.side.value} chute"
    yield from (change.text for change in changes.passed(clock()))


def heard(facts: SimpleQueue[Fact | UrpiError | None]) -> Iterable[Fact | UrpiError | None]:
    """Everything that has come, at the latest after `LOOK_S`."""
    try:
        yield facts.get(timeout=LOOK_S)
        while True:
            yield facts.get_nowait()
    except Empty:
        return
