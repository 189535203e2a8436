"""The setting that the contributors' page adds works in a browser, and its types are correct."""

import sys
from pathlib import Path

from tests.docs.how_to import ROOT, HowTo, copy_project, run


def test_the_setting_of_the_contributors_page_works(tmp_path: Path) -> None:
    copy_project(tmp_path)
    HowTo.of(ROOT / "docs" / "contribute" / "page.md").follow(tmp_path)
    checks = tmp_path / "tests" / "browser"
    (checks / "node_modules").symlink_to(ROOT / "tests" / "browser" / "node_modules")
    run([str(checks / "node_modules" / ".bin" / "tsc"), "--project", str(checks)], tmp_path)
    choice = "dimmed or axe"
    tests = "tests/browser/test_view.py"
    run([sys.executable, "-m", "pytest", "-q", "-n", "0", tests, "-k", choice], tmp_path)
