"""Switches, buttons, the dice hub, the OLED and the sound; their wiring; drill templates."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.hardware.bleak_radio import open_radio
    from urpi.hardware.bluetooth_dice import BluetoothDice
    from urpi.hardware.bluetooth_link import PairedDie
    from urpi.hardware.combined_dice import CombinedDice
    from urpi.hardware.configured import configured_pins, expander_of, header_wires
    from urpi.hardware.contacts import (
        ContactBackend,
        Contacts,
        RetryingContacts,
        Switches,
        open_contacts,
    )
    from urpi.hardware.dice_source import DiceHealth, DiceSource, HandDice
    from urpi.hardware.die_faces import DieFaces
    from urpi.hardware.expander import ExpanderSwitches, smbus
    from urpi.hardware.gpio import FACTORIES, PinsUnavailableError, lazy_pin_factory, pin_factory
    from urpi.hardware.hub import DiceHub
    from urpi.hardware.hub_link import HubHealth, HubLink, HubSettings
    from urpi.hardware.oled import i2c_bus, open_oled
    from urpi.hardware.pins import PinMap, changed_pins, default_pins, read_pins
    from urpi.hardware.presses import PressTiming
    from urpi.hardware.protocol import (
        AckLine,
        AskLine,
        BatLine,
        CalLine,
        DieLine,
        HubLine,
        LedLine,
        Line,
        LineCounts,
        LineReader,
        NewLine,
        encode,
        line_bytes,
        parse_line,
    )
    from urpi.hardware.screen import Screen
    from urpi.hardware.screen_saver import ScreenSaver
    from urpi.hardware.serial_port import open_serial
    from urpi.hardware.sound import SoundPlayer, open_sound

export(__name__)
