"""A demo between simulated players ends, if necessary with an error."""

from io import StringIO
from pathlib import Path

import pytest

from tests.service.test_virtual import setting
from urpi.cli import demo_game
from urpi.cli.demo_game import play_automatically
from urpi.cli.demo_hands import TypedHands
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.journal import Journal
from urpi.rules import Side
from urpi.service.virtual import VirtualService
from urpi.show.words import words_for


def test_a_game_without_progress_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_game, "STUCK_MS", 60_000)
    with (
        Journal.open(tmp_path / "games.db") as journal,
        VirtualService(setting(), Config(), journal, lambda _snapshot, _decisions: None) as service,
    ):
        service.begin()
        service.table.unplug()
        with pytest.raises(
            UrpiError, match=r"stuck: no move .* 1 minutes .* the start-throw\. The"
        ):
            play_automatically(service, lambda: None)


def test_the_buttons_that_open_the_menu_are_held_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed = list[tuple[int, Side, str]]()
    with (
        Journal.open(tmp_path / "games.db") as journal,
        VirtualService(setting(), Config(), journal, lambda _snapshot, _decisions: None) as service,
    ):
        monkeypatch.setattr(
            service.table, "press", lambda *words: pressed.append((service.now(), *words))
        )
        lines = StringIO("press both\nquit\n")
        TypedHands(service, lines, StringIO(), lambda: None, words_for("en")).play()
    (light, *about_light), (dark, *about_dark) = pressed
    assert light == dark
    assert (about_light, about_dark) == ([Side.LIGHT, "long"], [Side.DARK, "long"])
