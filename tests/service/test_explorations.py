"""Explorations: a line is tried beside the game, and the game continues as it was."""

import pytest

from tests.service_desk import STILL_MS, Desk
from urpi.journal import Journal, list_games
from urpi.referee import Phase
from urpi.referee.exploring import exploration_of
from urpi.referee.facts import Answer, Edge, Game, Occupancy
from urpi.rules import SQUARE_NAMES


@pytest.fixture
def desk(tmp_path):
    return Desk.at(tmp_path / "journal.db")


def square(name):
    return SQUARE_NAMES.index(name)


def explore(desk):
    service = desk.service
    # The board must have stood still.
    desk.wait(STILL_MS)
    assert service.why_not_explore(rated=False) is None
    shot = service.snapshot
    line = exploration_of(service.opening, service.clock(), shot.position, "line")
    service.explore(line, None if shot.throw is None else shot.throw.faces)


def put(desk, name, *, on):
    desk.submit(Edge(desk.t, square(name), on))
    desk.wait(STILL_MS)


def play(desk, faces, *edges):
    """Throw, and move pieces: each edge is a square's name with its sign."""
    desk.throw(faces)
    for name in edges:
        put(desk, name[1:], on=name[0] == "+")


def try_line(desk):
    """Try a line of two moves, and leave the pieces there."""
    explore(desk)
    play(desk, "gg--", "+A3")
    play(desk, "g---", "+C4")
    assert desk.service.exploring == "line"


def test_a_line_is_refereed_without_a_trace_in_the_game(desk):
    desk.begin()
    desk.wait(STILL_MS)
    before, facts = desk.lines("decision"), desk.lines("fact")
    shown = desk.service.snapshot
    try_line(desk)

    assert desk.service.snapshot.position.occupancy == 1 << square("A3") | 1 << square("C4")
    assert desk.lines("decision") == before
    assert desk.lines("fact") == facts
    assert desk.service.game_snapshot == shown
    assert desk.service.game == 1


def test_the_game_continues_when_the_switches_show_the_position_that_was_left(desk):
    desk.begin()
    desk.wait(STILL_MS)
    left = desk.service.snapshot
    try_line(desk)
    desk.service.go_back()

    assert desk.service.exploring == "back"
    assert desk.service.snapshot.clear == 1 << square("A3") | 1 << square("C4")
    put(desk, "A3", on=False)
    assert desk.service.exploring == "back"
    assert desk.service.snapshot.clear == 1 << square("C4")
    put(desk, "C4", on=False)
    assert desk.service.exploring is None
    assert desk.service.snapshot == left


def test_the_game_has_the_time_at_which_it_was_left(desk):
    desk.begin()
    explore(desk)
    t = desk.service._game.state.t
    desk.wait(3_600_000)
    desk.service.go_back()
    desk.wait(STILL_MS)
    assert desk.service.exploring is None
    play(desk, "gg--", "+A3")

    [rolled] = [line for line in desk.lines("decision") if '"type":"roll"' in line]
    assert int(rolled.split('"t":')[1].split(",")[0]) < t + 3 * STILL_MS


def test_a_throw_of_the_game_begins_the_line_and_is_still_to_be_played_after_it(desk):
    desk.begin()
    desk.throw("gg--")
    desk.wait(STILL_MS)
    explore(desk)
    assert desk.service.snapshot.throw.value == 2
    put(desk, "A3", on=True)
    assert desk.service.snapshot.phase is Phase.THROW
    desk.service.go_back()
    put(desk, "A3", on=False)

    assert desk.service.exploring is None
    assert desk.service.snapshot.throw.value == 2
    put(desk, "A3", on=True)
    assert desk.types("decision")[-1] == "move"


def test_throws_of_a_line_are_entered_too(desk):
    desk.begin()
    explore(desk)
    desk.submit(Answer(desk.t, faces="gggg"))
    assert desk.service.snapshot.throw.value == 4


def test_an_exploration_continues_after_a_power_cut(desk):
    desk.begin()
    desk.wait(STILL_MS)
    left = desk.service.snapshot
    try_line(desk)
    line = desk.service.snapshot
    desk.service.abort()

    again = Desk.at(desk.path, boot_ms=20)
    assert again.service.resume() == 1
    assert again.service.exploring == "line"
    assert again.service.snapshot == line
    again.service.go_back()
    again.service.abort()

    back = Desk.at(desk.path, boot_ms=5)
    assert back.service.resume() == 1
    # The way back is stored with its first fact.
    assert back.service.exploring in {"line", "back"}
    back.service.go_back()
    for name in ("A3", "C4"):
        put(back, name, on=False)
    assert back.service.exploring is None
    assert back.service.snapshot == left
    assert not list(desk.path.parent.glob("*exploration*"))


def test_a_line_may_be_won_and_is_no_game_of_the_journal(desk):
    desk.service.new_game(Game(desk.t, "finkel", position="finkel - L1D1 L6D6 L"))
    desk.submit(Occupancy(desk.t, 0))
    desk.wait(STILL_MS)
    explore(desk)
    desk.wait(STILL_MS)
    with Journal.open(desk.path) as journal:
        assert len(list_games(journal)) == 1


def test_an_exploration_of_another_game_is_not_continued(desk):
    desk.begin()
    explore(desk)
    desk.service.abort()
    with Journal.open(desk.path) as journal:
        journal.new_game(
            '{"type":"game","t":0,"rules":"finkel","options":{},"light":"","dark":""}',
            "2026-11-21T10:00:00+00:00",
            "1",
            {"table": "board"},
        )

    again = Desk.at(desk.path)
    assert again.service.resume() == 2
    assert again.service.exploring is None


def test_a_new_game_ends_an_exploration(desk):
    desk.begin()
    try_line(desk)
    desk.service.abandon()
    assert desk.types("decision")[-1] == "abandoned"
    assert desk.service.new_game(Game(desk.t, "finkel")) == 2
    assert desk.service.exploring is None


def test_nothing_is_explored_in_the_middle_of_a_throw_or_a_move(desk):
    assert desk.service.why_not_explore(rated=False) == "explore-no-game"
    desk.begin()
    assert desk.service.why_not_explore(rated=False) == "explore-now"
    desk.wait(STILL_MS)
    assert desk.service.why_not_explore(rated=True) == "explore-rated"
    desk.submit(Edge(desk.t, 3, True))
    assert desk.service.why_not_explore(rated=False) == "explore-now"
