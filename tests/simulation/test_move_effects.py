"""Moves played by lifting pieces and putting them down: the board then shows the position."""

from random import Random

import pytest

from tests.simulation.interactive_session import InteractiveSession, session
from tests.slow import slow_except
from urpi.referee import Phase
from urpi.referee.decisions import NO_MOVE
from urpi.referee.facts import Answer, Game
from urpi.rules import HAND, OFF, RULE_SETS, Move, Part, Position, Side, names_of, parse_position
from urpi.simulation.behaviour import greedy
from urpi.simulation.display_state import DisplayState, without_faces
from urpi.simulation.interactive_table import InteractiveTable as Table
from urpi.simulation.layout_access import LayoutAccess
from urpi.simulation.move_effects import MoveEffects, move_effects
from urpi.simulation.piece_layout import Piece, Place, parse_place
from urpi.simulation.table_orders import TableOrder, act

SEED = 3
ROLLED_MS = 2500
PLAYED_MS = 3500
"""Long enough for a capture to be committed, whose target may still be in a hand (3 s)."""
STEPS = 400
LONG = {"murray", "freecompany"}
"""Rule sets whose games may take longer than `STEPS`."""
SHORT = {"finkel", "finkel3", "murray", "bell", "coursework", "skiryuk", "masters", "blitz"}


def group_of(at: InteractiveSession, part: Part) -> int:
    """Return the number of pieces that a part of a move lifts."""
    if not part.prisoners:
        return 1
    pile = at.table.layout.board[part.origin]
    under = [piece.side is not pile[-1].side for piece in reversed(pile[:-1])]
    return 1 + next((n for n, enemy in enumerate(under) if not enemy), len(under))


def play(at: InteractiveSession, move: Move) -> None:
    side = at.shown.side
    for part in move.parts:
        origin = Place(side=side) if part.origin == HAND else Place(part.origin)
        home = part.target == OFF
        target = Place(side=side, home=True) if home else Place(part.target)
        at.do(act(Table.lift, "me", origin, group_of(at, part)), wait_ms=30)
        at.do(act(Table.put, "me", target, move=move.text), wait_ms=PLAYED_MS)


def shows(at: InteractiveSession, position: Position) -> bool:
    """Whether every piece is where a position has it, with its face."""
    access = LayoutAccess(at.table.layout, "me")
    layout = at.table.layout
    rows = [len(layout.at(Place(side=side))) for side in Side]
    expected = without_faces(position)
    return (access.board, rows, access.home) == (
        list(expected.board),
        list(expected.hand),
        list(expected.off),
    )


def take_turn(at: InteractiveSession, rng: Random, made: str) -> str:
    """Do what the game waits for, and return the text of the last move."""
    shown = at.shown
    if shown.question is not None:
        at._apply(Answer(at.now, move=made))
    elif shown.phase is Phase.MOVE and shown.seems is None:
        assert shown.position is not None
        assert shown.throw is not None
        if not shows(at, shown.position):
            # A move between piles left no trace: the next throw makes the referee ask for it.
            after = at.table.display.after(made)
            assert after is not None
            assert shows(at, after), (after, at.table.layout)
            at.do(act(Table.throw), wait_ms=ROLLED_MS)
            return made
        move = greedy(rng, shown.position, shown.throw, at.table.display.legal)
        play(at, move)
        return move.text
    else:
        at.do(act(Table.throw), wait_ms=ROLLED_MS)
    return made


@pytest.mark.parametrize("rules", slow_except(sorted(RULE_SETS), "skiryuk"))
def test_every_rule_set_is_played_by_lifting_and_putting_pieces(rules: str) -> None:
    at = session(f"{rules}[pieces=3]" if rules in SHORT else rules, SEED)
    rng, made = Random(SEED), ""
    at.wait(PLAYED_MS)
    for _ in range(STEPS):
        if at.over:
            break
        made = take_turn(at, rng, made)
    at.wait(15_000)

    assert at.shown.warning is None
    assert at.shown.position is not None
    assert shows(at, at.shown.position)
    assert at.over or rules in LONG


def asked_before_the_move() -> InteractiveSession:
    """Return a game whose only legal move leaves no trace, and which is asked for unmade."""
    text = "freecompany A1:L,B1:L L5D7 L0D0 D"
    position = parse_position(text)
    at = session("freecompany", SEED)
    at.table.lay_out(position)
    at.begin_with(Game(at.now, position.rules.id, position=text))
    at.wait(PLAYED_MS)
    at.do(act(Table.throw), wait_ms=ROLLED_MS)
    at.until(lambda: at.shown.question is not None)
    assert at.shown.choices == ("+xB1", NO_MOVE)
    assert shows(at, position)
    return at


@pytest.mark.parametrize(
    "orders",
    [
        (
            act(Table.lift, "me", parse_place("hand:dark")),
            act(Table.put, "me", parse_place("B1"), move="+xB1"),
        ),
        (act(Table.move, "+xB1"),),
    ],
    ids=["by hand", "from the list"],
)
def test_a_move_that_is_made_only_when_asked_for_is_made_in_full(
    orders: tuple[TableOrder, ...],
) -> None:
    at = asked_before_the_move()
    at.do(*orders, wait_ms=30)
    at.until(lambda: at.shown.phase is Phase.THROW)

    assert at.shown.position == parse_position("freecompany A1:L,B1:D L6D6 L0D0 L")
    assert shows(at, at.shown.position)


def test_a_piece_is_turned_after_it_was_held_over_its_target_for_long() -> None:
    text = "skiryuk C8:L L6D7 L0D0 L"
    at = session("skiryuk", SEED)
    at.table.lay_out(parse_position(text))
    at.begin_with(Game(at.now, "skiryuk", position=text))
    at.wait(PLAYED_MS)
    at.do(act(Table.throw), wait_ms=ROLLED_MS)
    move = next(move for move in at.table.display.legal if move.text.startswith("C8-"))
    target = Place(move.parts[0].target)
    at.do(act(Table.lift, "me", parse_place("C8")), wait_ms=30)
    at.do(act(Table.hold_over, "me", target.square), wait_ms=PLAYED_MS)
    assert at.shown.phase is Phase.THROW
    at.do(act(Table.put, "me", target, move=move.text), wait_ms=PLAYED_MS)

    assert at.shown.position is not None
    assert shows(at, at.shown.position)


def played(position: str, throw: str, move: str, held: str, place: str) -> MoveEffects | None:
    now = parse_position(position)
    display = DisplayState("move", now.turn, now, throw=now.rules.dice.throw(throw))
    pieces = [
        Piece(f"{letter.upper()}{number}", Side.of_letter(letter), letter.islower())
        for number, letter in enumerate(held, 1)
    ]
    return move_effects(display, move, pieces, parse_place(place))


def test_a_move_that_captures_names_the_squares_of_the_captured_pieces() -> None:
    result = played("finkel A1:L,B1:D L6D6 L0D0 L", "g---", "A1xB1", "L", "B1")
    assert result is not None
    assert names_of(sum(1 << square for square in result.captures)) == ["B1"]


def test_a_blank_piece_that_leaves_the_ziggurat_is_turned() -> None:
    result = played("skiryuk C8:L L6D7 L0D0 L", "g--", "C8-B8", "L", "B8")
    assert result == MoveEffects(turned=True)


def test_a_dotted_piece_is_not_turned_again() -> None:
    result = played("skiryuk B8:L' L6D7 L0D0 L", "g--", "B8-A8", "l", "A8")
    assert result == MoveEffects()


@pytest.mark.parametrize(
    ("move", "held", "place"),
    [
        ("A4-A2", "L", "A3"),
        ("A4-A1", "L", "A1"),
        ("A4-A3", "D", "A3"),
        ("pass", "L", "A3"),
    ],
    ids=["another square", "no legal move", "an enemy's piece", "a pass"],
)
def test_a_piece_that_is_put_down_otherwise_is_just_put_down(
    move: str, held: str, place: str
) -> None:
    assert played("finkel A4:L L6D7 L0D0 L", "g---", move, held, place) is None


def test_the_simulated_hands_correct_the_board_before_they_play() -> None:
    at = session("bell[pieces=3]")
    at.do(act(Table.throw), wait_ms=ROLLED_MS)
    at.do(act(Table.lift, "me", parse_place("hand:light")), wait_ms=50)
    at.do(act(Table.put, "me", parse_place("B8")), wait_ms=300)
    at.do(act(Table.lift, "me", parse_place("hand:light")), wait_ms=50)
    at.do(act(Table.move, at.table.display.legal[0].text), wait_ms=8000)

    assert at.shown.warning is None
    assert at.shown.position is not None
    assert sum(map(len, at.shown.position.board)) == 1
    assert shows(at, at.shown.position)
