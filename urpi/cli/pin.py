"""`urpi pin`: the PIN with which a browser may act at the table."""

import click

from urpi.cli.options import settings_of
from urpi.cli.output import AS_JSON, echo_json
from urpi.core.errors import UrpiError


@click.command()
@click.option("--new", is_flag=True, help="Replace it first; all browsers must enter the new one.")
@AS_JSON
@click.pass_context
def pin(ctx: click.Context, new: bool, as_json: bool) -> None:
    """Print the PIN that the table's display shows.

    It stays the same until it is replaced. The program at the table
    need not run, and notices a change at once.

    For example: urpi pin --new
    """
    from urpi.http.access import access_file, new_pin, read_access, write_access

    file = access_file(settings_of(ctx).config.journal.file)
    try:
        # Also before it is replaced: a file that is not there would be that of no table.
        text, _ = read_access(file)
        if new:
            text = new_pin()
            write_access(file, text)
    except FileNotFoundError as error:
        message = f"There is no PIN in {file}: the page has not been served with this journal yet."
        raise UrpiError(message) from error
    except OSError as error:
        message = f"The PIN in {file} cannot be used ({error.strerror}); run this as its owner."
        raise UrpiError(message) from error
    except ValueError as error:
        message = f"The file {file} is damaged ({error}); remove it, and start the table again."
        raise UrpiError(message) from error
    if as_json:
        echo_json({"pin": text})
    else:
        click.echo(text)
