"""The sample: every mutation once, in proportion to the lines of files."""

from collections import Counter
from pathlib import Path

import pytest

from tests.mutation.__main__ import table_of
from tests.mutation.changes import drawn, shuffled, tree_of

LINES = {"long": 30, "middle": 10, "short": 1}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    # The order depends on the names.
    monkeypatch.chdir(tmp_path)
    paths = [Path(f"{name}.py") for name in LINES]
    for path in paths:
        lines = (f"name_{n} = {n}\n" for n in range(LINES[path.stem]))
        path.write_text("".join(lines), "utf-8")
    return paths


def test_each_mutation_is_drawn_once_in_the_same_order(files: list[Path]) -> None:
    found = [key for key, _ in drawn(files, seed=1)]
    assert Counter(found) == Counter(key for file in files for key, _ in shuffled(file, 1))
    assert found == [key for key, _ in drawn(files, seed=1)]
    assert found != [key for key, _ in drawn(files, seed=2)]


@pytest.mark.parametrize("seed", range(3))
def test_a_sample_has_mutations_in_proportion_to_lines(files: list[Path], seed: int) -> None:
    sample = [mutation.module_path.stem for _, mutation in drawn(files, seed)][:20]
    # 15 are expected.
    assert 12 <= sample.count("long") <= 18


def test_lines_added_to_one_file_leave_the_order_of_the_others(files: list[Path]) -> None:
    def others() -> list[str]:
        return [key for key, one in drawn(files, seed=1) if one.module_path != files[1]]

    before = others()
    files[1].write_text(files[1].read_text("utf-8") * 2, "utf-8")
    tree_of.cache_clear()
    assert others() == before


def test_the_report_has_a_line_for_each_package() -> None:
    counts = {"show": Counter(killed=7, survived=2), "http": Counter(justified=1)}
    assert table_of(counts).splitlines() == [
        "| package | mutants | killed | justified | survived |",
        "| --- | --- | --- | --- | --- |",
        "| `http` | 1 | 0 | 1 | 0 |",
        "| `show` | 9 | 7 | 0 | 2 |",
    ]
