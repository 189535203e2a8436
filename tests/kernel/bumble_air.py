"""Simulated dice with real GATT services, in range of a Bluetooth controller of the kernel.

bumble's controllers are linked in memory: the kernel's, which it drives through `/dev/vhci` as any
other, and one for each die. Everything happens in a thread with an event loop.
"""

import asyncio
import time
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, Final, Self, TypeVar

from bumble import hci
from bumble.controller import Controller
from bumble.core import AdvertisingData
from bumble.device import Connection, Device, DeviceConfiguration
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport import open_transport

from urpi.hardware import godice, pixels
from urpi.simulation.bluetooth_messages import SimulatedDie
from urpi.simulation.bluetooth_rig import Air, Reply

_T = TypeVar("_T")
ADAPTER: Final = "B8:27:EB:00:00:01"
"""The address of the kernel's controller."""
ADVERTISING_MS: Final = 200.0
START_S: Final = 120.0
_GODICE: Final = pixels.GattIds(godice.SERVICE, godice.NOTIFY, godice.WRITE)
_FLAGS: Final = b"\x06"
"""LE general discoverable, without BR/EDR."""


class RadioController(Controller):
    """A controller with Bluetooth 4.2, such as that of a Pi 3.

    It cancels a connection that is not made yet as a real one does, with an event.
    `drops_repeats` is whether it reports each address once per scan if duplicates are filtered, as
    some do whatever is advertised; others compare the data, too.
    """

    drops_repeats = False
    _reported: frozenset[str] = frozenset()

    le_features = (
        hci.LeFeatureMask.LE_ENCRYPTION
        | hci.LeFeatureMask.EXTENDED_REJECT_INDICATION
        | hci.LeFeatureMask.PERIPHERAL_INITIATED_FEATURE_EXCHANGE
    )

    def on_hci_le_set_scan_enable_command(self, command: Any) -> Any:
        """Begin or end a scan."""
        self._reported = frozenset()
        return super().on_hci_le_set_scan_enable_command(command)

    def hear(self, address: str, data: bytes) -> None:
        """Report an advertisement of a device that cannot be connected, while scanning."""
        drops = self.drops_repeats and self.filter_duplicates and address in self._reported
        if not self.le_scan_enable or drops:
            return
        self._reported |= {address}
        kind = hci.HCI_LE_Advertising_Report_Event
        report = kind.Report(
            event_type=kind.EventType.ADV_NONCONN_IND,
            address_type=hci.Address.RANDOM_DEVICE_ADDRESS,
            address=hci.Address(address),
            data=data,
            rssi=-50,
        )
        self.send_hci_packet(kind([report]))

    def on_hci_le_create_connection_cancel_command(self, command: Any) -> Any:
        """Cancel the pending connection."""
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is not None:
            event = hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=pending.peer_address.address_type,
                peer_address=pending.peer_address,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            )
            asyncio.get_running_loop().call_soon(self.send_hci_packet, event)
        return super().on_hci_le_create_connection_cancel_command(command)


class Link(LocalLink):
    """A link that delivers data by the addresses of the connection.

    bumble's uses the sender's random address, which the kernel changes at each scan.
    """

    def send_acl_data(
        self, sender_controller: Any, destination_address: Any, transport: Any, data: bytes
    ) -> None:
        """Deliver data to the other end of a connection, if it still exists."""
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection is not None and receiver is not None:
            loop = asyncio.get_running_loop()
            loop.call_soon(receiver.on_link_acl_data, connection.self_address, transport, data)


@dataclass(slots=True)
class Peripheral:
    """A die's radio.

    Attributes:
        die: The die.
        reply: Returns what it replies to a message.
        usable: Whether its service has the characteristics of the brand.
        refuses: How often it ends a connection because its connection parameters are refused.
        connections: The number of connections made with it.
        refused: The number of connections that it has ended.
        received: The messages that it has received.
    """

    die: SimulatedDie
    reply: Reply
    usable: bool = True
    refuses: int = 0
    connections: int = 0
    refused: int = 0
    received: list[bytes] = field(default_factory=list)
    in_range: bool = True
    device: Any = None
    controller: Any = None
    notify: Any = None
    connection: Any = None


class BumbleAir(Air):
    """The air between simulated dice and the kernel's controller, as a context manager."""

    def __init__(self) -> None:
        self.peripherals: dict[str, Peripheral] = {}
        """All dice by their address, also those of other tables."""
        self.sends: list[tuple[int, int, bytes]] = []
        """Each message sent: the monotonic time in nanoseconds, the die and the bytes."""
        self._numbers: dict[int, Peripheral] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="bumble", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self.run(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self._transport.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    @property
    def own(self) -> tuple[Peripheral, ...]:
        """The dice of the table."""
        return tuple(self._numbers.values())

    @property
    def sent(self) -> int:
        """The number of messages sent."""
        return len(self.sends)

    @property
    def idle(self) -> bool:
        """True: real time does not wait for the program."""
        return True

    def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Run a coroutine in the thread, and return its result."""
        return self._start(work).result(START_S)

    def place(self, dice: Mapping[int, SimulatedDie], reply: Reply) -> None:
        """Put the dice of the table in range."""
        for number, die in dice.items():
            self._numbers[number] = self.add(Peripheral(die, reply))

    def add(self, peripheral: Peripheral, name: str | None = None) -> Peripheral:
        """Put a die in range, with another name than usual."""
        self.peripherals[peripheral.die.address] = peripheral
        self.run(self._add(peripheral, name or _name_of(peripheral.die)))
        return peripheral

    def send(self, die: int, message: bytes) -> None:
        """Send a message of a die of the table."""
        self.send_from(self._numbers[die], message)

    def send_from(self, peripheral: Peripheral, *messages: bytes) -> None:
        """Send messages of any die."""
        self._start(self._send(peripheral, messages))

    def set_range(self, die: int, *, in_range: bool) -> None:
        """Move a die of the table out of range, or back into range."""
        self.move(self._numbers[die], in_range=in_range)

    def move(self, peripheral: Peripheral, *, in_range: bool) -> None:
        """Move any die out of range, or back into range."""
        self.run(self._move(peripheral, in_range=in_range))

    def hear(self, address: str, data: bytes, *, drops_repeats: bool = False) -> None:
        """Let the kernel's controller hear an advertisement of a die that is never connected."""

        def do() -> None:
            self._kernel.drops_repeats = drops_repeats
            self._kernel.hear(address, data)

        self._loop.call_soon_threadsafe(do)

    def switch(self, *, on: bool) -> None:
        """Do nothing: the adapter is the kernel's."""

    def _start(self, work: Coroutine[Any, Any, _T]) -> "Future[_T]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _open(self) -> None:
        self._link = Link()
        self._transport = await open_transport("vhci")
        self._kernel = RadioController(
            "kernel", self._transport.source, self._transport.sink, self._link, ADAPTER
        )

    async def _add(self, peripheral: Peripheral, name: str) -> None:
        die = peripheral.die
        ids = pixels.NEWER if die.brand == "pixels" else _GODICE
        controller = RadioController(name, link=self._link)
        host = Host()
        host.controller = controller
        config = DeviceConfiguration(name=name, address=hci.Address(die.address))
        config.advertising_data = _advertisement(name, die, ids)
        device = Device(host=host, config=config)
        peripheral.notify = Characteristic(
            ids.notify, Characteristic.Properties.NOTIFY, Characteristic.READABLE, b""
        )
        writable = Characteristic(
            ids.write,
            Characteristic.Properties.WRITE | Characteristic.Properties.WRITE_WITHOUT_RESPONSE,
            Characteristic.WRITEABLE,
            CharacteristicValue(write=lambda _connection, data: self._receive(peripheral, data)),
        )
        offered = [peripheral.notify, writable] if peripheral.usable else []
        device.add_service(Service(ids.service, offered))
        device.on("connection", lambda connection: self._on_connection(peripheral, connection))
        peripheral.device, peripheral.controller = device, controller
        await device.power_on()
        await self._advertise(peripheral)

    async def _advertise(self, peripheral: Peripheral) -> None:
        if peripheral.in_range and peripheral.connection is None:
            await peripheral.device.start_advertising(
                advertising_interval_min=ADVERTISING_MS, advertising_interval_max=ADVERTISING_MS
            )

    async def _send(self, peripheral: Peripheral, messages: tuple[bytes, ...]) -> None:
        for message in messages:
            self.sends.append((time.monotonic_ns(), peripheral.die.number, message))
            await peripheral.device.notify_subscribers(peripheral.notify, message)

    async def _move(self, peripheral: Peripheral, *, in_range: bool) -> None:
        peripheral.in_range = in_range
        if in_range:
            await self._advertise(peripheral)
            return
        await peripheral.device.stop_advertising()
        for one in list(peripheral.controller.le_connections.values()):
            other = self._kernel.le_connections.get(one.self_address)
            # Both ends notice that the other one is silent.
            reason = hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
            peripheral.controller.on_le_disconnected(one, reason)
            if other is not None:
                self._kernel.on_le_disconnected(other, reason)

    def _receive(self, peripheral: Peripheral, data: bytes) -> None:
        peripheral.received.append(bytes(data))
        replies = peripheral.reply(peripheral.die.number, bytes(data))
        if replies:
            self._spawn(self._send(peripheral, replies))

    def _on_connection(self, peripheral: Peripheral, connection: Connection) -> None:
        peripheral.connection = connection
        peripheral.connections += 1
        connection.on("disconnection", lambda _reason: self._on_disconnection(peripheral))
        if peripheral.refused < peripheral.refuses:
            self._spawn(self._insist(peripheral, connection))

    def _on_disconnection(self, peripheral: Peripheral) -> None:
        peripheral.connection = None
        self._spawn(self._advertise(peripheral))

    async def _insist(self, peripheral: Peripheral, connection: Connection) -> None:
        """Request parameters that no central accepts, and end the connection for that reason."""
        try:
            await connection.device.update_connection_parameters(
                connection, 4000.0, 8.75, 0, 100.0, use_l2cap=True
            )
        except Exception:
            peripheral.refused += 1
            await connection.disconnect(hci.HCI_ErrorCode.UNACCEPTABLE_CONNECTION_PARAMETERS_ERROR)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        # A task without a reference may be collected before it ends.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _name_of(die: SimulatedDie) -> str:
    return f"Pixel{die.number:02}" if die.brand == "pixels" else f"GoDice_{die.number:06X}_K_v04"


def _advertisement(name: str, die: SimulatedDie, ids: pixels.GattIds) -> bytes:
    """Return what a die advertises; the 31 bytes have no room for a GoDice's service."""
    parts = [(AdvertisingData.FLAGS, _FLAGS), (AdvertisingData.COMPLETE_LOCAL_NAME, name.encode())]
    if die.brand == "pixels":
        service = bytes.fromhex(ids.service.replace("-", ""))[::-1]
        parts.append((AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, service))
    return bytes(AdvertisingData(parts))
