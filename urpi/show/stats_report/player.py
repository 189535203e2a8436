"""The reviewed games of one player as charts and tables, and the sentences about an answer."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from urpi.journal.stats.reviews import PlayerReview
from urpi.journal.study import Card, Exercise
from urpi.rules import parse_move
from urpi.show.stats_report.review_charts import decision_chart, given_away, luck_chart
from urpi.show.stats_report.review_tables import points, review_of_player
from urpi.show.svg import Chart
from urpi.show.words import Words
from urpi.show.words.move_texts import move_text
from urpi.show.words.sentences import N_

GOOD: Final = N_("Good: this move gives away nothing.")
NEARLY: Final = N_("Good: this move gives away only {loss} points.")
BAD: Final = N_("This move gives away {loss} points of the chance of winning.")
AS_PLAYED: Final = N_("You played it in the game, too.")
PLAYED: Final = N_("In the game: {move}. It gave away {loss} points.")
BEST: Final = N_("Best: {move}.")
AGAIN: Final = N_("It is asked again on {date}.")
KNOWN: Final = N_("You know it: it is not asked again.")


def player_charts(player: PlayerReview, words: Words) -> Iterator[Chart]:
    """Yield the charts of what a player gave away and of the luck, over time."""
    periods = [each for each in player.periods if each.sums.decisions]
    if periods:
        marks = [given_away(each.name, each.sums, words) for each in periods]
        yield decision_chart(words.text(N_("Given away in a decision, over time")), marks, words)
        rows = [(each.name, each.sums) for each in periods]
        yield luck_chart(words.text(N_("Luck in a game, over time")), rows, words)


def player_figures(player: PlayerReview, words: Words) -> list[tuple[str, str]]:
    """Return the figures of a player's reviewed games with their headings."""
    return review_of_player(player.sums, words)


def answer_sentences(exercise: Exercise, move: str, card: Card, words: Words) -> list[str]:
    """Return what there is to say about an answer.

    Args:
        exercise: The exercise.
        move: The legal move that was answered.
        card: The card after the answer.
        words: The language.
    """
    loss, best, played = exercise.loss_of(move), exercise.best.move, exercise.played
    good = GOOD if loss < 0.00005 else NEARLY
    sentence = good if exercise.is_good(move) else BAD
    sentences = [words.text(sentence).format(loss=points(loss, words))]
    if move != best:
        sentences.append(words.text(BEST).format(move=move_text(parse_move(best), words)))
    if move == played:
        sentences.append(words.text(AS_PLAYED))
    else:
        text, loss = move_text(parse_move(played), words), exercise.loss
        sentences.append(words.text(PLAYED).format(move=text, loss=points(loss, words)))
    if card.due is None:
        return [*sentences, words.text(KNOWN)]
    day = words.date(date.fromordinal(card.due))
    return [*sentences, words.text(AGAIN).format(date=day)]
