"""A simulated bluetoothd on a D-Bus of its own, for the real bleak.

It offers the objects of BlueZ that bleak uses (github.com/bluez/bluez, doc/org.bluez.*.rst): an
adapter, and devices with their services.
"""

# The annotations are D-Bus signatures.
# ruff: noqa: F722, F821, N802

import asyncio
import subprocess
from contextlib import suppress
from threading import Thread
from typing import Any

from dbus_fast import DBusError, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_property, method

from urpi.hardware import godice, pixels

ADAPTER = "/org/bluez/hci0"
INFORMATION = "0000180a-0000-1000-8000-00805f9b34fb"
WAIT_S = 60.0
READ = PropertyAccess.READ


class Adapter(ServiceInterface):
    def __init__(self, bluez):
        super().__init__("org.bluez.Adapter1")
        self.bluez, self.powered, self.discovering = bluez, True, False
        self.allows_one_scan = False
        """As in BlueZ for each program; here for all, also for one that was started again."""

    @dbus_property(access=READ)
    def Powered(self) -> "b":
        return self.powered

    @dbus_property(access=READ)
    def Roles(self) -> "as":
        return ["central", "peripheral"]

    @dbus_property(access=READ)
    def Discovering(self) -> "b":
        return self.discovering

    @method()
    def SetDiscoveryFilter(self, filters: "a{sv}"):
        pass

    @method()
    async def StartDiscovery(self):
        if self.discovering and self.allows_one_scan:
            raise DBusError("org.bluez.Error.InProgress", "Operation already in progress")
        self.discovering = True
        self.bluez.advertise()

    @method()
    def StopDiscovery(self):
        self.discovering = False


class Device(ServiceInterface):
    def __init__(self, bluez, address, name, services, rssi):
        super().__init__("org.bluez.Device1")
        self.bluez, self.address, self.label, self.services = bluez, address, name, services
        self.rssi, self.connected, self.in_range, self.data = rssi, False, True, {}
        self.connects, self.signals_connection = 0, True
        self.path = f"{ADAPTER}/dev_{address.replace(':', '_')}"

    @dbus_property(access=READ)
    def Address(self) -> "s":
        return self.address

    @dbus_property(access=READ)
    def Adapter(self) -> "o":
        return ADAPTER

    @dbus_property(access=READ)
    def Name(self) -> "s":
        return self.label

    @dbus_property(access=READ)
    def Alias(self) -> "s":
        return self.label

    @dbus_property(access=READ)
    def UUIDs(self) -> "as":
        return self.services

    @dbus_property(access=READ)
    def RSSI(self) -> "n":
        return self.rssi

    @dbus_property(access=READ)
    def ManufacturerData(self) -> "a{qv}":
        return {company: Variant("ay", data) for company, data in self.data.items()}

    @dbus_property(access=READ)
    def Connected(self) -> "b":
        return self.connected

    @dbus_property(access=READ)
    def ServicesResolved(self) -> "b":
        return self.connected

    @dbus_property(access=READ)
    def Paired(self) -> "b":
        return False

    def advertise(self, company, data):
        self.data = {company: data}
        if self.bluez.adapter.discovering:
            self.emit_properties_changed({"ManufacturerData": self.ManufacturerData})

    @method()
    def Connect(self):
        self.connects += 1
        if self.signals_connection:
            self.set(True)
        else:
            self.connected = True
            self.emit_properties_changed({"ServicesResolved": True})

    @method()
    def Disconnect(self):
        self.set(False)

    def set(self, connected):
        self.connected = connected
        self.emit_properties_changed({"Connected": connected, "ServicesResolved": connected})


class Service(ServiceInterface):
    def __init__(self, device, uuid):
        super().__init__("org.bluez.GattService1")
        self.device, self.uuid = device, uuid

    @dbus_property(access=READ)
    def UUID(self) -> "s":
        return self.uuid

    @dbus_property(access=READ)
    def Primary(self) -> "b":
        return True

    @dbus_property(access=READ)
    def Device(self) -> "o":
        return self.device.path


class Characteristic(ServiceInterface):
    def __init__(self, service_path, uuid, flags, on_write):
        super().__init__("org.bluez.GattCharacteristic1")
        self.service_path, self.uuid, self.flags = service_path, uuid, flags
        self.on_write, self.notifying, self.value = on_write, False, b""

    @dbus_property(access=READ)
    def UUID(self) -> "s":
        return self.uuid

    @dbus_property(access=READ)
    def Service(self) -> "o":
        return self.service_path

    @dbus_property(access=READ)
    def Flags(self) -> "as":
        return self.flags

    @dbus_property(access=READ)
    def Value(self) -> "ay":
        return self.value

    @method()
    def StartNotify(self):
        self.notifying = True

    @method()
    def StopNotify(self):
        self.notifying = False

    @method()
    def WriteValue(self, value: "ay", options: "a{sv}"):
        assert options["type"].value == "command"
        self.on_write(bytes(value))

    def send(self, data):
        if self.notifying:
            self.value = data
            self.emit_properties_changed({"Value": data})


class Die:
    """A simulated die: what it has received, and its answers by request."""

    def __init__(self, device, answers):
        self.device, self.answers, self.received = device, answers, []
        self.notify = None

    def on_write(self, data):
        self.received.append(data)
        if data in self.answers:
            self.notify.send(self.answers[data])


POLICY = """
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>{address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow own="*"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <deny send_destination="org.bluez"/>
  </policy>
</busconfig>
"""
"""A bus on which the user may not send to bluetoothd, as without membership in its group."""


class Bluez:
    """The daemon, in a thread. Use it in a ``with`` statement.

    `permitted` is whether this user may send to it; `has_adapter` is whether there is an adapter.
    """

    def __init__(self, folder, *, permitted=True, has_adapter=True):
        self.address = f"unix:path={folder}/bus"
        self.dice: dict[str, Die] = {}
        self._exports = []
        self._config, self._permitted = folder / "bus.conf", permitted
        self._has_adapter = has_adapter

    def __enter__(self):
        self._config.write_text(POLICY.format(address=self.address))
        kind = "--session" if self._permitted else f"--config-file={self._config}"
        command = ["dbus-daemon", kind, "--nofork", "--print-address"]
        self._daemon = subprocess.Popen(
            [*command, f"--address={self.address}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._daemon.stdout is not None
        assert self._daemon.stdout.readline()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()
        self.run(self._open)
        return self

    def __exit__(self, *_: object):
        self.run(self._close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(WAIT_S)
        self._loop.close()
        self._daemon.terminate()
        self._daemon.wait(WAIT_S)
        self._daemon.stdout.close()

    def run(self, call: Any, *arguments: Any) -> Any:
        """Call a function or coroutine function in the loop, and return its result."""

        async def work():
            result = call(*arguments)
            return await result if asyncio.iscoroutine(result) else result

        return asyncio.run_coroutine_threadsafe(work(), self._loop).result(WAIT_S)

    def wait_for(self, holds):
        """Wait until a condition holds, which is checked with every advertisement."""

        async def check():
            while not holds():
                await asyncio.sleep(0.02)

        self.run(lambda: asyncio.wait_for(check(), WAIT_S))

    async def _open(self):
        self._bus = await MessageBus(bus_address=self.address).connect()
        self.adapter = Adapter(self)
        if self._has_adapter:
            self._bus.export(ADAPTER, self.adapter)
        await self._bus.request_name("org.bluez")
        self._advertising = asyncio.create_task(self._advertise())

    async def _close(self):
        self._advertising.cancel()
        with suppress(asyncio.CancelledError):
            await self._advertising
        self._bus.disconnect()
        await self._bus.wait_for_disconnect()

    async def _advertise(self):
        while True:
            self.advertise()
            await asyncio.sleep(0.02)

    def advertise(self):
        """Send an advertisement of every device in range."""
        for die in self.dice.values():
            device = die.device
            if self.adapter.discovering and device.in_range and not device.connected:
                device.emit_properties_changed({"RSSI": device.rssi})

    def add(self, address, name, ids, *, services=None, answers=None, rssi=-50, usable=True):
        """Add a device with a service and its characteristics, if it is usable."""
        advertised = [ids.service] if services is None else services
        device = Device(self, address, name, advertised, rssi)
        die = self.dice[address] = Die(device, answers or {})

        def export():
            self._bus.export(device.path, device)
            path = f"{device.path}/service0010"
            self._bus.export(path, Service(device, ids.service))
            if usable:
                die.notify = Characteristic(path, ids.notify, ["notify"], die.on_write)
                write = Characteristic(path, ids.write, ["write-without-response"], die.on_write)
                self._bus.export(f"{path}/char0011", die.notify)
                self._bus.export(f"{path}/char0014", write)

        self._exports.append(export)
        self.run(export)
        return die

    def kill(self):
        """End the daemon without a signal on the D-Bus; its connections end with it."""
        self.run(self._close)
        for die in self.dice.values():
            die.device.connected = False

    def start(self):
        """Start the daemon again."""
        self.run(self._open)
        for export in self._exports:
            self.run(export)

    def set_powered(self, powered):
        """Switch the adapter on or off."""

        def change():
            self.adapter.powered = powered
            self.adapter.emit_properties_changed({"Powered": powered})

        self.run(change)


GODICE = pixels.GattIds(godice.SERVICE, godice.NOTIFY, godice.WRITE)
__all__ = ["GODICE", "INFORMATION", "Bluez", "Die", "Variant"]
