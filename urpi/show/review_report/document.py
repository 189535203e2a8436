"""A review as a JSON object."""

from typing import Any

from urpi.engine.review import Review, ReviewedThrow, SideTotals, verdict_of
from urpi.rules import Side
from urpi.show.review_report.tables import MISTAKES_NOTE, mistake_rows, total_rows
from urpi.show.review_report.wording import ReviewWording

_DIGITS = 6


def review_document(review: Review, wording: ReviewWording) -> dict[str, Any]:
    """Return a review; values are probabilities rounded to six decimals.

    The values of a throw are those of the side that threw, those of the game are light's.
    """
    verdict, turning_point = verdict_of(review), review.turning_point
    return {
        "rules": review.rules.text,
        "by": review.source,
        "source": wording.source(review),
        "start": _rounded(review.start),
        "stop": _rounded(review.stop),
        "result": review.result,
        "ending": _rounded(review.ending),
        "luck_adjusted": _rounded(review.luck_adjusted),
        "verdict": verdict.code,
        "sentence": wording.sentence(verdict),
        "turning_point": review.throws.index(turning_point) if turning_point else None,
        "totals": {side.value: _totals(review.totals[side.number]) for side in Side},
        "tables": {
            "totals": list(total_rows(review, wording)),
            "mistakes": mistake_rows(review, wording),
            "note": wording.words.text(MISTAKES_NOTE),
        },
        "throws": [_throw(each, wording) for each in review.throws],
    }


def _rounded(value: float | None) -> float | None:
    # Adding 0 turns a negative zero into a positive one.
    return None if value is None else round(value, _DIGITS) + 0.0


def _totals(totals: SideTotals) -> dict[str, Any]:
    return {
        "throws": totals.throws,
        "decisions": totals.decisions,
        "luck": _rounded(totals.luck),
        "loss": _rounded(totals.loss),
        "errors": totals.errors,
        "errors_per_100": _rounded(totals.errors_per_100),
        "marks": dict(totals.marks),
        "mistakes": {
            kind: {"count": totals.mistake_counts[kind], "loss": _rounded(loss)}
            for kind, loss in totals.mistakes.items()
        },
    }


def _throw(thrown: ReviewedThrow, wording: ReviewWording) -> dict[str, Any]:
    return {
        "turn": thrown.turn,
        "side": thrown.side.value,
        "faces": thrown.throw.faces,
        "value": thrown.throw.value,
        "legal": thrown.legal,
        "before": _rounded(thrown.before),
        "best": thrown.best.text,
        "best_value": _rounded(thrown.best_value),
        "move": thrown.played and thrown.played.text,
        "after": _rounded(thrown.after),
        "luck": _rounded(thrown.luck),
        "loss": _rounded(thrown.loss),
        "luck_mark": thrown.luck_mark,
        "mistake_mark": thrown.mistake_mark,
        "mistake": thrown.mistake,
        "marks": wording.marks(thrown.luck_mark, thrown.mistake_mark),
        "about": wording.mistake(thrown.mistake) if thrown.mistake else "",
    }
