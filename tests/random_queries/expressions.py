"""Random expressions over the columns of a schema, as a fluent expression and as a PySpark Column."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import attrs
from hypothesis import strategies as st
from pyspark.sql import Column
from pyspark.sql import functions as f

from ir import types as t
from ir.identifiers import quote
from ir.schema import ResolvedSchema
from ir.types import LogicalType
from tableapi import DataTypes, Expression, TimeIntervalUnit
from tableapi.expressions import coalesce, col, concat, lit

Draw = Callable[[st.SearchStrategy[Any]], Any]

NUMBER = (t.IntegralType, t.DecimalType, t.FractionalType)
TEXT = (t.CharacterType,)
MOMENT = (t.DateType, t.TimestampType)
_CASTS = (
    (DataTypes.BIGINT(), "bigint"),
    (DataTypes.DOUBLE(), "double"),
    (DataTypes.DECIMAL(12, 3), "decimal(12, 3)"),
    (DataTypes.TINYINT(), "tinyint"),
)
SORTABLE = (*NUMBER, *TEXT, *MOMENT, t.BooleanType)


@attrs.frozen
class Pair:
    """An expression of this library, and the equivalent PySpark Column."""

    ours: Expression[Any]
    theirs: Column


def names_of(schema: ResolvedSchema, kinds: tuple[type[LogicalType], ...]) -> list[str]:
    """Return the names of the columns whose types are of some kinds."""
    return [column.name for column in schema.columns if isinstance(column.data_type, kinds)]


def column(name: str) -> Pair:
    """Return a column."""
    return Pair(col(name), f.col(quote(name)))


def _leaves(schema: ResolvedSchema, kinds: tuple[type[LogicalType], ...]) -> list[Pair]:
    """Return leaves whose types are of some kinds: columns, fields of rows, elements of arrays, values of maps."""
    found: list[Pair] = []
    pending = [(column(c.name), c.data_type) for c in schema.columns]
    while pending:
        pair, data_type = pending.pop()
        if isinstance(data_type, kinds):
            found.append(pair)
        elif isinstance(data_type, t.RowType):
            pending += [
                (Pair(pair.ours.get(field.name), pair.theirs.getField(field.name)), field.data_type)
                for field in data_type.fields
            ]
        elif isinstance(data_type, t.ArrayType):
            pending.append((Pair(pair.ours.at(2), f.get(pair.theirs, f.lit(1))), data_type.element))
        elif isinstance(data_type, t.MapType) and isinstance(data_type.key, t.StringType):
            pending.append((Pair(pair.ours.at("stock"), pair.theirs.getItem("stock")), data_type.value))
    return list(reversed(found))


def number(draw: Draw, schema: ResolvedSchema, depth: int = 2) -> Pair:
    """Return a numeric expression: a column, a constant, or arithmetic that cannot overflow for small values."""
    if depth == 0 or draw(st.booleans()):
        leaves = _leaves(schema, NUMBER)
        if leaves and draw(st.integers(0, 4)):
            return draw(st.sampled_from(leaves))  # type: ignore[no-any-return]  # of what is drawn no type is known
        value = draw(st.integers(-3, 12))
        return Pair(lit(value), f.lit(value))
    kinds = [
        "plus",
        "minus",
        "times",
        "divide",
        "mod",
        "negative",
        "length",
        "case",
        "year",
        "coalesce",
        "cast",
        "text",
    ]
    kind = draw(st.sampled_from(kinds))
    left = number(draw, schema, depth - 1)
    if kind == "plus":
        right = number(draw, schema, depth - 1)
        return Pair(left.ours + right.ours, left.theirs + right.theirs)
    if kind == "minus":
        right = number(draw, schema, depth - 1)
        return Pair(left.ours - right.ours, left.theirs - right.theirs)
    if kind == "times":
        return Pair(left.ours * 2, left.theirs * 2)
    if kind == "divide":
        return Pair(left.ours / 4, left.theirs / 4)
    if kind == "cast":
        ours, theirs = draw(st.sampled_from(_CASTS))
        return Pair(left.ours.try_cast(ours), left.theirs.try_cast(theirs))
    if kind == "text":
        value_ = text(draw, schema, 0)
        return Pair(value_.ours.try_cast(DataTypes.INT()), value_.theirs.try_cast("int"))
    if kind == "mod":
        return Pair(left.ours % 7, left.theirs % 7)
    if kind == "negative":
        return Pair(-left.ours, -left.theirs)
    if kind == "length":
        value_ = text(draw, schema, depth - 1)
        return Pair(value_.ours.char_length, f.char_length(value_.theirs))
    if kind == "case":
        condition_, right = condition(draw, schema, depth - 1), number(draw, schema, depth - 1)
        return Pair(
            condition_.ours.then(left.ours, right.ours), f.when(condition_.theirs, left.theirs).otherwise(right.theirs)
        )
    if kind == "year" and names_of(schema, MOMENT):
        moment = column(draw(st.sampled_from(names_of(schema, MOMENT))))
        return Pair(moment.ours.extract(TimeIntervalUnit.YEAR), f.extract(f.lit("YEAR"), moment.theirs))
    return Pair(coalesce(left.ours, 0), f.coalesce(left.theirs, f.lit(0)))


def text(draw: Draw, schema: ResolvedSchema, depth: int = 2) -> Pair:
    """Return a string expression."""
    if depth == 0 or draw(st.booleans()):
        leaves = _leaves(schema, TEXT)
        if leaves and draw(st.integers(0, 4)):
            return draw(st.sampled_from(leaves))  # type: ignore[no-any-return]  # of what is drawn no type is known
        value = draw(st.sampled_from(["", "a", "Berlin", "p%n_", "it's", "back\\slash", "é", "`"]))
        return Pair(lit(value), f.lit(value))
    kind = draw(st.sampled_from(["concat", "upper", "substring", "cast", "coalesce"]))
    if kind == "cast":
        value_ = number(draw, schema, 0)
        return Pair(value_.ours.cast(DataTypes.STRING()), value_.theirs.cast("string"))
    left = text(draw, schema, depth - 1)
    if kind == "upper":
        return Pair(left.ours.upper_case, f.upper(left.theirs))
    if kind == "substring":
        return Pair(left.ours.substring(2, 2), f.substring(left.theirs, 2, 2))
    right = text(draw, schema, depth - 1)
    if kind == "coalesce":
        return Pair(coalesce(left.ours, right.ours), f.coalesce(left.theirs, right.theirs))
    return Pair(concat(left.ours, right.ours), f.concat(left.theirs, right.theirs))


def condition(draw: Draw, schema: ResolvedSchema, depth: int = 2) -> Pair:
    """Return a Boolean expression."""
    if depth and not draw(st.integers(0, 2)):
        kind = draw(st.sampled_from(["and", "or", "not"]))
        left = condition(draw, schema, depth - 1)
        if kind == "not":
            return Pair(~left.ours, ~left.theirs)
        right = condition(draw, schema, depth - 1)
        if kind == "and":
            return Pair(left.ours & right.ours, left.theirs & right.theirs)
        return Pair(left.ours | right.ours, left.theirs | right.theirs)
    kinds = ["compare numbers", "compare texts", "null", "between", "in", "like"]
    kinds += ["moment"] * bool(names_of(schema, MOMENT)) + ["truth"] * bool(names_of(schema, (t.BooleanType,)))
    kind = draw(st.sampled_from(kinds))
    if kind == "null":
        value = column(draw(st.sampled_from(schema.names)))
        if draw(st.booleans()):
            return Pair(value.ours.is_null, value.theirs.isNull())
        return Pair(value.ours.is_not_null, value.theirs.isNotNull())
    if kind == "truth":
        return column(draw(st.sampled_from(names_of(schema, (t.BooleanType,)))))
    if kind == "moment":
        value, day = column(draw(st.sampled_from(names_of(schema, MOMENT)))), dt.date(2000, 1, 1)
        return Pair(value.ours >= day, value.theirs >= f.lit(day))
    if kind == "between":
        value, low = number(draw, schema, depth and depth - 1), number(draw, schema, 0)
        return Pair(value.ours.between(low.ours, 102), value.theirs.between(low.theirs, 102))
    if kind == "in":
        if draw(st.booleans()):
            value, known = text(draw, schema, 0), ["a", "it's", "Paris", "pen", "paid"]
            return Pair(value.ours.in_(*known), value.theirs.isin(known))
        value, found = number(draw, schema, 0), draw(st.lists(st.integers(0, 5), min_size=1, max_size=3))
        return Pair(value.ours.in_(*found), value.theirs.isin(*found))
    if kind == "like":
        value = text(draw, schema, depth and depth - 1)
        return Pair(value.ours.like("%a%"), value.theirs.like("%a%"))
    make = number if kind == "compare numbers" else text
    left, right = make(draw, schema, depth and depth - 1), make(draw, schema, depth and depth - 1)
    operator = draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
    return Pair(_compared(left.ours, operator, right.ours), _compared(left.theirs, operator, right.theirs))


def _compared(left: Any, operator: str, right: Any) -> Any:
    return {
        "==": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]


def value(draw: Draw, schema: ResolvedSchema) -> Pair:
    """Return a numeric, string or Boolean expression."""
    make: Callable[..., Pair] = draw(st.sampled_from([number, text, condition]))
    return make(draw, schema)
