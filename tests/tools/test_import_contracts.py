"""The contract of `.importlinter` that is the project's own."""

import pytest
from grimp import ImportGraph

from tools.import_contracts import OnlyContract


def graph_of(*imports: tuple[str, str]) -> ImportGraph:
    graph = ImportGraph()
    for importer, imported in imports:
        for module in (importer, imported):
            graph.add_module(module, is_squashed=not module.startswith("urpi"))
        graph.add_import(
            importer=importer, imported=imported, line_number=1, line_contents=f"import {imported}"
        )
    return graph


GRAPH = graph_of(
    ("urpi.core.names", "re"),
    ("urpi.core.names", "unicodedata"),
    ("urpi.core.names", "urpi.core.errors"),
    ("urpi.core.qr_code", "segno"),
    ("urpi.core.qr_code", "typing"),
)
GRAPH.add_module("urpi.core")


def wrong(**options: list[str]) -> list[tuple[str, str]]:
    """Return importer and import of what a contract does not allow."""
    contract = OnlyContract("", {"root_packages": ["urpi"]}, options)
    found = contract.check(GRAPH, verbose=False).metadata["wrong"]
    return [(importer, imported) for importer, imported, _ in found]


def test_an_import_from_outside_must_be_listed() -> None:
    modules, listed = ["urpi.core.names"], ["re", "unicodedata"]
    assert wrong(modules=modules, outside=listed) == []
    assert wrong(modules=modules, outside=listed[:1]) == [("urpi.core.names", "unicodedata")]
    assert wrong(modules=modules, outside=["standard"]) == []


def test_a_library_is_not_part_of_the_standard_one() -> None:
    assert ("urpi.core.qr_code", "segno") in wrong(modules=["urpi.core"], outside=["standard"])
    assert wrong(modules=["urpi.core"], excluded=["urpi.core.qr_code"], outside=["standard"]) == []


def test_an_import_of_the_program_must_be_listed_too_if_any_is() -> None:
    names: dict[str, list[str]] = {"modules": ["urpi.core.names"], "outside": ["standard"]}
    assert wrong(**names, inside=["urpi.rules"]) == [("urpi.core.names", "urpi.core.errors")]
    assert wrong(**names, inside=["urpi.core.errors"]) == []


def test_a_contract_about_an_unknown_module_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"no module is called urpi\.core\.nothing"):
        wrong(modules=["urpi.core.nothing"])
