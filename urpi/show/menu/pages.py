"""The lines of the menu's pages, built from the table's status."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from urpi.referee.orders import NewGame
from urpi.referee.seats import COACHES, ENGINE_THROWS, SEATS, Seat, engine_name, is_engine
from urpi.referee.snapshot import Phase
from urpi.rules import RULE_SETS, RuleSet, Side, rule_set
from urpi.show.menu.screens import Item, Listing
from urpi.show.menu.status import TableStatus

PIECES: Final = "pieces"
BACK: Final = Item("back")
PLAY_ON: Final = Item("play-on")

_Lines: TypeAlias = tuple[tuple[Item, ...], int]
"""The lines, and the index of the one that is chosen first."""


def menu_page(status: TableStatus) -> Listing:
    """Return the first page. During a game its first line leads back to the game.

    The next game is offered before the first throw, too.
    """
    if status.snapshot.explore is not None:
        return explore_page(status)
    sound, new_game = Item("sound", status.sound), Item("new-game")
    # During a game a new one and the language, which are rarely needed then, are the farthest.
    questions = (Item("questions"),) if status.players else ()
    paired = () if status.pairing is None else (Item("next-game"),)
    begin = (new_game, sound, *questions)
    game = (PLAY_ON, sound, Item("minute"), new_game) if status.playing else begin
    withdraw = (Item("withdraw"),) if status.invites else ()
    table = (Item("language", status.language), Item("dice"), Item("about"))
    left = () if status.playing else (BACK,)
    return Listing("menu", (*paired, *game, *withdraw, *table, *left))


def offers_page(status: TableStatus, side: Side) -> Listing:
    """Return the page with what a side can propose or do in the game.

    Its first line does nothing, so that a long press by accident has no effect.
    """
    if status.snapshot.explore is not None:
        return explore_page(status)
    takeback = status.snapshot.takeback or status.snapshot.takeback_to_ask
    remote = status.snapshot.remote
    # Both buttons of this board are those of the player who is here.
    side = side if remote is None else remote.other
    position = status.snapshot.position
    items = [PLAY_ON]
    if status.may_claim:
        items.append(Item("claim"))
    if status.snapshot.may_hint and status.snapshot.side is side:
        items.append(Item("hint"))
    if takeback is not None and takeback[0] is side:
        items.append(Item("take-back", takeback[1]))
    if status.may_explore:
        items.append(Item("explore"))
    if not is_engine(status.snapshot.seat(side)):
        if position is not None and position.rules.draws:
            items.append(Item("offer-draw"))
        if status.snapshot.draw is not None:
            items.append(Item("claim-draw"))
        items.append(Item("resign"))
    owner = side if remote is None else None
    return Listing("offers", (*items, Item("abandon")), side=owner)


def explore_page(status: TableStatus) -> Listing:
    """Return the page of an exploration; either button selects, because both sides have agreed."""
    snapshot = status.snapshot
    items = [Item("explore-on")]
    if status.asks:
        items.append(Item("next-question", status.asks))
    if snapshot.explore == "line":
        if snapshot.phase is Phase.THROW:
            items.append(Item("throws"))
        # Not while a question is asked.
        if snapshot.may_hint and not status.asks:
            items.append(Item("hint"))
        if snapshot.takeback is not None:
            items.append(Item("undo", snapshot.takeback[1]))
        items.append(Item("go-back"))
    if not status.explores_game:
        items.append(Item("end-exploration"))
    return Listing("explore", (*items, Item("sound", status.sound)))


def _throws(status: TableStatus, _draft: NewGame) -> _Lines:
    """Return the throws that can be chosen in an exploration, by their meanings."""
    position = status.snapshot.position
    outcomes = () if position is None else position.rules.dice.outcomes
    return (*(Item("throw", throw.meaning) for throw, _ in outcomes), BACK), 0


def confirmation_page(what: str, side: Side) -> Listing:
    """Return the page that asks a side to confirm an action, with the line to cancel first."""
    return Listing(what, (PLAY_ON, Item(f"sure-{what}")), side=side)


def cleared_page() -> Listing:
    """Return the page that offers a new game; both players have seen how the board was cleared."""
    return Listing("cleared", (PLAY_ON, Item("sure-new-game")))


def settings_page(name: str, status: TableStatus, draft: NewGame) -> Listing:
    """Return the page of the given name below the first one."""
    items, chosen = PAGES[name](status, draft)
    return Listing(name, items, chosen)


def _new_game(status: TableStatus, draft: NewGame) -> _Lines:
    rules = draft.rules
    pieces = (Item(PIECES, rules.options[PIECES]),) if PIECES in rules.options else ()
    names = (
        Item(name, seat if is_engine(seat) else player, table=seat == "remote")
        for name, player, seat in zip(
            ("light", "dark"), (draft.light, draft.dark), draft.seats, strict=True
        )
    )
    coaches = (
        Item(f"coach-{side.value}", draft.coach[side.number])
        for side in Side
        if draft.seats[side.number] == "person" and draft.invitation is None
    )
    clubs = (
        Item(f"club-{side}", name if name in status.published else "")
        for side, name in _persons(draft).items()
        if status.published is not None
    )
    engine = any(map(is_engine, draft.seats))
    throws = (Item("engine-throws", draft.engine_throws),) if engine else ()
    # A game with another table begins from the start.
    set_up = (Item("set-up"),) if draft.invitation is None else ()
    return (
        Item("begin"),
        Item("rules", rules.id),
        *pieces,
        *names,
        *throws,
        *coaches,
        *clubs,
        *set_up,
        BACK,
    ), 0


def _persons(draft: NewGame) -> dict[str, str]:
    """Return the names of the persons who play, by side."""
    names = zip(Side, (draft.light, draft.dark), draft.seats, strict=True)
    return {side.value: name for side, name, seat in names if name and seat == "person"}


def _club_light(status: TableStatus, draft: NewGame) -> _Lines:
    return _club(status, draft.light)


def _club_dark(status: TableStatus, draft: NewGame) -> _Lines:
    return _club(status, draft.dark)


def _club(status: TableStatus, name: str) -> _Lines:
    agreed = name in (status.published or ())
    return (Item("publish", name), Item("hide", name), BACK), 0 if agreed else 1


def _rules(_around: TableStatus, draft: NewGame) -> _Lines:
    return _choice("choose-rules", tuple(RULE_SETS), draft.rules.id)


def _light(status: TableStatus, draft: NewGame) -> _Lines:
    return _players(status, "light", draft.seats[0], draft.light, draft.dark)


def _dark(status: TableStatus, draft: NewGame) -> _Lines:
    return _players(status, "dark", draft.seats[1], draft.dark, draft.light)


def _players(status: TableStatus, side: str, seat: Seat, own: str, other: str) -> _Lines:
    """Return the lines for the persons, the engine at each level, and the other tables."""
    known = dict.fromkeys(("", *((own,) if seat != "remote" else ()), *status.players))
    engines: list[Seat] = [each for each in SEATS if is_engine(each)]
    own_names = {engine_name(each) for each in engines}
    names = [name for name in known if not name or name not in {other, *own_names}]
    persons = tuple(Item(f"choose-{side}", name) for name in names)
    levels = tuple(Item(f"seat-{side}", each) for each in engines)
    tables = tuple(Item(f"table-{side}", each, table=True) for each in status.tables)
    lines = (*persons, *levels, *tables, BACK)
    line = Item(f"seat-{side}", seat)
    if not is_engine(seat):
        is_table = seat == "remote"
        line = Item(f"table-{side}" if is_table else f"choose-{side}", own, table=is_table)
    return lines, lines.index(line) if line in lines else 0


def _questions(status: TableStatus, _draft: NewGame) -> _Lines:
    return (*(Item("ask", name) for name in status.players), BACK), 0


def _sounds(status: TableStatus, _draft: NewGame) -> _Lines:
    return _choice("choose-sound", status.sounds, status.sound)


def _languages(status: TableStatus, _draft: NewGame) -> _Lines:
    return _choice("choose-language", status.languages, status.language)


def _choice(what: str, values: tuple[str, ...], now: str) -> _Lines:
    place = values.index(now) if now in values else 0
    return (*(Item(what, value) for value in values), BACK), place


def _dice(status: TableStatus, _draft: NewGame) -> _Lines:
    missing = (Item(f"no-{source}") for source in status.missing_sources)
    return (*missing, *(Item("die", die=die) for die in status.dice), BACK), 0


def _about(status: TableStatus, _draft: NewGame) -> _Lines:
    page = status.page
    address = Item("address", page.address) if page.address else Item("no-page")
    pin = (Item("pin", page.pin),) if page.pin else ()
    return (Item("version"), address, *pin, BACK), 0


PAGES: Final[Mapping[str, Callable[[TableStatus, NewGame], _Lines]]] = {
    "throws": _throws,
    "new-game": _new_game,
    "rules": _rules,
    "light": _light,
    "dark": _dark,
    "club-light": _club_light,
    "club-dark": _club_dark,
    "questions": _questions,
    "sound": _sounds,
    "language": _languages,
    "dice": _dice,
    "about": _about,
}
"""The pages below the first one, by the name of the line that opens them."""
CHOICES: Final = (
    "pieces",
    "engine-throws",
    "coach-light",
    "coach-dark",
    "choose-rules",
    "choose-light",
    "choose-dark",
    "seat-light",
    "seat-dark",
    "table-light",
    "table-dark",
    "choose-sound",
    "choose-language",
    "publish",
    "hide",
)
"""The names of the lines that choose a value."""

EXPLORING: Final = (
    "explore",
    "ask",
    "next-question",
    "throw",
    "undo",
    "go-back",
    "end-exploration",
)
"""The names of the lines that begin, lead and end an exploration."""


def refreshed(listing: Listing, status: TableStatus, draft: NewGame) -> Listing:
    """Return a page updated to the table's status, with the same line chosen."""
    if listing.name in {"menu", "explore"}:
        fresh = menu_page(status)
    elif listing.name in PAGES:
        fresh = settings_page(listing.name, status, draft)
    else:
        return listing
    return replace(fresh, chosen=min(listing.chosen, len(fresh.items) - 1), side=listing.side)


def with_rules(draft: NewGame, rules: str) -> NewGame:
    """Return the draft with another rule set, keeping the number of pieces if it allows it."""
    if rules == draft.rules.id:
        return draft
    fresh = rule_set(rules)
    pieces = draft.rules.options.get(PIECES, "")
    allowed = _allowed_pieces(fresh)
    return replace(draft, rules=rule_set(rules, {PIECES: pieces}) if pieces in allowed else fresh)


def with_next_pieces(draft: NewGame) -> NewGame:
    """Return the draft with the next number of pieces that its rule set allows."""
    allowed = _allowed_pieces(draft.rules)
    now = draft.rules.options[PIECES]
    other = allowed[(allowed.index(now) + 1) % len(allowed)]
    return replace(draft, rules=rule_set(draft.rules.id, {**draft.rules.options, PIECES: other}))


def with_next_coach(draft: NewGame, side: Side) -> NewGame:
    """Return the draft with the next setting of a side's coach."""
    coach = list(draft.coach)
    at = COACHES.index(coach[side.number])
    coach[side.number] = COACHES[(at + 1) % len(COACHES)]
    light, dark = coach
    return replace(draft, coach=(light, dark))


def with_next_engine_throws(draft: NewGame) -> NewGame:
    """Return the draft with the other way to throw for the engine."""
    at = ENGINE_THROWS.index(draft.engine_throws)
    return replace(draft, engine_throws=ENGINE_THROWS[(at + 1) % len(ENGINE_THROWS)])


def _allowed_pieces(rules: RuleSet) -> tuple[str, ...]:
    return next((option.values for option in rules.known_options if option.name == PIECES), ())
