"""Calls that Flink's SQL writes, or means, in another way than Spark's."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.expressions.special_calls import SPECIAL, build_extract, symbol_of, trim_reader, unit_reader
from grammar.builder.recognition import CallReader, Found
from grammar.errors import Misread
from ir.cast_rules import written_type
from ir.dialects.syntax import OwnSyntax
from ir.expressions import SymbolLiteral, TypeLiteral
from ir.functions.collection import ROW
from ir.functions.flink import MILLISECOND_OF, ROW_OF_TYPE, TIMESTAMP_ADD_OF_FLINK
from ir.functions.temporal import EXTRACT, FLINK_UNITS
from ir.functions.timestamps import TIMESTAMP_MICROS, TIMESTAMP_MILLIS, TIMESTAMP_SECONDS, TO_TIMESTAMP_NTZ
from ir.literals import literal
from ir.types import RowType

if TYPE_CHECKING:
    from grammar.builder.expressions.builder import ExpressionBuilder

_UNITS = {flink: spark for spark, flink in FLINK_UNITS.items()}
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
# The microseconds of the unit that TO_TIMESTAMP_LTZ counts, by the digits of a second's fraction.
_INSTANT_UNITS = {0: 1_000_000, 3: 1000, 6: 1}


def _cast(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Build CAST(ROW(…) AS ROW<…>), which names the fields of the row, and any other cast as in Spark."""
    typed = node.arguments[0] if len(node.arguments) == 1 else None
    row = typed.expression if isinstance(typed, s.Typed) else None
    if isinstance(typed, s.Typed) and isinstance(row, s.Call) and not row.form and row.function.parts == ("ROW",):
        kind = builder.type_of(typed.target)
        if isinstance(kind, RowType) and len(kind.fields) == len(row.arguments):
            return ROW_OF_TYPE, [TypeLiteral(written_type(kind).as_nullable()), *row.arguments]
    return SPECIAL[OwnSyntax.CAST](builder, node)


def _extract(builder: ExpressionBuilder, node: s.Call) -> Found:
    unit = symbol_of(node.arguments[0]) if node.form == "from" and len(node.arguments) == 2 else None
    if unit is not None and unit.symbol == "MILLISECOND":
        return MILLISECOND_OF, [node.arguments[1]]
    return build_extract(node, _UNITS.get, FLINK_UNITS.values())


def _row(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Build ROW(…), whose fields Calcite names EXPR$0, EXPR$1 and so on."""
    return ROW, [part for n, a in enumerate(node.arguments) for part in (literal(f"EXPR${n}"), a)]


def _instant(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Build TO_TIMESTAMP_LTZ: a constant for a number literal, else a conversion from a number."""
    if node.form:
        return None
    value, *others = node.arguments
    digits = _whole_number(builder, others[0]) if len(others) == 1 else None
    if digits not in _INSTANT_UNITS:
        raise Misread(
            node.position, "TO_TIMESTAMP_LTZ takes a number and the digits 0, 3 or 6 of its fraction of a second."
        )
    unsigned = value.operand if isinstance(value, s.Signed) else value
    if not isinstance(unsigned, s.Number):
        return {0: TIMESTAMP_SECONDS, 3: TIMESTAMP_MILLIS, 6: TIMESTAMP_MICROS}[digits], [value]
    microseconds = _whole_number(builder, value) * _INSTANT_UNITS[digits]
    return literal(_EPOCH + dt.timedelta(microseconds=microseconds))


def _whole_number(builder: ExpressionBuilder, node: Any) -> int:
    negative = isinstance(node, s.Signed) and node.sign == "-"
    number = node.operand if negative else node
    value = builder.constant(number).value if isinstance(number, s.Number) else None
    if not isinstance(value, int):
        raise Misread(node.position, "A whole number is expected here.")
    return -value if negative else value


def _local(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Build TO_TIMESTAMP, whose result has no time zone."""
    return None if node.form else (TO_TIMESTAMP_NTZ, node.arguments)


def _week(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Build WEEK, which Spark calls WEEKOFYEAR."""
    is_unit = len(node.arguments) == 1 and not node.form
    return (EXTRACT, [SymbolLiteral("WEEK"), *node.arguments]) if is_unit else None


READERS: dict[str, CallReader] = {
    OwnSyntax.CAST: _cast,
    OwnSyntax.EXTRACT: _extract,
    OwnSyntax.LTRIM: trim_reader("LEADING", text_first=True),
    OwnSyntax.RTRIM: trim_reader("TRAILING", text_first=True),
    OwnSyntax.ROW: _row,
    OwnSyntax.TO_TIMESTAMP_LTZ: _instant,
    OwnSyntax.TO_TIMESTAMP: _local,
    OwnSyntax.WEEK: _week,
    OwnSyntax.TIMESTAMP_ADD: unit_reader(TIMESTAMP_ADD_OF_FLINK),
}
"""What reads a call in a syntax of its own, where Spark's reader does not fit."""
