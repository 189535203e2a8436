"""Operations on the players of this table: their reviewed games, exercises and answers.

A player's page is shown to those who may act, and to everyone if the player agrees.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.core.errors import UrpiError
from urpi.core.json_schema import object_of
from urpi.http.guard import MAY_ACT
from urpi.http.operations import (
    NUMBER,
    ConflictError,
    Handler,
    NotFoundError,
    Operation,
    ValidRequest,
)
from urpi.http.responses import compressed, error_response, json_response
from urpi.journal import (
    VIRTUAL_TABLE,
    GameSummary,
    Journal,
    has_known_rules,
    list_games,
    read_answers,
)
from urpi.journal.consents import SHOWN, parse_consents, read_consents
from urpi.journal.stats import summarize_reviews
from urpi.page.actions import AGREED, MOVE, post_operation, result_of, valid_name
from urpi.page.documents.study import (
    Study,
    answer_document,
    exercise_document,
    solution_document,
    stack_document,
)
from urpi.page.games import FILTERS, NAME, choice_of
from urpi.page.site import Site
from urpi.page.statistics import OTHERS_FOLLOW, FigureCache, FigureProcess, chart_document
from urpi.referee.orders import AnswerExercise, ShowPlayer
from urpi.referee.seats import SEATS, engine_name
from urpi.rules import Side
from urpi.show.stats_report.player import player_charts, player_figures
from urpi.show.stats_report.review_tables import review_notes_of, reviewed_of
from urpi.show.words import Words
from urpi.show.words.sentences import N_

MAX_ANSWERS: Final = 30
"""Maximum number of answers that a player's page lists, the newest ones."""
NO_PLAYERS: Final = frozenset(engine_name(seat) for seat in SEATS)
"""The names of the engine and of players without a name, who have no page."""
NOT_SHOWN: Final = N_("Enter the PIN to see the page of this player.")
NO_PLAYER: Final = N_("No player of this table has this name.")
NO_EXERCISE: Final = N_("This exercise is gone: its game was reviewed again.")
VIRTUAL: Final = {"virtual": FILTERS["virtual"]}


def player_operations(
    site: Site, figures: FigureCache, process: FigureProcess
) -> tuple[Operation, ...]:
    """The operations on players, their exercises and answers."""
    players = _Players(site, figures, process)
    return (
        Operation(
            "GET",
            "/api/players",
            "The players of this table whose pages the browser may see, with their games.",
            players.list,
            VIRTUAL,
            error_statuses=(503,),
        ),
        Operation(
            "GET",
            "/api/player",
            "A player's reviewed games, exercises and answers. Without the PIN only if the player "
            "agrees. The missing reviews are computed in the background.",
            players.if_shown(players.report),
            {"player": NAME, **VIRTUAL},
            error_statuses=(403, 404, 503),
        ),
        Operation(
            "GET",
            "/api/exercise",
            "The exercise that a player is to answer now, from the player's own games; null if "
            "there is none.",
            players.if_shown(players.exercise),
            {"player": NAME, **VIRTUAL},
            error_statuses=(403, 503),
        ),
        post_operation(
            "/api/exercise",
            "Answer an exercise: what should have been played with throw `throw` of a game's "
            "review. The response has the values of all moves, and when it is asked again.",
            object_of(("game", "throw", "move"), game=NUMBER, throw=NUMBER, move=MOVE),
            players.answer,
        ),
        post_operation(
            "/api/player-shown",
            "Show a player's page to everyone, or to those with the PIN alone.",
            object_of(("name", "agreed"), name=NAME, agreed=AGREED),
            players.show,
        ),
    )


class _Players:
    """The handlers of the operations."""

    def __init__(self, site: Site, figures: FigureCache, process: FigureProcess) -> None:
        self._site, self._figures, self._process = site, figures, process

    def if_shown(self, handler: Handler) -> Handler:
        """Return a handler that refuses a player whom the browser may not see."""

        async def handle(request: ValidRequest) -> ASGIApp:
            if await self._sees(request, request.query.get("player", "")):
                return await handler(request)
            return error_response(403, "not-shown", self._words(request).text(NOT_SHOWN))

        return handle

    async def list(self, request: ValidRequest) -> ASGIApp:
        shown, games = await self._shown(), await self._games(request)
        names: dict[str, int] = {}
        for each in games:
            for name in {each.light, each.dark} - NO_PLAYERS:
                names[name] = names.get(name, 0) + 1
        listed = [
            {"name": name, "games": names[name]}
            for name in sorted(names, key=lambda name: (-names[name], name))
            if _may_act(request) or name in shown
        ]
        return _json(request, {"players": listed, "may_act": _may_act(request)})

    async def report(self, request: ValidRequest) -> ASGIApp:
        name, words = request.query.get("player", ""), self._words(request)
        games = await self._games(request, name)
        if not games or name in NO_PLAYERS:
            raise NotFoundError(words.text(NO_PLAYER), "no-player")
        study = await self._study(games, name)
        return _json(
            request,
            {
                "name": name,
                "shown": name in await self._shown(),
                "games": len(games),
                **await self._reviews(games, name, words),
                "stack": stack_document(study.stack, words),
                "answers": [
                    answer_document(study, each, words)
                    for each in study.answers[::-1][:MAX_ANSWERS]
                ],
            },
        )

    async def exercise(self, request: ValidRequest) -> ASGIApp:
        name, words = request.query.get("player", ""), self._words(request)
        study = await self._study(await self._games(request, name), name)
        stack = study.stack
        found = None if stack.next is None else exercise_document(study, stack.next, words)
        return _json(request, {"stack": stack_document(stack, words), "exercise": found})

    async def answer(self, request: ValidRequest) -> ASGIApp:
        body, words = request.body, self._words(request)
        number, throw, move = body["game"], body["throw"], body["move"]
        games = await self._site.journal.read(list_games)
        game = next((each for each in games if each.id == number), None)
        found = [] if game is None else await self._figures.exercises([game])
        one = next((each for each in found if each.throw == throw), None)
        if game is None or one is None:
            raise ConflictError("no-exercise", words.text(NO_EXERCISE))
        if move not in dict(one.choices):
            allowed = ", ".join(choice.move for choice in one.choices)
            message = f"The move {move} is not legal here; legal moves are {allowed}."
            raise ConflictError("illegal", message)
        await result_of(self._site.desk.order(AnswerExercise(*one.key, move, one.is_good(move))))
        name = (game.light, game.dark)[one.side.number]
        study = await self._study(await self._games(request, name), name)
        card = study.card(one.key)
        stack = stack_document(study.stack, words)
        return _json(request, {**solution_document(one, move, card, words), "stack": stack})

    async def show(self, request: ValidRequest) -> ASGIApp:
        name = valid_name(request.body["name"], self._words(request))
        agreed = request.body["agreed"]
        await result_of(self._site.desk.order(ShowPlayer(name, agreed)))
        return json_response({"name": name, "shown": agreed})

    def _words(self, request: ValidRequest) -> Words:
        return self._site.words_of(request.source)

    async def _sees(self, request: ValidRequest, name: str) -> bool:
        return _may_act(request) or name in await self._shown()

    async def _shown(self) -> Mapping[str, int]:
        """The players whose pages everyone may see."""
        desk = self._site.desk
        try:
            # From the file: `urpi games anonymise` changes it while the program runs.
            return await self._site.journal.read(
                lambda journal: read_consents(journal, desk.table, SHOWN)
            )
        except UrpiError:
            return parse_consents(desk.preferences.current.shown)

    async def _games(self, request: ValidRequest, name: str = "") -> Sequence[GameSummary]:
        """The games that the query selects, those of a player if there is a name."""

        def read(journal: Journal) -> Sequence[GameSummary]:
            return list_games(journal, choice_of(request, self._site, journal))

        games = filter(has_known_rules, await self._site.journal.read(read))
        return tuple(
            each
            for each in games
            if not each.void and (not name or name in {each.light, each.dark})
        )

    async def _study(self, games: Sequence[GameSummary], name: str) -> Study:
        by_number = {each.id: each for each in games}
        found = {
            one.key: one
            for one in await self._figures.exercises(games)
            if _player(by_number[one.game], one.side) == name
        }
        answers = await self._site.journal.read(read_answers)
        known = [each for each in answers if (each.game, each.throw) in found]
        return Study(by_number, found, known, self._site.desk.service.now().date())

    async def _reviews(
        self, games: Sequence[GameSummary], name: str, words: Words
    ) -> dict[str, Any]:
        """What the reviews of a player's games have shown."""
        figures, _ = await self._figures.figures(games[::-1])
        days = {each.id: each.started.astimezone().date().isoformat() for each in games}
        stored = await self._figures.reviews(games)
        reviews = summarize_reviews(((one, days[one.game]) for one in figures), stored)
        virtual = any(each.table == VIRTUAL_TABLE for each in games)
        running = self._process.update(reviews.missing, virtual=virtual)
        reviewed = reviewed_of(reviews, words)
        own = next((one for one in reviews.players if one.name == name), None)
        return {
            "reviewed": f"{reviewed} {words.text(OTHERS_FOLLOW)}" if running else reviewed,
            "reviewing": running,
            "figures": [] if own is None else player_figures(own, words),
            "charts": [] if own is None else list(map(chart_document, player_charts(own, words))),
            "notes": review_notes_of(reviews, words),
        }


def _player(game: GameSummary, side: Side) -> str:
    return (game.light, game.dark)[side.number]


def _may_act(request: ValidRequest) -> bool:
    return bool(request.source.scope["state"][MAY_ACT])


def _json(request: ValidRequest, document: Mapping[str, Any]) -> Response:
    return compressed(json_response(document), request.source)
