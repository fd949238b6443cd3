"""Writes a query's tree as a JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

from ir.errors import TableException
from ir.expressions import ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.nodes import Node, post_order
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource
from ir.relation_names import NO_NAMES, RelationNames
from ir.schema import ResolvedSchema, SchemaOfEqualNames
from ir.types import LogicalType
from serializer.tree_json import DOCUMENT, VERSION
from serializer.tree_json.classes import column_record, node_records, type_records
from serializer.tree_json.kinds import Json, Record
from serializer.tree_json.literal_json import write_value

_CHILDREN = attrgetter("children")


def write_tree(operation: QueryOperation, names: RelationNames = NO_NAMES) -> str:
    """Return the JSON document of a query.

    Args:
        operation: the query.
        names: the names of its relations in SQL, as a person wrote them.

    Raises:
        TableException: a part of the query exists in this process only: data, or a function without a name.
    """
    writer = _Writer()
    root: Node = operation
    for node in post_order(root, writer.find_children):
        writer.add(node)
    head = {"document": DOCUMENT, "version": VERSION}
    lists = {
        "types": writer.types,
        "schemas": writer.schemas,
        "functions": writer.functions,
        "nodes": writer.nodes,
    }
    tail: dict[str, Json] = {"root": writer.number_node(operation)}
    named = writer.write_names(names)
    if any(named.values()):
        tail["names"] = named
    return _text(head, lists, tail)


def _text(head: Mapping[str, Json], lists: Mapping[str, Iterable[Json]], tail: Mapping[str, Json]) -> str:
    """Return the text of a document with one line for each part, for comparisons by line."""
    entries = [f"{_compact(key)}: {_compact(value)}" for key, value in head.items()]
    for key, items in lists.items():
        lines = ",\n".join(f"    {_compact(item)}" for item in items)
        entries.append(f"{_compact(key)}: [\n{lines}\n  ]" if lines else f"{_compact(key)}: []")
    entries += [f"{_compact(key)}: {_compact(value)}" for key, value in tail.items()]
    return "{\n  " + ",\n  ".join(entries) + "\n}"


def _compact(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair is not a character and has no form but the escape.
        return json.dumps(value, allow_nan=False)
    return text


class _Writer:
    """The lists of a document, which grow with each part."""

    def __init__(self) -> None:
        self.types: list[Json] = []
        self.schemas: list[Json] = []
        self.functions: list[Json] = []
        self.nodes: list[Json] = []
        self._type_numbers: dict[LogicalType, int] = {}
        self._schema_numbers: dict[ResolvedSchema, int] = {}
        self._function_numbers: dict[FunctionDefinition, int] = {}
        self._node_numbers: dict[Node, int] = {}
        self._records = node_records()
        self._type_records = type_records()

    def find_children(self, node: Node) -> list[Node]:
        """Return the operations and expressions in the fields of a node."""
        return list(self._record(node).nodes(node))

    def _record(self, node: Node) -> Record:
        found = self._records.get(type(node).__name__)
        if found is not None and found.cls is type(node):
            return found
        if isinstance(node, InlineSource):
            raise TableException(
                f"The query reads an anonymous {node.kind} of this process with the columns {node.schema!r}, which has "
                "no name that a document could store. Give it one with create_temporary_view('name', table), and build "
                "the query on from_path('name')."
            )
        raise TableException(f"The operation {type(node).__name__} is part of execution plans only and has no JSON.")

    def add(self, node: Node) -> None:
        """Add an operation or expression, whose children have been added."""
        if isinstance(node, ValueLiteral):
            value = write_value(node.value, node.type_)
            written = {"node": "ValueLiteral", "value": value, "type": self.number_type(node.type_)}
        else:
            written = self._record(node).write(node, self)
        if isinstance(node, QueryOperation):
            written["schema"] = self.number_schema(node.schema)
        self._node_numbers[node] = len(self.nodes)
        self.nodes.append(written)

    def number_node(self, node: Node) -> int:
        """Return the number of an operation or expression that has been added."""
        return self._node_numbers[node]

    def number_type(self, data_type: LogicalType) -> int:
        """Return the number of a type. Add a new type and its parts."""
        if data_type not in self._type_numbers:
            for part in post_order(data_type, _CHILDREN):
                if part not in self._type_numbers:
                    written = self._type_records[part.root].write(part, self)
                    self._type_numbers[part] = len(self.types)
                    self.types.append(written)
        return self._type_numbers[data_type]

    def number_schema(self, schema: ResolvedSchema) -> int:
        """Return the number of a schema. Add a new schema."""
        known = self._schema_numbers.get(schema)
        if known is None:
            columns = [column_record().write(column, self) for column in schema.columns]
            written: dict[str, Any] = {"columns": columns}
            if isinstance(schema, SchemaOfEqualNames):
                written["equal_names"] = True
            known = self._schema_numbers[schema] = len(self.schemas)
            self.schemas.append(written)
        return known

    def number_function(self, function: FunctionDefinition) -> int:
        """Return the number of a function. Add a new function."""
        known = self._function_numbers.get(function)
        if known is None:
            written = _describe_function(function)
            known = self._function_numbers[function] = len(self.functions)
            self.functions.append(written)
        return known

    def write_names(self, names: RelationNames) -> dict[str, Json]:
        """Return the names of the relations of the query, in the order of their numbers."""
        given = names.flattened()
        numbers = self._node_numbers
        steps = [{"operation": numbers[one], "name": name} for one, name in given.steps.items() if one in numbers]
        relations = [
            {"operation": numbers[one], "name": name} for one, name in given.relations.items() if one in numbers
        ]
        aliases = [
            {"operation": numbers[reader], "input": index, "name": name}
            for (reader, index), name in given.aliases.items()
            if reader in numbers
        ]
        sort_keys = [
            {"operation": numbers[one], "column": index}
            for one, columns in given.sort_keys.items()
            if one in numbers
            for index in sorted(columns)
        ]
        found: dict[str, list[dict[str, Any]]] = {
            "steps": steps,
            "relations": relations,
            "aliases": aliases,
            "sort_keys": sort_keys,
        }
        return {key: sorted(items, key=_place_of_name) for key, items in found.items()}


def _place_of_name(item: dict[str, Any]) -> tuple[int, int]:
    return item["operation"], item.get("input", item.get("column", 0))


def _describe_function(function: FunctionDefinition) -> Json:
    """Describe a function by its name if it is built-in, else by its path.

    Raises:
        TableException: the function was never registered and has no name.
    """
    if function.is_built_in:
        return {"function": "built-in", "name": function.name, "kind": function.kind.name}
    identifier = function.user_code.identifier
    if identifier is None:
        raise TableException(
            f"The function {function.name} cannot be stored as JSON, because it is used without being registered and "
            f"has no name. Register it with create_temporary_system_function({function.name!r}, …) and call it by that "
            "name."
        )
    return {"function": "user-defined", "path": list(identifier.parts), "kind": function.kind.name}
