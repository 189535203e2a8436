"""The configuration against the pin map: everything that is wrong with the wiring, not the first.

What makes `urpi serve` refuse a board is worked out where boards are opened
(`urpi.devices.contacts`, `urpi.devices.pins`) and only gathered here; what serve cannot know to be
wrong, but somebody should look at, is added. Pure.
"""

from collections.abc import Collection, Iterator

from urpi.config import Config
from urpi.devices.contacts import buzzer_clashes, expander_faults, has_buzzer, header_wires
from urpi.devices.header import HEADER_I2C_PORT, OTHER_USES, OtherUse, place
from urpi.devices.pins import PinMap, moved_clashes
from urpi.devices.wiring_fault import WiringFault


def faults(config: Config, pins: PinMap) -> Iterator[WiringFault]:
    """All that is wrong with the wiring; with none that is `wrong`, `urpi serve` opens it.

    `pins` are the pin map's own, without the configuration's changes.
    """
    if config.gpio.wiring == "header":
        yield from moved_clashes(pins, config.gpio.pins, chutes=config.gpio.chutes)
        yield from _idle_expander_keys(config)
    else:
        yield from expander_faults(config, pins)
        yield from _idle_pins(config)
    if has_buzzer(config):
        yield from buzzer_clashes(config, pins)
    yield from _other_buses(config)


def shared_pins(config: Config, pins: PinMap) -> dict[OtherUse, dict[str, int]]:
    """What has to be switched off for these wires, with the wires (by GPIO) that need it off."""
    wires = header_wires(config, pins)
    found = {
        use: {name: gpio for name, gpio in wires.items() if gpio in use.gpios} for use in OTHER_USES
    }
    return {use: names for use, names in found.items() if names}


def switched_on(config: Config, pins: PinMap, on: Collection[OtherUse]) -> Iterator[WiringFault]:
    """The wires that share a pin with something that is switched on."""
    for use, wires in shared_pins(config, pins).items():
        if use in on:
            yield WiringFault(
                "gpio.wiring",
                f"{use.what} is switched on and has the pins of {named(wires)}",
                "a pin serves one of them",
                f"switch it off with `{use.off}` and start the Pi again",
            )


def named(wires: dict[str, int]) -> str:
    """Wires and their pins, in words."""
    return ", ".join(f"{name} on {place(gpio)}" for name, gpio in wires.items())


def _idle_expander_keys(config: Config) -> Iterator[WiringFault]:
    for name in ("i2c_port", "first", "second"):
        if getattr(config.expander, name) is not None:
            yield WiringFault(
                f"expander.{name}",
                'it is set, but gpio.wiring is "header", and no expander is looked at',
                'with "header" the contacts are on the Pi\'s own pins',
                'leave it out, or set gpio.wiring to "expander"',
                wrong=False,
            )


def _idle_pins(config: Config) -> Iterator[WiringFault]:
    if config.gpio.pins:
        yield WiringFault(
            "gpio.pins",
            f'it moves {", ".join(config.gpio.pins)}, but gpio.wiring is "expander"',
            "behind expanders wiring/pins.toml says every pin",
            'leave it out, or set gpio.wiring to "header"',
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
                f"it is {port}, a bus that is not on the header's pins 3 and 5",
                f"the header's own bus is {HEADER_I2C_PORT}; the pins of others may be contacts'",
                f"set it to {HEADER_I2C_PORT}, or see that no wire of `urpi check-wiring --table` "
                f"is on a pin of /dev/i2c-{port}",
                wrong=False,
            )
