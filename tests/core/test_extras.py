"""The advice for a missing library names what can be installed where urpi is installed."""

import tomllib
from pathlib import Path

import pytest

from urpi.core.extras import PACKAGED, installation

EXTRAS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))


@pytest.mark.parametrize("extra", ["bluetooth", "club-server", "solve", "template"])
def test_each_extra_is_one_of_the_project_s(extra: str) -> None:
    assert extra in EXTRAS["project"]["optional-dependencies"]
    assert installation(extra) == f"`pip install 'urpi[{extra}]'`"


def test_the_debian_package_s_advice_is_apt_where_debian_has_the_library() -> None:
    assert installation("club-server", PACKAGED) == (
        "`sudo apt install python3-psycopg python3-networkx python3-argon2"
        " python3-prometheus-client`"
    )
    assert "python3-ezdxf` (Debian 13 or later)" in installation("template", PACKAGED)
    assert installation("bluetooth", PACKAGED) == (
        "`sudo apt install --reinstall ./urpi_VERSION_all.deb`"
    )
