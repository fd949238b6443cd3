"""Calls of functions as resolved expressions, with and without OVER."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ir.contents import CHANGING, OVER
from ir.errors import TableException
from ir.expressions import Expression, ResolvedExpression, SortOrder, contents_of
from ir.light_typing import TYPE_CHECKING, TypeVar, cast
from ir.nodes import computed_field, node
from ir.types import LogicalType

if TYPE_CHECKING:
    from ir.frames import Frame
    from ir.functions.definition import FunctionDefinition
    from ir.unresolved import UnresolvedCall

_E = TypeVar("_E", bound=Expression)


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
        plain: list[str | ResolvedExpression] = [self.function.name, "(", *separate(self.arguments), ")"]
        return add_clauses(plain, self, self.order_by, self.filter)


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
                pieces += [f", {title}: [", *separate(keys), "]"]
        return [*pieces, ")" if self.frame is None else f", frame: [{self.frame.as_summary_string()}])"]


def separate(parts: Sequence[str | _E]) -> list[str | _E]:
    """Return the parts of a summary with commas between them."""
    return [piece for part in parts for piece in (", ", part)][1:]


def add_clauses(
    plain: list[str | _E], call: Call | UnresolvedCall, order_by: Sequence[_E], condition: _E | None
) -> list[str | _E]:
    """Return the summary of a call with its clauses: ``where(distinct(sum(a)), greaterThan(b, 1))``.

    Args:
        plain: the summary of the call without clauses, in pieces.
        call: the call.
        order_by: the sort keys of the call.
        condition: its condition of FILTER, if it has one.
    """
    pieces = plain
    if call.distinct:
        pieces = ["distinct(", *pieces, ")"]
    if order_by:
        pieces = ["withinGroup(", *pieces, ", ", *separate(order_by), ")"]
    if call.ignore_nulls:
        pieces = ["ignoreNulls(", *pieces, ")"]
    if call.respect_nulls:
        pieces = ["respectNulls(", *pieces, ")"]
    return pieces if condition is None else ["where(", *pieces, ", ", condition, ")"]


_lowering: list[Callable[[Call], ResolvedExpression]] = []


def install_lowering(lower: Callable[[Call], ResolvedExpression]) -> None:
    """Install the function that lowers a call which Spark lacks."""
    _lowering[:] = [lower]


def lower_call(call: Call) -> ResolvedExpression:
    """Return the form of a call that Spark evaluates."""
    return _lowering[0](call)


class SchemaUnknown(TableException):
    """The argument is the schema of a constant that only Spark can infer; a caller with a session can ask Spark."""

    expression: ResolvedExpression

    @staticmethod
    def of(expression: ResolvedExpression) -> SchemaUnknown:
        """Return the error about an argument whose schema is unknown."""
        error = SchemaUnknown(
            f"What schema {expression.as_summary_string()} finds is known to Spark alone: here it is, without options, "
            "that of JSON with fields, and that of a CSV line of plain numbers and words. Select it once, and write "
            "the text that it is."
        )
        error.expression = expression
        return error

    @staticmethod
    def refuse(expression: ResolvedExpression) -> ResolvedExpression:
        """Reject an argument whose schema is unknown.

        Raises:
            SchemaUnknown: always.
        """
        raise SchemaUnknown.of(expression)
