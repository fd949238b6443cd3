"""Writes lateral joins in Flink's SQL, which has only UNNEST."""

from __future__ import annotations

from ir import types as t
from ir.call_expressions import Call
from ir.errors import TableException
from ir.expressions import FieldReference
from ir.flink.lateral import WITH_POSITIONS, row_of_fields, row_with_position
from ir.functions.collection import GET
from ir.functions.table import EXPLODE, EXPLODE_OUTER, INLINE, INLINE_OUTER, POSEXPLODE_OUTER
from ir.names import Names
from ir.operations.lateral import LateralJoin
from serializer.expressions import expression_pieces
from serializer.names import name_text
from serializer.notation import Notation
from serializer.pieces import Piece
from serializer.scopes import lateral_alias
from serializer.select_block import column_items, write_named_item


def flink_lateral_columns(operation: LateralJoin, notation: Notation) -> list[tuple[Piece, ...]]:
    """Return the columns of a lateral join. Flink's numbers from 1 become positions from 0."""
    items = column_items(operation.schema, notation)
    if isinstance(operation.right, Call) and operation.right.function in WITH_POSITIONS:
        name, first = name_text(operation.names[0], notation), len(operation.input.schema)
        items[first] = (f"{name} - 1 AS {name}",)
        row = row_with_position(operation)
        if row is not None:
            *fields, number = _fields_and_number(operation, row)
            value = row_of_fields(operation, row, fields, number)
            items[first + 1] = write_named_item(value, operation.names[1], notation)
    return items


def _fields_and_number(operation: LateralJoin, row: t.RowType) -> list[FieldReference]:
    """Return the columns of UNNEST: the fields of a row under unused names, then the number of the row."""
    names = Names(operation.schema.names)
    types = [f.data_type for f in row.fields]
    if isinstance(operation.right, Call) and operation.right.function is POSEXPLODE_OUTER:
        types = [data_type.as_nullable() for data_type in types]
    found = [FieldReference(names.generate("field_", n), data_type, 0, n) for n, data_type in enumerate(types)]
    number = operation.schema.columns[len(operation.input.schema)]
    return [*found, FieldReference(number.name, number.data_type, 0, len(found))]


def flink_lateral_pieces(operation: LateralJoin, notation: Notation, *, is_first: bool) -> list[Piece]:
    """Write a lateral join after FROM, or as FROM itself if it ``is_first``.

    Raises:
        TableException: Flink has no equivalent.
    """
    call = operation.right
    if operation.condition is not None:
        raise _refusal(operation, "it plans no lateral join with a predicate.")
    assert isinstance(call, Call), "queries are refused for the whole query"
    _require_unnest(operation, call)
    given, numbered = operation.names, ""
    if call.function in WITH_POSITIONS:
        row = row_with_position(operation)
        elements = given[1:] if row is None else [f.name for f in _fields_and_number(operation, row)[:-1]]
        given, numbered = (*elements, given[0]), " WITH ORDINALITY"
    names = ", ".join(name_text(name, notation) for name in given)
    alias = name_text(lateral_alias(operation), notation)
    pieces = ["UNNEST(", *expression_pieces(call.arguments[0], notation), f"){numbered} AS {alias}({names})"]
    optional = call.function in (EXPLODE_OUTER, INLINE_OUTER, POSEXPLODE_OUTER)
    if is_first and optional:
        raise _refusal(operation, "it has no UNNEST that begins a query and gives a row for nothing.")
    if is_first:
        return ["FROM ", *pieces]
    return ["LEFT OUTER JOIN ", *pieces, " ON TRUE"] if optional else ["CROSS JOIN ", *pieces]


def _require_unnest(operation: LateralJoin, call: Call) -> None:
    if call.function not in (EXPLODE, EXPLODE_OUTER, INLINE, INLINE_OUTER, *WITH_POSITIONS):
        raise _refusal(operation, f"it has no table function {call.function.sql_name}.")
    (collection,) = call.arguments
    if any(isinstance(part, Call) and part.function is GET for part in collection.walk()):
        raise _refusal(operation, "its UNNEST does not find fields of a row; make them columns with add_columns first.")
    element = collection.data_type.element if isinstance(collection.data_type, t.ArrayType) else None
    if isinstance(element, t.RowType):
        if call.function not in (INLINE, INLINE_OUTER, *WITH_POSITIONS):
            raise _refusal(operation, "its UNNEST makes columns of the fields of rows, as INLINE does.")
        if element.nullable:
            raise _refusal(operation, "its UNNEST leaves out rows of an array that are NULL.")


def _refusal(operation: LateralJoin, reason: str) -> TableException:
    return TableException(
        f"{operation.title}: {operation.describe()} has no text in Flink's SQL that means the same: {reason} Serialise "
        "it with the dialect SPARK."
    )
