"""The cost of drawing pictures of a game of about 200 throws, and whether it delays the program.

Run by `python -m tests.bench.pictures`. Each picture is drawn as for the page: by a process of its
own at a lower priority. Its CPU time is compared with that of a bare interpreter in the same run,
so that the ratio is valid on a slow or busy machine. Meanwhile a thread wakes every 5 ms, as the
referee's thread does, and its lateness is compared with that without drawing.
"""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Final, Self

from tests.bench.start_up import BARE, caching, cpu_ms
from tests.journal.games import store_game
from tests.output import print_line
from urpi.journal import Journal
from urpi.page.game_pictures import PictureRequest
from urpi.page.pictures import draw_in_process

RUNS: Final = 5
PERIOD_S: Final = 0.005
THROWS: Final = range(180, 221)


def game_of_200_throws(journal: Journal) -> tuple[int, int]:
    """Store games until one has about 200 throws; return its number and that of its throws."""
    for seed in range(200):
        number = store_game(journal, "finkel", seed=seed)
        throws = sum('"type":"roll"' in entry.line for entry in journal.entries(number))
        if throws in THROWS:
            return number, throws
    message = "No game has about 200 throws."
    raise AssertionError(message)


class Lateness:
    """A thread that wakes periodically, and the milliseconds by which it was late."""

    def __init__(self) -> None:
        self.late_ms: list[float] = []
        self._end = Event()
        self._thread = Thread(target=self._wake)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _wake(self) -> None:
        while not self._end.is_set():
            due = time.monotonic() + PERIOD_S
            time.sleep(PERIOD_S)
            self.late_ms.append(1000 * (time.monotonic() - due))

    def __str__(self) -> str:
        return f"median {median(self.late_ms):.2f} ms, p99 {quantiles(self.late_ms, n=100)[-1]:.2f}"


def peak_mb(command: tuple[str, ...], environment: dict[str, str]) -> float:
    """Return the largest resident memory of a process in MB."""
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return usage.ru_maxrss / 1024


def main() -> None:
    """Measure and print one line for each picture."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        with Journal.open(path) as journal:
            number, throws = game_of_200_throws(journal)
        print_line(f"A game of {throws} throws:")
        environment = caching(Path(folder))
        for form in ("svg", "png", "gif"):
            words = ("games", "--journal", str(path), "picture", str(number), "--format", form)
            command = (sys.executable, "-c", "from urpi.cli.main import main; main()", *words)
            cpu_ms(command, environment)
            times = [(cpu_ms(command, environment), cpu_ms(BARE, environment)) for _ in range(RUNS)]
            worst = max(time for time, _ in times)
            ratio = median(time / bare for time, bare in times)
            drawing = draw_in_process(path, PictureRequest(number, form, "en"))
            with Lateness() as during:
                content = asyncio.run(drawing)
            with Lateness() as idle:
                time.sleep(2)
            memory = peak_mb(command, environment)
            print_line(
                f"{form}: {len(content) / 1000:.0f} kB, CPU time median "
                f"{median(time for time, _ in times):.0f} ms, worst of {RUNS} {worst:.0f} ms, "
                f"{ratio:.0f} times a bare interpreter; memory {memory:.0f} MB"
            )
            print_line(f"  lateness while it is drawn: {during}; otherwise: {idle}")


if __name__ == "__main__":
    main()
