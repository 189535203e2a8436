"""Dice manners: when a throw counts, and what is said when it does not."""

import pytest

from tests.referee.playing import Desk
from urpi.errors import UrpiError
from urpi.referee.facts import Occupancy
from urpi.rules import Side

START = "finkel A4:L L6D7 L0D0 L"
THREE = "finkel3 A4:L L6D7 L0D0 L"


def ready(position: str = START) -> Desk:
    desk = Desk.at(position).wait(300)
    desk.news()
    return desk


def start(rules: str, **game: object) -> Desk:
    desk = Desk.new(rules, **game)
    desk.do(Occupancy(0, 0))
    return desk


class TestThrowForTheStart:
    def test_the_higher_throw_begins_and_throws_anew(self) -> None:
        desk = start("finkel").throw("g---").wait(900).throw("gs--").wait(900)
        assert desk.news() == ["ready", "throw-for-start", "throw-for-start", "starts"]
        assert desk.state.now.turn is Side.DARK
        assert desk.throw("ggg-").news() == ["roll 3"]

    def test_a_tie_is_thrown_again(self) -> None:
        desk = start("finkel").throw("g---").wait(900).throw("--s-").wait(900)
        assert desk.news().count("throw-for-start") == 3
        assert desk.state.to_throw is Side.LIGHT

    def test_whoever_was_given_begins_without_one(self) -> None:
        assert start("finkel", first=Side.DARK).news() == ["ready", "starts"]


class TestThrow:
    def test_counts_when_every_die_has_tumbled_and_settled(self) -> None:
        desk = ready().die(1, "rolling").die(2, "rolling").die(3, "rolling").die(4, "rolling")
        for die, face in ((3, "g"), (1, "-"), (4, "s")):
            desk.wait(100).die(die, "settled", face, tumbled=True)
            assert desk.news() == []
        assert desk.wait(100).die(2, "settled", "-", tumbled=True).news() == ["roll 2"]

    def test_reads_the_dice_in_their_order(self) -> None:
        desk = ready().throw("gs--", dice=(4, 3, 2, 1))
        assert desk.decided[-1].faces == "--sg"

    def test_the_same_report_twice_is_one(self) -> None:
        desk = ready().throw("gs--").die(1, "settled", "g", tumbled=True)
        assert desk.news() == ["roll 2"]

    def test_old_faces_said_again_by_a_hub_that_starts_anew_are_none(self) -> None:
        desk = ready().throw("gs--").wait(300).lift("A4").wait(300).put("A2").wait(300)
        for die, face in enumerate("gs--", 1):
            desk.die(die, "lost").die(die, "found").die(die, "settled", face, tumbled=True)
        assert [one for one in desk.news() if one.startswith("roll")] == ["roll 2"]

    def test_a_die_knocked_by_another_shows_its_last_face(self) -> None:
        desk = ready().die(1, "rolling").die(1, "settled", "g", tumbled=True)
        desk.die(1, "rolling").die(1, "settled", "-", tumbled=True)
        desk.throw("ggg", dice=(2, 3, 4))
        assert desk.decided[-1].faces == "-ggg"

    def test_more_dice_than_the_set_needs_do_not_matter(self) -> None:
        desk = ready(THREE).die(4, "rolling").die(4, "settled", "g", tumbled=True).throw("gs-")
        assert desk.news() == ["roll 2"]

    def test_a_die_of_another_set_shows_nothing(self) -> None:
        desk = start("ravensburger", first=Side.LIGHT)
        desk.news()
        assert desk.throw("g", dice=(1,)).wait(60_000).news() == []
        assert desk.throw("5", dice=(1,)).news() == ["roll 5"]

    def test_a_die_handled_before_the_throw_does_not_matter(self) -> None:
        assert ready().die(2, "handled").throw("gs--").news() == ["roll 2"]


class TestRefusal:
    def test_of_a_die_turned_by_hand_comes_at_once_and_the_others_stand(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3))
        desk.die(4, "rolling").die(4, "settled", "g", tumbled=False)
        assert desk.news() == ["roll-refused not-tumbled"]
        desk.die(4, "rolling").die(4, "settled", "-", tumbled=True)
        assert desk.news() == ["roll 2"]

    def test_of_a_cocked_die_comes_after_a_second(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(4, "rolling").die(4, "cocked")
        assert desk.wait(990).news() == []
        assert desk.wait(20).news() == ["roll-refused cocked"]
        assert desk.decided == []
        desk.die(4, "rolling").die(4, "settled", "g", tumbled=True)
        assert desk.news() == ["roll 3"]

    def test_of_a_cocked_die_that_falls_flat_by_itself_does_not_come(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(4, "rolling").die(4, "cocked").wait(500)
        assert desk.die(4, "settled", "-", tumbled=True).wait(2_000).news() == ["roll 2"]

    def test_of_a_missing_die_comes_after_five_seconds(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).wait(4_990)
        assert desk.news() == []
        desk.wait(20)
        assert desk.decided[-1].dice == (4,)
        assert desk.news() == ["roll-refused missing-die"]
        assert desk.wait(60_000).news() == []

    def test_of_a_missing_die_is_of_one_that_is_held_in_the_hand_again_too(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(1, "handled")
        desk.throw("g", dice=(4,)).wait(5_010)
        assert desk.decided[-1].dice == (1,)
        assert desk.news() == ["roll-refused missing-die"]

    def test_of_a_missing_die_is_of_none_that_is_only_nudged(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).wait(20_000).die(1, "handled").wait(300)
        desk.die(1, "settled", "g").wait(20_000)
        assert [one.dice for one in desk.decided] == [(4,)]

    def test_of_a_second_throw_comes_once(self) -> None:
        desk = ready().throw("gs--").wait(500).throw("gggg")
        assert desk.news() == ["roll 2", "roll-refused unplayed-throw"]
        assert desk.state.throw is not None
        assert desk.state.throw.faces == "gs--"

    def test_of_a_die_bumped_after_the_throw_changes_nothing(self) -> None:
        desk = ready().throw("gs--").wait(500).die(3, "rolling").die(3, "settled", "g")
        assert desk.news() == ["roll 2", "roll-refused unplayed-throw"]

    def test_of_a_die_laid_down_where_a_move_seems_made_says_that_it_was_not_thrown(self) -> None:
        desk = ready("ravensburger A1:L,B2:D,B5:D L9D8 L0D0 L").throw("2").wait(500).lift("A1")
        assert desk.wait(4_000).news() == ["roll 2", "seems A1xB2"]
        desk.die(1, "handled").wait(800).die(1, "settled", "1")
        assert desk.decided[-1].side is Side.DARK
        assert desk.news() == ["roll-refused not-tumbled"]
        assert desk.throw("3").news() == ["move A1xB2", "roll 3"]

    def test_of_the_other_sides_own_dice(self) -> None:
        desk = start("finkel", first=Side.LIGHT, dice=((1, 2, 3, 4), (5, 6, 7, 8)))
        desk.news()
        desk.throw("g", dice=(5,))
        assert desk.news() == ["roll-refused not-your-turn"]
        assert desk.throw("gs--").news() == ["roll 2"]

    def test_of_the_other_sides_own_dice_comes_once_a_throw_and_names_them_all(self) -> None:
        desk = start("finkel", first=Side.LIGHT, dice=((1, 2, 3, 4), (5, 6, 7, 8)))
        desk.news()
        for _ in range(2):
            desk.throw("gs--", dice=(5, 6, 7, 8)).wait(1000)
            assert [(one.code, one.dice) for one in desk.decided] == [
                ("not-your-turn", (5, 6, 7, 8))
            ]
            desk.news()


class TestOwnDice:
    @pytest.mark.parametrize("dark", [(), (5, 6, 7), (5, 6, 7, 8, 9), (5, 5, 6, 7)])
    def test_are_as_many_as_a_side_throws(self, dark: tuple[int, ...]) -> None:
        with pytest.raises(UrpiError, match=r"own dice are 4, each another one; .* for dark"):
            Desk.new("finkel", dice=((1, 2, 3, 4), dark))


class TestDieHeardForTheFirstTime:
    def test_says_how_it_lay_before_and_not_what_was_thrown(self) -> None:
        desk = ready()
        desk.state.dice = {}
        for die in (1, 2, 3, 4):
            desk.die(die, "settled", "g", tumbled=True)
        assert desk.wait(6_000).news() == []
        assert desk.throw("gs--").news() == ["roll 2"]


class TestDeadDie:
    def test_is_asked_for_when_the_others_have_settled(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(4, "lost").wait(4_900)
        assert desk.news() == ["fault lost die 4"]
        desk.wait(200)
        assert desk.news()[0] == "question faces"
        assert desk.state.choices == ("gs-g", "gs--")
        desk.press(Side.LIGHT).press(Side.LIGHT, "long")
        assert desk.news() == ["roll 2"]

    def test_that_was_picked_up_again_after_it_had_settled_is_asked_for_too(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(1, "rolling").die(1, "lost")
        desk.throw("g", dice=(4,)).wait(5_100)
        assert desk.news() == ["fault lost die 1", "question faces"]
        assert desk.state.choices == ("gs-g", "-s-g")

    def test_that_comes_back_needs_no_answer(self) -> None:
        desk = ready().throw("gs-", dice=(1, 2, 3)).die(4, "lost").die(4, "found")
        desk.throw("g", dice=(4,))
        assert desk.news()[-1] == "roll 3"
        assert desk.state.question is None

    @pytest.mark.parametrize("faces", ["ggg", "ggggg", "gg1-", ""])
    def test_is_not_answered_with_faces_that_the_dice_cannot_show(self, faces: str) -> None:
        desk = ready().die(1, "lost").answer(faces=faces)
        assert desk.news()[-1] == "refused wrong-faces"

    def test_can_be_entered_before_anybody_asks(self) -> None:
        assert ready().answer(faces="gs--").news() == ["roll 2"]


class TestHaste:
    def test_a_throw_while_the_last_piece_still_settles_counts(self) -> None:
        desk = ready().throw("gs--").wait(800).lift("A4").wait(300).put("A2")
        desk.wait(60)
        for die in (1, 2, 3, 4):
            desk.die(die, "rolling")
        desk.wait(700)
        for die in (1, 2, 3, 4):
            desk.die(die, "settled", "g", tumbled=True)
        assert desk.news() == ["roll 2", "move A4-A2", "roll 4"]

    def test_the_first_die_counts_that_settles_before_the_bear_off_was_told(self) -> None:
        desk = ready("finkel A7:L,B1:L L5D7 L0D0 L").throw("g---").wait(400).lift("A7").wait(300)
        desk.throw("gs--")
        assert desk.news() == ["roll 1", "seems A7-off", "move A7-off", "roll 2"]
