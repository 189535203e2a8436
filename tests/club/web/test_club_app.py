"""The club's page is served behind the same guard as a table's page."""

import re
from datetime import UTC, datetime

import pytest

from tests.page.client import Client
from urpi.club.web.app import make_club_app
from urpi.club.web.site import make_site
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.http.guard import CSP


@pytest.fixture
def client() -> Client:
    section = ClubServerSection(names=("club.example.org",))
    return Client(make_club_app(make_site(section, Wall(lambda: datetime.now(UTC)))))


@pytest.mark.parametrize("path", ["/", "/tables/lisbon"])
def test_the_wall_is_a_page_with_a_board_and_a_policy(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status == 200
    assert 'data-square="B4"' in response.text
    assert response.headers["content-security-policy"] == CSP


def test_another_host_name_is_refused_with_the_section_to_change(client: Client) -> None:
    client.host = "evil.example"
    response = client.get("/")
    assert response.status == 421
    assert "[club_server]" in response.json["error"]
    client.host = "club.example.org"
    assert client.get("/").status == 200


def test_there_is_no_pin_and_nothing_acts_on_a_table(client: Client) -> None:
    assert client.post("/api/session", {"pin": "123456"}).status == 400
    assert client.post("/api/roll").status == 404
    assert client.post("/").status == 405


def test_a_browser_is_answered_in_its_own_language(client: Client) -> None:
    def now(wanted: str) -> str:
        return str(client.get("/api/languages", accept_language=wanted).json["now"])

    assert (now("sl, en;q=0.5"), now("nl")) == ("sl", "en")
    names = client.get("/api/rulesets", accept_language="fr").json
    assert "Finkel, quatre dés" in {one["name"] for one in names}


def test_an_unknown_address_has_the_clubs_own_page(client: Client) -> None:
    response = client.get("/stats")
    assert response.status == 404
    assert "To all tables" in response.text


@pytest.mark.parametrize("path", ["/", "/games", "/games/1", "/players", "/player", "/tournaments"])
def test_every_page_has_the_head_and_the_links_of_all_pages(client: Client, path: str) -> None:
    text = client.get(path).text
    assert text.startswith("<!DOCTYPE html>")
    assert text.count('rel="stylesheet" href="/static/css/page.css"') == 1
    current = re.findall(r'<a href="(\S+)"(?: aria-current="page")', text)
    assert current == ([path] if path in {"/games", "/players", "/tournaments"} else [])
    assert '<a href="/tournaments"' in text
