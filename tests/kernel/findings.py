"""The results of a scene: checks and figures, passed to the host."""

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
    """The results: checks by their sentence, with whether they hold, and figures by name.

    `timed` are checks that fail on a machine with other work; they are evaluated on request.
    """

    checks: dict[str, bool] = field(default_factory=dict)
    timed: dict[str, bool] = field(default_factory=dict)
    figures: dict[str, str] = field(default_factory=dict)

    def check(self, sentence: str, holds: bool, instead: object = "") -> None:
        """Add a check, with what was found if it does not hold."""
        # One that is repeated holds if it did every time.
        self.checks[sentence] = holds and self.checks.get(sentence, True)
        if not holds:
            self.figures[f"instead of: {sentence}"] = str(instead)
        print_line(f"  {'ok  ' if holds else 'FAIL'} {sentence}")

    def check_time(self, sentence: str, holds: bool, instead: object = "") -> None:
        """Add a check of a time."""
        self.timed[sentence] = holds
        if not holds:
            self.figures[f"instead of: {sentence}"] = str(instead)

    def figure(self, name: str, value: str) -> None:
        """Add a figure with its unit."""
        self.figures[name] = value

    @property
    def hold(self) -> bool:
        """Whether there are checks, and all of them hold."""
        return bool(self.checks) and all(self.checks.values())

    @contextmanager
    def kept(self, scene: str) -> Iterator[None]:
        """Write the results for the host at the end, even if the scene fails."""
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
    """Run a scene, and exit with 0 if all checks hold."""
    findings = Findings()
    with findings.kept(scene):
        act(findings)
    sys.exit(not findings.hold)
