"""House rules: the options of a rule set with their values and defaults (RULES.md, *option*)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from urpi.core.errors import UrpiError

Options: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values in alphabetical order, without those that have their default value."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its name, its allowed values (the default first), and a description.

    With `of_start` it only decides who begins, and no position depends on it.
    """

    name: str
    values: tuple[str, ...]
    about: str
    of_start: bool = False

    @property
    def default(self) -> str:
        return self.values[0]


def check_options(
    rules: str, known: Iterable[Option], chosen: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the value of every known option, chosen or default.

    Raises:
        UrpiError: If an option is unknown or its value is not allowed.
    """
    options = {option.name: option for option in known}
    for name, value in chosen.items():
        if name not in options:
            have = ", ".join(f"{o.name} ({' or '.join(o.values)})" for o in options.values())
            message = f"{rules} has no option {name!r:.60}; its options are {have or 'none'}."
            raise UrpiError(message)
        if value not in options[name].values:
            allowed = " or ".join(options[name].values)
            message = f"The option {name} of {rules} must be {allowed}; found {value!r:.60}."
            raise UrpiError(message)
    return {name: chosen.get(name, option.default) for name, option in options.items()}


def options_of_play(known: Iterable[Option], changed: Options) -> Options:
    """Return those of the changed options that positions depend on."""
    of_start = {option.name for option in known if option.of_start}
    return tuple(each for each in changed if each[0] not in of_start)


def changed_options(known: Iterable[Option], values: Mapping[str, str]) -> Options:
    """Return the options that differ from their defaults, in alphabetical order."""
    return tuple(sorted((o.name, values[o.name]) for o in known if values[o.name] != o.default))


def rules_word(rules: str, changed: Options) -> str:
    """Return the RULES word of a position.

    >>> rules_word("murray", (("exit_row", "opponent"), ("loop", "own-first")))
    'murray[exit_row=opponent;loop=own-first]'
    """
    if not changed:
        return rules
    return f"{rules}[{';'.join(f'{name}={value}' for name, value in changed)}]"
