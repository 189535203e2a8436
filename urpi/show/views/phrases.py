"""Phrases that several views use: a player's name, the last event, and a refusal."""

from typing import TypeAlias
from unicodedata import normalize

from urpi.referee.decisions import (
    Decision,
    Moved,
    Passed,
    Refused,
    RollRefused,
    Starts,
    TakenBack,
)
from urpi.referee.snapshot import Snapshot
from urpi.rules import Side, Throw
from urpi.show.views.bitmap_font import font
from urpi.show.views.panel import WIDTH
from urpi.show.views.text import SMALL, second, with_name
from urpi.show.words import Words
from urpi.show.words.move_texts import move_arrows, shown_move

StartThrows: TypeAlias = tuple[Throw | None, Throw | None]


def player_name(snapshot: Snapshot, side: Side, words: Words) -> str:
    """Return the player's name, or the side's name if there is none that the panel can show.

    A name in a script without letters in the font, such as Chinese, is on the page; here both
    players' names would be the same row of boxes. Of a player at another table with the place:
    ``Ann (Lisbon)``.
    """
    name = normalize("NFC", snapshot.name(side))
    if not name or not is_legible(name):
        name = words.side(side)
    return f"{name} ({snapshot.place})" if side is snapshot.remote else name


def is_legible(name: str) -> bool:
    """Return whether the font has all letters of a name, small and capital."""
    name = normalize("NFC", name)
    return font(SMALL).has(name + name.upper())


def last_event(snapshot: Snapshot, words: Words) -> str:
    """Return the last event as one short line, empty if there is nothing to show."""
    template, side = _event(snapshot.last, words, snapshot.start_throws)
    if side is None:
        return template
    return with_name(template, player_name(snapshot, side, words), second(), WIDTH)


def action_template(acted: Moved | Passed | TakenBack, words: Words) -> str:
    """Return a move, pass or take-back as one short line with ``{name}`` for the player."""
    return _event(acted, words)[0]


def _event(
    last: Decision | None, words: Words, start_throws: StartThrows = (None, None)
) -> tuple[str, Side | None]:
    match last:
        case Moved(side=side, move=move):
            return f"{{name}} {shown_move(move, words)}", side
        case TakenBack(side=side, move=move):
            # Translators: The line about what happened last: 21 letters with the name.
            put_back = words.text("{name} took back {move}")
            return put_back.replace("{move}", move_arrows(move)), side
        case Passed(side=side, code=code):
            return words.sentence(code, {"side": side.value, "name": "{name}"}), side
        case Starts(side=side, why=why):
            details = {"side": side.value, "name": "{name}", **_start_values(start_throws, side)}
            return words.sentence(why, details), side
        case _:
            return "", None


def _start_values(start_throws: StartThrows, side: Side) -> dict[str, str]:
    """Return the values that the winner and the loser threw for the start, if both are known."""
    won, lost = start_throws[side.number], start_throws[side.other.number]
    return {} if won is None or lost is None else {"won": str(won.value), "lost": str(lost.value)}


def refusal(snapshot: Snapshot, words: Words) -> str:
    """Return the sentence for what was refused last, empty if nothing was."""
    match snapshot.last:
        case RollRefused(side=side, code=code, dice=dice):
            names = ", ".join(map(str, dice))
            name = player_name(snapshot, side, words)
            return words.sentence(code, {"side": side.value, "name": name, "dice": names})
        case Refused(code=code, text=text):
            return text or words.sentence(code)
        case _:
            return ""
