"""Targets of inserts, and the checks that rows fit them, before anything is written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ir import light_attrs as attrs
from ir.calls import call
from ir.casts import differ_at_most_in_nullability, plain_type
from ir.contents import CHANGES
from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import FieldReference, ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.conversion import CAST
from ir.identifiers import ObjectIdentifier, fold, quote
from ir.literals import literal
from ir.operations.operation import QueryOperation
from ir.operations.process import KIND_COLUMN, find_kind_column
from ir.operations.project import project
from ir.operations.source import InlineSource, Source
from ir.resolution.commands.inserts import find_misfit, find_missing, has_other_order, make_misfit_error, spell_columns
from ir.resolution.commands.value_rules import NO_RULES, ValueRules, check_query, require_columns_of_statements
from ir.schema import Column, ResolvedSchema
from ir.types import CharType, VarCharType
from tableapi.data.values import value_expression
from tableapi.declarations.external_tables import JDBC, ExternalTable
from tableapi.declarations.file_tables import FileTable, check_types
from tableapi.lazy import lazy
from tableapi.table_descriptor import TableDescriptor

if TYPE_CHECKING:
    from ir.resolution import retractions
else:
    retractions = lazy(__name__, "ir.resolution.retractions")


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
        has_changes: whether the rows are changes of the table's rows, whose kinds are in a column that is not stored.
    """

    query: QueryOperation
    sink: Sink
    overwrite: bool
    partition: Mapping[str, Any]
    columns: tuple[str, ...] | None
    schema: ResolvedSchema
    is_by_name: bool = False
    has_changes: bool = False

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
        given = dict(zip(map(fold, self._list_given()), self.stored_fields, strict=True))
        expressions: list[ResolvedExpression] = []
        for column in self.schema.columns:
            data_type, name = plain_type(column.data_type), fold(column.name)
            if name in given:
                expressions.append(_cast_for_storage(given[name], column))
            elif column.name in self.partition:
                expressions.append(_cast_for_storage(_value_of_key(column, self.partition[column.name]), column))
            else:
                expressions.append(ValueLiteral(None, data_type.as_nullable()))
        kind = find_kind_column(self.query.schema) if self.has_changes else None
        kinds = () if kind is None else (kind,)
        names = (*[each.name for each in kinds], *self.schema.names)
        return project(self.query, (*kinds, *expressions), names)

    @property
    def stored_fields(self) -> tuple[FieldReference, ...]:
        """The columns of the query that are stored, in order: all but that of the kinds of changes."""
        kind = find_kind_column(self.query.schema) if self.has_changes else None
        columns = enumerate(self.query.schema.columns)
        return tuple([FieldReference(c.name, c.data_type, 0, i) for i, c in columns if kind is None or i != kind.index])

    @property
    def partition_values(self) -> dict[str, ResolvedExpression]:
        """The constant values of partition keys, in the types of their columns."""
        return {key: _value_of_key(self.schema.column(key), value) for key, value in self.partition.items()}

    @property
    def given_rows(self) -> QueryOperation:
        """The stored columns of the query, cast to the types of their target columns.

        A row whose fields Spark finds by name, in another order, is not cast: a cast finds them by position.
        """
        columns = [self.schema.column(name) for name in self._list_given()]
        expressions: list[ResolvedExpression] = []
        fields = self.stored_fields
        for field, theirs in zip(fields, columns, strict=True):
            keeps_type = self.is_by_name and has_other_order(field.data_type, theirs.data_type)
            expressions.append(field if keeps_type else _cast_for_storage(field, theirs))
        return project(self.query, tuple(expressions), tuple([field.name for field in fields]))

    @property
    def lengths(self) -> dict[str, int]:
        """The columns of the query whose target columns have a declared length, with this length."""
        columns = [self.schema.column(name) for name in self._list_given()]
        return {
            ours.name: theirs.data_type.length
            for ours, theirs in zip(self.stored_fields, columns, strict=True)
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
        if self.has_changes:
            facts.append("applies changes: [true]")
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
        ValidationException: the columns do not fit, a column or a partition key does not exist, the rows are changes
            without their kinds, or an argument is invalid. Nothing is written.
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
    kind = None if schema.index_of(KIND_COLUMN) is not None else find_kind_column(query.schema)
    if columns is not None:
        if isinstance(columns, str) or not all(isinstance(name, str) for name in columns):
            raise ValidationException(f"columns takes a list of names, but was given {columns!r}.")
        stored = [name for name in columns if not is_by_name or kind is None or fold(name) != KIND_COLUMN]
        named = spell_columns(stored, schema, sink.name, keys)
    has_changes = kind is not None and len(query.schema) == len(_list_given_names(schema, keys, named)) + 1
    insert = Insert(query, sink, overwrite, keys, named, schema, is_by_name, has_changes)
    if has_changes:
        _require_changes(insert)
    elif query.contents & CHANGES:
        retractions.refuse_retractions_in_rows(query, "the insert", "INSERT")
    _check_fit(insert)
    return insert


_KEEP_AS_ROWS = f"To keep the changes as rows, give the table a column {KIND_COLUMN!r}."


def _require_changes(insert: Insert) -> None:
    """Reject changes that cannot be applied to the rows of a sink.

    Raises:
        ValidationException: the query has an end, overwrites, or leaves a key out; or the sink has no primary key.
    """
    sink, files = insert.sink, insert.sink.files
    begin = (
        f"The query has the kinds of changes in the column {KIND_COLUMN!r}, which the table {sink.name} does not have"
    )
    if not insert.query.is_unbounded:
        raise ValidationException(
            f"{begin}. Changes are applied to a table by a stream; the rows of this query end, and have no order. "
            "Insert the current rows, changes.apply_changelog(key, order_by=…); or read the source as a stream, with "
            f"the trigger available-now. {_KEEP_AS_ROWS} Nothing was written.",
            condition="INSERT_COLUMN_ARITY_MISMATCH.TOO_MANY_DATA_COLUMNS",
        )
    if insert.overwrite:
        raise ValidationException(f"{begin}. Changes are applied to the rows of a table, and overwrite none.")
    if files is None:
        # Spark knows the key of a table in a catalog.
        return
    is_database = isinstance(files, ExternalTable) and files.format == JDBC
    key = files.primary_key if isinstance(files, ExternalTable) and is_database else ()
    if not key:
        lacks = "it is declared without a primary key" if is_database else "single rows of it cannot be replaced"
        raise ValidationException(
            f"{begin}, and {lacks}, so that no change can be applied. Write to a table of PostgreSQL or Derby by the "
            "connector 'jdbc', declared with PRIMARY KEY (…) NOT ENFORCED, or to a table of a catalog that takes "
            "MERGE. "
            f"{_KEEP_AS_ROWS} Nothing was written."
        )
    require_key(insert, key)


def require_key(insert: Insert, key: Sequence[str]) -> None:
    """Reject changes that do not say which row they change.

    Raises:
        ValidationException: a column of the primary key gets no value.
    """
    given = set(map(fold, (*insert.given_columns, *insert.partition)))
    lacking = [name for name in key if fold(name) not in given]
    if lacking:
        raise ValidationException(
            f"The changes of {insert.sink.name} have no value for [{listing(lacking)}] of its primary key. Nothing was "
            "written."
        )


def find_partition_key(sink: Sink, name: str) -> str:
    """Return a partition key in the spelling of the table.

    Raises:
        ValidationException: the table has no such partition key; the message suggests the nearest one.
    """
    key = next((key for key in sink.partition_keys if fold(key) == fold(name)), None)
    if key is None:
        keys = sink.partition_keys
        has = f"has the partition keys [{listing(keys)}]" if keys else "is not partitioned"
        raise ValidationException(
            f"The table {sink.name} has no partition key {name!r}: it {has}. Nothing was written."
            + did_you_mean(name, keys)
        )
    return key


def _keys(given: Mapping[str, Any], sink: Sink, schema: ResolvedSchema) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise ValidationException(f"partition takes a mapping of partition keys to values, but was given {given!r}.")
    found: dict[str, Any] = {}
    for name, value in given.items():
        key = find_partition_key(sink, str(name))
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
    given = insert._list_given()
    query = ResolvedSchema(tuple([insert.query.schema.columns[field.index] for field in insert.stored_fields]))
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
    if not insert.has_changes:
        # Of a deleted row, only the key has to be given.
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
    rows = insert.rows.schema.columns[1 if insert.has_changes else 0 :]
    return {
        declared.name: f"The column {declared.name} of {insert.sink.name} must not be NULL. Nothing was written."
        for declared, given in zip(insert.schema.columns, rows, strict=True)
        if not declared.data_type.nullable and given.data_type.nullable
    }


def require_table(sink: Any) -> None:
    """Reject a target that is neither a path nor a table descriptor.

    Raises:
        ValidationException: the target is neither.
    """
    if not isinstance(sink, (str, TableDescriptor)):
        raise ValidationException(f"A path or a TableDescriptor is expected, but was given {sink!r}.")
