"""`urpi referee`: the referee as a filter, with facts in and decisions out."""

import click

from urpi.cli.options import settings_of


@click.command()
@click.option("--language", help="The language of the sentences in the decisions.")
@click.pass_context
def referee(ctx: click.Context, language: str | None) -> None:
    """Read facts as JSON lines on standard input, and print the decisions on standard output.

    All decisions on a line are written and flushed before the next line is read. No timer expires
    after the last line: end with a `time` line for that.

    For example: urpi referee < facts.jsonl
    """
    from urpi.cli.referee_pipe import referee_stdin

    referee_stdin(settings_of(ctx).config, language)
