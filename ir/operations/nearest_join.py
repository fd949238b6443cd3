"""Joins of each row with the nearest rows of another relation."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from ir.errors import ValidationException
from ir.expressions import ResolvedExpression
from ir.nodes import computed_field, node
from ir.operations.join import JoinClause, JoinType, Pairing
from ir.operations.operation import QueryOperation, StreamLimit, both_sides
from ir.schema import ResolvedSchema

MOST_NEAREST = 100_000
"""The maximal number of nearest rows."""
_TYPES = (JoinType.INNER, JoinType.LEFT_OUTER)


class Measure(Enum):
    """Whether a ranking measures the distance or the similarity of two rows."""

    DISTANCE = "DISTANCE"
    SIMILARITY = "SIMILARITY"


class Search(Enum):
    """Whether the engine must find the nearest rows exactly or may approximate them."""

    EXACT = "EXACT"
    APPROX = "APPROX"


@node
class NearestJoin(Pairing):
    """Each row of ``left`` with the ``count`` rows of ``right`` of the least or the greatest ranking.

    The ranking is the ``condition``, an expression of any orderable type. Pairs with a NULL ranking are ignored. A
    left outer join keeps rows without a pair. All columns are nullable, as in Spark.
    """

    count: int
    measure: Measure
    search: Search
    inputs: tuple[QueryOperation, ...] = both_sides()
    schema: ResolvedSchema = computed_field(lambda self: self._columns_of_both())

    title: ClassVar[str] = "NearestJoin"
    noun: ClassVar[str] = "join with the nearest rows"
    condition_noun: ClassVar[str] = "ranking"
    feature: ClassVar[str | None] = "EXACT NEAREST BY DISTANCE"
    sql_clause: ClassVar[str] = "a join by NEAREST"
    replacement: ClassVar[str] = "Number the pairs with ROW_NUMBER over a window, and filter by the number."
    stream_limit: ClassVar[StreamLimit | None] = StreamLimit(
        "Spark has no NEAREST for a stream.",
        "Join by equal columns, such as the tile of a map, and take the nearest row of each with MIN_BY.",
        "NEAREST_BY_JOIN.STREAMING_NOT_SUPPORTED",
    )

    def _columns_of_both(self) -> ResolvedSchema:
        if self.join_type not in _TYPES:
            raise ValidationException(
                f"A {self.join_type.value} JOIN has no NEAREST, which is for JOIN and LEFT JOIN alone.",
                condition="NEAREST_BY_JOIN.UNSUPPORTED_JOIN_TYPE",
            )
        if not 1 <= self.count <= MOST_NEAREST:
            raise ValidationException(
                f"NEAREST takes 1 to {MOST_NEAREST} rows, but is asked for {self.count}.",
                condition="NEAREST_BY_JOIN.NUM_RESULTS_OUT_OF_RANGE",
            )
        both = self.left.schema.columns + self.right.schema.columns
        return ResolvedSchema(tuple([column.as_nullable() for column in both]))

    @property
    def ranking(self) -> ResolvedExpression:
        """The expression that ranks a pair of rows."""
        assert self.condition is not None, "there is no such join without one"
        return self.condition

    @property
    def hides_outer_query(self) -> bool:
        return True

    @property
    def nullable_sides(self) -> tuple[bool, bool]:
        return True, True

    @property
    def sides_where_filter_matters(self) -> tuple[bool, bool]:
        return False, True

    @property
    def clauses(self) -> tuple[JoinClause, ...]:
        return (JoinClause(self._keywords, self.ranking, self.condition_noun),)

    @property
    def _keywords(self) -> str:
        return f"{self.search.value} NEAREST {self.count} BY {self.measure.value}"

    def describe(self) -> str:
        ranking = self.ranking.as_summary_string()
        return f"(joinType: [{self.join_type.name}], nearest: [{self._keywords} {ranking}])"
