"""Folding of joins: decide which relations and conditions share the FROM of one SELECT."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from ir.call_expressions import Call
from ir.column_references import ChosenColumns, ColumnReferences, column_references
from ir.contents import CHANGING, COLUMN, OUTER, QUERY
from ir.expressions import FieldReference, Lambda, ResolvedExpression, SortOrder, contents_of
from ir.identifiers import fold as fold_name
from ir.names import Names
from ir.normalization.blocks import Block, Condition, FromItem, SelectBlock, SingleOperationBlock
from ir.normalization.plan import Blocks, is_leaf, select_all_columns
from ir.operations.join import Join, JoinType, Pairing
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import Project
from ir.operations.source import SINGLE_ROW
from ir.rewriting import replace
from ir.types import LogicalType

# The most relations in one FROM: more are hard to read, and each further one costs as much as all before it.
_MOST_RELATIONS = 30


class Joins(Blocks):
    """Makes the blocks of joins."""

    def _side(self, input: QueryOperation, *, is_optional: bool, alone: bool, has_query: bool) -> SelectBlock:
        """Return the block of ``input`` if the join can take over its relations and conditions, or a new block."""
        block = self._find_own_block(input) or self._renamed_leaf(input)
        if block is None and input in self.blocks:
            block = self._copy_tables(input)
        if (
            isinstance(block, SelectBlock)
            and block.is_plain
            and 0 < len(block.sources) < _MOST_RELATIONS
            and not (alone and (len(block.sources) > 1 or block.sources[0].is_lateral))
            and not (block.where and (is_optional or self._is_special(block.where)))
            and not has_query
        ):
            self._take(input)
            return block
        return select_all_columns(input)

    def _renamed_leaf(self, operation: QueryOperation) -> SelectBlock | None:
        """Return a copy of the block of a renamed leaf: the text of a join does not show the names of its columns."""
        if operation in self._selected or not isinstance(operation, Project) or not operation.is_renaming():
            return None
        if not is_leaf(operation.input):
            return None
        block = self.blocks.get(operation)
        return block.copy() if isinstance(block, SelectBlock) else None

    def _right_side(
        self, input: QueryOperation, left: SelectBlock, *, is_optional: bool, has_query: bool
    ) -> SelectBlock:
        """Return the block of the right side, without the names that the join gives to columns of equal names.

        The relation keeps its own names: in the text, qualifiers distinguish the columns of both sides.
        """
        block = self._find_own_block(input)
        side = self._side(input, is_optional=is_optional, alone=True, has_query=has_query)
        if side is block or not isinstance(block, SelectBlock) or not isinstance(input, Project):
            return side
        relation = input.input
        # A leaf has nothing to fold, and an operation in the blocks still has other readers.
        if not input.is_renaming() or is_leaf(relation) or relation in self.blocks or input.contents & OUTER:
            return side
        shown = {fold_name(name) for item in left.sources for name in item.own_names}
        if not any(fold_name(name) in shown for name in relation.schema.names):
            return side
        del self.blocks[input]
        block.operation = relation
        if block.computed_by is input:
            block.computed_by = relation
        block.order = tuple([_rename_sort_key(key, relation.schema.names) for key in block.order])
        self.blocks[relation] = block
        fields = column_references(input.schema)
        return SelectBlock(input, [FromItem(relation, input.names)], fields, fields)

    def _add_conditions(self, block: SelectBlock, conditions: list[Condition]) -> None:
        """Add each condition of a filter to the ON clause of an inner join or, if none can take it, to WHERE."""
        if len(block.sources) == 1 or contents_of(c.expression for c in conditions) & CHANGING:
            block.where += conditions
            return
        ends = list(accumulate([len(item.names) for item in block.sources]))
        barrier: int | None = None
        for condition in conditions:
            place = _find_join(condition.expression, ends)
            if place and barrier is None:
                barrier = _find_last_barrier(block.sources)
            # An ON clause below the barrier would drop rows that the join there has to see.
            if barrier is not None and place > barrier and _is_inner_join(block.sources[place]):
                block.on.setdefault(place, []).append(condition)
            else:
                block.where.append(condition)

    def _is_special(self, conditions: list[Condition]) -> bool:
        """Whether conditions have to stay where they are: nondeterministic ones, or ones with subqueries."""
        return bool(contents_of(c.expression for c in conditions) & (CHANGING | QUERY | OUTER))

    def _join(self, operation: Pairing) -> Block:
        if SINGLE_ROW in operation.inputs:
            return SingleOperationBlock(operation)
        has_query = operation.condition is not None and bool(operation.condition.contents & QUERY)
        first = operation.sides_where_filter_matters
        # Both sides of a self-join read one query of WITH.
        is_self_join = operation.left in (operation.right, *operation.right.inputs)
        left = self._side(operation.left, is_optional=first[0], alone=is_self_join, has_query=has_query)
        right = self._right_side(operation.right, left, is_optional=first[1], has_query=has_query)
        source, width = right.sources[0], len(left.fields)
        as_they_are = is_as_it_is(left, operation.left) and is_as_it_is(right, operation.right)
        names = source.names if as_they_are else unique_beside(source.names, left)
        # The positions in FROM of the columns of both sides.
        places = (places_of(left), [width + place for place in places_of(right)])
        if as_they_are:
            fields = column_references(operation.schema)
        else:
            sides = zip((left.fields.types, right.fields.types), operation.nullable_sides, strict=True)
            types = [type_ for side, is_nullable in sides for type_ in nullable_side(side, is_nullable)]
            fields = ColumnReferences((*left.fields.names, *names), types)

        def of_right(part: ResolvedExpression) -> ResolvedExpression | None:
            return fields.at(width + part.index) if isinstance(part, FieldReference) else None

        if operation.subqueries:
            columns = [fields.at(place) for side in places for place in side]
            left.outer.update(self._outer_of_join(operation, columns))
        left.sources.append(
            FromItem(source.relation, names, operation.join_type, operation.condition, operation, places)
        )
        left.where += [Condition(replace(c.expression, of_right), c.operation) for c in right.where]
        left.fields = left.columns = fields
        if not as_they_are:
            chosen = [*places[0], *places[1]]
            if chosen != list(range(len(fields))):
                left.columns = ChosenColumns(fields, chosen)
        return left

    def _outer_of_join(
        self, operation: Pairing, columns: Sequence[FieldReference]
    ) -> dict[QueryOperation, dict[str, FieldReference]]:
        from ir.operations.outer_references import outer_references

        found: dict[QueryOperation, dict[str, FieldReference]] = {}
        for query in operation.subqueries:
            names = {}
            for reference in outer_references(query):
                index = operation.schema.index_of(reference.name)
                assert index is not None, "resolution found it"
                names[reference.name] = columns[index]
            found[query] = names
        return found

    def _lateral_join(self, operation: LateralJoin) -> Block:
        query = operation.right if isinstance(operation.right, TableReference) else None
        special = bool(operation.right.contents & CHANGING) or (
            operation.condition is not None and bool(operation.condition.contents & QUERY)
        )
        if operation.input is SINGLE_ROW:
            block = select_all_columns(operation.input)
        else:
            block = self._side(operation.input, is_optional=query is not None, alone=False, has_query=special)
            if query is not None and unique_beside(operation.names, block) != operation.names:
                self.blocks[operation.input] = block
                block = select_all_columns(operation.input)
        (right,) = self._substitution.over(block, [operation.right])
        names = unique_beside(operation.names, block)
        width = len(block.fields)
        fields = ColumnReferences((*block.fields.names, *names), (*block.fields.types, *operation.right_schema.types))
        ours = fields[width:]
        sides = (block.columns, ours)

        def of_both(part: ResolvedExpression) -> ResolvedExpression | None:
            return sides[part.input_index][part.index] if isinstance(part, FieldReference) else None

        condition = None if operation.condition is None else replace(operation.condition, of_both)
        block.sources.append(FromItem(right, names, operation.join_type, condition, operation))
        block.fields = fields
        block.columns = (*block.columns, *ours)
        return block


def _find_join(condition: ResolvedExpression, ends: Sequence[int]) -> int:
    """Return the position of the last relation to which a condition refers, 0 if ON cannot hold the condition.

    Spark refuses some subqueries in ON, adds a join for outer references there, and plans user-defined functions best
    above the join. It compares collated strings by their sort keys in ON, and directly in WHERE. ``ends`` are the
    numbers of columns up to each relation.
    """
    if condition.contents & ~COLUMN:
        return 0
    first, last = len(ends), 0
    parts, seen = [condition], {condition}
    # Most conditions pass through here, so the loop avoids a function call for each part.
    for part in parts:
        if type(part) is FieldReference:
            if part.type_.has_collation:
                return 0
            place = bisect_right(ends, part.index)
            first, last = (place if place < first else first), (place if place > last else last)
        elif type(part) is Call:
            if not part.function.is_built_in or part.type_.has_collation:
                return 0
            parts += [argument for argument in part.arguments if argument not in seen]
            seen.update(part.arguments)
        elif type(part) is Lambda:
            return 0
        else:
            parts += part.children
    return last if first < last else 0


def _find_last_barrier(sources: list[FromItem]) -> int:
    """Return the position of the last relation whose join must see all rows before it, 0 if there is none."""
    first = 0
    for place, item in enumerate(sources):
        if place and not _is_inner_join(item) and _must_see_all_rows(item):
            first = place
    return first


def _must_see_all_rows(item: FromItem) -> bool:
    """Whether a condition on preceding relations must not drop rows before this item."""
    if isinstance(item.relation, ResolvedExpression):
        return bool(item.relation.contents & CHANGING)
    return isinstance(item.operation, Pairing) and item.operation.sides_where_filter_matters[0]


def _is_inner_join(item: FromItem) -> bool:
    return item.join_type is JoinType.INNER and type(item.operation) is Join


def _rename_sort_key(key: SortOrder, names: tuple[str, ...]) -> SortOrder:
    """Return a sort key with new names for the columns of the SELECT list; hidden columns have no names."""

    def named(part: ResolvedExpression) -> ResolvedExpression | None:
        if isinstance(part, FieldReference) and part.index < len(names):
            return FieldReference(names[part.index], part.type_, 0, part.index)
        return None

    return SortOrder(replace(key.expression, named), key.ascending, key.nulls_first)


# --- columns of both sides --------------------------------------------------------------------------------------------


def unique_beside(names: tuple[str, ...], block: SelectBlock) -> tuple[str, ...]:
    """Return names for further columns of FROM that are unique in it, close to the given ones."""
    taken = Names(block.fields.names)
    if all(taken.is_free(name) for name in names):
        # The names within one relation are already unique.
        return names
    return tuple([taken.free(name) for name in names])


def nullable_side(types: Sequence[LogicalType], is_nullable: bool) -> Sequence[LogicalType]:
    """Return the types of a side of a join, made nullable if ``is_nullable``."""
    return [type_.as_nullable() for type_ in types] if is_nullable else types


def is_as_it_is(block: SelectBlock, operation: QueryOperation) -> bool:
    """Whether the columns of a block are all columns of FROM in order, under the names of its operation."""
    return block.columns is block.fields is column_references(operation.schema)


def places_of(block: SelectBlock) -> Sequence[int]:
    """Return the positions in FROM of the columns of a block without computed columns."""
    if block.columns is block.fields:
        return range(len(block.fields))
    if isinstance(block.columns, ChosenColumns):
        return block.columns.places
    return [column.index for column in block.columns if isinstance(column, FieldReference)]
