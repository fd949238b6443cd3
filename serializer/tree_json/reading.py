"""Read a query's tree from a JSON document, with the checks of a newly built query."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ir import light_attrs as attrs
from ir.errors import TableException, TreeJsonException, ValidationException, did_you_mean
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.operations.operation import QueryOperation
from ir.relation_names import RelationNames
from ir.schema import ResolvedSchema, SchemaOfEqualNames
from ir.types import LogicalType
from serializer.tree_json import DOCUMENT, VERSION
from serializer.tree_json.checking import Checker
from serializer.tree_json.classes import (
    NODE,
    TYPE,
    column_record,
    find_kind,
    make_record,
    node_records,
    operation_records,
    type_records,
)
from serializer.tree_json.kinds import Json, ListOf, Parts, Plain, Record
from serializer.tree_json.literal_json import read_value
from serializer.tree_json.mistakes import Mistake, check_keys, locate, unexpected, unknown_name
from serializer.tree_json.operation_checks import check_recursive_references

if TYPE_CHECKING:
    from ir.functions.definition import FindFunction


@attrs.frozen(eq=False)
class TreeDocument:
    """The query of a document and the names of its relations in SQL."""

    operation: QueryOperation
    names: RelationNames


def read_tree(text: str, find_function: FindFunction | None = None) -> TreeDocument:
    """Return the query in a JSON document.

    Args:
        text: the document.
        find_function: returns the user-defined function of a path. By default, documents with user-defined functions
            are refused.

    Raises:
        TreeJsonException: the text is not such a document, its version is unknown, or its query is invalid. The
            exception has the place as a JSON pointer, and the message says what is accepted there.
    """
    try:
        return _Reader(find_function or _refuse_function).read_document(_parse(text))
    except Mistake as mistake:
        raise mistake.as_exception() from None


def _refuse_function(path: tuple[str, ...]) -> FunctionDefinition:
    raise ValidationException(
        f"The query calls the user-defined function {'.'.join(path)}. Read it with TableEnvironment.from_tree_json, "
        "which finds functions in the environment, or give find_function."
    )


def _parse(text: object) -> Json:
    if not isinstance(text, str):
        raise TreeJsonException(f"A JSON document is a string, but a {type(text).__name__} was given.")
    repeated: list[tuple[dict[str, Json], str]] = []

    def make_object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            repeated.append((found, next(name for name in names if names.count(name) > 1)))
        return found

    try:
        # NaN and Infinity become numbers, which no field accepts.
        document = json.loads(text, object_pairs_hook=make_object)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise TreeJsonException(f"The text is not JSON: {error.msg} ({place}).") from None
    except (RecursionError, ValueError):
        raise TreeJsonException(
            "The text is not the JSON of a query: its objects are nested too deeply, or a number has too many digits."
        ) from None
    if repeated:
        # The last one is in the document; an earlier one may be inside of a value that was overwritten.
        raise _make_repetition(document, *repeated[-1])
    return document


def _make_repetition(document: Json, holder: dict[str, Json], name: str) -> Mistake:
    """Return the mistake for an object that has a field twice."""
    mistake = Mistake(f"The object has the field {name!r} twice.")
    stack: list[tuple[Json, tuple[str | int, ...]]] = [(document, ())]
    while stack:
        value, path = stack.pop()
        if value is holder:
            mistake.path += reversed(path)
            break
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        stack += [(item, (*path, step)) for step, item in items]
    return mistake


_HEAD = ("document", "version")
_LISTS = ("types", "schemas", "functions", "nodes")
_FIELDS = (*_HEAD, *_LISTS, "root", "names")
_TEXT = Plain(str)
_PATH = ListOf(_TEXT)


class _Reader:
    """Reads the lists of a document, one part after the other."""

    def __init__(self, find_function: FindFunction) -> None:
        self._find_function = find_function
        self._parts = Parts()
        self._checker = Checker()

    def read_document(self, given: Json) -> TreeDocument:
        """Return the query of a parsed document."""
        if type(given) is not dict:
            raise unexpected("An object", given)
        self._check_head(given)
        check_keys(given, "the document", _FIELDS, (*_HEAD, *_LISTS, "root"))
        self._read_all(given, "types", self._read_type)
        self._read_all(given, "schemas", self._read_schema)
        self._read_all(given, "functions", self._read_function)
        self._read_all(given, "nodes", self._read_node)
        with locate("root"):
            root: QueryOperation = _OPERATION.read(given["root"], self._parts)
        self._check_uses(given["root"])
        with locate("root"):
            check_recursive_references(root)
        with locate("names"):
            return TreeDocument(root, self._read_names(given.get("names", {})))

    def _check_head(self, given: dict[str, Json]) -> None:
        if given.get("document") != DOCUMENT:
            with locate("document"):
                raise unexpected(f"The string {DOCUMENT!r}", given.get("document"))
        if type(given.get("version")) is not int or given["version"] != VERSION:
            with locate("version"):
                raise Mistake(
                    f"The version {given.get('version')!r} of the document is unknown; accepted is {VERSION}. A newer "
                    "document needs a newer version of this library."
                )

    def _check_uses(self, root: int) -> None:
        """Refuse unused nodes, which would not be checked in full, and equal nodes."""
        nodes = self._parts.nodes
        numbers = {node: at for at, node in enumerate(nodes)}
        records = node_records()
        used = {root}
        for at in range(len(nodes) - 1, -1, -1):
            if at not in used:
                with locate("nodes"), locate(at):
                    raise Mistake("The node is not a part of the query, or equals an earlier node. Omit it.")
            used.update(numbers[part] for part in records[type(nodes[at]).__name__].nodes(nodes[at]))

    def _read_all(self, given: dict[str, Json], key: str, read: Callable[[Json], Any]) -> None:
        items, found = given[key], getattr(self._parts, key)
        if type(items) is not list:
            with locate(key):
                raise unexpected("An array", items)
        try:
            for item in items:
                found.append(read(item))
        except Mistake as mistake:
            if mistake.node is None:
                mistake.path += [len(found), key]
            else:
                mistake.path = [found.index(mistake.node), key]
            raise

    # --- parts -------------------------------------------------------------------------------------------------------

    def _read_type(self, given: Json) -> LogicalType:
        made: LogicalType = _find_record(given, TYPE, type_records(), "type").read(given, self._parts)
        return made

    def _read_schema(self, given: Json) -> ResolvedSchema:
        check_keys(given, "a schema", ("columns", "equal_names"), ("columns",))
        with locate("columns"):
            columns = ListOf(column_record()).read(given["columns"], self._parts)
        with locate("equal_names"):
            has_equal_names = Plain(bool).read(given.get("equal_names", False), self._parts)
        try:
            return SchemaOfEqualNames(columns) if has_equal_names else ResolvedSchema(columns)
        except TableException as error:
            raise Mistake(str(error)) from None

    def _read_function(self, given: Json) -> FunctionDefinition:
        fields = {"built-in": "name", "user-defined": "path"}
        which = given.get("function") if type(given) is dict else None
        if type(which) is str and which not in fields:
            with locate("function"):
                raise unknown_name("kind of function", which, fields)
        if type(which) is not str:
            raise unexpected("An object with the field 'function', which is 'built-in' or 'user-defined',", given)
        key = fields[which]
        check_keys(given, "a function", ("function", key, "kind"), ("function", key, "kind"))
        with locate(key):
            find = self._find_built_in if which == "built-in" else self._find_user_defined
            found = find(given[key])
        with locate("kind"):
            if given["kind"] != found.kind.name:
                kinds = FunctionKind.__members__
                if type(given["kind"]) is str and given["kind"] not in kinds:
                    raise unknown_name("kind of function", given["kind"], kinds)
                raise unexpected(f"{found.kind.name!r}, the kind of {found.name},", given["kind"])
        return found

    def _find_built_in(self, name: Json) -> FunctionDefinition:
        _TEXT.read(name, self._parts)
        try:
            found = BUILT_INS.by_name(name)
        except TableException:
            found = None
        if found is None or found.name != name:
            nearest = did_you_mean(name, [function.name for function in BUILT_INS] if found is None else [found.name])
            raise Mistake(f"Unknown built-in function {name!r}.{nearest}")
        return found

    def _find_user_defined(self, path: Json) -> FunctionDefinition:
        parts = _PATH.read(path, self._parts)
        if not parts:
            raise unexpected("The parts of a function's name", path)
        try:
            found = self._find_function(parts)
        except TableException as error:
            raise Mistake(str(error)) from None
        identifier = found.user_code.identifier
        if identifier is None or identifier.parts != parts:
            raise Mistake(f"{'.'.join(parts)} names {found!r}, which is not a user-defined function of that path.")
        return found

    def _read_node(self, given: Json) -> QueryOperation | ResolvedExpression:
        record = _find_record(given, NODE, node_records(), "node")
        if record.tag is not None and record.tag[1] in operation_records():
            return self._read_operation(given, record)
        if record.cls is ValueLiteral:
            return self._read_literal(given, record)
        made: ResolvedExpression = record.read(given, self._parts)
        self._checker.check_expression(made)
        return made

    def _read_literal(self, given: Json, record: Record) -> ValueLiteral:
        values = record.read_fields(given, self._parts)
        with locate("value"):
            values["value"] = read_value(values["value"], values["type_"])
        if values["value"] is not None and values["type_"].nullable:
            with locate("type"):
                raise Mistake(f"A literal that is not NULL is NOT NULL, but its type is {values['type_']!r}.")
        literal: ValueLiteral = record.make(values)
        return literal

    def _read_operation(self, given: Json, record: Record) -> QueryOperation:
        values = record.read_fields(given, self._parts, ("schema",))
        with locate("schema"):
            schema: ResolvedSchema = _SCHEMA.read(given["schema"], self._parts)
        self._checker.check_fields(record, values)
        made: QueryOperation = record.make(values)
        self._checker.check_expressions(made)
        if made.schema is not schema:
            with locate("schema"):
                raise Mistake(f"The columns of the {record.name} are {made.schema!r}, but {schema!r} were given.")
        self._checker.check_operation(made)
        return made

    # --- names -------------------------------------------------------------------------------------------------------

    def _read_names(self, given: Json) -> RelationNames:
        """Return the names of relations."""
        check_keys(given, "names", ("steps", "relations", "aliases", "sort_keys"))
        steps, relations, aliases = (self._read_name_list(given, key) for key in ("steps", "relations", "aliases"))
        return RelationNames(
            {operation: name for operation, _, name in steps},
            {(operation, index): name for operation, index, name in aliases},
            {operation: name for operation, _, name in relations},
            self._read_sort_keys(given),
        )

    def _read_sort_keys(self, given: Json) -> dict[QueryOperation, frozenset[int]]:
        keys: dict[QueryOperation, frozenset[int]] = {}
        with locate("sort_keys"):
            found: tuple[_SortKey, ...] = ListOf(_SORT_KEY).read(given.get("sort_keys", []), self._parts)
            for number, one in enumerate(found):
                if not 0 <= one.column < len(one.operation.schema):
                    mistake = unexpected("The number of a column", one.column)
                    mistake.path += ["column", number]
                    raise mistake
                keys[one.operation] = keys.get(one.operation, frozenset()) | {one.column}
        return keys

    def _read_name_list(self, given: Json, key: str) -> list[tuple[QueryOperation, int, str]]:
        record = _ALIAS if key == "aliases" else _NAME
        with locate(key):
            found: tuple[_GivenName, ...] = ListOf(record).read(given.get(key, []), self._parts)
            for number, one in enumerate(found):
                # A lateral join also names its right side, which is an expression.
                inputs = max(len(one.operation.inputs) + len(one.operation.subqueries), 2)
                if not 0 <= one.input < inputs:
                    mistake = unexpected("The number of an input", one.input)
                    mistake.path += ["input", number]
                    raise mistake
        return [(one.operation, one.input, one.name) for one in found]


@attrs.frozen(eq=False)
class _GivenName:
    """A name that a person gave to an operation or to one of its inputs."""

    operation: QueryOperation
    name: str
    input: int = 0


@attrs.frozen(eq=False)
class _SortKey:
    """A column of an operation that ORDER BY calls by its name in FROM."""

    operation: QueryOperation
    column: int


_ALIAS = make_record(_GivenName)
_SORT_KEY = make_record(_SortKey)
_NAME = attrs.evolve(_ALIAS, fields=_ALIAS.fields[:2])
_OPERATION = find_kind(QueryOperation)
_SCHEMA = find_kind(ResolvedSchema)


def _find_record(given: Json, tag: str, records: Mapping[str, Record], what: str) -> Record:
    """Return the record that the tag of an object names."""
    name = given.get(tag) if type(given) is dict else None
    if type(name) is not str:
        raise unexpected(f"An object with the field {tag!r}, the name of a {what},", given)
    if name not in records:
        with locate(tag):
            raise unknown_name(what, name, records)
    return records[name]
