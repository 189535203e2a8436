"""The screen: a thread that shows the newest picture on a panel and runs its screen saver.

`urpi.hardware.oled` sends the pictures, and `urpi.hardware.screen_saver` decides when the panel is
dimmed.
"""

from collections.abc import Callable
from threading import Condition
from typing import Final

from PIL import Image

from urpi.core.errors import UrpiError
from urpi.core.moments import milliseconds
from urpi.core.supervision import SupervisedThread
from urpi.hardware.oled import DEVICE_ERRORS, NOP, SIZE, Device, no_response
from urpi.hardware.screen_saver import Appearance, Brightness, ScreenSaver, shifted

DIM_LEVEL: Final = 1
"""The contrast of a dimmed panel; at 0 some panels are dark."""
FULL_LEVEL: Final = 128
"""The default contrast."""
NEVER: Final = ScreenSaver(dim_ms=0, blank_ms=0)
"""A screen saver that is switched off."""


def _check(image: Image.Image) -> None:
    if image.mode != "1" or image.size != SIZE:
        message = (
            f"A picture for the OLED must be 128 x 64 in mode 1; found {image.size} in "
            f"{image.mode}."
        )
        raise UrpiError(message)


class Screen:
    """A panel that is updated in a thread of its own until `close`.

    Callers never wait for the panel: only the newest picture is sent, and pictures that were
    replaced before are skipped.

    Args:
        open_panel: Opens the panel. It is called again if the panel does not respond, because
            a panel that lost its power must be set up again.
        on_fault: Called in the screen's thread with the error when the panel stops responding,
            and with None when it responds again.
        retry_s: Seconds between two attempts to open the panel.
        probe_s: Seconds between two checks of whether the panel responds while nothing changes;
            None for no checks.
        renew_s: Seconds after which the panel is set up again and its picture is sent as a whole,
            at the next check or picture: a panel that was without power for a moment responds, but
            is dark. None for never.
        saver: The screen saver. It counts from the last picture that differed and from the
            last `wake`.
        clock: Returns the real time in milliseconds, never decreasing.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        open_panel: Callable[[], Device],
        *,
        on_fault: Callable[[UrpiError | None], None] = lambda _fault: None,
        retry_s: float = 2.0,
        probe_s: float | None = None,
        renew_s: float | None = None,
        saver: ScreenSaver = NEVER,
        clock: Callable[[], int] = milliseconds,
    ) -> None:
        self._open_panel = open_panel
        self._device: Device | None = None
        self._on_fault, self._retry_s = on_fault, retry_s
        self._probe_s, self._renew_s = probe_s, renew_s
        self._saver, self._clock = saver, clock
        self._set_up_at = 0
        """When the panel was last set up."""
        self._changed = Condition()
        self._draw_image: Callable[[], Image.Image] | None = None
        self._image: Image.Image | None = None
        self._level = FULL_LEVEL
        self._woken_at = clock()
        self._shown: tuple[Brightness, int] | None = None
        """The panel's brightness and contrast, None while they are unknown."""
        # `_due`: a picture waits to be sent; `_busy`: one is being sent.
        self._due = self._busy = self._closing = self._failed = False
        self._thread = SupervisedThread(self._run, "oled", is_vital=True)
        self._thread.start()

    @property
    def responding(self) -> bool:
        """Whether the panel responded to the last transfer. Thread-safe."""
        return not self._failed

    def show(self, image: Image.Image) -> None:
        """Show a picture of 128 x 64 pixels in mode ``1`` as soon as the panel is free.

        Raises:
            UrpiError: If the picture has another size or mode.
        """
        _check(image)
        # The caller may draw on its image again before this one is sent.
        kept = image.copy()
        self.show_drawn(lambda: kept)

    def show_drawn(self, draw: Callable[[], Image.Image]) -> None:
        """Call `draw` in the screen's thread and show its picture, unless a newer one follows."""
        with self._changed:
            self._draw_image = draw
            self._due = True
            self._changed.notify_all()

    def wake(self) -> None:
        """End dimming and restart the screen saver's time, because a player is at the board."""
        with self._changed:
            # While bright there is nothing to redraw, however often a player wakes the panel.
            resting = self._appearance().brightness is not Brightness.BRIGHT
            self._woken_at = self._clock()
            if resting:
                self._due = True
                self._changed.notify_all()

    def flush(self, timeout_s: float = 1.0) -> bool:
        """Wait until the newest picture has been sent, and return False on a timeout.

        The default of 1 s is ten times what a picture takes at 100 kHz.
        """
        with self._changed:
            return self._changed.wait_for(lambda: not self._due and not self._busy, timeout_s)

    def dim(self, level: int) -> None:
        """Set the contrast outside the screen saver: 0 (dimmest, not off) to 255.

        Raises:
            UrpiError: If it is out of range.
        """
        if not 0 <= level <= 255:
            message = f"The OLED's brightness must be from 0 to 255; found {level}."
            raise UrpiError(message)
        with self._changed:
            self._level = level
            self._due = True
            self._changed.notify_all()

    def close(self) -> None:
        """Stop the thread and switch the panel off."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.end()
        self._close_panel()

    def _run(self) -> None:
        part = self._thread.part
        while self._wait():
            part.alive()
            try:
                self._draw()
            except (*DEVICE_ERRORS, UrpiError) as error:
                self._set_fault(error)
            else:
                self._set_fault(None)
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()
                part.alive(None)

    def _appearance(self) -> Appearance:
        return self._saver.appearance(self._clock() - self._woken_at)

    def _wait(self) -> bool:
        with self._changed:
            # Not for a new picture: that would retry a broken panel at every change of the game.
            if self._failed:
                self._changed.wait_for(lambda: self._closing, self._retry_s)
            else:
                self._changed.wait_for(lambda: self._due or self._closing, self._until_due())
            # Set together under the lock, so that `flush` never sees neither of them.
            self._due, self._busy = False, True
            return not self._closing

    def _until_due(self) -> float | None:
        idle_ms = self._clock() - self._woken_at
        change = self._saver.next_change(idle_ms)
        rest_s = None if change is None else max(change - idle_ms, 0) / 1000
        return min((s for s in (rest_s, self._probe_s) if s is not None), default=None)

    def _draw(self) -> None:
        device = self._panel()
        with self._changed:
            draw, level = self._draw_image, self._level
        # Without the lock: drawing takes a while, and callers must not wait for it.
        image = draw() if draw is not None else None
        if image is not None and image != self._image:
            self._image, self._woken_at = image, self._clock()
        appearance = self._appearance()
        if appearance.brightness is not Brightness.DARK and self._image is not None:
            device.display(shifted(self._image, appearance.shift))
        level = level if appearance.brightness is Brightness.BRIGHT else min(level, DIM_LEVEL)
        self._set_brightness(device, appearance.brightness, level)

    def _panel(self) -> Device:
        if self._device is not None and not self._failed:
            if (
                self._renew_s is not None
                and self._clock() - self._set_up_at >= self._renew_s * 1000
            ):
                self._set_up_at = self._clock()
                self._shown = None
                self._device.renew()
            elif self._probe_s is not None:
                # A transfer without an effect, which fails if the panel does not respond.
                self._device.command(NOP)
            return self._device
        lost, self._device, self._shown = self._device, None, None
        if lost is not None:
            lost.release()
        self._device, self._set_up_at = self._open_panel(), self._clock()
        return self._device

    def _set_brightness(self, device: Device, brightness: Brightness, level: int) -> None:
        # Unknown until the commands have succeeded.
        was, self._shown = self._shown, None
        if brightness is Brightness.DARK:
            if was is None or was[0] is not Brightness.DARK:
                device.hide()
        elif was != (brightness, level):
            device.contrast(level)
            if was is None or was[0] is Brightness.DARK:
                device.show()
        self._shown = brightness, level

    def _set_fault(self, error: Exception | None) -> None:
        if error and not self._failed:
            self._on_fault(error if isinstance(error, UrpiError) else no_response(error))
        elif self._failed and not error:
            self._on_fault(None)
        self._failed = error is not None

    def _close_panel(self) -> None:
        try:
            if self._device is not None:
                self._device.cleanup()
        except DEVICE_ERRORS as error:
            self._set_fault(error)
