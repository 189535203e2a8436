"""Everything that reads input accepts it, or rejects it with a one-line error."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fuzz import VALUES, inputs, mutated, reads, spoilt
from tests.install.card.cards import KEY, package_bytes
from tests.journal.games import store_game
from tests.rules.test_royalur_json import game as royalur_game
from tools.bench import markdown_tables, read_rows
from urpi.cli.dice.verdict import read_counts
from urpi.cli.moves import respond
from urpi.cli.options import parse_options
from urpi.cli.referee_pipe import referee_lines
from urpi.club.web.table_state import parse_state
from urpi.config import load, read, rendering
from urpi.config.kinds import toml_text
from urpi.hardware import godice, pixels
from urpi.hardware.die_reports import FACES, Battery, Motion, numbers_of
from urpi.hardware.pins import parse_pins
from urpi.hardware.protocol import LineReader, parse_line
from urpi.hardware.recording import parse_recording
from urpi.http.operations import parse_body
from urpi.http.responses import json_bytes
from urpi.install.card import values
from urpi.install.card.packages import read_package
from urpi.journal import Journal, import_archive, import_record, stored_record, write_archive
from urpi.journal.fairness import parse_tally
from urpi.journal.fairness.fairness import judge
from urpi.link.protocol.line_checks import check_lines
from urpi.link.protocol.message_parsers import (
    parse_from_club,
    parse_from_table,
    parse_hello,
    parse_next,
    parse_online,
)
from urpi.link.remote.events import SharedMove, SharedResignation, SharedThrow
from urpi.link.remote.messages import Invited, Progress, Proposed, encode, parse_table_message
from urpi.page.actions import ANSWER, NEW_GAME, settings_schema
from urpi.page.sessions import PIN
from urpi.page.virtual_bodies import POSTINGS
from urpi.referee import Settings
from urpi.referee.lines import parse_decision, parse_fact
from urpi.rules import Side, parse_move, parse_position, parse_rules
from urpi.rules.record import check_record, parse_record, record_text
from urpi.rules.rgn import parse_rgn
from urpi.rules.royalur_json import parse_royalur_json

ROOT = Path(__file__).parents[1]
VECTORS = ROOT / "tests" / "vectors"
FACTS = (VECTORS / "clumsy-game.facts.jsonl").read_text("utf-8").splitlines()
DECISIONS = (VECTORS / "clumsy-game.decisions.jsonl").read_text("utf-8").splitlines()
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
RECORDED_THROW = (
    '{"type":"recording","recorded":"2026-11-27"}\n{"type":"die","die":1,"brand":"godice","faces":4}\n'
    '{"type":"message","t":40,"die":1,"data":"54 53 3d 01 16","shows":1}\n'
)
PINS = (ROOT / "wiring" / "pins.toml").read_text("utf-8")
ROW = {
    **dict.fromkeys(("games", "finished", "capped", "failed", "moves", "recognised"), 20),
    "rules": "finkel",
    "behaviour": "calm",
    "player": "random",
}
BRIEF = settings(deadline=None, suppress_health_check=list(HealthCheck))


def each_type(lines: list[str]) -> list[dict[str, Any]]:
    """Return the first line of each type."""
    found: dict[str, dict[str, Any]] = {}
    for line in map(json.loads, lines):
        found.setdefault(line["type"], line)
    return list(found.values())


@dataclass(frozen=True)
class Reader:
    """A reader of one JSON document, and valid documents."""

    name: str
    read: Callable[[bytes], object]
    documents: tuple[Any, ...]


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def from_file(reader: Callable[[Path], object]) -> Callable[[bytes], object]:
    """Return a reader of files that is given their content."""

    def read_it(data: bytes) -> object:
        with TemporaryDirectory() as folder:
            path = Path(folder, "file")
            path.write_bytes(data)
            return reader(path)

    return read_it


def body_of(schema: dict[str, Any]) -> Callable[[bytes], object]:
    return lambda data: parse_body(data, schema)


COUNTS = {"die": 2, "outcomes": ["g", "s", "-", "-"], "counts": [80, 78, 70, 72]}
REQUEST = {"position": "finkel - L7D7 L0D0 L", "faces": "gs--"}
BODIES = {
    "hand": {"hand": "lift", "from": "A1", "side": "light"},
    "throw": {"dice": [1, 2], "how": "cocked"},
    "switch": {"square": "A1", "fault": None},
    "players": {"light": "greedy", "dark": None},
    "move": {"move": "+A4"},
}
CLUB_KEY = "0123456789abcdef" * 2
CLUB_LINES = {
    "type": "lines",
    "format": 1,
    "game": 12,
    "key": CLUB_KEY,
    "before": CLUB_KEY,
    "first": 1,
    "count": 0,
    "names": {"light": "Ann"},
    "finished": "2026-11-20T20:00:00+01:00",
    "head": {
        "started": "2026-11-20T19:02:11+01:00",
        "program": "1.0.0",
        "rules": "finkel",
        "settings": {"still_ms": "150"},
    },
}
CLUB_OFFER = {"type": "offer", "format": 1, "offer": "a-1", "count": 0, "agreed": ["Ann"]}
CLUB_DIGEST = {
    "type": "digest",
    "format": 1,
    "offer": "a-1",
    "blocks": [{"first": 1, "last": 199, "checksum": "0" * 32}],
}
FROM_CLUB = (
    {"type": "ack", "format": 1, "key": CLUB_KEY, "lines": 3}
    | {"chain": CLUB_KEY, "finished": False, "stored": True},
    {"type": "compared", "format": 1, "offer": "a-1", "missing": [CLUB_KEY]},
    {"type": "rejected", "format": 1, "key": CLUB_KEY, "code": "forged", "text": "Line 3."},
)
NEXT_GAME = {"type": "next", "format": 1, "tournament": 3, "name": "Cup", "round": 2} | {
    "board": 1,
    "light": "Ann",
    "dark": "Zoë",
    "rules": "finkel[pieces=5]",
}
FROM_ANOTHER_TABLE = tuple(
    json.loads(encode(message))
    for message in (
        Invited(CLUB_KEY, "finkel", Side.LIGHT, "Ann", Side.DARK, "2026.11.20"),
        Proposed(CLUB_KEY, CLUB_KEY, "draw", 3),
        Progress(
            CLUB_KEY,
            3,
            CLUB_KEY,
            1,
            CLUB_KEY,
            (
                SharedThrow(Side.LIGHT, "gs--"),
                SharedMove(Side.LIGHT, "+A3", "sensed"),
                SharedResignation(Side.DARK),
            ),
        ),
    )
)
CLUB_STATE = {
    "type": "state",
    "format": 1,
    "at": "2026-11-20T19:02:11+01:00",
    "game": 3,
    "phase": "move",
    "turn": "light",
    "seats": {"light": "person", "dark": "person"},
    "position": str(parse_rules("finkel").start(Side.LIGHT)),
    "throw": {"faces": "gs--", "value": 2},
    "warning": None,
    "names": {"light": "Ann"},
    "last": {"t": 5, "type": "move", "side": "dark", "move": "+C1"},
}
CLUB_STATES = (
    CLUB_STATE,
    CLUB_STATE | {"phase": "over", "outcome": {"type": "won", "side": "dark", "code": "off"}},
)
READERS = (
    Reader("a fact", lambda data: parse_fact(text_of(data)), tuple(each_type(FACTS))),
    Reader("a decision", lambda data: parse_decision(text_of(data)), tuple(each_type(DECISIONS))),
    Reader(
        "a game of RoyalUr",
        lambda data: record_text(parse_royalur_json(text_of(data))),
        (royalur_game(), royalur_game(40)),
    ),
    Reader("a request of `urpi moves`", respond, (REQUEST,)),
    Reader("a die's counts", lambda data: parse_tally(text_of(data)), (COUNTS,)),
    Reader(
        "a file of counts",
        from_file(lambda path: judge(read_counts([path], None))),
        (COUNTS,),
    ),
    Reader("a row of figures", from_file(lambda path: markdown_tables(read_rows([path]))), (ROW,)),
    Reader("an answer from the page", body_of(ANSWER), ({"move": "+A4"}, {"takeback": True})),
    Reader("a new game from the page", body_of(NEW_GAME), ({"rules": "finkel", "options": {}},)),
    Reader("settings from the page", body_of(settings_schema()), ({"language": "en"},)),
    Reader(
        "a table's message to its club", parse_from_table, (CLUB_LINES, CLUB_OFFER, CLUB_DIGEST)
    ),
    Reader("a club's message to a table", parse_from_club, FROM_CLUB),
    Reader("a club's hello", parse_hello, ({"type": "hello", "format": 1, "run": "a"},)),
    Reader(
        "whether a table is online",
        parse_online,
        ({"type": "online", "format": 1, "online": True, "program": "1.0.0"},),
    ),
    Reader("a table's next game", parse_next, (NEXT_GAME,)),
    Reader("a message of another table", parse_table_message, FROM_ANOTHER_TABLE),
    Reader("a table's state", lambda data: json_bytes(parse_state(data).document()), CLUB_STATES),
    Reader(
        "a line for the club",
        lambda data: check_lines(1, [text_of(data)]),
        ({**each_type(FACTS)[0], "light": "", "dark": ""},),
    ),
    Reader("a PIN from the page", body_of(PIN), ({"pin": "123456"},)),
    *(
        Reader(
            f"an order for {posting.path}",
            lambda data, posting=posting: posting.order(parse_body(data, posting.schema)),
            (BODIES.get(posting.path.rpartition("/")[2], {"on": True, "side": "light"}),),
        )
        for posting in POSTINGS
    ),
)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
@given(data=st.data())
@BRIEF
def test_a_json_reader_accepts_or_rejects_in_one_line(reader: Reader, data: st.DataObject) -> None:
    document = data.draw(st.sampled_from(reader.documents))
    reads(reader.read, data.draw(inputs(document)))


@given(data=st.data())
@BRIEF
def test_the_referee_between_pipes(data: st.DataObject) -> None:
    """A whole stream in which some lines are changed, missing or exchanged."""
    lines = [line.encode() for line in FACTS[: data.draw(st.integers(1, 250))]]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(lines) - 1))
        lines[place] = data.draw(inputs(json.loads(FACTS[place])))
    facts = [text_of(line) for line in lines]
    reads(lambda found: referee_lines(found, StringIO(), Settings(lambda code, _: code)), facts)


@given(data=st.data())
@BRIEF
def test_a_configuration_of_any_values(data: st.DataObject) -> None:
    """Any value for any key, and unknown keys."""
    documents = {"table": {"rules": "finkel", "options": {}, "light": "Ann", "language": "en"}}
    documents |= {"hub": {"port": "/dev/x", "baud": 115200, "faces": {"d4": ["gold"] * 4}}}
    documents |= {"gpio": {"pins": {"A1": 4}, "chip": 0}, "page": {"listen": "off", "names": []}}
    found = data.draw(mutated(documents))
    if not isinstance(found, dict):
        return
    text = "".join(f"{toml_text(key)} = {toml_text(value)}\n" for key, value in found.items())
    reads(from_file(lambda path: read(path).config.journal), text.encode("utf-8", "replace"))


@given(data=spoilt(rendering.example_text()))
@BRIEF
def test_a_corrupted_configuration(data: bytes) -> None:
    reads(from_file(read), data)


@given(name=st.sampled_from(["TABLE_RULES", "TIMING_STILL_MS", "PAGE_LISTEN", "GPIO_PINS", "X"]),
       value=VALUES)  # fmt: skip
@example(name="TABLE_RULES", value=["9" * 4000])
@example(name="TABLE_RULES", value="finkel[pieces=" + "9" * 4000 + "]")
@example(name="TABLE_RULES", value="finkel[" + "9" * 4000)
@BRIEF
def test_the_environment(name: str, value: Any) -> None:
    reads(lambda environment: load(None, environment), {f"URPI_{name}": f"{value!s:.5000}"})


@given(data=spoilt(PINS))
@BRIEF
def test_a_corrupted_pin_map(data: bytes) -> None:
    reads(lambda found: parse_pins(found.decode("utf-8", "replace"), "pins.toml"), data)


@given(data=spoilt("$DIE,seq=17,die=2,st=settled,face=3,kind=4,n=41,t=123456*0000\n$ACK,seq=1*1\n"))
@example(b"\0" * 4000)
@BRIEF
def test_the_hubs_serial_line(data: bytes) -> None:
    reads(lambda found: LineReader().feed(found), data)
    for line in data.splitlines():
        reads(parse_line, line)


@given(data=st.binary(max_size=80) | spoilt("Bat\x4b") | spoilt("\x02\x06\x01")
       | st.binary(max_size=4).map(b"TS".__add__),
       faces=st.sampled_from(FACES), built=st.none() | st.integers(0, 2**32))  # fmt: skip
@BRIEF
def test_the_messages_of_bluetooth_dice(data: bytes, faces: int, built: int | None) -> None:
    """Newer firmware sends messages that this program does not know, without an error."""
    for report in (*pixels.parse(data, faces, built), *godice.parse(data, faces)):
        if isinstance(report, Motion) and report.value is not None:
            assert report.value in numbers_of(faces)
        if isinstance(report, Battery):
            assert report.percent in range(101)


@given(data=spoilt('[Rules Finkel]\n[Light "Ann"]\n\n1. A@A3 / C@C2\n2. 0 -- / C2C1 * C1B1#\n'))
@example(data=b"[Rules Finkel]\r\n\r\n1. A@A3" + b" / 0 -- 1. 0 --" * 4000)
@BRIEF
def test_a_game_in_rgn(data: bytes) -> None:
    reads(lambda text: record_text(parse_rgn(text)), data.decode("utf-8", "replace"))


@given(data=spoilt(RECORDED_THROW))
@BRIEF
def test_a_recording_of_dice(data: bytes) -> None:
    reads(lambda found: parse_recording(found.decode("utf-8", "replace")), data)


@given(
    parse=st.sampled_from([parse_position, parse_rules, parse_move]),
    data=st.sampled_from(["finkel A4:L,B4:D L6D6 L0D0 L", "murray[loop=own-first]", "A4-B1xC1+"])
    .flatmap(spoilt),
)  # fmt: skip
@BRIEF
def test_a_position_a_rule_set_and_a_move(parse: Callable[[str], object], data: bytes) -> None:
    reads(parse, data.decode("utf-8", "replace"))


@given(data=spoilt(KEY) | spoilt("Europe/Budapest") | spoilt("urpi") | spoilt("HU"))
# An error must not repeat a name of any length.
@example(data=b"\x80" * 100)
@BRIEF
def test_the_values_of_a_card(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    for parse in (
        *(values.parse_hostname, values.parse_user, values.parse_ssid, values.parse_country),
        *(values.parse_ssh_keys, lambda found: values.parse_time_zone(found, ())),
        lambda found: values.pre_shared_key("Ur", found),
    ):
        reads(parse, text)


@given(data=st.binary(max_size=300), at=st.integers(0, len(package_bytes())))
@BRIEF
def test_a_debian_package(data: bytes, at: int) -> None:
    whole = package_bytes()
    with TemporaryDirectory() as folder:
        file = Path(folder, "urpi.deb")
        file.write_bytes(whole[:at] + data + whole[at + len(data) :])
        reads(read_package, file)


@given(texts=st.lists(st.text(max_size=9), max_size=3))
@BRIEF
def test_house_rules_of_the_command_line(texts: list[str]) -> None:
    reads(parse_options, tuple(texts))


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], str]:
    """Return the lines of an archive of a short game, and its record."""
    written: list[str] = []
    with Journal.open(tmp_path_factory.mktemp("from") / "journal.db") as journal:
        store_game(journal, "ravensburger", seed=4, longest=8)
        write_archive(journal, [1], written.append, "1.0.0")
        record = record_text(stored_record(journal, 1))
    return "".join(written).splitlines(), record


@pytest.fixture
def journal(tmp_path: Path):
    with Journal.open(tmp_path / "to.db") as opened:
        opened.rows("PRAGMA synchronous = OFF")
        yield opened


@given(data=st.data())
@BRIEF
def test_an_archive(stored: tuple[list[str], str], journal: Journal, data: st.DataObject) -> None:
    """Values in its lines are changed, and its checksum is recalculated."""
    *lines, end = stored[0]
    encoded = [line.encode() for line in lines]
    for _ in range(data.draw(st.sampled_from([1, 1, 2]))):
        place = data.draw(st.integers(0, len(lines) - 1))
        encoded[place] = data.draw(inputs(json.loads(lines[place])))
    before = b"".join(line + b"\n" for line in encoded)
    seal = json.loads(end) | {"sha256": sha256(before).hexdigest()}
    last = json.dumps(data.draw(st.sampled_from([seal, seal, *map(seal.__or__, [{"games": []}])])))
    file = BytesIO(before + last.encode() + b"\n")
    games = len(journal.rows("SELECT id FROM games"))
    if not reads(lambda found: import_archive(journal, found, NOW), file):
        assert len(journal.rows("SELECT id FROM games")) == games


@given(data=st.data())
@BRIEF
def test_a_record(stored: tuple[list[str], str], journal: Journal, data: st.DataObject) -> None:
    text = data.draw(spoilt(stored[1])).decode("utf-8", "replace")
    reads(lambda found: check_record(parse_record(found)), text)
    reads(lambda found: import_record(journal, found, NOW, "1"), text)
