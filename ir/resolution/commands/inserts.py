"""Makes INSERT commands, and checks that the columns of a query fit those of a table.

The checks are those of Spark's analyzer under the ANSI store assignment policy. Statements and the fluent API share
them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ir.casts import can_store
from ir.commands.inserts import InsertForm, InsertInto, InsertMode, list_targets
from ir.commands.partitions import Partition, PartitionKey
from ir.errors import ValidationException, did_you_mean, listing
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.resolution.commands import value_rules
from ir.schema import ResolvedSchema
from ir.types import ArrayType, LogicalType, MapType, RowField, RowType


class Misfit(NamedTuple):
    """Why a query does not fit a table: the reason, and Spark's error condition."""

    reason: str
    condition: str


def find_misfit(
    query: ResolvedSchema,
    table: ResolvedSchema,
    given: Sequence[str],
    constant: Collection[str] = (),
    *,
    names_columns: bool = False,
    is_by_name: bool = False,
) -> Misfit | None:
    """Return why the columns of a query cannot be inserted into a table, None if they can.

    Args:
        query: the columns of the query.
        table: the columns of the table.
        given: the columns of the table that get those of the query, in this order.
        constant: the columns of the table that get constant values.
        names_columns: whether the statement names the columns of the table.
        is_by_name: whether the fields of rows are found by name.
    """
    if len(query) != len(given):
        what = "columns names" if names_columns else "the table has"
        besides = " besides the given partition" if constant and not names_columns else ""
        condition = "TOO_MANY_DATA_COLUMNS" if len(query) > len(given) else "NOT_ENOUGH_DATA_COLUMNS"
        reason = f"it has {len(query)} columns where {what} {len(given)}{besides}"
        return Misfit(reason, f"INSERT_COLUMN_ARITY_MISMATCH.{condition}")
    for position, (ours, name) in enumerate(zip(query.columns, given, strict=True)):
        theirs = table.column(name)
        stored = ours.data_type
        if is_by_name:
            arranged = _arrange_fields(stored, theirs.data_type, ours.name)
            if isinstance(arranged, Misfit):
                return arranged
            stored = arranged
        if not can_store(stored, theirs.data_type):
            reason = f"column {position} {ours!r} cannot be stored as {theirs!r}; cast it"
            return Misfit(reason, "INCOMPATIBLE_DATA_FOR_TABLE.CANNOT_SAFELY_CAST")
    return None


def find_missing(table: ResolvedSchema, given: Collection[str], filled: Collection[str]) -> Misfit | None:
    """Return which column that must not be NULL gets no value, None if there is none.

    Args:
        table: the columns of the table.
        given: the columns that get values.
        filled: the folded names of columns to which the table gives a value if the statement does not.
    """
    for column in table.columns:
        if not column.data_type.nullable and column.name not in given and fold(column.name) not in filled:
            reason = f"the column {column!r} gets no value, and must not be NULL"
            return Misfit(reason, "NOT_NULL_CONSTRAINT_VIOLATION")
    return None


def _arrange_fields(given: LogicalType, target: LogicalType, path: str) -> LogicalType | Misfit:
    """Return a type with the fields of its rows in the order of the target, or why it has other fields."""
    match given, target:
        case RowType(fields=fields), RowType(fields=targets):
            by_name = {fold(field.name): field for field in fields}
            wanted = {fold(field.name) for field in targets}
            extra = next((field.name for field in fields if fold(field.name) not in wanted), None)
            if extra is not None:
                reason = f"{path} has a field {extra!r}, and the column has [{listing([f.name for f in targets])}]"
                return Misfit(reason, "INCOMPATIBLE_DATA_FOR_TABLE.EXTRA_STRUCT_FIELDS")
            arranged = []
            for field in targets:
                ours = by_name.get(fold(field.name))
                if ours is None:
                    reason = f"{path} has no field {field.name!r}, but [{listing([f.name for f in fields])}]"
                    return Misfit(reason, "INCOMPATIBLE_DATA_FOR_TABLE.CANNOT_FIND_DATA")
                part = _arrange_fields(ours.data_type, field.data_type, f"{path}.{ours.name}")
                if isinstance(part, Misfit):
                    return part
                arranged.append(RowField(field.name, part))
            return given.evolve(fields=tuple(arranged))
        case ArrayType(), ArrayType():
            element = _arrange_fields(given.element, target.element, f"{path}.element")
            return element if isinstance(element, Misfit) else given.evolve(element=element)
        case MapType(), MapType():
            key = _arrange_fields(given.key, target.key, f"{path}.key")
            value = _arrange_fields(given.value, target.value, f"{path}.value")
            if isinstance(key, Misfit):
                return key
            return value if isinstance(value, Misfit) else given.evolve(key=key, value=value)
    return given


def has_other_order(given: LogicalType, target: LogicalType) -> bool:
    """Whether a row in a value has the fields of its column in another order than the column."""
    if (
        isinstance(given, RowType)
        and isinstance(target, RowType)
        and [fold(field.name) for field in given.fields] != [fold(field.name) for field in target.fields]
    ):
        return True
    return any(map(has_other_order, given.children, target.children))


def spell_columns(
    names: Sequence[str], table: ResolvedSchema, shown: str, constant: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the columns of a table that a statement names, in the spelling of the table.

    Args:
        names: the names.
        table: the columns of the table.
        shown: the table in messages.
        constant: the columns that get constant values, which cannot be named, too.

    Raises:
        ValidationException: there is no such column, or it is named twice.
    """
    found: list[str] = []
    for name in names:
        if table.index_of(name) is None:
            raise ValidationException(
                f"The table {shown} has no column {name!r}: [{listing(table.names)}]. Nothing was written."
                + did_you_mean(name, table.names),
                condition="UNRESOLVED_COLUMN.WITH_SUGGESTION",
            )
        column = table.column(name).name
        if column in constant:
            raise ValidationException(
                f"The column {column!r} of {shown} is in columns and in partition; its value can come from one "
                "only. Nothing was written."
            )
        if column in found:
            raise ValidationException(
                f"The list of columns names {column!r} twice. Nothing was written.", condition="COLUMN_ALREADY_EXISTS"
            )
        found.append(column)
    return tuple(found)


def make_misfit_error(misfit: Misfit, query: ResolvedSchema, table: ResolvedSchema, shown: str) -> ValidationException:
    """Return the error of a query that does not fit a table."""
    return ValidationException(
        f"The query does not fit the table {shown}: {misfit.reason}. Query: {query!r}, table: {table!r}. Nothing was "
        "written.",
        condition=misfit.condition,
    )


def complete_partition(partition: Partition, keys: Sequence[str]) -> Partition | None:
    """Return a partition with all partition columns of the table in their order, None if no column has a value.

    Spark's own catalog needs all of them. Where none has a value, PARTITION says nothing that the table does not say.
    """
    values = {key.name: key for key in partition.keys if key.value is not None}
    return Partition(tuple([values.get(key, PartitionKey(key)) for key in keys])) if values else None


def spell_replaced(names: Sequence[str], query: ResolvedSchema, table: ResolvedSchema, shown: str) -> tuple[str, ...]:
    """Return the columns by whose values an INSERT replaces rows, in the spelling of the table.

    Raises:
        ValidationException: the table or the query has no such column, or it is named twice.
    """
    spelled = spell_columns(names, table, shown)
    for name in spelled:
        if query.index_of(name) is None:
            raise ValidationException(
                f"REPLACE USING compares the rows of {shown} and those of the query by {name}, and the query has the "
                f"columns [{listing(query.names)}]. Nothing was written." + did_you_mean(name, query.names),
                condition="UNRESOLVED_COLUMN.WITH_SUGGESTION",
            )
    return spelled


def make_insert(
    table: Source,
    query: QueryOperation,
    form: InsertForm,
    columns: Sequence[str] | None = None,
    rules: value_rules.ValueRules = value_rules.NO_RULES,
) -> InsertInto:
    """Return an INSERT.

    Args:
        table: the table.
        query: the rows.
        form: what else the statement says.
        columns: the columns that get those of the query; None for all that have no constant value, or for those of the
            names in the query if the form finds columns by name.
        rules: what the table says of the values of its rows.

    Raises:
        ValidationException: the query does not fit the table, a column does not exist, or a constant violates a rule.
    """
    shown, schema, partition = table.identifier.as_summary_string(), table.schema, form.partition
    constant = frozenset() if partition is None else partition.valued
    if form.is_by_name:
        query.schema.require_distinct_names("A query whose columns are found by name")
    if form.evolves_schema:
        given = _list_evolving(query.schema, schema, form, columns)
    else:
        named = query.schema.names if form.is_by_name else columns
        given = list_targets(schema, partition) if named is None else spell_columns(named, schema, shown, constant)
        misfit = find_misfit(
            query.schema,
            schema,
            given,
            constant,
            names_columns=columns is not None,
            is_by_name=form.is_by_name,
        ) or find_missing(schema, {*given, *constant}, rules.filled)
        if misfit is not None:
            raise make_misfit_error(misfit, query.schema, schema, shown)
    _require_partition_to_keep(form, shown)
    value_rules.require_columns_of_statements(given, rules, shown)
    command = InsertInto(table, query, given, form)
    value_rules.check_insert(command, rules)
    return command


def _list_evolving(
    query: ResolvedSchema, table: ResolvedSchema, form: InsertForm, columns: Sequence[str] | None
) -> tuple[str, ...]:
    """Return the columns that get those of a query. By name, the table may still lack some of them.

    The connector decides which columns are added by position, and which types become wider.
    """
    if columns is not None:
        return tuple(columns)
    if form.is_by_name:
        return tuple([name if table.index_of(name) is None else table.column(name).name for name in query.names])
    return list_targets(table, form.partition)[: len(query)]


def _require_partition_to_keep(form: InsertForm, shown: str) -> None:
    """Reject IF NOT EXISTS without a partition whose values are all known, which Spark cannot look up.

    Raises:
        ValidationException: the statement appends, or a partition column has no value.
    """
    if not form.if_not_exists:
        return
    if form.mode is not InsertMode.OVERWRITE:
        raise ValidationException(
            "IF NOT EXISTS is for INSERT OVERWRITE … PARTITION (…), which it keeps from replacing a partition. Nothing "
            "was written."
        )
    keys = () if form.partition is None else form.partition.keys
    missing = [key.name for key in keys if key.value is None]
    if missing or not keys:
        what = f"[{listing(missing)}] have none" if missing else "there is no PARTITION"
        raise ValidationException(
            f"IF NOT EXISTS needs a value for each partition column of {shown}, and {what}. Nothing was written."
        )
