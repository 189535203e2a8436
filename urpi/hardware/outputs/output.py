"""The protocol of an output: a device that shows the game to the players at the board.

The service, the doctor, the wiring list, the virtual table and the documentation use the outputs of
`urpi.hardware.outputs.registry`, and none of them by its name.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.hardware.finding import Finding, broken, right
from urpi.hardware.header import OtherUse
from urpi.hardware.pins import PinMap

if TYPE_CHECKING:
    # It draws pictures; the doctor and the wiring list draw none.
    from urpi.show.scene import Scene

OnFault: TypeAlias = Callable[[UrpiError | None], None]
"""Called with the error when a device fails, and with None when it responds again."""


@dataclass(frozen=True, slots=True)
class OutputPin:
    """A pin of the header that an output uses.

    Attributes:
        wire: The wire's name, such as `the buzzer`.
        key: The key of the configuration that sets the pin.
        gpio: The GPIO, None if the output needs one but none is configured.
        to: The other end of the wire.
        function: The function of the header that the pin has for it and that must be enabled, one
            of `urpi.hardware.header.OTHER_USES`; None for none.
    """

    wire: str
    key: str
    gpio: int | None
    to: str
    function: OtherUse | None = None


@dataclass(frozen=True, slots=True)
class Present:
    """What the doctor has found on a machine, as far as outputs use it.

    Attributes:
        addresses: The 7-bit addresses that respond, by the number of each usable I2C bus.
        programs: Those of the outputs' programs that are installed.
        files: Those of the outputs' device files that this user may open.
    """

    addresses: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    programs: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Ends(Protocol):
    """The near ends of a board's wires: the real ones, or those of the virtual table."""

    @property
    def factory(self) -> Any:
        """The gpiozero pin factory."""

    @property
    def pins(self) -> PinMap:
        """The pin map with the configuration's changes."""

    @property
    def far_ends(self) -> Mapping[str, Any]:
        """The results of `Output.virtual` by the outputs' names, in place of real devices."""


class Shown(Protocol):
    """An open output."""

    def show(self, scene: "Scene") -> None:
        """Show a scene in place of the one before. Does not wait for the device.

        Raises:
            OSError: If the device fails; then it is not used until it is opened again.
            UrpiError: For the same reason.
        """

    def wake(self) -> None:
        """Restore the brightness, because a player is at the board. Thread-safe."""

    def close(self) -> None:
        """Switch the device off and release it."""


class Output:
    """A kind of output. A subclass overrides what its device needs.

    An output on I2C has the keys ``i2c_port`` and ``i2c_address`` in its section.
    """

    name: ClassVar[str]
    """The name of its section in the configuration and of its findings in the doctor."""
    title: ClassVar[str]
    """Its name in lists and messages."""
    about: ClassVar[str]
    """What it shows, for docs/operate/outputs.md."""
    library: ClassVar[str] = ""
    """The library that it needs, by its name on the package index; empty for none."""
    module: ClassVar[str] = ""
    """The module, or its folder, that the library provides."""
    extra: ClassVar[str] = ""
    """The extra in pyproject.toml that installs the library, empty for the base dependencies."""
    debian: ClassVar[str] = ""
    """Debian's package of the library, empty if urpi's package bundles the library."""
    on_5v: ClassVar[bool] = False
    """Whether it is supplied with 5 V; otherwise with 3.3 V."""
    program: ClassVar[str] = ""
    """The program that it needs, which has the name of its Debian package; empty for none."""
    file: ClassVar[str] = ""
    """The device file that it opens, empty for none or for that of an I2C bus."""
    i2c_addresses: ClassVar[tuple[int, ...]] = ()
    """The addresses that the device can have on I2C."""
    retries: ClassVar[bool] = False
    """Whether it opens its device again by itself.

    Otherwise it is closed and opened after a change of the players' preferences, and when the pins
    become available.
    """

    def is_used(self, config: Config) -> bool:
        """Return whether the configuration switches it on."""
        raise NotImplementedError

    def open(self, config: Config, ends: Ends, on_fault: OnFault) -> Shown | None:
        """Open it, or return None if nothing of it is available, which `on_fault` has received.

        The library is imported here.

        Raises:
            ImportError: If the library is missing.
            UrpiError: If the device cannot be opened.
        """
        raise NotImplementedError

    def pins(self, config: Config, pins: PinMap) -> Iterable[OutputPin]:
        """Return the pins of the header that it uses, other than those of I2C."""
        return ()

    def i2c(self, config: Config) -> tuple[int, int] | None:
        """Return its I2C bus and its 7-bit address, None if it is not on I2C."""
        return None

    def findings(self, config: Config, present: Present) -> Iterator[Finding]:
        """Yield what the doctor finds about it. Pins and the library are examined anyway."""
        yield from ()

    def examples(self) -> Iterable[tuple[Config, Present]]:
        """Return configurations that use it, on machines with each fault of `findings`."""
        raise NotImplementedError

    def virtual(self, config: Config) -> Any:
        """Return the far end for a virtual table, None if mock pins are sufficient."""
        return None


def spi_finding(area: str, whose: str, device: str, present: Present) -> Finding:
    """Return whether the SPI bus of an output can be opened."""
    if device in present.files:
        return right(area, f"{whose} bus {device} can be opened")
    return broken(
        area,
        f"{whose} bus {device} cannot be opened",
        "Enable SPI (`sudo raspi-config nonint do_spi 0`), restart the Pi, and add the user to the "
        "group spi.",
    )
