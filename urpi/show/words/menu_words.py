"""The texts of the menu, the offers and the recap. The English text is the msgid.

A line of a list has room for about 20 letters, an offer for 75. The values in braces are filled
in: `value` is a line's setting, `name` a player, `move` a move.
"""

from typing import Final

from urpi.show.words.sentences import N_, NC_

# Translators: The title of a menu on the display: 16 letters.
TITLES: Final = {
    "menu": N_("Menu"),
    "resign": N_("Really give up?"),
    "claim": N_("Claim the game?"),
    "claim-draw": N_("Claim a draw?"),
    "cleared": N_("Board cleared?"),
    "new-game": N_("New game"),
    "rules": N_("Rules"),
    "light": N_("Who plays light?"),
    "dark": N_("Who plays dark?"),
    "club-light": N_("Show the name?"),
    "club-dark": N_("Show the name?"),
    "sound": N_("Sound"),
    "language": N_("Language"),
    "dice": N_("Dice"),
    "about": N_("About"),
    "explore": N_("Exploring"),
    "throws": N_("Which throw?"),
    "questions": N_("Whose questions?"),
}
"""The titles of the lists. A side's offers have its player's name as the title."""

# Translators: A line of the menu on the display: 21 letters with the value.
ITEMS: Final = {
    "play-on": N_("Back to the game"),
    "back": N_("Back"),
    "new-game": N_("New game"),
    "minute": N_("What the board saw"),
    "sound": N_("Sound: {value}"),
    "language": N_("Language: {value}"),
    "dice": N_("Dice"),
    "about": N_("About and address"),
    "next-game": N_("Next game"),
    "begin": N_("Begin"),
    "pieces": N_("Pieces: {value}"),
    "set-up": N_("Set up a position"),
    "light": N_("Light: {value}"),
    "dark": N_("Dark: {value}"),
    "engine-throws": N_("Bot's dice: {value}"),
    "coach-light": N_("Coach, light: {value}"),
    "coach-dark": N_("Coach, dark: {value}"),
    "club-light": N_("Club, light: {value}"),
    "club-dark": N_("Club, dark: {value}"),
    "publish": N_("Yes, show the name"),
    "hide": N_("No, hide the name"),
    "no-hub": N_("No dice hub"),
    "no-bluetooth": N_("No Bluetooth"),
    "no-page": N_("No page"),
    "withdraw": N_("End invitation"),
    "pin": N_("PIN: {value}"),
    "hint": N_("Hint"),
    "take-back": N_("Take back: {value}"),
    "offer-draw": N_("Offer a draw"),
    "claim": N_("Claim the game"),
    "claim-draw": N_("Claim a draw"),
    "resign": N_("Give up"),
    "abandon": N_("Abandon"),
    "explore": N_("Explore a line"),
    "explore-on": N_("Go on exploring"),
    "throws": N_("Choose a throw"),
    "throw": N_("Throw: {value}"),
    "go-back": N_("Back to position"),
    "end-exploration": N_("End exploring"),
    "questions": N_("Questions"),
    "next-question": N_("Next question"),
    "sure-resign": N_("Yes, give up"),
    "sure-claim": N_("Yes, claim it"),
    "sure-claim-draw": N_("Yes, claim it"),
    "sure-new-game": N_("Yes, new game"),
}
"""The lines of the lists, by name."""

# Translators: In the menu, for a player without a name: "Light: no name", 21 letters in all.
NOBODY: Final = N_("no name")
# Translators: In the menu, who plays a side: "Light: bot, beginner", 21 letters in all. The bot is
# the program as a player.
ENGINE: Final = N_("bot, {level}")
"""A line has too little room for the word *engine* that the page uses."""
# Translators: How strong the program plays, after "bot," or "engine,".
LEVELS: Final = {
    "beginner": N_("beginner"),
    "easy": N_("easy"),
    "medium": N_("medium"),
    "hard": N_("hard"),
    "best": N_("best"),
}
"""The levels of the engine, the weakest first."""
# Translators: In the menu, after "Bot's dice:": a person throws real dice for the bot, or the
# program throws automatically. 21 letters in all.
ENGINE_THROWS: Final = {"dice": N_("real"), "program": N_("auto")}
"""What throws for the engine: real dice in a person's hand, or the program."""
# Translators: In the menu, after "Coach, light:": there is no coach.
NO_COACH: Final = NC_("coach", "no")
COACHES: Final = {"very-bad": 8, "bad": 4, "doubtful": 2}
"""From how many percentage points of probability to win on the coach shows a better move."""
# Translators: In the menu, after "Club, light:": the name is shown by the club.
PUBLISHED: Final = N_("shown")
# Translators: In the menu, after "Club, light:": the name is not shown by the club.
HIDDEN: Final = N_("hidden")
"""Whether a player's name is shown by the club."""
# Translators: In the menu, after "Sound:"; 21 letters in all.
SOUNDS: Final = {
    "off": NC_("sound", "off"),
    "tones": N_("tones"),
    "speech": N_("speech"),
    "both": N_("tones, speech"),
}
# Translators: In the menu, the state of a die after its number and battery: about 14 letters.
DIE_STATES: Final = {
    "lost": N_("no signal"),
    "low": N_("charge!"),
    "accel": N_("sensor broken"),
    "cal": N_("not calibrated"),
    "twin": N_("number twice"),
    "wakes": N_("wakes by itself"),
    "nokey": N_("no key"),
}

# Translators: In the menu, who plays a side: "Dark: table Lisbon".
TABLE: Final = N_("table {place}")
"""A side's seat that a player at another table has."""

# Translators: On the display: who begins the game that the club has arranged agrees that the club
# shows the names of both players. 21 letters.
CLUB_SHOWS: Final = N_("Club shows both names")
# Translators: The title of an invitation from another table on the display: 16 letters.
INVITED_TITLE: Final = N_("Play a game?")
# Translators: An invitation from another table: four lines of 21 letters with the names.
INVITED: Final = N_("{name} invites you: {rules}.")
"""`name` is the player with the place, such as *Ann (Lisbon)*, or the place alone."""
# Translators: A house rule of a game that is offered, one line of 21 letters: extra throws must be
# taken or may be declined; the row on which pieces go home; which side of the small block comes
# first; which squares count as neighbours; whether pieces on rosettes may be captured; who begins;
# what a throw without marks counts.
HOUSE_RULES: Final = {
    ("decline", "no"): N_("Extra throw: a must"),
    ("decline", "yes"): N_("Extra throw: optional"),
    ("exit_row", "opponent"): N_("Exit: opponent's row"),
    ("loop", "own-first"): N_("Loop: own side first"),
    ("path", "orthogonal"): N_("Neighbours: touching"),
    ("safe_rosettes", "no"): N_("Rosettes not safe"),
    ("safe_rosettes", "yes"): N_("Rosettes are safe"),
    ("start", "one"): N_("A 1 begins"),
    ("zero", "0"): N_("No marks: counts 0"),
}
"""Values of options that differ from the default, besides the number of pieces. A line is full with
21 letters."""
# Translators: What a player asks the other one, on the display: four lines of 21 letters.
OFFERS: Final = {
    "take-back": N_("{name} asks to take back: {move}."),
    "draw": N_("{name} offers a draw."),
    "abandon": N_("{name} asks to abandon this game."),
    "explore": N_("{name} asks to try a line. The game waits."),
    "new-game": N_("{name} asks for a new game. This one ends then."),
    "set-up": N_("{name} asks to set up a position. This game ends then."),
}
# Translators: The last line of the display: 21 letters. To hold the button means yes, a short
# press no.
ANSWER: Final = N_("Hold: yes  Press: no")
# Translators: Beside the board: two lines of 10 letters; above a list of squares: 16 letters.
PLACE: Final = N_("Set up the board")
# Translators: While a position is set up, on the display: two lines of 21 letters.
PLACED: Final = N_("All pieces placed? Who throws next?")
# Translators: Beside the board, after "Who throws next?": the button of that player answers. Two
# lines of 10 letters.
THROWER: Final = N_("Press that button")
# Translators: Beside the board, after "Who throws next?": the button of that player answers, held
# if it is the extra throw. Two lines of 10 letters.
THROWER_AND_EXTRA: Final = N_("Hold if extra")
# Translators: While a position is set up: whose piece is on this square? 10 letters.
WHOSE: Final = N_("{square}: whose?")
# Translators: While a position is set up: does the piece on this square show its other face, or
# stand there for the second time? 12 letters.
TURNED: Final = N_("{square}: turned?")
# Translators: Beside the board, after "B4: whose?": the owner's button answers. Two lines of 10
# letters.
OWNER: Final = N_("Owner's button")
# Translators: Beside the board, after "B4: whose?": the owner's button answers, held for a turned
# piece. Two lines of 10 letters.
OWNER_AND_FACE: Final = N_("Hold if turned")
# Translators: While a position is set up: is there a pile on this square? 10 letters.
PILE: Final = N_("{square}: a pile?")
# Translators: While a position is set up: there is no pile, or no other one. 12 letters.
NO_PILE: Final = N_("No more piles")
# Translators: While a position is set up, beside a side's disc: how many of its pieces have left
# the game, brought home or lost for good. 8 letters.
GONE: Final = N_("Out: {count}")
# Translators: While a position is set up, beside the disc of who throws: may the game begin? 8
# letters.
BEGINS: Final = N_("Begin?")
# Translators: Why no game can begin with this position, beside a side's disc: two lines of 16
# letters.
IMPOSSIBLE: Final = {
    "too-many": N_("Too many pieces"),
    "won": N_("Has won already"),
    "not-entered": N_("Must have a piece here"),
    "no-fort": N_("Needs a piece on a fort"),
    "no-red": N_("Needs a red piece"),
}
# Translators: Beside the board, if no game can begin with it. Two lines of 10 letters.
LIFT: Final = N_("Lift pieces")

# Translators: What a player of the menu is told, on the display: two lines of 21 letters. {value}
# is the name of the other table, or the squares that differ; after "Put" it is a move.
NOTES: Final = {
    "declined": N_("No: play goes on."),
    "put-back": N_("Agreed. Put {value} back."),
    "hold-for-menu": N_("Hold a button for the menu."),
    "no-question": N_("No question for {value} today."),
    "end-first": N_("End this game first."),
    "not-free": N_("{value} is busy now."),
    "waiting-table": N_("Invited {value}."),
    "table-declined": N_("{value} says no."),
    "table-busy": N_("{value} is playing already."),
    "table-silent": N_("{value} does not answer."),
    "table-unsupported": N_("Versions differ. Update urpi at both."),
    "asked-table": N_("Asking the other table."),
    "joining": N_("Agreed. {value} is starting the game."),
    "diverged": N_("The tables disagree: {value}."),
    "joining-failed": N_("{value} did not start the game."),
}

# Translators: The title of what the board saw lately, on the display: 16 letters.
LAST_MINUTE: Final = N_("The last minute")
# Translators: In the last minute, while it is being read: 21 letters.
LOOKING: Final = N_("Just a moment.")
# Translators: In the last minute, if nothing happened: 21 letters.
NOTHING_SEEN: Final = N_("Nothing happened.")
# Translators: Below an event of the last minute, what a short and a long press do: two lines of 21
# letters.
HOW_TO_READ: Final = N_("Press: earlier. Hold: back.")
# Translators: Below the last minute, where everything is: the address has up to 25 letters.
ALL_OF_IT: Final = N_("Full record: {address}")

# Translators: In the last minute, one line of 21 letters with the name.
THREW: Final = N_("{name} threw {value}")
# Translators: In the last minute, if nothing has been thrown: 21 letters.
NOT_YET: Final = N_("No throw yet.")

LANGUAGES: Final = {
    "bg": "Български",
    "cs": "Čeština",
    "da": "Dansk",
    "de": "Deutsch",
    "en": "English",
    "es": "Español",
    "fi": "Suomi",
    "fr": "Français",
    "hr": "Hrvatski",
    "hu": "Magyar",
    "it": "Italiano",
    "nl": "Nederlands",
    "no": "Norsk",
    "pl": "Polski",
    "pt": "Português",
    "ro": "Română",
    "ru": "Русский",
    "sk": "Slovenčina",
    "sl": "Slovenščina",
    "sr": "Српски",
    "sv": "Svenska",
    "tr": "Türkçe",
    "uk": "Українська",
}
"""Each language's own name."""
