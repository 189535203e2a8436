"""The texts of the dice commands. The English text is the msgid."""

from typing import Final

from urpi.show.words.sentences import N_, NC_
from urpi.show.words.words import TIPS, Words

# Translators: The state of a die in the terminal. leans: on something, so that it shows nothing;
# handled: someone holds it.
STATES: Final = {
    "rolling": N_("rolling"),
    "settled": N_("settled"),
    "cocked": N_("leans"),
    "handled": N_("handled"),
    "lost": N_("no signal"),
    "found": N_("found again"),
}
# Translators: What is wrong with a die or the hub, in the terminal.
ERRORS: Final = {
    "cal": N_("not calibrated"),
    "accel": N_("accelerometer failed"),
    "twin": N_("another die has the same number"),
    "wakes": N_("wakes without motion"),
    "radio": N_("The hub's radio has failed"),
    "identity": N_("The hub has no set and number yet"),
    "nokey": N_("no key"),
    "forged": N_("The hub rejected forged or repeated reports"),
}

# Translators: A face of a die with four tips: its number, and gold, silver or blank.
TIP: Final = N_("tip {face} ({shows})")
FACE: Final = N_("face {face}")
DEGREES: Final = N_("{angle}° off")
# Translators: In the terminal, about a die that has settled.
THROWN: Final = N_("thrown")
TURNED: Final = N_("not thrown")
# Translators: In the terminal, about a die that has settled: why that is no throw.
NOT_THROWN: Final = {
    "dropped": N_("not thrown: held and dropped"),
    "held": N_("not thrown: held still first"),
    "gentle": N_("not thrown: too gentle"),
    "by-hand": N_("not thrown: set down"),
}
VOLTS: Final = N_("{volts} V")
# Translators: The headings of the table of the dice in the terminal. repeats: reports received
# twice; missed: reports that are missing.
COLUMNS: Final = (
    N_("die"),
    N_("state"),
    N_("shows"),
    N_("angle"),
    N_("battery"),
    NC_("column", "throws"),
    N_("reported"),
    N_("repeats"),
    N_("missed"),
)
SECONDS_AGO: Final = N_("{seconds} s ago")
HUB_AWAY: Final = N_("Hub: not connected, {port}: {error}")
HUB_PORTS: Final = N_(
    "USB ports found: {ports}. If one is the hub, use --port {first}, or set [hub] port to it."
)
HUB_NO_PORTS: Final = N_(
    "There is no USB serial port: plug in the hub, with a cable that also carries data."
)
HUB_SILENT: Final = N_("Hub: sends nothing, at {port}")
HUB_CONNECTED: Final = N_("Hub {id}: connected, firmware {firmware}, at {port}")
SIGNED: Final = N_("{hub}; the dice's reports are signed")
UNSIGNED: Final = N_("{hub}; the dice's reports are not signed")
HUB_OTHER: Final = N_(
    "Hub: protocol {proto}, but this program uses {ours}; update the firmware or this program"
)
HUB_COUNTS: Final = N_(
    "Lines: {lines}; repeated: {repeats}; broken: {dropped}; unknown: {unknown}; "
    "bytes of noise: {noise}; dropped by the hub: {hub}"
)
NOBODY: Final = N_("No die has reported yet; pick one up.")
END_HINT: Final = N_("Press Ctrl-C to stop.")

UNHEARD: Final = N_("Die {die} has not reported yet: pick it up and put it down again.")
MEETING: Final = N_("Die {die} is a d{kind}. Its lamp is on while this runs.")
PUT: Final = N_("Put die {die} on the table with {face} up, then press Enter.")
LEARNT: Final = N_("Calibrated: {face} up, {angle}° off.")
MOVED: Final = N_("Die {die} was moved during calibration. Try again.")
LEANED: Final = N_("Die {die} leans on something. Put it flat and try again.")
SLEEPS: Final = N_("Die {die} is asleep; tap the table beside it.")
SILENT: Final = N_("Die {die} did not respond. Bring it nearer to the hub and try again.")
CHECKING: Final = N_("Now the check: show each face once more; do not press Enter.")
CHECK: Final = N_("Put {face} up.")
RIGHT: Final = N_("Right: {face}, {angle}° off.")
OTHER: Final = N_("It reports {found}, not {face}. Is {face} up?")
UNCHECKED: Final = N_("{face} was not recognized; calibrate die {die} again.")
TAUGHT: Final = N_("All faces of die {die} are calibrated.")
CELL_RIGHT: Final = N_("Die {die} now measures its battery as {now}; before it was {before}.")
CELL_WRONG: Final = N_(
    "Die {die} still measures {now}. Measure the battery again at its connector. Older "
    "firmware of the die or the hub must be updated first."
)
INTERRUPTED: Final = N_("Stopped. Calibrated faces are kept; the others are unchanged.")

FORGET_WAITS: Final = N_(
    "For two minutes, the hub accepts a new chip in die {die}. Move the die near the hub."
)
FORGET_DONE: Final = N_("The hub accepts die {die} again.")
FORGET_SILENT: Final = N_(
    "Die {die} has not reported with the key of this board. Move it and repeat the command; a chip "
    "with older firmware must be flashed again."
)

PAIR_SEARCHING: Final = N_(
    "Searching for {seconds} s. Take the dice out of their charger and shake them."
)
PAIR_BLINKS: Final = N_("The die that blinks now: {name}, {brand}, {address}.")
PAIR_BUILT: Final = N_("A die with a bought board waits for its settings: {address}.")
PAIR_OTHERS: Final = N_("A die with a bought board has the settings of another table: {address}.")
PAIR_ONE_NEW: Final = N_(
    "Dice that wait for their settings: {count}. Switch off all but one, and repeat the command."
)
PAIR_CONNECT: Final = N_(
    "Connect the die to this computer by USB, press the button of its board twice, and then Enter. "
    "Without its drive, a file is written."
)
PAIR_DRIVE: Final = N_("Die {die} has its settings. Its lamp is green once.")
PAIR_FILE: Final = N_(
    "The settings of die {die} are in {file}. Copy this file to the drive of the die; its lamp is "
    "then green once. Delete the file afterwards, because it contains a secret key."
)
PAIR_KNOWN: Final = N_("{name}, {address}: this is die {die} already.")
PAIR_FAILED: Final = N_("{name}, {address}: {error}.")
PAIR_NUMBER: Final = N_("Number of the die (0 skips it)")
PAIR_TAKEN: Final = N_("Another die has number {die}. Choose another one.")
PAIR_FACES: Final = N_("How many faces has it?")
PAIR_OWNER: Final = N_("Whose die is it?")
PAIR_WRITTEN: Final = N_("Written to {file}, paired dice: {dice}. Restart `urpi serve`.")
PAIR_NOTHING: Final = N_("Nothing was changed.")
PAIR_UNTRIED: Final = N_(
    "No messages of a real {brand} d{faces} are known, so it is untried. `urpi dice "
    "record` writes a file to report how yours behaves."
)
RECORD_HINT: Final = N_(
    "Throw the dice, one after the other. Everything they send is written to {file}, without "
    "names and addresses."
)
RECORD_SHOWS: Final = N_("What does die {die} show? Enter leaves it out")
RECORD_NUMBERS: Final = N_("Die {die} has the numbers {first} to {last}.")
RECORD_WRITTEN: Final = N_("Messages written to {file}: {messages}; throws that you read: {shown}.")
REPLAY_DIE: Final = N_("die {die}: {brand}, d{faces}")
REPLAY_MESSAGE: Final = N_("{seconds} s, die {die}: {data}")
REPLAY_DIFFERS: Final = N_("read as {found}, but the die showed {shows}")
REPLAY_REST: Final = N_("die {die}: {motion}")
REPLAY_IDENTITY: Final = N_("number of faces and firmware")
REPLAY_NOTHING: Final = N_("nothing that this program knows")
REPLAY_MISSING: Final = N_(
    "The rules need the dice {needed}, so no throw can be judged. Not recorded: {missing}."
)
REPLAY_RESULT: Final = N_(
    "Messages: {messages}; read by a person: {shown}; different: {different}."
)
MOTIONS: Final = {
    "rolling": STATES["rolling"],
    "handled": STATES["handled"],
    "cocked": STATES["cocked"],
    "rolled": N_("rolled, {value}"),
    "placed": N_("placed, {value}"),
}
BLUETOOTH_READY: Final = N_("Bluetooth: ready, connected dice: {dice}")
BLUETOOTH_AWAY: Final = N_("Bluetooth: not available, {error}")

PROGRESS: Final = N_("die {die}: {throws} of {required}")
NO_COUNT: Final = N_("Die {die}: {why}; that does not count.")
WAITING: Final = N_("Nothing has been thrown for a while; still to throw: {dice}.")
STOPPED: Final = N_("Stopped early.")

COUNTS: Final = N_("Die {die}, {throws}: {counts}.")
MARKS: Final = N_(
    "Marks: {marks}, {share} of the throws; the true share lies between {low} and {high} "
    "(95% confidence, Clopper-Pearson). A fair one of {fair}: p = {p} (exact binomial test)."
)
FACES: Final = N_("Faces: chi-square {statistic}, degrees of freedom: {degrees}, p = {p} ({how}).")
BY_DISTRIBUTION: Final = N_("Pearson's test")
BY_COUNTING: Final = N_("Pearson's statistic, computed exactly")
CORRECTED: Final = N_("corrected for the number of dice, {dice} (Holm): {p}")
# Translators: The result of a test of the dice; {what} is one of the two next messages.
SIGN: Final = N_("A sign of unfairness: {what}.")
SIGN_MARKS: Final = N_("fair marks are this far off about 1 time in {trials}")
SIGN_FACES: Final = N_("fair faces are this far off about 1 time in {trials}")
NO_SIGN: Final = N_("No sign of unfairness in {throws}.")
NOT_SEEN: Final = N_("A die that is off by less than {off} would usually go unnoticed.")
NOTHING_SEEN: Final = N_("With so few throws even a very unfair die would not be noticed.")
NEED: Final = N_(
    "Not enough throws yet to see {what}. Still needed: {missing}; in all: {needed} (they show it "
    "in 80 of 100 cases)."
)
# Translators: After "Not enough throws yet to see": a die that shows marks in 55 of 100 throws.
MARKS_OFF: Final = N_("a 55/45 die")
SHARE_OFF: Final = N_("a die whose marks come up 5 points too often or too rarely")
FACE_OFF: Final = N_("a face that comes up 5 points too often")


def face_words(words: Words, face: int, shows: str) -> str:
    """Return a face's name: ``tip 1 (gold)``, or ``face 5`` of a d6.

    >>> from urpi.show.words import words_for
    >>> face_words(words_for("en"), 1, "g"), face_words(words_for("en"), 5, "5")
    ('tip 1 (gold)', 'face 5')
    """
    if shows in TIPS:
        return words.text(TIP).format(face=face, shows=words.face(shows))
    return words.text(FACE).format(face=face)


def throws_words(words: Words, throws: int) -> str:
    """Return a number of throws as text, such as ``3 throws``."""
    return words.count("{number} throw", "{number} throws", throws)


def collecting_words(words: Words, throws: int, hint: str) -> str:
    """Return the request to throw each die a number of times."""
    return words.count(
        "Throw each die {number} time; only real throws count. {hint}",
        "Throw each die {number} times; only real throws count. {hint}",
        throws,
        hint=hint,
    )
