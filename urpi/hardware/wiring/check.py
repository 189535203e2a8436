"""All faults of a configured wiring, checked against the pin map. Pure.

The faults that prevent `urpi serve` from opening a board are found by the modules that open boards
(`urpi.hardware.contacts`, `urpi.hardware.pins`) and collected here, so that both commands agree.
This module adds keys that have no effect and buses that may be a mistake.
"""

from collections.abc import Collection, Iterator

from urpi.config import Config
from urpi.hardware.configured import buzzer_clashes, expander_faults, has_buzzer, header_wires
from urpi.hardware.header import HEADER_I2C_PORT, OTHER_USES, OtherUse, place
from urpi.hardware.pins import PinMap, moved_clashes
from urpi.hardware.wiring_fault import WiringFault


def faults(config: Config, pins: PinMap) -> Iterator[WiringFault]:
    """Yield every fault of the wiring. `urpi serve` accepts a wiring if none of them is `wrong`.

    Args:
        config: the configuration.
        pins: the pin map without the changes of the configuration.
    """
    if config.gpio.wiring == "header":
        yield from moved_clashes(pins, config.gpio.pins, chutes=config.gpio.chutes)
        yield from _unused_expander_keys(config)
    else:
        yield from expander_faults(config, pins)
        yield from _unused_pins(config)
    if has_buzzer(config):
        yield from buzzer_clashes(config, pins)
    yield from _other_buses(config)


def shared_pins(config: Config, pins: PinMap) -> dict[OtherUse, dict[str, int]]:
    """Return the header functions that must be disabled, with the wires on their pins.

    The wires are GPIO numbers by name.
    """
    wires = header_wires(config, pins)
    found = {
        use: {name: gpio for name, gpio in wires.items() if gpio in use.gpios} for use in OTHER_USES
    }
    return {use: names for use, names in found.items() if names}


def conflicts(config: Config, pins: PinMap, enabled: Collection[OtherUse]) -> Iterator[WiringFault]:
    """Yield a fault for each enabled function of the header that shares pins with wires."""
    for use, wires in shared_pins(config, pins).items():
        if use in enabled:
            yield WiringFault(
                "gpio.wiring",
                f"{use.what} is enabled and uses the pins of {wire_list(wires)}",
                "a pin can serve only one of them",
                f"disable it with `{use.off}` and restart the Pi",
            )


def wire_list(wires: dict[str, int]) -> str:
    """Return wires and their pins as text.

    >>> wire_list({"A1": 4})
    'A1 on GPIO 4 (pin 7)'
    """
    return ", ".join(f"{name} on {place(gpio)}" for name, gpio in wires.items())


def _unused_expander_keys(config: Config) -> Iterator[WiringFault]:
    for name in ("i2c_port", "first", "second"):
        if getattr(config.expander, name) is not None:
            yield WiringFault(
                f"expander.{name}",
                'it is set, but gpio.wiring is "header", so no expander is used',
                'with "header" the contacts are on the Pi\'s own pins',
                'remove it, or set gpio.wiring to "expander"',
                wrong=False,
            )


def _unused_pins(config: Config) -> Iterator[WiringFault]:
    if config.gpio.pins:
        yield WiringFault(
            "gpio.pins",
            f'it moves {", ".join(config.gpio.pins)}, but gpio.wiring is "expander"',
            "with expanders wiring/pins.toml defines every pin",
            'remove it, or set gpio.wiring to "header"',
            wrong=False,
        )


def _other_buses(config: Config) -> Iterator[WiringFault]:
    ports = {"oled.i2c_port": config.oled.i2c_port if config.oled.driver != "none" else None}
    if config.gpio.wiring == "expander":
        ports["expander.i2c_port"] = config.expander.i2c_port
    for key, port in ports.items():
        if port is not None and port != HEADER_I2C_PORT:
            yield WiringFault(
                key,
                f"it is {port}, which is not the bus on the header's pins 3 and 5",
                f"that bus is {HEADER_I2C_PORT}; other buses may use pins of contacts",
                f"set it to {HEADER_I2C_PORT}, or make sure that no wire in `urpi check-wiring "
                f"--table` is on a pin of /dev/i2c-{port}",
                wrong=False,
            )
