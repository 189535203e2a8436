"""RGN, the game notation of RoyalUr (FORMATS.md, RoyalUr), converted from and to game records.

RGN contains what the dice counted only for a throw without a move; of the others it follows from
the move. It contains no faces, no moves that were taken back, and no comments.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from urpi.core.errors import UrpiError
from urpi.rules.bare_moves import Action, BareGame, in_squares
from urpi.rules.board import Side
from urpi.rules.moves import PASS, parse_move
from urpi.rules.notation import parse_rules
from urpi.rules.position import Position
from urpi.rules.race import Race
from urpi.rules.record import (
    LONGEST_RECORD,
    GameRecord,
    Play,
    Thrown,
    Turn,
    first_position,
)
from urpi.rules.ruleset import RuleSet

NAMES: Final = {"finkel": "Finkel", "masters": "Masters", "blitz": "Blitz"}
"""RoyalUr's names of its games, by the rule set."""
PLAYERS: Final = {"OneLight": "Light", "OneDark": "Dark"}
"""Other names of the tags of the players."""
LINE: Final = 60
"""Characters of a line, as RoyalUr writes them."""
_TAG: Final = re.compile(
    r'\[([A-Za-z][A-Za-z0-9_.-]{0,63}) ("(?:[^"\\]|\\["\\rn])*"|[^\s"\[\]]+)\]'
)
_BARE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_ESCAPES: Final = {'\\"': '"', "\\\\": "\\", "\\r": " ", "\\n": " "}
_TIME: Final = re.compile(
    r"([0-9]{4})[-.]([0-9]{2})[-.]([0-9]{2})"
    r"(?:T([0-9]{2}:[0-9]{2})(:[0-9]{2})?(?:\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?(?:\[[^\]]*\])?)?"
)
_WORD: Final = re.compile(
    r"\s*(?:(?P<number>[1-9][0-9]{0,5})\.|(?P<dark>/)"
    r"|(?P<move>[ABC](?:@|[1-8])[ABC](?:\+|[1-8])x?(?:\s*\*)?)|(?P<threw>[0-9])\s+--)(?P<end>\s*#)?"
)


def is_rgn(text: str) -> bool:
    """Return whether a text looks like RGN rather than a record of this program."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    body = [line for line in lines if not line.startswith("[")]
    if body:
        return not re.match(r"[0-9]+\. [LD]( |\Z)", body[0]) and _WORD.match(body[0]) is not None
    return any(re.fullmatch(r'\[\S+ [^"].*\]', line) for line in lines)


def fits_rgn(position: Position) -> bool:
    """Return whether RGN can express games from a position: from the start of a race."""
    return isinstance(position.rules, Race) and not position.occupancy and not any(position.off)


def parse_rgn(text: str, rules: RuleSet | None = None) -> GameRecord:
    """Convert a game in RGN to a record, whose throws are sums.

    Args:
        text: The game.
        rules: Its rule set, if it names none.

    Raises:
        UrpiError: If the text is invalid, or a move is illegal (`IllegalMoveError`); the message
            names the line or the turn.
    """
    if len(text) > LONGEST_RECORD:
        message = f"A game in RGN must be at most {LONGEST_RECORD} characters long."
        raise UrpiError(message)
    tags, body = _parts(text)
    actions = _actions(body)
    first = actions[0].side if actions else Side.LIGHT
    if rules is not None:
        tags.setdefault("Rules", rules.text)
    tags = record_tags(tags, first)
    position = first_position(GameRecord(tuple(tags.items())))
    game = BareGame(position)
    for number, action in enumerate(actions, 1):
        game.add(action, last=number == len(actions))
    winner = position.rules.winner(game.position)
    tags.setdefault("Result", "*" if winner is None else winner.value)
    return GameRecord(tuple(tags.items()), game.turns())


def _parts(text: str) -> tuple[dict[str, str], str]:
    """The tags by their names, and the text after them."""
    tags: dict[str, str] = {}
    lines = text.split("\n")
    for number, line in enumerate(map(str.strip, lines)):
        if not line:
            continue
        if not line.startswith("["):
            return tags, "\n".join(lines[number:])
        match = _TAG.fullmatch(line)
        if not match:
            found = _cut(line)
            message = f"Line {number + 1}: a tag of RGN must look like [Light Ann]; found {found}."
            raise UrpiError(message)
        name = re.sub("[.-]", "_", PLAYERS.get(match[1], match[1]))
        if name in tags:
            message = f"Line {number + 1}: the tag {name} must occur once; found it again."
            raise UrpiError(message)
        value = match[2]
        if value.startswith('"'):
            value = re.sub(r"\\.", lambda found: _ESCAPES[found[0]], value[1:-1])
        tags[name] = " ".join(value.split())
    return tags, ""


def _actions(body: str) -> list[Action]:
    """The actions in order."""
    actions: list[Action] = []
    side: Side | None = None
    turn, place, ended = 0, 0, False
    body = body.rstrip()
    while place < len(body):
        match = _WORD.match(body, place)
        found = _cut(" ".join(body[place : place + 80].split()))
        if match is None:
            message = (
                f"Turn {turn}: RGN has moves such as A@A4, A4A2, A2B2x, A7A+ and throws such as "
                f"0 --; found {found}."
            )
            raise UrpiError(message)
        if ended:
            message = f"Turn {turn}: nothing may follow the # at the end; found {found}."
            raise UrpiError(message)
        place = match.end()
        ended = match["end"] is not None
        if match["number"] or match["dark"]:
            side, turn = _next_turn(match, side, turn)
        elif side is None:
            message = f"A game in RGN begins with 1. or /; found {found}."
            raise UrpiError(message)
        else:
            actions.append(Action(side, match["move"] or match["threw"], turn))
    return actions


def _next_turn(match: re.Match[str], side: Side | None, turn: int) -> tuple[Side, int]:
    """The side whose turn begins, and the number of the turn among those of both sides."""
    after = Side.DARK if match["dark"] else Side.LIGHT
    expected = f"{turn // 2 + 1}. of light" if side is not Side.LIGHT else "/ of dark"
    if side is after or (match["number"] and int(match["number"]) != turn // 2 + 1):
        message = f"Turn {turn + 1}: expected {expected}; found {match[0].strip()}."
        raise UrpiError(message)
    return after, turn + 1


def record_tags(found: dict[str, str], first: Side) -> dict[str, str]:
    word = found.pop("Rules", None)
    if word is None:
        message = (
            "The game names no rules; add --rules with their name, such as --rules finkel, or a "
            "line such as [Rules Finkel] before its other lines."
        )
        raise UrpiError(message)
    known = {name.lower(): rules for rules, name in NAMES.items()}
    rules = parse_rules(known.get(word.lower(), word))
    began = found.pop("StartTime", None)
    players = {name: found.pop(name, "") for name in ("Light", "Dark")}
    start = found.pop("Start", first.value)
    return {"Rules": rules.text, **_times(began), **players, "Start": start, **found}


def _times(text: str | None) -> dict[str, str]:
    """The tags Date and Time of a StartTime, which is UTC if it names no offset."""
    if text is None:
        return {}
    match = _TIME.fullmatch(text)
    if match is None:
        message = f"StartTime must be such as 2026-11-26T19:02:11+01:00; found {_cut(text)}."
        raise UrpiError(message)
    year, month, day, minute, second, offset = match.groups()
    tags = {"Date": f"{year}.{month}.{day}"}
    if minute is not None:
        offset = "+00:00" if offset in {None, "Z"} else offset
        tags["Time"] = f"{minute}{second or ':00'}{offset}"
    return tags


def rgn_text(record: GameRecord) -> str:
    """Return a game in RGN.

    Raises:
        UrpiError: If RGN cannot express it, or the record is invalid.
    """
    if record.tag("Position") is not None:
        message = "RGN has no games that begin at another position than the start."
        raise UrpiError(message)
    tags = [f"[{name} {_escaped(value)}]" for name, value in _rgn_tags(record).items()]
    text = "\n".join([*tags, "", *_lines(record), ""])
    # Reading it again shows that nothing of the game is lost but what RGN does not have.
    try:
        again = parse_rgn(text)
    except UrpiError as error:
        message = f"RGN cannot express this game: {error}"
        raise UrpiError(message) from error
    if again.turns != in_sums(record).turns:
        message = "RGN cannot express this game: its turns would be different."
        raise UrpiError(message)
    return text


def in_sums(record: GameRecord) -> GameRecord:
    """Return a record with sums in place of faces, without what was taken back, and comments."""
    dice = first_position(record).rules.dice
    text_of = {throw.meaning: throw.faces for throw in dice.each_meaning}

    def summed(thrown: Thrown) -> Thrown:
        plays = tuple(Play(play.move) for play in thrown.plays if not play.taken_back)
        faces = text_of[dice.throw(thrown.faces).meaning]
        return Thrown(faces, plays, declined=thrown.declined)

    turns = (Turn(turn.side, tuple(map(summed, turn.throws))) for turn in record.turns)
    return replace(record, turns=tuple(turns))


def _rgn_tags(record: GameRecord) -> dict[str, str]:
    tags = dict(record.tags)
    rules = parse_rules(tags.pop("Rules"))
    date, time = tags.pop("Date", ""), tags.pop("Time", "")
    began = {}
    if date and "?" not in date:
        began["StartTime"] = "T".join(filter(None, [date.replace(".", "-"), time]))
    return {"Rules": NAMES.get(rules.text, rules.text), **began, **tags}


def _escaped(value: str) -> str:
    if _BARE.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _lines(record: GameRecord) -> Iterator[str]:
    """Yield the lines: one for a turn of light and the following one of dark, if it is not long."""
    line = ""
    actions = list(_texts(record))
    for at, (side, begins, action) in enumerate(actions):
        end = "#" if at == len(actions) - 1 and record.tag("Result") not in {None, "*"} else ""
        text = f"{begins}{action}{end}"
        new_line = begins and side is Side.LIGHT
        if line and (new_line or len(line) + 1 + len(text) >= LINE):
            yield line
            line = ""
        line = f"{line} {text}" if line else text
    if line:
        yield line


def _texts(record: GameRecord) -> Iterator[tuple[Side, str, str]]:
    """Yield each throw: its side, what begins its turn if it is the first one, and the action."""
    position = first_position(record)
    # The number of turns, as if light had begun.
    for number, turn in enumerate(record.turns, 1):
        begins = "/ " if turn.side is Side.DARK else f"{(number + 1) // 2}. "
        for thrown in turn.throws:
            throw = position.rules.dice.throw(thrown.faces)
            move = next((play.move for play in thrown.plays if not play.taken_back), PASS.text)
            played = parse_move(move)
            written = f"{throw.value} --" if played == PASS else in_squares(played, position)
            if written is None:
                message = f"RGN cannot express the move {move} of turn {number}."
                raise UrpiError(message)
            yield turn.side, begins, written
            begins = ""
            if any(not play.taken_back for play in thrown.plays):
                position = position.rules.play(position, throw, played)
            if thrown.declined:
                position = position.rules.decline(position)


def _cut(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
