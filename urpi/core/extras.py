"""How to install the library of an extra: with pip, or with apt where urpi is a Debian package."""

from pathlib import Path
from typing import Final

PACKAGED: Final = Path("/usr/share/urpi")
"""The folder of the modules that the Debian package contains."""
_IN_DEBIAN: Final = {
    "club-server": "`sudo apt install python3-psycopg python3-networkx python3-argon2"
    " python3-prometheus-client`",
    # Debian 12's versions are too old.
    "solve": "`sudo apt install python3-numba` (Debian 13 or later)",
    "template": "`sudo apt install python3-ezdxf` (Debian 13 or later)",
}

_REINSTALL: Final = "`sudo apt install --reinstall ./urpi_VERSION_all.deb`"
"""The package contains the libraries of all other extras."""


def installation(extra: str, modules: Path = Path(__file__).parents[2]) -> str:
    """The command that installs the library of an extra.

    Args:
        extra: The extra's name in pyproject.toml, such as ``template``.
        modules: The folder from which urpi is imported.

    >>> installation("template")
    "`pip install 'urpi[template]'`"
    """
    if modules != PACKAGED:
        return f"`pip install 'urpi[{extra}]'`"
    return _IN_DEBIAN.get(extra, _REINSTALL)
