"""Games played on the page by taps or by drags alone, for both sides, in every rule set.

`python -m tests.page.played_games [RULES...]` plays a whole game of each rule set by taps and one
by drags, which takes an hour or more; `test_played_games` plays the first moves of each.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from playwright.sync_api import Browser
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.page.player_page import PlayerPage, chromium, demo, open_player_page
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
from urpi.simulation.display_state import without_faces
from urpi.simulation.players import greedy

SPEEDS: Final = {"tap": "6", "drag": "2"}
"""How much faster than real time the table is; a dragged piece must not seem to rest on its way."""
SEED: Final = 5
SHORT: Final = {"finkel", "finkel3", "murray", "bell", "coursework", "skiryuk", "masters", "blitz"}
"""The rule sets with a house rule for a short game of three pieces."""
SEEN_S: Final = 2.5
"""How long the page waits for the referee to see a move; one between piles may leave no trace."""
FORTS: Final = tuple(parse_square(name) for name in ("A1", "C1", "A7", "C7"))
RIM: Final = 12.5
"""Distance of a piece's lower rim from its centre, in the board's units."""

Piece = tuple[str, str, bool]
"""A piece's place, side, and whether it shows its other face."""
Act = Callable[[PlayerPage, str, str, int], None]
"""Moves the top pieces of a place, given their number, to another place."""


def tap(player: PlayerPage, origin: str, target: str, count: int) -> None:
    select(player, origin, count)
    player.tap(*player.centre(player.place(target)))


def select(player: PlayerPage, origin: str, count: int) -> None:
    """Tap a place, and select a number of its pieces."""
    player.tap(*player.centre(player.piece(player.piece_on(origin))))
    selected = player.page.locator(".ur-piece.selected")
    player.until(selected.count)
    while selected.count() != count:
        player.page.get_by_role("button", name="One more piece").click()


def drag(player: PlayerPage, origin: str, target: str, count: int) -> None:
    """Drag the top piece; or a group of a pile, by the rim of its lowest piece."""
    pile = player.page.locator(f'.ur-pieces [data-place="{origin}"]')
    # Higher pieces of a pile are drawn at the same spot; there a group is selected first.
    low = pile.count() - count
    x, y = player.centre(player.piece(player.piece_on(origin)))
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

    def play(self, moves: int | None = None) -> dict[str, Any]:
        """Play some moves, or to the end of the game, and return the state."""
        while (now := self.player.state)["phase"] != "over":
            if moves is not None and self.moves >= moves:
                break
            self.take_turn(now)
        return now

    def take_turn(self, now: dict[str, Any]) -> None:
        """Do what the game waits for."""
        if now["question"] is not None:
            self.answer()
        elif now["phase"] == "move" and now["seems"] is None and self.is_set_up(now):
            self.move(now)
        elif self.player.dice_at_rest and not now["dice"]["rolling"]:
            self.throw(now)
        else:
            self.player.page.wait_for_timeout(20)

    def throw(self, now: dict[str, Any]) -> None:
        self.player.throw()
        self.player.until(
            lambda: self.player.dice_at_rest and self.player.state["seq"] != now["seq"]
        )

    def answer(self) -> None:
        choice = self.player.page.locator(f'#question-choices [data-value="{self.made}"]')
        # The referee may drop the question meanwhile, because the board answers it.
        with suppress(PlaywrightTimeout):
            choice.first.click(timeout=1000)
        self.player.page.wait_for_timeout(50)

    def is_set_up(self, now: dict[str, Any]) -> bool:
        """Whether the pieces lie as the position has them; a move may be made without a trace."""
        position = parse_position(now["position"]["text"])
        expected = [pieces_of(position)]
        if self.made in [move["move"] for move in now["legal"]]:
            throw = position.rules.dice.throw(now["throw"]["faces"])
            after = position.rules.play(position, throw, parse_move(self.made))
            expected.append(pieces_of(after))
        self.player.until(lambda: pieces_on(self.player) in expected)
        return pieces_on(self.player) == expected[0]

    def move(self, now: dict[str, Any]) -> None:
        position = parse_position(now["position"]["text"])
        throw = position.rules.dice.throw(now["throw"]["faces"])
        legal = position.rules.legal_moves(position, throw)
        choose = hunt if position.rules.id == "freecompany" else greedy
        move = choose(self.rng, position, throw, legal)
        self.made, self.moves = move.text, self.moves + 1
        listed = next(one for one in now["legal"] if one["move"] == move.text)
        for part, origin, target in zip(move.parts, listed["from"], listed["to"], strict=True):
            count = 1
            if part.prisoners:
                pile = [Side.of_letter(letter) for letter in position.board[part.origin]]
                own = [at for at, side in enumerate(pile[:-1]) if side is pile[-1]]
                count = len(pile) - (own[-1] + 1 if own else 0)
            self.act(self.player, place(origin, now), place(target, now), count)
        self.wait_until_seen(now)

    def wait_until_seen(self, before: dict[str, Any]) -> None:
        deadline = time.monotonic() + SEEN_S
        while time.monotonic() < deadline:
            now = self.player.state
            if now["question"] or now["seems"] or now["seq"] != before["seq"]:
                return
            self.player.page.wait_for_timeout(20)


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
        SPEEDS[way],
        "--simulated",
        "none",
    )
    with demo(folder, *table, "--first", "light") as url:
        player = open_player_page(browser, url, **options)
        yield PlayedGame(player, ACTS[way], seed)
        player.assert_no_errors()
        player.page.context.close()


def main() -> None:
    """Play whole games of some rule sets, by default of all, and print their lengths."""
    failed = []
    with chromium() as browser:
        for rules in sys.argv[1:] or sorted(RULE_SETS):
            for way in ACTS:
                began = time.monotonic()
                with TemporaryDirectory() as folder:
                    try:
                        with played_game(browser, Path(folder), rules, way) as game:
                            over = game.play()
                            result = f"{over['outcome']['said']} {game.moves} moves"
                    except Exception as error:
                        failed.append((rules, way))
                        result = f"failed: {error}"
                sys.stdout.write(f"{rules} {way}: {result}, {time.monotonic() - began:.0f} s\n")
                sys.stdout.flush()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
