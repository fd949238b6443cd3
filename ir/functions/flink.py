"""Functions that occur in Flink's SQL text only; queries contain no calls of them.

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/functions/systemfunctions/
"""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.casts import least_common_type
from ir.dialects.syntax import CallSyntax, Operand, Precedence, syntax
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.arithmetic import PLUS, TIMES
from ir.functions.builder import scalar
from ir.functions.conversion import CAST
from ir.functions.definition import Construct, FunctionDefinition
from ir.functions.intervals import TIMESTAMP_ADD, UNITS
from ir.functions.time_units import DATE_UNITS, length_of
from ir.inference import CallContext
from ir.inference.arguments import ANY, TYPE, symbol
from ir.inference.inputs import Common, positional
from ir.inference.inputs import Computed as Computed_
from ir.inference.results import Argument, Computed, nullable_if_arguments

# An expression in double parentheses is read literally; see ir/flink/raising.py.
MARK = scalar(
    "mark",
    positional(ANY),
    Argument(0),
    sql="MARK",
    syntax=syntax("(({0}))"),
    doc="The value unchanged.",
)


# CAST(ROW(a, b) AS ROW<x INT, y INT>): only a cast names the fields.
ROW_OF_TYPE = scalar(
    "rowOfType",
    Computed_(1, None, "ANY", lambda context: context.argument_types, ("<data type>, <ANY>...",), (TYPE,)),
    Argument(0),
    sql="ROW",
    doc="A row of the values, with the field names and types of a row type.",
)
MILLISECOND_OF = scalar(
    "millisecondOf",
    positional(ANY),
    nullable_if_arguments(t.BIGINT),
    sql="EXTRACT",
    syntax=syntax("EXTRACT(MILLISECOND FROM {0})"),
    doc="The millisecond field of a time.",
)


def _difference(qualifier: str) -> CallSyntax:
    pieces = ("(", Operand(0, Precedence.ADDITIVE), " - ", Operand(1, Precedence.MULTIPLICATIVE), f") {qualifier}")
    return CallSyntax(pieces)


DATE_DIFFERENCE = scalar(
    "dateDifference",
    positional(ANY, ANY),
    nullable_if_arguments(t.DayTimeIntervalType(t.IntervalField.DAY, t.IntervalField.DAY)),
    sql="-",
    syntax=_difference("DAY"),
    doc="The interval between two dates, in days.",
)
TIME_DIFFERENCE = scalar(
    "timeDifference",
    positional(ANY, ANY),
    nullable_if_arguments(t.DayTimeIntervalType(t.IntervalField.HOUR, t.IntervalField.SECOND)),
    sql="-",
    syntax=_difference("HOUR TO SECOND"),
    doc="The interval between two times of day.",
)


def _move_timestamp(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    """Return the Spark equivalent of Flink's TIMESTAMPADD: for a date and a unit of days, a date."""
    unit, count, time = arguments
    assert isinstance(unit, SymbolLiteral)
    if not isinstance(time.data_type, t.DateType):
        return call(TIMESTAMP_ADD, arguments)
    is_constant = isinstance(count, ValueLiteral) and isinstance(count.value, int)
    length = length_of(unit.symbol, count.value if isinstance(count, ValueLiteral) and is_constant else 1)
    if unit.symbol not in DATE_UNITS:
        time = call(CAST, (time, TypeLiteral(t.TIMESTAMP)))
    return call(PLUS, (time, length if is_constant else call(TIMES, (count, length))))


TIMESTAMP_ADD_OF_FLINK = scalar(
    "timestampAddOfFlink",
    positional(symbol(*UNITS), ANY, ANY),
    Computed(lambda context: _move_timestamp(context.arguments, calls.call).data_type),
    sql="TIMESTAMPADD",
    canonical=_move_timestamp,
    doc="The time plus a number of units.",
)


def _infer_unless_one_is_null(context: CallContext) -> t.LogicalType | None:
    common = least_common_type(context.argument_types, promote_strings=False)
    return None if common is None else common.with_nullability(any(a.nullable for a in context.argument_types))


def _extreme(name: str, doc: str) -> FunctionDefinition:
    inputs = Common(1, None, "COMPARABLE", promote_strings=False, ordered=True)
    return scalar(name, inputs, Computed(_infer_unless_one_is_null), sql=name, doc=doc)


GREATEST = _extreme("GREATEST", "The greatest value; NULL if any value is NULL.")
LEAST = _extreme("LEAST", "The least value; NULL if any value is NULL.")
REGEXP_EXTRACT = scalar(
    "REGEXP_EXTRACT",
    positional(ANY, ANY, ANY),
    Argument(0),
    sql="REGEXP_EXTRACT",
    doc="The substring that a group of a regular expression captures; NULL if there is no match.",
)
ARRAY_CONCAT = scalar(
    "ARRAY_CONCAT",
    Computed_(1, None, "ANY", lambda context: context.argument_types, ("<ARRAY>...",)),
    Argument(0),
    sql="ARRAY_CONCAT",
    doc="The concatenation of arrays; NULL if one of them is NULL.",
)
ARRAY_SLICE = scalar(
    "ARRAY_SLICE",
    positional(ANY, ANY, ANY),
    Argument(0),
    sql="ARRAY_SLICE",
    doc="The elements of an array from one position to another, both included.",
)


def _map_of_arrays(context: CallContext) -> t.LogicalType | None:
    keys, values = context.argument_types
    if not isinstance(keys, t.ArrayType) or not isinstance(values, t.ArrayType):
        return None
    return t.MapType(keys.element.not_null(), values.element, nullable=keys.nullable or values.nullable)


MAP_FROM_ARRAYS = scalar(
    "MAP_FROM_ARRAYS",
    positional(ANY, ANY),
    Computed(_map_of_arrays),
    sql="MAP_FROM_ARRAYS",
    doc="A map from the elements of an array of keys to the elements of an array of values.",
)

ARRAY_SORT = scalar(
    "ARRAY_SORT",
    positional(ANY, ANY, ANY, optional=2),
    Argument(0),
    sql="ARRAY_SORT",
    doc="The elements of an array in ascending or descending order, with NULL first or last.",
)

BY_NAME: dict[str, FunctionDefinition] = {
    function.sql_name: function
    for function in (GREATEST, LEAST, REGEXP_EXTRACT, ARRAY_CONCAT, ARRAY_SLICE, ARRAY_SORT, MAP_FROM_ARRAYS)
}
