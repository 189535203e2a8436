"""Reading: which file is in force, what it says, and what is wrong with it, by file and line."""

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import cattrs
from cattrs.gen import make_dict_structure_fn, override

from urpi.config.kinds import toml_text
from urpi.config.lines import KeyPath, key_lines, line_of
from urpi.config.sections import Config, Entry, each_section, kind_of
from urpi.errors import UrpiError
from urpi.rules import rule_set
from urpi.words import words_for

FILE_VARIABLE: Final = "URPI_CONFIG"
SYSTEM_FILE: Final = Path("/etc/urpi/config.toml")
LONGEST_SHOWN: Final = 80
"""So many letters of a wrong value are told."""


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
    source = _Source.of_file(found) if found else _Source.empty()
    return source.with_variables(environment).settings(found)


def read(file: Path) -> Settings:
    """The settings of that one file, whatever the environment says.

    Raises:
        UrpiError: as `load` does.
    """
    return _Source.of_file(file).settings(file)


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
        text = _text_of(file)
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UrpiError(f"{file} is no TOML: {error}.") from None
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
        try:
            config = _CONVERTER.structure(self.values, Config)
        except cattrs.ClassValidationError as error:
            raise self._explained(error) from None
        table = config.table
        self._check("rules", lambda: rule_set(table.rules))
        self._check("options", lambda: rule_set(table.rules, table.options))
        self._check("language", lambda: words_for(table.language))
        return Settings(config, file, self.origins)

    def place(self, path: KeyPath) -> str:
        """Where a key stands, for a message."""
        if path in self.origins:
            return self.origins[path]
        line = line_of(self.lines, path)
        return f"{self.name}:{line}" if line else self.name

    def _check(self, name: str, use: Callable[[], object]) -> None:
        """Try a value of [table] where it is used, and say where a wrong one stands."""
        try:
            use()
        except UrpiError as error:
            raise UrpiError(f"{self.place(('table', name))}: {error}") from None

    def _explained(self, error: cattrs.ClassValidationError) -> UrpiError:
        path, cause = _first_cause(error)
        if isinstance(cause, cattrs.ForbiddenExtraKeysError):
            unknown = min(
                cause.extra_fields, key=lambda name: line_of(self.lines, (*path, name)) or 0
            )
            known = [one.name for one in fields(cause.cl)]
            where = f"[{'.'.join(path)}]" if path else "the file"
            return UrpiError(
                f"{self.place((*path, unknown))}: {where} has no key {unknown!r}; "
                f"{_nearest(unknown, known)}."
            )
        found = self.values
        for name in path:
            found = found[name]
        return UrpiError(
            f"{self.place(path)}: {'.'.join(path)} must be {cause}; found {_shown(found)}."
        )


def _text_of(file: Path) -> str:
    try:
        # Some editors begin a file with a mark of its byte order.
        return file.read_text("utf-8-sig")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UrpiError(f"The configuration {file} cannot be read: {reason}.") from None
    except UnicodeDecodeError as error:
        message = f"The configuration {file} is no UTF-8 text: byte {error.start} is not."
        raise UrpiError(message) from None


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
        message = f"${entry.variable} must be {entry.kind.allowed}; found {text!r}."
        raise UrpiError(message) from None


def _nearest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}" if close else f"there are {', '.join(known)}"


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else toml_text(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def _first_cause(error: BaseException) -> tuple[KeyPath, BaseException]:
    """The first thing wrong, and the path of the key that it is about."""
    path: KeyPath = ()
    while isinstance(error, cattrs.BaseValidationError):
        error = error.exceptions[0]
        notes = getattr(error, "__notes__", [])
        path += tuple(
            note.name for note in notes if isinstance(note, cattrs.AttributeValidationNote)
        )
    return path, error


def _taken(kind: Any) -> Any:
    return override(struct_hook=lambda value, _type: kind.take(value))


def _hook(converter: cattrs.Converter, kind: type[Any]) -> Callable[[Any, Any], Any]:
    """How a section is structured: unknown keys are refused, each key by its kind."""
    hooks: dict[str, Any] = {one.name: _taken(kind_of(one)) for one in fields(kind) if kind_of(one)}
    structure: Callable[[Any, Any], Any] = make_dict_structure_fn(
        kind, converter, _cattrs_forbid_extra_keys=True, **hooks
    )

    def checked(value: Any, target: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError("a table")
        return structure(value, target)

    return checked


def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(detailed_validation=True)
    sections = [type(_at(name)) for name, _, _ in each_section(Config())]
    for kind in (*reversed(sections), Config):
        converter.register_structure_hook(kind, _hook(converter, kind))
    return converter


def _at(name: str) -> object:
    value: object = Config()
    for part in name.split("."):
        value = getattr(value, part)
    return value


_CONVERTER: Final = _converter()
