"""Checks and makes the parts of a table's definition, for SQL and for the fluent API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ir.casts import can_store
from ir.commands.table_definition import (
    CheckConstraint,
    ComputedValue,
    DefaultValue,
    GeneratedValue,
    PartitionField,
    WatermarkDefinition,
)
from ir.contents import AGGREGATE, CHANGING, OVER, QUERY
from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import Expression, FieldReference, ResolvedExpression, ValueLiteral
from ir.identifiers import NameMap
from ir.messages import Term, message
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import require_condition
from ir.schema import ResolvedSchema
from ir.summaries import show_as_sql
from ir.types import (
    BytesType,
    CharType,
    DateType,
    DecimalType,
    IntegralType,
    LocalZonedTimestampType,
    LogicalType,
    RowType,
    StringType,
    TimestampType,
    VarCharType,
)

_TIMES: Final = (TimestampType, LocalZonedTimestampType)
_DAYS: Final = (DateType, *_TIMES)


# --- expressions of columns ------------------------------------------------------------------------------------------


def resolve_default(name: str, data_type: LogicalType, written: Expression, lookup: FunctionLookup) -> DefaultValue:
    """Return the DEFAULT of a column.

    Raises:
        ValidationException: the expression refers to columns, has a subquery or an aggregate, or its value cannot be
            stored in the column.
    """
    where = f"The DEFAULT of the column {name!r}"
    value = ExpressionResolver(Scope((ResolvedSchema(()),)), lookup).resolve(written, data_type)
    _refuse(value, AGGREGATE | OVER | QUERY, where, "aggregates, window functions and subqueries")
    _require_storable(value, data_type, where)
    return DefaultValue(value)


def resolve_generated(
    name: str,
    data_type: LogicalType,
    written: Expression,
    schema: ResolvedSchema,
    plain: Iterable[str],
    lookup: FunctionLookup,
) -> GeneratedValue:
    """Return the expression of a column that is GENERATED ALWAYS AS.

    Args:
        name: the column.
        data_type: its type.
        written: the expression.
        schema: the columns of the table.
        plain: the names of those that are not generated.
        lookup: finds functions.

    Raises:
        ValidationException: the expression refers to a generated column, is not deterministic, has a subquery or an
            aggregate, or its value cannot be stored in the column.
    """
    where = f"The expression of the generated column {name!r}"
    value = ExpressionResolver(Scope((schema,)), lookup).resolve(written)
    allowed = frozenset(plain)
    for part in value.walk():
        if isinstance(part, FieldReference) and part.name not in allowed:
            own = "itself" if part.name == name else f"{part.name!r}, which is generated, too"
            raise ValidationException(
                f"{where} refers to {own}; it may refer to the other columns: [{listing(sorted(allowed))}]."
            )
    _refuse(value, AGGREGATE | OVER | QUERY | CHANGING, where, "aggregates, subqueries and nondeterministic calls")
    _require_storable(value, data_type, where)
    return GeneratedValue(value)


def resolve_computed(name: str, written: Expression, schema: ResolvedSchema, lookup: FunctionLookup) -> ComputedValue:
    """Return the expression of a computed column over the stored columns.

    Raises:
        ValidationException: the expression is invalid, or has an aggregate or a window function.
    """
    value = ExpressionResolver(Scope((schema,)), lookup).resolve(written)
    _refuse(value, AGGREGATE | OVER, f"The computed column {name!r}", "aggregates and window functions")
    return ComputedValue(value)


def resolve_check(
    name: str | None,
    written: Expression,
    schema: ResolvedSchema,
    lookup: FunctionLookup,
    *,
    relies: bool,
) -> CheckConstraint:
    """Return a CHECK constraint.

    Raises:
        ValidationException: the condition is not BOOLEAN, is not deterministic, or has a subquery or an aggregate.
    """
    where = "A CHECK constraint" if name is None else f"The CHECK constraint {name!r}"
    condition = ExpressionResolver(Scope((schema,)), lookup).resolve(written)
    require_condition(condition, where, "CHECK")
    _refuse(condition, AGGREGATE | OVER | QUERY | CHANGING, where, "aggregates, subqueries and nondeterministic calls")
    return CheckConstraint(name, relies, condition)


def resolve_watermark(
    column: str, written: Expression, schema: ResolvedSchema, lookup: FunctionLookup
) -> WatermarkDefinition:
    """Return the watermark of a table.

    Raises:
        ValidationException: the column does not exist or has no times, or the expression is not a time.
    """
    (name,) = require_columns([column], schema.names, "WATERMARK")
    data_type = schema.column(name).data_type
    value = ExpressionResolver(Scope((schema,)), lookup).resolve(written)
    for what, given in ((f"The watermark column {name!r}", data_type), (f"The watermark of {name!r}", value.data_type)):
        if not isinstance(given, _TIMES):
            raise ValidationException(f"{what} is a TIMESTAMP or TIMESTAMP_LTZ, but is {given.as_summary_string()}.")
    return WatermarkDefinition(name, value)


def _require_storable(value: ResolvedExpression, data_type: LogicalType, where: str) -> None:
    if isinstance(value, ValueLiteral) and value.value is None:
        if not data_type.nullable:
            raise ValidationException(f"{where} is NULL, and the column is NOT NULL.")
    elif not can_store(value.data_type, data_type):
        raise ValidationException(
            f"{where} is of type {value.data_type.as_summary_string()}, which cannot be stored in "
            f"{data_type.as_summary_string()}; cast it.",
            condition="DATATYPE_MISMATCH.CANNOT_SAFELY_CAST",
        )


def _refuse(value: ResolvedExpression, contents: int, where: str, called: str) -> None:
    if value.contents & contents:
        raise ValidationException(f"{where} cannot contain {called}: {show_as_sql(value)}.")


# --- names of columns ------------------------------------------------------------------------------------------------


def require_distinct(names: Sequence[str], where: str) -> None:
    """Refuse a column that occurs twice.

    Raises:
        ValidationException: two names differ at most in case.
    """
    seen: NameMap[str] = NameMap()
    for name in names:
        if name in seen:
            raise ValidationException(f"{where} has the column {name!r} twice.", condition="COLUMN_ALREADY_EXISTS")
        seen[name] = name


def require_columns(names: Sequence[str], known: Iterable[str], where: str) -> tuple[str, ...]:
    """Return names of columns in the spelling of the table.

    Raises:
        ValidationException: the table has no such column, or a name occurs twice.
    """
    spelled: NameMap[str] = NameMap()
    for name in known:
        spelled[name] = name
    for name in names:
        if name not in spelled:
            raise ValidationException(
                f"{where} names the column {name!r}, which the table does not have: [{listing(list(spelled))}]."
                + did_you_mean(name, list(spelled))
            )
    require_distinct(names, where)
    return tuple([spelled[name] for name in names])


# --- partitions ------------------------------------------------------------------------------------------------------

_NUMBERED: Final = ("bucket", "truncate")
_ACCEPTED: Final[Mapping[str, tuple[str, tuple[type[LogicalType], ...]]]] = {
    "years": ("a DATE or TIMESTAMP", _DAYS),
    "months": ("a DATE or TIMESTAMP", _DAYS),
    "days": ("a DATE or TIMESTAMP", _DAYS),
    "hours": ("a TIMESTAMP", _TIMES),
    "truncate": (
        "a number, STRING or BINARY",
        (IntegralType, DecimalType, StringType, CharType, VarCharType, BytesType),
    ),
}
TRANSFORMS: Final = ("identity", "years", "months", "days", "hours", "bucket", "truncate")
"""The transforms of partition keys."""
SPELLINGS: Final[Mapping[str, str]] = {
    "year": "years",
    "month": "months",
    "day": "days",
    "date": "days",
    "hour": "hours",
    "date_hour": "hours",
}
"""Iceberg's other names of transforms; it accepts both.

Source: https://iceberg.apache.org/docs/latest/spark-ddl/#partitioned-by
"""


_RESERVED: Final[Mapping[str, Term]] = {
    "provider": Term("Pass the format to for_connector", "Say USING and the format"),
    "location": Term("Set option('path', …)", "Say LOCATION and the path"),
    "owner": Term("Spark sets it to the user who creates the table", "Spark sets it to the user who creates the table"),
    "external": Term("A table with the option 'path' is external", "Say CREATE EXTERNAL TABLE"),
}


def refuse_reserved_properties(given: Iterable[str]) -> None:
    """Refuse properties of a table that Spark sets itself.

    Raises:
        ValidationException: a key is reserved; the message names the clause to use instead.
    """
    for key in given:
        if key in _RESERVED:
            raise ValidationException(
                message(
                    "{properties} has the key {key!r}, which Spark reserves. {remedy}.",
                    properties=Term("The descriptor", "TBLPROPERTIES"),
                    key=key,
                    remedy=_RESERVED[key],
                )
            )


def make_partition_field(
    path: Sequence[str], transform: str | None, argument: int | None, schema: ResolvedSchema | None
) -> PartitionField:
    """Return a partition key.

    Args:
        path: the name of the column, followed by names of fields.
        transform: the name of the transform, if any.
        argument: its number.
        schema: the columns of the table; None if only the files have them.

    Raises:
        ValidationException: there is no such transform, column or field, or the transform does not accept the type.
    """
    transform = None if transform is None else SPELLINGS.get(transform, transform)
    if transform is not None and transform not in TRANSFORMS:
        raise ValidationException(
            f"There is no partition transform {transform!r}; there are [{listing(TRANSFORMS)}]."
            + did_you_mean(transform, TRANSFORMS)
        )
    needs_number = transform in _NUMBERED
    if needs_number is not (argument is not None):
        raise ValidationException(
            f"The transform {transform} takes a number and a column: {transform}(16, {path[-1]})."
            if needs_number
            else f"The transform {transform} takes a column alone: {transform}({path[-1]})."
        )
    if argument is not None and argument < 1:
        raise ValidationException(f"The number of {transform} is at least 1, but is {argument}.")
    chosen = None if transform == "identity" else transform
    if schema is None:
        return PartitionField(tuple(path), chosen, argument)
    names, data_type = _find(path, schema)
    if chosen is not None and chosen in _ACCEPTED and not isinstance(data_type, _ACCEPTED[chosen][1]):
        raise ValidationException(
            f"The transform {chosen} takes {_ACCEPTED[chosen][0]}, but {'.'.join(names)} is of type "
            f"{data_type.as_summary_string()}."
        )
    return PartitionField(names, chosen, argument)


def find_column(path: Sequence[str], schema: ResolvedSchema, where: str) -> tuple[str, ...]:
    """Return the path of a column or field in the spelling of the table.

    Raises:
        ValidationException: there is no such column; the message has the nearest name.
    """
    return _find(path, schema, where)[0]


def _find(
    path: Sequence[str], schema: ResolvedSchema, where: str = "PARTITIONED BY"
) -> tuple[tuple[str, ...], LogicalType]:
    names = require_columns([path[0]], schema.names, where)
    data_type = schema.column(names[0]).data_type
    for name in path[1:]:
        fields = [field.name for field in data_type.fields] if isinstance(data_type, RowType) else []
        (found,) = require_columns([name], fields, f"{where} {'.'.join(names)}")
        assert isinstance(data_type, RowType)
        data_type = next(field.data_type for field in data_type.fields if field.name == found)
        names = (*names, found)
    return names, data_type
