"""Operations that list a club's players, read one of them, and offer names to an arbiter."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from starlette.types import ASGIApp

from urpi.club.ratings import Rating
from urpi.club.server.players import (
    PROVISIONAL,
    Player,
    PlayerList,
    Tally,
    by_rating,
    identity,
    monday_of,
    reviews_of,
)
from urpi.club.server.users import User
from urpi.club.web.logins import Act, with_role
from urpi.club.web.site import ClubSite, words_of
from urpi.core.json_schema import Schema, one_of
from urpi.http.operations import NotFoundError, Operation, ValidRequest
from urpi.http.responses import compressed, json_bytes, json_bytes_response
from urpi.journal.stats import ReviewFigures
from urpi.page.games import NAME, NO_QUERY
from urpi.show.stats_report.review_tables import review_notes_of, review_of_player, reviewed_of
from urpi.show.words import Words

if TYPE_CHECKING:
    from psycopg import Connection

Read: TypeAlias = Callable[["Connection", PlayerList, Mapping[str, Player], ValidRequest], Any]

PLAYERS: Final = "/api/players"
PLAYER: Final = "/api/player"
MAX_KNOWN: Final = 20
"""Maximum number of names that are offered while one is typed."""
_LISTED: Final = "listed"
_ENTERED: Final = (
    "SELECT name FROM tournament_players UNION"
    " SELECT name FROM entered_names WHERE name != '*' ORDER BY name"
)


def player_operations(site: ClubSite) -> tuple[Operation, ...]:
    players = PlayerList()
    return (
        _operation(
            site,
            players,
            PLAYERS,
            "The players with a published name, by rating: in all games, or in those of one rule "
            "set.",
            _players,
            {"rules": NAME},
        ),
        _operation(
            site,
            players,
            PLAYER,
            "A player, with the ratings after each week and in each rule set, luck and loss in "
            "reviewed games, and the results against each opponent.",
            _player,
            {"name": NAME},
            (404, 503),
        ),
        Operation(
            "GET",
            f"{PLAYERS}/known",
            "Names that contain a text, for arbiters who are typing one: of players, or also those"
            " that arbiters have entered at tables and in tournaments. At most 20.",
            with_role(site.games, "arbiter", _known(site, players)),
            {"like": NAME, "of": one_of("all", _LISTED)},
            error_statuses=(401, 403, 503),
        ),
    )


def _known(site: ClubSite, players: PlayerList) -> Act:
    def act(connection: "Connection", request: ValidRequest, _user: User) -> Any:
        names = [player.name for player in players.read(connection, site.now()).values()]
        if request.query.get("of") != _LISTED:
            names += [name for (name,) in connection.execute(_ENTERED)]
        return {"names": names_like(names, request.query.get("like", ""))}

    return act


def names_like(names: Iterable[str], text: str) -> list[str]:
    """At most `MAX_KNOWN` of some names that contain a text, of each player one spelling.

    Those of which a word begins with it come first. Upper and lower case and accents do not matter.
    """
    wanted, found = _plain(text.strip()), dict[str, tuple[bool, str, str]]()
    for name in names:
        plain = _plain(name)
        if wanted in plain:
            # The first one is that of the list of players.
            found.setdefault(identity(name), (f" {wanted}" not in f" {plain}", plain, name))
    return [name for *_, name in sorted(found.values())[:MAX_KNOWN]]


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", identity(text))
    return "".join(one for one in letters if not unicodedata.combining(one))


def _operation(  # noqa: PLR0913, PLR0917 - what varies between two operations
    site: ClubSite,
    players: PlayerList,
    path: str,
    summary: str,
    read: Read,
    query: Mapping[str, Schema] = NO_QUERY,
    errors: tuple[int, ...] = (503,),
) -> Operation:
    async def handle(request: ValidRequest) -> ASGIApp:
        now = site.now()

        def document(connection: "Connection") -> bytes:
            found = players.read(connection, now, request.query.get("rules", ""))
            return json_bytes(read(connection, players, found, request))

        body = await site.games.read(document)
        return compressed(json_bytes_response(body), request.source)

    return Operation("GET", path, summary, handle, query, error_statuses=errors)


def _players(
    _connection: "Connection",
    _all: PlayerList,
    players: Mapping[str, Player],
    _request: ValidRequest,
) -> Any:
    return {"players": [player_document(player) for player in by_rating(players.values())]}


def _player(
    connection: "Connection",
    all_players: PlayerList,
    players: Mapping[str, Player],
    request: ValidRequest,
) -> Any:
    name = request.query.get("name", "")
    player = players.get(identity(name))
    if player is None:
        message = f"There is no player {name!r} with a verified game and a published name."
        raise NotFoundError(message)
    points = {} if player.history is None else player.history.points
    words = words_of(request.source)
    return {
        **player_document(player),
        "weeks": [
            {"monday": monday_of(week).isoformat(), **rating_document(rating)}
            for week, rating in points.items()
        ],
        "rule_sets": [
            {**player_document(one), "rules": rules, "name": words.rules(rules)}
            for rules, one in all_players.by_rules(identity(name)).items()
        ],
        "review": review_document(reviews_of(connection, player.spellings), words),
        "opponents": [
            {"name": players[opponent].name, **tally_document(tally)}
            for opponent, tally in sorted(
                player.opponents.items(), key=lambda item: (-_games(item[1]), item[0])
            )
        ],
    }


def _games(tally: Tally) -> int:
    return tally.won + tally.drawn + tally.lost


def player_document(player: Player) -> dict[str, Any]:
    rating = player.rating
    return {
        "name": player.name,
        "games": player.games,
        "rated": player.rated,
        "last": player.last.isoformat(),
        "rating": None if rating is None else rating_document(rating),
        **tally_document(player.tally),
    }


def review_document(figures: ReviewFigures, words: Words) -> dict[str, Any]:
    """A player's luck and loss for JSON, in the words of a table's statistics."""
    return {
        "about": reviewed_of(figures, words),
        "figures": review_of_player(figures.all, words) if figures.games else [],
        "notes": review_notes_of(figures, words),
    }


def rating_document(rating: Rating) -> dict[str, Any]:
    """A rating for JSON, in whole points."""
    return {
        "value": round(rating.value),
        "deviation": round(rating.deviation),
        "provisional": rating.deviation > PROVISIONAL,
    }


def tally_document(tally: Tally) -> dict[str, int]:
    """Return counted games for JSON."""
    return {"won": tally.won, "drawn": tally.drawn, "lost": tally.lost}
