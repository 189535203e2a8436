"""The process that works on games."""

import os
import select
import subprocess
import sys

CLUB = """
import os, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from urpi.club.server.game_worker import initialize_process

if __name__ == "__main__":
    with ProcessPoolExecutor(
        1, get_context("spawn"), initializer=initialize_process
    ) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        input()
"""
END_MS = 120_000


def test_it_ends_when_the_club_is_killed(tmp_path):
    script = tmp_path / "club.py"
    script.write_text(CLUB)
    with subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as club:
        worker = os.pidfd_open(int(club.stdout.readline()))
        ended = select.poll()
        ended.register(worker, select.POLLIN)
        assert not ended.poll(0)
        club.kill()
        assert ended.poll(END_MS)
        os.close(worker)
