"""Every snapshot can be drawn, and no text crosses the panel's edge."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.each import each
from tests.show.views.panel_edge import keep_letters_on_the_panel
from tests.show.views.scenes import SCENES, warning_scene
from tests.show.words.test_words import EVERY_DETAIL
from tests.slow import mostly_slow
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import PASS, RULE_SETS, Side, rule_set
from urpi.show.views import HEIGHT, WIDTH, draw
from urpi.show.views.text import fits, second
from urpi.show.views.warning import REASON_ROWS, reason
from urpi.show.words import words_for
from urpi.show.words.sentences import ENDINGS, FAULTS, REFUSED, ROLL_REFUSALS, WARNINGS

WORDS = words_for("en")
NAMES = st.text(max_size=30)


@pytest.fixture(autouse=True)
def check_letters(monkeypatch):
    keep_letters_on_the_panel(monkeypatch)


def play_moves(rules, first, choices):
    """Return the position after a game's first moves, and the next throw."""
    position = rules.start(first)
    throws = [throw for throw, _ in rules.dice.outcomes]
    throw = throws[0]
    for choice in choices:
        if position.turn is None:
            break
        throw = throws[choice % len(throws)]
        moves = rules.legal_moves(position, throw)
        position = rules.play(position, throw, moves[choice % len(moves)] if moves else PASS)
    return position, throw


@pytest.mark.parametrize("rules", RULE_SETS)
@settings(max_examples=25, deadline=None)
@given(
    choices=st.lists(st.integers(0, 1000), max_size=60),
    first=st.sampled_from(Side),
    phase=st.sampled_from([phase for phase in Phase if phase is not Phase.OVER]),
    light=NAMES,
    dark=NAMES,
    marks=st.tuples(st.integers(0, 2**20 - 1), st.integers(0, 2**20 - 1)),
)
def test_position_of_any_rule_set_is_drawn(rules, choices, first, phase, light, dark, marks):
    position, throw = play_moves(rule_set(rules), first, choices)
    moves = position.rules.legal_moves(position, throw)
    snapshot = Snapshot(
        phase,
        position,
        light,
        dark,
        side=position.turn,
        throw=throw,
        legal=tuple(move.text for move in moves),
        fill=marks[0],
        clear=marks[1],
    )
    image = draw(snapshot, WORDS)
    assert (image.mode, image.size) == ("1", (WIDTH, HEIGHT))
    assert isinstance(image, Image.Image)


@pytest.mark.parametrize("name", mostly_slow(SCENES, 30))
@given(light=NAMES, dark=NAMES)
@settings(max_examples=10, deadline=None)
def test_any_names_fit_every_view(name, light, dark):
    draw(replace(SCENES[name], light=light, dark=dark), WORDS)


@each("code", WARNINGS)
@each("missing", [(), ("origin",), ("origin", "target"), ("fill",), ("clear",)])
def test_every_warning_fits_its_view(code, missing):
    details = {name: value for name, value in EVERY_DETAIL.items() if name not in missing}
    details["dice"] = ""
    if code != "disturbed":
        why = WORDS.reason(code, details)
        assert reason(WORDS.sentence(code, details)) == why
        assert fits(why, second(), (WIDTH - 2,) * REASON_ROWS)
    draw(warning_scene(code, **details), WORDS)


@each("code", ROLL_REFUSALS)
@each("dice", ["4", "2, 3, 4"])
def test_every_roll_refusal_fits_below_the_turn(code, dice):
    assert fits(WORDS.sentence(code, {"side": "light", "dice": dice}), second(), (WIDTH, WIDTH))


@pytest.mark.parametrize("code", REFUSED)
def test_every_refusal_fits_below_the_throw(code):
    assert fits(WORDS.sentence(code), second(), (WIDTH, WIDTH))


@pytest.mark.parametrize("code", ENDINGS)
def test_every_ending_fits_its_two_lines(code):
    winner = "" if code in {"repeated-action", "repeated-position"} else "wins! "
    assert fits(winner + WORDS.sentence(code), second(), (WIDTH, WIDTH))


@pytest.mark.parametrize("code", FAULTS)
@pytest.mark.parametrize("device", ["B4", "die 3", "hub", "oled"])
def test_every_fault_fits_the_lines_of_the_set_up(code, device):
    sentence = WORDS.sentence(code, {"device": device})
    assert fits(reason(sentence), second(), (WIDTH, WIDTH))


def test_too_long_sentence_is_shortened():
    snapshot = warning_scene("wrong-distance")
    warning = replace(snapshot.warning, text="Take it back. " * 30)
    draw(replace(snapshot, warning=warning), WORDS)
