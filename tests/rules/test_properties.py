"""What holds for every rule set, every game and every text."""

import copy
import pickle
import sys
from contextlib import suppress
from random import Random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.rules.compare import every_rule_set
from tests.slow import mostly_slow, slow_except
from urpi.core.errors import UrpiError
from urpi.rules import (
    ALL_SQUARES,
    HAND,
    OFF,
    PASS,
    REFUSAL_CODES,
    RULE_SETS,
    SQUARE_NAMES,
    Move,
    Part,
    Side,
    Stop,
    move_cache,
    parse_move,
    parse_position,
    parse_rules,
)
from urpi.rules.board import mirror, squares_of
from urpi.rules.move_cache import MOST_STATES
from urpi.rules.moves import move_of
from urpi.rules.position import position_of

# A whole game may lie behind one example.
unhurried = settings(deadline=None)

ALL_RULES = [rules for name in RULE_SETS for rules in every_rule_set(name)]
NAMES = [rules.text for rules in ALL_RULES]
EVERYDAY = [rules for name in RULE_SETS for rules in [*every_rule_set(name)][::3]]
EVERY = slow_except(ALL_RULES, *EVERYDAY)
SQUARES = [*ALL_SQUARES]
LONGEST_GAME = 150

rule_sets = st.sampled_from(ALL_RULES)
seeds = st.integers(0, 2**32)
stops = st.builds(Stop, st.sampled_from([*SQUARES, OFF]), st.booleans())
parts = st.one_of(
    st.builds(
        Part,
        st.sampled_from([*SQUARES, HAND]),
        st.tuples(stops),
        st.booleans(),
    ),
    st.builds(Part, st.sampled_from(SQUARES), st.tuples(stops, stops), st.booleans()),
)
moves = st.lists(parts, max_size=3).map(lambda found: move_of(*found) if found else PASS)
texts_like = st.one_of(
    st.text(max_size=40),
    st.text("ABCLD'12345678:,-+x*=[];abcoffinkelmry ", max_size=60),
    st.from_regex(
        r"(finkel|skiryuk|ravensburger|freecompany)(\[[a-z]+=\w\])? \S* L\d+D\d+ L\d",
        fullmatch=True,
    ),
)


def games(rules, seed, longest=LONGEST_GAME):
    """A random game: every position with its throw, the legal moves and the one played."""
    random = Random(seed)
    position = rules.start(random.choice(list(Side)))
    for _ in range(longest):
        if position.turn is None:
            return
        throw = rules.dice.roll(random.random())
        legal = rules.legal_moves(position, throw)
        move = random.choice(legal) if legal else PASS
        yield position, throw, legal, move
        position = rules.play(position, throw, move)


def some_position(rules, seed):
    """A position somewhere in a random game, with a throw."""
    *_, (position, throw, _legal, _move) = games(rules, seed, 1 + seed % 120)
    return position, throw


def count(position, side):
    on_board = "".join(position.board).upper().count(side.letter)
    return on_board + position.hand[side.number] + position.off[side.number]


@unhurried
@given(texts_like)
def test_parsers_raise_nothing_but_our_own_error(text):
    for parse in (parse_move, parse_position, parse_rules):
        with suppress(UrpiError):
            parse(text)


@unhurried
@given(rule_sets, seeds, st.integers(0, 200), st.characters(), st.booleans())
def test_a_spoilt_position_text_is_read_or_refused(rules, seed, place, letter, replace):
    text = str(some_position(rules, seed)[0])
    place %= len(text)
    spoilt = text[:place] + letter + text[place + replace :]
    with suppress(UrpiError):
        assert str(parse_position(spoilt)) == spoilt


@pytest.mark.parametrize("rules", EVERY, ids=NAMES)
def test_every_position_of_a_game_round_trips_and_is_a_possible_one(rules):
    for position, _throw, _legal, _move in games(rules, seed=1):
        again = parse_position(str(position))
        assert again == position
        assert hash(again) == hash(position)
        assert str(again) == str(position)


@pytest.mark.parametrize("rules", EVERY, ids=NAMES)
def test_every_legal_move_round_trips_and_they_are_sorted(rules):
    for _position, _throw, legal, _move in games(rules, seed=2):
        assert [str(move) for move in legal] == sorted({str(move) for move in legal})
        for move in legal:
            assert parse_move(move.text) == move


@pytest.mark.parametrize("rules", EVERY, ids=NAMES)
def test_a_side_s_path_begins_in_its_own_row_and_mirrors_the_other_one(rules):
    light, dark = (rules.path(side) for side in Side)

    assert SQUARE_NAMES[light[0]] == "A4"
    assert dark == tuple(map(mirror, light))


def test_the_pieces_of_two_rule_sets_have_two_faces():
    assert {rules.id for rules in ALL_RULES if rules.two_faced} == {"skiryuk", "ravensburger"}


@pytest.mark.parametrize(
    "field", ["rules", "state", "turn", "board", "hand", "off", "extra_used", "occupancy"]
)
def test_no_field_of_a_position_can_be_changed(field):
    position = parse_position("finkel A4:L L6D7 L0D0 D")
    with pytest.raises(AttributeError):
        setattr(position, field, None)


@unhurried
@given(rule_sets, seeds)
def test_a_position_is_built_from_its_piles_and_counts(rules, seed):
    position, _throw = some_position(rules, seed)
    board, hand, off, used = position.board, position.hand, position.off, position.extra_used
    assert position_of(rules, board, hand, off, position.turn, extra_used=used) == position
    assert position.occupancy == squares_of(square for square in SQUARES if board[square])


@pytest.mark.parametrize(
    "rules", mostly_slow([each for each in ALL_RULES if each.id != "freecompany"], 15), ids=str
)
def test_moves_are_found_again_after_a_full_cache_is_emptied(rules, monkeypatch):
    def fresh_and_full():
        fresh = type(rules)(rules.options)
        for most in (MOST_STATES, 1):
            monkeypatch.setattr(move_cache, "MOST_STATES", most)
            yield [*played(fresh, 7)]

    once, again = fresh_and_full()
    assert once == again
    assert len(once) > 20


def played(rules, seed):
    """The legal moves of each throw of a random game."""
    random, position = Random(seed), rules.start(Side.LIGHT)
    for _ in range(LONGEST_GAME):
        if position.turn is None:
            return
        throw = rules.dice.roll(random.random())
        legal = rules.legal_moves(position, throw)
        yield legal
        position = rules.play(position, throw, random.choice(legal or (PASS,)))


@unhurried
@given(rule_sets, seeds)
def test_copies_are_equal_and_hash_alike(rules, seed):
    position, _throw = some_position(rules, seed)
    for again in (
        pickle.loads(pickle.dumps(position)),
        copy.copy(position),
        copy.deepcopy(position),
    ):
        assert again == position
        assert hash(again) == hash(position)
        assert again.rules is rules


@pytest.mark.parametrize("rules", EVERY, ids=NAMES)
def test_pieces_are_conserved_and_the_game_ends_when_a_side_has_won(rules):
    for position, throw, _legal, move in games(rules, seed=3):
        after = rules.play(position, throw, move)
        assert [count(after, side) for side in Side] == [rules.pieces, rules.pieces]
        assert (rules.winner(after) is None) == (after.turn is not None)
        rules.check(after)


@pytest.mark.parametrize("rules", EVERY, ids=NAMES)
def test_a_position_is_smaller_than_500_bytes(rules):
    for position, _throw, _legal, _move in games(rules, seed=5, longest=30):
        own = (position, position.board, position.hand, position.off)
        assert sum(map(sys.getsizeof, own)) < 500


@pytest.mark.parametrize("rules", EVERY, ids=NAMES)
def test_only_the_side_to_move_can_win(rules):
    for position, throw, _legal, move in games(rules, seed=4):
        winner = rules.winner(rules.play(position, throw, move))
        assert winner in {None, position.turn}


@unhurried
@given(rule_sets, seeds)
def test_playing_never_changes_its_argument(rules, seed):
    position, throw = some_position(rules, seed)
    before = str(position)
    for move in rules.legal_moves(position, throw):
        rules.play(position, throw, move)
    assert str(position) == before


@unhurried
@given(rule_sets, seeds)
# A move of three landings, which the rule set does not share between calls.
@example(parse_rules("freecompany"), 215153)
def test_a_legal_move_has_no_refusal_whatever_its_capture_marks(rules, seed):
    position, throw = some_position(rules, seed)
    for move in rules.legal_moves(position, throw):
        assert rules.refusal(position, throw, move) is None
        assert rules.refusal(position, throw, _without_marks(move)) is None
        assert rules.meant(position, throw, _without_marks(move)) == move


def _without_marks(move: Move) -> Move:
    return move_of(
        *(
            Part(part.origin, tuple(Stop(stop.square) for stop in part.stops), part.prisoners)
            for part in move.parts
        )
    )


@settings(max_examples=300, deadline=None)
@given(rule_sets, seeds, moves)
def test_every_move_is_either_legal_or_refused_by_a_code(rules, seed, move):
    position, throw = some_position(rules, seed)
    legal = rules.legal_moves(position, throw)
    refusal = rules.refusal(position, throw, move)
    if refusal is None:
        assert rules.meant(position, throw, move) in legal or (move is PASS and not legal)
    else:
        assert refusal.code in REFUSAL_CODES
        assert refusal.details["threw"] == throw.value
        assert rules.meant(position, throw, move) is None


@unhurried
@given(rule_sets, seeds, st.sampled_from([*SQUARES, OFF]))
def test_a_legal_move_with_another_end_is_legal_or_refused(rules, seed, target):
    position, throw = some_position(rules, seed)
    legal = rules.legal_moves(position, throw)
    for move in legal:
        part = move.parts[0]._replace(stops=(Stop(target),))
        mutated = move_of(part, *move.parts[1:])
        refusal = rules.refusal(position, throw, mutated)
        assert (refusal is None) == (rules.meant(position, throw, mutated) is not None)


@unhurried
@given(rule_sets, seeds, moves)
def test_a_finished_game_refuses_every_move(rules, seed, move):
    last = None
    for position, throw, _legal, played in games(rules, seed, longest=1200):
        last = rules.play(position, throw, played), throw
    position, throw = last
    assume(position.turn is None)
    assert rules.legal_moves(position, throw) == ()
    assert rules.refusal(position, throw, move).code == "not-your-turn"


@unhurried
@given(rule_sets, seeds)
def test_throws_of_one_meaning_allow_the_same_moves(rules, seed):
    position, throw = some_position(rules, seed)
    other = rules.dice.throw(throw.faces[::-1])
    assert other.meaning == throw.meaning
    assert rules.legal_moves(position, other) == rules.legal_moves(position, throw)


@pytest.mark.parametrize("rules", EVERY, ids=NAMES)
def test_the_chances_of_all_throws_add_to_one(rules):
    assert sum(chance for _throw, chance in rules.dice.outcomes) == 1


@pytest.mark.parametrize("rules", EVERY, ids=NAMES)
def test_evenly_drawn_numbers_roll_every_throw_as_often_as_its_chance(rules):
    rolled = [rules.dice.roll((n + 0.5) / 3072).meaning for n in range(3072)]
    for throw, chance in rules.dice.outcomes:
        assert rolled.count(throw.meaning) == chance * 3072
