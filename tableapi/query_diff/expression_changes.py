"""The smallest differing parts of two expressions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ir.call_expressions import Call, Over
from ir.expressions import FieldReference, Lambda, ResolvedExpression, SortOrder
from ir.functions.comparison import IN
from ir.functions.logic import AND, OR
from tableapi.query_diff.change_sentences import shorten, sql
from tableapi.query_diff.changes import Action, Detail, ElementsChanged, ElementsReordered, ExpressionChanged
from tableapi.query_diff.keys import Context

T = TypeVar("T")

# The most pairs whose similarity is computed.
_MAX_PAIRS = 10_000


def differences(old: ResolvedExpression, new: ResolvedExpression, part: str, context: Context) -> list[Detail]:
    """Return the smallest changed parts, with enough context around a constant or a column to recognize it."""
    found: list[Detail] = []
    seen: set[tuple[ResolvedExpression, ResolvedExpression]] = set()
    stack = [(old, new)]
    while stack:
        pair = stack.pop()
        if pair in seen or context.equal(*pair):
            continue
        seen.add(pair)
        a, b = pair
        if isinstance(a, Call) and isinstance(b, Call) and a.function is b.function and a.function in (AND, OR, IN):
            elements, changed = _element_changes(a, b, part, context)
            found += elements
            stack.extend(reversed(changed))
            continue
        below = _find_differences(a, b, context)
        if below:
            stack.extend(reversed(below))
        else:
            found.append(ExpressionChanged(part, a, b))
    return found


def _find_differences(
    old: ResolvedExpression, new: ResolvedExpression, context: Context
) -> list[tuple[ResolvedExpression, ResolvedExpression]]:
    """Return the differing parts if the two expressions differ in nothing else and no part is a leaf, else nothing."""
    if not _are_alike(old, new):
        return []
    pairs = [pair for pair in zip(old.children, new.children, strict=True) if not context.equal(*pair)]
    return pairs if all(_are_alike(*pair) for pair in pairs) else []


def _are_alike(old: ResolvedExpression, new: ResolvedExpression) -> bool:
    """Whether two expressions differ at most inside their parts."""
    if isinstance(old, Call) and isinstance(new, Call):
        return _are_calls_alike(old, new)
    if isinstance(old, Over) and isinstance(new, Over):
        return (
            _are_calls_alike(old.call, new.call)
            and len(old.partition_by) == len(new.partition_by)
            and len(old.order_by) == len(new.order_by)
            and old.frame is new.frame
        )
    if isinstance(old, Lambda) and isinstance(new, Lambda):
        return [p.name for p in old.parameters] == [p.name for p in new.parameters]
    if isinstance(old, SortOrder) and isinstance(new, SortOrder):
        return (old.ascending, old.nulls_first) == (new.ascending, new.nulls_first)
    return False


def _are_calls_alike(old: Call, new: Call) -> bool:
    return (
        old.function is new.function
        and len(old.arguments) == len(new.arguments)
        and (old.distinct, old.ignore_nulls, old.respect_nulls) == (new.distinct, new.ignore_nulls, new.respect_nulls)
        and (old.filter is None) == (new.filter is None)
        and len(old.order_by) == len(new.order_by)
    )


def _element_changes(
    old: Call, new: Call, part: str, context: Context
) -> tuple[list[Detail], list[tuple[ResolvedExpression, ResolvedExpression]]]:
    """Return the added and removed elements of a conjunction, disjunction or list, and the changed ones."""
    olds, news = old.arguments, new.arguments
    if old.function is IN:
        if not context.equal(olds[0], news[0]):
            same_list = [context.old(e) for e in olds[1:]] == [context.new(e) for e in news[1:]]
            if same_list and _are_alike(olds[0], news[0]):
                return [], [(olds[0], news[0])]
            return [ExpressionChanged(part, old, new)], []
        part = f"the values for {shorten(sql(news[0]))} in {part}"
        olds, news = olds[1:], news[1:]
    elif old.function is OR:
        part = f"the alternatives in {part}"
    return _compare_elements(olds, news, part, context)


def compare_conditions(
    old: ResolvedExpression | None, new: ResolvedExpression | None, part: str, context: Context
) -> list[Detail]:
    """Return the changes of a condition: its added, removed and changed conjuncts."""
    olds, news = conjuncts(old), conjuncts(new)
    if len(olds) == len(news) == 1:
        return differences(olds[0], news[0], part, context)
    elements, changed = _compare_elements(olds, news, part, context)
    return elements + [detail for pair in changed for detail in differences(*pair, part, context)]


def conjuncts(condition: ResolvedExpression | None) -> tuple[ResolvedExpression, ...]:
    """Return the conjuncts of a condition."""
    if condition is None:
        return ()
    if isinstance(condition, Call) and condition.function is AND:
        return condition.arguments
    return (condition,)


def _compare_elements(
    olds: Sequence[ResolvedExpression], news: Sequence[ResolvedExpression], part: str, context: Context
) -> tuple[list[Detail], list[tuple[ResolvedExpression, ResolvedExpression]]]:
    removed = find_unmatched(olds, map(context.new, news), context.old)
    added = find_unmatched(news, map(context.old, olds), context.new)
    if not removed and not added:
        same_order = [context.old(e) for e in olds] == [context.new(e) for e in news]
        return ([] if same_order else [ElementsReordered(part, tuple(news))]), []
    pairs = likeliest(removed, added, context)
    changed = [(removed[i], added[j]) for i, j in pairs]
    removed = [e for i, e in enumerate(removed) if i not in {pair[0] for pair in pairs}]
    added = [e for j, e in enumerate(added) if j not in {pair[1] for pair in pairs}]
    details: list[Detail] = []
    for action, elements in ((Action.REMOVED, removed), (Action.ADDED, added)):
        # Constants of a list fit into one sentence.
        together = all(not element.children for element in elements)
        groups = [elements] if together and elements else [[element] for element in elements]
        details += [ElementsChanged(part, action, tuple(group)) for group in groups]
    return details, changed


def likeliest(
    olds: Sequence[ResolvedExpression], news: Sequence[ResolvedExpression], context: Context
) -> list[tuple[int, int]]:
    """Return the positions of old and new expressions that are similar enough to be changes of each other."""
    if len(olds) * len(news) > _MAX_PAIRS:
        return []
    left = {position: _Parts(new, context.new) for position, new in enumerate(news)}
    pairs = []
    for position, old in enumerate(olds):
        mine = _Parts(old, context.old)
        near = max(left, key=lambda other: mine.likeness(left[other]), default=None)
        if near is not None and mine.likeness(left[near]) > 0:
            pairs.append((position, near))
            del left[near]
    return pairs


class _Parts:
    """The keys of all parts of an expression, and those of the columns among them."""

    def __init__(self, expression: ResolvedExpression, key: Callable[[ResolvedExpression], int]) -> None:
        parts = list(expression.walk())
        self.expression = expression
        self._keys = set(map(key, parts))
        self._columns = {key(part) for part in parts if isinstance(part, FieldReference)}

    def likeness(self, other: _Parts) -> float:
        """Return the similarity of two different expressions, 0 if neither can be a change of the other."""
        if not self.expression.children or not other.expression.children or not self._keys & other._columns:
            return 0
        share = len(self._keys & other._keys) / len(self._keys | other._keys)
        return share + 1 if _are_alike(self.expression, other.expression) else share if share > 0.5 else 0


def find_unmatched(elements: Iterable[T], others: Iterable[int], key: Callable[[T], int]) -> list[T]:
    """Return the elements that occur more often than their keys occur among the keys of others."""
    left = Counter(others)
    found = []
    for element in elements:
        if left[key(element)]:
            left[key(element)] -= 1
        else:
            found.append(element)
    return found
