"""The migration to version 21: names that are entered at tables, so that their games are rated."""

from typing import Final

ENTERED_NAMES: Final = """
    -- By which names at a table are compared. It does not depend on the language of the database.
    CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        AS $$ SELECT lower(name COLLATE "und-x-icu") $$;
    -- When games of a name at a table are rated; '*' is every name, or every table. The periods of
    -- one name at one table neither overlap nor touch.
    CREATE TABLE entered_names (
        table_id text NOT NULL,
        name text NOT NULL,
        since timestamptz NOT NULL,
        until timestamptz CHECK (until > since)
    );
    CREATE UNIQUE INDEX entered_names_by_key ON entered_names (table_id, name_key(name), since);
    -- The PINs with which players enter their own names, as Argon2id hashes.
    CREATE TABLE player_pins (
        identity text PRIMARY KEY,
        pin text NOT NULL
    );
    -- Whether the game has brought a result to a tournament, whose arbiter has entered both names.
    ALTER TABLE names ADD paired boolean NOT NULL DEFAULT false;
    CREATE INDEX names_by_key ON names (table_id, name_key(name));
    -- What is rated remains rated: every name is entered where it has verified games.
    INSERT INTO entered_names
        SELECT DISTINCT ON (n.table_id, name_key(n.name)) n.table_id, n.name, '-infinity'
        FROM names n JOIN histories h ON (h.table_id, h.key) = (n.table_id, n.key)
        WHERE h.current AND h.verdict = 'verified'
        ORDER BY n.table_id, name_key(n.name), h.id DESC;
    -- The time is that of the club: a table's clock shows what the table likes. Of the courses of a
    -- game, the current one counts, with which its table may have replaced an older one.
    CREATE OR REPLACE VIEW shown_names AS
        SELECT table_id, key, side, coalesce(moved, name) AS name,
            moved IS NOT NULL OR paired OR EXISTS (
                SELECT FROM histories h JOIN entered_names e
                    ON h.received >= e.since AND (e.until IS NULL OR h.received < e.until)
                WHERE (h.table_id, h.key) = (n.table_id, n.key) AND h.current
                    AND e.table_id IN (n.table_id, '*')
                    AND name_key(e.name) IN (name_key(n.name), '*')) AS entered
        FROM names n
        WHERE moved IS NULL OR EXISTS (SELECT FROM names o WHERE o.name = n.moved);
    CREATE OR REPLACE VIEW counted_games AS
        SELECT h.table_id, h.id, least(h.started, other.started) AS started, h.head, h.result,
            h.rated AND NOT h.excluded AND other.excluded IS NOT TRUE
                AND (h.shared_id IS NULL OR other.id IS NOT NULL
                    OR h.claim IS NOT DISTINCT FROM 'confirmed') AS rated,
            light.name AS light, dark.name AS dark, h.shared_id,
            light.entered AND dark.entered AS entered
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
    CREATE FUNCTION note_entered_name() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        changed entered_names := coalesce(NEW, OLD);
    BEGIN
        IF NEW IS NOT DISTINCT FROM OLD THEN
            RETURN NULL;
        END IF;
        INSERT INTO changed_games (table_id, key)
        SELECT table_id, key FROM names
        WHERE changed.table_id IN (table_id, '*')
            AND (changed.name = '*' OR name_key(name) = name_key(changed.name));
        RETURN NULL;
    END $$;
    CREATE TRIGGER changed_entered_name AFTER INSERT OR UPDATE OR DELETE ON entered_names
        FOR EACH ROW EXECUTE FUNCTION note_entered_name();
    """
