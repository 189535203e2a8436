"""The replay of a stored game: a frame for every throw and one for the move played with it.

The frames follow the stored decisions; nothing is refereed again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

from urpi.core.moments import parse_moment
from urpi.journal import Course, Entry, GameSummary
from urpi.journal.corrections import Correction, names_before
from urpi.page.documents.positions import move_document, rules_document
from urpi.page.documents.state import throw_document
from urpi.referee.decisions import (
    Abandoned,
    Cleared,
    Decision,
    Drawn,
    Moved,
    Passed,
    Roll,
    Seems,
    Starts,
    TakenBack,
    Won,
)
from urpi.referee.facts import Confidence, Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.rules import PASS, Position, Side, Throw, parse_move
from urpi.show.words import Words
from urpi.show.words.decisions import announcements
from urpi.show.words.move_texts import move_text
from urpi.show.words.sentences import N_

OMITTED: Final = (Seems, Cleared)
"""Decisions whose texts are of no use after the game."""


FrameKind: TypeAlias = Literal["start", "roll", "move", "back", "end"]


@dataclass(slots=True)
class Frame:
    """The board at a moment of the game.

    Attributes:
        kind: ``start``, ``roll`` (a throw to be played), ``move``, ``back`` (a move was taken
            back) or ``end``.
        t: Milliseconds since the game began.
        turn: The number of the turn as in a dispute, 0 before the first throw.
        position: The position.
        side: The side that threw or moved.
        throw: The throw that was played or is to be played.
        legal: The legal moves.
        move: The move that was played or taken back, else empty.
        confidence: The confidence of the move.
        texts: The announcements from this moment until the next frame.
    """

    kind: FrameKind
    t: int
    turn: int
    position: Position
    side: Side | None = None
    throw: Throw | None = None
    legal: tuple[str, ...] = ()
    move: str = ""
    confidence: Confidence | Literal[""] = ""
    texts: list[str] = field(default_factory=list)

    def document(self, words: Words) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "t": self.t,
            "turn": self.turn,
            "position": str(self.position),
            "side": None if self.side is None else self.side.value,
            "throw": throw_document(self.throw),
            "legal": [move_document(text, words) for text in self.legal],
            "move": move_document(self.move, words) if self.move else None,
            "confidence": self.confidence,
            "texts": self.texts,
        }


_NO_NAME: Final = "\N{EN DASH}"


class Frames:
    """The frames of one game, from its `game` fact on."""

    def __init__(self, game: Game, words: Words) -> None:
        """Create the first frame.

        Raises:
            UrpiError: If the game's rules or position are invalid.
        """
        self._game, self._course = game, Course(game)
        self._texts = announcements(words, game.light, game.dark)
        self.frames = [Frame("start", 0, 0, self._course.position)]

    def add(self, decision: Decision) -> None:
        """Add the next decision.

        Raises:
            UrpiError: If it does not follow from the previous decisions.
        """
        self._course.apply(decision)
        match decision:
            case Roll(side=side, legal=legal):
                turn = self._last.turn + (side is not self._last.side)
                self._add_frame("roll", decision.t, turn=turn, side=side, legal=legal)
            case Moved(move=move, confidence=confidence):
                self._add_frame("move", decision.t, move=move, confidence=confidence)
            case Passed():
                self._add_frame("move", decision.t, move=PASS.text)
            case TakenBack(side=side, move=move):
                self._add_frame("back", decision.t, side=side, move=move)
            case Won() | Drawn() | Abandoned():
                self._add_frame("end", decision.t)
            # No frame of its own: nothing on the board changes when the first side is known.
            case Starts():
                self._last.position = self._course.position
        if not isinstance(decision, OMITTED):
            self._last.texts.append(_with_full_stop(self._texts.text(decision)))

    @property
    def _last(self) -> Frame:
        return self.frames[-1]

    def _add_frame(self, kind: FrameKind, t: int, **more: Any) -> None:
        course, last = self._course, self._last
        throw = None
        if course.roll is not None:
            throw = course.position.rules.dice.throw(course.roll.faces)
        new = {"turn": last.turn, "side": last.side, "throw": throw, **more}
        since = max(t - self._game.t, 0)
        self.frames.append(Frame(kind, since, position=course.position, **new))


def _with_full_stop(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def frames_of(
    entries: Iterable[Entry], words: Words, names: tuple[str, str] | None = None
) -> tuple[Frame, ...]:
    """The frames of a stored game.

    Args:
        entries: All entries of the game.
        words: The language of the texts.
        names: The names of light and dark, which may have been corrected; by default those of the
            first entry.

    Raises:
        UrpiError: If the stored entries cannot be read.
    """
    first, *rest = entries
    game = parse_fact(first.line, first.seq)
    assert isinstance(game, Game)
    light, dark = names or (game.light, game.dark)
    frames = Frames(replace(game, light=light, dark=dark), words)
    for entry in rest:
        if entry.kind == "decision":
            frames.add(parse_decision(entry.line, entry.seq))
    return tuple(frames.frames)


def standing_frames(frames: Sequence[Frame]) -> list[tuple[int, int | None]]:
    """The frames of the throws whose moves stand, as in the game's record.

    For each throw, these are the indices of its frame and of the frame of its move, which is None
    as long as the throw has not been played.
    """
    standing: list[tuple[int, int | None]] = []
    for at, frame in enumerate(frames):
        if frame.kind == "roll":
            standing.append((at, None))
        elif frame.kind == "move" and standing:
            standing[-1] = (standing[-1][0], at)
        elif frame.kind == "back":
            while standing and not _is_move(frames, standing[-1], frame.move):
                standing.pop()
            if standing:
                standing[-1] = (standing[-1][0], None)
    return standing


def _is_move(frames: Sequence[Frame], thrown: tuple[int, int | None], move: str) -> bool:
    return thrown[1] is not None and frames[thrown[1]].move == move


def played_text(frame: Frame, names: tuple[str, str], words: Words) -> str:
    """Describe what happened at a frame in one line.

    Args:
        frame: The frame.
        names: The names of light and dark, may be empty.
        words: The language.
    """
    if frame.kind == "start":
        return words.text(N_("The beginning"))
    if frame.move and frame.side is not None:
        name = names[frame.side.number] or words.side(frame.side)
        message = N_("{name} takes back: {move}") if frame.kind == "back" else N_("{name}: {move}")
        move = move_text(parse_move(frame.move), words)
        return words.text(message).format(name=name, move=move)
    return frame.texts[0] if frame.texts else ""


def replay_document(summary: GameSummary, entries: Iterable[Entry], words: Words) -> dict[str, Any]:
    """Return a game with its rules, its frames, and the number of stored facts.

    Raises:
        UrpiError: If the stored entries cannot be read.
    """
    stored = tuple(entries)
    frames = frames_of(stored, words, summary.names)
    return {
        "game": game_document(summary, words),
        "rules": rules_document(frames[0].position.rules, words),
        "facts": sum(entry.kind == "fact" for entry in stored),
        "frames": [frame.document(words) for frame in frames],
        "corrections": _corrections(summary, stored[0], words),
    }


def _corrections(summary: GameSummary, first: Entry, words: Words) -> list[dict[str, str]]:
    """The corrections of a game in words."""
    if not summary.corrections:
        return []
    game = parse_fact(first.line, first.seq)
    assert isinstance(game, Game)
    return [
        {"at": one.at, "text": _correction_text(one, before, words), "reason": one.reason}
        for one, before in names_before((game.light, game.dark), summary.corrections)
    ]


def _correction_text(correction: Correction, before: str, words: Words) -> str:
    match correction.kind:
        case "light" | "dark":
            side = words.side(Side(correction.kind))
            arrow = "\N{RIGHTWARDS ARROW}" if words.direction == "ltr" else "\N{LEFTWARDS ARROW}"
            return f"{side}: {before or _NO_NAME} {arrow} {correction.text or _NO_NAME}"
        case "void":
            return words.text(N_("The game does not count."))
        case "valid":
            return words.text(N_("The game counts again."))
        case "started":
            started = words.moment(parse_moment(correction.text, "A time").astimezone())
            return words.text(N_("It began at another time: {time}.")).format(time=started)
        case "note" | "deleted":
            return correction.text


def game_document(summary: GameSummary, words: Words) -> dict[str, Any]:
    """Return the summary of a game; times are in ISO 8601."""
    return {
        "id": summary.id,
        "started": summary.started.isoformat(),
        "finished": None if summary.finished is None else summary.finished.isoformat(),
        "rules": summary.rules,
        "name": words.rules(summary.rules.partition("[")[0]),
        "light": summary.light,
        "dark": summary.dark,
        "turns": summary.turns,
        "result": summary.result,
        "program": summary.program,
        "table": summary.table,
        "void": summary.void,
        "estimated": summary.estimated,
        "undated": summary.undated,
    }
