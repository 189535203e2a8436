"""The comparison of a network with a table, on the table of a short game."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.engine.exact.made import made_table
from tools.train import calibration

# Numba compiles the kernels first, for half a minute of processor time.
pytestmark = pytest.mark.timeout(3600)


@pytest.mark.slow
def test_a_network_is_compared_with_a_small_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = made_table(tmp_path / "any.table", "finkel[pieces=3]")
    svg = tmp_path / "chart.svg"
    arguments = ["calibration", str(table), "--decisions", "300", "--svg", str(svg)]
    monkeypatch.setattr("sys.argv", arguments)
    calibration.main()
    found = json.loads(capsys.readouterr().out)
    assert found["rules"] == "finkel"
    assert found["decisions"] == 300
    assert found["positions"] >= 600, "a decision is between at least two moves"
    # The table's values have nothing to do with the game, but are between 0 and 1.
    assert 0.1 < found["mean_absolute_error"] < 0.6
    assert found["mean_absolute_error"] < found["p99_absolute_error"] <= 1
    assert 0.2 < found["best_move_chosen"] < 0.8
    assert 0.01 < found["mean_loss"] < 0.6
    root = ET.fromstring(svg.read_text("utf-8"))
    texts = ["".join(each.itertext()) for each in root.iter() if each.tag.endswith("text")]
    assert "finkel: exact values by the network's value" in texts
    assert sum(" to " in text and text.endswith(" %") for text in texts) >= 5


@pytest.mark.slow
def test_a_seed_repeats_the_positions(tmp_path: Path) -> None:
    table = made_table(tmp_path / "any.table", "finkel[pieces=3]")
    first, _ = calibration.figures(table, 100, seed=1)
    same, _ = calibration.figures(table, 100, seed=1)
    other, _ = calibration.figures(table, 100, seed=2)
    assert first == same
    assert first != other
