"""`urpi doctor --lights`: light each square in turn, and ask who looks at the board."""

import time
from collections.abc import Callable, Collection
from typing import Final

import click

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.hardware.finding import Finding, broken
from urpi.hardware.led_chain import CHAIN, DARK, Bus, colours_of, encoded
from urpi.hardware.outputs.lights import open_wire
from urpi.hardware.pins import PinMap
from urpi.install.doctor.findings.lights import lights
from urpi.rules import SQUARE_NAMES, Square, parse_square
from urpi.show.lights import PUT

STEP_S: Final = 0.7
"""Time after which the next square is lit."""
NAMES: Final = tuple(SQUARE_NAMES[square] for square in CHAIN)


def lights_findings(config: Config, pins: PinMap, *, err: bool) -> list[Finding]:
    """Test the lights with the person at the board and return the findings.

    Args:
        config: The configuration.
        pins: The pin map.
        err: Whether instructions and questions are printed to standard error.

    Raises:
        UrpiError: If the configuration has no lights.
    """
    if not config.lights.on:
        message = "[lights] on is false: set it to true to test the lights."
        raise UrpiError(message)
    try:
        bus = open_wire(config, pins)
    except UrpiError as error:
        return [broken("lights", "cannot be tested", str(error))]
    try:
        light_in_turn(bus, config, time.sleep)
        click.echo(
            f"{NAMES[0]} to {NAMES[-1]} have been lit in turn, and all are lit now.", err=err
        )
        dark = click.prompt(
            "Which stay dark (such as B4 B3, or all)? Nothing if all are lit",
            default="",
            show_default=False,
            value_proc=squares_in,
            err=err,
        )
        flash = click.confirm(
            "Did a square flash, light out of turn, or have another colour?", err=err
        )
        bus.write(encoded((DARK,) * len(CHAIN)))
    finally:
        bus.close()
    return list(lights(NAMES, dark, flash=flash))


def light_in_turn(bus: Bus, config: Config, wait: Callable[[float], None]) -> None:
    """Light one square after the other, in the order of the chain, until all are lit."""
    lit: set[Square] = set()
    for square in CHAIN:
        lit.add(square)
        shown = tuple(PUT[0] if each in lit else None for each in range(len(CHAIN)))
        colours = colours_of(shown, 0, config.lights)
        bus.write(encoded(tuple(colours[each] for each in CHAIN)))
        wait(STEP_S)


def squares_in(answer: str) -> Collection[str]:
    """Return the names of the squares in an answer.

    >>> sorted(squares_in("b4, B3"))
    ['B3', 'B4']
    """
    words = answer.upper().replace(",", " ").split()
    if words == ["ALL"]:
        return NAMES
    try:
        return {SQUARE_NAMES[parse_square(word)] for word in words}
    except UrpiError as error:
        raise click.UsageError(str(error)) from error
