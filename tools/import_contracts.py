"""A contract of import-linter for what its own types cannot express: a list of what is allowed.

The type `forbidden` needs the names of everything that is forbidden, which for a pure module is all
of the standard library that has to do with time, files, randomness, processes or devices, and every
library there is.
"""

import sys
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

STANDARD = "standard"
"""Allows all of the standard library."""


class OnlyContract(Contract):
    """Modules import nothing from outside of the program except what is listed.

    Options:
        modules: The modules, each with all modules in it.
        excluded: Modules in these that the contract does not concern.
        outside: The allowed packages from outside; `standard` for all of the standard library.
        inside: The allowed modules of the program beside `modules`, each with all modules in it;
            all that the order of the domains allows if the option is missing.
    """

    type_name = "only"

    modules = fields.SetField(subfield=fields.StringField())
    excluded = fields.SetField(subfield=fields.StringField(), required=False)
    outside = fields.SetField(subfield=fields.StringField(), required=False)
    inside = fields.SetField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002
        """Compare the direct imports of the modules with the lists."""
        modules = _names(self.modules)
        excluded = _names(self.excluded)
        missing = sorted((modules | excluded) - graph.modules)
        if missing:
            message = f"no module is called {', '.join(missing)}"
            raise ValueError(message)
        wrong = [
            (line["importer"], line["imported"], line["line_number"])
            for importer in sorted(graph.modules)
            if _within(importer, modules) and not _within(importer, excluded)
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if not self._allows(imported, modules - excluded, excluded)
            for line in graph.get_import_details(importer=importer, imported=imported)
        ]
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def _allows(self, imported: str, modules: set[str], excluded: set[str]) -> bool:
        top = imported.partition(".")[0]
        if top == "urpi":
            inside = _names(self.inside)
            own = _within(imported, modules) and not _within(imported, excluded)
            return not inside or own or _within(imported, inside)
        outside = _names(self.outside)
        return top in outside or (STANDARD in outside and top in sys.stdlib_module_names)

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports that are not allowed."""
        for importer, imported, line in check.metadata["wrong"]:
            output.print_error(f"{importer}:{line} imports {imported}", bold=False)


def _names(value: object) -> set[str]:
    return set(cast("set[str] | None", value) or ())


def _within(module: str, packages: set[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)
