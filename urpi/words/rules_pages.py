"""The texts of the rule sets' pages. The English text is the msgid.

The texts are original; the authoritative rules are in RULES.md. `{pieces}` is the number of
pieces per side. A sentence that applies only with a certain value of an option is a `When`.
"""

from typing import Final, NamedTuple, TypeAlias

from urpi.words.sentences import N_


class When(NamedTuple):
    """A sentence that applies only if an option has a certain value."""

    option: str
    value: str
    sentence: str


class At(NamedTuple):
    """A sentence about some squares, such as ``"B3 B6"``, which may be a `When`."""

    squares: str
    sentence: str | When


Sentences: TypeAlias = tuple[str | When | At, ...]


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

RACE_AIM: Final = N_(
    "Bring your {pieces} pieces in, along your path and off the board. Who is first to bear off "
    "all of them wins at once. There is no draw."
)
RACE_TURN: Final = (
    N_("Throw, then move one piece exactly as far as the throw counts, or bring a new one in."),
    N_("A new piece lands on the square whose number is the throw."),
    N_("You may pass over any piece. You never land on your own."),
    N_("Landing on an enemy sends it back to its owner's hand."),
    N_("To bear off you need exactly one more than the squares that are left."),
    N_("If you can move, you must. If you cannot, the turn passes."),
)
MARKS_FOUR: Final = N_("Four tetrahedra. Count the marked tips that point up. A 0 moves nothing.")
MARKS_THREE: Final = N_(
    "Three tetrahedra. Count the marked tips that point up. None is 0, and moves nothing."
)
MARKS_THREE_FOUR: Final = N_("Three tetrahedra. Count the marked tips that point up. None is 4.")
THROW_AGAIN: Final = N_("A rosette gives another throw, which may be played with any piece.")
SAFE: Final = N_("A piece on a rosette is safe: nobody may land there.")
SAFE_ONLY: Final = N_("A piece on a rosette is safe. A rosette gives no other throw.")
NOT_SAFE_AGAIN: Final = N_("A rosette gives another throw. It is not safe.")
FOUR_AGAIN: Final = N_("After a 4 has been played you throw again, as often as it comes.")
CAPTURE_AGAIN: Final = N_(
    "A capture gives another throw. A capture on a rosette still gives only one."
)
CAMPS: Final = N_("Your camps are the eyes on your own row: up to four of your pieces each.")
TOWERS: Final = N_(
    "Landing captures nothing: your piece goes on top, and what lies under it is held."
)
FOUR_FORTS: Final = N_(
    "Hold all four forts, A1, A7, C1 and C7, at the end of an action. That wins at once. Nobody "
    "bears off."
)
NOT_SAFE: Final = N_("A piece on a rosette is not safe.")
HOME_SQUARES: Final = N_("Your four squares of the large block are yours alone.")
ROUND_BLOCK: Final = N_("The path goes round the small block by the enemy's side.")
ONE_BEGINS: Final = N_(
    "Both throw until exactly one of the two has thrown a 1. That one begins and throws anew."
)
MORE_BEGINS: Final = N_(
    "Both throw, and the higher throw begins and throws anew. A tie is thrown again."
)
FRAME_OURS: Final = N_(
    "The page leaves seven pieces, capture by landing and the exact bear-off to its common frame."
)
PATH_PUBLIC: Final = N_("The path.")
ROYALUR_BOOKLET: Final = N_(
    "The path, the dice, captures, rosettes, that you must move and the exact bear-off."
)
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
"""The drawing that explains a sentence, by its name in `urpi.svg.rule_pictures`."""

PAGES: Final = {
    "finkel": RulesPage(
        aim=(RACE_AIM,),
        dice=(MARKS_FOUR,),
        squares=(At(ROSETTES, THROW_AGAIN), At(ROSETTES, SAFE)),
        turn=RACE_TURN,
        begin=(MORE_BEGINS,),
        differs=(N_("The best known way to play, and the one to begin with."),),
        source=(BRITISH_MUSEUM,),
        booklet=(
            N_(
                "The dice, who begins, entering, captures, rosettes, that you must move and "
                "the exact bear-off."
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
        begin=(ONE_BEGINS,),
        differs=(N_("As Finkel with four dice, but one die less, and a 1 decides who begins."),),
        source=(N_("Irving Finkel's rules, in a version with three dice."),),
        booklet=(N_("How the dice count, that a 1 begins, and that only rosettes are special."),),
        public=(
            PATH_PUBLIC,
            N_("That rosettes throw again and are safe."),
        ),
        ours=(FRAME_OURS, N_("That both throw again until one alone has a 1 is ours.")),
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
                    N_("Pieces leave over the enemy's row, and may be captured there by new ones."),
                ),
            ),
        ),
        turn=RACE_TURN,
        begin=(ONE_BEGINS,),
        differs=(
            N_("The longest way: pieces go out, round the small block, and all the way back."),
            N_("Most squares are visited twice, so remember which lap a piece is on."),
            N_("Pieces of both laps block and capture each other."),
        ),
        source=(N_("H. J. R. Murray's reading, from his history of board games."),),
        booklet=(N_("How the dice count, and that a 1 begins."),),
        public=(
            N_("The path of 27 squares, and that rosettes throw again."),
            N_("Going off over the enemy's row is the way of one public program."),
        ),
        ours=(FRAME_OURS, N_("That rosettes are not safe is our reading of the page.")),
    ),
    "bell": RulesPage(
        aim=(RACE_AIM,),
        dice=(MARKS_THREE_FOUR, N_("Throw-sticks do as well.")),
        squares=(
            At(ROSETTES, SAFE_ONLY),
            At(LARGE_BLOCK, HOME_SQUARES),
        ),
        turn=(
            *RACE_TURN,
            N_("With nothing on the board a new piece must come in."),
            FOUR_AGAIN,
            N_("A 4 that cannot be played is lost, and so is its throw."),
        ),
        begin=(N_("It is drawn by lot when the game is made."),),
        differs=(
            N_("A 4 throws again, and a rosette does not."),
            ROUND_BLOCK,
        ),
        source=(
            N_("The leaflet of R. C. Bell and Irving Finkel, as changed by Murray and Parlett."),
        ),
        booklet=(
            N_(
                "The path, that none counts 4, that a 4 throws again, that rosettes are safe, "
                "and that the first to begin is drawn."
            ),
        ),
        public=(),
        ours=(
            N_(
                "The leaflet does not say that you must move when you can, nor that 4 after 4 "
                "throws on: both are ours."
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
        turn=(*RACE_TURN, N_("With nothing on the board a new piece must come in.")),
        begin=(MORE_BEGINS,),
        differs=(N_("As Finkel with three dice, but the higher throw begins."),),
        source=(N_('The sheet "Jogo Real UR" of a university course, in Portuguese.'),),
        booklet=(
            N_(
                "Who begins, the path, rosettes, captures, when a piece must come in, and the "
                "exact bear-off."
            ),
        ),
        public=(N_("That a tie for the start is thrown again."),),
        ours=(
            N_(
                "The sheet's table of what a throw counts is lost. That none counts 4 is ours; "
                "the option zero changes it."
            ),
            N_("The sheet captures only pieces that stand alone; here every piece does."),
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
                    "The camp B7 is for who stands there first, with up to four pieces, until the "
                    "last one leaves. The other side may only pass."
                ),
            ),
            At(
                "B3 B6",
                N_("The camps B3 and B6 take four pieces of anyone, and nobody is captured there."),
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
                "A piece comes in blank. Once it stands on the first ziggurat or behind it, turn "
                "it over with its next move: now it is dotted."
            ),
            N_(
                "Blank captures blank, dotted captures dotted. A piece of the other face is in "
                "your way, except in a camp. A captured piece comes in blank again."
            ),
        ),
        begin=(ONE_BEGINS,),
        differs=(
            N_("Pieces have two faces, and stand in piles in the camps."),
            N_("The way leads round the small block and back to the beginning of the middle row."),
        ),
        source=(N_("Dmitry Skiryuk's reconstruction."),),
        booklet=(N_("The dice, faces, camps, captures, rosettes, and that the way ends on B1."),),
        public=(N_("The path, square by square."),),
        ours=(
            N_("That only the top piece moves is said of some camps; here it holds in all."),
            N_("That a blank piece may stop on B1, where a blank one captures it, is ours."),
        ),
    ),
    "ravensburger": RulesPage(
        aim=(
            N_(
                "Capture every enemy piece: you win when the enemy has no piece in hand and tops "
                "no pile. There is no draw."
            ),
        ),
        dice=(N_("One die with six faces. 1 to 5 count, a 6 moves nothing."),),
        squares=(
            At(
                "A7 A8 C7 C8",
                N_(
                    "The last square of your path is the goal, the one before it the refuge. Each "
                    "holds five of your pieces, and is reached by the exact throw."
                ),
            ),
            At(
                OUTER,
                N_(
                    "The six squares of the enemy's own row are closed to you, except as a "
                    "prisoner."
                ),
            ),
            At(ROSETTES, N_("Rosettes are squares like all others.")),
        ),
        turn=(
            N_(
                "One throw, one move: bring a new piece in on the square that you threw, or move "
                "the top piece of a pile that you top."
            ),
            TOWERS,
            N_(
                "A piece may take along all enemy pieces right under it, or none. What is left on "
                "top is free again. Out of the refuge they must come along."
            ),
            N_("On the goal prisoners leave the game, and your piece turns red."),
            N_(
                "A red piece may also go back, alone, as far as B1. With prisoners it only goes on."
            ),
            N_("You pass only when nothing can move, or with a 6."),
        ),
        begin=(
            N_(
                "Both throw, and the higher throw begins and throws anew. Here a 6 is the "
                "highest. A tie is thrown again."
            ),
        ),
        differs=(N_("No race: {pieces} pieces a side, towers, prisoners, and a way back."),),
        source=(N_("The booklet of Ravensburger's game 602 5 265 3."),),
        booklet=(
            N_(
                "Entering, moving, towers, prisoners, the way back of red pieces, refuge and "
                "goal, and how the game is won."
            ),
        ),
        public=(N_("The path, and that the second die in the box is the other player's."),),
        ours=(
            N_(
                "Prisoners are taken all or none; freed pieces keep their face; entering and going "
                "back count as moves; a piece that goes back may leave prisoners, and may step "
                "from the goal to the refuge: these are ours."
            ),
        ),
    ),
    "freecompany": RulesPage(
        aim=(FOUR_FORTS,),
        dice=(
            N_(
                "Two tetrahedra, each with a gold, a silver and two blank tips. A coloured tip "
                "up is one step."
            ),
        ),
        squares=(
            At(
                "A1 A7 C1 C7",
                N_("Forts: a move that ends on one gives another throw, at most one a turn."),
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
                    "Earth, with the forts A1 and C1: hold both, and a capture does not stop a "
                    "piece."
                ),
            ),
            At(
                "A7 C7",
                N_(
                    "Heaven, with the forts A7 and C7: hold both, and two of one colour move one "
                    "piece up to three squares."
                ),
            ),
        ),
        turn=(
            N_(
                "Any throw: place a piece on the Entrance instead. It captures there, but not the "
                "enemy's only piece."
            ),
            N_("One coloured tip: one piece goes one square, forward or back."),
            N_("Two coloured tips: one piece goes one or two squares, or two pieces one each."),
            N_(
                "Or place on an empty square: gold and silver in the Royal Realm, two silver on "
                "Ishtar, two gold on Marduk."
            ),
            N_("Two blanks: place a piece on an empty square beside one of yours."),
            When("path", "tracks", N_("Pieces go along the tracks of both sides, either way.")),
            When("path", "orthogonal", N_("Pieces go to any square that shares a side.")),
            N_("You may pass your own pieces to an empty square. You may not pass enemies."),
            N_(
                "Landing on an enemy captures it and ends that piece's way. It returns to its "
                "owner's hand."
            ),
            N_("If you can do anything, you must."),
            N_(
                "A draw may be claimed when a player has made the same action in five own turns "
                "running, or when a position has come five times."
            ),
        ),
        begin=(
            N_(
                "The players say who begins: who has travelled nearest the Middle East. In the "
                "next game the loser chooses."
            ),
        ),
        differs=(N_("No race: pieces go both ways, are placed, and take and hold squares."),),
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
                "The rulebook's figures are lost: which squares are which, and the ways between "
                "them, are ours."
            ),
            N_(
                "Placing only on empty squares, no throw for placing on a fort, one extra throw a "
                "turn, and that you must act when you can, are ours."
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
            N_("As Bell, but rosettes throw again and are not safe, and a 4 does not throw again."),
            ROUND_BLOCK,
        ),
        source=(N_("James Masters's proposal, as it is played online at RoyalUr (royalur.net)."),),
        booklet=(ROYALUR_BOOKLET,),
        public=(N_("That the higher throw begins, from the page of James Masters."),),
        ours=(N_("That a throw without marks is the highest one for the start is ours."),),
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
            N_(
                "A short game on the path of Masters: {pieces} pieces a side, captures throw again."
            ),
            ROUND_BLOCK,
        ),
        source=(N_("The game Blitz of RoyalUr (royalur.net)."),),
        booklet=(ROYALUR_BOOKLET,),
        public=(),
        ours=(N_("RoyalUr's library lets Light begin. Here the higher throw begins."),),
    ),
}
"""The pages by the rule set's id."""
