"""Changing a section or the paired dice in a configuration file; the rest of it stays as it is.

`tomllib` does not write, and the owner's comments must be kept. So the lines are edited, and the
result is compared with the values of the file before.
"""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE
from typing import Any, Final

from urpi.config.kinds import toml_text
from urpi.config.reading import ADVICE, MAX_BYTES, read
from urpi.core.atomic_file import draft_of
from urpi.core.errors import UrpiError
from urpi.core.inputs import read_text

Paired = Mapping[int, Mapping[str, str | int]]
Values = dict[str, Any]

_HEADER: Final = re.compile(r"\s*\[\s*([A-Za-z0-9_. \t]+?)\s*\]")
_KEY: Final = re.compile(r"\s*(source|paired)\s*=")


def check_writable(file: Path) -> None:
    """Check that a file can be replaced, or created.

    Raises:
        UrpiError: If it cannot.
    """
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

    def expected(before: Values) -> Values:
        dice = {**before.get("dice", {}), "source": source}
        dice.pop("paired", None)
        if paired:
            dice["paired"] = {str(number): dict(die) for number, die in paired.items()}
        return before | {"dice": dice}

    text = _read(file)
    changed = with_paired_dice(text, source, paired)
    _check(file, text, changed, expected, "[dice] and [dice.paired]")
    _replace(file, changed)


def write_section(file: Path, name: str, section: str) -> None:
    """Write a section to a configuration file, in one step.

    Args:
        file: The file; it and its folder are created if necessary.
        name: The section's name.
        section: The section in TOML, with its header; one in the file is replaced.

    Raises:
        UrpiError: If the file is invalid or cannot be written. It is then unchanged.
    """
    text = _read(file)
    changed = with_section(text, name, section)
    _check(file, text, changed, lambda before: before | tomllib.loads(section), f"[{name}]")
    _replace(file, changed)


def _read(file: Path) -> str:
    """Return the text of a file, empty if there is none."""
    target = file.resolve()
    return read_text(target, "configuration", MAX_BYTES, ADVICE) if target.exists() else ""


def _replace(file: Path, text: str) -> None:
    """Replace a file as a whole, if the new one is valid."""
    target = file.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with draft_of(target, mode=_mode_of(target)) as draft:
            draft.write_text(text, "utf-8")
            _adopt_owner(draft, target)
            # The whole new file is as valid as the old one.
            read(draft)
    except OSError as error:
        message = f"{file} cannot be written: {error.strerror or error}; run it again with sudo."
        raise UrpiError(message) from error


def with_section(text: str, name: str, section: str) -> str:
    r"""Return a configuration with another section of this name, without its comments.

    >>> print(with_section("[club]\ntable = 'old'\n", "club", "[club]\ntable = 'new'\n"), end="")
    [club]
    table = 'new'
    """
    lines = text.splitlines()
    names = [header and header[1].strip() for header in map(_HEADER.match, lines)]
    first = end = len(lines)
    if name in names:
        first = names.index(name)
        headers = (place for place in range(first + 1, len(lines)) if names[place])
        end = next(headers, len(lines))
        # Comments above the next section belong to it.
        while end - 1 > first and lines[end - 1].lstrip()[:1] in {"", "#"}:
            end -= 1
    parts = ("\n".join(lines[:first]), section, "\n".join(lines[end:]))
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def with_paired_dice(text: str, source: str, paired: Paired) -> str:
    r"""Return a configuration with another source of throws and other paired dice.

    >>> print(with_paired_dice('[dice]\nsource = "hub"\n', "both", {}), end="")
    [dice]
    source = "both"
    """
    line = f"source = {toml_text(source)}"
    kept: list[str] = []
    section, written = "", False
    for old in text.splitlines():
        header = _HEADER.match(old)
        if header:
            section = re.sub(r"\s", "", header[1])
        if f"{section}.".startswith("dice.paired."):
            continue
        key = _KEY.match(old) if section == "dice" else None
        if key is None:
            kept.append(old)
        elif key[1] == "source":
            kept.append(line)
            written = True
    if not written:
        kept = _with_source(kept, line)
    while kept and not kept[-1].strip():
        kept.pop()
    dice = [f"{number} = {toml_text(dict(die))}" for number, die in sorted(paired.items())]
    return "\n".join([*kept, *(["", "[dice.paired]", *dice] if dice else []), ""])


def _with_source(lines: list[str], source: str) -> list[str]:
    for place, line in enumerate(lines):
        header = _HEADER.match(line)
        if header and header[1].strip() == "dice":
            return [*lines[: place + 1], source, *lines[place + 1 :]]
    return [*lines, *([""] if lines else []), "[dice]", source]


def _check(
    file: Path, before: str, after: str, expected: Callable[[Values], Values], sections: str
) -> None:
    """Check that only what is expected has changed.

    Raises:
        UrpiError: If the file has a form that these functions do not edit.
    """
    try:
        is_right = tomllib.loads(after) == expected(tomllib.loads(before))
    except (ValueError, TypeError):
        is_right = False
    if not is_right:
        message = (
            f"{file} cannot be edited: write {sections} as in `urpi config example`, and run it "
            "again."
        )
        raise UrpiError(message)


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
