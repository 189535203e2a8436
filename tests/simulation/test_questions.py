"""Questions from a player's own games, answered at the simulated board by its display."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from random import Random

import pytest

from tests.journal.games import store_game
from tests.simulation.test_setting_up import LONGEST_MS, LOOK_MS, Hands, clear
from tests.slow import slow_except
from urpi.config import Config
from urpi.journal import Journal, answers_by_exercise, list_games, read_answers
from urpi.journal.study import Choice, Exercise, stack_of
from urpi.referee import Phase, Snapshot
from urpi.rules import PASS, Side, rule_set
from urpi.service.virtual import Setting, VirtualService
from urpi.show.menu import LastMinute, Listing, Message
from urpi.show.stats_report.figure_file import FigureFile, ends_of
from urpi.simulation import PLAYERS, SimulatedPlayers, behaviour
from urpi.simulation.display_state import DisplayState
from urpi.simulation.schedule import Script
from urpi.simulation.throwing import press_to

QUESTIONS = 3
THROWS = 80
LOSS = 0.7
RULES = ("finkel", "blitz", "skiryuk", "ravensburger")


def store_exercises(path: Path, rules: str, rng: Random) -> dict[str, Exercise]:
    """Store a game of Ann and Zoë with some decisions of Ann, by their positions.

    The move that was played loses much, and all others nothing or a little.
    """
    with Journal.open(path) as journal:
        number = store_game(journal, rules, seed=1, longest=THROWS)
        ends = ends_of(journal)
    kind, found = rule_set(rules), dict[str, Exercise]()
    position = kind.start(Side.LIGHT)
    while len(found) < QUESTIONS:
        throw = kind.dice.roll(rng.random())
        legal = kind.legal_moves(position, throw)
        played = rng.choice(legal) if legal else PASS
        if position.turn is Side.LIGHT and len(legal) > 1 and rng.random() < 0.2:
            others = [move.text for move in legal if move is not played]
            good = [Choice(move, 0.9 - place / 1_000) for place, move in enumerate(others)]
            choices = (*good, Choice(played.text, 0.9 - LOSS))
            text, place = str(position), len(found) + 1
            found[text] = Exercise(
                number, place, Side.LIGHT, text, throw.faces, played.text, choices, "network"
            )
        position = kind.play(position, throw, played)
        if position.turn is None:
            position = kind.start(Side.LIGHT)
    FigureFile(path).write_review(number, None, found.values(), ends)
    return found


@dataclass
class Student(Hands):
    """Hands that find questions in the menu, set them up and answer them, by the display alone."""

    read: list[tuple[str, ...]] = field(default_factory=list)
    answered: dict[str, str] = field(default_factory=dict)
    message: Message | None = None
    done: bool = False

    @property
    def shown(self) -> Snapshot:
        return self.service.service.snapshot

    def study(self) -> Script:
        """Answer questions until there are no more, and leave."""
        yield from self.press(Side.LIGHT, long=True)
        yield from self.go_to("questions")
        yield from self.go_to("ask", "Ann")
        yield from self.wait_for(lambda: self.shown.explore is not None)
        while self.message is None:
            yield from self.answer_question()
            line = self.service.service.current
            yield from self.go_to("next-question")
            # The next one may begin with the board as the answer has left it.
            while not isinstance(self.screen, Message) and self.service.service.current is line:
                yield LOOK_MS
            if isinstance(self.screen, Message):
                self.message = self.screen
        yield from self.wait_for(lambda: self.screen is None)
        yield from self.press(Side.DARK, long=True)
        yield from self.go_to("end-exploration")
        self.done = True

    def go_to(self, name: str, value: str = "") -> Script:
        """Go to a line of the list that is shown, and select it."""
        while isinstance(listing := self.screen, Listing):
            is_there = listing.item.name == name and value in {"", listing.item.value}
            yield from self.press(Side.LIGHT, long=is_there)
            if is_there:
                return

    def wait_for(self, holds: Callable[[], bool]) -> Script:
        while not holds():
            yield LOOK_MS

    def answer_question(self) -> Script:
        hands = self.table.hands
        while (shown := self.shown).phase is not Phase.MOVE:
            if shown.fill | shown.clear and shown.position is not None:
                yield from hands.restore_board(shown.position)
            yield LOOK_MS
        position, throw = shown.position, shown.throw
        assert position is not None
        assert throw is not None
        move = self.rng.choice(position.rules.legal_moves(position, throw))
        self.answered[str(position)] = move.text
        yield from hands.restore_board(position.rules.play(position, throw, move))
        while not isinstance(self.screen, LastMinute):
            # On a pile, no switch shows which move was made: the referee asks.
            question = DisplayState.of(self.shown)
            if move.text in question.choices:
                steps = question.choices.index(move.text)
                yield from press_to(self.table.pressing, Side.LIGHT, steps)
            yield LOOK_MS
        pages = self.screen.pages or ()
        self.read.append(tuple(page.text for page in pages))
        for _ in pages[1:]:
            yield from self.press(Side.LIGHT, long=False)
        yield from self.press(Side.LIGHT, long=True)


@pytest.mark.parametrize("rules", slow_except(RULES))
def test_hands_answer_questions_from_their_games_by_the_display(rules: str, tmp_path: Path) -> None:
    path, rng = tmp_path / "games.db", Random(f"questions {rules}")
    exercises = store_exercises(path, rules, rng)
    players = SimulatedPlayers(PLAYERS["greedy"], behaviour("calm"), first=Side.LIGHT)
    setting = Setting(rule_set(rules), 7, 0.0, players=players)
    with (
        Journal.open(path) as journal,
        VirtualService(setting, Config(), journal, lambda *_: None) as service,
    ):
        clear(service.table)
        hands = Student(service, rule_set(rules).start(Side.LIGHT), rng)
        service.table.schedule.start(hands.study())
        while not hands.done or hands.shown.phase is not Phase.NO_GAME:
            service.run()
            assert service.now() < LONGEST_MS, (hands.screen, hands.shown)

    assert hands.message == Message("no-question", "Ann")
    assert hands.answered.keys() == exercises.keys()
    with Journal.open(path) as journal:
        stored = read_answers(journal)
        assert len(list_games(journal)) == 1
    for answer, (text, move), pages in zip(stored, hands.answered.items(), hands.read, strict=True):
        one = exercises[text]
        assert (answer.game, answer.throw, answer.move) == (*one.key, move)
        assert answer.good is (move != one.played) is pages[0].startswith("Good")
        values = " ".join(pages).replace("\N{NO-BREAK SPACE}", " ")
        assert values.count("%") == len(one.choices)
        assert "90.0%" in values
    today = date.fromisoformat(stored[0].at[:10]).toordinal()
    stack = stack_of(exercises.values(), answers_by_exercise(stored), today)
    assert (stack.next, stack.later) == (None, QUESTIONS)
