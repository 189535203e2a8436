"""The club's database tables, as the numbered migrations that create and upgrade them.

A released migration is never changed. Every key begins with the id of a table, by which the data
can be distributed over several servers. The lines of old games may have been removed, so a verdict
that is not empty must be kept: it cannot be found again.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from urpi.club.server.entered_names_schema import ENTERED_NAMES
from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from psycopg import Connection

_LOCK: Final = int.from_bytes(b"urpi", "big")
"""The advisory lock under which migrations run."""

FIRST_VERSION: Final = 12
"""The version that the first migration creates; those before belonged to no release."""
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
        lines bigint NOT NULL,
        chain text NOT NULL,
        finished text,
        current boolean NOT NULL,
        received timestamptz NOT NULL DEFAULT now(),
        verdict text CHECK (verdict IN ('verified', 'differs', 'invalid', 'pruned')),
        verdict_text text NOT NULL DEFAULT '',
        -- How the game ended, and whether it counts for the ratings. The verifier stores both.
        result text CHECK (result IN ('light', 'dark', 'draw', 'abandoned')),
        rated boolean NOT NULL DEFAULT false,
        -- The luck and loss of both sides (`urpi.journal.stats.review_values`), the JSON value null
        -- for a game that cannot be reviewed, and no value before.
        review jsonb,
        -- A game of two tables, of which each sends a copy: its id, the other table, and the side
        -- that was played at this one.
        shared_id text,
        shared_table text,
        shared_side text CHECK (shared_side IN ('light', 'dark')),
        -- The month (UTC) in which the club began to store it. Lines are partitioned by it.
        month date NOT NULL
            GENERATED ALWAYS AS (date_trunc('month', received AT TIME ZONE 'UTC')::date) STORED,
        PRIMARY KEY (table_id, id),
        UNIQUE (table_id, id, month)
    );
    CREATE INDEX histories_by_key ON histories (table_id, key);
    CREATE INDEX histories_by_id ON histories (id);
    CREATE INDEX histories_by_start ON histories (started, id);
    CREATE INDEX histories_to_verify ON histories (received)
        WHERE finished IS NOT NULL AND verdict IS NULL;
    CREATE INDEX verified_histories ON histories (started, id)
        WHERE current AND verdict = 'verified';
    CREATE INDEX histories_to_review ON histories (received)
        WHERE current AND verdict = 'verified' AND result != 'abandoned' AND review IS NULL;
    CREATE INDEX shared_histories ON histories (shared_id) WHERE shared_id IS NOT NULL;
    CREATE TABLE batches (
        table_id text NOT NULL,
        history bigint NOT NULL,
        month date NOT NULL,
        first bigint NOT NULL,
        last bigint NOT NULL,
        before text NOT NULL,
        lines text NOT NULL,
        received timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (table_id, history, first, month),
        -- Each history has one month, so that the key is unique in all partitions together.
        FOREIGN KEY (table_id, history, month) REFERENCES histories (table_id, id, month)
    ) PARTITION BY RANGE (month);
    CREATE TABLE batches_default PARTITION OF batches DEFAULT;
    -- Names of players who agree that the club shows them. They are deleted when they no longer do.
    CREATE TABLE names (
        table_id text NOT NULL REFERENCES tables,
        key text NOT NULL,
        side text NOT NULL CHECK (side IN ('light', 'dark')),
        name text NOT NULL,
        PRIMARY KEY (table_id, key, side)
    );
    -- Every verified game once. A game of two tables is rated if both copies agree, and has each
    -- player's name from the table at which the player sat.
    CREATE VIEW counted_games AS
        SELECT h.table_id, h.id, least(h.started, other.started) AS started, h.head, h.result,
            h.rated AND (h.shared_id IS NULL OR other.id IS NOT NULL) AS rated,
            light.name AS light, dark.name AS dark, h.shared_id
        FROM histories h
        LEFT JOIN histories other
            ON (other.shared_id, other.table_id, other.shared_table)
                = (h.shared_id, h.shared_table, h.table_id)
            AND other.shared_side != h.shared_side
            AND other.current AND other.rated AND h.rated AND other.result = h.result
            AND other.head->>'rules' = h.head->>'rules'
        LEFT JOIN names light
            ON light.table_id
                = CASE h.shared_side WHEN 'dark' THEN other.table_id ELSE h.table_id END
            AND light.key = CASE h.shared_side WHEN 'dark' THEN other.key ELSE h.key END
            AND light.side = 'light'
        LEFT JOIN names dark
            ON dark.table_id
                = CASE h.shared_side WHEN 'light' THEN other.table_id ELSE h.table_id END
            AND dark.key = CASE h.shared_side WHEN 'light' THEN other.key ELSE h.key END
            AND dark.side = 'dark'
        WHERE h.current AND h.verdict = 'verified'
            AND (other.id IS NULL OR h.shared_side = 'light');
    -- Tournaments. There are few of them, so these keys contain no table's id.
    CREATE TABLE tournaments (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        format text NOT NULL CHECK (format IN ('round-robin', 'swiss', 'knockout')),
        rules text,
        rounds integer NOT NULL,
        tie_breaks text[] NOT NULL,
        created timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE tournament_players (
        tournament bigint NOT NULL REFERENCES tournaments ON DELETE CASCADE,
        number integer NOT NULL,
        name text NOT NULL,
        withdrawn boolean NOT NULL DEFAULT false,
        PRIMARY KEY (tournament, number)
    );
    CREATE TABLE tournament_rounds (
        tournament bigint NOT NULL REFERENCES tournaments ON DELETE CASCADE,
        round integer NOT NULL,
        started timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tournament, round)
    );
    CREATE TABLE pairings (
        tournament bigint NOT NULL,
        round integer NOT NULL,
        board integer NOT NULL,
        light integer NOT NULL,
        dark integer,
        result text CHECK (result IN ('light', 'dark', 'draw', 'none')),
        played boolean NOT NULL DEFAULT true,
        -- The id of the history whose result it is.
        game bigint,
        PRIMARY KEY (tournament, round, board),
        FOREIGN KEY (tournament, round) REFERENCES tournament_rounds ON DELETE CASCADE
    );
    CREATE INDEX open_pairings ON pairings (tournament) WHERE result IS NULL;
    -- The users of the page, who are few, and their sessions. A session's token is not stored, but
    -- its SHA-256; a password is stored as its Argon2id hash.
    CREATE TABLE users (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        identity text NOT NULL UNIQUE,
        role text NOT NULL CHECK (role IN ('arbiter', 'admin')),
        password text NOT NULL,
        created timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE sessions (
        token bytea PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        created timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX sessions_by_user ON sessions (user_id);
    -- Results that were entered by hand, with the user's name; empty for the command line.
    CREATE TABLE entered_results (
        tournament bigint NOT NULL REFERENCES tournaments ON DELETE CASCADE,
        id bigint GENERATED ALWAYS AS IDENTITY,
        round integer NOT NULL,
        board integer NOT NULL,
        before text,
        result text,
        user_name text NOT NULL,
        reason text NOT NULL,
        entered timestamptz NOT NULL DEFAULT now(),
        -- Whether the results are those of games. 0 - 0 is none: nobody came.
        played boolean NOT NULL DEFAULT true,
        before_played boolean NOT NULL DEFAULT true,
        -- The whole round was removed; the board has no meaning.
        removed boolean NOT NULL DEFAULT false,
        PRIMARY KEY (tournament, id)
    );
    -- Devices on which users have logged in, by the hash of a token.
    CREATE TABLE devices (
        token bytea PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        used timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX devices_by_user ON devices (user_id, used);
    -- Equal events of one hour are one entry. There are no references: users may be removed.
    CREATE TABLE security_log (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        hour timestamptz NOT NULL,
        last timestamptz NOT NULL DEFAULT now(),
        event text NOT NULL,
        who text NOT NULL,
        address text NOT NULL,
        by_user text NOT NULL,
        about text NOT NULL,
        count bigint NOT NULL,
        UNIQUE (hour, event, who, address, by_user)
    );
    CREATE INDEX security_log_by_time ON security_log (last);
    """,
    """
    -- Verified games are checked again every night; `altered` were changed in the database since.
    ALTER TABLE histories ADD checked timestamptz NOT NULL DEFAULT 'epoch';
    ALTER TABLE histories DROP CONSTRAINT histories_verdict_check;
    ALTER TABLE histories ADD CONSTRAINT histories_verdict_check
        CHECK (verdict IN ('verified', 'differs', 'invalid', 'pruned', 'altered'));
    CREATE INDEX histories_to_check ON histories (checked)
        WHERE verdict IN ('verified', 'altered');
    """,
    """
    -- The rounds, from 0, in which a player has asked for a bye.
    ALTER TABLE tournament_players ADD COLUMN byes integer[] NOT NULL DEFAULT '{}';
    -- A pairing that was changed by hand, in place of a result: the pairings before and after, each
    -- as the numbers of its players.
    ALTER TABLE entered_results ADD COLUMN pairings jsonb;
    """,
    """
    -- `contested`: the copies of a game of two tables, each verified, end differently.
    ALTER TABLE histories DROP CONSTRAINT histories_verdict_check;
    ALTER TABLE histories ADD CONSTRAINT histories_verdict_check CHECK
        (verdict IN ('verified', 'differs', 'invalid', 'pruned', 'altered', 'contested'));
    DROP INDEX histories_to_check;
    CREATE INDEX histories_to_check ON histories (checked)
        WHERE verdict IN ('verified', 'altered', 'contested');
    """,
    """
    -- When tables were connected to the broker. The table '' is the club itself, which knew nothing
    -- before.
    CREATE TABLE presence (
        table_id text NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        online boolean NOT NULL
    );
    CREATE INDEX presence_by_time ON presence (table_id, at);
    -- Of a copy that its own side ended by a claim: what the club finds about it, and the key of
    -- the other table's copy, which may have no end and has the name of its player.
    ALTER TABLE histories ADD claim text
        CHECK (claim IN ('confirmed', 'unknown', 'contradicted'));
    ALTER TABLE histories ADD claim_text text NOT NULL DEFAULT '';
    ALTER TABLE histories ADD claim_key text;
    CREATE OR REPLACE VIEW counted_games AS
        SELECT h.table_id, h.id, least(h.started, other.started) AS started, h.head, h.result,
            h.rated AND (h.shared_id IS NULL OR other.id IS NOT NULL
                OR h.claim IS NOT DISTINCT FROM 'confirmed') AS rated,
            light.name AS light, dark.name AS dark, h.shared_id
        FROM histories h
        LEFT JOIN histories other
            ON (other.shared_id, other.table_id, other.shared_table)
                = (h.shared_id, h.shared_table, h.table_id)
            AND other.shared_side != h.shared_side
            AND other.current AND other.rated AND h.rated AND other.result = h.result
            AND other.head->>'rules' = h.head->>'rules'
        LEFT JOIN names light
            ON light.table_id
                = CASE h.shared_side WHEN 'dark' THEN h.shared_table ELSE h.table_id END
            AND light.key = CASE h.shared_side
                WHEN 'dark' THEN coalesce(other.key, h.claim_key) ELSE h.key END
            AND light.side = 'light'
        LEFT JOIN names dark
            ON dark.table_id
                = CASE h.shared_side WHEN 'light' THEN h.shared_table ELSE h.table_id END
            AND dark.key = CASE h.shared_side
                WHEN 'light' THEN coalesce(other.key, h.claim_key) ELSE h.key END
            AND dark.side = 'dark'
        WHERE h.current AND h.verdict = 'verified'
            AND (other.id IS NULL OR h.shared_side = 'light');
    """,
    """
    -- Which games may count differently since, by the transaction that changed them: the key of a
    -- game at its table, and the identity of a game of two tables, whose other copies may, too.
    CREATE TABLE changed_games (
        table_id text NOT NULL,
        key text NOT NULL,
        shared_id text,
        change xid8 NOT NULL DEFAULT pg_current_xact_id()
    );
    CREATE INDEX changed_games_by_change ON changed_games (change);
    CREATE INDEX histories_by_claim_key ON histories (shared_table, claim_key)
        WHERE claim_key IS NOT NULL;
    CREATE FUNCTION note_changed_history() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO changed_games (table_id, key, shared_id)
        SELECT NEW.table_id, NEW.key, NEW.shared_id UNION
        SELECT NEW.table_id, NEW.key, OLD.shared_id;
        RETURN NULL;
    END $$;
    CREATE FUNCTION note_changed_name() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO changed_games (table_id, key)
        SELECT coalesce(NEW.table_id, OLD.table_id), coalesce(NEW.key, OLD.key);
        RETURN NULL;
    END $$;
    CREATE TRIGGER new_history AFTER INSERT ON histories FOR EACH ROW
        WHEN (NEW.verdict IS NOT NULL) EXECUTE FUNCTION note_changed_history();
    CREATE TRIGGER changed_history
        AFTER UPDATE OF current, verdict, result, rated, shared_id, claim, claim_key ON histories
        FOR EACH ROW WHEN (
            (OLD.current, OLD.verdict, OLD.result, OLD.rated, OLD.shared_id, OLD.claim,
                OLD.claim_key)
            IS DISTINCT FROM
            (NEW.current, NEW.verdict, NEW.result, NEW.rated, NEW.shared_id, NEW.claim,
                NEW.claim_key))
        EXECUTE FUNCTION note_changed_history();
    CREATE TRIGGER changed_name AFTER INSERT OR UPDATE OR DELETE ON names FOR EACH ROW
        EXECUTE FUNCTION note_changed_name();
    """,
    """
    -- What arbiters have decided: a game that does not count for ratings, and a side that is that
    -- of another player with a published name.
    ALTER TABLE histories ADD excluded boolean NOT NULL DEFAULT false;
    ALTER TABLE names ADD moved text; CREATE INDEX names_by_name ON names (name);
    CREATE INDEX moved_names ON names (moved) WHERE moved IS NOT NULL;
    CREATE VIEW shown_names AS
        SELECT table_id, key, side, coalesce(moved, name) AS name FROM names n
        WHERE moved IS NULL OR EXISTS (SELECT FROM names o WHERE o.name = n.moved);
    CREATE OR REPLACE VIEW counted_games AS
        SELECT h.table_id, h.id, least(h.started, other.started) AS started, h.head, h.result,
            h.rated AND NOT h.excluded AND other.excluded IS NOT TRUE
                AND (h.shared_id IS NULL OR other.id IS NOT NULL
                    OR h.claim IS NOT DISTINCT FROM 'confirmed') AS rated,
            light.name AS light, dark.name AS dark, h.shared_id
        FROM histories h
        LEFT JOIN histories other
            ON (other.shared_id, other.table_id, other.shared_table)
                = (h.shared_id, h.shared_table, h.table_id)
            AND other.shared_side != h.shared_side
            AND other.current AND other.rated AND h.rated AND other.result = h.result
            AND other.head->>'rules' = h.head->>'rules'
        LEFT JOIN shown_names light
            ON light.table_id
                = CASE h.shared_side WHEN 'dark' THEN h.shared_table ELSE h.table_id END
            AND light.key = CASE h.shared_side
                WHEN 'dark' THEN coalesce(other.key, h.claim_key) ELSE h.key END
            AND light.side = 'light'
        LEFT JOIN shown_names dark
            ON dark.table_id
                = CASE h.shared_side WHEN 'light' THEN h.shared_table ELSE h.table_id END
            AND dark.key = CASE h.shared_side
                WHEN 'light' THEN coalesce(other.key, h.claim_key) ELSE h.key END
            AND dark.side = 'dark'
        WHERE h.current AND h.verdict = 'verified'
            AND (other.id IS NULL OR h.shared_side = 'light');
    CREATE OR REPLACE FUNCTION note_changed_name() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO changed_games (table_id, key)
        SELECT coalesce(NEW.table_id, OLD.table_id), coalesce(NEW.key, OLD.key) UNION
        SELECT table_id, key FROM names WHERE moved = coalesce(NEW.name, OLD.name);
        RETURN NULL;
    END $$;
    CREATE TRIGGER excluded_history AFTER UPDATE OF excluded ON histories
        FOR EACH ROW EXECUTE FUNCTION note_changed_history();
    """,
    "ALTER TABLE histories ADD dice jsonb -- the faces of each die (urpi.club.server.dice)",
    "CREATE TABLE last_backup (one bool UNIQUE DEFAULT true, written timestamptz, problem text)",
    ENTERED_NAMES,
    "ALTER TABLE tournaments ADD third_place boolean NOT NULL DEFAULT false",
    """
    -- The table at which a pairing plays.
    ALTER TABLE pairings ADD table_id text;
    CREATE INDEX pairings_at_tables ON pairings (table_id)
        WHERE table_id IS NOT NULL AND result IS NULL;
    -- For the blocks of games that a table compares.
    CREATE INDEX histories_by_game ON histories (table_id, game);
    """,
    """
    -- The number of games of each pairing. Several are a match, whose result is in `pairings`.
    ALTER TABLE tournaments ADD COLUMN games integer NOT NULL DEFAULT 1;
    CREATE TABLE match_games (
        tournament bigint NOT NULL,
        round integer NOT NULL,
        board integer NOT NULL,
        -- From 0; a game without a result has no row.
        number integer NOT NULL,
        light integer NOT NULL,
        dark integer NOT NULL,
        result text NOT NULL CHECK (result IN ('light', 'dark', 'draw', 'none')),
        played boolean NOT NULL DEFAULT true,
        -- The id of the history whose result it is.
        game bigint,
        PRIMARY KEY (tournament, round, board, number),
        FOREIGN KEY (tournament, round, board) REFERENCES pairings ON DELETE CASCADE
    );
    CREATE INDEX match_games_by_game ON match_games (game) WHERE game IS NOT NULL;
    -- The game of a match, from 0; none for the whole match, or a pairing of one game.
    ALTER TABLE entered_results ADD COLUMN match_game integer;
    """,
    """
    -- Tournaments of teams: the number of boards, 0 without teams, and the players' teams.
    ALTER TABLE tournaments ADD COLUMN boards integer NOT NULL DEFAULT 0;
    CREATE TABLE tournament_teams (
        tournament bigint NOT NULL REFERENCES tournaments ON DELETE CASCADE,
        number integer NOT NULL,
        name text NOT NULL,
        PRIMARY KEY (tournament, number)
    );
    ALTER TABLE tournament_players ADD COLUMN team integer;
    """,
)
VERSION: Final = FIRST_VERSION + len(MIGRATIONS) - 1
"""The version of the database."""


def migrate(connection: "Connection", migrations: Sequence[str] = MIGRATIONS) -> None:
    """Create the club's tables, or upgrade them to the newest version, in one transaction.

    Args:
        connection: The database.
        migrations: All migrations, the first one to `FIRST_VERSION`. Defaults to the program's own.

    Raises:
        UrpiError: If the database belongs to a newer version of the program.
    """
    with connection.transaction():
        # Several processes of a club may start at once.
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)")
        row = connection.execute("SELECT version FROM schema_version").fetchone()
        version = 0 if row is None else int(row[0])
        newest = FIRST_VERSION + len(migrations) - 1
        if version > newest:
            known = f"and this program supports versions up to {newest}"
            message = f"The club's database has version {version}, {known}; install a newer urpi."
            raise UrpiError(message)
        if 0 < version < FIRST_VERSION:
            message = (
                f"The club's database has version {version}, which no release of urpi had; set "
                "`database` in [club_server] to an empty one."
            )
            raise UrpiError(message)
        for migration in migrations[max(version - FIRST_VERSION + 1, 0) :]:
            connection.execute(migration.encode())
        if version < newest:
            connection.execute("DELETE FROM schema_version")
            connection.execute("INSERT INTO schema_version VALUES (%s)", (newest,))
