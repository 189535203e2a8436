"""The backends of a virtual table: simulated hardware for the real device drivers.

The table's contacts drive gpiozero's mock pins. Its hub sends the serial protocol to pyserial over
a pseudo-terminal or a loopback socket; dice with Bluetooth send their messages over a radio in
memory. luma's driver writes to a bus that decodes the bytes into the picture that the OLED would
show.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, Self, TypeAlias, cast

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
from urpi.hardware.die_reports import Brand
from urpi.hardware.outputs.registry import OUTPUTS
from urpi.referee.facts import Fact
from urpi.rules import Position, RuleSet, Side
from urpi.service.backends import Backends, make_dice_hub
from urpi.service.service import Clock
from urpi.simulation import Equipment, MockPins, Outputs, open_wire
from urpi.simulation.bluetooth_rig import bluetooth_rig
from urpi.simulation.rig import WiredRig
from urpi.simulation.virtual_radio import VirtualRadio

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
        return Outputs(self.mock_pins.square, self.mock_pins.button, wire=self.wire)

    def connect(self, address: str) -> Backends:
        """Return the program's ends of the pins, the serial line and the bus.

        Args:
            address: The port at which pyserial finds the hub.
        """

        def make_dice(clock: Clock) -> DiceSource:
            self._source = self._make_source(address, clock)
            return self._source

        return Backends(self._factory, self._pins, make_dice, self.far_ends)

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
