"""The time columns of table arguments: the argument ``on_time``."""

from __future__ import annotations

from collections.abc import Sequence

from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import DescriptorLiteral, Expression, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.identifiers import fold
from ir.resolution.process.arguments import Given
from ir.resolution.process.inputs import strip_alias
from ir.resolution.process.tables import ResolvedTable, path_of
from ir.types import LocalZonedTimestampType, TimestampType
from ir.unresolved import UnresolvedReference

_INVALID = "Invalid time attribute declaration."
TIME_TYPES = (TimestampType, LocalZonedTimestampType)


def time_columns(function: FunctionDefinition, given: Given | None, tables: Sequence[ResolvedTable]) -> tuple[int, ...]:
    """Return the position of the time column of each table, empty if the call names no time column.

    Raises:
        ValidationException: a table lacks a required time column, or a name matches no column, several columns, or a
            column that is not a timestamp.
    """
    names = () if given is None else _list_column_names(given)
    if not names:
        for table in tables:
            if table.argument.requires_time:
                raise ValidationException(
                    f"Table argument {table.argument.name!r} requires a time attribute. Please provide one using the "
                    f"implicit `on_time` argument. For example: {function.sql_name}(..., on_time => "
                    "DESCRIPTOR(`my_timestamp`))"
                )
        return ()
    assert given is not None
    try:
        columns = _columns(names, tables)
        _check_order(tables, columns)
    except ValidationException as error:
        error.argument = given.number
        raise
    return columns


def _list_column_names(given: Given) -> tuple[str, ...]:
    written: Expression = strip_alias(given.expression)
    if isinstance(written, DescriptorLiteral):
        return written.names
    if isinstance(written, ValueLiteral) and written.is_null:
        return ()
    shown = f"DESCRIPTOR({written.name})" if isinstance(written, UnresolvedReference) else "DESCRIPTOR(ts)"
    raise ValidationException(
        f"Invalid argument value. Argument 'on_time' expects a list of columns to be passed: {shown}.",
        argument=given.number,
    )


def _columns(names: tuple[str, ...], tables: Sequence[ResolvedTable]) -> tuple[int, ...]:
    known = [name for table in tables for name in table.operation.schema.names]
    unknown = [name for name in names if all(table.operation.schema.index_of(name) is None for table in tables)]
    if unknown:
        raise ValidationException(
            f"{_INVALID} Each column in the `on_time` argument must reference at least one column in one of the table "
            f"arguments. Unknown references: [{listing(unknown)}].{did_you_mean(unknown[0], known)}"
        )
    twice = [name for number, name in enumerate(names) if fold(name) in [fold(other) for other in names[:number]]]
    if twice:
        raise ValidationException(f"{_INVALID} The `on_time` argument names {twice[0]!r} twice.")
    found: list[int] = []
    missing: list[str] = []
    for table in tables:
        schema = table.operation.schema
        positions = [index for index in (schema.index_of(name) for name in names) if index is not None]
        if len(positions) > 1:
            raise ValidationException(
                f"Ambiguous time attribute found. The `on_time` argument must reference at most one column in a table "
                f"argument. Currently, the columns in `on_time` point to both {schema.names[positions[0]]!r} and "
                f"{schema.names[positions[1]]!r} in table argument {table.argument.name!r}."
            )
        if not positions:
            missing.append(table.argument.name)
            continue
        column = schema.columns[positions[0]]
        if not isinstance(column.data_type, TIME_TYPES):
            raise ValidationException(
                f"Unsupported data type for time attribute. The `on_time` argument must reference a TIMESTAMP or "
                f"TIMESTAMP_LTZ column. However, column {column.name!r} in table argument {table.argument.name!r} has "
                f"data type {column.data_type.as_summary_string()!r}."
            )
        found.append(positions[0])
    if missing:
        raise ValidationException(
            f"{_INVALID} If multiple tables are declared, the `on_time` argument must reference a time column for each "
            f"table argument or none. Missing time attributes for: [{listing(missing)}]"
        )
    types = {table.operation.schema.types[index].as_nullable() for table, index in zip(tables, found, strict=True)}
    if len(types) > 1:
        shown = " and ".join(sorted(data_type.as_summary_string() for data_type in types))
        raise ValidationException(
            f"{_INVALID} The time columns of all table arguments must be of one type, but are {shown}. Cast one of "
            "them."
        )
    return tuple(found)


def _check_order(tables: Sequence[ResolvedTable], columns: tuple[int, ...]) -> None:
    for table, column in zip(tables, columns, strict=True):
        if not table.order_by:
            continue
        name = table.operation.schema.names[column]
        first = table.order_by[0]
        if path_of(first.expression) != (column,) or not first.ascending:
            raise ValidationException(
                f"Invalid ORDER BY clause for table argument {table.argument.name!r}. With `on_time`, rows come in the "
                f"order of {name!r}, between which timers fire; the first ORDER BY column must be that one in "
                "ascending "
                f"order. However, it is {first.as_summary_string()}."
            )
