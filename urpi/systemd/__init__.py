"""The program as a systemd service: its files on the machine, and its words to systemd."""

from urpi.systemd.files import Place, ServiceFile, files_of
from urpi.systemd.placing import State, place, remove, state_of
from urpi.systemd.supervisor import Supervisor

__all__ = ["Place", "ServiceFile", "State", "Supervisor", "files_of", "place", "remove", "state_of"]
