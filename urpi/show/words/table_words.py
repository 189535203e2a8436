"""The texts about other tables and the club on the page and in the menu, as msgids.

`place` is where the other table is.
"""

from collections.abc import Mapping
from typing import Final, Literal

from urpi.rules import Side
from urpi.show.words.sentences import N_

YOUR_SIDE: Final = {Side.LIGHT: N_("You play light."), Side.DARK: N_("You play dark.")}
NEXT_GAME: Final = N_("Next at this table: {light} (light) and {dark} (dark), {rules}.")
CLUB_MAY_SHOW: Final = N_("If you begin, the club may show both names.")
UNKNOWN_GAME: Final = N_(
    "The club has a game for this table that this program cannot play. Ask the arbiter."
)
ROUND: Final = N_("Round {number}")
PROPOSING: Final = N_("Waiting for the other table's answer.")
RESIGNING: Final = N_("You have given up. The game ends when the other table hears of it.")
PROBLEMS: Final[
    Mapping[Literal["comparing", "diverged", "unknown", "no-contact", "no-broker"], str]
] = {
    "comparing": N_(
        "The game waits until this table and {place} have compared it. If it does not go on, "
        "abandon it."
    ),
    "diverged": N_(
        "This table and {place} disagree about this game. Abandon it and start a new one."
    ),
    "unknown": N_("{place} has lost this game. Abandon it and start a new one."),
    "no-contact": N_("{place} does not answer. The game continues when it does."),
    "no-broker": N_("This table is not connected to the club. The game continues when it is."),
}
"""Why a game with another table cannot continue now."""
CLAIMS: Final[Mapping[Literal["claim-later", "may-claim", "may-lose"], str]] = {
    "claim-later": N_("{place} is silent. You may claim the game from {time} on."),
    "may-claim": N_("{place} has been silent for five minutes. You may claim the game."),
    "may-lose": N_("{place} may claim the game from {time} on, unless your side acts before."),
}
"""Who may claim a game because the other side is silent."""
