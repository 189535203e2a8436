"""Keys of the configuration: fields of a section's dataclass with a kind and a description."""

from collections.abc import Callable, Iterator
from dataclasses import Field, dataclass, field, fields, is_dataclass
from typing import Any, Final, TypeAlias

from urpi.config.kinds import ValueKind

KeyPath: TypeAlias = tuple[str, ...]
"""The names from the outermost section to a key."""

_KIND: Final = "kind"
_ABOUT: Final = "about"


def key(
    kind: ValueKind, about: str, default: object = None, *, factory: Callable[[], Any] | None = None
) -> Any:
    """Return a field of a section; `factory` makes a mutable default, such as a TOML table."""
    metadata = {_KIND: kind, _ABOUT: about}
    if factory is not None:
        return field(default_factory=factory, metadata=metadata)
    return field(default=default, metadata=metadata)


def kind_of(one: Field[Any]) -> ValueKind | None:
    """The kind of a key, None for a section."""
    kind: ValueKind | None = one.metadata.get(_KIND)
    return kind


@dataclass(frozen=True)
class KeyValue:
    """A key with its section's dotted name, its field, its kind and a value."""

    section: str
    field: Field[Any]
    kind: ValueKind
    value: object

    @property
    def path(self) -> KeyPath:
        """The names from the outermost section to the key."""
        return (*self.section.split("."), self.field.name)

    @property
    def about(self) -> str:
        return str(self.field.metadata[_ABOUT])

    @property
    def variable(self) -> str:
        """The environment variable that overrides the key."""
        return "_".join(("URPI", *self.path)).upper()


def each_section(config: object, name: str = "") -> Iterator[tuple[str, str, list[KeyValue]]]:
    """Yield each section in the file's order: its dotted name, its description, its entries."""
    assert is_dataclass(config)
    for one in fields(config):
        value = getattr(config, one.name)
        if kind_of(one) is None:
            inner = f"{name}.{one.name}" if name else one.name
            yield inner, str(value.__doc__), list(_entries(value, inner))
            yield from each_section(value, inner)


def _entries(config: Any, name: str) -> Iterator[KeyValue]:
    for one in fields(config):
        kind = kind_of(one)
        if kind is not None:
            yield KeyValue(name, one, kind, getattr(config, one.name))
