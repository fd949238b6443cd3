"""Resolution of operations: make operations from resolved inputs and unresolved expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ir.call_expressions import Call
from ir.calls import call, is_aggregate
from ir.casts import cast_is_nullable, plain_type, set_operation_type, union_type
from ir.column_references import column_references
from ir.contents import AGGREGATE, OVER, TIME_WINDOW, UNBOUNDED
from ir.determinism import refuse_in_join
from ir.errors import ValidationException, listing
from ir.expressions import Expression, FieldReference, ResolvedExpression, SortOrder, TypeLiteral, ValueLiteral
from ir.functions.collection import GET, ROW
from ir.functions.conversion import CAST
from ir.identifiers import fold
from ir.literals import literal
from ir.messages import Term, message
from ir.names import Names
from ir.operations.filter import Distinct, Filter
from ir.operations.join import Join, JoinType
from ir.operations.keys import require_comparable, require_orderable
from ir.operations.operation import QueryOperation
from ir.operations.project import Project, project
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.resolution.columns import expand
from ir.resolution.expressions import ExpressionResolver, Scope, resolve_order
from ir.resolution.lookup import FunctionLookup
from ir.resolution.naming import choose_output_names
from ir.resolution.subqueries import (
    refuse_sql_functions_as_keys,
    refuse_sql_functions_in_join,
    refuse_subqueries_as_keys,
    refuse_subqueries_in_join,
)
from ir.resolution.windows.columns import (
    extract_nested_windows,
    extract_window_of_condition,
    extract_window_of_keys,
    extract_windows_of_aggregation,
)
from ir.resolution.windows.over import is_over
from ir.rewriting import replace
from ir.schema import Column, ResolvedSchema
from ir.summaries import Summary
from ir.types import BOOLEAN, BooleanType, CharacterType, LogicalType, RowType
from ir.unresolved import (
    Ordering,
    UnresolvedAlias,
    UnresolvedCall,
    UnresolvedFlatten,
    UnresolvedReference,
    UnresolvedWindow,
)


def split_alias(expression: Expression) -> tuple[Expression, str | None]:
    """Return an expression without its alias, and the alias.

    Raises:
        ValidationException: the alias has several names, which only a table function accepts.
    """
    name: str | None = None
    # For nodes, a negative isinstance takes several times as long.
    while type(expression) is UnresolvedAlias:
        if expression.extra_names:
            raise ValidationException(
                f"alias({', '.join(map(repr, (expression.name, *expression.extra_names)))}) gives several names to one "
                "column. Several names are for table functions and for Table.alias."
            )
        name = expression.name if name is None else name
        expression = expression.expression
    return expression, name


def field(input: QueryOperation, index: int) -> FieldReference:
    """Return a reference to the column of ``input`` at ``index``."""
    return column_references(input.schema)[index]


def column_of(input: QueryOperation, expression: Expression, where: str) -> FieldReference:
    """Return the column to which an expression refers.

    Raises:
        ValidationException: the expression is not a column, or there is no such column.
    """
    if not isinstance(expression, (UnresolvedReference, FieldReference)):
        raise ValidationException(f"{where} takes columns: col('name'). Select a computed one under a name first.")
    index = input.schema.index_of(input.schema.column(expression.name).name)
    assert index is not None
    return field(input, index)


def expand_columns(
    input: QueryOperation, expressions: Sequence[Expression], lookup: FunctionLookup
) -> list[Expression]:
    """Return the expressions with columns in place of stars and ranges, and fields in place of flattened rows.

    Raises:
        ValidationException: a name or a position matches no column, or a flattened value is not a row.
    """
    expanded: list[Expression] = []
    for expression in expand(expressions, (input.schema,)):
        if isinstance(expression, UnresolvedFlatten):
            expanded.extend(_fields(ExpressionResolver(Scope((input.schema,)), lookup).resolve(expression.expression)))
        else:
            expanded.append(expression)
    return expanded


def _fields(row: ResolvedExpression) -> list[Expression]:
    if not isinstance(row.data_type, RowType):
        raise ValidationException(
            f"flatten needs a value of type ROW, but {row.as_summary_string()} is of type "
            f"{row.data_type.as_summary_string()}."
        )
    return [UnresolvedCall(GET, (row, literal(row_field.name))) for row_field in row.data_type.fields]


def refuse_aggregate(
    expression: ResolvedExpression, where: str, instead: str, clause: str = "", condition: str | None = None
) -> None:
    """Refuse an aggregate in an expression over single rows.

    Raises:
        ValidationException: the expression contains an aggregate.
    """
    if not expression.contents & AGGREGATE:
        return
    for part in expression.walk():
        if is_aggregate(part):
            raise ValidationException(
                message(
                    "{where} holds the aggregate {part}. {instead}",
                    where=Term(where, clause or where),
                    part=Summary(part),
                    instead=Term(instead, _INSTEAD_IN_SQL.get(clause, "Compute it in a subquery first.")),
                ),
                condition=condition,
                part=part,
                clause=clause,
            )


_INSTEAD_IN_SQL = {
    "WHERE": "It is asked of each row, before there are groups; conditions of groups stand in HAVING.",
    "GROUP BY": "Its keys are computed of each row, before there are groups.",
    "ON": "It is asked of each pair of rows, before there are groups.",
}


def refuse_over(
    expression: ResolvedExpression,
    where: str,
    clause: str = "",
    condition: str = "WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE",
) -> None:
    """Refuse an OVER call where none is allowed.

    Raises:
        ValidationException: the expression contains an OVER call.
    """
    if not expression.contents & OVER:
        return
    for part in expression.walk():
        if is_over(part):
            raise ValidationException(
                message(
                    "{where} holds {part}, which is computed over a window. {COMPUTE_FIRST}.",
                    where=Term(where, clause or where),
                    part=Summary(part),
                ),
                condition=condition,
                part=part,
                clause=clause,
            )


def resolve_rows(
    input: QueryOperation, expressions: Sequence[Expression], lookup: FunctionLookup, where: str
) -> tuple[tuple[ResolvedExpression, ...], tuple[str | None, ...]]:
    """Resolve expressions over single rows, and return them with their given names."""
    resolver = ExpressionResolver(Scope((input.schema,)), lookup, time_windows=where == "group_by")
    pairs = [split_alias(expression) for expression in expand_columns(input, expressions, lookup)]
    resolved = tuple([resolver.resolve(expression) for expression, _ in pairs])
    for expression in resolved:
        clause, condition = ("GROUP BY", "GROUP_BY_AGGREGATE") if where == "group_by" else ("", None)
        refuse_aggregate(expression, where, "Aggregates are for select, after group_by or alone.", clause, condition)
    return resolved, tuple([name for _, name in pairs])


def select(
    input: QueryOperation,
    expressions: Sequence[Expression],
    lookup: FunctionLookup,
    windows: Mapping[str, UnresolvedWindow] | None = None,
) -> QueryOperation:
    """Return the projection of ``input``, or its aggregation to one row if an expression contains an aggregate.

    ``windows`` are the named windows to which ``over`` may refer. Time windows are computed for each row.

    Raises:
        ValidationException: there is no expression, or an expression cannot be resolved.
    """
    if not expressions:
        raise ValidationException("select needs at least one expression.")
    pairs = [split_alias(expression) for expression in expand_columns(input, expressions, lookup)]
    resolver = ExpressionResolver(Scope((input.schema,)), lookup, windows, time_windows=True)
    resolved = tuple([resolver.resolve(expression) for expression, _ in pairs])
    given = tuple([name for _, name in pairs])
    if any(expression.contents & AGGREGATE for expression in resolved):
        from ir.resolution.aggregation import GroupKeys, select_aggregated

        input, _, resolved = extract_windows_of_aggregation(input, (), resolved)
        return select_aggregated(input, GroupKeys(), resolved, given)
    names = choose_output_names(resolved, given)
    return project(*extract_nested_windows(input, resolved), names)


def map_rows(input: QueryOperation, value: Expression, lookup: FunctionLookup) -> QueryOperation:
    """Return the fields of a row that is computed for each row of ``input``.

    Raises:
        ValidationException: the value is not of type ROW, or contains an aggregate.
    """
    (resolved,), _ = resolve_rows(input, [value], lookup, "map")
    data_type = resolved.data_type
    if not isinstance(data_type, RowType):
        raise ValidationException(
            f"map takes a value of type ROW, whose fields become the columns, but {resolved.as_summary_string()} is of "
            f"type {data_type.as_summary_string()}. For a single column use select."
        )
    names = tuple([f.name for f in data_type.fields])
    if isinstance(resolved, Call) and resolved.function is ROW:
        return project(input, resolved.arguments[1::2], names)
    return project(input, tuple([call(GET, (resolved, literal(name))) for name in names]), names)


def filter_rows(
    input: QueryOperation,
    predicate: Expression,
    lookup: FunctionLookup,
    clause: str = "WHERE",
    time_windows: bool = False,
    casts: bool = False,
) -> QueryOperation:
    """Return the rows of ``input`` for which ``predicate`` is TRUE; ``clause`` is the SQL keyword of the condition.

    OVER calls in the predicate, which SQL allows in a projection only, become columns that are dropped after the
    filter. With ``time_windows``, a time window in the predicate becomes a column that stays, as in Spark. With
    ``casts``, a predicate of another type is cast to BOOLEAN.

    Raises:
        ValidationException: the predicate is not of type BOOLEAN, or contains an aggregate.
    """
    resolver = ExpressionResolver(Scope((input.schema,)), lookup, time_windows=time_windows)
    condition = resolver.resolve(split_alias(predicate)[0])
    condition = cast_to_boolean(condition) if casts else condition
    require_condition(condition, "filter", clause)
    advice = "Select the aggregate under a name first, then filter by that name."
    refuse_aggregate(condition, "filter", advice, clause, "INVALID_WHERE_CONDITION")
    if condition.contents & TIME_WINDOW:
        input, condition = extract_window_of_condition(input, condition)
    if not condition.contents & OVER:
        if condition.contents & UNBOUNDED:
            # Few queries search rows of a stream.
            from ir.resolution.semi_joins import filter_with_semi_joins

            return filter_with_semi_joins(input, condition)
        return _filter(input, condition)
    overs = list(dict.fromkeys(part for part in condition.walk() if is_over(part)))
    own = tuple([field(input, index) for index in range(len(input.schema))])
    unique = Names(input.schema.names)
    names = input.schema.names + tuple([unique.generate("EXPR$", number) for number in range(len(overs))])
    computed = project(input, (*own, *overs), names)
    columns = {part: field(computed, len(own) + number) for number, part in enumerate(overs)}
    filtered = _filter(computed, replace(condition, columns.get))
    return project(filtered, tuple([field(filtered, index) for index in range(len(own))]), input.schema.names)


def _filter(input: QueryOperation, condition: ResolvedExpression) -> QueryOperation:
    if input.is_unbounded and isinstance(input, Project):
        from ir.resolution.streams.first_rows import keep_first_rows

        return keep_first_rows(input, condition) or Filter(input, condition)
    return Filter(input, condition)


def cast_to_boolean(condition: ResolvedExpression) -> ResolvedExpression:
    """Return a condition cast to BOOLEAN, as Spark casts the conditions of HAVING and QUALIFY.

    Raises:
        ValidationException: the type of the condition has no cast to BOOLEAN.
    """
    if isinstance(condition.data_type, BooleanType):
        return condition
    return call(CAST, (condition, TypeLiteral(BOOLEAN)))


def require_condition(condition: ResolvedExpression, where: str, clause: str) -> None:
    """Refuse a condition that is not of type BOOLEAN.

    Raises:
        ValidationException: the condition is of another type.
    """
    if not isinstance(condition.data_type, BooleanType):
        is_join = clause == "ON"
        raise ValidationException(
            message(
                "{where} requires a condition of type BOOLEAN, but {condition} is of type {type}.",
                where=Term(where, clause),
                condition=Summary(condition),
                type=condition.data_type.as_summary_string(),
            ),
            condition="JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE" if is_join else "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN",
            part=condition,
            clause=clause,
        )


def _renamings(names: Sequence[str]) -> str:
    """Return example arguments of ``rename_columns`` for some columns."""
    shown = [f"col({name!r}).alias({'right_' + name!r})" for name in names[:3]]
    return ", ".join([*shown, "…"] if len(names) > 3 else shown)


def join_tables(
    left: QueryOperation,
    right: QueryOperation,
    join_type: JoinType,
    predicate: Expression | None,
    lookup: FunctionLookup,
) -> QueryOperation:
    """Return the join of two operations.

    Raises:
        ValidationException: both have a column of the same name, or the predicate is not of type BOOLEAN.
    """
    if left.schema.shares_names_with(right.schema):
        shared = [name for name in right.schema.names if left.schema.index_of(name) is not None]
        raise ValidationException(
            f"join relations with ambiguous names: [{listing(shared)}]. Rename them on one side, for example with "
            f"rename_columns({_renamings(shared)})."
        )
    condition = None
    if predicate is not None:
        resolver = ExpressionResolver(Scope((left.schema, right.schema)), lookup)
        condition = resolver.resolve(split_alias(predicate)[0])
        require_join_condition(condition, left.schema, right.schema)
        if isinstance(condition, ValueLiteral) and condition.value is True:
            condition = None
    if condition is not None and left.is_unbounded and right.is_unbounded:
        from ir.resolution.streams.windows import join_streams

        return join_streams(left, right, join_type, condition)
    return Join(left, right, join_type, condition)


def require_join_condition(condition: ResolvedExpression, left: ResolvedSchema, right: ResolvedSchema) -> None:
    """Reject a join condition that Spark does not support.

    Raises:
        ValidationException: the condition is not of type BOOLEAN, is nondeterministic, or contains an aggregate, an
            OVER call or an unsupported subquery.
    """
    require_condition(condition, "join", "ON")
    instead = "Select the aggregate under a name first."
    refuse_aggregate(condition, "The join condition", instead, "ON", "UNSUPPORTED_EXPR_FOR_OPERATOR")
    refuse_over(condition, "The join condition", "ON")
    refuse_subqueries_in_join(condition, left, right)
    refuse_sql_functions_in_join(condition)
    refuse_in_join(condition)


def combine_sets(
    left: QueryOperation, right: QueryOperation, kind: SetOperationType, keep_duplicates: bool
) -> SetOperation:
    """Return the union, intersection or difference of two operations, whose columns are matched by position.

    Raises:
        ValidationException: the numbers of columns differ, or the types at a position have no common type.
    """
    name = kind.value.lower()
    if len(left.schema) != len(right.schema):
        raise ValidationException(
            f"The {name} operation on two tables of different column sizes: {len(left.schema)} and "
            f"{len(right.schema)} is not supported. Select the same number of columns on both sides. Left: "
            f"{left.schema!r}, right: {right.schema!r}.",
            condition="NUM_COLUMNS_MISMATCH",
        )
    types = []
    is_text_cast = False
    common_type = union_type if kind is SetOperationType.UNION else set_operation_type
    for position, (ours, theirs) in enumerate(zip(left.schema.columns, right.schema.columns, strict=True)):
        common = common_type(ours.data_type, theirs.data_type)
        if common is None:
            raise ValidationException(
                message(
                    "Column {position} of both sides of {name} has no common type: on the left it is {ours!r}, on the "
                    "right {theirs!r}. Cast one of the two columns to the type of the other.",
                    position=position + 1,
                    name=Term(name, kind.value),
                    ours=ours,
                    theirs=theirs,
                ),
                condition="INCOMPATIBLE_COLUMN_TYPE",
            )
        nullable = _infer_set_nullability(ours, theirs, common, kind)
        sides = isinstance(ours.data_type, CharacterType), isinstance(theirs.data_type, CharacterType)
        is_text_cast = is_text_cast or sides[0] != sides[1]
        types.append(common.with_nullability(nullable))
    schema = left.schema.with_types(types)
    if kind is not SetOperationType.UNION or not keep_duplicates:
        joins = kind is not SetOperationType.UNION and not keep_duplicates
        require_comparable(schema, f"{kind.value}{' ALL' if keep_duplicates else ''}", joins=joins)
    made = SetOperation(kind, keep_duplicates, left, right, schema)
    if is_text_cast:
        from ir.calls.implicit_casts import notice_column_casts

        notice_column_casts(made)
    return made


def _infer_set_nullability(ours: Column, theirs: Column, common: LogicalType, kind: SetOperationType) -> bool:
    """Return whether a result column is nullable, as in Spark's ``SetOperation.output`` after the casts."""
    if kind is SetOperationType.UNION:
        return common.nullable
    of_left = cast_is_nullable(ours.data_type, common)
    return of_left and (kind is SetOperationType.MINUS or cast_is_nullable(theirs.data_type, common))


def order_rows(input: QueryOperation, keys: Sequence[Expression], lookup: FunctionLookup) -> QueryOperation:
    """Return the rows of ``input`` in order; constant keys are dropped, since they order nothing.

    Raises:
        ValidationException: there is no key, or the type of a key has no order.
    """
    order = sort_keys(input, keys, lookup, "order_by", "ORDER BY")
    return Sort(input, order) if order else input


def extract_windows_of_keys(
    input: QueryOperation, keys: Sequence[Expression], lookup: FunctionLookup
) -> tuple[QueryOperation, list[Ordering]]:
    """Project the time window in sort keys to the last column, and return the rows with the keys over it.

    Raises:
        ValidationException: the keys need two windows over the same rows.
    """
    resolver = ExpressionResolver(Scope((input.schema,)), lookup, time_windows=True)
    orders: tuple[ResolvedExpression, ...] = tuple([resolve_order(resolver, key) for key in keys])
    input, orders = extract_window_of_keys(input, orders)
    return input, [Ordering(o.expression, o.ascending, o.nulls_first) for o in orders if isinstance(o, SortOrder)]


def sort_keys(
    input: QueryOperation, keys: Sequence[Expression], lookup: FunctionLookup, method: str, clause: str
) -> tuple[SortOrder, ...]:
    """Return the resolved keys of a sort without constants; ``method`` and ``clause`` name the sort in errors.

    Raises:
        ValidationException: there is no key, or the type of a key has no order.
    """
    if not keys:
        raise ValidationException(f"{method} needs at least one expression.")
    resolver = ExpressionResolver(Scope((input.schema,)), lookup)
    orders = [resolve_order(resolver, key) for key in expand_columns(input, keys, lookup)]
    require_sort_keys([order.expression for order in orders], method, clause)
    # ORDER BY 1 would mean the first column, in either dialect.
    return tuple([order for order in orders if not isinstance(order.expression, ValueLiteral)])


def require_sort_keys(keys: Sequence[ResolvedExpression], method: str, clause: str) -> None:
    """Reject sort keys that Spark does not support.

    Raises:
        ValidationException: a key contains an aggregate, an OVER call or an unsupported subquery, or its type has no
            order.
    """
    for key in keys:
        refuse_aggregate(key, method, "Select the aggregate under a name first.", clause)
        refuse_over(key, method, clause)
        refuse_subqueries_as_keys(key, method, clause, "sort")
        refuse_sql_functions_as_keys(key, method, clause, "sort")
    require_orderable(keys, method, clause)


def skip_rows(input: QueryOperation, offset: int) -> QueryOperation:
    """Return the rows of ``input`` without the first ``offset``, merged with a Sort below if possible."""
    if isinstance(input, Sort) and input.offset is None and input.fetch is None:
        return Sort(input.input, input.order, offset, None)
    return Sort(input, (), offset, None)


def take_rows(input: QueryOperation, fetch: int) -> QueryOperation:
    """Return the first ``fetch`` rows of ``input``, merged with a Sort below if possible."""
    if isinstance(input, Sort) and input.fetch is None:
        return Sort(input.input, input.order, input.offset, fetch)
    return Sort(input, (), None, fetch)


def distinct_rows(input: QueryOperation) -> QueryOperation:
    """Return the distinct rows of ``input``."""
    return Distinct(input)


def rename_all(input: QueryOperation, names: Sequence[str]) -> QueryOperation:
    """Return ``input`` with its first columns renamed; further columns keep their names.

    Raises:
        ValidationException: there are more names than columns, or two columns would have the same name.
    """
    columns = input.schema.columns
    if len(names) > len(columns):
        raise ValidationException(f"alias gives {len(names)} names to {len(columns)} columns: {input.schema!r}.")
    references = tuple([field(input, index) for index in range(len(columns))])
    return project(input, references, (*names, *[column.name for column in columns[len(names) :]]))


def add_columns(
    input: QueryOperation, expressions: Sequence[Expression], lookup: FunctionLookup, *, replace: bool
) -> QueryOperation:
    """Return ``input`` with added columns; with ``replace``, a column of an existing name replaces that column.

    Raises:
        ValidationException: a name exists already and ``replace`` is False, or an expression contains an aggregate.
    """
    added, given = resolve_rows(input, expressions, lookup, "add_or_replace_columns" if replace else "add_columns")
    references = tuple([field(input, index) for index in range(len(input.schema))])
    names = choose_output_names(references + added, (None,) * len(references) + given)
    projections: list[ResolvedExpression] = list(references)
    taken = list(names[: len(references)])
    position = {fold(name): index for index, name in enumerate(taken)}
    for expression, name in zip(added, names[len(references) :], strict=True):
        index = position.get(fold(name)) if replace else None
        if index is None:
            position[fold(name)] = len(projections)
            projections.append(expression)
            taken.append(name)
        else:
            projections[index], taken[index] = expression, name
    return project(input, tuple(projections), tuple(taken))


def rename_columns(input: QueryOperation, renamings: Sequence[Expression]) -> QueryOperation:
    """Return ``input`` with some columns renamed, each given as ``col(old).alias(new)``.

    Raises:
        ValidationException: a renaming is not a column with an alias, or there is no such column.
    """
    names = list(input.schema.names)
    for renaming in renamings:
        expression, name = split_alias(renaming)
        if name is None or not isinstance(expression, (UnresolvedReference, FieldReference)):
            raise ValidationException("rename_columns takes columns with new names: col('old').alias('new').")
        input.schema.column(expression.name)
        index = input.schema.index_of(expression.name)
        assert index is not None
        names[index] = name
    return rename_all(input, names)


def drop_columns(input: QueryOperation, columns: Sequence[Expression]) -> QueryOperation:
    """Return ``input`` without some columns.

    Raises:
        ValidationException: there is no such column, or no column would be left.
    """
    dropped = set()
    for column in expand(columns, (input.schema,)):
        if not isinstance(column, (UnresolvedReference, FieldReference)):
            raise ValidationException("drop_columns takes columns: col('name').")
        dropped.add(input.schema.index_of(input.schema.column(column.name).name))
    kept = [index for index in range(len(input.schema)) if index not in dropped]
    if not kept:
        raise ValidationException(f"drop_columns would leave no column of {input.schema!r}.")
    return project(input, tuple([field(input, i) for i in kept]), tuple([input.schema.columns[i].name for i in kept]))


@lru_cache(maxsize=512)
def source_schema(schema: ResolvedSchema) -> ResolvedSchema:
    """Return the schema of a table in a query: Spark reads CHAR and VARCHAR as STRING."""
    return ResolvedSchema(tuple([Column(c.name, plain_type(c.data_type), c.comment) for c in schema.columns]))
