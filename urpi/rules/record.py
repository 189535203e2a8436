"""Game records: one game as readable text (FORMATS.md, Game record).

Parsing a record checks its form only; `check_record` plays it again with the rules.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from urpi.core.errors import UrpiError
from urpi.rules.board import Side
from urpi.rules.dice import Throw
from urpi.rules.moves import PASS, parse_move
from urpi.rules.notation import parse_position, parse_rules
from urpi.rules.position import Position
from urpi.rules.refusals import Refusal
from urpi.rules.ruleset import RuleSet

LONGEST_RECORD: Final = 2**20
"""Maximum number of characters; a long game has about 20,000."""
LONGEST_MOVE: Final = 40
DECLINED: Final = "declined"
"""The word in place of an extra throw that was declined."""
RESULTS: Final = ("light", "dark", "draw", "*")
"""Values of the Result tag; ``*`` if the game has not ended."""


class IllegalMoveError(UrpiError):
    """A move of a record that its rules do not allow.

    Attributes:
        before: The message up to the reason: the turn, the move and the throw.
        refusal: The reason. The message contains its code, until a caller has words for it.
        after: The message after the reason: the legal moves.
    """

    def __init__(self, before: str, refusal: Refusal, after: str) -> None:
        super().__init__(f"{before}: {refusal.code}. {after}")
        self.before, self.refusal, self.after = before, refusal, after


@dataclass(frozen=True, slots=True)
class Play:
    """The text of a move or ``pass``, and whether it was taken back before the next throw."""

    move: str
    taken_back: bool = False
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thrown:
    """The faces of a throw, or their sum if unknown, and the moves played with it in order.

    Only the last move may stand; those before it were taken back. The last throw of a record may
    have none. `comments` are those after the faces. `declined`: the extra throw that it grants was
    declined.
    """

    faces: str
    plays: tuple[Play, ...] = ()
    comments: tuple[str, ...] = ()
    declined: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One side's turn: its throw and its extra throws."""

    side: Side
    throws: tuple[Thrown, ...]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game: its tags in order, without duplicates, and its turns; turn 1 is at index 0."""

    tags: tuple[tuple[str, str], ...]
    turns: tuple[Turn, ...] = ()

    def tag(self, name: str) -> str | None:
        """Return the value of a tag, None if the record does not have it."""
        return dict(self.tags).get(name)


_TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\["\\])*)"\]')
_TURN: Final = re.compile(r"([1-9][0-9]{0,5})\. ([LD]) (.*)")
_WORD: Final = re.compile(r"\s*(?:\{([^{}]*)\}|(;|[^\s;{}]+))")
_FACES: Final = re.compile(r"[gs0-6-]{1,8}")


def parse_record(text: str, rules: RuleSet | None = None) -> GameRecord:
    r"""Parse a record.

    Args:
        text: The record.
        rules: Its rule set, if it names none.

    Raises:
        UrpiError: If the text is invalid; the message names the line.

    >>> parse_record('[Rules "finkel"]\n\n1. L gs-- +A3\n').turns[0].throws[0].faces
    'gs--'
    """
    if len(text) > LONGEST_RECORD:
        message = f"A record must be at most {LONGEST_RECORD} characters long; found {len(text)}."
        raise UrpiError(message)
    tags: dict[str, str] = {}
    turns: list[Turn] = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            _read_line(line.rstrip(), tags, turns)
        except UrpiError as error:
            message = f"Line {number} of the record: {error}"
            raise UrpiError(message) from error
    if rules is not None and "Rules" not in tags:
        tags = {"Rules": rules.text, **tags}
    return GameRecord(tuple(tags.items()), tuple(turns))


def _read_line(line: str, tags: dict[str, str], turns: list[Turn]) -> None:
    if line.startswith("["):
        _read_tag(line, tags, turns)
    elif line:
        turns.append(_read_turn(line, len(turns) + 1))


def _read_tag(line: str, tags: dict[str, str], turns: list[Turn]) -> None:
    match = _TAG.fullmatch(line)
    if not match:
        message = f'a tag must look like [Light "Ann"]; found {_cut(line)}.'
        raise UrpiError(message)
    if match[1] in tags or turns:
        message = (
            f"each tag must occur once, before the turns; found {match[1]} again or after them."
        )
        raise UrpiError(message)
    # Undo the escapes of quotation marks and backslashes.
    tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])


def _read_turn(line: str, number: int) -> Turn:
    match = _TURN.fullmatch(line)
    # The numbers are redundant, so that a missing line is noticed.
    if not match or int(match[1]) != number:
        message = f"turn {number} must look like {number}. L gs-- +A3; found {_cut(line)}."
        raise UrpiError(message)
    throws: list[list[str]] = [[]]
    for word in _words(match[3]):
        if word == ";":
            throws.append([])
        else:
            throws[-1].append(word)
    declined = len(throws) > 1 and throws[-1] == [DECLINED]
    thrown = [_read_throw(words) for words in (throws[:-1] if declined else throws)]
    if declined:
        thrown[-1] = replace(thrown[-1], declined=True)
    return Turn(Side.of_letter(match[2]), tuple(thrown))


def _words(text: str) -> Iterator[str]:
    """Yield the words of a turn; a comment is one word that starts with its brace."""
    place = 0
    while place < len(text):
        match = _WORD.match(text, place)
        if not match:
            message = f"a comment must end on its line and contain no brace; found {_cut(text)}."
            raise UrpiError(message)
        place = match.end()
        yield match[2] if match[1] is None else "{" + match[1]


def _read_throw(words: list[str]) -> Thrown:
    if not words or not _FACES.fullmatch(words[0]):
        found = _cut(" ".join(words))
        message = f"a throw must begin with its faces or sum, such as gs-- or 2; found {found}."
        raise UrpiError(message)
    comments: list[str] = []
    plays: list[tuple[str, list[str]]] = [("", comments)]
    for word in words[1:]:
        if word.startswith("{"):
            plays[-1][1].append(word[1:])
        else:
            plays.append((word, []))
    played = tuple(_read_play(word, tuple(about)) for word, about in plays[1:])
    if not all(play.taken_back for play in played[:-1]):
        found = _cut(" ".join(words))
        message = (
            "of the moves of a throw only the last one may stand; the others must end with "
            f"~; found {found}."
        )
        raise UrpiError(message)
    return Thrown(words[0], played, tuple(comments))


def _read_play(word: str, comments: tuple[str, ...]) -> Play:
    if len(word) > LONGEST_MOVE:
        message = f"a move must be at most {LONGEST_MOVE} characters long; found {_cut(word)}."
        raise UrpiError(message)
    return Play(parse_move(word.removesuffix("~")).text, word.endswith("~"), comments)


def _cut(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def record_text(record: GameRecord) -> str:
    """Return the text of a record, ending with a newline.

    Raises:
        UrpiError: If a tag contains a newline, or a comment a newline or a brace.

    >>> print(record_text(GameRecord((("Light", "Ann"),))), end="")
    [Light "Ann"]
    """
    tags = [f'[{name} "{_escaped(value)}"]' for name, value in record.tags]
    turns = [f"{number}. {_turn_text(turn)}" for number, turn in enumerate(record.turns, 1)]
    return "\n".join([*tags, *([""] if turns else []), *turns, ""])


def _escaped(value: str) -> str:
    if "\n" in value:
        message = f"A record's tag must be a single line; found {_cut(value)}."
        raise UrpiError(message)
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _turn_text(turn: Turn) -> str:
    return f"{turn.side.letter} {' ; '.join(map(throw_text, turn.throws))}"


def throw_text(thrown: Thrown) -> str:
    """Return a throw with its moves as written in the line of its turn."""
    words = [thrown.faces, *map(_comment_text, thrown.comments)]
    for play in thrown.plays:
        words.append(play.move + ("~" if play.taken_back else ""))
        words.extend(map(_comment_text, play.comments))
    return " ".join([*words, ";", DECLINED] if thrown.declined else words)


def _comment_text(comment: str) -> str:
    if set(comment) & set("{}\n"):
        message = f"A record's comment must be a single line without braces; found {_cut(comment)}."
        raise UrpiError(message)
    return f"{{{comment}}}"


def check_record(record: GameRecord) -> None:
    """Check a record by playing it with its rules.

    An unfinished board is consistent with every result, because a side may resign.

    Raises:
        UrpiError: If a tag is invalid, a turn breaks the rules (an `IllegalMoveError` if it is a
            move), or the result contradicts the board.
    """
    position = final_position(record)
    result = record.tag("Result")
    if result is not None and result not in RESULTS:
        message = f"A record's Result must be one of {' '.join(RESULTS)}; found {_cut(result)}."
        raise UrpiError(message)
    winner = position.rules.winner(position)
    if winner is not None and result is not None and result != winner.value:
        message = f"The board is won by {winner.value}, but the record's Result is {result}."
        raise UrpiError(message)


def final_position(record: GameRecord) -> Position:
    """Return the position after the last move of a record, checking every move.

    Raises:
        UrpiError: As `check_record`, except for the result.
    """
    position = first_position(record)
    for number, turn in enumerate(record.turns, 1):
        last = number == len(record.turns)
        try:
            position = _play_turn(position, turn, last=last)
        except IllegalMoveError as error:
            before = f"Turn {number}: {error.before}"
            raise IllegalMoveError(before, error.refusal, error.after) from error
        except UrpiError as error:
            message = f"Turn {number}: {error}"
            raise UrpiError(message) from error
    return position


def first_position(record: GameRecord) -> Position:
    """Return the first position of a record.

    Raises:
        UrpiError: If the tags Rules, Start and Position are invalid or contradict each other.
    """
    word = record.tag("Rules")
    if word is None:
        message = 'A record needs a tag such as [Rules "finkel"]; it has none.'
        raise UrpiError(message)
    rules = parse_rules(word)
    start = _start(record)
    text = record.tag("Position")
    if text is None:
        return rules.start(start or _first_side(record))
    position = parse_position(text)
    _check_position(position, rules, start)
    return position


def _start(record: GameRecord) -> Side | None:
    start = record.tag("Start")
    if start is None:
        return None
    if start not in {side.value for side in Side}:
        message = f"A record's Start must be light or dark; found {_cut(start)}."
        raise UrpiError(message)
    return Side(start)


def _first_side(record: GameRecord) -> Side:
    return record.turns[0].side if record.turns else Side.LIGHT


def _check_position(position: Position, rules: RuleSet, start: Side | None) -> None:
    if position.rules is not rules:
        message = (
            f"The record's Rules are {rules.text}, but its Position is one of "
            f"{position.rules.text}."
        )
        raise UrpiError(message)
    if start is not None and position.turn not in {start, None}:
        message = (
            f"The record's Start is {start.value}, but its Position has the other side to throw."
        )
        raise UrpiError(message)


def _play_turn(position: Position, turn: Turn, *, last: bool) -> Position:
    side = turn.side
    for number, thrown in enumerate(turn.throws, 1):
        if position.turn is None:
            message = f"{side.value} throws {thrown.faces}, but the game is over."
            raise UrpiError(message)
        if position.turn is not side:
            message = f"{side.value} throws {thrown.faces}, but it is {side.other.value}'s turn."
            raise UrpiError(message)
        position = _play_throw(position, thrown, last=last and number == len(turn.throws))
        if thrown.declined:
            position = _decline(position, side)
    if position.turn is side and not last:
        message = f"{side.value} throws again, so this throw belongs on the same line, after a ;."
        raise UrpiError(message)
    return position


def _decline(position: Position, side: Side) -> Position:
    if position.turn is not side:
        message = f"{side.value} declines a throw, but has no extra throw."
        raise UrpiError(message)
    if not position.rules.may_decline:
        message = f"{side.value} declines a throw, which {position.rules.text} does not allow."
        raise UrpiError(message)
    return position.rules.decline(position)


def _play_throw(position: Position, thrown: Thrown, *, last: bool) -> Position:
    throw = position.rules.dice.throw(thrown.faces)
    after = None
    for play in thrown.plays:
        played = _play(position, throw, play)
        after = None if play.taken_back else played
    if after is None and not last:
        message = (
            f"the throw {thrown.faces} has no move; only the last throw of a record may have none."
        )
        raise UrpiError(message)
    return after or position


def _play(position: Position, throw: Throw, play: Play) -> Position:
    rules = position.rules
    move = parse_move(play.move)
    refusal = rules.refusal(position, throw, move)
    if refusal is not None:
        moves = [move.text for move in rules.legal_moves(position, throw)] or [PASS.text]
        more = f", and {len(moves) - 6} more" if len(moves) > 6 else ""
        allowed = f"Legal: {', '.join(moves[:6])}{more}."
        raise IllegalMoveError(f"{play.move} is not legal with {throw.faces}", refusal, allowed)
    if not move.parts:
        if play.taken_back:
            message = "a pass cannot be taken back."
            raise UrpiError(message)
        return rules.play(position, throw, PASS)
    legal = {other.text: other for other in rules.legal_moves(position, throw)}
    if move.text not in legal:
        message = f"{play.move} is not the standard form of the move; legal are {', '.join(legal)}."
        raise UrpiError(message)
    return rules.play(position, throw, legal[move.text])
