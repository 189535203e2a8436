"""The menu's screens: every page, offer and note, as they are reached by the buttons."""

from dataclasses import replace

from tests.show.views.scenes import FORTS, MIDDLE, START, to_move, to_throw
from urpi.referee.decisions import Moved, Passed, Roll, TakenBack, Won
from urpi.referee.orders import NewGame, Pairing
from urpi.referee.placing import Placing
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import RULE_SETS, Side, parse_rules, parse_square, rule_set, squares_of
from urpi.show.menu import (
    DieStatus,
    Invitation,
    LastMinute,
    Message,
    NextGame,
    Offer,
    PageAccess,
    PositionSetUp,
    Proposal,
    Recap,
    TableStatus,
    TextPage,
)
from urpi.show.menu.pages import (
    cleared_page,
    confirmation_page,
    explore_page,
    menu_page,
    offers_page,
    settings_page,
)

LIGHT, DARK = Side

ROLLED = Roll(0, LIGHT, "gs--", 2, ("A4-A2",))
PLAYED = {"rolled": ROLLED, "acted": Moved(0, LIGHT, "A4-A2", "", "sensed")}
NAMED = {"light": "Ann", "dark": "Zoë"}
NEXT = NewGame(rule_set("finkel"), "Ann", "Zoë")
IN_GAME = TableStatus(
    to_throw(**NAMED, **PLAYED, takeback=(LIGHT, "A4-A2")),
    NEXT,
    language="hu",
    languages=("en", "hu", "pt"),
    sound="tones",
    sounds=("off", "tones", "speech", "both"),
    players=("Ann", "Zoë", "Nebuchadnezzar of Babylon", "Bob"),
    dice=(
        DieStatus(1, True, "g", 3870),
        DieStatus(2, True, "-", 3120, low=True),
        DieStatus(3, False, "s", 3900),
        DieStatus(4, True, "", 0, error="accel"),
    ),
    page=PageAccess("192.168.100.200:8011", "471100"),
)
BEFORE_GAME = replace(IN_GAME, snapshot=Snapshot(Phase.NO_GAME), page=PageAccess())
NO_HUB = replace(IN_GAME, dice=(), missing_sources=("hub",))
RADIO = replace(
    IN_GAME,
    dice=(
        DieStatus(1, True, "g", battery_percent=80),
        DieStatus(2, True, "-", low=True, battery_percent=5),
        DieStatus(3, False),
        DieStatus(4, True, battery_percent=100),
    ),
)
NO_BLUETOOTH = replace(
    RADIO,
    dice=tuple(DieStatus(die, False) for die in range(1, 5)),
    missing_sources=("bluetooth",),
)
MODERN = replace(IN_GAME, snapshot=replace(to_throw(FORTS, **NAMED), draw="repeated-position"))
MAY_CLAIM = replace(IN_GAME, may_claim=True)
SKIRYUK = replace(NEXT, rules=rule_set("skiryuk", {"pieces": "5"}), light="", dark="")

CLUB = replace(IN_GAME, published=("Ann", "Nebuchadnezzar of Babylon"))

MAY_HINT = replace(IN_GAME, snapshot=replace(to_move("gs--"), may_hint=True))
MAY_EXPLORE = replace(IN_GAME, may_explore=True)
EXPLORING = replace(IN_GAME, snapshot=replace(IN_GAME.snapshot, explore="line"), explores_game=True)
FROM_A_STEP = replace(EXPLORING, explores_game=False)
ASKED = replace(FROM_A_STEP, asks="Ann")
COLOURED = replace(IN_GAME, snapshot=replace(to_throw(FORTS, **NAMED), explore="line"))
WITH_ENGINE = replace(NEXT, light="", dark="", seats=("engine:beginner", "person"))


def at(listing, chosen):
    return replace(listing, chosen=chosen)


def page(name, around=IN_GAME, draft=NEXT):
    return settings_page(name, around, draft)


def offer(name, move="", by=LIGHT):
    return Offer(Proposal(name, by, move))


MURRAY = "murray[exit_row=opponent;loop=own-first;pieces=3;safe_rosettes=yes]"


def invited(rules, name="Ann", side=DARK):
    return Invitation("5f" * 16, name, "Lisbon", rules, side)


def paired(rules="finkel", light="Ann", *, agreed=True):
    return NextGame(Pairing("5f" * 16, "Cup", 2, light, "Zoë", parse_rules(rules), agreed))


INVITES = replace(IN_GAME, tables=("lisbon", "porto"), invites=True)
WITH_TABLE = replace(NEXT, dark="porto", seats=("person", "remote"))


def placed(rules, squares, presses="", pieces=None):
    """Return the placing after presses of the buttons: l and d, in upper case if they are long."""
    kind = rule_set(rules, {} if pieces is None else {"pieces": pieces})
    placing = Placing(kind).seen(squares_of(map(parse_square, squares.split())))
    for press in presses:
        placing = placing.pressed(Side.of_letter(press), long=press.isupper())
    return placing


PLACED = {
    "empty": placed("finkel", ""),
    "whose": placed("finkel", "A1 A4 C2 B4 B6"),
    "whose-turned": placed("murray", "B4 C3 B2"),
    "turned": placed("murray", "B4 C3", "D"),
    "turn": placed("finkel", "A1 A4 C2 B4 B6", "ld"),
    "turn-extra": placed("freecompany", "A1 B4", "ld"),
    "no-pile": placed("skiryuk", "B3 A2 C7", "dll"),
    "pile": placed("skiryuk", "B3 A2 C7", "dlll"),
    "height": placed("skiryuk", "B3 A2 C7", "dllllLl"),
    "below": placed("skiryuk", "B3 A2 C7", "dllllLlLD"),
    "piles": placed("ravensburger", "B3 A2 A8 C7", "dlldddLlLDLl"),
    "off": placed("finkel", "A1 C2 C3", "dll"),
    "off-none": placed("ravensburger", "A1 C2", "dL"),
    "begin": placed("freecompany", "A1 B1 C8", "lddd"),
    "too-many": placed("finkel", "A1 A2 A3 A4", pieces="3"),
    "won": placed("freecompany", "A1 A7 C1 C7", "ddddl"),
    "not-entered": placed("masters", "A4", "lLL"),
    "no-fort": placed("freecompany", "A3", "lL"),
    "no-red": placed("ravensburger", "A1 C2", "dLlLL"),
}

SCENES = {
    "menu": (menu_page(IN_GAME), IN_GAME),
    "menu-lower": (at(menu_page(IN_GAME), 4), IN_GAME),
    "menu-last": (at(menu_page(IN_GAME), 6), IN_GAME),
    "menu-before-game": (menu_page(BEFORE_GAME), BEFORE_GAME),
    "new-game": (page("new-game"), IN_GAME),
    "new-game-lower": (at(page("new-game", draft=SKIRYUK), 3), IN_GAME),
    "new-game-engine": (page("new-game", draft=WITH_ENGINE), IN_GAME),
    "light-engine": (page("light", replace(IN_GAME, players=()), WITH_ENGINE), IN_GAME),
    "new-game-club": (at(page("new-game", CLUB), 7), CLUB),
    "new-game-club-none": (at(page("new-game", CLUB), 8), CLUB),
    "new-game-club-light": (page("club-light", CLUB), CLUB),
    "new-game-club-dark": (page("club-dark", CLUB), CLUB),
    "new-game-coach": (
        at(page("new-game", draft=replace(NEXT, coach=("bad", "off"))), 4),
        IN_GAME,
    ),
    "new-game-throws": (
        at(page("new-game", draft=replace(WITH_ENGINE, engine_throws="program")), 5),
        IN_GAME,
    ),
    "offers-hint": (offers_page(MAY_HINT, LIGHT), MAY_HINT),
    "rules": (page("rules"), IN_GAME),
    "rules-last": (at(page("rules"), len(RULE_SETS) - 1), IN_GAME),
    "names": (at(page("light"), 1), IN_GAME),
    "names-long": (at(page("dark"), 3), IN_GAME),
    "sound": (page("sound"), IN_GAME),
    "language": (page("language"), IN_GAME),
    "dice": (page("dice"), IN_GAME),
    "dice-lower": (at(page("dice"), 3), IN_GAME),
    "dice-no-hub": (page("dice", NO_HUB), NO_HUB),
    "dice-bluetooth": (page("dice", RADIO), RADIO),
    "dice-bluetooth-lower": (at(page("dice", RADIO), 3), RADIO),
    "dice-no-bluetooth": (page("dice", NO_BLUETOOTH), NO_BLUETOOTH),
    "about": (page("about"), IN_GAME),
    "about-no-page": (page("about", BEFORE_GAME), BEFORE_GAME),
    "offers": (offers_page(IN_GAME, LIGHT), IN_GAME),
    "offers-other": (at(offers_page(IN_GAME, DARK), 1), IN_GAME),
    "offers-modern": (at(offers_page(MODERN, DARK), 2), MODERN),
    "sure-resign": (confirmation_page("resign", LIGHT), IN_GAME),
    "sure-claim-draw": (at(confirmation_page("claim-draw", LIGHT), 1), MODERN),
    "offers-claim": (at(offers_page(MAY_CLAIM, LIGHT), 1), MAY_CLAIM),
    "sure-claim": (at(confirmation_page("claim", LIGHT), 1), MAY_CLAIM),
    "offers-explore": (at(offers_page(MAY_EXPLORE, LIGHT), 1), MAY_EXPLORE),
    "explore": (explore_page(EXPLORING), EXPLORING),
    "explore-back": (at(explore_page(EXPLORING), 2), EXPLORING),
    "throws": (settings_page("throws", EXPLORING, EXPLORING.next_game), EXPLORING),
    "throws-coloured": (at(settings_page("throws", COLOURED, COLOURED.next_game), 4), COLOURED),
    "explore-end": (at(explore_page(FROM_A_STEP), 3), FROM_A_STEP),
    "menu-questions": (at(menu_page(BEFORE_GAME), 2), BEFORE_GAME),
    "questions": (page("questions", replace(BEFORE_GAME, players=("Ann", "Zoë"))), BEFORE_GAME),
    "explore-question": (at(explore_page(ASKED), 1), ASKED),
    "note-no-question": (Message("no-question", "Ann"), BEFORE_GAME),
    "offer-explore": (offer("explore"), IN_GAME),
    "offer-take-back": (offer("take-back", "A4-A2"), IN_GAME),
    "offer-draw": (offer("draw", by=DARK), MODERN),
    "offer-abandon": (offer("abandon"), IN_GAME),
    "offer-new-game": (offer("new-game", by=DARK), IN_GAME),
    "cleared": (cleared_page(), IN_GAME),
    "offer-set-up": (offer("set-up"), IN_GAME),
    "new-game-set-up": (at(page("new-game"), 7), IN_GAME),
    **{
        f"placing-{name}": (PositionSetUp(placing), BEFORE_GAME) for name, placing in PLACED.items()
    },
    "menu-withdraw": (at(menu_page(INVITES), 3), INVITES),
    "new-game-table": (at(page("new-game", INVITES, WITH_TABLE), 4), INVITES),
    "dark-table": (page("dark", INVITES, WITH_TABLE), INVITES),
    "next-game": (paired(), BEFORE_GAME),
    "next-game-house-rule": (paired("finkel[pieces=5]"), BEFORE_GAME),
    "next-game-names": (paired("finkel[pieces=5]", "Maximiliane", agreed=False), IN_GAME),
    "invitation": (invited("finkel"), BEFORE_GAME),
    "invitation-no-name": (invited("masters", name="", side=LIGHT), IN_GAME),
    "invitation-house-rule": (invited("finkel[pieces=5]", side=LIGHT), BEFORE_GAME),
    "invitation-house-rules": (invited("finkel3[pieces=5;safe_rosettes=no]"), BEFORE_GAME),
    "invitation-most-rules": (invited(MURRAY), BEFORE_GAME),
    "note-waiting-table": (Message("waiting-table", "Porto"), IN_GAME),
    "note-table-declined": (Message("table-declined", "Porto"), IN_GAME),
    "note-start-throw": (
        Message("waiting-table", "Porto"),
        replace(IN_GAME, snapshot=Snapshot(Phase.START_THROW, START)),
    ),
    "note-no-game": (Message("waiting-table", "Porto"), BEFORE_GAME),
    "note-declined": (Message("declined"), IN_GAME),
    "note-put-back": (Message("put-back", "A4-A2"), IN_GAME),
    "note-hold": (Message("hold-for-menu"), BEFORE_GAME),
    "recap": (Recap(), IN_GAME),
    "recap-before-throw": (Recap(), replace(IN_GAME, snapshot=to_throw(START, **NAMED))),
    "recap-to-move": (
        Recap(),
        replace(
            IN_GAME,
            snapshot=to_move("gs--", MIDDLE, rolled=ROLLED, acted=TakenBack(0, LIGHT, "A4-A2")),
        ),
    ),
    "recap-passed": (
        Recap(),
        replace(
            IN_GAME,
            snapshot=to_throw(
                rolled=Roll(0, DARK, "----", 0, ()), acted=Passed(0, DARK, "zero"), **NAMED
            ),
        ),
    ),
    "recap-over": (
        Recap(),
        replace(
            IN_GAME,
            snapshot=Snapshot(Phase.OVER, MIDDLE, **NAMED, **PLAYED, outcome=Won(0, LIGHT, "off")),
        ),
    ),
    "reading-waits": (LastMinute(), IN_GAME),
    "reading-nothing": (LastMinute(()), IN_GAME),
    "reading-event": (
        LastMinute(
            (
                TextPage("", ""),
                TextPage("12 s", "Die 2 lies: gold. (tilted by 3°, faces turned over: 6)"),
            ),
            1,
        ),
        IN_GAME,
    ),
}
