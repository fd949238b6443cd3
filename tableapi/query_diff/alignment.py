"""Alignment of two chains of operations, so that few changes explain the difference.

The cost of the exact answer grows with the product of the lengths. The equal ends are therefore removed first, then
operations that occur exactly once in each chain divide both chains. Long parts that remain are divided by operations
that occur once up to the names of columns, and finally compared in pieces.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from ir.operations.operation import QueryOperation
from tableapi.query_diff.keys import Keys

Pairs = list[tuple[int | None, int | None]]

# The length of pieces that are compared exactly, at the cost of the product of their lengths.
_PIECE = 120
# The cost of aligning two operations of one kind that have nothing in common: less than a removal and an insertion,
# which cost 1 each.
_UNLIKE = 1.8
_NEVER = 1e9


def align(old: Sequence[QueryOperation], new: Sequence[QueryOperation], keys: Keys) -> Pairs:
    """Return the aligned positions in order, with None for the missing side of a removal or an insertion."""
    return _Alignment(old, new, keys).pairs()


class _Alignment:
    def __init__(self, old: Sequence[QueryOperation], new: Sequence[QueryOperation], keys: Keys) -> None:
        self._old, self._new, self._keys = old, new, keys
        self._old_keys = [keys.own(operation) for operation in old]
        self._new_keys = [keys.own(operation) for operation in new]
        self._old_unnamed = [keys.unnamed(operation) for operation in old]
        self._new_unnamed = [keys.unnamed(operation) for operation in new]

    def pairs(self) -> Pairs:
        found: Pairs = []
        stack: list[tuple[int, int, int, int]] = [(0, len(self._old), 0, len(self._new))]
        while stack:
            a, a_end, b, b_end = stack.pop()
            while a < a_end and b < b_end and self._old_keys[a] == self._new_keys[b]:
                found.append((a, b))
                a, b = a + 1, b + 1
            same = 0
            while a < a_end - same and b < b_end - same and self._equal_from_end(a_end, b_end, same):
                same += 1
            tail = [(a_end - n, b_end - n) for n in range(same, 0, -1)]
            a_end, b_end = a_end - same, b_end - same
            if tail:
                # The loop adds it at once when it is popped, because it is equal.
                stack.append((tail[0][0], tail[-1][0] + 1, tail[0][1], tail[-1][1] + 1))
            is_short = a_end - a <= _PIECE and b_end - b <= _PIECE
            anchors = _anchors(self._old_keys, self._new_keys, a, a_end, b, b_end)
            if not anchors and not is_short:
                anchors = _anchors(self._old_unnamed, self._new_unnamed, a, a_end, b, b_end)
            if anchors:
                stack.extend(reversed(_split_between(anchors, a, a_end, b, b_end)))
            elif is_short:
                found += self._exactly(a, a_end, b, b_end)
            else:
                stack.extend(reversed(_pieces(a, a_end, b, b_end)))
        return found

    def _equal_from_end(self, a_end: int, b_end: int, same: int) -> bool:
        return self._old_keys[a_end - 1 - same] == self._new_keys[b_end - 1 - same]

    def _exactly(self, a: int, a_end: int, b: int, b_end: int) -> Pairs:
        """Return the alignment of two short parts with the lowest cost."""
        rows, columns = a_end - a, b_end - b
        cost = [[float(j) for j in range(columns + 1)]]
        pair = [[self._cost(i, j) for j in range(b, b_end)] for i in range(a, a_end)]
        for i in range(1, rows + 1):
            above, row = cost[-1], [float(i)]
            for j in range(1, columns + 1):
                row.append(min(above[j - 1] + pair[i - 1][j - 1], above[j] + 1, row[j - 1] + 1))
            cost.append(row)
        i, j, found = rows, columns, Pairs()
        while i or j:
            if i and j and cost[i][j] == cost[i - 1][j - 1] + pair[i - 1][j - 1]:
                i, j = i - 1, j - 1
                found.append((a + i, b + j))
            elif j and cost[i][j] == cost[i][j - 1] + 1:
                j -= 1
                found.append((None, b + j))
            else:
                i -= 1
                found.append((a + i, None))
        return found[::-1]

    def _cost(self, i: int, j: int) -> float:
        if self._old_keys[i] == self._new_keys[j]:
            return 0
        old, new = self._old[i], self._new[j]
        if type(old) is not type(new):
            return _NEVER
        mine, theirs = self._keys.tokens(old), self._keys.tokens(new)
        common = len(mine & theirs)
        return _UNLIKE * (1 - common / (len(mine) + len(theirs) - common)) if common else _UNLIKE


def _anchors(old_keys: list[int], new_keys: list[int], a: int, a_end: int, b: int, b_end: int) -> list[tuple[int, int]]:
    """Return the longest sequence, in the order of both parts, of operations that occur exactly once in each part."""
    olds, news = Counter(old_keys[a:a_end]), Counter(new_keys[b:b_end])
    position = {key: i for i, key in enumerate(old_keys[a:a_end], a) if olds[key] == 1}
    matches = [(position[key], j) for j, key in enumerate(new_keys[b:b_end], b) if news[key] == 1 and key in position]
    # Patience sorting: the smallest end of an increasing sequence of each length, and the predecessor of each match.
    ends: list[int] = []
    at_end: list[int] = []
    before: list[int | None] = []
    for number, (i, _) in enumerate(matches):
        length = bisect_left(ends, i)
        before.append(at_end[length - 1] if length else None)
        ends[length : length + 1] = [i]
        at_end[length : length + 1] = [number]
    chain: list[tuple[int, int]] = []
    current = at_end[-1] if at_end else None
    while current is not None:
        chain.append(matches[current])
        current = before[current]
    return chain[::-1]


def _split_between(
    anchors: list[tuple[int, int]], a: int, a_end: int, b: int, b_end: int
) -> list[tuple[int, int, int, int]]:
    """Return the anchors, and the parts before, between and after them."""
    parts: list[tuple[int, int, int, int]] = []
    for i, j in anchors:
        parts += [(a, i, b, j), (i, i + 1, j, j + 1)]
        a, b = i + 1, j + 1
    return [*parts, (a, a_end, b, b_end)]


def _pieces(a: int, a_end: int, b: int, b_end: int) -> list[tuple[int, int, int, int]]:
    """Return two long parts cut into pieces at the same fractions of their lengths."""
    count = -(-max(a_end - a, b_end - b) // _PIECE)
    cuts = [(a + (a_end - a) * n // count, b + (b_end - b) * n // count) for n in range(count + 1)]
    return [(i, i_end, j, j_end) for (i, j), (i_end, j_end) in pairwise(cuts)]
