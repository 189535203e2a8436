"""Groups of commands: how their help lists them, and what is imported for it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import click

from urpi.lazy import load


class Group(click.Group):
    """A group whose help tells each command by the whole of its first sentences.

    click's own breaks them off at the terminal's edge.
    """

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, summary(command)) for name, command in commands if command is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class Lazy(NamedTuple):
    """A command that is imported when it is called: ``module:attribute``, and its summary."""

    target: str
    summary: str

    def load(self) -> click.Command:
        """The command itself."""
        module, _, name = self.target.partition(":")
        command = load(module, name)
        assert isinstance(command, click.Command), self.target
        return command


class LazyGroup(Group):
    """A group that imports a command's module only when that command is called."""

    def __init__(self, *args: Any, lazy: Mapping[str, Lazy], **options: Any) -> None:
        super().__init__(*args, **options)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of `lazy`."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        return self.lazy[cmd_name].load() if cmd_name in self.lazy else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.summary) for name, each in self.lazy.items()])


def summary(command: click.Command) -> str:
    """The first paragraph of a command's help, in one line."""
    return " ".join((command.help or "").partition("\n\n")[0].split())
