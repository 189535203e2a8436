"""Whole games at the virtual table, through every layer."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from tests.slow import slow_except
from urpi.config import Config, SquaresSection
from urpi.core.errors import UrpiError
from urpi.journal import (
    Journal,
    build_record,
    entries_of,
    find_game,
    list_games,
    replay,
    settings_of,
    timing_of,
)
from urpi.journal.queries import Entry
from urpi.referee import Phase, Settings, Snapshot, begin, step
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.referee.orders import Explore, GoBack, NewGame, Order
from urpi.rules import (
    RULE_SETS,
    Position,
    Side,
    Starter,
    parse_position,
    parse_rules,
    rule_set,
)
from urpi.rules.record import GameRecord
from urpi.service.lockstep import WallClock
from urpi.service.virtual import Setting, VirtualService
from urpi.service.virtual_backends import DiceKind
from urpi.show.views import draw
from urpi.show.words import words_for
from urpi.simulation import PLAYERS, SimulatedPlayers, TrueTurn, behaviour

SHORT_GAME = "finkel[pieces=3]"
NEAR_THE_END = parse_position(f"{SHORT_GAME} A4:L,C4:D L0D0 L2D2 L")
"""A position from which the calm game takes a dozen throws; others begin at the start."""
SOME_THROWS = 12
LONGEST_MS = 36_000_000
"""Virtual time after which a game counts as stuck: ten times as long as any, because the threads of
dice with Bluetooth get less of it on a busy machine."""
BOUNCE_MS = 5


@dataclass
class Game:
    """A played game: the journal's entries, the moves really made, and the last picture."""

    entries: tuple[Entry, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)
    record: GameRecord = field(default_factory=lambda: GameRecord(()))
    result: str | None = None
    turns: tuple[TrueTurn, ...] = ()
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
    dice: DiceKind = "hub",
    position: Position | None = None,
) -> Setting:
    """Return the setting of a game."""
    chosen = parse_rules(rules)
    first = Side.DARK if chosen.starter in {Starter.DRAWN, Starter.CHOICE} else None
    players = SimulatedPlayers(
        PLAYERS["greedy"], behaviour(manners), first=first, position=position
    )
    return Setting(chosen, seed, speed, first, wire, dice=dice, players=players, position=position)


def play_to_the_end(service: VirtualService) -> None:
    service.table.play()
    run_until(service, lambda: service.over)


def play_some(service: VirtualService, throws: int = SOME_THROWS) -> None:
    """Play a number of throws from the start, until the program has recorded the moves."""
    service.table.play(max_turns=throws)
    run_until(service, lambda: not service.table.busy)
    run_until(service, lambda: service.service.snapshot.position == service.table.game.position)


def run_until(service: VirtualService, reached: Callable[[], bool]) -> None:
    """Run the service until a condition holds; fail after a deadline in virtual time."""
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
    config: Config = Config(),  # noqa: B008 - frozen
) -> Game:
    """Play a game at a new table with a new journal until `act` returns."""
    game = Game()

    def watch(snapshot: Snapshot, _decisions: tuple[Decision, ...]) -> None:
        game.snapshot = snapshot

    with Journal.open(folder / "games.db") as journal:
        with VirtualService(chosen, config, journal, watch, wall_s=wall_s) as service:
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
    """Check that the record contains the moves really made, and the winner."""
    assert recorded_plays(game) == true_plays(game)
    assert game.winner is not None
    assert game.result == game.winner.value


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Return a calm game with a capture, played to its end once for all tests."""
    return played(tmp_path_factory.mktemp("calm"), setting(position=NEAR_THE_END))


def test_the_record_contains_the_moves_really_made(calm: Game) -> None:
    assert_refereed(calm)


@pytest.mark.slow
@pytest.mark.parametrize("converter", ["ads7828", "ads7830"])
def test_moves_are_refereed_from_the_raw_readings_of_hall_sensors(
    tmp_path: Path, converter: str
) -> None:
    squares = SquaresSection(sensor="hall", converter=converter)
    game = played(tmp_path, setting(), play_some, config=Config(squares=squares))
    assert recorded_plays(game) == true_plays(game)
    assert any(line["type"] == "field" for line in game.lines("fact"))


def test_a_replay_of_the_stored_facts_makes_the_same_decisions(calm: Game) -> None:
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
    # Without bounce there would be one edge for every change.
    assert len(edges) > 2 * rests


def test_facts_and_decisions_are_stored_in_order_of_time(calm: Game) -> None:
    for kind in ("fact", "decision"):
        times = [int(str(line["t"])) for line in calm.lines(kind)]
        assert times == sorted(times)


@pytest.mark.slow
def test_the_same_seed_results_in_the_same_decisions(calm: Game, tmp_path: Path) -> None:
    again = played(tmp_path, setting(position=NEAR_THE_END), play_some).lines("decision")

    assert len(again) > SOME_THROWS
    assert again == calm.lines("decision")[: len(again)]


@pytest.mark.slow
def test_another_seed_results_in_another_game(calm: Game, tmp_path: Path) -> None:
    other = played(tmp_path, setting(seed=4, position=NEAR_THE_END), play_some)

    assert recorded_plays(other) != recorded_plays(calm)[: len(other.turns)]
    assert recorded_plays(other) == true_plays(other)


@pytest.mark.slow
def test_a_game_with_errors_is_refereed_to_the_end(tmp_path: Path) -> None:
    assert_refereed(played(tmp_path, setting(manners="clumsy", seed=5)))


@pytest.mark.slow
def test_clumsy_hands_are_warned_and_correct_the_board(tmp_path: Path) -> None:
    game = played(tmp_path, setting(manners="clumsy", seed=7), play_some)

    types = [line["type"] for line in game.lines("decision")]
    assert "warning" in types
    assert "cleared" in types
    assert recorded_plays(game) == true_plays(game)


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "freecompany"))
def test_every_rule_set_is_refereed(rules: str, tmp_path: Path) -> None:
    game = played(tmp_path, setting(rules, manners="lively"), play_some)

    assert recorded_plays(game) == true_plays(game)


@pytest.mark.slow
def test_a_whole_game_is_won_with_one_die_of_six_faces(tmp_path: Path) -> None:
    assert_refereed(played(tmp_path, setting("ravensburger")))


@pytest.mark.slow
def test_the_hub_may_be_connected_by_a_socket(tmp_path: Path) -> None:
    game = played(tmp_path, setting(wire="socket"), play_some)

    assert recorded_plays(game) == true_plays(game)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("brand", "rules", "manners"),
    [
        ("pixels", SHORT_GAME, "clumsy"),
        ("godice", SHORT_GAME, "lively"),
        ("pixels", "ravensburger", "calm"),
    ],
)
def test_a_game_with_bluetooth_dice_is_refereed_to_the_end(
    brand: DiceKind, rules: str, manners: str, tmp_path: Path
) -> None:
    assert_refereed(played(tmp_path, setting(rules, manners=manners, seed=5, dice=brand)))


@pytest.mark.parametrize("brand", slow_except(["pixels", "godice"], "godice"))
def test_bluetooth_may_be_switched_off_and_on_during_a_game(
    brand: DiceKind, tmp_path: Path
) -> None:
    def act(service: VirtualService) -> None:
        play_some(service, 3)
        service.table.unplug()
        run_until(service, lambda: not service.dice_health.available)
        service.table.plug()
        run_until(service, lambda: len(service.dice_health.dice) == service.table.dice.count)
        play_some(service, 6)

    game = played(tmp_path, setting(dice=brand), act)

    assert len(game.turns) == 6
    assert recorded_plays(game) == true_plays(game)


@pytest.mark.parametrize("brand", slow_except(["pixels", "godice"], "pixels"))
def test_the_throw_of_a_bluetooth_die_out_of_range_is_entered_by_hand(
    brand: DiceKind, tmp_path: Path
) -> None:
    chosen = setting("ravensburger", dice=brand)
    dead = replace(chosen.players.behaviour, die_dead=1.0)
    chosen = replace(chosen, players=replace(chosen.players, behaviour=dead))

    game = played(tmp_path, chosen, lambda service: play_some(service, 3))

    questions = [line for line in game.lines("decision") if line.get("ask") == "faces"]
    assert len(questions) >= len(game.turns) == 3
    assert recorded_plays(game) == true_plays(game)


@pytest.mark.slow
def test_the_hub_may_be_unplugged_and_plugged_in_again(tmp_path: Path) -> None:
    def act(service: VirtualService) -> None:
        play_some(service, 3)
        service.table.unplug()
        run_until(service, lambda: not service.dice_health.available)
        service.table.plug()
        run_until(service, lambda: service.dice_health.available)
        play_some(service, 6)

    game = played(tmp_path, setting(), act)

    assert len(game.turns) == 6
    assert recorded_plays(game) == true_plays(game)


def test_a_game_does_not_begin_before_the_hub_responds(tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path / "journal.db") as journal,
        VirtualService(setting(), Config(), journal, lambda *_: None, connect_checks=3) as service,
    ):
        service.table.rig.unplug()
        with pytest.raises(UrpiError, match=r"The virtual hub at .* is not available: "):
            service.begin()


def order(service: VirtualService, ordered: Order) -> None:
    """Carry out what players choose in the menu."""
    done = service.board.order(ordered)
    run_until(service, done.done)
    done.result()


def recorded(journal: Journal, game: int) -> list[tuple[Side, str, str]]:
    record = build_record(entries_of(journal, game), datetime.now(UTC))
    return [
        (turn.side, thrown.faces, play.move)
        for turn in record.turns
        for thrown in turn.throws
        for play in thrown.plays
    ]


# Other dice and throws for the start, a draw for it, and pieces with two faces.
@pytest.mark.parametrize(
    ("rules", "plays_on"),
    slow_except([("masters", True), ("bell", True), ("skiryuk", False)], ("bell", True)),
)
def test_another_game_that_players_choose_is_played_at_the_table(
    rules: str, plays_on: bool, tmp_path: Path
) -> None:
    with (
        Journal.open(tmp_path / "games.db") as journal,
        VirtualService(setting(), Config(), journal, lambda *_: None) as service,
    ):
        service.begin()
        play_some(service, 9)
        if plays_on:
            service.table.play()
        else:
            service.table._plays_alone = False
        order(service, NewGame(rule_set(rules)))
        if not plays_on:
            run_until(service, lambda: service.service.snapshot.phase is not Phase.SET_UP)
            run_until(service, lambda: not service.table.busy)
            assert service.table.pieces.shows(service.table.game.position)
            service.table.play()
        run_until(service, lambda: service.table.game.rules.id == rules)
        run_until(service, lambda: len(service.table.game.turns) > SOME_THROWS)
        made = [(turn.side, turn.faces, turn.move) for turn in service.table.game.turns]
        assert recorded(journal, 2)[:SOME_THROWS] == made[:SOME_THROWS]
        assert [game.result for game in list_games(journal)] == [None, "abandoned"]


@pytest.mark.slow
def test_the_hands_follow_an_exploration_and_the_way_back(tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path / "games.db") as journal,
        VirtualService(setting(), Config(), journal, lambda *_: None) as service,
    ):
        service.begin()
        play_some(service, 9)
        service.table._plays_alone = False
        left = service.service.snapshot.position
        order(service, Explore())
        run_until(service, lambda: service.service.snapshot.phase is not Phase.SET_UP)
        service.follow_display()
        play_some(service, len(service.table.game.turns) + 3)
        assert service.service.snapshot.position != left
        service.table._plays_alone = False
        order(service, GoBack())
        service.follow_display()
        service.table.restore_board()
        run_until(service, lambda: service.service.exploring is None)
        run_until(service, lambda: not service.table.busy)
        service.follow_display()
        assert service.table.game.position == service.service.snapshot.position == left
        play_some(service, 3)
        assert service.service.snapshot.position != left
