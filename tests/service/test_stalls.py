"""Whatever happens to dice, buttons and squares, the game goes on if its display is obeyed."""

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.service.test_engine import EngineTable
from tests.service.test_remote_play import Two
from tests.slow import slow_except
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Moved, Passed, Roll
from urpi.referee.facts import Button, Die
from urpi.referee.orders import NewGame
from urpi.referee.seats import EngineThrows, Seats
from urpi.rules import Side, each_square, parse_move, rule_set, squares_of

LIGHT, DARK = Side
DICE: Final = (1, 2, 3, 4)
FACES: Final = "gs-"
LIMIT_MS: Final = 200_000
"""The longest of the display's own times: a move that no switch shows is asked for after 60 s."""
STEP_MS: Final = 500
SQUARES: Final = 20
ENGINE_BEGINS: Final[Seats] = ("engine:best", "person")
ENGINE_FOLLOWS: Final[Seats] = ("person", "engine:best")

Event: TypeAlias = tuple[int, str, tuple[Any, ...]]
"""The time to wait, what happens then, and its details."""


def _events() -> st.SearchStrategy[list[Event]]:
    states = st.sampled_from(["rolling", "settled", "cocked", "handled", "lost", "found"])
    dice = st.tuples(st.sets(st.sampled_from(DICE), min_size=1), states, st.booleans())
    presses = st.tuples(st.sampled_from(Side), st.sampled_from(["short", "long", "both"]))
    squares = st.tuples(st.integers(0, SQUARES - 1), st.sampled_from([50, 200, 1000]))
    what = (
        st.tuples(st.just("dice"), dice),
        st.tuples(st.just("dice"), dice),
        st.tuples(st.just("button"), presses),
        st.tuples(st.just("square"), squares),
        st.tuples(st.just("restart"), st.just(())),
    )
    one = st.tuples(st.sampled_from([0, 50, 300, 1000, 1900, 3000]), st.one_of(what))
    return st.lists(one.map(lambda pair: (pair[0], *pair[1])), min_size=1, max_size=8)


class Player:
    """A person, or two, at one board who do only what its display asks for."""

    def __init__(self, table: EngineTable, seed: int) -> None:
        self.table, self.random = table, random.Random(seed)
        self.lost: set[int] = set()
        self.rolling: set[int] = set()
        self.standing = 0
        self.happened: list[object] = []
        self.table.board._parts._watch = lambda _, decisions: self.happened.extend(decisions)

    @property
    def shot(self) -> Snapshot:
        return self.table.board.service.snapshot

    def count(self, *types: type) -> int:
        return sum(isinstance(one, types) for one in self.happened)

    def report(self, die: int, state: Any, *, tumbled: bool = False) -> None:
        face = self.random.choice(FACES) if state == "settled" else None
        self.table.board.submit(Die(self.table.board.clock(), die, state, face, tumbled))

    def suffer(self, what: str, details: tuple[Any, ...]) -> None:
        """Let something happen that the display does not ask for."""
        if what == "dice":
            dice, state, tumbled = details
            for die in sorted(dice):
                self.rolling = self.rolling - {die} | ({die} if state == "rolling" else set())
                self.lost = self.lost - {die} | ({die} if state == "lost" else set())
                self.report(die, state, tumbled=tumbled)
        elif what == "button":
            side, press = details
            # Within the menu, the players order something else.
            if press == "both" or not self.table.board.menu.is_open:
                self.press(side, press)
        elif what == "square":
            square, ms = details
            self.put(self.standing ^ 1 << square)
            self.table.wait(ms)
            self.put(self.standing ^ 1 << square)

    def come_to_rest(self) -> None:
        """A die that rolls settles sooner or later."""
        for die in sorted(self.rolling):
            self.report(die, "settled", tumbled=self.random.random() < 0.5)
        self.rolling.clear()

    def press(self, side: Side, press: Any) -> None:
        self.table.board.submit(Button(self.table.board.clock(), side, press))

    def put(self, squares: int) -> None:
        for square in each_square(self.standing ^ squares):
            self.table.pins.square(square, bool(squares >> square & 1))
        self.standing = squares

    def obey(self) -> None:
        shot = self.shot
        if self.table.board.menu.is_open:
            return
        if shot.fill or shot.clear:
            self.put(self.standing & ~shot.clear | shot.fill)
        elif shot.question is not None:
            self.press(shot.question.side, "long")
        elif shot.phase in {Phase.THROW, Phase.START_THROW}:
            if shot.side is not None and shot.throws_here(shot.side):
                self.throw(shot)
        elif shot.thinking:
            if any("level" in request for request, _ in self.table.fake.requests):
                assert shot.rolled is not None
                self.table.fake.respond({"move": self.random.choice(shot.rolled.legal)})
        elif shot.phase is Phase.MOVE and shot.seems is None:
            self.move(shot)

    def throw(self, shot: Snapshot) -> None:
        dice = [die for die in shot.waiting if die not in self.lost]
        for die in dice:
            self.report(die, "rolling")
        self.table.wait(STEP_MS)
        for die in dice:
            self.report(die, "settled", tumbled=True)

    def move(self, shot: Snapshot) -> None:
        position, throw = shot.position, shot.throw
        assert position is not None
        assert throw is not None
        move = parse_move(self.random.choice(shot.legal))
        before, after = position.occupancy, position.rules.play(position, throw, move).occupancy
        stops = squares_of(part.target for part in move.parts if 0 <= part.target < SQUARES)
        captured = before & after & stops
        self.put(before & after)
        self.table.wait(100)
        self.put(before & after & ~captured)
        self.table.wait(100)
        self.put(after)

    def restart(self) -> None:
        """Start again with the same journal, as after a loss of power."""
        path = self.table.board.service.path
        self.table.__exit__()
        self.table = EngineTable(path, closed=self.standing, chance=lambda: 0.4)
        self.table.board._parts._watch = lambda _, decisions: self.happened.extend(decisions)
        assert self.table.board.service.resume() is not None
        self.table.__enter__()
        # The source of the dice reports those again that do not respond.
        for die in sorted(self.lost):
            self.report(die, "lost")


@contextmanager
def playing(seats: Seats, throws: EngineThrows, seed: int) -> Iterator[Player]:
    with TemporaryDirectory() as folder:
        table = EngineTable(Path(folder) / "games.db", chance=lambda: 0.4)
        player = Player(table, seed)
        table.__enter__()
        try:
            table.board.begin(
                NewGame(rule_set("finkel"), first=LIGHT, seats=seats, engine_throws=throws)
            )
            table.wait(STEP_MS)
            # The first report of a die is how it has been lying.
            for die in DICE:
                player.report(die, "settled")
            yield player
        finally:
            player.table.__exit__()


def go_on(players: list[Player], wait: Any, *, moves: int) -> None:
    """Obey the displays until some more moves or passes have been made at each table."""
    for player in players:
        player.come_to_rest()
    goals = [player.count(Moved, Passed) + moves for player in players]
    for _ in range(moves * LIMIT_MS // STEP_MS):
        for player, goal in zip(players, goals, strict=True):
            if player.count(Moved, Passed) < goal:
                player.obey()
        wait(STEP_MS)
        if all(
            player.count(Moved, Passed) >= goal or player.shot.phase is Phase.OVER
            for player, goal in zip(players, goals, strict=True)
        ):
            return
    raise AssertionError([(player.shot, player.table.board.menu.is_open) for player in players])


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 1), st.integers(0, 2**16), _events(), _events())
@pytest.mark.parametrize(
    ("seats", "throws"),
    slow_except(
        product((ENGINE_BEGINS, ENGINE_FOLLOWS), ("program", "dice")),
        (ENGINE_BEGINS, "program"),
    ),
)
def test_a_game_against_the_engine_goes_on(
    seats: Seats,
    throws: EngineThrows,
    moves: int,
    seed: int,
    events: list[Event],
    later: list[Event],
) -> None:
    with playing(seats, throws, seed) as player:

        def wait(ms: int) -> None:
            player.table.wait(ms)

        if moves:
            go_on([player], wait, moves=moves)
        for some in (events, later):
            for ms, what, details in some:
                wait(ms)
                if what == "restart":
                    player.restart()
                player.suffer(what, details)
            go_on([player], wait, moves=1)
        assert all(
            roll.program is (throws == "program" and seats[roll.side.number] != "person")
            for roll in player.happened
            if isinstance(roll, Roll)
        )


@pytest.mark.slow
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.integers(0, 1),
    st.integers(0, 2**16),
    st.lists(st.tuples(st.sampled_from(Side), _events()), min_size=1, max_size=3),
)
def test_a_game_of_two_tables_goes_on(
    moves: int, seed: int, chaos: list[tuple[Side, list[Event]]]
) -> None:
    with TemporaryDirectory() as folder, ExitStack() as stack:
        two = Two(Path(folder), stack)
        players = [Player(two.light, seed), Player(two.dark, seed + 1)]
        two.begin()
        if moves:
            go_on(players, two.wait, moves=moves)
        for side, events in chaos:
            for ms, what, details in events:
                two.wait(ms)
                players[side.number].suffer(what, details)
            go_on(players, two.wait, moves=1)
        assert [player.table.board.remote.problem for player in players] == [None, None]
