"""`urpi referee`: the referee between two pipes, facts in and decisions out, a line each."""

import click

from urpi.commands.choosing import settings_of


@click.command()
@click.option("--language", help="The language of the sentences in it.")
@click.pass_context
def referee(ctx: click.Context, language: str | None) -> None:
    """Read facts as JSON lines on standard input, write decisions on standard output.

    All decisions that a line causes are written and flushed before the next line is read.
    Nothing fires after the last line: end with a `time` line to let the timers run out.
    """
    from urpi.commands.refereeing import referee_stdin

    referee_stdin(settings_of(ctx).config, language)
