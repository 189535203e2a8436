"""The sentences for every code of a decision. The English text is the msgid.

A code has wordings for the reason and for the correction. Of each, the first wording is used for
which all values in braces are known. The reason of a warning must fit into two lines of 126 pixels
on the OLED, about 40 letters, where high letters show what to do;
tests/show/views/test_languages.py checks this for every language. The values in braces are a
refusal's details (`side`, `threw`, `went`, `origin`, `target`, `move`), the squares to `fill` and
to `clear`, the `dice` and the `device` concerned, its number if it is a `die`, and `entered`: the
target of a piece that came from the hand.
"""

from typing import Final, NamedTuple


def N_(message: str) -> str:  # noqa: N802 - gettext's own mark
    """Return the message unchanged; the call marks it for the catalogues (``xgettext -kN_``)."""
    return message


CONTEXT_END: Final = "\4"
"""What separates a context from its message in gettext's catalogues."""


def NC_(context: str, message: str) -> str:  # noqa: N802 - as in GLib
    """Return a message with the context that tells its meaning from another one's.

    `Words.text` looks it up; the context is never shown. Marked for ``xgettext -kNC_:1c,2``.
    """
    return f"{context}{CONTEXT_END}{message}"


class Several(NamedTuple):
    """A singular and a plural wording, chosen by the number of things that `word` lists."""

    word: str
    one: str
    many: str


def several(word: str, one: str, many: str) -> Several:
    """Return a singular and a plural wording; marked for ``xgettext -kseveral:2,3``."""
    return Several(word, one, many)


class Sentence(NamedTuple):
    """The text of a code: the wordings of the reason, and of the correction."""

    why: tuple[str | Several, ...]
    correction: tuple[str | Several, ...] = ()


# Translators: Below the reason of a warning, how to correct it: display, page and speech. With the
# reason about 75 letters; the squares may be three.
SET_RIGHT: Final = (
    several(
        "fill",
        "Put a piece on {fill}; empty {clear}.",
        "Put pieces on {fill}; empty {clear}.",
    ),
    several("fill", "Put a piece on {fill}.", "Put pieces on {fill}."),
    N_("Empty {clear}."),
)

# Translators: Below the reason of a warning, how to correct it: display, page and speech. "It" is
# the piece that was moved.
PUT_BACK: Final = (
    N_("Put it back on {origin}."),
    N_("Take it off {entered} again."),
    *SET_RIGHT,
    N_("Put it back."),
)
"""The corrections if one piece was moved that must not be."""

# Translators: The reason of a warning, about 40 letters on two lines of the display, also spoken
# and on the page; or how to correct it, in the second place.
WARNINGS: Final = {
    "no-throw-yet": Sentence((N_("Throw first, then move."),), PUT_BACK),
    "not-your-turn": Sentence(
        (N_("Wait, it is {side}'s turn."), N_("Wait, it is not your turn.")), PUT_BACK
    ),
    "not-your-piece": Sentence(
        (N_("That piece is not {side}'s to move."), N_("That is not your piece.")), PUT_BACK
    ),
    "two-moves": Sentence(
        (N_("That is more than one move."),), (*SET_RIGHT, N_("Put one piece back."))
    ),
    "captured-piece-left": Sentence((N_("Take the captured piece off."),), SET_RIGHT),
    "between-squares": Sentence((N_("The piece stands between {one} and {other}."),), SET_RIGHT),
    "disturbed": Sentence(
        (N_("Set up the board again."),),
        (N_("Light: {light}. Dark: {dark}. Empty: {surplus}."), *SET_RIGHT),
    ),
    "not-planned": Sentence((N_("Make this move: {move}."),), SET_RIGHT),
    "takebacks-off": Sentence((N_("This game allows no taking back."),), SET_RIGHT),
    "too-late": Sentence(
        (N_("Too late: the dice were thrown since."),),
        (N_("Play {move} again."), *SET_RIGHT),
    ),
    "must-enter": Sentence(
        (
            N_("You threw {threw}: bring in a new piece."),
            N_("Bring in a new piece."),
        ),
        SET_RIGHT,
    ),
    "barred": Sentence(
        (N_("That piece may not go to {target}."), N_("That piece may not go there.")), PUT_BACK
    ),
    "camp-held": Sentence(
        (N_("The opponent holds the camp {target}."), N_("The opponent holds that camp.")),
        PUT_BACK,
    ),
    "camp-full": Sentence((N_("The camp {target} is full."), N_("That camp is full.")), PUT_BACK),
    "other-face": Sentence(
        (
            N_("The piece on {target} has its other face up."),
            N_("The piece there has its other face up."),
        ),
        PUT_BACK,
    ),
    "safe-square": Sentence(
        (N_("The piece on {target} is safe."), N_("The piece there is safe.")), PUT_BACK
    ),
    "own-piece-there": Sentence(
        (N_("{side} has a piece on {target} already."), N_("Your own piece stands there.")),
        PUT_BACK,
    ),
    "inexact-exit": Sentence(
        (
            N_("It needs a {went} to go home; you threw {threw}."),
            N_("Going home takes an exact throw."),
        ),
        PUT_BACK,
    ),
    "wrong-distance": Sentence(
        (N_("You threw {threw}, but moved it {went}."), N_("That is not the number you threw.")),
        PUT_BACK,
    ),
    "backwards": Sentence((N_("That piece may only go forward."),), PUT_BACK),
    "off-path": Sentence(
        (N_("{target} is not on its path."), N_("That is not its path.")),
        PUT_BACK,
    ),
    "extra-piece": Sentence(
        (N_("There is one piece too many."),), (*SET_RIGHT, N_("Take it off."))
    ),
    "piece-missing": Sentence((N_("A piece is missing."),), (*SET_RIGHT, N_("Put it back."))),
    "wrong-piece": Sentence(
        (N_("Wrong piece, or turned over."),), (N_("Light: {light}. Dark: {dark}."),)
    ),
    "must-move": Sentence(
        (N_("You threw {threw} and can move: move a piece."), N_("You can move: move a piece.")),
        SET_RIGHT,
    ),
}
"""The mistakes on the board, in the order of `RefusalCode`."""

# Translators: After the reason why a throw does not count, on the display and spoken.
THROW_AGAIN: Final = (N_("Throw again."),)

# Translators: Why a throw does not count, about 40 letters on two lines of the display, also
# spoken.
ROLL_REFUSALS: Final = {
    "dropped": Sentence(
        (
            several("dice", "Die {dice} was dropped.", "Dice {dice}: dropped."),
            N_("A die was dropped."),
        ),
        THROW_AGAIN,
    ),
    "held": Sentence(
        (
            several("dice", "Die {dice} was held still.", "Dice {dice}: held still."),
            N_("A die was held still."),
        ),
        THROW_AGAIN,
    ),
    "gentle": Sentence(
        (
            several("dice", "Die {dice}: too gentle.", "Dice {dice}: too gentle."),
            N_("That was too gentle."),
        ),
        THROW_AGAIN,
    ),
    "by-hand": Sentence(
        (
            several("dice", "Die {dice} was set down.", "Dice {dice}: set down."),
            N_("A die was set down."),
        ),
        THROW_AGAIN,
    ),
    "not-tumbled": Sentence(
        (
            several(
                "dice",
                "Die {dice} did not roll. Throw it again.",
                "Dice {dice}: no roll. Throw again.",
            ),
            N_("The dice did not roll. Throw again."),
        )
    ),
    "cocked": Sentence(
        (
            several(
                "dice", "Die {dice} leans. Throw it again.", "Dice {dice} lean. Throw them again."
            ),
            N_("A die leans. Throw it again."),
        )
    ),
    "missing-die": Sentence(
        (
            several(
                "dice",
                "Still to throw: die {dice}.",
                "Still to throw: dice {dice}.",
            ),
            N_("One die is still to be thrown."),
        )
    ),
    "unplayed-throw": Sentence((N_("Move first: there is a throw to play."),)),
    "too-soon": Sentence((N_("{side} threw too soon: throw again."),)),
    "before-move": Sentence((N_("You threw before moving. Throw again."),)),
    "unseen-move": Sentence((N_("Move first. If moved, throw again."),)),
    "not-begun": Sentence((N_("The game has not started yet."),)),
    "not-your-turn": Sentence(
        (
            several(
                "dice",
                "Not your turn: leave die {dice}.",
                "Not your turn: leave dice {dice}.",
            ),
        )
    ),
}
"""The reasons why a throw does not count. `not-your-turn` means the opponent's own dice here."""

# Translators: A device does not work: two lines of 21 letters on the display, also on the page and
# spoken.
FAULTS: Final = {
    "stuck-on": Sentence((N_("{device}: switch stuck closed. Play goes on."),)),
    "stuck-off": Sentence((N_("{device}: switch stuck open. Play goes on."),)),
    "flicker": Sentence((N_("{device}: switch flickers. Play goes on."),)),
    "lost": Sentence(
        (
            N_("Die {die} is silent. Check its battery."),
            N_("Dice hub silent: check its plug."),
        )
    ),
}

# Translators: Why an order of a player is refused: two lines of 21 letters on the display, also
# spoken and on the page.
REFUSED: Final = {
    "nothing-to-answer": Sentence((N_("Nothing to answer now."),)),
    "not-legal": Sentence((N_("Not allowed now. Pick another move."),)),
    "not-planned": Sentence((N_("Not this move: make the one shown."),)),
    "thinking": Sentence((N_("The engine is still thinking."),)),
    "wrong-faces": Sentence((N_("The dice cannot show that. Try again."),)),
    "no-takeback": Sentence((N_("There is no move to take back."),)),
    "takebacks-off": Sentence((N_("This game allows no taking back."),)),
    "no-extra-throw": Sentence((N_("There is no extra throw to decline."),)),
    "engine-side": Sentence((N_("You cannot do that for the engine."),)),
    "not-silent": Sentence((N_("There is nothing to claim yet."),)),
    "exploring": Sentence((N_("Go back to the game first."),)),
    "no-draw": Sentence((N_("You cannot claim a draw now. Play on."),)),
    "game-over": Sentence((N_("The game is over. Start a new one."),)),
    "no-game": Sentence((N_("No game is running. Start one first."),)),
}

# Translators: Why a turn ended without a move: one line of 21 letters on the display.
TURNS: Final = {
    "zero": Sentence((N_("{side}: threw 0"), N_("Nothing can move"))),
    "no-move": Sentence((N_("{side}: no move"), N_("No move"))),
    "declined": Sentence((N_("{side}: no extra throw"), N_("No extra throw"))),
}
"""The reasons why a turn is passed, each for one short line."""

# Translators: How the game was won or ended, below "wins!" or "No winner": two lines of the
# display, in all about 34 letters.
ENDINGS: Final = {
    "off": Sentence((N_("All pieces are home."),)),
    "captured": Sentence((N_("All opposing pieces are captured."),)),
    "forts": Sentence((N_("The winner holds all four forts."),)),
    "resigned": Sentence((N_("The opponent gave up."),)),
    "silent": Sentence((N_("The opponent was silent."),)),
    "time": Sentence((N_("The opponent's time was over."),)),
    "repeated-action": Sentence((N_("The same move was played five times."),)),
    "repeated-position": Sentence((N_("The same position came up five times."),)),
    "agreed": Sentence((N_("Both sides agreed."),)),
    "abandoned": Sentence((N_("The game was abandoned."),)),
}

# Translators: Why a player begins, after the throws for the start: one line of 21 letters on the
# display.
STARTS: Final = {
    "throw": Sentence((N_("{side} begins, {won}:{lost}"), N_("{side} begins"))),
    "one": Sentence((N_("{side}: the only 1"),)),
    "drawn": Sentence((N_("By lot, {side} begins"),)),
    "chosen": Sentence((N_("{side} begins"),)),
    "given": Sentence((N_("{side} begins"),)),
}
"""Who begins, by the reason."""

# Translators: A notice about the table: two lines of 21 letters on the display, also on the page
# and spoken.
NOTICES: Final = {
    "resumed": Sentence((N_("The game goes on where it stopped."),)),
    "set-aside": Sentence((N_("Last game saved; it cannot go on."),)),
    "disk-full": Sentence((N_("The disk is full: nothing is saved."),)),
    "disk-read-only": Sentence((N_("Disk is read-only: nothing is saved."),)),
    "disk-failing": Sentence((N_("The disk is failing: nothing is saved."),)),
    "not-stored": Sentence((N_("Not saved since {since}"), N_("Nothing is saved"))),
    "memory-full": Sentence((N_("Not saved: play waits"),)),
    "stored-again": Sentence((N_("Everything is saved again."),)),
    "no-contact": Sentence((N_("No contact: {since}"), N_("No contact"))),
    "claim-later": Sentence((N_("Claim from {since}"), N_("Claim is possible"))),
    "may-claim": Sentence((N_("You may claim: menu"),)),
    "may-lose": Sentence((N_("Act before {since}"), N_("Act now"))),
    "comparing": Sentence((N_("Tables compare: wait"),)),
    "other-game": Sentence((N_("Tables do not agree"),)),
    "program-fault": Sentence((N_("A program fault"),)),
    "hub-missing": Sentence((N_("No dice hub"),)),
    "bluetooth-missing": Sentence((N_("No Bluetooth"),)),
    "contacts-missing": Sentence((N_("No board switches"),)),
    "battery-low": Sentence(
        (
            several(
                "dice",
                "Charge die {dice}: its battery is low.",
                "Charge dice {dice}: low batteries.",
            ),
        )
    ),
    "dice-unsuitable": Sentence((N_("Unsuitable dice: {dice}."),)),
    "same-number": Sentence(
        (
            several(
                "dice",
                "Two dice have number {dice}. Renumber one.",
                "Used twice: {dice}. Renumber one of each.",
            ),
        )
    ),
    "journal-damaged": Sentence((N_("Game file damaged: a new one is used."),)),
}
"""Notices that do not concern the game, shown over the bottom lines of the picture."""

TABLES: Final = (ROLL_REFUSALS, WARNINGS, FAULTS, REFUSED, TURNS, ENDINGS, STARTS, NOTICES)
"""All tables. If two have a code, the first with a wording whose values are known is used."""
