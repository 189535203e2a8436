"""The demo with the firmware's images: a whole game step by step, and one throw in real time."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

from tools.firmware_demo.firmware_rig import firmware_rig
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.hardware import HubHealth
from urpi.journal import Journal, build_record, entries_of, find_game
from urpi.referee import Snapshot
from urpi.referee.decisions import Decision, Fault, Roll, RollRefused
from urpi.referee.facts import NotThrown
from urpi.rules import parse_rules
from urpi.rules.record import GameRecord, check_record
from urpi.service.virtual import Setting, VirtualService
from urpi.simulation import PLAYERS, SimulatedPlayers, TrueTurn, behaviour

RIG = partial(firmware_rig, Path(__file__).parents[2] / "firmware")
DEADLINE_S = 240.0
NO_THROW = {"not-tumbled", *get_args(NotThrown)}
DEMO = (sys.executable, "-m", "tools.firmware_demo")

pytestmark = [pytest.mark.usefixtures("simulator_built")]


class Played(NamedTuple):
    """A game with the images: the simulated truth, the decisions, and the hub's counts."""

    turns: tuple[TrueTurn, ...]
    record: GameRecord
    decisions: list[Decision]
    hub: HubHealth


@pytest.fixture(scope="module")
def game(simulator_built: None, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A complete short game in which dice sometimes lean and are bumped."""
    players = SimulatedPlayers(PLAYERS["greedy"], behaviour("lively"))
    setting = Setting(parse_rules("finkel[pieces=3]"), 6, 0.0, rig=RIG, players=players)
    decisions: list[Decision] = []

    def watch(_snapshot: Snapshot, decided: tuple[Decision, ...]) -> None:
        decisions.extend(decided)

    with Journal.open(tmp_path_factory.mktemp("game") / "games.db") as journal:
        with VirtualService(setting, Config(), journal, watch) as service:
            number = service.begin()
            service.table.play()
            while not service.over:
                service.run()
            turns, hub = tuple(service.table.game.turns), service.dice_health
            assert isinstance(hub, HubHealth)
        record = build_record(entries_of(journal, number), find_game(journal, number).started)
    return Played(turns, record, decisions, hub)


@pytest.mark.slow
def test_record_equals_the_simulated_throws_and_moves(game: Played) -> None:
    recorded = [
        (turn.side, thrown.faces, play.move)
        for turn in game.record.turns
        for thrown in turn.throws
        for play in thrown.plays
    ]
    assert recorded == [(turn.side, turn.faces, turn.move) for turn in game.turns]


@pytest.mark.slow
def test_game_is_over_and_its_record_is_legal(game: Played) -> None:
    check_record(game.record)
    assert game.record.tag("Result") in {"light", "dark"}


@pytest.mark.slow
def test_no_line_was_lost_corrupted_or_repeated(game: Played) -> None:
    assert game.hub.dice == (1, 2, 3, 4)
    assert (game.hub.counts.dropped, game.hub.counts.noise_bytes) == (0, 0)
    assert game.hub.repeats == 0


@pytest.mark.slow
def test_no_die_was_lost_and_hardly_any_throw_was_refused_but_cocked_ones(game: Played) -> None:
    refused = [one for one in game.decisions if isinstance(one, RollRefused)]
    # A hand that straightens a leaning die may need longer than the referee waits for a die.
    assert {one.code for one in refused} <= {"cocked", "missing-die", *NO_THROW}
    # The die's verdict misses some genuine throws (firmware/README.md, The verdict).
    rolls = [one for one in game.decisions if isinstance(one, Roll)]
    missed = sum(len(one.dice) for one in refused if one.code in NO_THROW)
    assert missed <= 0.05 * sum(len(one.faces) for one in rolls)
    assert not [one for one in game.decisions if isinstance(one, Fault)]


@pytest.mark.slow
def test_throw_by_hand_in_real_time_reaches_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    done = subprocess.run(
        [*DEMO, "--terminal", "--seed", "1", "--journal", str(path)],
        input="throw\n",
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    with Journal.open(path) as journal:
        facts = [json.loads(entry.line) for entry in entries_of(journal, 1)]
    assert {fact["die"] for fact in facts if fact.get("tumbled")} == {1, 2, 3, 4}
    # The game begins when the microcontrollers have started; the Python dice need no time.
    assert facts[0]["t"] > 0


def test_separate_dice_for_both_sides_exceed_the_simulators_number(tmp_path: Path) -> None:
    players = SimulatedPlayers(own_dice=True)
    setting = Setting(parse_rules("finkel"), 2, 0.0, rig=RIG, players=players)
    with (
        Journal.open(tmp_path / "games.db") as journal,
        pytest.raises(UrpiError, match="6 dice at most; 8 were requested"),
        VirtualService(setting, Config(), journal, lambda _snapshot, _decided: None),
    ):
        pass
