"""Functions of maps."""

from __future__ import annotations

from ir import types as t
from ir.casts import is_orderable
from ir.functions.builder import scalar
from ir.inference import CallContext
from ir.inference.arguments import Computed, Family
from ir.inference.results import Computed as ComputedResult
from ir.types import LogicalType

_ARRAY_ONLY = Family("ARRAY", (t.ArrayType,))


def _is_entries(given: LogicalType) -> bool:
    if not isinstance(given, t.ArrayType) or not isinstance(given.element, t.RowType):
        return False
    fields = given.element.fields
    return len(fields) == 2 and is_orderable(fields[0].data_type)


def _from_entries(context: CallContext) -> LogicalType:
    given = context.argument_types[0]
    assert isinstance(given, t.ArrayType)
    assert isinstance(given.element, t.RowType)
    key, value = given.element.fields
    return t.MapType(key.data_type, value.data_type, nullable=given.nullable or given.element.nullable)


MAP_FROM_ENTRIES = scalar(
    "map_from_entries",
    Computed(
        1,
        1,
        "ARRAY of ROW",
        lambda context: context.argument_types if _is_entries(context.argument_types[0]) else None,
        ("entries <ARRAY of ROW of key and value>",),
        (_ARRAY_ONLY,),
    ),
    ComputedResult(_from_entries),
    sql="MAP_FROM_ENTRIES",
    in_flink=False,
    doc="A map of the entries in an array of rows, which are keys and values; no key may be NULL, or repeat.",
    example=("MAP_FROM_ENTRIES(ARRAY(NAMED_STRUCT('k', 'a', 'v', 1)))", "{'a' -> 1}"),
)
