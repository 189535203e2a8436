"""Whole games at the virtual table, through every real layer."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from urpi.config import Config
from urpi.journal import (
    Journal,
    build_record,
    entries_of,
    find_game,
    replay,
    settings_of,
    timing_of,
)
from urpi.journal.queries import Entry
from urpi.referee import Settings, Snapshot, begin, step
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.rules import RULE_SETS, Side, Starter, parse_rules
from urpi.rules.record import GameRecord
from urpi.service.lockstep import WallClock
from urpi.service.virtual import Setting, VirtualService
from urpi.simulation import PLAYERS, SimulatedPlayers, Turn, behaviour
from urpi.views import draw
from urpi.words import words_for

SHORT_GAME = "finkel[pieces=3]"
SOME_THROWS = 12
LONGEST_MS = 3_600_000
"""Virtual time after which a game is stuck; a busy machine does not change it."""
BOUNCE_MS = 5


@dataclass
class Game:
    """What a game left behind: the journal's entries, the table's truth, what was seen."""

    entries: tuple[Entry, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)
    record: GameRecord = field(default_factory=lambda: GameRecord(()))
    result: str | None = None
    turns: tuple[Turn, ...] = ()
    winner: Side | None = None
    snapshot: Snapshot | None = None
    picture: Image.Image | None = None

    def lines(self, kind: str) -> list[dict[str, object]]:
        return [json.loads(entry.line) for entry in self.entries if entry.kind == kind]


def setting(
    rules: str = SHORT_GAME,
    *,
    seed: int = 3,
    manners: str = "calm",
    wire: str = "pty",
    speed: float = 0.0,
) -> Setting:
    """Who plays what, and how."""
    chosen = parse_rules(rules)
    first = Side.DARK if chosen.starter in {Starter.DRAWN, Starter.CHOICE} else None
    players = SimulatedPlayers(PLAYERS["greedy"], behaviour(manners), first=first)
    return Setting(chosen, seed, players, speed, first, wire)


def play_to_the_end(service: VirtualService) -> None:
    service.table.play()
    run_until(service, lambda: service.over)


def play_some(service: VirtualService, throws: int = SOME_THROWS) -> None:
    """Play so many throws from the start, until the program knows how they were played."""
    service.table.play(max_turns=throws)
    run_until(service, lambda: not service.table.busy)
    run_until(service, lambda: service.service.snapshot.position == service.table.game.position)


def run_until(service: VirtualService, reached: Callable[[], bool]) -> None:
    """Let it all happen until then; it has a deadline in virtual time."""
    latest = service.now() + LONGEST_MS
    while not reached():
        assert service.now() < latest, service.service.snapshot
        service.run()


def played(
    folder: Path,
    chosen: Setting,
    act: Callable[[VirtualService], None] = play_to_the_end,
    *,
    wall_s: WallClock = time.monotonic,
) -> Game:
    """A game at a new table with a new journal, played until `act` is done."""
    game = Game()

    def watch(snapshot: Snapshot, _decisions: tuple[Decision, ...]) -> None:
        game.snapshot = snapshot

    with Journal.open(folder / "games.db") as journal:
        with VirtualService(chosen, Config(), journal, watch, wall_s=wall_s) as service:
            number = service.begin()
            act(service)
            service.screen.flush()
            game.picture = service.picture()
            game.turns, game.winner = tuple(service.table.game.turns), service.table.game.winner
        game.entries = entries_of(journal, number)
        game.settings = settings_of(journal, number)
        summary = find_game(journal, number)
        game.result = summary.result
        game.record = build_record(game.entries, summary.started)
    return game


def true_plays(game: Game) -> list[tuple[Side, str, str, bool]]:
    return [(turn.side, turn.faces, turn.move, turn.taken_back) for turn in game.turns]


def recorded_plays(game: Game) -> list[tuple[Side, str, str, bool]]:
    return [
        (turn.side, thrown.faces, play.move, play.taken_back)
        for turn in game.record.turns
        for thrown in turn.throws
        for play in thrown.plays
    ]


def assert_refereed(game: Game) -> None:
    """The record is what truly happened, and whoever won has won."""
    assert recorded_plays(game) == true_plays(game)
    assert game.winner is not None
    assert game.result == game.winner.value


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A calm game, played once for all that is to be said of it."""
    return played(tmp_path_factory.mktemp("calm"), setting())


def test_the_record_is_what_truly_happened_at_the_table(calm: Game) -> None:
    assert_refereed(calm)


def test_the_stored_facts_are_decided_alike_again(calm: Game) -> None:
    state = begin(Settings(words_for("en").sentence, timing_of(calm.settings)))

    def play(fact: Fact) -> tuple[Decision, ...]:
        nonlocal state
        state, decisions = step(state, fact)
        return decisions

    again = replay(calm.entries, play)

    assert again.differences == ()
    assert again.unstored == ()
    assert again.decisions == len(calm.lines("decision"))


def test_the_bytes_sent_to_the_oled_are_the_picture_of_the_last_snapshot(calm: Game) -> None:
    assert calm.picture is not None
    assert calm.snapshot is not None
    view = draw(calm.snapshot, words_for("en"))
    assert calm.picture.tobytes() == view.tobytes()


def test_the_switches_bounce_on_their_pins(calm: Game) -> None:
    edges = [line for line in calm.lines("fact") if line["type"] == "square"]
    by_square: dict[object, list[int]] = {}
    for edge in edges:
        by_square.setdefault(edge["square"], []).append(int(str(edge["t"])))
    rests = sum(
        later - earlier > BOUNCE_MS
        for times in by_square.values()
        for earlier, later in pairwise(times)
    )
    # A contact that only closed and opened would make one edge for every rest.
    assert len(edges) > 2 * rests


def test_facts_and_decisions_are_stored_in_the_order_of_their_time(calm: Game) -> None:
    for kind in ("fact", "decision"):
        times = [int(str(line["t"])) for line in calm.lines(kind)]
        assert times == sorted(times)


def test_a_seed_gives_the_same_decisions_again(calm: Game, tmp_path: Path) -> None:
    again = played(tmp_path, setting(), play_some).lines("decision")

    assert len(again) > SOME_THROWS
    assert again == calm.lines("decision")[: len(again)]


def test_another_seed_gives_another_game(calm: Game, tmp_path: Path) -> None:
    other = played(tmp_path, setting(seed=4), play_some)

    assert recorded_plays(other) != recorded_plays(calm)[: len(other.turns)]
    assert recorded_plays(other) == true_plays(other)


def test_hands_that_go_wrong_are_refereed_to_the_end(tmp_path: Path) -> None:
    assert_refereed(played(tmp_path, setting(manners="clumsy", seed=5)))


def test_clumsy_hands_are_warned_and_mend_it(tmp_path: Path) -> None:
    game = played(tmp_path, setting(manners="clumsy", seed=7), play_some)

    told = [line["type"] for line in game.lines("decision")]
    assert "warning" in told
    assert "cleared" in told
    assert recorded_plays(game) == true_plays(game)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_rule_set_is_refereed(rules: str, tmp_path: Path) -> None:
    game = played(tmp_path, setting(rules, manners="lively"), play_some)

    assert recorded_plays(game) == true_plays(game)


def test_a_whole_game_is_won_with_one_die_of_six_faces(tmp_path: Path) -> None:
    assert_refereed(played(tmp_path, setting("ravensburger")))


def test_the_hub_may_speak_over_a_socket(tmp_path: Path) -> None:
    game = played(tmp_path, setting(wire="socket"), play_some)

    assert recorded_plays(game) == true_plays(game)


def test_the_hub_may_be_unplugged_and_plugged_in_again(tmp_path: Path) -> None:
    def act(service: VirtualService) -> None:
        play_some(service, 3)
        service.table.unplug()
        run_until(service, lambda: not service.hub.connected)
        service.table.plug()
        run_until(service, lambda: service.hub.alive)
        play_some(service, 6)

    game = played(tmp_path, setting(), act)

    assert len(game.turns) == 6
    assert recorded_plays(game) == true_plays(game)
