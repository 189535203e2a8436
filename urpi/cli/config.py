"""`urpi config`: print the settings in use, check a file, print an example file."""

from pathlib import Path

import click

from urpi.cli.groups import Group
from urpi.cli.options import settings_of
from urpi.config import read, rendering


@click.group(cls=Group)
def config() -> None:
    """Show or check the configuration, or print an example."""


@config.command()
@click.pass_context
def show(ctx: click.Context) -> None:
    """Print the value of every key, and where it comes from."""
    for line in rendering.settings_lines(settings_of(ctx)):
        click.echo(line)


@config.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Check FILE; report an error with its line."""
    read(file)
    click.echo(f"{file} is valid.")


@config.command()
def example() -> None:
    """Print a complete file with every key, its default and a comment."""
    click.echo(rendering.example_text(), nl=False)
