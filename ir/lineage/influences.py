"""The kinds of influence of one column on another, and how they combine along a path.

The kinds are those of OpenLineage's ColumnLineageDatasetFacet
(https://openlineage.io/docs/spec/facets/dataset-facets/column_lineage_facet). A set of kinds is an integer of bits, so
that sets combine by table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache


class Influence(Enum):
    """How a column influences another one, or the rows of a query.

    The first three are direct: the value is computed from the column. The others are indirect: the column decides
    whether, when or in which order a value occurs.
    """

    IDENTITY = "identity"
    TRANSFORMATION = "transformation"
    AGGREGATION = "aggregation"
    JOIN = "join"
    FILTER = "filter"
    GROUP = "group"
    SORT = "sort"
    WINDOW = "window"
    CONDITIONAL = "conditional"

    @property
    def is_direct(self) -> bool:
        """Whether the value is computed from the column."""
        return self in _DIRECT

    @property
    def bit(self) -> int:
        """The influence in a set of bits."""
        return _BITS[self]


_DIRECT = (Influence.IDENTITY, Influence.TRANSFORMATION, Influence.AGGREGATION)
_BITS = {influence: 1 << position for position, influence in enumerate(Influence)}
_DIRECT_BITS = sum(influence.bit for influence in _DIRECT)


def bits_of(influences: Iterable[Influence]) -> int:
    """Return a set of influences as bits."""
    found = 0
    for influence in influences:
        found |= influence.bit
    return found


def influences_in(bits: int) -> Iterator[Influence]:
    """Yield the influences in a set of bits, the direct ones first.

    >>> list(influences_in(Influence.FILTER.bit | Influence.IDENTITY.bit))
    [<Influence.IDENTITY: 'identity'>, <Influence.FILTER: 'filter'>]
    """
    for influence, bit in _BITS.items():
        if bits & bit:
            yield influence


@cache
def combine(outer: Influence, inner: Influence) -> Influence:
    """Return the influence of a column on a result through a value between them.

    Of two direct influences, the stronger one counts: an aggregation of a copy is an aggregation. An indirect influence
    on the way to the result stays what it is.

    Args:
        outer: the influence of the value on the result.
        inner: the influence of the column on the value.

    >>> combine(Influence.AGGREGATION, Influence.IDENTITY)
    <Influence.AGGREGATION: 'aggregation'>
    >>> combine(Influence.IDENTITY, Influence.FILTER)
    <Influence.FILTER: 'filter'>
    >>> combine(Influence.JOIN, Influence.AGGREGATION)
    <Influence.JOIN: 'join'>
    """
    if not outer.is_direct:
        return outer
    if not inner.is_direct:
        return inner
    return max(outer, inner, key=_DIRECT.index)


@cache
def combine_bits(outer: int, inner: int) -> int:
    """Return the influences that ``combine`` returns for each pair from two sets of bits."""
    return bits_of(combine(first, second) for first in influences_in(outer) for second in influences_in(inner))
