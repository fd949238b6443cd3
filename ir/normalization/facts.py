"""Properties of expressions that folding needs, computed once for each part."""

from __future__ import annotations

from collections.abc import Collection

from ir.call_expressions import Call, Over
from ir.expressions import FieldReference, Lambda, OuterReference, ResolvedExpression, ValueLiteral, children_of
from ir.light_tuples import NamedTuple
from ir.nodes import post_order_of
from ir.operations.operation import TableReference


class ExpressionFacts(NamedTuple):
    """The properties of an expression with its parts; ``size`` and ``depth`` are those of its text."""

    size: int
    depth: int
    is_constant: bool
    is_costly: bool
    has_lambda: bool


class FactCache:
    """Computes facts of expressions; a part that several expressions share is examined once."""

    def __init__(self) -> None:
        self._known: dict[ResolvedExpression, ExpressionFacts] = {}

    def __call__(self, root: ResolvedExpression) -> ExpressionFacts:
        """Return the facts of an expression."""
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

    def _of(self, part: ResolvedExpression) -> ExpressionFacts:
        size, depth, is_constant, is_costly, has_lambda = own = _compute_own_facts(part)
        if not part.children:
            return own
        deepest = 0
        for child in part.children:
            facts = self._known[child]
            size += facts.size
            deepest = max(deepest, facts.depth)
            is_constant = is_constant and facts.is_constant
            is_costly = is_costly or facts.is_costly
            has_lambda = has_lambda or facts.has_lambda
        return ExpressionFacts(size, depth + deepest, is_constant, is_costly, has_lambda)


def _compute_own_facts(part: ResolvedExpression) -> ExpressionFacts:
    """Return the facts of a part without its children."""
    # For nodes, a negative isinstance takes several times as long.
    if type(part) is FieldReference or type(part) is OuterReference:
        return _COLUMN
    if type(part) is ValueLiteral or (type(part) is Call and part.function.is_built_in):
        return _OTHER
    is_query, is_lambda = isinstance(part, TableReference), isinstance(part, Lambda)
    call = part.call if isinstance(part, Over) else part
    costs = is_query or is_lambda or (isinstance(call, Call) and not call.function.is_built_in)
    return ExpressionFacts(1, 1, is_constant=not is_query, is_costly=costs, has_lambda=is_lambda)


_COLUMN = ExpressionFacts(1, 1, is_constant=False, is_costly=False, has_lambda=False)
_OTHER = ExpressionFacts(1, 1, is_constant=True, is_costly=False, has_lambda=False)


def has_more_parts(root: ResolvedExpression, most: int) -> bool:
    """Whether the text for Spark of an expression has more than ``most`` parts."""
    from ir.lowerings import lower_for_spark

    stack, found = [root], 0
    while stack and found <= most:
        part = lower_for_spark(stack.pop())
        found += 1
        stack += part.children
    return found > most


def calls_spark_sql(expression: ResolvedExpression) -> bool:
    """Whether an expression calls a SQL function that Spark has stored."""
    return any(isinstance(part, Call) and part.function.is_sql_of_spark for part in expression.walk())


def refers_besides(expression: ResolvedExpression, columns: Collection[ResolvedExpression]) -> bool:
    """Whether an expression refers to a column of its input outside of the parts that are among ``columns``."""
    stack = [expression]
    while stack:
        part = stack.pop()
        if part in columns:
            continue
        if isinstance(part, FieldReference):
            return True
        stack += part.children
    return False


def count_column_uses(roots: list[ResolvedExpression]) -> dict[int, int]:
    """Return how often the text of some expressions refers to each column of the first input."""
    counts: dict[ResolvedExpression, int] = {}
    found: dict[int, int] = {}
    for root in roots:
        if type(root) is FieldReference:
            found[root.index] = found.get(root.index, 0) + 1
        else:
            counts[root] = counts.get(root, 0) + 1
    if not counts:
        return found
    for part in reversed(list(post_order_of(tuple(counts), children_of))):
        number = min(counts.get(part, 0), 1_000_000)
        for child in part.children:
            counts[child] = counts.get(child, 0) + number
        if type(part) is FieldReference:
            found[part.index] = found.get(part.index, 0) + number
    return found
