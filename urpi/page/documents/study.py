"""The documents of a player's exercises and answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from urpi.journal import GameSummary, StoredAnswer, answers_by_exercise
from urpi.journal.study import Card, Exercise, Stack, card_of, stack_of
from urpi.page.documents.positions import move_document, position_document, rules_document
from urpi.rules import parse_move, parse_position
from urpi.show.stats_report.player import answer_sentences
from urpi.show.stats_report.review_tables import points
from urpi.show.words import Words
from urpi.show.words.move_texts import move_text

Key = tuple[int, int]
"""The game and the throw of an exercise."""


@dataclass(frozen=True, slots=True)
class Study:
    """What is stored of the games of one player.

    Attributes:
        games: The games by number.
        exercises: The player's exercises.
        answers: The answers to them, in the order in which they were given.
        today: The day.
    """

    games: Mapping[int, GameSummary]
    exercises: Mapping[Key, Exercise]
    answers: Sequence[StoredAnswer]
    today: date

    @property
    def answered(self) -> dict[Key, list[tuple[int, bool]]]:
        """The days of the answers to each exercise, and whether they were good."""
        return answers_by_exercise(self.answers)

    @property
    def stack(self) -> Stack:
        """The exercises of today."""
        return stack_of(self.exercises.values(), self.answered, self.today.toordinal())

    def card(self, key: Key) -> Card:
        return card_of(self.answered.get(key, ()))


def stack_document(stack: Stack, words: Words) -> dict[str, Any]:
    """The numbers of exercises, and the next day on which one returns."""
    return {
        "due": len(stack.due),
        "new": len(stack.new),
        "later": stack.later,
        "known": stack.known,
        "next_day": _day_text(stack.next_day, words),
    }


def exercise_document(study: Study, exercise: Exercise, words: Words) -> dict[str, Any]:
    """An exercise with its legal moves in the order of the rules, without their values."""
    position, game = parse_position(exercise.position), study.games[exercise.game]
    rules = position.rules
    throw = rules.dice.throw(exercise.faces)
    legal = rules.legal_moves(position, throw)
    return {
        "game": exercise.game,
        "throw": exercise.throw,
        "day": words.date(game.started.astimezone().date()),
        "players": {"light": game.light, "dark": game.dark},
        "side": exercise.side.value,
        "faces": exercise.faces,
        "value": throw.value,
        "position": position_document(position),
        "rules": rules_document(rules, words),
        "moves": [move_document(move.text, words) for move in legal],
        "again": exercise.key in study.answered,
    }


def solution_document(exercise: Exercise, move: str, card: Card, words: Words) -> dict[str, Any]:
    """The values of an exercise's moves, best first, and what there is to say about an answer."""
    return {
        "good": exercise.is_good(move),
        "sentences": answer_sentences(exercise, move, card, words),
        "source": exercise.source,
        "moves": [
            {
                **move_document(choice.move, words),
                "value": choice.value,
                "chance": words.percent(100 * choice.value, 1),
                "loss": points(exercise.loss_of(choice.move), words),
                "good": exercise.is_good(choice.move),
                "answered": choice.move == move,
                "played": choice.move == exercise.played,
            }
            for choice in exercise.choices
        ],
    }


def answer_document(study: Study, answer: StoredAnswer, words: Words) -> dict[str, Any]:
    """An answer that was given, and when its exercise returns."""
    card = study.card((answer.game, answer.throw))
    return {
        "day": words.date(_day_of(answer)),
        "game": answer.game,
        "throw": answer.throw,
        "move": move_text(parse_move(answer.move), words),
        "good": answer.good,
        "due": _day_text(card.due, words),
        "known": card.known,
    }


def _day_of(answer: StoredAnswer) -> date:
    return datetime.fromisoformat(answer.at).date()


def _day_text(day: int | None, words: Words) -> str | None:
    return None if day is None else words.date(date.fromordinal(day))
