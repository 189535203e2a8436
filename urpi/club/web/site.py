"""The site of a club: everything that its request handlers need."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.requests import Request

from urpi.club.server.database import DatabaseError, connect
from urpi.club.server.receiver import Received
from urpi.club.web.wall import Wall
from urpi.config import ClubServerSection
from urpi.core.supervision import Fault, faults
from urpi.http.access import Access
from urpi.http.guarded_site import GuardedSite
from urpi.http.hosts import AllowedHosts, own_names
from urpi.http.limits import default_limits
from urpi.http.proxies import ProxySettings, PublicUrl
from urpi.http.reader import Reader, UnavailableError
from urpi.http.static_files import read_files
from urpi.page.site import STATIC
from urpi.page.templates import with_parts
from urpi.show.words import Words, best_language, languages, words_for

if TYPE_CHECKING:
    from psycopg import Connection

DEFAULT_LANGUAGE: Final = "en"
NO_TABLES: Final = Path("/nonexistent")
"""A folder without tables of exact values."""
QUERY_MS: Final = 5000
"""Timeout for one query of the database."""


class StoredSessions(Access):
    """Sessions that are stored in the database.

    The guard requires a token. Whose it is, and what the user may do, is decided by the operation
    (`urpi.club.web.logins`), because the guard must not wait for a database.
    """

    def is_valid(self, token: str) -> bool:
        """Whether there is a token at all."""
        return bool(token)


@dataclass(slots=True, kw_only=True)
class ClubSite(GuardedSite):
    """The page of a club, which everyone may watch; users with a role also act on it.

    Attributes:
        wall: The live tables.
        games: The reader of the database.
        changes: Makes changes to the database, one after the other.
        now: Returns the time, with the offset from UTC.
        tables: The folder of the tables of exact values, for reviews.
        received: Returns what became of the messages of tables.
        faults: Returns the faults of the program's parts.
    """

    wall: Wall
    games: "Reader[Connection]"
    changes: "Reader[Connection]"
    now: Callable[[], datetime]
    tables: Path
    received: Callable[[], Received] = Received
    faults: Callable[[], tuple[Fault, ...]] = faults
    section: str = "club_server"
    no_session: str = "Log in first."


def make_site(
    settings: ClubServerSection,
    wall: Wall,
    tables: Path = NO_TABLES,
    received: Callable[[], Received] = Received,
) -> ClubSite:
    """Create the site of a club as configured.

    Args:
        settings: The configuration.
        wall: The live tables.
        tables: The folder of the tables of exact values, which need not exist.
        received: Returns what became of the messages of tables.
    """
    database = settings.database
    public_url = PublicUrl.parse(settings.public_url) if settings.public_url else None
    return ClubSite(
        wall=wall,
        games=Reader("club-reader", lambda: reading(database)),
        changes=Reader("club-changes", lambda: changing(database)),
        now=lambda: datetime.now(UTC),
        tables=tables,
        received=received,
        files=with_parts(read_files(STATIC)),
        # No operation accepts the PIN, and it is never shown.
        access=StoredSessions(),
        hosts=AllowedHosts.of(own_names(), settings.names),
        limits=default_limits(),
        proxy=ProxySettings(public_url),
    )


def words_of(request: Request) -> Words:
    """Return the language that a browser prefers; a club has none of its own."""
    header = request.headers.get("accept-language", "")
    return words_for(best_language(header, languages()) or DEFAULT_LANGUAGE)


@contextmanager
def reading(database: str) -> "Iterator[Connection]":
    """Open a database for one read.

    Raises:
        UnavailableError: If it does not respond, or a query takes too long.
    """
    with changing(database) as connection:
        # So that an error of the page's program, or an injected statement, changes nothing.
        connection.execute("SET TRANSACTION READ ONLY")
        yield connection


@contextmanager
def changing(database: str) -> "Iterator[Connection]":
    """Open a database for one change, a transaction.

    Its settings end with it: a pooler may give the session to any other connection then.

    Raises:
        UnavailableError: If it does not respond, or a query takes too long.
    """
    from psycopg import Error  # noqa: PLC0415 - an extra

    try:
        with closing(connect(database)) as connection, connection.transaction():
            connection.execute(f"SET LOCAL statement_timeout = {QUERY_MS}")
            # PostgreSQL would compile queries whose rows it overestimates, for seconds.
            connection.execute("SET LOCAL jit = off")
            yield connection
    except (DatabaseError, Error) as error:
        # The log of the receiver has the reason, which may name the database's host.
        message = "The club's database does not respond; try again in a minute."
        raise UnavailableError(message) from error
