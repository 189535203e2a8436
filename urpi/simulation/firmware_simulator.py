"""The firmware simulator as a process: started, told what happens to dice, asked how they lie.

firmware/sim/README.md tells its commands: a line each, and a line in answer. It runs the very
images that are flashed, on a clock of its own that goes by itself or, at speed 0, by `run`.
"""

import json
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from urpi.errors import UrpiError

END_S: Final = 5.0
"""It is given so long to end by itself."""
MOST_DICE: Final = 6


@dataclass(frozen=True, slots=True)
class FirmwareImages:
    """The simulator and the two images that it runs."""

    simulator: Path
    hub: Path
    die: Path

    def check(self) -> None:
        """Nothing, when all three are there.

        Raises:
            UrpiError: when one is not built.
        """
        for path in (self.simulator, self.hub, self.die):
            if not path.is_file():
                message = (
                    f"The firmware is not built: {path} is missing; run `make -C firmware` and "
                    "`make -C firmware/sim` in a checkout, whose README says what they need."
                )
                raise UrpiError(message)


def built_images(firmware: Path) -> FirmwareImages:
    """Where the build of that folder puts them."""
    build = firmware / "build"
    return FirmwareImages(build / "sim" / "urpi-sim", build / "hub.elf", build / "die.elf")


@dataclass(frozen=True, slots=True)
class DieState:
    """How a simulated die lies: `face` from 1 is up, and it is `still` or still moves."""

    face: int
    still: bool


class FirmwareSimulator:
    """A running simulator of one hub and its dice. Close it, or use it in a ``with``.

    `dice` of so many faces (`kind`) each, which have `learnt` them or not; everything left to
    chance follows from the seed. It goes `speed` times as fast as life, at 0 by `run` alone.

    Raises:
        UrpiError: when it is not built, there are too many dice, or it does not start.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        images: FirmwareImages,
        *,
        dice: int,
        kind: int,
        seed: int,
        speed: float = 0.0,
        calibrated: bool = True,
    ) -> None:
        images.check()
        if dice > MOST_DICE:
            message = (
                f"The simulator has {MOST_DICE} dice at most; {dice} were asked for. Let the "
                "players share theirs."
            )
            raise UrpiError(message)
        words = [f"--dice={dice}", f"--kind={kind}", f"--seed={seed}", f"--speed={speed:g}"]
        if not calibrated:
            words.append("--unlearnt")
        self._process = subprocess.Popen(  # noqa: S603 - our own build, no shell
            [images.simulator, f"--hub={images.hub}", f"--die={images.die}", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            self._answer()
            self.terminal = str(self._asked("status")["tty"])
            """The hub's serial port, for pyserial to open."""
        except UrpiError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def do(self, *words: object) -> str:
        """Give it a command; what it answers behind its ``ok``.

        Raises:
            UrpiError: when it refuses the command, or has ended.
        """
        return self._command(" ".join(map(str, words)))

    def run(self, ms: int) -> None:
        """Let so many milliseconds pass; at speed 0 alone."""
        self.do("run", ms)

    def dice(self) -> dict[int, DieState]:
        """How every die lies now."""
        dice = self._asked("status")["dice"]
        return {die["die"]: DieState(die["face"], die["still"]) for die in dice}

    def close(self) -> None:
        """End it."""
        with suppress(UrpiError):
            self._send("quit")
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            with suppress(OSError):
                stream.close()

    def _asked(self, question: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._command(question))
        return found

    def _command(self, line: str) -> str:
        self._send(line)
        return self._answer()

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._ended() from error

    def _answer(self) -> str:
        assert self._process.stdout is not None
        answer = self._process.stdout.readline()
        if not answer:
            raise self._ended()
        outcome, _, rest = answer.rstrip("\n").partition(" ")
        if outcome != "ok":
            message = f"The firmware simulator refuses: {rest}; see firmware/sim/README.md."
            raise UrpiError(message)
        return rest

    def _ended(self) -> UrpiError:
        assert self._process.stderr is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
        said = self._process.stderr.read().strip() if self._process.poll() is not None else ""
        return UrpiError(
            f"The firmware simulator has ended ({said or 'it said nothing'}); build it anew with "
            "`make -C firmware/sim`."
        )
