"""`urpi demo` as a process, with a pipe or a pseudo-terminal."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner
from PIL import Image

from tests.cli.running import Running, call, running
from tests.waiting import wait_until
from urpi.cli.demo_page import has_screen
from urpi.cli.main import cli
from urpi.core.errors import UrpiError
from urpi.http.addresses import InterfaceAddress, interface_addresses
from urpi.journal import Journal
from urpi.journal.build_record import exported_record
from urpi.rules.record import check_record, parse_record, record_text

DEADLINE_S = 240.0
URPI = (sys.executable, "-c", "from urpi.cli.main import main; main()", "demo")
SHORT_GAME = ("--speed", "0", "--seed", "3", "--option", "pieces=3")
ENDGAME = ("--auto", "--speed", "0", "--seed", "3", "--position", "finkel[pieces=3] - L1D1 L2D2 L")


def typed(*lines: str) -> str:
    return "".join(line + "\n" for line in lines)


def demo(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a demo until it ends."""
    return subprocess.run(
        [*URPI, *words],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the journal of the automatic game below."""
    return tmp_path_factory.mktemp("auto")


@pytest.fixture(scope="module")
def auto(folder: Path) -> subprocess.CompletedProcess[str]:
    """Let two simulated players end a game, once for the tests below."""
    return demo(*ENDGAME, "--journal", str(folder / "games.db"))


@pytest.mark.slow
def test_an_automatic_game_prints_the_board_after_each_play(
    auto: subprocess.CompletedProcess[str],
) -> None:
    record = parse_record(auto.stdout[auto.stdout.index("[Rules") :])
    plays = [play for turn in record.turns for thrown in turn.throws for play in thrown.plays]
    boards = auto.stdout.count("    1   2   3   4   5   6   7   8\n")
    assert boards >= len(plays) > 10
    # The last board is that of the won game.
    light, dark = auto.stdout.split("off: L")[-1].split("\n")[0].split(" D")
    assert max(int(light), int(dark)) == 3


@pytest.mark.slow
def test_an_automatic_game_ends_with_its_record(auto: subprocess.CompletedProcess[str]) -> None:
    assert (auto.returncode, auto.stderr) == (0, "")
    assert auto.stdout.startswith("Game 1, finkel[pieces=3], seed 3; journal ")
    record = parse_record(auto.stdout[auto.stdout.index("[Rules") :])
    check_record(record)
    assert record.tag("Result") in {"light", "dark"}


@pytest.mark.slow
def test_the_printed_record_is_that_of_the_journal(
    auto: subprocess.CompletedProcess[str], folder: Path
) -> None:
    with Journal.open(folder / "games.db") as journal:
        record = exported_record(journal, 1)
    assert auto.stdout.endswith(record_text(record))


@pytest.mark.slow
def test_the_events_are_printed_in_words(
    auto: subprocess.CompletedProcess[str],
) -> None:
    assert "Light begins\n" in auto.stdout
    assert "Light throws 1 (-g--)\n" in auto.stdout


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[Running]:
    """Yield a terminal game whose dice always show the same faces."""
    table = ("--speed", "0", "--seed", "1", "--journal", str(tmp_path / "games.db"))
    with running("demo", "--terminal", *table) as typing:
        yield typing


def test_typed_commands_are_carried_out_at_the_table(hands: Running) -> None:
    hands.type(typed("throw", "throw", "throw", "legal"))
    assert hands.read_until("Dark throws") == "Dark throws 4 (sssg)"
    assert hands.read_until("+") == "+C1"
    hands.type(typed("move +C1"))
    assert hands.read_until("C1") == "Dark new to C1"
    hands.type(typed("quit"))
    assert hands.end() == 0


@pytest.mark.slow
def test_a_misplaced_piece_causes_a_warning_until_it_is_corrected(hands: Running) -> None:
    hands.type(typed("throw", "throw", "put a2 light"))
    assert hands.read_until("A2").endswith(".")
    hands.type(typed("restore", "throw", "legal"))
    assert hands.read_until("throws") == "Dark throws 4 (sssg)"


INVALID_COMMANDS = (
    ("dance", "Unknown command 'dance'; type help."),
    ("put", "'put' has missing or extra words; type help."),
    ("put A1", "'put A1' has missing or extra words; type help."),
    ("put A1 green", "'put A1 green' has missing or extra words; type help."),
    ("cock x", "'cock x' has missing or extra words; type help."),
    ("stick A4 loose", "'stick A4 loose' has missing or extra words; type help."),
    ("throw 1 2 3", "'throw 1 2 3' has missing or extra words; type help."),
    ("lift Z9", "Z9"),
    ("lift A1", "A1"),
    ("cock 9", "There is no die 9; the dice are 1, 2, 3, 4."),
    ("move +C1", "'+C1' is not a legal move now; the legal moves are: none."),
    ("press light loud", "A press must be short or long; found 'loud'."),
    ("help", "put every piece where it belongs"),
)


@pytest.fixture
def own_dice(tmp_path: Path) -> Iterator[Running]:
    """Yield a terminal game with ordinary dice."""
    table = ("--speed", "0", "--seed", "1", "--journal", str(tmp_path / "games.db"))
    with running("demo", "--terminal", "--dice", "hand", *table) as typing:
        yield typing


@pytest.mark.slow
def test_the_throws_of_ordinary_dice_are_typed(own_dice: Running) -> None:
    assert own_dice.read_until("hands") == (
        "You are the hands. Throw your own dice, and type what they show."
    )
    own_dice.type(typed("help"))
    commands = [own_dice.read_until(word) for word in ("move A4-A2", "2, A4-A2", "quit")]
    assert commands[1].endswith("answer what the display asks, with one of its choices")
    # There is nothing that these commands could throw.
    printed = "".join(own_dice.passed)
    assert not any(word in printed for word in ("throw the dice", "cock 2", "unplug"))
    own_dice.type(typed("2"))
    own_dice.type(typed("3"))
    assert own_dice.read_until("begins") == "Dark begins, 3:2"
    own_dice.type(typed("5"))
    assert own_dice.read_until("Unknown") == "Unknown command '5'; type help."
    own_dice.type(typed("4"))
    assert own_dice.read_until("throws") == "Dark throws 4 (gggg)"
    own_dice.type(typed("legal"))
    assert own_dice.read_until("+C") == "+C1"
    own_dice.type(typed("move +C1"))
    assert own_dice.read_until("C1") == "Dark new to C1"
    # C1 is a rosette: dark throws again.
    own_dice.type(typed("0"))
    assert own_dice.read_until("throws") == "Dark throws 0 (----)"
    own_dice.type(typed("quit"))
    assert own_dice.end() == 0


@pytest.mark.slow
def test_invalid_commands_are_reported_and_the_game_continues(hands: Running) -> None:
    for line, answer in INVALID_COMMANDS:
        hands.type(typed(line))
        hands.read_until(answer)
        hands.type(typed("legal"))
        hands.read_until("no legal move; use `throw`")


@pytest.mark.slow
def test_commands_for_hands_are_refused_after_auto(hands: Running) -> None:
    hands.type(typed("auto", "throw"))
    hands.read_until("Two simulated players are playing; quit or watch them.")
    hands.read_until("throws")
    hands.type(typed("quit"))
    assert hands.end() == 0


@pytest.mark.slow
def test_the_end_of_the_input_ends_the_game_after_the_last_command(tmp_path: Path) -> None:
    done = demo(
        "--terminal", *SHORT_GAME, "--journal", str(tmp_path / "games.db"), stdin="throw\nthrow"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Light begins" in done.stdout


@pytest.mark.slow
def test_every_different_picture_of_the_oled_is_saved(tmp_path: Path) -> None:
    places = ("--journal", str(tmp_path / "games.db"), "--oled-png", str(tmp_path / "a" / "b"))
    demo("--terminal", *SHORT_GAME, *places, stdin="throw\nthrow\n")

    paths = sorted((tmp_path / "a" / "b").iterdir())
    assert [path.name for path in paths[:2]] == ["0001.png", "0002.png"]
    pictures = []
    for path in paths:
        with Image.open(path) as picture:
            assert (picture.size, picture.mode) == ((128, 64), "1")
            pictures.append(picture.tobytes())
    assert len(pictures) > 8
    assert all(one != other for one, other in pairwise(pictures))


@pytest.mark.slow
def test_in_a_terminal_the_oled_is_redrawn_in_place(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    words = [*URPI, "--terminal", *SHORT_GAME, "--journal", str(tmp_path / "games.db")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=theirs) as process:
        os.close(theirs)
        assert process.stdin is not None
        process.stdin.write(b"throw\nthrow\n")
        process.stdin.close()
        shown = b"".join(iter(lambda: _read(ours), b"")).decode()
        assert process.wait(DEADLINE_S) == 0
    os.close(ours)
    *_, last = shown.split("\x1b[H")
    picture, _, below = last.partition("Light begins")
    assert len(picture.splitlines()) > 16
    assert "\x1b8" in below


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        # Linux raises this error when the other end has been closed.
        return b""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--rules chess", "There is no rule set 'chess'; the rule sets are finkel"),
        (
            "--rules freecompany",
            "In freecompany the players choose who begins; add --first light or",
        ),
        ("--rules bell --position finkel", "A position must be five words, RULES BOARD HANDS OFF"),
        ("--option pieces=9", "The option pieces of finkel must be 7 or 5 or 3; found '9'"),
        ("--journal {folder}/a-file/games.db", "The journal {folder}/a-file/games.db cannot be"),
        ("--oled-png {folder}/a-file", "The pictures cannot be saved in {folder}/a-file: "),
        ("--oled-png {folder}/a-file/in", "The pictures cannot be saved in {folder}/a-file/in: "),
    ],
)
def test_an_error_is_a_one_line_message(words: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    journal = ("--journal", str(tmp_path / "games.db"))
    done = call("demo", "--auto", *journal, *words.format(folder=tmp_path).split())
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(sentence.format(folder=tmp_path))
    assert done.stderr.endswith(".\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--speed", "-1"),
        ("--speed", "inf"),
        ("--speed", "nan"),
        ("--speed", "fast"),
        ("--wire", "can"),
        ("--player", "x"),
        ("--behaviour", "wild"),
        ("--first", "green"),
        ("--simulated", "me"),
        ("--listen", "nowhere"),
    ],
)
def test_an_invalid_option_is_reported_in_one_line(option: str, value: str) -> None:
    done = call("demo", "--auto", option, value)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert f"Invalid value for '{option}'" in done.stderr


@pytest.mark.slow
def test_a_game_begins_from_a_position_whose_rules_and_side_it_has(tmp_path: Path) -> None:
    position = "bell[pieces=3] A7:L,C7:D L0D0 L2D2 D"
    journal = ("--journal", str(tmp_path / "games.db"))
    done = demo("--auto", "--speed", "0", "--seed", "3", *journal, "--position", position)
    assert (done.returncode, done.stderr) == (0, "")
    record = parse_record(done.stdout[done.stdout.index("[Rules") :])
    check_record(record)
    assert record.tag("Rules") == "bell[pieces=3]"
    assert (record.tag("Position"), record.tag("Start")) == (position, "dark")
    assert record.tag("Result") in {"light", "dark"}


@pytest.mark.slow
def test_dice_with_bluetooth_show_the_same_game_as_those_with_a_hub(
    auto: subprocess.CompletedProcess[str], tmp_path: Path
) -> None:
    done = demo(*ENDGAME, "--dice", "pixels", "--journal", str(tmp_path / "games.db"))
    assert done.returncode == 0
    assert record_in(done.stdout) == record_in(auto.stdout)


def record_in(output: str) -> list[str]:
    """Return the lines of the record, after those that depend on time and place."""
    return [line for line in output.splitlines() if re.match(r"\d+\. ", line)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--auto --terminal", "use one of them"),
        ("--auto --listen 127.0.0.1:0", "--listen is for the page, and --auto has none"),
        ("--terminal --simulated both", "--simulated is for the page, and --terminal has none"),
        ("--auto --new-game", "--new-game is for the page"),
        ("--auto --dice pixels --wire pty", "--wire is for the hub, and --dice pixels needs none"),
    ],
)
def test_options_without_effect_are_refused(words: str, message: str) -> None:
    done = call("demo", *words.split())
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.fixture
def page(tmp_path: Path) -> Iterator[tuple[Running, str]]:
    """Yield a table on a page, and the page's URL."""
    table = ("--no-browser", "--listen", "127.0.0.1:0", "--journal", str(tmp_path / "games.db"))
    with running("demo", *table) as program:
        message = program.read_until("The virtual table is at")
        yield program, url_in(message)


def url_in(line: str) -> str:
    """Return the URL in the line that a demo prints, without the PIN."""
    return line.split()[5].partition("#")[0]


def response(url: str, body: object = None) -> dict[str, Any]:
    """Return the server's response to a GET, or to a POST of a body."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"Content-Type": "application/json"})
    with urlopen(request, timeout=DEADLINE_S) as answer:
        return json.load(answer)


def players_at(url: str) -> dict[str, str]:
    """Return who plays each side at the virtual table: hands, or a simulated player."""
    with urlopen(url + "api/events", timeout=DEADLINE_S) as events:
        event = ""
        for line in events:
            name, _, value = line.decode().partition(": ")
            if name == "event":
                event = value.strip()
            elif name == "data" and event == "table":
                players: dict[str, str] = json.loads(value)["players"]
                return players
    raise AssertionError


def test_the_table_is_a_page_by_default(page: tuple[Running, str]) -> None:
    program, url = page
    assert response(url + "api/state")["table"] == "virtual"
    program.process.send_signal(signal.SIGTERM)
    assert program.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "dark", "players"),
    [
        ("", "engine:easy", {"light": "hands", "dark": "simulated"}),
        pytest.param(
            "--dark engine:hard",
            "engine:hard",
            {"light": "hands", "dark": "simulated"},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "--light person", "person", {"light": "hands", "dark": "hands"}, marks=pytest.mark.slow
        ),
        pytest.param(
            "--simulated dark",
            "person",
            {"light": "hands", "dark": "simulated"},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "--simulated none",
            "person",
            {"light": "hands", "dark": "hands"},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "--player random",
            "person",
            {"light": "hands", "dark": "simulated"},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_engine_plays_dark_unless_another_partner_is_chosen(
    tmp_path: Path, words: str, dark: str, players: dict[str, str]
) -> None:
    table = ("--no-browser", "--listen", "127.0.0.1:0", "--journal", str(tmp_path / "games.db"))
    with running("demo", *table, *words.split()) as program:
        url = url_in(program.read_until("The virtual table is at"))
        wait_until(lambda: response(url + "api/state")["game"] == 1, "game 1")
        assert response(url + "api/state")["seats"] == {"light": "person", "dark": dark}
        wait_until(lambda: players_at(url) == players, "the players")


@pytest.mark.slow
def test_a_configured_seat_takes_the_place_of_the_default_partner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("URPI_TABLE_LIGHT_SEAT", "engine:best")
    table = ("--no-browser", "--listen", "127.0.0.1:0", "--journal", str(tmp_path / "games.db"))
    with running("demo", *table) as program:
        url = url_in(program.read_until("The virtual table is at"))
        wait_until(lambda: response(url + "api/state")["game"] == 1, "game 1")
        expected = {"light": "engine:best", "dark": "person"}
        assert response(url + "api/state")["seats"] == expected


@pytest.mark.slow
def test_on_the_page_the_next_start_continues_the_game(
    page: tuple[Running, str], tmp_path: Path
) -> None:
    program, url = page
    wait_until(lambda: response(url + "api/state")["game"] == 1, "game 1")
    program.process.send_signal(signal.SIGINT)
    assert program.end() == 0
    table = ("--no-browser", "--listen", "127.0.0.1:0", "--journal", str(tmp_path / "games.db"))
    with running("demo", *table) as again:
        url = url_in(again.read_until("The virtual table is at"))
        assert response(url + "api/state")["game"] == 1
    with running("demo", "--new-game", *table) as again:
        url = url_in(again.read_until("The virtual table is at"))
        wait_until(lambda: response(url + "api/state")["game"] == 2, "game 2")


@pytest.mark.slow
def test_the_printed_link_has_the_pin_and_a_proxy_s_url_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("URPI_PAGE_PUBLIC_URL", "https://ur.example.org/")
    table = ("--no-browser", "--listen", "127.0.0.1:0", "--journal", str(tmp_path / "games.db"))
    with running("demo", *table) as program:
        link = program.read_until("The virtual table is at").split()[5]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#pin=\d{6}", link)
        pin = link.partition("=")[2]
        assert f"(PIN {pin})" in program.read_until("To play on another device")
        assert program.read_until("#pin=").split() == [f"https://ur.example.org/#pin={pin}"]
        assert program.read_until("To watch").split()[-1] == "https://ur.example.org/"


@pytest.mark.slow
def test_a_table_for_the_network_prints_addresses_that_others_can_open(tmp_path: Path) -> None:
    table = ("--no-browser", "--listen", "0.0.0.0:0", "--journal", str(tmp_path / "games.db"))
    with running("demo", *table) as program:
        link = program.read_until("The virtual table is at").split()[5]
        port, pin = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#pin=(\d{6})", link).groups()
        links = [f"  http://{host}:{port}/#pin={pin} ({name})" for host, name in ipv4_addresses()]
        if not links:
            pytest.skip("this machine has no network")
        program.read_until("To play on another device")
        assert [program.read_until("#pin=").rstrip() for _ in links] == links
        assert response(links[0].split()[0].partition("#")[0] + "api/state")["may_act"] is False


def ipv4_addresses() -> list[InterfaceAddress]:
    return [one for one in interface_addresses() if ":" not in one.host]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--speed 0", "The page is played in real time"),
        ("--listen off", "The demo needs a page, and listen in [page] is off"),
    ],
)
def test_a_page_that_cannot_be_served_is_a_one_line_error(
    words: str, sentence: str, tmp_path: Path
) -> None:
    journal = ("--journal", str(tmp_path / "games.db"))
    done = call("demo", "--no-browser", *journal, *words.split())
    assert done.returncode == 2
    assert sentence in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there always is a screen")
@pytest.mark.parametrize(
    ("environ", "opens"),
    [
        ({}, False),
        ({"DISPLAY": ""}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "w"}, True),
    ],
)
def test_a_browser_is_opened_only_with_a_screen(environ, opens: bool) -> None:
    assert has_screen(environ) is opens


@pytest.mark.parametrize("option", ["--auto", "--simulated both", "--player random"])
def test_simulated_players_enter_no_throws_by_hand(tmp_path: Path, option: str) -> None:
    words = ("demo", "--dice", "hand", *option.split(), "--journal", str(tmp_path / "a.db"))
    done = CliRunner().invoke(cli, words)
    assert isinstance(done.exception, UrpiError)
    assert option.split(maxsplit=1)[0] in str(done.exception)
    assert "--dice hand" in str(done.exception)
    assert not (tmp_path / "a.db").exists()
