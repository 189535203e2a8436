"""`urpi doctor --live`: the lines printed as contacts change."""

import signal
import subprocess
import sys
from itertools import count

import pytest
from gpiozero.pins.mock import MockFactory

from urpi.cli.doctor_report import closed_line, live_lines
from urpi.config import Config
from urpi.core.errors import UrpiError
from urpi.hardware import ContactBackend, default_pins, open_contacts
from urpi.install.doctor.output import QUIET_MS, Changes, ContactChange
from urpi.rules import parse_square
from urpi.simulation.hardware import MockPins


@pytest.mark.parametrize(
    ("edges", "change"),
    [
        ([(0, True)], ContactChange("A1", True, 1, 0)),
        ([(0, True), (1, False), (3, True)], ContactChange("A1", True, 3, 3)),
        ([(0, True), (QUIET_MS - 1, False)], ContactChange("A1", False, 2, QUIET_MS - 1)),
    ],
)
def test_all_edges_of_a_change_make_one_line(edges, change):
    changes = Changes()
    for t, closed in edges:
        changes.on_edge("A1", closed, t)
    last = edges[-1][0]
    assert list(changes.pop_completed(last + QUIET_MS - 1)) == []
    assert list(changes.pop_completed(last + QUIET_MS)) == [change]
    assert list(changes.pop_completed(last + 10 * QUIET_MS)) == []


def test_a_contact_that_closes_at_the_pins_is_printed():
    factory, pins, facts = MockFactory(), default_pins(), []
    clock = count(0, 10).__next__
    contacts = open_contacts(Config(), ContactBackend(factory, pins), clock, facts.append, print)
    table = MockPins(factory, pins)
    table.refresh()
    try:
        assert closed_line(contacts.levels()).startswith("No contact is closed now.")
        table.square(parse_square("B4"), True)
        assert closed_line(contacts.levels()).startswith("Closed now: B4.")
        table.square(parse_square("B4"), False)
        changes = Changes()
        assert list(live_lines(changes, facts, lambda: 1000)) == ["B4 opened (2 edges in 10 ms)"]
    finally:
        contacts.close()


def test_a_failing_chip_ends_it_with_its_error():
    with pytest.raises(UrpiError, match="gone"):
        list(live_lines(Changes(), [None, UrpiError("gone")], lambda: 0))


@pytest.mark.slow
def test_ctrl_c_ends_it_without_an_error(tmp_path):
    path = tmp_path / "urpi.toml"
    path.write_text('[gpio]\nfactory = "mock"\n')
    program = "from urpi.cli.main import main; main()"
    command = [sys.executable, "-c", program, "--config", str(path), "doctor", "--live"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout.readline() == "No contact is closed now. Press Ctrl-C to end.\n"
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=240)
    assert (running.returncode, output, errors) == (0, "", "")
