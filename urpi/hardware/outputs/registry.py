"""All outputs of a board: the only list of them."""

from collections.abc import Iterator
from typing import Final

from urpi.config import Config
from urpi.hardware.outputs.lights import Lights
from urpi.hardware.outputs.oled import Oled
from urpi.hardware.outputs.output import Output, OutputPin
from urpi.hardware.outputs.sound import Sound
from urpi.hardware.pins import PinMap

OUTPUTS: Final[tuple[Output, ...]] = (Oled(), Sound(), Lights())
"""The outputs, in the order in which they are opened and listed."""


def used_outputs(config: Config) -> tuple[Output, ...]:
    """Return the outputs that a configuration switches on."""
    return tuple(output for output in OUTPUTS if output.is_used(config))


def output_pins(config: Config, pins: PinMap) -> Iterator[OutputPin]:
    """Yield the pins of the header that outputs use."""
    for output in OUTPUTS:
        yield from output.pins(config, pins)


def places_on_i2c(config: Config) -> dict[Output, tuple[int, int]]:
    """Return bus and 7-bit address of each output on I2C."""
    places = ((output, output.i2c(config)) for output in OUTPUTS)
    return {output: place for output, place in places if place is not None}
