"""Badly thrown dice and mishaps, and that they do not change the game."""

import pytest

from urpi.core.errors import UrpiError
from urpi.rules import Side, rule_set
from urpi.simulation import Behaviour, Equipment, Outputs, SimulatedPlayers, VirtualTable
from urpi.simulation.display_state import DisplayState

FINKEL = rule_set("finkel")
SEED = 5
SOME_TURNS = 12
EVERY_COUNT = ("----", "g---", "gg--", "ggg-", "gggg")


def table(behaviour=None, *, own_dice=False, spare_dice=0, **outputs):
    players = SimulatedPlayers(
        behaviour=behaviour or Behaviour(), own_dice=own_dice, first=Side.LIGHT
    )
    return VirtualTable(
        FINKEL,
        SEED,
        Outputs(**outputs),
        players=players,
        equipment=Equipment(spare_dice=spare_dice),
    )


def run(at):
    while at.busy:
        at.run_next()


def played(behaviour, **more):
    """Return a table after some turns, and the reports of its dice."""
    reports = []
    at = table(behaviour, die=reports.append, **more)
    at.play_out(SOME_TURNS)
    return at, reports


@pytest.mark.parametrize(
    "mishap",
    [
        "changes_mind",
        "throws_twice",
        "throws_early",
        "hub_restarts",
        "sweeps",
        "power_cuts",
        "sets_up_wrong",
    ],
)
def test_the_pieces_match_the_true_position_after_every_mishap(mishap):
    at, _ = played(Behaviour(**{mishap: 1.0}))

    assert len(at.game.turns) >= SOME_TURNS
    assert at.pieces.shows(at.game.position)
    assert at.reeds.levels == at.game.position.occupancy


def test_a_spare_die_is_thrown_too_and_does_not_count():
    at, reports = played(Behaviour(spare_die=1.0), spare_dice=1)

    assert 5 in {report.die for report in reports}
    assert all(len(turn.faces) == 4 for turn in at.game.turns)


def test_the_face_of_a_die_without_a_signal_is_entered_with_the_button():
    presses, reports = [], []
    at = table(
        Behaviour(die_dead=1.0),
        die=reports.append,
        button=lambda side, down: presses.append((side, down)),
    )
    at.throw()
    at.advance(1700)
    at.show(DisplayState(ask="faces", choices=EVERY_COUNT))
    settled = {report.die for report in reports if report.state == "settled"}
    run(at)

    assert len(settled) == 3
    assert presses[-1] == (Side.LIGHT, False)
    assert (at.game.throw.faces if at.game.throw else at.game.turns[-1].faces) in EVERY_COUNT
    assert [report.state for report in reports if report.die not in settled] == ["lost", "found"]


def test_a_move_that_no_die_can_confirm_is_confirmed_with_the_button():
    presses = []
    at = table(Behaviour(die_dead=1.0), button=lambda side, down: presses.append((side, down)))
    at.throw()
    at.show(DisplayState("move", Side.DARK, seems="+C3"))
    at.advance(15_000)
    assert presses == []
    at.advance(30_000)
    assert presses == [(Side.DARK, True), (Side.DARK, False)]


def test_a_throw_out_of_turn_is_made_with_the_other_sides_dice():
    reports = []
    at = table(Behaviour(out_of_turn=1.0), own_dice=True, die=reports.append)
    at.throw()
    run(at)

    assert next(report.die for report in reports if report.state == "settled") > 4
    assert {report.die for report in reports} == set(range(1, 9))


def test_an_early_throw_is_made_by_the_next_side_while_the_move_is_made():
    signals = []
    at = table(
        Behaviour(throws_early=1.0, hovers=0.0, travel_ms=(4000, 4000)),
        die=lambda report: signals.append(report.state),
        edge=lambda _square, on: signals.append("landing" if on else "lift"),
    )
    while not at.game.legal:
        at.throw()
        run(at)
    signals.clear()
    at.move(at.game.legal[0].text)
    run(at)

    mover, early = at.throws[-2:]
    assert early.side is mover.side.other
    assert len(early.faces) == 4
    assert "rolling" in signals[: signals.index("landing")]


def test_dice_repeat_the_reports_that_a_restarting_hub_missed():
    reports, powers = [], []
    at = table(die=reports.append, hub=powers.append)
    at.throw()
    at.advance(300)
    at.restart_hub(5000)
    at.advance(4000)
    before = len(reports)
    at.advance(6000)

    assert powers == [False, True]
    assert all(report.state == "rolling" for report in reports[:before])
    assert [report.state for report in reports[before:]].count("settled") == 4


def test_pieces_are_moved_during_a_power_cut():
    switched = []
    at = table(
        Behaviour(power_cuts=1.0), power=lambda on: switched.append((on, at.pieces.occupancy))
    )
    at.play_out(3)

    assert [on for on, _ in switched][:4] == [False, True, False, True]
    assert any(off != on for (_, off), (_, on) in zip(switched[::2], switched[1::2], strict=True))


def test_cocking_a_missing_die_is_an_error():
    with pytest.raises(UrpiError, match="There is no die 9; this table's dice are 1 to 4"):
        table().cock(9)
