"""The chain of LEDs below the squares: colours, current, and bytes for the data wire of SPI.

WS2812B and SK6812 read a bit from the length of its pulse. One bit is four of SPI, ``1000`` or
``1100``, so that no pulse extends over two bytes, where some SPI controllers make a pause.
"""

from collections.abc import Callable
from threading import Condition
from typing import Final, Protocol, TypeAlias

from urpi.config import LightsSection
from urpi.config.sections import COLOURS
from urpi.core.errors import UrpiError
from urpi.core.moments import milliseconds
from urpi.core.supervision import SupervisedThread
from urpi.referee import Snapshot
from urpi.show.lights import ALL_DARK, Colour, Light, Lights, Mode, lights

CHAIN: Final = (*range(6), *range(13, 5, -1), *range(14, 20))
"""The squares in the order of the data wire: A1 to A8, back from B8 to B1, and C1 to C8."""
SPEED_HZ: Final = 3_050_000
"""The clock of SPI. The Pi divides its core's clock by an even number, so that 200 MHz (Pi 5), 250,
400 and 500 MHz become 3.03 to 3.05 MHz: a pulse of 0.33 us for 0, and of 0.66 us for 1.

That is within the data sheets of WS2812B (0.25 to 0.55 us, 0.65 to 0.95 us), WS2812B-V5 (0.22 to
0.38 us, 0.58 to 1 us) and SK6812 (0.15 to 0.45 us, 0.45 to 0.75 us). So are the times between the
pulses, except that of WS2812B after a 1, whose sheet has 0.6 us and that of V5 up to 1 us. With
three bits of SPI for one, at 2.4 MHz, both pulses are too long for one of the three."""
RESET_BYTES: Final = 112
"""Low for 0.29 ms before and after a picture; WS2812B-V5 asks for 0.28 ms, the others for less."""
CURRENT_MA: Final = 20
"""Of one colour of one LED at its brightest. The data sheets have 12 (WS2812B-V5) to 20 mA."""
IDLE_MA: Final = 1
"""Of one LED that is dark (WS2812B-V5 0.6 mA, SK6812 1 mA)."""

PHASE_MS: Final = 125
"""An eighth of the second in which a light blinks or winks once."""
PAUSE_MS: Final = 40
"""Minimum time between two pictures."""
RENEW_MS: Final = 1000
"""Time after which a picture is sent again: an LED that lost its power for a moment is dark."""
RETRY_S: Final = 2.0
_DIM: Final = 0.12
"""The brightness of a dim light, as a share of that of the others."""
_CODES: Final = tuple(
    bytes.fromhex(f"{value:08b}".replace("0", "8").replace("1", "c")) for value in range(256)
)

_PHASES: Final = {Mode.BLINKING: 4, Mode.WINKING: 7}
"""The number of the eight phases in which a light is on that is not always."""

Rgb: TypeAlias = tuple[int, int, int]
DARK: Final[Rgb] = (0, 0, 0)


class Bus(Protocol):
    """What takes the bytes: SPI, or the LEDs of a virtual table."""

    def write(self, data: bytes) -> None: ...
    def close(self) -> None: ...


def encoded(colours: tuple[Rgb, ...]) -> bytes:
    """Return the bytes of SPI for the LEDs' colours, which have red, green and blue.

    >>> encoded(((0, 0xF0, 0),))[RESET_BYTES:-RESET_BYTES].hex()
    'cccc88888888888888888888'
    """
    gap = bytes(RESET_BYTES)
    return gap + b"".join(_CODES[n] for r, g, b in colours for n in (g, r, b)) + gap


def current_ma(colours: tuple[Rgb, ...]) -> float:
    """Return the highest current of LEDs with these colours."""
    return len(colours) * IDLE_MA + sum(map(sum, colours)) / 255 * CURRENT_MA


def colours_of(shown: Lights, now_ms: int, settings: LightsSection) -> tuple[Rgb, ...]:
    """Return the colour of each square's LED at a time, darkened to keep the current's limit.

    The limit applies to all lights of a picture together, so that none changes when others blink.
    """
    phase = now_ms // PHASE_MS % 8
    full = {light: _full(light, settings) for light in set(shown) if light is not None}
    needed = sum(sum(full[light]) for light in shown if light is not None) / 255 * CURRENT_MA
    share = min(1.0, (settings.limit_ma - IDLE_MA * len(shown)) / needed) if needed else 1.0
    now: dict[Light | None, Rgb] = {None: DARK} | {
        light: (int(red * share), int(green * share), int(blue * share))
        if phase < _PHASES.get(light.mode, 8)
        else DARK
        for light, (red, green, blue) in full.items()
    }
    return tuple(now[light] for light in shown)


def _full(light: Light, settings: LightsSection) -> tuple[float, float, float]:
    names = {
        Colour.LIGHT: settings.light_colour,
        Colour.DARK: settings.dark_colour,
        Colour.TAKE_OFF: settings.take_off_colour,
    }
    share = settings.brightness / 100 * (_DIM if light.mode is Mode.DIM else 1)
    red, green, blue = COLOURS[names[light.colour]]
    return red * share, green * share, blue * share


def is_night(hour: int, settings: LightsSection) -> bool:
    """Return whether the lights are off in an hour of the day.

    >>> [is_night(hour, LightsSection(night_from=22)) for hour in (21, 22, 6, 7)]
    [False, True, True, False]
    """
    begin, end = settings.night_from, settings.night_until
    return begin is not None and (hour - begin) % 24 < (end - begin) % 24


class LedChain:
    """The LEDs and the thread that sends them the newest snapshot's lights, until `close`.

    Args:
        open_bus: Opens the bus. It is called again after an error.
        settings: The section of the configuration.
        on_fault: Called in the thread with the error when the bus fails, and with None when it
            works again. Whether LEDs receive the bytes cannot be known.
        hour: Returns the hour of the local time.
        clock: Returns the real time in milliseconds, never decreasing.
    """

    def __init__(
        self,
        open_bus: Callable[[], Bus],
        settings: LightsSection,
        on_fault: Callable[[UrpiError | None], None],
        hour: Callable[[], int],
        clock: Callable[[], int] = milliseconds,
    ) -> None:
        self._open_bus, self._settings, self._on_fault = open_bus, settings, on_fault
        self._hour, self._clock = hour, clock
        self._bus: Bus | None = None
        self._changed = Condition()
        self._snapshot: Snapshot | None = None
        self._shown = ALL_DARK
        self._due = self._failed = self._closing = False
        self._thread = SupervisedThread(self._run, "lights")
        self._thread.start()

    def show(self, snapshot: Snapshot) -> None:
        """Show a snapshot's lights, unless a newer one follows before they are sent."""
        with self._changed:
            self._snapshot, self._due = snapshot, True
            self._changed.notify_all()

    def close(self) -> None:
        """Stop the thread and switch the lights off."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.end()
        if self._bus is not None:
            try:
                self._bus.write(encoded((DARK,) * len(CHAIN)))
            except OSError as error:
                self._set_fault(error)
            self._bus.close()

    def _run(self) -> None:
        part = self._thread.part
        while self._wait():
            part.alive()
            try:
                self._send()
            except (OSError, UrpiError) as error:
                self._set_fault(error)
            else:
                self._set_fault(None)
            part.alive(None)

    def _wait(self) -> bool:
        with self._changed:
            if self._failed:
                self._changed.wait_for(lambda: self._closing, RETRY_S)
            else:
                self._changed.wait_for(lambda: self._closing, PAUSE_MS / 1000)
                self._changed.wait_for(lambda: self._due or self._closing, self._rest_s())
            self._due = False
            return not self._closing

    def _rest_s(self) -> float:
        blinks = any(one is not None and one.mode in _PHASES for one in self._shown)
        period = PHASE_MS if blinks else RENEW_MS
        return (period - self._clock() % period) / 1000

    def _send(self) -> None:
        if self._bus is None:
            self._bus = self._open_bus()
        with self._changed:
            snapshot = self._snapshot
        if snapshot is not None:
            self._shown = lights(snapshot)
        shown = ALL_DARK if is_night(self._hour(), self._settings) else self._shown
        colours = colours_of(shown, self._clock(), self._settings)
        self._bus.write(encoded(tuple(colours[square] for square in CHAIN)))

    def _set_fault(self, error: Exception | None) -> None:
        if error is not None:
            if not self._failed:
                fault = UrpiError(f"The lights cannot be sent: {error}")
                self._on_fault(error if isinstance(error, UrpiError) else fault)
            bus, self._bus = self._bus, None
            if bus is not None:
                bus.close()
        elif self._failed:
            self._on_fault(None)
        self._failed = error is not None
