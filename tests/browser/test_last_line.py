"""What settles a move that only seems made, with the time left."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.served_table import Viewer, open_viewer, served_table

SHOW = """
async (changes) => {
  const { LastLine } = await import("/static/js/headline.js");
  const line = (window.line ??= new LastLine());
  line.show({ ...document.state, ...changes });
}
"""
KEEP = "document.addEventListener('urpi-state', ({ detail }) => (document.state = detail))"
SEEMS = {"seems": "A7-off", "side": "light", "phase": "move", "outcome": None}
PRESS = "If so, just throw, or press the button beside the board. "
WINS = "If so, press the button beside the board. "


@contextmanager
def kept_state(browser: Browser, folder: Path) -> Iterator[Viewer]:
    """Open a table before a move, and keep the state that the page has, with a clock to be set."""
    with served_table(folder) as table, open_viewer(browser) as viewer:
        table.new_game("finkel", "Ann", "Bob")
        table.play_until_move()
        viewer.page.add_init_script(KEEP)
        viewer.open(table.url)
        viewer.page.wait_for_function("document.state")
        viewer.page.clock.install()
        yield viewer


@pytest.mark.parametrize(
    ("changes", "starts"),
    [
        ({"table": "board"}, PRESS),
        ({"table": "board", "position": {"off": {"light": 6, "dark": 0}}}, WINS),
        (
            {
                "table": "board",
                "seats": {"light": "person", "dark": "engine:hard"},
                "engine_throws": "program",
            },
            WINS,
        ),
        ({"table": "virtual"}, "If so, just throw. "),
        ({"table": "virtual", "position": {"off": {"light": 6, "dark": 0}}}, ""),
    ],
)
def test_the_time_until_a_move_counts_is_counted_down(
    browser: Browser, tmp_path: Path, changes: dict[str, object], starts: str
) -> None:
    with kept_state(browser, tmp_path) as viewer:
        for seconds in (9, 6, 0):
            # The state is sent again when something else changes, with the time that is left.
            viewer.page.evaluate(SHOW, {**SEEMS, "seems_ms": 1000 * seconds, **changes})
            viewer.page.clock.run_for(2000)
            left = max(seconds - 2, 0)
            assert viewer.text("#last") == f"{starts}The move counts in {left} s."


def test_a_landing_that_counts_within_a_second_is_not_explained(
    browser: Browser, tmp_path: Path
) -> None:
    with kept_state(browser, tmp_path) as viewer:
        changes = {**SEEMS, "table": "board", "last": {"text": "Before", "type": "roll"}}
        viewer.page.evaluate(SHOW, {**changes, "seems_ms": 900})
        viewer.page.clock.run_for(500)
        assert viewer.text("#last") == "Before"


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        ("repeated-action", "The same move was played five times."),
        ("repeated-position", "The same position came up five times."),
    ],
)
def test_a_draw_that_may_be_claimed_is_offered_with_its_reason(
    browser: Browser, tmp_path: Path, draw: str, reason: str
) -> None:
    with kept_state(browser, tmp_path) as viewer:
        viewer.page.evaluate(SHOW, {"draw": draw})
        assert viewer.text("#last") == reason
