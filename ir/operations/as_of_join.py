"""Joins of each row with the row of another relation that was valid at its time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from ir.call_expressions import Call
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression
from ir.nodes import computed_field, node
from ir.operations.join import JoinClause, JoinType, Pairing
from ir.operations.operation import QueryOperation, StreamLimit, both_sides
from ir.schema import ResolvedSchema

if TYPE_CHECKING:
    from typing_extensions import Self

_TYPES = (JoinType.INNER, JoinType.LEFT_OUTER)


@node
class AsOfJoin(Pairing):
    """Each row of ``left`` with the row of ``right`` that is closest to it by ``match``.

    ``match`` is a comparison of a value of the left row with one of the right row. Among the right rows for which it
    and the ``condition`` are TRUE, the one with the closest value is taken: the greatest value for ``>=`` and ``>``,
    the least for ``<=`` and ``<``. Of several rows with that value, Spark takes any. A left outer join keeps left rows
    without such a row.
    """

    match: Call
    inputs: tuple[QueryOperation, ...] = both_sides()
    schema: ResolvedSchema = computed_field(lambda self: self._columns_of_both())

    title: ClassVar[str] = "AsOfJoin"
    noun: ClassVar[str] = "as-of join"
    keyword: ClassVar[str] = "ASOF JOIN"
    feature: ClassVar[str | None] = "ASOF JOIN"
    sql_clause: ClassVar[str] = "ASOF JOIN"
    replacement: ClassVar[str] = "Number the pairs with ROW_NUMBER over a window, and filter by the number."

    def _columns_of_both(self) -> ResolvedSchema:
        if self.join_type not in _TYPES:
            raise ValidationException(f"An as-of join is INNER or LEFT OUTER, and not {self.join_type.value}.")
        return super()._columns_of_both()

    @property
    def clauses(self) -> tuple[JoinClause, ...]:
        return (JoinClause("MATCH_CONDITION", self.match, "match condition", True), *super().clauses)

    def over(
        self,
        left: QueryOperation,
        right: QueryOperation,
        condition: ResolvedExpression | None,
        rewrite: Callable[[ResolvedExpression], ResolvedExpression],
    ) -> Self:
        return self.evolve(left=left, right=right, condition=condition, match=rewrite(self.match))

    @property
    def takes_outer_references(self) -> bool:
        return False

    @property
    def hides_outer_query(self) -> bool:
        return True

    @property
    def sides_where_filter_matters(self) -> tuple[bool, bool]:
        return False, True

    @property
    def stream_limit(self) -> StreamLimit | None:
        return _LIMIT if self.right.is_unbounded else None

    def describe(self) -> str:
        condition = "true" if self.condition is None else self.condition.as_summary_string()
        match = self.match.as_summary_string()
        return f"(joinType: [{self.join_type.name}], match: [{match}], condition: [{condition}])"


_LIMIT = StreamLimit(
    "The closest row of a stream is never known: a closer one may come at any later time.",
    "Join a stream as of the values of a table, which is then the right side.",
)
