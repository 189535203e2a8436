"""Pictures of a stored game, as the content of files."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Final, Literal, TypeAlias

from urpi.core.errors import UrpiError
from urpi.journal import GameSummary, Journal, entries_of, find_game
from urpi.page.documents.replay import Frame, frames_of, played_text
from urpi.page.replay_file import steps_of
from urpi.rules import PASS, RuleSet, Side, parse_move
from urpi.show.pictures import Card, CardLabels, CardPainter, write_animation
from urpi.show.svg import BoardScene, Labels, board_document
from urpi.show.svg.themes import LAPIS
from urpi.show.views.score import off_label
from urpi.show.words import Words, display_languages, words_for
from urpi.show.words.sentences import NC_
from urpi.show.words.words import ENGLISH

PictureForm: TypeAlias = Literal["svg", "png", "gif"]
# The width that messengers recommend for previews (Open Graph); a GIF has a picture for each step.
PNG_WIDTH: Final = 1200
GIF_WIDTH: Final = 640
STEP_MS: Final = 1000
LAST_MS: Final = 4000


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """A picture to draw.

    Attributes:
        game: The number of the game.
        form: The format of its file; a process of its own draws PNG and GIF.
        language: The language of its texts.
        step: The step as the page counts them, None for the last one; ignored for a GIF.
        theme: One of `urpi.show.svg.themes.THEMES`.
    """

    game: int
    form: PictureForm
    language: str
    step: int | None = None
    theme: str = LAPIS


def picture_of(journal: Journal, picture: PictureRequest) -> bytes:
    """The content of a picture file.

    Raises:
        UrpiError: If there is no such game or no such step.
    """
    words = words_in(picture.form, picture.language)
    summary = find_game(journal, picture.game)
    frames = frames_of(entries_of(journal, picture.game), words, summary.names)
    album = _Album(summary, frames, words, picture.theme)
    if picture.form == "gif":
        return album.gif()
    at = len(frames) - 1 if picture.step is None else picture.step
    if at >= len(frames):
        message = f"Game {picture.game} has no step {at}; its last one is {len(frames) - 1}."
        raise UrpiError(message)
    return album.svg(at) if picture.form == "svg" else album.png(at)


def words_in(form: PictureForm, language: str) -> Words:
    """Return the words of a picture: PNG and GIF are drawn with the letters of the display."""
    drawn = form == "svg" or language in display_languages()
    return words_for(language if drawn else ENGLISH)


def labels_of(rules: RuleSet, words: Words) -> tuple[str, str]:
    """Return the labels of pieces in hand and of those that left the board."""
    text, off = words.text, off_label(rules)
    return text(NC_("label", "hand")), text(off) if off else ""


def card_png(card: Card, words: Words, theme: str) -> bytes:
    """Return the content of a PNG file."""
    content, labels = BytesIO(), CardLabels(*labels_of(card.position.rules, words))
    picture = CardPainter(PNG_WIDTH, labels, theme).paint(card)
    # A palette makes the file a quarter as large, and no difference can be seen.
    picture.quantize(256).save(content, "PNG", optimize=True)
    return content.getvalue()


class _Album:
    """The pictures of one game."""

    def __init__(
        self, summary: GameSummary, frames: tuple[Frame, ...], words: Words, theme: str
    ) -> None:
        self._theme = theme
        self._frames, self._words = frames, words
        light, dark = summary.light, summary.dark
        self._stored_names = light, dark
        self._names = (light or words.side(Side.LIGHT), dark or words.side(Side.DARK))

    @property
    def _rules(self) -> RuleSet:
        return self._frames[0].position.rules

    def _labels(self) -> tuple[str, str]:
        return labels_of(self._rules, self._words)

    def svg(self, at: int) -> bytes:
        frame = self._frames[at]
        moved = parse_move(frame.move) if frame.kind == "move" else None
        scene = BoardScene(frame.position, frame.position.occupancy, moved)
        return board_document(
            scene, Labels(self._caption(frame), *self._labels()), self._theme
        ).encode()

    def png(self, at: int) -> bytes:
        return card_png(self._card(self._frames[at]), self._words, self._theme)

    def gif(self) -> bytes:
        content, painter = (
            BytesIO(),
            CardPainter(GIF_WIDTH, CardLabels(*self._labels()), self._theme),
        )
        write_animation(content, self._cards(), painter, step_ms=STEP_MS, last_ms=LAST_MS)
        return content.getvalue()

    def _cards(self) -> Iterator[Card]:
        return map(self._card, steps_of(self._frames))

    def _card(self, frame: Frame) -> Card:
        move = parse_move(frame.move) if frame.kind == "move" else PASS
        faces = frame.throw.shown if frame.throw is not None and frame.kind != "end" else ""
        return Card(
            frame.position,
            self._names,
            move if move.parts else None,
            faces,
            self._caption(frame),
            None if frame.kind == "end" else frame.side,
        )

    def _caption(self, frame: Frame) -> str:
        return played_text(frame, self._stored_names, self._words)
