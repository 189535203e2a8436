"""What the display says, code by code: an example of each sentence, and what is behind it.

The codes and sentences are the program's; what each means is told here, and a test holds that none
is left out.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from docs.generator import markdown
from urpi.words import words_for
from urpi.words.sentences import (
    ENDINGS,
    FAULTS,
    NOTICES,
    REFUSED,
    ROLL_REFUSALS,
    STARTS,
    TURNS,
    WARNINGS,
    Sentence,
)

Details: TypeAlias = Mapping[str, str | int]


class Meaning(NamedTuple):
    """What is behind a code, and the details of an example."""

    meaning: str
    example: Details


def _means(meaning: str, **example: str | int) -> Meaning:
    return Meaning(meaning, example)


MOVED: Final[Details] = {"origin": "A4", "target": "A2", "fill": "A4", "clear": "A2"}
"""The example's move: from A4 to A2."""

MEANINGS: Final[Mapping[str, Mapping[str, Meaning]]] = {
    "warnings": {
        "no-throw-yet": _means("A piece was moved before this turn's throw counted.", **MOVED),
        "not-your-turn": _means(
            "The other side is on turn. A throw that gives no move, or that counts 0, ends a turn.",
            side="dark",
            **MOVED,
        ),
        "not-your-piece": _means("An enemy's piece was moved.", side="light", **MOVED),
        "two-moves": _means(
            "More pieces went than one throw moves.", fill="A4, B2", clear="A2, B4"
        ),
        "captured-piece-left": _means(
            "A piece was captured and stands elsewhere on the board now. It goes back to its "
            "owner's hand.",
            clear="B3",
        ),
        "must-enter": _means(
            "With nothing on the board a new piece comes in; the turn cannot be passed.",
            threw=2,
            fill="A4",
            clear="A2",
        ),
        "barred": _means(
            "The square is closed to that piece: the enemy's own row in `ravensburger`; in "
            "`freecompany` what lies behind an enemy, or where this throw places nothing.",
            **{**MOVED, "target": "C2", "clear": "C2"},
        ),
        "camp-held": _means(
            "`skiryuk`: the camp B7 is the side's who came first, until the last of its pieces "
            "leaves.",
            **{**MOVED, "target": "B7", "clear": ""},
        ),
        "camp-full": _means(
            "`skiryuk`, `ravensburger`: no more pieces may stand there.",
            **{**MOVED, "target": "B3", "clear": ""},
        ),
        "other-face": _means(
            "`skiryuk`: blank captures blank, dotted captures dotted; this one was of the other "
            "face.",
            **{**MOVED, "target": "B2"},
        ),
        "safe-square": _means(
            "An enemy stands on a square where nobody is captured, mostly a rosette.",
            **{**MOVED, "target": "B4", "origin": "B2"},
        ),
        "own-piece-there": _means(
            "Two pieces of one side may not share that square.", side="light", **MOVED
        ),
        "inexact-exit": _means(
            "A piece leaves the board by the exact throw alone: one more than the squares that are "
            "left.",
            threw=3,
            went=1,
            origin="A7",
        ),
        "wrong-distance": _means(
            "The piece went another number of squares than was thrown.", threw=2, went=3, **MOVED
        ),
        "backwards": _means("Most rule sets know only one direction.", **MOVED),
        "off-path": _means(
            "That side's way does not lead over that square.", **{**MOVED, "target": "C2"}
        ),
        "extra-piece": _means(
            "Something stands where no piece of the game is, and no move explains it. While a "
            "switch is stuck on, it looks like this at first.",
            clear="B5",
        ),
        "piece-missing": _means(
            "A piece is gone, and no move explains it. One that is merely lifted may be in a hand: "
            "then this comes after 12 seconds.",
            fill="A4",
        ),
        "must-move": _means(
            "Who can move must: the turn cannot be passed.",
            threw=2,
            fill="A4",
            clear="A2",
        ),
    },
    "throws": {
        "not-tumbled": _means(
            "The die was turned, slid or put down: it neither passed two faces nor fell freely. "
            "`tumbled_faces` and `free_fall_ms` of `[hub]` say how much is a throw.",
            dice="2",
        ),
        "cocked": _means(
            "The die has leaned on something for a second. Only it is thrown again.", dice="2"
        ),
        "missing-die": _means(
            "The other dice have lain still for five seconds, and this one was not thrown.",
            dice="3",
        ),
        "unplayed-throw": _means("Somebody threw again before the throw was played."),
        "not-your-turn": _means(
            "Where each side has dice of its own: the other side threw.", dice="5, 6"
        ),
    },
    "faults": {
        "stuck-on": _means(
            "That square's switch says that something stands there, whatever happens. The square "
            "is left out, and the rest of the board carries on.",
            device="B4",
        ),
        "stuck-off": _means(
            "A piece stands there for sure, and the switch does not feel it.", device="B4"
        ),
        "flicker": _means("The switch opens and closes with nobody at work.", device="B4"),
        "lost": _means(
            "The die does not answer. Its result can be entered by the buttons.",
            device="die 3",
        ),
    },
    "notices": {
        "resumed": _means("The program was stopped in mid-game, by whatever, and is back."),
        "disk-full": _means("Play goes on in memory. Make room: it is all written then."),
        "disk-read-only": _means("The same; a card that turns read-only is mostly worn out."),
        "disk-failing": _means("The same; the log has the reason (`journalctl -u urpi`)."),
        "not-stored": _means(
            "Stays as long as the disk does not take what is played.", since="19:02"
        ),
        "memory-full": _means(
            "Memory holds as much as it may: nothing more is decided until the disk takes it."
        ),
        "stored-again": _means("The disk has everything; nothing was lost."),
        "hub-missing": _means(
            "The hub's port is not there, or silent, or its radio is dead. It is taken up again by"
            " itself."
        ),
        "contacts-missing": _means(
            "The pins cannot be had, or an expander does not answer; `urpi doctor` says which."
        ),
        "battery-low": _means(
            "The die's cell is below 3.30 V. It is told once, and again after it was charged.",
            dice="3",
        ),
        "journal-damaged": _means(
            "The file was set aside, and what can be read of it was taken over: "
            "[the journal](../reference/journal.md)."
        ),
    },
    "refused": {
        "nothing-to-answer": _means("An answer came, and no question was open."),
        "not-a-candidate": _means("The answer is none of those that were offered."),
        "not-legal": _means("A move was entered that the throw does not allow."),
        "wrong-faces": _means("Faces were entered that these dice do not have."),
        "no-takeback": _means("No move was made yet, or the next throw was."),
        "no-draw": _means("Only `freecompany` knows draws, when the same comes five times."),
        "game-over": _means("The game has ended."),
        "no-game": _means("No game has begun."),
        "not-a-die": _means("A die of that number does not belong to this board."),
    },
    "starts": {
        "throw": _means("Both threw for it, as the rule set says.", side="light"),
        "drawn": _means("`bell`: it was drawn by lot when the game was made.", side="dark"),
        "chosen": _means("The players said so, or who may choose did.", side="light"),
        "given": _means("It was told when the game was made.", side="light"),
    },
    "turns": {
        "zero": _means("The throw counts nothing, and the turn passes.", side="light"),
        "no-move": _means("No piece can go that far, and the turn passes.", side="light"),
    },
    "endings": {
        "off": _means("The races: every piece was borne off."),
        "captured": _means("`ravensburger`: the other side tops no pile and has no piece in hand."),
        "forts": _means("`freecompany`: A1, A7, C1 and C7 at the end of an action."),
        "resigned": _means("By the menu or the page."),
        "repeated-action": _means("`freecompany`: a draw, claimed."),
        "repeated-position": _means("`freecompany`: a draw, claimed."),
        "agreed": _means("A draw that both agreed to."),
        "abandoned": _means("The game was broken off; nobody has won."),
    },
}
"""What every code means, by the part of the page."""

CODES: Final[Mapping[str, Mapping[str, Sentence]]] = {
    "warnings": WARNINGS,
    "throws": ROLL_REFUSALS,
    "faults": FAULTS,
    "notices": NOTICES,
    "refused": REFUSED,
    "starts": STARTS,
    "turns": TURNS,
    "endings": ENDINGS,
}
"""The program's tables that the page tells."""

_ON_THE_BOARD: Final = """\
A warning comes when the board has stood wrong for two and a half seconds: hands are left in peace.
It says why, and what to fill and to clear. Of several that fit, the one that stands higher in this
table is told. The right picture is accepted at any moment, and a legal move takes the warning away,
too."""
_FAULTS: Final = """\
The game goes on without it. How to mend it: [when something is wrong](../trouble/index.md)."""
_HEADS: Final = {
    "warnings": ("On the board", _ON_THE_BOARD),
    "throws": ("Dice", "Why a throw does not count. The dice that stand are not thrown again."),
    "faults": ("Something does not work", _FAULTS),
    "notices": (
        "Notices",
        "Told over the last lines of the picture: news for six seconds, in one line what lasts.",
    ),
    "refused": ("Refused", "What was entered by a button, the menu or the page, and fits nothing."),
    "starts": ("The beginning", "Who begins, and by what."),
    "turns": ("A turn that passes", "The display says it, and the other side throws."),
    "endings": ("The end", "Why a game is over."),
}
_INTRODUCTION: Final = """\
Everything that the display says besides whose turn it is, by its code, as it stands in the journal
and in [the events](../design/FORMATS.md#event-stream). The sentences are examples, with squares and
numbers filled in."""


def page() -> str:
    """docs/operate/warnings.md."""
    return markdown.page(
        "Warnings, and what each means",
        "docs/generator/warnings.py",
        _INTRODUCTION,
        *(block for part in CODES for block in _part(part)),
    )


def _part(part: str) -> Iterator[str]:
    heading, about = _HEADS[part]
    yield f"## {heading}"
    yield about
    yield markdown.table(["code", "it says", "what it means"], _rows(part))


def _rows(part: str) -> Iterator[tuple[str, str, str]]:
    words = words_for("en")
    for code in CODES[part]:
        told = MEANINGS[part].get(code, Meaning("", {}))
        yield f"`{code}`", words.say(code, told.example), told.meaning
