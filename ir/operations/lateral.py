"""Lateral joins with a table function or a correlated query."""

from __future__ import annotations

from ir import calls
from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.table import (
    EXPLODE,
    EXPLODE_OUTER,
    INLINE,
    INLINE_OUTER,
    JSON_TUPLE,
    POSEXPLODE,
    POSEXPLODE_OUTER,
    STACK,
    VARIANT_EXPLODE,
    VARIANT_EXPLODE_OUTER,
)
from ir.light_typing import ClassVar
from ir.nodes import computed_field, node
from ir.operations.filter import Filter
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation, TableReference, only_input
from ir.operations.source import SINGLE_ROW
from ir.rewriting import replace
from ir.schema import Column, ResolvedSchema
from ir.types import RowType


def is_generator(operation: QueryOperation) -> bool:
    """Whether an operation is the output of a table function alone, without a table before it."""
    return isinstance(operation, LateralJoin) and operation.input is SINGLE_ROW and isinstance(operation.right, Call)


@node
class LateralJoin(QueryOperation):
    """Each row of ``input`` with the rows that ``right`` returns for it and that satisfy ``condition``.

    ``right`` is a call of a table function over columns of ``input``, or a query that may refer to them. Its columns
    follow those of ``input``, under ``names``. The join type is INNER or LEFT_OUTER, which keeps rows of ``input``
    without a match. Only LEFT_OUTER has a condition, in which a field reference with input index 1 is a column of
    ``right``. ``lateral_join`` builds the nodes and ensures this form.
    """

    input: QueryOperation
    right: ResolvedExpression
    names: tuple[str, ...]
    join_type: JoinType
    condition: ResolvedExpression | None = attrs.field(default=None)
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self._columns_of_both())

    title: ClassVar[str] = "LateralJoin"
    noun: ClassVar[str] = "lateral join"
    sql_clause: ClassVar[str] = "LATERAL"

    @property
    def takes_outer_references(self) -> bool:
        return is_generator(self)

    def column_below(self, index: int) -> tuple[QueryOperation, int] | None:
        return (self.input, index) if index < len(self.input.schema) else None

    @property
    def right_schema(self) -> ResolvedSchema:
        """The columns of the right side."""
        return ResolvedSchema(self.schema.columns[len(self.input.schema) :])

    def _columns_of_both(self) -> ResolvedSchema:
        types = right_columns(self.right)
        columns = [Column(name, c.data_type, c.comment) for name, c in zip(self.names, types, strict=True)]
        if self.join_type.right_is_optional:
            columns = [c.evolve(data_type=c.data_type.as_nullable()) for c in columns]
        return ResolvedSchema((*self.input.schema.columns, *columns))

    def describe(self) -> str:
        condition = "true" if self.condition is None else self.condition.as_summary_string()
        right = self.right.as_summary_string()
        names = ", ".join(self.names)
        return f"(joinType: [{self.join_type.name}], right: [{right}], names: [{names}], condition: [{condition}])"


# The functions that include the effect of a left outer join: they return a row of NULLs instead of no row, or always a
# row.
OUTER_FORMS = {
    EXPLODE: EXPLODE_OUTER,
    POSEXPLODE: POSEXPLODE_OUTER,
    INLINE: INLINE_OUTER,
    VARIANT_EXPLODE: VARIANT_EXPLODE_OUTER,
    **{f: f for f in (EXPLODE_OUTER, POSEXPLODE_OUTER, INLINE_OUTER, VARIANT_EXPLODE_OUTER, STACK, JSON_TUPLE)},
}


def lateral_join(
    input: QueryOperation,
    right: ResolvedExpression,
    names: tuple[str, ...],
    join_type: JoinType,
    condition: ResolvedExpression | None,
) -> QueryOperation:
    """Return the lateral join in canonical form, which is also the form that Spark plans best.

    An inner join with a condition becomes a filter over a join without one. A left outer join with EXPLODE and without
    a condition becomes a join with EXPLODE_OUTER, which Spark plans without a join.
    """
    if join_type is JoinType.INNER and condition is not None:
        joined = lateral_join(input, right, names, join_type, None)
        return Filter(joined, _shift_to_both(condition, len(input.schema)))
    if join_type is JoinType.LEFT_OUTER and condition is None and isinstance(right, Call):
        outer_form = OUTER_FORMS.get(right.function)
        if outer_form is not None:
            right = calls.call(outer_form, right.arguments)
            join_type = JoinType.INNER
    return LateralJoin(input, right, names, join_type, condition)


def _shift_to_both(condition: ResolvedExpression, width: int) -> ResolvedExpression:
    def moved(part: ResolvedExpression) -> ResolvedExpression | None:
        if isinstance(part, FieldReference) and part.input_index == 1:
            return FieldReference(part.name, part.type_, 0, width + part.index)
        return None

    return replace(condition, moved)


def right_columns(right: ResolvedExpression) -> tuple[Column, ...]:
    """Return the columns of a table function call, under the function's own names, or of a query."""
    if isinstance(right, TableReference):
        return right.operation.schema.columns
    row = right.data_type
    assert isinstance(row, RowType), "a call of a table function has the type of one row"
    return tuple([Column(field.name, field.data_type, None) for field in row.fields])
