"""Unresolved expressions: what a user or the parser wrote, with names that are not bound and without types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ir import light_attrs as attrs
from ir.expressions import Expression
from ir.light_typing import TYPE_CHECKING
from ir.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ir.frames import FrameUnit
    from ir.functions.definition import FunctionDefinition
    from ir.types import LogicalType


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
class UnresolvedWindow(attrs.Slotted):
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


@record(eq=False, repr=False)
class LambdaOf(Expression):
    """A lambda that is being resolved: the operand at ``position`` of a call of ``function``."""

    written: UnresolvedLambda
    call: UnresolvedCall
    function: FunctionDefinition
    operands: Sequence[Expression]
    position: int


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
