"""Positions set up at the simulated board by hands that read only the display, and played on."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.referee.placing_hands import in_any_order, right_press
from tests.slow import slow_except
from urpi.config import Config, SquaresSection
from urpi.journal import Journal, list_games, stored_record
from urpi.referee import Phase
from urpi.referee.fields import poles
from urpi.referee.placing import AskPiece, AskTurn, Placing
from urpi.rules import (
    PASS,
    RULE_SETS,
    Position,
    Side,
    each_square,
    parse_position,
    parse_square,
    rule_set,
)
from urpi.service.virtual import Setting, VirtualService
from urpi.show.menu import Item, Listing, MenuScreen, PositionSetUp
from urpi.simulation import PLAYERS, SimulatedPlayers, VirtualTable, behaviour
from urpi.simulation.display_state import without_faces
from urpi.simulation.schedule import Script

LONGEST_MS = 4 * 3_600_000
"""Virtual time after which a set-up or a game counts as stuck."""
MANY_THROWS = 60
"""Throws after which a game without a race to its end has gone on for long enough."""
LOOK_MS = 100
PATIENCE_MS = 20_000
"""How long hands wait for the display after a press: its end is found in a thread of real time."""
MISHAPS = 0.2
"""The probability of a mishap with a piece or a button."""


@dataclass
class Hands:
    """Two hands at a board without a game, that see the display and have a position in mind."""

    service: VirtualService
    wanted: Position
    rng: Random
    presses: int = 0

    @property
    def table(self) -> VirtualTable:
        return self.service.table

    @property
    def screen(self) -> MenuScreen | None:
        return self.service.board.menu.screen

    def set_up(self) -> Script:
        """Do what the display suggests until the game has begun, whatever it shows."""
        todo = list(in_any_order(self.rng, self.wanted))
        while self.service.service.game is None:
            match self.screen:
                case Listing() as listing:
                    yield from self.choose(listing)
                # Some squares are answered at once, others when all pieces stand.
                case PositionSetUp() if todo and self.rng.random() < 0.5:
                    yield from self.put(todo.pop())
                case PositionSetUp(placing=placing):
                    yield from self.answer(placing, all_stand=not todo)
                case _:
                    yield from self.press(Side.LIGHT, long=True)

    def choose(self, listing: Listing) -> Script:
        """Go to the line that leads to the set-up, and select it."""
        rules = self.wanted.rules.id
        has_rules = any(each == Item("rules", rules) for each in listing.items)
        names = {"menu": "new-game", "rules": "choose-rules"}
        name = names.get(listing.name, "set-up" if has_rules else "rules")
        is_there = listing.item.name == name and (
            name != "choose-rules" or listing.item.value == rules
        )
        yield from self.press(Side.LIGHT, long=is_there)

    def press(self, side: Side, *, long: bool) -> Script:
        before, waited = self.screen, 0
        self.presses += 1
        yield from self.table.pressing(side, "long" if long else "short")
        while self.screen == before and waited < PATIENCE_MS:
            yield LOOK_MS
            waited += LOOK_MS
        yield LOOK_MS

    def put(self, square: int) -> Script:
        """Put a square's pieces on it; sometimes one lands on another square before."""
        pieces = self.table.pieces
        for letter in without_faces(self.wanted).board[square]:
            piece, wrong = pieces.pick_up(Side.of_letter(letter)), self.rng.randrange(20)
            if self.rng.random() < MISHAPS and not pieces.pile(wrong):
                pieces.put(wrong, piece)
                yield from self.follow(self.rng.randrange(50, 1_500))
                piece = pieces.lift(wrong)
                yield from self.follow(300)
            pieces.put(square, pieces.turn(piece, letter))
            yield from self.follow(self.rng.randrange(200, 900))

    def lift_and_put_back(self, square: int) -> Script:
        """Correct what was answered for a square."""
        pieces = self.table.pieces
        group = pieces.lift(square, len(pieces.pile(square)))
        yield from self.follow(900)
        pieces.put(square, group)
        yield from self.follow(900)

    def follow(self, wait_ms: int) -> Script:
        self.table.reeds.follow(self.table.pieces.occupancy)
        yield wait_ms

    def answer(self, placing: Placing, *, all_stand: bool) -> Script:
        """Answer what is asked, sometimes wrongly, and correct what the display shows wrongly."""
        asks, wanted = placing.asks, self.wanted.board
        wrong = [
            square
            for square in placing.order
            if (pile := placing.board[square]) and pile[-1:] != wanted[square][-1:]
        ]
        if wrong:
            yield from self.lift_and_put_back(self.rng.choice(wrong))
        elif isinstance(asks, AskTurn) and not all_stand:
            yield LOOK_MS
        else:
            side, long = right_press(asks, placing.board, self.wanted)
            if isinstance(asks, AskPiece) and self.rng.random() < MISHAPS:
                side = side.other
            yield from self.press(side, long=long)


@pytest.fixture
def wanted(rules: str, seed: int) -> Position:
    """Return a position shortly before the end of a random game."""
    rng = Random(f"{rules} {seed}")
    kind = rule_set(rules)
    positions = [kind.start(rng.choice(list(Side)))]
    while (position := positions[-1]).turn is not None:
        throw = kind.dice.roll(rng.random())
        legal = kind.legal_moves(position, throw)
        positions.append(kind.play(position, throw, rng.choice(legal) if legal else PASS))
    return positions[-rng.randrange(3, 12)]


@pytest.fixture
def hands(wanted: Position, tmp_path: Path) -> Iterator[Hands]:
    setting = Setting(
        wanted.rules,
        7,
        0.0,
        players=SimulatedPlayers(PLAYERS["greedy"], behaviour("calm"), position=wanted),
        position=wanted,
    )
    with (
        Journal.open(tmp_path / "games.db") as journal,
        VirtualService(setting, Config(), journal, lambda *_: None) as service,
    ):
        clear(service.table)
        yield Hands(service, wanted, Random(f"{wanted}"))


def clear(table: VirtualTable) -> None:
    """Put every piece into the reserve, before the program reads the board."""
    pieces = table.pieces
    for square in each_square(pieces.occupancy):
        pieces.lay_beside(pieces.lift(square, len(pieces.pile(square))))
    table.reeds.set_at_rest(0)


def is_up_to_date(service: VirtualService) -> bool:
    return service.over or service.service.snapshot.position == service.table.game.position


SEEDS = {
    "finkel": 1,
    "finkel3": 1,
    "murray": 1,
    "coursework": 2,
    "skiryuk": 2,
    "ravensburger": 1,
    "freecompany": 2,
    "masters": 2,
}
"""Positions with many pieces, both faces, piles, pieces in hand, and an additional throw."""
CASES = [*((rules, SEEDS.get(rules, 0)) for rules in RULE_SETS), ("skiryuk", 0)]
"""The last one has a pile of both sides with different faces."""


@pytest.mark.parametrize(("rules", "seed"), slow_except(CASES, ("bell", 0)))
def test_hands_set_up_a_position_by_the_display_and_play_on_to_the_end(
    hands: Hands, wanted: Position, tmp_path: Path
) -> None:
    service = hands.service
    service.table.schedule.start(hands.set_up())
    while service.service.game is None:
        service.run()
        assert service.now() < LONGEST_MS, hands.screen
    number, snapshot = service.service.game, service.service.snapshot
    assert str(snapshot.position) == str(wanted)

    service.table.play(MANY_THROWS if wanted.rules.draws else None)
    while service.table.busy or not is_up_to_date(service):
        service.run()
        assert service.now() < LONGEST_MS
    assert service.over or wanted.rules.draws

    with Journal.open(tmp_path / "games.db") as journal:
        record = stored_record(journal, number)
    assert dict(record.tags)["Position"] == str(wanted)


@pytest.mark.slow
def test_hall_sensors_ask_for_no_side_and_know_it_when_the_game_begins(tmp_path: Path) -> None:
    wanted = parse_position("finkel A4:L,B1:L,B4:D,B6:D,C3:D L3D4 L2D0 D")
    players = SimulatedPlayers(PLAYERS["greedy"], behaviour("calm"), position=wanted)
    setting = Setting(wanted.rules, 7, 0.0, players=players, position=wanted)
    config, asked = Config(squares=SquaresSection(sensor="hall")), list[object]()
    with (
        Journal.open(tmp_path / "games.db") as journal,
        VirtualService(setting, config, journal, lambda *_: None) as service,
    ):
        clear(service.table)
        hands = Hands(service, wanted, Random(1))
        service.table.schedule.start(hands.set_up())
        while service.service.game is None:
            service.run()
            if isinstance(screen := hands.screen, PositionSetUp):
                asked.append(screen.placing.asks)
            assert service.now() < LONGEST_MS, hands.screen
        assert str(service.service.snapshot.position) == str(wanted)
        shown = poles(service.service.current.state.fields)
    assert not any(isinstance(each, AskPiece) for each in asked)
    sides = {name: shown[parse_square(name)] for name in ("A4", "B1", "B4", "B6", "C3")}
    light, dark = Side.LIGHT, Side.DARK
    assert sides == {"A4": light, "B1": light, "B4": dark, "B6": dark, "C3": dark}


@pytest.mark.slow
def test_hands_that_clear_the_board_begin_a_new_game_with_two_presses(tmp_path: Path) -> None:
    wanted = parse_position("finkel A4:L,B4:D,B6:D L6D5 L0D0 D")
    players = SimulatedPlayers(PLAYERS["greedy"], behaviour("calm"), position=wanted)
    setting = Setting(wanted.rules, 7, 0.0, players=players, position=wanted)
    with (
        Journal.open(tmp_path / "games.db") as journal,
        VirtualService(setting, Config(), journal, lambda *_: None) as service,
    ):
        hands = Hands(service, wanted, Random(1))
        first = service.begin()

        def clear_and_choose() -> Script:
            yield from hands.follow(3_000)
            pieces = service.table.pieces
            for square in each_square(pieces.occupancy):
                pieces.lay_beside(pieces.lift(square))
                yield from hands.follow(700)
            while not isinstance(hands.screen, Listing):
                yield LOOK_MS
            while isinstance(listing := hands.screen, Listing):
                yield from hands.press(Side.DARK, long=listing.item.name == "sure-new-game")

        service.table.schedule.start(clear_and_choose())
        while service.service.game == first:
            service.run()
            assert service.now() < LONGEST_MS, hands.screen
        snapshot = service.service.snapshot
        assert (snapshot.phase, snapshot.warning) == (Phase.START_THROW, None)
        assert hands.presses == 2
        assert [game.result for game in list_games(journal)] == [None, "abandoned"]
