"""What comes of a line that is taken: another page, something chosen, asked, or done."""

from dataclasses import dataclass, replace

from urpi.menu.around import Around
from urpi.menu.deals import Deal
from urpi.menu.pages import (
    CHOICES,
    PAGES,
    rebuilt,
    settings_page,
    sure_page,
    with_other_pieces,
    with_rules,
)
from urpi.menu.screens import Item, Listing, Offer, Reading, Screen
from urpi.menu.state import CLOSED, Done, LookBack, Menu, back, on
from urpi.orders import ChangeLanguage, ChangeSound, NewGame
from urpi.referee.facts import Draw, Resign
from urpi.rules import Side


@dataclass(frozen=True, slots=True)
class Taking:
    """A line is taken: in which menu, when, by whom, and how the table is."""

    menu: Menu
    t: int
    side: Side
    around: Around

    @property
    def draft(self) -> NewGame:
        """The next game as far as it has been chosen."""
        return self.menu.draft or self.around.next_game

    def take(self, item: Item) -> Done:
        """The menu when that line was taken, and what is to be done."""
        match item.name:
            case "play-on":
                return CLOSED, ()
            case "back":
                return back(self.menu), ()
            case "minute":
                return self._deeper(Reading()), (LookBack(),)
            case "begin" if not self.around.playing:
                return CLOSED, (self.draft,)
            case name if name in PAGES:
                return self._deeper(settings_page(name, self.around, self.draft)), ()
            case name if name in CHOICES:
                return self._choose(item)
            case _:
                return self._demand(item)

    def _choose(self, item: Item) -> Done:
        """Something of the next game, or of the table, is to be so."""
        draft, value = self.draft, item.value
        match item.name:
            case "pieces":
                return self._drafted(with_other_pieces(draft)), ()
            case "choose-rules":
                return self._drafted(with_rules(draft, value), above=True), ()
            case "choose-light":
                return self._drafted(replace(draft, light=value), above=True), ()
            case "choose-dark":
                return self._drafted(replace(draft, dark=value), above=True), ()
            case "choose-sound":
                return self._set(replace(self.around, sound=value)), (ChangeSound(value),)
            case _:
                return self._set(replace(self.around, language=value)), (ChangeLanguage(value),)

    def _demand(self, item: Item) -> Done:
        """Something is asked of the other side, or done by this one alone."""
        match item.name:
            case "take-back":
                return self._offer(Deal("take-back", self.side, item.value)), ()
            case "offer-draw":
                return self._offer(Deal("draw", self.side)), ()
            case "abandon":
                return self._offer(Deal("abandon", self.side)), ()
            case "begin":
                return self._offer(Deal("new-game", self.side, order=self.draft)), ()
            case "resign" | "claim-draw":
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
        menu = replace(back(self.menu) if above else self.menu, draft=draft)
        return self._rebuilt(menu, self.around)

    def _set(self, around: Around) -> Menu:
        """The page that led here, with the table as it will be."""
        return self._rebuilt(back(self.menu), around)

    def _rebuilt(self, menu: Menu, around: Around) -> Menu:
        screen = menu.screen
        assert isinstance(screen, Listing)
        return on(menu, rebuilt(screen, around, menu.draft or around.next_game))
