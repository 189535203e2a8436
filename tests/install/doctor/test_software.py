"""Python and its libraries, in folders as pip and Debian install them."""

import pytest

from tests.install.doctor.trees import GOOD, PIS, found_by, of_area, put
from urpi.config import Config, GpioSection
from urpi.install.doctor.facts import Library, Software
from urpi.install.doctor.findings.software import version_key
from urpi.install.doctor.probes.software import software

RPIGPIO = Config(gpio=GpioSection(factory="rpigpio"))


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


def test_a_library_with_its_module_is_importable(tmp_path):
    install(tmp_path, "lgpio", "0.2.2.0", LGPIO)
    assert probe(tmp_path).libraries == {"lgpio": Library("0.2.2.0", True)}


def test_debian_s_egg_info_is_recognized(tmp_path):
    install(tmp_path, "rpi_lgpio", "0.6", SHIM, kind="egg-info")
    assert probe(tmp_path).libraries == {"rpi-lgpio": Library("0.6", True)}


def test_an_lgpio_without_its_module_is_not_importable(tmp_path):
    install(tmp_path, "lgpio", "0.0.0.2")
    assert probe(tmp_path).libraries == {"lgpio": Library("0.0.0.2", False)}


def test_a_library_of_the_environment_hides_the_system_s(tmp_path):
    install(tmp_path / "venv", "lgpio", "0.3", LGPIO)
    install(tmp_path / "system", "lgpio", "0.2.2.0", LGPIO)
    assert probe(tmp_path / "venv", tmp_path / "system").libraries["lgpio"].version == "0.3"


@pytest.mark.parametrize(("module", "provider"), [(SHIM, "rpi-lgpio"), (OLD, "rpi.gpio")])
def test_the_provider_of_rpi_gpio_is_identified_by_its_code(tmp_path, module, provider):
    install(tmp_path, "RPi.GPIO", "0.7.1", module)
    install(tmp_path, "rpi_lgpio", "0.6")
    found = probe(tmp_path)
    assert found.rpi == provider
    assert set(found.libraries) == {"rpi.gpio", "rpi-lgpio"}


def test_an_empty_rpi_folder_has_no_provider(tmp_path):
    put(tmp_path, "/RPi/_GPIO.so")
    assert probe(tmp_path).rpi == ""
    assert probe().rpi == ""


@pytest.mark.parametrize(
    ("settings", "included"),
    [
        ("include-system-site-packages = true\n", True),
        ("home = /usr/bin\ninclude-system-site-packages=false\n", False),
    ],
)
def test_an_environment_may_include_the_system_s_packages(tmp_path, settings, included):
    put(tmp_path, "/pyvenv.cfg", settings)
    found = probe(prefixes=(str(tmp_path), "/usr"))
    assert (found.venv, found.system_site) == (True, included)


def test_floors_come_from_the_requirements_of_this_program():
    found = probe(requires=["gpiozero<3,>=2.0.1.post3", "click", 'smbus2>=0.4.3; extra == "e"'])
    assert found.floors == {"gpiozero": "2.0.1.post3", "smbus2": "0.4.3"}


@pytest.mark.parametrize(
    ("older", "newer"), [("2.0.1", "2.0.1.post3"), ("0.2", "0.2.2.0"), ("0.7.1", "0.10")]
)
def test_versions_are_compared_number_by_number(older, newer):
    assert version_key(older) < version_key(newer)


def with_libraries(**libraries):
    named = {name.replace("_", "-"): library for name, library in libraries.items()}
    return {**GOOD.libraries, **named}


def libraries(tmp_path, software, config=None, pi="4"):
    return of_area(found_by(tmp_path, PIS[pi], config, software=lambda: software), "libraries")


def changed(**keys):
    return Software(**{**{name: getattr(GOOD, name) for name in GOOD.__slots__}, **keys})


BOTH = {
    **GOOD.libraries,
    "rpi.gpio": Library("0.7.1", True),
    "rpi-lgpio": Library("0.6", True),
}
OLD_RPI = {**GOOD.libraries, "rpi.gpio": Library("0.7.1", True)}


def test_good_libraries_are_all_right(tmp_path):
    assert {level for level, _ in libraries(tmp_path, GOOD)} == {"right"}


@pytest.mark.parametrize(
    ("software", "config", "pi", "level", "expected"),
    [
        (changed(libraries={}), None, "4", "broken", "lgpio is missing -> Run `sudo apt"),
        (
            changed(libraries=with_libraries(lgpio=Library("0.0.0.2", False))),
            None,
            "4",
            "broken",
            "lgpio 0.0.0.2 is installed but empty",
        ),
        (
            changed(libraries=with_libraries(gpiozero=Library("2.0.1", True))),
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
            "both installed; rpi-lgpio provides `RPi.GPIO`",
        ),
        (changed(libraries=BOTH, rpi="rpi.gpio"), RPIGPIO, "3", "broken", "both installed"),
        (GOOD, RPIGPIO, "3", "broken", "rpi.gpio is missing"),
        (
            changed(libraries=OLD_RPI, rpi="rpi.gpio"),
            RPIGPIO,
            "5, chip 4",
            "broken",
            "does not support the pins of a Pi 5",
        ),
        (
            changed(libraries=OLD_RPI, rpi="rpi.gpio"),
            RPIGPIO,
            "4",
            "broken",
            "receives no edges from kernel 6.12.25",
        ),
        (
            GOOD,
            Config(gpio=GpioSection(wiring="expander")),
            "4",
            "broken",
            "smbus2 is missing -> Run `pip install 'urpi[expander]'`",
        ),
        (
            changed(libraries={}, packaged=True),
            None,
            "4",
            "broken",
            "lgpio is missing -> Run `sudo apt install --reinstall python3-lgpio`.",
        ),
        (
            changed(libraries={"gpiozero": Library("2.0", True)}, packaged=True),
            None,
            "4",
            "poor",
            "-> Install urpi's Debian package again: `sudo apt install --reinstall ./urpi_",
        ),
    ],
)
def test_library_faults_are_reported_with_their_cure(
    tmp_path, software, config, pi, level, expected
):
    found = libraries(tmp_path, software, config, pi)
    assert [one for one in found if one[0] == level and expected in one[1]]


@pytest.mark.parametrize("pi", ["3"])
def test_rpi_gpio_works_on_an_older_kernel(tmp_path, pi):
    software = changed(libraries=OLD_RPI, rpi="rpi.gpio")
    assert {level for level, _ in libraries(tmp_path, software, RPIGPIO, pi)} == {"right"}


def test_rpi_lgpio_works_on_every_pi(tmp_path):
    shim = changed(libraries={**GOOD.libraries, "rpi-lgpio": Library("0.6", True)}, rpi="rpi-lgpio")
    assert {level for level, _ in libraries(tmp_path, shim, RPIGPIO, "5, chip 15")} == {"right"}


def test_an_environment_that_hides_the_system_s_lgpio_is_poor(tmp_path):
    isolated = changed(libraries={}, system_site=False)
    found = of_area(found_by(tmp_path, PIS["4"], software=lambda: isolated), "python")
    assert found[0][0] == "poor"
    assert "--system-site-packages" in found[0][1]
