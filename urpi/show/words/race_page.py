"""What the page of every rule set has, and what that of a race has, by the rule set's data.

The path, the dice, the pieces, and which squares and throws are special decide which sentences
apply, so that a race that is added has them without texts of its own.
"""

from collections.abc import Iterator
from typing import Final

from urpi.rules import SQUARE_NAMES, RuleSet, Side, Square
from urpi.rules.board import ROSETTES as ROSETTE_SQUARES
from urpi.rules.race import Race
from urpi.rules.ruleset import Starter
from urpi.show.words.rules_pages import (
    BLOCKS,
    DARK_PATH,
    MARKS_FOUR,
    MARKS_THREE,
    MARKS_THREE_FOUR,
    MEET,
    MORE_BEGINS,
    NO_PILES,
    ONE_BEGINS,
    PILE_NUMBER,
    ROSETTES,
    At,
    RulesPage,
    Sentences,
)
from urpi.show.words.sentences import N_, several

NEED: Final = N_(
    "You need the board, the dice and pieces, {pieces} for each player: light ones for Light, dark "
    "ones for Dark."
)
SEATS: Final = N_("Light sits at row A, the lower one in the pictures, and Dark at row C.")
HAND: Final = N_(
    "The board starts empty. All pieces wait beside it, in front of their owners: they are in hand."
)
ALIKE: Final = N_("Gold and silver marks count alike.")
CHANCES: Final = N_("How often each throw comes up: {chances}.")
DICE: Final = {
    "four-binary": (MARKS_FOUR, ALIKE, CHANCES),
    "three-binary": (MARKS_THREE, ALIKE, CHANCES),
    "three-binary-four": (MARKS_THREE_FOUR, ALIKE, CHANCES),
    "d6": (N_("One die with six faces. 1 to 5 count; a 6 moves nothing."),),
    "two-coloured": (
        N_(
            "Two tetrahedra, each with one gold tip, one silver tip and two blank tips. "
            "Each coloured tip that points up is one step."
        ),
    ),
}
"""The sentences about a set of dice, by its name."""
BEGINS: Final = {
    Starter.MORE: MORE_BEGINS,
    Starter.ONE_MARK: ONE_BEGINS,
    Starter.DRAWN: N_("The program draws lots for who begins when the game is started."),
    Starter.CHOICE: N_(
        "The player who has travelled closest to the Middle East begins. In the next "
        "game the loser chooses."
    ),
}

RACE_AIM: Final = several(
    "pieces",
    "Bring your {pieces} piece onto the board, along your path and home. The first to "
    "bring all of them home wins at once. There is no draw.",
    "Bring your {pieces} pieces onto the board, along your path and home. The first to "
    "bring all of them home wins at once. There is no draw.",
)
FOLLOW: Final = N_(
    "Light's pieces follow the numbers from 1 to {last}, then the arrow off the board: there they "
    "are home."
)
TWICE: Final = N_(
    "A square with two numbers is visited twice, on the way out and on the way back. A piece on "
    "its way back is drawn with dots; turn it over to remember it."
)
TWICE_BY_FACE: Final = N_(
    "A square with two numbers is visited twice: plain on the way out, dotted on the way back."
)
MOVE_OR_ENTER: Final = N_(
    "Throw the dice, then move one piece exactly that many squares, or bring in a new one."
)
ENTER: Final = N_("Bring a new piece in on the square whose number you threw.")
PASS_OVER: Final = N_("You may pass over any piece. You never land on your own.")
PASS_OVER_CAMPS: Final = N_("You may pass over any piece. You land on your own only in a camp.")
THEN: Final = N_("Then it is your opponent's turn, unless you have an extra throw.")
CAPTURE: Final = N_("An opponent's piece that you land on is taken off, and must start again.")
CAPTURES_ON: Final = N_("Pieces can be captured only on {captures}.")
HOME: Final = N_("A piece that is home has finished, and stays off the board.")
EXACT: Final = N_(
    "To bring a piece home, throw exactly one more than the number of squares left on its path."
)
LAST: Final = N_("From {last_square}, Light's last square, only a 1 brings a piece home.")
THROW_AGAIN: Final = N_("A rosette gives an extra throw, which may be played with any piece.")
SAFE: Final = N_("A piece on a rosette is safe: no other piece may land there.")
SAFE_ONLY: Final = N_("A piece on a rosette is safe. A rosette gives no extra throw.")
NOT_SAFE: Final = N_("A piece on a rosette is not safe.")
OWN_SQUARES: Final = N_("Only the pieces of the player at that row come here, so they are safe.")
FOUR_AGAIN: Final = N_("After playing a 4 you throw again, as often as you throw a 4.")
FOUR_LOST: Final = N_("A 4 that cannot be played is lost, and so is its extra throw.")
CAPTURE_AGAIN: Final = N_(
    "A capture gives an extra throw. A capture on a rosette gives one extra throw, not two."
)
MUST_THROW: Final = N_("An extra throw must be made.")
DECLINING: Final = N_("You may decline an extra throw: hold your button until the turn passes.")
MUST_MOVE: Final = N_("If you can move, you must. If you cannot, your turn ends.")
WIN: Final = N_("Whoever first has all pieces home wins at once. There is no draw.")


def page_by_data(rules: RuleSet) -> RulesPage:
    """Return the sentences of a rule set's page that follow from its data."""
    page = RulesPage(
        need=(NEED, SEATS, HAND),
        dice=DICE.get(rules.dice.name, ()),
        begin=(BEGINS[rules.starter],),
    )
    return page.with_own(_race_page(rules)) if isinstance(rules, Race) else page


def last_sentences(rules: RuleSet) -> RulesPage:
    """Return the sentences that every page has after its own."""
    return RulesPage(
        path=(BLOCKS,),
        piles=(PILE_NUMBER,) if rules.piles else (),
        extra=(DECLINING,) if rules.may_decline else (),
    )


def _race_page(rules: Race) -> RulesPage:
    twice = len(set(rules.path(Side.LIGHT))) < len(rules.path(Side.LIGHT))
    visits = TWICE_BY_FACE if rules.two_faced else TWICE
    return RulesPage(
        aim=(RACE_AIM,),
        path=(FOLLOW, DARK_PATH, *((visits,) if twice else ()), MEET),
        turn=(MOVE_OR_ENTER, ENTER, PASS_OVER_CAMPS if rules.camps else PASS_OVER, THEN),
        squares=tuple(_squares(rules)),
        capturing=(CAPTURE, CAPTURES_ON),
        piles=() if rules.piles else (NO_PILES,),
        home=(HOME, EXACT, LAST),
        extra=_extra_throws(rules),
        passing=(MUST_MOVE,),
        winning=(WIN,),
    )


def _squares(rules: Race) -> Iterator[At]:
    if not rules.throws_again_on_rosettes:
        about: Sentences = (SAFE_ONLY, SAFE)
    else:
        about = (THROW_AGAIN, SAFE if rules.safe_rosettes else NOT_SAFE)
    yield At(ROSETTES, N_("Rosettes"), about)
    own = [square for side in Side for square in own_squares(rules, side)]
    if own:
        yield At(named(own), N_("Own squares"), (OWN_SQUARES,))


def _extra_throws(rules: Race) -> Sentences:
    found: list[str] = []
    if rules.throws_again_on_rosettes:
        found.append(THROW_AGAIN)
    if rules.throws_again_with is not None:
        found += (FOUR_AGAIN, FOUR_LOST)
    if rules.throws_again_on_captures:
        found.append(CAPTURE_AGAIN)
    if not rules.may_decline:
        found.append(MUST_THROW)
    return tuple(found)


def shared_squares(rules: RuleSet) -> list[Square]:
    """Return the squares that are on the paths of both sides, in bit order."""
    return sorted(set(rules.path(Side.LIGHT)) & set(rules.path(Side.DARK)))


def own_squares(rules: RuleSet, side: Side) -> list[Square]:
    """Return the squares that are only on the path of one side, in bit order."""
    return sorted(set(rules.path(side)) - set(rules.path(side.other)))


def capture_squares(rules: RuleSet) -> list[Square]:
    """Return the squares where a race's pieces can be captured, in bit order."""
    if not isinstance(rules, Race):
        return []
    safe = rules.camps | (ROSETTE_SQUARES if rules.safe_rosettes else frozenset())
    return [square for square in shared_squares(rules) if square not in safe]


def named(squares: list[Square]) -> str:
    """Return the names of squares, separated by spaces."""
    return " ".join(SQUARE_NAMES[square] for square in sorted(squares))
