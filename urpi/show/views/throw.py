"""The views before a throw: whose turn it is, the moving dice, and the throws for the start."""

from typing import Final

from PIL import Image

from urpi.referee.snapshot import Snapshot
from urpi.rules import Side, Starter
from urpi.show.views.clock import draw_clocks
from urpi.show.views.coach import draw_coached
from urpi.show.views.dice_row import (
    BIG_DIE,
    SMALL_DIE,
    DieSymbol,
    draw_dice,
    row_width,
    symbols_of,
)
from urpi.show.views.panel import WIDTH, blank
from urpi.show.views.phrases import last_event, player_name, refusal
from urpi.show.views.score import draw_score
from urpi.show.views.text import ROW, draw_main, draw_rows, fits_main, ink_width, second, with_name
from urpi.show.views.turn import BESIDE, draw_disc, draw_fault_marker, draw_turn
from urpi.show.words import Words
from urpi.show.words.sentences import NC_

_ROLLING_TOP: Final = 36
_REFUSED_TOP: Final = 10
_GAP: Final = 6
_HALF: Final = WIDTH // 2
_THROWER: Final = 3
"""The height in pixels of the bar below the side that throws for the start."""


def draw_throw(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw whose throw it is, with the dice as they settle, the coach, or else what happened."""
    refused = refusal(snapshot, words)
    if snapshot.coached is not None and not refused:
        return draw_coached(snapshot, snapshot.coached, words)
    image = blank()
    if refused and snapshot.refused and snapshot.side is not None:
        _draw_refused_dice(image, snapshot, snapshot.side)
    elif _dice_are_moving(snapshot) and not refused:
        _draw_moving_dice(image, snapshot, words)
    else:
        _draw_thrower(image, snapshot, words)
    if refused:
        draw_rows(image, 2 * ROW, refused, 2)
    elif not _dice_are_moving(snapshot):
        _draw_what_happened(image, snapshot, words)
    return image


def _draw_thrower(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    if snapshot.side is None:
        # Translators: Whose turn it is is not known: about 12 high letters, or two lines.
        draw_main(image, (0, 0), words.text("Throw the dice"), WIDTH)
    else:
        draw_turn(image, snapshot, snapshot.side, words)


def _draw_what_happened(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    """Draw what to do, and below it what happened last, with the score."""
    what = _what_to_do(snapshot, words)
    event = last_event(snapshot, words)
    faults, position = snapshot.faults, snapshot.position
    if not event and not faults and snapshot.clock is None and fits_main(what, WIDTH):
        draw_main(image, (0, 2 * ROW), what, WIDTH)
        return
    draw_rows(image, 2 * ROW, what, 1)
    if not draw_clocks(image, 3 * ROW, snapshot):
        draw_rows(image, 3 * ROW, event, 1)
    left = ink_width(second(), what) + _GAP
    if faults:
        draw_fault_marker(image, (left, 2 * ROW), WIDTH - left, faults, words)
    elif position is not None:
        draw_score(image, 2 * ROW, position, words, WIDTH - left)


def _what_to_do(snapshot: Snapshot, words: Words) -> str:
    if snapshot.may_decline:
        # Translators: Who holds the button declines the extra throw: 21 letters.
        return words.text("Hold: no extra throw")
    throws = snapshot.program_throws(snapshot.side)
    # Translators: After a name, in high letters: the program throws, or the player must throw.
    # About 8 letters.
    return words.text(NC_("verb", "throws")) if throws else words.text("to throw")


def _dice_are_moving(snapshot: Snapshot) -> bool:
    """Return whether a throw has begun: a die is rolling, or only some have settled."""
    settled = {die for die, _ in snapshot.settled}
    return bool(snapshot.rolling) or bool(settled - set(snapshot.waiting) and snapshot.waiting)


def _draw_moving_dice(image: Image.Image, snapshot: Snapshot, words: Words) -> None:
    """Draw whose dice they are, and the dice; or, beside the disc, which are waited for."""
    waiting = [die for die in snapshot.waiting if die not in snapshot.rolling]
    if snapshot.side is None or snapshot.rolling or not waiting:
        _draw_thrower(image, snapshot, words)
    else:
        names = ", ".join(map(str, waiting))
        # Translators: Which dice have not been thrown or seen yet: two lines, about 30 letters.
        caption = words.count(
            "Waiting: die {dice}", "Waiting: dice {dice}", len(waiting), dice=names
        )
        draw_disc(image, (0, 3), snapshot.side)
        draw_rows(image, 0, caption, 2, (BESIDE, WIDTH - BESIDE))
    _draw_dice_row(image, snapshot)


def _draw_refused_dice(image: Image.Image, snapshot: Snapshot, side: Side) -> None:
    """Draw the side that threw, and beside its disc the dice that do not count."""
    draw_disc(image, (0, 3), side)
    symbols = tuple(DieSymbol(die, face) for die, face in snapshot.refused)
    draw_dice(image, (BESIDE + _GAP, _REFUSED_TOP), _body(snapshot), symbols, SMALL_DIE)


def _draw_dice_row(image: Image.Image, snapshot: Snapshot) -> None:
    symbols = symbols_of(snapshot)
    left = (WIDTH - row_width(len(symbols), BIG_DIE)) // 2
    draw_dice(image, (left, _ROLLING_TOP), _body(snapshot), symbols, BIG_DIE)


def _body(snapshot: Snapshot) -> str:
    return snapshot.position.rules.dice.body if snapshot.position else "d4"


def draw_start_throw(snapshot: Snapshot, words: Words) -> Image.Image:
    """Draw whose throw for the start it is, and both throws so far."""
    image = blank()
    for side in Side:
        _draw_start_value(image, snapshot, side)
    refused = refusal(snapshot, words)
    if refused:
        draw_rows(image, 2 * ROW, refused, 2)
    elif _dice_are_moving(snapshot):
        _draw_dice_row(image, snapshot)
    else:
        text = _start_text(snapshot, words)
        rows = 1 if ink_width(second(), text) <= WIDTH else 2
        draw_rows(image, 2 * ROW, text, rows)
        if rows == 1:
            draw_rows(image, 3 * ROW, _thrower(snapshot, words), 1)
    return image


def _draw_start_value(image: Image.Image, snapshot: Snapshot, side: Side) -> None:
    """Draw a side's disc and what it threw; a bar marks the side to throw."""
    left, throw = side.number * _HALF, snapshot.start_throws[side.number]
    throws = side is snapshot.side
    draw_disc(image, (left, 1), side)
    value = str(throw.value) if throw is not None else "?" if throws else "-"
    draw_main(image, (left + BESIDE + 2, 0), value, _HALF - BESIDE - 2)
    if throws:
        image.paste(1, (left, 2 * ROW - _THROWER, left + _HALF - _GAP, 2 * ROW))


def _thrower(snapshot: Snapshot, words: Words) -> str:
    if snapshot.side is None:
        return words.text("Throw the dice")
    name = player_name(snapshot, snapshot.side, words)
    throws = snapshot.program_throws(snapshot.side)
    # Translators: The program throws for this player, or the player must throw: the two must
    # differ. 16 letters.
    title = words.text("{name} throws") if throws else words.text("{name} to throw")
    return with_name(title, name, second(), WIDTH)


def _start_text(snapshot: Snapshot, words: Words) -> str:
    if None in snapshot.start_throws:
        # Translators: Both players throw, and the throws decide who begins: 21 letters.
        return words.text("Throw for the start")
    if snapshot.starter is Starter.ONE_MARK:
        # Translators: Who throws the only 1 begins; both did or neither: two lines of 21 letters.
        return words.text("Not exactly one 1: both throw again")
    # Translators: Both threw the same for the start: 21 letters.
    return words.text("A tie: both throw again")
