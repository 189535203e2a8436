"""`urpi games review`."""

import json
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.journal.games import store_game
from urpi.cli.main import cli
from urpi.core.errors import UrpiError
from urpi.journal import Journal, entries_of
from urpi.page.documents.replay import frames_of
from urpi.show.review_report.page import HEIGHT
from urpi.show.words import words_for


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal with a game of finkel with take-backs, and one that has just begun."""
    path = tmp_path_factory.mktemp("stored") / "journal.db"
    with Journal.open(path) as journal:
        store_game(journal, "finkel", seed=1)
        opening = '{"t":0,"type":"game","rules":"murray","options":{},"light":"<b>Eve","dark":""}'
        journal.new_game(opening, "2026-11-21T02:00:00+05:00", "1.0.0", {})
    return path


@pytest.fixture
def path(stored: Path, tmp_path: Path) -> Path:
    return shutil.copy(stored, tmp_path / "journal.db")


def run(path: Path, *words: str) -> Result:
    arguments = ["games", "--journal", str(path), "review", *words]
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


def test_a_review_names_its_source_and_what_decided_the_game(path: Path) -> None:
    lines = run(path, "1", "--evaluator", "network").output.splitlines()
    assert lines[0].startswith("1. Ann \N{EN DASH} Zoë, Finkel, four dice, ")
    assert lines[1] == "All values are estimated by a network."
    assert re.search(r"decided|more luck|from the beginning", lines[3])
    assert any(re.match(r"Mistakes +\d+ \(\d+ \+ \d+ \+ \d+\)", line) for line in lines)
    heading = next(at for at, line in enumerate(lines) if line.startswith("TURN"))
    assert re.match(r" +1 +(Light|Dark) +\d +\S+ +\d+\.\d% ", lines[heading + 1])


def test_the_printed_values_add_up(path: Path) -> None:
    found = json.loads(run(path, "1", "--json", "--evaluator", "network").output)
    light, dark = found["totals"]["light"], found["totals"]["dark"]
    changes = light["luck"] - light["loss"] - dark["luck"] + dark["loss"] + found["ending"]
    assert found["result"] - found["start"] == pytest.approx(changes, abs=1e-5)
    assert found["by"] == "estimated"
    assert (found["light"], found["dark"]) == ("Ann", "Zoë")


@pytest.mark.slow
def test_each_throw_has_its_steps_of_the_replay(path: Path) -> None:
    found = json.loads(run(path, "1", "--json", "--evaluator", "network").output)
    with Journal.open(path) as journal:
        frames = frames_of(entries_of(journal, 1), words_for("en"))
    assert any(frame.kind == "back" for frame in frames)
    for thrown in found["throws"]:
        rolled, moved = (frames[thrown["steps"][each]] for each in ("throw", "move"))
        assert rolled.throw is not None
        assert (rolled.kind, rolled.throw.faces) == ("roll", thrown["faces"])
        assert (moved.kind, moved.move) == ("move", thrown["move"])


def test_a_game_without_throws_is_reviewed_too(path: Path) -> None:
    assert "No result." in run(path, "2").output
    assert json.loads(run(path, "2", "--json").output)["throws"] == []


def test_a_review_is_written_as_a_page_in_any_language(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "review.html"
    for game in ("1", "2"):
        assert run(path, game, "--html", str(file), "--language", "hu").output == ""
        page = file.read_text("utf-8")
        assert '<html lang="hu">' in page
        assert "<script" not in page
        assert "<b>" not in page
        assert "src=" not in page
        for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
            ET.fromstring(picture)


@pytest.mark.slow
def test_the_curve_of_a_page_lies_between_the_lines_of_0_and_100_percent(
    path: Path, tmp_path: Path
) -> None:
    file = tmp_path / "review.html"
    run(path, "1", "--html", str(file), "--evaluator", "network")
    drawn = re.findall(r"<svg.*?</svg>", file.read_text("utf-8"), re.DOTALL)
    (curve,) = (one for one in map(ET.fromstring, drawn) if one.get("class") == "curve")
    top, _even, bottom = sorted(float(line.attrib["y1"]) for line in curve.iter("line"))
    assert 0 < top < bottom < HEIGHT
    (values,) = curve.iter("polyline")
    heights = [float(point.partition(",")[2]) for point in values.attrib["points"].split()]
    heights += [float(mistake.attrib["cy"]) for mistake in curve.iter("circle")]
    assert top <= min(heights) < max(heights) <= bottom


@pytest.mark.slow
def test_the_progress_is_reported_in_lines(path: Path) -> None:
    result = run(path, "1", "--json", "--progress", "--evaluator", "network")
    throws = len(json.loads(result.stdout)["throws"])
    assert result.stderr.splitlines() == [f"{n}/{throws}" for n in range(1, throws + 1)]


def test_exact_values_need_a_table(path: Path, tmp_path: Path) -> None:
    words = ("1", "--evaluator", "exact", "--tables", str(tmp_path))
    with pytest.raises(UrpiError, match="No table of exact values for finkel is installed"):
        run(path, *words)


def test_an_unknown_game_is_named(path: Path) -> None:
    with pytest.raises(UrpiError, match="no game 7"):
        run(path, "7")
