"""Table arguments of a process table function: partitioning and order of each, and checks across all of them."""

from __future__ import annotations

from collections.abc import Sequence

from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.calls import call, is_aggregate
from ir.casts import differ_at_most_in_nullability, is_orderable, name_unordered_type
from ir.determinism import nondeterministic_call
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.expressions import Expression, FieldReference, ResolvedExpression, SortOrder, TypeLiteral, ValueLiteral
from ir.functions.collection import GET
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.process import ProcessArgument, TableSemantics
from ir.identifiers import fold
from ir.inference.arguments import Explicit
from ir.inference.call_context import CallContext
from ir.inference.intervals import is_same_family
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import project
from ir.resolution.expressions import ExpressionResolver, Scope, sort_order
from ir.resolution.lookup import FunctionLookup
from ir.resolution.process.inputs import TableInput
from ir.resolution.windows.over import is_over
from ir.rewriting import replace
from ir.types import RowType
from ir.unresolved import Ordering


@attrs.frozen(eq=False)
class ResolvedTable:
    """A resolved table argument.

    A field reference in a key has the position of the table among the tables of the call as its input index.
    """

    argument: ProcessArgument
    operation: QueryOperation
    partition_by: tuple[ResolvedExpression, ...]
    order_by: tuple[SortOrder, ...]
    labels: tuple[str, ...]
    copartition_with: tuple[str, ...]

    def semantics(self, time_column: int | None, tables: Sequence[ResolvedTable]) -> TableSemantics:
        """Return the semantics of the table in its call, with columns given by position."""
        together = [table.argument.name for table in tables if table is not self and table.partition_by]
        return TableSemantics(
            self.operation.schema.as_row_type(),
            tuple([path_of(key) for key in self.partition_by]),
            tuple([path_of(key.expression) for key in self.order_by]),
            time_column,
            tuple(together) if self.partition_by else (),
        )


def path_of(key: ResolvedExpression) -> tuple[int, ...]:
    """Return the positions that lead to a column or to a field inside it, empty for a computed key."""
    path: list[int] = []
    while isinstance(key, Call) and key.function is GET:
        row, name = key.arguments
        if not isinstance(row.data_type, RowType) or not isinstance(name, ValueLiteral):
            return ()
        found = row.data_type.field_index(str(name.value))
        if len(found) != 1:
            return ()
        path.append(found[0])
        key = row
    return (key.index, *reversed(path)) if isinstance(key, FieldReference) else ()


def resolve_table(
    function: FunctionDefinition, argument: ProcessArgument, given: TableInput, position: int, lookup: FunctionLookup
) -> ResolvedTable:
    """Return the resolved form of a table argument.

    Raises:
        ValidationException: the table lacks a column of a typed argument, has an unsupported PARTITION BY or ORDER BY,
            or lacks a required one.
    """
    where = f"Table argument {argument.name!r}"
    if not argument.is_set and (given.partition_by or given.order_by):
        raise ValidationException(
            "PARTITION BY or ORDER BY are not supported for table arguments with row semantics, and "
            f"{argument.name!r} of {function.sql_name} has them: each of its rows is seen by itself."
        )
    given.operation.schema.require_distinct_names(f"Table argument '{argument.name}'")
    operation = given.operation if argument.data_type is None else cast_columns(function, argument, given.operation)
    keys = _keys(operation, given, where, argument, position, lookup)
    if argument.is_set and not keys and "OPTIONAL_PARTITION_BY" not in argument.traits:
        raise ValidationException(
            f"{where} requires a PARTITION BY clause for parallel processing: the function {function.sql_name} sees "
            "the "
            "rows of a partition together."
        )
    order = _order(operation, given, where, argument, position, lookup)
    if not order and "REQUIRES_ORDER_BY" in argument.traits:
        raise ValidationException(f"{where} requires an ORDER BY clause.")
    return ResolvedTable(argument, operation, keys, order, given.labels, given.copartition_with)


def _keys(
    operation: QueryOperation,
    given: TableInput,
    where: str,
    argument: ProcessArgument,
    position: int,
    lookup: FunctionLookup,
) -> tuple[ResolvedExpression, ...]:
    resolver = ExpressionResolver(Scope((operation.schema,)), lookup)
    keys: list[ResolvedExpression] = []
    for written in given.partition_by:
        key = resolver.resolve(written)
        _check_key(key, f"{where}: PARTITION BY", "SUPPORTS_NESTED_PARTITION_BY", argument)
        if key in keys:
            raise ValidationException(
                f"Invalid PARTITION BY clause for table argument {argument.name!r}. Column {key.as_summary_string()!r} "
                "appears more than once in PARTITION BY."
            )
        keys.append(key)
    return tuple([_refer_to_input(key, position) for key in keys])


def _order(
    operation: QueryOperation,
    given: TableInput,
    where: str,
    argument: ProcessArgument,
    position: int,
    lookup: FunctionLookup,
) -> tuple[SortOrder, ...]:
    resolver = ExpressionResolver(Scope((operation.schema,)), lookup)
    orders: list[SortOrder] = []
    for written in given.order_by:
        key = resolver.resolve(written.expression)
        _check_key(key, f"{where}: ORDER BY", "SUPPORTS_NESTED_ORDER_BY", argument)
        if any(order.expression is key for order in orders):
            raise ValidationException(
                f"Invalid ORDER BY clause for table argument {argument.name!r}. Column {key.as_summary_string()!r} "
                "appears more than once in ORDER BY."
            )
        orders.append(sort_order(written, key))
    return tuple([SortOrder(_refer_to_input(o.expression, position), o.ascending, o.nulls_first) for o in orders])


def check_keys(operation: QueryOperation, keys: Sequence[Expression], method: str, lookup: FunctionLookup) -> None:
    """Refuse invalid partition or order keys of a table argument.

    Raises:
        ValidationException: a key cannot be resolved, depends on more than the row, cannot be compared, or is given
            twice.
    """
    resolver = ExpressionResolver(Scope((operation.schema,)), lookup)
    found: set[ResolvedExpression] = set()
    for written in keys:
        key = resolver.resolve(written.expression if isinstance(written, Ordering) else written)
        _check_value(key, method)
        if key in found:
            raise ValidationException(f"{method} has the key {key.as_summary_string()} twice.")
        found.add(key)


def _refer_to_input(key: ResolvedExpression, position: int) -> ResolvedExpression:
    if position == 0:
        return key
    return replace(key, lambda part: part.evolve(input_index=position) if isinstance(part, FieldReference) else None)


def _check_key(key: ResolvedExpression, where: str, trait: str, argument: ProcessArgument) -> None:
    path = path_of(key)
    if len(path) > 1 and trait not in argument.traits:
        raise ValidationException(
            f"{where} names {key.as_summary_string()}, a field within a column, which {argument.name!r} does not "
            f"support. It would with the trait {trait}; or make the field a column first."
        )
    _check_value(key, where)


def _check_value(key: ResolvedExpression, where: str) -> None:
    for part in key.walk():
        if is_aggregate(part) or isinstance(part, TableReference) or is_over(part):
            kind = "a subquery" if isinstance(part, TableReference) else part.as_summary_string()
            raise ValidationException(f"{where} holds {kind}. Make it a column of the table first.")
    volatile = nondeterministic_call(key)
    if volatile is not None:
        raise ValidationException(
            f"{where} holds {volatile.as_summary_string()}, which has another value each time. Make it a column of the "
            "table first."
        )
    if not is_orderable(key.data_type):
        raise ValidationException(
            f"{where} has the key {key.as_summary_string()} of type {key.data_type.as_summary_string()}; values of "
            f"type {name_unordered_type(key.data_type)} cannot be compared."
        )


# --- typed tables ----------------------------------------------------------------------------------------------------


def row_columns(argument: ProcessArgument, operation: QueryOperation) -> tuple[int, ...]:
    """Return the positions of the columns for the fields of a typed table argument, all columns if it is untyped.

    Fields match columns by name. If some names are missing and the table has as many columns as there are fields,
    fields match columns by position, as in Flink.
    """
    schema = operation.schema
    if not isinstance(argument.data_type, RowType):
        return tuple(range(len(schema)))
    named = [schema.index_of(field.name) for field in argument.data_type.fields]
    found = tuple([index for index in named if index is not None])
    return found if len(found) == len(named) else tuple(range(len(named)))


def cast_columns(function: FunctionDefinition, argument: ProcessArgument, operation: QueryOperation) -> QueryOperation:
    """Return a table whose columns have the types of the fields of a typed argument, with casts where types differ.

    Raises:
        ValidationException: the table lacks a field, or a column has no implicit cast to the type of its field.
    """
    wanted = argument.data_type
    assert isinstance(wanted, RowType)
    schema = operation.schema
    missing = [field.name for field in wanted.fields if schema.index_of(field.name) is None]
    if missing and len(schema) != len(wanted.fields):
        raise ValidationException(
            f"Invalid argument value. Argument {argument.name!r} of {function.sql_name} expects a table with the "
            "columns "
            f"[{listing(repr(field) for field in wanted.fields)}], but [{listing(missing)}] "
            f"{'is' if len(missing) == 1 else 'are'} not in [{listing(schema.names)}]."
            + did_you_mean(missing[0], schema.names)
        )
    columns: list[ResolvedExpression] = [
        FieldReference(column.name, column.data_type, 0, index) for index, column in enumerate(schema.columns)
    ]
    changed = False
    for field, index in zip(wanted.fields, row_columns(argument, operation), strict=True):
        column = columns[index]
        if differ_at_most_in_nullability(column.data_type, field.data_type):
            continue
        context = CallContext.of(function.name, (column,))
        is_interval = is_same_family(column.data_type, field.data_type)
        if not is_interval and Explicit(field.data_type.as_nullable()).infer_argument(context, 0) is None:
            raise ValidationException(
                f"Invalid argument value. Argument {argument.name!r} of {function.sql_name} expects a table whose "
                "column "
                f"{field.name!r} is of type {field.data_type.as_nullable().as_summary_string()}, but "
                f"{schema.names[index]!r} is of type {column.data_type.as_summary_string()}."
            )
        columns[index], changed = call(CAST, (column, TypeLiteral(field.data_type.as_nullable()))), True
    return project(operation, tuple(columns), schema.names) if changed else operation


# --- several tables --------------------------------------------------------------------------------------------------


def check_partitions(
    function: FunctionDefinition, tables: Sequence[ResolvedTable], copartitions: Sequence[Sequence[str]]
) -> None:
    """Refuse table arguments that are not partitioned alike.

    Raises:
        ValidationException: their keys differ, or COPARTITION names an unknown or unpartitioned table.
        TableException: some tables are partitioned and others are not, or COPARTITION omits a partitioned table.
    """
    own = [(t.argument.name, *t.copartition_with) for t in tables if t.copartition_with]
    _check_copartition(function, tables, [*copartitions, *own])
    several = [table for table in tables if table.argument.is_set]
    sets = [[key.data_type.as_nullable() for key in table.partition_by] for table in several]
    if all(one == sets[0] for one in sets):
        return
    shown = ", ".join(
        f"[{', '.join(key.data_type.as_summary_string() for key in table.partition_by)}]" for table in several
    )
    bare = [table.argument.name for table in several if not table.partition_by]
    message = (
        "Invalid PARTITION BY columns. The number of columns and their data types must match across all involved table "
        f"arguments. Given partition key sets: {shown}."
    )
    if bare:
        raise TableException(
            f"{message} Every partition of the others would have to see all rows of {bare[0]!r}, which is not "
            "supported."
        )
    same_count = len({len(keys) for keys in sets}) == 1
    raise ValidationException(message + (" Cast the keys to one type." if same_count else ""))


def _check_copartition(
    function: FunctionDefinition, tables: Sequence[ResolvedTable], groups: Sequence[Sequence[str]]
) -> None:
    together: set[str] = set()
    for names in groups:
        found = {
            table.argument.name: table for table in (_find_copartitioned(function, tables, name) for name in names)
        }
        for table in found.values():
            if not table.partition_by:
                raise ValidationException(
                    f"COPARTITION names {table.argument.name!r}, which is not partitioned. Tables are partitioned "
                    "together where each has PARTITION BY."
                )
        if len(found) < 2:
            raise ValidationException(
                f"COPARTITION names {names[0]!r} alone; it is for several tables that are partitioned together."
            )
        together |= set(found)
    apart = [table.argument.name for table in tables if table.partition_by and table.argument.name not in together]
    if groups and apart:
        raise TableException(
            f"COPARTITION leaves out the table {apart[0]!r}: each of its partitions would have to be seen with each of "
            "the others, which is not supported. Name all partitioned tables."
        )


def _find_copartitioned(function: FunctionDefinition, tables: Sequence[ResolvedTable], name: str) -> ResolvedTable:
    """Return the table that COPARTITION names by its alias, its name, or the name of its argument."""
    by_label = [table for table in tables if fold(name) in [fold(label) for label in table.labels]]
    if len(by_label) == 1:
        return by_label[0]
    by_argument = [table for table in tables if fold(table.argument.name) == fold(name)]
    if by_argument:
        return by_argument[0]
    arguments = [table.argument.name for table in tables]
    if by_label:
        raise ValidationException(
            f"COPARTITION names {name!r}, which several tables of {function.sql_name} are called. Give them aliases, "
            "or "
            f"name their arguments: {listing(arguments)}."
        )
    known = list(dict.fromkeys([label for table in tables for label in table.labels] + arguments))
    raise ValidationException(
        f"COPARTITION names {name!r}, but no table of {function.sql_name} is called so; they are called "
        f"[{listing(known)}].{did_you_mean(name, known)}"
    )
