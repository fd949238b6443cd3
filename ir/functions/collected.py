"""The rows of a group as an array, the input of user-defined functions over groups."""

from __future__ import annotations

from ir import light_attrs as attrs
from ir import types as t
from ir.call_expressions import Call
from ir.calls import Clauses, call
from ir.casts import differ_at_most_in_nullability
from ir.expressions import ResolvedExpression
from ir.functions.aggregate import ARRAY_AGG
from ir.functions.collection import ROW
from ir.inference import CallContext
from ir.inference.arguments import ANY
from ir.inference.type_inference import ArgumentTypeStrategy
from ir.literals import literal
from ir.types import LogicalType

NO_ARGUMENT = "_"
"""The field of the collected rows if the aggregate has no arguments."""


def collect_rows(aggregate: Call) -> ResolvedExpression:
    """Return the ARRAY_AGG call that collects, for each row of a group, a row of the aggregate's arguments."""
    fields: list[ResolvedExpression] = []
    for position, argument in enumerate(aggregate.arguments):
        fields += [literal(f"_{position}"), argument]
    rows = call(ROW, fields or [literal(NO_ARGUMENT), literal(0)])
    return call(ARRAY_AGG, (rows,), Clauses(aggregate.distinct, aggregate.filter))


@attrs.frozen(eq=False, repr=False)
class CollectedRows:
    """An array built by ``collected`` from arguments of these types, where None accepts any type."""

    types: tuple[LogicalType | None, ...]

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        given = context.argument_types[0]
        row = given.element if isinstance(given, t.ArrayType) else None
        if not isinstance(row, t.RowType):
            return None
        fields = [field for field in row.fields if field.name != NO_ARGUMENT]
        if len(fields) > len(self.types):
            return None
        fits = [
            w is None or differ_at_most_in_nullability(f.data_type, w) for f, w in zip(fields, self.types, strict=False)
        ]
        return context.argument_types if all(fits) else None

    def strategy_for(self, position: int) -> ArgumentTypeStrategy | None:
        return ANY

    def accepts_count(self, count: int) -> bool:
        return count == 1

    def describe_counts(self) -> str:
        return "the collected rows of a group, which flat_aggregate passes to it"

    def signatures(self, name: str) -> list[str]:
        wanted = ", ".join("ANY" if given is None else given.as_summary_string() for given in self.types)
        return [f"{name}(<ARRAY of ROW<{wanted}>>)"]
