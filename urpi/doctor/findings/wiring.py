"""What is poor in the configured wiring; what is wrong with it stops the doctor before."""

from collections.abc import Iterator

from urpi.config import Config
from urpi.devices.pins import PinMap
from urpi.doctor.finding import Finding, poor
from urpi.wiring import faults


def wiring(config: Config, pins: PinMap) -> Iterator[Finding]:
    """Keys that do not do what somebody meant. `urpi check-wiring` tells the same, and more."""
    for fault in faults(config, pins):
        cure = f"{fault.cure[0].upper()}{fault.cure[1:]}: {fault.allowed}."
        yield poor("wiring", f"{fault.key}: {fault.found}", cure)
