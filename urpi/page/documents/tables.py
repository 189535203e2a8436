"""What concerns other tables besides the game: questions to the players here, and their results."""

from typing import Any

from urpi.link.remote.tables_view import TablesView
from urpi.referee import Snapshot
from urpi.referee.seats import place_name
from urpi.rules import parse_rules
from urpi.show.words import Words, menu_words
from urpi.show.words.table_words import PROBLEMS, PROPOSING, RESIGNING, YOUR_SIDE

_SENT = {
    "waiting": "waiting-table",
    "declined": "table-declined",
    "busy": "table-busy",
    "no-answer": "table-silent",
    "unsupported": "table-unsupported",
}


def opponent_document(shot: Snapshot) -> dict[str, str] | None:
    """Return the other table of the game, None in a game of one table."""
    return None if shot.shared is None else {"table": shot.shared.table, "place": shot.place}


def tables_document(view: TablesView, shot: Snapshot, words: Words) -> list[dict[str, Any]]:
    """Return what is shown, each with its `kind` and `text`.

    An ``invitation`` has its `game`, the `name` under which a player here accepts, and the
    `options` that differ from the usual ones; a ``proposal`` has what is proposed.
    """
    found: list[dict[str, Any]] = []
    if view.invitation is not None:
        table, invited, name = view.invitation
        found.append(
            {
                "kind": "invitation",
                "text": _invitation_text(view, words),
                "place": place_name(table),
                "game": invited.game,
                "name": name,
                "options": options_document(invited.rules, words),
            }
        )
    if view.joining is not None:
        found.append(_row("joining", _note("joining", view.joining, words)))
    if view.sent is not None:
        table, state = view.sent
        kind = "waiting" if state == "waiting" else "result"
        found.append(_row(kind, _note(_SENT[state], table, words)))
    if view.proposed is not None:
        found.append({"kind": "proposal", "text": _proposal_text(view, shot, words)})
        found[-1]["what"] = view.proposed
    if view.proposing is not None:
        text = RESIGNING if view.proposing == "resign" else PROPOSING
        found.append(_row("note", words.text(text)))
    elif view.declined:
        found.append(_row("note", words.text(menu_words.NOTES["declined"])))
    if view.problem is not None:
        text = words.text(PROBLEMS[view.problem]).replace("{place}", shot.place)
        found.append(_row("problem", text))
    return found


def _row(kind: str, text: str) -> dict[str, Any]:
    return {"kind": kind, "text": text}


def _note(code: str, table: str, words: Words) -> str:
    return words.text(menu_words.NOTES[code]).replace("{value}", place_name(table))


def _invitation_text(view: TablesView, words: Words) -> str:
    assert view.invitation is not None
    table, invited, _ = view.invitation
    place, rules = place_name(table), words.rules(parse_rules(invited.rules).id)
    text = words.text(menu_words.INVITED).replace("{rules}", rules)
    player = f"{invited.name} ({place})" if invited.name else place
    side = words.text(YOUR_SIDE[invited.side.other])
    return f"{text.replace('{name}', player)} {side}"


def options_document(rules: str, words: Words) -> list[dict[str, str]]:
    """Return the options of a RULES word that differ from their defaults, described as a choice."""
    found = parse_rules(rules)
    about = {option.name: words.text(option.about) for option in found.known_options}
    return [{"about": about[name], "value": value} for name, value in found.changed]


def _proposal_text(view: TablesView, shot: Snapshot, words: Words) -> str:
    name = "take-back" if view.proposed == "takeback" else str(view.proposed)
    text = words.text(menu_words.OFFERS[name]).replace("{move}", view.move)
    remote = shot.remote
    player = "" if remote is None else shot.name(remote) or words.side(remote)
    return text.replace("{name}", f"{player} ({shot.place})")
