"""Every output is known wherever a board's devices are listed, examined, packaged or simulated."""

import re
import tomllib
from dataclasses import fields, replace
from pathlib import Path

import pytest

from docs.generator.findings import machine_with
from urpi.config import Config
from urpi.hardware import default_pins
from urpi.hardware.finding import Finding, Level
from urpi.hardware.outputs.output import Output, Present
from urpi.hardware.outputs.registry import OUTPUTS
from urpi.hardware.wiring import faults, wires_of
from urpi.install.doctor import diagnose
from urpi.install.doctor.facts import Facts
from urpi.install.doctor.probes.software import MODULES
from urpi.referee import Phase, Snapshot
from urpi.service.virtual_backends import VirtualBackends
from urpi.show.scene import Scene
from urpi.show.words import words_for

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PINS = default_pins()
EXAMPLES = [
    pytest.param(output, *example, id=f"{output.name}-{number}")
    for output in OUTPUTS
    for number, example in enumerate(output.examples())
]
EVERY = pytest.mark.parametrize("output", OUTPUTS, ids=lambda output: output.name)


def diagnosis(facts: Facts, config: Config) -> list[Finding]:
    return list(diagnose(facts, config, PINS))


def test_every_module_has_an_output_in_the_list() -> None:
    folder = ROOT / "urpi/hardware/outputs"
    modules = {file.stem for file in folder.glob("*.py")} - {"__init__", "output", "registry"}
    assert modules == {type(output).__module__.rpartition(".")[2] for output in OUTPUTS}


@EVERY
def test_an_output_has_a_section_that_is_documented(output: Output) -> None:
    assert output.name in {one.name for one in fields(Config)}
    assert f"\n## [{output.name}]\n" in (DOCS / "reference/configuration.md").read_text("utf-8")


@EVERY
def test_an_output_is_in_the_table_of_the_documentation(output: Output) -> None:
    page = (DOCS / "operate/outputs.md").read_text("utf-8")
    assert f"\n| {output.title} | {output.about} | `[{output.name}]` |" in page


@pytest.mark.parametrize(("output", "config", "present"), EXAMPLES)
def test_the_doctor_reports_every_fault_and_so_does_its_page(
    output: Output, config: Config, present: Present
) -> None:
    assert output.is_used(config)
    own = [one for one in output.findings(config, present) if one.level is not Level.RIGHT]
    assert own
    found = diagnosis(machine_with(present), config)
    page = (DOCS / "trouble/findings.md").read_text("utf-8")
    for finding in own:
        assert finding.area == output.name
        assert finding in found
        assert f"| {finding.found} | {finding.cure} |" in page


@pytest.mark.parametrize(("output", "config", "present"), EXAMPLES)
def test_the_doctor_reports_a_missing_library(
    output: Output, config: Config, present: Present
) -> None:
    if output.library:
        assert MODULES[output.library] == output.module
        facts = machine_with(present)
        missing = replace(facts, software=replace(facts.software, libraries={}))
        (one,) = (
            each
            for each in diagnosis(missing, config)
            if each.found == f"{output.library} is missing"
        )
        assert one.level is Level.BROKEN
        assert not output.extra or f"urpi[{output.extra}]" in one.cure


@pytest.mark.parametrize(("output", "config", "present"), EXAMPLES)
def test_the_wiring_list_has_its_wires_and_checks_them(
    output: Output, config: Config, present: Present
) -> None:
    wires = {wire.name: wire for wire in wires_of(config, PINS)}
    if (place := output.i2c(config)) is not None:
        assert {f"{output.title} {end}" for end in ("VCC", "GND", "SDA", "SCL")} <= wires.keys()
        chips = replace(config.expander, i2c_port=place[0], first=0x20, second=place[1])
        clash = replace(config, gpio=replace(config.gpio, wiring="expander"), expander=chips)
        assert f"{output.name}.i2c_address" in {one.key for one in faults(clash, PINS)}
    for pin in output.pins(config, PINS):
        assert (wires[pin.wire].gpio, wires[pin.wire].to) == (pin.gpio, pin.to)
        # A contact at the same pin.
        moved = replace(config.gpio, wiring="header", pins={"A1": pin.gpio})
        clashes = [one.found for one in faults(replace(config, gpio=moved), PINS)]
        assert any(pin.wire in found for found in clashes), clashes


@EVERY
def test_its_library_and_its_program_are_packaged(output: Output) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    control = (ROOT / "tools/deb/debian/control").read_text("utf-8")
    if output.library:
        extras = project["optional-dependencies"]
        listed = extras[output.extra] if output.extra else project["dependencies"]
        assert output.library in {re.split(r"[^\w.-]", one)[0] for one in listed}
        bundled = (ROOT / "tools/deb/bundled.txt").read_text("utf-8")
        in_debian = control.partition("Depends: python3 (")[2].partition("${misc")[0]
        if output.debian:
            assert re.search(rf"^ +{re.escape(output.debian)}\b", in_debian, re.MULTILINE)
        else:
            assert f"\n{output.library}==" in bundled
    if output.program:
        assert re.search(rf"^(Suggests|Recommends):.*\b{output.program}\b", control, re.MULTILINE)


@pytest.mark.parametrize(("output", "config", "present"), EXAMPLES)
def test_it_shows_a_scene_at_the_virtual_table(
    output: Output, config: Config, present: Present
) -> None:
    with VirtualBackends(config, "socket") as table:
        ends = table.connect(table.wire.address)
        assert (output.name in ends.far_ends) == (output.virtual(config) is not None)
        shown = output.open(config, ends, lambda _fault: None)
        if shown is not None:
            shown.show(Scene(Snapshot(Phase.SET_UP), words_for("en")))
            shown.wake()
            shown.close()
