"""What the end of a game shows of its review: who was lucky and who erred, in simple words."""

from dataclasses import dataclass
from typing import Final

from urpi.rules import Side
from urpi.show.words.sentences import N_
from urpi.show.words.words import Words

EVEN: Final = 0.05
"""Differences of luck or losses below this probability are not mentioned."""
MUCH: Final = 0.30
"""From this difference on, a side was much luckier."""
WINS: Final = N_("{name} wins!")


@dataclass(frozen=True, slots=True)
class EndReview:
    """The result of a reviewed game in a few figures.

    Attributes:
        game: Its number in the journal.
        light: The name of light's player, may be empty.
        dark: The name of dark's player.
        winner: The side that won, None for a draw.
        luck: Light's luck minus dark's, as probabilities to win.
        loss: What light's moves gave away minus what dark's did.
        mistakes: The number of doubtful, bad and very bad moves of light and of dark.
    """

    game: int
    light: str
    dark: str
    winner: Side | None
    luck: float
    loss: float
    mistakes: tuple[int, int]

    def name(self, side: Side, words: Words) -> str:
        """Return the name of a side's player, or else of the side."""
        return (self.light, self.dark)[side.number] or words.side(side)


def luck_sentence(end: EndReview, words: Words) -> tuple[str, str]:
    """Return who was lucky: a sentence with ``{name}``, and the name, empty if there is none."""
    if abs(end.luck) < EVEN:
        return words.text(N_("Both were equally lucky.")), ""
    much = abs(end.luck) >= MUCH
    text = N_("{name} was much luckier.") if much else N_("{name} was luckier.")
    return words.text(text), end.name(Side.LIGHT if end.luck > 0 else Side.DARK, words)


def mistake_sentence(end: EndReview, words: Words) -> tuple[str, str]:
    """Return who erred, in the same way."""
    light, dark = end.mistakes
    if not light and not dark:
        return words.text(N_("Neither made a mistake.")), ""
    more = light - dark
    if abs(end.loss) >= EVEN and more * end.loss <= 0:
        erred = Side.LIGHT if end.loss > 0 else Side.DARK
        return words.text(N_("{name} made the bigger mistakes.")), end.name(erred, words)
    if not more:
        both = words.count("Each made {number} mistake.", "Each made {number} mistakes.", light)
        return both, ""
    erred = Side.LIGHT if more > 0 else Side.DARK
    text = words.count(
        "{name} made {number} more mistake.",
        "{name} made {number} more mistakes.",
        abs(more),
        name="{name}",
    )
    return text, end.name(erred, words)


def end_sentences(end: EndReview, words: Words) -> list[str]:
    """Return both sentences with the names."""
    found = (luck_sentence(end, words), mistake_sentence(end, words))
    return [text.replace("{name}", name) for text, name in found]
