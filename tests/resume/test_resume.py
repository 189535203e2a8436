"""A game goes on where it was, however the program ended: from what is on the disk alone."""

from pathlib import Path

import pytest

from tests.desk import STILL_MS, Desk
from urpi.journal import Journal, find_game
from urpi.journal.check import Verdict, check_game
from urpi.referee import Phase, Timing
from urpi.referee.facts import Button, Die, Edge, Game, Occupancy, Resign
from urpi.rules import Side, parse_square, squares_of
from urpi.service.notices import TRANSIENT_MS

A2, A4, B1 = map(parse_square, ("A2", "A4", "B1"))


def squares(*names: str) -> int:
    return squares_of(map(parse_square, names))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def desk(path: Path) -> Desk:
    """A game in which light is to throw."""
    begun = Desk.at(path)
    begun.begin()
    return begun


def cut(desk: Desk) -> Desk:
    """The power goes, and comes again: a machine just switched on, and the same file.

    What the first one held in memory is gone; its connection is left as a kill leaves it.
    """
    after = Desk.at(desk.path, boot_ms=3)
    assert after.service.resume() == 1
    return after


def move(desk: Desk, *standing: str) -> None:
    """The board comes to show that, edge by edge."""
    before, after = desk.service._state.contacts.raw, squares(*standing)
    desk.take(
        *(Edge(desk.t, n, bool(after >> n & 1)) for n in range(20) if (before ^ after) >> n & 1)
    )
    desk.wait(STILL_MS)


def test_the_same_throw_waits_to_be_played(desk: Desk) -> None:
    desk.throw("gs--")
    before = desk.service.snapshot

    after = cut(desk)

    assert after.service.snapshot == before
    assert after.service.snapshot.phase is Phase.MOVE
    assert after.shown[-1].throw == before.throw


def test_it_is_told_for_a_moment_that_the_game_goes_on(desk: Desk) -> None:
    after = cut(desk)
    assert after.service.notice is not None
    assert after.service.notice.code == "resumed"
    after.wait(TRANSIENT_MS + 1)
    assert after.service.notice is None


def test_facts_follow_those_of_before_though_the_machines_clock_began_anew(desk: Desk) -> None:
    desk.throw("gs--")
    last = desk.t

    after = cut(desk)
    move(after, "A3")

    with Journal.open(desk.path) as journal:
        rows = journal.rows("SELECT json_extract(line, '$.t') FROM entries ORDER BY seq")
    times = [t for (t,) in rows]
    assert times == sorted(times)
    assert times[-1] <= last + STILL_MS + 2


def test_what_is_played_after_a_cut_replays_with_what_was_before(desk: Desk) -> None:
    desk.throw("gs--")
    after = cut(desk)
    move(after, "A3")
    again = cut(after)
    again.take(Resign(again.t, Side.DARK))
    again.service.close()

    with Journal.open(desk.path) as journal:
        assert find_game(journal, 1).result == "light"
        assert check_game(journal, 1).verdict is Verdict.SAME


def test_a_move_made_while_nobody_watched_is_found_by_the_first_reading(desk: Desk) -> None:
    desk.throw("gs--")
    after = cut(desk)

    after.take(Occupancy(after.t, squares("A3")))
    after.wait(Timing().seems_ms + STILL_MS)

    assert after.types("decision")[-1] == "move"


def test_a_piece_moved_while_nobody_watched_is_asked_back(desk: Desk) -> None:
    desk.throw("g---")
    move(desk, "A4")
    after = cut(desk)

    after.take(Occupancy(after.t, squares("A2")))
    after.wait(Timing().warning_ms + STILL_MS)

    assert after.service.snapshot.fill == squares("A4")
    assert after.service.snapshot.clear == squares("A2")


def test_edges_that_came_too_late_for_the_disk_are_repaired_by_the_first_reading(
    desk: Desk,
) -> None:
    """The last quarter of a second is not stored: the board says the same again."""
    desk.throw("gs--")
    desk.take(Edge(desk.t, parse_square("A3"), on=True))

    after = cut(desk)
    assert after.service.snapshot.phase is Phase.MOVE
    after.take(Occupancy(after.t, squares("A3")))
    after.wait(Timing().seems_ms + STILL_MS)

    assert after.types("decision")[-1] == "move"


def test_a_wait_goes_on_from_the_last_fact_that_was_stored_and_so_never_ends_early(
    desk: Desk,
) -> None:
    """A throw with a die missing: it is asked for five seconds after the others settled."""
    for die in (1, 2, 3):
        desk.take(Die(desk.t, die, "rolling"), Die(desk.t, die, "settled", "g", tumbled=True))
    desk.wait(Timing().missing_die_ms - 1000)

    after = cut(desk)
    after.wait(Timing().missing_die_ms - 100)
    assert after.types("decision")[-1] != "roll-refused"
    after.wait(200)
    assert after.types("decision")[-1] == "roll-refused"


def test_a_throw_that_rolled_at_the_cut_counts_when_its_dice_are_heard_again(desk: Desk) -> None:
    desk.take(*(Die(desk.t, die, "rolling") for die in (1, 2, 3, 4)))
    desk.wait(STILL_MS)
    after = cut(desk)

    after.take(*(Die(after.t, die, "settled", "g", tumbled=True) for die in (1, 2, 3, 4)))

    assert after.service.snapshot.throw is not None
    assert after.service.snapshot.throw.faces == "gggg"


def test_dice_that_lay_there_at_the_cut_still_count(desk: Desk) -> None:
    desk.take(*(Die(desk.t, die, "rolling") for die in (1, 2, 3, 4)))
    desk.take(*(Die(desk.t, die, "settled", "s", tumbled=True) for die in (1, 2)))
    desk.wait(STILL_MS)
    after = cut(desk)

    after.take(*(Die(after.t, die, "settled", "s", tumbled=True) for die in (1, 2, 3, 4)))

    assert after.service.snapshot.throw is not None
    assert after.service.snapshot.throw.faces == "ssss"


def test_a_throw_that_nobody_saw_does_not_count_and_is_asked_for_again(desk: Desk) -> None:
    desk.wait(STILL_MS)
    after = cut(desk)
    rolls = after.types("decision").count("roll")

    after.take(*(Die(after.t, die, "settled", "s", tumbled=True) for die in (1, 2, 3, 4)))

    assert after.types("decision").count("roll") == rolls
    assert after.types("decision")[-1] == "roll-refused"
    after.throw("ssss")
    assert after.types("decision")[-1] == "roll"


def test_a_question_stands_as_it_stood(desk: Desk) -> None:
    desk.service.new_game(Game(desk.t, "bell"))
    desk.take(Occupancy(desk.t, 0))
    desk.wait(STILL_MS)
    desk.take(Button(desk.t, Side.LIGHT, "short"))
    desk.wait(STILL_MS)
    before = desk.service.snapshot
    assert before.question is not None
    assert before.chosen == 1
    after = Desk.at(desk.path)
    assert after.service.resume() == 2
    assert after.service.snapshot == before


def test_the_first_reading_of_all_may_have_been_kept_from_the_disk(path: Path) -> None:
    begun = Desk.at(path)
    begun.service.new_game(Game(begun.t, "finkel"))

    after = cut(begun)
    assert after.service.snapshot.phase is Phase.SET_UP
    after.take(Occupancy(after.t, 0))
    after.wait(STILL_MS)
    assert "ready" in after.types("decision")


def test_a_game_that_is_over_is_not_gone_on_with(desk: Desk) -> None:
    desk.take(Resign(desk.t, Side.LIGHT))
    assert Desk.at(desk.path).service.resume() is None


def test_a_table_goes_on_with_its_own_games_alone(desk: Desk) -> None:
    with Journal.open(desk.path) as journal:
        other = journal.new_game(
            '{"t":0,"type":"game","rules":"bell","options":{},"light":"","dark":""}',
            "2026-11-21T19:02:11+01:00",
            "1",
            {"table": "virtual"},
        )
    assert other == 2
    cut(desk)


def test_a_journal_without_games_has_none_to_go_on_with(path: Path) -> None:
    assert Desk.at(path).service.resume() is None


def test_an_unfinished_game_may_be_broken_off(desk: Desk) -> None:
    desk.throw("gs--")
    after = cut(desk)
    after.service.abandon()
    with Journal.open(desk.path) as journal:
        game = find_game(journal, 1)
    assert (game.result, game.finished is not None) == ("abandoned", True)
    assert Desk.at(desk.path).service.resume() is None


def test_the_waits_of_a_game_are_those_that_it_was_begun_with(desk: Desk) -> None:
    after = cut(desk)
    number = after.service.new_game(Game(after.t, "finkel"))
    assert number == 2
    assert after.service._state.settings is after.service._settings


@pytest.mark.parametrize("cuts", [1, 5])
def test_nothing_changes_however_often_the_power_goes(desk: Desk, cuts: int) -> None:
    desk.throw("gs--")
    desk.take(Button(desk.t, Side.LIGHT, "short"))
    desk.service.close()
    before = desk.service.snapshot
    stored = desk.lines("fact")
    after = desk
    for _ in range(cuts):
        after = cut(after)
    assert after.service.snapshot == before
    assert after.lines("fact") == stored
