"""The journal's place, and what speaks."""

from collections.abc import Iterator
from typing import Final

from urpi.config import Config
from urpi.doctor.facts import Facts
from urpi.doctor.finding import Finding, broken, poor, right

LEAST_MB: Final = 20
LITTLE_MB: Final = 200
SLOW_MS: Final = 100.0
"""A decision is shown when it is on the disk: twice this is felt at the table."""


def storage(facts: Facts) -> Iterator[Finding]:
    """Whether games can be kept."""
    found = facts.storage
    said = f"{found.path}: {found.free_mb} MB free, {found.fsync_ms:.1f} ms until a write is safe"
    if found.error:
        yield broken(
            "journal",
            f"{found.path} cannot be written: {found.error}",
            "Give [journal] path a place that this user may write to.",
        )
    elif found.free_mb < LEAST_MB:
        yield broken("journal", said, "Make room on the disk.")
    elif found.free_mb < LITTLE_MB:
        yield poor("journal", said, "Make room on the disk; a game takes far below 1 MB.")
    elif found.fsync_ms > SLOW_MS:
        yield poor("journal", said, "Take a faster card, of application class A1 or A2.")
    else:
        yield right("journal", said)


def speech(facts: Facts, config: Config) -> Iterator[Finding]:
    """Whether what is to speak can."""
    if not config.sound.speech:
        return
    if facts.speech:
        yield right("sound", "espeak-ng is installed")
    else:
        yield poor("sound", "espeak-ng is not installed", "Run `sudo apt install espeak-ng`.")
