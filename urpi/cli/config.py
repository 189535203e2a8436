"""`urpi config`: print the settings in use, check a file, print an example file."""

from pathlib import Path

import click

from urpi.cli.groups import Group
from urpi.cli.options import settings_of
from urpi.cli.output import AS_JSON, echo_error, echo_json
from urpi.config import LoadedConfig, errors_in, read, rendering


@click.group(cls=Group)
def config() -> None:
    """Show or check the configuration, or print an example."""


@config.command()
@AS_JSON
@click.pass_context
def show(ctx: click.Context, as_json: bool) -> None:
    """Print the value of every key, and where it comes from.

    For example: urpi config show
    """
    settings = settings_of(ctx)
    if as_json:
        echo_json(rendering.settings_values(settings))
        return
    for line in rendering.settings_lines(settings):
        click.echo(line)


@config.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Check FILE; report every error with its line, also of the wiring.

    Exit status: 0 if the file is valid, 2 if it is not.

    For example: urpi config check config.toml
    """
    found = [str(error) for error in errors_in(file)] or _wiring_errors(read(file))
    for error in found:
        echo_error(error)
    if found:
        click.get_current_context().exit(2)
    click.echo(f"{file} is valid.")


def _wiring_errors(settings: LoadedConfig) -> list[str]:
    """Why the board does not work with the configured wiring, such as a pin used twice."""
    from urpi.hardware import default_pins
    from urpi.hardware.wiring import faults

    return [
        f"{settings.origins.get(tuple(fault.key.split('.')), settings.file)}: {fault.sentence}"
        for fault in faults(settings.config, default_pins())
        if fault.wrong
    ]


@config.command()
def example() -> None:
    """Print a complete file with every key, its default and a comment.

    For example: urpi config example > config.toml
    """
    click.echo(rendering.example_text(), nl=False)
