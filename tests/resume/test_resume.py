"""A game is resumed where it was, however the program ended, from the stored entries."""

from pathlib import Path

import pytest

from tests.service_desk import STARTED, STILL_MS, Desk
from urpi.journal import Journal, Keeper, find_game
from urpi.journal.check import CheckVerdict, check_game
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
    """A game in which light has to throw."""
    begun = Desk.at(path)
    begun.begin()
    return begun


def cut(desk: Desk) -> Desk:
    """Return the service after a power cut: on a machine that was just started, with the same file.

    The first service is not closed, as after a kill.
    """
    after = Desk.at(desk.path, boot_ms=3)
    assert after.service.resume() == 1
    return after


def move(desk: Desk, *standing: str) -> None:
    """Change the board to these squares, edge by edge."""
    before, after = desk.service.current.occupied, squares(*standing)
    assert before is not None, "a square changed a moment ago"
    desk.submit(
        *(Edge(desk.t, n, bool(after >> n & 1)) for n in range(20) if (before ^ after) >> n & 1)
    )
    desk.wait(STILL_MS)


def test_a_throw_is_still_to_be_played_after_a_cut(desk: Desk) -> None:
    desk.throw("gs--")
    before = desk.service.snapshot

    after = cut(desk)

    assert after.service.snapshot == before
    assert after.service.snapshot.phase is Phase.MOVE
    assert after.shown[-1].throw == before.throw


def test_a_notice_shows_for_a_while_that_the_game_was_resumed(desk: Desk) -> None:
    after = cut(desk)
    assert after.service.notices.current is not None
    assert after.service.notices.current.code == "resumed"
    after.wait(TRANSIENT_MS + 1)
    assert after.service.notices.current is None


def test_times_of_facts_continue_although_the_machines_clock_restarted(desk: Desk) -> None:
    desk.throw("gs--")
    last = desk.t

    after = cut(desk)
    move(after, "A3")

    with Journal.open(desk.path) as journal:
        rows = journal.rows("SELECT json_extract(line, '$.t') FROM entries ORDER BY seq")
    times = [t for (t,) in rows]
    assert times == sorted(times)
    assert times[-1] <= last + STILL_MS + 2


def test_a_game_with_cuts_replays_as_a_whole(desk: Desk) -> None:
    desk.throw("gs--")
    after = cut(desk)
    move(after, "A3")
    again = cut(after)
    again.submit(Resign(again.t, Side.DARK))
    again.service.close()

    with Journal.open(desk.path) as journal:
        assert find_game(journal, 1).result == "light"
        assert check_game(journal, 1).verdict is CheckVerdict.SAME


def test_a_move_made_during_the_outage_is_found_by_the_first_reading(desk: Desk) -> None:
    desk.throw("gs--")
    after = cut(desk)

    after.submit(Occupancy(after.t, squares("A3")))
    after.wait(Timing().seems_ms + STILL_MS)

    assert after.types("decision")[-1] == "move"


def test_a_piece_displaced_during_the_outage_must_be_put_back(desk: Desk) -> None:
    desk.throw("g---")
    move(desk, "A4")
    after = cut(desk)

    after.submit(Occupancy(after.t, squares("A2")))
    after.wait(Timing().warning_ms + STILL_MS)

    assert after.service.snapshot.fill == squares("A4")
    assert after.service.snapshot.clear == squares("A2")


def test_edges_that_were_not_stored_are_replaced_by_the_first_reading(
    desk: Desk,
) -> None:
    """The last quarter of a second is not stored, but the board still shows it."""
    desk.throw("gs--")
    desk.submit(Edge(desk.t, parse_square("A3"), on=True))

    after = cut(desk)
    assert after.service.snapshot.phase is Phase.MOVE
    after.submit(Occupancy(after.t, squares("A3")))
    after.wait(Timing().seems_ms + STILL_MS)

    assert after.types("decision")[-1] == "move"


def test_a_waiting_time_continues_from_the_last_stored_fact(
    desk: Desk,
) -> None:
    """A missing die of a throw is reported five seconds after the others settled."""
    for die in (1, 2, 3):
        desk.submit(Die(desk.t, die, "rolling"), Die(desk.t, die, "settled", "g", tumbled=True))
    desk.wait(Timing().missing_die_ms - 1000)

    after = cut(desk)
    after.wait(Timing().missing_die_ms - 100)
    assert after.types("decision")[-1] != "roll-refused"
    after.wait(200)
    assert after.types("decision")[-1] == "roll-refused"


def test_a_throw_that_rolled_at_the_cut_counts_when_its_dice_report_again(desk: Desk) -> None:
    desk.submit(*(Die(desk.t, die, "rolling") for die in (1, 2, 3, 4)))
    desk.wait(STILL_MS)
    after = cut(desk)

    after.submit(*(Die(after.t, die, "settled", "g", tumbled=True) for die in (1, 2, 3, 4)))

    assert after.service.snapshot.throw is not None
    assert after.service.snapshot.throw.faces == "gggg"


def test_dice_that_had_settled_at_the_cut_count(desk: Desk) -> None:
    desk.submit(*(Die(desk.t, die, "rolling") for die in (1, 2, 3, 4)))
    desk.submit(*(Die(desk.t, die, "settled", "s", tumbled=True) for die in (1, 2)))
    desk.wait(STILL_MS)
    after = cut(desk)

    after.submit(*(Die(after.t, die, "settled", "s", tumbled=True) for die in (1, 2, 3, 4)))

    assert after.service.snapshot.throw is not None
    assert after.service.snapshot.throw.faces == "ssss"


def test_a_throw_during_the_outage_is_refused_and_can_be_repeated(desk: Desk) -> None:
    desk.wait(STILL_MS)
    after = cut(desk)
    rolls = after.types("decision").count("roll")

    after.submit(*(Die(after.t, die, "settled", "s", tumbled=True) for die in (1, 2, 3, 4)))

    assert after.types("decision").count("roll") == rolls
    assert after.types("decision")[-1] == "roll-refused"
    after.throw("ssss")
    assert after.types("decision")[-1] == "roll"


def test_an_open_question_stays_open_with_its_selected_choice(desk: Desk) -> None:
    desk.service.new_game(Game(desk.t, "bell"))
    desk.submit(Occupancy(desk.t, 0))
    desk.wait(STILL_MS)
    desk.submit(Button(desk.t, Side.LIGHT, "short"))
    desk.wait(STILL_MS)
    before = desk.service.snapshot
    assert before.question is not None
    assert before.chosen == 1
    after = Desk.at(desk.path)
    assert after.service.resume() == 2
    assert after.service.snapshot == before


def test_a_game_cut_before_its_first_reading_is_resumed_in_the_set_up(path: Path) -> None:
    begun = Desk.at(path)
    begun.service.new_game(Game(begun.t, "finkel"))

    after = cut(begun)
    assert after.service.snapshot.phase is Phase.SET_UP
    after.submit(Occupancy(after.t, 0))
    after.wait(STILL_MS)
    assert "ready" in after.types("decision")


def test_a_finished_game_is_not_resumed(desk: Desk) -> None:
    desk.submit(Resign(desk.t, Side.LIGHT))
    assert Desk.at(desk.path).service.resume() is None


def test_a_table_resumes_only_its_own_games(desk: Desk) -> None:
    with Journal.open(desk.path) as journal:
        other = journal.new_game(
            '{"t":0,"type":"game","rules":"bell","options":{},"light":"","dark":""}',
            "2026-11-21T19:02:11+01:00",
            "1",
            {"table": "virtual"},
        )
    assert other == 2
    cut(desk)


def test_nothing_is_resumed_from_an_empty_journal(path: Path) -> None:
    assert Desk.at(path).service.resume() is None


def test_an_unfinished_game_can_be_abandoned(desk: Desk) -> None:
    desk.throw("gs--")
    after = cut(desk)
    after.service.abandon()
    with Journal.open(desk.path) as journal:
        game = find_game(journal, 1)
    assert (game.result, game.finished is not None) == ("abandoned", True)
    assert Desk.at(desk.path).service.resume() is None


def read_after_ms(desk: Desk, square: str) -> int:
    """Close a square, and return the milliseconds after which the board can be read again."""
    desk.submit(Edge(desk.t, parse_square(square), on=True))
    changed = desk.t
    while desk.service.current.occupied is None:
        desk.wait(1)
    return desk.t - changed


def test_a_new_game_after_a_resumed_one_uses_the_configured_waiting_times(path: Path) -> None:
    before = Desk(path, Keeper.open(path, STARTED), timing=Timing(still_ms=400))
    before.begin()
    after = cut(before)
    assert read_after_ms(after, "A1") == 400
    assert after.service.new_game(Game(after.t, "finkel")) == 2
    assert read_after_ms(after, "A2") == Timing().still_ms


@pytest.mark.parametrize("cuts", [1, 5])
def test_repeated_cuts_change_nothing(desk: Desk, cuts: int) -> None:
    desk.throw("gs--")
    desk.submit(Button(desk.t, Side.LIGHT, "short"))
    desk.service.close()
    before = desk.service.snapshot
    stored = desk.lines("fact")
    after = desk
    for _ in range(cuts):
        after = cut(after)
    assert after.service.snapshot == before
    assert after.lines("fact") == stored
