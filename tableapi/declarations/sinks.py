"""Targets of inserts, and the checks that rows fit them, before anything is written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import attrs

from ir.calls import call
from ir.casts import differ_at_most_in_nullability, plain_type
from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import FieldReference, ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.conversion import CAST
from ir.identifiers import ObjectIdentifier, fold, quote
from ir.literals import literal
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.source import InlineSource, Source
from ir.resolution.commands.inserts import find_misfit, find_missing, has_other_order, make_misfit_error, spell_columns
from ir.resolution.commands.value_rules import NO_RULES, ValueRules, check_query, require_columns_of_statements
from ir.schema import Column, ResolvedSchema
from ir.types import CharType, VarCharType
from tableapi.data.values import value_expression
from tableapi.declarations.file_tables import FileTable, check_types
from tableapi.table_descriptor import TableDescriptor


@attrs.frozen(eq=False)
class Sink:
    """The target of an insert: a table that Spark has, or files.

    Attributes:
        name: its name in messages and results.
        schema: the stored columns; None if it gets the columns of the query.
        partition_keys: the partition columns.
        identifier: the full name of a table that Spark has.
        files: the files of a table that Spark does not have.
        in_session_catalog: whether the table is in Spark's own catalog.
        rules: what the table says of the values of its rows.
    """

    name: str
    schema: ResolvedSchema | None
    partition_keys: tuple[str, ...] = ()
    identifier: ObjectIdentifier | None = None
    files: FileTable | None = None
    in_session_catalog: bool = False
    rules: ValueRules = NO_RULES


@attrs.frozen(eq=False)
class Insert:
    """A query whose rows are written to a sink; ``prepare`` has checked that they fit.

    Attributes:
        query: the rows, with the columns in ``columns``.
        sink: the target.
        overwrite: whether to replace the rows of the target; in a partitioned table, only of the partitions that get
            rows.
        partition: the constant values of partition keys.
        columns: the columns of the sink that the query supplies, in order.
        schema: the columns of the sink.
        is_by_name: whether the fields of rows are found by name.
    """

    query: QueryOperation
    sink: Sink
    overwrite: bool
    partition: Mapping[str, Any]
    columns: tuple[str, ...] | None
    schema: ResolvedSchema
    is_by_name: bool = False

    @property
    def is_dynamic(self) -> bool:
        """Whether only the partitions that get rows are replaced."""
        return self.overwrite and any(key not in self.partition for key in self.sink.partition_keys)

    @property
    def statement(self) -> str:
        """The INSERT clause before the query, for a table that Spark has."""
        sink = self.sink
        assert sink.identifier is not None
        parts = ["INSERT OVERWRITE" if self.overwrite else "INSERT INTO", sink.identifier.as_serializable_string()]
        if self.overwrite and sink.partition_keys and sink.in_session_catalog:
            # Set the mode explicitly, because the session's setting must not determine how much is deleted.
            parts.append(f"WITH ('partitionOverwriteMode' = '{'dynamic' if self.is_dynamic else 'static'}')")
        if self.partition:
            keys = [
                f"{quote(key)} = {_constant(self.partition[key])}" if key in self.partition else quote(key)
                for key in sink.partition_keys
            ]
            parts.append(f"PARTITION ({', '.join(keys)})")
        if self.is_by_name:
            parts.append("BY NAME")
        elif self.columns is not None:
            parts.append(f"({', '.join(map(quote, self.columns))})")
        return " ".join(parts) + "\n"

    @property
    def rows(self) -> QueryOperation:
        """The query with all stored columns of the sink, in their order and types."""
        given = dict(zip(map(fold, self._list_given()), self.query.schema.columns, strict=True))
        position = {name: index for index, name in enumerate(given)}
        expressions: list[ResolvedExpression] = []
        for column in self.schema.columns:
            data_type, name = plain_type(column.data_type), fold(column.name)
            if name in given:
                source = given[name]
                expressions.append(
                    _cast_for_storage(FieldReference(source.name, source.data_type, 0, position[name]), column)
                )
            elif column.name in self.partition:
                expressions.append(_cast_for_storage(_value_of_key(column, self.partition[column.name]), column))
            else:
                expressions.append(ValueLiteral(None, data_type.as_nullable()))
        return project(self.query, tuple(expressions), self.schema.names)

    @property
    def partition_values(self) -> dict[str, ResolvedExpression]:
        """The constant values of partition keys, in the types of their columns."""
        return {key: _value_of_key(self.schema.column(key), value) for key, value in self.partition.items()}

    @property
    def given_rows(self) -> QueryOperation:
        """The query with its columns cast to the types of their target columns.

        A row whose fields Spark finds by name, in another order, is not cast: a cast finds them by position.
        """
        columns = [self.schema.column(name) for name in self._list_given()]
        expressions: list[ResolvedExpression] = []
        for index, (ours, theirs) in enumerate(zip(self.query.schema.columns, columns, strict=True)):
            field = FieldReference(ours.name, ours.data_type, 0, index)
            keeps_type = self.is_by_name and has_other_order(ours.data_type, theirs.data_type)
            expressions.append(field if keeps_type else _cast_for_storage(field, theirs))
        return project(self.query, tuple(expressions), self.query.schema.names)

    @property
    def lengths(self) -> dict[str, int]:
        """The columns of the query whose target columns have a declared length, with this length."""
        columns = [self.schema.column(name) for name in self._list_given()]
        return {
            ours.name: theirs.data_type.length
            for ours, theirs in zip(self.query.schema.columns, columns, strict=True)
            if isinstance(theirs.data_type, (CharType, VarCharType))
        }

    @property
    def given_columns(self) -> tuple[str, ...]:
        """The columns of the sink that the query supplies, in order."""
        return self._list_given()

    def _list_given(self) -> tuple[str, ...]:
        return _list_given_names(self.schema, self.partition, self.columns)

    def describe(self) -> str:
        """Return the insert as the root of the operation tree."""
        facts = [f"table: [{self.sink.name}]", f"fields: [{listing(self._list_given(), 100)}]"]
        if self.partition:
            facts.append(f"partition: [{', '.join(f'{key}={value!r}' for key, value in self.partition.items())}]")
        if self.overwrite:
            facts.append("overwrite: [true]")
        return f"Sink: ({', '.join(facts)})"


def _list_given_names(
    schema: ResolvedSchema, partition: Mapping[str, Any], columns: tuple[str, ...] | None
) -> tuple[str, ...]:
    if columns is not None:
        return columns
    return tuple([name for name in schema.names if name not in partition])


def _cast_for_storage(expression: ResolvedExpression, column: Column) -> ResolvedExpression:
    target = plain_type(column.data_type)
    if differ_at_most_in_nullability(expression.data_type, target):
        return expression
    return call(CAST, (expression, TypeLiteral(target.as_nullable())))


def _constant(value: Any) -> str:
    """Return a partition value as SQL; PARTITION accepts only plain constants, and casts strings itself."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    text = value if isinstance(value, str) else str(value)
    return literal(text).as_serializable_string()


def prepare(
    query: QueryOperation,
    sink: Sink,
    *,
    overwrite: bool = False,
    partition: Mapping[str, Any] | None = None,
    columns: Sequence[str] | None = None,
    is_by_name: bool = False,
) -> Insert:
    """Check an insert of a query into a sink, and return it.

    Columns and fields are found by position, or by name where the insert ``is_by_name``. Then ``columns`` are the names
    of the query's columns.

    Raises:
        ValidationException: the columns do not fit, a column or a partition key does not exist, or an argument is
            invalid. Nothing is written.
        TableException: the table of the sink cannot be written to.
    """
    if not isinstance(overwrite, bool):
        raise ValidationException(f"overwrite is True or False, but was given {overwrite!r}.")
    if sink.files is not None:
        sink.files.require_writable()
        if overwrite and not sink.files.can_overwrite:
            raise ValidationException(
                f"The records of {sink.name} stay until the broker removes them, so that they cannot be overwritten. "
                "Append the rows. Nothing was written."
            )
    schema = query.schema if sink.schema is None else sink.schema
    if sink.schema is None and sink.files is not None and not sink.files.is_external:
        check_types(schema, sink.files.format, sink.name)
    keys = _keys(partition or {}, sink, schema)
    named = None
    if columns is not None:
        if isinstance(columns, str) or not all(isinstance(name, str) for name in columns):
            raise ValidationException(f"columns takes a list of names, but was given {columns!r}.")
        named = spell_columns(columns, schema, sink.name, keys)
    insert = Insert(query, sink, overwrite, keys, named, schema, is_by_name)
    _check_fit(insert)
    return insert


def _keys(given: Mapping[str, Any], sink: Sink, schema: ResolvedSchema) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise ValidationException(f"partition takes a mapping of partition keys to values, but was given {given!r}.")
    known = {fold(key): key for key in sink.partition_keys}
    found: dict[str, Any] = {}
    for name, value in given.items():
        key = known.get(fold(str(name)))
        if key is None:
            has = f"has the partition keys [{listing(sink.partition_keys)}]" if known else "is not partitioned"
            raise ValidationException(
                f"The table {sink.name} has no partition key {name!r}: it {has}. Nothing was written."
                + did_you_mean(str(name), sink.partition_keys)
            )
        if value is not None and not isinstance(value, (str, bool, int, Decimal, dt.date)):
            raise ValidationException(
                f"The partition key {key!r} takes a text, a number, a truth value, a date or a moment, but was given "
                f"{value!r}. Nothing was written."
            )
        _value_of_key(schema.column(key), value)
        found[key] = value
    return {key: found[key] for key in sink.partition_keys if key in found}


def _value_of_key(column: Column, value: Any) -> ResolvedExpression:
    """Return the value of a partition key as a constant of its column's type."""
    data_type = plain_type(column.data_type).as_nullable()
    if value is None:
        return ValueLiteral(None, data_type)
    try:
        return value_expression(value, data_type)
    except ValidationException as error:
        raise ValidationException(f"The partition key {column!r}: {error} Nothing was written.") from None


def _check_fit(insert: Insert) -> None:
    given, query = insert._list_given(), insert.query.schema
    misfit = find_misfit(
        query,
        insert.schema,
        given,
        insert.partition,
        names_columns=insert.columns is not None,
        is_by_name=insert.is_by_name,
    ) or find_missing(insert.schema, {*given, *insert.partition}, insert.sink.rules.filled)
    if misfit is not None:
        raise make_misfit_error(misfit, query, insert.schema, insert.sink.name)
    require_columns_of_statements(given, insert.sink.rules, insert.sink.name)
    table = insert.schema, insert.sink.name
    check_query(insert.query, given, insert.partition_values, table, insert.sink.rules)
    if not insert.is_by_name or insert.sink.identifier is not None:
        return
    for ours, name in zip(query.columns, given, strict=True):
        theirs = insert.schema.column(name)
        if has_other_order(ours.data_type, theirs.data_type):
            raise ValidationException(
                f"The column {ours!r} has the fields of {theirs!r} in another order, and files of the table "
                f"{insert.sink.name} get them by position. Select them in the order of the table. Nothing was written."
            )


def reads(sources: Iterable[QueryOperation], sink: Sink) -> bool:
    """Whether one of the sources of a query, including those behind temporary and in-memory names, is a sink."""
    for source in sources:
        if isinstance(source, Source) and sink.identifier is not None and source.identifier is sink.identifier:
            return True
        files = source.handle if isinstance(source, InlineSource) else None
        if isinstance(files, FileTable) and sink.files is not None and files.place == sink.files.place:
            return True
    return False


def build_not_null_messages(insert: Insert) -> dict[str, str]:
    """Return the NOT NULL columns of the sink that could get NULL, with their error messages."""
    rows = insert.rows.schema
    return {
        declared.name: f"The column {declared.name} of {insert.sink.name} must not be NULL. Nothing was written."
        for declared, given in zip(insert.schema.columns, rows.columns, strict=True)
        if not declared.data_type.nullable and given.data_type.nullable
    }


def require_table(sink: Any) -> None:
    """Reject a target that is neither a path nor a table descriptor.

    Raises:
        ValidationException: the target is neither.
    """
    if not isinstance(sink, (str, TableDescriptor)):
        raise ValidationException(f"A path or a TableDescriptor is expected, but was given {sink!r}.")
