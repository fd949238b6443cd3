"""Parses the schemas of Spark's JSON, CSV, XML and VARIANT functions: a type, columns, or a type in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from grammar.diagnostics.unreadable import unreadable
from grammar.errors import Misread, SyntaxProblem, place
from grammar.parsers import parser
from grammar.type_texts import parse_type
from ir import types as t
from ir.errors import SqlParserException, ValidationException
from ir.rendering import Dialect
from ir.types import LogicalType


def parse_schema(text: str) -> LogicalType:
    """Return the type that Spark reads from a schema string.

    >>> parse_schema("ARRAY<INT>")
    ARRAY<INT>
    >>> parse_schema("id BIGINT, tags ARRAY<STRING>")
    ROW<`id` BIGINT, `tags` ARRAY<STRING>>
    >>> parse_schema('{"type": "map", "keyType": "string", "valueType": "double", "valueContainsNull": true}')
    MAP<STRING, DOUBLE>

    Raises:
        SqlParserException: the text is no valid schema.
    """
    found = _parse_json(text) if text.lstrip().startswith(("{", '"')) else _parse_words(text)
    _check(found)
    return found


def _parse_words(text: str) -> LogicalType:
    try:
        return parse_type(text, Dialect.SPARK)
    except SqlParserException as error:
        is_type = error
    try:
        return parse_columns(text, Dialect.SPARK)
    except SqlParserException:
        if len(text.split()) < 2:
            raise is_type from None
        raise


def parse_columns(text: str, dialect: Dialect) -> t.RowType:
    """Parse a list of columns, and return a row type of them.

    >>> parse_columns("id BIGINT NOT NULL, name STRING", Dialect.FLINK)
    ROW<`id` BIGINT NOT NULL, `name` STRING>

    Raises:
        SqlParserException: the text is no list of columns; the message has the position.
    """
    reader = parser(dialect)
    try:
        found: t.RowType = reader.parse(text, "only_columns")
    except (Misread, ValidationException) as error:
        position = error.position if isinstance(error, Misread) else 0
        raise SqlParserException(f"Cannot read the schema: {error}\n{place(text, position)}") from None
    except SyntaxProblem as problem:
        raise unreadable(text, problem, reader, "only_columns", "schema") from None
    return found


def _check(root: LogicalType) -> None:
    level = [root]
    while level:
        for data_type in level:
            if isinstance(data_type, (t.CharType, t.VarCharType)):
                raise SqlParserException(
                    f"A schema of data that is read has no {data_type.as_summary_string()}; use STRING.",
                    condition="UNSUPPORTED_CHAR_OR_VARCHAR_AS_STRING",
                )
        level = [child for parent in level for child in parent.children]


# --- JSON ------------------------------------------------------------------------------------------------------------


def _parse_json(text: str) -> LogicalType:
    try:
        written = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SqlParserException(f"The schema {text!r} begins like the JSON of a type, but is none: {error}.") from None
    try:
        return _type_of(written, 0)
    except (KeyError, TypeError, AttributeError):
        raise SqlParserException(
            f"The schema {text!r} is not the JSON of a type as Spark writes it: "
            '{"type": "struct", "fields": [{"name": "a", "type": "integer", "nullable": true, "metadata": {}}]}.'
        ) from None


def _type_of(written: Any, depth: int) -> LogicalType:
    if depth > t.DEEPEST_TYPE:
        raise SqlParserException(f"A schema nested more than {t.DEEPEST_TYPE} levels deep is not supported.")
    if isinstance(written, str):
        return parse_type(_NAMES.get(written, written), Dialect.SPARK)
    make = _CONSTRUCTED.get(written["type"])
    if make is None:
        raise KeyError(written["type"])
    return make(written, depth + 1)


def _array(written: dict[str, Any], depth: int) -> LogicalType:
    return t.ArrayType(_type_of(written["elementType"], depth))


def _map(written: dict[str, Any], depth: int) -> LogicalType:
    return t.MapType(_type_of(written["keyType"], depth), _type_of(written["valueType"], depth))


def _struct(written: dict[str, Any], depth: int) -> LogicalType:
    fields = [
        t.RowField(field["name"], _type_of(field["type"], depth), field.get("metadata", {}).get("comment"))
        for field in written["fields"]
    ]
    return t.RowType(tuple(fields))


_NAMES = {"integer": "INT", "long": "BIGINT", "short": "SMALLINT", "byte": "TINYINT"}
_CONSTRUCTED: dict[str, Callable[[dict[str, Any], int], LogicalType]] = {
    "array": _array,
    "map": _map,
    "struct": _struct,
}
