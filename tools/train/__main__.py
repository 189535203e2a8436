"""`python -m tools.train RULES`: train a network, and write its file."""

import argparse
import sys
from pathlib import Path

from tools.train.training import Plan, Training, write_network
from urpi.core.errors import UrpiError
from urpi.rules import RULE_SETS


def main() -> None:
    """Train, or continue a training that was interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tools.train", description=__doc__)
    parser.add_argument("rules", choices=list(RULE_SETS))
    parser.add_argument("--mode", choices=("table", "play"), default="play")
    parser.add_argument("--table", default="", help="a table of exact values (`urpi solve`)")
    parser.add_argument("--begin", default="", help="a network with the same layout")
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--samples", type=int, default=16_384, help="positions of a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, required=True, help="folder for the checkpoint")
    parser.add_argument("--output", type=Path, help="the network's file")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    plan = Plan(
        *(args.rules, args.mode, args.table, args.rounds, args.samples, args.seed, args.begin)
    )
    try:
        training = Training(plan, args.work)
    except UrpiError as error:
        parser.error(str(error))
    training.run(lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201
    if args.output:
        write_network(training, args.output)


if __name__ == "__main__":
    main()
