"""The menu's state machine: presses in, screens, facts and orders out."""

from copy import deepcopy
from dataclasses import replace
from typing import Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.referee.decisions import Question, Roll
from urpi.referee.facts import Abandon, Answer, Button, Draw, Resign
from urpi.referee.orders import AnswerProposal, ChangeLanguage, ChangeSound, NewGame, PublishName
from urpi.referee.placing import Placing
from urpi.referee.seats import SEATS
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import Side, parse_position, rule_set
from urpi.show.menu import (
    Activity,
    DieStatus,
    DrawOffer,
    Item,
    LastMinute,
    LastMinuteRequest,
    Listing,
    Menu,
    Message,
    Offer,
    PagePin,
    PositionSetUp,
    Proposal,
    Recap,
    SetUpRequest,
    TableStatus,
    TextPage,
    due,
    on_press,
    show_last_minute,
    show_offer,
    show_pin,
    tick,
)
from urpi.show.menu.state import PLACING_MS
from urpi.show.menu.state_machine import IGNORE_MS, MESSAGE_MS, OPEN_MS, PIN_MS, RECAP_MS

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
PLAYING = TableStatus(MOVED, NEXT, "en", ("en", "hu"), "off", ("off", "tones"), ("Bob", "Zoë"))
IDLE = replace(PLAYING, snapshot=Snapshot(Phase.NO_GAME))
QUESTION = Question(0, DARK, "faces")


class Buttons:
    """The two buttons at a menu; `outputs` collects the facts and orders that follow."""

    def __init__(self, status: TableStatus = PLAYING) -> None:
        self.menu, self.status, self.t = Menu(), status, 1_000
        self.activity = Activity(12, status.snapshot.phase, POSITION.occupancy)
        self.outputs: list[object] = []

    def press(self, side: Side = LIGHT, what: str = "short", times: int = 1) -> Self:
        for _ in range(times):
            button = Button(self.t, side, what)
            self.menu, outputs = on_press(self.menu, button, self.status, self.activity)
            self.outputs += outputs
            self.t += 200
        return self

    def hold(self, side: Side = LIGHT) -> Self:
        return self.press(side, "long")

    def both(self) -> Self:
        return self.press(what="both")

    def select(self, name: str, side: Side = LIGHT) -> Self:
        """Step to the line of that name, and select it."""
        for _ in range(20):
            assert isinstance(self.menu.screen, Listing)
            if self.menu.screen.item.name == name:
                return self.hold(side)
            self.press(side)
        raise AssertionError(name)

    def wait(self, ms: int) -> Self:
        self.t += ms
        self.menu = tick(self.menu, self.t, self.status, self.activity)
        return self

    def change(self, **activity: object) -> Self:
        """Change the activity."""
        self.activity = replace(self.activity, **activity)
        return self.wait(0)

    @property
    def lines(self) -> list[str]:
        assert isinstance(self.menu.screen, Listing)
        return [item.name for item in self.menu.screen.items]

    @property
    def screen(self) -> object:
        return self.menu.screen


def fewest_presses(opened: Buttons, name: str, sides: tuple[Side, Side]) -> int:
    """Return the presses that select a line: one opens the list, and a hold selects the line."""
    steps = []
    for side in sides:
        buttons = deepcopy(opened)
        while buttons.screen.item.name != name:
            buttons.press(side)
        steps.append((buttons.t - opened.t) // 200)
    return 1 + min(steps) + 1


class TestPresses:
    @pytest.mark.parametrize("what", ["short", "long"])
    @pytest.mark.parametrize("more", [{"question": QUESTION}, {"seems": "A4-A2"}])
    def test_press_is_passed_to_the_referee_during_a_question_or_an_unconfirmed_move(
        self, what, more
    ):
        status = replace(PLAYING, snapshot=replace(MOVED, **more))
        buttons = Buttons(status).press(DARK, what)
        assert buttons.outputs == [Button(1_000, DARK, what)]
        assert buttons.screen is None

    def test_short_press_shows_the_recap_for_some_seconds(self):
        buttons = Buttons().press(DARK)
        assert buttons.screen == Recap()
        assert buttons.wait(RECAP_MS).screen is None
        assert buttons.outputs == []

    def test_long_press_opens_the_sides_offers(self):
        assert Buttons().hold(LIGHT).lines == ["play-on", "take-back", "resign", "abandon"]
        assert Buttons().hold(DARK).lines == ["play-on", "resign", "abandon"]

    @pytest.mark.parametrize("engines", [(LIGHT,), (DARK,), (LIGHT, DARK)])
    def test_only_a_person_may_give_up_or_ask_for_a_draw(self, engines):
        light, dark = ("engine:best" if side in engines else "person" for side in Side)
        for snapshot in (MOVED, replace(MOVED, position=MODERN, draw="repeated-position")):
            status = replace(PLAYING, snapshot=replace(snapshot, seats=(light, dark)))
            for side in Side:
                lines = set(Buttons(status).hold(side).lines)
                asked = {"offer-draw", "claim-draw"} if snapshot.draw else set()
                found = lines & {"resign", "offer-draw", "claim-draw"}
                assert found == (set() if side in engines else {"resign", *asked})

    def test_draws_are_offered_if_the_rules_have_them(self):
        modern = replace(PLAYING, snapshot=replace(MOVED, position=MODERN, takeback=None))
        assert Buttons(modern).hold().lines == [
            *("play-on", "offer-draw", "resign", "abandon"),
        ]

    def test_a_draw_that_may_be_claimed_is_offered_for_claiming(self):
        shot = replace(MOVED, position=MODERN, takeback=None, draw="repeated-position")
        assert Buttons(replace(PLAYING, snapshot=shot)).hold().lines == [
            *("play-on", "offer-draw", "claim-draw", "resign", "abandon"),
        ]

    def test_both_open_and_close_the_menu(self):
        buttons = Buttons().both()
        assert buttons.lines[:3] == ["play-on", "sound", "minute"]
        assert buttons.both().screen is None

    def test_both_open_the_menu_during_a_question(self):
        buttons = Buttons(replace(PLAYING, snapshot=replace(MOVED, question=QUESTION)))
        buttons.change(prompts=(QUESTION, None, None)).both().press().wait(100)
        assert isinstance(buttons.screen, Listing)
        assert buttons.outputs == []

    def test_long_press_opens_the_menu_without_a_game(self):
        for side in Side:
            assert Buttons(IDLE).hold(side).lines[0] == "new-game"

    def test_short_press_without_a_game_explains_how_to_open_the_menu(self):
        buttons = Buttons(IDLE).press()
        assert buttons.screen == Message("hold-for-menu")
        assert buttons.wait(MESSAGE_MS).screen is None

    def test_short_press_after_a_game_shows_the_recap(self):
        over = replace(PLAYING, snapshot=replace(MOVED, phase=Phase.OVER))
        assert Buttons(over).press().screen == Recap()


class TestClosing:
    @pytest.mark.parametrize(
        "change",
        [
            {"rolling": frozenset({2})},
            {"occupied": 0},
            {"prompts": (QUESTION, None, None)},
            {"prompts": (None, "a warning", None)},
            {"prompts": (None, None, "A4-A2")},
            {"phase": Phase.OVER},
            {"game": 13},
        ],
        ids=lambda change: next(iter(change)),
    )
    @pytest.mark.parametrize("open_it", ["both", "hold", "press"])
    def test_every_screen_closes_when_the_game_continues(self, change, open_it):
        buttons = Buttons()
        getattr(buttons, open_it)()
        assert buttons.change(**change).screen is None

    def test_presses_are_ignored_just_after_the_game_closed_a_list(self):
        buttons = Buttons().both().change(prompts=(QUESTION, None, None))
        buttons.status = replace(PLAYING, snapshot=replace(MOVED, question=QUESTION))
        assert buttons.hold(DARK).outputs == []
        buttons.wait(IGNORE_MS)
        assert buttons.hold(DARK).outputs == [Button(buttons.t - 200, DARK, "long")]

    @pytest.mark.parametrize(("after_ms", "count"), [(IGNORE_MS - 1, 0), (IGNORE_MS, 1)])
    def test_the_first_press_that_counts_is_a_second_after_the_list_closed(self, after_ms, count):
        buttons = Buttons().both().change(prompts=(QUESTION, None, None))
        buttons.status = replace(PLAYING, snapshot=replace(MOVED, question=QUESTION))
        assert len(buttons.wait(after_ms).hold(DARK).outputs) == count

    def test_an_answer_just_after_the_game_closed_the_recap_counts(self):
        buttons = Buttons().press(DARK).change(prompts=(QUESTION, None, None))
        buttons.status = replace(PLAYING, snapshot=replace(MOVED, question=QUESTION))
        assert buttons.hold(DARK).outputs == [Button(buttons.t - 200, DARK, "long")]

    def test_bump_does_not_close_the_menu(self):
        buttons = Buttons().both().change(occupied=None).change(occupied=POSITION.occupancy)
        assert isinstance(buttons.screen, Listing)

    def test_rolling_dice_close_the_menu_only_when_they_roll_again(self):
        buttons = Buttons()
        buttons.activity = replace(buttons.activity, rolling=frozenset({1}))
        buttons.both().change(rolling=frozenset())
        assert isinstance(buttons.screen, Listing)
        assert buttons.change(rolling=frozenset({1})).screen is None

    def test_only_a_new_warning_closes_the_menu(self):
        buttons = Buttons()
        buttons.activity = replace(buttons.activity, prompts=(None, "a warning", None))
        buttons.both().wait(100)
        assert isinstance(buttons.screen, Listing)
        buttons.change(prompts=(None, None, None))
        assert buttons.change(prompts=(None, "a warning", None)).screen is None

    def test_setting_up_pieces_without_a_game_does_not_close_the_menu(self):
        buttons = Buttons(IDLE).hold().change(occupied=0)
        assert isinstance(buttons.screen, Listing)

    def test_menu_closes_after_a_time_without_presses(self):
        buttons = Buttons().both()
        assert due(buttons.menu) == 1_000 + OPEN_MS
        buttons.wait(OPEN_MS - 1_000).press()
        assert buttons.wait(OPEN_MS - 201).screen is not None
        assert buttons.wait(1).screen is None
        assert due(buttons.menu) is None


class TestOffers:
    def test_take_back_is_accepted_by_the_opponents_long_press(self):
        buttons = Buttons().hold().select("take-back")
        assert buttons.screen == Offer(Proposal("take-back", LIGHT, "A4-A2"))
        assert buttons.hold(LIGHT).outputs == []
        at = buttons.t
        assert buttons.hold(DARK).outputs == [Answer(at, takeback=True, agreed=True)]
        assert buttons.screen == Message("put-back", "A4-A2")

    def test_offer_is_declined_by_the_opponents_short_press(self):
        buttons = Buttons().hold().select("take-back").press(DARK)
        assert buttons.screen == Message("declined")
        assert buttons.wait(MESSAGE_MS).screen is None
        assert buttons.outputs == []

    def test_offer_is_withdrawn_by_the_proposers_short_press(self):
        assert Buttons().hold().select("take-back").press(LIGHT).screen is None

    @pytest.mark.parametrize("by", Side)
    @pytest.mark.parametrize("side", Side)
    @pytest.mark.parametrize(("what", "accepted"), [("long", True), ("short", False)])
    def test_both_buttons_answer_a_proposal_of_another_table(self, by, side, what, accepted):
        buttons = Buttons()
        proposal = Proposal("draw", by, remote=True)
        buttons.menu = show_offer(Menu(), 0, proposal, buttons.status, buttons.activity)
        buttons.press(side, what)
        assert buttons.outputs == [AnswerProposal("draw", accepted=accepted)]

    def test_offer_expires(self):
        buttons = Buttons().hold().select("abandon").wait(OPEN_MS)
        assert buttons.screen is None
        assert buttons.outputs == []

    def test_breaking_off_needs_both_players(self):
        buttons = Buttons().hold(DARK).select("abandon", DARK)
        at = buttons.t
        assert buttons.hold(LIGHT).outputs == [Abandon(at, DARK, agreed=True)]

    def test_draw_needs_both_players(self):
        modern = replace(PLAYING, snapshot=replace(MOVED, position=MODERN))
        buttons = Buttons(modern).hold().select("offer-draw")
        at = buttons.t
        assert buttons.hold(DARK).outputs == [Draw(at, LIGHT, agreed=True)]

    def test_the_engine_accepts_at_once_but_considers_a_draw(self):
        shot = replace(MOVED, position=MODERN, seats=("person", "engine:best"))
        offered, ended, undone = (
            Buttons(replace(PLAYING, snapshot=shot)).hold().select(name)
            for name in ("offer-draw", "abandon", "take-back")
        )
        assert offered.outputs == [DrawOffer(LIGHT)]
        assert ended.outputs == [Abandon(ended.t - 200, LIGHT, agreed=True)]
        assert undone.outputs == [Answer(undone.t - 200, takeback=True, agreed=True)]
        assert undone.screen == Message("put-back", "A4-A2")
        assert offered.screen is ended.screen is None

    def test_claiming_a_draw_needs_a_confirmation(self):
        shot = replace(MOVED, position=MODERN, draw="repeated-action")
        buttons = (
            Buttons(replace(PLAYING, snapshot=shot))
            .hold()
            .select("claim-draw")
            .select("sure-claim-draw")
        )
        assert buttons.outputs == [Draw(buttons.t - 200, LIGHT)]

    def test_giving_up_needs_a_confirmation_by_the_same_side(self):
        buttons = Buttons().hold(DARK).select("resign", DARK)
        assert buttons.hold(LIGHT).outputs == []
        assert buttons.lines == ["play-on", "sure-resign"]
        buttons.select("sure-resign", DARK)
        assert buttons.outputs == [Resign(buttons.t - 200, DARK)]

    def test_opponents_button_selects_nothing_in_a_sides_list(self):
        buttons = Buttons().hold(LIGHT).press(DARK)
        assert buttons.screen.item.name == "abandon"
        assert buttons.hold(DARK).screen.item.name == "abandon"
        assert buttons.outputs == []

    @pytest.mark.parametrize("side", Side)
    def test_own_button_goes_to_the_next_line_and_the_opponents_back(self, side):
        status = replace(PLAYING, snapshot=replace(MOVED, takeback=(side, "A4-A2")))
        buttons = Buttons(status).hold(side)
        assert [buttons.press(side).screen.chosen for _ in buttons.lines] == [1, 2, 3, 0]
        assert [buttons.press(side.other).screen.chosen for _ in buttons.lines] == [3, 2, 1, 0]

    @pytest.mark.parametrize("side", Side)
    def test_every_offer_is_four_presses_away(self, side):
        hint = replace(MOVED, side=side, may_hint=True, takeback=None)
        for snapshot in (hint, replace(MOVED, takeback=(side, "A4-A2"))):
            buttons = Buttons(replace(PLAYING, snapshot=snapshot)).hold(side)
            for name in buttons.lines:
                assert fewest_presses(buttons, name, (side, side.other)) <= 4, name

    @pytest.mark.parametrize("name", ["play-on", "sound", "minute", "dice", "about"])
    def test_what_is_needed_during_a_game_is_four_presses_away(self, name):
        assert fewest_presses(Buttons().both(), name, tuple(Side)) <= 4

    def test_two_long_presses_return_to_the_game(self):
        buttons = Buttons().hold().hold()
        assert buttons.screen is None
        assert buttons.outputs == []


class TestNewGame:
    def test_game_begins_at_once_if_none_is_in_progress(self):
        assert Buttons(IDLE).hold().select("new-game").select("begin").outputs == [NEXT]

    def test_opponent_must_agree_to_a_new_game_during_a_game(self):
        buttons = Buttons().both().select("new-game", DARK).select("begin", DARK)
        assert buttons.screen == Offer(Proposal("new-game", DARK, order=NEXT))
        at = buttons.t
        assert buttons.hold(LIGHT).outputs == [Abandon(at, DARK, agreed=True), NEXT]

    def test_a_position_is_set_up_by_hands_and_buttons_for_the_new_game(self):
        buttons = Buttons(IDLE).hold().select("new-game").select("set-up")
        assert buttons.screen == PositionSetUp(Placing(NEXT.rules))
        # A4 and B4, the second one dark's; dark throws, and none has left the board.
        buttons.change(occupied=None).change(occupied=1 << 3 | 1 << 9)
        buttons.press(DARK).press(DARK).hold().hold()
        assert buttons.outputs == [SetUpRequest(NEXT)]
        position = parse_position("finkel A4:L,B4:D L6D6 L0D0 D")
        assert buttons.hold(DARK).outputs[1:] == [replace(NEXT, position=position)]
        assert buttons.screen is None

    def test_a_position_cannot_be_set_up_for_a_game_with_another_table(self):
        draft = replace(NEXT, dark="porto", seats=("person", "remote"))
        buttons = Buttons(replace(IDLE, tables=("porto",), next_game=draft))
        assert "set-up" not in buttons.hold().select("new-game").lines

    @pytest.mark.parametrize("long", [True, False])
    def test_opponent_must_agree_to_a_set_up_during_a_game(self, long):
        buttons = Buttons().both().select("new-game", DARK).select("set-up", DARK)
        assert buttons.screen == Offer(Proposal("set-up", DARK, order=NEXT))
        assert buttons.press(LIGHT, "long" if long else "short").outputs == (
            [Abandon(buttons.t - 200, DARK, agreed=True), SetUpRequest(NEXT)] if long else []
        )
        assert (buttons.screen == PositionSetUp(Placing(NEXT.rules))) is long

    def test_the_engine_agrees_to_a_set_up_at_once(self):
        snapshot = replace(MOVED, seats=("person", "engine:best"))
        buttons = Buttons(replace(PLAYING, snapshot=snapshot)).both()
        buttons.select("new-game").select("set-up")
        assert buttons.screen == PositionSetUp(Placing(NEXT.rules))
        assert buttons.outputs == [
            Abandon(buttons.t - 200, LIGHT, agreed=True),
            SetUpRequest(NEXT),
        ]

    def test_a_set_up_stays_open_while_hands_are_at_work(self):
        buttons = Buttons(IDLE).hold().select("new-game").select("set-up")
        for occupied in range(1, 9):
            buttons.wait(PLACING_MS - 1_000).change(occupied=occupied)
        assert buttons.screen == PositionSetUp(Placing(NEXT.rules).seen(15).seen(8))
        assert buttons.wait(PLACING_MS).screen is None
        assert buttons.outputs == [SetUpRequest(NEXT)]

    def test_both_buttons_leave_a_set_up(self):
        buttons = Buttons(IDLE).hold().select("new-game").select("set-up")
        assert buttons.both().screen is None

    def test_rules_pieces_and_names_are_chosen_for_the_new_game(self):
        buttons = Buttons(IDLE).hold().select("new-game").select("rules")
        while buttons.screen.item.value != "murray":
            buttons.press()
        buttons.hold().select("pieces").select("light")
        persons = ["", "Ann", "Bob"]
        assert [item.value for item in buttons.screen.items] == [*persons, *SEATS[1:], ""]
        buttons.press().hold().select("dark").hold().select("begin")
        (order,) = buttons.outputs
        assert order == NewGame(rule_set("murray", {"pieces": "5"}), "Bob", "Zoë")

    def test_opponents_name_is_not_offered(self):
        buttons = Buttons(IDLE).hold().select("new-game").select("light")
        assert "Zoë" not in [item.value for item in buttons.screen.items]

    def test_number_of_pieces_cycles(self):
        buttons = Buttons(IDLE).hold().select("new-game")
        found = [buttons.select("pieces").menu.draft.rules.options["pieces"] for _ in range(3)]
        assert found == ["5", "3", "7"]

    @pytest.mark.parametrize("rules", ["ravensburger", "freecompany"])
    def test_pieces_are_not_offered_if_the_rules_have_one_number(self, rules):
        idle = replace(IDLE, next_game=NewGame(rule_set(rules)))
        assert "pieces" not in Buttons(idle).hold().select("new-game").lines

    def test_choices_are_discarded_when_the_menu_is_closed(self):
        buttons = Buttons(IDLE).hold().select("new-game").select("pieces").both().hold()
        assert buttons.select("new-game").select("begin").outputs == [NEXT]


class TestSettings:
    def test_language_is_changed_and_shown(self):
        buttons = Buttons().both().select("language").press().hold()
        assert buttons.outputs == [ChangeLanguage("hu")]
        assert buttons.screen.item.value == "hu"

    def test_sound_is_changed_and_shown(self):
        buttons = Buttons().both().select("sound").press().hold()
        assert buttons.outputs == [ChangeSound("tones")]
        assert buttons.screen.item.value == "tones"

    def test_without_a_club_nobody_is_asked_about_names(self):
        assert not [one for one in Buttons().both().select("new-game").lines if "club" in one]

    def test_a_name_is_shown_by_the_club_only_if_its_player_agrees(self):
        status = replace(PLAYING, published=("Bob",))
        buttons = Buttons(status).both().select("new-game").select("club-dark")
        assert buttons.screen.item.name == "hide"
        buttons.select("publish")
        assert buttons.outputs == [PublishName("Zoë", True)]
        assert buttons.screen.item == Item("club-dark", "Zoë")

    def test_a_consent_can_be_withdrawn(self):
        status = replace(PLAYING, published=("Ann", "Zoë"))
        buttons = Buttons(status).both().select("new-game").select("club-light")
        assert buttons.screen.item.name == "publish"
        buttons.select("hide")
        assert buttons.outputs == [PublishName("Ann", False)]
        assert buttons.screen.item == Item("club-light")

    def test_only_persons_with_names_are_asked_about_them(self):
        draft = replace(NEXT, light="", dark="Zoë", seats=("person", "engine:easy"))
        status = replace(PLAYING, published=(), next_game=draft)
        lines = Buttons(status).both().select("new-game").lines
        assert not [one for one in lines if "club" in one]

    @pytest.mark.parametrize("page", ["sound", "language", "dice", "about", "new-game"])
    def test_every_page_leads_back_to_the_menu(self, page):
        buttons = Buttons().both().select(page).select("back")
        assert buttons.screen.name == "menu"
        assert buttons.screen.item.name == page

    def test_dice_page_is_updated(self):
        buttons = Buttons(IDLE)
        buttons.status = replace(IDLE, dice=(DieStatus(1, True, "g"),))
        buttons.hold().select("dice")
        buttons.status = replace(IDLE, dice=(DieStatus(1, True, "s"),))
        assert buttons.wait(0).screen.items[0].die == DieStatus(1, True, "s")

    @pytest.mark.parametrize(
        ("missing", "lines"),
        [
            (("hub",), ["no-hub", "die", "back"]),
            (("bluetooth",), ["no-bluetooth", "die", "back"]),
            (("hub", "bluetooth"), ["no-hub", "no-bluetooth", "die", "back"]),
        ],
    )
    def test_dice_page_names_the_missing_sources_before_the_dice(self, missing, lines):
        status = replace(IDLE, missing_sources=missing, dice=(DieStatus(1, False),))
        assert [one.name for one in Buttons(status).hold().select("dice").screen.items] == lines

    def test_line_without_an_action_does_nothing(self):
        buttons = Buttons().both().select("about")
        before = buttons.screen
        assert buttons.hold().screen == before
        assert buttons.outputs == []


class TestPin:
    PIN = PagePin("471100", "192.168.1.20:8011")

    def request(self, buttons: Buttons) -> Buttons:
        buttons.menu = show_pin(buttons.menu, buttons.t, self.PIN, buttons.status, buttons.activity)
        return buttons

    def test_pin_is_shown_for_a_limited_time(self):
        buttons = self.request(Buttons())
        assert buttons.screen == self.PIN
        assert buttons.wait(PIN_MS).screen is None

    def test_pin_closes_when_the_game_continues_and_on_a_press(self):
        assert self.request(Buttons()).change(rolling=frozenset({1})).screen is None
        assert self.request(Buttons()).press().screen == Recap()

    @pytest.mark.parametrize("open_it", ["hold", "both"])
    def test_pin_does_not_replace_a_list(self, open_it):
        buttons = getattr(Buttons(), open_it)()
        before = buttons.screen
        assert self.request(buttons).screen == before

    def test_pin_does_not_replace_a_question(self):
        buttons = Buttons(replace(PLAYING, snapshot=replace(MOVED, question=QUESTION)))
        assert self.request(buttons).screen is None


class TestLastMinute:
    PAGES = (TextPage("0 s", "A4 is empty."), TextPage("-2 s", "Light threw 2."))

    def test_last_minute_is_requested_and_shown_page_by_page(self):
        buttons = Buttons().both().select("minute")
        assert buttons.outputs == [LastMinuteRequest()]
        assert buttons.press().screen == LastMinute()
        buttons.menu = show_last_minute(buttons.menu, self.PAGES)
        places = [buttons.screen.place, *(buttons.press().screen.place for _ in range(2))]
        assert places == [0, 1, 0]
        assert buttons.hold().screen.name == "menu"

    def test_pages_that_arrive_too_late_are_dropped(self):
        buttons = Buttons().both().select("minute").hold()
        assert show_last_minute(buttons.menu, self.PAGES) == buttons.menu


presses = st.tuples(st.sampled_from(list(Side)), st.sampled_from(["short", "long", "both"]))
arounds = st.sampled_from(
    [
        PLAYING,
        replace(PLAYING, snapshot=replace(MOVED, position=MODERN)),
        replace(PLAYING, snapshot=replace(MOVED, phase=Phase.MOVE, takeback=None)),
    ]
)
HARMLESS = (Button, LastMinuteRequest, ChangeLanguage, ChangeSound)


@given(arounds, presses)
def test_single_press_has_no_output(status, one):
    assert Buttons(status).press(*one).outputs == []


@given(arounds, st.sampled_from(list(Side)), st.lists(st.sampled_from(["short", "long", "both"])))
def test_one_side_alone_can_only_resign_or_claim_a_draw(status, side, presses_made):
    buttons = Buttons(status)
    for what in presses_made:
        buttons.press(side, what)
    for outputs in buttons.outputs:
        claims = isinstance(outputs, Draw) and not outputs.agreed and outputs.side is side
        assert isinstance(outputs, HARMLESS) or outputs == Resign(outputs.t, side) or claims


@given(arounds, st.lists(st.sampled_from(list(Side)), max_size=60))
def test_long_presses_alone_never_end_a_game(status, sides):
    buttons = Buttons(status)
    for side in sides:
        buttons.hold(side)
    assert not [outputs for outputs in buttons.outputs if not isinstance(outputs, HARMLESS)]


@given(arounds, st.lists(presses, max_size=60))
def test_every_screen_closes_by_itself(status, sequence):
    buttons = Buttons(status)
    for one in sequence:
        buttons.press(*one)
    assert buttons.wait(OPEN_MS).screen is None
