"""What LibreOffice of Debian 13 reads of the tables of games that are exported.

It is unpacked into a stored root directory of its own (440 MB, `tests.deb.roots`), not installed.
"""

import csv
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.deb.roots import extracted
from tests.journal.games import store_game
from tests.journal.test_rows import HOSTILE, written
from urpi.journal import Journal
from urpi.journal.formats import Rows, write_games
from urpi.journal.rows import RowForm

pytestmark = pytest.mark.xdist_group("spreadsheet")
PACKAGE, SUITE = "libreoffice-calc-nogui", "trixie"
CONVERSION_S: Final = 600.0
RESTART: Final = 81
CSV: Final = "Text - txt - csv (StarCalc):{separator},34,76"
SEPARATORS: Final[dict[RowForm, int]] = {"csv": 44, "tsv": 9}
# The package copies its settings when it is installed. The program finds the folder of the test at
# /tmp, and needs nothing else of the machine.
ENTER: Final = """
mount --bind "$2/usr/lib/libreoffice/share/.registry" "$2/etc/libreoffice/registry"
mount --bind "$1" "$2/tmp"
root=$2 && shift 2
program=/usr/lib/libreoffice/program
exec env -i PATH="$PATH" HOME=/tmp LC_ALL=C.UTF-8 LD_LIBRARY_PATH=$program \\
    chroot "$root" $program/soffice.bin "$@"
"""


def opened(folder: Path, form: RowForm, text: str) -> list[list[str]]:
    """Open a table in LibreOffice, and return the cells that it has then."""
    (folder / f"rows.{form}").write_text(text, "utf-8", newline="")
    options = (
        *("-env:UserInstallation=file:///tmp/profile", "--headless"),
        f"--infilter={CSV.format(separator=SEPARATORS[form])}",
        *("--convert-to", f"csv:{CSV.format(separator=44)}", "--outdir", "/tmp/read"),
        f"/tmp/rows.{form}",
    )
    enter = ("unshare", "--mount", "sh", "-e", "-c", ENTER, "sh", folder, extracted(PACKAGE, SUITE))
    # With a new profile it asks once to be started again, as its script does.
    for _ in range(2):
        done = subprocess.run(
            (*enter, *options), capture_output=True, text=True, timeout=CONVERSION_S, check=False
        )
        if done.returncode != RESTART:
            break
    assert done.returncode == 0, done.stdout + done.stderr
    with (folder / "read" / "rows.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def cells_of(form: RowForm, text: str) -> list[list[str]]:
    if form == "csv":
        return list(csv.reader(text.splitlines()))
    return [line.split("\t") for line in text.splitlines()]


@pytest.mark.parametrize("form", SEPARATORS)
def test_texts_that_look_like_formulas_are_read_as_they_were_written(
    form: RowForm, tmp_path: Path
) -> None:
    text = written(form, HOSTILE)
    assert opened(tmp_path, form, text) == cells_of(form, text)


def value_of(cell: str) -> str | float:
    """What a cell means to a spreadsheet: a number, a truth value in capitals, or a text."""
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", cell):
        return float(cell)
    return cell.upper() if cell.lower() in {"true", "false"} else cell


@pytest.mark.parametrize("rows", ["games", "turns"])
def test_the_tables_of_games_have_the_same_cells(rows: Rows, tmp_path: Path) -> None:
    parts: list[str] = []
    with Journal.open(tmp_path / "games.db") as journal:
        games = [store_game(journal, rules, seed=7) for rules in ("finkel", "skiryuk")]
        write_games(journal, games, "csv", rows, parts.append)
    text = "".join(parts)
    read, expected = opened(tmp_path, "csv", text), cells_of("csv", text)
    assert len(expected) > len(games)
    assert [list(map(value_of, row)) for row in read] == [
        list(map(value_of, row)) for row in expected
    ]
