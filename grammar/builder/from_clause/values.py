"""Builds VALUES, an inline table."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.query_parts import QueryParts, Steps, Tables
from grammar.builder.scopes import Relation, Scope
from grammar.errors import Misread
from ir.calls import convert_value
from ir.contents import AGGREGATE, OVER, QUERY
from ir.determinism import nondeterministic_call
from ir.expressions import ResolvedExpression
from ir.names import make_distinct
from ir.operations.no_columns import rows_without_columns
from ir.operations.source import Values
from ir.resolution.expressions import ExpressionResolver
from ir.resolution.expressions import Scope as NoColumns
from ir.resolution.lookup import has_final_forms
from ir.schema import ResolvedSchema
from ir.types import LogicalType


def inline_values(
    builder: QueryParts, node: s.InlineValues, parent: Scope | None, tables: Tables, names: list[str] | None = None
) -> Steps:
    """Build the relation of an inline table, whose columns Spark names col1, col2 and so on."""
    written = [_cells(row) for row in node.rows]
    width = len(written[0])
    resolver = ExpressionResolver(NoColumns(()), builder.lookup)
    scope = ClauseNames(Scope([], parent))
    rows: list[list[ResolvedExpression]] = []
    for position, cells in enumerate(written):
        if len(cells) != width:
            raise Misread(
                node.rows[position].position,
                f"Row {position + 1} of VALUES has {len(cells)} value{'' if len(cells) == 1 else 's'}, the first has "
                f"{width}.",
                "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH",
            )
        row = []
        labels = [f"col{n + 1}" for n in range(width)]
        for number, cell in enumerate(cells):
            unresolved = yield builder.expression(cell, scope, tables)
            unresolved = builder.expected.of(node, [unresolved], labels[number : number + 1], number)[0]
            row.append(
                unresolved
                if isinstance(unresolved, ResolvedExpression) and not has_final_forms(builder.lookup)
                else builder.call_resolver(cell.position, resolver.resolve, unresolved)
            )
            _require_constant(row[-1], cell.position)
        rows.append(row)
    if not width:
        # In Spark, VALUES without columns has no rows, however many are written.
        return Relation(rows_without_columns(0), [])
    types = [_common(builder, node, [row[column] for row in rows], column) for column in range(width)]
    given = names if names is not None and len(names) == width else [f"col{n + 1}" for n in range(width)]
    cast = tuple([tuple([convert_value(value, kind) for value, kind in zip(row, types, strict=True)]) for row in rows])
    if any(
        value is not written
        for row, before in zip(cast, rows, strict=True)
        for value, written in zip(row, before, strict=True)
    ):
        # A cast array may contain NULL elements, which changes the type of the column.
        types = [_common(builder, node, [row[column] for row in cast], column) for column in range(width)]
    schema = ResolvedSchema.of(make_distinct(given, ()), types)
    return Relation.of(builder.call_resolver(node.position, Values, schema, cast), given)


def _require_constant(value: ResolvedExpression, position: int) -> None:
    """Reject a value of VALUES that is not a constant.

    Raises:
        Misread: the value contains an aggregate, a window, a query or a nondeterministic call.
    """
    if value.contents & (AGGREGATE | OVER):
        raise Misread(
            position,
            "VALUES holds no aggregates and no windows; write SELECT instead.",
            "INVALID_INLINE_TABLE.CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE",
        )
    if value.contents & QUERY:
        raise Misread(
            position,
            "VALUES holds constants, and no value of a query. Write SELECT (SELECT …), with UNION ALL between "
            "several rows.",
            "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.SCALAR_SUBQUERY_IN_VALUES",
        )
    call = nondeterministic_call(value)
    if call is not None:
        raise Misread(
            position,
            f"VALUES holds {call.as_summary_string()}, which has another value each time that it is evaluated; "
            "write SELECT instead.",
            "INVALID_INLINE_TABLE.CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE",
        )


def _cells(row: Any) -> list[Any]:
    if isinstance(row, s.Row):
        return [item.expression if isinstance(item, s.Aliased) else item for item in row.items]
    inner = row.inner if isinstance(row, s.Parenthesised) else row
    if isinstance(inner, s.Call) and inner.function.parts[0].lower() in ("struct", "row") and not inner.form:
        return [item.expression if isinstance(item, (s.Aliased, s.Typed)) else item for item in inner.arguments]
    return [inner]


def _common(builder: QueryParts, node: s.InlineValues, values: list[ResolvedExpression], column: int) -> LogicalType:
    common = builder.language.from_clause.common_type([value.data_type for value in values])
    if common is None:
        shown = ", ".join(dict.fromkeys(value.data_type.as_summary_string() for value in values))
        raise Misread(
            node.position,
            f"The values of column {column + 1} of VALUES have no common type: {shown}.",
            "INVALID_INLINE_TABLE.INCOMPATIBLE_TYPES_IN_INLINE_TABLE",
        )
    return common.with_nullability(any(value.data_type.nullable for value in values))
