"""Reading: which file is in force, what it says, and what is wrong with it, by file and line."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Any, Final

from urpi import rules, words
from urpi.config.kinds import toml_text
from urpi.config.places import KeyPath, line_of
from urpi.config.sections import Config, Entry, Table, each_section, kind_of
from urpi.errors import UrpiError
from urpi.inputs import read_text

FILE_VARIABLE: Final = "URPI_CONFIG"
SYSTEM_FILE: Final = Path("/etc/urpi/config.toml")
LONGEST_SHOWN: Final = 80
"""Characters of a wrong value that a message shows."""
LARGEST_BYTES: Final = 65_536
"""`urpi config example`, with every key and its comment, has a ninth of that."""
LONGEST_LINE: Final = 1000
"""Characters."""
ADVICE: Final = "`urpi config example` prints a file to begin with"


@dataclass(frozen=True)
class Settings:
    """What is in force, and where each key's value came from.

    `file` is None when the defaults alone are. `origins` are ``FILE:LINE`` or ``$VARIABLE``
    by the key's path; a key that is not in it has its default.
    """

    config: Config
    file: Path | None
    origins: Mapping[KeyPath, str]

    def origin(self, path: KeyPath) -> str:
        """Where a key's value came from: ``FILE:LINE``, ``$VARIABLE`` or ``default``."""
        return self.origins.get(path, "default")


def load(file: Path | None, environment: Mapping[str, str]) -> Settings:
    """The settings in force.

    The file is `file`, else the one that ``$URPI_CONFIG`` names, else
    ``~/.config/urpi/config.toml``, else ``/etc/urpi/config.toml``; without any the defaults
    hold. A variable such as ``$URPI_TIMING_STILL_MS`` overrides its key.

    Raises:
        UrpiError: when a named file cannot be read, or a file or variable says what is not
            allowed; the message names file, line and key.
    """
    found = _find(file, environment)
    with _nesting(found):
        source = _Source.of_file(found) if found else _Source.empty()
        return source.with_variables(environment).settings(found)


def read(file: Path) -> Settings:
    """The settings of that one file, whatever the environment says.

    Raises:
        UrpiError: as `load` does.
    """
    with _nesting(file):
        return _Source.of_file(file).settings(file)


@contextmanager
def _nesting(file: Path | None) -> Iterator[None]:
    """Report a file whose lists or tables are nested too deeply to be read, or to be shown."""
    try:
        yield
    except RecursionError:
        message = f"{file} is not a configuration: its lists or tables are nested too deeply."
        raise UrpiError(message) from None


def _find(file: Path | None, environment: Mapping[str, str]) -> Path | None:
    if file is not None:
        return file
    if environment.get(FILE_VARIABLE):
        return Path(environment[FILE_VARIABLE])
    home = environment.get("HOME")
    places = ([Path(home, ".config/urpi/config.toml")] if home else []) + [SYSTEM_FILE]
    # A folder that may not be entered holds no file for us; `Path.exists` would raise.
    return next((place for place in places if os.path.exists(place)), None)


@dataclass(frozen=True)
class _Source:
    """The raw values, and where each came from."""

    values: Mapping[str, Any]
    origins: Mapping[KeyPath, str]
    lines: Mapping[KeyPath, int]
    name: str

    @classmethod
    def empty(cls) -> "_Source":
        return cls({}, {}, {}, "")

    @classmethod
    def of_file(cls, file: Path) -> "_Source":
        # Most systems have no configuration, and these take longer to import than all of ours.
        import tomllib  # noqa: PLC0415

        from urpi.config.lines import key_lines  # noqa: PLC0415

        text = _lines_of(file)
        try:
            values = tomllib.loads(text)
        # Not every error of tomllib's is a TOMLDecodeError: a number with too many digits.
        except ValueError as error:
            raise UrpiError(f"{file} is not TOML: {error}.") from None
        lines = key_lines(text)
        return cls(values, _origins(file, values, lines), lines, str(file))

    def with_variables(self, environment: Mapping[str, str]) -> "_Source":
        """The same with what the environment overrides."""
        values, origins = dict(self.values), dict(self.origins)
        entries = {
            entry.variable: entry for _, _, found in each_section(Config()) for entry in found
        }
        for variable in sorted(environment):
            if variable in entries:
                entry = entries[variable]
                _put(values, entry.path, _from_variable(entry, environment[variable]))
                origins[entry.path] = f"${variable}"
            elif any(variable.startswith(f"URPI_{one.name.upper()}_") for one in fields(Config)):
                raise UrpiError(
                    f"${variable} stands for no key; {_nearest(variable, list(entries))}."
                )
        return _Source(values, origins, self.lines, self.name)

    def settings(self, file: Path | None) -> Settings:
        config: Config = self._section(Config, self.values, ())
        if config.table != Table():
            self._check_table(config.table)
        return Settings(config, file, self.origins)

    def place(self, path: KeyPath) -> str:
        """Where a key stands, for a message."""
        if path in self.origins:
            return self.origins[path]
        line = line_of(self.lines, path)
        return f"{self.name}:{line}" if line else self.name

    def _check_table(self, table: Table) -> None:
        self._check("rules", lambda: rules.rule_set(table.rules))
        self._check("options", lambda: rules.rule_set(table.rules, table.options))
        self._check("language", lambda: words.words_for(table.language))

    def _check(self, name: str, use: Callable[[], object]) -> None:
        """Try a value of [table] where it is used, and say where a wrong one stands."""
        try:
            use()
        except UrpiError as error:
            raise UrpiError(f"{self.place(('table', name))}: {error}") from None

    def _section(self, section: Any, values: object, path: KeyPath) -> Any:
        """A section as its dataclass, from a table; `path` is where it stands.

        Raises:
            UrpiError: at the first key that is unknown or has a value that is not allowed.
        """
        if not isinstance(values, dict):
            raise self._wrong(path, "a table", values)
        known = {one.name: one for one in fields(section)}
        for name in values:
            if name not in known:
                raise self._unknown((*path, name), list(known))
        taken = {
            name: self._value(known[name], value, (*path, name)) for name, value in values.items()
        }
        return section(**taken)

    def _value(self, one: Field[Any], value: object, path: KeyPath) -> object:
        kind = kind_of(one)
        if kind is None:
            return self._section(one.default_factory, value, path)
        try:
            return kind.take(value)
        except ValueError:
            raise self._wrong(path, kind.allowed, value) from None

    def _wrong(self, path: KeyPath, allowed: str, found: object) -> UrpiError:
        return UrpiError(
            f"{self.place(path)}: {'.'.join(path)} must be {allowed}; found {_shown(found)}."
        )

    def _unknown(self, path: KeyPath, known: list[str]) -> UrpiError:
        *section, name = path
        where = f"[{'.'.join(section)}]" if section else "the file"
        return UrpiError(
            f"{self.place(path)}: {where} has no key {name!r:.{LONGEST_SHOWN}}; "
            f"{_nearest(name, known)}."
        )


def _lines_of(file: Path) -> str:
    """The text of a configuration.

    Raises:
        UrpiError: when it cannot be read, or is larger than any configuration needs to be.
    """
    text = read_text(file, "configuration", LARGEST_BYTES, ADVICE)
    for number, line in enumerate(text.split("\n"), 1):
        # tomllib takes time and memory in the square of a dotted key's length.
        if len(line) > LONGEST_LINE:
            raise UrpiError(
                f"{file}:{number}: the line has {len(line)} characters; {LONGEST_LINE} are allowed."
            )
    return text


def _origins(
    file: Path, values: Mapping[str, Any], lines: Mapping[KeyPath, int]
) -> dict[KeyPath, str]:
    return {
        entry.path: f"{file}:{line_of(lines, entry.path)}"
        for _, _, entries in each_section(Config())
        for entry in entries
        if _holds(values, entry.path)
    }


def _holds(values: object, path: KeyPath) -> bool:
    for name in path:
        if not isinstance(values, dict) or name not in values:
            return False
        values = values[name]
    return True


def _put(values: dict[str, Any], path: KeyPath, value: object) -> None:
    """Set a key, in tables of our own on the way."""
    *tables, name = path
    for table in tables:
        inner = values.get(table, {})
        if not isinstance(inner, dict):
            return  # the file is wrong here, and the check says so
        values[table] = values = dict(inner)
    values[name] = value


def _from_variable(entry: Entry, text: str) -> object:
    try:
        return entry.kind.from_text(text)
    except ValueError:
        message = f"${entry.variable} must be {entry.kind.allowed}; found {_shown(text)}."
        raise UrpiError(message) from None


def _nearest(name: str, known: list[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - for a message alone

    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}" if close else f"there are {', '.join(known)}"


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else toml_text(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"
