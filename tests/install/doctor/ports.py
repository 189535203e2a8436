"""Ports of loopback that accept connections and are no broker, or one that refuses everyone."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

REFUSAL = bytes.fromhex("20 03 00 87 00")
"""An MQTT 5 CONNACK with the reason code 0x87, Not authorized."""


@contextmanager
def port_that(answer: bytes | None) -> Iterator[int]:
    """Yield a port that accepts connections; it answers and closes them, or is silent if None."""
    open_ones: list[socket.socket] = []

    def serve() -> None:
        while True:
            try:
                one, _ = server.accept()
            except OSError:
                return
            open_ones.append(one)
            if answer is not None and one.recv(1000):
                one.sendall(answer)
                one.shutdown(socket.SHUT_RDWR)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
            for one in open_ones:
                one.close()
