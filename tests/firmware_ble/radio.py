"""RADIO of the nRF52840, and what its antenna emits."""

from dataclasses import dataclass

from .chip import Chip
from .peripherals import US, Clock


@dataclass(frozen=True)
class Transmission:
    """What the antenna emits: bits in their order, the preamble first."""

    ns: float
    mhz: int
    bits: tuple[int, ...]


class Radio:
    """RADIO as far as it transmits at 1 Mbit/s."""

    def __init__(self, chip: Chip, clock: Clock):
        self.chip, self.clock = chip, clock
        self.sent: list[Transmission] = []
        self.busy = False
        self.on_ns = 0.0
        chip.on_write["RADIO", "TASKS_TXEN"] = self.enable
        chip.on_write["RADIO", "POWER"] = self.power
        # The boot loader may have used it.
        for name in ("PCNF0", "PCNF1", "BASE0", "CRCINIT", "TXADDRESS", "TXPOWER"):
            it = chip.table[chip.at["RADIO", name]]
            chip.put("RADIO", name, it.bits & 0x55555555)

    def power(self, value: int) -> None:
        if not value:
            self.chip.enabled.pop("RADIO", None)
            for at, it in self.chip.table.items():
                if it.peripheral == "RADIO" and it.name != "POWER":
                    self.chip.value[at] = it.reset

    def enable(self, _value: int) -> None:
        get = self.chip.get
        if self.busy or not get("RADIO", "POWER"):
            self.chip.violation("RADIO.TASKS_TXEN while it is busy or off")
        if not self.clock.runs:
            self.chip.violation("the radio sends without the crystal")
        self.busy = True
        if get("RADIO", "SHORTS") & 3 != 3:
            self.chip.violation("nothing starts or ends the transmission")
        ramp_ns = (40 if get("RADIO", "MODECNF0") & 1 else 140) * US
        self.chip.after(ramp_ns, lambda: self.start(ramp_ns))

    def start(self, ramp_ns: float) -> None:
        get = self.chip.get
        if get("RADIO", "MODE") != 3 or get("RADIO", "PCNF0") != 0x108:
            self.chip.violation("RADIO: not the header of Bluetooth at 1 Mbit/s")
        pcnf1 = get("RADIO", "PCNF1")
        at = get("RADIO", "PACKETPTR")
        head = self.chip.ram(at, 2, "RADIO.PACKETPTR")
        size = head[1] + (pcnf1 >> 8 & 0xFF)
        if size > pcnf1 & 0xFF:
            self.chip.violation("RADIO: the packet is longer than MAXLEN")
        pdu = self.chip.ram(at, 2 + size, "RADIO.PACKETPTR")
        base_bytes = pcnf1 >> 16 & 7
        base = get("RADIO", "BASE0").to_bytes(4, "little")[4 - base_bytes :]
        address = base + bytes([get("RADIO", "PREFIX0") & 0xFF])
        if get("RADIO", "TXADDRESS"):
            self.chip.violation("RADIO: another address than the first")
        crc = self.crc(address, pdu)
        body = [byte >> bit & 1 for byte in pdu for bit in range(8)] + crc
        if pcnf1 >> 25 & 1:
            body = self.whitened(body, get("RADIO", "DATAWHITEIV") & 0x7F)
        front = [byte >> bit & 1 for byte in address for bit in range(8)]
        preamble = [(bit + front[0]) % 2 for bit in range(8)]
        bits = tuple(preamble + front + body)
        frequency = get("RADIO", "FREQUENCY")
        mhz = (2360 if frequency & 0x100 else 2400) + (frequency & 0x7F)
        began = self.chip.now
        self.on_ns += ramp_ns + len(bits) * US

        def end() -> None:
            if not self.clock.runs:
                self.chip.violation("the crystal stops while the radio sends")
            self.sent.append(Transmission(began, mhz, bits))
            self.chip.after(6 * US, self.disabled)

        self.chip.after(len(bits) * US, end)

    def disabled(self) -> None:
        self.busy = False
        self.chip.event("RADIO", "DISABLED")

    def crc(self, address: bytes, pdu: bytes) -> list[int]:
        """Return the CRC's bits, the highest first: CRCPOLY has bit n for x^n, and always x^24."""
        config = self.chip.get("RADIO", "CRCCNF")
        if config & 3 != 3:
            self.chip.violation("RADIO: not a CRC of 3 bytes")
        over = pdu if config >> 8 & 3 == 1 else address + pdu
        value = self.chip.get("RADIO", "CRCINIT")
        polynomial = self.chip.get("RADIO", "CRCPOLY") & 0xFFFFFF
        for byte in over:
            for bit in range(8):
                out = (value >> 23 & 1) ^ (byte >> bit & 1)
                value = (value << 1 & 0xFFFFFF) ^ (polynomial if out else 0)
        return [value >> bit & 1 for bit in range(23, -1, -1)]

    @staticmethod
    def whitened(bits: list[int], start: int) -> list[int]:
        """Return the bits through the register x^7 + x^4 + 1, whose first stage is always set."""
        state = [1] + [start >> place & 1 for place in range(5, -1, -1)]
        done = []
        for bit in bits:
            out = state[6]
            done.append(bit ^ out)
            state = [out, *state[:6]]
            state[4] ^= out
        return done
