"""The whole tree of commands: data as JSON, lists with a limit and a file, an example for each."""

import json
import shlex
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.cli.running import call
from tests.journal.games import STARTED, store_game
from urpi.cli.main import cli
from urpi.core.moments import parse_moment
from urpi.journal import Journal, correct_game

WITHOUT_DATA = {
    "they act, ask or run until they are ended": {
        *("demo", "serve", "club demo", "club serve", "club join"),
        *("service install", "service remove", "update install"),
        *("tables install", "tables remove", "dice calibrate", "dice forget", "dice pair"),
        *("games anonymise", "games backup", "games correct", "games delete", "games import"),
        *("games prune", "games restore", "games set-aside", "club backup", "club restore"),
        *("club forget", "club install"),
        *(f"club tournament {act}" for act in ("add", "create", "bye", "delete", "pair")),
        *(f"club tournament {act}" for act in ("pair-by-hand", "remove")),
        *(f"club tournament {act}" for act in ("rename", "result", "table", "tables")),
        *(f"club tournament {act}" for act in ("unpair", "withdraw")),
        *("club user add", "club user password", "club user remove", "config check"),
        *("club player enter", "club player leave", "club player pin"),
    },
    "they write files of formats of their own": {
        *("card", "template", "solve", "dice record", "games export", "games picture", "picture"),
        *("club broker-files", "club export", "club tournament export", "config example"),
    },
    "they read and print JSON lines anyway": {"moves", "referee"},
}
"""The commands without --json, by the reason."""
LISTS = {
    *("rules", "tables list", "update list", "games list", "games corrections"),
    *("club tournament list", "club user list", "club player list"),
}


def leaves(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[str, click.Command]]:
    """Yield the path of every command that is no group."""
    if not isinstance(command, click.Group):
        yield " ".join(path), command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None, (*path, name)
        yield from leaves(inner, (*path, name))


COMMANDS = dict(leaves(cli))


def options_of(command: click.Command) -> set[str]:
    return {text for one in command.params for text in one.opts}


def test_every_command_that_prints_data_has_json() -> None:
    without = {path for path, one in COMMANDS.items() if "--json" not in options_of(one)}
    assert without == set().union(*WITHOUT_DATA.values())


@pytest.mark.parametrize("path", sorted(LISTS))
def test_every_list_has_a_limit_and_a_file(path: str) -> None:
    assert {"--json", "--limit", "--output"} <= options_of(COMMANDS[path])


def test_every_command_called_list_is_one() -> None:
    assert {path for path in COMMANDS if path.split()[-1] == "list"} <= LISTS


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with two games, of which one is corrected twice."""
    path = tmp_path_factory.mktemp("tree") / "journal.db"
    with Journal.open(path) as opened:
        for seed in (1, 2):
            store_game(opened, "blitz", seed=seed, longest=20)
        now = parse_moment(STARTED, "A time")
        correct_game(opened, 1, {"dark": "Bea", "note": "In the garden"}, "a typo", now)
    return path


@pytest.mark.parametrize(
    "words",
    [
        *("rules --json", "rules murray --json", "perft --depth 3 --json", "config show --json"),
        *("tables list --json", "tables check --json", "check-wiring --json"),
        "service status --json --root .",
        'evaluate "finkel - L7D7 L0D0 L" --json',
        *("games list --json", "games show 1 --json", "games corrections --json"),
        *("games stats --json", "games replay 1 --json", "games check --jobs 1 --json"),
        *("games dispute 1 --json", "games review 1 --json", "games figures --json"),
    ],
)
def test_json_parses(journal: Path, words: str) -> None:
    called = shlex.split(words)
    if called[0] == "games":
        called[1:1] = ["--journal", str(journal)]
    done = call(*called)
    assert not done.stderr or done.stderr[:1].isdigit(), done.stderr
    try:
        found = [json.loads(done.stdout)]
    except ValueError:
        found = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(isinstance(one, dict | list) for one in found)


def test_a_list_is_limited_and_written_to_a_file(journal: Path, tmp_path: Path) -> None:
    games = ("games", "--journal", str(journal), "list")
    both = call(*games, "--json").stdout.splitlines()
    assert [json.loads(line)["game"] for line in both] == [2, 1]
    assert call(*games, "--json", "--limit", "1").stdout.splitlines() == both[:1]
    text = call(*games, "--limit", "1").stdout
    assert [line.split()[0] for line in text.splitlines()] == ["GAME", "2"]
    for name, content in (("games.jsonl", "\n".join([*both, ""])), ("games.txt", None)):
        assert call(*games, "--output", str(tmp_path / name)).stdout == ""
        written = (tmp_path / name).read_text("utf-8")
        assert written == (content or call(*games).stdout)
    for words, sentence in (
        (("--output", "games.csv"), "must be .txt, .jsonl or .json; found .csv. Change it, or"),
        (("--json", "--output", "games.txt"), "is that of text, but json is chosen"),
        (("--limit", "0"), "'--limit'"),
    ):
        assert sentence in call(*games, *words).stderr


def numbers() -> Iterator[tuple[str, str]]:
    """Yield the commands and their whole numbers that have no greatest one."""
    for path, command in COMMANDS.items():
        for one in command.params:
            kind = one.type
            is_open = getattr(kind, "max", None) is None
            if isinstance(kind, click.types.IntParamType) and is_open and "demo" not in path:
                yield path, one.opts[0]


@pytest.mark.parametrize(("path", "option"), list(numbers()))
def test_no_number_is_too_great_for_a_command(
    path: str, option: str, journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command, greatest = COMMANDS[path], str(10**39)
    (inputs := tmp_path / "players.txt").write_text("Ann\n", "utf-8")
    words = ["games", "--journal", str(journal), *path.split()[1:]]
    words = words if path.startswith("games ") else path.split()
    for one in command.params:
        if (isinstance(one, click.Argument) and one.required) or one.opts[0] == option:
            words += [one.opts[0]] if isinstance(one, click.Option) else []
            words.append(greatest if one.opts[0] == option else str(inputs))
    done = call(*words)
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr


def example_of(command: click.Command) -> str:
    """The words after the name of the program, of the example in a command's help."""
    paragraphs = (" ".join(each.split()) for each in (command.help or "").split("\n\n"))
    (paragraph,) = [each for each in paragraphs if each.startswith("For example: ")]
    line = paragraph.removeprefix("For example: ").removeprefix("sudo ")
    # What follows is for the shell.
    return line.partition(" < ")[0].partition(" > ")[0].removeprefix("urpi ").removeprefix("urpi")


@pytest.mark.parametrize("path", COMMANDS)
def test_the_example_in_a_help_is_a_valid_call(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "players.txt").write_text("Ann\n", "utf-8")
    words = shlex.split(example_of(COMMANDS[path]))
    assert words[: len(path.split())] == path.split()
    # Parsed as far as the command's own function, which is not called.
    with CliRunner().isolation(input="y\n"), ExitStack() as opened:
        context = opened.enter_context(cli.make_context("urpi", words))
        while isinstance(context.command, click.Group):
            name, command, rest = context.command.resolve_command(
                context, [*context._protected_args, *context.args]
            )
            assert command is not None
            context = opened.enter_context(command.make_context(name, rest, parent=context))
    assert context.command is COMMANDS[path]
