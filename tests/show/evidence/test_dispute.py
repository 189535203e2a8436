"""Disputes as text, JSON and HTML."""

import json
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest

from tests.journal.games import store_game
from tests.show.evidence.disputed import disputed_game, store
from urpi import __version__
from urpi.journal import Journal, import_archive, import_record, stored_record, write_archive
from urpi.rules import REFUSAL_CODES, RULE_SETS, parse_position
from urpi.rules.record import record_text
from urpi.show.evidence import Dispute, dispute_json, dispute_page, dispute_text, dispute_turn
from urpi.show.evidence.reasons import choices_of, pass_refusal
from urpi.show.evidence.wording import COMMON, THROWING, section
from urpi.show.words import words_for

ENGLISH = words_for("en")
RULES_PAGE = Path(__file__).parents[3] / "docs" / "design" / "RULES.md"
EVIL = '<script>alert(1)</script>\\" onload=x & <!-- ]]> \\u0000\\u001b[31m'


def disputed(path: Path, light: str | None = None) -> Dispute:
    store(path, disputed_game(), light)
    with Journal.open(path) as journal:
        return dispute_turn(journal, 1)


@pytest.fixture(scope="module")
def dispute(tmp_path_factory: pytest.TempPathFactory) -> Dispute:
    return disputed(tmp_path_factory.mktemp("disputed_game") / "journal.db")


@pytest.mark.parametrize(
    "line",
    [
        "Game 1, finkel: Light (Ann) against Dark (Zoë)",
        "Turn 1: Light (Ann)",
        "The throw was gs-- at 0:03.600; it counts 2",
        "  A3: A3-A1",
        "  Passing is not allowed: You threw 2 and can move: move a piece. [RULES.md 1, finkel]",
        "      A3: Light has a piece on A3 already. [RULES.md 1, finkel]",
        "    0:01.600    Die 2 leans on something.",
        "    0:05.002    A3 is empty; Light's piece stood there. The switch flickered 3 times.",
        "    0:12.500",
    ],
)
def test_the_text_contains(dispute: Dispute, line: str) -> None:
    text = dispute_text(dispute, ENGLISH)
    assert line in text.splitlines() or line.strip() in text
    assert max(map(len, text.splitlines())) <= 96


def test_the_text_contains_refused_throws_and_warnings(dispute: Dispute) -> None:
    text = " ".join(dispute_text(dispute, ENGLISH).split())
    assert "0:02.600 => The throw does not count: Die 2 leans. Throw it again. [RULES.md 0," in text
    assert "0:08.502 => Warned: You threw 2, but moved it 3. Put it back on A3. [RULES.md" in text
    assert "0:11.950 => Light played A3-A1: the switches showed it." in text


def test_json_contains_codes_and_sections(dispute: Dispute) -> None:
    found = json.loads(json.dumps(dispute_json(dispute, ENGLISH)))
    (turn,) = found["turns"]
    throw = turn["throws"][0]
    assert (found["game"], found["replay"], turn["turn"], turn["side"]) == (1, "same", 1, "light")
    assert (throw["faces"], throw["value"], throw["legal"]) == ("gs--", 2, ["A3-A1"])
    hand = throw["choices"][0]
    assert hand["piece"] == "hand"
    assert hand["refused"][0]["to"] == ["A3"]
    assert (hand["refused"][0]["code"], hand["refused"][0]["section"]) == ("own-piece-there", "1")
    warned = next(e for e in throw["events"] if e.get("decision", {}).get("type") == "warning")
    assert (warned["decision"]["code"], warned["shown_from"]) == ("wrong-distance", 9000)
    moved = next(e for e in throw["events"] if e.get("decision", {}).get("type") == "move")
    assert moved["position"] == "finkel A1:L,B4:D L6D6 L0D0 L"


def imported(tmp_path: Path, as_record: bool) -> Dispute:
    """Return the dispute of a game that was played at another table and imported."""
    there, here, file = tmp_path / "there.db", tmp_path / "here.db", tmp_path / "game.jsonl"
    with Journal.open(there) as journal, file.open("w", encoding="utf-8") as archive:
        store_game(journal, "finkel", seed=1, longest=20)
        record = record_text(stored_record(journal, 1))
        write_archive(journal, [1], archive.write, "1")
    with Journal.open(here) as journal:
        if as_record:
            import_record(journal, record, datetime.now(UTC), "1")
        else:
            import_archive(journal, BytesIO(file.read_bytes()), datetime.now(UTC))
        return dispute_turn(journal, 1)


@pytest.mark.parametrize(
    ("as_record", "code", "sentence"),
    [
        (True, "record", "typed in from a written record. No switch or die recorded it"),
        (False, "archive", "read from an archive: it was not saved here while it was played."),
    ],
)
def test_the_source_of_an_imported_game_is_named(
    tmp_path: Path, as_record: bool, code: str, sentence: str
) -> None:
    dispute = imported(tmp_path, as_record)
    assert sentence in " ".join(dispute_text(dispute, ENGLISH).split())
    assert sentence in dispute_page(dispute, ENGLISH)
    assert dispute_json(dispute, ENGLISH)["read_from"] == code


def test_a_game_of_this_table_has_no_source(dispute: Dispute) -> None:
    assert "was read from" not in dispute_text(dispute, ENGLISH)
    assert dispute_json(dispute, ENGLISH)["read_from"] is None


def test_different_decisions_are_counted_and_the_original_ones_shown(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    disputed(path)
    with Journal.open(path) as journal:
        journal.rewrite(1, lambda entry: entry.line.replace('"sensed"', '"answered"'))
        dispute = dispute_turn(journal, 1)
    text = dispute_text(dispute, ENGLISH)
    assert f"that this version of the program ({__version__}) would make differently: 1 of " in text
    assert "Light played A3-A1: a player confirmed it." in text
    assert 'class="card verdict differs"' in dispute_page(dispute, ENGLISH)
    assert dispute_json(dispute, ENGLISH)["replay"] == "differs"


def test_an_ignored_square_is_crossed_out_from_then_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    disputed(path)
    with Journal.open(path) as journal:
        fault = '{"t":20000,"type":"fault","device":"A3","code":"stuck-off"}'
        edge = '{"t":20001,"type":"square","square":"B2","on":true}'
        journal.append(1, [], [fault])
        journal.append(1, [edge, '{"t":20100,"type":"time"}'])
        page = dispute_page(dispute_turn(journal, 1), ENGLISH)
    *before, last = page.split("<figure>")
    assert "A piece stands on B2." in last
    assert 'class="ur-left-out"' in last
    assert not any('class="ur-left-out"' in figure for figure in before)


class Outline(HTMLParser):
    """Collects the elements and addresses of a page, and checks that every element is closed."""

    VOID = frozenset({"meta", "!doctype"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses += [v or "" for name, v in attrs if name in {"href", "src", "xlink:href"}]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    dispute = disputed(tmp_path_factory.mktemp("hostile") / "journal.db", EVIL)
    return dispute_page(dispute, ENGLISH)


def test_the_page_is_well_formed_and_refers_to_no_other_file(hostile: str) -> None:
    outline = Outline()
    outline.feed(hostile)
    assert outline.open == []
    assert not {"script", "link", "img", "iframe", "object"} & set(outline.tags)
    assert {address[:4] for address in outline.addresses} == {"#ur-"}
    assert not [name for name in outline.attributes if name.startswith("on")]
    assert re.findall(r"(?:https?:|//|url\((?!#ur-arrow\)))[^ ]*", hostile) == []
    assert "default-src 'none'" in hostile


def test_moves_and_sections_keep_their_order_in_arabic(dispute: Dispute) -> None:
    page = dispute_page(dispute, words_for("ar"))
    assert ".move, .rule { direction: ltr; unicode-bidi: isolate; }" in page
    rules = re.findall(r'class="rule">([^<]*)<', page)
    assert len(rules) > 3
    for rule in rules:
        assert re.fullmatch(r"\u2068?RULES\.md [\w, ]+\u2069?", rule), rule


def test_names_are_escaped(hostile: str) -> None:
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in hostile
    assert not re.search("[\x00-\x08\x0e-\x1f]", hostile)


def test_the_pictures_are_in_order(dispute: Dispute) -> None:
    page = dispute_page(dispute, ENGLISH)
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", page)
    texts = [re.sub(r"<[^>]*>", "", caption) for caption in captions]
    assert texts[:8] == [
        "1 At the beginning",
        "2 0:05.002 A3 is empty.",
        "3 0:06.002 A piece stands on B1.",
        "4 0:09.502 B1 is empty.",
        "5 0:10.002 A piece stands on A3.",
        "6 0:11.000 A3 is empty.",
        "7 0:11.800 A piece stands on A1.",
        "8 0:11.950 Light played A3-A1.",
    ]


def test_every_section_exists_in_the_rules() -> None:
    page = RULES_PAGE.read_text()
    for kind in RULE_SETS.values():
        assert f"\n## {kind.section}. `{kind.id}`" in page
    for common in (COMMON, THROWING):
        assert f"\n### {common.title}" in page.partition("\n## 1. ")[0]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_refusal_has_a_section(rules: str) -> None:
    for code in REFUSAL_CODES:
        assert section(rules, code) in {COMMON, (str(RULE_SETS[rules].section), rules)}


@pytest.mark.parametrize(
    ("position", "faces", "piece", "legal", "reached"),
    [
        ("finkel A3:L,B4:D L6D6 L0D0 L", "gsg-", 2, ("A3-B1",), {}),
        ("finkel B2:L,B4:D L6D6 L0D0 L", "gs--", 7, (), {"safe-square": (9,)}),
        ("finkel A1:L,A3:L L5D7 L0D0 L", "gs--", 2, (), {"own-piece-there": (0,)}),
        ("skiryuk B6:L,B7:D L6D6 L0D0 L", "g--", 11, (), {"camp-held": (12,)}),
    ],
)  # fmt: skip
def test_choices_contain_legal_moves_and_blocked_targets(
    position: str, faces: str, piece: int, legal: tuple[str, ...], reached: dict[str, tuple]
) -> None:
    before = parse_position(position)
    throw = before.rules.dice.throw(faces)
    (choices,) = (each for each in choices_of(before, throw) if each.origin == piece)
    assert choices.legal == legal
    blocked = {each.refusal.code: each.targets for each in choices.refused if each.reached}
    assert blocked == reached


def test_a_throw_without_a_legal_move_passes() -> None:
    before = parse_position("finkel A3:L L6D7 L0D0 L")
    assert pass_refusal(before, before.rules.dice.throw("----")) is None
