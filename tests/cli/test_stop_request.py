"""The end of a program that does not stop by itself after a signal."""

import signal
import subprocess
import sys

DEADLINE_S = 240.0
HANGS = """
from threading import Lock
from urpi.cli.stop_request import StopRequest
StopRequest(stop_s=0.2).handle_signals()
print("ready", flush=True)
lock = Lock()
lock.acquire()
lock.acquire()
"""

TWICE = """
import os, signal, threading
from urpi.cli.stop_request import StopRequest
StopRequest(stop_s=240).handle_signals()
os.kill(os.getpid(), signal.SIGTERM)
for thread in threading.enumerate():
    if thread.name == "urpi-stop":
        thread.join()
os.kill(os.getpid(), signal.SIGTERM)
"""


def test_a_second_signal_prints_nothing() -> None:
    done = subprocess.run(
        (sys.executable, "-c", TWICE),
        check=True, capture_output=True, text=True, timeout=DEADLINE_S,
    )  # fmt: skip
    assert done.stderr == ""


def test_a_program_that_hangs_ends_after_sigterm_and_prints_where() -> None:
    with subprocess.Popen(
        (sys.executable, "-c", HANGS), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 1
    assert "Timeout" in errors
    assert "line 8 in <module>" in errors
