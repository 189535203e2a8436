"""Opening a board's devices on their backends, and reporting to the service which are unavailable.

What the devices are used for is decided in `urpi.service.board`.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, Self

from PIL import Image

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.hardware import (
    ContactBackend,
    Contacts,
    DiceHealth,
    DiceSource,
    RetryingContacts,
    ScreenSaver,
    SoundPlayer,
    open_contacts,
    open_sound,
)
from urpi.referee.facts import Fact
from urpi.service.backends import Backends
from urpi.service.notices import DeviceCode
from urpi.service.service import Service
from urpi.show.menu import DieInfo

if TYPE_CHECKING:
    from urpi.hardware import Screen

PROBE_S: Final = 2.0
"""Seconds between two checks of whether the OLED responds."""

_MISSING: Final[dict[str, DeviceCode]] = {
    "hub": "hub-missing",
    "bluetooth": "bluetooth-missing",
}
"""The code of each source of dice that can be unavailable."""

_log: Final = logging.getLogger(__name__)


class BoardDevices:
    """The display, sound, contacts and dice of a board. Use it in a ``with`` statement.

    Args:
        config: The configuration.
        backends: The backends to open the devices on.
        service: Receives the reports of unavailable devices and low batteries.
        on_fact: Called with each fact, in a thread of the device.
        sound_config: Returns the configuration with the players' choice of sound and language.
    """

    def __init__(
        self,
        config: Config,
        backends: Backends,
        service: Service,
        on_fact: Callable[[Fact], None],
        sound_config: Callable[[], Config],
    ) -> None:
        self._config, self._backends, self._service = config, backends, service
        self._on_fact, self._sound_config = on_fact, sound_config
        self._stack = ExitStack()
        self._player: SoundPlayer | None = None
        self.screen: Screen | None = None
        """The OLED, None if there is none or it is not open."""
        self.contacts: RetryingContacts
        self.dice: DiceSource

    def __enter__(self) -> Self:
        backends = self._backends
        with ExitStack() as stack:
            if backends.open_oled is not None:
                self.screen = self._open_screen(backends.open_oled)
                stack.callback(self.screen.close)
            stack.callback(self._close_sound)
            self._open_sound()
            self.contacts = RetryingContacts(self._open_contacts, self._on_pins_fault)
            stack.callback(self.contacts.close)
            self.dice = backends.make_dice(self._service.clock)
            stack.callback(self.dice.close)
            self._report_sources(self.dice.health)
            self.dice.start(self._on_fact, self._on_dice_health)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _open_screen(self, open_oled: Callable[[], Any]) -> "Screen":
        # A board without a display needs no luma.
        from urpi.hardware import Screen  # noqa: PLC0415

        oled = self._config.oled
        saver = ScreenSaver(dim_ms=1000 * oled.dim_s, blank_ms=1000 * oled.blank_s)
        screen = Screen(open_oled, saver=saver, probe_s=PROBE_S, on_fault=_log_oled)
        screen.dim(oled.contrast)
        return screen

    def _open_contacts(self) -> Contacts:
        backends = self._backends
        backend = ContactBackend(backends.factory, backends.pins, backends.open_bus)
        clock = self._service.clock
        return open_contacts(self._config, backend, clock, self._on_fact, self._on_contacts_fault)

    def _open_sound(self) -> None:
        backends = self._backends
        self._player = open_sound(self._sound_config(), backends.pins, backends.factory)

    def _close_sound(self) -> None:
        if self._player is not None:
            self._player.close()
            self._player = None

    @property
    def die_infos(self) -> tuple[DieInfo, ...]:
        """The status of every die that is paired or has reported since the start. Thread-safe."""
        return tuple(
            DieInfo(
                one.die,
                one.in_range,
                one.face,
                one.battery_mv,
                one.low,
                one.error,
                one.battery_percent,
            )
            for one in self.dice.statuses()
        )

    def read_board(self) -> None:
        """Submit a reading of all squares now, and read them periodically from now on."""
        if (reading := self.contacts.read()) is not None:
            self._service.submit(reading)
        self._service.read_board(self.contacts.read, self._config.timing.full_reading_ms)

    def reopen_sound(self) -> None:
        """Apply a changed sound or language. Call it in the service's thread."""
        self._close_sound()
        self._open_sound()

    def play(self, motif: str, text: str) -> None:
        """Play a motif and speak a text, as far as the players chose to, in place of the current.

        Args:
            motif: A key of `urpi.hardware.sound`'s motifs.
            text: The sentence to speak.
        """
        if self._player is not None:
            self._player.play(motif, text)

    def wake(self) -> None:
        """Restore the display's brightness after a sign of activity."""
        if self.screen is not None:
            self.screen.wake()

    def show(self, draw: Callable[[], Image.Image]) -> None:
        """Show the picture that `draw` returns; it is called in the display's thread."""
        if self.screen is not None:
            self.screen.show_drawn(draw)

    def _on_dice_health(self, health: DiceHealth) -> None:
        self._report_sources(health)
        if not health.available:
            return
        self._service.report_dice("same-number", health.twins)
        self._service.report_dice("battery-low", health.low)

    def _report_sources(self, health: DiceHealth) -> None:
        for source, code in _MISSING.items():
            if source in health.unavailable:
                self._service.report_unavailable(code)
            else:
                self._service.report_available(code)

    def _on_contacts_fault(self, fault: UrpiError | None) -> None:
        if fault is None:
            _log.warning("The board's switches answer again.")
            self._service.report_available("contacts-missing")
        else:
            _log.warning("%s", fault)
            self._service.report_unavailable("contacts-missing")

    def _on_pins_fault(self, fault: UrpiError | None) -> None:
        self._on_contacts_fault(fault)
        if fault is None:
            # The buzzer's pin has become available together with those of the switches.
            self._service.call(self.reopen_sound).add_done_callback(log_failure)


def log_failure(done: Future[Any]) -> None:
    """Log the exception of a future whose result is not used."""
    if not done.cancelled() and (error := done.exception()) is not None:
        _log.error("%s", error)


def _log_oled(fault: UrpiError | None) -> None:
    _log.warning("%s", fault or "The OLED answers again.")
