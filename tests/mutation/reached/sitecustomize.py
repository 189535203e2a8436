"""Notes which mutated statements a process runs. Python imports this before everything else.

So do the processes that a test starts, since they inherit PYTHONPATH. MUTATION_PLACES names a JSON
file that maps Python files to lists of a line, a column and a key; MUTATION_REACHED names the file
to which each process appends a line with its number and the key of a statement that it is about to
run, once until `mutation_reached.seen` is emptied.
"""

import builtins
import json
import os
from importlib.machinery import SourceFileLoader


def note_from(places, reached):  # noqa: C901
    import ast  # noqa: PLC0415

    def mutation_reached(key):
        if key not in seen:
            seen.add(key)
            descriptor = os_open(reached, flags)
            os_write(descriptor, f"{getpid()} {key}\n".encode())
            os_close(descriptor)

    def get_code(loader, name):
        here = places.get(loader.path)
        if here is None:
            return compiled(loader, name)
        tree = ast.parse(loader.get_data(loader.path))
        for node in [*ast.walk(tree)]:
            for part in ("body", "orelse", "finalbody"):
                statements = getattr(node, part, None)
                if isinstance(statements, list):
                    statements[:] = [new for one in statements for new in (*calls(one, here), one)]
        return compile(tree, loader.path, "exec", dont_inherit=True)

    def calls(statement, here):
        for line, column, key in here:
            if (line, column) == (statement.lineno, statement.col_offset):
                [call] = ast.parse(f"mutation_reached({key!r})").body
                for node in ast.walk(call):
                    ast.copy_location(node, statement)
                yield call

    # Tests replace functions of `os`.
    os_open, os_write, os_close, getpid = os.open, os.write, os.close, os.getpid
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    compiled = SourceFileLoader.get_code
    SourceFileLoader.get_code = get_code
    mutation_reached.seen = seen = set()
    builtins.mutation_reached = mutation_reached


if "MUTATION_PLACES" in os.environ:
    with open(os.environ["MUTATION_PLACES"], encoding="utf-8") as file:
        note_from(json.load(file), os.environ["MUTATION_REACHED"])
