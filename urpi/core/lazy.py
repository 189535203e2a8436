"""Packages whose public names load the modules that define them on first use.

Most commands need a small part of most packages, and importing all of them takes several times
as long as the work. A package's ``__init__`` imports its public names for the type checker only,
under ``if TYPE_CHECKING:``, and calls `export`, which reads them from there.
"""

import re
import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

# An indented import: that of an `if TYPE_CHECKING:`. A twelfth of the time of `ast`.
_IMPORT = re.compile(r"^    from (\S+) import (?:\(([^)]*)\)|(.*)$)", re.MULTILINE)


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


def export(package: str) -> None:
    """Make a package load on first use the names that its source imports for the type checker.

    Args:
        package: The package's ``__name__``.

    Raises:
        ImportError: If the package has no readable source: in a zip file, or compiled only.
    """
    module = sys.modules[package]
    try:
        with open(str(module.__file__), encoding="utf-8") as file:
            source = file.read()
    except (OSError, UnicodeDecodeError) as error:
        message = (
            f"the public names of {package} are read from its source, and {module.__file__} is "
            f"not readable as that ({error}); install urpi as files, with their sources"
        )
        raise ImportError(message, name=package) from error
    homes = {
        name.strip(): home
        for home, several, one in _IMPORT.findall(source)
        for name in (several or one).split(",")
        if name.strip()
    }
    module.__dict__.update(_homes=homes, __all__=list(homes))
    # A function `__getattr__` in the module could not keep submodules from replacing public names.
    module.__class__ = _LazyPackage
