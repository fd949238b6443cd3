"""Validation of windows over rows when they are defined, before any call over them."""

from __future__ import annotations

from ir.operations.operation import QueryOperation
from ir.resolution.expressions import ExpressionResolver, Scope, resolve_order
from ir.resolution.lookup import FunctionLookup
from ir.resolution.windows.frames import check_frame, frame_of
from ir.resolution.windows.over import require_comparable
from ir.unresolved import UnresolvedWindow


def check_over_window(input: QueryOperation, window: UnresolvedWindow, lookup: FunctionLookup) -> None:
    """Refuse a window that is invalid over ``input`` for every call.

    Raises:
        ValidationException: a key cannot be resolved or compared, or the frame does not fit the order.
    """
    resolver = ExpressionResolver(Scope((input.schema,)), lookup)
    keys = [resolver.resolve(key) for key in window.partition_by]
    orders = [resolve_order(resolver, key) for key in window.order_by]
    require_comparable(keys, orders)
    bounds = ExpressionResolver(Scope(()), lookup)
    check_frame(frame_of(window, bounds.resolve, orders), tuple(orders))
