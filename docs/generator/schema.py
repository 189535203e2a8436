"""The page of the journal's tables, read from a database that the migrations create."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from textwrap import dedent
from typing import Final

from docs.generator import markdown
from urpi.journal.migrations import newest_version
from urpi.journal.schema import migrate

_INTRODUCTION: Final = """\
The tables of version {version} (`PRAGMA user_version`), which `urpi.journal.migrations` creates.
[The journal](journal.md#the-file) describes their content and how lines are packed; the lines are
[the events](../design/FORMATS.md#event-stream)."""
_APPEND_ONLY: Final = """\
The rows of {tables} are never changed: triggers prevent every UPDATE and DELETE."""


def page() -> str:
    """Return the content of docs/reference/journal-schema.md."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        migrate(db)
        return markdown.page(
            "The journal's tables",
            "urpi/journal/migrations.py",
            _INTRODUCTION.format(version=newest_version()),
            *(f"## {name}\n\n```sql\n{sql}\n```" for name, sql in _tables(db)),
            "## Append-only tables",
            _APPEND_ONLY.format(tables=", ".join(f"`{name}`" for name in _guarded(db))),
        )


def _tables(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    found = db.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid"
    )
    for name, sql in found:
        head, _, rest = sql.partition("\n")
        yield name, f"{head}\n{dedent(rest).rstrip()}" if rest else head


def _guarded(db: sqlite3.Connection) -> Iterator[str]:
    """Yield the tables with a trigger against UPDATE and one against DELETE."""
    found = db.execute(
        "SELECT tbl_name FROM sqlite_schema WHERE type = 'trigger' GROUP BY tbl_name"
        " HAVING sum(name LIKE '%_not_UPDATE') AND sum(name LIKE '%_not_DELETE') ORDER BY tbl_name"
    )
    for (name,) in found:
        yield name
