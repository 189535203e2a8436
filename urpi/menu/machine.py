"""The menu's machine, pure: presses, time and what the board does in; screens and orders out.

While a question is open, or a move seems made, every press is the referee's. A press that
opens the menu, or that the menu takes, is no fact; what comes of it is one, or an order. One
press alone never ends or changes a game: offers have to be taken by name and accepted by the
other side, and what a side does alone is asked twice. Knows no clock: `due` says when `seen`
has something to do.
"""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from urpi.menu.around import Around, Sight
from urpi.menu.deals import Deal
from urpi.menu.pages import (
    menu_page,
    offers_page,
    rebuilt,
    settings_page,
    sure_page,
    with_other_pieces,
    with_rules,
)
from urpi.menu.screens import Entry, Item, Listing, Note, Offer, Reading, Recap, Screen
from urpi.orders import ChangeLanguage, ChangeSound, NewGame, Order
from urpi.referee.facts import Button, Draw, Fact, Resign
from urpi.rules import Side

OPEN_MS: Final = 30_000
"""A list, a text or an offer goes away so long after the last press."""
RECAP_MS: Final = 6_000
NOTE_MS: Final = 4_000
RESPITE_MS: Final = 1_000
"""So long after the game has taken a list's place presses are nobody's: they were meant for it."""

BOTH: Final = "both"
LONG: Final = "long"


@dataclass(frozen=True, slots=True)
class LookBack:
    """What the board saw in the last minute is wanted; see `looked_back`."""


Told: TypeAlias = Fact | Order | LookBack


@dataclass(frozen=True, slots=True)
class Menu:
    """What is on the display in place of the game.

    The last of `screens` is shown, and leads back to the one before; without any the game is
    shown. It goes away at `until`. Before `deaf_until` presses are nobody's. `draft` is the next
    game as far as it has been chosen; `sight` how the board was when the first screen came, None
    when no game was on.
    """

    screens: tuple[Screen, ...] = ()
    until: int = 0
    deaf_until: int = 0
    draft: NewGame | None = None
    sight: Sight | None = None

    @property
    def screen(self) -> Screen | None:
        """What is shown."""
        return self.screens[-1] if self.screens else None

    @property
    def is_open(self) -> bool:
        """Whether somebody chooses, reads or is asked something."""
        return isinstance(self.screen, Listing | Reading | Offer)


Done: TypeAlias = tuple[Menu, tuple[Told, ...]]
CLOSED: Final = Menu()


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
    question = menu.sight.question and sight.question
    base = replace(menu.sight, rolling=rolling, occupied=occupied, question=question)
    return _with_dice(replace(menu, sight=base), around)


def looked_back(menu: Menu, pages: tuple[Entry, ...]) -> Menu:
    """The menu with what the board saw, where that is still waited for."""
    if menu.screen != Reading():
        return menu
    return replace(menu, screens=(*menu.screens[:-1], Reading(pages)))


def _goes_on(before: Sight, now: Sight) -> bool:
    """Whether the game has gone on since a menu was opened over it."""
    moved = None not in {before.occupied, now.occupied} and before.occupied != now.occupied
    asked = now.question is not None and now.question != before.question
    return (
        (before.game, before.playing) != (now.game, now.playing)
        or moved
        or bool(now.rolling - before.rolling)
        or asked
    )


def _with_dice(menu: Menu, around: Around) -> Menu:
    """The dice are shown as they are, not as they were."""
    screen = menu.screen
    if not isinstance(screen, Listing) or screen.name != "dice":
        return menu
    return _on(menu, rebuilt(screen, around, menu.draft or around.next_game))


def _opened(t: int, around: Around, sight: Sight) -> Menu:
    return _over(t, around, sight, menu_page(around), OPEN_MS)


def _over(t: int, around: Around, sight: Sight, screen: Screen, lasting_ms: int) -> Menu:
    """A first screen over the game."""
    watched = sight if around.playing else None
    return Menu((screen,), t + lasting_ms, draft=around.next_game, sight=watched)


def _on(menu: Menu, screen: Screen) -> Menu:
    return replace(menu, screens=(*menu.screens[:-1], screen))


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
        return _back(kept)
    pages = len(reading.pages or ())
    return _on(kept, replace(reading, place=(reading.place + 1) % pages)) if pages else kept


def _back(menu: Menu) -> Menu:
    return replace(menu, screens=menu.screens[:-1]) if len(menu.screens) > 1 else CLOSED


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
        return _on(menu, replace(listing, chosen=(listing.chosen + 1) % len(listing.items))), ()
    return _Taking(menu, button.t, button.button, around).take(listing.item)


@dataclass(frozen=True, slots=True)
class _Taking:
    """A line is taken: in which menu, when, by whom, and how the table is."""

    menu: Menu
    t: int
    side: Side
    around: Around

    @property
    def draft(self) -> NewGame:
        return self.menu.draft or self.around.next_game

    def take(self, item: Item) -> Done:  # noqa: C901, PLR0912 - a dispatch
        match item.name:
            case "play-on":
                return CLOSED, ()
            case "back":
                return _back(self.menu), ()
            case "new-game" | "rules" | "light" | "dark" | "sound" | "language" | "dice" | "about":
                return self._deeper(settings_page(item.name, self.around, self.draft)), ()
            case "pieces":
                return self._drafted(with_other_pieces(self.draft)), ()
            case "choose-rules":
                return self._drafted(with_rules(self.draft, item.value), above=True), ()
            case "choose-light":
                return self._drafted(replace(self.draft, light=item.value), above=True), ()
            case "choose-dark":
                return self._drafted(replace(self.draft, dark=item.value), above=True), ()
            case "choose-sound":
                return self._chosen(replace(self.around, sound=item.value)), (
                    ChangeSound(item.value),
                )
            case "choose-language":
                return self._chosen(replace(self.around, language=item.value)), (
                    ChangeLanguage(item.value),
                )
            case "begin" if self.around.playing:
                return self._offer(Deal("new-game", self.side, order=self.draft)), ()
            case "begin":
                return CLOSED, (self.draft,)
            case "minute":
                return self._deeper(Reading()), (LookBack(),)
            case "take-back":
                return self._offer(Deal("take-back", self.side, item.value)), ()
            case "offer-draw":
                return self._offer(Deal("draw", self.side)), ()
            case "abandon":
                return self._offer(Deal("abandon", self.side)), ()
            case "claim-draw" | "resign":
                return self._deeper(sure_page(item.name, self.side)), ()
            case "sure-resign":
                return CLOSED, (Resign(self.t, self.side),)
            case "sure-claim-draw":
                return CLOSED, (Draw(self.t, self.side),)
            case _:
                # Lines that only tell something, such as the address.
                return self.menu, ()

    def _deeper(self, screen: Screen) -> Menu:
        return replace(self.menu, screens=(*self.menu.screens, screen))

    def _offer(self, deal: Deal) -> Menu:
        return replace(self.menu, screens=(Offer(deal),))

    def _drafted(self, draft: NewGame, *, above: bool = False) -> Menu:
        """The page with that draft; `above`: the one that led here."""
        menu = replace(_back(self.menu) if above else self.menu, draft=draft)
        return self._rebuilt(menu, self.around)

    def _chosen(self, around: Around) -> Menu:
        return self._rebuilt(_back(self.menu), around)

    def _rebuilt(self, menu: Menu, around: Around) -> Menu:
        screen = menu.screen
        assert isinstance(screen, Listing)
        return _on(menu, rebuilt(screen, around, menu.draft or around.next_game))
