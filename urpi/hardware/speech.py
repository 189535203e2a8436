"""Speech by espeak-ng, which runs as a separate process for each text."""

import shutil
import subprocess
from contextlib import suppress
from typing import Final

from urpi.core.errors import UrpiError
from urpi.hardware.outputs.sound import PROGRAM

_LOUDEST: Final = 200
"""espeak-ng's maximum amplitude (espeak-ng(1), -a)."""
_TERMINATE_S: Final = 0.5
"""Seconds between SIGTERM and SIGKILL."""


def can_speak() -> bool:
    """Return whether espeak-ng is installed."""
    return shutil.which(PROGRAM) is not None


def espeak(language: str, volume: int, words_a_minute: int) -> tuple[str, ...]:
    """Return the command that speaks its standard input by espeak-ng.

    Args:
        language: The language code, such as ``en``.
        volume: 0 to 100 percent.
        words_a_minute: The speed.

    Raises:
        UrpiError: If espeak-ng is not installed.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        message = f"{PROGRAM} is not installed, so nothing is spoken; `sudo apt install {PROGRAM}`."
        raise UrpiError(message)
    amplitude = volume * _LOUDEST // 100
    return (program, "-v", language, "-a", f"{amplitude}", "-s", f"{words_a_minute}", "--stdin")


class Speech:
    """Speaks one text at a time, by a command that reads it from its standard input."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def speak(self, text: str) -> None:
        """Start to speak a text in place of the current one. Does not wait for its end.

        Raises:
            UrpiError: If the command cannot be started.
        """
        self.stop()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the configured program
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            message = f"{self._command[0]} cannot be started: {error.strerror}; is it installed?"
            raise UrpiError(message) from error
        assert self._process.stdin is not None
        # A sentence fits into the pipe's buffer, so this does not block. The process may have
        # exited already.
        with suppress(BrokenPipeError), self._process.stdin as pipe:
            pipe.write(text.encode())

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        # Terminated instead of left to finish: a sentence about an earlier state would mislead.
        process.terminate()
        try:
            process.wait(_TERMINATE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
