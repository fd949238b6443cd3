"""Builds SEMI and ANTI JOIN, which keep the rows with or without a match in another relation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.query_parts import QueryParts, Steps, Tables
from grammar.builder.scopes import Column, Relation, Scope
from grammar.errors import Misread
from ir.call_expressions import Call
from ir.column_references import column_references
from ir.contents import QUERY
from ir.determinism import refuse_in_join
from ir.expressions import Expression, FieldReference, OuterReference, ResolvedExpression
from ir.functions import logic as lg
from ir.functions.comparison import EQUALS
from ir.functions.subquery import EXISTS
from ir.identifiers import fold
from ir.names import make_distinct
from ir.operations.no_columns import drop_columns
from ir.operations.operation import TableReference
from ir.operations.outer_references import outer_references
from ir.operations.project import project
from ir.operations.recursion import RecursiveReference
from ir.resolution.expressions import ExpressionResolver
from ir.resolution.expressions import Scope as ResolverScope
from ir.resolution.operations import filter_rows
from ir.resolution.subqueries import subqueries
from ir.rewriting import replace
from ir.unresolved import UnresolvedCall

if TYPE_CHECKING:
    from ir.operations.operation import QueryOperation
    from ir.schema import ResolvedSchema


def semi_joined(
    builder: QueryParts,
    left: Relation,
    node: s.Join,
    right: Relation,
    shared: Sequence[tuple[Column, Column]] | None,
    anti: bool,
    parent: Scope | None,
    tables: Tables,
) -> Steps:
    """Build a SEMI or ANTI JOIN as a filter with EXISTS or NOT EXISTS.

    Inside EXISTS, the columns of the left side are outer references. ``shared`` are the column pairs that NATURAL or
    USING compares. A reference from the condition to the query around the join would cross two levels, which Spark
    does not support: such a column is added to the left side for the filter, and removed after it.

    Raises:
        Misread: the right side refers to the recursive query around it, or to the query around the join.
    """
    _refuse_recursion(builder, node, right.operation)
    _refuse_correlation(node, right.operation)
    rows = left.operation
    conditions: list[Expression] = []
    own: list[Expression] = []
    if shared is not None:
        conditions = [UnresolvedCall(EQUALS, (_outer(ours.field), theirs.field)) for ours, theirs in shared]
    elif node.condition is not None:
        resolved = yield _condition(builder, left, right, node, parent, tables)
        if resolved.contents & QUERY:
            # Subqueries in the condition refer to columns by name, so that the names must be distinct.
            right = right.without(left.operation.schema.names)
            resolved = yield _condition(builder, left, right, node, parent, tables)
        of_left, of_both = _split(resolved, right.operation)
        own = [replace(part, _keep_left) for part in of_left]
        if of_both is not None:
            rows, around = _add_outer_columns(rows, of_both)
            conditions = [replace(of_both, lambda part: around.get(part) or _refer_to_left(part))]
    inner = right.operation
    if conditions:
        every = conditions[0] if len(conditions) == 1 else UnresolvedCall(lg.AND, tuple(conditions))
        inner = builder.call_resolver(node.position, filter_rows, inner, every, builder.lookup)
        builder.noted.note_reader(inner, right)
    test: Expression = UnresolvedCall(EXISTS, (TableReference(inner),))
    if own:
        tests = [UnresolvedCall(lg.IS_TRUE, (part,)) for part in own] if anti else own
        test = UnresolvedCall(lg.AND, (*tests, test))
    if anti:
        test = UnresolvedCall(lg.NOT, (test,))
    made = builder.call_resolver(node.position, filter_rows, rows, test, builder.lookup)
    builder.noted.note_reader(made, left)
    return Relation(_project_first_columns(made, left.operation.schema), left.columns)


def _condition(
    builder: QueryParts, left: Relation, right: Relation, node: s.Join, parent: Scope | None, tables: Tables
) -> Steps:
    """Resolve the condition. Columns of the left side have the input index 1, those of the right side 0."""
    columns = [c.moved(c.field.evolve(input_index=1)) for c in left.columns]
    scope = ClauseNames(Scope([*columns, *right.columns], parent))
    condition = yield builder.expression(node.condition, scope, tables)
    resolver = ExpressionResolver(ResolverScope((right.operation.schema, left.operation.schema)), builder.lookup)
    resolved = builder.call_resolver(node.condition.position, resolver.resolve, condition)
    builder.call_resolver(node.condition.position, refuse_in_join, resolved)
    return resolved


def _refuse_recursion(builder: QueryParts, node: s.Join, right: QueryOperation) -> None:
    for operation in right.walk() if builder.recursive_names else ():
        if isinstance(operation, RecursiveReference) and fold(operation.name) in builder.recursive_names:
            message = (
                f"The recursive query {operation.name!r} reads itself on the right side of a SEMI or ANTI JOIN, which "
                "Spark does not support."
            )
            raise Misread(node.position, message, "INVALID_RECURSIVE_REFERENCE.PLACE")


def _refuse_correlation(node: s.Join, right: QueryOperation) -> None:
    for reference in outer_references(right):
        raise Misread(
            node.position,
            f"The right side of a SEMI or ANTI JOIN refers to {reference.name!r}, a column of the query around. Spark "
            "does not support a reference there. Refer to it in the ON of the join.",
            "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.ACCESSING_OUTER_QUERY_COLUMN_IS_NOT_ALLOWED",
        )


def _add_outer_columns(
    left: QueryOperation, condition: ResolvedExpression
) -> tuple[QueryOperation, dict[ResolvedExpression, OuterReference]]:
    """Add the outer columns of a condition to the left side, and return the references to them in EXISTS."""
    references = [part for part in condition.walk() if isinstance(part, OuterReference)]
    if not references:
        return left, {}
    names = left.schema.names
    added = make_distinct([f"outer_{part.name}" for part in references], names)
    own = tuple(column_references(left.schema))
    made = project(left, (*own, *references), (*names, *added))
    return made, {part: OuterReference(n, part.data_type) for part, n in zip(references, added, strict=True)}


def _project_first_columns(operation: QueryOperation, schema: ResolvedSchema) -> QueryOperation:
    """Project an operation to its first columns, which are those of a schema."""
    width = len(schema)
    if width == len(operation.schema):
        return operation
    if not width:
        return drop_columns(operation)
    return project(operation, tuple(column_references(operation.schema)[:width]), schema.names)


def _split(
    condition: ResolvedExpression, right: QueryOperation
) -> tuple[list[ResolvedExpression], ResolvedExpression | None]:
    """Split off the conjuncts with subqueries that are only about the left side, and return the rest.

    Within the query over the right side, such a subquery could not refer to the left side, which would be two levels
    out.
    """
    if not condition.contents & QUERY:
        return [], condition
    parts = condition.arguments if isinstance(condition, Call) and condition.function is lg.AND else (condition,)
    of_left = [part for part in parts if _is_of_left(part, right)]
    rest = tuple([part for part in parts if part not in of_left])
    if not rest:
        return of_left, None
    if not of_left:
        return [], condition
    return of_left, rest[0] if len(rest) == 1 else condition.evolve(arguments=rest)


def _is_of_left(part: ResolvedExpression, right: QueryOperation) -> bool:
    if not part.contents & QUERY:
        return False
    if any(isinstance(inner, FieldReference) and inner.input_index == 0 for inner in part.walk()):
        return False
    names = {name for _, table in subqueries(part) for name in (r.name for r in outer_references(table.operation))}
    return all(right.schema.index_of(name) is None for name in names)


def _outer(field: FieldReference) -> OuterReference:
    return OuterReference(field.name, field.data_type)


def _refer_to_left(part: ResolvedExpression) -> ResolvedExpression | None:
    return _outer(part) if isinstance(part, FieldReference) and part.input_index == 1 else None


def _keep_left(part: ResolvedExpression) -> ResolvedExpression | None:
    return part.evolve(input_index=0) if isinstance(part, FieldReference) and part.input_index == 1 else None
