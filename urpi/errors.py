"""The one family of errors: what went wrong at the program's edges.

A player's illegal move is no error; it is a refusal, a value (see `urpi.rules.refusals`).
"""


class UrpiError(Exception):
    """Something at an edge is wrong: a file, a key, a line, a port, a device.

    The message is one sentence that names the thing, what was found, what is allowed and
    what to do. The command line prints it and leaves with exit status 2.
    """
