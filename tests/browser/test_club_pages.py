"""The club's pages of games and players, and its login, in the browser."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.accessibility import too_small, violations
from tests.browser.player_page import Screenshots
from tests.browser.served_table import Viewer, open_viewer
from tests.club_live.running import Database, shared_folder
from tests.journal.games import store_game
from urpi.club.server.database import connect, next_to_verify, store_of, store_verdict
from urpi.club.server.entered_names import enter_name
from urpi.club.server.migrations import migrate
from urpi.club.server.users import hash_password
from urpi.club.server.verification import examine
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.http.addresses import Address
from urpi.http.server import PageServer
from urpi.journal import Journal, entries_of, settings_of
from urpi.link.protocol.archive import receive
from urpi.link.protocol.line_checks import without_names
from urpi.link.protocol.messages import Ack, GameHead, Lines
from urpi.show.words import languages

PASSWORD = "correct horse"
LONG = "Wolfeschlegelsteinhausenbergerdorffwelch"
PHONE = {"width": 390, "height": 844}
FITS = "document.documentElement.scrollWidth <= innerWidth"
PATHS = ("games", "games/1", "players", "player?name=Hanna", "login", "users")

LINES = """(cells, word) => cells.map((cell) => {
  const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  range.setStart(text, text.data.indexOf(word));
  range.setEnd(text, text.data.indexOf(word) + word.length);
  return range.getClientRects().length;
})"""
"""Returns the number of lines of a word in each cell."""

BEGIN = """async (players) => {
  const post = async (path, body) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    return answer.json();
  };
  const { id } = await post("/api/tournaments", { name: "Cup", format: "swiss", players });
  await post(`/api/tournaments/${id}/rounds`, { begun: 0 });
  return `tournaments/${id}`;
}"""
"""Creates a tournament, begins its first round, and returns its path."""


@dataclass
class StoredClub:
    """A club with a verified game of Hanna's, another of two long names, and a running one."""

    url: str

    def game(self, page: Page, query: str) -> str:
        """Return the path of the first game of a list."""
        found = page.request.get(f"{self.url}api/games?{query}").json()["games"]
        return f"games/{found[0]['id']}"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoredClub]:
    with shared_folder() as folder:
        database = Database(folder)
        database.start()
        store_games(database.url, tmp_path_factory.mktemp("journal"))
        wall = Wall(lambda: datetime.now(UTC))
        site = make_site(ClubServerSection(database=database.url), wall)
        address = Address("127.0.0.1", 0)
        with PageServer(make_club_app(site), wall, address, site.limits, site.section) as server:
            wall.set_connected(True)
            yield StoredClub(server.url)
        database.end()


def store_games(url: str, folder: Path) -> None:
    with Journal.open(folder / "j.db") as journal, closing(connect(url)) as connection:
        migrate(connection)
        enter_name(connection, "*", "*")
        number = store_game(journal, seed=5)
        lines = tuple(without_names(entry.line) for entry in entries_of(journal, number))
        settings = settings_of(journal, number)
        for table, names, sent in (
            ("lisbon", {"light": "Hanna"}, lines),
            ("lisbon", {"light": "Hanna Kovácsné Nagy", "dark": LONG}, lines),
            ("porto", {}, lines[:40]),
        ):
            game = len(names) + 1
            head = GameHead(game, f"2026-11-1{game}T12:00:00+00:00", "1.0.0", "finkel", settings)
            ended = None if len(sent) == 40 else f"2026-11-1{game}T12:30:00+00:00"
            message = Lines(game, head.key, 1, head.key, sent, head, names, ended)
            with store_of(connection, table) as store:
                assert isinstance(receive(store, message), Ack)
        while (waiting := next_to_verify(connection)) is not None:
            store_verdict(
                connection, waiting.table, waiting.history, examine(waiting.head, waiting.lines)
            )
        connection.execute(
            "INSERT INTO users (name, identity, role, password) VALUES ('Ann', 'ann', 'admin', %s)",
            (hash_password(PASSWORD),),
        )


def test_shared_filters_are_honoured_or_removed_and_can_be_cleared(
    viewer: Viewer, club: StoredClub, shots: Screenshots
) -> None:
    page = viewer.page
    page.set_viewport_size({"width": 1280, "height": 800})
    filters = "table=faro&rules=nix&verdict=bogus&since=2026-13-40&language=fr"
    viewer.open(f"{club.url}games?{filters}", "#found:not(:empty)")
    expect(page.locator("#table")).to_have_value("faro")
    expect(page.locator("#rules")).to_have_value("nix")
    expect(page.locator("#verdict")).to_have_value("")
    expect(page.locator("#games li")).to_have_count(0)
    # Chromium logs the day that does not exist.
    viewer.errors.clear()
    assert page.url.partition("?")[2] == "language=fr&table=faro&rules=nix"
    shots(page, "club-games-none.png")
    page.locator("#clear").click()
    expect(page.locator("#games li")).to_have_count(3)
    expect(page.locator("#clear")).to_be_hidden()
    expect(page.locator("#search")).to_be_focused()
    assert page.url == f"{club.url}games?language=fr"
    viewer.open(f"{club.url}games?table=porto&verdict=running", "#games li")
    expect(page.locator("#games li")).to_have_count(1)
    # The options are in their order, and the chosen one is not repeated.
    expect(page.locator("#table option")).to_have_text(["All", "lisbon", "porto"])
    shots(page, "club-games.png")


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_a_game_links_to_published_players_and_the_tables_games(
    browser: Browser, club: StoredClub, form: str, shots: Screenshots
) -> None:
    with open_viewer(browser, form, bypass_csp=True) as viewer:
        page = viewer.page
        viewer.open(club.url + club.game(page, "player=Hanna"), "#about a")
        names = page.locator("#players")
        expect(names).to_have_text("Hanna \N{EN DASH} Player at table lisbon")
        expect(names.locator("a")).to_have_text(["Hanna"])
        assert violations(page) == []
        assert page.evaluate(FITS)
        shots(page, f"club-game-{form}.png")
        page.locator("#about a").click()
        expect(page.locator("#games .number")).to_have_text(["lisbon", "lisbon"])
        page.go_back()
        names.locator("a").click()
        expect(page.locator("#games-count")).to_have_text("1")
        page.locator("#rule-sets a").click()
        expect(page.locator("#rules")).to_have_value("finkel")
        expect(page.locator("#players .name").first).to_be_visible()
        page.locator("#rules").select_option("blitz")
        expect(page.locator("#players .name")).to_have_count(0)


def test_an_arbiter_excludes_a_game_and_moves_a_side(
    viewer: Viewer, club: StoredClub, shots: Screenshots
) -> None:
    page = viewer.page
    path = club.game(page, "player=Hanna")
    viewer.open(club.url + path, "#about a")
    expect(page.locator("#correct")).to_be_hidden()
    viewer.open(f"{club.url}login", "#login:not([hidden])")
    log_in(page, PASSWORD)
    page.wait_for_url("**/tournaments")
    viewer.open(club.url + path, "#correct:not([hidden])")
    assert violations(page) == []
    shots(page, "club-game-arbiter.png")
    for excluded in (True, False):
        expect(page.locator("#excluded")).to_be_visible(visible=not excluded)
        page.locator("#reason").fill("By mistake")
        page.locator("#exclude").click()
        expect(page.locator("#excluded")).to_be_visible(visible=excluded)
        expect(page.locator("#reason")).to_have_value("")
        expect(page.locator("#correct")).to_be_visible()
    names = page.locator("#players")
    page.locator("#reason").fill("It was somebody else")
    page.locator("#other").fill("Nobody")
    page.locator("#move").click()
    expect(page.locator("#problem")).to_contain_text("not agreed")
    # Chromium logs the refused request.
    viewer.errors.clear()
    for name in (LONG, "Hanna"):
        page.locator("#reason").fill("It was somebody else")
        page.locator("#other").fill(name)
        page.locator("#move").click()
        expect(names).to_contain_text(name)
        expect(page.locator("#reason")).to_have_value("")
        expect(page.locator("#correct")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "text", "link"),
    [
        ("games/99999", "Cette partie n'existe pas.", "games"),
        ("games/x", "Cette partie n'existe pas.", "games"),
        ("player?name=Nobody", "Aucun joueur de la liste ne porte ce nom", "players"),
        ("player", "L'adresse ne nomme aucun joueur.", "players"),
        ("tables/none", "Il n'y a pas de table none.", ""),
        ("tournaments/99999", "Ce tournoi n'existe pas.", None),
    ],
)
@pytest.mark.parametrize("form", ["desk", "phone"])
def test_what_does_not_exist_is_reported_with_a_link_to_the_list(
    browser: Browser, club: StoredClub, form: str, path: str, text: str, link: str | None,
    shots: Screenshots,
) -> None:  # fmt: skip
    with open_viewer(browser, form, locale="fr", bypass_csp=True) as viewer:
        page = viewer.page
        page.goto(club.url + path)
        expect(page.get_by_text(text)).to_be_visible()
        expect(page.locator(".board-frame").filter(visible=True)).to_have_count(0)
        assert violations(page) == []
        assert too_small(page) == []
        assert page.evaluate(FITS)
        shots(page, f"club-missing-{form}-{path.replace('/', '-').partition('?')[0]}.png")
        if link is not None:
            page.locator("main a, #none a").filter(visible=True).click()
            page.wait_for_url(club.url + link)
        # Chromium logs each response with the status 404.
        viewer.errors = [error for error in viewer.errors if "404" not in error]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("database", "База данных клуба не отвечает. Попробуйте снова через минуту."),
        ("busy", "Слишком много запросов в очереди. Попробуйте снова через несколько секунд."),
    ],
)
@pytest.mark.parametrize(
    ("path", "where"), [("games", "#found"), ("games/1", "#notice"), ("players", "#found")]
)
def test_a_database_that_does_not_respond_is_reported_in_the_language(
    browser: Browser, club: StoredClub, path: str, where: str, code: str, text: str
) -> None:
    with open_viewer(browser, locale="ru") as viewer:

        def fail(route: Route) -> None:
            route.fulfill(status=503, json={"error": "It does not respond.", "code": code})

        viewer.page.route(f"**/api/{path}*", fail)
        viewer.page.goto(club.url + path)
        expect(viewer.page.locator(where)).to_have_text(text)
        viewer.errors = [error for error in viewer.errors if "503" not in error]


@pytest.mark.parametrize("path", PATHS)
def test_the_address_chooses_the_language(browser: Browser, club: StoredClub, path: str) -> None:
    with open_viewer(browser, locale="ru") as viewer:
        for language in ("sl", "en"):
            query = f"{'&' if '?' in path else '?'}language={language}"
            viewer.open(club.url + path + query, f"html[lang={language}]")
            games = viewer.page.locator('nav [href="/games"]')
            expect(games).to_have_text({"sl": "Igre", "en": "Games"}[language])
    # The server's texts, too.
    with open_viewer(browser, locale="ru") as viewer:
        viewer.open(f"{club.url}games?language=sl", "#games .about")
        expect(viewer.page.locator("#games .about").first).to_contain_text("Finkel, štiri kocke")


def test_a_phone_leads_to_every_page_in_every_language(browser: Browser, club: StoredClub) -> None:
    with open_viewer(browser, viewport=PHONE) as viewer:
        for language in languages():
            viewer.open(f"{club.url}games?language={language}", f"html[lang={language}] #games li")
            expect(viewer.page.locator("nav a:visible")).to_have_count(4)
            assert viewer.page.evaluate(FITS), language


def test_a_rating_is_read_from_left_to_right_in_arabic(viewer: Viewer, club: StoredClub) -> None:
    viewer.open(f"{club.url}players?language=ar", "html[lang=ar] #players:not([hidden])")
    rating = viewer.page.get_by_text("±").first
    left = """(cell, sign) => {
      const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
      const range = document.createRange();
      range.setStart(text, text.data.indexOf(sign));
      range.setEnd(text, text.data.indexOf(sign) + 1);
      return range.getBoundingClientRect().left;
    }"""
    assert rating.evaluate(left, "?") < rating.evaluate(left, "±")


@pytest.mark.parametrize(("language", "light_is"), [("en", "left"), ("ar", "right")])
def test_light_is_named_first_in_the_direction_of_the_writing(
    viewer: Viewer, club: StoredClub, language: str, light_is: str
) -> None:
    def with_a_latin_opponent(route: Route) -> None:
        answer = route.fetch()
        games = [game | {"dark": "Zoë"} for game in answer.json()["games"]]
        route.fulfill(response=answer, json=answer.json() | {"games": games})

    viewer.page.route("**/api/games?*", with_a_latin_opponent)
    address = f"{club.url}games?player=Hanna&language={language}"
    viewer.open(address, f"html[lang={language}] #games .players")
    players = viewer.page.locator("#games .players > *")
    left = "(players) => players.map((player) => player.getBoundingClientRect().left)"
    light, dark = players.evaluate_all(left)
    assert (light < dark) == (light_is == "left")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_short_names_are_not_broken_on_a_phone(
    browser: Browser, club: StoredClub, language: str, shots: Screenshots
) -> None:
    with open_viewer(browser, viewport=PHONE, locale=language) as viewer:
        page = viewer.page
        viewer.open(f"{club.url}login", "#login:not([hidden])")
        log_in(page, PASSWORD)
        page.wait_for_url("**/tournaments")
        tournament = page.evaluate(BEGIN, ["Hanna", LONG, "Zoë", "Maximiliane"])
        for name, path, last in (
            ("players", "players", "#rows tr"),
            ("player", f"player?name={LONG}", "#games li"),
            ("tournament", tournament, "#standings tr"),
        ):
            viewer.open(club.url + path, f"html[lang={language}] {last}")
            assert page.evaluate(FITS), name
            names = page.locator(".figures .name")
            for text in ("Hanna", "Kovácsné", "Maximiliane"):
                lines = names.filter(has_text=text).evaluate_all(LINES, text)
                assert set(lines) <= {1}, f"{text}, {name}"
            assert names.filter(has_text="Hanna").count(), name
            shots(page, f"club-{name}-phone-{language}.png")


def log_in(page: Page, password: str) -> None:
    page.locator("#name").fill("Ann")
    page.locator("#password").fill(password)
    page.locator("#log-in").click()


def test_a_slow_login_is_shown_and_removes_nothing_that_is_typed(
    viewer: Viewer, club: StoredClub, shots: Screenshots
) -> None:
    page = viewer.page
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/session", hold)
    viewer.open(f"{club.url}login", "#login:not([hidden])")
    expect(page.get_by_role("heading")).to_have_text("Log in")
    log_in(page, "wrong")
    expect(page.locator("#waiting")).to_have_text("Logging in…")
    shots(page, "club-login-waiting.png")
    page.locator("#password").press("Enter")
    page.keyboard.type("new")
    expect(page.locator("#password")).to_have_value("wrong")
    assert len(held) == 1
    held[0].continue_()
    expect(page.locator("#wrong")).to_have_text("The name or the password is wrong.")
    expect(page.locator("#waiting")).to_have_text("")
    viewer.errors.clear()
    page.unroute("**/api/session")
    log_in(page, PASSWORD)
    page.wait_for_url("**/tournaments")
    viewer.open(f"{club.url}login?language=fr", "#logged-in:not([hidden])")
    expect(page.get_by_role("heading")).to_have_text("Votre connexion")
    expect(page.locator("#user")).to_have_text("Administrateur\N{NO-BREAK SPACE}: Ann")
    shots(page, "club-login.png")
