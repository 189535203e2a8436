"""The document of an analysis: a position, its moves, and what each throw is worth there."""

from collections.abc import Mapping
from typing import Any, Literal

from urpi.page.documents.positions import move_document, position_document, rules_document
from urpi.page.documents.state import throw_document
from urpi.rules import Position, Side, Throw, parse_move
from urpi.show.words import Words


def analysis_document(
    position: Position, throw: Throw | None, found: Mapping[str, Any] | None, words: Words
) -> dict[str, Any]:
    """Return what the page of an analysis shows.

    Args:
        position: The position.
        throw: The throw to be played; None before it.
        found: The values, as from `urpi.engine.analysis.Analysis.document`; None if the game is
            over.
        words: The language of the texts.
    """
    shown: dict[str, Any] = {
        "position": position_document(position),
        "rules": rules_document(position.rules, words),
        "side": None if position.turn is None else position.turn.value,
        "winner": _winner(position),
        "throw": throw_document(throw),
        "luck": None,
        "by": None,
        "source": "",
        "value": None,
        "throws": [],
        "moves": [],
    }
    if found is None:
        return shown
    best = found["moves"][0]["value"] if throw is not None else None
    from urpi.show.review_report.wording import SOURCES  # noqa: PLC0415 - it imports the engine

    kind: Literal["exact", "estimated"] = "exact" if found["by"] == "exact" else "estimated"
    return {
        **shown,
        "luck": None if best is None else round(best - found["value"], 6),
        "by": kind,
        "source": words.text(SOURCES[kind]),
        "value": found["value"],
        "throws": [
            {**each, "best": move_document(each["best"], words)} for each in found["throws"]
        ],
        "moves": [
            _move_document(position, throw, each, best, words)
            for each in (found["moves"] if throw is not None else ())
        ],
    }


def _move_document(
    position: Position, throw: Throw | None, each: Mapping[str, Any], best: Any, words: Words
) -> dict[str, Any]:
    """Return a move with its value, and the position after it.

    `declined` is the position after its extra throw is declined, None if there is none to decline.
    """
    assert throw is not None
    rules, side = position.rules, position.turn
    after = rules.play(position, throw, parse_move(each["move"]))
    may_decline = rules.may_decline and after.turn is side
    return {
        **move_document(each["move"], words),
        "value": each["value"],
        "loss": round(best - each["value"], 6),
        "position": str(after),
        "declined": str(rules.decline(after)) if may_decline else None,
    }


def _winner(position: Position) -> str | None:
    winner: Side | None = None if position.turn else position.rules.winner(position)
    return None if winner is None else winner.value
