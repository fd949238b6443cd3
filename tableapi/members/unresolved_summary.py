"""Unresolved expressions in prefix form, which ``repr`` shows before a table resolves them."""

from __future__ import annotations

from collections.abc import Sequence

from ir.call_expressions import add_clauses, separate
from ir.errors import shorten
from ir.expressions import Expression, ResolvedExpression, parameter_list
from ir.frames import FrameUnit
from ir.unresolved import (
    Ordering,
    UnresolvedAlias,
    UnresolvedBound,
    UnresolvedCall,
    UnresolvedColumns,
    UnresolvedFlatten,
    UnresolvedLambda,
    UnresolvedNamedArgument,
    UnresolvedOver,
    UnresolvedRange,
    UnresolvedReference,
    UnresolvedVariable,
    UnresolvedWindow,
)

Part = str | Expression


# The maximum length of a representation; as_summary_string() returns the full text.
_LONGEST_SHOWN = 2_000


def display_expression(root: Expression) -> str:
    """Return the representation of a fluent expression; cut the middle out of a long one."""
    return shorten(summarize(root), _LONGEST_SHOWN)


def summarize(root: Expression) -> str:
    """Return an unresolved expression in prefix form, without recursion."""
    text: list[str] = []
    stack: list[Part] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            text.append(item)
        else:
            stack.extend(reversed(_parts(item)))
    return "".join(text)


def _parts(item: Expression) -> Sequence[Part]:
    """Return the parts of an expression's text: strings, and nested expressions to be formatted."""
    match item:
        case ResolvedExpression():
            return [item.as_summary_string()]
        case UnresolvedReference() | UnresolvedVariable():
            return [item.name]
        case UnresolvedLambda():
            return [f"{parameter_list([parameter.name for parameter in item.parameters])} -> ", item.body]
        case UnresolvedAlias():
            return ["as(", item.expression, f", {', '.join((item.name, *item.extra_names))})"]
        case UnresolvedNamedArgument():
            return [f"{item.name} => ", item.expression]
        case UnresolvedFlatten():
            return ["flatten(", item.expression, ")"]
        case Ordering():
            nulls = "" if item.nulls_first is None else f", nulls {'first' if item.nulls_first else 'last'}"
            return ["asc(" if item.ascending else "desc(", item.expression, f"{nulls})"]
        case UnresolvedOver():
            return ["over(", item.call, f", {_window(item)})"]
        case UnresolvedBound():
            return _bound_parts(item)
        case UnresolvedCall():
            return _call_parts(item)
        case UnresolvedRange():
            return [f"range_({item.start}, {item.end})"]
        case UnresolvedColumns():
            chosen: list[Part] = [s if isinstance(s, Expression) else str(s) for s in item.selectors]
            return [f"{'without' if item.inverted else 'with'}_columns(", *separate(chosen), ")"]
        case _:
            return ["*"]


def _window(item: UnresolvedOver) -> str:
    return item.window if isinstance(item.window, str) else display_window(item.window)


def display_window(window: UnresolvedWindow) -> str:
    """Return the representation of an over window."""
    keys = {"partition": window.partition_by, "order": window.order_by}
    parts = [f"{title}: [{', '.join(map(display_expression, given))}]" for title, given in keys.items() if given]
    bounds = {"preceding": window.preceding, "following": window.following}
    parts += [f"{title}: {display_expression(given)}" for title, given in bounds.items() if given is not None]
    return f"Over({', '.join(parts)})"


def _bound_parts(item: UnresolvedBound) -> list[Part]:
    if item.offset is not None:
        return ["range(", item.offset, ")"]
    return [f"{'CURRENT' if item.is_current else 'UNBOUNDED'}_{'ROW' if item.unit is FrameUnit.ROWS else 'RANGE'}"]


def _call_parts(item: UnresolvedCall) -> list[Part]:
    function = item.function
    name = ".".join(function) if isinstance(function, tuple) else getattr(function, "name", function)
    plain: list[Part] = [f"{name}(", *separate(item.arguments), ")"]
    return add_clauses(plain, item, item.order_by, item.filter)
