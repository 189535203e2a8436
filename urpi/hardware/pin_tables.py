"""Checks of a pin map's TOML tables, with errors that name the missing, unknown or invalid key."""

from collections.abc import Collection, Mapping
from typing import Any

from urpi.core.errors import UrpiError


def table_of(name: str, tables: Mapping[str, Any], table: str, keys: Collection[str]) -> Any:
    """Return a TOML table that has exactly the given keys.

    Args:
        name: The pin map's name in error messages.
        tables: The pin map.
        table: The table's key.
        keys: The keys that it must have.

    Raises:
        UrpiError: If it is no TOML table, or a key is missing or unknown.
    """
    found = tables[table]
    if not isinstance(found, dict):
        message = f"{name}: {table} must be a TOML table, [{table}]; found {found!r}."
        raise UrpiError(message)
    check_keys(f"{name} [{table}]", found, keys)
    return found


def check_keys(
    name: str, found: Mapping[str, object], keys: Collection[str], optional: Collection[str] = ()
) -> None:
    """Check that a TOML table has every key of `keys`, and no others except `optional` ones.

    Raises:
        UrpiError: If a key is missing or unknown.
    """
    allowed = ", ".join((*keys, *optional))
    for key in found:
        if key not in keys and key not in optional:
            message = f"{name} has an unknown key {key!r}; its keys are {allowed}."
            raise UrpiError(message)
    for key in keys:
        if key not in found:
            message = f"{name} lacks {key}; its keys are {allowed}."
            raise UrpiError(message)


def check_number(name: str, key: str, found: object, allowed: range) -> None:
    """Check that a value is a whole number in a range; true and false are not numbers.

    Raises:
        UrpiError: If it is not.
    """
    if number_of(found) not in allowed:
        ends = f"{allowed.start} to {allowed.stop - 1}"
        message = f"{name}: {key} must be a whole number from {ends}; found {found!r}."
        raise UrpiError(message)


def number_of(found: object) -> int:
    """Return a whole number unchanged, and -1 for anything else."""
    return found if isinstance(found, int) and not isinstance(found, bool) else -1
