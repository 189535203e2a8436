"""The menu's machine: presses in, screens and orders out, as players would do it."""

from dataclasses import replace
from typing import Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.menu import (
    Around,
    Deal,
    DieSeen,
    Entry,
    Listing,
    LookBack,
    Menu,
    Note,
    Offer,
    Pin,
    Reading,
    Recap,
    Sight,
    due,
    looked_back,
    press,
    seen,
    shown_pin,
)
from urpi.menu.machine import NOTE_MS, OPEN_MS, PIN_MS, RECAP_MS, RESPITE_MS
from urpi.orders import ChangeLanguage, ChangeSound, NewGame
from urpi.referee.decisions import Question, Roll
from urpi.referee.facts import Abandon, Answer, Button, Draw, Resign
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import Side, parse_position, rule_set

LIGHT, DARK = Side
POSITION = parse_position("finkel A4:L,C4:D L6D6 L0D0 D")
MODERN = parse_position("freecompany A1:L L6D7 L0D0 D")
MOVED = Snapshot(
    Phase.THROW,
    POSITION,
    side=DARK,
    rolled=Roll(0, LIGHT, "gs--", 2, ()),
    takeback=(LIGHT, "A4-A2"),
)
NEXT = NewGame(rule_set("finkel"), "Ann", "Zoë")
PLAYING = Around(MOVED, NEXT, "en", ("en", "hu"), "off", ("off", "tones"), ("Bob", "Zoë"), hub=True)
IDLE = replace(PLAYING, snapshot=Snapshot(Phase.NO_GAME))
ASKED = Question(0, DARK, "faces")


class Buttons:
    """Two buttons and what they bring about; `told` is what came out since it was last read."""

    def __init__(self, around: Around = PLAYING) -> None:
        self.menu, self.around, self.t = Menu(), around, 1_000
        self.sight = Sight(12, around.snapshot.phase, POSITION.occupancy)
        self.told: list[object] = []

    def press(self, side: Side = LIGHT, what: str = "short", times: int = 1) -> Self:
        for _ in range(times):
            button = Button(self.t, side, what)
            self.menu, told = press(self.menu, button, self.around, self.sight)
            self.told += told
            self.t += 200
        return self

    def hold(self, side: Side = LIGHT) -> Self:
        return self.press(side, "long")

    def both(self) -> Self:
        return self.press(what="both")

    def take(self, name: str, side: Side = LIGHT) -> Self:
        """Step to the line of that name, and take it."""
        for _ in range(20):
            assert isinstance(self.menu.screen, Listing)
            if self.menu.screen.item.name == name:
                return self.hold(side)
            self.press(side)
        raise AssertionError(name)

    def wait(self, ms: int) -> Self:
        self.t += ms
        self.menu = seen(self.menu, self.t, self.around, self.sight)
        return self

    def see(self, **sight: object) -> Self:
        """The board becomes so."""
        self.sight = replace(self.sight, **sight)
        return self.wait(0)

    @property
    def lines(self) -> list[str]:
        assert isinstance(self.menu.screen, Listing)
        return [item.name for item in self.menu.screen.items]

    @property
    def shows(self) -> object:
        return self.menu.screen


class TestWhosePress:
    @pytest.mark.parametrize("what", ["short", "long"])
    @pytest.mark.parametrize("more", [{"question": ASKED}, {"seems": "A4-A2"}])
    def test_a_press_is_the_referees_while_it_asks_or_a_move_seems_made(self, what, more):
        around = replace(PLAYING, snapshot=replace(MOVED, **more))
        buttons = Buttons(around).press(DARK, what)
        assert buttons.told == [Button(1_000, DARK, what)]
        assert buttons.shows is None

    def test_a_short_press_tells_again_what_it_was_for_some_seconds(self):
        buttons = Buttons().press(DARK)
        assert buttons.shows == Recap()
        assert buttons.wait(RECAP_MS).shows is None
        assert buttons.told == []

    def test_a_long_press_opens_what_that_side_may_ask_for(self):
        assert Buttons().hold(LIGHT).lines == ["play-on", "take-back", "resign", "abandon"]
        assert Buttons().hold(DARK).lines == ["play-on", "resign", "abandon"]

    def test_draws_are_offered_and_claimed_where_the_rules_know_them(self):
        modern = replace(PLAYING, snapshot=replace(MOVED, position=MODERN, takeback=None))
        assert Buttons(modern).hold().lines == [
            *("play-on", "offer-draw", "claim-draw", "resign", "abandon"),
        ]

    def test_both_open_the_menu_and_close_it(self):
        buttons = Buttons().both()
        assert buttons.lines[:3] == ["play-on", "new-game", "minute"]
        assert buttons.both().shows is None

    def test_both_open_the_menu_over_a_question_too(self):
        buttons = Buttons(replace(PLAYING, snapshot=replace(MOVED, question=ASKED)))
        buttons.see(calls=(ASKED, None, None)).both().press().wait(100)
        assert isinstance(buttons.shows, Listing)
        assert buttons.told == []

    def test_outside_a_game_any_long_press_opens_the_menu(self):
        for side in Side:
            assert Buttons(IDLE).hold(side).lines[0] == "new-game"

    def test_outside_a_game_a_short_press_says_how_to_open_it(self):
        buttons = Buttons(IDLE).press()
        assert buttons.shows == Note("hold-for-menu")
        assert buttons.wait(NOTE_MS).shows is None

    def test_after_a_game_a_short_press_tells_its_end_again(self):
        over = replace(PLAYING, snapshot=replace(MOVED, phase=Phase.OVER))
        assert Buttons(over).press().shows == Recap()


class TestGivingWay:
    @pytest.mark.parametrize(
        "went_on",
        [
            {"rolling": frozenset({2})},
            {"occupied": 0},
            {"calls": (ASKED, None, None)},
            {"calls": (None, "a warning", None)},
            {"calls": (None, None, "A4-A2")},
            {"phase": Phase.OVER},
            {"game": 13},
        ],
        ids=lambda went_on: next(iter(went_on)),
    )
    @pytest.mark.parametrize("open_it", ["both", "hold", "press"])
    def test_whatever_is_open_goes_away_when_the_game_goes_on(self, went_on, open_it):
        buttons = Buttons()
        getattr(buttons, open_it)()
        assert buttons.see(**went_on).shows is None

    def test_presses_right_after_that_are_nobodys(self):
        buttons = Buttons().both().see(calls=(ASKED, None, None))
        buttons.around = replace(PLAYING, snapshot=replace(MOVED, question=ASKED))
        assert buttons.hold(DARK).told == []
        buttons.wait(RESPITE_MS)
        assert buttons.hold(DARK).told == [Button(buttons.t - 200, DARK, "long")]

    def test_a_bump_does_not_close_it(self):
        buttons = Buttons().both().see(occupied=None).see(occupied=POSITION.occupancy)
        assert isinstance(buttons.shows, Listing)

    def test_dice_that_roll_already_do_not_close_it_but_when_they_roll_again(self):
        buttons = Buttons()
        buttons.sight = replace(buttons.sight, rolling=frozenset({1}))
        buttons.both().see(rolling=frozenset())
        assert isinstance(buttons.shows, Listing)
        assert buttons.see(rolling=frozenset({1})).shows is None

    def test_a_warning_that_is_there_already_stays_behind_it_and_a_new_one_does_not(self):
        buttons = Buttons()
        buttons.sight = replace(buttons.sight, calls=(None, "a warning", None))
        buttons.both().wait(100)
        assert isinstance(buttons.shows, Listing)
        buttons.see(calls=(None, None, None))
        assert buttons.see(calls=(None, "a warning", None)).shows is None

    def test_outside_a_game_pieces_are_set_up_beside_it(self):
        buttons = Buttons(IDLE).hold().see(occupied=0)
        assert isinstance(buttons.shows, Listing)

    def test_without_a_press_it_goes_away(self):
        buttons = Buttons().both()
        assert due(buttons.menu) == 1_000 + OPEN_MS
        buttons.wait(OPEN_MS - 1_000).press()
        assert buttons.wait(OPEN_MS - 201).shows is not None
        assert buttons.wait(1).shows is None
        assert due(buttons.menu) is None


class TestOffers:
    def test_a_take_back_is_accepted_by_the_other_sides_button(self):
        buttons = Buttons().hold().take("take-back")
        assert buttons.shows == Offer(Deal("take-back", LIGHT, "A4-A2"))
        assert buttons.hold(LIGHT).told == []
        at = buttons.t
        assert buttons.hold(DARK).told == [Answer(at, takeback=True, agreed=True)]
        assert buttons.shows == Note("put-back", "A4-A2")

    def test_it_is_declined_by_a_short_press_of_the_other_side(self):
        buttons = Buttons().hold().take("take-back").press(DARK)
        assert buttons.shows == Note("declined")
        assert buttons.wait(NOTE_MS).shows is None
        assert buttons.told == []

    def test_it_is_withdrawn_by_a_short_press_of_the_own_side(self):
        assert Buttons().hold().take("take-back").press(LIGHT).shows is None

    def test_it_runs_out_by_itself(self):
        buttons = Buttons().hold().take("abandon").wait(OPEN_MS)
        assert buttons.shows is None
        assert buttons.told == []

    def test_breaking_off_takes_both(self):
        buttons = Buttons().hold(DARK).take("abandon", DARK)
        at = buttons.t
        assert buttons.hold(LIGHT).told == [Abandon(at, DARK, agreed=True)]

    def test_a_draw_takes_both(self):
        modern = replace(PLAYING, snapshot=replace(MOVED, position=MODERN))
        buttons = Buttons(modern).hold().take("offer-draw")
        at = buttons.t
        assert buttons.hold(DARK).told == [Draw(at, LIGHT, agreed=True)]

    def test_a_draw_is_claimed_by_one_who_says_so_twice(self):
        modern = replace(PLAYING, snapshot=replace(MOVED, position=MODERN))
        buttons = Buttons(modern).hold().take("claim-draw").take("sure-claim-draw")
        assert buttons.told == [Draw(buttons.t - 200, LIGHT)]

    def test_giving_up_is_said_twice_by_the_same_side(self):
        buttons = Buttons().hold(DARK).take("resign", DARK)
        assert buttons.hold(LIGHT).told == []
        assert buttons.lines == ["play-on", "sure-resign"]
        buttons.take("sure-resign", DARK)
        assert buttons.told == [Resign(buttons.t - 200, DARK)]

    def test_the_other_side_does_not_move_in_ones_list(self):
        buttons = Buttons().hold(LIGHT)
        before = buttons.shows
        assert buttons.press(DARK).hold(DARK).shows == before

    def test_holding_twice_leads_back_to_the_game(self):
        buttons = Buttons().hold().hold()
        assert buttons.shows is None
        assert buttons.told == []


class TestNewGame:
    def test_a_game_begins_at_once_where_none_is_on(self):
        assert Buttons(IDLE).hold().take("new-game").take("begin").told == [NEXT]

    def test_over_a_game_the_other_side_has_to_agree(self):
        buttons = Buttons().both().take("new-game", DARK).take("begin", DARK)
        assert buttons.shows == Offer(Deal("new-game", DARK, order=NEXT))
        at = buttons.t
        assert buttons.hold(LIGHT).told == [Abandon(at, DARK, agreed=True), NEXT]

    def test_rules_pieces_and_names_are_chosen_before(self):
        buttons = Buttons(IDLE).hold().take("new-game").take("rules")
        while buttons.shows.item.value != "murray":
            buttons.press()
        buttons.hold().take("pieces").take("light")
        assert [item.value for item in buttons.shows.items] == ["", "Ann", "Bob", ""]
        buttons.press().hold().take("dark").hold().take("begin")
        (order,) = buttons.told
        assert order == NewGame(rule_set("murray", {"pieces": "5"}), "Bob", "Zoë")

    def test_the_same_name_is_not_offered_twice(self):
        buttons = Buttons(IDLE).hold().take("new-game").take("light")
        assert "Zoë" not in [item.value for item in buttons.shows.items]

    def test_pieces_go_round(self):
        buttons = Buttons(IDLE).hold().take("new-game")
        found = [buttons.take("pieces").menu.draft.rules.options["pieces"] for _ in range(3)]
        assert found == ["5", "3", "7"]

    @pytest.mark.parametrize("rules", ["ravensburger", "freecompany"])
    def test_where_the_rules_have_one_number_of_pieces_none_is_asked(self, rules):
        idle = replace(IDLE, next_game=NewGame(rule_set(rules)))
        assert "pieces" not in Buttons(idle).hold().take("new-game").lines

    def test_what_was_chosen_is_forgotten_when_the_menu_is_left(self):
        buttons = Buttons(IDLE).hold().take("new-game").take("pieces").both().hold()
        assert buttons.take("new-game").take("begin").told == [NEXT]


class TestSettings:
    def test_a_language_is_chosen_and_shown(self):
        buttons = Buttons().both().take("language").press().hold()
        assert buttons.told == [ChangeLanguage("hu")]
        assert buttons.shows.item.value == "hu"

    def test_a_sound_is_chosen_and_shown(self):
        buttons = Buttons().both().take("sound").press().hold()
        assert buttons.told == [ChangeSound("tones")]
        assert buttons.shows.item.value == "tones"

    @pytest.mark.parametrize("page", ["sound", "language", "dice", "about", "new-game"])
    def test_every_page_leads_back(self, page):
        buttons = Buttons().both().take(page).take("back")
        assert buttons.shows.name == "menu"
        assert buttons.shows.item.name == page

    def test_the_dice_are_shown_as_they_are_now(self):
        buttons = Buttons(IDLE)
        buttons.around = replace(IDLE, dice=(DieSeen(1, True, "g"),))
        buttons.hold().take("dice")
        buttons.around = replace(IDLE, dice=(DieSeen(1, True, "s"),))
        assert buttons.wait(0).shows.items[0].die == DieSeen(1, True, "s")

    def test_a_line_that_only_tells_something_does_nothing(self):
        buttons = Buttons().both().take("about")
        before = buttons.shows
        assert buttons.hold().shows == before
        assert buttons.told == []


class TestPin:
    PIN = Pin("471100", "192.168.1.20:8011")

    def asked(self, buttons: Buttons) -> Buttons:
        buttons.menu = shown_pin(buttons.menu, buttons.t, self.PIN, buttons.around, buttons.sight)
        return buttons

    def test_is_shown_for_a_while(self):
        buttons = self.asked(Buttons())
        assert buttons.shows == self.PIN
        assert buttons.wait(PIN_MS).shows is None

    def test_gives_way_when_the_game_goes_on_and_to_presses(self):
        assert self.asked(Buttons()).see(rolling=frozenset({1})).shows is None
        assert self.asked(Buttons()).press().shows == Recap()

    @pytest.mark.parametrize("open_it", ["hold", "both"])
    def test_takes_the_place_of_no_list(self, open_it):
        buttons = getattr(Buttons(), open_it)()
        before = buttons.shows
        assert self.asked(buttons).shows == before

    def test_takes_the_place_of_no_question(self):
        buttons = Buttons(replace(PLAYING, snapshot=replace(MOVED, question=ASKED)))
        assert self.asked(buttons).shows is None


class TestLookingBack:
    PAGES = (Entry("0 s", "A4 emptied."), Entry("-2 s", "Light threw 2."))

    def test_it_is_looked_up_and_then_read_page_by_page(self):
        buttons = Buttons().both().take("minute")
        assert buttons.told == [LookBack()]
        assert buttons.press().shows == Reading()
        buttons.menu = looked_back(buttons.menu, self.PAGES)
        places = [buttons.shows.place, *(buttons.press().shows.place for _ in range(2))]
        assert places == [0, 1, 0]
        assert buttons.hold().shows.name == "menu"

    def test_what_comes_too_late_is_dropped(self):
        buttons = Buttons().both().take("minute").hold()
        assert looked_back(buttons.menu, self.PAGES) == buttons.menu


presses = st.tuples(st.sampled_from(list(Side)), st.sampled_from(["short", "long", "both"]))
arounds = st.sampled_from(
    [
        PLAYING,
        replace(PLAYING, snapshot=replace(MOVED, position=MODERN)),
        replace(PLAYING, snapshot=replace(MOVED, phase=Phase.MOVE, takeback=None)),
    ]
)
HARMLESS = (Button, LookBack, ChangeLanguage, ChangeSound)


@given(arounds, presses)
def test_one_press_alone_brings_nothing_about(around, one):
    assert Buttons(around).press(*one).told == []


@given(arounds, st.sampled_from(list(Side)), st.lists(st.sampled_from(["short", "long", "both"])))
def test_one_side_alone_only_gives_up_or_claims_what_the_rules_give(around, side, held):
    buttons = Buttons(around)
    for what in held:
        buttons.press(side, what)
    for told in buttons.told:
        claims = isinstance(told, Draw) and not told.agreed and told.side is side
        assert isinstance(told, HARMLESS) or told == Resign(told.t, side) or claims


@given(arounds, st.lists(st.sampled_from(list(Side)), max_size=60))
def test_whoever_leans_on_the_buttons_never_ends_a_game(around, sides):
    buttons = Buttons(around)
    for side in sides:
        buttons.hold(side)
    assert not [told for told in buttons.told if not isinstance(told, HARMLESS)]


@given(arounds, st.lists(presses, max_size=60))
def test_whatever_is_pressed_it_goes_away_by_itself(around, many):
    buttons = Buttons(around)
    for one in many:
        buttons.press(*one)
    assert buttons.wait(OPEN_MS).shows is None
