"""Validation by JSON Schema, of the part that the API and the messages of tables use.

Pure: no I/O. The API's description contains the same schemas, so that it cannot differ from what is
checked.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from urpi.core.errors import UrpiError

Schema: TypeAlias = Mapping[str, Any]

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def check(value: Any, schema: Schema, name: str) -> None:
    """Check a value against a schema.

    Args:
        value: The value, as parsed from JSON.
        schema: The schema.
        name: What the error message calls the value.

    Raises:
        UrpiError: If the value does not match. The message names the key, what was found and what
            is allowed.
    """
    if "oneOf" in schema and "properties" not in schema:
        check(value, _select(value, schema["oneOf"], name), name)
    elif "anyOf" in schema:
        _check_any(value, schema["anyOf"], name)
    else:
        _check_value(value, schema, name)


def object_of(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    """The schema of an object that has no other keys than these."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def one_of(*values: str) -> Schema:
    """The schema of a string that is one of these."""
    return {"type": "string", "enum": list(values)}


def _select(body: Any, schemas: list[Schema], name: str) -> Schema:
    """The schema that an object is meant for, by its first required key."""
    selected = [one for one in schemas if isinstance(body, dict) and _is_meant(body, one)]
    if len(selected) == 1:
        return selected[0]
    key = schemas[0]["required"][0]
    tags = [one["properties"][key]["const"] for one in schemas if _is_tag(_tag(one, key))]
    if tags:
        found = body.get(key) if isinstance(body, dict) else None
        message = (
            f"{name} must have the key {key}, one of {', '.join(tags)}; found {_brief(found)}."
        )
        raise UrpiError(message)
    keys = ", ".join(one["required"][0] for one in schemas)
    raise _invalid(name, f"an object with one of the keys {keys}", body)


def _tag(schema: Schema, key: str) -> Schema:
    return dict(schema["properties"].get(key, {}))


def _is_meant(body: dict[str, Any], schema: Schema) -> bool:
    key = schema["required"][0]
    tag = _tag(schema, key)
    return key in body and (not _is_tag(tag) or body[key] == tag["const"])


def _is_tag(schema: Schema) -> bool:
    # The constant true of an order without details tells nothing.
    return isinstance(schema.get("const"), str)


def _check_any(value: Any, schemas: list[Schema], name: str) -> None:
    kind = next((one for one in schemas if _is(value, one["type"])), None)
    if kind is None:
        allowed = " or ".join(one["type"] for one in schemas)
        raise _invalid(name, allowed, value)
    _check_value(value, kind, name)


def _check_value(value: Any, schema: Schema, name: str) -> None:
    if "const" in schema:
        # In Python 1 == True, which JSON distinguishes.
        if value != schema["const"] or type(value) is not type(schema["const"]):
            raise _invalid(name, json.dumps(schema["const"]), value)
        return
    kind = schema["type"]
    if not _is(value, kind):
        raise _invalid(name, f"a JSON {kind}", value)
    if "enum" in schema and value not in schema["enum"]:
        raise _invalid(name, f"one of {', '.join(schema['enum'])}", value)
    if kind == "string":
        _check_text(value, schema, name)
    elif kind == "integer":
        _check_number(value, schema, name)
    elif kind == "array":
        _check_list(value, schema, name)
    elif kind == "object":
        _check_object(value, schema, name)


def _check_text(value: str, schema: Schema, name: str) -> None:
    pattern, most = schema.get("pattern"), schema.get("maxLength")
    # PostgreSQL stores no NUL in a text, so that a search for one, or its storage, would fail.
    if "\0" in value:
        raise _invalid(name, "a text without NUL characters", value)
    # In Python `$` also matches before a newline at the end, in JSON Schema only at the end.
    if pattern is not None and not re.search(pattern.removesuffix("$") + r"\Z", value):
        raise _invalid(name, f"a text that matches {pattern}", value)
    if most is not None and len(value) > most:
        raise _invalid(name, f"at most {most} characters", value)


def _check_number(value: int, schema: Schema, name: str) -> None:
    if not schema["minimum"] <= value <= schema["maximum"]:
        raise _invalid(name, f"a number from {schema['minimum']} to {schema['maximum']}", value)


def _check_list(value: list[Any], schema: Schema, name: str) -> None:
    if len(value) > schema["maxItems"]:
        raise _invalid(name, f"a list of at most {schema['maxItems']}", value)
    for each in value:
        check(each, schema["items"], f"Each of {name}")
    # After the elements: only those that have been checked are sure to be hashable.
    if len(set(value)) < len(value):
        raise _invalid(name, "a list without duplicates", value)


def _check_object(value: dict[str, Any], schema: Schema, name: str) -> None:
    properties, others = schema["properties"], schema["additionalProperties"]
    if "maxProperties" in schema and len(value) > schema["maxProperties"]:
        raise _invalid(name, f"an object of at most {schema['maxProperties']} keys", value)
    for key in value:
        if key not in properties and others is False:
            raise _invalid(name, f"an object of {', '.join(properties) or 'no key'}", key)
    for key in schema["required"]:
        if key not in value:
            message = f"{name} lacks the key {key}; its keys are {', '.join(properties)}."
            raise UrpiError(message)
    for key, each in value.items():
        check(each, properties.get(key, others), key)
    if len(value) < schema.get("minProperties", 0):
        raise _invalid(name, f"an object with a key of {', '.join(properties)}", value)


def _is(value: Any, kind: str) -> bool:
    # In Python a bool is an int.
    if kind == "integer" and isinstance(value, bool):
        return False
    return isinstance(value, _TYPES[kind])


def _invalid(name: str, allowed: str, found: Any) -> UrpiError:
    return UrpiError(f"{name} must be {allowed}; found {_brief(found)}.")


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
