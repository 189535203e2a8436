"""The index of a race's positions: perfect, minimal, and the same for both sides."""

from random import Random

import pytest

from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.engine.race_index import RaceIndex
from urpi.rules import PASS, Position, Side, parse_position, parse_rules
from urpi.rules.board import mirror
from urpi.rules.position import position_of

SHORT = ("finkel[pieces=3]", "coursework[pieces=3]", "bell[pieces=3]", "blitz[pieces=3]")


def swapped(position: Position) -> Position:
    """Return the position with the sides swapped."""
    board = [""] * 20
    for square, pile in enumerate(position.board):
        board[mirror(square)] = pile.translate(str.maketrans("LDld", "DLdl"))
    turn = position.turn.other if position.turn else None
    return position_of(position.rules, tuple(board), position.hand[::-1], position.off[::-1], turn)


def positions_of_games(rules_text: str, games: int, seed: int) -> set[Position]:
    """Return the positions of random games that are not over."""
    rules, random, found = parse_rules(rules_text), Random(seed), set()
    for number in range(games):
        position = rules.start(list(Side)[number % 2])
        while position.turn is not None:
            found.add(position)
            throw = rules.dice.roll(random.random())
            moves = rules.legal_moves(position, throw) or (PASS,)
            position = rules.play(position, throw, random.choice(moves))
    return found


@pytest.mark.parametrize(
    "rules_text", slow_except([*SHORT, "finkel", "masters"], SHORT[0], SHORT[3])
)
def test_no_two_positions_share_an_index(rules_text: str) -> None:
    index = RaceIndex(parse_rules(rules_text))
    by_index: dict[int, Position] = {}
    for position in positions_of_games(rules_text, 40, seed=1):
        of_light = position if position.turn is Side.LIGHT else swapped(position)
        number = index(position)
        assert 0 <= number < index.size
        assert by_index.setdefault(number, of_light) == of_light


@pytest.mark.parametrize("rules_text", [*SHORT, "finkel", "masters"])
def test_a_position_with_the_sides_swapped_has_the_same_index(rules_text: str) -> None:
    index = RaceIndex(parse_rules(rules_text))
    for position in positions_of_games(rules_text, 5, seed=2):
        assert index(swapped(position)) == index(position)


def every_position(rules_text: str) -> int:
    """Count the positions with light to throw by listing what each square and count may be."""
    rules = parse_rules(rules_text)
    light, dark = rules.path(Side.LIGHT), rules.path(Side.DARK)
    # For each square the pieces of light and dark that may be on it, as counts of pieces.
    counts = {(0, 0): 1}
    for square in {*light, *dark}:
        choices = [(0, 0), *[(1, 0)] * (square in light), *[(0, 1)] * (square in dark)]
        new: dict[tuple[int, int], int] = {}
        for (mine, others), ways in counts.items():
            for more, others_more in choices:
                total = mine + more, others + others_more
                new[total] = new.get(total, 0) + ways
        counts = new
    pieces = rules.pieces
    # The rest is in hand or off, and neither side has borne off all.
    return sum(
        ways
        * len(range(min(pieces - mine, pieces - 1) + 1))
        * len(range(min(pieces - others, pieces - 1) + 1))
        for (mine, others), ways in counts.items()
        if mine <= pieces and others <= pieces
    )


@pytest.mark.parametrize("rules_text", ["finkel", "finkel[pieces=5]", "bell", "blitz[pieces=3]"])
def test_the_size_is_the_number_of_positions_that_are_not_over(rules_text: str) -> None:
    assert RaceIndex(parse_rules(rules_text)).size == every_position(rules_text)


def test_finkel_with_seven_pieces_has_the_published_number_of_positions() -> None:
    # RoyalUr's solution of the game counts 137.9 million.
    assert RaceIndex(parse_rules("finkel")).size == 137_870_097


@pytest.mark.parametrize("rules_text", ["murray", "skiryuk", "ravensburger", "freecompany"])
def test_a_game_with_piles_or_second_visits_is_refused(rules_text: str) -> None:
    with pytest.raises(
        UrpiError, match=f"{rules_text} is not possible here, only games"
    ) as refused:
        RaceIndex(parse_rules(rules_text))
    for allowed in str(refused.value).removesuffix(".").partition(": ")[2].split(", "):
        RaceIndex(parse_rules(allowed))


def test_the_start_is_the_first_index() -> None:
    assert RaceIndex(parse_rules("finkel"))(parse_position("finkel - L7D7 L0D0 L")) == 0
