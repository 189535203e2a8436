"""Benchmark of the page in Chromium: `python -m tests.bench_page.in_browser`, a few minutes.

It measures, at a virtual table on a phone and on a desktop screen, when the board with its pieces
is painted, locally and over a slow network; the cumulative layout shift of a first visit
(https://web.dev/articles/cls); what is sent for it; and the time from dropping a piece until the
move is shown. Between the visits it opens a page that contains only a circle, which shows how long
the machine and the browser take for any page at that time.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.player_page import CHROMIUM, PlayerPage, chromium, demo
from tests.output import print_line

SCREENS = {
    "desktop": {"viewport": {"width": 1366, "height": 768}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
SLOW = {
    "offline": False,
    "latency": 400,
    "downloadThroughput": 50_000,
    "uploadThroughput": 50_000,
}
"""Network conditions: the latency in milliseconds, the throughput in bytes per second."""
MAX_LOCAL_MS = 1000.0
MAX_SLOW_MS = 3000.0
MAX_SHIFT = 0.1
MAX_REQUESTS = 40
MAX_SENT_KB = 120.0
MAX_DROP_MS = 190.0
SETTLED_MS = 4000

OBSERVE = """
(() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) window.shifts.push([startTime, value]);
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    const piece = document.querySelector(".board-frame .ur-piece");
    const painted = performance.getEntriesByName("first-contentful-paint").length;
    const drawn = piece && painted && piece.getBoundingClientRect().width > 5;
    if (drawn) window.boardAt = performance.now();
    else requestAnimationFrame(look);
  };
  look();
})();
"""

WATCH_DROP = """
() => {
  window.dropped = window.shown = null;
  const drop = () => (window.dropped = performance.now());
  addEventListener("pointerup", drop, { once: true, capture: true });
  const lines = window.shownState.record_from + window.shownState.record.length;
  const show = ({ detail: { record_from: from, record } }) => {
    if (from + record.length <= lines) return;
    document.removeEventListener("urpi-state", show);
    requestAnimationFrame(() => (window.shown = performance.now()));
  };
  document.addEventListener("urpi-state", show);
}
"""


@contextmanager
def opened(browser: Browser, screen: str, network: dict[str, Any] | None) -> Iterator[Page]:
    """Open an empty page with its observers, over a network, with an empty cache."""
    context: BrowserContext = browser.new_context(**SCREENS[screen])
    context.add_init_script(OBSERVE)
    page = context.new_page()
    if network:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", network)
    yield page
    context.close()


def layout_shift(shifts: list[tuple[float, float]]) -> float:
    """Return the largest sum of a session window: at most 1 s between shifts, 5 s in all."""
    most = total = 0.0
    start = last = float("-inf")
    for at, value in shifts:
        if at - last > 1000 or at - start > 5000:
            start, total = at, 0.0
        total, last = total + value, at
        most = max(most, total)
    return most


def first_visit(browser: Browser, url: str, screen: str, network: dict[str, Any] | None) -> Any:
    """Return when the board was painted in milliseconds, the layout shift, and how far it is
    scrolled in pixels."""
    with opened(browser, screen, network) as page:
        page.goto(url, wait_until="commit")
        page.wait_for_selector(".felt [data-die]", timeout=60_000)
        page.wait_for_timeout(SETTLED_MS)
        scrolled = page.evaluate("scrollY")
        return page.evaluate("boardAt"), layout_shift(page.evaluate("shifts")), scrolled


def weight(browser: Browser, url: str, screen: str) -> tuple[int, float]:
    """Return the number of requests of a first visit, and the kilobytes that are sent for it with
    the headers of the responses, without the events."""
    with opened(browser, screen, None) as page:
        session = page.context.new_cdp_session(page)
        requested, sent = [], []
        session.on("Network.requestWillBeSent", lambda one: requested.append(one["request"]["url"]))
        session.on("Network.loadingFinished", lambda one: sent.append(one["encodedDataLength"]))
        session.send("Network.enable")
        page.goto(url, wait_until="commit")
        page.wait_for_selector(".felt [data-die]", timeout=60_000)
        page.wait_for_timeout(SETTLED_MS)
    return sum(one.startswith(url) for one in requested), sum(sent) / 1000


CIRCLE = b"""<!DOCTYPE html><title>circle</title><div class="board-frame">
<svg width="99" height="99"><circle class="ur-piece" cx="50" cy="50" r="40"/></svg></div>"""


@contextmanager
def page_with_a_circle() -> Iterator[str]:
    """Serve a page that contains only a circle, and yield its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(CIRCLE)))
            self.end_headers()
            self.wfile.write(CIRCLE)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def circle_painted(browser: Browser, url: str, screen: str, network: dict[str, Any] | None) -> Any:
    """Return when a page with a circle was painted, in milliseconds."""
    with opened(browser, screen, network) as page:
        page.goto(url)
        page.wait_for_function("window.boardAt !== undefined")
        return page.evaluate("boardAt")


def drops(browser: Browser, url: str, count: int) -> list[float]:
    """Play games by drags; return the time of each from the drop until the move is drawn.

    Without a finish chute a move that bears a piece off counts with the next throw, or after 12 s.
    These moves are left out, and captures, because the captured piece takes a drag of its own.
    """
    context = browser.new_context(**SCREENS["desktop"])
    context.add_init_script("localStorage.setItem('urpi-tour', 'seen')")
    player, times = PlayerPage(context.new_page(), url), []
    player.post("table/players", {"light": "hands", "dark": "hands"})
    while len(times) < count:
        if player.state["phase"] == "over":
            player.begin_game("finkel")
        state = player.throw_until_move("light", "dark")
        move = next((one for one in state["legal"] if is_simple(one)), None)
        if move is None:
            player.post("table/move", {"move": state["legal"][0]["move"]})
        else:
            start = {"hand": f"hand:{state['side']}"}.get(move["from"][0], move["from"][0])
            player.page.evaluate(WATCH_DROP)
            player.drag(player.piece_on(start), move["to"][0])
            player.until(lambda: player.page.evaluate("window.shown !== null"))
            times.append(player.page.evaluate("shown - dropped"))
        player.until(lambda before=state["seq"]: player.state["seq"] > before)
        player.until(lambda: player.state["phase"] != "move" or player.state["legal"])
    context.close()
    return times


def is_simple(move: dict[str, Any]) -> bool:
    """Whether one piece moves within the board without capturing."""
    return len(move["from"]) == 1 and move["to"] != ["off"] and "capturing" not in move["text"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visits", type=int, default=5)
    parser.add_argument("--drops", type=int, default=15)
    parser.add_argument("--url", help="a running demo that trusts this machine")
    args = parser.parse_args()
    missed = False

    def report(what: str, value: float, most: float, unit: str) -> None:
        nonlocal missed
        missed |= value > most
        kept = "kept" if value <= most else "MISSED"
        print_line(f"{what}: {value:.4g}{unit}, at most {most:g}{unit}  {kept}")

    def measure(browser: Browser, url: str, circle: str) -> None:
        for name, network, most in (
            ("locally", None, MAX_LOCAL_MS),
            ("50 kB/s, 400 ms", SLOW, MAX_SLOW_MS),
        ):
            for screen in SCREENS:
                visits, circles = [], []
                for _ in range(args.visits):
                    circles.append(circle_painted(browser, circle, screen, network))
                    visits.append(first_visit(browser, url, screen, network))
                times, shifts, scrolled = zip(*visits, strict=True)
                any_page = f"{statistics.median(circles):.0f} ms for a page with a circle"
                what = f"{screen}, {name}: board painted, median of {args.visits}, {any_page}"
                report(what, statistics.median(times), most, " ms")
                report(f"{screen}, {name}: layout shift, most", max(shifts), MAX_SHIFT, "")
                report(f"{screen}, {name}: scrolled at first, most", max(scrolled), 0, " px")
        for screen in SCREENS:
            requests, sent_kb = weight(browser, url, screen)
            report(f"{screen}: requests of a first visit", requests, MAX_REQUESTS, "")
            report(f"{screen}: sent for a first visit", sent_kb, MAX_SENT_KB, " kB")
        times = drops(browser, url, args.drops)
        what = f"dropped until shown as played, median of {len(times)}, longest {max(times):.0f} ms"
        report(what, statistics.median(times), MAX_DROP_MS, " ms")

    with chromium(CHROMIUM) as browser, page_with_a_circle() as circle:
        if args.url:
            measure(browser, args.url, circle)
        else:
            with (
                tempfile.TemporaryDirectory() as folder,
                demo(Path(folder), "--first", "light") as url,
            ):
                measure(browser, url, circle)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
