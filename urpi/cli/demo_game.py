"""`urpi demo` without a page: a game in the terminal, or between simulated players."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from urpi.cli.demo_hands import TypedHands
from urpi.cli.demo_screen import Panel, PictureFolder
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.journal import Journal, lock_journal
from urpi.journal.build_record import exported_record
from urpi.rules import RuleSet, Side, Starter
from urpi.rules.record import record_text
from urpi.service.virtual import Setting, VirtualService
from urpi.show.words import words_for

STUCK_MS: Final = 15 * 60_000
"""Virtual time without a recorded move after which a simulated game is given up."""


def play_in_terminal(
    setting: Setting,
    config: Config,
    path: Path,
    pictures: PictureFolder | None,
    *,
    auto: bool,
) -> None:
    """Play a game with typed commands, or with `auto` between simulated players to its end.

    Raises:
        UrpiError: If the journal cannot be written, or the simulated game is stuck.
    """
    words = words_for(config.table.language)
    panel = Panel(sys.stdout, words, boards=auto)
    with (
        lock_journal(path),
        Journal.open(path) as journal,
        VirtualService(setting, config, journal, panel.on_change) as service,
    ):
        panel.begin(service, pictures)
        number = service.begin()
        click.echo(f"Game {number}, {setting.rules.text}, seed {setting.seed}; journal {path}")
        if auto:
            play_automatically(service, panel.refresh)
        else:
            TypedHands(service, sys.stdin, sys.stdout, panel.refresh, words).play()
        panel.end()
        if auto:
            _show_record(journal, number)


def first_side(rules: RuleSet, first: str | None, seed: int) -> Side | None:
    """The side that begins, None if throws decide it.

    Raises:
        UrpiError: If the rules leave it to the players, and `first` is None.
    """
    if first is not None:
        return Side(first)
    # Drawn by the seed, so that the same seed gives the same game.
    if rules.starter is Starter.DRAWN:
        return list(Side)[seed % 2]
    if rules.starter is Starter.CHOICE:
        message = f"In {rules.id} the players choose who begins; add --first light or --first dark."
        raise UrpiError(message)
    return None


def play_automatically(service: VirtualService, refresh: Callable[[], None]) -> None:
    """Let the simulated players play to the end, and call `refresh` repeatedly.

    Raises:
        UrpiError: If no move is recorded for `STUCK_MS`.
    """
    service.table.play()
    position, changed_at = None, service.now()
    while not service.over:
        service.run()
        refresh()
        snapshot = service.service.snapshot
        if snapshot.position != position:
            position, changed_at = snapshot.position, service.now()
        elif service.now() - changed_at > STUCK_MS:
            message = (
                f"The game is stuck: no move was recorded for {STUCK_MS // 60_000} minutes of the"
                f" table's time while it waits for the {snapshot.phase.value}. The journal keeps"
                " the game; play another one with another --seed."
            )
            raise UrpiError(message)


def _show_record(journal: Journal, number: int) -> None:
    click.echo(record_text(exported_record(journal, number)), nl=False)
