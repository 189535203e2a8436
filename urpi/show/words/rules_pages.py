"""The texts of the rule sets' pages. The English text is the msgid.

The texts are original; the authoritative rules are in RULES.md. `{pieces}` is the number of
pieces per side. A sentence that applies only with a certain value of an option is a `When`.
"""

from typing import Final, NamedTuple, TypeAlias

from urpi.show.words.sentences import N_, Several, several


class When(NamedTuple):
    """A sentence that applies only if an option has a certain value."""

    option: str
    value: str
    sentence: str


class At(NamedTuple):
    """A sentence about some squares, such as ``"B3 B6"``, which may be a `When`."""

    squares: str
    sentence: str | When


Sentences: TypeAlias = tuple[str | Several | When | At, ...]


class RulesPage(NamedTuple):
    """The text of one rule set's page: a list of sentences for each section.

    The first sentence of `differs` describes the rule set in one line. In `squares`, a sentence
    about certain squares is an `At`.
    `booklet` is what the rule set's own page or booklet defines, `public` what other public
    sources define, and `ours` what this project decided (marked B, P and D in RULES.md).
    """

    aim: Sentences
    dice: Sentences
    squares: Sentences
    turn: Sentences
    begin: Sentences
    differs: Sentences
    source: Sentences
    booklet: Sentences
    public: Sentences
    ours: Sentences


ROSETTES: Final = "A1 A7 B4 C1 C7"
LARGE_BLOCK: Final = "A1 A2 A3 A4 C1 C2 C3 C4"
"""The outer squares of the large block: of light and of dark."""
OUTER: Final = f"{LARGE_BLOCK} A7 A8 C7 C8"

RACE_AIM: Final = several(
    "pieces",
    "Bring your {pieces} piece onto the board, along your path and home. The first to "
    "bring all of them home wins at once. There is no draw.",
    "Bring your {pieces} pieces onto the board, along your path and home. The first to "
    "bring all of them home wins at once. There is no draw.",
)
RACE_TURN: Final = (
    N_("Throw the dice, then move one piece exactly that many squares, or bring in a new one."),
    N_("Bring a new piece in on the square whose number you threw."),
    N_("You may pass over any piece. You never land on your own."),
    N_("An opponent's piece that you land on is taken off, and must start again."),
    N_(
        "To bring a piece home, throw exactly one more than the number of squares left on its path."
    ),
    N_("If you can move, you must. If you cannot, your turn ends."),
)
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
THROW_AGAIN: Final = N_("A rosette gives an extra throw, which may be played with any piece.")
SAFE: Final = N_("A piece on a rosette is safe: no other piece may land there.")
SAFE_ONLY: Final = N_("A piece on a rosette is safe. A rosette gives no extra throw.")
NOT_SAFE_AGAIN: Final = N_("A rosette gives an extra throw. A piece on it is not safe.")
FOUR_AGAIN: Final = N_("After playing a 4 you throw again, as often as you throw a 4.")
CAPTURE_AGAIN: Final = N_(
    "A capture gives an extra throw. A capture on a rosette gives one extra throw, not two."
)
CAMPS: Final = N_(
    "Your camps are the squares with eyes on your own row. Each holds up to four of your pieces."
)
TOWERS: Final = N_(
    "Landing on a piece does not capture it: your piece goes on top, and the pieces "
    "under it are trapped."
)
FOUR_FORTS: Final = N_(
    "You win at once if you have a piece on all four forts, A1, A7, C1 and C7, at the "
    "end of your action. Pieces do not go home."
)
NOT_SAFE: Final = N_("A piece on a rosette is not safe.")
HOME_SQUARES: Final = N_("Only your own pieces may stand on your four squares of the large block.")
ROUND_BLOCK: Final = N_("The path goes round the small block by the opponent's side.")
ONE_BEGINS: Final = N_(
    "Both players throw until exactly one of them throws a 1. That player begins with a new throw."
)
MORE_BEGINS: Final = N_(
    "Both players throw. Whoever throws more begins, with a new throw. After a tie "
    "both throw again."
)
FRAME_OURS: Final = N_(
    "For seven pieces, capture by landing and the exact throw home, the page refers to "
    "its general rules."
)
BEGIN_OURS: Final = N_(
    "The page does not say who begins. We decided that whoever throws more does; the "
    "option start changes that."
)
PATH_PUBLIC: Final = N_("The path.")
ROYALUR_BOOKLET: Final = N_(
    "The path, the dice, captures, rosettes, that you must move, and the exact throw home."
)
DECLINING: Final = N_("You may decline an extra throw: hold your button until the turn passes.")
HIGHER_OR_ONE: Final = (When("start", "higher", MORE_BEGINS), When("start", "one", ONE_BEGINS))
BRITISH_MUSEUM: Final = N_("Irving Finkel's rules for the board in the British Museum.")

PICTURES: Final = {
    RACE_AIM: "pieces-{pieces}",
    MARKS_THREE: "none-0",
    MARKS_THREE_FOUR: "none-4",
    THROW_AGAIN: "rosette-again",
    SAFE: "rosette-safe",
    SAFE_ONLY: "rosette-safe",
    NOT_SAFE: "rosette-open",
    NOT_SAFE_AGAIN: "rosette-again",
    FOUR_AGAIN: "four-again",
    CAPTURE_AGAIN: "capture-again",
    CAMPS: "camp",
    TOWERS: "tower",
    FOUR_FORTS: "forts",
}
"""The drawing that explains a sentence, by its name in `urpi.show.svg.rule_pictures`."""

PAGES: Final = {
    "finkel": RulesPage(
        aim=(RACE_AIM,),
        dice=(MARKS_FOUR,),
        squares=(At(ROSETTES, THROW_AGAIN), At(ROSETTES, SAFE)),
        turn=RACE_TURN,
        begin=(MORE_BEGINS,),
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
        aim=(RACE_AIM,),
        dice=(MARKS_THREE,),
        squares=(
            At(ROSETTES, THROW_AGAIN),
            At(ROSETTES, When("safe_rosettes", "yes", SAFE)),
            At(ROSETTES, When("safe_rosettes", "no", NOT_SAFE)),
        ),
        turn=RACE_TURN,
        begin=HIGHER_OR_ONE,
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
        aim=(RACE_AIM,),
        dice=(MARKS_THREE,),
        squares=(
            At(ROSETTES, THROW_AGAIN),
            At(ROSETTES, When("safe_rosettes", "no", NOT_SAFE)),
            At(ROSETTES, When("safe_rosettes", "yes", SAFE)),
            At(LARGE_BLOCK, When("exit_row", "own", HOME_SQUARES)),
            At(
                LARGE_BLOCK,
                When(
                    "exit_row",
                    "opponent",
                    N_(
                        "Pieces go home along the opponent's row, where the opponent's new pieces "
                        "may capture them."
                    ),
                ),
            ),
        ),
        turn=RACE_TURN,
        begin=HIGHER_OR_ONE,
        differs=(
            N_(
                "The longest path: pieces go out, round the small block of squares, and all the "
                "way back."
            ),
            N_(
                "Most squares are visited twice, so remember whether a piece is on its way out or "
                "back."
            ),
            N_("Pieces on the way out and back block and capture each other."),
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
        aim=(RACE_AIM,),
        dice=(MARKS_THREE_FOUR, N_("Throwing sticks may be used instead.")),
        squares=(
            At(ROSETTES, SAFE_ONLY),
            At(LARGE_BLOCK, HOME_SQUARES),
        ),
        turn=(
            *RACE_TURN,
            N_("With no piece on the board you must enter a new one."),
            FOUR_AGAIN,
            N_("A 4 that cannot be played is lost, and so is its extra throw."),
        ),
        begin=(N_("The program draws lots for who begins when the game is started."),),
        differs=(
            N_("A 4 gives an extra throw, a rosette does not."),
            ROUND_BLOCK,
        ),
        source=(
            N_("The leaflet of R. C. Bell and Irving Finkel, as changed by Murray and Parlett."),
        ),
        booklet=(
            N_(
                "The path, that a throw without marks counts 4, that a 4 gives an extra throw, "
                "that rosettes are safe, and that the first player is drawn by lot."
            ),
        ),
        public=(),
        ours=(
            N_(
                "The leaflet does not say that you must move if you can, nor that every further "
                "4 gives an extra throw: we decided both."
            ),
        ),
    ),
    "coursework": RulesPage(
        aim=(RACE_AIM,),
        dice=(
            When("zero", "4", MARKS_THREE_FOUR),
            When("zero", "0", MARKS_THREE),
        ),
        squares=(At(ROSETTES, THROW_AGAIN), At(ROSETTES, SAFE)),
        turn=(*RACE_TURN, N_("With no piece on the board you must enter a new one.")),
        begin=(MORE_BEGINS,),
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
        aim=(RACE_AIM,),
        dice=(MARKS_THREE_FOUR,),
        squares=(
            At(ROSETTES, NOT_SAFE_AGAIN),
            At("A2 A4 C2 C4", CAMPS),
            At(
                "B7",
                N_(
                    "The camp B7 belongs to the side that stands there first, with up to four "
                    "pieces, until the last one leaves. The opponent may only pass over it."
                ),
            ),
            At(
                "B3 B6",
                N_(
                    "The camps B3 and B6 hold up to four pieces each, of either side, and no piece "
                    "is captured there."
                ),
            ),
            At("A2 A4 C2 C4 B3 B6 B7", N_("In a camp only the top piece moves.")),
            At(
                "B1",
                N_("B1 is the last square. It holds one piece, and a dotted one is safe there."),
            ),
        ),
        turn=(
            *RACE_TURN[:2],
            N_("You may pass over any piece. You land on your own only in a camp."),
            *RACE_TURN[3:],
            N_(
                "A piece enters with its plain face up. Once it stands on the first ziggurat or "
                "beyond, turn it over with its next move: now it is dotted, and on its way back."
            ),
            N_(
                "Plain pieces capture plain ones, dotted pieces dotted ones. You may not land on "
                "an opponent's piece that shows its other face, except in a camp. A captured piece "
                "enters plain again."
            ),
        ),
        begin=(ONE_BEGINS,),
        differs=(
            N_("Pieces have two faces, and stand in piles in the camps."),
            N_("The path leads round the small block and back to the beginning of the middle row."),
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
        aim=(
            N_(
                "Capture every piece of the opponent: you win when no piece of the opponent waits "
                "beside the board, and none stands alone or on top of a pile. There is no draw."
            ),
        ),
        dice=(N_("One die with six faces. 1 to 5 count; a 6 moves nothing."),),
        squares=(
            At(
                "A7 A8 C7 C8",
                N_(
                    "The last square of your path is the goal, the one before it the refuge. Each "
                    "holds up to five of your pieces, and must be reached by an exact throw."
                ),
            ),
            At(
                OUTER,
                N_(
                    "The six squares of the opponent's own row are closed to you, except as a "
                    "prisoner."
                ),
            ),
            At(ROSETTES, N_("Rosettes are ordinary squares.")),
        ),
        turn=(
            N_(
                "One move per throw: bring in a new piece on the square with that number, or move "
                "a piece of yours that stands alone or on top of its pile."
            ),
            TOWERS,
            N_(
                "A piece may take along all the opponent's pieces directly under it, or none. A "
                "piece that is left on top is free again. A piece that leaves the refuge must take "
                "them along."
            ),
            N_(
                "Each piece has a blue and a red face, and enters blue. On the goal, prisoners "
                "leave the game, and you turn your piece over to red."
            ),
            N_(
                "A red piece may also move back as far as B1, but only alone. With prisoners it "
                "moves only forward."
            ),
            N_("Your turn passes only if no move is possible, or with a 6."),
        ),
        begin=(
            N_(
                "Both players throw. Whoever throws more begins, with a new throw. Only here a 6 "
                "counts, and is the highest. After a tie both throw again."
            ),
        ),
        differs=(
            several(
                "pieces",
                "Not a race: {pieces} piece per side, piles, prisoners, and moves back.",
                "Not a race: {pieces} pieces per side, piles, prisoners, and moves back.",
            ),
        ),
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
        dice=(
            N_(
                "Two tetrahedra, each with one gold tip, one silver tip and two blank tips. "
                "Each coloured tip that points up is one step."
            ),
        ),
        squares=(
            At(
                "A1 A7 C1 C7",
                N_("Forts: a move that ends on a fort gives an extra throw, at most one per turn."),
            ),
            At(
                "A3 B1 B3 B4 B6 C3",
                N_("Entrance B1. Royal Realm A3, B3, C3. House of Ishtar B4. House of Marduk B6."),
            ),
            At(
                "A1 A7 B4 C1 C7",
                N_("While a piece of yours stands on Ishtar, your pieces on forts are safe."),
            ),
            At(
                "A1 C1",
                N_(
                    "Earth has the forts A1 and C1. While you have pieces on both before you "
                    "throw, a capture does not end your piece's move."
                ),
            ),
            At(
                "A7 C7",
                N_(
                    "Heaven has the forts A7 and C7. While you have pieces on both before you "
                    "throw, two tips of the same colour move one piece up to three squares."
                ),
            ),
        ),
        turn=(
            N_(
                "With any throw you may place a piece on the Entrance instead. It captures an "
                "opponent's piece there, but not the opponent's only piece on the board."
            ),
            N_("One coloured tip: move one piece one square, forward or back."),
            N_(
                "Two coloured tips: move one piece one or two squares, or two pieces one square "
                "each."
            ),
            N_(
                "Or place a piece on an empty square: with gold and silver in the Royal Realm, "
                "with two silver on Ishtar, with two gold on Marduk."
            ),
            N_("Two blank tips: place a piece on an empty square next to one of yours."),
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
            N_(
                "You may pass over your own pieces if you end on an empty square. You may not pass "
                "over the opponent's pieces."
            ),
            N_(
                "Landing on an opponent's piece captures it and ends your piece's move. The "
                "captured piece goes back beside the board."
            ),
            N_("If you can do something, you must."),
            N_(
                "You may claim a draw when a player has made the same move or placement five turns "
                "in a row, or when the same position has come up five times."
            ),
        ),
        begin=(
            N_(
                "The player who has travelled closest to the Middle East begins. In the next "
                "game the loser chooses."
            ),
        ),
        differs=(
            N_(
                "Not a race: pieces are placed, move in both directions, and capture and hold "
                "squares."
            ),
        ),
        source=(N_('The rulebook of the modern "UR: Royal Game", beta of 2023.'),),
        booklet=(
            N_(
                "What a throw allows, forts, houses, captures, Heaven and Earth, and how the "
                "game is won."
            ),
        ),
        public=(),
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
        aim=(RACE_AIM,),
        dice=(MARKS_THREE_FOUR,),
        squares=(
            At(ROSETTES, THROW_AGAIN),
            At(ROSETTES, When("safe_rosettes", "no", NOT_SAFE)),
            At(ROSETTES, When("safe_rosettes", "yes", SAFE)),
            At(LARGE_BLOCK, HOME_SQUARES),
        ),
        turn=RACE_TURN,
        begin=(MORE_BEGINS,),
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
        aim=(RACE_AIM,),
        dice=(MARKS_FOUR,),
        squares=(
            At(ROSETTES, THROW_AGAIN),
            At(ROSETTES, When("safe_rosettes", "no", NOT_SAFE)),
            At(ROSETTES, When("safe_rosettes", "yes", SAFE)),
            At(LARGE_BLOCK, HOME_SQUARES),
        ),
        turn=(
            *RACE_TURN,
            CAPTURE_AGAIN,
        ),
        begin=(MORE_BEGINS,),
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
        public=(),
        ours=(N_("RoyalUr's library lets Light begin. Here whoever throws more begins."),),
    ),
}
"""The pages by the rule set's id."""
