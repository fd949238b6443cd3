"""Variables of a Spark session (DECLARE VARIABLE): a query uses their values at the time when it is parsed.

https://spark.apache.org/docs/latest/sql-ref-variables.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammar.builder.context import Variable
from ir import types as t
from ir.calls import call
from ir.calls.folding import fold_constant
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.conversion import CAST
from ir.identifiers import quote
from ir.literals import literal
from ir.types import LogicalType
from tableapi.data.values import value_expression
from tableapi.lazy import lazy
from tableapi.spark.errors import readable_errors
from tableapi.spark.schemas import fields_of
from tableapi.spark.types import from_spark
from tableapi.spark.versions import condition_of

if TYPE_CHECKING:
    from pyspark import errors as pyspark_errors
    from pyspark.sql import DataFrame, SparkSession
else:
    pyspark_errors = lazy(__name__, "pyspark.errors")

# PySpark has no value for these types, or one that depends on Python's time zone, so they are read as strings.
_AS_TEXT = (t.TimestampType, t.LocalZonedTimestampType, t.TimeType, t.IntervalType, t.CalendarIntervalType)


def variable_of(session: SparkSession, name: str) -> Variable | None:
    """Return a variable with its value as a constant, or None if the session has no such variable.

    Raises:
        ValidationException: the type of the variable has no constants.
    """
    written = f"system.session.{quote(name)}"
    try:
        frame = session.sql(f"SELECT {written}, {written} IS NULL")
    except pyspark_errors.AnalysisException as error:
        if (condition_of(error) or "").startswith("UNRESOLVED_COLUMN"):
            return None
        raise
    found, test = fields_of(frame)
    # Spark shows a variable within an expression as its value.
    shown = test.name.removeprefix("(").removesuffix(" IS NULL)")
    return Variable(_value(frame, from_spark(found.dataType, found.nullable), name), shown)


def _value(frame: DataFrame, data_type: LogicalType, name: str) -> ResolvedExpression:
    """Return the value of a variable from the first column of the only row."""
    if isinstance(data_type, _AS_TEXT):
        with readable_errors():
            named = frame.toDF("value", "is_null")
            text = named.select(named["value"].cast("string")).collect()[0][0]
        if text is None:
            return ValueLiteral(None, data_type.as_nullable())
        return fold_constant(call(CAST, (literal(text), TypeLiteral(data_type.as_nullable()))))
    if any(isinstance(part, (*_AS_TEXT, t.VariantType)) for part in _parts(data_type)):
        raise ValidationException(
            f"The variable {name} is of type {data_type.as_summary_string()}. Queries have constants of points in time "
            "and intervals by themselves, but not of VARIANT, nor of these inside of others."
        )
    with readable_errors():
        value = frame.collect()[0][0]
    if value is None:
        return ValueLiteral(None, data_type.as_nullable())
    made = value_expression(value, data_type)
    # A nested constant knows which of its parts are NULL, but the variable may have other values later.
    same = made.data_type.as_nullable() == data_type.as_nullable()
    return made if same else call(CAST, (made, TypeLiteral(data_type.as_nullable())))


def _parts(data_type: LogicalType) -> list[LogicalType]:
    parts = [data_type]
    for part in parts:
        parts += part.children
    return parts
