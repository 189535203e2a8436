"""The command line: its help, its errors and its exit status."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import click
import pytest

from tests.cli.running import call
from tests.each import each
from tests.slow import mostly_slow
from urpi.cli.groups import LazyGroup, summary
from urpi.cli.main import COMMANDS, cli, main
from urpi.core.errors import UrpiError
from urpi.rules import RULE_SETS

URPI = (sys.executable, "-c", "from urpi.cli.main import main; main()")
COMMANDS_PAGE = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"


def urpi(
    *words: str, stdout: int | IO[str] = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the program as a process of its own."""
    return subprocess.run(
        [*URPI, *words],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
        text=True,
        check=False,
    )


RUN_S = 240.0
"""Longest time that a command may take on a busy machine, also one that should not begin."""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("rules chess", "There is no rule set 'chess'; the rule sets are finkel"),
        (
            "rules finkel --option pieces=6",
            "The option pieces of finkel must be 7 or 5 or 3; found '6'",
        ),
        (
            "perft --option pieces",
            "A house rule must be NAME=VALUE, each given once; found 'pieces'",
        ),
        (
            "config check no-such.toml",
            "The configuration no-such.toml cannot be read: No such file",
        ),
        ("--config no-such.toml config show", "The configuration no-such.toml cannot be read"),
        (f"club restore --yes {'x' * 300}", f"The name {'x' * 60}… is too long for a file; give"),
        (f"card {'x' * 300}", "The name"),
    ],
)
def test_an_error_is_a_one_line_message_on_standard_error(words: str, sentence: str) -> None:
    ended = call(*words.split())
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.startswith(sentence)
    assert ended.stderr.endswith(".\n")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("missing", "driver"),
    mostly_slow(
        [
            ("luma", "sh1106"),
            pytest.param("gpiozero", "none", marks=pytest.mark.slow),
            ("uvicorn", "none"),
            pytest.param("starlette", "none", marks=pytest.mark.slow),
            pytest.param("segno", "none", marks=pytest.mark.slow),
            pytest.param("ifaddr", "none", marks=pytest.mark.slow),
            ("serial", "none"),
            pytest.param("PIL", "none", marks=pytest.mark.slow),
        ],
        1,
    ),
)
def test_a_missing_module_is_a_one_line_error(missing: str, driver: str, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        f"[gpio]\nfactory = 'mock'\n[oled]\ndriver = '{driver}'\n"
        f"[journal]\npath = '{tmp_path}/journal.db'\n"
    )
    ended = without(missing, "--config", str(config), "serve")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        f"The Python module {missing} is missing; install urpi again, as a Debian package or "
        "with pip, which installs the libraries that it needs.\n"
    )
    assert list(tmp_path.iterdir()) == [config]


def test_the_doctor_reports_the_package_of_a_missing_module() -> None:
    assert "luma.oled" in without("luma", "doctor").stdout


def without(missing: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program as on a machine without a module."""
    code = f"import sys; sys.modules[{missing!r}] = None; from urpi.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=RUN_S,
    )


@pytest.mark.parametrize(
    "words", ["nonsense", "--nonsense", "perft --depth soon", "perft --depth 0"]
)
def test_an_invalid_call_exits_with_status_2(words: str) -> None:
    ended = call(*words.split())
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stderr.endswith("--help`.\n")


def leaves(group: click.Group, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from leaves(command, *path, name)
        else:
            yield (*path, name), command


def wrong_words(command: click.Command) -> Iterator[tuple[str, ...]]:
    """Yield invalid words for every parameter of a command, and for the command itself."""
    needed = sum(isinstance(each, click.Argument) and each.required for each in command.params)
    yield ("--no-such-option",)
    if needed:
        yield ()
    if not any(isinstance(each, click.Argument) and each.nargs < 0 for each in command.params):
        # Without --yes, click asks for a confirmation before it notices more arguments.
        confirmed = ("--yes",) if "yes" in {each.name for each in command.params} else ()
        yield (*confirmed, *("1",) * (len(command.params) + 1))
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            option = parameter.opts[0]
            if parameter.is_flag:
                yield (f"{option}=maybe",)
                continue
            yield (option,)
            if isinstance(parameter.type, click.Choice | click.types.IntParamType):
                yield (option, "not one\nof these")
            if isinstance(parameter.type, click.IntRange | click.FloatRange):
                yield (option, "-1e999")
        elif isinstance(parameter.type, click.types.IntParamType):
            yield ("soon",) * needed


@pytest.mark.parametrize(
    ("path", "command"), [pytest.param(*leaf, id=" ".join(leaf[0])) for leaf in leaves(cli)]
)
def test_every_invalid_call_of_every_command_is_a_one_line_error(
    path: tuple[str, ...],
    command: click.Command,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    # Without the journal of whoever runs the tests, which would make some of the calls valid.
    monkeypatch.setenv("HOME", str(tmp_path))
    for words in wrong_words(command):
        monkeypatch.setattr(sys, "argv", ["urpi", *path, *words])
        with pytest.raises(SystemExit) as caught:
            main()
        output, errors = capsys.readouterr()
        assert (caught.value.code, output) == (2, ""), words
        assert errors.endswith(".\n"), errors
        assert len(errors.splitlines()) == 1, errors


@pytest.mark.parametrize(
    "words",
    mostly_slow(
        ["club tournament delete 1", "club tournament unpair 1", "club restore copy.dump"], 1
    ),
)
def test_a_question_without_an_answer_is_a_one_line_error(words: str, tmp_path: Path) -> None:
    (tmp_path / "copy.dump").write_text("")
    ended = urpi(*words.replace("copy.dump", str(tmp_path / "copy.dump")).split())
    assert ended.returncode == 2
    (line,) = ended.stderr.splitlines()
    assert line.startswith("The input has ended before the question was answered; run")


def test_a_closed_pipe_ends_the_program_without_a_message() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = urpi("config", "example", stdout=writing)
    os.close(writing)
    assert ended.returncode == 1
    assert ended.stderr == ""


@pytest.mark.parametrize(
    "words", mostly_slow(["rules", "rules finkel", "--help", "config example"], 2)
)
def test_an_output_to_a_full_disk_is_a_one_line_error(words: str) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full, which this system does not have")
    with full.open("w") as output:
        ended = urpi(*words.split(), stdout=output)
    assert ended.returncode == 2
    assert ended.stderr == (
        "The output cannot be written: No space left on device; write it elsewhere.\n"
    )


def test_a_closed_standard_output_is_not_an_error() -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *URPI, "rules"]
    ended = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_characters_missing_in_the_encoding_are_escaped(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[table]\nlight = "Ольга"\n', encoding="utf-8")
    shown = urpi("--config", str(config), "config", "show", PYTHONIOENCODING="latin-1:strict")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert r'light = "\u041e\u043b\u044c\u0433\u0430"' in shown.stdout


def test_a_command_sets_the_exit_status(tmp_path: Path) -> None:
    assert urpi("service", "status", "--root", str(tmp_path)).returncode == 0
    assert urpi("service", "status").returncode == 1


def test_the_version_is_printed() -> None:
    assert urpi("--version").stdout.startswith("urpi, version ")


def test_the_help_lists_every_command() -> None:
    listed = call("--help").stdout
    for name, about in COMMANDS.items():
        assert f"  {name} " in listed
        assert " ".join(about.split()[:3]) in listed


@each("name", COMMANDS)
def test_the_help_of_a_group_truncates_no_sentence(name: str) -> None:
    assert "..." not in call(name, "--help").stdout.partition("\nCommands:\n")[2]


def paths_of(group: click.Group, name: str) -> list[str]:
    """Return the words of a command and of all its subcommands."""
    command = group.get_command(click.Context(group), name)
    assert command is not None, name
    inner = (
        command.list_commands(click.Context(command)) if isinstance(command, click.Group) else []
    )
    return [f"urpi {name} {word}" for word in inner] or [f"urpi {name}"]


def inner_commands(command: click.Command) -> list[click.Command]:
    """Import and return the commands of a group."""
    if not isinstance(command, click.Group):
        return []
    context = click.Context(command)
    found = [command.get_command(context, name) for name in command.list_commands(context)]
    return [each for each in found if each is not None]


def lazy_groups() -> list[LazyGroup]:
    assert isinstance(cli, LazyGroup)
    return [cli, *(one for one in inner_commands(cli) if isinstance(one, LazyGroup))]


@pytest.mark.parametrize("group", lazy_groups(), ids=lambda group: group.name)
def test_the_summary_of_a_command_is_the_first_paragraph_of_its_help(group) -> None:
    context = click.Context(group)
    if group is not cli:
        assert {name: one.summary for name, one in group.lazy.items()} == {
            name: summary(group.get_command(context, name)) for name in group.lazy
        }
    for name in group.lazy:
        command = group.get_command(context, name)
        assert command is not None
        assert command.name == name


@each("name", COMMANDS)
def test_every_command_is_explained_in_the_docs(name: str) -> None:
    assert isinstance(cli, click.Group)
    page = COMMANDS_PAGE.read_text()
    assert f"\n## urpi {name}\n" in page
    assert [path for path in paths_of(cli, name) if path not in page] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_of_a_mistyped_command_the_nearest_is_named(name: str) -> None:
    typed = name[:1] + name[2:] + name[1:2]
    assert f"No such command '{typed}'. (Did you mean '{name}'?); see" in call(typed).stderr


def test_a_mistyped_option_is_not_taken_for_a_command() -> None:
    assert "No such option" in call("--games").stderr
    assert "Did you mean" not in call("xyzzy").stderr
    assert "(Did you mean 'list'?); see `urpi games --help`." in call("games", "lst").stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_the_docs_contain_every_option_of_a_command(name: str) -> None:
    assert isinstance(cli, click.Group)
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    inner = [command, *inner_commands(command)]
    options = [
        o for one in inner for p in one.params if isinstance(p, click.Option) for o in p.opts
    ]
    section = COMMANDS_PAGE.read_text().split(f"\n## urpi {name}\n")[1].split("\n## ")[0]
    assert [option for option in options if f"`{option}" not in section] == []


def test_every_rule_set_is_listed() -> None:
    lines = call("rules").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(RULE_SETS)


@pytest.mark.parametrize(
    "error",
    [
        UrpiError("There is no a\nb\x1b[31m."),
        click.UsageError("There is no a\x1b[31m."),
        PermissionError(errno.EACCES, "Permission denied", "a\nb\x1b[31m"),
        OSError(errno.ENAMETOOLONG, "File name too long", "a\nb\x1b[31m"),
        OSError(errno.ELOOP, "Too many levels of symbolic links", b"a\nb\x1b[31m\xff"),
    ],
    ids=repr,
)
def test_an_error_is_one_line_whatever_name_it_contains(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(SystemExit) as end:
        main(click.Command("fail", callback=fail))
    assert end.value.code == 2
    printed = capsys.readouterr().err
    assert printed.endswith(".\n")
    assert printed[:-1].isprintable(), printed
