"""The program as a systemd service: the files it installs, and its notifications to systemd."""

from urpi.systemd.files import ServiceFile, service_files
from urpi.systemd.install import State, file_state, remove_file, write_file
from urpi.systemd.supervisor import Supervisor

__all__ = [
    "ServiceFile",
    "State",
    "Supervisor",
    "file_state",
    "remove_file",
    "service_files",
    "write_file",
]
