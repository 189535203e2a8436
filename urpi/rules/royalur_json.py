"""Games as JSON that RoyalUr's Java library writes, converted to records (FORMATS.md, RoyalUr)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from urpi.core import strict_json
from urpi.core.errors import UrpiError
from urpi.rules.bare_moves import Action, BareGame
from urpi.rules.board import SQUARE_NAMES, Side, Square, parse_square
from urpi.rules.notation import parse_position, parse_rules
from urpi.rules.position import Position
from urpi.rules.record import LONGEST_RECORD, GameRecord
from urpi.rules.rgn import PLAYERS, record_tags
from urpi.rules.ruleset import RuleSet

VERSIONS: Final = (1, 2)
VERSION_KEY: Final = "notation_version"
IGNORED: Final = frozenset({"wait4roll", "wait4move"})
"""States without a throw or a move of their own."""
_SETTINGS: Final = (
    *("board_shape", "paths", "dice", "start_pieces", "safe_rosettes"),
    *("rosettes_grant_rolls", "captures_grant_rolls"),
)
_GAMES: Final = {
    ("standard", "bell", "four_binary", False): "finkel",
    ("standard", "masters", "three_binary_0eq4", False): "masters",
    ("standard", "masters", "four_binary", True): "blitz",
}
"""The rule sets by board, path, dice, and whether captures throw again."""
_OLD_DICE: Final = {"fourbinary": "four_binary", "threebinary0max": "three_binary_0eq4"}
_SIDES: Final = {side.letter: side for side in Side}


class _State(NamedTuple):
    """A state of the game: its number in the file from 1, its type, and its values."""

    number: int
    type: str
    values: Mapping[str, Any]

    @property
    def place(self) -> str:
        return f"State {self.number} ({self.type})"


def is_royalur_json(text: str) -> bool:
    """Return whether a text looks like a game in this format."""
    return text.lstrip()[:1] == "{" and f'"{VERSION_KEY}"' in text


def parse_royalur_json(text: str) -> GameRecord:
    """Convert a game to a record, whose throws are sums.

    Raises:
        UrpiError: If the text is invalid, or a move is illegal (`IllegalMoveError`); the message
            names the state or the turn.
    """
    if len(text) > LONGEST_RECORD:
        message = f"A game of RoyalUr must be at most {LONGEST_RECORD} characters long."
        raise UrpiError(message)
    try:
        found = strict_json.parse(text)
    except ValueError as error:
        message = f"A game of RoyalUr must be one JSON object; {error}."
        raise UrpiError(message) from error
    game = _object(found, "The game")
    version = game.get(VERSION_KEY)
    if type(version) is not int or version not in VERSIONS:
        message = f"The game's {VERSION_KEY} must be 1 or 2; found {_cut(version)}."
        raise UrpiError(message)
    rules = _rules(_object(game.get("settings"), "The game's settings"))
    start = _position(rules, _object(game.get("initial_state"), "The game's initial_state"))
    states = game.get("states")
    if type(states) is not list:
        message = f"The game's states must be a list; found {_cut(states)}."
        raise UrpiError(message)
    return _record(_tags(game.get("metadata", {}), start), start, [*_states(states)])


def _rules(settings: Mapping[str, Any]) -> RuleSet:
    """The rule set with these settings.

    Raises:
        UrpiError: If this program has none.
    """
    texts = [str(settings.get(name)).lower() for name in _SETTINGS]
    board, paths, dice, pieces, safe, again, captures = texts
    name = _GAMES.get((board, paths, _OLD_DICE.get(dice, dice), captures == "true"))
    if name is not None and again == "true" and safe in {"true", "false"}:
        options = f"pieces={pieces}"
        if name != "finkel":
            options += f";safe_rosettes={'yes' if safe == 'true' else 'no'}"
        if name != "finkel" or safe == "true":
            return parse_rules(f"{name}[{options}]")
    listed = ", ".join(f"{key} {text:.40}" for key, text in zip(_SETTINGS, texts, strict=True))
    message = f"No rule set here has the game's settings: {listed}."
    raise UrpiError(message)


def _position(rules: RuleSet, state: Mapping[str, Any]) -> Position:
    """The position of the initial state, in which a side is to throw."""
    what = "The initial_state"
    if state.get("type") != "wait4roll":
        message = f"{what} must be of type wait4roll; found {_cut(state.get('type'))}."
        raise UrpiError(message)
    turn = _side(state.get("turn"), f"The turn of {what.lower()}")
    board = _object(state.get("board"), "The board")
    pieces = _object(board.get("pieces", {}), "The board's pieces")
    piles: dict[Square, str] = {}
    for name, piece in pieces.items():
        side, _ = _piece(piece, f"The piece on {name:.20}")
        piles[parse_square(name)] = f"{name}:{side.letter}"
    players = _object(state.get("players"), "The players")
    counts = [_object(players.get(side.letter), f"The player {side.value}") for side in Side]
    hand, off = (
        "".join(
            f"{side.letter}{_number(each.get(key), f'The {key} of {side.value}')}"
            for side, each in zip(Side, counts, strict=True)
        )
        for key in ("pieces", "score")
    )
    placed = ",".join(piles[square] for square in sorted(piles)) or "-"
    return parse_position(f"{rules.text} {placed} {hand} {off} {turn.letter}")


def _tags(metadata: Any, start: Position) -> dict[str, str]:
    texts: dict[str, str] = {}
    for key, value in _object(metadata, "The game's metadata").items():
        name = re.sub("[^A-Za-z0-9_]", "_", PLAYERS.get(key, key)[:64])
        name = name if name[:1].isalpha() else f"X{name}"
        if type(value) is not str or name in texts:
            message = f"The game's metadata must be texts under different names; found {_cut(key)}."
            raise UrpiError(message)
        texts[name] = " ".join(value.split())
    assert start.turn is not None
    for name in ("Rules", "Start", "Position"):
        texts.pop(name, None)
    tags = record_tags({"Rules": start.rules.text, **texts}, start.turn)
    if start != start.rules.start(start.turn):
        tags["Position"] = str(start)
    return tags


def _states(states: list[Any]) -> Iterator[_State]:
    for number, each in enumerate(states, 1):
        values = _object(each, f"State {number}")
        kind = values.get("type")
        if type(kind) is not str:
            message = f"State {number} must have a type; found {_cut(kind)}."
            raise UrpiError(message)
        if kind not in IGNORED:
            yield _State(number, kind, values)


def _record(tags: dict[str, str], start: Position, states: list[_State]) -> GameRecord:
    game = BareGame(start)
    turn, side = 0, None
    ended: dict[str, str] = {}
    for at, state in enumerate(states):
        if ended and state.type != "win":
            message = f"{state.place} follows the end of the game."
            raise UrpiError(message)
        if state.type not in {"roll", "move"}:
            # The winner of a game that a player left is named by its last state.
            ended = _end(state) | ended
            continue
        after = states[at + 1] if at + 1 < len(states) else None
        if _is_throw_of(state, after):
            continue
        acting = _side(state.values.get("turn"), f"{state.place}: its turn")
        turn, side = turn + (acting is not side), acting
        _add(game, state, Action(acting, _text(game.position, state, acting), turn), after)
    winner = game.position.rules.winner(game.position)
    tags.update({"Result": "*" if winner is None else winner.value} | ended)
    return GameRecord(tuple(tags.items()), game.turns())


def _is_throw_of(state: _State, after: _State | None) -> bool:
    """Whether a state is the throw of the move in the next one, which contains it, too."""
    if state.type != "roll" or after is None or after.type != "move":
        return False
    # A throw without a move ends the turn.
    return state.values.get("turn") == after.values.get("turn") and _value(state) == _value(after)


def _add(game: BareGame, state: _State, action: Action, after: _State | None) -> None:
    """Play an action, and keep the time of its move, if there is one.

    Raises:
        UrpiError: If it is not legal, or not a move of the throw.
    """
    last = after is None or after.type not in {"roll", "move"}
    game.add(action, last=last)
    side, thrown = game.throws[-1]
    value = game.position.rules.dice.throw(thrown.faces).value
    if value != _value(state):
        message = f"{action.place}: {action.text} is a throw of {value}, not of {_value(state)}."
        raise UrpiError(message)
    time = state.values.get("time")
    if isinstance(time, int | float) and 0 < time < 1e12 and thrown.plays:
        (play,) = thrown.plays
        timed = replace(play, comments=(f"{time / 1000:.1f}s",))
        game.throws[-1] = side, replace(thrown, plays=(timed,))


def _text(position: Position, state: _State, side: Side) -> str:
    """The action of a state as a text with squares: a throw without a move, or a move."""
    if state.type == "roll":
        return str(_value(state))
    move = _object(state.values.get("move"), f"{state.place}: its move")
    path, row = position.rules.path(side), "A" if side is Side.LIGHT else "C"
    squares = []
    for key, outside in (("src", "@"), ("dest", "+")):
        if move.get(key) is None:
            squares.append(f"{row}{outside}")
            continue
        owner, index = _piece(move[key], f"{state.place}: its {key}")
        if owner is not side or index >= len(path):
            message = f"{state.place}: its {key} is no place of {side.value}'s path."
            raise UrpiError(message)
        squares.append(SQUARE_NAMES[path[index]])
    return "".join(squares) + ("x" if move.get("captured") is not None else "")


def _end(state: _State) -> dict[str, str]:
    """The tags of a state that ends the game."""
    match state.type:
        case "resigned":
            loser = _side(state.values.get("player"), f"{state.place}: its player")
            return {"Result": loser.other.value, "Termination": "resigned"}
        case "abandoned":
            return {"Termination": "abandoned"}
        case "win":
            winner = state.values.get("winner")
            return {"Result": "*" if winner is None else _side(winner, state.place).value}
    message = f"State {state.number} must be of a known type; found {_cut(state.type)}."
    raise UrpiError(message)


def _value(state: _State) -> int:
    roll = _object(state.values.get("roll"), f"{state.place}: its roll")
    return _number(roll.get("value"), f"{state.place}: its roll's value")


def _piece(found: Any, what: str) -> tuple[Side, int]:
    """The owner of a piece, and its place on the path from 0."""
    if type(found) is dict:
        return _side(found.get("owner"), what), _number(found.get("index"), what)
    if type(found) is not int or not found:
        message = f"{what} must be a piece, such as 5 of light or -5 of dark; found {_cut(found)}."
        raise UrpiError(message)
    return (Side.LIGHT if found > 0 else Side.DARK), abs(found) - 1


def _side(found: Any, what: str) -> Side:
    if type(found) is not str or found not in _SIDES:
        message = f"{what} must be L or D; found {_cut(found)}."
        raise UrpiError(message)
    return _SIDES[found]


def _number(found: Any, what: str) -> int:
    if type(found) is not int or not 0 <= found < 100:
        message = f"{what} must be a number from 0 to 99; found {_cut(found)}."
        raise UrpiError(message)
    return found


def _object(found: Any, what: str) -> Mapping[str, Any]:
    if type(found) is not dict:
        message = f"{what} must be a JSON object; found {_cut(found)}."
        raise UrpiError(message)
    return found


def _cut(found: object) -> str:
    text = repr(found)
    return text if len(text) <= 60 else f"{text[:57]}..."
