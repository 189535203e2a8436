"""The page for who changes the program names what there is."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_target_that_make_help_tells_is_named() -> None:
    told = re.findall(r"@echo '(make [-\w]+(?: wiring)?)", (ROOT / "Makefile").read_text("utf-8"))
    page = (ROOT / "docs" / "contribute" / "index.md").read_text("utf-8")
    assert "make test" in told
    assert [target for target in told if f"\n{target} " not in page] == []
