"""Joins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from ir import light_attrs as attrs
from ir.expressions import ResolvedExpression
from ir.light_typing import TYPE_CHECKING, ClassVar
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation, both_sides
from ir.schema import Column, ResolvedSchema

if TYPE_CHECKING:
    from typing_extensions import Self


class JoinType(Enum):
    """Which unmatched rows a join keeps."""

    INNER = "INNER"
    LEFT_OUTER = "LEFT OUTER"
    RIGHT_OUTER = "RIGHT OUTER"
    FULL_OUTER = "FULL OUTER"

    @property
    def left_is_optional(self) -> bool:
        """Whether the left part of an output row may be missing."""
        return self in (JoinType.RIGHT_OUTER, JoinType.FULL_OUTER)

    @property
    def right_is_optional(self) -> bool:
        """Whether the right part of an output row may be missing."""
        return self in (JoinType.LEFT_OUTER, JoinType.FULL_OUTER)


@attrs.frozen
class JoinClause(attrs.Slotted):
    """A clause after the right side of a join: its keyword, expression, and the noun of the expression in sentences.

    Some keywords take the expression in parentheses.
    """

    keyword: str
    expression: ResolvedExpression
    noun: str
    has_parentheses: bool = False


@node
class Pairing(QueryOperation):
    """Pairs of rows of ``left`` and ``right``: a join whose right side does not refer to the left.

    In the expression that selects the pairs, a field reference with input index 0 is a column of ``left``, one with
    input index 1 a column of ``right``.
    """

    left: QueryOperation
    right: QueryOperation
    join_type: JoinType
    condition: ResolvedExpression | None

    keyword: ClassVar[str] = "JOIN"
    """The word before the right side in SQL, after the type."""
    condition_noun: ClassVar[str] = "condition"
    """The name of the condition in sentences."""

    @property
    def takes_outer_references(self) -> bool:
        return True

    def column_below(self, index: int) -> tuple[QueryOperation, int] | None:
        width = len(self.left.schema)
        return (self.left, index) if index < width else (self.right, index - width)

    @property
    def clauses(self) -> tuple[JoinClause, ...]:
        """The clauses after the right side in SQL, without an ON that has no condition."""
        return () if self.condition is None else (JoinClause("ON", self.condition, self.condition_noun),)

    @property
    def nullable_sides(self) -> tuple[bool, bool]:
        """For each side, whether the join makes its columns nullable."""
        return (self.join_type.left_is_optional, self.join_type.right_is_optional)

    @property
    def sides_where_filter_matters(self) -> tuple[bool, bool]:
        """For each side, whether a filter on it gives another result below the join than above the join."""
        return self.nullable_sides

    def over(
        self,
        left: QueryOperation,
        right: QueryOperation,
        condition: ResolvedExpression | None,
        rewrite: Callable[[ResolvedExpression], ResolvedExpression],
    ) -> Self:
        """Return the same join of other sides with a condition over them; ``rewrite`` does the same with the rest."""
        return self.evolve(left=left, right=right, condition=condition)

    def _columns_of_both(self) -> ResolvedSchema:
        def side(operation: QueryOperation, optional: bool) -> tuple[Column, ...]:
            columns = operation.schema.columns
            if not optional:
                return columns
            return tuple([c.as_nullable() for c in columns])

        return ResolvedSchema(
            side(self.left, self.join_type.left_is_optional) + side(self.right, self.join_type.right_is_optional)
        )


@node
class Join(Pairing):
    """Pairs of rows for which ``condition`` is TRUE, or all pairs without a condition."""

    inputs: tuple[QueryOperation, ...] = both_sides()
    schema: ResolvedSchema = computed_field(lambda self: self._columns_of_both())

    title: ClassVar[str] = "Join"
    noun: ClassVar[str] = "join"

    def refused_recursion(self, reads: Sequence[bool]) -> str | None:
        for side, may_lack, is_read in zip(("left", "right"), self.nullable_sides, reads, strict=False):
            if may_lack and is_read:
                return f"on the {side} side of a {self.join_type.value} JOIN, whose rows a pair may lack"
        return super().refused_recursion(reads)

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        return () if self.condition is None else (self.condition,)

    def describe(self) -> str:
        condition = "true" if self.condition is None else self.condition.as_summary_string()
        return f"(joinType: [{self.join_type.name}], condition: [{condition}])"
