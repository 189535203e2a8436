"""A training: rounds of samples and optimisation steps, with a checkpoint after some of them."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from tools.train.exact import exact_play, no_table, table_of
from tools.train.layouts import (
    MAX_ROWS,
    SECOND,
    Inputs,
    inputs_of,
    layout_of,
    progress_of,
    width_of,
)
from tools.train.learning import (
    Floats,
    Weights,
    adam,
    arrays_of,
    gradients,
    new_weights,
    self_play,
)
from urpi import __version__
from urpi.core.errors import UrpiError
from urpi.engine import network_file as networks
from urpi.engine.features import Layout
from urpi.engine.solver.compiled_game import CompiledGame, game_of
from urpi.rules import RuleSet, rule_set

BATCH: Final = 1024
REPLAYED: Final = 12
"""Rounds of self-play whose samples are kept."""
RATES: Final = 2e-3, 5e-5
"""The learning rate at the start and at the end."""
LEAD: Final = 0.7
THROW: Final = 0.1
"""See `_begin_with`."""
EXPLORE: Final = 0.1
"""The mean probability of a random move in games played by a table."""
GREEDY: Final = 0.5
"""The share of games in `freecompany` in which one side plays greedy moves.

Two networks do not repeat the moves that go on forever against a simpler player, so without these
games they do not learn that such a repetition wins nothing."""
PATIENCE: Final = 0.985
"""What is left of an advantage after a throw in `freecompany`, where a game need not end.

Without it all winning positions have the same value, and the network never brings a game to its
end."""
RANKING: Final = 1.0
CHECKPOINT_EVERY: Final = 20
"""Rounds."""


@dataclass(frozen=True)
class Plan:
    """What a training does; a checkpoint belongs to one plan.

    Attributes:
        rules: The id of the rule set.
        mode: ``table`` fits exact values; ``play`` learns from self-play, with exact values where
            the table has them.
        table: The file of the table, may be empty in self-play.
        rounds: The number of rounds.
        samples: The positions generated in each round.
        seed: The seed of everything.
        begin: The file of a network with the same layout whose weights the training begins with,
            empty for random ones.
    """

    rules: str
    mode: str
    table: str
    rounds: int
    samples: int
    seed: int
    begin: str = ""

    @property
    def made(self) -> str:
        """How to make the network again, for its file."""
        table = f" --table {Path(self.table).name}" if self.table else ""
        begin = f" --begin {Path(self.begin).name}" if self.begin else ""
        return (
            f"python -m tools.train {self.rules} --mode {self.mode}{table}{begin} "
            f"--rounds {self.rounds} --samples {self.samples} --seed {self.seed}"
        )


class Training:
    """The state of a training: weights, Adam's moments, and the samples that are kept."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        """Begin a training, or continue the one in the folder.

        With the checkpoint of another plan, only its weights are used.
        """
        self.plan = plan
        self.rules: RuleSet = rule_set(plan.rules)
        self.layout: Layout = layout_of(self.rules)
        self.game: CompiledGame = game_of(self.rules)
        self.inputs: Inputs = inputs_of(self.layout)
        self.exact = table_of(Path(plan.table)) if plan.table else no_table()
        self.file = folder / f"{plan.rules}.npz"
        self.round = self.steps = 0
        self.seconds = 0.0
        if plan.begin:
            self.flat, self.net = _flat(_weights_of(Path(plan.begin), self.layout))
        else:
            width, rng = width_of(self.layout), np.random.default_rng(plan.seed)
            self.flat, self.net = _flat(new_weights(self.layout.size, width, SECOND, rng))
            _begin_with(progress_of(self.rules, self.layout), self.net)
        self._mean, self._square = np.zeros_like(self.flat), np.zeros_like(self.flat)
        self._sums_flat, self._sums = _flat(self.net)
        self._sums_flat[:] = 0
        kept = plan.samples * (REPLAYED if plan.mode == "play" else 1)
        self._rows = np.full((kept, MAX_ROWS), -1, np.int16)
        self._targets = np.zeros(kept, np.float32)
        self._signs, self._groups = np.ones(kept, np.float32), np.arange(kept)
        self._filled = 0
        if self.file.exists():
            self._load()

    def run(self, report: Callable[[str], None]) -> None:
        """Run the remaining rounds."""
        while self.round < self.plan.rounds:
            started = time.process_time()
            # By round, so that a training continued from a checkpoint is the same as one without a
            # pause.
            rng = np.random.default_rng((self.plan.seed, self.round))
            error = self._fit(rng) if self.plan.mode == "table" else self._play(rng)
            self.round += 1
            self.seconds += time.process_time() - started
            if self.round % CHECKPOINT_EVERY == 0 or self.round == self.plan.rounds:
                self._save()
                report(
                    f"{self.plan.rules}: round {self.round} of {self.plan.rounds}, "
                    f"mean absolute error {error:.5f}, {self.seconds:.0f} s"
                )

    def _fit(self, rng: np.random.Generator) -> float:
        count = exact_play(
            *(self.game, self.inputs, self.exact, int(rng.integers(2**31)), EXPLORE),
            *(self._rows, self._targets, self._signs, self._groups),
        )
        # Whole decisions in random order.
        keys = rng.random(int(self._groups[:count].max()) + 1)[self._groups[:count]]
        return self._optimise(np.argsort(keys, kind="stable"))

    def _play(self, rng: np.random.Generator) -> float:
        done, size = self.round / self.plan.rounds, self.plan.samples
        place = self.round % REPLAYED * size
        rows, targets = self._rows[place : place + size], self._targets[place : place + size]
        # Mostly the outcome of games at first, later more of the network's own expectation. The
        # throws make games differ enough, unless a table chooses the moves or games do not end.
        endless = self.plan.rules == "freecompany"
        explore = EXPLORE if self.plan.table or endless else 0.0
        greedy, patience = (GREEDY, PATIENCE) if endless else (0.0, 1.0)
        count = self_play(
            *(self.game, self.inputs, self.net, self.exact, int(rng.integers(2**31))),
            *(explore, greedy, 0.9 - 0.4 * done, patience),
            not endless,
            *(rows, targets),
        )
        # Self-play stops before the array is full; the rest repeats samples instead of staying
        # stale.
        rows[count:] = rows[: size - count]
        targets[count:] = targets[: size - count]
        self._filled = max(self._filled, place + size)
        return self._optimise(rng.permutation(self._filled)[: 4 * size])

    def _optimise(self, order: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> float:
        errors = []
        first, last = RATES
        # The rate falls along half a cosine.
        rate = last + (first - last) * (1 + np.cos(np.pi * self.round / self.plan.rounds)) / 2
        for start in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            errors.append(
                gradients(
                    *(self.net, self._sums, self._rows[chosen], self._targets[chosen]),
                    *(self._signs[chosen], self._groups[chosen], RANKING),
                )
            )
            self.steps += 1
            adam(self.flat, self._sums_flat, self._mean, self._square, rate, self.steps)
        return float(np.mean(errors))

    def _save(self) -> None:
        new = self.file.with_suffix(".new.npz")
        np.savez(
            new,
            flat=self.flat,
            mean=self._mean,
            square=self._square,
            rows=self._rows[: self._filled],
            targets=self._targets[: self._filled],
            counts=np.array([self.round, self.steps, self._filled]),
            seconds=np.array(self.seconds),
            plan=np.array(json.dumps(self.plan.__dict__)),
        )
        # Atomic: an interrupted training finds the old or the new checkpoint.
        os.replace(new, self.file)

    def _load(self) -> None:
        stored = np.load(self.file)
        if stored["flat"].shape != self.flat.shape:
            return  # The layout has changed.
        self.flat[:] = stored["flat"]
        if json.loads(str(stored["plan"])) != self.plan.__dict__:
            return
        self._mean[:], self._square[:] = stored["mean"], stored["square"]
        self.round, self.steps, self._filled = map(int, stored["counts"])
        self.seconds = float(stored["seconds"])
        self._rows[: self._filled] = stored["rows"]
        self._targets[: self._filled] = stored["targets"]


def write_network(training: Training, path: Path) -> networks.NetworkHeader:
    """Write the network as it is, and return the file's header."""
    layout, net, plan = training.layout, training.net, training.plan
    header = networks.NetworkHeader(
        rules=plan.rules,
        pieces=layout.pieces,
        tops=list(layout.tops),
        patterns=networks.square_names(layout),
        piles=layout.piles,
        units=[len(net.first_bias), len(net.second_bias)],
        made=f"{plan.made}: round {training.round}, {training.seconds:.0f} s",
        program=__version__,
    )
    parts = [net.first, net.first_bias, net.second.T, net.second_bias, net.last, net.last_bias]
    return networks.write(path, header, np.concatenate([part.ravel() for part in parts]).tolist())


def _weights_of(path: Path, layout: Layout) -> Weights:
    """Return the weights of another rule set's network.

    Raises:
        UrpiError: If its layout is not the same.
    """
    header, network = networks.read(path)
    if header.layout != layout:
        message = f"The network {path} for {header.rules} has another layout."
        raise UrpiError(message)
    return arrays_of(network)


def _begin_with(lead: Floats, net: Weights) -> None:
    """Set two units of each layer so that the lead decides the value; the others add little.

    A lead of one piece counts `LEAD`, and the throw `THROW`, in logits.
    """
    net.last[:] *= 0.1
    for unit, sign in enumerate((1, -1)):
        net.first[:, unit] = sign * lead
        net.first_bias[unit] = 0
        net.second[:, unit] = 0
        net.second[unit, :] = 0
        net.second[unit, unit] = 1
        net.last[unit] = sign * LEAD
    net.last_bias[0] = THROW


def _flat(weights: Weights) -> tuple[Floats, Weights]:
    """Return weights copied to one array, and views of it in their shapes."""
    flat = np.concatenate([part.ravel() for part in weights])
    views, start = [], 0
    for part in weights:
        views.append(flat[start : start + part.size].reshape(part.shape))
        start += part.size
    return flat, Weights(*views)
