"""Commands: `perft RULES DEPTH`, `legal POSITION FACES`, `write-perft [RULES ...]`."""

import sys

from .game import legal, perft
from .perft_files import RULES, write_perft_file

USAGE = """python -m tests.second perft RULES DEPTH
python -m tests.second legal POSITION FACES
python -m tests.second write-perft [RULES ...]"""


def print_line(text: str) -> None:
    """Write a line to standard output at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Run one command; gives the exit status."""
    match arguments:
        case ["perft", rules, depth]:
            for each in range(1, int(depth) + 1):
                print_line(f"{each} {perft(rules, each)}")
        case ["legal", position, faces]:
            for move in legal(position, faces):
                print_line(move)
        case ["write-perft", *chosen]:
            for rules in chosen or RULES:
                print_line(str(write_perft_file(rules)))
        case _:
            sys.stderr.write(USAGE + "\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
