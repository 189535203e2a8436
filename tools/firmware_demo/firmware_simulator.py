"""The firmware simulator as a process, which is controlled by commands.

Each command is a line, and so is its reply (firmware/sim/README.md). It runs the same images that
are flashed, on a virtual clock that advances by itself or, at speed 0, by the command `run`.
"""

import json
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from urpi.core.errors import UrpiError

END_S: Final = 5.0
"""The time to wait for the process to end by itself, in seconds."""
MAX_DICE: Final = 6


@dataclass(frozen=True, slots=True)
class FirmwareImages:
    """The files of the simulator and of the two images that it runs."""

    simulator: Path
    hub: Path
    die: Path

    def check(self) -> None:
        """Check that all three files exist.

        Raises:
            UrpiError: If one is missing.
        """
        for path in (self.simulator, self.hub, self.die):
            if not path.is_file():
                message = (
                    f"The firmware is not built: {path} is missing; run `make -C firmware` and "
                    "`make -C firmware/sim`, whose READMEs list what they need."
                )
                raise UrpiError(message)


def built_images(firmware: Path) -> FirmwareImages:
    """Return the paths that the build of a firmware folder creates."""
    build = firmware / "build"
    return FirmwareImages(build / "sim" / "urpi-sim", build / "hub.elf", build / "die.elf")


@dataclass(frozen=True, slots=True)
class SimulatedDie:
    """The true state of a die: the `face` up, from 1, and whether it is `still`."""

    face: int
    still: bool


class FirmwareSimulator:
    """A running simulator of one hub and its dice. Close it, or use it in a ``with``.

    Args:
        images: The files.
        dice: The number of dice.
        kind: The number of faces of each.
        seed: The seed of everything random.
        speed: How many times as fast as real time it runs; 0 for `run` only.
        calibrated: Whether the dice know the numbers of their faces.
        key: The key of hub and dice in hexadecimal; by default they have none.

    Raises:
        UrpiError: If it is not built, there are too many dice, or it does not start.
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
        key: str = "",
    ) -> None:
        images.check()
        if dice > MAX_DICE:
            message = (
                f"The simulator has {MAX_DICE} dice at most; {dice} were requested. Let the "
                "players share theirs."
            )
            raise UrpiError(message)
        words = [f"--dice={dice}", f"--kind={kind}", f"--seed={seed}", f"--speed={speed:g}"]
        if not calibrated:
            words.append("--uncalibrated")
        if key:
            words.append(f"--key={key}")
        self._process = subprocess.Popen(  # noqa: S603 - our own build, no shell
            [images.simulator, f"--hub={images.hub}", f"--die={images.die}", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            self._reply()
            self.terminal = str(self._query("status")["tty"])
            """The hub's serial port, to be opened with pyserial."""
        except UrpiError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def do(self, *words: object) -> str:
        """Execute a command and return the reply after its ``ok``.

        Raises:
            UrpiError: If the command is refused, or the process has ended.
        """
        return self._command(" ".join(map(str, words)))

    def run(self, ms: int) -> None:
        """Advance the clock; at speed 0 only."""
        self.do("run", ms)

    def dice(self) -> dict[int, SimulatedDie]:
        """Return the true state of every die."""
        dice = self._query("status")["dice"]
        return {die["die"]: SimulatedDie(die["face"], die["still"]) for die in dice}

    def close(self) -> None:
        """End the process."""
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

    def _query(self, command: str) -> dict[str, Any]:
        reply: dict[str, Any] = json.loads(self._command(command))
        return reply

    def _command(self, line: str) -> str:
        self._send(line)
        return self._reply()

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._ended() from error

    def _reply(self) -> str:
        assert self._process.stdout is not None
        reply = self._process.stdout.readline()
        if not reply:
            raise self._ended()
        outcome, _, rest = reply.rstrip("\n").partition(" ")
        if outcome != "ok":
            message = f"The firmware simulator reports: {rest}; see firmware/sim/README.md."
            raise UrpiError(message)
        return rest

    def _ended(self) -> UrpiError:
        assert self._process.stderr is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
        error = self._process.stderr.read().strip() if self._process.poll() is not None else ""
        return UrpiError(
            f"The firmware simulator has ended ({error or 'without an error message'}); rebuild it "
            "with `make -C firmware/sim`."
        )
