"""What the views call a player, and how they tell of what happened last."""

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
from urpi.rules import Side
from urpi.views.bitmap_font import font
from urpi.views.panel import WIDTH
from urpi.views.text import SMALL, with_name
from urpi.words import Words


def player(snapshot: Snapshot, side: Side, words: Words) -> str:
    """The player's name, or the side's when none was given."""
    return snapshot.name(side) or words.side(side)


def news(snapshot: Snapshot, words: Words) -> str:
    """The last thing that happened, for one short line; empty when there is nothing to tell."""
    template, side = _news(snapshot.last, words)
    if side is None:
        return template
    return with_name(template, player(snapshot, side, words), font(SMALL), WIDTH)


def told_of(acted: Moved | Passed | TakenBack, words: Words) -> str:
    """A move, pass or take-back for one short line, with ``{name}`` for the player's name."""
    return _news(acted, words)[0]


def _news(last: Decision | None, words: Words) -> tuple[str, Side | None]:
    match last:
        case Moved(side=side, move=move):
            return f"{{name}} {move}", side
        case TakenBack(side=side, move=move):
            return words.text("{name} put back {move}").replace("{move}", move), side
        case Passed(side=side, code=code):
            return words.say(code, {"side": side.value, "name": "{name}"}), side
        case Starts(side=side, why=why):
            return words.say(why, {"side": side.value, "name": "{name}"}), side
        case _:
            return "", None


def notice(snapshot: Snapshot, words: Words) -> str:
    """What was refused just now, as a sentence; empty when nothing was."""
    match snapshot.last:
        case RollRefused(side=side, code=code, dice=dice):
            names = ", ".join(map(str, dice))
            return words.say(code, {"side": side.value, "dice": names})
        case Refused(code=code, text=text):
            return text or words.say(code)
        case _:
            return ""
