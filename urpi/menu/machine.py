"""The menu's machine, pure: presses, time and what the board does in; screens and orders out.

While a question is open, or a move seems made, every press is the referee's. A press that
opens the menu, or that the menu takes, is no fact; what comes of it is one, or an order. One
press alone never ends or changes a game: offers have to be taken by name and accepted by the
other side, and what a side does alone is asked twice. Knows no clock: `due` says when `seen`
has something to do.
"""

from dataclasses import replace
from typing import Final

from urpi.menu.around import Around, Sight
from urpi.menu.deals import Deal
from urpi.menu.pages import menu_page, offers_page, rebuilt
from urpi.menu.screens import Entry, Listing, Note, Offer, Pin, Reading, Recap, Screen
from urpi.menu.state import CLOSED, Done, Menu, back, on
from urpi.menu.taking import Taking
from urpi.referee.facts import Button

OPEN_MS: Final = 30_000
"""A list, a text or an offer goes away so long after the last press."""
RECAP_MS: Final = 6_000
NOTE_MS: Final = 4_000
PIN_MS: Final = 20_000
RESPITE_MS: Final = 1_000
"""So long after the game has taken a list's place presses are nobody's: they were meant for it."""

BOTH: Final = "both"
LONG: Final = "long"


def due(menu: Menu) -> int | None:
    """When what is shown goes away by itself, None when nothing is shown."""
    return menu.until if menu.screens else None


def press(menu: Menu, button: Button, around: Around, sight: Sight) -> Done:
    """The menu after a press, and what is to be done: the press itself when it is the referee's."""
    if button.press == BOTH:
        return (CLOSED, ()) if menu.is_open else (_opened(button.t, around, sight), ())
    screen = menu.screen
    match screen:
        case Listing():
            return _in_listing(menu, screen, button, around)
        case Reading():
            return _in_reading(menu, screen, button), ()
        case Offer():
            return _answered(menu, screen.deal, button)
        case _:
            return _in_game(menu, button, around, sight)


def seen(menu: Menu, t: int, around: Around, sight: Sight) -> Menu:
    """The menu when it is `t` and the board is so: gone, where the game or time went on."""
    if not menu.screens:
        return menu
    if menu.until <= t:
        return CLOSED
    if menu.sight is None:
        return _with_dice(menu, around)
    if _goes_on(menu.sight, sight):
        return Menu(deaf_until=t + RESPITE_MS if menu.is_open else 0)
    # A die that comes to rest and rolls again was thrown.
    rolling = menu.sight.rolling & sight.rolling
    occupied = menu.sight.occupied if menu.sight.occupied is not None else sight.occupied
    pairs = zip(menu.sight.calls, sight.calls, strict=True)
    calls = tuple(old if old == new else None for old, new in pairs)
    base = replace(menu.sight, rolling=rolling, occupied=occupied, calls=calls)
    return _with_dice(replace(menu, sight=base), around)


def shown_pin(menu: Menu, t: int, pin: Pin, around: Around, sight: Sight) -> Menu:
    """The menu with the PIN shown for a while, unless the players are busy with the display.

    Anybody on the network may ask for it: it takes the place of no list, offer or question.
    """
    snapshot = around.snapshot
    if menu.is_open or snapshot.question is not None or snapshot.warning is not None:
        return menu
    return _over(t, around, sight, pin, PIN_MS)


def looked_back(menu: Menu, pages: tuple[Entry, ...]) -> Menu:
    """The menu with what the board saw, where that is still waited for."""
    if menu.screen != Reading():
        return menu
    return replace(menu, screens=(*menu.screens[:-1], Reading(pages)))


def _goes_on(before: Sight, now: Sight) -> bool:
    """Whether the game has gone on since a menu was opened over it."""
    moved = None not in {before.occupied, now.occupied} and before.occupied != now.occupied
    called = any(new not in {None, old} for old, new in zip(before.calls, now.calls, strict=True))
    return (
        (before.game, before.playing) != (now.game, now.playing)
        or moved
        or bool(now.rolling - before.rolling)
        or called
    )


def _with_dice(menu: Menu, around: Around) -> Menu:
    """The dice are shown as they are, not as they were."""
    screen = menu.screen
    if not isinstance(screen, Listing) or screen.name != "dice":
        return menu
    return on(menu, rebuilt(screen, around, menu.draft or around.next_game))


def _opened(t: int, around: Around, sight: Sight) -> Menu:
    return _over(t, around, sight, menu_page(around), OPEN_MS)


def _over(t: int, around: Around, sight: Sight, screen: Screen, lasting_ms: int) -> Menu:
    """A first screen over the game."""
    watched = sight if around.playing else None
    return Menu((screen,), t + lasting_ms, draft=around.next_game, sight=watched)


def _in_game(menu: Menu, button: Button, around: Around, sight: Sight) -> Done:
    """No list is open: the press is the referee's, or opens something."""
    t, snapshot = button.t, around.snapshot
    if t < menu.deaf_until:
        return menu, ()
    if snapshot.question is not None or snapshot.seems is not None:
        return CLOSED, (button,)
    if button.press == LONG and around.playing:
        offers = offers_page(around, button.button)
        return _over(t, around, sight, offers, OPEN_MS), ()
    if button.press == LONG:
        return _opened(t, around, sight), ()
    if snapshot.rolled is None and snapshot.acted is None and not around.playing:
        return _over(t, around, sight, Note("hold-for-menu"), NOTE_MS), ()
    return _over(t, around, sight, Recap(), RECAP_MS), ()


def _in_reading(menu: Menu, reading: Reading, button: Button) -> Menu:
    kept = replace(menu, until=button.t + OPEN_MS)
    if button.press == LONG:
        return back(kept)
    pages = len(reading.pages or ())
    return on(kept, replace(reading, place=(reading.place + 1) % pages)) if pages else kept


def _answered(menu: Menu, deal: Deal, button: Button) -> Done:
    """The other side's button accepts when held, declines when pressed; the own one withdraws."""
    t = button.t
    if button.button is deal.by:
        return (menu if button.press == LONG else CLOSED), ()
    if button.press != LONG:
        return Menu((Note("declined"),), t + NOTE_MS, sight=menu.sight), ()
    after = Menu((Note("put-back", deal.move),), t + RECAP_MS) if deal.move else CLOSED
    return after, deal.accepted(t)


def _in_listing(menu: Menu, listing: Listing, button: Button, around: Around) -> Done:
    if listing.side not in {None, button.button}:
        return menu, ()
    menu = replace(menu, until=button.t + OPEN_MS)
    if button.press != LONG:
        return on(menu, replace(listing, chosen=(listing.chosen + 1) % len(listing.items))), ()
    return Taking(menu, button.t, button.button, around).take(listing.item)
