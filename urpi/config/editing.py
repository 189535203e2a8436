"""Changing a section or the paired dice in a configuration file; the rest of it stays as it is.

`tomllib` does not write. tomlkit does and keeps the owner's comments; `tomllib` reads the result,
and it is compared with the values of the file before.
"""

import os
import tomllib
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Item, Key, Table

from urpi.config.kinds import toml_text
from urpi.config.reading import check_change, text_of
from urpi.core.atomic_file import draft_of
from urpi.core.errors import UrpiError

Paired = Mapping[int, Mapping[str, str | int]]
Body = list[tuple[Key | None, Item]]


def check_writable(file: Path) -> None:
    """Check that a file can be replaced, or created.

    Raises:
        UrpiError: If it cannot.
    """
    # Files are replaced as a whole, so that the folder must be writable; a missing one is created.
    folder = next(one for one in file.resolve().parents if one.exists())
    writable = os.access(folder, os.W_OK | os.X_OK)
    if not writable or (file.exists() and not os.access(file, os.R_OK | os.W_OK)):
        message = f"{file} cannot be written by this user; run the command again with sudo."
        raise UrpiError(message)


def write_paired_dice(file: Path, source: str, paired: Paired) -> None:
    """Write the source and the paired dice to a configuration file, in one step.

    Args:
        file: The file; it and its folder are created if necessary.
        source: The source of the throws, such as ``bluetooth``.
        paired: All dice by number; those in the file are replaced.

    Raises:
        UrpiError: If the file is invalid or cannot be written. It is then unchanged.
    """
    lines = ["[dice]", f"source = {toml_text(source)}"]
    if paired:
        dice = sorted(paired.items())
        lines += ["[dice.paired]", *(f"{number} = {toml_text(dict(die))}" for number, die in dice)]
    write_section(file, "dice", "\n".join([*lines, ""]), ("source", "paired"))


def write_section(file: Path, name: str, section: str, keys: Collection[str] | None = None) -> None:
    """Write a section to a configuration file, in one step.

    Args:
        file: The file; it and its folder are created if necessary.
        name: The section's name.
        section: The section in TOML, with its header.
        keys: The keys that are replaced, or removed if the section lacks them; None for all.

    Raises:
        UrpiError: If the file is invalid or cannot be written. It is then unchanged.
    """
    text = text_of(file) if file.resolve().exists() else ""
    try:
        # Before tomlkit, whose errors in an invalid file are of more kinds.
        expected = tomllib.loads(text)
        old, new = expected.get(name, {}), tomllib.loads(section)[name]
        kept = {key: old[key] for key in old if keys is not None and key not in keys}
        expected[name] = kept | new
        changed = with_section(text, name, section, keys)
        is_right = tomllib.loads(changed) == expected
    except (ValueError, TypeError, LookupError, TOMLKitError):
        is_right = False
    if not is_right:
        message = (
            f"{file} cannot be edited: write [{name}] as `urpi config example` does, and retry."
        )
        raise UrpiError(message)
    check_change(file, text, changed)
    _replace(file, changed)


def _replace(file: Path, text: str) -> None:
    target = file.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with draft_of(target, mode=_mode_of(target)) as draft:
            draft.write_text(text, "utf-8")
            _adopt_owner(draft, target)
    except OSError as error:
        message = f"{file} cannot be written: {error.strerror or error}; run it again with sudo."
        raise UrpiError(message) from error


def with_section(text: str, name: str, section: str, keys: Collection[str] | None = None) -> str:
    r"""A configuration with other values in the section of this name.

    >>> print(with_section("[club] # Ours\ntable = 'a'\n", "club", "[club]\ntable = 'b'\n"), end="")
    [club] # Ours
    table = 'b'
    """
    document = tomlkit.parse(text if text.endswith("\n") or not text else f"{text}\n")
    above: list[tuple[Table, str]] = []
    end = _take_comments(document.body, "", above)
    if name not in document:
        document[name] = tomlkit.table()
    _update(document[name], tomlkit.parse(section)[name], keys)
    for table, comments in above:
        table.trivia.indent = comments + table.trivia.indent
    return document.as_string() + end


def _update(table: Any, values: Any, keys: Collection[str] | None = None) -> None:
    """Give these keys of a TOML table their values; those that it has already stay as they are."""
    for key in list(table):
        if key not in values and (keys is None or key in keys):
            del table[key]
    for key, value in values.items():
        if isinstance(value, Table) and isinstance(table.get(key), Table):
            _update(table[key], value)
        elif key not in table or table[key] != value:
            if isinstance(value, Table):
                # An inline TOML table would stay one, in a single line without spaces.
                table.pop(key, None)
            table[key] = value


def _take_comments(body: Body, end: str, above: list[tuple[Table, str]]) -> str:
    """Remove the comments and empty lines above each header from the TOML table before it.

    tomlkit counts them among the lines of that table, and would write its new keys between them and
    the header, or remove them together with it.

    Args:
        body: The keys and tables of a TOML table.
        end: What stands before the first of them, after the last line of the table before.
        above: Receives each table with the lines above its header.

    Returns:
        What stands after the last line.
    """
    for key, item in body:
        if key and not key.is_dotted() and isinstance(item, Table):
            if not item.is_super_table():
                above.append((item, end))
                end = ""
            end = _take_comments(item.value.body, end, above)
    length = len(body)
    while length and body[length - 1][0] is None:
        length -= 1
    end += "".join(item.as_string() for _, item in body[length:])
    del body[length:]
    return end


def _mode_of(target: Path) -> int:
    """Return the permissions of a file; a first one is for all to read."""
    return S_IMODE(target.stat().st_mode) if target.exists() else 0o644


def _adopt_owner(draft: Path, target: Path) -> None:
    """Give the new file the owner of the old one."""
    if target.exists():
        # Only root may do it; other users own the file that they write.
        with suppress(PermissionError):
            found = target.stat()
            os.chown(draft, found.st_uid, found.st_gid)
