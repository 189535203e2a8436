"""What the dice commands say to a maker: sentences in words. English is the msgid."""

from typing import Final

from urpi.words.sentences import N_
from urpi.words.words import Words

STATES: Final = {
    "rolling": N_("rolling"),
    "settled": N_("settled"),
    "cocked": N_("leans"),
    "handled": N_("handled"),
    "lost": N_("not heard"),
    "found": N_("heard again"),
}
SHOWN: Final = {"g": N_("gold"), "s": N_("silver"), "-": N_("blank")}
ERRORS: Final = {
    "cal": N_("not calibrated"),
    "accel": N_("accelerometer dead"),
    "radio": N_("The hub's radio is dead"),
    "identity": N_("The hub was never given its set and number"),
}

TIP: Final = N_("tip {face} ({shows})")
FACE: Final = N_("face {face}")
DEGREES: Final = N_("{angle} degrees off")
THROWN: Final = N_("thrown")
TURNED: Final = N_("not thrown")
VOLTS: Final = N_("{volts} V")
COLUMNS: Final = (
    N_("die"),
    N_("state"),
    N_("shows"),
    N_("angle"),
    N_("battery"),
    N_("throws"),
    N_("heard"),
    N_("repeats"),
    N_("missed"),
)
SECONDS_AGO: Final = N_("{seconds} s ago")
HUB_AWAY: Final = N_("Hub: not connected, {port}: {error}")
HUB_SILENT: Final = N_("Hub: silent, at {port}")
HUB_HEARD: Final = N_("Hub {id}: heard, firmware {firmware}, at {port}")
HUB_OTHER: Final = N_(
    "Hub: speaks protocol {proto}, this program {ours}; flash it anew, or update this"
)
HUB_COUNTS: Final = N_(
    "{lines} lines, {repeats} repeated, {dropped} broken, {unknown} unknown, "
    "{noise} bytes of noise; the hub dropped {hub}"
)
NOBODY: Final = N_("No die has been heard yet; pick one up.")
END_HINT: Final = N_("Ctrl-C ends.")

UNHEARD: Final = N_("Die {die} has not been heard yet: pick it up and lay it down again.")
MEETING: Final = N_("Die {die} has {kind} faces. Its lamp is on while this runs.")
PUT: Final = N_("Put die {die} on the table with {face} up, then press Enter.")
LEARNT: Final = N_("Learnt: {face} up, {angle} degrees off.")
MOVED: Final = N_("Die {die} was moved while it learnt. Once more.")
LEANED: Final = N_("Die {die} leans on something. Put it flat, once more.")
SLEEPS: Final = N_("Die {die} sleeps; tap the table beside it.")
SILENT: Final = N_("Die {die} did not answer. Bring it nearer to the hub; once more.")
CHECKING: Final = N_("Now the check: each once more, without Enter.")
CHECK: Final = N_("Put {face} up.")
RIGHT: Final = N_("Right: {face}, {angle} degrees off.")
OTHER: Final = N_("It says {found}, not {face}. Is {face} up?")
UNCHECKED: Final = N_("{face} was not told right; teach die {die} again.")
TAUGHT: Final = N_("Die {die} knows all its faces.")
INTERRUPTED: Final = N_("Stopped. Faces that were learnt stay learnt; the others are as before.")

COLLECTING: Final = N_("Throw each die {throws} times; only real throws count. {hint}")
PROGRESS: Final = N_("die {die}: {throws} of {wanted}")
NO_COUNT: Final = N_("Die {die}: {why}; that does not count.")
WAITING: Final = N_("Nothing has been thrown for a while; still to throw: {dice}.")
STOPPED: Final = N_("Stopped early.")

COUNTS: Final = N_("Die {die}, {throws}: {counts}.")
MARKS: Final = N_(
    "Marks: {marks}, {share} of the throws; the true share lies between {low} and {high} "
    "(95 % confidence, Clopper-Pearson). A fair one of {fair}: p = {p} (exact binomial test)."
)
FACES: Final = N_("Faces: chi-square {statistic}, {degrees} degrees of freedom, p = {p} ({how}).")
BY_DISTRIBUTION: Final = N_("Pearson's test")
BY_COUNTING: Final = N_("Pearson's statistic, counted out exactly")
CORRECTED: Final = N_("with {dice} dice in mind (Holm): {p}")
SIGN: Final = N_("A sign of unfairness: {what}.")
SIGN_MARKS: Final = N_("fair marks come out so far off in about 1 of {trials} such trials")
SIGN_FACES: Final = N_("fair faces come out so far off in about 1 of {trials} such trials")
NO_SIGN: Final = N_("No sign of unfairness in {throws}.")
NOT_SEEN: Final = N_("A die that is off by less than {off} would mostly not be seen.")
NOTHING_SEEN: Final = N_("So few would show no unfairness, however large.")
NEED: Final = N_(
    "Not enough throws yet to see {what}: {missing} more are needed ({needed} see it with 80 % "
    "power)."
)
MARKS_OFF: Final = N_("a 55/45 die")
SHARE_OFF: Final = N_("a die whose marks are off by 5 points")
FACE_OFF: Final = N_("a face that comes up 5 points too often")
POINTS: Final = N_("{points} percentage points")


def face_words(words: Words, face: int, shows: str) -> str:
    """What a face is called: ``tip 1 (gold)``, or ``face 5`` of a d6.

    >>> from urpi.words import words_for
    >>> face_words(words_for("en"), 1, "g"), face_words(words_for("en"), 5, "5")
    ('tip 1 (gold)', 'face 5')
    """
    if shows in SHOWN:
        return words.text(TIP).format(face=face, shows=words.text(SHOWN[shows]))
    return words.text(FACE).format(face=face)


def throws_words(words: Words, throws: int) -> str:
    """So many throws."""
    return words.count("{number} throw", "{number} throws", throws)
