"""The game clock in one row: each side's time, and on a lit strip that of the running clock."""

from typing import Final

from PIL import Image

from urpi.referee.seats import is_engine
from urpi.referee.snapshot import Snapshot
from urpi.rules import Side
from urpi.show.views.panel import WIDTH
from urpi.show.views.text import ROW, draw_inverted, draw_rows, ink_width, second
from urpi.show.views.turn import draw_disc

MINUTE_MS: Final = 60_000
_LONG_STEP_MS: Final = 10_000
_STEP_MS: Final = 1000
"""What the last minute is shown in. Before it nobody plays by the second, and each change of the
picture occupies the display's bus."""
_DISC: Final = 9
_DISC_TOP: Final = 3
_GAP: Final = 4


def clock_text(left_ms: int) -> str:
    """Return a time as the display shows it, rounded up to what it is shown in.

    >>> [clock_text(ms) for ms in (600_000, 594_001, 60_001, 60_000, 59_000, 1, 0)]
    ['10:00', '10:00', '1:10', '1:00', '0:59', '0:01', '0:00']
    """
    step = _step(left_ms)
    minutes, seconds = divmod(-(-left_ms // step) * step // 1000, 60)
    return f"{minutes}:{seconds:02}"


def lasts_ms(left_ms: int) -> int:
    """Return for how long a running clock's text remains the same.

    >>> lasts_ms(594_001), lasts_ms(60_000), lasts_ms(59_000), lasts_ms(0)
    (4001, 1000, 1000, 0)
    """
    step = _step(left_ms)
    return left_ms - max(0, (-(-left_ms // step) - 1) * step)


def _step(left_ms: int) -> int:
    return _LONG_STEP_MS if left_ms > MINUTE_MS else _STEP_MS


def draw_clocks(image: Image.Image, top: int, snapshot: Snapshot) -> bool:
    """Draw the row of the clocks, and return whether the game has one; the engine has none."""
    clock = snapshot.clock
    if clock is None:
        return False
    for side in Side:
        if is_engine(snapshot.seat(side)):
            continue
        left = side.number * WIDTH // 2
        draw_disc(image, (left, top + _DISC_TOP), side, _DISC)
        text, at = clock_text(clock.left_ms[side.number]), left + _DISC + _GAP
        if side is clock.running:
            draw_inverted(image, (at, top), text, second(), (ink_width(second(), text) + 4, ROW))
        else:
            draw_rows(image, top, text, 1, (at + 2, WIDTH // 2 - _DISC - _GAP))
    return True
