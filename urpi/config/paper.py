"""The configuration on paper: what is in force, an example file, and its page in docs/.

All of it is written from the sections' own fields, so that none of it can grow stale.
"""

import textwrap
from collections.abc import Iterator
from typing import Final

from urpi.config.reading import Settings
from urpi.config.sections import Config, Entry, each_section

_WIDTH: Final = 78

_HEADER: Final = "| key | default | allowed | what it does |\n|---|---|---|---|\n"

_PAGE: Final = """\
# Configuration

One TOML file. It is looked for in this order, and the first one found is the only one read:

1. `urpi --config FILE`
2. the file that `$URPI_CONFIG` names
3. `~/.config/urpi/config.toml`
4. `/etc/urpi/config.toml`

Without any of them the defaults below hold, and a key that is left out keeps its default. An
unknown key and a value that is not allowed are refused with file and line.

An environment variable overrides a key: `URPI_TIMING_STILL_MS=200` stands for `still_ms` in
`[timing]`. Keys that hold a list or a table can be set in the file alone.

| command | what it does |
|---|---|
| `urpi config example` | prints a whole file with every key, commented, to begin with |
| `urpi config check FILE` | says whether a file is right |
| `urpi config show` | prints what is in force, and where each value comes from |
"""


def shown(settings: Settings) -> Iterator[str]:
    """The lines of `urpi config show`: ``key = value  # from ORIGIN``, by section."""
    for name, _, entries in each_section(settings.config):
        yield f"[{name}]"
        for entry in entries:
            yield f"{_setting(entry)}  # from {settings.origin(entry.path)}"
        yield ""


def example() -> str:
    """A whole file: every key with its default, commented out where there is none."""
    return "\n".join(_example_lines()).rstrip("\n") + "\n"


def page() -> str:
    """docs/reference/configuration.md."""
    return _PAGE + "".join(_page_section(*found) for found in each_section(Config()))


def _setting(entry: Entry) -> str:
    if entry.value is None:
        return f"# {entry.field.name} is not set"
    return f"{entry.field.name} = {entry.kind.text(entry.value)}"


def _example_lines() -> Iterator[str]:
    yield "# urpi's configuration with every key at its default."
    for name, about, entries in each_section(Config()):
        yield ""
        yield f"# {about}"
        yield f"[{name}]"
        for entry in entries:
            yield from _comment(f"{entry.about} Allowed: {entry.kind.allowed}.")
            yield f"# {entry.field.name} =" if entry.value is None else _setting(entry)


def _comment(text: str) -> Iterator[str]:
    for line in textwrap.wrap(text, _WIDTH):
        yield f"# {line}"


def _page_section(name: str, about: str, entries: list[Entry]) -> str:
    rows = "".join(
        f"| `{entry.field.name}` | {_default(entry)} | {entry.kind.allowed} | {entry.about} |\n"
        for entry in entries
    )
    return f"\n## [{name}]\n\n{about}\n\n{_HEADER}{rows}"


def _default(entry: Entry) -> str:
    return "not set" if entry.value is None else f"`{entry.kind.text(entry.value)}`"
