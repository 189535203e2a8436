"""The next question of a player at the board, and the pages that its answer is followed by."""

from datetime import date
from pathlib import Path
from typing import Final

from urpi.journal import (
    Choice,
    Journal,
    answers_by_exercise,
    has_known_rules,
    list_games,
    read_answers,
)
from urpi.journal.study import Card, Exercise, stack_of
from urpi.journal.study.cards import Answered
from urpi.rules import Side
from urpi.show.menu import TextPage
from urpi.show.stats_report.figure_file import FigureFile, ends_of
from urpi.show.stats_report.player import answer_sentences
from urpi.show.words import Words
from urpi.show.words.move_texts import shown_move
from urpi.show.words.sentences import N_

VALUES_OF_PAGE: Final = 4
# Translators: The title of what is said about the answer to a question: 12 letters.
YOUR_ANSWER: Final = N_("Your answer")
# Translators: The title of the chances to win after each move: 12 letters.
VALUES: Final = N_("Win chances")
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


def next_question(
    path: Path, name: str, today: date, virtual: bool, key: tuple[int, int] | None = None
) -> tuple[Exercise, tuple[Answered, ...]] | None:
    """Return the exercise that a player is to answer now with its answers, None if there is none.

    May be called in any thread.

    Args:
        path: The journal, which is opened with a separate connection.
        name: The player.
        today: The day.
        virtual: Whether games of virtual tables count.
        key: The game and the throw of a certain exercise; by default the one that is due.

    Raises:
        UrpiError: If the journal cannot be read.
    """
    with Journal.open(path, create=False) as journal:
        games = {
            game.id: game
            for game in list_games(journal, Choice(name, virtual=virtual, void=False))
            if has_known_rules(game)
        }
        found = FigureFile(path).read_exercises(games.values(), ends_of(journal))
        answers = answers_by_exercise(read_answers(journal))
    own = (
        one
        for game, some in found.items()
        for one in some
        if (games[game].light if one.side is Side.LIGHT else games[game].dark) == name
    )
    if key is None:
        exercise = stack_of(own, answers, today.toordinal()).next
    else:
        exercise = next((one for one in own if one.key == key), None)
    return None if exercise is None else (exercise, tuple(answers.get(exercise.key, ())))


def answer_pages(one: Exercise, move: str, card: Card, words: Words) -> tuple[TextPage, ...]:
    """Return what there is to say about an answer, and then what the moves are worth."""
    values = [
        f"{shown_move(choice.move, words)}: {words.percent(100 * choice.value, 1)}".replace(
            " ", _NO_BREAK
        )
        for choice in one.choices
    ]
    parts = (values[at : at + VALUES_OF_PAGE] for at in range(0, len(values), VALUES_OF_PAGE))
    answer, worth = words.text(YOUR_ANSWER), words.text(VALUES)
    return (
        *(TextPage(answer, text) for text in answer_sentences(one, move, card, words)),
        *(TextPage(worth, ", ".join(part)) for part in parts),
    )
