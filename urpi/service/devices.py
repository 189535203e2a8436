"""Opening a board's devices on their backends, and reporting to the service which are unavailable.

What the devices are used for is decided in `urpi.service.board`.
"""

import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self

from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.core.extras import installation
from urpi.hardware import (
    ContactBackend,
    Contacts,
    DiceHealth,
    DiceSource,
    RetryingContacts,
    open_contacts,
)
from urpi.hardware.outputs.oled import Panel
from urpi.hardware.outputs.output import Output, Shown
from urpi.hardware.outputs.registry import OUTPUTS
from urpi.referee.facts import Fact
from urpi.service.backends import Backends
from urpi.service.notices import DeviceCode
from urpi.service.service import Service
from urpi.show.scene import Scene

if TYPE_CHECKING:
    from urpi.hardware import Screen

_MISSING: Final[dict[str, DeviceCode]] = {
    "hub": "hub-missing",
    "bluetooth": "bluetooth-missing",
}
"""The code of each source of dice that can be unavailable."""

_log: Final = logging.getLogger(__name__)


class BoardDevices:
    """The outputs, contacts and dice of a board. Use it in a ``with`` statement.

    Args:
        config: The configuration.
        backends: The backends to open the devices on.
        service: Receives the reports of unavailable devices and low batteries.
        on_fact: Called with each fact, in a thread of the device.
        preferred: Returns the configuration with the players' choice of sound and language.
    """

    def __init__(
        self,
        config: Config,
        backends: Backends,
        service: Service,
        on_fact: Callable[[Fact], None],
        preferred: Callable[[], Config],
    ) -> None:
        self._config, self._backends, self._service = config, backends, service
        self._on_fact, self._preferred = on_fact, preferred
        self._stack = ExitStack()
        self.outputs: dict[str, Shown] = {}
        """The open outputs by their names."""
        self._scene: Scene | None = None
        """What is shown now, without the events that led to it."""
        self.contacts: RetryingContacts
        self.dice: DiceSource

    def __enter__(self) -> Self:
        backends = self._backends
        with ExitStack() as stack:
            stack.callback(self._close_outputs, OUTPUTS)
            self._open_outputs(OUTPUTS)
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

    def _open_contacts(self) -> Contacts:
        backends = self._backends
        backend = ContactBackend(
            backends.factory, backends.pins, backends.open_bus, backends.repeat
        )
        clock = self._service.clock
        return open_contacts(self._config, backend, clock, self._on_fact, self._on_contacts_fault)

    def _open_outputs(self, outputs: Iterable[Output]) -> None:
        config, ends = self._preferred(), self._backends
        for output in outputs:
            # A virtual table shows its outputs even if the board's configuration has none.
            if not output.is_used(config) and output.name not in ends.far_ends:
                continue
            try:
                shown = output.open(config, ends, partial(_log_fault, output.title))
            except ImportError as error:
                if not output.extra:
                    raise
                cure = installation(output.extra)
                _log.warning("%s lacks a library (%s): %s.", output.title, error, cure)
            except UrpiError as error:
                _log.warning("%s", error)
            else:
                if shown is not None:
                    self.outputs[output.name] = shown

    def _close_outputs(self, outputs: Iterable[Output]) -> None:
        for output in outputs:
            if (shown := self.outputs.pop(output.name, None)) is not None:
                shown.close()

    @property
    def screen(self) -> "Screen | None":
        """The OLED, None if there is none or it is not open."""
        oled = self.outputs.get("oled")
        return oled.screen if isinstance(oled, Panel) else None

    def read_board(self) -> None:
        """Submit a reading of all squares now, and read them periodically from now on."""
        if (reading := self.contacts.read()) is not None:
            self._service.submit(reading)
        self._service.read_board(self.contacts.read, self._config.timing.full_reading_ms)

    def reopen_outputs(self) -> None:
        """Apply a changed sound or language. Call it in the service's thread."""
        outputs = [output for output in OUTPUTS if not output.retries]
        self._close_outputs(outputs)
        self._open_outputs(outputs)
        if self._scene is not None:
            self.show(self._scene)

    def wake(self) -> None:
        """Restore the outputs' brightness after a sign of activity."""
        for shown in tuple(self.outputs.values()):
            shown.wake()

    def show(self, scene: Scene) -> None:
        """Show a scene on every output. Call it in the service's thread."""
        self._scene = replace(scene, decisions=(), asks=False)
        for name, shown in tuple(self.outputs.items()):
            try:
                shown.show(scene)
            except (OSError, UrpiError) as error:
                # The game continues without it, until it is opened again.
                _log.warning("The output %r has failed: %s", name, error)
                del self.outputs[name]
                with suppress(OSError, UrpiError):
                    shown.close()

    def _on_dice_health(self, health: DiceHealth) -> None:
        self._report_sources(health)
        if not health.available:
            return
        self._service.report_dice("same-number", health.twins)
        self._service.report_dice("battery-low", health.low)

    def _report_sources(self, health: DiceHealth) -> None:
        for source, code in _MISSING.items():
            if source in health.unavailable:
                self._service.notices.set_unavailable(code, self._service.clock())
            else:
                self._service.notices.set_available(code)

    def _on_contacts_fault(self, fault: UrpiError | None) -> None:
        if fault is None:
            _log.warning("The board's switches answer again.")
            self._service.notices.set_available("contacts-missing")
        else:
            _log.warning("%s", fault)
            self._service.notices.set_unavailable("contacts-missing", self._service.clock())

    def _on_pins_fault(self, fault: UrpiError | None) -> None:
        self._on_contacts_fault(fault)
        if fault is None:
            # The outputs' pins have become available together with those of the switches.
            self._service.call(self.reopen_outputs).add_done_callback(log_failure)


def log_failure(done: Future[Any]) -> None:
    """Log the exception of a future whose result is not used."""
    if not done.cancelled() and (error := done.exception()) is not None:
        _log.error("%s", error)


def _log_fault(title: str, fault: UrpiError | None) -> None:
    _log.warning("%s", fault or f"The {title} answers again.")
