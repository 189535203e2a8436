"""A demo between simulated players ends, if necessary with an error."""

from pathlib import Path

import pytest

from tests.service.test_virtual import setting
from urpi.cli.demo_game import play_automatically
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.journal import Journal
from urpi.service.virtual import VirtualService


def test_a_game_without_progress_is_given_up(tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path / "games.db") as journal,
        VirtualService(setting(), Config(), journal, lambda _snapshot, _decisions: None) as service,
    ):
        service.begin()
        service.table.unplug()
        with pytest.raises(
            UrpiError, match=r"stuck: no move .* 15 minutes .* the start-throw\. The"
        ):
            play_automatically(service, lambda: None)
