"""Open pages, in a process of their own: `python -m tests.bench_page.watchers HOST PORT COUNT`.

It prints ``ready`` when every page has its first state. At the end of its input it prints for each
decision when the last byte of it, and of the state after it, had arrived at each page.
"""

import json
import re
import selectors
import socket
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from threading import Event, Thread

REQUEST = b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
EVENT = re.compile(rb"event: (\w+)\nid: (\d+)\ndata: [^\n]*\n\n")
LONGEST = 200_000


@dataclass
class Watcher:
    connection: socket.socket
    unread: bytes = b""
    open: list[int] = field(default_factory=list)
    has_state: bool = False

    def add(self, part: bytes, arrivals: dict[int, list[int]]) -> None:
        self.unread += part
        end = 0
        for event in EVENT.finditer(self.unread):
            end = event.end()
            seq = int(event[2])
            if event[1] == b"decision":
                self.open.append(seq)
            elif event[1] == b"state":
                now = time.monotonic_ns()
                self.has_state = True
                for each in self.open:
                    arrivals[each].append(now)
                self.open.clear()
        # A chunk of the transfer never ends within an event, because each is written at once.
        self.unread = self.unread[end:][-LONGEST:]


def main() -> None:
    host, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    arrivals: dict[int, list[int]] = defaultdict(list)
    selector = selectors.DefaultSelector()
    watchers = []
    for _ in range(count):
        connection = socket.create_connection((host, port), timeout=20)
        connection.sendall(REQUEST)
        connection.setblocking(False)
        watcher = Watcher(connection)
        watchers.append(watcher)
        selector.register(connection, selectors.EVENT_READ, watcher)
    ended = Event()
    Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    is_ready = False
    while not ended.is_set():
        for key, _ in selector.select(timeout=0.2):
            key.data.add(key.data.connection.recv(1 << 20), arrivals)
        if not is_ready and all(watcher.has_state for watcher in watchers):
            is_ready = True
            sys.stdout.write("ready\n")
            sys.stdout.flush()
    sys.stdout.write(json.dumps(arrivals) + "\n")
    for watcher in watchers:
        watcher.connection.close()


if __name__ == "__main__":
    main()
