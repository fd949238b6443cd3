"""Resolution of operations: make operations from resolved inputs and unresolved expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ir.call_expressions import Call, Over
from ir.calls import call, is_aggregate
from ir.casts import plain_type
from ir.column_references import column_references
from ir.contents import AGGREGATE, CHANGES, OVER, TIME_WINDOW, UNBOUNDED
from ir.errors import ValidationException
from ir.expressions import Expression, FieldReference, ResolvedExpression, TypeLiteral
from ir.identifiers import fold
from ir.light_typing import TYPE_CHECKING
from ir.literals import literal
from ir.names import Names
from ir.operations.filter import Distinct, Filter
from ir.operations.operation import QueryOperation
from ir.operations.project import Project, project
from ir.resolution.columns import expand
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.resolution.naming import choose_output_names
from ir.schema import Column, ResolvedSchema
from ir.types import BOOLEAN, BooleanType, RowType
from ir.unresolved import (
    UnresolvedAlias,
    UnresolvedCall,
    UnresolvedFlatten,
    UnresolvedReference,
    UnresolvedWindow,
)

if TYPE_CHECKING:
    pass


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
    from ir.functions.collection import GET

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
            from ir.messages import Term, message
            from ir.summaries import Summary

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
        if isinstance(part, Over):
            from ir.messages import Term, message
            from ir.summaries import Summary

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
    _refuse_windows_of_changes(input, resolved)
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
        from ir.resolution.windows.columns import extract_windows_of_aggregation

        input, _, resolved = extract_windows_of_aggregation(input, (), resolved)
        return select_aggregated(input, GroupKeys(), resolved, given)
    _refuse_windows_of_changes(input, resolved)
    names = choose_output_names(resolved, given)
    if any(expression.contents & TIME_WINDOW for expression in resolved):
        from ir.resolution.windows.columns import extract_nested_windows

        input, resolved = extract_nested_windows(input, resolved)
    return project(input, resolved, names)


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
    from ir.functions.collection import GET, ROW

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
        from ir.resolution.windows.columns import extract_window_of_condition

        input, condition = extract_window_of_condition(input, condition)
    if not condition.contents & OVER:
        if condition.contents & UNBOUNDED:
            # Few queries search rows of a stream.
            from ir.resolution.semi_joins import filter_with_semi_joins

            return filter_with_semi_joins(input, condition)
        return _filter(input, condition)
    from ir.rewriting import replace

    _refuse_windows_of_changes(input, (condition,))
    overs = list(dict.fromkeys(part for part in condition.walk() if isinstance(part, Over)))
    own = tuple([field(input, index) for index in range(len(input.schema))])
    unique = Names(input.schema.names)
    names = input.schema.names + tuple([unique.generate("EXPR$", number) for number in range(len(overs))])
    computed = project(input, (*own, *overs), names)
    columns: dict[ResolvedExpression, ResolvedExpression] = {
        part: field(computed, len(own) + number) for number, part in enumerate(overs)
    }
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
    from ir.functions.conversion import CAST

    return call(CAST, (condition, TypeLiteral(BOOLEAN)))


def require_condition(condition: ResolvedExpression, where: str, clause: str) -> None:
    """Refuse a condition that is not of type BOOLEAN.

    Raises:
        ValidationException: the condition is of another type.
    """
    if not isinstance(condition.data_type, BooleanType):
        is_join = clause == "ON"
        from ir.messages import Term, message
        from ir.summaries import Summary

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


def distinct_rows(input: QueryOperation) -> QueryOperation:
    """Return the distinct rows of ``input``.

    Raises:
        ValidationException: the rows are changes without their kinds.
    """
    if input.contents & CHANGES:
        from ir.resolution.retractions import refuse_retractions_in_rows

        refuse_retractions_in_rows(input, "distinct", "DISTINCT")
    return Distinct(input)


def _refuse_windows_of_changes(input: QueryOperation, expressions: Sequence[ResolvedExpression]) -> None:
    """Refuse OVER calls that would take a retracted row for a row of the table."""
    if input.contents & CHANGES:
        from ir.resolution.retractions import refuse_retractions_in_windows

        refuse_retractions_in_windows(input, expressions)


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
