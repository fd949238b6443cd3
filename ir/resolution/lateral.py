"""Resolution of lateral joins."""

from __future__ import annotations

from ir.call_expressions import Call, Over
from ir.calls import is_aggregate
from ir.casts import is_orderable, name_unordered_type
from ir.contents import CHANGES
from ir.determinism import refuse_in_join, refuse_in_lateral
from ir.errors import ValidationException
from ir.expressions import Expression, FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.definition import FunctionKind
from ir.functions.subquery import SCALAR
from ir.names import Names
from ir.operations.join import JoinType
from ir.operations.lateral import OUTER_FORMS, LateralJoin, lateral_join, right_columns
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.operations.project import project
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.resolution.subqueries import require_lateral_query, subqueries
from ir.schema import Column, ResolvedSchema
from ir.types import BooleanType
from ir.unresolved import UnresolvedAlias, UnresolvedCall


def join_lateral(
    input: QueryOperation,
    right: Expression,
    join_type: JoinType,
    predicate: Expression | None,
    lookup: FunctionLookup,
    where: str,
) -> QueryOperation:
    """Return each row of ``input`` with the rows that a table function or a query returns for it.

    Raises:
        ValidationException: ``right`` is neither, cannot be resolved, or has a column whose name ``input`` has as well;
            or the predicate is not a condition.
    """
    called, given = _split_names(right)
    resolved = _resolve_right(input, called, lookup, where)
    refuse_in_lateral(input, resolved, where)
    names = _choose_names(resolved, given, where)
    shared = [name for name in names if input.schema.index_of(name) is not None]
    if shared:
        raise ValidationException(
            f"{where} gives a column {shared[0]!r}, which the table has already. Name the columns of "
            f"{_describe_right(resolved)} with alias, for example {_example(resolved, names, shared)}."
        )
    condition = None if predicate is None else _condition(input, resolved, names, predicate, lookup, where)
    if join_type is JoinType.LEFT_OUTER:
        if condition is not None:
            _refuse_subqueries(condition, f"The predicate of {where}")
        _require_comparable_references(resolved, condition, where)
    if isinstance(resolved, TableReference) and (input.contents | resolved.contents) & CHANGES:
        from ir.resolution.retractions import refuse_retractions_in_join

        refuse_retractions_in_join(input, resolved.operation, join_type, condition)
    return lateral_join(input, resolved, names, join_type, condition)


def flat_map(input: QueryOperation, right: Expression, lookup: FunctionLookup) -> QueryOperation:
    """Return the rows that a table function returns for each row of ``input``, without the columns of ``input``."""
    called, given = _split_names(right)
    resolved = _resolve_right(input, called, lookup, "flat_map")
    names = _choose_names(resolved, given, "flat_map")
    taken = Names(input.schema.names)
    free = [name for name in names if taken.is_free(name)]
    for name in free:
        taken.take(name)
    unique = tuple([name if name in free else taken.generate(f"{name}_", 0) for name in names])
    joined = LateralJoin(input, resolved, unique, JoinType.INNER)
    first = len(input.schema)
    columns = joined.schema.columns[first:]
    references = tuple([FieldReference(c.name, c.data_type, 0, first + i) for i, c in enumerate(columns)])
    return project(joined, references, names)


def _split_names(right: Expression) -> tuple[Expression, tuple[str, ...] | None]:
    names = None
    while isinstance(right, UnresolvedAlias):
        names = (right.name, *right.extra_names) if names is None else names
        right = right.expression
    return right, names


def _resolve_right(input: QueryOperation, right: Expression, lookup: FunctionLookup, where: str) -> ResolvedExpression:
    resolved: ResolvedExpression
    if isinstance(right, TableReference):
        require_lateral_query(right, input.schema, where)
        return right
    if not isinstance(right, UnresolvedCall):
        raise ValidationException(
            f"{where} takes a call of a table function, such as call('explode', col('a')).alias('x')."
        )
    resolved = ExpressionResolver(Scope((input.schema,)), lookup, table_function=right).resolve(right)
    if not isinstance(resolved, Call) or resolved.function.kind is not FunctionKind.TABLE:
        raise ValidationException(
            f"{where} takes a call of a table function, such as call('explode', col('a')), but "
            f"{resolved.as_summary_string()} gives one value for each row. That is for select and add_columns."
        )
    for part in resolved.walk():
        if is_aggregate(part) or isinstance(part, Over):
            kind = "call over a window" if isinstance(part, Over) else "aggregate"
            raise ValidationException(
                f"{where} holds the {kind} {part.as_summary_string()}. Select the {kind} under a name first.",
                condition="UNSUPPORTED_EXPR_FOR_OPERATOR",
                part=part,
            )
        if resolved.function.is_built_in and isinstance(part, Call) and part.function.is_sql_of_spark:
            raise ValidationException(
                f"{where} holds a call of {part.function.sql_name}, a function of SQL, which Spark does not call "
                f"within {resolved.function.sql_name}. Select its value under a name first, and use that column.",
                condition="UNSUPPORTED_SQL_UDF_USAGE",
                part=part,
            )
    _refuse_subqueries(resolved, where)
    return resolved


def _refuse_subqueries(expression: ResolvedExpression, where: str) -> None:
    for call, table in subqueries(expression):
        if call.function is not SCALAR or outer_references(table.operation):
            kind = "a correlated subquery" if call.function is SCALAR else f"a subquery of {call.function.name}"
            raise ValidationException(
                f"{where} holds {kind} in {expression.as_summary_string()}, which Spark does not support there. Make "
                "it a column with add_columns before, or filter by it after."
            )


def _choose_names(right: ResolvedExpression, given: tuple[str, ...] | None, where: str) -> tuple[str, ...]:
    own = tuple([column.name for column in right_columns(right)])
    if isinstance(right, TableReference):
        if given is not None:
            raise ValidationException(f"{where} takes the names of a table from itself: rename with Table.alias.")
        return own
    if given is not None and len(given) != len(own):
        raise ValidationException(
            f"alias gives {len(given)} name{'' if len(given) == 1 else 's'} to the {len(own)} "
            f"column{'' if len(own) == 1 else 's'} [{', '.join(own)}] of {_describe_right(right)}. Name all of them: "
            f"alias({', '.join(map(repr, own))})."
        )
    names = own if given is None else given
    unique = Names()
    for name in names:
        if not unique.is_free(name):
            raise ValidationException(
                f"{where} gives two columns named {name!r}. Name the columns of {_describe_right(right)} with alias."
            )
        unique.take(name)
    return names


def _describe_right(right: ResolvedExpression) -> str:
    return "the table" if isinstance(right, TableReference) else right.as_summary_string()


def _example(right: ResolvedExpression, names: tuple[str, ...], shared: list[str]) -> str:
    renamed = ", ".join(repr(f"right_{name}" if name in shared else name) for name in names)
    return f"{'table' if isinstance(right, TableReference) else 'call(…)'}.alias({renamed})"


def _require_comparable_references(right: ResolvedExpression, condition: ResolvedExpression | None, where: str) -> None:
    """Refuse references of an unordered type on the right side, where Spark plans a join on the referenced columns."""
    if condition is None and isinstance(right, Call) and right.function in OUTER_FORMS:
        return
    for part in right.walk():
        if isinstance(part, FieldReference) and not is_orderable(part.type_):
            raise ValidationException(
                f"{where} refers to the column {part.name!r} of type "
                f"{part.type_.as_summary_string()}, and Spark takes no {name_unordered_type(part.type_)} there. Filter "
                "the rows of an inner lateral join, or make what you need of it a column of another type before."
            )


def _condition(
    input: QueryOperation,
    right: ResolvedExpression,
    names: tuple[str, ...],
    predicate: Expression,
    lookup: FunctionLookup,
    where: str,
) -> ResolvedExpression | None:
    while isinstance(predicate, UnresolvedAlias):
        predicate = predicate.expression
    columns = [Column(name, c.data_type, None) for name, c in zip(names, right_columns(right), strict=True)]
    resolver = ExpressionResolver(Scope((input.schema, ResolvedSchema(tuple(columns)))), lookup)
    condition = resolver.resolve(predicate)
    if not isinstance(condition.data_type, BooleanType):
        raise ValidationException(
            f"{where} requires a condition of type BOOLEAN, but {condition.as_summary_string()} is of type "
            f"{condition.data_type.as_summary_string()}."
        )
    for part in condition.walk():
        if is_aggregate(part):
            raise ValidationException(
                f"The predicate of {where} holds the aggregate {part.as_summary_string()}. Select the aggregate under "
                "a name first."
            )
    refuse_in_join(condition)
    return None if isinstance(condition, ValueLiteral) and condition.value is True else condition
