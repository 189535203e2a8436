"""Reading the configuration: finding the file, checking it, and reporting errors by line."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Any, Final

from urpi import rules
from urpi.config.keys import KeyPath, KeyValue, each_section, kind_of
from urpi.config.kinds import toml_text
from urpi.config.sections import Config, TableSection
from urpi.core.errors import UrpiError
from urpi.core.inputs import read_text
from urpi.show import words

FILE_VARIABLE: Final = "URPI_CONFIG"
SYSTEM_FILE: Final = Path("/etc/urpi/config.toml")
MAX_SHOWN: Final = 80
"""Maximum length of an invalid value in a message."""
MAX_BYTES: Final = 65_536
"""Maximum size of a file; `urpi config example` has a ninth of that."""
MAX_LINE: Final = 1000
"""Maximum length of a line in characters."""
ADVICE: Final = "`urpi config example` prints a file to begin with"


@dataclass(frozen=True)
class LoadedConfig:
    """The configuration in use, and the origin of each value.

    `file` is None if there is no file. `origins` maps a key's path to ``FILE:LINE`` or
    ``$VARIABLE``; a key without an origin has its default.
    """

    config: Config
    file: Path | None
    origins: Mapping[KeyPath, str]

    def origin(self, path: KeyPath) -> str:
        """The origin of a key's value: ``FILE:LINE``, ``$VARIABLE`` or ``default``."""
        return self.origins.get(path, "default")


def load(file: Path | None, environment: Mapping[str, str]) -> LoadedConfig:
    """Load the settings to use.

    The file is `file`, or else the one in ``$URPI_CONFIG``, or else
    ``~/.config/urpi/config.toml``, or else ``/etc/urpi/config.toml``; without any the defaults
    apply. A variable such as ``$URPI_TIMING_STILL_MS`` overrides its key.

    Raises:
        UrpiError: If a specified file cannot be read, or a file or variable has an invalid value;
            the message contains file, line and key.
    """
    found = _find(file, environment)
    with _limit_nesting(found):
        source = _Source.of_file(found) if found else _Source.empty()
        return source.with_variables(environment).settings(found)


def read(file: Path) -> LoadedConfig:
    """Load the settings of one file, without the environment.

    Raises:
        UrpiError: As `load` does.
    """
    with _limit_nesting(file):
        return _Source.of_file(file).settings(file)


def errors_in(file: Path) -> list[UrpiError]:
    """Return the errors of all keys of a file, without the environment; none if it is valid.

    Raises:
        UrpiError: If the file cannot be read, or is not TOML.
    """
    with _limit_nesting(file):
        return list(_Source.of_file(file).errors())


def check_change(file: Path, before: str, after: str) -> None:
    """Check the text that is to replace the one of a file.

    Errors name the file, and the lines of the text that its owner can look at, `before`.

    Raises:
        UrpiError: As `load` does.
    """
    import tomllib  # noqa: PLC0415 - as in `_Source.of_file`

    from urpi.config.line_numbers import key_lines  # noqa: PLC0415

    if len(after.encode()) > MAX_BYTES:
        raise UrpiError(f"{file} would be larger than {MAX_BYTES} bytes, the limit; shorten it.")
    with _limit_nesting(file):
        _Source(tomllib.loads(after), {}, key_lines(before), str(file)).settings(file)


@contextmanager
def _limit_nesting(file: Path | None) -> Iterator[None]:
    """Report a file whose lists or TOML tables are nested too deeply."""
    try:
        yield
    except RecursionError:
        message = f"{file} is not a configuration: its lists or TOML tables are nested too deeply."
        raise UrpiError(message) from None


def _find(file: Path | None, environment: Mapping[str, str]) -> Path | None:
    if file is not None:
        return file
    if environment.get(FILE_VARIABLE):
        return Path(environment[FILE_VARIABLE])
    home = environment.get("HOME")
    places = ([Path(home, ".config/urpi/config.toml")] if home else []) + [SYSTEM_FILE]
    # A file in a folder without access does not count; `Path.exists` would raise an error.
    return next((place for place in places if os.path.exists(place)), None)


@dataclass(frozen=True)
class _Source:
    """The raw values with their origins."""

    values: Mapping[str, Any]
    origins: Mapping[KeyPath, str]
    lines: Mapping[KeyPath, int]
    name: str

    @classmethod
    def empty(cls) -> "_Source":
        return cls({}, {}, {}, "")

    @classmethod
    def of_file(cls, file: Path) -> "_Source":
        # Most systems have no configuration file, and these imports take longer than all others.
        import tomllib  # noqa: PLC0415

        from urpi.config.line_numbers import key_lines  # noqa: PLC0415

        text = text_of(file)
        try:
            values = tomllib.loads(text)
        # A number with too many digits is a ValueError, but not a TOMLDecodeError.
        except ValueError as error:
            raise UrpiError(f"{file} is not TOML: {error}.") from None
        lines = key_lines(text)
        return cls(values, _origins(file, values, lines), lines, str(file))

    def with_variables(self, environment: Mapping[str, str]) -> "_Source":
        """A copy with the values of environment variables."""
        values, origins = dict(self.values), dict(self.origins)
        entries = {
            entry.variable: entry for _, _, found in each_section(Config()) for entry in found
        }
        # Sorted, so that of several errors the same one is reported each time.
        for variable in sorted(environment):
            if variable in entries:
                entry = entries[variable]
                _put(values, entry.path, _from_variable(entry, environment[variable]))
                origins[entry.path] = f"${variable}"
            # A mistyped key must not be ignored; other variables may begin with URPI_ for other
            # purposes.
            elif any(variable.startswith(f"URPI_{one.name.upper()}_") for one in fields(Config)):
                raise UrpiError(
                    f"${variable} does not match a key; {_nearest(variable, list(entries))}."
                )
        return _Source(values, origins, self.lines, self.name)

    def settings(self, file: Path | None) -> LoadedConfig:
        """The settings.

        Raises:
            UrpiError: At the first key that is unknown or has a value that is not allowed.
        """
        for error in self.errors():
            raise error
        return LoadedConfig(self._section(Config, self.values), file, self.origins)

    def errors(self) -> Iterator[UrpiError]:
        """Yield an error for each key that is unknown or has a value that is not allowed."""
        in_table = False
        for path, error in self._errors_in(Config, self.values, ()):
            in_table |= path[:1] == ("table",)
            yield error
        if not in_table and "table" in self.values:
            yield from self._table_errors(self._section(TableSection, self.values["table"]))

    def place(self, path: KeyPath) -> str:
        """The file and line of a key for a message."""
        if path in self.origins:
            return self.origins[path]
        line = line_of(self.lines, path)
        return f"{self.name}:{line}" if line else self.name

    def _table_errors(self, table: TableSection) -> Iterator[UrpiError]:
        try:
            rules.parse_rules(table.rules)
        except UrpiError as error:
            yield self._at("rules", error)
        else:
            # They have no meaning without their rule set.
            try:
                rules.parse_rules(table.rules, table.options)
            except UrpiError as error:
                yield self._at("options", error)
        try:
            words.check_display_language(table.language)
        except UrpiError as error:
            yield self._at("language", error)

    def _at(self, name: str, error: UrpiError) -> UrpiError:
        """The error of a value of [table] with its place."""
        return UrpiError(f"{self.place(('table', name))}: {error}")

    def _errors_in(
        self, section: Any, values: object, path: KeyPath
    ) -> Iterator[tuple[KeyPath, UrpiError]]:
        """Yield the errors of a section and the paths of their keys."""
        if not isinstance(values, dict):
            yield path, self._invalid(path, "a TOML table", values)
            return
        known = {one.name: one for one in fields(section)}
        for name, value in values.items():
            inner = (*path, name)
            if name not in known:
                yield inner, self._unknown(inner, list(known))
            elif (kind := kind_of(known[name])) is None:
                yield from self._errors_in(known[name].default_factory, value, inner)
            else:
                try:
                    kind.parse(value)
                except ValueError:
                    yield inner, self._invalid(inner, kind.allowed, value)

    def _section(self, section: Any, values: Mapping[str, Any]) -> Any:
        """A section as its dataclass, from a TOML table that has no errors."""
        known = {one.name: one for one in fields(section)}
        return section(**{name: self._value(known[name], values[name]) for name in values})

    def _value(self, one: Field[Any], value: Any) -> object:
        kind = kind_of(one)
        return self._section(one.default_factory, value) if kind is None else kind.parse(value)

    def _invalid(self, path: KeyPath, allowed: str, found: object) -> UrpiError:
        return UrpiError(
            f"{self.place(path)}: {'.'.join(path)} must be {allowed}; found {_shown(found)}."
        )

    def _unknown(self, path: KeyPath, known: list[str]) -> UrpiError:
        *section, name = path
        where = f"[{'.'.join(section)}]" if section else "the file"
        return UrpiError(
            f"{self.place(path)}: {where} has no key {name!r:.{MAX_SHOWN}}; "
            f"{_nearest(name, known)}."
        )


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int | None:
    """The line of a key, or of the innermost TOML table around it that has a line."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return None


def text_of(file: Path) -> str:
    """The text of a file.

    Raises:
        UrpiError: If it cannot be read, or is too large.
    """
    text = read_text(file, "configuration", MAX_BYTES, ADVICE)
    for number, line in enumerate(text.split("\n"), 1):
        # The time and memory of tomllib grow with the square of a dotted key's length.
        if len(line) > MAX_LINE:
            raise UrpiError(
                f"{file}:{number}: the line has {len(line)} characters; {MAX_LINE} are allowed."
            )
    return text


def _origins(
    file: Path, values: Mapping[str, Any], lines: Mapping[KeyPath, int]
) -> dict[KeyPath, str]:
    return {
        entry.path: f"{file}:{line_of(lines, entry.path)}"
        for _, _, entries in each_section(Config())
        for entry in entries
        if _contains(values, entry.path)
    }


def _contains(values: object, path: KeyPath) -> bool:
    for name in path:
        if not isinstance(values, dict) or name not in values:
            return False
        values = values[name]
    return True


def _put(values: dict[str, Any], path: KeyPath, value: object) -> None:
    """Set a key, copying the TOML tables on its path."""
    *tables, name = path
    for table in tables:
        inner = values.get(table, {})
        if not isinstance(inner, dict):
            return  # the file is invalid here, which the check reports later
        values[table] = values = dict(inner)
    values[name] = value


def _from_variable(entry: KeyValue, text: str) -> object:
    try:
        return entry.kind.from_text(text)
    except ValueError:
        message = f"${entry.variable} must be {entry.kind.allowed}; found {_shown(text)}."
        raise UrpiError(message) from None


def _nearest(name: str, known: list[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - for a message only

    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}" if close else f"there are {', '.join(known)}"


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else toml_text(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
