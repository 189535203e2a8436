"""Speech by espeak-ng, a program of its own: it is started, and ended when something newer is said.

Owns that one process and no other.
"""

import shutil
import subprocess
from contextlib import suppress
from typing import Final

from urpi.errors import UrpiError

PROGRAM: Final = "espeak-ng"
_LOUDEST: Final = 200
"""Its amplitude goes from 0 to 200 (espeak-ng(1), -a)."""
_END_S: Final = 0.5


def can_speak() -> bool:
    """Whether espeak-ng is installed."""
    return shutil.which(PROGRAM) is not None


def espeak(language: str, volume: int, words_a_minute: int) -> tuple[str, ...]:
    """How espeak-ng is called to speak what it reads; `volume` is 0 to 100 percent.

    Raises:
        UrpiError: when it is not installed.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        message = f"{PROGRAM} is not installed and speaks nothing; `sudo apt install {PROGRAM}`."
        raise UrpiError(message)
    amplitude = volume * _LOUDEST // 100
    return (program, "-v", language, "-a", f"{amplitude}", "-s", f"{words_a_minute}", "--stdin")


class Speech:
    """Says one thing at a time, by a program that reads it from its standard input."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def say(self, text: str) -> None:
        """Begin to say it, in place of what is being said; it does not wait for the end.

        Raises:
            UrpiError: when the program cannot be started.
        """
        self.hush()
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
        # A sentence is far shorter than a pipe, so this does not wait; the program may have ended.
        with suppress(BrokenPipeError), self._process.stdin as pipe:
            pipe.write(text.encode())

    def hush(self) -> None:
        """End what is being said."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
