"""The documents that the page receives, made from snapshots and decisions."""

import json
from typing import Any

import pytest

from tests.each import each
from urpi.page.documents.positions import (
    chances_document,
    move_document,
    position_document,
    rule_sets_document,
    rules_document,
)
from urpi.page.documents.record import Record, lines_document
from urpi.page.documents.state import Scene, state_document
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import (
    Abandoned,
    Cleared,
    Decision,
    Drawn,
    Fault,
    Fix,
    Moved,
    Passed,
    Question,
    Ready,
    Refused,
    Roll,
    RollRefused,
    Seems,
    StartRoll,
    Starts,
    TakenBack,
    ThrowForStart,
    Warned,
    Won,
)
from urpi.rules import (
    RULE_SETS,
    Side,
    Squares,
    parse_move,
    parse_position,
    parse_square,
    rule_set,
    squares_of,
)
from urpi.service.table_state import Device
from urpi.show.words import words_for
from urpi.show.words.decisions import announcements
from urpi.show.words.move_texts import move_text

WORDS = words_for("en")
L, D = Side.LIGHT, Side.DARK
AFTER = "finkel A4:L L6D7 L0D0 D"


def squares(*names: str) -> Squares:
    return squares_of(map(parse_square, names))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("+A4", "A new piece to A4"),
        ("+xB1", "A new piece to B1, capturing"),
        ("A4-A2", "A4 to A2"),
        ("A1xB2", "A1 to B2, capturing"),
        ("A7-off", "A7 goes home"),
        ("A3-A2,B5-B6", "A3 to A2; B5 to B6"),
        ("B3-B6*", "B3 to B6 with prisoners"),
        ("B3xB6*", "B3 to B6 with prisoners, capturing"),
        ("A1xB1-B2", "A1 to B1, capturing, then B2"),
        ("A1xB1xB2", "A1 to B1, capturing, then B2, capturing"),
        ("pass", "No move"),
    ],
)
def test_a_move_is_described_in_words(text: str, words: str) -> None:
    assert move_text(parse_move(text), WORDS) == words


def test_a_move_has_the_origins_and_targets_of_its_pieces() -> None:
    entering, leaving = move_document("+A4", WORDS), move_document("A7-off", WORDS)
    assert (entering["from"], entering["to"]) == (["hand"], ["A4"])
    assert (leaving["from"], leaving["to"]) == (["A7"], ["off"])
    assert move_document("A3-A2,B5-B6", WORDS)["from"] == ["A3", "B5"]


def test_a_pile_is_listed_from_bottom_to_top() -> None:
    position = parse_position(AFTER)
    assert position_document(position)["squares"] == {
        "A4": {"side": "light", "count": 1, "pieces": [{"side": "light", "turned": False}]}
    }
    company = parse_position("ravensburger B4:LD' L9D9 L0D0 L")
    assert position_document(company)["squares"]["B4"] == {
        "side": "dark",
        "count": 2,
        "pieces": [{"side": "light", "turned": False}, {"side": "dark", "turned": True}],
    }


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_rule_set_has_its_name_dice_paths_and_chances(name: str) -> None:
    rules = rule_set(name)
    document = rules_document(rules, WORDS)
    assert document["id"] == name
    assert document["name"] != name
    dice = rules.dice
    expected = {"count": dice.count, "body": dice.body, "binary": dice.binary}
    assert document["dice"] == expected
    assert all(document["paths"].values())
    assert sum(one["chance"] for one in chances_document(rules)) == pytest.approx(1, abs=1e-5)


def test_the_default_is_the_first_value_of_a_rule_set_s_option() -> None:
    finkel = rule_sets_document(WORDS)[0]
    assert finkel["id"] == "finkel"
    pieces = next(one for one in finkel["options"] if one["name"] == "pieces")
    assert pieces["values"] == ["7", "5", "3"]


@each(
    ("decision", "text"),
    [
        (Ready(0), "The board is set up."),
        (Ready(0, squares("A4", "B1")), "Set up the board; check A4, B1."),
        (ThrowForStart(0, D), "Bo throws for the start."),
        (StartRoll(0, D, "gs--", 2), "Bo throws 2."),
        (Starts(0, L, "throw"), "Light begins."),
        (Roll(0, L, "gs--", 2, ("+A3",)), "Light throws 2."),
        (RollRefused(0, L, "cocked", (3,)), "Die 3 leans. Throw it again."),
        (Moved(0, L, "+A4", AFTER, "sensed"), "Light enters a piece at A4."),
        (Moved(0, D, "+xC4", AFTER, "sensed"), "Bo enters a piece at C4 and captures."),
        (Moved(0, L, "A4-A2", AFTER, "sensed"), "Light moves from A4 to A2."),
        (Moved(0, L, "A1xB2", AFTER, "answered"), "Light moves from A1 to B2 and captures."),
        (Moved(0, D, "C7-off", AFTER, "inferred"), "Bo brings the piece on C7 home."),
        (Moved(0, L, "A3-A2,B5-B6", AFTER, "sensed"), "Light: A3 to A2; B5 to B6."),
        (Seems(0, D, "+C4"), "It looks as if Bo played A new piece to C4."),
        (Passed(0, D, "zero"), "Bo threw 0 and cannot move."),
        (Passed(0, L, "no-move"), "Light cannot move."),
        (Warned(0, L, "off-path", 0, "Not there.", Fix(0, 0)), "Not there."),
        (Cleared(0), "The board is correct again."),
        (Question(0, D, "move", ("+C4",)), "Bo, which move was it?"),
        (Question(0, D, "first"), "Who begins?"),
        (Question(0, L, "faces"), "Light, what do the dice show?"),
        (TakenBack(0, L, "+A4"), "Light takes back: A new piece to A4."),
        (Fault(0, "B4", "stuck-on"), "B4: switch stuck closed. Play goes on."),
        (Refused(0, "answer", "not-legal", ""), WORDS.sentence("not-legal")),
        (Won(0, L, "off"), "Light has won. All pieces are home."),
        (Drawn(0, "agreed"), "The game is drawn. Both sides agreed."),
        (Abandoned(0, "abandoned"), "The game is over. The game was abandoned."),
    ],
)
def test_every_decision_is_announced(decision: Decision, text: str) -> None:
    assert announcements(WORDS, "", "Bo").text(decision) == text


def record_of(*decisions: Decision) -> Record:
    record = Record()
    for decision in decisions:
        record.add(decision)
    return record


def test_the_record_has_a_line_for_every_throw_that_was_played() -> None:
    record = record_of(
        Roll(0, L, "gs--", 2, ()),
        Moved(1, L, "+A3", AFTER, "sensed"),
        Roll(2, L, "g---", 1, ()),
        Moved(3, L, "+A4", AFTER, "inferred"),
        Roll(4, D, "----", 0, ()),
        Passed(5, D, "zero"),
        Roll(6, L, "gggg", 4, ()),
    )
    document = lines_document(record.lines, WORDS, 10)
    assert document["record_from"] == 1
    assert [(one["n"], one["turn"], one["move"]) for one in document["record"]] == [
        (1, 1, "+A3"),
        (2, 1, "+A4"),
        (3, 2, "pass"),
    ]
    assert lines_document(record.lines, WORDS, 1)["record_from"] == 3


def test_the_totals_count_every_throw_and_capture_that_was_not_taken_back() -> None:
    record = record_of(
        Roll(0, L, "gs--", 2, ()),
        Moved(1, L, "A1xB1", AFTER, "sensed"),
        TakenBack(2, L, "A1xB1"),
        Moved(3, L, "A2xB1", AFTER, "sensed"),
        Roll(4, D, "----", 0, ()),
        Passed(5, D, "zero"),
        Roll(6, L, "gg--", 2, ()),
        Moved(7, L, "A1xB1xB2", AFTER, "sensed"),
    )
    assert lines_document(record.lines, WORDS, 1)["totals"] == {
        "light": {"throws": 2, "captures": 3},
        "dark": {"throws": 1, "captures": 0},
    }


def test_a_move_that_was_taken_back_stays_in_the_record() -> None:
    record = record_of(
        Roll(0, L, "gs--", 2, ()),
        Moved(1, L, "+A3", AFTER, "sensed"),
        TakenBack(2, L, "+A3"),
        Moved(3, L, "A4-A2", AFTER, "sensed"),
    )
    lines = [(one.move, one.throw, one.taken_back) for one in record.lines]
    assert lines == [("+A3", "gs--", True), ("A4-A2", "gs--", False)]


def scene(snapshot: Snapshot, *, has_lights: bool = False) -> dict[str, Any]:
    devices = {"hub": Device(available=True, dice=(1, 2))}
    shown = Scene(7, 3, "board", snapshot, WORDS, None, devices, "data:,", has_lights=has_lights)
    return state_document(shown)


def test_the_state_contains_the_lit_squares_of_a_table_with_lights() -> None:
    position = parse_position("finkel A4:L L6D7 L0D0 L")
    fix = {"fill": squares("A4"), "clear": squares("A1")}
    shot = Snapshot(Phase.MOVE, position, side=L, **fix)
    lit = {"A4": "light steady", "A1": "take-off blinking"}
    assert scene(shot, has_lights=True)["lit"] == lit
    assert scene(shot)["lit"] == {}


def test_before_the_first_game_there_is_no_position() -> None:
    state = scene(Snapshot(Phase.NO_GAME))
    assert (state["phase"], state["rules"], state["position"]) == ("no-game", None, None)
    assert json.loads(json.dumps(state)) == state


def test_the_state_contains_everything_of_a_snapshot() -> None:
    position = parse_position("finkel A4:L L6D7 L0D0 L")
    question = Question(0, L, "move", ("A4-A2", "+A2"))
    warning = Warned(0, L, "off-path", 2, "Not there.", Fix(squares("A4"), squares("A1")))
    shot = Snapshot(
        Phase.MOVE,
        position,
        light="<b>Ann</b>",
        side=L,
        rolling=(1,),
        waiting=(2,),
        settled=((3, "g"),),
        throw=position.rules.dice.throw("gs--"),
        legal=("+A2", "A4-A2"),
        seems="A4-A2",
        last=Moved(0, L, "+A4", AFTER, "sensed"),
        warning=warning,
        question=question,
        choices=("A4-A2", "+A2"),
        chosen=1,
        faults=(Fault(0, "die 3", "lost"),),
        fill=warning.fix.fill,
        clear=warning.fix.clear,
        outcome=Won(0, L, "resigned"),
        takeback=(L, "+A4"),
        chooser=D,
    )
    state = scene(shot)
    assert json.loads(json.dumps(state)) == state
    assert state["players"] == {"light": "<b>Ann</b>", "dark": ""}
    assert state["dice"] == {"rolling": [1], "waiting": [2], "settled": {"3": "g"}}
    assert state["throw"] == {"faces": "gs--", "value": 2}
    assert [one["move"] for one in state["legal"]] == ["+A2", "A4-A2"]
    assert state["last"]["text"] == "<b>Ann</b> enters a piece at A4."
    assert (state["fill"], state["clear"]) == (["A4"], ["A1"])
    assert state["warning"]["text"] == "Not there."
    assert [one["text"] for one in state["question"]["choices"]] == [
        "A4 to A2",
        "A new piece to A2",
    ]
    assert state["question"]["chosen"] == 1
    assert state["faults"] == [
        {"device": "die 3", "code": "lost", "text": "Die 3 is silent. Check its battery."}
    ]
    assert state["outcome"]["type"] == "won"
    assert state["takeback"]["move"] == "+A4"
    assert state["chooser"] == "dark"


def test_a_state_is_small_without_its_record() -> None:
    position = parse_position("finkel A4:L L6D7 L0D0 L")
    legal = tuple(f"B{n}-B{n + 1}" for n in range(1, 8))
    assert len(json.dumps(scene(Snapshot(Phase.MOVE, position, legal=legal)))) < 4000
