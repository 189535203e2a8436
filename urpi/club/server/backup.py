"""Backups of the club's database, by PostgreSQL's own programs."""

import os
import shutil
import subprocess
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from urpi.club.server.database import connect
from urpi.club.server.last_backup import note_backup
from urpi.club.server.migrations import migrate
from urpi.core.atomic_file import draft_of
from urpi.core.errors import UrpiError

_NAME: Final = "club-"
_STAMP: Final = "????-??-??-??????"
_SUFFIX: Final = ".backup"
_PACKAGE: Final = "postgresql-client"
"""The Debian package with `pg_dump`, `pg_restore` and `psql`."""
# There may be database tables that did not exist yet when the backup was written. A partition is
# dropped with its table.
_DROP_ALL: Final = """
DO $$
DECLARE found record;
BEGIN
    FOR found IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('DROP TABLE IF EXISTS public.%I CASCADE', found.tablename);
    END LOOP;
    -- The functions of triggers, but not those of extensions.
    FOR found IN SELECT oid::regprocedure AS name FROM pg_proc p
        WHERE pronamespace = 'public'::regnamespace
            AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e') LOOP
        EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', found.name);
    END LOOP;
END $$
"""


def back_up_in(database: str, folder: Path, keep: int, now: datetime) -> Path:
    """Write a new backup in a folder, remove the oldest ones there, and return its path.

    The club reports if this fails, or happens no longer.

    Args:
        database: The database's URL.
        folder: The folder; files with other names remain in it.
        keep: How many backups remain, at least 1.
        now: The local time, for the name.

    Raises:
        UrpiError: As `back_up`, and if an old backup cannot be removed. Nothing is removed unless
            the new one is complete.
    """
    path = folder / f"{_NAME}{now:%Y-%m-%d-%H%M%S}{_SUFFIX}"
    try:
        back_up(database, path)
        _remove_oldest(path, keep)
    except UrpiError as error:
        note_backup(database, str(error))
        raise
    note_backup(database)
    return path


def _remove_oldest(path: Path, keep: int) -> None:
    # The names sort by time, unless the clock was wrong; the new one remains in any case.
    others = sorted(one for one in path.parent.glob(f"{_NAME}{_STAMP}{_SUFFIX}") if one != path)
    for one in others[: max(0, len(others) + 1 - keep)]:
        try:
            one.unlink()
        except OSError as error:
            message = f"{one} cannot be removed: {error.strerror}."
            raise UrpiError(message) from error


def back_up(database: str, path: Path) -> None:
    """Write a consistent snapshot of the database to a new file, and read it again.

    The club may run meanwhile.

    Args:
        database: The database's URL.
        path: The file.

    Raises:
        UrpiError: If the file exists, or it cannot be written. Then there is no file.
    """
    # Not replaced: it may be the only backup.
    if os.path.lexists(path):
        message = f"{path} exists; give the name of a new file."
        raise UrpiError(message)
    _check(database)
    try:
        with draft_of(path, mode=0o600) as draft:
            _run(
                "The database cannot be written to a backup",
                ("pg_dump", "--format=custom", "--no-owner", f"--file={draft}", database),
            )
            # The disk may have kept less than it accepted.
            _run(f"{path} cannot be read again", ("pg_restore", "--file=/dev/null", str(draft)))
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}."
        raise UrpiError(message) from error


def restore(database: str, path: Path) -> None:
    """Replace everything in the database by a backup, all of it or nothing.

    A backup of an earlier version of the program is upgraded.

    Args:
        database: The database's URL.
        path: A file that `back_up` has written.

    Raises:
        UrpiError: If the file cannot be read or is no backup, or the database cannot be used.
    """
    if not path.is_file():
        message = f"{path} is not a file; give one that `urpi club backup` has written."
        raise UrpiError(message)
    _check(database)
    # In two steps, so that a file that is no backup is noticed before anything is dropped.
    with TemporaryDirectory() as folder:
        script = Path(folder) / "backup.sql"
        _run(
            f"{path} is not a backup that can be restored",
            ("pg_restore", "--no-owner", f"--file={script}", str(path)),
        )
        # psql, not pg_restore: only psql drops and restores in one transaction.
        options = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1")
        _run(
            f"{path} cannot be restored, and the database is unchanged",
            (
                *("psql", *options, f"--dbname={database}"),
                *(f"--command={_DROP_ALL}", f"--file={script}"),
            ),
        )
    with connect(database) as connection:
        migrate(connection)
        # The file is a backup of what the database contains now, if there are backups every night.
        connection.execute("UPDATE last_backup SET written = now(), problem = ''")


def _check(database: str) -> None:
    """Check that the database can be used, and that no pooler is between it and this program.

    `pg_dump` and `psql` change settings of their session, which others of the pooler would get.
    """
    with connect(database) as connection:
        (pid,) = connection.execute("SELECT pg_backend_pid()").fetchone() or (0,)
        # A pooler answers a connection with a number of its own.
        if pid != connection.info.backend_pid:
            message = (
                "The club's database is reached through a pooler, which backups cannot use; set "
                "`database` in [club_server] to PostgreSQL itself for this command."
            )
            raise UrpiError(message)


def _run(failure: str, command: tuple[str, ...]) -> None:
    """Run one of PostgreSQL's programs; `failure` begins the message if it fails."""
    program, *arguments = command
    found = shutil.which(program)
    if found is None:
        message = f"{program} is not installed; on Debian run `sudo apt install {_PACKAGE}`."
        raise UrpiError(message)
    ran = subprocess.run(  # noqa: S603 - PostgreSQL's programs, without a shell
        [found, *arguments], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    if ran.returncode:
        reason = " ".join(ran.stderr.split())[:500] or f"exit status {ran.returncode}"
        message = f"{failure}: {reason.removesuffix('.')}."
        raise UrpiError(message)
