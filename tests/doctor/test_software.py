"""Which libraries are really there, in folders as pip and Debian leave them."""

import pytest

from tests.doctor.trees import GOOD, PIS, found_by, of_area, put
from urpi.config import Config, Gpio
from urpi.doctor.facts import Library, Software
from urpi.doctor.findings.software import version_key
from urpi.doctor.probes.software import software

RPIGPIO = Config(gpio=Gpio(factory="rpigpio"))


def install(root, name, version, *modules, kind="dist-info"):
    file = "METADATA" if kind == "dist-info" else "PKG-INFO"
    put(root, f"/{name}-{version}.{kind}/{file}", f"Name: {name}\nVersion: {version}\n")
    for module, content in modules:
        put(root, f"/{module}", content)


LGPIO = ("lgpio.py", "import _lgpio\n")
SHIM = ("RPi/GPIO/__init__.py", "import os\nimport lgpio\n")
OLD = ("RPi/GPIO/__init__.py", "from RPi._GPIO import *\n")


def probe(*folders, prefixes=("/venv", "/usr"), requires=()):
    return software([str(folder) for folder in folders], "3.11.2", prefixes, requires)


def test_a_library_is_there_with_version_and_module(tmp_path):
    install(tmp_path, "lgpio", "0.2.2.0", LGPIO)
    assert probe(tmp_path).libraries == {"lgpio": Library("0.2.2.0", True)}


def test_debian_s_egg_info_counts_too(tmp_path):
    install(tmp_path, "rpi_lgpio", "0.6", SHIM, kind="egg-info")
    assert probe(tmp_path).libraries == {"rpi-lgpio": Library("0.6", True)}


def test_the_empty_lgpio_of_the_index_is_no_library(tmp_path):
    install(tmp_path, "lgpio", "0.0.0.2")
    assert probe(tmp_path).libraries == {"lgpio": Library("0.0.0.2", False)}


def test_the_environment_s_own_hides_the_system_s(tmp_path):
    install(tmp_path / "venv", "lgpio", "0.3", LGPIO)
    install(tmp_path / "system", "lgpio", "0.2.2.0", LGPIO)
    assert probe(tmp_path / "venv", tmp_path / "system").libraries["lgpio"].version == "0.3"


@pytest.mark.parametrize(("module", "owner"), [(SHIM, "rpi-lgpio"), (OLD, "rpi.gpio")])
def test_rpi_gpio_is_told_apart_by_what_it_is_made_of(tmp_path, module, owner):
    install(tmp_path, "RPi.GPIO", "0.7.1", module)
    install(tmp_path, "rpi_lgpio", "0.6")
    found = probe(tmp_path)
    assert found.rpi == owner
    assert set(found.libraries) == {"rpi.gpio", "rpi-lgpio"}


def test_a_rpi_that_holds_nothing_is_nobody_s(tmp_path):
    put(tmp_path, "/RPi/_GPIO.so")
    assert probe(tmp_path).rpi == ""
    assert probe().rpi == ""


@pytest.mark.parametrize(
    ("page", "sees"),
    [
        ("include-system-site-packages = true\n", True),
        ("home = /usr/bin\ninclude-system-site-packages=false\n", False),
    ],
)
def test_an_environment_says_whether_it_sees_the_system(tmp_path, page, sees):
    put(tmp_path, "/pyvenv.cfg", page)
    found = probe(prefixes=(str(tmp_path), "/usr"))
    assert (found.venv, found.system_site) == (True, sees)


def test_floors_are_this_program_s_own_requirements():
    found = probe(requires=["gpiozero<3,>=2.0.1.post3", "click", 'smbus2>=0.4.3; extra == "e"'])
    assert found.floors == {"gpiozero": "2.0.1.post3", "smbus2": "0.4.3"}


@pytest.mark.parametrize(
    ("older", "newer"), [("2.0.1", "2.0.1.post3"), ("0.2", "0.2.2.0"), ("0.7.1", "0.10")]
)
def test_versions_are_compared_number_by_number(older, newer):
    assert version_key(older) < version_key(newer)


def having(**libraries):
    named = {name.replace("_", "-"): library for name, library in libraries.items()}
    return {**GOOD.libraries, **named}


def libraries(tmp_path, has, config=None, pi="4"):
    return of_area(found_by(tmp_path, PIS[pi], config, software=lambda: has), "libraries")


def changed(**keys):
    return Software(**{**{name: getattr(GOOD, name) for name in GOOD.__slots__}, **keys})


BOTH = {
    **GOOD.libraries,
    "rpi.gpio": Library("0.7.1", True),
    "rpi-lgpio": Library("0.6", True),
}
OLD_RPI = {**GOOD.libraries, "rpi.gpio": Library("0.7.1", True)}


def test_all_is_right_with_good_libraries(tmp_path):
    assert {level for level, _ in libraries(tmp_path, GOOD)} == {"right"}


@pytest.mark.parametrize(
    ("has", "config", "pi", "level", "words"),
    [
        (changed(libraries={}), None, "4", "broken", "lgpio is missing -> Run `sudo apt"),
        (
            changed(libraries=having(lgpio=Library("0.0.0.2", False))),
            None,
            "4",
            "broken",
            "lgpio 0.0.0.2 is installed but empty",
        ),
        (
            changed(libraries=having(gpiozero=Library("2.0.1", True))),
            None,
            "5, chip 15",
            "poor",
            "gpiozero 2.0.1 is older than 2.0.1.post3",
        ),
        (
            changed(libraries=BOTH, rpi="rpi-lgpio"),
            None,
            "4",
            "poor",
            "both installed, and `import RPi.GPIO` is rpi-lgpio's",
        ),
        (changed(libraries=BOTH, rpi="rpi.gpio"), RPIGPIO, "3", "broken", "both installed"),
        (GOOD, RPIGPIO, "3", "broken", "rpi.gpio is missing"),
        (
            changed(libraries=OLD_RPI, rpi="rpi.gpio"),
            RPIGPIO,
            "5, chip 4",
            "broken",
            "cannot reach the pins of a Pi 5",
        ),
        (
            changed(libraries=OLD_RPI, rpi="rpi.gpio"),
            RPIGPIO,
            "4",
            "broken",
            "gets no edges from kernel 6.12.25",
        ),
        (
            GOOD,
            Config(gpio=Gpio(wiring="expander")),
            "4",
            "broken",
            "smbus2 is missing -> Run `pip install 'urpi[expander]'`",
        ),
    ],
)
def test_what_is_wrong_with_the_libraries_is_said_with_its_cure(
    tmp_path, has, config, pi, level, words
):
    found = libraries(tmp_path, has, config, pi)
    assert [said for said in found if said[0] == level and words in said[1]]


@pytest.mark.parametrize("pi", ["3"])
def test_rpi_gpio_is_right_on_an_older_kernel(tmp_path, pi):
    has = changed(libraries=OLD_RPI, rpi="rpi.gpio")
    assert {level for level, _ in libraries(tmp_path, has, RPIGPIO, pi)} == {"right"}


def test_the_shim_serves_every_pi(tmp_path):
    has = changed(libraries={**GOOD.libraries, "rpi-lgpio": Library("0.6", True)}, rpi="rpi-lgpio")
    assert {level for level, _ in libraries(tmp_path, has, RPIGPIO, "5, chip 15")} == {"right"}


def test_an_environment_that_does_not_see_the_system_s_lgpio_is_told_how(tmp_path):
    blind = changed(libraries={}, system_site=False)
    found = of_area(found_by(tmp_path, PIS["4"], software=lambda: blind), "python")
    assert found[0][0] == "poor"
    assert "--system-site-packages" in found[0][1]
