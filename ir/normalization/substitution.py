"""Substitution: rewrite expressions over the columns of an operation to the expressions that compute these."""

from __future__ import annotations

from collections.abc import Sequence

from ir.call_expressions import Call
from ir.calls import Clauses, call
from ir.contents import CHANGING, QUERY
from ir.errors import TableException, ValidationException
from ir.expressions import FieldReference, ResolvedExpression
from ir.inference.collations import has_column_strength
from ir.normalization.blocks import SelectBlock
from ir.normalization.facts import FactCache, count_column_uses, has_more_parts
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.resolution.expected_types import can_expect_type
from ir.rewriting import replace, replace_children

# Spark's parser and optimizer recurse; the default stack allows 400 operators and 150 calls.
_MAX_DEPTH = 40
# A condition may repeat an expression of the SELECT list up to this size.
_MAX_REPEATED = 12
# So many parts the text of an aggregate or a key may have in one SELECT, in all the places where it stands.
_MOST_PARTS_OF_GROUPS = 3 * _MAX_REPEATED


class Unfoldable(Exception):
    """Raised if an operation cannot join the block of its input."""


class Substitution:
    """Rewrites expressions over the columns of a block to the expressions that the block computes."""

    def __init__(self, facts: FactCache) -> None:
        self._facts = facts

    def over(
        self, block: SelectBlock, expressions: list[ResolvedExpression], *, repeats: bool = False
    ) -> list[ResolvedExpression]:
        """Return the expressions over the columns of FROM, or over the grouping, of a block.

        ``repeats`` says that the columns stay beside the expressions, so that the text of the columns is repeated.

        Raises:
            Unfoldable: an expression would be computed more often, or would have another meaning.
        """
        for expression in expressions:
            self._require_outer(block, expression)
        if block.columns is block.fields and block.grouping is None:
            # The columns are all columns of FROM in their order.
            return list(expressions)
        computed = [e for e in expressions if not isinstance(e, FieldReference)]
        if self.all_plain(block):
            return [replace(e, lambda part: _column(block, part)) for e in expressions]
        counts = count_column_uses(expressions)
        for index, count in counts.items():
            self._require_cheap(block, index, count, repeats)
        inside = count_column_uses(computed) if len(computed) < len(expressions) else counts
        for index in inside:
            column = block.columns[index]
            if not isinstance(column, FieldReference) and self._facts(column).is_constant:
                raise Unfoldable("what Spark makes of a constant depends on where it stands")
            if can_expect_type(column):
                raise Unfoldable("the type of a call would follow from what stands around it")
            self.require_weight(block, column)
        made = [rebuild_over_columns(e, block.columns) for e in expressions]
        for expression, old in zip(made, expressions, strict=True):
            depth = self._facts(expression).depth
            if depth > _MAX_DEPTH and depth > self._facts(old).depth:
                raise Unfoldable("the expression would be too deep for Spark")
        return made

    @staticmethod
    def all_plain(block: SelectBlock) -> bool:
        """Whether every column of a block is a column of its relations."""
        return block.grouping is None and not block.computes

    @staticmethod
    def require_weight(block: SelectBlock, column: ResolvedExpression) -> None:
        """Refuse a column whose expression has an explicit or default collation where a column has an implicit one."""
        if block.grouping is not None and isinstance(column, FieldReference):
            column = block.grouping.expressions[column.index]
        if not has_column_strength(column):
            raise Unfoldable("the collation of a column gives way to one that is given beside it")

    def _require_cheap(self, block: SelectBlock, index: int, count: int, repeats: bool) -> None:
        column = block.columns[index]
        grouping = block.grouping
        is_group = grouping is not None and isinstance(column, FieldReference)
        if grouping is not None and isinstance(column, FieldReference):
            column = grouping.expressions[column.index]
        if isinstance(column, FieldReference):
            return
        if repeats:
            if count > 2 or not self.is_short(column):
                raise Unfoldable("work would be written again")
        elif count > 1 and not (is_group and self.is_short(column) and self._is_short_in_all(column, count)):
            # Spark computes a key or aggregate once, even if one SELECT repeats it.
            raise Unfoldable("work would be written twice")

    def is_short(self, column: ResolvedExpression) -> bool:
        """Whether the expression of a column is short and cheap enough to be repeated."""
        facts = self._facts(column)
        if facts.is_costly or column.contents & CHANGING or facts.size > _MAX_REPEATED:
            return False
        return not has_more_parts(column, _MAX_REPEATED)

    def _is_short_in_all(self, column: ResolvedExpression, count: int) -> bool:
        """Whether the expression of a column is short even if it is written at each of its uses."""
        return count * self._facts(column).size <= _MOST_PARTS_OF_GROUPS

    def _require_outer(self, block: SelectBlock, expression: ResolvedExpression) -> None:
        """Record the names by which the subqueries of an expression refer to the columns of a block."""
        if not expression.contents & QUERY:
            return
        found: dict[QueryOperation, dict[str, FieldReference]] = {}
        for part in expression.walk():
            if not isinstance(part, TableReference):
                continue
            names: dict[str, FieldReference] = {}
            for reference in outer_references(part.operation):
                index = block.operation.schema.index_of(reference.name)
                column = None if index is None else block.columns[index]
                if not isinstance(column, FieldReference) or block.grouping is not None:
                    raise Unfoldable("a subquery refers to what is computed here")
                names[reference.name] = column
            if block.outer.get(part.operation, names) != names:
                raise Unfoldable("the same subquery refers to different columns")
            found[part.operation] = names
        block.outer.update(found)


def rebuild_over_columns(root: ResolvedExpression, columns: Sequence[ResolvedExpression]) -> ResolvedExpression:
    """Replace the columns of an expression, and make every call again in its canonical form over the new arguments.

    Raises:
        Unfoldable: a call would have another type.
    """
    done: dict[ResolvedExpression, ResolvedExpression] = {}
    for part in root.walk():
        if isinstance(part, FieldReference):
            done[part] = columns[part.index]
            continue
        children = tuple([done[child] for child in part.children])
        done[part] = part if children == part.children else _rebuild_part(part, children)
    return done[root]


def _column(block: SelectBlock, part: ResolvedExpression) -> ResolvedExpression | None:
    return block.columns[part.index] if isinstance(part, FieldReference) else None


def _rebuild_part(part: ResolvedExpression, children: tuple[ResolvedExpression, ...]) -> ResolvedExpression:
    made = replace_children(part, children)
    if not isinstance(part, Call) or not isinstance(made, Call) or not part.function.is_built_in:
        return made
    if made.order_by or made.filter is not None:
        return made
    try:
        again = call(made.function, made.arguments, Clauses.of(made))
    except (ValidationException, TableException) as error:
        raise Unfoldable(str(error)) from None
    if again.data_type != part.data_type:
        raise Unfoldable("the expression would have another type")
    return again
