"""Round trips of documents, and their validation by the JSON Schema."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema

from ir.operations.operation import QueryOperation
from serializer.tree_json.json_schema import make_schema

if TYPE_CHECKING:
    from ir.functions.definition import FindFunction


@cache
def validator() -> Any:
    """Return the validator of the JSON Schema of documents."""
    return jsonschema.Draft202012Validator(make_schema())


def round_trip(operation: QueryOperation, find_function: FindFunction | None = None) -> str:
    """Assert that a query is read back from its document, and return the document."""
    text = operation.to_json()
    found = QueryOperation.from_json(text, find_function)
    # Nodes are interned: equal trees are one object.
    assert found is operation
    assert found.to_json() == text
    return text


def schema_errors(text: str) -> list[str]:
    """Return the violations of the JSON Schema in a document."""
    document = json.loads(text)
    found = _violations(validator(), {key: [] if isinstance(value, list) else value for key, value in document.items()})
    for name in ("types", "schemas", "functions", "nodes"):
        for part in document[name]:
            kind = name.removesuffix("s")
            # The schema tests a condition for each tag of a node or type; here, the tag chooses the definition.
            tag = part.get(kind, "") if kind != "function" else ""
            found += _violations_of_part("_".join([kind, *tag.split()]), json.dumps(part))
    return found


@cache
def _part_validator(definition: str) -> Any:
    return validator().evolve(schema={"$ref": f"#/$defs/{definition}", "$defs": make_schema()["$defs"]})


@cache
def _violations_of_part(definition: str, text: str) -> tuple[str, ...]:
    """Return the violations in one part. Documents share most parts, so that all of them are validated in seconds."""
    return tuple(_violations(_part_validator(definition), json.loads(text)))


def _violations(chosen: Any, document: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in chosen.iter_errors(document)]
