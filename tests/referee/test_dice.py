"""When a throw counts, and how it is refused otherwise."""

from typing import get_args

import pytest

from tests.referee.playing import Desk
from urpi.core.errors import UrpiError
from urpi.referee import snapshot
from urpi.referee.facts import NotThrown, Occupancy
from urpi.rules import Side
from urpi.show.views.phrases import last_event
from urpi.show.words import words_for

START = "finkel A4:L L6D7 L0D0 L"
THREE = "finkel3 A4:L L6D7 L0D0 L"


def ready(position: str = START) -> Desk:
    desk = Desk.at(position).wait(300)
    desk.pop_decisions()
    return desk


def start(rules: str, **game: object) -> Desk:
    desk = Desk.new(rules, **game)
    desk.do(Occupancy(0, 0))
    return desk


class TestThrowForTheStart:
    def test_the_higher_throw_begins_and_throws_again(self) -> None:
        desk = start("finkel").throw("g---").wait(900).throw("gs--").wait(900)
        assert desk.pop_decisions() == [
            "ready",
            "throw-for-start",
            "start-roll 1",
            "throw-for-start",
            "start-roll 2",
            "starts",
        ]
        assert last_event(snapshot(desk.state), words_for("en")) == "Dark begins, 2:1"
        assert desk.state.position.turn is Side.DARK
        assert desk.throw("ggg-").pop_decisions() == ["roll 3"]

    def test_a_tie_is_thrown_again(self) -> None:
        desk = start("finkel").throw("g---").wait(900).throw("--s-").wait(900)
        assert desk.pop_decisions().count("throw-for-start") == 3
        assert desk.state.side is Side.LIGHT
        light, dark = snapshot(desk.state).start_throws
        assert (light.value, dark.value) == (1, 1)
        desk.wait(900).throw("ggg-")
        assert snapshot(desk.state).start_throws[1] is None

    def test_a_one_that_begins_against_a_higher_throw_is_named_as_the_reason(self) -> None:
        desk = start("skiryuk").throw("g--").wait(900).throw("gsg").wait(900)
        assert desk.state.position.turn is Side.LIGHT
        assert last_event(snapshot(desk.state), words_for("en")) == "Light: the only 1"

    def test_a_given_side_begins_without_one(self) -> None:
        assert start("finkel", first=Side.DARK).pop_decisions() == ["ready", "starts"]


class TestThrow:
    def test_counts_when_every_die_has_tumbled_and_settled(self) -> None:
        desk = ready().die(1, "rolling").die(2, "rolling").die(3, "rolling").die(4, "rolling")
        for die, face in ((3, "g"), (1, "-"), (4, "s")):
            desk.wait(100).die(die, "settled", face, tumbled=True)
            assert desk.pop_decisions() == []
        assert desk.wait(100).die(2, "settled", "-", tumbled=True).pop_decisions() == ["roll 2"]

    def test_lists_the_faces_in_the_order_of_the_dice(self) -> None:
        desk = ready().throw("gs--", dice=(4, 3, 2, 1))
        assert desk.decided[-1].faces == "--sg"

    def test_a_repeated_report_changes_nothing(self) -> None:
        desk = ready().throw("gs--").die(1, "settled", "g", tumbled=True)
        assert desk.pop_decisions() == ["roll 2"]

    def test_old_faces_repeated_by_a_restarted_hub_do_not_count(self) -> None:
        desk = ready().throw("gs--").wait(300).lift("A4").wait(300).put("A2").wait(300)
        for die, face in enumerate("gs--", 1):
            desk.die(die, "lost").die(die, "found").die(die, "settled", face, tumbled=True)
        assert [one for one in desk.pop_decisions() if one.startswith("roll")] == ["roll 2"]

    def test_a_die_knocked_by_another_shows_its_last_face(self) -> None:
        desk = ready().die(1, "rolling").die(1, "settled", "g", tumbled=True)
        desk.die(1, "rolling").die(1, "settled", "-", tumbled=True)
        desk.throw("ggg", dice=(2, 3, 4))
        assert desk.decided[-1].faces == "-ggg"

    def test_more_dice_than_the_set_needs_do_not_matter(self) -> None:
        desk = ready(THREE).die(4, "rolling").die(4, "settled", "g", tumbled=True).throw("gs-")
        assert desk.pop_decisions() == ["roll 2"]

    def test_a_die_of_another_set_is_ignored(self) -> None:
        desk = start("ravensburger", first=Side.LIGHT)
        desk.pop_decisions()
        assert desk.throw("g", dice=(1,)).wait(60_000).pop_decisions() == []
        assert desk.throw("5", dice=(1,)).pop_decisions() == ["roll 5"]

    def test_a_die_handled_before_the_throw_does_not_matter(self) -> None:
        assert ready().die(2, "handled").throw("gs--").pop_decisions() == ["roll 2"]


class TestRefusal:
    def test_of_a_die_turned_by_hand_is_immediate_and_the_others_still_count(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3))
        desk.die(4, "rolling").die(4, "settled", "g", tumbled=False)
        assert desk.pop_decisions() == ["roll-refused not-tumbled"]
        desk.die(4, "rolling").die(4, "settled", "-", tumbled=True)
        assert desk.pop_decisions() == ["roll 2"]

    @pytest.mark.parametrize("why", get_args(NotThrown))
    def test_of_a_die_names_the_reason_that_it_reports(self, why: NotThrown) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(4, "rolling")
        desk.die(4, "settled", "g", tumbled=False, why=why)
        assert desk.pop_decisions() == [f"roll-refused {why}"]

    def test_of_a_cocked_die_comes_after_a_second(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(4, "rolling").die(4, "cocked")
        assert desk.wait(990).pop_decisions() == []
        assert desk.wait(20).pop_decisions() == ["roll-refused cocked"]
        assert desk.decided == []
        desk.die(4, "rolling").die(4, "settled", "g", tumbled=True)
        assert desk.pop_decisions() == ["roll 3"]

    def test_of_a_cocked_die_is_omitted_if_it_falls_flat_by_itself(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(4, "rolling").die(4, "cocked").wait(500)
        assert desk.die(4, "settled", "-", tumbled=True).wait(2_000).pop_decisions() == ["roll 2"]

    def test_of_a_missing_die_comes_after_five_seconds(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).wait(4_990)
        assert desk.pop_decisions() == []
        desk.wait(20)
        assert desk.decided[-1].dice == (4,)
        assert desk.pop_decisions() == ["roll-refused missing-die"]
        assert desk.wait(60_000).pop_decisions() == []

    def test_of_a_missing_die_includes_one_that_was_picked_up_again(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(1, "handled")
        desk.throw("g", dice=(4,)).wait(5_010)
        assert desk.decided[-1].dice == (1,)
        assert desk.pop_decisions() == ["roll-refused missing-die"]

    def test_of_a_missing_die_does_not_include_one_that_was_only_nudged(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).wait(20_000).die(1, "handled").wait(300)
        desk.die(1, "settled", "g").wait(20_000)
        assert [one.dice for one in desk.decided] == [(4,)]

    def test_of_a_second_throw_is_reported_once(self) -> None:
        desk = ready().throw("gs--").wait(500).throw("gggg")
        assert desk.pop_decisions() == ["roll 2", "roll-refused unplayed-throw"]
        assert desk.state.stage.throw.faces == "gs--"

    def test_of_a_die_bumped_after_the_throw_changes_nothing(self) -> None:
        desk = ready().throw("gs--").wait(500).die(3, "rolling").die(3, "settled", "g")
        assert desk.pop_decisions() == ["roll 2", "roll-refused unplayed-throw"]

    def test_of_a_die_laid_down_while_a_move_seems_made_is_not_tumbled(self) -> None:
        desk = ready("ravensburger A1:L,B2:D,B5:D L9D8 L0D0 L").throw("2").wait(500).lift("A1")
        assert desk.wait(4_000).pop_decisions() == ["roll 2", "seems A1xB2"]
        desk.die(1, "handled").wait(800).die(1, "settled", "1")
        assert desk.decided[-1].side is Side.DARK
        assert desk.pop_decisions() == ["roll-refused not-tumbled"]
        assert desk.throw("3").pop_decisions() == ["move A1xB2", "roll 3"]

    def test_of_the_other_sides_own_dice_is_immediate(self) -> None:
        desk = start("finkel", first=Side.LIGHT, dice=((1, 2, 3, 4), (5, 6, 7, 8)))
        desk.pop_decisions()
        desk.throw("g", dice=(5,))
        assert desk.pop_decisions() == ["roll-refused not-your-turn"]
        assert desk.throw("gs--").pop_decisions() == ["roll 2"]

    def test_of_the_other_sides_own_dice_is_reported_once_and_names_all(self) -> None:
        desk = start("finkel", first=Side.LIGHT, dice=((1, 2, 3, 4), (5, 6, 7, 8)))
        desk.pop_decisions()
        for _ in range(2):
            desk.throw("gs--", dice=(5, 6, 7, 8)).wait(1000)
            assert [(one.code, one.dice) for one in desk.decided] == [
                ("not-your-turn", (5, 6, 7, 8))
            ]
            desk.pop_decisions()


class TestOwnDice:
    @pytest.mark.parametrize("dark", [(), (5, 6, 7), (5, 6, 7, 8, 9), (5, 5, 6, 7)])
    def test_are_as_many_as_a_side_throws(self, dark: tuple[int, ...]) -> None:
        with pytest.raises(UrpiError, match=r"own dice must be 4 different ones; .* for dark"):
            Desk.new("finkel", dice=((1, 2, 3, 4), dark))


class TestFirstReport:
    def test_is_how_the_die_was_lying_and_not_a_throw(self) -> None:
        desk = ready()
        desk.state.dice = {}
        for die in (1, 2, 3, 4):
            desk.die(die, "settled", "g", tumbled=True)
        assert desk.wait(6_000).pop_decisions() == []
        assert desk.throw("gs--").pop_decisions() == ["roll 2"]


class TestDeadDie:
    def test_leads_to_a_question_when_the_others_have_settled(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(4, "lost").wait(4_900)
        assert desk.pop_decisions() == ["fault lost die 4"]
        desk.wait(200)
        assert desk.pop_decisions()[0] == "question faces"
        assert desk.state.choices == ("gs-g", "gs--")
        desk.press(Side.LIGHT).press(Side.LIGHT, "long")
        assert desk.pop_decisions() == ["roll 2"]

    def test_leads_to_a_question_after_it_was_picked_up_again_too(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(1, "rolling").die(1, "lost")
        desk.throw("g", dice=(4,)).wait(5_100)
        assert desk.pop_decisions() == ["fault lost die 1", "question faces"]
        assert desk.state.choices == ("gs-g", "-s-g")

    def test_needs_no_answer_once_it_is_available_again(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(4, "lost").die(4, "found")
        desk.throw("g", dice=(4,))
        assert desk.pop_decisions()[-1] == "roll 3"
        assert desk.state.question is None

    def test_that_comes_back_has_no_fault(self) -> None:
        desk = ready().die(4, "lost").die(3, "lost").die(4, "found")
        assert [fault.device for fault in desk.state.faults] == ["die 3"]
        assert desk.die(3, "found").state.faults == ()

    @pytest.mark.parametrize("faces", ["ggg", "ggggg", "gg1-", ""])
    def test_cannot_be_answered_with_impossible_faces(self, faces: str) -> None:
        desk = ready().die(1, "lost").answer(faces=faces)
        assert desk.pop_decisions()[-1] == "refused wrong-faces"

    def test_can_be_entered_before_the_question(self) -> None:
        assert ready().answer(faces="gs--").pop_decisions() == ["roll 2"]


class TestEarlyThrow:
    def test_counts_while_the_last_piece_still_settles(self) -> None:
        desk = ready().throw("gs--").wait(800).lift("A4").wait(300).put("A2")
        desk.wait(60)
        for die in (1, 2, 3, 4):
            desk.die(die, "rolling")
        desk.wait(700)
        for die in (1, 2, 3, 4):
            desk.die(die, "settled", "g", tumbled=True)
        assert desk.pop_decisions() == ["roll 2", "move A4-A2", "roll 4"]

    def test_counts_with_a_die_that_settles_before_the_bear_off_seems_made(self) -> None:
        desk = ready("finkel A7:L,B1:L L5D7 L0D0 L").throw("g---").wait(400).lift("A7").wait(300)
        desk.throw("gs--")
        assert desk.pop_decisions() == ["roll 1", "seems A7-off", "move A7-off", "roll 2"]
