"""The Bluetooth adapter of this machine, by bleak, which uses bluetoothd over D-Bus.

bleak is an extra (`pip install 'urpi[bluetooth]'`) and is imported when the radio is opened.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

from urpi.core.extras import installation
from urpi.hardware import advertisement, godice, pixels
from urpi.hardware.bluetooth_dice import Connection, Radio, RadioError
from urpi.hardware.bluetooth_link import PairedDie
from urpi.hardware.die_reports import Brand

CONNECT_S: Final = 10.0
"""Longest time in seconds for a connection, with the discovery of its services."""
NO_BLEAK: Final = f"bleak is not installed; install it with {installation('bluetooth')}"
NO_BLUETOOTHD: Final = (
    "the service bluetoothd is not running; run `sudo apt install bluez` and "
    "`sudo systemctl enable --now bluetooth`"
)
NO_ADAPTER: Final = (
    "there is no Bluetooth adapter; plug one in, or remove `dtoverlay=disable-bt` from "
    "/boot/firmware/config.txt"
)
POWERED_OFF: Final = "Bluetooth is switched off; run `bluetoothctl power on`"
BUSY: Final = (
    "the Bluetooth adapter is busy; close other programs that use it, or run "
    "`sudo systemctl restart bluetooth`"
)
NO_PERMISSION: Final = (
    "this user may not use Bluetooth; run `sudo usermod -aG bluetooth $USER`, and log in again"
)
_REMEDIES: Final = {
    "NO_BLUETOOTH": NO_ADAPTER,
    "NO_BLE_CENTRAL_ROLE": "the Bluetooth adapter has no Low Energy; use another one",
    "POWERED_OFF": POWERED_OFF,
    "DENIED_BY_USER": NO_PERMISSION,
    "DENIED_BY_SYSTEM": NO_PERMISSION,
    "DENIED_BY_UNKNOWN": NO_PERMISSION,
}


@dataclass(frozen=True, slots=True)
class Advertised:
    """A device that may be a die of a supported brand: its address, name, brand and signal.

    `is_new` is whether it has no settings yet, which only a die with a bought board announces.
    """

    device: Any
    address: str
    name: str
    brand: Brand | Literal["urpi"]
    rssi: int
    is_new: bool = False


def open_radio(adapter: str | None = None) -> "BleakRadio":
    """Return the radio.

    Args:
        adapter: The adapter's name such as ``hci0``; defaults to the first one, since most machines
            have a single one.

    Raises:
        RadioError: If bleak is not installed.
    """
    try:
        import bleak  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise RadioError(NO_BLEAK) from error
    return BleakRadio(bleak, adapter)


class BleakRadio(Radio):
    """The machine's adapter. All methods are called in one event loop."""

    def __init__(self, bleak: Any, adapter: str | None) -> None:
        self._bleak = bleak
        self._bluez = {"adapter": adapter} if adapter else {}
        self._listeners: list[Callable[[Any, Any], None]] = []
        self._scanner: Any = None
        self._one_scanner = asyncio.Lock()

    async def find(self, addresses: frozenset[str], within_s: float) -> dict[str, Any]:
        """Return the devices with these addresses, as soon as one is found; see `Radio.find`."""
        # Before scanning, since a connected die does not advertise.
        found = await self._connected(addresses)
        if found:
            return found
        arrived = asyncio.Event()

        def on_advertisement(device: Any, _data: Any) -> None:
            if device.address.upper() in addresses:
                found[device.address.upper()] = device
                arrived.set()

        await self._scan(on_advertisement, arrived, within_s)
        return found

    async def listen(self, on_advertisement: Callable[[str, bytes], None], within_s: float) -> None:
        """Report each advertisement with urpi's company number; see `Radio.listen`."""

        def on_any(device: Any, data: Any) -> None:
            found = data.manufacturer_data.get(advertisement.COMPANY)
            if found is not None:
                on_advertisement(device.address.upper(), found)

        try:
            await self._scan(on_any, asyncio.Event(), within_s)
        finally:
            # Also if others search: the next call starts a new scan, which serves them, too.
            await self._stop_scanning()

    async def candidates(self, within_s: float) -> tuple[Advertised, ...]:
        """Return the devices that advertise like a die within a time, the nearest first.

        Raises:
            RadioError: If there is no usable adapter.
        """
        found: dict[str, Advertised] = {}

        def on_advertisement(device: Any, data: Any) -> None:
            name, address = data.local_name or device.name or "", device.address.upper()
            brand = advertised_brand(name, data.service_uuids)
            frame = advertisement.frame_of(data.manufacturer_data.get(advertisement.COMPANY, b""))
            if frame is not None:
                one = Advertised(device, address, "urpi", "urpi", data.rssi, is_new=frame.is_new)
                found[address] = one
            elif brand is not None:
                found[address] = Advertised(device, address, name, brand, data.rssi)

        # An event that is never set: the whole time is used to find all dice.
        await self._scan(on_advertisement, asyncio.Event(), within_s)
        return tuple(sorted(found.values(), key=lambda one: -one.rssi))

    async def connect(
        self, device: Any, die: PairedDie, on_disconnect: Callable[[], None]
    ) -> Connection:
        """Connect to a found device; see `Radio.connect`."""
        with _errors(self._bleak):
            client = self._bleak.BleakClient(
                device,
                lambda _client: on_disconnect(),
                timeout=CONNECT_S,
                bluez=self._bluez,
                backend=_backend(),
            )
            await client.connect()
        connection = _BleakConnection(self._bleak, client, *_uuids(client, die.brand))
        if not connection.usable:
            await connection.close()
            message = f"{die.address} is not a {BRAND_NAMES[die.brand]} die; pair the die again"
            raise RadioError(message)
        return connection

    async def _connected(self, addresses: frozenset[str]) -> dict[str, Any]:
        """Return the dice that a program left connected when it was killed.

        They do not advertise.
        """
        with _errors(self._bleak):
            adapter = await self._bleak.BleakAdapter.get(bluez=self._bluez)
            services = [ids.service for ids in pixels.IDS]
            devices = await adapter.get_connected_devices(services)
        return {one.address.upper(): one for one in devices if one.address.upper() in addresses}

    async def _scan(
        self, on_advertisement: Callable[[Any, Any], None], arrived: asyncio.Event, within_s: float
    ) -> None:
        self._listeners.append(on_advertisement)
        try:
            with _errors(self._bleak):
                async with self._one_scanner:
                    # bluetoothd allows a program a single scan, which all listeners share.
                    if self._scanner is None:
                        scanner = self._bleak.BleakScanner(self._on_device, bluez=self._bluez)
                        await scanner.start()
                        self._scanner = scanner
            with suppress(TimeoutError):
                await asyncio.wait_for(arrived.wait(), within_s)
        finally:
            self._listeners.remove(on_advertisement)
            if not self._listeners:
                await self._stop_scanning()

    async def _stop_scanning(self) -> None:
        scanner, self._scanner = self._scanner, None
        if scanner is not None:
            with _errors(self._bleak):
                await scanner.stop()

    def _on_device(self, device: Any, data: Any) -> None:
        for each in tuple(self._listeners):
            each(device, data)


class _BleakConnection(Connection):
    """A connection of bleak, with the characteristics of a die, None if it lacks them."""

    def __init__(self, bleak: Any, client: Any, notify: Any, write: Any) -> None:
        self._bleak, self._client = bleak, client
        self._notify, self._write = notify, write

    @property
    def usable(self) -> bool:
        """Whether the device has the characteristics of a die."""
        return self._notify is not None and self._write is not None

    async def notify(self, on_data: Callable[[bytes], None]) -> None:
        with _errors(self._bleak):
            await self._client.start_notify(
                self._notify, lambda _characteristic, data: on_data(bytes(data))
            )

    async def write(self, data: bytes) -> None:
        with _errors(self._bleak):
            await self._client.write_gatt_char(self._write, data, response=False)

    async def close(self) -> None:
        try:
            with _errors(self._bleak):
                await self._client.disconnect()
        except RadioError:
            return


BRAND_NAMES: Final[dict[Brand, str]] = {"pixels": "Pixels", "godice": "GoDice"}


def advertised_brand(name: str, services: list[str]) -> Brand | None:
    """Return the brand of the die that may have sent an advertisement, None if it is none.

    The service of older Pixels and of GoDice is that of many other devices. GoDice have a name of
    their own; older Pixels also advertise the service "device information" (180a).

    >>> advertised_brand("GoDice_A1B2C3_K", []), advertised_brand("UART", [godice.SERVICE])
    ('godice', None)
    """
    if name.startswith(godice.NAME_PREFIX):
        return "godice"
    if pixels.NEWER.service in services:
        return "pixels"
    information = "0000180a-0000-1000-8000-00805f9b34fb"
    older = {pixels.OLDER.service, information} <= set(services)
    return "pixels" if older else None


def _backend() -> Any:
    """Return bleak's backend for this system, None for its own choice."""
    if sys.platform != "linux":
        return None
    from urpi.hardware.bleak_client import BluezClient  # noqa: PLC0415 - an extra

    return BluezClient


def _uuids(client: Any, brand: Brand) -> tuple[Any, Any]:
    """Return the characteristics to notify and to write of a brand, None if they are missing."""
    own = pixels.GattIds(godice.SERVICE, godice.NOTIFY, godice.WRITE)
    for ids in (own,) if brand == "godice" else pixels.IDS:
        service = client.services.get_service(ids.service)
        if service is not None:
            return service.get_characteristic(ids.notify), service.get_characteristic(ids.write)
    return None, None


@contextmanager
def _errors(bleak: Any) -> Iterator[None]:
    """Raise a `RadioError` with the remedy for the errors of bleak and of the D-Bus.

    Without bluetoothd or D-Bus, bleak raises `OSError` and others of its D-Bus library.
    """
    try:
        yield
    except bleak.exc.BleakBluetoothNotAvailableError as error:
        raise RadioError(_REMEDIES.get(error.reason.name, str(error.args[0]))) from error
    except bleak.exc.BleakDBusError as error:
        raise RadioError(_dbus_remedy(error)) from error
    # The D-Bus socket is missing, or no program listens on it.
    except (FileNotFoundError, ConnectionError) as error:
        raise RadioError(NO_BLUETOOTHD) from error
    except TimeoutError as error:
        message = "the die does not answer; bring it closer, and shake it"
        raise RadioError(message) from error
    except (bleak.exc.BleakError, OSError, EOFError) as error:
        raise RadioError(f"Bluetooth failed: {error}; try again") from error


def _dbus_remedy(error: Any) -> str:
    name = str(error.dbus_error)
    if name.endswith("ServiceUnknown"):
        return NO_BLUETOOTHD
    if name.endswith(("AccessDenied", "NotAuthorized", "NotPermitted")):
        return NO_PERMISSION
    if name.endswith("NotReady"):
        return POWERED_OFF
    if name.endswith(("InProgress", "Busy")):
        return BUSY
    return f"Bluetooth failed: {error.dbus_error_details or name}; try again"
