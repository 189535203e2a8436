"""Runs real web servers and the real program behind them, as processes on loopback."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from urpi.cli.club_demo.programs import free_port

DEADLINE_S = 240.0
HOST = "ur.example.org"
PAGE_MD = Path(__file__).parents[2] / "docs" / "operate" / "page.md"
URPI = (sys.executable, "-c", "from urpi.cli.main import main; main()")


def documented(word: str) -> str:
    """Return the first code block in docs/operate/page.md that contains a word."""
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```$", PAGE_MD.read_text(), re.DOTALL | re.MULTILINE)
    return next(block for block in blocks if word in block)


@dataclass(frozen=True)
class Demo:
    """A running virtual table."""

    port: int
    pin: str


@dataclass(frozen=True)
class Certificate:
    """A certificate for `HOST`, signed by its own key."""

    certificate: Path
    key: Path

    @classmethod
    def make(cls, folder: Path) -> "Certificate":
        made = cls(folder / "certificate.pem", folder / "key.pem")
        new = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc")
        subject = ("-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}")
        subprocess.run(
            ["openssl", "req", *new, *subject, "-keyout", made.key, "-out", made.certificate],
            check=True,
            capture_output=True,
        )
        return made


@contextmanager
def demo(folder: Path, configuration: str) -> Iterator[Demo]:
    """Run a virtual table with a configuration on a free port of loopback."""
    folder.mkdir()
    (folder / "config.toml").write_text(configuration)
    command = [*URPI, "--config", folder / "config.toml", "demo", "--no-browser"]
    command += ["--listen", "127.0.0.1:0", "--journal", folder / "games.db"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:(\d+)/#pin=(\d{6})", process.stdout.readline())
            assert found is not None
            yield Demo(int(found[1]), found[2])
        finally:
            process.terminate()


@contextmanager
def listening(command: list[object], port: int, folder: Path) -> Iterator[None]:
    """Run a web server, and wait until it listens on a port."""
    with ExitStack() as stack:
        log = stack.enter_context((folder / "log").open("w"))
        process = stack.enter_context(
            subprocess.Popen(
                [str(one) for one in command], stdout=log, stderr=log, env=_environment(folder)
            )
        )
        stack.callback(process.terminate)
        deadline = time.monotonic() + DEADLINE_S
        while not _accepts(port):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.02)
        yield


def _environment(folder: Path) -> Mapping[str, str]:
    # Caddy stores its state in these folders.
    return os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder)}


def _accepts(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def nginx(folder: Path, site: str, port: int) -> Iterator[None]:
    """Run Debian's nginx with one site that listens on a port."""
    folder.mkdir()
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\nworker_processes 1;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}\n{site}\n}}\n"
    )
    command = ["/usr/sbin/nginx", "-p", folder, "-e", folder / "error.log"]
    with listening([*command, "-c", folder / "nginx.conf"], port, folder):
        yield


@contextmanager
def caddy(folder: Path, site: str, port: int) -> Iterator[None]:
    """Run Debian's Caddy with one site that listens on a port for HTTPS."""
    folder.mkdir()
    options = f"{{\nadmin off\nhttp_port {free_port()}\nhttps_port {port}\n}}\n"
    (folder / "Caddyfile").write_text(options + site)
    command = ["/usr/bin/caddy", "run", "--adapter", "caddyfile"]
    with listening([*command, "--config", folder / "Caddyfile"], port, folder):
        yield
