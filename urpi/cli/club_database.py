"""The club's database, for the commands that change it.

It is a module of its own, so that no command of a table, nor a test of one, depends on the club.
"""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from urpi.cli.options import settings_of

if TYPE_CHECKING:
    from psycopg import Connection


@contextlib.contextmanager
def club_database(ctx: click.Context) -> "Iterator[Connection]":
    """Yield a connection to the database of the configuration, migrated to this version."""
    from urpi.club.server.database import connect
    from urpi.club.server.migrations import migrate

    with contextlib.closing(connect(settings_of(ctx).config.club_server.database)) as connection:
        migrate(connection)
        yield connection
