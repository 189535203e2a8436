"""The effects of selecting a line of a list: another page, a setting, a proposal or a fact."""

from dataclasses import dataclass, replace

from urpi.referee.facts import Answer, Claim, Draw, Resign
from urpi.referee.orders import (
    AskHint,
    ChangeLanguage,
    ChangeSound,
    EndExploration,
    GoBack,
    Invite,
    NewGame,
    PublishName,
    WithdrawInvitation,
)
from urpi.referee.seats import SEATS, is_engine
from urpi.rules import Side
from urpi.show.menu.pages import (
    CHOICES,
    EXPLORING,
    PAGES,
    confirmation_page,
    refreshed,
    settings_page,
    with_next_coach,
    with_next_engine_throws,
    with_next_pieces,
    with_rules,
)
from urpi.show.menu.proposals import Proposal
from urpi.show.menu.screens import (
    Item,
    LastMinute,
    Listing,
    MenuScreen,
    Message,
    NextGame,
    Offer,
)
from urpi.show.menu.state import (
    CLOSED,
    RECAP_MS,
    DrawOffer,
    LastMinuteRequest,
    Menu,
    QuestionRequest,
    Result,
    SetUpRequest,
    go_back,
    replace_screen,
    set_up_position,
)
from urpi.show.menu.status import TableStatus


@dataclass(frozen=True, slots=True)
class Selection:
    """The selection of a line in `menu` by `side`'s button at time `t`."""

    menu: Menu
    t: int
    side: Side
    status: TableStatus

    @property
    def draft(self) -> NewGame:
        """The next game as chosen so far."""
        return self.menu.draft or self.status.next_game

    def apply(self, item: Item) -> Result:
        """Return the menu after an item was selected, and the facts and orders that follow."""
        match item.name:
            case "play-on" | "explore-on":
                return CLOSED, ()
            case "back":
                return go_back(self.menu), ()
            case "minute":
                return self._open(LastMinute()), (LastMinuteRequest(),)
            case "begin" if self.draft.invitation is not None:
                return self._invite(self.draft.invitation)
            case "withdraw":
                return CLOSED, (WithdrawInvitation(),)
            case "begin" if not self.status.playing:
                return CLOSED, (self.draft,)
            case name if name in PAGES:
                return self._open(settings_page(name, self.status, self.draft)), ()
            case name if name in CHOICES:
                return self._choose(item)
            case name if name in EXPLORING:
                return self._explore(item)
            case _:
                return self._act(item)

    def _choose(self, item: Item) -> Result:
        """Apply a choice for the next game or for the table."""
        draft, value = self.draft, item.value
        match item.name:
            case "pieces":
                return self._with_draft(with_next_pieces(draft)), ()
            case "engine-throws":
                return self._with_draft(with_next_engine_throws(draft)), ()
            case "coach-light" | "coach-dark":
                side = Side(item.name.removeprefix("coach-"))
                return self._with_draft(with_next_coach(draft, side)), ()
            case "choose-rules":
                return self._with_draft(with_rules(draft, value), parent=True), ()
            case "table-light" | "table-dark":
                return self._with_draft(_with_table(draft, item), parent=True), ()
            case "choose-light" | "choose-dark":
                return self._with_draft(_with_person(draft, item), parent=True), ()
            case "seat-light" | "seat-dark":
                return self._with_draft(_with_engine(draft, item), parent=True), ()
            case "choose-sound":
                return self._set(replace(self.status, sound=value)), (ChangeSound(value),)
            case "publish" | "hide":
                return self._publish(value, item.name == "publish")
            case _:
                return self._set(replace(self.status, language=value)), (ChangeLanguage(value),)

    def _publish(self, name: str, agreed: bool) -> Result:
        others = [one for one in self.status.published or () if one != name]
        published = (*others, name) if agreed else tuple(others)
        status = replace(self.status, published=published)
        return self._set(status), (PublishName(name, agreed),)

    def _invite(self, invitation: Invite) -> Result:
        """Invite another table, unless a game is in progress, which has to end first."""
        if self.status.snapshot.in_progress:
            return Menu((Message("end-first"),), self.t + RECAP_MS), ()
        return CLOSED, (invitation,)

    def _act(self, item: Item) -> Result:
        """Make a proposal to the opponent, or act for this side."""
        match item.name:
            case "hint":
                return CLOSED, (AskHint(),)
            case "take-back":
                return self._offer(Proposal("take-back", self.side, item.value))
            case "offer-draw":
                return self._offer(Proposal("draw", self.side))
            case "abandon":
                return self._offer(Proposal("abandon", self.side))
            case "begin":
                return self._offer(Proposal("new-game", self.side, order=self.draft))
            case "next-game" if self.status.pairing is not None:
                return self._open(NextGame(self.status.pairing)), ()
            case "set-up":
                return self._set_up()
            case "resign" | "claim" | "claim-draw":
                return self._open(confirmation_page(item.name, self.side)), ()
            case name if name.startswith("sure-"):
                return self._end(name)
            case _:
                # Lines without an action, such as the address.
                return self.menu, ()

    def _end(self, name: str) -> Result:
        """End the game as a player has confirmed."""
        if name == "sure-new-game":
            return CLOSED, Proposal("new-game", self.side, order=self.draft).accepted(self.t)
        ends: dict[str, type[Resign | Claim]] = {"sure-resign": Resign, "sure-claim": Claim}
        return CLOSED, (ends.get(name, Draw)(self.t, self.side),)

    def _set_up(self) -> Result:
        """Set up the position of the next game; a game in progress ends if the opponent agrees."""
        if self.status.playing:
            return self._offer(Proposal("set-up", self.side, order=self.draft))
        return set_up_position(self.t, self.draft), (SetUpRequest(self.draft),)

    def _explore(self, item: Item) -> Result:
        """Propose an exploration, or act for both sides in one."""
        position = self.status.snapshot.position
        match item.name:
            case "explore":
                return self._offer(Proposal("explore", self.side))
            case "throw" if position is not None:
                throws = position.rules.dice.outcomes
                faces = next(one.faces for one, _ in throws if one.meaning == item.value)
                return CLOSED, (Answer(self.t, faces=faces),)
            case "undo":
                message = Message("put-back", item.value)
                return Menu((message,), self.t + RECAP_MS), (Answer(self.t, takeback=True),)
            case "ask" | "next-question":
                return CLOSED, (QuestionRequest(item.value),)
            case "go-back":
                return CLOSED, (GoBack(),)
            case _:
                return CLOSED, (EndExploration(),)

    def _open(self, screen: MenuScreen) -> Menu:
        return replace(self.menu, screens=(*self.menu.screens, screen))

    def _offer(self, proposal: Proposal) -> Result:
        """Make a proposal; the engine accepts at once, except for a draw, which it considers.

        In a game with another table it is made there. A new game begins without consent once this
        one has been abandoned.
        """
        if self.status.snapshot.remote is not None:
            return CLOSED, tuple(
                each for each in proposal.accepted(self.t) if not isinstance(each, NewGame)
            )
        if not is_engine(self.status.snapshot.seat(self.side.other)):
            return replace(self.menu, screens=(Offer(proposal),)), ()
        if proposal.name == "draw":
            return CLOSED, (DrawOffer(self.side),)
        return accepted(self.t, proposal)

    def _with_draft(self, draft: NewGame, *, parent: bool = False) -> Menu:
        """Return the menu with another draft, showing this page or its `parent`."""
        menu = replace(go_back(self.menu) if parent else self.menu, draft=draft)
        return self._refresh(menu, self.status)

    def _set(self, status: TableStatus) -> Menu:
        """Return the menu with the parent page shown, with the table's new status."""
        return self._refresh(go_back(self.menu), status)

    def _refresh(self, menu: Menu, status: TableStatus) -> Menu:
        screen = menu.screen
        assert isinstance(screen, Listing)
        return replace_screen(menu, refreshed(screen, status, menu.draft or status.next_game))


def accepted(t: int, proposal: Proposal) -> Result:
    """Return the menu after the opponent has accepted a proposal, and what follows."""
    outputs = proposal.accepted(t)
    if proposal.name == "set-up" and proposal.order is not None:
        return set_up_position(t, proposal.order), (*outputs, SetUpRequest(proposal.order))
    if proposal.move:
        return Menu((Message("put-back", proposal.move),), t + RECAP_MS), outputs
    return CLOSED, outputs


def _with_person(draft: NewGame, item: Item) -> NewGame:
    """Return the draft with a person of a name in a side's seat."""
    light, dark = draft.seats
    if item.name == "choose-light":
        return replace(draft, light=item.value, seats=("person", dark))
    return replace(draft, dark=item.value, seats=(light, "person"))


def _with_engine(draft: NewGame, item: Item) -> NewGame:
    """Return the draft with the engine in a side's seat, at the level of an item."""
    seat = next(each for each in SEATS if each == item.value)
    light, dark = _without_table(draft).seats
    if item.name == "seat-light":
        return replace(_without_table(draft), light="", seats=(seat, dark))
    return replace(_without_table(draft), dark="", seats=(light, seat))


def _with_table(draft: NewGame, item: Item) -> NewGame:
    """Return the draft with another table in a side's seat; a person here has the other one."""
    light, dark = (
        name if seat == "person" else ""
        for name, seat in zip((draft.light, draft.dark), draft.seats, strict=True)
    )
    if item.name == "table-light":
        return replace(draft, light=item.value, dark=dark, seats=("remote", "person"))
    return replace(draft, light=light, dark=item.value, seats=("person", "remote"))


def _without_table(draft: NewGame) -> NewGame:
    """Return the draft with a person in place of another table."""
    match draft.seats:
        case ("remote", _):
            return replace(draft, light="", seats=("person", draft.seats[1]))
        case (_, "remote"):
            return replace(draft, dark="", seats=(draft.seats[0], "person"))
    return draft
