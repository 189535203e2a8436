"""bleak's connection with a device of BlueZ, also where BlueZ signals less than bleak relies on.

bleak keeps a copy of BlueZ's state, which it updates by signals on the D-Bus only. Two are missing:

- If bluetoothd notices the open channel of a device before the kernel's event of the connection, it
  never signals the property `Connected`, although its value is true (BlueZ 5.66). bleak would
  disconnect the device.
- If bluetoothd ends, it may signal nothing. bleak would regard each device as connected for ever.
"""

from typing import Any, Final

from bleak.backends.bluezdbus.client import BleakClientBlueZDBus
from bleak.backends.bluezdbus.manager import get_global_bluez_manager
from dbus_fast import Message, MessageType

BLUEZ: Final = "org.bluez"
DEVICE: Final = "org.bluez.Device1"
_BUS: Final = "org.freedesktop.DBus"
_MATCH: Final = f"type='signal',sender='{_BUS}',member='NameOwnerChanged',arg0='{BLUEZ}'"


class BluezClient(BleakClientBlueZDBus):
    """A backend of `bleak.BleakClient` that also notices what BlueZ does not signal."""

    async def _get_services(self, *arguments: Any, **options: Any) -> Any:
        """Return the services; called by `connect` as soon as the device is connected."""
        manager = await get_global_bluez_manager()
        path, bus = self._device_path, self._bus
        assert path is not None
        assert bus is not None
        await _watch_bluetoothd(manager, bus)
        is_connected = await _read_connected(bus, path)
        if is_connected is None:
            _forget(manager)
        # It may have disconnected meanwhile, which is always signalled.
        elif is_connected and self.is_connected and not manager.is_connected(path):
            manager._properties[path][DEVICE]["Connected"] = True  # noqa: SLF001 - nothing else sets it
        return await super()._get_services(*arguments, **options)


async def _watch_bluetoothd(manager: Any, bus: Any) -> None:
    """Report all devices as disconnected when bluetoothd ends, for the life of the bus."""

    def on_message(message: Message) -> None:
        if message.member == "NameOwnerChanged" and message.body[0] == BLUEZ:
            _forget(manager)

    bus.add_message_handler(on_message)
    await bus.call(_method_call(_BUS, "/org/freedesktop/DBus", _BUS, "AddMatch", _MATCH))


async def _read_connected(bus: Any, path: str) -> bool | None:
    """Return whether a device is connected, None if bluetoothd has ended."""
    properties = "org.freedesktop.DBus.Properties"
    reply = await bus.call(_method_call(BLUEZ, path, properties, "Get", DEVICE, "Connected"))
    if reply is None or reply.message_type is not MessageType.METHOD_RETURN:
        return None
    return bool(reply.body[0].value)


def _method_call(name: str, path: str, interface: str, method: str, *texts: str) -> Message:
    return Message(
        destination=name,
        path=path,
        interface=interface,
        member=method,
        signature="s" * len(texts),
        body=list(texts),
    )


def _forget(manager: Any) -> None:
    """Let bleak report all devices as disconnected, and later read BlueZ's state again."""
    # The effect of the loss of its connection with the D-Bus.
    manager._bus.disconnect()  # noqa: SLF001 - it has no method for it
