"""The menu's state machine: presses, time and activity in, screens, facts and orders out. Pure.

While a question is open or a move awaits confirmation, every press is passed to the referee.
Other presses are not facts; only what they select becomes a fact or an order. A single press
never ends or changes a game: the opponent must accept a proposal, and a player must confirm what
ends the game without one. The caller passes the time, and calls `tick` when `due` requires it.
"""

from dataclasses import replace
from typing import Final

from urpi.referee.facts import Button
from urpi.referee.orders import AnswerInvitation, AnswerPairing, Pairing
from urpi.referee.placing import AskBegin
from urpi.rules import Side
from urpi.show.menu.pages import cleared_page, explore_page, menu_page, offers_page, refreshed
from urpi.show.menu.proposals import Proposal
from urpi.show.menu.screens import (
    Invitation,
    LastMinute,
    Listing,
    MenuScreen,
    Message,
    NextGame,
    Offer,
    PagePin,
    PositionSetUp,
    Recap,
    TextPage,
)
from urpi.show.menu.selection import Selection, accepted
from urpi.show.menu.state import (
    CLOSED,
    PLACING_MS,
    RECAP_MS,
    Menu,
    Output,
    Result,
    go_back,
    replace_screen,
)
from urpi.show.menu.status import Activity, TableStatus

OPEN_MS: Final = 30_000
"""Milliseconds after the last press until a list, the last minute or an offer closes."""
INVITATION_MS: Final = 120_000
"""Longest time for an invitation, a proposal of another table, or the wait for an answer of its
players; the table that waits ends them."""
NEXT_GAME_MS: Final = 3_600_000
"""Longest time for the next game; then it is shown again."""
WAITING: Final = ("waiting-table", "joining")
MESSAGE_MS: Final = 4_000
ANSWER_MS: Final = 120_000
"""Longest time for what is said about an answer, while nobody presses or moves."""
PIN_MS: Final = 20_000
IGNORE_MS: Final = 1_000
"""Milliseconds during which presses are ignored after the game has closed a list.

They were meant for the list.
"""

BOTH: Final = "both"
LONG: Final = "long"


def due(menu: Menu) -> int | None:
    """Return when the screen shown closes, None if the menu is closed."""
    return menu.until if menu.screens else None


def on_press(menu: Menu, button: Button, status: TableStatus, activity: Activity) -> Result:
    """Return the menu after a press, and the facts and orders that follow.

    A press for the referee is returned unchanged as a fact.
    """
    screen = menu.screen
    # Before everything else: it opens and closes the menu in every state.
    if button.press == BOTH:
        put_off = _answers(screen, accepted=False) if isinstance(screen, NextGame) else ()
        return (CLOSED if menu.is_open else _open_menu(button.t, status, activity)), put_off
    match screen:
        case Listing():
            return _in_listing(menu, screen, button, status)
        case LastMinute():
            return _in_last_minute(menu, screen, button), ()
        case Offer():
            return _in_offer(menu, screen.proposal, button, status)
        case PositionSetUp():
            return _in_set_up(menu, screen, button)
        case Invitation(game=game):
            return CLOSED, (AnswerInvitation(game, accepted=button.press == LONG),)
        case NextGame():
            return CLOSED, _answers(screen, accepted=button.press == LONG)
        case _:
            return _in_game(menu, button, status, activity)


def tick(menu: Menu, t: int, status: TableStatus, activity: Activity) -> Menu:
    """Return the menu at time `t`, closed if it has expired or the game has continued."""
    if not menu.screens:
        return menu
    if menu.until <= t:
        return CLOSED
    # Opened without a game in progress: nothing at the board closes it.
    if menu.activity is None:
        return _update_placing(_update_dice(menu, status), t, activity)
    if _has_progressed(menu.activity, activity):
        return Menu(ignore_until=t + IGNORE_MS if menu.is_open else 0)
    # Dice that were rolling when the menu opened do not close it, unless they roll again.
    rolling = menu.activity.rolling & activity.rolling
    occupied = menu.activity.occupied if menu.activity.occupied is not None else activity.occupied
    pairs = zip(menu.activity.prompts, activity.prompts, strict=True)
    prompts = tuple(old if old == new else None for old, new in pairs)
    base = replace(menu.activity, rolling=rolling, occupied=occupied, prompts=prompts)
    return _update_dice(replace(menu, activity=base), status)


def show_pin(menu: Menu, t: int, pin: PagePin, status: TableStatus, activity: Activity) -> Menu:
    """Return the menu showing the page's PIN for `PIN_MS`, unless the display is in use.

    Anyone on the network can request it, so it does not replace a list, an offer, a question or
    a warning.
    """
    snapshot = status.snapshot
    if menu.is_open or snapshot.question is not None or snapshot.warning is not None:
        return menu
    return _show_first(t, status, activity, pin, PIN_MS)


def show_last_minute(menu: Menu, pages: tuple[TextPage, ...]) -> Menu:
    """Return the menu with the events of the last minute, if they are still waited for."""
    if menu.screen != LastMinute():
        return menu
    return replace(menu, screens=(*menu.screens[:-1], LastMinute(pages)))


def show_answer(
    menu: Menu, t: int, pages: tuple[TextPage, ...], status: TableStatus, activity: Activity
) -> Menu:
    """Return the menu with what there is to say about an answer, unless the menu is in use.

    It leads back to the page of the exploration, which offers the next question.
    """
    if menu.is_open:
        return menu
    shown = _show_first(t, status, activity, explore_page(status), ANSWER_MS)
    return replace(shown, screens=(*shown.screens, LastMinute(pages)))


def show_declined(menu: Menu, t: int, status: TableStatus, activity: Activity) -> Menu:
    """Return the menu showing that the engine declines a draw, unless the menu is in use."""
    if menu.is_open:
        return menu
    return _show_first(t, status, activity, Message("declined"), MESSAGE_MS)


def show_cleared(menu: Menu, t: int, status: TableStatus, activity: Activity) -> Menu:
    """Return the menu offering a new game after the board was cleared, unless it is in use."""
    if menu.is_open or status.snapshot.question is not None:
        return menu
    return _show_first(t, status, activity, cleared_page(), OPEN_MS)


def show_offer(
    menu: Menu, t: int, proposal: Proposal, status: TableStatus, activity: Activity
) -> Menu:
    """Return the menu showing what another table proposes, unless the menu is in use.

    It is closed when the other table withdraws it.
    """
    if menu.is_open:
        return menu
    return _show_first(t, status, activity, Offer(proposal), INVITATION_MS)


def show_invitation(menu: Menu, t: int, invitation: Invitation) -> Menu:
    """Return the menu showing an invitation of another table, unless the menu is in use.

    The board may be set up meanwhile: nothing there closes it, but the table that invites does.
    """
    if menu.is_open:
        return menu
    return Menu((invitation,), t + INVITATION_MS)


def show_next_game(menu: Menu, t: int, pairing: Pairing) -> Menu:
    """Return the menu showing the next game, unless it shows anything else."""
    return menu if menu.screens else Menu((NextGame(pairing),), t + NEXT_GAME_MS)


def show_message(
    menu: Menu, t: int, message: Message, status: TableStatus, activity: Activity
) -> Menu:
    """Return the menu showing a message, unless the menu is in use.

    One that another table has to answer is shown until then, others for `MESSAGE_MS`.
    """
    if menu.is_open:
        return menu
    duration_ms = INVITATION_MS if message.code in WAITING else MESSAGE_MS
    return _show_first(t, status, activity, message, duration_ms)


def _answers(screen: NextGame, *, accepted: bool) -> tuple[Output, ...]:
    return (AnswerPairing(screen.pairing.game, accepted),)


def _has_progressed(before: Activity, now: Activity) -> bool:
    """Return whether the game has continued since the menu was opened."""
    # While the squares are changing nothing can be compared.
    moved = None not in {before.occupied, now.occupied} and before.occupied != now.occupied
    prompted = any(
        new not in {None, old} for old, new in zip(before.prompts, now.prompts, strict=True)
    )
    return (
        (before.game, before.playing) != (now.game, now.playing)
        or moved
        or bool(now.rolling - before.rolling)
        or prompted
    )


def _update_dice(menu: Menu, status: TableStatus) -> Menu:
    """Return the menu with the dice's page updated, if it is shown."""
    screen = menu.screen
    if not isinstance(screen, Listing) or screen.name != "dice":
        return menu
    return replace_screen(menu, refreshed(screen, status, menu.draft or status.next_game))


def _update_placing(menu: Menu, t: int, activity: Activity) -> Menu:
    """Return the menu with what stands on the board, while a position is set up."""
    screen, occupied = menu.screen, activity.occupied
    if not isinstance(screen, PositionSetUp) or occupied is None:
        return menu
    placing = screen.placing.seen(occupied, activity.poles)
    if placing is screen.placing:
        return menu
    return replace_screen(replace(menu, until=t + PLACING_MS), PositionSetUp(placing))


def _open_menu(t: int, status: TableStatus, activity: Activity) -> Menu:
    return _show_first(t, status, activity, menu_page(status), OPEN_MS)


def _show_first(
    t: int, status: TableStatus, activity: Activity, screen: MenuScreen, duration_ms: int
) -> Menu:
    """Return the menu with a first screen over the game."""
    # Without a game the board can be set up while the menu is open.
    closing_activity = activity if status.playing else None
    return Menu((screen,), t + duration_ms, draft=status.next_game, activity=closing_activity)


def _in_game(menu: Menu, button: Button, status: TableStatus, activity: Activity) -> Result:
    """Handle a press while no list is open: it is the referee's, or opens a screen."""
    t, snapshot = button.t, status.snapshot
    if t < menu.ignore_until:
        return menu, ()
    # The referee waits for an answer, which a press must never miss.
    if snapshot.question is not None or snapshot.seems is not None:
        return CLOSED, (button,)
    if button.press == LONG and status.playing:
        offers = offers_page(status, button.button)
        return _show_first(t, status, activity, offers, OPEN_MS), ()
    if button.press == LONG:
        return _open_menu(t, status, activity), ()
    if snapshot.rolled is None and snapshot.acted is None and not status.playing:
        return _show_first(t, status, activity, Message("hold-for-menu"), MESSAGE_MS), ()
    return _show_first(t, status, activity, Recap(), RECAP_MS), ()


def _in_last_minute(menu: Menu, screen: LastMinute, button: Button) -> Menu:
    kept = replace(menu, until=button.t + OPEN_MS)
    if button.press == LONG:
        return go_back(kept)
    if not screen.pages:
        return kept
    return replace_screen(kept, replace(screen, place=(screen.place + 1) % len(screen.pages)))


def _in_offer(menu: Menu, proposal: Proposal, button: Button, status: TableStatus) -> Result:
    """Handle a press during an offer.

    The opponent accepts by a long press and declines by a short one; a short press of the
    proposing side withdraws the offer.
    """
    t = button.t
    # Both buttons of this board are those of the player whom another table asks.
    if button.button is proposal.by and not proposal.remote:
        return (menu if button.press == LONG else CLOSED), ()
    if button.press != LONG:
        message = Menu((Message("declined"),), t + MESSAGE_MS, activity=menu.activity)
        return message, proposal.declined()
    # Hands here may not have made the move of another table yet.
    if proposal.remote and status.snapshot.planned is not None:
        return CLOSED, proposal.accepted(t)
    return accepted(t, proposal)


def _in_set_up(menu: Menu, screen: PositionSetUp, button: Button) -> Result:
    """Answer what is asked about the position, or begin a game with it."""
    placing, long = screen.placing, button.press == LONG
    asks = placing.asks
    if long and isinstance(asks, AskBegin):
        assert menu.draft is not None
        return CLOSED, (replace(menu.draft, position=asks.position),)
    kept = replace(menu, until=button.t + PLACING_MS)
    return replace_screen(kept, PositionSetUp(placing.pressed(button.button, long=long))), ()


def _in_listing(menu: Menu, listing: Listing, button: Button, status: TableStatus) -> Result:
    """Handle a press in a list: one button goes to the next line, the other one back.

    So every line is at most half a list away. A list of offers belongs to the player who opened it:
    only that player's button selects a line.
    """
    kept = replace(menu, until=button.t + OPEN_MS)
    if button.press != LONG:
        step = 1 if button.button is (listing.side or Side.LIGHT) else -1
        chosen = (listing.chosen + step) % len(listing.items)
        return replace_screen(kept, replace(listing, chosen=chosen)), ()
    if listing.side not in {None, button.button}:
        return menu, ()
    menu = kept
    return Selection(menu, button.t, button.button, status).apply(listing.item)
