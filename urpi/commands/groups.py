"""Groups of commands, and how their help lists them."""

import click


class Group(click.Group):
    """A group whose help tells each command by the whole of its first sentences.

    click's own breaks them off at the terminal's edge.
    """

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, _about(command)) for name, command in commands if command is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _about(command: click.Command) -> str:
    """The first paragraph of a command's help, in one line."""
    return " ".join((command.help or "").partition("\n\n")[0].split())
