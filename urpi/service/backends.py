"""Backends of a board's devices: the configured hardware, or its simulation.

The kind of dice source is selected here, in `make_dice_source`; the service uses every source
through `urpi.hardware.DiceSource`.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from urpi.config import Config, DiceSection, HubSection
from urpi.hardware import (
    DiceHub,
    DiceSource,
    DieFaces,
    HandDice,
    HubSettings,
    PinMap,
    configured_pins,
    default_pins,
    lazy_pin_factory,
    open_serial,
    smbus,
)
from urpi.hardware.configured import advertised_dice, configured_faces, paired_dice
from urpi.hardware.hall import Repeat, in_thread
from urpi.hardware.outputs.registry import used_outputs
from urpi.hardware.throw_evidence import Strictness
from urpi.service.die_numbers import DieNumbers
from urpi.service.fact_loop import Clock

if TYPE_CHECKING:
    from urpi.hardware import BluetoothDice

DIE_NUMBERS: Final = "dice-numbers.json"
"""The name of a file beside the journal, see `urpi.service.die_numbers`."""
_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backends:
    """The backends on which a board's devices are opened.

    `factory` is the gpiozero pin factory for the header's pins, and `pins` the pin map.
    `make_dice` makes the source of dice facts, given the game's clock. `far_ends` are the virtual
    devices that outputs use in place of the configured ones, by the outputs' names. `open_bus`
    opens the I2C bus of a port for expanders and converters, and `repeat` calls the scan of Hall
    sensors at intervals.
    """

    factory: Any
    pins: PinMap
    make_dice: Callable[[Clock], DiceSource]
    far_ends: Mapping[str, Any] = field(default_factory=dict)
    open_bus: Callable[[int], Any] = smbus
    repeat: Repeat = in_thread


def configured_backends(config: Config) -> Backends:
    """Return the backends that a configuration specifies. No device is opened yet.

    Raises:
        ImportError: If a library of the display or of the sound is missing.
        UrpiError: If the GPIO library is missing, the machine has no pins, or the wiring is
            invalid.
    """
    for output in used_outputs(config):
        # A missing library is reported before the journal is opened; that of an extra, later.
        if not output.extra and output.module:
            import_module(output.module.replace("/", "."))
    factory = lazy_pin_factory(config.gpio.factory, chip=config.gpio.chip)
    pins = configured_pins(config, default_pins())
    make_dice = partial(make_dice_source, config)
    return Backends(factory, pins, make_dice)


def make_dice_source(config: Config, clock: Clock) -> DiceSource:
    """Return the source of dice facts that a configuration specifies.

    Args:
        config: The configuration.
        clock: The game's clock.
    """
    faces = configured_faces(config.hub)
    source, strictness = config.dice.source, config.dice.strictness
    if source == "hand":
        return HandDice()
    sources: list[DiceSource] = []
    if source != "bluetooth":
        sources.append(make_dice_hub(config.hub, config.hub.port, faces, clock, strictness))
    if source != "hub":
        numbers = config.journal.file.with_name(DIE_NUMBERS)
        sources.append(make_bluetooth_dice(config.dice, faces, clock, numbers))
    if len(sources) == 1:
        return sources[0]
    from urpi.hardware import CombinedDice  # noqa: PLC0415 - asyncio, which it needs, takes long

    return CombinedDice(tuple(sources))


def make_bluetooth_dice(
    settings: DiceSection, faces: DieFaces, clock: Clock, numbers: Path
) -> "BluetoothDice":
    """Return the paired dice with Bluetooth.

    Args:
        settings: The section [dice] of the configuration.
        faces: What the faces of tetrahedral dice show.
        clock: The game's clock.
        numbers: The file with the numbers of the last reports of dice that advertise them.
    """
    from urpi.hardware import BluetoothDice, open_radio  # noqa: PLC0415 - as above

    adapter, advertised = settings.adapter, advertised_dice(settings)
    return BluetoothDice(
        paired_dice(settings),
        faces,
        clock,
        lambda: open_radio(adapter),
        advertised=advertised,
        strictness=settings.strictness,
        numbers=DieNumbers(numbers) if advertised else None,
        on_failure=_log.warning,
    )


def make_dice_hub(
    settings: HubSection,
    port: str,
    faces: DieFaces,
    clock: Clock,
    strictness: Strictness = "home",
) -> DiceHub:
    """Return the dice hub at a serial port.

    Args:
        settings: The section [hub] of the configuration, whose port and faces are not used.
        port: The device or URL that pyserial opens.
        faces: What the dice's faces show.
        clock: The game's clock.
        strictness: How strictly to judge whether a die was thrown.
    """
    limits = HubSettings(settings.tumbled_faces, settings.free_fall_ms, strictness=strictness)
    return DiceHub(lambda: open_serial(port, settings.baud), faces, clock, settings=limits)
