"""Functions of subqueries: conditions and values from the rows of a query."""

from __future__ import annotations

from ir import types as t
from ir.dialects.syntax import OwnSyntax, Precedence, special
from ir.errors import ValidationException
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.builder import scalar
from ir.functions.definition import CollationOf, CollationRules, Construct
from ir.inference import CallContext
from ir.inference.arguments import TABLE
from ir.inference.inputs import positional
from ir.inference.results import Computed, never_null
from ir.operations.operation import TableReference
from ir.operations.project import Project
from ir.types import LogicalType


def _infer_only_column(context: CallContext) -> LogicalType | None:
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
    # The value is NULL if the query returns no row.
    return columns[0].data_type.as_nullable()


def _drop_renaming(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Leave out a projection that only renames the column, because the value has no name."""
    (table,) = arguments
    operation = table.operation if isinstance(table, TableReference) else None
    if not isinstance(operation, Project) or len(operation.input.schema) != 1:
        return None
    (projection,) = operation.projections
    return call(SCALAR, (TableReference(operation.input),)) if isinstance(projection, FieldReference) else None


EXISTS = scalar(
    "exists",
    positional(TABLE, names="table"),
    never_null(t.BOOLEAN),
    sql="EXISTS",
    # Spark accepts it as an operand of IS TRUE and of comparisons only in parentheses.
    syntax=special(OwnSyntax.EXISTS, Precedence.PREDICATE),
    doc="Whether a query returns a row.",
    example=("EXISTS (SELECT 1)", "TRUE"),
)
SCALAR = scalar(
    "scalar",
    positional(TABLE, names="table"),
    Computed(_infer_only_column),
    sql="SCALAR",
    syntax=special(OwnSyntax.SCALAR_QUERY),
    canonical=_drop_renaming,
    doc="The value of a query's only column and only row; NULL if the query returns no row.",
    example=("(SELECT 1)", "1"),
    collating=CollationRules(unites=False, result=CollationOf.COLUMN),
)
