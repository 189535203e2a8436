"""The program as a systemd service: the files it installs, and its notifications to systemd."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.install.systemd.files import ServiceFile, packaged_files, service_files
    from urpi.install.systemd.install import UnitState, file_state, remove_file, write_file
    from urpi.install.systemd.supervisor import Supervisor
else:
    export(
        __name__,
        {
            "files": ("ServiceFile", "packaged_files", "service_files"),
            "install": ("UnitState", "file_state", "remove_file", "write_file"),
            "supervisor": ("Supervisor",),
        },
    )

__all__ = [
    "ServiceFile",
    "Supervisor",
    "UnitState",
    "file_state",
    "packaged_files",
    "remove_file",
    "service_files",
    "write_file",
]
