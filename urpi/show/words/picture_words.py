"""The words in the pictures of a rule set's page."""

from urpi.rules import RuleSet, Side, parse_square
from urpi.show.svg.page_pictures import PictureWords
from urpi.show.words.rules_text import page_of
from urpi.show.words.sentences import NC_
from urpi.show.words.words import Words


def picture_words(rules: RuleSet, words: Words) -> PictureWords:
    """Return the words in a rule set's pictures."""
    places = {
        parse_square(name): words.text(at.label)
        for at in page_of(rules).squares
        if at.label
        for name in at.squares.split()
    }
    home = words.text(NC_("label", "home")) if rules.bears_off else ""
    sides = {side: words.side(side) for side in Side}
    return PictureWords(words.text(NC_("label", "hand")), home, sides, places)
