"""What axe finds on a page, and targets that are too small for a finger."""

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
MIN_PX = 44
TARGETS = "button, select, input, summary, .top a, .exports a, .list a, dialog a"


@cache
def axe_script() -> str:
    return AXE.read_text("utf-8")


def violations(page: Page) -> list[str]:
    """Return the violations that axe finds on a page, of every impact, with their elements.

    The rules are those that axe runs by default: WCAG 2.0 to 2.2, A and AA, and best practices.
    """
    page.evaluate(axe_script())
    # The pages have no media, and no rule of these reads style sheets: none must be loaded again.
    found = page.evaluate("axe.run({resultTypes: ['violations'], preload: false})")["violations"]
    return [
        f"{one['id']} ({one['impact']}): {[node['html'][:160] for node in one['nodes']]}"
        for one in found
    ]


def too_small(page: Page) -> list[str]:
    """Return the targets that are too small for a finger."""
    return page.locator(TARGETS).evaluate_all(
        """(all, least) => all
          .filter((one) => one.checkVisibility() && !one.closest("[inert]"))
          .map((one) => [one, one.getBoundingClientRect()])
          .filter(([, box]) => box.height > 0 && (box.height < least || box.width < least))
          .map(([one, box]) => `${one.outerHTML.slice(0, 80)} ${box.width}x${box.height}`)""",
        MIN_PX - 0.5,
    )
