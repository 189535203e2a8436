"""Sentences about positions from which no game can begin."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from urpi.rules import Side
from urpi.rules.impossible import ImpossiblePositionError, PositionCode
from urpi.show.words.sentences import N_
from urpi.show.words.words import Words

SENTENCES: Final[Mapping[PositionCode, str]] = MappingProxyType(
    {
        "count": N_("{side}, pieces in these rules: {pieces}; here: {count}."),
        "not-here": N_("In these rules such a piece is never on {square}."),
        "one-piece": N_("In these rules {square} holds one piece only."),
        "pile-full": N_("Most pieces like this on {square}: {count}."),
        "one-side": N_("{square} holds pieces of one side only."),
        "top-piece": N_("{square}: {side} must be on top."),
        "nobody-left": N_("There must be pieces in the reserve or on the board."),
        "both-home": N_("Only one side can have all its pieces home."),
        "stay": N_("In these rules no piece leaves the game."),
        "turn": N_("{side} has won in this position; the game is over."),
        "extra-throw": N_("These rules do not limit extra throws."),
        "over": N_("The game is over in this position."),
        "not-entered": N_("{side}: after a turn, a piece must be on the board."),
        "no-fort": N_("{side}: an extra throw needs a piece on a fort."),
        "no-red": N_("{side}: prisoners left the game, so a red piece must be on the board."),
    }
)


def position_reason(error: ImpossiblePositionError, winner: Side | None, words: Words) -> str:
    """Return the sentence that says why no game can begin from a position.

    Args:
        error: Why it is impossible.
        winner: The side that has won on the board, None if neither has.
        words: The language.
    """
    code, details = error.code, dict(error.details)
    if code == "turn":
        if winner is None:
            code = "over"
        else:
            details["side"] = winner.value
    if "side" in details:
        details["side"] = words.side(Side(details["side"]))
    return words.text(SENTENCES[code]).format(**details)
