"""Throws before the move: who threw, and what the players read about it."""

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.referee.playing import Desk
from tests.referee.positions import reached
from tests.referee.test_warnings import act
from urpi.referee import Phase, snapshot
from urpi.referee.decide import joins_pile
from urpi.referee.decisions import Moved, Roll, RollRefused
from urpi.referee.facts import Game, Occupancy
from urpi.referee.inference import Candidate
from urpi.referee.stages import Moving
from urpi.rules import RULE_SETS, Side, parse_position, parse_square, rule_set, squares_of
from urpi.show.views.phrases import refusal
from urpi.show.words import words_for

POSITION = "finkel A3:L,B2:D,B5:L L5D6 L0D0 L"
OWN = ((1, 2, 3, 4), (5, 6, 7, 8))


def moving(*, early_throws: bool = False, own_dice: bool = False, lifted: bool = True) -> Desk:
    """Return a desk at which light has thrown a 2, and holds the piece of B5 if `lifted`."""
    desk = Desk(
        Game(
            0,
            "finkel",
            "Anna",
            "Ben",
            position=POSITION,
            dice=OWN if own_dice else None,
            early_throws=early_throws,
        )
    )
    desk.do(Occupancy(0, parse_position(POSITION).occupancy))
    for die in range(1, 9 if own_dice else 5):
        desk.die(die, "handled")
    desk.wait(300).throw("gs--").wait(600)
    if lifted:
        desk.lift("B5")
    desk.pop_decisions()
    return desk


def quick_throw(desk: Desk, dice: tuple[int, ...], landing_ms: int) -> list[str]:
    """Throw for 600 ms; B5-B7 lands `landing_ms` after the first die has come to rest."""
    desk.wait(100)
    for die in dice:
        desk.die(die, "rolling")
    rest = [(500 + 30 * place, die) for place, die in enumerate(dice)]
    acts = sorted([*rest, (500 + landing_ms, 0)])
    t = desk.t
    for at, die in acts:
        desk.wait(t + at - desk.t)
        desk.put("B7") if die == 0 else desk.die(die, "settled", "g", tumbled=True)
    desk.wait(600)
    return desk.pop_decisions()


@pytest.mark.parametrize("landing_ms", range(1, 400, 37))
@pytest.mark.parametrize("own_dice", [False, True])
def test_a_throw_that_rests_before_the_piece_lands_is_refused_with_the_move(
    landing_ms: int, own_dice: bool
) -> None:
    desk = moving(own_dice=own_dice)
    decided = quick_throw(desk, OWN[own_dice], landing_ms)
    refused = ["move B5-B7", "roll-refused too-soon"]
    assert [one for one in decided if not one.startswith("question")] == refused
    shown = snapshot(desk.state)
    assert shown.side is Side.DARK
    assert shown.last == RollRefused(shown.last.t, Side.DARK, "too-soon", OWN[own_dice])
    assert refusal(shown, words_for("en")) == "Ben threw too soon: throw again."
    assert shown.refused == tuple((die, "g") for die in OWN[own_dice])
    again = desk.throw("gggg", OWN[own_dice]).wait(100)
    assert again.pop_decisions() == ["roll 4"]


@pytest.mark.parametrize("landing_ms", range(1, 400, 37))
@pytest.mark.parametrize("own_dice", [False, True])
def test_it_counts_where_early_throws_count(landing_ms: int, own_dice: bool) -> None:
    desk = moving(own_dice=own_dice, early_throws=True)
    decided = quick_throw(desk, OWN[own_dice], landing_ms)
    counts = ["move B5-B7", "roll 4"]
    assert [one for one in decided if not one.startswith("question")] == counts


def test_a_throw_before_the_move_has_begun_never_counts() -> None:
    desk = moving(early_throws=True, lifted=False)
    desk.throw("gggg").wait(500).lift("B5").wait(400).put("B7").wait(3000)
    assert desk.pop_decisions() == ["roll-refused unplayed-throw", "move B5-B7"]


def test_a_second_throw_without_a_trace_of_a_move_is_refused_at_once_and_not_forgotten() -> None:
    desk = Desk.at("skiryuk A4:L,B3:D,C4:D L6D5 L0D0 D").wait(300).throw("g--").wait(3000)
    desk.pop_decisions()
    desk.throw("-gg")
    assert desk.pop_decisions() == ["seems +C4", "roll-refused unseen-move"]
    shown = snapshot(desk.state)
    assert shown.seems == "+C4"
    assert refusal(shown, words_for("en")) == "Move first. If moved, throw again."
    desk.wait(70_000)
    assert desk.pop_decisions() == []
    desk.throw("gs-")
    assert desk.pop_decisions() == ["move +C4", "roll 2"]
    assert snapshot(desk.state).refused == ()


def with_an_unseen_move(rules: str, rng: Random) -> tuple[Desk, Candidate] | None:
    """Return a table after any throw with exactly one move that no switch shows, if it has one."""
    position = reached(rules, rng, rng.randrange(5, 80))
    faces = position.rules.dice.roll(rng.random()).faces
    desk = Desk.at(str(position)).wait(300).throw(faces).wait(2000)
    stage = desk.state.stage
    candidates = stage.candidates if isinstance(stage, Moving) else ()
    unseen = [each for each in candidates if each.occupancy == position.occupancy]
    if len(unseen) != 1 or unseen[0].wins or not joins_pile(desk.state.evidence(), unseen[0]):
        return None
    return desk, unseen[0]


@pytest.mark.parametrize("rules", ["ravensburger", "skiryuk"])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), again=st.booleans())
def test_the_only_move_that_leaves_no_trace_is_shown_in_place_of_a_question(
    rules: str, seed: int, again: bool
) -> None:
    rng = Random(seed)
    desk, unseen = next(found for _ in range(1_000) if (found := with_an_unseen_move(rules, rng)))
    dice, side = desk.state.position.rules.dice, desk.state.position.turn
    assert side is not None
    desk.pop_decisions()

    desk.throw(dice.roll(rng.random()).faces).wait(rng.randrange(20_000))
    assert desk.pop_decisions() == [f"seems {unseen.text}", "roll-refused unseen-move"]
    if again:
        desk.throw(dice.roll(rng.random()).faces)
    else:
        desk.press(side, "short")
    [moved, *rolled] = [one for one in desk.decided if isinstance(one, Moved | Roll)]
    assert isinstance(moved, Moved)
    assert (moved.move, moved.confidence) == (unseen.text, "inferred" if again else "answered")
    assert bool(rolled) == again
    assert moved.position == str(unseen.position)


@pytest.mark.parametrize(
    ("held_ms", "roll_ms", "asked"), [(300, 300, True), (300, 900, True), (1500, 300, False)]
)
def test_a_piece_that_was_just_lifted_may_still_land_elsewhere(
    held_ms: int, roll_ms: int, asked: bool
) -> None:
    # Dark's piece on B5 may go back to the pile on B1, which no switch shows, or on to C8.
    position = "ravensburger A2:L,B1:D,B5:D',B8:L L8D8 L0D0 D"
    desk = Desk(Game(0, "ravensburger", position=position, dice=((1,), (2,))))
    desk.do(Occupancy(0, parse_position(position).occupancy))
    # The switch of C8 works.
    desk.wait(500).put("C8").wait(100).lift("C8").wait(500).throw("4", (2,)).wait(500)
    desk.pop_decisions()

    desk.lift("B5").wait(held_ms).throw("4", (1,), roll_ms=roll_ms)
    if asked:
        assert desk.pop_decisions() == ["question move B5-B1"]
        desk.wait(200).put("C8").wait(1500)
        refused, moved = desk.pop_decisions()[-2:]
        assert (refused, moved) == ("roll-refused unplayed-throw", "move B5-C8")
    else:
        assert desk.pop_decisions() == ["seems B5-B1", "move B5-B1", "roll 4"]


@pytest.mark.parametrize("rules", [each for each in RULE_SETS if not rule_set(each).piles])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_who_throws_in_place_of_a_move_that_switches_show_is_told_to_move_first(
    rules: str, seed: int
) -> None:
    rng = Random(seed)
    position = reached(rules, rng, rng.randrange(80))
    throws = [throw.faces for throw, _ in position.rules.dice.outcomes]
    desk = Desk.at(str(position)).wait(300).throw(rng.choice(throws)).wait(2_000)
    assume(desk.state.phase is Phase.MOVE)
    desk.pop_decisions()
    desk.throw(rng.choice(throws)).wait(300)
    assert desk.pop_decisions() == ["roll-refused unplayed-throw"]


def test_a_capture_that_no_switch_has_shown_is_asked_for_after_the_second_throw() -> None:
    desk = Desk.at("freecompany A3:L,B1:D,C3:D L6D5 L0D0 L").wait(300).throw("g-").wait(2_000)
    assert "+xB1" in snapshot(desk.state).legal
    desk.pop_decisions()
    assert desk.throw("g-").wait(300).pop_decisions() == ["roll-refused unplayed-throw"]
    asked = desk.throw("g-").wait(300).pop_decisions()[0]
    assert asked.startswith("question move")
    assert "+xB1" in asked


TWO_PIECES = "freecompany A4:D,B4:D,B7:L,C1:D L6D4 L0D0 D"
"""With gs dark moves one piece, or B4 to B3 and then C1 to B1."""


def half_a_move(*, pause_ms, early_throws=False):
    """Return a table at which light's dice roll, and then dark moves the second of two pieces.

    Args:
        pause_ms: The time from the landing of the first piece until the dice roll; negative for
            dice that roll before it lands.
        early_throws: The house option.
    """
    desk = Desk(Game(0, "freecompany", position=TWO_PIECES, early_throws=early_throws))
    desk.do(Occupancy(0, parse_position(TWO_PIECES).occupancy))
    desk.wait(500).throw("gs").wait(800).lift("B4")
    desk.wait(400 + min(pause_ms, 0))
    if pause_ms < 0:
        roll(desk).wait(-pause_ms)
    desk.put("B3").wait(max(pause_ms, 0))
    if pause_ms >= 0:
        roll(desk)
    desk.wait(120)
    return desk


def roll(desk):
    return desk.die(1, "rolling").die(2, "rolling")


@given(pause_ms=st.integers(-300, 380))
def test_a_throw_between_two_pieces_of_a_move_is_too_soon(pause_ms):
    """Nobody can have seen on the display that the first piece was the whole move."""
    desk = half_a_move(pause_ms=pause_ms)
    desk.die(1, "settled", "g", tumbled=True).wait(60)
    desk.lift("C1").wait(250).die(2, "settled", "-", tumbled=True)
    desk.put("B1").wait(2_000)
    decided = desk.pop_decisions()
    assert "roll-refused too-soon" in decided
    assert [one for one in decided if one.startswith("move")] == ["move B4-B3,C1-B1"]
    assert desk.throw("g-").pop_decisions()[-1] == "roll 1"


@given(pause_ms=st.integers(420, 3_000))
def test_a_throw_after_the_display_showed_the_move_counts(pause_ms):
    desk = half_a_move(pause_ms=pause_ms)
    desk.wait(300).die(1, "settled", "g", tumbled=True).wait(60).die(
        2, "settled", "-", tumbled=True
    )
    decided = [one.split(" ")[0:2] for one in desk.wait(2_000).pop_decisions()]
    assert ["move", "B4-B3"] in decided
    assert decided[-1] == ["roll", "1"]


@given(pause_ms=st.integers(-300, 380))
def test_a_throw_between_two_pieces_counts_where_early_throws_count(pause_ms):
    desk = half_a_move(pause_ms=pause_ms, early_throws=True)
    desk.wait(300).die(1, "settled", "g", tumbled=True).wait(60).die(
        2, "settled", "-", tumbled=True
    )
    assert desk.wait(2_000).pop_decisions()[-1] == "roll 1"


@pytest.mark.parametrize("lifted_ms", range(0, 800, 97))
def test_a_pile_that_is_lifted_while_dice_roll_too_soon_has_joined_no_other_pile(
    lifted_ms: int,
) -> None:
    # Light squares up its pile on A1, from which a piece could also have joined the pile on B4.
    desk = Desk.at("ravensburger A1:L,A8:L,B2:DD,B4:D,C4:D L8D6 L0D0 L").wait(300)
    desk.throw("4").wait(1000)
    assert "A1xB4" in snapshot(desk.state).legal
    desk.pop_decisions()
    desk.die(1, "rolling").wait(lifted_ms).lift("A1").wait(850 - lifted_ms)
    desk.die(1, "settled", "3", tumbled=True).wait(100)
    assert desk.pop_decisions() == ["roll-refused too-soon"]
    desk.put("A1").wait(1500).throw("5").wait(100)
    assert desk.pop_decisions() == ["seems +A1", "move +A1", "roll 5"]


@given(touched_ms=st.integers(10, 900), own_dice=st.booleans())
def test_a_pile_that_is_squared_up_as_dice_begin_to_roll_has_captured_nothing(
    touched_ms: int, own_dice: bool
) -> None:
    """Light's piece has joined the pile on A1, which no switch shows, and A1xB4 is legal too."""
    position = "ravensburger A1:L,A8:L,B2:DD,B4:D,C4:D L8D6 L0D0 L"
    desk = Desk(Game(0, "ravensburger", position=position, dice=((1,), (2,)) if own_dice else None))
    desk.do(Occupancy(0, parse_position(position).occupancy))
    desk.wait(300).throw("4", (1,)).wait(1000)
    assert set(snapshot(desk.state).legal) == {"+A1", "A1xB4"}
    desk.pop_decisions()

    desk.lift("A1").wait(touched_ms).throw("3", (2 if own_dice else 1,), roll_ms=500)
    assert desk.pop_decisions() == ["question move A1xB4"]
    desk.wait(100).put("A1").wait(1500)
    assert desk.pop_decisions() == ["seems +A1", "roll-refused unplayed-throw"]
    assert desk.throw("5", (2 if own_dice else 1,)).pop_decisions() == ["move +A1", "roll 5"]


@given(held_ms=st.integers(50, 2_000), tapped=st.booleans())
def test_half_a_move_is_not_final_before_the_whole_set_lies(held_ms, tapped):
    """Light threw after the display had shown the first piece, but dark goes on."""
    desk = half_a_move(pause_ms=700)
    desk.wait(200).die(1, "settled", "g", tumbled=True).wait(60)
    assert desk.pop_decisions()[-1] == "seems B4-B3"
    desk.lift("C1").wait(held_ms // 2)
    if tapped:
        desk.put("C2").wait(100).lift("C2")
    desk.die(2, "settled", "-", tumbled=True).wait(held_ms // 2).put("B1").wait(2_000)
    decided = [one for one in desk.pop_decisions() if one.split()[0] in {"move", "roll-refused"}]
    assert sorted(decided) == ["move B4-B3,C1-B1", "roll-refused too-soon"]
    assert desk.throw("g-").pop_decisions()[-1] == "roll 1"


@pytest.mark.parametrize("last", ["cocked", "lost"])
def test_half_a_move_is_final_although_a_die_of_the_set_does_not_lie(last):
    desk = half_a_move(pause_ms=700)
    desk.wait(200).die(1, "settled", "g", tumbled=True).wait(60).die(2, last)
    assert "move B4-B3" in desk.wait(200).pop_decisions()
    if last == "lost":
        desk.die(2, "found")
    desk.die(2, "rolling").wait(400).die(2, "settled", "-", tumbled=True)
    assert desk.wait(100).pop_decisions()[-1] == "roll 1"


def tapping(lands_ms: int) -> Desk:
    """Return a table at which light's dice rest after dark has put B4's piece on B5, a legal move.

    The dice began to roll before the piece was lifted, and rest `lands_ms` after it touched B5.
    """
    desk = Desk.at(TWO_PIECES).wait(300).throw("g-").wait(800)
    assert {"B4-B3", "B4-B5"} <= set(snapshot(desk.state).legal)
    desk.pop_decisions()
    roll(desk).wait(100).lift("B4").wait(400).put("B5").wait(lands_ms)
    desk.die(1, "settled", "g", tumbled=True)
    return desk.die(2, "settled", "-", tumbled=True)


LANDS_MS = st.integers(20, 800)


@given(lands_ms=LANDS_MS, stays_ms=st.integers(0, 150), held_ms=st.integers(160, 2_000))
def test_a_tap_during_a_throw_that_began_before_it_is_no_move(lands_ms, stays_ms, held_ms):
    desk = tapping(lands_ms).wait(stays_ms).lift("B5").wait(held_ms).put("B3").wait(2_000)
    decided = [one for one in desk.pop_decisions() if not one.startswith("seems")]
    assert decided == ["roll-refused too-soon", "move B4-B3"]
    assert desk.throw("g-").pop_decisions()[-1] == "roll 1"


@given(lands_ms=LANDS_MS)
def test_such_a_throw_counts_once_the_move_is_final(lands_ms):
    desk = tapping(lands_ms).wait(1_000)
    assert desk.pop_decisions() == ["seems B4-B5", "move B4-B5", "roll 1"]


@given(lands_ms=LANDS_MS, thinks_ms=st.integers(150, 1_200))
def test_it_counts_at_once_when_its_player_lifts_a_piece(lands_ms, thinks_ms):
    desk = tapping(lands_ms).wait(thinks_ms).lift("B7").wait(300).put("B8").wait(2_000)
    decided = [one for one in desk.pop_decisions() if not one.startswith("seems")]
    assert decided == ["move B4-B5", "roll 1", "move B7-B8"]


@given(lands_ms=LANDS_MS, waits_ms=st.integers(0, 150))
def test_the_throw_that_replaces_it_counts_instead(lands_ms, waits_ms):
    desk = tapping(lands_ms).wait(waits_ms).throw("gg", roll_ms=1_600).wait(500)
    decided = [one for one in desk.pop_decisions() if not one.startswith("seems")]
    assert decided == ["roll-refused too-soon", "move B4-B5", "roll 2"]


FIRST_PARTS = [
    (
        "freecompany A1:D,A3:L,A8:L,B2:L,B3:L,B4:L,B7:D,C1:D,C3:L,C4:L L0D4 L0D0 D",
        "A1",
        "A2",
        "B7",
        "B8",
    ),
    (
        "freecompany A1:D,A3:D,A8:L,B4:L,B5:L,B6:L,B7:L,C1:D,C4:L,C8:L L0D4 L0D0 D",
        "C1",
        "C2",
        "A3",
        "A4",
    ),
]


@pytest.mark.parametrize(("position", "origin", "target", "second", "ends"), FIRST_PARTS)
@given(
    shown_ms=st.integers(420, 1_400),
    roll_ms=st.integers(300, 900),
    lifted_ms=st.integers(1, 990),
    held_ms=st.integers(60, 1_500),
    own_dice=st.booleans(),
    passes=st.booleans(),
)
def test_the_second_piece_of_a_move_that_was_on_its_way_refuses_the_throw_before_it(
    position: str,
    origin: str,
    target: str,
    second: str,
    ends: str,
    shown_ms: int,
    roll_ms: int,
    lifted_ms: int,
    held_ms: int,
    own_dice: bool,
    passes: bool,
) -> None:
    dice = ((1, 2), (3, 4)) if own_dice else None
    desk = Desk(Game(0, "freecompany", position=position, dice=dice))
    desk.do(Occupancy(0, parse_position(position).occupancy))
    desk.wait(300).throw("gs", (3, 4) if own_dice else ()).wait(600)
    desk.lift(origin).wait(400).put(target).wait(shown_ms)
    desk.throw("--" if passes else "-g", roll_ms=roll_ms)
    counted = ["roll 0", "pass zero"] if passes else ["roll 1"]
    assert desk.pop_decisions()[-1 - len(counted) :] == [f"move {origin}-{target}", *counted]
    desk.wait(lifted_ms).lift(second).wait(held_ms).put(ends).wait(200)
    assert desk.pop_decisions()[:2] == [f"takeback {origin}-{target}", "roll-refused too-soon"]
    assert refusal(snapshot(desk.state), words_for("en")) == "Light threw too soon: throw again."
    desk.throw("gg").wait(300)
    whole = ",".join(sorted([f"{origin}-{target}", f"{second}-{ends}"]))
    assert desk.pop_decisions()[-2:] == [f"move {whole}", "roll 2"]


@given(lifted_ms=st.integers(251, 990), held_ms=st.integers(200, 1_500))
def test_a_piece_that_the_next_player_captures_is_no_second_piece(
    lifted_ms: int, held_ms: int
) -> None:
    """The hand that enters on B1 taps C1 first, where light's piece could have gone."""
    desk = Desk.at("freecompany A1:L,A2:L,A4:L,B1:L,B2:L,B5:D,C2:D,C3:D,C4:D,C7:L,C8:L L0D3 L0D0 L")
    desk.wait(300).throw("ss").wait(600).lift("A4").wait(400).put("A3").wait(600)
    desk.throw("s-").wait(lifted_ms).lift("B1").wait(held_ms).put("C1").wait(200)
    desk.lift("C1").wait(300).put("B1").wait(14_000)
    decided = [one for one in desk.pop_decisions() if one.split()[0] != "seems"]
    assert decided == ["ready", "starts", "roll 2", "move A4-A3", "roll 1", "move +xB1"]


def test_the_throw_before_the_second_piece_counts_where_early_throws_count() -> None:
    position, origin, target, second, ends = FIRST_PARTS[0]
    desk = Desk(Game(0, "freecompany", position=position, early_throws=True))
    desk.do(Occupancy(0, parse_position(position).occupancy))
    desk.wait(300).throw("gs").wait(600).lift(origin).wait(400).put(target).wait(600)
    desk.throw("-g").wait(300).lift(second).wait(300).put(ends).wait(1_300)
    decided = [one for one in desk.pop_decisions() if not one.startswith("seems")]
    assert decided[-3:] == [
        f"takeback {origin}-{target}",
        f"move {origin}-{target},{second}-{ends}",
        "roll 1",
    ]


HELD = "ravensburger B1:D,B4:L',B6:L'L',B8:L,C7:D',C8:LLLDD'D L0D0 L3D5 L"
"""B4's piece may join the pile on B6, which no switch shows, or land on B2."""


def held_during_a_throw(faces: str, lands_ms: int) -> Desk:
    """Return a table where dark throws while light holds B4's piece, which then lands on B2."""
    desk = Desk.at(HELD)
    # B2's switch is known to work.
    act(desk, "wait 300; put B2; wait 100; lift B2; wait 900").throw("2")
    act(desk, "wait 800; lift B4; wait 1080").throw(faces)
    decided = desk.pop_decisions()
    assert "move B4-B6" in decided
    assert decided[-1].startswith(("roll", "pass"))
    return act(desk, f"wait {lands_ms}; put B2; wait 200")


@given(faces=st.sampled_from("356"), lands_ms=st.integers(0, 990))
def test_a_piece_that_lands_just_after_a_throw_was_in_the_hand_during_it(
    faces: str, lands_ms: int
) -> None:
    desk = held_during_a_throw(faces, lands_ms).wait(2000)
    desk.throw("5").wait(300)
    decided = desk.pop_decisions()
    assert decided[:2] == ["takeback B4-B6", "roll-refused too-soon"]
    assert [each for each in decided if each.startswith(("move", "roll "))][:2] == [
        *("move B4-B2", "roll 5")
    ]


@pytest.mark.parametrize(("faces", "lands_ms"), [("3", 1010), ("1", 260)])
def test_one_that_lands_later_or_may_be_the_opponents_does_not_refuse_the_throw(
    faces: str, lands_ms: int
) -> None:
    desk = held_during_a_throw(faces, lands_ms).wait(3000)
    assert not any(each.startswith("takeback") for each in desk.pop_decisions())


@given(late_ms=st.integers(1, 900), roll_ms=st.integers(1, 2_500))
def test_a_landing_found_by_a_reading_while_the_next_dice_roll_keeps_nobody_waiting(
    late_ms: int, roll_ms: int
) -> None:
    """The edge was lost; the piece leaves a pile for a rosette, and dark throws again."""
    desk = Desk.at("skiryuk A2:L,A3:L,A4:L,B1:D,B3:LL,B4:L,B7:D'D,C1:D,C8:D L0D2 L1D0 D")
    occupancy = desk.state.position.occupancy
    desk.wait(300).throw("--g").wait(3_000)
    for die in (1, 2, 3):
        desk.die(die, "rolling")
    desk.wait(late_ms)
    desk.do(Occupancy(desk.t, occupancy | squares_of([parse_square("A7")])))
    desk.wait(roll_ms)
    for die in (1, 2, 3):
        desk.die(die, "settled", "-g-"[die - 1], tumbled=True)
    desk.wait(1_000)
    decided = [one for one in desk.pop_decisions() if one.split()[0] != "seems"]
    assert decided == ["ready", "starts", "roll 1", "move B7-A7", "roll 1"]


@given(
    landed_ms=st.integers(1, 120),
    roll_ms=st.integers(300, 1_000),
    thinks_ms=st.integers(20, 140),
    held_ms=st.integers(40, 140),
    throws_ms=st.integers(1, 140),
)
def test_hands_faster_than_the_referee_lose_no_throw(
    landed_ms: int, roll_ms: int, thinks_ms: int, held_ms: int, throws_ms: int
) -> None:
    """The throw waits for B8-C8 to be final; light plays it and dark throws before that."""
    desk = Desk.at("freecompany A1:L,A2:L,B1:L,B6:L,B7:D,B8:D,C2:D L3D4 L0D0 D")
    desk.wait(300).throw("-g").wait(600).lift("B8").wait(200)
    for die in (1, 2):
        desk.die(die, "rolling")
    desk.wait(landed_ms).put("C8").wait(roll_ms)
    desk.die(1, "settled", "g", tumbled=True)
    desk.die(2, "settled", "-", tumbled=True)
    desk.wait(thinks_ms).lift("B1").wait(held_ms).put("C1").wait(throws_ms)
    desk.throw("gg").wait(300)
    plays = [one for one in desk.pop_decisions() if one.split()[0] in {"move", "roll"}]
    assert plays == ["roll 1", "move B8-C8", "roll 1", "move B1-C1", "roll 2"]


@given(bounces=st.integers(0, 4), rests_ms=st.integers(300, 900), thinks_ms=st.integers(0, 140))
def test_who_throws_while_the_contact_of_the_piece_still_bounces_loses_no_throw(
    bounces: int, rests_ms: int, thinks_ms: int
) -> None:
    """The piece may be moved on, but stands: its player throws again, and plays at once."""
    desk = Desk.at("freecompany A4:L,B1:D,B3:D,B4:D,C2:L,C3:L L4D4 L0D0 D")
    desk.wait(300).throw("g-").wait(600).lift("B1").wait(200)
    desk.edge("C1", True)
    for die in (1, 2):
        desk.die(die, "rolling")
    for _ in range(bounces):
        desk.t += 1
        desk.edge("C1", False).edge("C1", True)
    desk.wait(rests_ms)
    desk.die(1, "settled", "g", tumbled=True)
    desk.die(2, "settled", "-", tumbled=True)
    desk.wait(thinks_ms).lift("C1").wait(300).lift("C2").wait(100).put("C2").wait(1500)
    decided = [one for one in desk.pop_decisions() if one.split()[0] in {"move", "roll"}]
    assert decided == ["roll 1", "move B1-C1", "roll 1", "move C1xC2"]
