"""What folding has to know of an expression, computed once for each part."""

from __future__ import annotations

from typing import NamedTuple

from ir.determinism import nondeterministic_call
from ir.expressions import (
    Call,
    FieldReference,
    Lambda,
    OuterReference,
    Over,
    ResolvedExpression,
    TableReference,
    ValueLiteral,
)
from ir.functions.time_window import is_time_window


class Facts(NamedTuple):
    """What an expression holds, itself or in its parts; ``size`` and ``depth`` are those of its text."""

    size: int
    depth: int
    is_constant: bool
    has_over: bool
    is_random: bool
    is_costly: bool
    has_lambda: bool
    has_query: bool
    has_outer: bool
    has_time_window: bool


class FactsOf:
    """Answers for expressions; a part that several share is looked at once."""

    def __init__(self) -> None:
        self._known: dict[ResolvedExpression, Facts] = {}

    def __call__(self, root: ResolvedExpression) -> Facts:
        """Return the facts about an expression."""
        if isinstance(root, FieldReference):
            return _COLUMN
        known = self._known.get(root)
        if known is not None:
            return known
        stack = [root]
        while stack:
            part = stack[-1]
            if part in self._known:
                stack.pop()
                continue
            missing = [child for child in part.children if child not in self._known]
            if missing:
                stack += missing
            else:
                self._known[stack.pop()] = self._of(part)
        return self._known[root]

    def _of(self, part: ResolvedExpression) -> Facts:
        own = _own_facts(part)
        below = [self._known[child] for child in part.children]
        if not below:
            return own
        size, depth, is_constant, has_over, is_random, is_costly, has_lambda, has_query, has_outer, has_window = own
        deepest = 0
        for facts in below:
            size += facts.size
            deepest = max(deepest, facts.depth)
            is_constant = is_constant and facts.is_constant
            has_over = has_over or facts.has_over
            is_random = is_random or facts.is_random
            is_costly = is_costly or facts.is_costly
            has_lambda = has_lambda or facts.has_lambda
            has_query = has_query or facts.has_query
            has_outer = has_outer or facts.has_outer
            has_window = has_window or facts.has_time_window
        return Facts(
            size,
            depth + deepest,
            is_constant,
            has_over,
            is_random,
            is_costly,
            has_lambda,
            has_query,
            has_outer,
            has_window,
        )


def _own_facts(part: ResolvedExpression) -> Facts:
    """Return the facts about a part without those of its children."""
    if isinstance(part, FieldReference):
        return _COLUMN
    if isinstance(part, ValueLiteral):
        return _CONSTANT
    is_query = isinstance(part, TableReference)
    is_outer = isinstance(part, OuterReference)
    is_lambda = isinstance(part, Lambda)
    call = part.call if isinstance(part, Over) else part
    function = call.function if isinstance(call, Call) else None
    return Facts(
        size=1,
        depth=1,
        is_constant=not is_query and not is_outer,
        has_over=isinstance(part, Over),
        is_random=(function is not None and not function.is_deterministic)
        or (is_query and nondeterministic_call(part) is not None),
        is_costly=is_query or is_lambda or (function is not None and not function.is_built_in),
        has_lambda=is_lambda,
        has_query=is_query,
        has_outer=is_outer,
        has_time_window=is_time_window(part),
    )


_COLUMN = Facts(1, 1, False, False, False, False, False, False, False, False)
_CONSTANT = _COLUMN._replace(is_constant=True)


def uses(roots: list[ResolvedExpression]) -> dict[int, int]:
    """Return how often the text of some expressions names each column of the first input."""
    counts: dict[ResolvedExpression, int] = {}
    order: list[ResolvedExpression] = []
    seen: set[ResolvedExpression] = set()
    for root in roots:
        counts[root] = counts.get(root, 0) + 1
        if root not in seen:
            for part in root.walk():
                if part not in seen:
                    seen.add(part)
                    order.append(part)
    found: dict[int, int] = {}
    for part in reversed(order):
        number = min(counts.get(part, 0), 1_000_000)
        for child in part.children:
            counts[child] = counts.get(child, 0) + number
        if isinstance(part, FieldReference):
            found[part.index] = found.get(part.index, 0) + number
    return found
