"""Tables of a pin map, read and checked: what is missing, unknown or no number is named."""

from collections.abc import Collection, Mapping
from typing import Any

from urpi.errors import UrpiError


def table_of(name: str, tables: Mapping[str, Any], table: str, keys: Collection[str]) -> Any:
    """A table that holds exactly those keys; `name` is what errors call the page.

    Raises:
        UrpiError: when it is no table, or a key is missing or unknown.
    """
    found = tables[table]
    if not isinstance(found, dict):
        message = f"{name}: {table} is {found!r}; make it a table, [{table}]."
        raise UrpiError(message)
    check_keys(f"{name} [{table}]", found, keys)
    return found


def check_keys(
    name: str, found: Mapping[str, object], keys: Collection[str], optional: Collection[str] = ()
) -> None:
    """Let pass what holds every one of `keys`, and besides them none but the optional ones.

    Raises:
        UrpiError: when it does not.
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
    """Let pass a whole number of that range; true and false are none.

    Raises:
        UrpiError: when it is something else.
    """
    if number_of(found) not in allowed:
        ends = f"{allowed.start} to {allowed.stop - 1}"
        message = f"{name}: {key} is {found!r}; it is a whole number from {ends}."
        raise UrpiError(message)


def number_of(found: object) -> int:
    """A whole number as it is, -1 for anything else."""
    return found if isinstance(found, int) and not isinstance(found, bool) else -1
