"""Boot partitions, packages and settings for the tests of cards."""

import io
import tarfile
from pathlib import Path
from typing import Final

KEY: Final = (
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4zoQ7u9hoyFnEyXaNxCfBDbY2aPlVnCnzgZ3ZWn3pP a maker"
)
UNCONFIGURED: Final = "dsmode: local\ninstance_id: rpios-image\n"
BOOT_FILES: Final = {
    "config.txt": "dtparam=audio=on\n\n[all]\n",
    "cmdline.txt": "console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootwait resize\n",
    "kernel8.img": "",
    "issue.txt": "Raspberry Pi reference 2026-10-01\nGenerated\n",
    "user-data": "#cloud-config\n",
    "meta-data": UNCONFIGURED,
}


def make_partition(folder: Path, **others: str) -> Path:
    """Write the files of a boot partition of Raspberry Pi OS that `urpi card` reads."""
    folder.mkdir()
    for name, text in {**BOOT_FILES, **others}.items():
        (folder / name).write_text(text)
    return folder


def package_bytes(name: str = "urpi", version: str = "0.1.0") -> bytes:
    """Return a Debian package without any files: an ar archive of three members."""
    packed = io.BytesIO()
    text = f"Package: {name}\nVersion: {version}\nDescription: a\n b\n".encode()
    with tarfile.open(fileobj=packed, mode="w:xz") as archive:
        info = tarfile.TarInfo("./control")
        info.size = len(text)
        archive.addfile(info, io.BytesIO(text))
    members = {
        "debian-binary": b"2.0\n",
        "control.tar.xz": packed.getvalue(),
        "data.tar.xz": b"abc",
    }
    parts = [b"!<arch>\n"]
    for member, content in members.items():
        parts.append(f"{member:16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode())
        parts.append(content + b"\n" * (len(content) % 2))
    return b"".join(parts)


def make_package(folder: Path, name: str = "urpi", version: str = "0.1.0") -> Path:
    path = folder / f"{name}_{version}_all.deb"
    path.write_bytes(package_bytes(name, version))
    return path
