"""The journal's folder, and the speech program."""

from collections.abc import Iterator
from typing import Final

from urpi.config import Config
from urpi.install.doctor.facts import Facts
from urpi.install.doctor.finding import Finding, broken, poor, right

MINIMUM_MB: Final = 20
LOW_MB: Final = 200
SLOW_MS: Final = 100.0
"""Slow write in milliseconds. A decision is shown after it is stored: twice this is noticeable."""


def storage(facts: Facts) -> Iterator[Finding]:
    """Yield whether games can be stored."""
    found = facts.storage
    state = f"{found.path}: {found.free_mb} MB free, {found.fsync_ms:.1f} ms for a safe write"
    if found.error:
        yield broken(
            "journal",
            f"{found.path} cannot be written: {found.error}",
            "Set [journal] path to a place that this user may write to.",
        )
    elif found.free_mb < MINIMUM_MB:
        yield broken("journal", state, "Free some disk space.")
    elif found.free_mb < LOW_MB:
        yield poor("journal", state, "Free some disk space; a game needs far less than 1 MB.")
    elif found.fsync_ms > SLOW_MS:
        yield poor("journal", state, "Use a faster card, of application class A1 or A2.")
    else:
        yield right("journal", state)


def speech(facts: Facts, config: Config) -> Iterator[Finding]:
    """Yield whether announcements can be spoken, if they are enabled."""
    if not config.sound.speech:
        return
    if facts.speech:
        yield right("sound", "espeak-ng is installed")
    else:
        yield poor("sound", "espeak-ng is not installed", "Run `sudo apt install espeak-ng`.")
