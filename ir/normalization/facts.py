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
        below = [self._known[child] for child in part.children]
        call = part.call if isinstance(part, Over) else part
        is_query = isinstance(part, TableReference)
        return Facts(
            size=1 + sum(facts.size for facts in below),
            depth=1 + max((facts.depth for facts in below), default=0),
            is_constant=not is_query
            and not isinstance(part, (FieldReference, OuterReference))
            and all(facts.is_constant for facts in below),
            has_over=isinstance(part, Over) or any(facts.has_over for facts in below),
            is_random=any(facts.is_random for facts in below)
            or (isinstance(call, Call) and not call.function.is_deterministic)
            or (is_query and nondeterministic_call(part) is not None),
            is_costly=is_query
            or isinstance(part, Lambda)
            or (isinstance(call, Call) and not call.function.is_built_in)
            or any(facts.is_costly for facts in below),
            has_lambda=isinstance(part, Lambda) or any(facts.has_lambda for facts in below),
            has_query=is_query or any(facts.has_query for facts in below),
            has_outer=isinstance(part, OuterReference) or any(facts.has_outer for facts in below),
            has_time_window=is_time_window(part) or any(facts.has_time_window for facts in below),
        )


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
