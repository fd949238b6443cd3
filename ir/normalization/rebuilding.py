"""Rebuild operations from blocks, so that all trees with the same text in the layout MERGED become one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.names import Names
from ir.normalization.blocks import Block, FromItem, SelectBlock, SetBlock, conjunction, conjuncts, find_reads
from ir.normalization.plan import Plan
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Distinct, Filter
from ir.operations.join import Pairing
from ir.operations.lateral import lateral_join
from ir.operations.no_columns import NoColumns, drop_columns
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import project
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import SINGLE_ROW
from ir.rewriting import rename_outer_columns, replace


def rebuild(plan: Plan) -> QueryOperation:
    """Return the query whose operations express the clauses of the blocks in order."""
    rebuilder = _Rebuilder(_find_queries_without_names(plan))
    for operation, block in plan.blocks.items():
        rebuilder.done[operation] = rebuilder.tree(block)
    return rebuilder.made(plan.root)


def _find_queries_without_names(plan: Plan) -> set[QueryOperation]:
    """Return the queries that several joins read, all by the places of the columns.

    Such queries that differ in names alone become one where their text is read: ``FROM a JOIN b`` twice, or a query of
    WITH that gives other names to the columns.
    """
    found: set[QueryOperation] = set()
    for operation, block in plan.blocks.items():
        if not isinstance(block, SelectBlock) or plan.uses.get(operation, 0) < 2:
            continue
        if block.is_plain and block.selects_all_columns:
            found.add(operation)
    found.discard(plan.root)
    for operation, block in plan.blocks.items() if found else ():
        if isinstance(block, SelectBlock):
            found.difference_update(read for read, is_relation in find_reads(block) if not is_relation)
        else:
            found.difference_update(block.operands if isinstance(block, SetBlock) else operation.inputs)
            found.difference_update(operation.subqueries)
    return found


class _Rebuilder:
    def __init__(self, without_names: set[QueryOperation]) -> None:
        self.done: dict[QueryOperation, QueryOperation] = {}
        self._without_names = without_names

    def made(self, operation: QueryOperation) -> QueryOperation:
        """Return the new form of an operation that a block reads."""
        return self.done.get(operation, operation)

    def tree(self, block: Block) -> QueryOperation:
        """Return the operations of a block over the new forms of its inputs."""
        match block:
            case SelectBlock():
                tree = self._select(block)
            case SetBlock():
                tree = self._rebuild_set(block)
            case _:
                return self._rebuild_unchanged(block.operation)
        if block.is_cut_or_sorted:
            order = tuple([self._sort_order(key, tree, block) for key in block.order])
            tree = Sort(tree, order, block.offset, block.fetch)
        if isinstance(block, SelectBlock) and block.hidden:
            shown = tree.schema.columns[: len(block.columns)]
            fields = tuple([FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(shown)])
            tree = project(tree, fields, block.operation.schema.names)
        return tree

    def _rebuild_unchanged(self, operation: QueryOperation) -> QueryOperation:
        def changed(part: Any) -> Any:
            return self.made(part) if isinstance(part, QueryOperation) else replace(part, query)

        def query(part: ResolvedExpression) -> ResolvedExpression | None:
            return TableReference(self.made(part.operation)) if isinstance(part, TableReference) else None

        if isinstance(operation, NoColumns):
            # The input from which it drops the columns may have no columns any more.
            return drop_columns(self.made(operation.input))
        return operation.map_parts(changed)

    def _rebuild_set(self, block: SetBlock) -> QueryOperation:
        tree = self.made(block.operands[0])
        for operand, step in zip(block.operands[1:], block.steps, strict=True):
            tree = SetOperation(block.kind, block.all, tree, self.made(operand), step.schema)
        return tree

    def _select(self, block: SelectBlock) -> QueryOperation:
        tree: QueryOperation = SINGLE_ROW
        names_of = self._names_in_from(block)
        for number, (item, names) in enumerate(zip(block.sources, names_of, strict=True)):
            if number or item.is_lateral:
                on = [condition.expression for condition in block.on.get(number, ())]
                tree = self._add_item(tree, item, names, block, on)
            else:
                tree = self._rename(item, names)
        if block.where:
            tree = Filter(
                tree, self._rewrite_over(conjunction([where.expression for where in block.where]), tree, block)
            )
        columns: Sequence[ResolvedExpression] = (*block.columns, *block.hidden)
        if block.grouping is not None:
            tree, columns = self._rebuild_grouping(block, tree)
        unique = Names(block.operation.schema.names)
        hidden = tuple([unique.generate("EXPR$", number) for number in range(len(block.hidden))])
        if block.operation in self._without_names:
            return tree
        names = block.operation.schema.names + hidden
        tree = project(tree, tuple([self._rewrite_over(column, tree, block) for column in columns]), names)
        return Distinct(tree) if block.is_distinct else tree

    def _names_in_from(self, block: SelectBlock) -> list[tuple[str, ...]]:
        """Return the column names of each relation of FROM, unique in FROM and determined by the text alone.

        If two relations have a column of the same name, the text does not show how the operation names them.
        """
        unique = Names([name for item in block.sources if _says_its_names(item) for name in item.names])
        found: list[tuple[str, ...]] = []
        for item in block.sources:
            if _says_its_names(item):
                found.append(item.names)
                continue
            own = _list_own_names(item)
            if item.relation in self._without_names:
                own = self.made(item.relation).schema.names
            elif found and isinstance(item.relation, QueryOperation):
                relation = self.made(item.relation)
                # A join that renames the columns of an aggregation leaves no trace of the old names.
                own = _name_groups(relation) if isinstance(relation, Aggregate) else own
            found.append(tuple([unique.free(name) for name in own]))
        return found

    def _rename(self, item: FromItem, names: tuple[str, ...]) -> QueryOperation:
        assert isinstance(item.relation, QueryOperation)
        relation = self.made(item.relation)
        columns = relation.schema.columns
        fields = tuple([FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(columns)])
        return project(relation, fields, names)

    def _add_item(
        self,
        tree: QueryOperation,
        item: FromItem,
        names: tuple[str, ...],
        block: SelectBlock,
        on: list[ResolvedExpression],
    ) -> QueryOperation:
        assert item.join_type is not None
        if isinstance(item.relation, ResolvedExpression):
            right = self._rewrite_over(item.relation, tree, block)
            condition = None if item.condition is None else self._rewrite_over(item.condition, tree, block, names)
            return lateral_join(tree, right, names, item.join_type, condition)
        relation = self._rename(item, names)

        def rewrite(expression: ResolvedExpression) -> ResolvedExpression:
            return self._rewrite_over(expression, tree, block, relation=relation, place_of=item.place_of)

        conditions = []
        if item.condition is not None:
            own = rewrite(item.condition)
            # One conjunction with the conditions of filters, as the parser reads the text.
            conditions += conjuncts(own) if on else [own]
        conditions += [self._rewrite_over(condition, tree, block, relation=relation) for condition in on]
        condition = conjunction(conditions) if conditions else None
        assert isinstance(item.operation, Pairing)
        return item.operation.over(tree, relation, condition, rewrite)

    def _rewrite_over(
        self,
        root: ResolvedExpression,
        tree: QueryOperation,
        block: SelectBlock,
        names: tuple[str, ...] = (),
        relation: QueryOperation | None = None,
        place_of: Callable[[FieldReference], int] = attrgetter("index"),
    ) -> ResolvedExpression:
        """Return an expression over a tree and, with a second input, over its columns after those of the tree.

        ``place_of`` returns the position among all these columns of a column in the expression.
        """
        columns = tree.schema.columns
        width = len(columns)
        every = (*tree.schema.names, *(names if relation is None else relation.schema.names))

        def find(part: ResolvedExpression) -> ResolvedExpression | None:
            if isinstance(part, FieldReference):
                place = place_of(part)
                if place < width:
                    column = columns[place]
                    return FieldReference(column.name, column.data_type, 0, place)
                index = place - width
                if relation is None:
                    return FieldReference(names[index], part.type_, 1, index)
                column = relation.schema.columns[index]
                return FieldReference(column.name, column.data_type, 1, index)
            if isinstance(part, TableReference):
                given = block.outer.get(part.operation, {})
                called = {name: every[field.index] for name, field in given.items()}
                renamed = {name: new for name, new in called.items() if name != new}
                return TableReference(rename_outer_columns(self.made(part.operation), renamed))
            return None

        return replace(root, find)

    def _rebuild_grouping(
        self, block: SelectBlock, tree: QueryOperation
    ) -> tuple[QueryOperation, Sequence[ResolvedExpression]]:
        """Return the aggregation with its HAVING, its aggregates in the order of their use, and the columns over it."""
        grouping = block.grouping
        assert grouping is not None
        count = len(grouping.keys)
        having = [condition.expression for condition in block.having]
        used = _references([*block.columns, *block.hidden, *having])
        kept = [*range(count), *[index for index in used if index >= count]]
        unique = Names()
        chosen: dict[int, str] = {}
        for column, name in zip(block.columns, block.operation.schema.names, strict=True):
            if isinstance(column, FieldReference) and column.index not in chosen:
                chosen[column.index] = name
                unique.take(name)
        names = tuple([chosen.get(i) or unique.generate("EXPR$", position) for position, i in enumerate(kept)])
        expressions = [self._rewrite_over(grouping.expressions[i], tree, block) for i in kept]
        tree = Aggregate(tree, tuple(expressions[:count]), tuple(expressions[count:]), names, grouping.sets)
        columns = tree.schema.columns
        outputs = {
            i: FieldReference(c.name, c.data_type, 0, position)
            for position, (i, c) in enumerate(zip(kept, columns, strict=True))
        }

        def find(part: ResolvedExpression) -> ResolvedExpression | None:
            return outputs[part.index] if isinstance(part, FieldReference) else None

        if having:
            condition = conjunction([replace(condition, find) for condition in having])
            tree = Filter(tree, self._rewrite_over(condition, tree, block))
        return tree, tuple([replace(column, find) for column in (*block.columns, *block.hidden)])

    def _sort_order(self, key: SortOrder, tree: QueryOperation, block: Block) -> SortOrder:
        columns = tree.schema.columns

        def find(part: ResolvedExpression) -> ResolvedExpression | None:
            if isinstance(part, FieldReference):
                return FieldReference(columns[part.index].name, columns[part.index].data_type, 0, part.index)
            if isinstance(part, TableReference):
                return TableReference(self.made(part.operation))
            return None

        return SortOrder(replace(key.expression, find), key.ascending, key.nulls_first)


def _says_its_names(item: FromItem) -> bool:
    """Whether the text shows the column names beside the relation, as it does for a table function."""
    return item.is_lateral and not isinstance(item.relation, TableReference)


def _list_own_names(item: FromItem) -> tuple[str, ...]:
    return item.relation.operation.schema.names if isinstance(item.relation, TableReference) else item.own_names


def _name_groups(operation: Aggregate) -> tuple[str, ...]:
    """Return column names of an aggregation that do not depend on the names that it has."""
    keys = [key.name if isinstance(key, FieldReference) else f"EXPR${i}" for i, key in enumerate(operation.group_keys)]
    return (*keys, *[f"EXPR${i}" for i in range(len(keys), len(operation.names))])


def _references(roots: list[ResolvedExpression]) -> list[int]:
    """Return the columns to which expressions refer, in the order of the first references."""
    found: dict[int, None] = {}
    seen: set[ResolvedExpression] = set()
    stack = list(reversed(roots))
    while stack:
        part = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, FieldReference):
            found[part.index] = None
        stack.extend(reversed(part.children))
    return list(found)
