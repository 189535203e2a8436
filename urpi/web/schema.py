"""JSON Schema, as much of it as the page's bodies use: a value is checked against it.

The same schemas stand in the API's description, so that neither can say what the other does not.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from urpi.errors import UrpiError

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
    """Nothing, when the value is what the schema says.

    As much of JSON Schema as is used here.

    Raises:
        UrpiError: when it is not; the message names the key, what was found and what may be.
    """
    if "oneOf" in schema and "properties" not in schema:
        check(value, _one_of(value, schema["oneOf"], name), name)
    elif "anyOf" in schema:
        _check_any(value, schema["anyOf"], name)
    else:
        _check_value(value, schema, name)


def an_object(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    """An object of these keys alone."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def one_of(*values: str) -> Schema:
    """One of these texts."""
    return {"type": "string", "enum": list(values)}


def _one_of(body: Any, schemas: list[Schema], name: str) -> Schema:
    """The schema that an object is meant for: by what its keys say, or by which it has."""
    meant = [one for one in schemas if isinstance(body, dict) and _may_be(body, one)]
    if len(meant) == 1:
        return meant[0]
    key = schemas[0]["required"][0]
    words = [one["properties"][key]["const"] for one in schemas if "const" in _tag(one, key)]
    if words:
        found = body.get(key) if isinstance(body, dict) else None
        message = f"{name} has a key {key}, one of {', '.join(words)}; found {_brief(found)}."
        raise UrpiError(message)
    keys = ", ".join(one["required"][0] for one in schemas)
    raise _wrong(name, f"an object with one of the keys {keys}", body)


def _tag(schema: Schema, key: str) -> Schema:
    return dict(schema["properties"].get(key, {}))


def _may_be(body: dict[str, Any], schema: Schema) -> bool:
    key = schema["required"][0]
    tag = _tag(schema, key)
    return key in body and ("const" not in tag or body[key] == tag["const"])


def _check_any(value: Any, schemas: list[Schema], name: str) -> None:
    kind = next((one for one in schemas if _is(value, one["type"])), None)
    if kind is None:
        allowed = " or ".join(one["type"] for one in schemas)
        raise _wrong(name, allowed, value)
    _check_value(value, kind, name)


def _check_value(value: Any, schema: Schema, name: str) -> None:
    if "const" in schema:
        if value != schema["const"] or type(value) is not type(schema["const"]):
            raise _wrong(name, json.dumps(schema["const"]), value)
        return
    kind = schema["type"]
    if not _is(value, kind):
        raise _wrong(name, f"a JSON {kind}", value)
    if "enum" in schema and value not in schema["enum"]:
        raise _wrong(name, f"one of {', '.join(schema['enum'])}", value)
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
    if pattern is not None and not re.search(pattern.removesuffix("$") + r"\Z", value):
        raise _wrong(name, f"a text like {pattern}", value)
    if most is not None and len(value) > most:
        raise _wrong(name, f"{most} characters at most", value)


def _check_number(value: int, schema: Schema, name: str) -> None:
    if not schema["minimum"] <= value <= schema["maximum"]:
        raise _wrong(name, f"from {schema['minimum']} to {schema['maximum']}", value)


def _check_list(value: list[Any], schema: Schema, name: str) -> None:
    if len(value) > schema["maxItems"]:
        raise _wrong(name, f"{schema['maxItems']} at most", value)
    for each in value:
        check(each, schema["items"], f"Each of {name}")
    if len(set(value)) < len(value):
        raise _wrong(name, "each once", value)


def _check_object(value: dict[str, Any], schema: Schema, name: str) -> None:
    properties, others = schema["properties"], schema["additionalProperties"]
    if "maxProperties" in schema and len(value) > schema["maxProperties"]:
        raise _wrong(name, f"an object of {schema['maxProperties']} keys at most", value)
    for key in value:
        if key not in properties and others is False:
            raise _wrong(name, f"an object of {', '.join(properties) or 'no key'}", key)
    for key in schema["required"]:
        if key not in value:
            message = f"{name} lacks the key {key}; its keys are {', '.join(properties)}."
            raise UrpiError(message)
    for key, each in value.items():
        check(each, properties.get(key, others), key)
    if len(value) < schema.get("minProperties", 0):
        raise _wrong(name, f"an object with a key of {', '.join(properties)}", value)


def _is(value: Any, kind: str) -> bool:
    if kind == "integer" and isinstance(value, bool):
        return False
    return isinstance(value, _TYPES[kind])


def _wrong(name: str, allowed: str, found: Any) -> UrpiError:
    return UrpiError(f"{name} is to be {allowed}; found {_brief(found)}.")


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
