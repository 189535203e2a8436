"""The review of the game that has ended: requested at its end, and shown when it is available."""

from datetime import datetime, timedelta
from typing import Final, Protocol

from urpi.journal import GameSummary
from urpi.referee import Snapshot
from urpi.referee.decisions import Abandoned
from urpi.service.devices import log_failure
from urpi.service.review_process import OnReview
from urpi.service.service import Service
from urpi.show.words.end_review import EndReview

RESULT_MS: Final = 6_000
"""Milliseconds for which the winner is shown in large letters before the review is."""
RECENT: Final = timedelta(minutes=15)
"""How long after its end a game's review is still shown when the program starts again."""


class Reviewer(Protocol):
    """Reviews stored games, such as `urpi.service.review_process.ReviewProcess`."""

    def request(self, game: int, on_review: OnReview) -> None:
        """Review a game. The review is passed to `on_review` in another thread, if there is one."""

    def close(self) -> None:
        """Stop."""


class EndReviewer:
    """Requests a review when a game has ended. Its methods are called in the service's thread.

    Args:
        service: The service of the board.
        reviewer: Reviews the games.
    """

    def __init__(self, service: Service, reviewer: Reviewer) -> None:
        self._service, self._reviewer = service, reviewer
        self._requested: int | None = None
        self._review: EndReview | None = None
        self._show_at = 0
        self._is_shown = False
        service.add_task(self)

    @property
    def shown(self) -> EndReview | None:
        """The review to show, None if there is none yet."""
        return self._review if self._is_shown else None

    @property
    def next_due(self) -> int | None:
        """The time at which the review must be shown, None if it is, or is not there."""
        return None if self._review is None or self._is_shown else self._show_at

    def close(self) -> None:
        self._reviewer.close()

    def update(self, snapshot: Snapshot) -> None:
        """Request a review if a game has ended; call it after every change."""
        game = self._service.game
        if snapshot.outcome is None:
            if game is not None:
                self._forget()
        elif game is not None and game != self._requested:
            self._forget()
            if not isinstance(snapshot.outcome, Abandoned):
                self._request(game, self._service.clock() + RESULT_MS)

    def resume(self, last: GameSummary | None, now: datetime) -> None:
        """Request the review of a table's last game if it ended a short while ago.

        Call it when the program starts and no game is running.
        """
        # Before its end as well: without a battery, a Pi's clock begins with an earlier time.
        ended = None if last is None else last.stored_finish
        if last is not None and ended is not None and abs(now - ended) < RECENT:
            self._request(last.id, self._service.clock())

    def tick(self, t: int) -> None:
        """Show the review if it is due."""
        due = self.next_due
        if due is not None and due <= t:
            self._is_shown = True
            self._service.refresh()

    def _request(self, game: int, show_at: int) -> None:
        self._requested, self._show_at = game, show_at

        def receive(review: EndReview) -> None:
            if review.game == self._requested:
                self._review = review

        def on_review(review: EndReview) -> None:
            self._service.call(lambda: receive(review)).add_done_callback(log_failure)

        self._reviewer.request(game, on_review)

    def _forget(self) -> None:
        self._requested, self._review, self._is_shown = None, None, False
