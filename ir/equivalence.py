"""Equivalence of expressions as Spark sees it: reordered operands of ``+``, ``a < b`` and ``b > a``.

An expression in the SELECT list matches a GROUP BY key that is written in an equivalent way. Source: ``canonicalized``
of Spark's expressions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ir import types as t
from ir.call_expressions import Call
from ir.expressions import ResolvedExpression
from ir.functions import arithmetic as ar
from ir.functions import bitwise as bit
from ir.functions import comparison as cmp
from ir.functions import logic
from ir.functions.mathematics import GREATEST, LEAST
from ir.nodes import post_order
from ir.operations.operation import TableReference
from ir.rewriting import replace_children

# A chain of these operators has the same meaning in any order, and so have the operands of a single one.
_CHAINED = frozenset((ar.PLUS, ar.TIMES, logic.AND, logic.OR, bit.BIT_AND, bit.BIT_OR, bit.BIT_XOR, GREATEST, LEAST))
_PAIRS = frozenset((cmp.EQUALS, cmp.NOT_EQUALS, cmp.IS_DISTINCT_FROM, cmp.IS_NOT_DISTINCT_FROM))
_TURNED = {
    cmp.GREATER_THAN: cmp.LESS_THAN,
    cmp.GREATER_THAN_OR_EQUAL: cmp.LESS_THAN_OR_EQUAL,
}
# The negation of a comparison is another comparison, of the same operands or of the swapped ones.
_DENIED = {
    cmp.GREATER_THAN: (cmp.LESS_THAN_OR_EQUAL, False),
    cmp.GREATER_THAN_OR_EQUAL: (cmp.LESS_THAN, False),
    cmp.LESS_THAN: (cmp.LESS_THAN_OR_EQUAL, True),
    cmp.LESS_THAN_OR_EQUAL: (cmp.LESS_THAN, True),
}
# Spark replaces one by the other before it compares.
_REPLACED = {logic.IF_NULL: logic.COALESCE}
_OTHERS = (logic.NOT, cmp.IN)
_REARRANGED = frozenset((*_CHAINED, *_PAIRS, *_TURNED, *_TURNED.values(), *_REPLACED, *_REPLACED.values(), *_OTHERS))


class Equivalents:
    """Finds among given expressions the one that Spark considers equivalent to another."""

    def __init__(self, given: Iterable[ResolvedExpression]) -> None:
        self._first: dict[object, ResolvedExpression] = {}
        self._found: dict[ResolvedExpression, ResolvedExpression] = {}
        self._lengths: dict[ResolvedExpression, int] = {}
        self._given: dict[ResolvedExpression, ResolvedExpression] = {}
        # A chain of another length than those in the given expressions equals none of them.
        self._wanted: set[int] = set()
        candidates = [one for one in given if any(map(_is_rearranged, one.walk()))]
        for one in candidates:
            self._want(one)
        for one in candidates:
            self._given.setdefault(self._representative(one), one)

    def find(self, part: ResolvedExpression) -> ResolvedExpression | None:
        """Return the given expression that is equivalent to ``part``, None if there is none."""
        if not self._given or not part.children:
            return None
        return self._given.get(self._representative(part))

    def _want(self, root: ResolvedExpression) -> None:
        whole = {root}
        for part in root.walk():
            self._lengths[part] = self._length(part)
            whole.update(child for child in part.children if not _goes_on(part, child))
        self._wanted.update(self._lengths[part] for part in whole)

    def _length(self, part: ResolvedExpression) -> int:
        """Return the number of operands of a chain, from the known lengths of its parts; 0 for any other expression."""
        if not isinstance(part, Call) or part.function not in _CHAINED:
            return 0
        return sum(self._lengths[child] if _goes_on(part, child) else 1 for child in part.arguments)

    def _representative(self, root: ResolvedExpression) -> ResolvedExpression:
        """Return the first seen expression that is equivalent to this one."""
        found = self._found
        for current in post_order(root, lambda part: () if part in found else part.children):
            if current in found:
                continue
            children = tuple([found[child] for child in current.children])
            made = current if children == current.children else replace_children(current, children)
            self._lengths[made] = self._length(made)
            found[current] = self._first.setdefault(self._shape(made), made)
        return found[root]

    def _shape(self, part: ResolvedExpression) -> object:
        """Return a value that is equal for equivalent expressions only."""
        if not isinstance(part, Call) or not _is_rearranged(part):
            return part
        function, arguments = part.function, part.arguments
        if function in _CHAINED:
            if self._lengths[part] not in self._wanted:
                return part
            return function, part.data_type, frozenset(Counter(_operands(part)).items())
        if function in _PAIRS:
            return function, frozenset(arguments)
        if function is cmp.IN:
            return function, arguments[0], frozenset(Counter(arguments[1:]).items())
        if function is logic.NOT:
            denied = arguments[0]
            if not isinstance(denied, Call) or denied.function not in _DENIED:
                return part
            function, is_turned = _DENIED[denied.function]
            return function, denied.arguments[::-1] if is_turned else denied.arguments
        if function in _REPLACED:
            return _REPLACED[function], arguments
        if function in _TURNED:
            return _TURNED[function], arguments[::-1]
        return function, arguments


def _is_rearranged(part: ResolvedExpression) -> bool:
    is_known = isinstance(part, Call) and part.function in _REARRANGED
    return is_known and not isinstance(part.children[-1], TableReference)


def _goes_on(chain: ResolvedExpression, operand: ResolvedExpression) -> bool:
    """Whether an operand belongs to the same chain; a cast between them ends the chain."""
    if not isinstance(chain, Call) or not isinstance(operand, Call) or chain.function is not operand.function:
        return False
    kind = chain.data_type
    # Two intervals are added to a time one after the other, so that their order matters.
    return chain.function in _CHAINED and not isinstance(kind, t.TemporalType) and operand.data_type.same_type(kind)


def _operands(root: Call) -> Iterator[ResolvedExpression]:
    stack: list[tuple[Call, ResolvedExpression]] = [(root, argument) for argument in root.arguments]
    while stack:
        chain, operand = stack.pop()
        if isinstance(operand, Call) and _goes_on(chain, operand):
            stack += [(operand, argument) for argument in operand.arguments]
        else:
            yield operand
