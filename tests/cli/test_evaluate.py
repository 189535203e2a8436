"""`urpi evaluate`, `urpi solve` and `urpi tables`, with a real table of a short game."""

import errno
import fcntl
import json
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest
from click.testing import CliRunner, Result

from tests.engine.exact.made import made_table
from urpi.cli.main import cli
from urpi.core.errors import UrpiError

RULES = "finkel[pieces=3]"
SOLVE = ("solve", "--option", "pieces=3")


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """Return a folder whose journal has a table beside it, and the result of building it."""
    folder = tmp_path_factory.mktemp("solved")
    return folder, run(folder, *SOLVE)


def run(folder: Path, *arguments: str, text: str = "") -> Result:
    """Run a command with a journal in the folder."""
    config = folder / "urpi.toml"
    config.write_text(f'[journal]\npath = "{folder}/journal.db"\n')
    runner = CliRunner()
    return runner.invoke(cli, ["--config", str(config), *arguments], input=text)


@pytest.mark.slow
def test_a_table_is_built_and_installed(solved: tuple[Path, Result]) -> None:
    folder, result = solved
    assert "side to throw: 0.516201102238\n" in result.stdout
    assert [file.name for file in (folder / "tables").iterdir() if file.suffix == ".table"] == [
        "finkel-pieces-3.table"
    ]
    assert not list(folder.glob("tables/*.work")), "the checkpoint is removed"


@pytest.mark.slow
def test_positions_are_answered_with_values_and_moves(solved: tuple[Path, Result]) -> None:
    requests = [
        {"position": f"{RULES} A1:L,B2:D,C1:D L2D1 L0D0 L", "faces": "g-s-"},
        {"position": f"{RULES} - L3D3 L0D0 D"},
        {"position": f"{RULES} - L3D3 L0D0 D", "faces": "----"},
        {"position": "finkel - L7D7 L0D0 L"},
        {"position": f"{RULES} - L0D3 L3D0 ="},
        {"position": f"{RULES} - L3D3 L0D0 L", "faces": 4},
        [],
    ]
    text = "".join(f"{json.dumps(each)}\n" for each in requests)
    result = run(solved[0], "evaluate", "--evaluator", "exact", text=text)
    moves, start, passed, *errors = (json.loads(line) for line in result.stdout.splitlines())
    assert (moves["by"], moves["value"]) == ("exact", pytest.approx(0.46371, abs=1e-5))
    assert [each["move"] for each in moves["moves"]] == ["A1xB2", "+A3"]
    assert moves["moves"][0]["value"] == pytest.approx(0.48528, abs=1e-5)
    assert start == {"value": pytest.approx(0.516201, abs=1e-5), "by": "exact"}
    assert passed["moves"] == [{"move": "pass", "value": pytest.approx(0.483799, abs=1e-5)}]
    for error, named in zip(
        errors,
        (
            "No table of exact values for finkel is installed",
            "The game is over",
            "'faces' with a text",
            "JSON object",
        ),
        strict=True,
    ):
        assert named in error["error"]


@pytest.mark.slow
def test_a_position_is_printed_with_its_throws_and_moves(solved: tuple[Path, Result]) -> None:
    position = f"{RULES} A1:L,B2:D,C1:D L2D1 L0D0 L"
    result = run(solved[0], "evaluate", position, "--faces", "g-s-")
    first, _, *throws = result.stdout.splitlines()
    assert first == "Light to throw wins 46.4%, exact."
    assert throws[0].split() == ["THROW", "FACES", "CHANCE", "BEST", "MOVE", "WINS", "LUCK"]
    assert [line.split()[:2] for line in throws[1:6]] == [
        ["0", "----"], ["1", "g---"], ["2", "gg--"], ["3", "ggg-"], ["4", "gggg"]
    ]  # fmt: skip
    assert throws[3].split()[3:] == ["A1xB2", "48.5%", "+2.2%"]
    assert [line.split() for line in throws[7:]] == [
        ["MOVE", "WITH", "g-s-", "WINS", "GIVES", "AWAY"],
        ["A1xB2", "48.5%", "0.0%"],
        ["+A3", "44.0%", "4.6%"],
    ]


def test_a_position_as_json_has_the_values_of_its_line_with_two_plies(tmp_path: Path) -> None:
    for request in (
        {"position": "finkel A4:L,B2:D L6D6 L0D0 L", "faces": "g-s-"},
        {"position": "freecompany - L7D7 L0D0 D", "faces": "gs"},
        {"position": "murray - L7D7 L0D0 D", "faces": None},
    ):
        faces = () if request["faces"] is None else ("--faces", request["faces"])
        result = run(tmp_path, "evaluate", str(request["position"]), *faces, "--json")
        found = json.loads(result.stdout)
        line = json.dumps({key: value for key, value in request.items() if value})
        lines = run(tmp_path, "evaluate", "--plies", "2", text=f"{line}\n").stdout
        assert {**found, **request, **json.loads(lines)} == found
        assert {"faces", "value", "chance", "best", "after", "luck"} == set(found["throws"][0])


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("finkel - L7D7",), "must be five words"),
        (("finkel - L0D7 L7D0 =",), "The game is over"),
        (("finkel - L7D7 L0D0 L", "--faces", "77"), "cannot show '77'"),
        (("--faces", "g---"), "need a POSITION"),
        (("--json",), "need a POSITION"),
    ],
)
def test_what_cannot_be_evaluated_is_one_error(
    arguments: tuple[str, ...], named: str, tmp_path: Path
) -> None:
    error = run(tmp_path, "evaluate", *arguments).exception
    assert isinstance(error, UrpiError)
    assert named in str(error)
    assert "\n" not in str(error)


@pytest.mark.slow
def test_tables_are_listed_checked_installed_and_removed(
    solved: tuple[Path, Result], tmp_path: Path
) -> None:
    table = solved[0] / "tables" / "finkel-pieces-3.table"
    line = f"{RULES}: 263,121 positions, 0.5 MB, start 0.516201102"
    assert run(solved[0], "tables", "list").output == f"{line}\n"
    assert run(tmp_path, "tables", "list").output == ""
    assert run(tmp_path, "tables", "install", str(table)).output == (
        f"Installed the table for {RULES}.\n"
    )
    assert run(tmp_path, "tables", "check").output == f"{line}, checksum correct\n"
    assert run(tmp_path, "tables", "remove", "--option", "pieces=3").exit_code == 0
    assert run(tmp_path, "tables", "list").output == ""


@pytest.mark.slow
def test_a_file_is_written_on_request(tmp_path: Path) -> None:
    file = tmp_path / "here.table"
    result = run(tmp_path, *SOLVE, "--output", str(file))
    assert result.exit_code == 0
    assert run(tmp_path, "tables", "check", str(file)).exit_code == 0
    assert run(tmp_path, "tables", "list").output == ""


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("solve", "--rules", "murray"), "There are no tables of exact values for murray"),
        (("tables", "remove"), "No table of exact values for finkel is installed"),
        (("tables", "install", "missing"), "The table of exact values missing cannot be read"),
    ],
)
def test_what_is_impossible_is_one_error(
    arguments: tuple[str, ...], named: str, tmp_path: Path
) -> None:
    error = run(tmp_path, *arguments).exception
    assert isinstance(error, UrpiError)
    assert named in str(error)
    assert "\n" not in str(error)


def test_too_little_memory_is_reported_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("urpi.cli.solve._available_memory", lambda: 10**6)
    error = run(tmp_path, *SOLVE).exception
    assert re.match(r"Solving needs [0-9,]+ MB of memory; 1 MB are available", str(error))
    assert list((tmp_path / "tables").iterdir()) == []


def test_too_little_disk_space_is_reported_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=10**6)
    monkeypatch.setattr("urpi.cli.solve.shutil.disk_usage", lambda _: usage)
    error = run(tmp_path, *SOLVE).exception
    assert "Solving needs 3 MB of disk space in" in str(error)
    assert "1 MB are available" in str(error)
    assert list((tmp_path / "tables").iterdir()) == []


@pytest.mark.slow
def test_a_disk_that_fills_up_leaves_no_partial_table_and_loses_no_layer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("urpi.engine.exact.values.write", fail)
        error = run(tmp_path, *SOLVE).exception
    assert "cannot be written: No space left on device" in str(error)
    work = tmp_path / "tables" / "finkel-pieces-3.table.work"
    assert list((tmp_path / "tables").iterdir()) == [work]
    assert len(json.loads((work / "layers.json").read_text())["layers"]) == 6
    assert run(tmp_path, *SOLVE).exit_code == 0


def test_a_table_that_another_process_builds_is_in_use(tmp_path: Path) -> None:
    work = tmp_path / "tables" / "finkel-pieces-3.table.work"
    work.mkdir(parents=True)
    with (work / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        error = run(tmp_path, *SOLVE).exception
    assert isinstance(error, UrpiError)
    assert "finkel-pieces-3.table is in use: another process is building it" in str(error)
    assert [each.name for each in work.iterdir()] == ["lock"]


KILLED_AT_THE_THIRD_LAYER = """
import os, signal
from urpi.cli.main import main
from urpi.engine.solver.solving import Checkpoint

store = Checkpoint.store

def killed(checkpoint, *arguments):
    if len(checkpoint.layers) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    store(checkpoint, *arguments)

Checkpoint.store = killed
main()
"""


@pytest.mark.slow
def test_a_killed_computation_continues_with_its_layers(tmp_path: Path) -> None:
    (tmp_path / "urpi.toml").write_text("")
    file = tmp_path / "here.table"
    command = ("--config", str(tmp_path / "urpi.toml"), *SOLVE, "--output", str(file))
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_AT_THE_THIRD_LAYER, *command],
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert not file.exists()
    stored = tmp_path / "here.table.work" / "layers.json"
    assert len(json.loads(stored.read_text())["layers"]) == 2
    result = run(tmp_path, *SOLVE, "--output", str(file))
    assert result.exit_code == 0
    assert "side to throw: 0.516201102238\n" in result.stdout
    assert [each.name for each in tmp_path.iterdir() if "here" in each.name] == ["here.table"]


def test_missing_libraries_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    error = run(tmp_path, *SOLVE).exception
    assert "install it with: `pip install 'urpi[solve]'`" in str(error)


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """Return a folder whose journal has a damaged table beside it."""
    (tmp_path / "tables").mkdir()
    table = made_table(tmp_path / "tables" / "finkel-pieces-3.table", RULES)
    table.write_bytes(table.read_bytes()[:-2] + b"\x01\x02")
    return tmp_path


START = json.dumps({"position": f"{RULES} - L3D3 L0D0 L", "faces": "gs--"}) + "\n"


def test_a_changed_table_is_an_error_of_the_request(damaged: Path) -> None:
    response = json.loads(run(damaged, "evaluate", "--evaluator", "exact", text=START).stdout)
    assert "wrong checksum" in response["error"]


def test_the_network_replaces_a_damaged_table(damaged: Path) -> None:
    result = run(damaged, "evaluate", text=START * 2)
    assert [json.loads(line)["by"] for line in result.stdout.splitlines()] == ["network"] * 2
    assert result.stderr.count("finkel-pieces-3.table have changed: wrong checksum") == 1
    assert "The network is used instead." in result.stderr


@pytest.mark.slow
def test_the_best_evaluator_is_the_table(solved: tuple[Path, Result]) -> None:
    by = {
        choice: json.loads(run(solved[0], "evaluate", "--evaluator", choice, text=START).stdout)
        for choice in ("best", "exact", "network")
    }
    assert by["best"] == by["exact"] != by["network"]
    assert (by["exact"]["by"], by["network"]["by"]) == ("exact", "network")
    assert by["network"]["value"] == pytest.approx(by["exact"]["value"], abs=0.1)


@pytest.mark.slow
def test_two_plies_of_exact_values_are_the_same(solved: tuple[Path, Result]) -> None:
    one, two = (
        json.loads(run(solved[0], "evaluate", "--plies", plies, text=START).stdout)
        for plies in ("1", "2")
    )
    assert two["value"] == pytest.approx(one["value"], abs=1e-4)
    assert [each["move"] for each in two["moves"]] == [each["move"] for each in one["moves"]]


def test_an_unknown_evaluator_is_one_error(tmp_path: Path) -> None:
    result = run(tmp_path, "evaluate", "--evaluator", "oracle", text=START)
    assert result.exit_code == 2
    assert "'oracle' is not one of 'best', 'exact', 'network'" in result.output
