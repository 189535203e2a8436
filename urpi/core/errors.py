"""The base class of the program's errors.

A player's illegal move is not an error but a value, a refusal (see `urpi.rules.refusals`).
"""


class UrpiError(Exception):
    """An invalid input or an unavailable resource: a file, a key, a line, a port, a device.

    The message is one sentence that names the thing, what was found, what is allowed and what to
    do. The command line prints it and exits with status 2.
    """
