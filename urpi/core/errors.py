"""The base class of the program's errors.

A player's illegal move is not an error but a value, a refusal (see `urpi.rules.refusals`).
"""

import unicodedata


class UrpiError(Exception):
    """An invalid input or an unavailable resource: a file, a key, a line, a port, a device.

    The message is one sentence that names the thing, what was found, what is allowed and what to
    do. The command line prints it and exits with status 2.
    """


def one_line(message: object) -> str:
    r"""Return a message in one line: what has no picture is written as an escape.

    A name in it, of a file or from a device, may contain line ends, a terminal's commands, marks
    for the direction of writing, or bytes that are not UTF-8. Spaces of all widths are kept.

    >>> one_line("There is no file a\nb\x1b[31m.")
    'There is no file a\\nb\\x1b[31m.'
    """
    return "".join(
        letter
        if letter.isprintable() or unicodedata.category(letter) == "Zs"
        else letter.encode("unicode_escape").decode("ascii")
        for letter in str(message)
    )
