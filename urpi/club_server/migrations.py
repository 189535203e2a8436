"""The club's tables in PostgreSQL, as the numbered migrations that create and upgrade them.

A released migration is never changed. Every key begins with the id of a table, by which the data
can be distributed over several servers.
"""

from typing import TYPE_CHECKING, Final

from urpi.errors import UrpiError

if TYPE_CHECKING:
    from psycopg import Connection

_LOCK: Final = int.from_bytes(b"urpi", "big")
"""The advisory lock under which migrations run."""

MIGRATIONS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE tables (
        id text PRIMARY KEY,
        first_message timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE histories (
        table_id text NOT NULL REFERENCES tables,
        id bigint GENERATED ALWAYS AS IDENTITY,
        key text NOT NULL,
        game bigint NOT NULL,
        started timestamptz NOT NULL,
        head jsonb NOT NULL,
        names jsonb NOT NULL,
        lines bigint NOT NULL,
        chain text NOT NULL,
        finished text,
        current boolean NOT NULL,
        received timestamptz NOT NULL DEFAULT now(),
        verdict text CHECK (verdict IN ('verified', 'differs', 'invalid', 'pruned')),
        verdict_text text NOT NULL DEFAULT '',
        PRIMARY KEY (table_id, id)
    );
    CREATE INDEX histories_by_key ON histories (table_id, key);
    CREATE INDEX histories_by_start ON histories (started);
    CREATE INDEX histories_to_verify ON histories (received)
        WHERE finished IS NOT NULL AND verdict IS NULL;
    CREATE TABLE batches (
        table_id text NOT NULL,
        history bigint NOT NULL,
        first bigint NOT NULL,
        last bigint NOT NULL,
        before text NOT NULL,
        lines text NOT NULL,
        received timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (table_id, history, first),
        FOREIGN KEY (table_id, history) REFERENCES histories
    );
    """,
    """
    -- Names of players who agree that the club shows them. They are deleted when they no longer do.
    CREATE TABLE names (
        table_id text NOT NULL REFERENCES tables,
        key text NOT NULL,
        side text NOT NULL CHECK (side IN ('light', 'dark')),
        name text NOT NULL,
        PRIMARY KEY (table_id, key, side)
    );
    INSERT INTO names
        SELECT DISTINCT ON (table_id, histories.key, each.key)
            table_id, histories.key, each.key, each.value
        FROM histories, jsonb_each_text(names) AS each
        ORDER BY table_id, histories.key, each.key, id;
    ALTER TABLE histories DROP COLUMN names;
    """,
    """
    -- How a game ended. The verifier stores it, again for the games that it had verified.
    ALTER TABLE histories
        ADD COLUMN result text CHECK (result IN ('light', 'dark', 'draw', 'abandoned'));
    UPDATE histories SET verdict = NULL, verdict_text = '';
    CREATE INDEX histories_by_id ON histories (id);
    DROP INDEX histories_by_start;
    CREATE INDEX histories_by_start ON histories (started, id);
    """,
)


def migrate(connection: "Connection") -> None:
    """Create the club's tables, or upgrade them to the newest version, in one transaction.

    Raises:
        UrpiError: If the database belongs to a newer version of the program.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)")
        row = connection.execute("SELECT version FROM schema_version").fetchone()
        version = 0 if row is None else int(row[0])
        if version > len(MIGRATIONS):
            message = (
                f"The club's database has version {version}, and this program supports versions up "
                f"to {len(MIGRATIONS)}; install a newer urpi."
            )
            raise UrpiError(message)
        for migration in MIGRATIONS[version:]:
            connection.execute(migration.encode())
        if row is None:
            connection.execute("INSERT INTO schema_version VALUES (%s)", (len(MIGRATIONS),))
        else:
            connection.execute("UPDATE schema_version SET version = %s", (len(MIGRATIONS),))
