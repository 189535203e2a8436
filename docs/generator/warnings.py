"""The page of warnings and notices: an example of each sentence with an explanation, by code.

The codes and sentences come from `urpi.show.words`; the explanations are here. A test fails when a
code has none.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from docs.generator import markdown
from urpi.show.words import words_for
from urpi.show.words.sentences import (
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
    """The explanation of a code, and the details that its example is filled in with."""

    meaning: str
    example: Details


def _means(meaning: str, **example: str | int) -> Meaning:
    return Meaning(meaning, example)


MOVED: Final[Details] = {"origin": "A4", "target": "A2", "fill": "A4", "clear": "A2"}
"""The move of the examples: A4 to A2."""

MEANINGS: Final[Mapping[str, Mapping[str, Meaning]]] = {
    "warnings": {
        "no-throw-yet": _means("A piece was moved before this turn's throw counted.", **MOVED),
        "not-your-turn": _means(
            "It is the other side's turn. A throw without a legal move, or of 0, ends the turn.",
            side="dark",
            **MOVED,
        ),
        "not-your-piece": _means("An enemy's piece was moved.", side="light", **MOVED),
        "two-moves": _means(
            "More pieces were moved than the throw allows.", fill="A4, B2", clear="A2, B4"
        ),
        "captured-piece-left": _means(
            "A captured piece was put elsewhere on the board. It returns to its owner's hand.",
            clear="B3",
        ),
        "between-squares": _means(
            "One piece closes the switches of two neighbouring squares.",
            one="B6",
            other="B7",
            clear="B6",
        ),
        "disturbed": _means(
            "More has changed than a move changes, such as after a knock or while the program did "
            "not run. The display shows where to put the next piece, how many squares remain, and "
            "all of them on its board.",
            light="A3, B5",
            dark="B2",
            surplus="C3",
        ),
        "not-planned": _means(
            "The engine has this side, and a legal move other than its own was made. Undo it, and "
            "make the engine's move.",
            move="B4-B6",
            fill="A4",
            clear="A2",
        ),
        "takebacks-off": _means(
            "A move was undone in a game against the engine with `takebacks = false`. Make it "
            "again.",
            fill="A2",
            clear="A4",
        ),
        "too-late": _means(
            "A move was undone after dice had been thrown again. Moves can be taken back until "
            "then.",
            fill="A2",
            clear="A4",
        ),
        "must-enter": _means(
            "A side without pieces on the board must enter one; it cannot pass.",
            threw=2,
            fill="A4",
            clear="A2",
        ),
        "barred": _means(
            "The piece may not use this square: in `ravensburger` the opponent's own row; in "
            "`freecompany` a square beyond an enemy piece, or one where this throw places nothing.",
            **{**MOVED, "target": "C2", "clear": "C2"},
        ),
        "camp-held": _means(
            "`skiryuk`: the camp B7 belongs to the side that occupied it first, until that side's "
            "last piece leaves.",
            **{**MOVED, "target": "B7", "clear": ""},
        ),
        "camp-full": _means(
            "`skiryuk`, `ravensburger`: the square already holds as many pieces as allowed.",
            **{**MOVED, "target": "B3", "clear": ""},
        ),
        "other-face": _means(
            "`skiryuk`: a blank piece captures blank ones only, a dotted piece dotted ones only.",
            **{**MOVED, "target": "B2"},
        ),
        "safe-square": _means(
            "The opponent's piece is on a square where it cannot be captured, usually a rosette.",
            **{**MOVED, "target": "B4", "origin": "B2"},
        ),
        "own-piece-there": _means(
            "Two pieces of one side may not share that square.", side="light", **MOVED
        ),
        "inexact-exit": _means(
            "A piece leaves the board by an exact throw only: one more than the number of squares "
            "ahead of it.",
            threw=3,
            went=1,
            origin="A7",
        ),
        "wrong-distance": _means(
            "The piece was moved by a different number of squares than thrown.",
            threw=2,
            went=3,
            **MOVED,
        ),
        "backwards": _means("In most rule sets pieces move forward only.", **MOVED),
        "off-path": _means("The square is not on that side's path.", **{**MOVED, "target": "C2"}),
        "extra-piece": _means(
            "A piece is detected where the position has none, and no move explains it. A switch "
            "that is stuck closed looks like this at first.",
            clear="B5",
        ),
        "piece-missing": _means(
            "A piece has left its square, and no move explains it. It may still be in a player's "
            "hand, so this warning is given after 12 seconds.",
            fill="A4",
        ),
        "wrong-piece": _means(
            "With [Hall sensors](../build/hall.md): pieces of the two sides were exchanged, one "
            "was replaced by the other side's, or it lies with the wrong side up. The squares are "
            "named by the side that belongs there. If they are right, just throw.",
            light="A4",
            dark="B3",
        ),
        "must-move": _means(
            "A player who can move must do so; the turn cannot be passed.",
            threw=2,
            fill="A4",
            clear="A2",
        ),
    },
    "throws": {
        "dropped": _means(
            "A hand held the die still until it let go, and the die ended as it was held. Shake it "
            "until you let go.",
            dice="2",
        ),
        "held": _means(
            "A hand held the die still until it let go. It turned or rolled on the table, but not "
            "over as many edges as a club requires then. Shake it until you let go.",
            dice="2",
        ),
        "gentle": _means(
            "The die rolled off the hand without falling, or at a club fell less than 2 cm.",
            dice="2",
        ),
        "by-hand": _means(
            "The die was set down, turned, slid or tipped over: it did not fly.",
            dice="2",
        ),
        "not-tumbled": _means(
            "The die was not thrown, and does not report why: it is a bought one, has older "
            "firmware, or fell and was caught. Shake it until you let go. `strictness` in `[dice]` "
            "defines how strictly the table judges, and, for dice from before the verdict, "
            "`tumbled_faces` and `free_fall_ms` in `[hub]` what counts as a throw.",
            dice="2",
        ),
        "cocked": _means(
            "The die has been leaning on something for a second. Throw only this die again.",
            dice="2",
        ),
        "missing-die": _means(
            "The other dice have been at rest for five seconds, and this one was not thrown.",
            dice="3",
        ),
        "unplayed-throw": _means(
            "The dice were thrown again before the previous throw was played. If the move was "
            "made, answer the question: the new throw counts if a switch showed a part of the move "
            "before it."
        ),
        "too-soon": _means(
            "The next player threw while the move was still being made, or taken back. Throw "
            "again; with `early_throws = true` in `[table]` a throw during the move counts.",
            side="dark",
        ),
        "before-move": _means(
            "Dice were thrown before the move was made, and perhaps by the player who moved. Throw "
            "again."
        ),
        "unseen-move": _means(
            "The dice were thrown again. Only the displayed move can have been made without a "
            "switch showing it. If it was made, throw again, or press the button; if not, move."
        ),
        "not-your-turn": _means(
            "Each side has dice of its own, and the wrong side threw.", dice="5, 6"
        ),
        "not-begun": _means(
            "The dice were thrown before the board was set up, or before the players said who "
            "begins."
        ),
    },
    "faults": {
        "stuck-on": _means(
            "The switch of this square stays closed, although the square is empty. The square is "
            "ignored; the rest of the board keeps working.",
            device="B4",
        ),
        "stuck-off": _means(
            "A piece is on this square, but its switch does not detect it.", device="B4"
        ),
        "flicker": _means("The switch opens and closes although no piece is moved.", device="B4"),
        "lost": _means(
            "The die does not respond. Its result can be entered with the buttons.",
            device="die 3",
        ),
    },
    "notices": {
        "resumed": _means("The program was interrupted during a game and has resumed it."),
        "set-aside": _means(
            "The unfinished game has rules, or lines, that this version of the program does not "
            "have, as after a downgrade. It stays in the journal, and a new game begins. The log "
            "has the reason (`journalctl -u urpi`)."
        ),
        "disk-full": _means(
            "The game continues in memory. It is written once there is free space."
        ),
        "disk-read-only": _means(
            "The game continues in memory. A card that becomes read-only is usually worn out."
        ),
        "disk-failing": _means(
            "The game continues in memory. The log contains the reason (`journalctl -u urpi`)."
        ),
        "not-stored": _means("Shown until the disk accepts the game.", since="19:02"),
        "memory-full": _means(
            "The limit of the memory is reached: nothing is decided until the disk works again."
        ),
        "stored-again": _means("Everything has been written to disk; nothing was lost."),
        "no-contact": _means(
            "In a game with another table: nothing has arrived from it since this time. What is "
            "decided here is sent when it responds again."
        ),
        "claim-later": _means(
            "In a game with another table: its side is silent, and the game may be claimed then.",
            since="19:07",
        ),
        "may-claim": _means(
            "In a game with another table: the game may be claimed, in the menu (*Claim the game*) "
            "or on the page."
        ),
        "may-lose": _means(
            "In a game with another table: the other one may claim the game then, unless this side "
            "throws or moves before, and the other table hears of it.",
            since="19:07",
        ),
        "comparing": _means(
            "In a game with another table: after a restart this table compares its journal with "
            "the other one, or a journal that was restored from a backup gets back what it lacks. "
            "Throws and moves wait meanwhile. If it does not end, abandon the game."
        ),
        "other-game": _means(
            "In a game with another table: it has begun another game without ending this one, or "
            "has another course of it. Abandon the game, and begin a new one."
        ),
        "program-fault": _means(
            "A part of the program has failed, and is started again. The page names it, and "
            "`journalctl -u urpi` shows why."
        ),
        "hub-missing": _means(
            "The hub's port is missing or silent, or its radio has failed. urpi reconnects "
            "automatically."
        ),
        "bluetooth-missing": _means(
            "There is no Bluetooth adapter, it is switched off, or bluetoothd is not running; "
            "`urpi doctor` shows which. Throws can be entered by hand meanwhile."
        ),
        "contacts-missing": _means(
            "The pins are in use, or a chip on I2C does not respond; `urpi doctor` shows which."
        ),
        "battery-low": _means(
            "The die's cell is below 3.30 V, or at 10 % or less. Reported once, and again after it "
            "was charged.",
            dice="3",
        ),
        "dice-unsuitable": _means(
            "A paired die has not the body of the rules, and cannot stand in for it: "
            "[which dice suit which rules](../play/bluetooth-dice.md). Its throws are refused. "
            "Enter them by hand, or use other dice.",
            dice="3",
        ),
        "same-number": _means(
            "Two dice were flashed with the same number, so their throws are mixed up. Flash one "
            "of them with a free number: `make -C firmware flash-die ID=...`.",
            dice="3",
        ),
        "journal-damaged": _means(
            "The file was set aside, and its readable games were copied to a new one: "
            "[the journal](../reference/journal.md)."
        ),
    },
    "refused": {
        "nothing-to-answer": _means("An answer was given, but no question is open."),
        "not-legal": _means("The entered move is not legal with this throw."),
        "not-planned": _means("The entered move is not the one that the engine has chosen."),
        "thinking": _means("A move was entered before the engine had chosen its own."),
        "wrong-faces": _means("The entered faces do not exist on these dice."),
        "exploring": _means(
            "A line is being tried beside the game, which continues after the way back."
        ),
        "no-takeback": _means("There is no move to take back, or the next throw has been made."),
        "takebacks-off": _means(
            "A take-back was requested in a game against the engine with `takebacks = false`."
        ),
        "no-extra-throw": _means(
            "The side to throw has no extra throw that it may decline, or a die has moved. The "
            "engine decides about its own."
        ),
        "engine-side": _means(
            "It was requested that the engine's side gives up, or claims or agrees to a draw."
        ),
        "not-silent": _means(
            "A game was claimed that is not one of two tables, or whose other side was not silent "
            "for five minutes while this table was connected."
        ),
        "no-draw": _means("Only `freecompany` has draws, after five repetitions."),
        "game-over": _means("The game has ended."),
        "no-game": _means("There is no game."),
    },
    "starts": {
        "throw": _means("Both sides threw for the start, and this throw was higher.", side="light"),
        "one": _means("Of both throws for the start, only this one was a 1.", side="light"),
        "drawn": _means("`bell`: drawn at random when the game was created.", side="dark"),
        "chosen": _means("The players, or the player who may choose, decided it.", side="light"),
        "given": _means("Set when the game was created.", side="light"),
    },
    "turns": {
        "zero": _means("The throw counts 0, so the turn passes.", side="light"),
        "no-move": _means("The throw has no legal move, so the turn passes.", side="light"),
        "declined": _means("The side has declined its extra throw.", side="light"),
    },
    "endings": {
        "off": _means("The races: every piece was borne off."),
        "captured": _means(
            "`ravensburger`: the opponent has no piece in hand and none on top of a pile."
        ),
        "forts": _means("`freecompany`: A1, A7, C1 and C7 held at the end of an action."),
        "resigned": _means("A player resigned in the menu or on the page."),
        "silent": _means(
            "In a game with another table, its side was silent for five minutes, and the game was "
            "claimed."
        ),
        "time": _means("In a game with a clock, the loser's time was used up."),
        "repeated-action": _means("`freecompany`: a draw, claimed."),
        "repeated-position": _means("`freecompany`: a draw, claimed."),
        "agreed": _means("Both players agreed to a draw."),
        "abandoned": _means("The game was abandoned without a winner."),
    },
}
"""The explanation of every code, by section of the page."""

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
"""The sentences of the program, by section of the page."""

_ON_THE_BOARD: Final = """\
A warning is shown when the board has been wrong for two and a half seconds, so that players are
not interrupted while they move. It names the reason and the squares to fill and to clear. If
several reasons apply, the one that is higher in this table is shown. Correcting the board removes
the warning at any moment, and so does a legal move."""
_FAULTS: Final = """\
The game continues without the part. To repair it, see [troubleshooting](../trouble/index.md). If
two switches fail under one move, the display may ask to correct a board that is correct: enter the
move on the page, and throw. Both switches are left out then."""
_HEADS: Final = {
    "warnings": ("On the board", _ON_THE_BOARD),
    "throws": ("Dice", "Reasons why a throw does not count. Throw only the named dice again."),
    "faults": ("Faults", _FAULTS),
    "notices": (
        "Notices",
        "Shown over the last lines of the display, events for six seconds.",
    ),
    "refused": ("Rejected input", "Input by button, menu or page that cannot be accepted."),
    "starts": ("Start", "Which side begins, and why."),
    "turns": ("Passed turns", "The display shows the reason, and the other side throws."),
    "endings": ("End of the game", "Why the game is over."),
}
_INTRODUCTION: Final = """\
Everything that the display shows besides the turn, by its code in the journal and in [the
events](../design/FORMATS.md#event-stream). The sentences are examples with squares and numbers
filled in."""


def page() -> str:
    """Return the contents of docs/operate/warnings.md."""
    return markdown.page(
        "Warnings and notices",
        "docs/generator/warnings.py",
        _INTRODUCTION,
        *(block for part in CODES for block in _part(part)),
    )


def _part(part: str) -> Iterator[str]:
    heading, about = _HEADS[part]
    yield f"## {heading}"
    yield about
    yield markdown.table(["code", "sentence", "meaning"], _rows(part))


def _rows(part: str) -> Iterator[tuple[str, str, str]]:
    words = words_for("en")
    for code in CODES[part]:
        entry = MEANINGS[part].get(code, Meaning("", {}))
        yield f"`{code}`", words.sentence(code, entry.example), entry.meaning
