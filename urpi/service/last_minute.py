"""The last minute of the running game for the OLED: what the board saw, an event a page."""

from pathlib import Path
from typing import Final

from urpi.errors import UrpiError
from urpi.evidence import Dispute, Wording, dispute_minute
from urpi.evidence.pictures import positions_of
from urpi.evidence.story import DieUpdate
from urpi.journal import Journal
from urpi.menu import TextPage
from urpi.words import Words, menu_words

MOST_EVENTS: Final = 60
"""The newest of them; who wants more reads the page."""


def last_minute(path: Path, game: int, words: Words, address: str) -> tuple[TextPage, ...]:
    """What the board saw, the newest first, under a page that says where all of it stands.

    It reads the journal in `path` by a connection of its own, so that it may be called in any
    thread, and refereed anew a long game takes its time. What single dice said is left out:
    the throw that came of it is told.
    """
    try:
        with Journal.open(path, create=False) as journal:
            told = _events(dispute_minute(journal, game), words)
    except UrpiError as error:
        return (TextPage(words.text(menu_words.LAST_MINUTE), str(error)),)
    if not told:
        return ()
    return (_heading(game, words, address), *told)


def _heading(game: int, words: Words, address: str) -> TextPage:
    texts = [words.text(menu_words.HOW_TO_READ)]
    if address:
        where = f"{address}/games/{game}"
        texts.append(words.text(menu_words.ALL_OF_IT).format(address=where))
    return TextPage(words.text(menu_words.LAST_MINUTE), " ".join(texts))


def _events(dispute: Dispute, words: Words) -> tuple[TextPage, ...]:
    wording = Wording(words, dispute.story.game)
    events = [
        (event.t, wording.event(event, position))
        for turn in dispute.story.turns
        for throw in turn.throws
        for event, position, _ in positions_of(throw)
        if not isinstance(event, DieUpdate)
    ]
    newest = sorted(events, key=lambda event: event[0])[: -MOST_EVENTS - 1 : -1]
    return tuple(TextPage(_ago(dispute.story.last_t - t), _brief(text)) for t, text in newest)


def _brief(text: str) -> str:
    """A sentence without the section it rests on, for which the display has no room.

    >>> _brief("Warned: A piece is missing. [RULES.md 0, Race basics]")
    'Warned: A piece is missing.'
    """
    return text.partition(" [")[0]


def _ago(ms: int) -> str:
    """How long before the newest event, such as ``-4 s``.

    >>> _ago(0), _ago(4_400)
    ('0 s', '-4 s')
    """
    seconds = round(ms / 1000)
    return f"-{seconds} s" if seconds else "0 s"
