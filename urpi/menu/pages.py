"""The menu's pages: which lines each has, made anew from how the table is."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from urpi.menu.around import Around
from urpi.menu.screens import Item, Listing
from urpi.orders import NewGame
from urpi.rules import RULE_SETS, RuleSet, Side, rule_set

PIECES: Final = "pieces"
BACK: Final = Item("back")
PLAY_ON: Final = Item("play-on")

_Lines: TypeAlias = tuple[tuple[Item, ...], int]
"""The lines, and the place of the one that is chosen at first."""


def menu_page(around: Around) -> Listing:
    """The first page; with a game on, its first line leads back to it."""
    game = (PLAY_ON, Item("new-game"), Item("minute")) if around.playing else (Item("new-game"),)
    table = (
        Item("sound", around.sound),
        Item("language", around.language),
        Item("dice"),
        Item("about"),
    )
    left = () if around.playing else (BACK,)
    return Listing("menu", (*game, *table, *left))


def offers_page(around: Around, side: Side) -> Listing:
    """What a side may ask for or do in the game; what does nothing comes first."""
    takeback = around.snapshot.takeback
    position = around.snapshot.position
    items = [PLAY_ON]
    if takeback is not None and takeback[0] is side:
        items.append(Item("take-back", takeback[1]))
    if position is not None and position.rules.draws:
        items += [Item("offer-draw"), Item("claim-draw")]
    return Listing("offers", (*items, Item("resign"), Item("abandon")), side=side)


def sure_page(what: str, side: Side) -> Listing:
    """Whether a side means it; that it does not comes first."""
    return Listing(what, (PLAY_ON, Item(f"sure-{what}")), side=side)


def settings_page(name: str, around: Around, draft: NewGame) -> Listing:
    """The page of that name, below the first one."""
    items, chosen = PAGES[name](around, draft)
    return Listing(name, items, chosen)


def _new_game(_around: Around, draft: NewGame) -> _Lines:
    rules = draft.rules
    pieces = (Item(PIECES, rules.options[PIECES]),) if PIECES in rules.options else ()
    names = (Item("light", draft.light), Item("dark", draft.dark))
    return (Item("begin"), Item("rules", rules.id), *pieces, *names, BACK), 0


def _rules(_around: Around, draft: NewGame) -> _Lines:
    return _choice("choose-rules", tuple(RULE_SETS), draft.rules.id)


def _light(around: Around, draft: NewGame) -> _Lines:
    return _names(around, "choose-light", draft.light, draft.dark)


def _dark(around: Around, draft: NewGame) -> _Lines:
    return _names(around, "choose-dark", draft.dark, draft.light)


def _names(around: Around, what: str, own: str, other: str) -> _Lines:
    known = dict.fromkeys(("", own, *around.players))
    return _choice(what, tuple(name for name in known if not name or name != other), own)


def _sounds(around: Around, _draft: NewGame) -> _Lines:
    return _choice("choose-sound", around.sounds, around.sound)


def _languages(around: Around, _draft: NewGame) -> _Lines:
    return _choice("choose-language", around.languages, around.language)


def _choice(what: str, values: tuple[str, ...], now: str) -> _Lines:
    place = values.index(now) if now in values else 0
    return (*(Item(what, value) for value in values), BACK), place


def _dice(around: Around, _draft: NewGame) -> _Lines:
    if not around.hub:
        return (Item("no-hub"), BACK), 0
    return (*(Item("die", die=die) for die in around.dice), BACK), 0


def _about(around: Around, _draft: NewGame) -> _Lines:
    page = around.page
    address = Item("address", page.address) if page.address else Item("no-page")
    pin = (Item("pin", page.pin),) if page.pin else ()
    return (Item("version"), address, *pin, BACK), 0


PAGES: Final[Mapping[str, Callable[[Around, NewGame], _Lines]]] = {
    "new-game": _new_game,
    "rules": _rules,
    "light": _light,
    "dark": _dark,
    "sound": _sounds,
    "language": _languages,
    "dice": _dice,
    "about": _about,
}
"""The pages below the first one, by the name of the line that leads there."""
CHOICES: Final = (
    "pieces",
    "choose-rules",
    "choose-light",
    "choose-dark",
    "choose-sound",
    "choose-language",
)
"""Lines by which something is chosen."""


def rebuilt(listing: Listing, around: Around, draft: NewGame) -> Listing:
    """A page with the table as it is now; the button stays at its line."""
    if listing.name == "menu":
        fresh = menu_page(around)
    elif listing.name in PAGES:
        fresh = settings_page(listing.name, around, draft)
    else:
        return listing
    return replace(fresh, chosen=min(listing.chosen, len(fresh.items) - 1), side=listing.side)


def with_rules(draft: NewGame, rules: str) -> NewGame:
    """The draft with another rule set, as many pieces as before where it may have so many."""
    if rules == draft.rules.id:
        return draft
    fresh = rule_set(rules)
    pieces = draft.rules.options.get(PIECES, "")
    allowed = _allowed_pieces(fresh)
    return replace(draft, rules=rule_set(rules, {PIECES: pieces}) if pieces in allowed else fresh)


def with_other_pieces(draft: NewGame) -> NewGame:
    """The draft with the next number of pieces that its rule set may have."""
    allowed = _allowed_pieces(draft.rules)
    now = draft.rules.options[PIECES]
    other = allowed[(allowed.index(now) + 1) % len(allowed)]
    return replace(draft, rules=rule_set(draft.rules.id, {**draft.rules.options, PIECES: other}))


def _allowed_pieces(rules: RuleSet) -> tuple[str, ...]:
    return next((option.values for option in rules.known_options if option.name == PIECES), ())
