"""Pictures of stored games over HTTP, the queue of those to draw, and the preview of a link."""

import asyncio
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from PIL import Image

from tests.journal.games import store_game
from tests.page.client import Client, Response
from tests.page.table import PageDesk, Table
from urpi.cli.main import cli
from urpi.http import command_process
from urpi.http.addresses import Address, InterfaceAddress
from urpi.http.operations import QueueFullError
from urpi.http.proxies import ProxySettings, PublicUrl
from urpi.journal import Journal
from urpi.page.app import make_app
from urpi.page.game_pictures import PictureRequest
from urpi.page.pictures import MAX_WAITING, PictureQueue
from urpi.page.site import make_site
from urpi.show.svg.empty_board import WOOD
from urpi.show.svg.themes import ONLY_ROSETTES, THEMES

PNG = PictureRequest(1, "png", "en")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table with a finished game, number 1, and a running one, number 2."""
    path = tmp_path_factory.mktemp("pictures") / "games.sqlite"
    with Journal.open(path) as journal:
        store_game(journal, "finkel", seed=1, longest=60)
    table = Table.at(path)
    table.begin()
    yield table
    table.service.close()


@pytest.fixture(scope="module")
def visitor(library: Table) -> Client:
    return Client(make_app(make_site(PageDesk(library))))


def test_a_step_is_an_svg_that_may_use_only_its_own_style(visitor: Client) -> None:
    answer = visitor.get("/api/games/1/picture.svg?step=30")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert "sandbox" in answer.headers["content-security-policy"]
    root = ET.fromstring(answer.text)
    assert [one.get("r") for one in root.iter() if one.get("r") == "12"]
    assert answer.text != visitor.get("/api/games/1/picture.svg?step=31").text


@pytest.mark.slow
def test_a_step_is_a_png_and_a_game_a_gif(visitor: Client) -> None:
    answer = visitor.get("/api/games/1/picture.png?step=30")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
    assert answer.headers["content-disposition"] == 'inline; filename="game-1-30.png"'
    with Image.open(BytesIO(answer.body)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))
    answer = visitor.get("/api/games/1/animation.gif")
    with Image.open(BytesIO(answer.body)) as picture:
        assert picture.format == "GIF"
        assert picture.n_frames > 20


POSITION = {"position": "finkel A3:L,B2:D,B4:L L5D6 L0D0 L", "faces": "gs--"}


def test_a_position_is_a_picture_with_its_move_as_an_arrow(visitor: Client) -> None:
    query = urlencode(POSITION)
    plain, arrow = (
        visitor.get(f"/api/analysis/picture.svg?{query}{move}") for move in ("", "&move=B4-B6")
    )
    assert (plain.status, arrow.headers["content-type"]) == (200, "image/svg+xml")
    assert "sandbox" in arrow.headers["content-security-policy"]
    for answer, title, arrows in (
        (plain, "Light \N{MIDDLE DOT} Throw: 2", 0),
        (arrow, "Light: B4 to B6", 1),
    ):
        root = ET.fromstring(answer.text)
        assert root.findtext("{http://www.w3.org/2000/svg}title") == title
        assert sum(one.get("class") == "ur-arrow" for one in root.iter()) == arrows
    french = visitor.get(f"/api/analysis/picture.svg?{query}&language=fr").text
    assert "Lancer\N{NO-BREAK SPACE}: 2" in french


@pytest.mark.slow
def test_a_position_is_drawn_as_png_like_a_step(visitor: Client) -> None:
    query = urlencode({**POSITION, "move": "B4-B6", "theme": "wood"})
    answer = visitor.get(f"/api/analysis/picture.png?{query}")
    assert answer.headers["content-disposition"] == 'inline; filename="position.png"'
    with Image.open(BytesIO(answer.body)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))
    shown = ("--faces", "gs--", "--move", "B4-B6", "--theme", "wood", "--format", "png")
    result = CliRunner().invoke(cli, ["picture", POSITION["position"], *shown])
    assert result.stdout_bytes == answer.body


@pytest.mark.parametrize("form", ["svg", "png"])
@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({}, 404),
        ({"position": "fin"}, 404),
        ({**POSITION, "faces": "77"}, 404),
        ({**POSITION, "move": "+C4"}, 404),
        ({**POSITION, "theme": "pink"}, 400),
        ({**POSITION, "step": "1"}, 400),
    ],
)
def test_an_impossible_picture_of_a_position_is_an_error(
    visitor: Client, form: str, query: dict[str, str], status: int
) -> None:
    assert visitor.get(f"/api/analysis/picture.{form}?{urlencode(query)}").status == status


@pytest.mark.slow
def test_a_picture_has_letters_that_it_can_draw(visitor: Client) -> None:
    paths = [f"/api/games/1/picture.{form}?step=30&language=" for form in ("png", "svg")]
    (png, svg), (arabic_png, arabic_svg) = (
        [visitor.get(path + language).body for path in paths] for language in ("en", "ar")
    )
    assert png == arabic_png
    assert svg != arabic_svg
    query = urlencode(POSITION)
    position, arabic = (
        visitor.get(f"/api/analysis/picture.png?{query}&language={language}").body
        for language in ("en", "ar")
    )
    assert position == arabic


@pytest.mark.slow
def test_a_picture_has_the_colours_of_a_theme(visitor: Client) -> None:
    svg = visitor.get("/api/games/1/picture.svg?step=30&theme=wood").text
    assert THEMES["wood"][WOOD] in svg
    assert WOOD not in svg
    assert ONLY_ROSETTES in visitor.get("/api/games/1/picture.svg?step=30&theme=plain").text
    pngs = {visitor.get(f"/api/games/1/picture.png?step=30&theme={theme}").body for theme in THEMES}
    assert len(pngs) == len(THEMES)
    assert visitor.get("/api/games/1/picture.png?theme=pink").status == 400


@pytest.mark.slow
def test_a_finished_game_is_drawn_once_and_a_running_one_every_time(
    visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/api/games/1/picture.png?step=7"
    first = visitor.get(path)
    running = visitor.get("/api/games/2/picture.png")
    assert running.headers["cache-control"] == "no-store"
    assert "etag" not in running.headers
    # Without a program to draw with, only what is kept can be sent.
    monkeypatch.setattr(command_process.sys, "executable", "/bin/false")
    assert visitor.get(path).body == first.body
    assert visitor.get(path, if_none_match=first.headers["etag"]).status == 304
    assert visitor.get("/api/games/2/picture.png").status == 409


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("1/picture.png?step=9999", 404, "Game 1 has no step 9999; its last one is"),
        ("1/picture.svg?step=9999", 404, "Game 1 has no step 9999; its last one is"),
        ("9/picture.svg", 404, "There is no game 9."),
        ("9/picture.png", 404, "There is no game 9."),
        ("9/animation.gif", 404, "There is no game 9."),
        ("1/picture.png?step=-1", 400, "step"),
        ("1/picture.png?language=xx", 400, "language"),
        ("1/animation.gif?step=3", 400, "step"),
    ],
)
def test_an_impossible_picture_is_an_error(
    visitor: Client, path: str, status: int, message: str
) -> None:
    answer = visitor.get(f"/api/games/{path}")
    assert (answer.status, message in answer.json["error"]) == (status, True)


def test_one_picture_is_drawn_at_a_time_and_few_may_wait() -> None:
    drawing, most = 0, 0

    async def draw(picture: PictureRequest) -> bytes:
        nonlocal drawing, most
        drawing += 1
        most = max(most, drawing)
        await asyncio.sleep(0)
        drawing -= 1
        return bytes([picture.game])

    async def several() -> list[object]:
        queue = PictureQueue(draw)
        pictures = [PictureRequest(number, "gif", "en") for number in range(MAX_WAITING + 2)]
        calls = (queue.content(picture, "") for picture in pictures)
        return await asyncio.gather(*calls, return_exceptions=True)

    *drawn, first, second = asyncio.run(several())
    assert drawn == [bytes([number]) for number in range(MAX_WAITING)]
    assert isinstance(first, QueueFullError)
    assert isinstance(second, QueueFullError)
    assert most == 1


def test_a_picture_is_kept_for_its_version_until_others_need_the_room() -> None:
    drawn: list[PictureRequest] = []

    async def draw(picture: PictureRequest) -> bytes:
        drawn.append(picture)
        return bytes(100)

    async def several() -> None:
        queue = PictureQueue(draw, max_cached=250)
        for version in ("a", "a", "b", "a", "c", "b", ""):
            await queue.content(PNG, version)
        await queue.content(PNG, "")

    asyncio.run(several())
    # a, b, c (which drops b, because a was used last), b again, and twice without a version.
    assert len(drawn) == 6


def test_requests_for_one_picture_that_wait_together_draw_it_once() -> None:
    drawn: list[PictureRequest] = []

    async def draw(picture: PictureRequest) -> bytes:
        drawn.append(picture)
        await asyncio.sleep(0)
        return b"x"

    async def together() -> list[bytes]:
        queue = PictureQueue(draw)
        return await asyncio.gather(*(queue.content(PNG, "a") for _ in range(3)))

    assert asyncio.run(together()) == [b"x"] * 3
    assert drawn == [PNG]


class Tags(HTMLParser):
    def __init__(self, answer: Response) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(answer.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "meta" and (name := values.get("property")):
            self.found[name] = values["content"] or ""


def test_the_page_of_a_game_has_a_preview_of_the_linked_step(visitor: Client) -> None:
    tags = Tags(visitor.get("/games/1?step=12")).found
    assert tags["og:title"] == "Ann \N{EN DASH} Zoë"
    base = f"http://{visitor.host}"
    assert tags["og:url"] == f"{base}/games/1?step=12"
    assert tags["og:image"] == f"{base}/api/games/1/picture.png?step=12"
    assert (tags["og:image:width"], tags["og:image:height"]) == ("1200", "630")


@pytest.mark.parametrize("step", ["", "?step=x", "?step=-1", f"?step={'9' * 400}"])
def test_without_a_valid_step_the_preview_is_of_the_last_one(visitor: Client, step: str) -> None:
    tags = Tags(visitor.get(f"/games/1{step}")).found
    if len(step) < 100:
        assert tags["og:image"].endswith("/api/games/1/picture.png")


def test_the_page_of_an_unknown_game_has_no_preview(visitor: Client) -> None:
    for game in ("9", "x", "9" * 400):
        answer = visitor.get(f"/games/{game}")
        assert (answer.status, Tags(answer).found) == (200, {})


def test_the_page_of_a_game_is_revalidated(visitor: Client) -> None:
    first = visitor.get("/games/1")
    again = visitor.get("/games/1", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")


def test_behind_a_proxy_the_preview_names_the_public_url(library: Table) -> None:
    proxy = ProxySettings(PublicUrl.parse("https://ur.example.org"))
    visitor = Client(make_app(make_site(PageDesk(library), proxy=proxy)), host="ur.example.org")
    tags = Tags(visitor.get("/games/1")).found
    assert tags["og:image"] == "https://ur.example.org/api/games/1/picture.png"


def test_names_in_a_preview_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Journal.open(path) as journal:
        game = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"\\"><b>","dark":""}'
        journal.new_game(game, "2026-11-21T02:00:00+05:00", "1.0.0", {})
    table = Table.at(path)
    try:
        answer = Client(make_app(make_site(PageDesk(table)))).get("/games/1")
    finally:
        table.service.close()
    assert "<b>" not in answer.text
    assert Tags(answer).found["og:title"].startswith('"><b> ')


@pytest.mark.parametrize(
    ("host", "base", "local"),
    [
        ("127.0.0.1:8011", "http://192.168.1.20:8011", False),
        ("localhost:8011", "http://192.168.1.20:8011", False),
        ("192.168.1.20:8011", "http://192.168.1.20:8011", False),
    ],
)
def test_a_link_is_one_that_other_devices_can_open(
    library: Table, host: str, base: str, local: bool
) -> None:
    site = make_site(PageDesk(library))
    site.listen = Address("0.0.0.0", 8011)
    site.interfaces = lambda: (InterfaceAddress("192.168.1.20", "eth0"),)
    visitor = Client(make_app(site), host=host, server="192.168.1.20")
    answer = visitor.get("/api/games/1/link?step=5").json
    assert (answer["link"], answer["local"]) == (f"{base}/games/1?step=5", local)
    assert answer["size"] > 20


def test_a_link_that_works_on_this_machine_only_is_marked(visitor: Client) -> None:
    answer = visitor.get("/api/games/1/link").json
    assert (answer["link"], answer["local"]) == (f"http://{visitor.host}/games/1", True)
    assert visitor.get("/api/games/9/link").status == 404
