"""The contributors' page lists the targets of the Makefile."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_target_of_make_help_is_documented() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = re.findall(r"@echo '(make [-\w]+(?: wiring)?)", makefile)
    page = (ROOT / "docs" / "contribute" / "index.md").read_text("utf-8")
    assert "make test" in targets
    assert [target for target in targets if f"\n{target} " not in page] == []
