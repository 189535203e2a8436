"""The analysis page: values of moves and throws, arrows, playing on, steps back, and the link."""

from collections.abc import Iterator
from random import Random
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import violations
from tests.browser.player_page import Screenshots
from tests.browser.served_table import FORMS, ServedTable, Viewer, open_viewer, served_table
from urpi.rules import Position, Throw, parse_position, rule_set
from urpi.show.words import languages

POSITION = "finkel A3:L,B2:D,B4:L,B7:D,C1:D L3D3 L2D1 L"
FACES = "gs--"
DRAWN_MS = 240_000


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    """A table with one game that is not over."""
    with served_table(tmp_path_factory.mktemp("analysed")) as table:
        table.new_game("finkel", "Ann", "Bob")
        table.play(40)
        yield table


def address(table: ServedTable, **query: str) -> str:
    return f"{table.url}analysis?{urlencode(query)}"


def open_analysis(viewer: Viewer, table: ServedTable, **query: str) -> None:
    viewer.open(address(table, **query), "#throws tbody tr")


def shown(viewer: Viewer) -> tuple[str, str | None]:
    """Return the position and the faces in the page's address."""
    query = parse_qs(urlsplit(viewer.page.url).query)
    return query["position"][0], query.get("faces", [None])[0]


def moves(viewer: Viewer) -> list[str | None]:
    rows = viewer.page.locator("#moves tbody tr")
    return [row.get_attribute("data-move") for row in rows.all()]


def test_a_position_shows_every_throw_and_every_move_with_its_value(
    viewer: Viewer, stored: ServedTable, shots: Screenshots
) -> None:
    open_analysis(viewer, stored, position=POSITION, faces=FACES)
    assert viewer.text("#now") == "Light · Throw: 2"
    assert viewer.text("#source") == "All values are estimated by a network."
    found = viewer.page.evaluate(
        f"fetch('/api/analysis?{urlencode({'position': POSITION, 'faces': FACES})}')"
        ".then((answer) => answer.json())"
    )
    assert f"Light\u00a0{found['value']:.1%}" in viewer.text("#odds")
    assert f"Luck\u00a0{found['luck']:+.1%}" in viewer.text("#odds")
    rows = viewer.page.locator("#throws tbody tr")
    expect(rows).to_have_count(len(found["throws"]))
    for row, one in zip(rows.all(), found["throws"], strict=True):
        texts = row.locator("td").all_inner_texts()
        assert texts == [
            str(one["value"]),
            one["best"]["text"],
            f"{one['chance']:.1%}".replace("6.2%", "6.3%"),
            f"{one['after']:.1%}",
            f"{one['luck']:+.1%}",
        ]
    assert moves(viewer) == [one["move"] for one in found["moves"]]
    texts = viewer.page.locator("#moves tbody td").all_inner_texts()
    assert texts[:3] == [found["moves"][0]["text"], f"{found['moves'][0]['value']:.1%}", "0.0%"]
    assert viewer.page.locator(".ur-way").count() == 1
    shots(viewer.page, "analysis.png")
    assert viewer.errors == []


def test_both_sides_are_played_on_and_taken_back(viewer: Viewer, stored: ServedTable) -> None:
    random = Random(5)
    open_analysis(viewer, stored, position="finkel")
    position = rule_set("finkel").start(parse_position(shown(viewer)[0]).turn)
    assert shown(viewer) == (str(position), None)
    trail = [(str(position), None)]
    for number in range(6):
        throw, position = step(viewer, position, random, number)
        trail += [(trail[-1][0], throw.faces), (str(position), None)]
        viewer.until(lambda want=trail[-1]: shown(viewer) == want, str(trail[-1]))
    for key, steps in (
        ("#back", trail[-2::-1]),
        ("ArrowRight", trail[1:]),
        ("ArrowLeft", trail[-2::-1]),
    ):
        for want in steps:
            if key.startswith("#"):
                viewer.page.locator(key).click()
            else:
                viewer.page.keyboard.press(key)
            viewer.until(lambda want=want: shown(viewer) == want, f"{key}: {want}")
    expect(viewer.page.locator("#back")).to_be_disabled()
    assert viewer.errors == []


def step(viewer: Viewer, position: Position, random: Random, number: int) -> tuple[Throw, Position]:
    """Choose a throw with moves on the page, and play one of them in one of three ways."""
    outcomes = [one for one, _ in position.rules.dice.outcomes]
    throw = random.choice([one for one in outcomes if position.rules.legal_moves(position, one)])
    row = viewer.page.locator("#throws tbody tr").nth(outcomes.index(throw))
    row.get_by_role("button").click()
    viewer.until(lambda: moves(viewer), "the moves")
    legal = position.rules.legal_moves(position, throw)
    assert sorted(moves(viewer), key=str) == sorted(one.text for one in legal)
    move = random.choice(legal)
    target = str(move.text).rpartition("-")[2].rpartition("x")[2].lstrip("+")
    button = viewer.page.locator(f'#moves tr[data-move="{move.text}"] button').first
    if number % 3 == 0:
        button.click()
    elif number % 3 == 1:
        button.focus()
        viewer.page.keyboard.press("Enter")
    else:
        # A piece that stands there is in front of its square.
        place = target if move.text.startswith("+") else move.text[:2]
        viewer.square(place).click(force=True)
    return throw, position.rules.play(position, throw, move)


def test_the_dice_are_thrown_by_the_button_or_the_space_bar(
    viewer: Viewer, stored: ServedTable
) -> None:
    open_analysis(viewer, stored, position=POSITION)
    viewer.page.keyboard.press("Space")
    viewer.until(lambda: shown(viewer)[1], "a throw")
    expect(viewer.page.locator("#throw")).to_be_disabled()
    expect(viewer.page.locator("#throws tr.chosen")).to_have_count(1)
    # The chosen throw chooses none.
    viewer.page.locator("#throws tr.chosen button").click()
    viewer.until(lambda: shown(viewer) == (POSITION, None), "no throw")
    expect(viewer.page.locator("#moves tr")).to_have_count(0)


def test_a_move_that_is_pointed_at_has_the_arrow(viewer: Viewer, stored: ServedTable) -> None:
    open_analysis(viewer, stored, position=POSITION, faces=FACES, move="B4-B6")
    ways = viewer.page.locator(".ur-way")
    assert sorted(str(way.get_attribute("class")) for way in ways.all()) == [
        "ur-way",
        "ur-way ur-way-worse",
    ]
    expect(viewer.page.locator("tr.chosen[data-move]")).to_have_attribute("data-move", "B4-B6")
    viewer.page.locator('#moves tr[data-move="B4-B6"]').hover()
    expect(ways).to_have_count(1)
    expect(ways).to_have_attribute("class", "ur-way")


def test_a_text_that_is_no_position_is_refused_and_another_one_shown(
    viewer: Viewer, stored: ServedTable
) -> None:
    open_analysis(viewer, stored, position=POSITION)
    field = viewer.page.locator("#position-text")
    field.fill("finkel A3:L")
    field.press("Enter")
    viewer.wait_for_text("#notice", "This position does not exist in this game.")
    assert shown(viewer) == (POSITION, None)
    field.fill("murray")
    viewer.page.get_by_role("button", name="Show it").click()
    viewer.until(lambda: shown(viewer) == ("murray - L7D7 L0D0 L", None), "the start of a game")
    expect(viewer.page.locator("#notice")).to_be_hidden()
    viewer.errors.clear()  # The browser logs the response with status 400.


def test_the_decision_of_a_replay_is_analysed_with_the_move_that_was_played(
    viewer: Viewer, stored: ServedTable
) -> None:
    viewer.open(f"{stored.url}games/1#1")
    frames = viewer.page.evaluate("fetch('/api/games/1').then((one) => one.json())")["frames"]
    at = next(
        step
        for step, frame in enumerate(frames)
        if frame["kind"] == "move" and len(frames[step - 1]["legal"]) > 1
    )
    viewer.page.goto(f"{stored.url}games/1?step={at}")
    viewer.wait_for_text("#step", f"Step {at} of ")
    viewer.page.get_by_role("link", name="Analyse").click()
    viewer.page.locator("#throws tbody tr").first.wait_for()
    thrown = frames[at - 1]
    assert shown(viewer) == (thrown["position"], thrown["throw"]["faces"])
    assert sorted(moves(viewer), key=str) == sorted(one["move"] for one in thrown["legal"])
    chosen = viewer.page.locator("#moves tr.chosen")
    expect(chosen).to_have_attribute("data-move", frames[at]["move"]["move"])
    # A game as a whole is analysed at its last decision.
    viewer.page.goto(f"{stored.url}analysis?game=1")
    viewer.page.locator("#throws tbody tr").first.wait_for()
    last = frames[-1]
    assert shown(viewer)[0] in {frame["position"] for frame in frames[-3:]}, last


def test_a_position_goes_to_the_editor_and_back(viewer: Viewer, stored: ServedTable) -> None:
    open_analysis(viewer, stored, position=POSITION, faces=FACES)
    viewer.page.get_by_role("link", name="Play from here").click()
    viewer.page.get_by_role("link", name="Analyse").click()
    viewer.page.locator("#throws tbody tr").first.wait_for()
    assert shown(viewer) == (POSITION, None)


def test_the_link_to_a_position_is_shared(viewer: Viewer, stored: ServedTable) -> None:
    open_analysis(viewer, stored, position=POSITION, faces=FACES)
    viewer.page.get_by_role("button", name="Share this position").click()
    link = viewer.page.locator("#share-link")
    link.wait_for()
    for name, kind in (("(PNG)", "image/png"), ("(SVG)", "image/svg+xml")):
        picture = viewer.page.get_by_role("link", name=name).get_attribute("href")
        assert parse_qs(urlsplit(str(picture)).query)["move"] == moves(viewer)[:1]
        # It is drawn at a low priority, which other work on the machine leaves little time.
        url = f"{stored.url}{str(picture).lstrip('/')}"
        answer = viewer.page.request.get(url, timeout=DRAWN_MS)
        assert answer.headers["content-type"] == kind
    viewer.open(link.input_value(), "#moves tbody tr")
    assert shown(viewer) == (POSITION, FACES)


def test_without_an_address_it_is_the_position_of_the_table(
    viewer: Viewer, stored: ServedTable
) -> None:
    viewer.open(f"{stored.url}analysis", "#throws tbody tr")
    viewer.until(lambda: "position" in viewer.page.url, "the address")
    assert shown(viewer)[0] == str(stored.table.service.snapshot.position)


@pytest.mark.parametrize("form", FORMS)
def test_axe_finds_nothing_in_an_analysis_and_it_fits(
    browser: Browser, stored: ServedTable, form: str
) -> None:
    with open_viewer(browser, form) as viewer:
        for query in ({"position": POSITION, "faces": FACES}, {"position": "freecompany"}):
            open_analysis(viewer, stored, **query)
            assert not viewer.page.evaluate("document.documentElement.scrollWidth > innerWidth")
            for scheme in ("light", "dark"):
                viewer.page.emulate_media(color_scheme=scheme)
                assert violations(viewer.page) == [], scheme


APART = """() => {
  const { top } = document.querySelector(".beside").getBoundingClientRect();
  const parts = [...document.querySelectorAll(".panel > *")];
  const whole = document.documentElement;
  return whole.scrollHeight <= innerHeight
    && parts.every((one) => one.getBoundingClientRect().bottom <= top + 1);
}"""
"""Returns whether the page does not scroll, and the form for a position covers nothing."""


@pytest.mark.parametrize("language", sorted(languages()))
def test_it_fits_a_phone_and_in_a_wide_window_nothing_but_the_moves_scrolls(
    browser: Browser, stored: ServedTable, language: str
) -> None:
    with open_viewer(browser, "phone") as viewer:
        page, phone = viewer.page, viewer.page.viewport_size
        cookie = {"name": "urpi-language", "value": language, "url": stored.url}
        viewer.context.add_cookies([cookie])
        for position, faces in ((POSITION, FACES), ("freecompany - L7D7 L0D0 L", "gs")):
            page.set_viewport_size(phone)
            open_analysis(viewer, stored, position=position, faces=faces)
            page.wait_for_selector("#moves tbody tr")
            assert page.evaluate("document.documentElement.lang") == language
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
            for width, height in ((1366, 768), (1280, 720), (1920, 1080)):
                page.set_viewport_size({"width": width, "height": height})
                viewer.until(lambda: page.evaluate(APART), f"{position} in {width}x{height}")


def test_board_values_and_buttons_are_seen_together(viewer: Viewer, stored: ServedTable) -> None:
    open_analysis(viewer, stored, position=POSITION, faces=FACES)
    needed = viewer.page.locator("#board, #throw, #throws tr, #moves tr")
    viewer.page.wait_for_selector("#moves tbody tr")
    inside = "all => all.every((one) => one.getBoundingClientRect().bottom <= innerHeight)"
    for width, height in ((1024, 600), (768, 1024), (1180, 820)):
        viewer.page.set_viewport_size({"width": width, "height": height})
        viewer.until(lambda: needed.evaluate_all(inside), f"everything in {width}x{height}")
