"""The backends of a virtual table: simulated hardware for the real device drivers.

The table's contacts drive gpiozero's mock pins. Its hub sends the serial protocol to pyserial over
a pseudo-terminal or a loopback socket. luma's driver writes to a bus that decodes the bytes into
the picture that the OLED would show.
"""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from PIL import Image

from urpi.config import Config
from urpi.devices import DiceHub, DieFaces, default_pins, open_oled, pin_factory
from urpi.service.backends import Backends, make_dice_hub
from urpi.service.service import Clock
from urpi.simulation import MockPins, Outputs, open_wire
from urpi.simulation.oled_bus import OledBus, controller


class VirtualBackends:
    """Simulated pins, serial line and OLED. Use it in a ``with`` statement.

    Args:
        config: The configuration of the program.
        wire: The kind of the hub's serial line: ``pty`` or ``socket``.
    """

    def __init__(self, config: Config, wire: str) -> None:
        self._config, self._wire_kind = config, wire
        self._driver = controller(config.oled.driver)
        self.bus = OledBus(self._driver)
        """The OLED's bus."""
        self.hub: DiceHub
        """The program's hub, once a program has been started on `connect`."""
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

        def make_dice(clock: Clock) -> DiceHub:
            self.hub = make_dice_hub(self._config.hub, address, DieFaces(), clock)
            return self.hub

        oled = partial(open_oled, self._driver, self.bus)
        return Backends(self._factory, self._pins, make_dice, oled)

    def lines_received(self) -> int:
        """Return the number of lines that the program has received from the hub, valid or not."""
        counts = self.hub.health.counts
        return counts.lines + counts.dropped + counts.unknown

    def picture(self) -> Image.Image:
        """Return the picture on the OLED, decoded from the bytes that were sent to it."""
        return self.bus.picture()
