"""Resolved expressions with types: the base class, and the classes without a function or a query."""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter

from ir import light_attrs as attrs
from ir import rendering
from ir.contents import COLUMN, LAMBDA, NOTHING, OUTER
from ir.errors import ValidationException
from ir.far_dates import FarDate, FarTimestamp
from ir.fine_times import FineTime
from ir.light_typing import TYPE_CHECKING, Any
from ir.nodes import Node, computed_field, node, post_order
from ir.rendering import Dialect, DialectName
from ir.types import DecimalType, DescriptorType, LogicalType, NullType


class Expression(attrs.Slotted):
    """Base class of all expressions, unresolved and resolved."""

    __slots__ = ()


@node
class ResolvedExpression(Node, Expression):
    """An expression with resolved names and a known type."""

    if TYPE_CHECKING:
        # Some classes compute this from their parts; for the others, a class attribute costs nothing per node.
        @property
        def contents(self) -> int:
            """The contents of the expression: bits of ``ir.contents``."""
    else:
        contents = NOTHING

    @property
    def data_type(self) -> LogicalType:
        """The type of the value."""
        raise NotImplementedError

    @property
    def children(self) -> tuple[ResolvedExpression, ...]:
        """The operands of the expression."""
        return ()

    def walk(self) -> Iterator[ResolvedExpression]:
        """Yield every distinct expression below this one once, children first."""
        return post_order(self, children_of) if self.children else iter((self,))

    def as_serializable_string(self, dialect: Dialect | DialectName = Dialect.SPARK) -> str:
        """Return the expression as SQL of the dialect.

        Raises:
            TableException: the expression has no SQL form, or none with the same meaning in the dialect.
        """
        return rendering.renderer().expression(self, Dialect.of(dialect))

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        """Return the text of ``as_summary_string`` as pieces, in which the operands are still expressions."""
        # Each class has its own, as with ``data_type``.
        raise NotImplementedError

    def as_summary_string(self) -> str:
        """Return the expression for display, with every call in prefix form: ``greaterThan(k, 1)``."""
        # An explicit stack, because expressions can be deeper than Python's recursion limit.
        text: list[str] = []
        stack: list[str | ResolvedExpression] = [self]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                text.append(item)
            else:
                stack.extend(reversed(item.summary_pieces()))
        return "".join(text)

    def __repr__(self) -> str:
        return self.as_summary_string()


children_of: Callable[[ResolvedExpression], tuple[ResolvedExpression, ...]] = attrgetter("children")
"""Return the operands of an expression."""


def contents_of(expressions: Iterable[ResolvedExpression], own: int = NOTHING) -> int:
    """Return the contents of expressions together with ``own``: bits of ``ir.contents``."""
    for expression in expressions:
        own |= expression.contents
    return own


@node
class FieldReference(ResolvedExpression):
    """A column of an operation's input: the column at ``index`` of the input at ``input_index``."""

    name: str
    type_: LogicalType
    input_index: int
    index: int

    contents = COLUMN

    @property
    def data_type(self) -> LogicalType:
        return self.type_

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        return [self.name]


def _exact(value: Any) -> Any:
    """Return a key that distinguishes values that Python considers equal (0.0 and -0.0), and is equal for every NaN."""
    if isinstance(value, float):
        import struct

        return struct.pack(">d", value) if value == value else "NaN"
    return value.as_tuple() if isinstance(value, decimal.Decimal) else value


# Equal values of these types are identical.
_ALIKE_IF_EQUAL = frozenset((int, str, bool, dt.date, type(None)))


def _check_null(literal: ValueLiteral, attribute: object, data_type: LogicalType) -> None:
    if literal.value is None and not data_type.nullable:
        raise ValidationException(f"A NULL literal cannot have the type {data_type.as_summary_string()}.")


@node
class ValueLiteral(ResolvedExpression):
    """A constant; the value None is the NULL of its type.

    ``value`` is an int, float, Decimal, str, bytes, bool, date, time or datetime (with a zone exactly when the type is
    TIMESTAMP_LTZ, then in UTC), an int of months for INTERVAL YEAR TO MONTH or of microseconds for INTERVAL DAY TO
    SECOND.
    """

    value: Any
    type_: LogicalType = attrs.field(validator=_check_null)

    @staticmethod
    def _identity_of_given(value: Any, type_: LogicalType) -> tuple[Any, ...]:
        kind = type(value)
        return (value if kind in _ALIKE_IF_EQUAL else _exact(value), kind, type_)

    @property
    def data_type(self) -> LogicalType:
        return self.type_

    @property
    def is_null(self) -> bool:
        """Whether this is a NULL."""
        return self.value is None

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        return [literal_summary(self)]


@node
class TypeLiteral(ResolvedExpression):
    """A type as an argument: the target of a cast."""

    type_: LogicalType

    @property
    def data_type(self) -> LogicalType:
        return self.type_

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        return [self.data_type.as_summary_string()]


@node
class SymbolLiteral(ResolvedExpression):
    """A keyword as an argument, such as the unit of EXTRACT or the NULL option of JSON_OBJECT."""

    symbol: str

    @property
    def data_type(self) -> LogicalType:
        return NullType(nullable=False)

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        return [self.symbol]


@node
class DescriptorLiteral(ResolvedExpression):
    """Column names as an argument of a process table function: ``DESCRIPTOR(a, b)``."""

    names: tuple[str, ...]

    @property
    def data_type(self) -> LogicalType:
        return DescriptorType(nullable=False)

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        return [f"descriptor({', '.join(self.names)})"]


@node
class OuterReference(ResolvedExpression):
    """A reference from a subquery to a column of the enclosing query."""

    name: str
    type_: LogicalType

    contents = OUTER

    @property
    def data_type(self) -> LogicalType:
        return self.type_

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        return [f"outer({self.name})"]


@node
class SortOrder(ResolvedExpression):
    """A sort key with its direction and its place of NULL."""

    expression: ResolvedExpression
    ascending: bool
    nulls_first: bool
    contents: int = computed_field(lambda self: self.expression.contents)

    @property
    def data_type(self) -> LogicalType:
        return self.expression.data_type

    @property
    def children(self) -> tuple[ResolvedExpression, ...]:
        return (self.expression,)

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        nulls = "" if self.nulls_first == self.ascending else f", nulls {'first' if self.nulls_first else 'last'}"
        return ["asc(" if self.ascending else "desc(", self.expression, f"{nulls})"]


@node
class LambdaVariable(ResolvedExpression):
    """A reference to the parameter of that name in the innermost enclosing lambda that has one."""

    name: str
    type_: LogicalType

    @property
    def data_type(self) -> LogicalType:
        return self.type_

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        return [self.name]


@node
class Lambda(ResolvedExpression):
    """A lambda as an argument of a call; its type is the type of its result.

    No parameter has the name of a column to which the body refers. The body also refers to no parameter of an outer
    lambda whose name a parameter of this lambda has: the text could not distinguish them. ``make_lambda`` of
    ``ir.rewriting`` ensures this.
    """

    parameters: tuple[LambdaVariable, ...]
    body: ResolvedExpression
    contents: int = computed_field(lambda self: LAMBDA | self.body.contents)

    @property
    def data_type(self) -> LogicalType:
        return self.body.data_type

    @property
    def children(self) -> tuple[ResolvedExpression, ...]:
        return (self.body,)

    def summary_pieces(self) -> list[str | ResolvedExpression]:
        return [f"{parameter_list([p.name for p in self.parameters])} -> ", self.body]


def parameter_list(names: Sequence[str]) -> str:
    """Return the names of a lambda's parameters as written before the arrow."""
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def literal_summary(literal: ValueLiteral) -> str:
    """Return a constant for display, with strings in quotes."""
    value = literal.value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, (dt.date, dt.time, FarDate, FarTimestamp, FineTime)):
        return value.isoformat().replace("T", " ")
    if isinstance(literal.type_, DecimalType):
        return f"{value:f}"
    if literal.type_.root.startswith("INTERVAL"):
        return f"INTERVAL {value} {'months' if 'YEAR' in literal.type_.root else 'microseconds'}"
    return str(value)
