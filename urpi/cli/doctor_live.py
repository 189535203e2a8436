"""`urpi doctor --live`: print every contact as it closes and opens, until Ctrl-C."""

from collections.abc import Callable, Iterable, Mapping
from queue import Empty, Queue
from typing import Final

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.hardware import ContactBackend, open_contacts, pin_factory
from urpi.hardware.pins import PinMap
from urpi.install.doctor.live_contacts import Changes
from urpi.referee.facts import Button, Chute, Edge, Fact
from urpi.rules import SQUARE_NAMES

POLL_S: Final = 0.02
"""Longest wait for a fact, after which completed changes are printed."""
Show = Callable[[str], None]


def watch_contacts(config: Config, pins: PinMap, clock: Callable[[], int], show: Show) -> None:
    """Print every change of every contact, until Ctrl-C.

    Raises:
        UrpiError: if the contacts cannot be opened, or fail.
    """
    facts: Queue[Fact | UrpiError | None] = Queue()
    factory = pin_factory(config.gpio.factory, chip=config.gpio.chip)
    contacts = open_contacts(config, ContactBackend(factory, pins), clock, facts.put, facts.put)
    try:
        show(closed_line(contacts.levels()))
        changes = Changes()
        while True:
            for line in lines(changes, received(facts), clock):
                show(line)
    except KeyboardInterrupt:
        return
    finally:
        contacts.close()


def closed_line(levels: Mapping[str, bool]) -> str:
    """Return the first line, which lists the closed contacts."""
    closed = [name for name, on in levels.items() if on]
    state = f"Closed now: {', '.join(closed)}." if closed else "No contact is closed now."
    return f"{state} Press Ctrl-C to end."


def lines(
    changes: Changes, facts: Iterable[Fact | UrpiError | None], clock: Callable[[], int]
) -> Iterable[str]:
    """Yield the lines for new facts and for the changes that are complete by now."""
    for fact in facts:
        if isinstance(fact, UrpiError):
            raise fact
        if isinstance(fact, Edge):
            changes.on_edge(SQUARE_NAMES[fact.square], fact.on, fact.t)
        elif isinstance(fact, Button):
            yield f"{fact.button.value} button, {fact.press} press"
        elif isinstance(fact, Chute):
            yield f"{fact.side.value} chute"
    yield from (change.text for change in changes.pop_completed(clock()))


def received(facts: Queue[Fact | UrpiError | None]) -> Iterable[Fact | UrpiError | None]:
    """Yield the facts received, waiting up to `POLL_S` for the first."""
    try:
        yield facts.get(timeout=POLL_S)
        while True:
            yield facts.get_nowait()
    except Empty:
        return
