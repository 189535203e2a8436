"""Games played by what a player sees: the headline, the button to throw, pieces, and marked places.

Nothing here asks the server, and no rule is known but the way of each side, which is drawn on the
board: whether a piece may move is seen from the places that are marked when it is taken.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from playwright.sync_api import Browser

from tests.browser.player_page import DEADLINE_S, PHONE, PlayerPage, demo, open_player_page

SPEED: Final = 60
"""How much faster than real time the table is while no piece is held."""
SCREENS: Final[dict[str, Any]] = {
    "drag": {"viewport": {"width": 1024, "height": 768}},
    "tap": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
    "keys": {"viewport": {"width": 1366, "height": 768}},
}
UNCHANGED_MS: Final = 3000
"""How long a player waits for the headline to change before acting again: a throw may be refused,
and a turn may have two moves."""
LOOKS: Final = 3
"""How often a player looks for a piece that moves before giving up."""
HAND_MS: Final = 250
"""How long a hand needs for the next act; the table refuses more than ten requests a second."""
WAYS: Final = {"light": "A4A3A2A1B1B2B3B4B5B6B7B8A8A7", "dark": "C4C3C2C1B1B2B3B4B5B6B7B8C8C7"}
"""The squares of each side's way in `finkel`."""

COUNT: Final = """
addEventListener("DOMContentLoaded", () => {
  window.headlines = 0;
  const count = new MutationObserver(() => window.headlines++);
  count.observe(document.getElementById("now"), { childList: true, subtree: true });
});
"""
"""Counts the changes of the headline."""
LOOK: Final = """
async ([after, unchanged_ms, most_ms]) => {
  const button = document.querySelector(".throw-all");
  const act = (headline) => {
    if (headline.includes(" has won")) return "over";
    if (document.querySelector(".table-die-rolls, .in-hand")) return null;
    if (button.checkVisibility({ visibilityProperty: true })) return "throw";
    return headline.endsWith(": move a piece") ? "move" : null;
  };
  const begin = performance.now();
  const changed = () => window.headlines > after || performance.now() > begin + unchanged_ms;
  while (performance.now() < begin + most_ms) {
    const headline = document.getElementById("now").textContent;
    const found = changed() && act(headline);
    const { x, y, width, height } = button.getBoundingClientRect();
    const spot = [x + width / 2, y + height / 2];
    if (found) return { act: found, headline, button: spot, count: window.headlines };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(document.querySelector("main").innerText);
}
"""
"""Waits until a player has something to do after a change of the headline, and returns what."""
PIECES: Final = """
([side, way]) => {
  const own = [...document.querySelectorAll(`.ur-is-${side}`)].map((piece) => {
    const { x, y, width, height } = piece.querySelector(".ur-face").getBoundingClientRect();
    return [piece.dataset.place, x + width / 2, y + height / 2];
  });
  const places = [...new Set(own.map(([place]) => place))].filter((one) => !one.startsWith("home"));
  return places
    .sort((one, other) => way.indexOf(other) - way.indexOf(one))
    .map((place) => own.findLast(([at]) => at === place).slice(1));
}
"""
"""Returns the centre of a piece of each place, those nearest to home first."""
MARK: Final = """
([x, y]) => [...document.querySelectorAll(".ur-mark-legal")]
  .map((mark) => mark.getBoundingClientRect())
  .map((box) => [box.x + box.width / 2, box.y + box.height / 2])
  .map(([to_x, to_y]) => ({ spot: [to_x, to_y], far: Math.hypot(to_x - x, to_y - y) }))
  .sort((one, other) => one.far - other.far)[0]?.spot
"""
"""Returns the centre of the marked place that is the nearest to a spot, if any is marked."""
SQUARES: Final = {f"{row}{column}" for row in "ABC" for column in range(1, 9)}
SELECTED: Final = """() => document.querySelector(".ur-piece.selected")?.dataset.place ?? null"""
"""Returns the place of the selected piece."""

Way: TypeAlias = Literal["drag", "tap", "keys"]


class SeenGame:
    """A game of two people at one page.

    Attributes:
        moves: The number of moves, and of parts of moves that have several.
    """

    def __init__(self, player: PlayerPage, way: Way) -> None:
        self.player, self.page, self.way = player, player.page, way
        self.moves = 0
        self._count = -1
        self._make = {"drag": self._drag, "tap": self._tap, "keys": self._press}[way]
        self._in_vain = 0

    def look(self) -> Any:
        """Wait until there is something to do, and return it."""
        return self.page.evaluate(LOOK, [self._count, UNCHANGED_MS, 1000 * DEADLINE_S])

    def play(self, until: Callable[[], bool] = lambda: False) -> str:
        """Play to the end of the game, or until something holds after a move.

        Returns:
            The headline before the last move, or at the end.
        """
        while (seen := self.look())["act"] != "over":
            self._count = seen["count"]
            self.page.wait_for_timeout(HAND_MS)
            if seen["act"] == "move":
                self.move(seen["headline"])
                if until():
                    break
            elif self.way == "keys":
                self.player.press("Space")
            else:
                self.player.tap(*seen["button"])
        return str(seen["headline"])

    def move(self, headline: str) -> None:
        """Make a move of the side that the headline names, or find none and look again."""
        if self._make("light" if headline.startswith("Light") else "dark"):
            self.moves, self._in_vain = self.moves + 1, 0
        else:
            self._in_vain += 1
            assert self._in_vain < LOOKS, self.player.headlines

    def pieces(self, side: str) -> list[tuple[float, float]]:
        """Return where a side's pieces lie, those nearest to home first."""
        return [(x, y) for x, y in self.page.evaluate(PIECES, [side, WAYS[side]])]

    def _press(self, _side: str) -> bool:
        """Go through some moves with N, to one of a piece on the board, and play it."""
        for _ in range(3):
            self.player.press("n")
            if self.page.evaluate(SELECTED) in SQUARES:
                break
        self.player.press("Enter")
        return True

    def _drag(self, side: str) -> bool:
        mouse = self.page.mouse
        for x, y in self.pieces(side):
            mouse.move(x, y)
            mouse.down()
            mouse.move(x + 9, y + 9)
            if mark := self.page.evaluate(MARK, [x, y]):
                mouse.move(*mark, steps=2)
                mouse.up()
                return True
            mouse.move(x, y)
            mouse.up()
            self.page.wait_for_selector(".in-hand", state="detached")
            self.page.wait_for_timeout(HAND_MS)
        return False

    def _tap(self, side: str) -> bool:
        for x, y in self.pieces(side):
            self.player.tap(x, y)
            if mark := self.page.evaluate(MARK, [x, y]):
                self.player.tap(*mark)
                return True
        return False


@contextmanager
def seen_game(
    browser: Browser, folder: Path, way: Way, *words: str, **options: Any
) -> Iterator[SeenGame]:
    """Open *Play* at a new table of two people, and check at the end that it logged no error."""
    table = ("--light", "person", "--dark", "person", "--first", "light", "--speed", str(SPEED))
    with demo(folder, *table, *words) as url:
        screen = SCREENS[way] | {"reduced_motion": "reduce"} | options
        player = open_player_page(browser, url, face="play", **screen)
        player.page.context.add_init_script(COUNT)
        player.open()
        yield SeenGame(player, way)
        player.assert_no_errors()
        player.page.context.close()
