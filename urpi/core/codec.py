"""JSON objects from frozen dataclasses, and back: their fields are the keys.

The type of a field decides which values are valid: any text, true or false, the words of a
`Literal` or an `Enum`, or a list of texts. `Annotated[type, kind]` names another `Kind`, which
every number needs, for its limits. A field without a default is a required key; another one is left
out where it has its default, unless `REQUIRED`, `WRITTEN` or `Only` changes that. Pure: no I/O.
"""

import json
import re
import reprlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from operator import attrgetter
from types import UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    NoReturn,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from urpi.core.errors import UrpiError

Value = TypeVar("Value")

json_line: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":")
).encode
"""Return a value as compact JSON."""
INVALID: Final = (ValueError, TypeError, LookupError, UrpiError)
"""What `Kind.parse` may raise."""


class FormatError(UrpiError):
    """An object is invalid; the message names the key, the value found and the allowed values."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value, and its conversion from and to JSON.

    Attributes:
        allowed: The allowed values, in words.
        parse: Convert a JSON value; raises one of `INVALID` if it is invalid.
        format: Convert a value to JSON; None if it is the same.
    """

    allowed: str
    parse: Callable[[Any], Any]
    format: Callable[[Any], Any] | None = None


class Presence(Enum):
    """Whether a key may be absent, of a field that has a default."""

    REQUIRED = "never"
    WRITTEN = "in what is parsed"
    OPTIONAL = "always"


REQUIRED: Final = Presence.REQUIRED
WRITTEN: Final = Presence.WRITTEN


@dataclass(frozen=True, slots=True)
class Only:
    """A key that objects have, and must have, if an earlier key has this value.

    In other objects it is an unknown key.
    """

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Named:
    """A key whose name is not that of its field."""

    name: str


@dataclass(frozen=True, slots=True)
class Key:
    """A key of an object, from a field."""

    name: str
    field: str
    kind: Kind
    presence: Presence
    default: Any
    only: Only | None

    @property
    def required(self) -> bool:
        """Whether an object without it is invalid."""
        return self.presence is REQUIRED


def reject() -> NoReturn:
    """Reject a value, within `Kind.parse`."""
    raise ValueError


def whole(lowest: int, highest: int, allowed: str = "") -> Kind:
    """The kind of the whole numbers between two, both included."""

    def parse(value: Any) -> int:
        # In Python a bool is an int, and 1.0 == 1; neither is a whole number in a line.
        return value if type(value) is int and lowest <= value <= highest else reject()

    return Kind(allowed or f"a whole number from {lowest} to {highest}", parse)


def parse_text(value: Any) -> str:
    """A JSON value that is a text which can be stored."""
    if not isinstance(value, str):
        reject()
    if not value.isascii():
        value.encode()  # JSON can escape half a surrogate pair, which cannot be stored
    return value


TEXT: Final = Kind("a text", parse_text)
_FLAG: Final = Kind(
    "true or false", lambda value: value if value is True or value is False else reject()
)
_TRUE: Final = Kind("true, or absent", lambda value: value if value is True else reject())


def short_text(longest: int) -> Kind:
    """The kind of the texts of at most so many characters."""

    def parse(value: Any) -> str:
        return parse_text(value) if len(value) <= longest else reject()

    return Kind(f"a text of at most {longest} characters", parse)


def matching(pattern: str, allowed: str) -> Kind:
    """The kind of the texts that a regular expression matches from end to end."""
    matches = re.compile(pattern).fullmatch
    return Kind(allowed, lambda value: value if matches(value) else reject())


def list_of(kind: Kind, allowed: str, longest: int | None = None, *, unique: bool = False) -> Kind:
    """Return the kind of the lists of values of a kind; as a value, a tuple."""

    def parse(value: Any) -> tuple[Any, ...]:
        if type(value) is not list or (longest is not None and len(value) > longest):
            reject()
        found = tuple(map(kind.parse, value))
        return found if not unique or len(set(found)) == len(found) else reject()

    convert = kind.format
    if convert is None:
        return Kind(allowed, parse, list)
    return Kind(allowed, parse, lambda values: list(map(convert, values)))


def choice(vocabulary: Any) -> Kind:
    """The kind of the words of a `Literal` type."""
    words = get_args(vocabulary)
    known = frozenset(words)
    return Kind(" or ".join(words), lambda value: value if value in known else reject())


def _enum(words: type[Enum]) -> Kind:
    known = {word.value: word for word in words}
    return Kind(" or ".join(known), known.__getitem__, attrgetter("value"))


def nested(make: type, allowed: str, label: str = "", *, strict: bool = True) -> Kind:
    """The kind of the objects from a class.

    Args:
        make: The class.
        allowed: The allowed values, in words.
        label: What errors call the object, which then name its key; without, they name the whole.
        strict: Whether unknown keys are invalid.
    """
    inner, also = Type("", make), () if strict else None

    def parse(value: Any) -> Any:
        try:
            return inner.parse(value, label, also) if type(value) is dict else reject()
        except FormatError:
            if label:
                raise
            reject()

    return Kind(allowed, parse, inner.object_of)


def _kind_of(hint: Any, *, truth: bool) -> Kind:
    """Return the kind that a type has by itself; with `truth`, `False` is left out."""
    parts = [part for part in get_args(hint) if part is not type(None)]
    if get_origin(hint) in {Union, UnionType} and len(parts) == 1:
        return _kind_of(parts[0], truth=truth)
    if get_origin(hint) is Annotated:
        found = [part for part in hint.__metadata__ if isinstance(part, Kind)]
        return found[0] if found else _kind_of(parts[0], truth=truth)
    if get_origin(hint) is Literal:
        return choice(hint)
    if hint == tuple[str, ...]:
        return list_of(TEXT, "a list of texts")
    if hint is bool:
        return _TRUE if truth else _FLAG
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enum(hint)
    assert hint is str, f"{hint} needs a Kind"
    return TEXT


def _key(name: str, hint: Any, default: Any) -> Key:
    notes = hint.__metadata__ if get_origin(hint) is Annotated else ()
    only = next((note for note in notes if isinstance(note, Only)), None)
    needed = default is MISSING or only is not None
    presence = next(
        (note for note in notes if isinstance(note, Presence)),
        REQUIRED if needed else Presence.OPTIONAL,
    )
    kind = _kind_of(hint, truth=presence is Presence.OPTIONAL and default is False)
    key = next((note.name for note in notes if isinstance(note, Named)), name)
    return Key(key, name, kind, presence, default, only)


class Type:
    """A type of object, and its class.

    Attributes:
        name: The value of the key ``type``.
        make: The class.
        keys: The keys in the order in which they are written.
    """

    def __init__(
        self,
        name: str,
        make: type,
        check: Callable[[Any], None] | None = None,
        first: Sequence[str] = (),
    ) -> None:
        """Derive the keys of a type.

        Args:
            name: The value of the key ``type``.
            make: The class.
            check: Raises UrpiError if values contradict each other, each of them valid.
            first: The keys that are written first; the others follow in the order of the fields.
        """
        hints = get_type_hints(make, include_extras=True)
        defaults = {
            each.name: each.default if each.default_factory is MISSING else each.default_factory()
            for each in fields(make)
        }
        keys = [_key(each, hints[each], default) for each, default in defaults.items()]
        self.name, self.make, self._check = name, make, check
        self.keys = tuple(sorted(keys, key=lambda key: key.name not in first))
        # Tuples, because an attribute of each key of each line would take longer than its parsing.
        self._parsed = tuple(
            (key.name, key.kind, key.kind.parse, key.required, key.default, key.only)
            for key in keys
        )
        self._written = tuple(
            (
                key.name,
                attrgetter(key.field),
                key.kind.format,
                key.default if key.presence is Presence.OPTIONAL else MISSING,
                key.only,
            )
            for key in self.keys
        )

    def parse(
        self, found: Mapping[str, Any], label: str, also: Collection[str] | None = None
    ) -> Any:
        """The value of an object.

        Args:
            found: The object.
            label: What the error message calls it, with braces for the type's name.
            also: The other keys that it may have; by default any.

        Raises:
            UrpiError: If it is invalid.
        """
        if also is not None:
            self._check_keys(found, label, also)
        values = []
        for name, kind, parse, required, default, only in self._parsed:
            if name not in found or (only and found.get(only.key) != only.value):
                if required and (not only or found.get(only.key) == only.value):
                    message = f"{label.format(self.name)} needs the key {name}: {kind.allowed}."
                    raise FormatError(message)
                values.append(default)
                continue
            try:
                values.append(parse(found[name]))
            except FormatError:
                raise
            except INVALID as error:
                given = reprlib.repr(found[name])
                whose = label.format(self.name)
                message = f"{name} of {whose} must be {kind.allowed}; found {given}."
                raise FormatError(message) from error
        value = self.make(*values)
        if self._check:
            self._check(value)
        return value

    def object_of(self, value: Any, start: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A value as an object, ready for JSON.

        Args:
            value: An instance of the class.
            start: What the object begins with; the value of one of its keys is replaced.
        """
        found = dict(start or {})
        for name, get, convert, default, only in self._written:
            held = get(value)
            if default is not MISSING and held == default:
                continue
            if only and found.get(only.key) != only.value:
                continue
            found[name] = held if convert is None else convert(held)
        return found

    def _check_keys(self, found: Mapping[str, Any], label: str, also: Collection[str]) -> None:
        known = [*also, *(key.name for key in self.keys)]
        unknown = next((key for key in found if key not in known), None)
        if unknown is not None:
            message = (
                f"{label.format(self.name)} has no other keys than {', '.join(known)}; "
                f"found {reprlib.repr(unknown)}."
            )
            raise FormatError(message)


class Codec(Generic[Value]):
    """The types of one format, each known by its key ``type``."""

    def __init__(
        self,
        label: str,
        types: Iterable[Type],
        *,
        before: Sequence[str] = (),
        constants: Mapping[str, Any] | None = None,
        strict: bool = False,
    ) -> None:
        """Collect the types of a format.

        Args:
            label: What error messages call an object, with braces for its type.
            types: The types.
            before: Keys of all types that precede ``type``.
            constants: Keys that follow ``type``, with their values.
            strict: Whether unknown keys are invalid; by default they are ignored.
        """
        self._label = label
        self._also = ("type", *(constants or {})) if strict else None
        self.types = {each.name: each for each in types}
        self._constants = constants or {}
        self._starts = {
            each.make: (each, {**dict.fromkeys(before), "type": each.name, **self._constants})
            for each in self.types.values()
        }

    def object_of(self, value: Value) -> dict[str, Any]:
        """A value as an object, ready for JSON."""
        one, start = self._starts[type(value)]
        return one.object_of(value, start)

    def line_of(self, value: Value) -> str:
        """A value as compact JSON, without a newline."""
        return json_line(self.object_of(value))

    def parse(self, found: Any) -> Value:
        """The value of an object, as parsed from JSON.

        Raises:
            UrpiError: If it is invalid; the message names the key, the value found and the allowed
                values.
        """
        name = found.get("type") if isinstance(found, dict) else None
        one = self.types.get(name) if isinstance(name, str) else None
        if one is None:
            given = "none" if name is None else reprlib.repr(name)
            message = f"the type must be one of {', '.join(self.types)}; found {given}."
            raise FormatError(message)
        for key, value in self._constants.items():
            # 1.0 and True are equal to 1.
            if found.get(key) != value or type(found[key]) is not type(value):
                given = reprlib.repr(found[key]) if key in found else "none"
                message = f"{key} of {self._label.format(name)} must be {value}; found {given}."
                raise FormatError(message)
        return cast("Value", one.parse(found, self._label, self._also))
