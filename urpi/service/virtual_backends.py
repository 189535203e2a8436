"""The backends of a virtual table: simulated hardware for the real device drivers.

The table's contacts drive gpiozero's mock pins. Its hub sends the serial protocol to pyserial over
a pseudo-terminal or a loopback socket; dice with Bluetooth send their messages over a radio in
memory. luma's driver writes to a bus that decodes the bytes into the picture that the OLED would
show.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, Literal, Self, TypeAlias, cast

from PIL import Image

from urpi.config import Config
from urpi.hardware import (
    BluetoothDice,
    DiceHealth,
    DiceHub,
    DiceSource,
    DieFaces,
    HandDice,
    default_pins,
    pin_factory,
)
from urpi.hardware.ads7830 import CONVERTERS
from urpi.hardware.configured import hall_scales
from urpi.hardware.die_reports import Brand
from urpi.hardware.outputs.registry import OUTPUTS
from urpi.referee.facts import Fact
from urpi.rules import ALL_SQUARES, Position, RuleSet, Side
from urpi.service.backends import Backends, make_dice_hub
from urpi.service.fact_loop import Clock
from urpi.simulation import Equipment, MockPins, Outputs, open_wire
from urpi.simulation.bluetooth_rig import bluetooth_rig
from urpi.simulation.hall_bus import HallBus
from urpi.simulation.rig import WiredRig
from urpi.simulation.virtual_radio import VirtualRadio

USUAL: Final = 0.136
"""What a piece adds to a reading, as a share of the supply: a disc of 3 x 1 mm, 5 mm above a
DRV5055A1 (docs/build/hall.md)."""
DiceKind: TypeAlias = Literal["hub", "hand"] | Brand
"""The dice of a virtual table: those that are built, with their hub, ordinary ones, or a brand."""


class _UnheardHub(HandDice):
    """Ordinary dice at a table whose hub sends what nobody uses, but what its time waits for."""

    def __init__(self, hub: DiceHub) -> None:
        self.hub = hub

    def start(
        self, on_fact: Callable[[Fact], None], on_health: Callable[[DiceHealth], None]
    ) -> None:
        """Read the hub without reporting anything of it."""
        super().start(on_fact, on_health)
        self.hub.start(lambda _fact: None, lambda _health: None)

    def close(self) -> None:
        self.hub.close()


def calibrated(config: Config) -> Config:
    """Return a configuration with the calibration of usual sensors, if it has none."""
    squares = config.squares
    if squares.empty and squares.piece:
        return config
    full = CONVERTERS[squares.converter].full
    usual = replace(
        squares,
        empty=(full // 2,) * len(ALL_SQUARES),
        piece=(round(USUAL * full),) * len(ALL_SQUARES),
    )
    return replace(config, squares=usual)


def hall_bus(config: Config, seed: int = 1) -> HallBus:
    """Return the simulated bus with sensors that are calibrated as configured."""
    scales = [(each.empty, each.piece) for each in hall_scales(config)]
    rng = Random(f"{seed} hall")  # noqa: S311 - a game, no secret
    return HallBus(rng, CONVERTERS[config.squares.converter].bits, scales)


@dataclass(frozen=True, slots=True)
class TableSetting:
    """A game at a virtual table, and the table's hardware.

    `speed` is the factor between virtual and real time, 0 for no limit. `first` is the side that
    begins, if the rules leave it open. `wire` is ``pty`` or ``socket``. `rig` replaces the Python
    dice and hub, if not None. `dice` is the kind of dice. `position` is the one of these rules to
    begin with, None for the start position.
    """

    rules: RuleSet
    seed: int
    speed: float = 1.0
    first: Side | None = None
    wire: str = "pty"
    rig: WiredRig | None = None
    dice: DiceKind = "hub"
    position: Position | None = None


class VirtualBackends:
    """Simulated pins, serial line and OLED. Use it in a ``with`` statement.

    Args:
        config: The configuration of the program.
        wire: The kind of the hub's serial line: ``pty`` or ``socket``.
        dice: The kind of dice.
    """

    def __init__(self, config: Config, wire: str, dice: DiceKind = "hub") -> None:
        self._config, self._wire_kind, self._dice = config, wire, dice
        self._radio = VirtualRadio()
        ends = ((output.name, output.virtual(config)) for output in OUTPUTS)
        self.far_ends = {name: end for name, end in ends if end is not None}
        """The far ends of the outputs, by their names."""
        self.config = config
        """The configuration for the program, with the calibration of simulated Hall sensors."""
        self._hall: HallBus | None = None
        if config.squares.sensor == "hall":
            self.config = calibrated(config)
            self._hall = hall_bus(self.config)
        self._source: DiceSource
        """The program's source of dice facts, once a program has been started on `connect`."""
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="urpi-")))
            self._factory, self._pins = pin_factory("mock"), default_pins()
            stack.callback(self._factory.reset)
            self.mock_pins = MockPins(self._factory, self._pins)
            self.wire = open_wire(self._wire_kind, folder)
            stack.callback(self.wire.unplug)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def outputs(self) -> Outputs:
        """The table's ends of the pins and the serial line."""
        if self._hall is not None:
            return Outputs(self._hall.edge, self.mock_pins.button, wire=self.wire, hall=self._hall)
        return Outputs(self.mock_pins.square, self.mock_pins.button, wire=self.wire)

    def connect(self, address: str) -> Backends:
        """Return the program's ends of the pins, the serial line and the bus.

        Args:
            address: The port at which pyserial finds the hub.
        """

        def make_dice(clock: Clock) -> DiceSource:
            self._source = self._make_source(address, clock)
            return self._source

        made = Backends(self._factory, self._pins, make_dice, self.far_ends)
        hall = self._hall
        if hall is None:
            return made
        return replace(made, open_bus=lambda _port: hall, repeat=hall.repeat)

    def equipment(self, rig: WiredRig | None, seed: int) -> Equipment:
        """Return the table's equipment.

        Args:
            rig: What replaces the Python dice and hub, None for these.
            seed: The seed of the dice.
        """
        if self._dice in {"hub", "hand"}:
            return Equipment(rig=rig(seed, self.wire) if rig else None)
        return Equipment(rig=bluetooth_rig(cast("Brand", self._dice), seed, self._radio))

    @property
    def dice_health(self) -> DiceHealth:
        """The health of the dice, as the program determines it."""
        return self._source.health

    def lines_received(self) -> int:
        """Return the number of messages or lines that the program has received, valid or not."""
        source = self._source.hub if isinstance(self._source, _UnheardHub) else self._source
        if not isinstance(source, DiceHub):
            return self._radio.received
        counts = source.health.counts
        return counts.lines + counts.dropped + counts.unknown

    def _make_source(self, address: str, clock: Clock) -> DiceSource:
        if self._dice in {"hub", "hand"}:
            hub = make_dice_hub(
                self._config.hub, address, DieFaces(), clock, self._config.dice.strictness
            )
            return hub if self._dice == "hub" else _UnheardHub(hub)
        radio = self._radio
        return BluetoothDice(radio.paired, DieFaces(), clock, lambda: radio)

    def picture(self) -> Image.Image:
        """Return the picture on the OLED, decoded from the bytes that were sent to it."""
        picture: Image.Image = self.far_ends["oled"].picture()
        return picture
