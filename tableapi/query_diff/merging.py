"""Merge two trees of operations into one, in which each operation is old, new or an aligned pair of both.

A tree is a spine with sides: the spine goes from the root down through one input at a time, and the other inputs of
joins and set operations, and the subqueries, are separate trees. An inserted operation therefore affects nothing else.
Each pair is processed once, without recursion.
"""

from __future__ import annotations

from collections.abc import Hashable

import attrs

from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource, Source
from tableapi.query_diff.alignment import align
from tableapi.query_diff.change_sentences import SIDES
from tableapi.query_diff.changes import Detail
from tableapi.query_diff.keys import Keys


@attrs.define(eq=False)
class Merged:
    """An operation of the old query, of the new one, or an aligned pair of both.

    Attributes:
        old: the operation of the old query, None if it was inserted.
        new: the operation of the new query, None if it was removed.
        place: the side of a join or the subquery that contains it, empty on the main path from the root.
        is_whole: whether it stands for its whole tree, which is the same in both queries or in one of them only.
        inputs: the inputs in order; for swapped inputs, in the order of the new operation.
        queries: the subqueries in its expressions.
        side: for an operation of one query only, the position of the input that both queries have.
        is_swapped: whether the two inputs were swapped.
        details: the changes of the operation itself; computed after merging.
        renames: the columns of the old rows that have another name in the new ones; computed after merging.
    """

    old: QueryOperation | None
    new: QueryOperation | None
    place: str = ""
    is_whole: bool = False
    inputs: list[Merged] = attrs.field(factory=list)
    queries: list[Merged] = attrs.field(factory=list)
    side: int = 0
    is_swapped: bool = False
    details: tuple[Detail, ...] = ()
    renames: dict[str, str] = attrs.field(factory=dict)

    @property
    def children(self) -> list[Merged]:
        """The inputs of the operation and the subqueries of its expressions."""
        return [*self.inputs, *self.queries]

    @property
    def is_replaced(self) -> bool:
        """Whether another source is read."""
        old, new = self.old, self.new
        if old is None or new is None or old is new:
            return False
        if isinstance(old, Source) and isinstance(new, Source):
            return old.identifier is not new.identifier
        return type(old) is not type(new) or isinstance(old, InlineSource)

    @property
    def shown(self) -> QueryOperation:
        """The new operation, or the old one if it was removed."""
        found = self.new or self.old
        assert found is not None, "one of the two is there"
        return found


@attrs.frozen
class _Link:
    """An operation of a spine, and the position of the input through which the spine continues."""

    operation: QueryOperation
    side: int


@attrs.frozen
class _Sources:
    """The tables that the operations of both queries read.

    Attributes:
        first: the table that an operation reads first.
        common: whether an operation reads a table that the other query reads as well.
        around: the operations that contain the whole other query.
    """

    first: dict[QueryOperation, Hashable]
    common: dict[QueryOperation, bool]
    around: set[QueryOperation]


def _source(leaf: QueryOperation) -> Hashable:
    if isinstance(leaf, Source):
        return tuple(map(fold, leaf.identifier.parts))
    return id(leaf.handle) if isinstance(leaf, InlineSource) else type(leaf)


def _sources_of(orders: list[list[QueryOperation]]) -> _Sources:
    read = [{_source(operation) for operation in order if not operation.inputs} for order in orders]
    both = read[0] & read[1]
    found = _Sources({}, {}, set())
    for order, other in (orders, orders[::-1]):
        for operation in order:
            inputs = operation.inputs
            found.first[operation] = found.first[inputs[0]] if inputs else _source(operation)
            found.common[operation] = any(found.common[i] for i in inputs) if inputs else _source(operation) in both
            if operation is other[-1] or any(i in found.around for i in inputs):
                found.around.add(operation)
    return found


class Merger:
    """Merges two queries."""

    def __init__(self, old: QueryOperation, new: QueryOperation) -> None:
        orders = [list(root.walk_with_subqueries()) for root in (old, new)]
        self.keys = Keys()
        for order in orders:
            self.keys.add(order)
        self._sources = _sources_of(orders)
        self._aligned: dict[tuple[QueryOperation, QueryOperation], Merged] = {}
        self._merged: dict[tuple[QueryOperation, QueryOperation], Merged] = {}
        self._partner_of_old: dict[QueryOperation, QueryOperation] = {}
        self._partner_of_new: dict[QueryOperation, QueryOperation] = {}
        self._pending: list[tuple[list[Merged], int, QueryOperation, QueryOperation, str]] = []
        self.root = self._merge(old, new)

    def _merge(self, old: QueryOperation, new: QueryOperation) -> Merged:
        holder: list[Merged] = []
        self._later(holder, old, new, "")
        while self._pending:
            siblings, position, a, b, place = self._pending.pop()
            siblings[position] = self._merged.get((a, b)) or self._merge_spines(a, b, place)
        return holder[0]

    def _later(self, siblings: list[Merged], old: QueryOperation, new: QueryOperation, place: str) -> None:
        """Append the merged form of two operations to ``siblings``: now if they are equal, else by the work list."""
        siblings.append(Merged(old, new, place, is_whole=True))
        if old is not new:
            self._pending.append((siblings, len(siblings) - 1, old, new, place))

    def _merge_spines(self, old: QueryOperation, new: QueryOperation, place: str) -> Merged:
        olds, news, below = self._spines(old, new)
        if below is None:
            # The sources at the ends of both spines.
            below = self._pair(olds.pop(), news.pop(), None, place)
        a, b = below.old, below.new
        for i, j in reversed(align([x.operation for x in olds], [x.operation for x in news], self.keys)):
            a = a if i is None else olds[i].operation
            b = b if j is None else news[j].operation
            known = None if a is None or b is None else self._merged.get((a, b))
            if known is not None:
                below = known
            elif i is not None and j is not None:
                below = self._pair(olds[i], news[j], below, place)
            elif i is not None:
                below = self._single(olds[i], below, place, is_old=True)
            elif j is not None:
                below = self._single(news[j], below, place, is_old=False)
            if a is not None and b is not None:
                # Shared parts are merged once, even if they begin with operations of one query only.
                self._merged[(a, b)] = below
        return below

    def _single(self, link: _Link, below: Merged, place: str, *, is_old: bool) -> Merged:
        operation = link.operation
        merged = Merged(operation, None, place) if is_old else Merged(None, operation, place)
        merged.side = link.side
        for side, input in enumerate(operation.inputs):
            merged.inputs.append(below if side == link.side else _merge_single(input, is_old, place))
        merged.queries = [_merge_single(query, is_old, place) for query in operation.subqueries]
        return merged

    def _pair(self, old: _Link, new: _Link, below: Merged | None, place: str) -> Merged:
        a, b = old.operation, new.operation
        known = self._aligned.get((a, b))
        if known is not None:
            return known
        merged = self._aligned[(a, b)] = self._merged[(a, b)] = Merged(a, b, place)
        self._partner_of_old[a], self._partner_of_new[b] = b, a
        merged.is_swapped = old.side != new.side
        for side, input in enumerate(b.inputs):
            if below is not None and side == new.side:
                merged.inputs.append(below)
            else:
                self._later(merged.inputs, a.inputs[1 - old.side], input, f"on the {SIDES[side]} side of {_name(b)}")
        self._merge_queries(merged, a, b)
        return merged

    def _merge_queries(self, merged: Merged, a: QueryOperation, b: QueryOperation) -> None:
        same = set(a.subqueries) & set(b.subqueries)
        olds, news = ([query for query in queries if query not in same] for queries in (a.subqueries, b.subqueries))
        place = f"in the subquery of {_name(b)}"
        for query in b.subqueries:
            if query in same:
                self._later(merged.queries, query, query, place)
        for old_query, new_query in zip(olds, news, strict=False):
            self._later(merged.queries, old_query, new_query, place)
        merged.queries += [_merge_single(query, True, place) for query in olds[len(news) :]]
        merged.queries += [_merge_single(query, False, place) for query in news[len(olds) :]]

    # --- spines ------------------------------------------------------------------------------------------------------

    def _spines(self, old: QueryOperation, new: QueryOperation) -> tuple[list[_Link], list[_Link], Merged | None]:
        """Return the two spines down to their meeting point, and the merged part there; None if both end in sources."""
        swapped: set[tuple[Hashable, Hashable]] = set()
        olds = self._spine(old, swapped, set(), self._partner_of_old)
        news = self._spine(new, set(), swapped, self._partner_of_new)
        a, b = olds[-1].operation, news[-1].operation
        if self._partner_of_old.get(a) is b:
            # A shared part that was reached by another path.
            return olds[:-1], news[:-1], self._aligned[(a, b)]
        swapped.clear()
        olds = self._spine(old, swapped, set(), {})
        news = self._spine(new, set(), swapped, {})
        position_in_old = {link.operation: position for position, link in enumerate(olds)}
        for position, link in enumerate(news):
            met = position_in_old.get(link.operation)
            if met is not None:
                return olds[:met], news[:position], Merged(link.operation, link.operation, is_whole=True)
        return olds, news, None

    def _spine(
        self,
        root: QueryOperation,
        passed: set[tuple[Hashable, Hashable]],
        swapped: set[tuple[Hashable, Hashable]],
        stop: dict[QueryOperation, QueryOperation],
    ) -> list[_Link]:
        """Return the operations from ``root`` down to a source, or to an operation in ``stop``.

        At two inputs, the spine follows the left one, unless only the right one contains the whole other query or
        shares a table with it, or the two sides are swapped in the other query.
        """
        first, common, around = self._sources.first, self._sources.common, self._sources.around
        links: list[_Link] = []
        current = root
        while True:
            side = 0
            if len(current.inputs) == 2:
                left, right = current.inputs
                reads = (first[left], first[right])
                is_swapped = reads[::-1] in swapped and reads not in swapped
                if (left in around) != (right in around):
                    side = int(right in around)
                else:
                    side = int(is_swapped or (common[right] and not common[left]))
                passed.add(reads)
            links.append(_Link(current, side))
            if not current.inputs or current in stop:
                return links
            current = current.inputs[side]


def _merge_single(operation: QueryOperation, is_old: bool, place: str) -> Merged:
    if is_old:
        return Merged(operation, None, place, is_whole=True)
    return Merged(None, operation, place, is_whole=True)


def _name(operation: QueryOperation) -> str:
    return f"the {operation.label}"
