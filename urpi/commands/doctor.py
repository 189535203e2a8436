"""`urpi doctor`: what is wrong with this machine and its board, and how to put it right."""

import sys
import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Final

import click

from urpi.commands.choosing import settings_of
from urpi.commands.doctor_live import watch_contacts
from urpi.config import Config
from urpi.devices import (
    ContactBackend,
    Contacts,
    configured_pins,
    default_pins,
    open_contacts,
    pin_factory,
)
from urpi.devices.pins import PinMap
from urpi.doctor import (
    Finding,
    Session,
    Step,
    as_json,
    examine,
    findings,
    lines,
    status,
    this_machine,
)
from urpi.doctor.finding import broken
from urpi.doctor.findings.squares import squares as squares_findings
from urpi.doctor.findings.squares import where_on
from urpi.errors import UrpiError
from urpi.referee.facts import Edge, Fact
from urpi.rules import SQUARE_NAMES

LOOK_S: Final = 0.02
"""The walk over the squares looks at the clock so often while nothing happens."""
_ASK: Final[Mapping[Step, str]] = {
    Step.CLEAR: "Take everything off the board.",
    Step.PLACE: "Put a piece on {square}.",
    Step.HOLD: "Leave it there.",
    Step.LIFT: "Take it off {square} again.",
}

Say = Callable[[str], None]


@click.command()
@click.option("--squares", is_flag=True, help="Try each square in turn with a piece.")
@click.option("--live", is_flag=True, help="Show each contact as it changes, until Ctrl-C.")
@click.option("--json", "json_wanted", is_flag=True, help="Print one JSON object.")
@click.pass_context
def doctor(ctx: click.Context, squares: bool, live: bool, json_wanted: bool) -> None:
    """Say what is wrong with this machine and its board, and the cure of each.

    Exit status: 0 all is right; 1 it works, but something is poor; 2 something that the
    configuration asks for does not work.
    """
    if live and (squares or json_wanted):
        message = "--live shows contacts and nothing else; leave --squares and --json out."
        raise UrpiError(message)
    config = settings_of(ctx).config
    pins = configured_pins(config, default_pins())
    if live:
        watch_contacts(config, pins, milliseconds, say_now)
        return
    facts = examine(config, pins, this_machine())
    found = list(findings(facts, config, pins))
    if squares:
        found += _tried(config, pins, _to_people(json_wanted))
    if json_wanted:
        click.echo(as_json(facts, found))
    else:
        for line in lines(found):
            click.echo(line)
    sys.stdout.flush()
    sys.exit(status(found))


def _tried(config: Config, pins: PinMap, say: Say) -> list[Finding]:
    try:
        return try_squares(config, pins, say)
    except UrpiError as error:
        return [broken("squares", "cannot be tried", str(error))]


def try_squares(config: Config, pins: PinMap, say: Say) -> list[Finding]:
    """Walk over the squares with the person at the board; what came of them."""
    edges: SimpleQueue[Fact] = SimpleQueue()
    faults: SimpleQueue[UrpiError | None] = SimpleQueue()

    def hear() -> Fact | None:
        fault = None if faults.empty() else faults.get()
        if fault is not None:
            raise fault
        return _next(edges)

    factory = pin_factory(config.gpio.factory, chip=config.gpio.chip)
    contacts = open_contacts(
        config, ContactBackend(factory, pins), milliseconds, edges.put, faults.put
    )
    try:
        session = begin(contacts, milliseconds())
        walk(session, hear, milliseconds, say)
    finally:
        contacts.close()
    return list(squares_findings(session.results, where_on(config, pins)))


def begin(contacts: Contacts, now: int) -> Session:
    """The walk over those contacts' squares."""
    levels = contacts.levels()
    return Session(SQUARE_NAMES, {name: levels[name] for name in SQUARE_NAMES}, now)


def walk(
    session: Session, hear: Callable[[], Fact | None], clock: Callable[[], int], say: Say
) -> None:
    """Walk over the squares until all are done; `hear` gives the next fact, or None soon."""
    asked: tuple[Step, str] | None = None
    while session.step is not Step.DONE:
        if (session.step, session.square) != asked:
            asked = session.step, session.square
            say(_ASK[session.step].format(square=session.square))
        before = len(session.results)
        fact = hear()
        if isinstance(fact, Edge):
            session.heard(SQUARE_NAMES[fact.square], fact.on, fact.t)
        session.passed(clock())
        for result in session.results[before:]:
            answered = f" ({', '.join(result.answered)})" if result.answered else ""
            say(f"  {result.square}: {result.verdict.value}{answered}")


def say_now(line: str) -> None:
    """Print it at once, also into a pipe."""
    click.echo(line)
    sys.stdout.flush()


def milliseconds() -> int:
    """Whole milliseconds, never decreasing."""
    return time.monotonic_ns() // 1_000_000


def _next(facts: SimpleQueue[Fact]) -> Fact | None:
    try:
        return facts.get(timeout=LOOK_S)
    except Empty:
        return None


def _to_people(json_wanted: bool) -> Say:
    """What is asked goes beside the JSON, not into it."""

    def say(line: str) -> None:
        click.echo(line, err=json_wanted)

    return say
