"""Every finding of the doctor is on its page: the page runs each line that creates one."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from docs.generator import findings
from urpi.hardware.outputs import registry
from urpi.install.doctor.findings import bluetooth, devices, software

FOLDERS = (Path(devices.__file__).parent, Path(registry.__file__).parent)
MAKERS = {"poor", "broken", "report", "no_access"}


def lines_that_create_findings(file: Path) -> Iterator[tuple[str, int]]:
    """Yield file and line of each call that creates the finding of a fault."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in MAKERS
        ):
            yield file.name, node.lineno


def executed_lines(files: set[str]) -> set[tuple[str, int]]:
    """Return file and line of everything in those files that runs for the page."""
    ran: set[tuple[str, int]] = set()

    def in_a_line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            ran.add((Path(frame.f_code.co_filename).name, frame.f_lineno))
        return in_a_line

    def in_a_call(frame: FrameType, _event: str, _: Any) -> Any:
        path = Path(frame.f_code.co_filename)
        return in_a_line if path.parent in FOLDERS and path.name in files else None

    before = sys.gettrace()
    sys.settrace(in_a_call)
    try:
        list(findings.every_finding())
    finally:
        sys.settrace(before)
    return ran


def test_every_fault_is_on_the_page() -> None:
    sources = (file for folder in FOLDERS for file in folder.glob("*.py"))
    creating = {line for file in sources for line in lines_that_create_findings(file)}
    missing = creating - executed_lines({name for name, _ in creating})
    assert len(creating) > 30
    assert missing == set(), "add a machine to docs/generator/findings.py"


def test_every_cure_chosen_by_its_code_is_on_the_page() -> None:
    page = findings.page()
    cures = (
        software._CURES,
        devices._HUB_ERRORS,
        devices._DIE_ERRORS,
        dict(bluetooth._ERRORS.values()),
    )
    assert [cure for table in cures for cure in table.values() if cure not in page] == []
