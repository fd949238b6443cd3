"""Expressions: unresolved ones from a user or the parser, and resolved ones with types, which operations contain."""

from __future__ import annotations

import datetime as dt
import decimal
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, cast

from ir import light_attrs as attrs
from ir import rendering
from ir.contents import CHANGING, COLUMN, LAMBDA, NOTHING, OF_QUERIES, OUTER, OVER, QUERY
from ir.errors import ValidationException
from ir.far_dates import FarDate, FarTimestamp
from ir.fine_times import FineTime
from ir.nodes import Node, computed_field, node, post_order
from ir.records import record
from ir.rendering import Dialect, DialectName
from ir.types import DecimalType, DescriptorType, LogicalType, NullType

if TYPE_CHECKING:
    from ir.frames import Frame, FrameUnit
    from ir.functions.definition import FunctionDefinition
    from ir.operations.operation import QueryOperation

# --- unresolved expressions ------------------------------------------------------------------------------------------


class Expression:
    """Base class of all expressions, unresolved and resolved."""

    __slots__ = ()


@record(eq=False, repr=False)
class UnresolvedReference(Expression):
    """The name of a column as it was written."""

    name: str


@record(eq=False, repr=False)
class UnresolvedCall(Expression):
    """A call of a function, given by its definition, its name or the parts of its path."""

    function: FunctionDefinition | str | tuple[str, ...]
    arguments: tuple[Expression, ...]
    distinct: bool = False
    filter: Expression | None = None
    ignore_nulls: bool = False
    order_by: tuple[Expression, ...] = ()
    respect_nulls: bool = False


@record(eq=False, repr=False)
class UnresolvedAlias(Expression):
    """An expression with the name of its output column."""

    expression: Expression
    name: str
    extra_names: tuple[str, ...] = ()


@record(eq=False, repr=False)
class UnresolvedExpected(Expression):
    """A call with an expected type; ``is_cast`` says that the expectation comes from a cast."""

    expression: Expression
    data_type: LogicalType
    is_cast: bool = False


@record(eq=False, repr=False)
class UnresolvedStar(Expression):
    """All columns of the input."""


@record(eq=False, repr=False)
class UnresolvedRange(Expression):
    """A range of columns of the input, with each end given by name or by position from 1."""

    start: str | int
    end: str | int


@record(eq=False, repr=False)
class UnresolvedColumns(Expression):
    """Columns of the input by names, positions from 1, ranges and stars; ``inverted`` selects all other columns."""

    selectors: tuple[str | int | UnresolvedRange | UnresolvedStar, ...]
    inverted: bool = False


@record(eq=False, repr=False)
class UnresolvedNamedArgument(Expression):
    """An argument of a call with the name of its parameter."""

    name: str
    expression: Expression


@record(eq=False, repr=False)
class UnresolvedFlatten(Expression):
    """All fields of a row, as columns."""

    expression: Expression


@record(eq=False, repr=False)
class Ordering(Expression):
    """An expression to sort by, with its direction; None for ``nulls_first`` means the dialect's default."""

    expression: Expression
    ascending: bool = True
    nulls_first: bool | None = None


@record(eq=False, repr=False)
class UnresolvedBound(Expression):
    """A bound of a frame: the current row, unbounded if ``offset`` is None, or the distance ``offset``.

    If ``is_sql``, the distance is converted as in Spark's SQL.
    """

    unit: FrameUnit
    is_current: bool = False
    offset: Expression | None = None
    is_sql: bool = False


@attrs.frozen(eq=False, repr=False)
class UnresolvedWindow:
    """A window over rows as it was written; ``following`` requires ``preceding``."""

    partition_by: tuple[Expression, ...] = ()
    order_by: tuple[Expression, ...] = ()
    preceding: Expression | None = None
    following: Expression | None = None


@record(eq=False, repr=False)
class UnresolvedOver(Expression):
    """A call over a window, which is given itself or by its alias."""

    call: Expression
    window: UnresolvedWindow | str


@record(eq=False, repr=False)
class UnresolvedVariable(Expression):
    """A parameter of a lambda, identified by identity, since lambdas nest and names repeat."""

    name: str


@record(eq=False, repr=False)
class UnresolvedLambda(Expression):
    """A lambda as an argument of a call."""

    parameters: tuple[UnresolvedVariable, ...]
    body: Expression


# --- resolved expressions --------------------------------------------------------------------------------------------


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

    def as_summary_string(self) -> str:
        """Return the expression for display, with every call in prefix form: ``greaterThan(k, 1)``."""
        return summary(self)

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


def _exact(value: Any) -> Any:
    """Return a key that distinguishes values that Python considers equal (0.0 and -0.0), and is equal for every NaN."""
    if isinstance(value, float):
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


@node
class TypeLiteral(ResolvedExpression):
    """A type as an argument: the target of a cast."""

    type_: LogicalType

    @property
    def data_type(self) -> LogicalType:
        return self.type_


@node
class SymbolLiteral(ResolvedExpression):
    """A keyword as an argument, such as the unit of EXTRACT or the NULL option of JSON_OBJECT."""

    symbol: str

    @property
    def data_type(self) -> LogicalType:
        return NullType(nullable=False)


@node
class DescriptorLiteral(ResolvedExpression):
    """Column names as an argument of a process table function: ``DESCRIPTOR(a, b)``."""

    names: tuple[str, ...]

    @property
    def data_type(self) -> LogicalType:
        return DescriptorType(nullable=False)


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


@node
class TableReference(ResolvedExpression):
    """A query as an argument of IN, EXISTS or a scalar subquery."""

    operation: QueryOperation
    contents: int = computed_field(lambda self: QUERY | self.operation.contents & OF_QUERIES)

    @property
    def data_type(self) -> LogicalType:
        return self.operation.schema.as_row_type()


@node
class OuterReference(ResolvedExpression):
    """A reference from a subquery to a column of the enclosing query."""

    name: str
    type_: LogicalType

    contents = OUTER

    @property
    def data_type(self) -> LogicalType:
        return self.type_


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


@node
class LambdaVariable(ResolvedExpression):
    """A reference to the parameter of that name in the innermost enclosing lambda that has one."""

    name: str
    type_: LogicalType

    @property
    def data_type(self) -> LogicalType:
        return self.type_


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


class _Summary:
    """Writes expressions in prefix form with an explicit stack, so that depth and length cost no recursion."""

    quoted: ClassVar[tuple[type, ...]] = (str,)

    def pieces(self, expression: ResolvedExpression) -> list[str | ResolvedExpression]:
        """Return the text of an expression as pieces, with its operands as unwritten expressions."""
        if isinstance(expression, (FieldReference, LambdaVariable)):
            return [expression.name]
        if isinstance(expression, Lambda):
            return [f"{parameter_list([p.name for p in expression.parameters])} -> ", expression.body]
        if isinstance(expression, ValueLiteral):
            return [literal_summary(expression)]
        if isinstance(expression, TypeLiteral):
            return [expression.data_type.as_summary_string()]
        if isinstance(expression, SymbolLiteral):
            return [expression.symbol]
        if isinstance(expression, DescriptorLiteral):
            return [f"descriptor({', '.join(expression.names)})"]
        if isinstance(expression, TableReference):
            # The tree of the query is shown below the operation that contains it.
            return ["query"]
        if isinstance(expression, OuterReference):
            return [f"outer({expression.name})"]
        if isinstance(expression, SortOrder):
            nulls = (
                ""
                if expression.nulls_first == expression.ascending
                else ", nulls " + ("first" if expression.nulls_first else "last")
            )
            return ["asc(" if expression.ascending else "desc(", expression.expression, nulls + ")"]
        if isinstance(expression, Over):
            return self._over(expression)
        assert isinstance(expression, Call), type(expression)
        inner: list[str | ResolvedExpression] = []
        for argument in expression.arguments:
            inner += [", ", argument]
        name = expression.function.name
        text = [name, "(", *inner[1:], ")"]
        if expression.distinct:
            text = ["distinct(", *text, ")"]
        if expression.order_by:
            separated = [part for order in expression.order_by for part in (", ", order)]
            text = ["withinGroup(", *text, *separated, ")"]
        if expression.ignore_nulls:
            text = ["ignoreNulls(", *text, ")"]
        if expression.respect_nulls:
            text = ["respectNulls(", *text, ")"]
        return text if expression.filter is None else ["where(", *text, ", ", expression.filter, ")"]

    def _over(self, over: Over) -> list[str | ResolvedExpression]:
        pieces: list[str | ResolvedExpression] = ["over(", over.call]
        for title, keys in (("partition", over.partition_by), ("order", over.order_by)):
            if keys:
                separated = [part for key in keys for part in (", ", key)]
                pieces += [f", {title}: [", *separated[1:], "]"]
        return [*pieces, ")" if over.frame is None else f", frame: [{over.frame.as_summary_string()}])"]


def parameter_list(names: Sequence[str]) -> str:
    """Return the names of a lambda's parameters as written before the arrow."""
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def summary(root: ResolvedExpression) -> str:
    """Return ``root`` in prefix form."""
    write = _Summary()
    text: list[str] = []
    stack: list[str | ResolvedExpression] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            text.append(item)
        else:
            stack.extend(reversed(write.pieces(item)))
    return "".join(text)


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


def walk_written_parts(roots: Iterable[Expression], *, windows: bool = True) -> Iterator[Expression]:
    """Yield written expressions and all their parts once each; for an OVER call, its parts but not the call.

    Without ``windows``, an OVER call is yielded without its parts.
    """
    seen: set[int] = set()
    stack = list(roots)
    while stack:
        part = stack.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        if isinstance(part, UnresolvedCall):
            stack += [*part.arguments, *part.order_by]
            if part.filter is not None:
                stack.append(part.filter)
        elif isinstance(part, (UnresolvedAlias, UnresolvedExpected, UnresolvedNamedArgument, Ordering)):
            stack.append(part.expression)
        elif isinstance(part, UnresolvedLambda):
            stack.append(part.body)
        elif isinstance(part, UnresolvedOver) and windows:
            if isinstance(part.call, UnresolvedCall):
                stack += [*part.call.arguments, *part.call.order_by]
            if not isinstance(part.window, str):
                stack += [*part.window.partition_by, *part.window.order_by]
