"""The JSON Schema of documents, made from the classes: ``python -m serializer.tree_json.json_schema`` writes the file.

Source: https://json-schema.org/draft/2020-12
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ir.functions.definition import FunctionKind
from serializer.tree_json import DOCUMENT, VERSION
from serializer.tree_json.classes import (
    column_record,
    expression_records,
    node_records,
    operation_records,
    type_records,
)
from serializer.tree_json.kinds import Json, Record
from serializer.tree_json.literal_json import literal_forms

SCHEMA_FILE = Path(__file__).with_name("tree.schema.json")
"""The file that the package ships."""

_STRING = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}


def make_schema() -> dict[str, Json]:
    """Return the JSON Schema of documents of the current version."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The typed tree of a query, version {VERSION}",
        "description": (
            "The parts of a query are in lists. A part refers to another by its number in a list, counted from 0, and "
            "only to earlier parts. A field with a default is left out if it has the default."
        ),
        **_make_object_schema(
            {
                "document": {"const": DOCUMENT},
                "version": {"const": VERSION},
                "types": _make_list_schema("type", "The logical types."),
                "schemas": _make_list_schema("schema", "The columns of operations."),
                "functions": _make_list_schema("function", "The functions that the query calls."),
                "nodes": _make_list_schema("node", "The operations and resolved expressions, children first."),
                "root": {"$ref": "#/$defs/node_number", "description": "The last operation of the query."},
                "names": {"$ref": "#/$defs/names"},
            },
            optional=("names",),
        ),
        "$defs": {
            "type_number": {**_COUNT, "description": "The number of a type in types."},
            "schema_number": {**_COUNT, "description": "The number of a schema in schemas."},
            "function_number": {**_COUNT, "description": "The number of a function in functions."},
            "node_number": {**_COUNT, "description": "The number of an operation or expression in nodes."},
            "type": _make_choice_schema("type", type_records(), "A logical type."),
            "schema": {
                "description": "The columns of an operation, in order.",
                **_make_object_schema(
                    {
                        "columns": {"type": "array", "items": column_record().schema()},
                        "equal_names": {
                            "type": "boolean",
                            "default": False,
                            "description": "Whether some columns have equal names.",
                        },
                    },
                    optional=("equal_names",),
                ),
            },
            "function": _make_function_schema(),
            "node": _make_choice_schema("node", node_records(), "An operation or expression."),
            "names": _make_names_schema(),
            **{_name_definition("node", k): _make_operation_schema(r) for k, r in operation_records().items()},
            **{_name_definition("node", k): _describe_record(r) for k, r in expression_records().items()},
            **{_name_definition("type", k): _describe_record(r) for k, r in type_records().items()},
        },
    }


def _name_definition(tag: str, name: str) -> str:
    return f"{tag}_{name.replace(' ', '_')}"


def _make_object_schema(properties: dict[str, Json], optional: tuple[str, ...] = ()) -> dict[str, Json]:
    required = [key for key in properties if key not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _make_list_schema(name: str, description: str) -> dict[str, Json]:
    return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}, "description": description}


def _make_choice_schema(tag: str, records: Mapping[str, Record], description: str) -> dict[str, Json]:
    """Return the schema of an object whose tag names one of several classes: one ``if`` each."""
    return {
        "description": description,
        "type": "object",
        "required": [tag],
        "properties": {tag: {"enum": sorted(records)}},
        "allOf": [
            {"if": {"properties": {tag: {"const": name}}}, "then": {"$ref": f"#/$defs/{_name_definition(tag, name)}"}}
            for name in records
        ],
    }


def _describe_record(record: Record) -> dict[str, Json]:
    found = record.schema()
    if record.name == "ValueLiteral":
        found["properties"]["value"] = _make_value_schema()
    # The first paragraph of the class, on one line and without the marks of code.
    text = inspect.cleandoc(record.cls.__doc__ or "").split("\n\n")[0]
    return {"description": " ".join(text.replace("``", "").replace("None", "null").split()), **found}


def _make_operation_schema(record: Record) -> dict[str, Json]:
    found = _describe_record(record)
    properties = {**found["properties"]}
    properties["schema"] = {"$ref": "#/$defs/schema_number", "description": "The columns of the output."}
    required = [*[name for name in found["required"] if name != "schema"], "schema"]
    return {**found, "properties": properties, "required": required}


def _make_value_schema() -> dict[str, Json]:
    forms: dict[str, list[str]] = {}
    for name, (description, _, _) in literal_forms().items():
        forms.setdefault(description, []).append(name)
    text = "; ".join(f"{', '.join(names)}: {description}" for description, names in forms.items())
    return {
        "type": ["null", "boolean", "integer", "string"],
        "description": f"null for NULL, else by the type of the literal. {text}.",
    }


def _make_function_schema() -> dict[str, Json]:
    kind = {"enum": list(FunctionKind.__members__), "description": "What the function computes from its input."}
    built_in = {"function": {"const": "built-in"}, "name": _STRING, "kind": kind}
    own = {
        "function": {"const": "user-defined"},
        "path": {
            "type": "array",
            "items": _STRING,
            "minItems": 1,
            "description": "The parts of the name.",
        },
        "kind": kind,
    }
    forms = [_make_object_schema(built_in), _make_object_schema(own)]
    return {"description": "A function by its name.", "anyOf": forms}


def _make_names_schema() -> dict[str, Json]:
    number = {"$ref": "#/$defs/node_number"}
    name: dict[str, Any] = {"operation": number, "name": _STRING}

    def names(properties: dict[str, Json], description: str) -> dict[str, Json]:
        return {"type": "array", "items": _make_object_schema(properties), "description": description}

    keys = {
        "steps": names(name, "The names of queries in WITH."),
        "relations": names(name, "The names of relations in FROM, for each relation."),
        "aliases": names(
            {"operation": number, "input": _COUNT, "name": _STRING},
            "The names of relations in FROM, for each operation that reads one and the number of its input.",
        ),
        "sort_keys": names(
            {"operation": number, "column": _COUNT},
            "The columns that ORDER BY calls by their names in FROM although SELECT renames them.",
        ),
    }
    return {
        "description": "The names that a person gave to relations in SQL and used in ORDER BY; they change no result.",
        **_make_object_schema(keys, optional=("steps", "relations", "aliases", "sort_keys")),
    }


def schema_text() -> str:
    """Return the text of the schema file."""
    return json.dumps(make_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
