"""The configuration as text: the settings in use, an example file, and a page of the docs.

All of it is generated from the fields of the sections, so it cannot become outdated.
"""

import textwrap
from collections.abc import Iterator
from typing import Any, Final

from urpi.config.keys import KeyValue, each_section
from urpi.config.reading import LoadedConfig
from urpi.config.sections import Config

# With "# " before it a line has the 80 characters of a terminal.
_WIDTH: Final = 78

_HEADER: Final = "| key | default | allowed | what it does |\n|---|---|---|---|\n"

_PAGE: Final = """\
# Configuration

One TOML file. The first one found in this order is read, and no other:

1. `urpi --config FILE`
2. the file in `$URPI_CONFIG`
3. `~/.config/urpi/config.toml`
4. `/etc/urpi/config.toml`

Without any of them the defaults below apply, and a missing key has its default. An unknown key or a
value that is not allowed is rejected with file and line.

An environment variable overrides a key: `URPI_TIMING_STILL_MS=200` sets `still_ms` in `[timing]`.
Keys whose value is a list or a TOML table can be set in the file only.

| command | what it does |
|---|---|
| `urpi config example` | prints a complete file with every key, its default and a comment |
| `urpi config check FILE` | checks a file |
| `urpi config show` | prints the value of every key, and where it comes from |
"""


def settings_lines(settings: LoadedConfig) -> Iterator[str]:
    """Yield the lines of `urpi config show`: ``key = value  # from ORIGIN``, by section."""
    for name, _, entries in each_section(settings.config):
        yield f"[{name}]"
        for entry in entries:
            yield f"{_setting(entry)}  # from {settings.origin(entry.path)}"
        yield ""


def settings_values(settings: LoadedConfig) -> dict[str, dict[str, dict[str, Any]]]:
    """The values of `urpi config show --json`: by section and key the value and its origin."""
    return {
        name: {
            entry.field.name: {"value": _json_value(entry), "from": settings.origin(entry.path)}
            for entry in entries
        }
        for name, _, entries in each_section(settings.config)
    }


def _json_value(entry: KeyValue) -> Any:
    # Imported on use: only this command needs it.
    import tomllib  # noqa: PLC0415

    # As the file would have it: lists and tables of any kind of value.
    return None if entry.value is None else tomllib.loads(_setting(entry))[entry.field.name]


def example_text(config: Config | None = None) -> str:
    """A complete file: every key with its value, or commented out without one.

    Args:
        config: The values; None for the defaults.
    """
    return "\n".join(_example_lines(config)).rstrip("\n") + "\n"


def page_text() -> str:
    """The content of docs/reference/configuration.md."""
    return _PAGE + "".join(_page_section(*found) for found in each_section(Config()))


def _setting(entry: KeyValue) -> str:
    if entry.value is None:
        return f"# {entry.field.name} is not set"
    return f"{entry.field.name} = {entry.kind.text(entry.value)}"


def _example_lines(config: Config | None) -> Iterator[str]:
    yield f"# urpi's configuration with every key{' at its default' if config is None else ''}."
    for name, about, entries in each_section(config or Config()):
        yield ""
        yield f"# {about}"
        yield f"[{name}]"
        for entry in entries:
            yield from _comment(f"{entry.about} Allowed: {entry.kind.allowed}.")
            yield f"# {entry.field.name} =" if entry.value is None else _setting(entry)


def _comment(text: str) -> Iterator[str]:
    for line in textwrap.wrap(text, _WIDTH):
        yield f"# {line}"


def _page_section(name: str, about: str, entries: list[KeyValue]) -> str:
    rows = "".join(
        f"| `{entry.field.name}` | {_default(entry)} | {entry.kind.allowed} | {entry.about} |\n"
        for entry in entries
    )
    return f"\n## [{name}]\n\n{about}\n\n{_HEADER}{rows}"


def _default(entry: KeyValue) -> str:
    return "not set" if entry.value is None else f"`{entry.kind.text(entry.value)}`"
