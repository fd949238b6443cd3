"""Rows with positions: UNNEST WITH ORDINALITY in Flink returns the fields of the rows as columns."""

from __future__ import annotations

from collections.abc import Sequence

from ir import types as t
from ir.call_expressions import Call
from ir.calls import call
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.collection import ROW
from ir.functions.comparison import IS_NOT_NULL
from ir.functions.logic import CASE
from ir.functions.table import POSEXPLODE, POSEXPLODE_OUTER
from ir.literals import literal
from ir.operations.lateral import LateralJoin

WITH_POSITIONS = (POSEXPLODE, POSEXPLODE_OUTER)


def row_with_position(join: LateralJoin) -> t.RowType | None:
    """Return the row type of the elements if a lateral join numbers them, else None."""
    right = join.right
    if not isinstance(right, Call) or right.function not in WITH_POSITIONS:
        return None
    collection = right.arguments[0].data_type
    element = collection.element if isinstance(collection, t.ArrayType) else None
    return element if isinstance(element, t.RowType) else None


def row_of_fields(
    join: LateralJoin, row: t.RowType, fields: Sequence[FieldReference], number: FieldReference
) -> ResolvedExpression:
    """Return the row made from fields, or NULL if the outer join has no element to number."""
    made = call(ROW, [part for f, value in zip(row.fields, fields, strict=True) for part in (literal(f.name), value)])
    assert isinstance(join.right, Call)
    return call(CASE, (call(IS_NOT_NULL, (number,)), made)) if join.right.function is POSEXPLODE_OUTER else made
