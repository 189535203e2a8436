"""Pin factories by name: the libraries through which gpiozero drives the header's pins.

The factory is always chosen by name. gpiozero's automatic fallback is not used, because it
hides which library is in use. ``lgpio`` works on every Pi, ``rpigpio`` on boards up to the Pi 4
with a kernel before 6.6, and ``mock`` serves the virtual table.
"""

import logging
import struct
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from threading import Lock, Timer
from types import MappingProxyType
from typing import Any, Final, TypeVar

from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory, MockPWMPin

from urpi.core.errors import UrpiError

HEADER_LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Linux's labels of the 40-pin header's chip: on a Pi 5, on a Pi 4, and on earlier models."""
_CHIP_INFO: Final = 0x8044B401
"""GPIO_GET_CHIPINFO_IOCTL of <linux/gpio.h>: two names of 32 bytes and the number of lines."""
_CHIP_INFO_FORMAT: Final = "32s32sI"

RECLAIM_DELAY_S: Final = 0.1
"""Seconds until a pin is claimed again: the library's threads have started by then, and a press
is longer."""
BUSY_PAUSES_S: Final = (0.01, 0.05, 0.25, 0.5, 0.0)
"""Pauses in seconds after each failed attempt to release a pin, or to claim it again."""
_Device = TypeVar("_Device")
KEPT_STATES: Final = 16
"""States that a mock pin keeps."""
_MODEL: Final = Path("/proc/device-tree/model")
_log: Final = logging.getLogger(__name__)


class PinsUnavailableError(UrpiError):
    """The machine has these pins, but they cannot be opened at present; a retry may succeed."""


def pin_factory(name: str, *, chip: int | None = None) -> Any:
    """Return a gpiozero pin factory.

    Args:
        name: ``lgpio``, ``rpigpio`` or ``mock``.
        chip: The number of ``/dev/gpiochip`` for lgpio. By default the header's chip is found by
            its label, because its number differs between models and kernels.

    Raises:
        PinsUnavailableError: If the machine's pins cannot be opened at present.
        UrpiError: If there is no such factory, its library is missing, or this machine has no
            pins.
    """
    if name not in FACTORIES:
        message = f"There is no pin factory {name!r}; the factories are {', '.join(FACTORIES)}."
        raise UrpiError(message)
    if chip is not None and name != "lgpio":
        message = f"A gpiochip number applies only to lgpio; omit it with {name}."
        raise UrpiError(message)
    return FACTORIES[name](chip)


def lazy_pin_factory(name: str, *, chip: int | None = None) -> Any:
    """Return a gpiozero pin factory, which is opened on first use if its pins are unavailable.

    While they are unavailable, each attempt to open a pin raises `PinsUnavailableError`. The
    arguments are those of `pin_factory`.

    Raises:
        UrpiError: As `pin_factory`, except for unavailable pins.
    """
    try:
        return pin_factory(name, chip=chip)
    except PinsUnavailableError:
        return LazyFactory(partial(pin_factory, name, chip=chip))


class LazyFactory:
    """A pin factory that is created on first use, and forwards every attribute to it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make, self._made = make, None
        self._making = Lock()

    def __getattr__(self, name: str) -> Any:
        with self._making:
            self._made = self._made or self._make()
        return getattr(self._made, name)


def header_chip(chips: Iterable[tuple[int, str]]) -> int:
    """Return the number of the header's chip among pairs of number and label.

    Raises:
        UrpiError: If there is none.

    >>> header_chip([(0, "gpio-brcmstb@107d508500"), (15, "pinctrl-rp1")])
    15
    """
    found = list(chips)
    for number, label in found:
        if label in HEADER_LABELS:
            return number
    seen = ", ".join(f"{number} {label}" for number, label in found) or "none"
    message = (
        f"No gpiochip of the 40-pin header was found (seen: {seen}); is this a Raspberry Pi, and"
        " is the user in the group gpio? Else name the chip, or play on the virtual table."
    )
    raise UrpiError(message)


def gpio_chips(devices: Path = Path("/dev")) -> Iterator[tuple[int, str]]:
    """Yield the number and label of every gpiochip that this user may open."""
    import fcntl  # noqa: PLC0415 - not on every system that plays the virtual table

    for path in sorted(devices.glob("gpiochip*")):
        try:
            with path.open("rb") as device:
                data = fcntl.ioctl(device, _CHIP_INFO, bytes(struct.calcsize(_CHIP_INFO_FORMAT)))
        except OSError:
            continue
        _, label, _ = struct.unpack(_CHIP_INFO_FORMAT, data)
        yield int(path.name.removeprefix("gpiochip")), label.rstrip(b"\0").decode()


def open_pin(what: str, gpio: int, make: Callable[[], _Device]) -> _Device:
    """Open a pin.

    Args:
        what: The pin's purpose, for the error message.
        gpio: The BCM number.
        make: Opens it with gpiozero.

    Raises:
        PinsUnavailableError: If the pin cannot be opened at present.
    """
    try:
        return make()
    except PinsUnavailableError:
        raise
    # The pin libraries' exceptions share no base class with gpiozero's.
    except Exception as error:
        fault = pin_fault(f"{what} on GPIO {gpio}", error)
    # Raised without the original exception as its cause: its traceback refers to the device that
    # failed, and gpiozero keeps the pin reserved while that device is referenced.
    raise fault


def contact_input(what: str, gpio: int, factory: Any) -> DigitalInputDevice:
    """Open a pin as an input with pull-up; see `open_pin`."""
    return open_pin(what, gpio, lambda: DigitalInputDevice(gpio, pull_up=True, pin_factory=factory))


def close_input(contact: Any, pauses_s: Iterable[float] = BUSY_PAUSES_S) -> None:
    """Close an input; try again after a pause while its pin is busy.

    lgpio's thread that reads edges releases a pin between two polls (joan2937/lg, lgPthAlerts.c),
    which can be late on a busy machine. Until then lgpio raises "GPIO busy".
    """
    pin = contact.pin
    for pause_s in pauses_s:
        try:
            contact.close()
        # The pin libraries' exceptions share no base class.
        except Exception:
            time.sleep(pause_s)
        else:
            return
    _log.warning("%s could not be released; it is when the program ends.", pin)


def pin_fault(what: str, error: Exception) -> PinsUnavailableError:
    """Return the error for a pin that cannot be used."""
    return PinsUnavailableError(
        f"{what} cannot be used: {error}; does another program hold the pin, such as the service?"
    )


def reclaim_later(contact: Any, then: Callable[[], None]) -> Timer:
    """Claim an open input's pin a second time, after a delay, and then call `then`.

    This works around a race in lgpio (joan2937/lg, lgPthAlerts.c, xWaitForSignal): its thread
    that reads edges checks for claimed pins before it waits on a condition variable, and does
    not check again. If the only claim falls in between, no edge is reported until another claim
    wakes the thread. gpiozero claims a pin again when its edges are set. Edges in the meantime
    are lost, so `then` should read the pin's level.

    Returns:
        The started timer. Cancel and join it before closing the contact.

    The timer is the caller's to cancel and to join before it closes the pin.
    """
    timer = Timer(RECLAIM_DELAY_S, _reclaim, (contact, then))
    timer.name, timer.daemon = "urpi-claim", True
    timer.start()
    return timer


def _reclaim(contact: Any, then: Callable[[], None]) -> None:
    """Claim a pin again; repeatedly while it is busy, as in `close_input`."""
    pin, problem = contact.pin, None
    for pause_s in BUSY_PAUSES_S:
        try:
            if problem is not None:
                # The attempt that failed has released it, and its pull-up is lost.
                pin.function, pin.pull = "input", "up"
            pin.edges = "both"
            then()
        # The pin libraries' exceptions share no base class.
        except Exception as error:
            problem = error
            time.sleep(pause_s)
        else:
            return
    # Without the input itself: its text contains its level, which cannot be read. The next read
    # of the pin reports the fault.
    _log.error("%s could not be claimed again.", pin, exc_info=problem)


def _lgpio(chip: int | None) -> Any:
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - a Pi's library
    except ImportError as error:
        message = (
            f"The library lgpio is missing ({error}); run `sudo apt install python3-lgpio` on the"
            " Pi. A virtual environment must be made with --system-site-packages."
        )
        raise UrpiError(message) from error
    number = _header_chip_here() if chip is None else chip
    return _opened(f"/dev/gpiochip{number}", lambda: LGPIOFactory(chip=number))


def _header_chip_here() -> int:
    try:
        return header_chip(gpio_chips())
    except UrpiError as error:
        if not has_header():
            raise
        raise PinsUnavailableError(str(error)) from error


def has_header(model: Path = _MODEL) -> bool:
    """Whether this machine is a Raspberry Pi. `model` defaults to the file of its device tree."""
    try:
        return model.read_text("utf-8").startswith("Raspberry Pi")
    except (OSError, UnicodeDecodeError):
        return False


def _rpigpio(_chip: int | None) -> Any:
    try:
        from gpiozero.pins.rpigpio import RPiGPIOFactory  # noqa: PLC0415 - a Pi's library
    except (ImportError, RuntimeError) as error:
        message = (
            f"The library RPi.GPIO cannot be used ({error}); install urpi[pi-legacy] on a Raspberry"
            " Pi up to the 4 with a kernel before 6.6, otherwise use lgpio."
        )
        raise UrpiError(message) from error
    return _opened("RPi.GPIO", RPiGPIOFactory)


class BoundedMockPin(MockPWMPin):  # type: ignore[misc]
    """gpiozero's mock pin with PWM, which the buzzer needs, that keeps its latest states only.

    gpiozero's own pin logs every state for its tests, which fills the memory of a table that is
    played at for hours.
    """

    def clear_states(self) -> None:
        """Forget all states but the current one, and keep `KEPT_STATES` at most from now on."""
        super().clear_states()
        self.states: deque[Any] = deque(self.states, maxlen=KEPT_STATES)


def _mock(_chip: int | None) -> Any:
    return MockFactory(pin_class=BoundedMockPin)


def _opened(what: str, make: Callable[[], Any]) -> Any:
    try:
        return make()
    # The libraries raise classes of their own that share no base below Exception.
    except Exception as error:
        message = f"{what} cannot be opened: {error}; is the user in the group gpio?"
        raise PinsUnavailableError(message) from error


FACTORIES: Final[Mapping[str, Callable[[int | None], Any]]] = MappingProxyType(
    {"lgpio": _lgpio, "rpigpio": _rpigpio, "mock": _mock}
)
"""Every pin factory by name."""
