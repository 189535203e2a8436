"""`urpi dice forget`: have the hub accept a die whose chip was exchanged.

A hub that verifies signatures rejects a chip that begins to number its reports again. It does not
forget the number of the former chip, or reports that were recorded from it would be valid again.
Instead it orders the new chip to go on from there (firmware/README.md, Signatures).
"""

import click

from urpi.cli.dice.live_dice import Change, DieChange, LiveDice, is_since
from urpi.core.errors import UrpiError
from urpi.hardware import HubLine, NewLine
from urpi.show.words import Words
from urpi.show.words import dice_sentences as sentences

ANSWER_S = 4.0
"""Seconds that the hub has to confirm the command in its greeting, which it sends every second."""
WAIT_S = 130.0
"""Seconds until the hub has stopped to wait for the die: after two minutes (firmware/air.toml)."""


def forget(live: LiveDice, die: int, words: Words, *, answer_s: float = ANSWER_S) -> bool:
    """Let the new chip of a die go on where its former one ended; return whether it did.

    Raises:
        UrpiError: If the hub is not available, has no key, or does not know the command.
    """
    live.wait_for_hub()
    live.wait_for(lambda _: live.greeting is not None, answer_s)
    if live.greeting is None or not live.greeting.authenticates:
        message = (
            f"The hub at {live.hub.port} has no key, so it accepts a new chip in die {die} as it "
            "is; there is nothing to forget."
        )
        raise UrpiError(message)
    began = _begin(live, die, answer_s)
    click.echo(words.text(sentences.FORGET_WAITS).format(die=die))
    accepted = _wait(live, die, began)
    done = sentences.FORGET_DONE if accepted else sentences.FORGET_SILENT
    click.echo(words.text(done).format(die=die))
    return accepted


def _begin(live: LiveDice, die: int, answer_s: float) -> HubLine:
    """Send the command, and return the greeting that confirms it."""
    live.send(NewLine(die))
    live.wait_for(lambda _: _waits_for(live, die), answer_s)
    if live.greeting is None or not _waits_for(live, die):
        message = (
            f"The hub at {live.hub.port}, firmware {live.health.firmware}, does not know this "
            "command; flash it again (`make -C firmware flash-hub`), which also forgets all dice."
        )
        raise UrpiError(message)
    return live.greeting


def _waits_for(live: LiveDice, die: int) -> bool:
    return live.greeting is not None and live.greeting.renewed == die


def _wait(live: LiveDice, die: int, began: HubLine) -> bool:
    """Wait until the hub stops to wait; return whether that was for a new report of the die."""
    accepted = False

    def has_ended(change: Change) -> bool:
        nonlocal accepted
        if not live.health.connected:
            live.wait_for_hub()
        if isinstance(change, DieChange) and change.now.die == die and change.line is not None:
            # The hub can still send a report from before the command.
            made_since = is_since(change.line, began.t_ms)
            accepted |= change.line.throws is not None and made_since
        return not _waits_for(live, die)

    live.wait_for(has_ended, WAIT_S)
    return accepted and not _waits_for(live, die)
