"""Every text of every view in every language is complete and visible.

Each view is drawn with the longest texts possible. Names of players are left out, because they
are the only texts that may be shortened.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import get_args

import pytest
from PIL import Image

from tests.each import each
from tests.show.evidence.disputed import disputed_game, store
from tests.show.views.golden import check_picture
from tests.show.views.menu_scenes import IN_GAME
from tests.show.views.menu_scenes import SCENES as MENU_SCENES
from tests.show.views.scenes import (
    MIDDLE,
    SCENES,
    over,
    question_scene,
    squares,
    to_move,
    to_throw,
    warning_scene,
)
from tests.show.views.text_monitor import monitored
from tests.show.words.marked import messages
from tests.show.words.recorded import recorded_words
from tests.slow import slow_except
from tools.catalogues.found import singular
from urpi.referee.decisions import Drawn, Fault, Passed, Refused, RollRefused, Starts, TakenBack
from urpi.referee.facts import NotThrown
from urpi.referee.orders import NewGame, Pairing
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import RULE_SETS, Side, parse_rules, rule_set
from urpi.service.last_minute import last_minute
from urpi.show.menu import (
    DieStatus,
    Invitation,
    LastMinute,
    Listing,
    MenuScreen,
    Message,
    NextGame,
    Offer,
    Proposal,
    TableStatus,
    TextPage,
)
from urpi.show.menu.pages import menu_page, offers_page, settings_page
from urpi.show.views import HEIGHT, WIDTH, draw, draw_menu, draw_pin
from urpi.show.views.bitmap_font import font
from urpi.show.views.menu_screens import invitation_text
from urpi.show.views.notice import MAX_NOTICE_LINES, draw_notice
from urpi.show.views.text import HUGE, LARGE, MEDIUM, SMALL, draw_line, fits
from urpi.show.words import Words, display_languages, menu_words, words_for
from urpi.show.words import sentences as tables
from urpi.show.words.decisions import CONFIDENCE
from urpi.show.words.menu_words import LANGUAGES, NOTES, OFFERS

LIGHT, DARK = Side
NEXT = NewGame(rule_set("finkel"))
LONGEST = {
    "threw": 4,
    "went": 12,
    "origin": "A4",
    "target": "B8",
    "fill": "A4, B2",
    "clear": "B8, C3",
}
"""A warning's details: two squares to fill and two to clear, as after a move of two pieces."""
DETAILS = (
    {"move": "A3-A2,B5xB6", **LONGEST},
    LONGEST,
    {**LONGEST, "origin": ""},
    {"one": "B6", "other": "B7", "clear": "B6"},
    {"light": "A3", "dark": "B2", "surplus": "B3"},
    {name: LONGEST[name] for name in ("threw", "went", "target", "fill", "clear")},
    {name: LONGEST[name] for name in ("threw", "went", "target", "fill")},
    {name: LONGEST[name] for name in ("threw", "went", "target", "clear")},
    {},
)
SWITCHES = ("stuck-on", "stuck-off", "flicker")
"""The faults of squares; the others are of dice and of the hub."""
ROLLING_DICE = {"rolling": (1,), "waiting": (1, 2, 3, 4)}
LONGEST_MOVE = "A3-A2,B5xB6"
CHOICES = {"move": ("+A4", "A7-off"), "faces": ("gs--", "gsg-"), "first": ("light", "dark")}
HOUSE_RULES = (
    "finkel3[pieces=5;safe_rosettes=no]",
    "masters[safe_rosettes=yes]",
    "finkel3[start=one]",
    "murray[exit_row=opponent;loop=own-first]",
    "coursework[zero=0]",
    "finkel[decline=yes]",
    "freecompany[decline=no]",
    "freecompany[path=orthogonal]",
)
"""Rule sets with each value of an option that differs from its default."""
WARNED = "Warned: {text} [{section}]"
NOT_COUNTED = "The throw does not count: {why}"
MAY_BE = "It looks like {side}'s {move}, but someone may still be holding the piece."
PLAYED = "{side} played {move}: {why}."
BRIEF = (
    "not-stored",
    "memory-full",
    "no-contact",
    "hub-missing",
    "bluetooth-missing",
    "contacts-missing",
)


def nameless(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot without the names of players and places, which may be shortened."""
    shared = snapshot.shared and replace(snapshot.shared, table="x")
    return replace(snapshot, light="", dark="", shared=shared)


def warnings(words: Words) -> Iterator[Snapshot]:
    """Yield every warning in each of its wordings, for either side."""
    scene = warning_scene("must-move", squares("A4", "B2"), squares("B8", "C3"))
    texts = {
        words.sentence(code, {**details, "side": side})
        for code in tables.WARNINGS
        for side in ("", *(side.value for side in Side))
        for details in DETAILS
    }
    for text in sorted(texts):
        yield replace(scene, warning=replace(scene.warning, text=text))


def asked(words: Words) -> Iterator[Snapshot]:
    """Yield every warning while a throw of ordinary dice is entered."""
    asking = SCENES["question-disturbed"]
    for scene in warnings(words):
        yield replace(scene, question=asking.question, choices=asking.choices)


def refusals() -> Iterator[Snapshot]:
    """Yield every refusal of a throw or request, in each view that shows it."""
    for code in tables.ROLL_REFUSALS:
        for dice in ((), (4,), (3, 4), (2, 3, 4), (1, 2, 3, 4)):
            yield from in_every_view(RollRefused(0, LIGHT, code, dice))
    for code in tables.REFUSED:
        yield from in_every_view(Refused(0, "answer", code, ""))


def in_every_view(last: RollRefused | Refused) -> Iterator[Snapshot]:
    yield to_throw(last=last)
    yield to_throw(last=last, **ROLLING_DICE)
    yield to_move("gsgs", last=last)
    yield Snapshot(Phase.START_THROW, MIDDLE, side=LIGHT, last=last)


def faults() -> Iterator[Snapshot]:
    for code in tables.FAULTS:
        for device in ("B8",) if code in SWITCHES else ("die 4", "hub")[: 1 + (code == "lost")]:
            fault = Fault(0, device, code)
            yield Snapshot(Phase.SET_UP, MIDDLE, faults=(fault,))
            yield Snapshot(Phase.NO_GAME, faults=(fault,))


def turns() -> Iterator[Snapshot]:
    """Yield whose turn it is and the last event, for either side."""
    for side in Side:
        yield to_throw(MIDDLE._replace(turn=side))
        for code in tables.TURNS:
            yield to_throw(last=Passed(0, side, code))
        for why in tables.STARTS:
            yield to_throw(last=Starts(0, side, why))
        yield to_throw(last=TakenBack(0, side, "A4-A2"))
        for legal in (1, 2, 3, 5, 21):
            position = MIDDLE._replace(turn=side)
            yield to_move("gsgs", position, legal=("A4-A2",) * legal)
        for waiting in ((4,), (3, 4), (2, 3, 4), (1, 2, 3, 4)):
            settled = tuple((die, "g") for die in range(1, 5) if die not in waiting)
            yield to_throw(waiting=waiting, settled=settled)
        for ask in ("move", "faces", "first"):
            scene = question_scene(ask, CHOICES[ask])
            yield replace(scene, question=replace(scene.question, side=side))


def endings() -> Iterator[Snapshot]:
    for code in tables.ENDINGS:
        yield over(Drawn(0, code))
    for side in Side:
        won = SCENES["won"]
        yield replace(won, outcome=replace(won.outcome, side=side))
    yield Snapshot(Phase.START_THROW, MIDDLE)
    thrown = {"engine_throws": "program", "seats": ("engine:easy", "person")}
    yield Snapshot(Phase.START_THROW, MIDDLE, side=LIGHT, **thrown)
    yield Snapshot(Phase.MOVE, MIDDLE)


def set_ups() -> Iterator[Snapshot]:
    """Yield set-ups with as many squares to correct as two moves and a capture leave."""
    for fill, clear in (
        (("A4",), ("B8",)),
        (("A4", "B2"), ("B8", "C3")),
        ((), ("A4",)),
        (("A4",), ()),
    ):
        yield Snapshot(Phase.SET_UP, MIDDLE, fill=squares(*fill), clear=squares(*clear))


def snapshots(words: Words) -> Iterator[Snapshot]:
    """Yield snapshots for every view of the game, with the longest texts."""
    for name, scene in SCENES.items():
        if scene.warning is None and not name.startswith("set-up"):
            yield nameless(scene)
    yield from warnings(words)
    yield from asked(words)
    yield from refusals()
    yield from faults()
    yield from turns()
    yield from endings()
    yield from set_ups()


@cache
def screens() -> tuple[tuple[MenuScreen, TableStatus], ...]:
    """Return every screen of the menu with each of its lines chosen once, without names."""
    scenes = [MENU_SCENES[name] for name in MENU_SCENES if not name.startswith("names")]
    found = [
        (screen, replace(around, snapshot=nameless(around.snapshot))) for screen, around in scenes
    ]
    around = replace(IN_GAME, languages=display_languages(), players=())
    for sound in around.sounds:
        found += all_chosen(menu_page(replace(around, sound=sound)), around)
    for language in display_languages():
        found += all_chosen(menu_page(replace(around, language=language)), around)
    for rules in RULE_SETS:
        found += all_chosen(settings_page("new-game", around, NewGame(rule_set(rules))), around)
    for level in menu_words.LEVELS:
        played = replace(NEXT, seats=(f"engine:{level}",) * 2)
        found += all_chosen(settings_page("new-game", around, played), around)
    for name in ("rules", "light", "dark", "sound", "language", "dice", "about"):
        found += all_chosen(settings_page(name, around, NEXT), around)
    dice = (
        *(DieStatus(4, True, face, 3870) for face in "gs-"),
        *(
            DieStatus(4, True, "g", 3870, error=fault)
            for fault in ("accel", "cal", "nokey", "twin", "wakes")
        ),
        DieStatus(4, True, "g", 3100, low=True),
        DieStatus(4, True, "g", low=True, battery_percent=10),
    )
    found += all_chosen(
        settings_page("dice", replace(around, dice=dice), IN_GAME.next_game), around
    )
    found += [(offers_page(around, side), around) for side in Side]
    found += [
        (Offer(Proposal(name, side, LONGEST_MOVE)), around) for name in OFFERS for side in Side
    ]
    found += [(Message(code, LONGEST_MOVE), around) for code in NOTES]
    pairing = Pairing("5f" * 16, "Cup", 1, "Ann", "Zoë", rule_set("finkel"), agreed=True)
    next_game = replace(around, snapshot=Snapshot(Phase.NO_GAME), pairing=pairing)
    found += all_chosen(menu_page(next_game), next_game)
    inviting = replace(around, invites=True, tables=("lisbon", "porto"))
    found += all_chosen(menu_page(inviting), inviting)
    found += all_chosen(settings_page("light", inviting, NEXT), inviting)
    shared = replace(NEXT, dark="porto", seats=("person", "remote"))
    found += all_chosen(settings_page("new-game", inviting, shared), inviting)
    found += [
        (Invitation("5f" * 16, "Ann", "Lisbon", rules, side), around)
        for rules in (*RULE_SETS, *HOUSE_RULES)
        for side in Side
    ]
    found += [
        (NextGame(Pairing("5f" * 16, "Cup", 1, "Ann", "Zoë", parse_rules(rules), agreed)), around)
        for rules in RULE_SETS
        for agreed in (False, True)
    ]
    return tuple(found)


def draw_menu_screens(words: Words) -> None:
    for screen, around in screens():
        draw_menu(screen, nameless(around.snapshot), words)
    invitation_text(Invitation("5f" * 16, "Ann", "Lisbon", "finkel", Side.DARK), words)
    how, all_of_it = words.text(menu_words.HOW_TO_READ), words.text(menu_words.ALL_OF_IT)
    text = f"{how} {all_of_it.format(address='192.168.100.200/games/12')}"
    pages = (TextPage(words.text(menu_words.LAST_MINUTE), text),) * 9
    draw_menu(LastMinute(pages), IN_GAME.snapshot, words)


def draw_without_a_side(words: Words) -> None:
    """Draw the wordings of a passed turn without a side."""
    for code in tables.TURNS:
        draw_line(Image.new("1", (WIDTH, HEIGHT)), (0, 0), words.sentence(code), font(SMALL))


def all_chosen(listing: Listing, around: TableStatus) -> list[tuple[MenuScreen, TableStatus]]:
    return [(replace(listing, chosen=place), around) for place in range(len(listing.items))]


@pytest.mark.parametrize("language", slow_except(display_languages(), "hu"))
def test_text_of_every_game_view_is_complete(language):
    words = words_for(language)
    with monitored() as monitor:
        for snapshot in snapshots(words):
            draw(snapshot, words)
        draw_pin("471100", "192.168.100.200:8011", words)
        draw_without_a_side(words)
    assert monitor.lines


@each("scene", ["move-fault", "throw-fault", "question-fault"])
@each("language", display_languages())
def test_a_die_with_a_fault_is_named_in_the_language_of_the_display(language, scene):
    words = words_for(language)
    with monitored() as monitor:
        draw(replace(SCENES[scene], faults=(Fault(0, "die 3", "lost"),)), words)
    marker = [line.text for line in monitor.lines if line.text.startswith("!")]
    assert marker in ([f"!{words.device('die 3')}"], ["!3"])


@pytest.mark.parametrize("language", slow_except(display_languages(), "hu"))
def test_text_of_every_menu_screen_is_complete(language):
    words = words_for(language)
    with monitored(covered=True) as monitor:
        draw_menu_screens(words)
    assert monitor.lines


@pytest.mark.parametrize("language", display_languages())
def test_every_notice_fits_its_strip(language):
    words = words_for(language)
    with monitored():
        for code, dice in product(tables.NOTICES, ("4", "4, 5, 6")):
            image = Image.new("1", (WIDTH, HEIGHT))
            draw_notice(
                image,
                words.sentence(code, {"since": "23:58", "dice": dice}),
                1 if code in BRIEF else MAX_NOTICE_LINES,
            )


@pytest.mark.parametrize("language", display_languages())
def test_last_minute_of_a_game_is_complete(language, tmp_path):
    words = words_for(language)
    path = tmp_path / "journal.db"
    store(path, disputed_game(), None)
    pages = last_minute(path, 1, words, "192.168.100.200:8011")
    with monitored() as monitor:
        for place in range(len(pages)):
            draw_menu(LastMinute(pages, place), IN_GAME.snapshot, words)
    assert len(monitor.lines) > len(pages) > 8


def game_sentences(words: Words) -> Iterator[str]:
    """Yield the longest sentences of the last minute, without their rules' sections."""
    for snapshot in warnings(words):
        yield words.text(WARNED).format(text=snapshot.warning.text, section="").partition(" [")[0]
    for code in tables.ROLL_REFUSALS:
        yield words.text(NOT_COUNTED).format(why=words.sentence(code, {"dice": "1, 2, 3, 4"}))
    for side in map(words.side, Side):
        yield words.text(MAY_BE).format(side=side, move=LONGEST_MOVE)
        for why in map(words.text, CONFIDENCE.values()):
            yield words.text(PLAYED).format(side=side, move=LONGEST_MOVE, why=why)


@each("language", display_languages())
@each("code", get_args(NotThrown))
def test_why_a_die_was_not_thrown_fits_one_line(language, code):
    assert fits(words_for(language).reason(code, {"dice": "8"}), font(SMALL), [WIDTH])


@pytest.mark.parametrize("language", slow_except(display_languages(), "hu"))
def test_every_sentence_of_the_last_minute_fits(language):
    words = words_for(language)
    with monitored():
        for text in game_sentences(words):
            draw_menu(LastMinute((TextPage("-59 s", text),) * 60, 58), IN_GAME.snapshot, words)


@cache
def view_messages() -> set[str]:
    """Return the messages of the views, of their sentences and of the menu."""
    shown = ("urpi/show/views/", "urpi/show/words/sentences.py", "urpi/show/words/menu_words.py")
    return {
        singular(message)
        for message, use in messages().items()
        if any(one.startswith(shown) and one != "urpi/show/views/sounds.py" for one in use.files)
    }


def test_translators_read_where_a_text_of_the_display_stands():
    """Its room and its place are said in the code; what a placeholder holds begins with a brace."""
    lacking = [
        message
        for message, use in messages().items()
        if singular(message) in view_messages()
        and all(comment.startswith("{") for comment in use.comments)
    ]
    assert lacking == []


def test_every_message_of_the_views_is_drawn_here():
    words, recorder = recorded_words("sl")
    for snapshot in snapshots(words):
        draw(snapshot, words)
    draw_pin("471100", "192.168.100.200:8011", words)
    draw_menu_screens(words)
    draw_without_a_side(words)
    for code in tables.NOTICES:
        words.sentence(code, {"since": "23:58", "dice": "4, 5, 6"})
        words.sentence(code)
    assert sorted(view_messages() - recorder.requested) == []
    assert {WARNED, NOT_COUNTED, MAY_BE, PLAYED} <= set(messages())


def warning_about_the_distance(words: Words) -> Snapshot:
    scene = SCENES["warning-distance"]
    text = words.sentence("wrong-distance", {**LONGEST, "origin": "A4", "side": "light"})
    return replace(scene, warning=replace(scene.warning, text=text))


GOLDEN_VIEWS = {
    "throw": lambda words: draw(SCENES["throw-start"], words),
    "throw-zero": lambda words: draw(SCENES["throw-after-pass"], words),
    "dice-wait": lambda words: draw(SCENES["throw-dice-waiting"], words),
    "move": lambda words: draw(SCENES["move"], words),
    "seems": lambda words: draw(SCENES["seems"], words),
    "warning": lambda words: draw(warning_about_the_distance(words), words),
    "set-up": lambda words: draw(SCENES["set-up-fault"], words),
    "question": lambda words: draw(nameless(SCENES["question-move"]), words),
    "won": lambda words: draw(SCENES["won"], words),
    "menu": lambda words: draw_menu(*in_menu("menu-lower"), words),
    "offer": lambda words: draw_menu(*in_menu("offer-take-back"), words),
}


def in_menu(name: str) -> tuple[MenuScreen, Snapshot]:
    screen, around = MENU_SCENES[name]
    return screen, nameless(around.snapshot)


@pytest.mark.parametrize("language", ["ru", "hu"])
@pytest.mark.parametrize("name", GOLDEN_VIEWS)
def test_view_equals_its_golden_picture(name, language, update_golden):
    picture = GOLDEN_VIEWS[name](words_for(language))
    check_picture(f"languages/{language}-{name}", picture, update=update_golden)


@pytest.mark.parametrize("size", slow_except([SMALL, MEDIUM, LARGE, HUGE], SMALL, HUGE))
@pytest.mark.parametrize("language", display_languages())
def test_fonts_have_every_letter_of_the_language(language, size):
    words = words_for(language)
    letters = {letter for message in view_messages() for letter in words.text(message)}
    letters |= set("".join(LANGUAGES.values())) | set("".join(map(words.rules, RULE_SETS)))
    assert sorted(letter for letter in letters if font(size)._read(letter) is None) == []
