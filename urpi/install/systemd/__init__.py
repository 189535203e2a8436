"""The program as a systemd service: the files it installs, and its notifications to systemd."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.install.systemd.files import ServiceFile, packaged_files, service_files
    from urpi.install.systemd.install import UnitState, file_state, remove_file, write_file
    from urpi.install.systemd.supervisor import Supervisor

export(__name__)
