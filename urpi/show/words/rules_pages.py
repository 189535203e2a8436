"""The texts of the rule sets' pages. The English text is the msgid.

The texts are original; the authoritative rules are in RULES.md. What every race has follows from
the data of the rule set (`urpi.show.words.race_page`); here is what a rule set has of its own. In
a sentence, `{pieces}` is the number of pieces per side, and the other values are those of
`urpi.show.words.rules_text.values_of`. A sentence that applies only with a certain value of an
option is a `When`.
"""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from urpi.show.words.sentences import N_, Several, several


class When(NamedTuple):
    """A sentence that applies only if an option has a certain value."""

    option: str
    value: str
    sentence: str


class At(NamedTuple):
    """Special squares, such as ``"B3 B6"``, what they are called, and the sentences about them.

    With a `label` they are named in the picture of the path; it is as short as a square is wide.
    """

    squares: str
    name: str
    sentences: "Sentences"
    label: str = ""


Sentences: TypeAlias = tuple[str | Several | When, ...]


@dataclass(frozen=True)
class RulesPage:
    """The sentences of a rule set's page by section.

    The first sentence of `differs` describes the rule set in one line. `booklet` is what the rule
    set's own page or booklet defines, `public` what other public sources define, and `ours` what
    this project decided (marked B, P and D in RULES.md).
    """

    aim: Sentences = ()
    differs: Sentences = ()
    need: Sentences = ()
    dice: Sentences = ()
    path: Sentences = ()
    begin: Sentences = ()
    turn: Sentences = ()
    squares: tuple[At, ...] = ()
    capturing: Sentences = ()
    piles: Sentences = ()
    home: Sentences = ()
    extra: Sentences = ()
    passing: Sentences = ()
    winning: Sentences = ()
    source: Sentences = ()
    booklet: Sentences = ()
    public: Sentences = ()
    ours: Sentences = ()

    def with_own(self, own: "RulesPage") -> "RulesPage":
        """Return this page with the sentences of another one added to each section.

        >>> RulesPage(aim=("a",)).with_own(RulesPage(aim=("b",))).aim
        ('a', 'b')
        """
        return replace(
            self, **{name: getattr(self, name) + more for name, more in vars(own).items()}
        )


ROSETTES: Final = "A1 A7 B4 C1 C7"
OUTER: Final = "A1 A2 A3 A4 A7 A8 C1 C2 C3 C4 C7 C8"

MARKS_FOUR: Final = N_(
    "Four tetrahedra. Two tips of each are marked; count the marked tips that point "
    "up. A 0 moves nothing."
)
MARKS_THREE: Final = N_(
    "Three tetrahedra. Two tips of each are marked; count the marked tips that point "
    "up. A throw without marks is a 0, and moves nothing."
)
MARKS_THREE_FOUR: Final = N_(
    "Three tetrahedra. Two tips of each are marked; count the marked tips that point "
    "up. A throw without marks is a 4."
)
ONE_BEGINS: Final = N_(
    "Both players throw until exactly one of them throws a 1. That player begins with a new throw."
)
MORE_BEGINS: Final = N_(
    "Both players throw. Whoever throws more begins, with a new throw. After a tie "
    "both throw again."
)
SIX_BEGINS: Final = N_("Only when you throw for who begins, a 6 counts, and is the highest.")
NO_PILES: Final = N_("There are no piles: a square holds one piece.")
NOT_HOME: Final = N_("Pieces do not go home.")
NONE_EXTRA: Final = N_("There are no extra throws.")
CAMPS: Final = N_(
    "Your camps are the squares with eyes on your own row. Each holds up to four of your pieces."
)
ON_TOP: Final = N_(
    "Landing on pieces takes none of them off: your piece goes on top, and those under it cannot "
    "move. The opponent's among them are captured."
)
PILE_NUMBER: Final = N_("In the pictures, a number beside a pile counts its pieces.")
FOUR_FORTS: Final = N_(
    "You win at once if you have a piece on all four forts, A1, A7, C1 and C7, when your move is "
    "complete."
)
FORT_AGAIN: Final = N_("A move that ends on a fort gives an extra throw, at most one per turn.")
PLACE: Final = N_(
    "Two coloured tips may also place a piece on an empty square: gold and silver in the Royal "
    "Realm, two silver on Ishtar, two gold on Marduk."
)
ENTRANCE: Final = N_(
    "With any throw you may place a piece on the Entrance instead. It captures an "
    "opponent's piece there, but not the opponent's only piece on the board."
)
ROUND_BLOCK: Final = N_("The path goes round the small block by the opponent's side.")
FRAME_OURS: Final = N_(
    "For seven pieces, capture by landing and the exact throw home, the page refers to "
    "its general rules."
)
BEGIN_OURS: Final = N_(
    "The page does not say who begins. We decided that whoever throws more does; the "
    "option start changes that."
)
BLOCKS: Final = N_(
    "The large block is columns 1 to 4, the small block columns 7 and 8. B5 and B6 are the bridge."
)
DARK_PATH: Final = N_("Dark's path is the same in a mirror: rows A and C change places.")
MEET: Final = N_("The pieces of both players meet on {shared}.")
PATH_PUBLIC: Final = N_("The path.")
ROYALUR_BOOKLET: Final = N_(
    "The path, the dice, captures, rosettes, that you must move, and the exact throw home."
)
BRITISH_MUSEUM: Final = N_("Irving Finkel's rules for the board in the British Museum.")
CAPTURE_ALL: Final = N_(
    "Capture every piece of the opponent: you win when no piece of the opponent waits "
    "beside the board, and none stands alone or on top of a pile. There is no draw."
)

PAGES: Final = {
    "finkel": RulesPage(
        differs=(N_("The best-known way to play, and the one to begin with."),),
        source=(BRITISH_MUSEUM,),
        booklet=(
            N_(
                "The dice, who begins, entering, captures, rosettes, that you must move, and the "
                "exact throw home."
            ),
        ),
        public=(PATH_PUBLIC,),
        ours=(N_("The booklet does not say what a 0 does: here it moves nothing."),),
    ),
    "finkel3": RulesPage(
        differs=(N_("Like Finkel with four dice, but with one die fewer."),),
        source=(N_("Irving Finkel's rules, in a version with three dice."),),
        booklet=(N_("How the dice count, and that only rosettes are special."),),
        public=(
            PATH_PUBLIC,
            N_("That rosettes give an extra throw, and that pieces on them are safe."),
        ),
        ours=(FRAME_OURS, BEGIN_OURS),
    ),
    "murray": RulesPage(
        differs=(
            N_(
                "The longest path: pieces go out, round the small block of squares, and all the "
                "way back."
            ),
            N_("Pieces on the way out and back block and capture each other."),
        ),
        path=(
            When(
                "exit_row",
                "opponent",
                N_(
                    "Pieces go home along the opponent's row, where the opponent's new pieces "
                    "may capture them."
                ),
            ),
        ),
        source=(N_("H. J. R. Murray's reading, from his history of board games."),),
        booklet=(N_("How the dice count."),),
        public=(
            N_("The path of 27 squares, and that rosettes give an extra throw."),
            N_("Going home along the opponent's row comes from one public program."),
        ),
        ours=(
            FRAME_OURS,
            BEGIN_OURS,
            N_("That pieces on rosettes are not safe is our reading of the page."),
        ),
    ),
    "bell": RulesPage(
        differs=(
            N_("A 4 gives an extra throw, a rosette does not."),
            ROUND_BLOCK,
        ),
        dice=(N_("Throwing sticks may be used instead."),),
        source=(
            N_("The leaflet of R. C. Bell and Irving Finkel, as changed by Murray and Parlett."),
        ),
        booklet=(
            N_(
                "The path, that a throw without marks counts 4, that a 4 gives an extra throw, "
                "that rosettes are safe, and that the first player is drawn by lot."
            ),
        ),
        ours=(
            N_(
                "The leaflet does not say that you must move if you can, nor that every further "
                "4 gives an extra throw: we decided both."
            ),
        ),
    ),
    "coursework": RulesPage(
        differs=(
            When(
                "zero",
                "4",
                N_("Like Finkel with three dice, but a throw without marks counts 4."),
            ),
            When("zero", "0", N_("Like Finkel with three dice.")),
        ),
        source=(N_('The sheet "Jogo Real UR" of a university course, in Portuguese.'),),
        booklet=(
            N_(
                "Who begins, the path, rosettes, captures, when a piece must come in, and the "
                "exact throw home."
            ),
        ),
        public=(N_("That both throw again after a tie for the start."),),
        ours=(
            N_(
                "The sheet's table of the values of throws is lost. We decided that a throw "
                "without marks counts 4; the option zero changes that."
            ),
            N_(
                "By the sheet's rules only pieces that stand alone are captured. Here every piece "
                "stands alone, so every piece can be captured."
            ),
        ),
    ),
    "skiryuk": RulesPage(
        differs=(
            N_("Pieces have two faces, and stand in piles in the camps."),
            N_("The path leads round the small block and back to the beginning of the middle row."),
        ),
        need=(
            N_(
                "Each piece has a plain face and one with five dots. On other pieces, stick a "
                "paper dot to one face."
            ),
        ),
        path=(
            N_(
                "A piece enters with its plain face up. Once it stands on the first ziggurat or "
                "beyond, turn it over with its next move: now it is dotted, and on its way back."
            ),
        ),
        squares=(
            At("A2 A4 C2 C4", N_("Own camps"), (CAMPS,), N_("camp")),
            At(
                "B7",
                N_("Middle camp"),
                (
                    N_(
                        "The camp B7 belongs to the side that stands there first, with up to four "
                        "pieces, until the last one leaves. The opponent may only pass over it."
                    ),
                ),
                N_("camp"),
            ),
            At(
                "B3 B6",
                N_("Common camps"),
                (
                    N_(
                        "B3 and B6 hold up to four pieces each, those of both players together, "
                        "and no piece is captured there."
                    ),
                ),
                N_("camp"),
            ),
            At(
                "A8 C8",
                N_("Ziggurats"),
                (
                    N_(
                        "Light's first ziggurat is {light_turns}, Dark's {dark_turns}: the 13th "
                        "square of the path. A piece there is not safe."
                    ),
                ),
            ),
            At(
                "B1",
                N_("Last square"),
                (
                    N_("B1 holds one piece, and a dotted one is safe there."),
                    N_("A dotted piece may not land on B1 while a piece stands there."),
                ),
            ),
        ),
        capturing=(
            N_(
                "Plain pieces capture plain ones, dotted pieces dotted ones. You may not land on "
                "an opponent's piece that shows its other face, except in a camp. A captured piece "
                "enters plain again."
            ),
        ),
        piles=(
            N_("Piles stand only in camps, and may mix plain and dotted pieces."),
            N_("In a camp only the top piece moves."),
        ),
        source=(N_("Dmitry Skiryuk's reconstruction."),),
        booklet=(
            N_(
                "The dice, that a 1 begins, faces, camps, captures, rosettes, and that the path "
                "ends on B1."
            ),
        ),
        public=(N_("The path, square by square."),),
        ours=(
            N_("Both throw again until only one of them throws a 1."),
            N_(
                "The source states only for some camps that just the top piece moves; here that "
                "applies to all."
            ),
            N_("A plain piece may stop on B1, where another plain piece captures it."),
        ),
    ),
    "ravensburger": RulesPage(
        aim=(CAPTURE_ALL,),
        differs=(
            several(
                "pieces",
                "Not a race: {pieces} piece per side, piles, prisoners, and moves back.",
                "Not a race: {pieces} pieces per side, piles, prisoners, and moves back.",
            ),
        ),
        need=(
            N_(
                "Each piece has a blue and a red face, and comes in with the blue one up. On other "
                "pieces, stick a paper dot to the red face: so they are drawn here."
            ),
        ),
        path=(
            N_("Light's pieces follow the numbers from 1 to {last}, and stay on the board."),
            DARK_PATH,
            MEET,
        ),
        turn=(
            N_(
                "Throw the die, then bring in a new piece on the square with that number, or move "
                "a piece that far along your path."
            ),
            N_("You move only a piece of yours that stands alone or on top of its pile."),
            N_("You may pass over any piece, and land on any piece."),
            N_("Then it is your opponent's turn."),
        ),
        squares=(
            At(
                "A7 C7",
                N_("Goal"),
                (
                    N_(
                        "The goal is the last square of your path. It holds up to five of your "
                        "pieces. There you turn your piece over to red, and its prisoners leave "
                        "the game."
                    ),
                ),
                N_("goal"),
            ),
            At(
                "A8 C8",
                N_("Refuge"),
                (
                    N_(
                        "The refuge is the square before the goal. It holds up to five of your "
                        "pieces. A piece that leaves it takes its prisoners along, because an "
                        "opponent's piece may not stand free there."
                    ),
                ),
                N_("refuge"),
            ),
            At(
                OUTER,
                N_("Outer rows"),
                (
                    N_(
                        "The six squares of the opponent's own row are closed to you, except as a "
                        "prisoner."
                    ),
                ),
            ),
            At(ROSETTES, N_("Rosettes"), (N_("Rosettes are ordinary squares."),)),
        ),
        capturing=(ON_TOP,),
        piles=(
            N_(
                "A piece may take along all the opponent's pieces directly under it, or none. "
                "These are its prisoners. A piece that is left on top is free again."
            ),
            N_(
                "A red piece may also move back by the number thrown, as far as B1, but only "
                "without prisoners."
            ),
            N_("Except on refuge and goal, a pile may be as high as you like."),
        ),
        home=(NOT_HOME, N_("A piece that has reached the goal may stay there or move back.")),
        extra=(NONE_EXTRA,),
        passing=(N_("Your turn passes only if no move is possible, or with a 6."),),
        winning=(CAPTURE_ALL,),
        begin=(SIX_BEGINS,),
        source=(N_("The booklet of Ravensburger's game 602 5 265 3."),),
        booklet=(
            N_(
                "Entering, moving, piles, prisoners, moves back of red pieces, refuge and goal, "
                "and how the game is won."
            ),
        ),
        public=(N_("The path, and that the second die in the box is the opponent's."),),
        ours=(
            N_(
                "Prisoners are taken along all or none; freed pieces keep their face; entering "
                "and moving back count as moves; a piece that moves back may leave its "
                "prisoners, and may move from the goal to the refuge."
            ),
        ),
    ),
    "freecompany": RulesPage(
        aim=(FOUR_FORTS,),
        differs=(
            N_(
                "Not a race: pieces are placed, move in both directions, and capture and hold "
                "squares."
            ),
        ),
        path=(
            When(
                "path",
                "tracks",
                N_("Pieces move along the paths of both sides, in either direction."),
            ),
            When(
                "path",
                "orthogonal",
                N_("Pieces move to any square that shares an edge with theirs."),
            ),
            N_("Within one move a piece does not go straight back to the square it came from."),
        ),
        turn=(
            N_("Throw both dice, then do one of these things, with pieces of your own:"),
            N_("One coloured tip: move one piece one square, forward or back."),
            N_(
                "Two coloured tips: move one piece one or two squares, or two pieces one square "
                "each."
            ),
            PLACE,
            N_("Two blank tips: place a piece on an empty square next to one of yours."),
            ENTRANCE,
            N_(
                "You may pass over your own pieces if you end on an empty square. You may not pass "
                "over the opponent's pieces."
            ),
        ),
        squares=(
            At("A1 A7 C1 C7", N_("Forts"), (FORT_AGAIN,), N_("fort")),
            At("B1", N_("Entrance"), (ENTRANCE,), N_("entrance")),
            At("A3 B3 C3", N_("Royal Realm"), (PLACE,), N_("realm")),
            At(
                "B4",
                N_("House of Ishtar"),
                (N_("While a piece of yours stands on Ishtar, your pieces on forts are safe."),),
                N_("Ishtar"),
            ),
            At("B6", N_("House of Marduk"), (PLACE,), N_("Marduk")),
            At(
                "A1 C1",
                N_("Earth"),
                (
                    N_(
                        "Earth has the forts A1 and C1. While you have pieces on both before you "
                        "throw, a capture does not end your piece's move."
                    ),
                ),
            ),
            At(
                "A7 C7",
                N_("Heaven"),
                (
                    N_(
                        "Heaven has the forts A7 and C7. While you have pieces on both before you "
                        "throw, two tips of the same colour move one piece up to three squares."
                    ),
                ),
            ),
        ),
        capturing=(
            N_(
                "Landing on an opponent's piece captures it and ends your piece's move. The "
                "captured piece goes back beside the board."
            ),
        ),
        piles=(NO_PILES,),
        home=(NOT_HOME,),
        extra=(FORT_AGAIN,),
        passing=(N_("If you can do something, you must. If you cannot, your turn ends."),),
        winning=(
            FOUR_FORTS,
            N_(
                "You may claim a draw when a player has made the same move or placement five turns "
                "in a row, or when the same position has come up five times."
            ),
        ),
        source=(N_('The rulebook of the modern "UR: Royal Game", beta of 2023.'),),
        booklet=(
            N_(
                "What a throw allows, forts, houses, captures, Heaven and Earth, and how the "
                "game is won."
            ),
        ),
        ours=(
            N_(
                "The rulebook's pictures are lost. We chose the special squares and the paths "
                "between the squares."
            ),
            N_(
                "Except on the Entrance, pieces are placed only on empty squares; placing on a "
                "fort gives no extra throw; a turn has at most one extra throw; you must act if "
                "you can."
            ),
        ),
    ),
    "masters": RulesPage(
        differs=(
            N_("Like Bell, but rosettes give an extra throw and are not safe, and a 4 gives none."),
            ROUND_BLOCK,
        ),
        source=(N_("James Masters's proposal, as it is played online at RoyalUr (royalur.net)."),),
        booklet=(ROYALUR_BOOKLET,),
        public=(N_("That whoever throws more begins, from the page of James Masters."),),
        ours=(N_("A throw without marks is the highest when the players throw for the start."),),
    ),
    "blitz": RulesPage(
        differs=(
            several(
                "pieces",
                "A short game on the path of Masters: {pieces} piece per side, and captures "
                "give an extra throw.",
                "A short game on the path of Masters: {pieces} pieces per side, and captures "
                "give an extra throw.",
            ),
            ROUND_BLOCK,
        ),
        source=(N_("The game Blitz of RoyalUr (royalur.net)."),),
        booklet=(ROYALUR_BOOKLET,),
        ours=(N_("RoyalUr's library lets Light begin. Here whoever throws more begins."),),
    ),
}
"""What the page of each rule set has of its own, by the rule set's id."""
