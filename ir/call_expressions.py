"""Calls of functions as resolved expressions, with and without OVER."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from ir.contents import CHANGING, OVER
from ir.expressions import ResolvedExpression, SortOrder, contents_of
from ir.nodes import computed_field, node
from ir.types import LogicalType

if TYPE_CHECKING:
    from ir.frames import Frame
    from ir.functions.definition import FunctionDefinition


@node
class Call(ResolvedExpression):
    """A call of a function with resolved arguments.

    For an aggregate, ``distinct`` is the quantifier, ``filter`` the condition of the aggregated rows, and ``order_by``
    their order. ``ignore_nulls`` is IGNORE NULLS of a function that picks a value; ``respect_nulls`` is RESPECT NULLS
    of a function that collects values. Both are False if they equal the default of the function.
    """

    function: FunctionDefinition
    arguments: tuple[ResolvedExpression, ...]
    type_: LogicalType
    distinct: bool = False
    filter: ResolvedExpression | None = None
    ignore_nulls: bool = False
    order_by: tuple[SortOrder, ...] = ()
    respect_nulls: bool = False
    contents: int = computed_field(lambda self: contents_of(self.children, self.function.contents))

    @property
    def data_type(self) -> LogicalType:
        return self.type_

    @property
    def children(self) -> tuple[ResolvedExpression, ...]:
        if self.filter is None and not self.order_by:
            return self.arguments
        return (*self.arguments, *self.order_by, *(() if self.filter is None else (self.filter,)))

    def with_children(self, children: tuple[ResolvedExpression, ...]) -> Call:
        """Return the same call with other arguments, sort orders and condition."""
        count = len(self.arguments)
        condition = None if self.filter is None else children[-1]
        orders = cast("tuple[SortOrder, ...]", children[count : count + len(self.order_by)])
        return Call(
            self.function,
            children[:count],
            self.type_,
            self.distinct,
            condition,
            self.ignore_nulls,
            orders,
            self.respect_nulls,
        )

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        pieces: list[str | ResolvedExpression] = [self.function.name, "(", *_separate(self.arguments), ")"]
        if self.distinct:
            pieces = ["distinct(", *pieces, ")"]
        if self.order_by:
            pieces = ["withinGroup(", *pieces, ", ", *_separate(self.order_by), ")"]
        if self.ignore_nulls:
            pieces = ["ignoreNulls(", *pieces, ")"]
        if self.respect_nulls:
            pieces = ["respectNulls(", *pieces, ")"]
        return pieces if self.filter is None else ["where(", *pieces, ", ", self.filter, ")"]


@node
class Over(ResolvedExpression):
    """A call over a window: computed, for each row, over the rows of its partition in the frame.

    The arguments of the call are parts of the expression, but the call itself is not, so that an aggregate over a
    window is not an aggregate of groups. The frame None is SQL's default: with an order, the rows up to the last one
    with equal sort keys; without an order, the partition.
    """

    call: Call
    partition_by: tuple[ResolvedExpression, ...] = ()
    order_by: tuple[SortOrder, ...] = ()
    frame: Frame | None = None
    contents: int = computed_field(
        lambda self: contents_of(self.children, OVER | self.call.function.contents & CHANGING)
    )

    @property
    def data_type(self) -> LogicalType:
        return self.call.type_

    @property
    def children(self) -> tuple[ResolvedExpression, ...]:
        return (*self.call.children, *self.partition_by, *self.order_by)

    def with_children(self, children: tuple[ResolvedExpression, ...]) -> Over:
        """Return the same OVER call with other arguments, partition keys and sort orders."""
        keys = len(self.call.children)
        orders = keys + len(self.partition_by)
        call = self.call.with_children(children[:keys])
        return Over(call, children[keys:orders], cast("tuple[SortOrder, ...]", children[orders:]), self.frame)

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        pieces: list[str | ResolvedExpression] = ["over(", self.call]
        for title, keys in (("partition", self.partition_by), ("order", self.order_by)):
            if keys:
                pieces += [f", {title}: [", *_separate(keys), "]"]
        return [*pieces, ")" if self.frame is None else f", frame: [{self.frame.as_summary_string()}])"]


def _separate(expressions: Sequence[ResolvedExpression]) -> list[str | ResolvedExpression]:
    """Return expressions with commas between them."""
    return [piece for expression in expressions for piece in (", ", expression)][1:]
