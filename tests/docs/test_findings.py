"""Every finding of the doctor stands on its page: each line that makes one was run for it."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from docs.generator import findings
from urpi.doctor.findings import devices, software

SOURCES = Path(devices.__file__).parent
MAKERS = {"poor", "broken", "say", "may_not_use"}


def lines_that_make_one(file: Path) -> Iterator[tuple[str, int]]:
    """Where the doctor calls what makes a finding that is not right."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in MAKERS
        ):
            yield file.name, node.lineno


def lines_that_run(files: set[str]) -> set[tuple[str, int]]:
    """Which lines of those files run while the page's findings are made."""
    ran: set[tuple[str, int]] = set()

    def in_a_line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            ran.add((Path(frame.f_code.co_filename).name, frame.f_lineno))
        return in_a_line

    def in_a_call(frame: FrameType, _event: str, _: Any) -> Any:
        path = Path(frame.f_code.co_filename)
        return in_a_line if path.parent == SOURCES and path.name in files else None

    before = sys.gettrace()
    sys.settrace(in_a_call)
    try:
        list(findings.every_finding())
    finally:
        sys.settrace(before)
    return ran


def test_every_finding_that_is_not_right_is_on_the_page() -> None:
    making = {line for file in SOURCES.glob("*.py") for line in lines_that_make_one(file)}
    missing = making - lines_that_run({name for name, _ in making})
    assert len(making) > 30
    assert missing == set(), "add a machine to docs/generator/findings.py"


def test_every_cure_that_is_chosen_by_name_is_on_the_page() -> None:
    page = findings.page()
    cures = (software._CURES, devices._HUB_ERRORS, devices._DIE_ERRORS)
    assert [cure for chosen in cures for cure in chosen.values() if cure not in page] == []
