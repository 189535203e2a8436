"""The translations of new messages in all languages, from one TOML file."""

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TypeAlias

from tools.catalogues.found import MessageId, singular

Translations: TypeAlias = Mapping[str, Mapping[str, str | list[str]]]
"""The translations of a message, of a plural all wordings, by its English text and the language."""


def read_translations(
    path: Path, messages: Collection[MessageId], languages: Collection[str]
) -> Translations:
    """Read a TOML file with a table for each message, which has a key for each language.

    Raises:
        SystemExit: If the file is not one, or names another message or language.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"{path} cannot be read: {error}"
        raise SystemExit(message) from error
    known = set(map(singular, messages))
    for text, table in tables.items():
        if text not in known:
            message = f"{path}: the code has no message {text!r}; write it exactly as there."
            raise SystemExit(message)
        if not isinstance(table, dict) or not table.keys() <= set(languages):
            message = f"{path}: write {text!r} as a table with keys among {', '.join(languages)}."
            raise SystemExit(message)
    return tables
