"""`urpi club join`: try this table's connection to a club, and store what the broker accepts."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import click

from urpi.config import LoadedConfig
from urpi.config.editing import check_writable, write_section
from urpi.config.keys import each_section
from urpi.config.sections import ClubSection, Config
from urpi.core.errors import UrpiError
from urpi.core.inputs import reason
from urpi.hardware.finding import Level
from urpi.install.doctor.findings.club import broker_findings
from urpi.install.doctor.probes.broker import broker


def join_club(loaded: LoadedConfig, section: ClubSection, *, force: bool) -> None:
    """Try the connection of a section [club], and store the section if the broker accepts it.

    A password is asked for if its file does not exist, and is stored with the section.

    Args:
        loaded: The configuration of this call.
        section: The new section, with a broker.
        force: Whether everything is stored even if the connection fails.

    Raises:
        UrpiError: If the connection fails, or a file cannot be written.
    """
    path = loaded.file or Path("~/.config/urpi/config.toml").expanduser()
    # Before the password is asked for, which would be typed in vain.
    check_writable(path)
    password_file = Path(section.password_file).expanduser()
    password = _ask_password(password_file, section.table or "")
    found = broker(section, password)
    assert found is not None
    worst = Level.RIGHT
    for finding in broker_findings(found):
        click.echo(f"{finding.found[0].upper()}{finding.found[1:]}. {finding.cure}".rstrip())
        worst = max(worst, finding.level)
    # A warning, such as a certificate that ends soon, does not keep the table from the club.
    if worst is Level.BROKEN and not force:
        message = "Nothing is stored; correct that and join again, or add --force."
        raise UrpiError(message)
    # The password first: a section [club] without its file is a configuration that does not work.
    if password is not None:
        _store_password(password_file, password)
    write_section(path, "club", section_text(section))
    click.echo(f"{path}: [club] is stored. A running urpi uses it after its next start.")


def _ask_password(file: Path, table: str) -> str | None:
    """Return the typed password, or the first line of a pipe; None if there is a file with it."""
    try:
        if file.exists():
            return None
    except OSError as error:
        message = f"The password file {file} cannot be read: {reason(error)}; choose another."
        raise UrpiError(message) from error
    check_writable(file)
    if sys.stdin.isatty():
        return str(click.prompt(f"The password of {table} at the broker", hide_input=True)).strip()
    password = sys.stdin.readline().strip()
    if not password:
        message = (
            f"There is no password of {table} on standard input; write it there, use a terminal, "
            "or name a file that contains it with --password-file."
        )
        raise UrpiError(message)
    return password


def _store_password(file: Path, password: str) -> None:
    """Write the password as a whole, readable by the owner alone."""
    draft = file.with_name(f"{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        try:
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as opened:
                opened.write(f"{password}\n")
                opened.flush()
                os.fsync(opened.fileno())
            draft.replace(file)
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
    except OSError as error:
        message = (
            f"The password file {file} cannot be written: {reason(error)}; choose another with "
            "--password-file."
        )
        raise UrpiError(message) from error


def section_text(section: ClubSection) -> str:
    """A section [club] in TOML, without the keys that have their defaults."""
    defaults = ClubSection()
    (entries,) = (found for name, _, found in each_section(Config(club=section)) if name == "club")
    lines = [
        f"{entry.field.name} = {entry.kind.text(entry.value)}"
        for entry in entries
        if entry.value != getattr(defaults, entry.field.name)
    ]
    return "\n".join(["[club]", *lines, ""])
