"""`python -m tools.firmware_demo`: `urpi demo` with dice and hub of the built firmware."""

from copy import copy
from functools import partial
from pathlib import Path
from typing import Final

from tools.firmware_demo.firmware_rig import firmware_rig
from urpi.cli.demo import demo
from urpi.cli.main import main

FIRMWARE: Final = Path(__file__).parents[2] / "firmware"

if __name__ == "__main__":
    command = copy(demo)
    # The dice are the firmware's.
    command.params = [param for param in demo.params if param.name != "dice"]
    assert demo.callback is not None
    command.callback = partial(demo.callback, dice="hub", rig=partial(firmware_rig, FIRMWARE))
    main(command, "python -m tools.firmware_demo")
