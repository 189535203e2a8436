"""An arbiter runs a tournament in the browser, at a desk and with a phone."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.accessibility import too_small, violations
from tests.browser.player_page import Screenshots, prepare_routes
from tests.browser.served_table import Viewer, open_viewer
from tests.club_live.running import Database, shared_folder
from urpi.club.server.database import connect
from urpi.club.server.migrations import migrate
from urpi.club.server.users import hash_password
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.http.addresses import Address
from urpi.http.server import PageServer
from urpi.show.words import languages

PASSWORD = "correct horse"
LONG = "Wolfeschlegelsteinhausenbergerdorffwelch"
WON, DRAWN, LOST = "1 \N{EN DASH} 0", "½ \N{EN DASH} ½", "0 \N{EN DASH} 1"
UPDATE_MS = 20_000
"""How often the page fetches the results again."""
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def club() -> Iterator[str]:
    """The URL of a club's page with an arbiter, without a broker."""
    with shared_folder() as folder:
        database = Database(folder)
        database.start()
        with closing(connect(database.url)) as connection:
            migrate(connection)
            connection.execute(
                "INSERT INTO users (name, identity, role, password)"
                " VALUES ('Béla', 'béla', 'arbiter', %s)",
                (hash_password(PASSWORD),),
            )
            connection.execute(
                "INSERT INTO presence (table_id, online) VALUES ('lisbon', true), ('porto', false)"
            )
            connection.execute("INSERT INTO tables (id) VALUES ('lisbon')")
            connection.execute(
                "INSERT INTO last_backup (written, problem)"
                " VALUES (now() - interval '3 days', 'The disk is full.')"
            )
            connection.execute(
                "INSERT INTO histories (table_id, key, game, started, head, lines, chain, current,"
                " verdict, dice) VALUES ('lisbon', '5f', 1, now(), %s, 0, '5f', true, 'verified',"
                " %s)",
                (
                    '{"started":"2026-11-20T12:00:00","program":"1","rules":"finkel","settings":{}}',
                    '[{"die":3,"outcomes":["g","s","--"],"counts":[400,100,500]}]',
                ),
            )
        wall = Wall(lambda: datetime.now(UTC))
        site = make_site(ClubServerSection(database=database.url), wall)
        address = Address("127.0.0.1", 0)
        with PageServer(make_club_app(site), wall, address, site.limits, site.section) as server:
            yield server.url
        database.end()


def log_in(page: Page, url: str) -> None:
    page.goto(f"{url}login")
    page.locator("#name").fill("Béla")
    page.locator("#password").fill(PASSWORD)
    page.locator("#login .main").click()
    page.wait_for_url("**/tournaments")


def create(page: Page, *players: str, games: int = 1) -> str:
    """Create a Swiss tournament as the page does; return its address."""
    number = page.evaluate(
        """async ([games, ...players]) => {
          const body = JSON.stringify({ name: "Cup", format: "swiss", players, games });
          const headers = { "Content-Type": "application/json" };
          const answer = await fetch("/api/tournaments", { method: "POST", headers, body });
          return (await answer.json()).id;
        }""",
        [games, *players],
    )
    return f"tournaments/{number}"


def check(page: Page, what: str) -> None:
    """Check that axe finds nothing, every target suits a finger, and nothing is cut."""
    assert violations(page) == [], what
    assert too_small(page) == [], what
    assert page.evaluate(FITS), what


def expect_errors(viewer: Viewer, status: int) -> None:
    """Check that Chromium has logged responses with this status only, and forget them."""
    assert viewer.errors
    assert all(f"status of {status}" in error for error in viewer.errors), viewer.errors
    viewer.errors.clear()


def enter(page: Page, label: str, result: str, reason: str = "") -> None:
    """Enter the result of pairing 1 in the dialog."""
    page.get_by_role("button", name=label).click()
    page.locator("#result-choice").select_option(result)
    page.locator("#result-reason").fill(reason)
    page.get_by_role("button", name="Save").click()


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_an_arbiter_enters_names_and_a_player_the_own_one(
    browser: Browser, club: str, form: str, shots: Screenshots
) -> None:
    with open_viewer(browser, form, bypass_csp=True) as viewer:
        page, name = viewer.page, f"Ann of the {form}"
        log_in(page, club)
        viewer.open(f"{club}names", "#content:not([hidden])")
        page.locator("#name").fill(name)
        page.get_by_role("button", name="New PIN for this player").click()
        pin = page.get_by_text("shown only now").inner_text().rpartition(" ")[2]
        page.locator("#table").fill("lisbon")
        page.locator("#enter-button").click()
        expect(page.locator("#done")).to_have_text(f"Entered: {name}, table lisbon.")
        check(page, f"names, {form}")
        shots(page, f"club-names-{form}.png", full_page=True)
        page.get_by_role("button", name=f"Remove: {name}").click()
        page.locator("#confirm button[value=yes]").click()
        expect(page.locator("#done")).to_have_text(f"Removed: {name}, table lisbon.")
        page.context.clear_cookies()
        viewer.open(f"{club}names", "#own:not([hidden])")
        page.locator("#own-name").fill(name)
        page.locator("#own-table").fill("lisbon")
        page.locator("#pin").fill(pin)
        page.locator("#own-enter").click()
        expect(page.locator("#done")).to_have_text(f"Entered: {name}, table lisbon.")
        check(page, f"own name, {form}")
        page.locator("#pin").fill("123")
        page.locator("#own-enter").click()
        expect(page.locator("#wrong")).to_have_text("The name or the PIN is wrong.")
        expect_errors(viewer, 403)


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_an_arbiter_runs_a_tournament(
    browser: Browser, club: str, form: str, shots: Screenshots
) -> None:
    with open_viewer(browser, form, bypass_csp=True) as viewer:
        page = viewer.page
        log_in(page, club)
        viewer.open(club + create(page, "Ann", "Bob", LONG), "#next-round:not([hidden])")
        page.get_by_label("More players").fill("Zoë\n")
        page.get_by_role("button", name="Add").click()
        expect(page.locator("#standings tr")).to_have_count(4)
        expect(page.get_by_label("More players")).to_have_value("")
        expect(page.locator("#standings-title")).to_have_text("Players")
        expect(page.locator("#about")).to_have_text("Swiss system · players: 4 · rounds: 2")
        check(page, "before the first round")

        page.get_by_role("button", name="Begin round 1").click()
        expect(page.locator("#rounds tbody tr")).to_have_count(2)
        expect(page.get_by_label("More players")).to_be_hidden()
        expect(page.get_by_role("button", name="Begin round 2")).to_be_disabled()
        expect(page.locator("#missing")).to_have_text("Results of this round are missing.")

        label = "Enter the result of pairing 1"
        score = page.locator("#rounds tbody tr").first.locator(".score")
        enter(page, label, "light")
        expect(score).to_contain_text(WON)
        expect(page.get_by_role("button", name=label)).to_be_focused()

        # A correction needs a reason, which the browser asks for.
        enter(page, label, "draw")
        expect(page.get_by_role("dialog")).to_be_visible()
        check(page, "the dialog")
        shots(page, f"arbiter-dialog-{form}.png")
        page.locator("#result-reason").fill("They had agreed")
        page.get_by_role("button", name="Save").click()
        expect(score).to_contain_text(DRAWN)
        page.get_by_text("Entered results").click()
        log = page.locator("#log li")
        expect(log.first).to_contain_text(f"{WON} → {DRAWN}")
        expect(log.first).to_contain_text("Béla · They had agreed")

        enter(page, label, "dark-forfeit", "Nobody sat there")
        expect(score).to_contain_text("not played")
        expect(log.first).to_contain_text(f"{DRAWN} → {LOST} without a game")
        page.get_by_role("button", name=label).click()
        expect(page.locator("#result-choice")).to_have_value("dark-forfeit")
        page.get_by_role("button", name="Cancel").click()
        choose = page.locator("#player")
        expect(page.get_by_role("button", name="Withdraw the player")).to_be_hidden()
        choose.select_option("Zoë")
        page.get_by_role("button", name="Withdraw the player").click()
        page.get_by_role("button", name="Yes").click()
        standing = page.locator("#standings tr", has_text="Zoë")
        expect(standing).to_contain_text("withdrawn")
        expect(choose).to_be_focused()
        page.get_by_role("button", name="Undo the withdrawal").click()
        expect(standing).not_to_contain_text("withdrawn")
        check(page, "during a round")
        shots(page, f"arbiter-{form}.png")


def test_an_arbiter_corrects_mistakes(viewer: Viewer, club: str) -> None:
    page = viewer.page
    log_in(page, club)
    viewer.open(club + create(page, "Zoë", "Bbo", "Eva", "Élise"), "#next-round:not([hidden])")
    choose = page.locator("#player")
    # In the order of the alphabet, with accents.
    expect(page.locator("#player option")).to_have_text(
        ["\N{EN DASH}", "Bbo", "Élise", "Eva", "Zoë"]
    )
    choose.select_option("Eva")
    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#standings tr")).to_have_count(3)
    choose.select_option("Bbo")
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Name", exact=True).fill("zoë")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#rename-wrong")).to_contain_text("has a player")
    expect_errors(viewer, 409)
    page.get_by_label("Name", exact=True).fill("Bob")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#standings")).to_contain_text("Bob")
    expect(choose).to_have_value("Bob")

    page.get_by_role("button", name="Begin round 1").click()
    enter(page, "Enter the result of pairing 1", "light")
    expect(page.locator("#rounds .score").last).to_be_visible()
    page.get_by_role("button", name="Begin round 2").click()
    page.get_by_role("button", name="Remove round 2").click()
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator("#rounds section")).to_have_count(2)
    page.get_by_role("button", name="Remove round 2").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#rounds section")).to_have_count(1)
    expect(page.locator("#log li").first).to_contain_text("Round 2: removed")

    page.get_by_text("More players", exact=True).click()
    page.get_by_label("More players, one").fill("Late")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#standings tr")).to_have_count(4)

    page.get_by_role("button", name="Delete the tournament").click()
    expect(page.get_by_role("dialog")).to_contain_text("Delete the tournament Cup")
    page.get_by_role("button", name="Yes").click()
    page.wait_for_url("**/tournaments")


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_an_arbiter_changes_a_pairing_and_grants_a_bye(
    browser: Browser, club: str, form: str
) -> None:
    with open_viewer(browser, form, bypass_csp=True) as viewer:
        page = viewer.page
        log_in(page, club)
        path = create(page, "Ann", "Bob", "Cyd", LONG)
        viewer.open(club + path, "#next-round:not([hidden])")
        change = page.get_by_role("button", name="Change a pairing")
        expect(change).to_be_hidden()
        page.locator("#player").select_option("Cyd")
        page.get_by_role("button", name="Bye in round 1").click()
        expect(page.locator("#player option:checked")).to_have_text(
            "Cyd \N{EN DASH} Bye in round 1"
        )
        page.get_by_role("button", name="No bye in round 1").click()
        expect(page.locator("#player option:checked")).to_have_text("Cyd")
        page.get_by_role("button", name="Begin round 1").click()
        change.click()
        expect(page.locator("#pairing-dark option")).to_have_text(
            ["bye with half a point", "Ann", "Bob", "Cyd", LONG]
        )
        page.locator("#pairing-light").select_option("Ann")
        page.locator("#pairing-dark").select_option("Bob")
        check(page, "the dialog")
        page.locator("#pairing-reason").fill("Sisters")
        page.get_by_role("button", name="Save").click()
        rows = page.locator("#rounds tbody tr")
        expect(rows.first).to_contain_text("Ann")
        expect(rows.first).to_contain_text("Bob")
        page.get_by_text("Entered results").click()
        log = page.locator("#log li").first
        expect(log).to_contain_text("Ann \N{EN DASH} Bob")
        expect(log).to_contain_text("Béla · Sisters")
        enter(page, "Enter the result of pairing 1", "light")
        page.get_by_role("button", name="Enter the result of pairing 2").click()
        page.locator("#result-choice").select_option("light")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("button", name="Begin round 2").click()
        # They meet again only after a question, and a bye is given in its place.
        for opponent in ("Bob", ""):
            change.click()
            page.locator("#pairing-light").select_option("Ann")
            page.locator("#pairing-dark").select_option(opponent)
            page.locator("#pairing-reason").fill("Wish")
            page.get_by_role("button", name="Save").click()
            if opponent:
                expect(page.locator("#confirm")).to_contain_text("have met already")
                page.get_by_role("button", name="No", exact=True).click()
                page.get_by_role("button", name="Cancel").click()
                expect_errors(viewer, 409)
        expect(rows.filter(has_text="bye with half a point")).to_have_count(1)
        check(page, "with a bye")


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_an_arbiter_assigns_tables(
    browser: Browser, club: str, form: str, shots: Screenshots
) -> None:
    with open_viewer(browser, form, bypass_csp=True) as viewer:
        page = viewer.page
        log_in(page, club)
        path = create(page, "Ann", LONG, "Cyd", "Dan")
        viewer.open(club + path, "#next-round:not([hidden])")
        assign = page.get_by_role("button", name="Assign tables")
        choose = page.get_by_role("button", name="Change a table")
        expect(choose).to_be_hidden()
        page.get_by_role("button", name="Begin round 1").click()
        scores = page.locator("#rounds tbody .score")
        assign.click()
        expect(scores.first).to_contain_text("Table lisbon")
        # Porto is not connected.
        assign.click()
        expect(page.locator("#arbiter-wrong")).to_contain_text("No table is free")
        expect_errors(viewer, 409)
        choose.click()
        dialog, table = page.locator("#table-dialog"), page.locator("#table-id")
        expect(table).to_have_value("lisbon")
        page.locator("#table-pairing").select_option("1-2")
        expect(table).to_have_value("")
        table.fill("rome")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#table-wrong")).to_contain_text("No such table")
        expect_errors(viewer, 404)
        check(page, "the dialog")
        shots(page, f"arbiter-table-dialog-{form}.png")
        table.fill("lisbon")
        page.get_by_role("button", name="Save").click()
        expect(dialog).to_be_hidden()
        expect(scores.nth(1)).to_contain_text("Table lisbon")
        expect(scores.first).not_to_contain_text("Table")
        choose.click()
        table.fill("porto")
        page.get_by_role("button", name="Save").click()
        expect(scores.first).to_contain_text("Table porto")
        expect(assign).to_be_hidden()
        check(page, "with tables")
        shots(page, f"arbiter-tables-{form}.png", full_page=True)
        page.emulate_media(media="print")
        expect(page.get_by_text("Table porto")).to_have_css("color", "rgb(0, 0, 0)")
        page.emulate_media(media="screen")
        # Who has no login sees it as well, and with a result it is not needed any more.
        enter(page, "Enter the result of pairing 2", "light")
        expect(scores.nth(1)).not_to_contain_text("Table")
        page.context.clear_cookies()
        viewer.open(club + path, "#rounds tbody .score")
        expect(scores.first).to_contain_text("Table porto")
        # The other tests need lisbon without a pairing.
        log_in(page, club)
        viewer.open(club + path, ".enter-result")
        enter(page, "Enter the result of pairing 1", "light")
        expect(scores.first).to_contain_text(WON)


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_an_arbiter_enters_the_games_of_a_match(
    browser: Browser, club: str, form: str, shots: Screenshots
) -> None:
    with open_viewer(browser, form, bypass_csp=True) as viewer:
        page = viewer.page
        log_in(page, club)
        path = create(page, "Ann", LONG, "Bea", "Zoë", games=8)
        viewer.open(club + path, "#next-round:not([hidden])")
        expect(page.locator("#about")).to_contain_text("games of each pairing: 8")
        page.get_by_role("button", name="Begin round 1").click()
        score = page.locator("#rounds .score").nth(1)
        chosen = page.locator("#result-game")
        for result in ("light", "light", "draw", "light", "none"):
            enter(page, "Enter the result of pairing 1", result)
            expect(page.locator("#result")).to_be_hidden()
        # Light of the second game is the other player.
        expect(score).to_contain_text("1.5 \N{EN DASH} 2.5")
        expect(score).to_contain_text("game 6 of 8")
        expect(score.locator(".match > *")).to_have_text([*"10½00", *"···"])
        check(page, f"a match, {form}")
        page.get_by_role("button", name="Enter the result of pairing 1").click()
        expect(chosen).to_have_value("6")
        chosen.select_option("Game 2")
        expect(page.locator("#result-choice")).to_have_value("light")
        page.locator("#result-choice").select_option("dark")
        page.locator("#result-reason").fill("Mistyped")
        check(page, f"the dialog, {form}")
        shots(page, f"arbiter-match-dialog-{form}.png")
        page.get_by_role("button", name="Save").click()
        expect(score).to_contain_text("2.5 \N{EN DASH} 1.5")
        page.locator("#log-section summary").click()
        expect(page.locator("#log li").first).to_contain_text(f"Pairing 1, Game 2: {WON} → {LOST}")
        # The whole match, which then has no games that could be entered.
        page.get_by_role("button", name="Enter the result of pairing 1").click()
        chosen.select_option("The whole match")
        page.locator("#result-choice").select_option("light-forfeit")
        page.locator("#result-reason").fill("Left")
        page.get_by_role("button", name="Save").click()
        expect(score).to_contain_text("5.5 \N{EN DASH} 1.5")
        expect(page.locator("#columns")).to_contain_text("Game points")
        expect(page.locator("#standings tr").first).to_contain_text("5.5")
        check(page, f"a decided match, {form}")
        shots(page, f"arbiter-match-{form}.png", full_page=True)
        page.get_by_role("button", name="Enter the result of pairing 1").click()
        expect(chosen.locator("option")).to_have_text(["The whole match"])


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_an_arbiter_runs_a_tournament_of_teams(
    browser: Browser, club: str, form: str, shots: Screenshots
) -> None:
    with open_viewer(browser, form, bypass_csp=True) as viewer:
        page = viewer.page
        log_in(page, club)
        page.get_by_text("New tournament").click()
        page.locator("#new-name").fill("Teams")
        expect(page.locator("#new-teams")).to_be_hidden()
        page.locator("#new-boards").fill("2")
        expect(page.locator("#new-teams")).to_be_visible()
        check(page, f"the form with teams, {form}")
        lines = ("Lisbon:", "Ann", LONG, "Cyd", "Porto:", "Dan", "Eve", "Faro:", "Flo", "Gus")
        page.locator("#new-players").fill("\n".join((*lines, f"X{LONG[1:]}:", "Hal", "Ida")))
        page.get_by_role("button", name="Create").click()
        page.wait_for_url("**/tournaments/*")
        expect(page.locator("#about")).to_contain_text("teams: 4 · players: 9")
        expect(page.locator("#standings-title")).to_have_text("Teams")
        page.locator("#player").select_option("Ann")
        page.get_by_role("button", name="Bye in round 1").click()
        expect(page.get_by_role("button", name="No bye in round 1")).to_be_visible()
        page.locator("#player").select_option("Lisbon")
        expect(page.locator("#remove")).to_be_hidden()
        page.get_by_role("button", name="Begin round 1").click()
        rows = page.locator("#rounds tbody tr")
        expect(rows).to_have_count(2 * 3)
        expect(rows.first).to_contain_text("Lisbon0 \N{EN DASH} 0Faro")
        expect(rows.nth(1)).to_contain_text(LONG)
        expect(page.locator("#change-pairing")).to_be_hidden()
        enter(page, "Enter the result of pairing 1", "light")
        expect(rows.first).to_contain_text("1 \N{EN DASH} 0")
        page.get_by_role("button", name="Enter the result of pairing 2").click()
        page.locator("#result-choice").select_option("draw")
        page.get_by_role("button", name="Save").click()
        expect(rows.first).to_contain_text("1.5 \N{EN DASH} 0.5")
        expect(page.locator("#columns")).to_contain_text("Match points")
        expect(page.locator("#standings tr").first).to_contain_text("Lisbon21.5")
        expect(page.locator("#board-results tr").nth(1)).to_contain_text(f"{LONG}Lisbon11")
        check(page, f"a round of teams, {form}")
        shots(page, f"arbiter-teams-{form}.png", full_page=True)


def test_a_finished_tournament_names_its_winner(viewer: Viewer, club: str) -> None:
    page = viewer.page
    log_in(page, club)
    path = create(page, "Ann", "Bob")
    viewer.open(club + path, "#next-round:not([hidden])")
    expect(page.locator("#winners")).to_be_hidden()
    page.get_by_role("button", name="Begin round 1").click()
    enter(page, "Enter the result of pairing 1", "draw")
    expect(page.locator("#winners")).to_have_text("Won by Ann and Bob")
    expect(page.locator("#about")).to_have_text("Swiss system · players: 2 · finished")
    page.goto(f"{club}tournaments")
    expect(page.locator("#tournaments li").first).to_contain_text("finished · Won by Ann and Bob")


def test_an_update_keeps_what_an_arbiter_is_doing(
    viewer: Viewer, browser: Browser, club: str
) -> None:
    page = viewer.page
    log_in(page, club)
    path = create(page, "Ann", "Bob", "Cyd", "Dan")
    page.clock.install()
    viewer.open(club + path, "#next-round:not([hidden])")
    page.get_by_role("button", name="Begin round 1").click()
    page.locator("#player").select_option("Cyd")
    pencil = page.get_by_role("button", name="Enter the result of pairing 2")
    pencil.focus()
    with open_viewer(browser) as other:
        log_in(other.page, club)
        other.open(club + path, ".enter-result")
        enter(other.page, "Enter the result of pairing 2", "light")
        expect(other.page.locator("#log li")).to_have_count(1)
        page.clock.fast_forward(UPDATE_MS)
        score = page.locator("#rounds tbody tr").nth(1).locator(".score")
        expect(score).to_contain_text(WON)
        # The pencil is a new one.
        expect(pencil).to_be_focused()
        expect(page.locator("#player")).to_have_value("Cyd")
        page.get_by_role("button", name="Enter the result of pairing 1").click()
        page.locator("#result-choice").select_option("dark")
        enter(other.page, "Enter the result of pairing 1", "light")
        expect(other.page.locator("#log li")).to_have_count(2)
    page.clock.fast_forward(UPDATE_MS)
    expect(page.locator("#rounds tbody tr").first.locator(".score")).to_contain_text(WON)
    expect(page.locator("#result-choice")).to_have_value("dark")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#result-wrong")).to_contain_text("has changed in the meantime")
    expect_errors(viewer, 409)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Enter the result of pairing 1")).to_be_focused()


def test_a_missing_tournament_has_a_link_to_the_list_and_no_controls(
    viewer: Viewer, club: str
) -> None:
    log_in(viewer.page, club)
    viewer.page.goto(f"{club}tournaments/999")
    expect(viewer.page.locator("h1")).to_have_text("There is no such tournament.")
    expect(viewer.page.locator("#arbiter")).to_be_hidden()
    viewer.page.locator("#to-list a").click()
    viewer.page.wait_for_url("**/tournaments")
    expect_errors(viewer, 404)


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_the_form_creates_a_tournament_with_its_tie_breaks(
    browser: Browser, club: str, form: str
) -> None:
    with open_viewer(browser, form, bypass_csp=True) as viewer:
        page = viewer.page
        log_in(page, club)
        page.get_by_text("New tournament").click()
        page.get_by_label("Name of the tournament").fill("Winter cup")
        page.get_by_label("Players, one").fill("Ann\nBob\n")
        page.get_by_text("Tie-breaks").click()
        check(page, "the form")
        page.locator("#new-format").select_option("knockout")
        expect(page.locator("#new-tie-breaks")).to_be_hidden()
        expect(page.get_by_label("A game for third place")).to_be_visible()
        page.locator("#new-format").select_option("round-robin")
        choices = page.locator("#new-tie-break-fields select")
        choices.nth(0).select_option("wins")
        choices.nth(1).select_option("buchholz")
        page.get_by_role("button", name="Create").click()
        page.get_by_role("button", name="Begin round 1").click()
        expect(page.locator("#columns")).to_have_text("PlacePlayerPointsWon gamesBuchholz")


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_known_players_are_offered_while_an_arbiter_types(
    browser: Browser, club: str, form: str, shots: Screenshots
) -> None:
    with open_viewer(browser, form, bypass_csp=True) as viewer:
        page = viewer.page
        log_in(page, club)
        create(page, "Quentin <i>", LONG, "Quiteria", "Quinn")
        path = create(page, "Quinn", "Bob")
        viewer.open(club + path, "#next-round:not([hidden])")
        names = page.get_by_label("More players, one")
        buttons = page.get_by_role("group", name="Known players").get_by_role("button")
        names.press_sequentially("New one\nqu")
        # Not the one who plays already.
        expect(buttons).to_have_text(["Quentin <i>", "Quiteria"])
        check(page, "offered names")
        shots(page, f"arbiter-known-{form}.png")
        names.press("Tab")
        page.keyboard.press("Enter")
        expect(names).to_have_value("New one\nQuentin <i>\n")
        expect(names).to_be_focused()
        expect(buttons).to_have_count(0)
        names.press_sequentially("wolfe")
        buttons.get_by_text(LONG).click()
        # A line between others is replaced, and remains one.
        names.press("Control+Home")
        names.press("Shift+End")
        names.press_sequentially("qui")
        expect(buttons).to_have_text(["Quiteria"])
        check(page, "a long name")
        buttons.click()
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.locator("#standings tr")).to_have_count(5)
        assert page.locator("#standings th").all_inner_texts() == [
            "Quinn",
            "Bob",
            "Quiteria",
            "Quentin <i>",
            LONG,
        ]
        # A field with one name has the browser's own list.
        page.locator("#player").select_option("Bob")
        page.get_by_role("button", name="Rename").click()
        page.get_by_label("Name", exact=True).fill("quit")
        expect(page.locator("#known-rename-name option")).to_have_attribute("value", "Quiteria")
        page.goto(f"{club}names")
        page.locator("#name").fill("quen")
        expect(page.locator("#known-name option")).to_have_attribute("value", "Quentin <i>")
        page.goto(f"{club}tournaments")
        page.get_by_text("New tournament").click()
        page.get_by_label("Players, one").press_sequentially("quin")
        expect(buttons).to_have_text(["Quinn"])


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_the_controls_fit_in_every_language(browser: Browser, club: str, form: str) -> None:
    for language in languages():
        with open_viewer(browser, form, locale=language) as viewer:
            log_in(viewer.page, club)
            path = create(viewer.page, "Ann", LONG)
            viewer.open(club + path, f"html[lang={language}] #next-round:not([hidden])")
            assert viewer.page.evaluate(FITS), language
            viewer.page.locator("#next-round").click()
            viewer.page.locator(".enter-result").click()
            box = viewer.page.locator("#result").bounding_box()
            size = viewer.page.viewport_size
            assert box is not None
            assert size is not None
            assert box["x"] >= 0, language
            assert box["x"] + box["width"] <= size["width"], language
            assert viewer.page.evaluate(FITS), language


def test_a_late_response_does_not_replace_a_newer_result(viewer: Viewer, club: str) -> None:
    page = viewer.page
    log_in(page, club)
    path = create(page, "Ann", "Bob")
    page.clock.install()
    prepare_routes(viewer.context)
    viewer.open(club + path, "#next-round:not([hidden])")
    page.get_by_role("button", name="Begin round 1").click()
    expect(page.locator(".enter-result")).to_have_count(1)
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route(f"**/api/{path}", hold_first)
    page.clock.fast_forward(UPDATE_MS)
    viewer.until(lambda: held, "the request for an update")
    before = held[0].fetch()
    score = page.locator("#rounds .score").last
    enter(page, "Enter the result of pairing 1", "light")
    expect(score).to_contain_text(WON)
    with page.expect_event("requestfinished", lambda request: request == held[0].request):
        held[0].fulfill(response=before)
    page.evaluate("fetch('/api/languages').then((one) => one.text())")
    # Not with `expect`, which would wait for the next update.
    assert WON in score.inner_text()


def test_others_see_no_controls(viewer: Viewer, browser: Browser, club: str) -> None:
    with open_viewer(browser) as arbiter:
        log_in(arbiter.page, club)
        path = create(arbiter.page, "Ann", "Bob")
        arbiter.open(club + path, "#next-round:not([hidden])")
        arbiter.page.get_by_role("button", name="Begin round 1").click()
        expect(arbiter.page.locator(".enter-result")).to_have_count(1)
    viewer.open(club + path, "#rounds tbody tr")
    expect(viewer.page.locator(".enter-result")).to_have_count(0)
    expect(viewer.page.locator("#arbiter")).to_be_hidden()


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_an_arbiter_reads_the_security_log(browser: Browser, club: str, form: str) -> None:
    with open_viewer(browser, form, bypass_csp=True) as viewer:
        viewer.open(f"{club}security", "#account a")
        expect(viewer.page.locator("#content")).to_be_hidden()
        log_in(viewer.page, club)
        viewer.open(f"{club}security", "#rows tr")
        expect(viewer.page.locator("#rows tr").first).to_contain_text("Béla")
        check(viewer.page, "the security log")


@pytest.mark.parametrize("form", ["desk", "phone"])
def test_an_arbiter_sees_which_table_is_silent(browser: Browser, club: str, form: str) -> None:
    with open_viewer(browser, form, bypass_csp=True) as viewer:
        viewer.open(f"{club}connections", "#account a")
        expect(viewer.page.locator("#found")).to_have_text("Only arbiters can see the connections.")
        log_in(viewer.page, club)
        viewer.open(f"{club}connections", "#rows tr")
        rows = viewer.page.locator("#rows tr")
        expect(viewer.page.locator("#found")).to_have_text("Connected: 1 of 2")
        state = viewer.page.locator("#club strong")
        expect(state.first).to_have_text("The last backup has failed: The disk is full.")
        expect(state.last).to_contain_text("The last backup is too old:")
        expect(rows.first).to_contain_text("porto")
        expect(rows.first.locator("strong")).to_have_text("not connected")
        expect(rows.last).to_contain_text("connected")
        expect(rows.first.locator("strong")).to_have_count(1)
        expect(rows.last.locator("strong")).to_contain_text("Die 3:")
        for shown in ("gold 400", "silver 100", "blank 500"):
            expect(rows.last.locator("strong")).to_contain_text(shown)
        check(viewer.page, "the connections")
