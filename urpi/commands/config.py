"""`urpi config`: what is in force, whether a file is right, and a file to begin with."""

from pathlib import Path

import click

from urpi.commands.choosing import settings_of
from urpi.commands.groups import Group
from urpi.config import paper, read


@click.group(cls=Group)
def config() -> None:
    """Show, check or begin the configuration."""


@config.command()
@click.pass_context
def show(ctx: click.Context) -> None:
    """Print every key in force and where its value comes from."""
    for line in paper.shown(settings_of(ctx)):
        click.echo(line)


@config.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Say whether FILE is right; if not, what is wrong on which line."""
    read(file)
    click.echo(f"{file} is right.")


@config.command()
def example() -> None:
    """Print a whole file with every key at its default, commented."""
    click.echo(paper.example(), nl=False)
