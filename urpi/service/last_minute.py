"""The last minute of the current game as pages for the OLED, one event per page."""

from pathlib import Path
from typing import Final

from urpi.core.errors import UrpiError
from urpi.journal import Journal
from urpi.show.evidence import Dispute, Wording, dispute_minute
from urpi.show.evidence.pictures import positions_of
from urpi.show.evidence.story import DieUpdate
from urpi.show.menu import TextPage
from urpi.show.words import Words, menu_words

MAX_EVENTS: Final = 60
"""Default number of events; the page in the browser shows all of them."""


def last_minute(
    path: Path, game: int, words: Words, address: str, *, max_events: int = MAX_EVENTS
) -> tuple[TextPage, ...]:
    """Return a page of instructions, then the events of the last minute, the newest first.

    Reports of single dice are omitted, because the resulting throw is included. May be called in
    any thread, and should not be called in the service's: refereeing a long game again takes time.

    Args:
        path: The journal, which is opened with a separate connection.
        game: The game's number.
        words: The texts in the players' language.
        address: The page's address, where the whole game can be read; empty without a page.
        max_events: Maximum number of events.

    Returns:
        The pages. Empty if there are no events; the error message if the journal cannot be read.
    """
    try:
        with Journal.open(path, create=False) as journal:
            events = _events(dispute_minute(journal, game), words, max_events)
    except UrpiError as error:
        return (TextPage(words.text(menu_words.LAST_MINUTE), str(error)),)
    if not events:
        return ()
    return (_heading(game, words, address), *events)


def _heading(game: int, words: Words, address: str) -> TextPage:
    texts = [words.text(menu_words.HOW_TO_READ)]
    if address:
        where = f"{address}/games/{game}"
        texts.append(words.text(menu_words.ALL_OF_IT).format(address=where))
    return TextPage(words.text(menu_words.LAST_MINUTE), " ".join(texts))


def _events(dispute: Dispute, words: Words, max_events: int) -> tuple[TextPage, ...]:
    wording = Wording(words, dispute.story.game)
    events = [
        (event.t, wording.event(event, position))
        for turn in dispute.story.turns
        for throw in turn.throws
        for event, position, _ in positions_of(throw)
        if not isinstance(event, DieUpdate)
    ]
    newest = sorted(events, key=lambda event: event[0])[: -max_events - 1 : -1]
    return tuple(TextPage(_ago(dispute.story.last_t - t), _brief(text)) for t, text in newest)


def _brief(text: str) -> str:
    """Return a sentence without its reference to a section, for which the display has no room.

    >>> _brief("Warned: A piece is missing. [RULES.md 0, Race basics]")
    'Warned: A piece is missing.'
    """
    return text.partition(" [")[0]


def _ago(ms: int) -> str:
    """Return the time relative to the newest event, such as ``-4 s``.

    >>> _ago(0), _ago(4_400)
    ('0 s', '-4 s')
    """
    seconds = round(ms / 1000)
    return f"-{seconds} s" if seconds else "0 s"
