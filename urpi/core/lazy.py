"""Packages whose public names load the modules that define them on first use.

Most commands need a small part of most packages, and importing all of them takes several times
as long as the work. A package's ``__init__`` imports its names for the type checker only, and
calls `export` with the same names; `tests/core/test_lazy.py` compares the two.
"""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any


def load(module: str, name: str) -> Any:
    """Import a module and return the object of that name in it."""
    return getattr(import_module(module), name)


class _LazyPackage(ModuleType):
    """A package that imports the module of a public name when the name is looked up."""

    # Set by `export`: the module that defines each name.
    _homes: Mapping[str, str]

    def __getattr__(self, name: str) -> object:
        if name.startswith("_") or name not in self._homes:
            message = f"module {self.__name__!r} has no attribute {name!r}"
            raise AttributeError(message)
        value: object = load(self._homes[name], name)
        super().__setattr__(name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        # Importing a submodule sets it as an attribute of its package; a public name wins over
        # the submodule of the same name, as it does where a package imports its names at once.
        if isinstance(value, ModuleType) and name in self._homes:
            return
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._homes})


def exported(package: str) -> Mapping[str, str]:
    """Return the module of each public name of a package that called `export`."""
    homes: Mapping[str, str] = sys.modules[package].__dict__["_homes"]
    return homes


def export(package: str, names: Mapping[str, Sequence[str]]) -> None:
    """Make a package load its public names on first use.

    Args:
        package: The package's ``__name__``.
        names: The public names by the submodule that defines them.
    """
    homes = {name: f"{package}.{home}" for home, listed in names.items() for name in listed}
    module = sys.modules[package]
    module.__dict__["_homes"] = homes
    module.__class__ = _LazyPackage
