"""Games as RoyalUr's Java library writes them as JSON: read as they were played, or refused."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.review.games import random_game
from urpi.core.errors import UrpiError
from urpi.rules import Position, RuleSet, Side, parse_move, parse_rules
from urpi.rules.moves import HAND, OFF
from urpi.rules.record import (
    GameRecord,
    check_record,
    first_position,
    parse_record,
    record_text,
)
from urpi.rules.rgn import in_sums, parse_rgn
from urpi.rules.royalur_json import is_royalur_json, parse_royalur_json

WRITTEN = Path(__file__).with_name("royalur")
GAMES = {
    "finkel": ("bell", "four_binary", True, False),
    "finkel[pieces=3]": ("bell", "four_binary", True, False),
    "masters": ("masters", "three_binary_0eq4", False, False),
    "masters[safe_rosettes=yes]": ("masters", "three_binary_0eq4", True, False),
    "blitz": ("masters", "four_binary", False, True),
}


def piece(rules: RuleSet, side: Side, square: int) -> int | None:
    """Return a piece as its place on the path from 1, negative for dark; None off the board."""
    if square in {HAND, OFF}:
        return None
    return (1 if side is Side.LIGHT else -1) * (rules.path(side).index(square) + 1)


def move_values(position: Position, text: str) -> dict[str, int]:
    (part,) = parse_move(text).parts
    side, rules = position.turn, position.rules
    assert side is not None
    values = {"src": piece(rules, side, part.origin), "dest": piece(rules, side, part.target)}
    if part.stops[0].captures:
        values["captured"] = piece(rules, side.other, part.target)
    return {key: value for key, value in values.items() if value is not None}


def written(record: GameRecord, time_ms: int = 0) -> dict[str, Any]:
    """Return a game as the Java library writes it: its landmark states."""
    position = first_position(record)
    rules, turn = position.rules, position.turn
    assert turn is not None
    paths, dice, safe, captures = GAMES[rules.text]
    states: list[dict[str, Any]] = []
    for played in record.turns:
        for thrown in played.throws:
            throw = rules.dice.throw(thrown.faces)
            (play,) = thrown.plays
            state = {"time": time_ms * (len(states) + 1), "turn": played.side.letter}
            state |= {"roll": {"value": throw.value}}
            if play.move == "pass":
                states.append({"type": "roll", **state, "moves": []})
            else:
                move = move_values(position, play.move)
                states.append({"type": "move", **state, "move": move})
            position = rules.play(position, throw, parse_move(play.move))
    if position.turn is None:
        winner = rules.winner(position)
        assert winner is not None
        states.append({"type": "win", "time": 0, "winner": winner.letter})
    else:
        states.append({"type": "wait4roll", "time": 0, "turn": position.turn.letter})
    pieces = rules.start(turn).hand[0]
    return {
        "notation_version": 2,
        "metadata": {"StartTime": "2026-11-26T19:02:11Z", "Light": "Anna", "Dark": "Ben"},
        "settings": {
            "board_shape": "standard",
            "paths": paths,
            "dice": dice,
            "start_pieces": pieces,
            "safe_rosettes": safe,
            "rosettes_grant_rolls": True,
            "captures_grant_rolls": captures,
        },
        "initial_state": {
            "board": {"pieces": {}},
            "players": {side.letter: {"pieces": pieces, "score": 0} for side in Side},
            "type": "wait4roll",
            "time": 0,
            "turn": turn.letter,
        },
        "states": states,
    }


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(list(GAMES)), most=st.integers(0, 150))
def test_a_game_is_read_as_it_was_written(seed: int, rules: str, most: int) -> None:
    played = random_game(parse_rules(rules), Random(seed), most)
    text = json.dumps(written(played))
    record = parse_royalur_json(text)
    assert is_royalur_json(text)
    assert record.turns == in_sums(played).turns
    assert record.tag("Result") == played.tag("Result")
    assert record.tag("Rules") == rules
    check_record(record)


def game(most: int = 8) -> dict[str, Any]:
    """Return the beginning of a game of finkel."""
    return written(random_game(parse_rules("finkel"), Random(5), most), time_ms=1500)


def test_what_the_game_contains_is_kept() -> None:
    text = record_text(parse_royalur_json(json.dumps(game())))
    assert text.startswith(
        '[Rules "finkel"]\n[Date "2026.11.26"]\n[Time "19:02:11+00:00"]\n'
        '[Light "Anna"]\n[Dark "Ben"]\n[Start "'
    )
    assert "{1.5s}" in text
    assert "{12.0s}" in text


def test_states_between_throws_and_moves_make_no_difference() -> None:
    full = game()
    states: list[dict[str, Any]] = []
    for state in full["states"]:
        turn, roll = state["turn"], state.get("roll")
        states.append({"type": "wait4roll", "turn": turn})
        if state["type"] == "move":
            states.append({"type": "roll", "turn": turn, "roll": roll, "moves": [{}]})
            states.append({"type": "wait4move", "turn": turn, "roll": roll})
        states.append(state)
    full["states"] = states
    assert parse_royalur_json(json.dumps(full)) == parse_royalur_json(json.dumps(game()))


def test_pieces_of_the_first_version_are_objects() -> None:
    old = game()
    old["notation_version"] = 1
    old["settings"]["dice"] = "FourBinary"
    for state in old["states"]:
        for key, value in state.get("move", {}).items():
            owner, index = ("L" if value > 0 else "D"), abs(value) - 1
            state["move"][key] = {"owner": owner, "index": index}
    assert parse_royalur_json(json.dumps(old)) == parse_royalur_json(json.dumps(game()))


def test_a_game_may_begin_at_another_position() -> None:
    other = game(0)
    other["initial_state"]["board"]["pieces"] = {"B4": -8, "A4": 1}
    other["initial_state"]["players"] = {
        "L": {"pieces": 5, "score": 1}, "D": {"pieces": 6, "score": 0}
    }  # fmt: skip
    other["initial_state"]["turn"] = "L"
    record = parse_royalur_json(json.dumps(other))
    assert record.tag("Position") == "finkel A4:L,B4:D L5D6 L1D0 L"
    check_record(record)


@pytest.mark.parametrize(
    ("state", "result", "termination"),
    [
        ({"type": "resigned", "player": "L"}, "dark", "resigned"),
        ({"type": "abandoned", "reason": "player_left", "player": "L"}, "dark", "abandoned"),
    ],
)
def test_a_game_that_was_stopped_has_its_end(
    state: dict[str, str], result: str, termination: str
) -> None:
    stopped = game()
    stopped["states"][-1:] = [state, {"type": "win", "winner": "D"}]
    record = parse_royalur_json(json.dumps(stopped))
    assert (record.tag("Result"), record.tag("Termination")) == (result, termination)


@pytest.mark.parametrize(
    ("name", "rules", "throws", "result", "termination"),
    [
        ("finkel-3-won", "finkel[pieces=3]", 42, "light", None),
        ("masters-won", "masters", 125, "dark", None),
        ("blitz-won", "blitz", 76, "light", None),
        ("blitz-resigned", "blitz", 9, "dark", "resigned"),
        ("finkel-left", "finkel", 16, "dark", "abandoned"),
        ("masters-safe-left", "masters[safe_rosettes=yes]", 13, "dark", "abandoned"),
    ],
)
def test_games_that_royalur_wrote_are_the_same_in_json_and_rgn(
    name: str, rules: str, throws: int, result: str, termination: str | None
) -> None:
    record = parse_royalur_json((WRITTEN / f"{name}.json").read_text("utf-8"))
    check_record(record)
    assert sum(len(turn.throws) for turn in record.turns) == throws
    tags = [record.tag(name) for name in ("Rules", "Result", "Termination")]
    assert tags == [rules, result, termination]
    rgn = parse_rgn(f'[Rules "{rules}"]\n' + (WRITTEN / f"{name}.rgn").read_text("utf-8"))
    assert rgn.turns == in_sums(without_comments(record)).turns
    assert [rgn.tag(name) for name in ("Date", "Time", "Light")] == [
        record.tag(name) for name in ("Date", "Time", "Light")
    ]


def without_comments(record: GameRecord) -> GameRecord:
    return parse_record(re.sub(r" \{.*?\}", "", record_text(record)))


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    document = game()
    change(document)
    return json.dumps(document)


def first_move(document: dict[str, Any]) -> dict[str, Any]:
    return next(state for state in document["states"] if state["type"] == "move")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "must be one JSON object"),
        ("[" * 100_000, "must be one JSON object"),
        ('{"notation_version":2,"notation_version":2}', "a key occurs twice"),
        ("[]", "The game must be a JSON object; found"),
        ('{"notation_version":3}', "notation_version must be 1 or 2; found 3"),
        (
            changed(lambda game: game["settings"].update(paths="aseb")),
            "No rule set here has .*aseb",
        ),
        (changed(lambda game: game["settings"].update(start_pieces=6)), "pieces"),
        (changed(lambda game: game.update(metadata={"Light": 7})), "metadata must be texts"),
        (changed(lambda game: game["metadata"].update(StartTime="now")), "StartTime must be such"),
        (changed(lambda game: game["initial_state"].update(type="wait4move")), "of type wait4roll"),
        (changed(lambda game: game["initial_state"]["players"].pop("D")), "player dark must be"),
        (changed(lambda game: game.update(states={})), "states must be a list"),
        (
            changed(lambda game: game["states"].append({"type": "tea"})),
            "of a known type; found .tea",
        ),
        (changed(lambda game: first_move(game)["roll"].update(value=True)), "number from 0 to 99"),
        (changed(lambda game: first_move(game)["roll"].update(value=5)), "a throw of ., not of 5"),
        (changed(lambda game: first_move(game).update(turn="X")), "must be L or D; found .X"),
        (changed(lambda game: first_move(game)["move"].update(dest=99)), "no place of"),
        (
            changed(lambda game: first_move(game)["move"].update(captured=1)),
            "must be .* on this board",
        ),
    ],
)
def test_an_invalid_game_is_refused_with_place_and_reason(text: str, reason: str) -> None:
    with pytest.raises(UrpiError, match=reason) as raised:
        parse_royalur_json(text)
    assert len(str(raised.value)) < 400
    assert "\n" not in str(raised.value)
