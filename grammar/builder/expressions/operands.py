"""Builds operators, predicates, sort keys and frame bounds from their operands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from grammar import syntax as s
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.expressions import Expression
from ir.frames import FrameUnit
from ir.functions import comparison as c
from ir.functions import logic as lg
from ir.functions.arithmetic import MINUS_PREFIX, PLUS_PREFIX
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.functions.subquery import EXISTS, SCALAR
from ir.unresolved import Ordering, UnresolvedBound, UnresolvedCall, UnresolvedOver, UnresolvedWindow

Make = Callable[[list[Expression]], Expression]


@attrs.frozen(eq=False)
class TableOf:
    """A query that is an argument as a table."""

    query: Any
    is_value: bool = True
    """Whether its columns matter, rather than only the existence of rows."""


def operator(name: str) -> FunctionDefinition:
    """Return the built-in function of an operator or predicate, even if a user-defined function has its name."""
    found = BUILT_INS.find(name)
    assert found is not None, f"the grammar has the operator {name}"
    return found


def build_order(item: s.SortItem, expression: Expression) -> Ordering:
    """Build a sort key with its direction."""
    return Ordering(expression, item.ascending is not False, item.nulls_first)


def build_scalar_subquery(operands: list[Expression]) -> Expression:
    """Build a scalar subquery."""
    return UnresolvedCall(SCALAR, tuple(operands))


def exists_of(operands: list[Expression]) -> Expression:
    """Build EXISTS."""
    return UnresolvedCall(EXISTS, tuple(operands))


def negation_of(operands: list[Expression]) -> Expression:
    """Build NOT."""
    return UnresolvedCall(lg.NOT, tuple(operands))


def minus_of(operands: list[Expression]) -> Expression:
    """Build unary minus."""
    return UnresolvedCall(MINUS_PREFIX, tuple(operands))


def plus_of(operands: list[Expression]) -> Expression:
    """Build unary plus."""
    return UnresolvedCall(PLUS_PREFIX, tuple(operands))


def negate_if(make: Make, negated: bool) -> Make:
    """Wrap ``make`` in NOT if the test is negated."""
    return (lambda o: UnresolvedCall(lg.NOT, (make(o),))) if negated else make


def membership_of(negated: bool) -> Make:
    """Return the constructor of IN or NOT IN."""
    return negate_if(lambda o: UnresolvedCall(c.IN, tuple(o)), negated)


def symmetric_between(operands: list[Expression], function: FunctionDefinition, negated: bool) -> Expression:
    """Build BETWEEN SYMMETRIC, whose bounds have either order."""
    value, low, high = operands
    both = (UnresolvedCall(function, (value, low, high)), UnresolvedCall(function, (value, high, low)))
    return UnresolvedCall(lg.AND if negated else lg.OR, both)


def build_bound(unit: str, bound: s.Bound, offset: Expression | None, is_sql: bool) -> UnresolvedBound:
    """Build a frame bound."""
    return UnresolvedBound(FrameUnit(unit), bound.kind == "CURRENT ROW", offset, is_sql)


def build_preceding(made: UnresolvedBound, written: s.Bound) -> UnresolvedBound:
    """Return the lower bound as an offset PRECEDING."""
    if written.kind == "UNBOUNDED FOLLOWING":
        raise Misread(written.position, "A frame cannot begin at UNBOUNDED FOLLOWING.")
    return reverse_bound(made) if written.kind == "FOLLOWING" else made


def build_following(made: UnresolvedBound, written: s.Bound) -> UnresolvedBound:
    """Return the upper bound as an offset FOLLOWING."""
    if written.kind == "UNBOUNDED PRECEDING":
        raise Misread(written.position, "A frame cannot end at UNBOUNDED PRECEDING.")
    return reverse_bound(made) if written.kind == "PRECEDING" else made


def reverse_bound(bound: UnresolvedBound) -> UnresolvedBound:
    """Negate the offset of a bound, which reverses its direction."""
    assert bound.offset is not None
    return attrs.evolve(bound, offset=UnresolvedCall(MINUS_PREFIX, (bound.offset,)))


def make_misplaced_error(node: Any) -> Misread:
    """Return the error for a syntax node that its place does not allow."""
    position = getattr(node, "position", 0)
    if isinstance(node, s.Star):
        return Misread(
            position,
            "The star stands for several columns; it may be a whole item of SELECT or an argument.",
            "INVALID_USAGE_OF_STAR_OR_REGEX",
        )
    if isinstance(node, s.Lambda):
        return Misread(position, "x -> … is an argument of functions of arrays and maps alone.")
    if isinstance(node, s.Aliased):
        alias = node.names[0]
        message = "An alias is for a whole item of SELECT, a field of STRUCT or of a row in parentheses."
        return Misread(alias.position, f"{message} Is a comma missing before {alias.text!r}?", "PARSE_SYNTAX_ERROR")
    if isinstance(node, s.TableArgument):
        return Misread(
            position,
            "Only scalar arguments are supported at this location, and TABLE is for process table functions in FROM.",
        )
    return Misread(position, f"{type(node).__name__} is not possible here.")


def build_over(
    operands: Sequence[Expression], keys: int, orders: Sequence[s.SortItem], frame: s.Frame | None, is_sql: bool
) -> Expression:
    """Build a window call from ``operands``: the call, ``keys`` partition keys, the sort keys and the frame offsets."""
    sort = operands[1 + keys : 1 + keys + len(orders)]
    distances = iter(operands[1 + keys + len(orders) :])
    lower = upper = None
    if frame is not None:
        bounds = [bound for bound in (frame.lower, frame.upper) if bound is not None]
        made = [build_bound(frame.unit, b, None if b.offset is None else next(distances), is_sql) for b in bounds]
        lower = build_preceding(made[0], frame.lower)
        upper = None if frame.upper is None else build_following(made[1], frame.upper)
    ordering = tuple([build_order(item, e) for item, e in zip(orders, sort, strict=True)])
    return UnresolvedOver(operands[0], UnresolvedWindow(tuple(operands[1 : 1 + keys]), ordering, lower, upper))


_PARENTHESES = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|--[^\n]*|/\*.*?\*/|(?P<sign>[()])""", re.DOTALL
)


def is_value_of_query(node: Any, text: str) -> bool:
    """Whether a subquery has two pairs of parentheses, which make it a scalar value in a list."""
    if type(node) is not s.ScalarSubquery:
        return False
    outer = text.rfind("(", 0, len(text[: text.rfind("(", 0, node.position)].rstrip()))
    inner = text.rfind("(", 0, node.position)
    if outer < 0 or text[outer + 1 : inner].strip() or text[inner + 1 : node.position].strip():
        return False
    depth = 0
    for found in _PARENTHESES.finditer(text, inner):
        if found["sign"] is None:
            continue
        depth += 1 if found["sign"] == "(" else -1
        if depth == 0:
            return text[found.end() :].lstrip().startswith(")")
    return False
