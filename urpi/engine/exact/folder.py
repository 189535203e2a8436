"""The folder of the installed tables.

Separate from `urpi.engine.exact.installed`, because the service and the page forward the folder to
other processes, and do not import the engine.
"""

from pathlib import Path


def tables_folder(journal: Path) -> Path:
    """Return the folder of the installed tables, which need not exist, beside a journal.

    >>> tables_folder(Path("/var/lib/urpi/journal.db")).as_posix()
    '/var/lib/urpi/tables'
    """
    return journal.parent / "tables"
