"""`urpi doctor`: print the findings, the test of the squares, or the contacts live."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from queue import Empty, Queue
from typing import Final

import click

from urpi.cli.doctor_calibration import calibrate
from urpi.cli.doctor_lights import lights_findings
from urpi.config import Config, LoadedConfig
from urpi.core.errors import UrpiError
from urpi.core.moments import milliseconds
from urpi.hardware import (
    ContactBackend,
    Contacts,
    configured_pins,
    default_pins,
    open_contacts,
    pin_factory,
)
from urpi.hardware.finding import Finding, broken, exit_status
from urpi.hardware.pins import PinMap
from urpi.install.doctor import (
    Session,
    SquareStep,
    as_json,
    diagnose,
    examine,
    lines,
    this_system,
)
from urpi.install.doctor.findings.squares import pin_texts
from urpi.install.doctor.findings.squares import squares as squares_findings
from urpi.install.doctor.output import Changes
from urpi.referee.facts import Button, Chute, Edge, Fact
from urpi.rules import SQUARE_NAMES

POLL_S: Final = 0.02
"""Longest wait for a fact, after which timeouts are checked and completed changes printed."""
_INSTRUCTIONS: Final[Mapping[SquareStep, str]] = {
    SquareStep.CLEAR: "Take everything off the board.",
    SquareStep.PLACE: "Put a piece on {square}.",
    SquareStep.HOLD: "Leave it there.",
    SquareStep.LIFT: "Take it off {square} again.",
}

Show = Callable[[str], None]


def run_doctor(
    settings: LoadedConfig, *, squares: bool, lights: bool, live: bool, json_output: bool
) -> int:
    """Print the report that the options request, and return the exit status."""
    config = settings.config
    pins = configured_pins(config, default_pins())
    if live:
        watch_contacts(config, pins, milliseconds, click.echo)
        return 0
    facts = examine(config, pins, this_system())
    found = list(diagnose(facts, config, pins))
    if squares:
        found += _square_findings(settings, pins, _instructions(json_output))
    if lights:
        found += lights_findings(config, pins, err=json_output)
    if json_output:
        click.echo(as_json(facts, found))
    else:
        for line in lines(found):
            click.echo(line)
    return exit_status(found)


def _square_findings(settings: LoadedConfig, pins: PinMap, show: Show) -> list[Finding]:
    config = settings.config
    try:
        if config.squares.sensor == "hall":
            click.pause("Take everything off the board, and press any key.", err=True)
            return calibrate(
                config, settings.file or Path("~/.config/urpi/config.toml").expanduser(), show
            )
        return run_square_test(config, pins, show)
    except UrpiError as error:
        return [broken("squares", "cannot be tested", str(error))]


def run_square_test(config: Config, pins: PinMap, show: Show) -> list[Finding]:
    """Test the squares with the person at the board and return the findings."""
    edges: Queue[Fact] = Queue()
    faults: Queue[UrpiError | None] = Queue()

    def next_fact() -> Fact | None:
        fault = None if faults.empty() else faults.get()
        if fault is not None:
            raise fault
        return _poll(edges)

    factory = pin_factory(config.gpio.factory, chip=config.gpio.chip)
    contacts = open_contacts(
        config, ContactBackend(factory, pins), milliseconds, edges.put, faults.put
    )
    try:
        session = begin(contacts, milliseconds())
        run_session(session, next_fact, milliseconds, show)
    finally:
        contacts.close()
    return list(squares_findings(session.results, pin_texts(config, pins)))


def begin(contacts: Contacts, now: int) -> Session:
    """Return a test of all squares, starting from the present state of their contacts."""
    levels = contacts.levels()
    return Session(SQUARE_NAMES, {name: levels[name] for name in SQUARE_NAMES}, now)


def run_session(
    session: Session, next_fact: Callable[[], Fact | None], clock: Callable[[], int], show: Show
) -> None:
    """Run the test until all squares are done.

    Args:
        session: the test.
        next_fact: returns the next fact, None after a short time without one.
        clock: monotonic time in milliseconds.
        show: prints an instruction or a result.
    """
    shown: tuple[SquareStep, str] | None = None
    while session.step is not SquareStep.DONE:
        if (session.step, session.square) != shown:
            shown = session.step, session.square
            show(_INSTRUCTIONS[session.step].format(square=session.square))
        before = len(session.results)
        fact = next_fact()
        if isinstance(fact, Edge):
            session.on_edge(SQUARE_NAMES[fact.square], fact.on, fact.t)
        session.tick(clock())
        for result in session.results[before:]:
            answered = f" ({', '.join(result.answered)})" if result.answered else ""
            show(f"  {result.square}: {result.verdict.value}{answered}")


def _poll(facts: Queue[Fact]) -> Fact | None:
    try:
        return facts.get(timeout=POLL_S)
    except Empty:
        return None


def _instructions(json_output: bool) -> Show:
    """The function that prints instructions, to standard error if JSON is printed."""

    def show(line: str) -> None:
        click.echo(line, err=json_output)

    return show


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
            for line in live_lines(changes, received(facts), clock):
                show(line)
    except KeyboardInterrupt:
        return
    finally:
        contacts.close()


def closed_line(levels: Mapping[str, bool]) -> str:
    """The first line, which lists the closed contacts."""
    closed = [name for name, on in levels.items() if on]
    state = f"Closed now: {', '.join(closed)}." if closed else "No contact is closed now."
    return f"{state} Press Ctrl-C to end."


def live_lines(
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
