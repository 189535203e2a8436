"""Stored games: the list, and what is said of one."""

from typing import Any

from urpi.journal import GameSummary
from urpi.words import Words


def summary_document(game: GameSummary, words: Words) -> dict[str, Any]:
    """A game in the list; times are ISO 8601 with the offset from UTC."""
    return {
        "id": game.id,
        "started": game.started.isoformat(),
        "finished": None if game.finished is None else game.finished.isoformat(),
        "program": game.program,
        "rules": game.rules,
        "name": words.rules(game.rules.partition("[")[0]),
        "players": {"light": game.light, "dark": game.dark},
        "turns": game.turns,
        "result": game.result,
    }
