"""Command groups with complete summaries in their help, and with commands imported on use."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import click

from urpi.core.lazy import load


class Group(click.Group):
    """A group whose help lists each command with the whole first paragraph of its help.

    click truncates it at the terminal's width.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; of a mistyped one the error names the nearest.

        click compares with the commands that are imported already, which may be none.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            # Only after a mistake, because every command would start later with it.
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.list_commands(ctx), 1)
            if not near or args[0].startswith("-"):
                raise
            message = f"No such command {args[0]!r}. (Did you mean {near[0]!r}?)"
            raise click.UsageError(message, ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, summary(command)) for name, command in commands if command is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class Lazy(NamedTuple):
    """A command that is imported when it is called.

    `target` is ``module:attribute``. `summary` is the first paragraph of its help.
    """

    target: str
    summary: str

    def load(self) -> click.Command:
        module, _, name = self.target.partition(":")
        command = load(module, name)
        assert isinstance(command, click.Command), self.target
        return command


class LazyGroup(Group):
    """A group that imports a command's module when that command is called."""

    def __init__(self, *args: Any, lazy: Mapping[str, Lazy], **options: Any) -> None:
        super().__init__(*args, **options)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of `lazy`."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, None if there is no such command."""
        return self.lazy[cmd_name].load() if cmd_name in self.lazy else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.summary) for name, each in self.lazy.items()])


def summary(command: click.Command) -> str:
    """The first paragraph of a command's help in one line."""
    return " ".join((command.help or "").partition("\n\n")[0].split())
