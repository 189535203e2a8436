"""Throws of ordinary dice, entered with the buttons, on the page, or by any other answer."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.service.test_interactive import SPEED, At
from tests.service_desk import STILL_MS, Desk
from tests.slow import slow_except
from urpi.config import Config, DiceSection
from urpi.referee import Phase
from urpi.referee.decisions import Roll
from urpi.referee.facts import Answer, Button, Game, Occupancy
from urpi.rules import RULE_SETS, Side, rule_set
from urpi.service.backends import make_dice_source
from urpi.service.interactive import InteractiveService, InteractiveSetting
from urpi.show.views import WIDTH, draw
from urpi.show.views.text import ROW
from urpi.show.views.warning import draw_warning
from urpi.show.words import words_for
from urpi.simulation.interactive_table import InteractiveTable as Table
from urpi.simulation.table_orders import act

LIGHT, DARK = Side
MARKS = {"finkel": 4, "blitz": 4, "bell": 3, "masters": 3}


def begun(path: Path, rules: str, first: Side | None = LIGHT) -> Desk:
    """Return a table at which light throws by hand."""
    desk = Desk.at(path)
    opening = Game(desk.t, rules, "Ann", "Bob", first=first, by_hand=True)
    desk.service.new_game(opening)
    position = desk.service.snapshot.position
    assert position is not None
    desk.submit(Occupancy(desk.t, position.occupancy))
    desk.wait(STILL_MS)
    return desk


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "finkel", "ravensburger", "freecompany"))
def test_each_throw_can_be_entered_with_the_button_of_its_side(tmp_path: Path, rules: str) -> None:
    dice = rule_set(rules).dice
    throws = {throw.meaning for throw, _ in dice.outcomes}
    entered = set()
    for presses in range(len(throws)):
        desk = begun(tmp_path / f"{presses}.db", rules)
        assert desk.service.snapshot.question.side is LIGHT
        assert desk.service.snapshot.question.ask == "faces"
        for _ in range(presses):
            # The other side's button does nothing.
            desk.submit(Button(desk.t, DARK, "short"), Button(desk.t, LIGHT, "short"))
        desk.submit(Button(desk.t, DARK, "long"))
        assert not [one for one in desk.decided if isinstance(one, Roll)]
        desk.submit(Button(desk.t, LIGHT, "long"))
        (roll,) = (one for one in desk.decided if isinstance(one, Roll))
        entered.add(dice.throw(roll.faces).meaning)
        if rules in MARKS:
            assert len(roll.faces) - roll.faces.count("-") == presses
        assert desk.service.snapshot.faults == ()
        desk.service.close()
    assert entered == throws


@pytest.mark.parametrize(
    ("rules", "first"),
    [*((rules, LIGHT) for rules in MARKS), ("finkel", None), ("blitz", None), ("masters", None)],
)
def test_each_press_fills_one_more_dot(tmp_path: Path, rules: str, first: Side | None) -> None:
    """Also in the throw that decides who begins, the first check of someone who builds a board."""
    desk, words = begun(tmp_path / "a.db", rules, first), words_for("en")
    expected = Phase.THROW if first is LIGHT else Phase.START_THROW
    assert desk.service.snapshot.phase is expected

    def lit() -> int:
        return int.from_bytes(draw(desk.service.snapshot, words).tobytes(), "big").bit_count()

    found = [lit()]
    for _ in range(MARKS[rules]):
        desk.submit(Button(desk.t, LIGHT, "short"))
        found.append(lit())
    grown = {after - before for before, after in pairwise(found)}
    assert len(grown) == 1
    assert grown.pop() > 100
    # The next press begins again without a mark.
    desk.submit(Button(desk.t, LIGHT, "short"))
    assert lit() == found[0]
    desk.service.close()


@pytest.mark.parametrize("rules", ["finkel", "murray"])
@pytest.mark.parametrize("wrong", [1, 2, 5])
def test_a_throw_is_entered_below_a_warning(tmp_path: Path, rules: str, wrong: int) -> None:
    desk, words = begun(tmp_path / "a.db", rules), words_for("en")
    position = desk.service.snapshot.position
    assert position is not None

    def halves() -> tuple[bytes, bytes]:
        picture = draw(desk.service.snapshot, words)
        above, below = (picture.crop((0, y, WIDTH, y + 2 * ROW)) for y in (0, 2 * ROW))
        return above.tobytes(), below.tobytes()

    asked = halves()
    desk.submit(Occupancy(desk.t, position.occupancy ^ (1 << wrong) - 1))
    desk.wait(3 * STILL_MS)
    assert desk.service.snapshot.question.ask == "faces"
    shown = draw(desk.service.snapshot, words).tobytes()
    assert shown == draw_warning(desk.service.snapshot, words).tobytes()
    warning, _ = halves()
    entered = []
    for _ in range(4):
        desk.submit(Button(desk.t, LIGHT, "short"))
        above, below = halves()
        assert above == warning
        entered.append(below)
    assert len(set(entered)) == 4
    for _ in range(len(desk.service.snapshot.choices) - 4):
        desk.submit(Button(desk.t, LIGHT, "short"))
    desk.submit(Occupancy(desk.t, position.occupancy))
    desk.wait(3 * STILL_MS)
    assert halves() == asked
    desk.service.close()


def test_a_throw_can_be_entered_without_the_buttons_and_the_next_one_is_asked_for(
    tmp_path: Path,
) -> None:
    desk = begun(tmp_path / "a.db", "finkel")
    desk.submit(Answer(desk.t, faces="gs--"))
    assert desk.service.snapshot.phase is Phase.MOVE
    assert desk.service.snapshot.question is None
    desk.submit(Answer(desk.t, move=desk.service.snapshot.legal[0]))
    question = desk.service.snapshot.question
    assert (question.ask, question.side) == ("faces", DARK)
    # For hours: no die is missing, and nothing else is wrong.
    desk.wait(3_600_000)
    assert desk.service.snapshot.question == question
    assert desk.service.snapshot.faults == ()
    assert desk.service.snapshot.warning is None
    desk.service.close()


def test_ordinary_dice_are_never_missing() -> None:
    source = make_dice_source(Config(dice=DiceSection("hand")), lambda: 0)
    reported = []
    source.start(reported.append, reported.append)
    (health,) = reported
    assert (health.available, health.unavailable, health.error) == (True, (), "")
    assert source.statuses() == ()
    source.close()


def test_a_virtual_table_is_played_by_hand(tmp_path: Path) -> None:
    config = Config(dice=DiceSection("hand"))
    setting = InteractiveSetting(rule_set("finkel"), 2, SPEED, LIGHT, dice="hand")
    with InteractiveService(setting, config, tmp_path / "games.db") as service:
        at = At(service)
        at.until(lambda: at.seen.question is not None and at.seen.question.ask == "faces")
        # Thrown dice of the virtual hub count for nothing.
        at.do(act(Table.throw))
        service.board.submit(Answer(service.board.clock(), faces="gs--"))
        at.until(lambda: at.seen.phase is Phase.MOVE)
        assert service.board.service.notices.unavailable == ()
        assert at.seen.faults == ()
