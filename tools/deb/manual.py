"""Manual pages, man-pages(7), from the commands' own help."""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from typing import Final

import click

_FIRST: Final = "urpi"
_HEADING: Final = "Referee of the Royal Game of Ur"


def manual(root: click.Group, version: str, day: dt.date) -> dict[str, str]:
    """Return the text of each page by its file name: the program's, and one for each command.

    Args:
        root: The command line.
        version: The program's version, for the foot.
        day: The date of the version.
    """
    context = click.Context(root, info_name=_FIRST, **root.context_settings)
    commands = list(_commands(root, context))
    pages = {f"{_FIRST}.1": _page(root, context, commands, version, day)}
    for command, inside in commands:
        title = inside.command_path.replace(" ", "-")
        pages[f"{title}.1"] = _page(command, inside, (), version, day)
    return pages


def _commands(
    group: click.Group, context: click.Context
) -> Iterator[tuple[click.Command, click.Context]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None and not command.hidden:
            yield command, click.Context(command, parent=context, info_name=name)


def _page(
    command: click.Command,
    context: click.Context,
    others: Sequence[tuple[click.Command, click.Context]],
    version: str,
    day: dt.date,
) -> str:
    title = context.command_path.replace(" ", "-")
    about, *_ = _paragraphs(command)
    lines = [
        f'.TH "{_escaped(title.upper())}" 1 {day} "urpi {version}" "{_HEADING}"',
        *(".SH NAME", f"{_escaped(title)} \\- {_escaped(about.rstrip('.'))}"),
        *(".SH SYNOPSIS", *_synopsis(command, context)),
        *(".SH DESCRIPTION", *_body(command)),
        *_options(command, context, ".SH OPTIONS"),
    ]
    if others:
        lines += [".SH COMMANDS"]
        for other, inside in others:
            page = inside.command_path.replace(" ", "-")
            lines += [".TP", f".BR {_escaped(page)} (1)", _escaped(_paragraphs(other)[0])]
    elif isinstance(command, click.Group):
        lines += [".SH COMMANDS"]
        for each, inside in _commands(command, context):
            lines += _section(each, inside)
    lines += _foot(title)
    return "\n".join(lines) + "\n"


def _section(command: click.Command, context: click.Context) -> list[str]:
    """Return the section of a command of a group, and of its own commands."""
    name = context.command_path.removeprefix(f"{_FIRST} ")
    lines = [f".SS {_escaped(name)}", *_synopsis(command, context), ".PP", *_body(command)]
    lines += _options(command, context)
    if isinstance(command, click.Group):
        for each, inside in _commands(command, context):
            lines += _section(each, inside)
    return lines


def _synopsis(command: click.Command, context: click.Context) -> list[str]:
    words = " ".join(command.collect_usage_pieces(context))
    return [f".B {_escaped(context.command_path)}", _escaped(words)]


def _paragraphs(command: click.Command) -> list[str]:
    # click's mark before a paragraph whose lines are kept.
    text = (command.help or command.short_help or "").partition("\f")[0]
    return [" ".join(one.split()) for one in text.split("\n\n")]


def _body(command: click.Command) -> list[str]:
    lines: list[str] = []
    for number, text in enumerate((command.help or "").partition("\f")[0].split("\n\n")):
        kept = text.startswith("\b")
        lines += [".PP"] if number else []
        lines += [".nf"] if kept else []
        inside = text.removeprefix("\b").strip("\n")
        lines += [_escaped(line) for line in inside.split("\n")] if kept else _flowing(inside)
        lines += [".fi"] if kept else []
    return lines


def _flowing(text: str) -> list[str]:
    return [_escaped(" ".join(text.split()))]


def _options(command: click.Command, context: click.Context, head: str = "") -> list[str]:
    lines = [head] if head else []
    for option in command.get_params(context):
        record = option.get_help_record(context)
        # The record of an argument has no text.
        if record is not None and record[1]:
            names, text = record
            lines += [".TP", f".B {_escaped(names)}", _escaped(" ".join(text.split()))]
    return lines


def _foot(title: str) -> list[str]:
    others = r"\fBurpi\fR(1)" if title != _FIRST else r"\fBjournalctl\fR(1), \fBsystemctl\fR(1)"
    return [
        *(".SH EXIT STATUS", "0 for success; 1 if a comparison failed; 2 if an input is invalid,"),
        "with a one-line message on standard error; 130 after an interrupt.",
        ".SH FILES",
        *(".TP", ".I /etc/urpi/config.toml", "The configuration."),
        *(".TP", ".I /var/lib/urpi/journal.db", "The games of the service."),
        *(".SH SEE ALSO", others),
    ]


def _escaped(text: str) -> str:
    r"""Return a line of text for troff: neither a request nor an escape sequence.

    >>> print(_escaped(".a --b\\c"))
    \&.a \-\-b\ec
    """
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return re.sub(r"^\.", r"\\&.", escaped)
