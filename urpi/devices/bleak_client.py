"""bleak's connection with a device of BlueZ, also where BlueZ does not signal that it is connected.

If bluetoothd notices the open channel of a device before the kernel's event of the connection, it
never signals the property `Connected`, although its value is true (BlueZ 5.66). bleak knows only
the signals, and would disconnect the device.
"""

from typing import Any, Final

from bleak.backends.bluezdbus.client import BleakClientBlueZDBus
from bleak.backends.bluezdbus.manager import get_global_bluez_manager
from dbus_fast import Message, MessageType

DEVICE: Final = "org.bluez.Device1"


class ReadingClient(BleakClientBlueZDBus):
    """A backend of `bleak.BleakClient` that reads whether the device is connected."""

    async def _get_services(self, *arguments: Any, **options: Any) -> Any:
        manager = await get_global_bluez_manager()
        path, bus = self._device_path, self._bus
        assert path is not None
        assert bus is not None
        if not manager.is_connected(path):
            message = Message(
                destination="org.bluez",
                path=path,
                interface="org.freedesktop.DBus.Properties",
                member="Get",
                signature="ss",
                body=[DEVICE, "Connected"],
            )
            reply = await bus.call(message)
            read = reply is not None and reply.message_type is MessageType.METHOD_RETURN
            # It may have disconnected meanwhile, which is always signalled.
            if read and reply.body[0].value and self.is_connected:
                manager._properties[path][DEVICE]["Connected"] = True  # noqa: SLF001 - nothing else sets it
        return await super()._get_services(*arguments, **options)
