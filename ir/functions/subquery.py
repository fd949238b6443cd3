"""Functions of whole queries: what makes a condition or a value of the rows of a subquery."""

from __future__ import annotations

from ir import calls
from ir import types as t
from ir.contents import CHANGING, OUTER
from ir.dialects.syntax import OwnSyntax, Precedence, special
from ir.errors import ValidationException
from ir.expressions import Call, FieldReference, ResolvedExpression, TableReference
from ir.functions.builder import scalar
from ir.functions.definition import Collating, CollationOf, Construct
from ir.inference import CallContext
from ir.inference.arguments import TABLE
from ir.inference.inputs import positional
from ir.inference.results import Computed, never_null
from ir.normalization.facts import FactsOf, uses
from ir.operations.aggregate import Aggregate
from ir.operations.project import Project
from ir.types import LogicalType


def _only_column(context: CallContext) -> LogicalType | None:
    table = context.table_argument(0)
    if table is None:
        return None
    columns = table.operation.schema.columns
    if len(columns) != 1:
        raise ValidationException(
            f"A scalar subquery has one column, but the table has {len(columns)}: {table.operation.schema!r}. Select "
            "one of them.",
            condition="INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN",
        )
    # NULL where the query has no row.
    return columns[0].data_type.as_nullable()


def _without_projection(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Leave out a projection above the only column, or compute it of the value, where that means the same.

    Above the aggregation of a correlated query, Spark plans two joins more for it, with all the rows around.
    """
    (table,) = arguments
    operation = table.operation if isinstance(table, TableReference) else None
    if not isinstance(operation, Project) or len(operation.input.schema) != 1:
        return None
    (projection,) = operation.projections
    value = call(SCALAR, (TableReference(operation.input),))
    if isinstance(projection, FieldReference):
        # Nobody sees the name.
        return value
    below = operation.input
    has_one_row = isinstance(below, Aggregate) and not below.group_keys and below.grouping_sets is None
    if not has_one_row or not operation.contents & OUTER:
        return None
    facts = FactsOf()(projection)
    if facts.is_costly or projection.contents & (OUTER | CHANGING) or uses([projection]) != {0: 1}:
        return None
    return _computed_of(value, projection)


def _computed_of(value: ResolvedExpression, projection: ResolvedExpression) -> ResolvedExpression | None:
    """Return what is computed of a column as computed of a value, None where that has another type."""
    done: dict[ResolvedExpression, ResolvedExpression] = {}
    for part in projection.walk():
        if isinstance(part, FieldReference):
            done[part] = value
        elif isinstance(part, Call) and part.children:
            done[part] = calls.call(part.function, [done[argument] for argument in part.arguments])
        else:
            done[part] = part
    made = done[projection]
    return made if made.data_type.as_nullable() == projection.data_type.as_nullable() else None


EXISTS = scalar(
    "exists",
    positional(TABLE, names="table"),
    never_null(t.BOOLEAN),
    sql="EXISTS",
    # Spark takes it as an operand of IS TRUE and of comparisons only in parentheses.
    syntax=special(OwnSyntax.EXISTS, Precedence.PREDICATE),
    doc="Whether a query has a row.",
    example=("EXISTS (SELECT 1)", "TRUE"),
)
SCALAR = scalar(
    "scalar",
    positional(TABLE, names="table"),
    Computed(_only_column),
    sql="SCALAR",
    syntax=special(OwnSyntax.SCALAR_QUERY),
    canonical=_without_projection,
    doc="The value of the only column of a query's only row, NULL where it has no row.",
    example=("(SELECT 1)", "1"),
    collating=Collating(unites=False, result=CollationOf.COLUMN),
)
