"""The sentences and labels of a review, in one language."""

from typing import Final

from urpi.engine.review import LuckMark, Mistake, MistakeMark, Review, Source, Verdict, verdict_of
from urpi.rules import Side
from urpi.show.words import Words
from urpi.show.words.sentences import N_

SOURCES: Final[dict[Source, str]] = {
    "exact": N_("All values are exact: this game is solved."),
    "estimated": N_("All values are estimated by a network."),
}
# Translators: A comment on a move.
MISTAKE_MARK_TEXTS: Final[dict[MistakeMark, str]] = {
    "doubtful": N_("doubtful"),
    "bad": N_("bad"),
    "very-bad": N_("very bad"),
}
# Translators: A comment on a throw.
LUCK_MARK_TEXTS: Final[dict[LuckMark, str]] = {
    "very-lucky": N_("very lucky"),
    "lucky": N_("lucky"),
    "unlucky": N_("unlucky"),
    "very-unlucky": N_("very unlucky"),
}
# Translators: What kind of mistake a move was; also the row of a table.
MISTAKE_TEXTS: Final[dict[Mistake, str]] = {
    "no-capture": N_("missed a capture"),
    "not-home": N_("did not bring a piece home"),
    "no-extra-throw": N_("missed an extra throw"),
    "open": N_("left a piece open to capture"),
    "not-entered": N_("did not bring in a new piece"),
    "other": N_("another mistake"),
}
# Translators: One sentence on what decided the game: on the page and in the report.
_VERDICTS: Final = {
    "gave-up": N_("{loser} lost with a {chance}% chance of winning."),
    "luck": N_("Luck decided: the dice gave {winner} {luck}% more chance of winning."),
    "luck-despite": N_(
        "Luck decided: the dice gave {winner} {luck}% more chance of winning, although "
        "{loser} moved better."
    ),
    "moves": N_("The moves decided: {loser} gave away {loss}% more chance of winning."),
    "moves-despite": N_(
        "The moves decided: {loser} gave away {loss}% more chance of winning, in spite of "
        "more luck."
    ),
    "both": N_(
        "{winner} had more luck, {luck}%, and moved better: {loser} gave away {loss}% more."
    ),
    "ahead": N_("{winner} was ahead from the beginning."),
    "draw": N_("A draw: {lucky} had more luck, {luck}%, and {better} gave away {loss}% less."),
    "open": N_("No result. At the end {winner} had a {chance}% chance of winning."),
}


class ReviewWording:
    """The texts of one game's review."""

    def __init__(self, words: Words, names: tuple[str, str]) -> None:
        """Use a language, and the names of light and dark, which may be empty."""
        self.words = words
        self._names = names

    def name(self, side: Side) -> str:
        """Return the name of a side's player, or else of the side."""
        return self._names[side.number] or self.words.side(side)

    def percent(self, value: float, *, signed: bool = False) -> str:
        """Return a probability or a difference of probabilities in percent, with one decimal.

        The minus sign is a real one, so that it is as wide as the plus sign.
        """
        text = self.words.number(abs(100 * value), 1)
        if signed and text.strip("0.,"):
            text = f"{'+' if value > 0 else '−'}{text}"  # noqa: RUF001 - a minus sign
        return self.words.with_percent_sign(text)

    def source(self, review: Review) -> str:
        """Return whether the values are exact or estimated."""
        return self.words.text(SOURCES[review.source])

    def verdict(self, review: Review) -> str:
        """Return one sentence on what decided the game."""
        return self.sentence(verdict_of(review))

    def sentence(self, verdict: Verdict) -> str:
        side = verdict.side or Side.LIGHT
        details = {
            "winner": self.name(side),
            "loser": self.name(side.other),
            "lucky": self.name(Side.LIGHT if verdict.luck > 0 else Side.DARK),
            "better": self.name(Side.LIGHT if verdict.loss > 0 else Side.DARK),
            "luck": self._whole(verdict.luck),
            "loss": self._whole(verdict.loss),
            "chance": self._whole(verdict.chance),
        }
        text = self.words.text(_VERDICTS[verdict.code]).format(**details)
        return text.replace(" %", "\N{NO-BREAK SPACE}%")

    @staticmethod
    def _whole(value: float) -> str:
        return str(round(abs(100 * value)))

    def marks(self, luck: LuckMark | None, mistake: MistakeMark | None) -> list[str]:
        """Return the marks of a throw and of its move as texts."""
        found = []
        if luck is not None:
            found.append(self.words.text(LUCK_MARK_TEXTS[luck]))
        if mistake is not None:
            found.append(self.words.text(MISTAKE_MARK_TEXTS[mistake]))
        return found

    def mistake(self, kind: Mistake) -> str:
        return self.words.text(MISTAKE_TEXTS[kind])
