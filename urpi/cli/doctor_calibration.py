"""`urpi doctor --squares` with Hall sensors: calibrate them, and write the calibration."""

import time
from collections.abc import Callable
from pathlib import Path

from urpi.config import Config
from urpi.config.editing import check_writable, write_section
from urpi.config.kinds import toml_text
from urpi.core.errors import UrpiError
from urpi.hardware import default_pins
from urpi.hardware.ads7830 import CONVERTERS
from urpi.hardware.expander import smbus
from urpi.hardware.finding import Finding
from urpi.hardware.hall import HallScanner
from urpi.hardware.hall_square import SCAN_MS
from urpi.hardware.mcp23017 import I2cBus
from urpi.install.doctor.calibration import Calibration, findings
from urpi.rules import ALL_SQUARES

Show = Callable[[str], None]


def calibrate(
    config: Config,
    file: Path,
    show: Show,
    *,
    open_bus: Callable[[int], I2cBus] = smbus,
    wait: Callable[[float], None] = time.sleep,
) -> list[Finding]:
    """Calibrate with the person at the board, write the calibration, and return the findings.

    Args:
        config: The configuration.
        file: The configuration file to write.
        show: Prints an instruction.
        open_bus: Opens the I2C bus of a port.
        wait: Waits for some seconds.

    Raises:
        UrpiError: If a converter does not respond, or the file cannot be written.
    """
    check_writable(file)
    converter, port = CONVERTERS[config.squares.converter], config.squares.i2c_port
    found = Calibration(converter.full, 0)
    wires = default_pins().converters
    scanner = HallScanner(converter, wires, lambda: open_bus(port), found.on_reading, _raise)
    try:
        run(found, scanner, show, wait)
    finally:
        scanner.close()
    if found.is_right:
        write_calibration(file, found)
        show(f"The calibration is in {file}.")
    return list(findings(found, sorted(scanner.dead)))


def run(
    found: Calibration, scanner: HallScanner, show: Show, wait: Callable[[float], None]
) -> None:
    """Scan until the calibration is done, and show each instruction once."""
    now, shown = 0, ""
    while not found.done and not scanner.dead:
        if found.instruction != shown:
            shown = found.instruction
            show(shown)
        scanner.scan(now)
        wait(SCAN_MS / 1000)
        now += SCAN_MS


def write_calibration(file: Path, found: Calibration) -> None:
    """Write a complete calibration to the section [squares] of a configuration file."""
    pieces = [found.pieces[square] for square in ALL_SQUARES]
    lines = [
        "[squares]",
        f"empty = {toml_text(list(found.empty))}",
        f"piece = {toml_text(pieces)}",
        "",
    ]
    write_section(file, "squares", "\n".join(lines), ("empty", "piece"))


def _raise(fault: UrpiError | None) -> None:
    if fault is not None:
        raise fault
