"""What the display shows of an exploration besides the position: one line of 21 letters."""

from typing import Final

from urpi.rules import Side
from urpi.show.words.sentences import N_
from urpi.show.words.words import Words

# Translators: On the display's last line while the players try moves beside the game: 21 letters.
TRYING: Final = N_("Exploring")
# Translators: The same, while the pieces go back to where the game was left: 21 letters.
GOING_BACK: Final = N_("Exploring: go back")
# Translators: In an exploration, a side's exact probability to win, such as "Exact: light 62 %":
# 21 letters.
EXACT: Final = N_("Exact: {side} {chance}")
# Translators: The same, as the engine's network estimates it: 21 letters.
NETWORK: Final = N_("Network: {side} {chance}")


def value_line(words: Words, side: Side, chance: float, *, exact: bool) -> str:
    """Return the line for the probability, 0 to 1, that a side wins."""
    shown = words.text(EXACT if exact else NETWORK).replace("{side}", words.side(side))
    return shown.replace("{chance}", words.percent(round(100 * chance)))
