"""The table's contacts on gpiozero's mock pins: a closed contact pulls its pin low.

The program opens the same pins with pull-ups (`urpi.hardware.contacts`) and receives each edge.
"""

from collections.abc import Callable
from typing import Any

from urpi.hardware.pins import PinMap
from urpi.rules import ALL_SQUARES, Side, Square


class MockPins:
    """Drives the pins of gpiozero's `MockFactory` that a pin map assigns to the contacts.

    Call `refresh` after the program has opened the pins, because its pull-ups have raised them all.
    """

    def __init__(self, factory: Any, pins: PinMap) -> None:
        self._squares = tuple(factory.pin(gpio) for gpio in pins.squares)
        self._buttons = {side: factory.pin(gpio) for side, gpio in pins.buttons.items()}
        self._closed = [False] * len(ALL_SQUARES)
        self._down = dict.fromkeys(Side, False)

    def square(self, square: Square, on: bool) -> None:
        """Close or open a square's contact."""
        self._closed[square] = on
        _drive(self._squares[square], closed=on)

    def button(self, side: Side, down: bool) -> None:
        """Press or release a player's button."""
        self._down[side] = down
        _drive(self._buttons[side], closed=down)

    def refresh(self) -> None:
        """Drive every pin to the level of its contact."""
        for square, closed in enumerate(self._closed):
            _drive(self._squares[square], closed=closed)
        for side, down in self._down.items():
            _drive(self._buttons[side], closed=down)


def _drive(pin: Any, *, closed: bool) -> None:
    drive: Callable[[], None] = pin.drive_low if closed else pin.drive_high
    drive()
