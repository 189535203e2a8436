"""The frames of a replay: throws, moves and take-backs, as they were stored."""

from datetime import UTC, datetime
from typing import Any

import pytest

from urpi.journal import Entry, GameSummary
from urpi.page.documents.replay import frames_of, replay_document, standing_frames
from urpi.referee.decisions import (
    Decision,
    Fix,
    Moved,
    Passed,
    Roll,
    Starts,
    TakenBack,
    Warned,
    Won,
)
from urpi.referee.facts import Game
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import Side
from urpi.show.words import words_for

SUMMARY = GameSummary(
    7, datetime(2026, 11, 20, tzinfo=UTC), "1.0", "finkel", "<b>Ana</b>", "", 2, None, None
)
BEGIN = 1000
ENTERED = "finkel A4:L L6D7 L0D0 D"


def entries(*decisions: Decision) -> list[Entry]:
    game = Game(BEGIN, "finkel", light="<b>Ana</b>", first=Side.LIGHT)
    lines = [("fact", fact_line(game)), *(("decision", decision_line(one)) for one in decisions)]
    return [Entry(seq, kind, line) for seq, (kind, line) in enumerate(lines, 1)]


def roll(t: int, side: Side = Side.LIGHT, faces: str = "g---") -> Roll:
    value = 4 - faces.count("-")
    return Roll(t, side, faces, value, ("+A4",) if value else ())


def moved(t: int) -> Moved:
    return Moved(t, Side.LIGHT, "+A4", ENTERED, "sensed")


def replayed(*decisions: Decision) -> dict[str, Any]:
    return replay_document(SUMMARY, entries(*decisions), words_for("en"))


def kinds(document: dict[str, Any]) -> list[tuple[str, int]]:
    return [(frame["kind"], frame["turn"]) for frame in document["frames"]]


def test_the_standing_frames_are_those_of_the_record() -> None:
    dark = roll(4000, Side.DARK, "gs--")
    back = TakenBack(5000, Side.LIGHT, "+A4")

    def standing(*decisions: Decision) -> list[tuple[int, int | None]]:
        return standing_frames(frames_of(entries(*decisions), words_for("en")))

    assert standing() == []
    assert standing(roll(2000), moved(3000), dark) == [(1, 2), (3, None)]
    # The throw after a move that is taken back is invalid.
    assert standing(roll(2000), moved(3000), roll(4000), back) == [(1, None)]
    assert standing(roll(2000), moved(3000), back, moved(6000), dark) == [(1, 4), (5, None)]


def test_a_game_that_has_only_begun_is_one_frame() -> None:
    assert kinds(replayed()) == [("start", 0)]


def test_a_throw_and_its_move_are_two_frames() -> None:
    frames = replayed(roll(2000), moved(3500))["frames"]
    assert [frame["kind"] for frame in frames] == ["start", "roll", "move"]
    assert [frame["t"] for frame in frames] == [0, 1000, 2500]
    assert frames[1]["legal"][0]["to"] == ["A4"]
    assert frames[1]["position"] == "finkel - L7D7 L0D0 L"
    assert frames[2]["position"] == ENTERED
    assert frames[2]["move"]["text"] == "A new piece to A4"
    assert frames[2]["throw"] == {"faces": "g---", "value": 1}


def test_a_pass_ends_the_turn() -> None:
    none = roll(4000, Side.DARK, "----")
    document = replayed(roll(2000), moved(3500), none, Passed(4001, Side.DARK, "zero"), roll(5000))
    assert kinds(document)[1:] == [("roll", 1), ("move", 1), ("roll", 2), ("move", 2), ("roll", 3)]
    assert document["frames"][4]["move"]["move"] == "pass"


def test_a_move_taken_back_shows_the_board_before_it() -> None:
    back = TakenBack(4000, Side.LIGHT, "+A4")
    frames = replayed(roll(2000), moved(3500), back, moved(6000))["frames"]
    assert [frame["kind"] for frame in frames] == ["start", "roll", "move", "back", "move"]
    assert frames[3]["position"] == frames[1]["position"]


def test_an_announcement_belongs_to_the_frame_before_it() -> None:
    warned = Warned(2500, Side.LIGHT, "wrong-distance", 0, "Put it back.", Fix(1, 2))
    frames = replayed(Starts(1500, Side.LIGHT, "given"), roll(2000), warned, moved(3500))["frames"]
    assert frames[0]["texts"] == ["<b>Ana</b> begins."]
    assert frames[1]["texts"][-1] == "Put it back."


def test_the_end_is_a_frame_of_its_own() -> None:
    document = replayed(roll(2000), moved(3500), Won(3500, Side.LIGHT, "off"))
    assert document["frames"][-1]["kind"] == "end"
    assert document["frames"][-1]["texts"] == ["<b>Ana</b> has won. All pieces are home."]


def test_facts_are_counted() -> None:
    assert replayed(roll(2000))["facts"] == 1


@pytest.mark.parametrize(("key", "value"), [("id", 7), ("name", "Finkel, four dice"), ("dark", "")])
def test_the_header_describes_the_game(key: str, value: object) -> None:
    assert replayed()["game"][key] == value
