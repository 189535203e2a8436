"""Games played on the page by taps or by drags alone, for both sides, in every rule set.

`python -m tests.browser.played_games [RULES...]` plays a whole game of each rule set by taps and
one by drags, which takes an hour or more; `test_played_games` plays the first moves of each.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from playwright.sync_api import Browser, Locator
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.player_page import (
    DEADLINE_S,
    PHONE,
    POLL_MS,
    PlayerPage,
    chromium,
    demo,
    open_player_page,
)
from urpi.rules import (
    ALL_SQUARES,
    RULE_SETS,
    SQUARE_NAMES,
    Move,
    Position,
    Side,
    Throw,
    each_square,
    parse_move,
    parse_position,
    parse_square,
)
from urpi.rules.board import turned
from urpi.simulation.behaviour import greedy
from urpi.simulation.display_state import without_faces

SPEED: Final = 20
"""How much faster than real time the table is while no piece is held."""
SEED: Final = 5
SHORT: Final = {"finkel", "finkel3", "murray", "bell", "coursework", "skiryuk", "masters", "blitz"}
"""The rule sets with a house rule for a short game of three pieces."""
SEEN_S: Final = 2.5
"""How long the page waits for the referee to see a move; one between piles may leave no trace."""
SELECTED_S: Final = 20
"""How long a tapped piece may take to be selected. A change of the turn drops a selection; a player
then repeats the tap."""
MAX_REPEATED: Final = 5
"""Most taps of a game that may have to be repeated; they are reported."""
FORTS: Final = tuple(parse_square(name) for name in ("A1", "C1", "A7", "C7"))
RIM: Final = 12.5
"""Distance of a piece's lower rim from its centre, in the board's units."""

SCREENS: Final[dict[str, Any]] = {
    "tap": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
    "drag": {"viewport": {"width": 1024, "height": 768}},
}

Piece = tuple[str, str, bool]
"""A piece's place, side, and whether it shows its other face."""
Act = Callable[[PlayerPage, str, str, int], None]
"""Moves the top pieces of a place, given their number, to another place."""


WATCH: Final = """
document.addEventListener("urpi-state", ({ detail }) => (window.shownState = detail));
"""
"""Keeps the state that the page shows, so that the waiting below needs no requests."""

NEXT: Final = """
async (most_ms) => {
  const all = document.querySelector(".throw-all");
  const pieces = () => [...document.querySelectorAll(".ur-piece")].map(({ dataset, classList }) => [
    dataset.place,
    classList.contains("ur-is-light") ? "light" : "dark",
    classList.contains("ur-turned"),
  ]);
  const next = (state) => {
    if (state.phase === "over") return "over";
    if (state.question) return "answer";
    if (state.phase === "move" && !state.seems) return "move";
    return !all.matches(".no-act") && !state.dice.rolling.length ? "throw" : null;
  };
  for (const end = performance.now() + most_ms; performance.now() < end; ) {
    const act = window.shownState && next(window.shownState);
    if (act) return { act, state: window.shownState, pieces: pieces() };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return null;
}
"""
"""Waits for what the game waits for, and returns it with the state and the pieces as shown."""

AFTER: Final = """
async ([seq, most_ms, thrown]) => {
  const rolls = () => document.querySelector(".table-die-rolls") !== null;
  const seen = ({ seq: now, question, seems }) =>
    thrown ? now !== seq && !rolls() : now !== seq || question || seems;
  for (const end = performance.now() + most_ms; performance.now() < end; ) {
    if (seen(window.shownState)) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
"""
"""Waits until the page shows that a throw has come to rest, or that a move was seen."""


def tap(player: PlayerPage, origin: str, target: str, count: int) -> None:
    select(player, origin, count)
    player.tap(*player.centre(player.place(target)))


def select(player: PlayerPage, origin: str, count: int) -> None:
    """Tap a place, and select a number of its pieces."""
    player.tap(*player.centre(pieces_at(player, origin).last))
    selected = player.page.locator(".ur-piece.selected")
    selected.first.wait_for(state="attached", timeout=1000 * SELECTED_S)
    while selected.count() != count:
        more = player.page.get_by_role("button", name="One more piece")
        more.click(timeout=1000 * SELECTED_S)


def drag(player: PlayerPage, origin: str, target: str, count: int) -> None:
    """Drag the top piece; or a group of a pile, by the rim of its lowest piece."""
    pile = pieces_at(player, origin)
    # Higher pieces of a pile are drawn at the same spot; there a group is selected first.
    low = pile.count() - count if count > 1 else 0
    x, y = player.centre(pile.last)
    if count > 1 and low >= 3:
        select(player, origin, count)
    elif count > 1:
        name = pile.evaluate_all(
            "(all, low) => { const y = (one) => one.getBoundingClientRect().y;"
            " return all.sort((one, other) => y(other) - y(one))[low].dataset.key; }",
            low,
        )
        scale = player.place("B1").bounding_box()["width"] / 40
        x, y = player.centre(player.piece(name))
        y += RIM * scale
    player.drag_from(x, y, target)


def pieces_at(player: PlayerPage, place: str) -> Locator:
    """Return the pieces on a place, the top one last."""
    return player.page.locator(f'.ur-pieces [data-place="{place}"]')


ACTS: Final[dict[str, Act]] = {"tap": tap, "drag": drag}


def hunt(rng: Random, position: Position, throw: Throw, legal: tuple[Move, ...]) -> Move:
    """Return a move of `freecompany` towards the four forts; games of `greedy` do not end."""
    side = position.turn
    assert side is not None

    def worth(move: Move) -> tuple[bool, float]:
        after = position.rules.play(position, throw, move)
        own = [at for at in ALL_SQUARES if owner(after, at) is side]
        enemies = [at for at in ALL_SQUARES if owner(after, at) is side.other]
        free = [at for at in own if at not in FORTS]
        way = sum(min((steps(at, to) for at in free), default=12) for to in FORTS if to not in own)
        held = 6 * len(set(own) & set(FORTS)) - 3 * len(set(enemies) & set(FORTS))
        value = held - 4 * len(enemies) + 0.8 * len(own) - way + 3 * rng.random()
        return position.rules.winner(after) is side, value

    return rng.choice(legal) if side is Side.DARK else max(legal, key=worth)


def owner(position: Position, square: int) -> Side | None:
    pile = position.board[square]
    return Side.of_letter(pile[-1]) if pile else None


def steps(one: int, other: int) -> int:
    (row, column), (to_row, to_column) = SQUARE_NAMES[one], SQUARE_NAMES[other]
    return abs(ord(row) - ord(to_row)) + abs(int(column) - int(to_column))


def pieces_of(position: Position) -> Counter[Piece]:
    """Return the pieces of a position, by the page's names of their places."""
    position = without_faces(position)
    found: Counter[Piece] = Counter()
    for square in each_square(position.occupancy):
        for letter in position.board[square]:
            found[SQUARE_NAMES[square], Side.of_letter(letter).value, turned(letter)] += 1
    for side in Side:
        found[f"hand:{side.value}", side.value, False] += position.hand[side.number]
        found[f"home:{side.value}", side.value, False] += position.off[side.number]
    return +found


def pieces_on(player: PlayerPage) -> Counter[Piece]:
    """Return the pieces that the page draws."""
    found = player.page.locator(".ur-piece").evaluate_all(
        "all => all.map(x => [x.dataset.place, x.classList.contains('ur-is-light') ? 'light'"
        " : 'dark', x.classList.contains('ur-turned')])"
    )
    return Counter((place, side, face) for place, side, face in found)


class PlayedGame:
    """A game at a table without simulated players, whose moves one function makes."""

    def __init__(self, player: PlayerPage, act: Act, seed: int) -> None:
        self.player, self.act, self.rng = player, act, Random(seed)
        self.made, self.moves = "", 0
        self.repeated = 0
        """The number of taps that selected nothing, and were repeated."""
        self.since: float | None = None
        """When the pieces were first found on other places than expected."""

    def play(self, moves: int | None = None) -> dict[str, Any]:
        """Play some moves, or to the end of the game, and return the state."""
        while (shown := self.next())["act"] != "over":
            if moves is not None and self.moves >= moves:
                break
            self.take_turn(**shown)
        return shown["state"]

    def next(self) -> dict[str, Any]:
        """Wait for what the game waits for; return it, the state and the pieces as shown."""
        return self.player.until(lambda: self.player.page.evaluate(NEXT, 1000 * DEADLINE_S))

    def take_turn(self, act: str, state: dict[str, Any], pieces: list[Any]) -> None:
        """Do what the game waits for."""
        match act:
            case "answer" if self.is_unmoved(state, pieces):
                # The only legal move leaves no trace, so the referee asks for it after a while.
                self.move(state)
            case "answer":
                self.answer()
            case "move" if (done := self.is_done(state, pieces)) is None:
                # Pieces are still being put where they belong.
                self.player.page.wait_for_timeout(POLL_MS)
            case "move" if not done:
                self.move(state)
            case _:
                self.throw(state)

    def throw(self, now: dict[str, Any]) -> None:
        self.player.throw()
        self.wait_until_seen(now, DEADLINE_S, thrown=True)

    def answer(self) -> None:
        choice = self.player.page.locator(f'#question-choices [data-value="{self.made}"]')
        # The referee may drop the question meanwhile, because the board answers it.
        with suppress(PlaywrightTimeout):
            choice.first.click(timeout=1000)
        self.player.page.wait_for_timeout(50)

    @staticmethod
    def is_unmoved(now: dict[str, Any], pieces: list[Any]) -> bool:
        """Whether the pieces lie as before the move."""
        return Counter(map(tuple, pieces)) == pieces_of(parse_position(now["position"]["text"]))

    def is_done(self, now: dict[str, Any], pieces: list[Any]) -> bool | None:
        """Whether the last move was made without a trace; None if the pieces lie otherwise."""
        if self.is_unmoved(now, pieces):
            return False
        position, shown = parse_position(now["position"]["text"]), Counter(map(tuple, pieces))
        if self.made in [move["move"] for move in now["legal"]]:
            throw = position.rules.dice.throw(now["throw"]["faces"])
            after = position.rules.play(position, throw, parse_move(self.made))
            if shown == pieces_of(after):
                return True
        assert self.since is None or time.monotonic() < self.since + DEADLINE_S, (now, shown)
        self.since = self.since or time.monotonic()
        return None

    def move(self, now: dict[str, Any]) -> None:
        position = parse_position(now["position"]["text"])
        throw = position.rules.dice.throw(now["throw"]["faces"])
        legal = position.rules.legal_moves(position, throw)
        choose = hunt if position.rules.id == "freecompany" else greedy
        move = choose(self.rng, position, throw, legal)
        self.made, self.moves, self.since = move.text, self.moves + 1, None
        listed = next(one for one in now["legal"] if one["move"] == move.text)
        # A press on a button below may have scrolled the page; players then scroll back.
        self.player.page.evaluate("scrollTo(0, 0)")
        for part, origin, target in zip(move.parts, listed["from"], listed["to"], strict=True):
            count = 1
            if part.prisoners:
                pile = [Side.of_letter(letter) for letter in position.board[part.origin]]
                own = [at for at, side in enumerate(pile[:-1]) if side is pile[-1]]
                count = len(pile) - (own[-1] + 1 if own else 0)
            try:
                self.act(self.player, place(origin, now), place(target, now), count)
            except PlaywrightTimeout:
                self.moves, self.repeated = self.moves - 1, self.repeated + 1
                if self.repeated > MAX_REPEATED:
                    raise
                return
        self.wait_until_seen(now, SEEN_S)

    def wait_until_seen(
        self, before: dict[str, Any], most_s: float, *, thrown: bool = False
    ) -> None:
        self.player.page.evaluate(AFTER, [before["seq"], 1000 * most_s, thrown])


def place(name: str, now: dict[str, Any]) -> str:
    """Return the page's name of a move's origin or target."""
    return {"hand": f"hand:{now['side']}", "off": f"home:{now['side']}"}.get(name, name)


@contextmanager
def played_game(
    browser: Browser, folder: Path, rules: str, way: str, seed: int = SEED, **options: Any
) -> Iterator[PlayedGame]:
    """Run a table with a new game, and check at the end that the page logged no error."""
    short = ("--option", "pieces=3") if rules in SHORT else ()
    table = (
        "--rules",
        rules,
        *short,
        "--seed",
        str(seed),
        "--speed",
        str(SPEED),
        "--simulated",
        "none",
    )
    with demo(folder, *table, "--first", "light") as url:
        options = SCREENS[way] | {"reduced_motion": "reduce"} | options
        player = open_player_page(browser, url, **options)
        player.page.context.add_init_script(WATCH)
        player.open()
        yield PlayedGame(player, ACTS[way], seed)
        player.assert_no_errors()
        player.page.context.close()


def main() -> None:
    """Play whole games of some rule sets, by default of all, and print their lengths."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("rules", nargs="*", metavar="RULES")
    parser.add_argument("--ways", nargs="+", choices=ACTS, default=[*ACTS])
    given = parser.parse_args()
    failed = []
    with chromium() as browser:
        for rules in given.rules or sorted(RULE_SETS):
            for way in given.ways:
                began = time.monotonic()
                with TemporaryDirectory() as folder:
                    try:
                        with played_game(browser, Path(folder), rules, way) as game:
                            over = game.play()
                            result = f"{over['outcome']['text']} {game.moves} moves"
                            result += f", {game.repeated} repeated" * bool(game.repeated)
                    except Exception as error:
                        failed.append((rules, way))
                        result = f"failed: {error}"
                sys.stdout.write(f"{rules} {way}: {result}, {time.monotonic() - began:.0f} s\n")
                sys.stdout.flush()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
