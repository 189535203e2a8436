"""What a scene has found: checks that hold or do not, and figures, for the host to read."""

import json
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.kernel.guest import MEASURED
from tests.output import print_line


@dataclass
class Findings:
    """Checks by their sentence, each with whether it holds; figures by name.

    `timed` are the checks that a machine with other work can spoil: they are judged on request.
    """

    checks: dict[str, bool] = field(default_factory=dict)
    timed: dict[str, bool] = field(default_factory=dict)
    figures: dict[str, str] = field(default_factory=dict)

    def check(self, sentence: str, holds: bool, instead: object = "") -> None:
        """Note that something holds, or what was found instead."""
        self.checks[sentence] = holds
        if not holds:
            self.figures[f"instead of: {sentence}"] = str(instead)
        print_line(f"  {'ok  ' if holds else 'FAIL'} {sentence}")

    def check_time(self, sentence: str, holds: bool, instead: object = "") -> None:
        """The same of something that has to be quick."""
        self.timed[sentence] = holds
        if not holds:
            self.figures[f"instead of: {sentence}"] = str(instead)

    def figure(self, name: str, value: str) -> None:
        """Note a figure, with its unit."""
        self.figures[name] = value

    @property
    def hold(self) -> bool:
        """Whether something was checked, and all of it holds."""
        return bool(self.checks) and all(self.checks.values())

    @contextmanager
    def kept(self, scene: str) -> Iterator[None]:
        """Hand everything to the host in the end, also when the scene breaks down."""
        try:
            yield
        except Exception:
            self.check(f"the scene {scene} is played to its end", False, traceback.format_exc())
            traceback.print_exc()
        finally:
            self._write(MEASURED / f"{scene}.json")

    def _write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))


def play(scene: str, act: Callable[[Findings], None]) -> None:
    """Play a scene, and leave with 0 when all holds."""
    findings = Findings()
    with findings.kept(scene):
        act(findings)
    sys.exit(not findings.hold)
