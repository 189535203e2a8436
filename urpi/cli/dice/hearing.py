"""What the commands hear of dice that advertise."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from urpi.hardware.advertisement import Frame, frame_of
from urpi.hardware.bluetooth_dice import Radio

_T = TypeVar("_T")


async def first_heard(
    radio: Radio, wanted: Callable[[str, Frame], _T | None], within_s: float
) -> _T | None:
    """Return the first thing that `wanted` makes of what is heard, None if nothing in that time.

    Args:
        radio: The Bluetooth adapter.
        wanted: Called with the address and the frame of each advertisement of a die.
        within_s: Longest time in seconds.

    Raises:
        RadioError: If Bluetooth is not available.
    """
    heard: asyncio.Future[_T] = asyncio.get_running_loop().create_future()

    def on_advertisement(address: str, data: bytes) -> None:
        frame = frame_of(data)
        found = None if frame is None or heard.done() else wanted(address, frame)
        if found is not None:
            heard.set_result(found)

    listening = asyncio.create_task(radio.listen(on_advertisement, within_s))
    await asyncio.wait((listening, heard), return_when=asyncio.FIRST_COMPLETED)
    if not listening.done():
        listening.cancel()
    # What else ended it is raised here.
    for result in await asyncio.gather(listening, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
    return heard.result() if heard.done() else None
