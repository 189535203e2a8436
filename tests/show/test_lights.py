"""The lights: what they show in each phase, and whole games of players who see nothing else.

The players do not know the rules. They see the pieces on the board and what the LEDs below them do
for a second, decoded from the pulses on the data wire; who throws is agreed between them.
"""

from collections import Counter
from functools import cache
from random import Random

import pytest

from tests.referee.playing import Desk
from tests.slow import slow_except
from urpi.config import LightsSection
from urpi.hardware.led_bus import LedBus
from urpi.hardware.led_chain import CHAIN, PHASE_MS, colours_of, encoded
from urpi.referee import Phase, Snapshot, snapshot
from urpi.referee.decisions import Moved, Question, Warned, Won
from urpi.referee.facts import Plan
from urpi.referee.stages import Moving
from urpi.rules import RULE_SETS, SQUARE_NAMES, Position, Side, owner, parse_move, rule_set
from urpi.rules import parse_square as square_of
from urpi.show.lights import ALL_DARK, LOOK, PUT, TAKE_OFF, Light, Lights, lights

LIGHT = Side.LIGHT
SETTINGS = LightsSection(on=True)
KINDS = {(8, True): "put", (7, True): "put", (4, True): "take-off", (8, False): "look"}
MOST_STEPS = 150
"""Acts of one move, or seconds of waiting; a move that no switch shows is asked for after 60 s."""


def shown(desk: Desk) -> dict[str, Light]:
    """Return the lights by the names of the squares."""
    found = lights(snapshot(desk.state))
    return {SQUARE_NAMES[n]: light for n, light in enumerate(found) if light is not None}


@cache
def seen(picture: Lights) -> dict[str, str]:
    """Return what a person sees who watches the LEDs for a second: put, take-off or look."""
    bus, times_lit, level = LedBus(), Counter[int](), Counter[int]()
    for phase in range(8):
        colours = colours_of(picture, phase * PHASE_MS, SETTINGS)
        bus.write(encoded(tuple(colours[square] for square in CHAIN)))
        for square, rgb in bus.lit().items():
            times_lit[square] += 1
            level[square] = max(level[square], *rgb)
    return {
        SQUARE_NAMES[square]: KINDS[times, level[square] > 40]
        for square, times in times_lit.items()
    }


PLAY = "finkel A3:L,B1:L,B4:D,B6:L,C4:D L4D5 L0D0 L"
"""B4 is a safe rosette; light has A3, B1 and B6 and four pieces to enter."""


def thrown(position: str, faces: str, *, engine: bool = False) -> Desk:
    return Desk.at(position, engine=engine).wait(300).throw(faces).wait(300)


def test_pieces_that_may_move_are_dim_and_only_targets_that_no_switch_announces_are_lit() -> None:
    dim, put = LOOK[0], PUT[0]
    assert shown(thrown(PLAY, "gs--")) == {"A3": dim, "B1": dim, "B6": dim}
    assert shown(thrown(PLAY, "g---")) == {"A3": dim, "B1": dim, "B6": dim, "A4": put}


def test_a_lifted_piece_has_its_targets_lit() -> None:
    desk = thrown(PLAY, "gs--").lift("A3")
    assert shown(desk) == {"A3": LOOK[0], "A1": PUT[0]}
    desk.wait(50).put("A1")
    assert shown(desk) == {"A3": LOOK[0], "A1": LOOK[0]}


def test_a_wrong_act_is_answered_at_once_and_as_the_warning_asks() -> None:
    desk = thrown(PLAY, "gs--").lift("A3").wait(300).put("B2")
    assert shown(desk) == {"A3": PUT[0], "B2": TAKE_OFF}
    desk.wait(2600)
    assert snapshot(desk.state).warning is not None
    assert shown(desk) == {"A3": PUT[0], "B2": TAKE_OFF}


def test_a_piece_of_the_other_side_is_put_back_in_its_own_light() -> None:
    assert shown(thrown(PLAY, "gs--").lift("C4").wait(2600)) == {"C4": PUT[1]}


def test_a_piece_that_may_leave_the_board_blinks_once_it_is_lifted() -> None:
    desk = thrown("finkel A7:L,A8:L L0D2 L5D5 L", "gs--")
    assert shown(desk) == {"A8": LOOK[0]}
    assert shown(desk.lift("A8")) == {"A8": TAKE_OFF}


def test_the_engine_s_move_is_shown_step_by_step() -> None:
    desk = thrown(PLAY, "gs--", engine=True)
    assert shown(desk) == {}
    desk.do(Plan(desk.t, LIGHT, "A3-A1"))
    assert shown(desk) == {"A3": TAKE_OFF, "A1": PUT[0]}
    assert shown(desk.lift("A3")) == {"A1": PUT[0]}


def test_the_set_up_shows_what_is_missing_in_the_sides_lights() -> None:
    desk = Desk.new("finkel", position=PLAY)
    desk.put("C8")
    assert shown(desk) == {
        "C8": TAKE_OFF,
        **dict.fromkeys(("A3", "B1", "B6"), PUT[0]),
        **dict.fromkeys(("B4", "C4"), PUT[1]),
    }


@pytest.mark.parametrize("side", list(Side))
def test_a_win_lights_every_square_in_the_winner_s_light(side: Side) -> None:
    won = Snapshot(Phase.OVER, outcome=Won(0, side, "off"))
    assert lights(won) == (PUT[side.number],) * 20


def test_without_a_game_all_are_dark() -> None:
    assert lights(Snapshot(Phase.NO_GAME)) == ALL_DARK


def test_the_selected_answer_is_shown() -> None:
    position = thrown(PLAY, "gs--").state.position
    asked = Question(0, LIGHT, "move", ("A3-A1", "B6-B8"))
    choices = {"choices": ("A3-A1", "B6-B8"), "legal": ("A3-A1", "B6-B8")}
    for chosen, squares in enumerate((("A3", "A1"), ("B6", "B8"))):
        shot = Snapshot(Phase.MOVE, position, question=asked, chosen=chosen, **choices)
        lit = lights(shot)
        assert {n for n in SQUARE_NAMES if lit[square_of(n)]} == set(squares)


class Players:
    """Both players of a game, who act on what the lights show.

    They know which piece is whose, how many are on a square, and that a piece of the other side
    makes room where the rules have no piles of both.
    """

    def __init__(self, rules: str, seed: int, *, engine: bool) -> None:
        self.rng, self.engine = Random(seed), engine
        start = rule_set(rules).start(LIGHT)
        self.desk = Desk.at(str(start), engine=engine).wait(300)
        self.asked, self.warned, self.moves = 0, list[str](), 0

    @property
    def position(self) -> Position:
        return self.desk.state.position

    def play(self, throws: int) -> None:
        """Play until a side wins, at most so many throws."""
        for _ in range(throws):
            if snapshot(self.desk.state).phase is Phase.OVER:
                return
            self._throw()
            if isinstance(self.desk.state.stage, Moving):
                self._move()

    def _throw(self) -> None:
        dice = self.position.rules.dice
        self.desk.throw(dice.roll(self.rng.random()).faces).wait(500)
        stage, side = self.desk.state.stage, self.desk.state.side
        if self.engine and isinstance(stage, Moving) and side is not None:
            self.desk.do(Plan(self.desk.t, side, self.rng.choice(stage.moves.all).text))

    def _move(self) -> None:
        self.before = self.position
        self.side = snapshot(self.desk.state).side
        self.height = {n: len(self.before.board[square_of(n)]) for n in SQUARE_NAMES}
        self.lifted, self.put = list[str](), list[str]()
        self.desk.decided.clear()
        for _ in range(MOST_STEPS):
            self._act()
            self.warned += [one.code for one in self.desk.decided if isinstance(one, Warned)]
            if any(isinstance(one, Moved) for one in self.desk.decided):
                break
        else:
            raise AssertionError(f"no move: {self.before}, lifted {self.lifted}, put {self.put}")
        self.moves += 1
        self.desk.wait(1500)
        raw, after = self.desk.state.contacts.raw, self.position
        assert raw == after.occupancy or snapshot(self.desk.state).phase is Phase.OVER

    def _act(self) -> None:
        picture = seen(lights(snapshot(self.desk.state)))
        if snapshot(self.desk.state).question is not None:
            self._answer(picture)
            return
        off = [one for one, kind in picture.items() if kind == "take-off" and self.height[one]]
        puts = [one for one, kind in picture.items() if kind == "put" and one not in self.put]
        looks = [one for one, kind in picture.items() if kind == "look" and self._is_mine(one)]
        holding = len(self.lifted) > len(self.put)
        first = [one for one in off if one not in self.lifted and one not in self.put]
        if first:
            self._lift(first[0])
        elif holding and any(picture.get(one) == "take-off" for one in self.lifted):
            # It may also leave the board.
            self._choose([*puts, None])
        elif holding or not looks:
            self._choose(puts)
        else:
            choice = self.rng.choice([*puts, *looks])
            self._lift(choice) if choice in looks else self._put(choice)

    def _choose(self, squares: list[str | None]) -> None:
        choice = self.rng.choice(squares) if squares else None
        if choice is None:
            self.desk.wait(1000)
        else:
            self._put(choice)

    def _is_mine(self, square: str) -> bool:
        pile = self.before.board[square_of(square)]
        return self.height[square] == len(pile) == 1 and owner(pile) is self.side

    def _lift(self, square: str) -> None:
        self.lifted.append(square)
        self.height[square] -= self._count(square)
        if self.height[square] == 0:
            self.desk.lift(square)
        self.desk.wait(400)

    def _count(self, square: str) -> int:
        """Return how many pieces are taken, which the display shows: more with prisoners."""
        planned = snapshot(self.desk.state).planned or ""
        if not planned.endswith("*") or not planned.startswith(square):
            return 1
        below = self.before.board[square_of(square)][-2::-1]
        mine = self.side
        return 1 + next((n for n, one in enumerate(below) if owner(one) is mine), len(below))

    def _put(self, square: str) -> None:
        self.put.append(square)
        captured = self.height[square] and self._captures(square)
        if captured:
            self.desk.lift(square)
            self.desk.wait(400)
            self.height[square] = 0
        self.height[square] += 1
        if self.height[square] == 1:
            self.desk.put(square)
        self.desk.wait(400)

    def _captures(self, square: str) -> bool:
        stage = self.desk.state.stage
        assert isinstance(stage, Moving)
        return any(
            stop.captures and SQUARE_NAMES[stop.square] == square
            for move in stage.moves.all
            for part in parse_move(move.text).parts
            for stop in part.stops
            if stop.square in range(20)
        )

    def _answer(self, picture: dict[str, str]) -> None:
        self.asked += 1
        mine = {*self.lifted, *self.put}
        asked = self.desk.state.question.question.side
        is_mine = bool(picture) and set(picture) >= mine
        self.desk.press(asked, "long" if is_mine else "short")
        self.desk.wait(200)


SEED = 40
ENDLESS = {"freecompany"}
"""Games of random moves do not end here; their first 300 throws are played."""


def is_over(players: Players) -> bool:
    return snapshot(players.desk.state).phase is Phase.OVER


EVERY_GAME = [
    (rules, engine)
    for rules in RULE_SETS
    for engine in (False, True)
    # Most of its moves go from pile to pile, which neither switches nor lights show.
    if (rules, engine) != ("ravensburger", False)
]


@pytest.mark.parametrize(("rules", "engine"), slow_except(EVERY_GAME, ("finkel", True)))
def test_players_who_only_see_the_lights_play_whole_games(rules: str, engine: bool) -> None:
    players = Players(rules, SEED, engine=engine)
    players.play(300 if rules in ENDLESS else 3000)
    assert players.warned == []
    assert players.moves > 200 if rules in ENDLESS else is_over(players)
