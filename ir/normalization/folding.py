"""Folding: decide which operations one SELECT expresses together.

An operation joins the block of its input if the clauses of a SELECT have the same meaning in the order in which they
take effect (FROM, WHERE, GROUP BY, HAVING, SELECT, DISTINCT, ORDER BY, LIMIT), and no work is repeated. An operation
with several readers is a block of its own, so that the text is linear in the number of distinct operations. Only a list
of tables is copied for each reader.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from ir.call_expressions import Call, Over
from ir.column_references import column_references
from ir.contents import CHANGING, OUTER, OVER, QUERY, TIME_WINDOW, UNBOUNDED, WINDOW_TIME
from ir.equivalence import Equivalents
from ir.expressions import FieldReference, ResolvedExpression, SortOrder, contents_of
from ir.functions.aggregate import KEY_FUNCTIONS
from ir.functions.time_window import multiplies_rows
from ir.identifiers import fold as fold_name
from ir.normalization.blocks import (
    Block,
    Condition,
    Grouping,
    SelectBlock,
    SetBlock,
    SingleOperationBlock,
    conjuncts,
)
from ir.normalization.facts import calls_spark_sql, count_column_uses, refers_besides
from ir.normalization.joins import Joins
from ir.normalization.plan import Plan, find_twins, is_leaf, select_all_columns
from ir.normalization.substitution import Unfoldable, rebuild_over_columns
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Distinct, Filter
from ir.operations.join import Pairing
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import Project
from ir.operations.semi_join import find_semi_join
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.operations.source import SINGLE_ROW
from ir.relation_names import NO_NAMES, RelationNames
from ir.rewriting import replace
from ir.runtime_errors import may_fail
from ir.types import DoubleType, FloatType


def fold(
    root: QueryOperation,
    names: RelationNames = NO_NAMES,
    *,
    sorts_groups_of_having: bool = True,
    sorts_by_hidden_keys: bool = True,
) -> Plan:
    """Return the plan of a query, with its SELECT blocks.

    Args:
        root: the query.
        names: the names that a person gave in its text. A query with a name keeps its SELECT where Spark's optimizer
            would not join it with the one around it either, so that the plan is that of the text.
        sorts_groups_of_having: whether ORDER BY of a SELECT with HAVING may compute aggregates. Spark 3.5 finds none.
        sorts_by_hidden_keys: whether ORDER BY of a SELECT with grouping sets may use keys, or GROUPING of keys, that
            the SELECT lacks. Spark 4.1 and older find none.
    """
    operations = list(root.walk_with_subqueries())
    counts: dict[QueryOperation, int] = {}
    selected: set[QueryOperation] = set()
    subtracted: set[QueryOperation] = set()
    has_subqueries = False
    twins = find_twins(operations)
    for operation in operations:
        inputs, subqueries = operation.inputs, operation.subqueries
        if operation in twins:
            inputs, subqueries = (twins[operation],), ()
        for read in (*inputs, *subqueries):
            counts[read] = counts.get(read, 0) + 1
        if not isinstance(operation, Pairing):
            selected.update(inputs)
        if subqueries:
            selected.update(subqueries)
            has_subqueries = True
        if type(operation) is SetOperation and operation.kind is SetOperationType.MINUS and not operation.all:
            subtracted.update(_list_filters(operation.right))
    folder = _Folder(counts, selected)
    if has_subqueries and root.contents & UNBOUNDED:
        folder.find_semi_joins(operations)
    folder.sorts_groups_of_having = sorts_groups_of_having
    folder.sorts_by_hidden_keys = sorts_by_hidden_keys
    folder.named = {*names.steps, *names.relations}
    folder.subtracted = subtracted
    for operation in operations:
        if operation in twins:
            folder.add_renamed(operation, twins[operation])
        else:
            folder.add(operation)
    if names.sort_keys:
        folder.sort_by_from(names.sort_keys)
    return Plan(root, operations, folder.blocks, counts, has_subqueries)


_COMPUTED_BELOW = CHANGING | OUTER | OVER | QUERY | TIME_WINDOW | WINDOW_TIME
"""The contents that a sort key over columns of the SELECT must not have."""


def _refuse_windows_over_groups(contents: int) -> None:
    """Refuse to fold an expression that puts groups into windows: Spark puts the rows of a SELECT there instead."""
    if contents & (TIME_WINDOW | WINDOW_TIME):
        raise Unfoldable("Spark computes windows of time before it groups")


class _Folder(Joins):
    """Makes the blocks of operations, inputs first."""

    sorts_groups_of_having = True
    sorts_by_hidden_keys = True
    named: Container[QueryOperation] = ()
    subtracted: Container[QueryOperation] = ()
    _semi_joins: Container[QueryOperation] = ()

    def find_semi_joins(self, operations: Iterable[QueryOperation]) -> None:
        """Find semi joins with a stream, and the filters in their EXISTS. Spark runs them only as joins."""
        found: set[QueryOperation] = set()
        for operation in operations:
            semi_join = find_semi_join(operation)
            if semi_join is not None:
                found |= {operation, semi_join.matches}
        self._semi_joins = found

    def add(self, operation: QueryOperation) -> None:
        """Make the block of an operation, either a new one or the block of its input with more clauses."""
        if is_leaf(operation) or operation is SINGLE_ROW:
            return
        block: Block
        match operation:
            case _ if operation in self._semi_joins:
                block = SingleOperationBlock(operation)
            case Filter():
                block = self._extend(operation, operation.input, self._filter)
            case Project():
                block = self._extend(operation, operation.input, self._project)
            case Aggregate():
                block = self._extend(operation, operation.input, self._aggregate)
            case Distinct():
                block = self._extend(operation, operation.input, self._distinct)
            case Sort():
                block = self._sort(operation)
            case Pairing():
                block = self._join(operation)
            case LateralJoin():
                block = self._lateral_join(operation)
            case SetOperation():
                block = self._set_operation(operation)
            case _:
                block = SingleOperationBlock(operation)
        block.operation = operation
        self.blocks[operation] = block

    def sort_by_from(self, keys: Mapping[QueryOperation, frozenset[int]]) -> None:
        """Sort by columns of FROM under their names there, if a person did so, and not under those in SELECT.

        Args:
            keys: the positions of these columns, by the operation that is sorted.
        """
        for block in self.blocks.values():
            if not isinstance(block, SelectBlock) or not isinstance(block.ordered_by, Sort):
                continue
            called = keys.get(block.ordered_by.input)
            if called and block.grouping is None and not block.is_distinct:
                self._sort_by_from(block, block.ordered_by, called)

    def _sort_by_from(self, block: SelectBlock, operation: Sort, called: frozenset[int]) -> None:
        order, hidden = list(block.order), list(block.hidden)
        for number, (key, written) in enumerate(zip(block.order, operation.order, strict=True)):
            place = written.expression.index if isinstance(written.expression, FieldReference) else None
            if place not in called or not isinstance(key.expression, FieldReference):
                continue
            column = [*block.columns, *block.hidden][key.expression.index]
            if not isinstance(column, FieldReference):
                continue
            try:
                self._require_seen(block, column, tuple(block.columns), block.operation.schema.names)
            except Unfoldable:
                continue
            if column not in hidden:
                hidden.append(column)
            index = len(block.columns) + hidden.index(column)
            order[number] = SortOrder(column.evolve(index=index), key.ascending, key.nulls_first)
        block.order, block.hidden = tuple(order), tuple(hidden)

    def add_renamed(self, operation: QueryOperation, twin: QueryOperation) -> None:
        """Add a block for an operation that only renames the columns of ``twin``: a SELECT of all its columns."""
        block = select_all_columns(twin)
        block.operation = operation
        self.blocks[operation] = block

    # --- one input ---------------------------------------------------------------------------------------------------

    def _filter(self, operation: QueryOperation, block: SelectBlock) -> None:
        assert isinstance(operation, Filter)
        contents = operation.condition.contents
        is_random = bool(contents & CHANGING)
        # A filter may follow a plain order: dropping rows before or after sorting has the same result.
        is_sorted = block.is_cut_or_sorted and is_random
        if block.is_cut or is_sorted or block.has_over or block.is_random or _lacks_from(block):
            raise Unfoldable("rows are chosen before")
        if block.is_distinct and not self._tells_equal_rows_alike(operation.condition):
            raise Unfoldable("which of the rows that are equal is there may count")
        if is_random and (block.where or block.grouping is not None or block.computes):
            raise Unfoldable("which rows a random condition sees must not change")
        conditions = conjuncts(operation.condition)
        if block.grouping is None:
            made = self._substitution.over(block, conditions, repeats=True)
            if operation in self.subtracted and _has_other_columns_of_names(block, made, operation.schema.names):
                raise Unfoldable("Spark replaces EXCEPT by a filter over the columns of these names in the result")
            if block.computes and any(map(multiplies_rows, made)):
                raise Unfoldable("Spark makes a row for each window in WHERE, and again for each in SELECT")
            self._add_conditions(block, [Condition(condition, operation) for condition in made])
            block.is_random = is_random
            return
        _refuse_windows_over_groups(contents)
        if contents & OUTER or (not contents & QUERY and self._facts(operation.condition).is_costly):
            raise Unfoldable("HAVING would compute it again")
        # Spark makes the column of a time window only at the grouping.
        self._require_simple_keys(block, conditions, OUTER | TIME_WINDOW, nullable=False)
        made = self._substitution.over(block, conditions, repeats=True)
        _require_that_keys_are_found(block.grouping, made)
        if block.grouping.sets is not None:
            _require_that_keys_are_shown(block.grouping, made, block.columns, operation.schema.names)
        block.having += [Condition(condition, operation) for condition in made]

    def _tells_equal_rows_alike(self, condition: ResolvedExpression) -> bool:
        """Whether a condition has the same result for equal rows, so that it may be evaluated before DISTINCT."""
        if condition.contents & (CHANGING | QUERY | OUTER) or self._facts(condition).is_costly:
            return False
        types = [part.type_ for part in condition.walk() if isinstance(part, FieldReference)]
        while types:
            type_ = types.pop()
            # 0.0 equals -0.0, and under a collation strings that differ in case may be equal.
            if isinstance(type_, (FloatType, DoubleType)) or type_.has_collation:
                return False
            types += type_.children
        return True

    def _project(self, operation: QueryOperation, block: SelectBlock) -> None:
        assert isinstance(operation, Project)
        projections = list(operation.projections)
        plain = all(isinstance(e, FieldReference) for e in projections)
        if block.is_distinct or block.is_cut_or_sorted:
            self._rename(operation, block, plain)
            return
        contents = contents_of(projections)
        if block.grouping is not None:
            _refuse_windows_over_groups(contents)
            self._require_simple_keys(block, projections, OUTER, nullable=not block.having)
            if contents & OVER:
                if block.having and block.grouping.sets is not None:
                    raise Unfoldable("Spark evaluates HAVING of keys of sets after the windows")
                self._require_plain_keys_in_windows(block, projections)
                if self._is_named(operation.input, block):
                    raise Unfoldable("a query with a name groups, and the one around it computes the windows")
        if not plain:
            if block.is_random or (contents & CHANGING and block.grouping is not None):
                raise Unfoldable("what has another value each time must not be computed more or less often")
            if block.grouping is not None and contents & (QUERY | OUTER):
                raise Unfoldable("it is computed of the groups, not with them")
            if block.having and any(map(may_fail, projections)):
                raise Unfoldable("Spark computes it for groups that HAVING leaves out as well, for which it may fail")
            if contents & OVER:
                self._refuse_in_windows(block, projections)
            self._refuse_repeated_work(block, projections)
        columns = tuple(self._substitution.over(block, projections))
        if block.grouping is not None:
            _require_that_keys_are_found(block.grouping, columns)
            if block.having and block.grouping.sets is not None:
                having = [condition.expression for condition in block.having]
                _require_that_keys_are_shown(block.grouping, having, columns, operation.names)
            if block.having and contents & OVER:
                _require_that_keys_are_told_apart(block, columns, operation.names)
        if block.grouping is not None and not block.grouping.keys:
            used = [*columns, *[condition.expression for condition in block.having]]
            if not count_column_uses(used):
                raise Unfoldable("without an aggregate it would be no aggregation")
        if block.is_random and len(set(columns)) < len(columns):
            raise Unfoldable("a random value would be drawn twice")
        block.columns, block.computed_by = columns, operation
        block.computes = any(not isinstance(column, FieldReference) for column in columns)
        contents = contents_of(columns)
        block.has_over = bool(contents & OVER)
        block.is_random = bool((contents | contents_of(w.expression for w in block.where)) & CHANGING)

    def _rename(self, operation: Project, block: SelectBlock, plain: bool) -> None:
        """Select columns of rows that are already distinct, sorted or limited."""
        indices = [e.index for e in operation.projections if isinstance(e, FieldReference)]
        if not plain or len(set(indices)) < len(indices):
            raise Unfoldable("it is computed after that")
        if block.is_distinct and len(indices) < len(block.columns):
            raise Unfoldable("rows that differ in other columns are different")
        if contents_of(block.order) & QUERY:
            raise Unfoldable("the subquery of a key sees the columns as they are")
        if block.is_random and len(indices) < len(block.columns):
            raise Unfoldable("what has another value each time is computed for the order")
        columns = tuple([block.columns[index] for index in indices])
        order, hidden = self._rewrite_keys(operation, block, indices, columns)
        if hidden and block.is_distinct:
            raise Unfoldable("the order is by a column of the distinct rows")
        if hidden and block.is_cut and contents_of(c.expression for c in block.where) & OUTER:
            raise Unfoldable("Spark plans a limit for each row around best where the order is by columns of the SELECT")
        names = operation.names
        for expression in hidden:
            if calls_spark_sql(expression):
                raise Unfoldable("Spark sorts by a column that a function of SQL gives, and not by a call of one")
            self._require_seen(block, expression, columns, names)
        if hidden and block.having and not self.sorts_groups_of_having:
            raise Unfoldable("this version of Spark finds no aggregate for ORDER BY above HAVING")
        if hidden and block.grouping is not None:
            _require_that_keys_keep_their_names(block.grouping, hidden, columns, names)
        if not self.sorts_by_hidden_keys and block.grouping is not None and _uses_keys(block.grouping, hidden):
            raise Unfoldable("this version of Spark finds no key of grouping sets for ORDER BY")
        _require_that_aggregates_are_found(block, columns, hidden)
        block.order, block.columns, block.hidden = order, columns, hidden

    def _rewrite_keys(
        self, operation: Project, block: SelectBlock, indices: list[int], columns: tuple[ResolvedExpression, ...]
    ) -> tuple[tuple[SortOrder, ...], tuple[ResolvedExpression, ...]]:
        """Return the sort keys over the columns that a projection keeps, and the hidden columns after these.

        A key is over kept columns if they are enough for it. Any other key is a hidden column as a whole. A text says
        both in the same way, so the parser does the same. A column of a name that occurs several times in the SELECT is
        a hidden column, too: a qualifier tells it apart.
        """
        names, every = operation.names, (*block.columns, *block.hidden)
        is_qualified = len(block.sources) > 1 and block.grouping is None
        place = {index: position for position, index in enumerate(indices)}
        shown: dict[int, int] = {}
        for position, column in enumerate(columns):
            if isinstance(column, FieldReference) and not operation.schema.is_repeated(names[position]):
                shown.setdefault(column.index, position)
        hidden: dict[ResolvedExpression, int] = {}

        def is_selected_once(key: ResolvedExpression) -> bool:
            # A key that is selected twice is read as the first of the two.
            return (
                isinstance(key, FieldReference)
                and [column.index for column in columns if isinstance(column, FieldReference)].count(key.index) == 1
            )

        def move(key: ResolvedExpression, places: dict[int, int]) -> ResolvedExpression:
            def moved(part: ResolvedExpression) -> ResolvedExpression | None:
                if not isinstance(part, FieldReference):
                    return None
                return FieldReference(names[places[part.index]], part.type_, 0, places[part.index])

            return replace(key, moved)

        def rewrite(key: ResolvedExpression) -> ResolvedExpression:
            used = count_column_uses([key])
            is_kept = used.keys() <= place.keys()
            is_repeated = is_kept and any(operation.schema.is_repeated(names[place[index]]) for index in used)
            if is_kept and not is_repeated:
                return move(key, place)
            whole = rebuild_over_columns(key, every)
            if is_repeated and not (is_qualified and is_selected_once(whole)):
                raise Unfoldable("ORDER BY would not tell the columns of that name apart")
            is_own = bool(whole.contents & _COMPUTED_BELOW) or calls_spark_sql(whole)
            read = count_column_uses([whole]).keys()
            if read and read <= shown.keys() and not is_own:
                return move(whole, shown)
            if not isinstance(key, FieldReference):
                for index in used:
                    self._substitution.require_weight(block, every[index])
                    if index in place and not self._substitution.is_short(every[index]):
                        raise Unfoldable("work would be written again")
            number = hidden.setdefault(whole, len(hidden))
            return FieldReference(f"EXPR${number}", whole.data_type, 0, len(columns) + number)

        order = [SortOrder(rewrite(key.expression), key.ascending, key.nulls_first) for key in block.order]
        return tuple(order), tuple(hidden)

    def _require_seen(
        self,
        block: SelectBlock,
        expression: ResolvedExpression,
        columns: tuple[ResolvedExpression, ...],
        names: tuple[str, ...],
    ) -> None:
        """Refuse a sort key outside of the SELECT list if its text would refer to a column of the SELECT list."""
        facts = self._facts(expression)
        if expression.contents & OVER or facts.is_costly or facts.is_constant:
            raise Unfoldable("it is computed as a column")
        if block.has_over and block.grouping is not None:
            raise Unfoldable("Spark looks for aggregates in ORDER BY below the windows")
        below = (
            [block.grouping.expressions[i] for i in count_column_uses([expression])] if block.grouping else [expression]
        )
        if contents_of(below) & TIME_WINDOW:
            raise Unfoldable("Spark makes the column of a time window only where it groups")
        shown = [name for item in block.sources for name in item.own_names]
        place: dict[str, ResolvedExpression | None] = {}
        selected: set[tuple[str, int]] = set()
        for name, column in zip(names, columns, strict=True):
            if isinstance(column, FieldReference):
                selected.add((fold_name(name), column.index))
            # None if several columns have the name.
            place[fold_name(name)] = None if fold_name(name) in place else column

        # Sets of keys make a key NULL, except in an aggregate.
        is_simple = block.grouping is None or block.grouping.sets is None
        for index in count_column_uses(below):
            name = fold_name(shown[index])
            found = place.get(name)
            if block.grouping is not None and isinstance(found, FieldReference):
                found = block.grouping.expressions[found.index]
            if len(block.sources) > 1 and block.grouping is None and (name, index) in selected:
                # Its qualifier tells it apart from other columns of the name.
                continue
            if name in place and not (isinstance(found, FieldReference) and found.index == index and is_simple):
                raise Unfoldable("ORDER BY looks among the columns of the SELECT first")

    def _require_simple_keys(
        self, block: SelectBlock, expressions: list[ResolvedExpression], refused: int, *, nullable: bool
    ) -> None:
        """Refuse expressions over keys that are long or have ``refused`` contents.

        Such keys have to be columns of the input; the text of other keys is repeated. ``nullable`` says that the
        expressions may refer to columns of FROM that grouping sets make NULL. Computed keys of sets are refused.
        """
        assert block.grouping is not None
        keys = block.grouping.keys
        if len(set(keys)) < len(keys):
            raise Unfoldable("the text would not tell equal keys apart")
        simple = block.grouping.sets is None
        computed = [e for e in expressions if not isinstance(e, FieldReference)]
        below: list[ResolvedExpression] = [block.columns[index] for index in count_column_uses(computed)]
        for index in count_column_uses(below):
            if index >= len(keys) or ((simple or nullable) and isinstance(keys[index], FieldReference)):
                continue
            if not simple or keys[index].contents & refused or not self._substitution.is_short(keys[index]):
                raise Unfoldable("a key that is computed is used as a column")

    @staticmethod
    def _require_plain_keys_in_windows(block: SelectBlock, projections: list[ResolvedExpression]) -> None:
        """Refuse windows over the keys of groups that are not columns of FROM, and arguments that sets make NULL."""
        assert block.grouping is not None
        keys = block.grouping.keys
        windows = [e for e in projections if e.contents & OVER]
        for index in count_column_uses([block.columns[index] for index in count_column_uses(windows)]):
            if index < len(keys) and not isinstance(keys[index], FieldReference):
                raise Unfoldable("a window is over a key that is computed")
        if block.grouping.sets is None:
            return
        calls = [part.call for e in windows for part in e.walk() if isinstance(part, Over)]
        given = [argument for call in calls for argument in call.children]
        if any(i < len(keys) for i in count_column_uses([block.columns[index] for index in count_column_uses(given)])):
            raise Unfoldable("Spark takes a key of sets in a window call for a column of FROM")

    def _refuse_in_windows(self, block: SelectBlock, projections: list[ResolvedExpression]) -> None:
        computed = [e for e in projections if e.contents & OVER]
        if contents_of(block.columns[index] for index in count_column_uses(computed)) & (OVER | OUTER):
            raise Unfoldable("a window is over the result of another one, or over the row of a query around")

    def _refuse_repeated_work(self, block: SelectBlock, expressions: list[ResolvedExpression]) -> None:
        """Refuse to compute a column inside a lambda, or inside a time window, whose time Spark repeats."""
        if not block.computes:
            return
        inside = [e for e in expressions if e.contents & TIME_WINDOW or self._facts(e).has_lambda]
        if inside and any(not isinstance(block.columns[index], FieldReference) for index in count_column_uses(inside)):
            raise Unfoldable("work would be done several times")

    def _aggregate(self, operation: QueryOperation, block: SelectBlock) -> None:
        assert isinstance(operation, Aggregate)
        if block.grouping is not None or block.is_distinct or block.is_cut_or_sorted or block.has_over:
            raise Unfoldable("rows are grouped, chosen or numbered before")
        held = contents_of(block.columns) if block.computes else 0
        if held & CHANGING:
            raise Unfoldable("keys and aggregates are of one value")
        if not block.sources and (block.columns or operation.group_keys) and block.operation is not SINGLE_ROW:
            raise Unfoldable("groups need rows")
        given = [*operation.group_keys, *operation.aggregates]
        if held & OUTER and contents_of(block.columns[index] for index in count_column_uses(given)) & OUTER:
            raise Unfoldable("Spark lets an aggregation not refer to the query around")
        if held & QUERY and any(_is_correlated(block.columns[index]) for index in count_column_uses(given)):
            raise Unfoldable("in a correlated scalar subquery, Spark fails at an aggregate of another one")
        if block.computes and self._is_named(operation.input, block):
            used = count_column_uses(given)
            if any(not isinstance(block.columns[index], FieldReference) for index in used):
                raise Unfoldable("a query with a name computes what is grouped or aggregated")
        self._refuse_repeated_work(block, given)
        made = self._substitution.over(block, given)
        keys = tuple(made[: len(operation.group_keys)])
        if len(set(keys)) < len(set(operation.group_keys)):
            raise Unfoldable("two keys would be one")
        for key, old in zip(keys, operation.group_keys, strict=True):
            if key is not old and not isinstance(key, FieldReference):
                facts = self._facts(key)
                if facts.is_constant or facts.is_costly or operation.grouping_sets is not None:
                    raise Unfoldable("the key would be written twice, or mean a position")
        schema = operation.schema
        block.grouping = Grouping(keys, tuple(made[len(keys) :]), schema, operation.grouping_sets)
        block.columns = column_references(schema)
        block.computes = block.is_random = False
        block.computed_by = operation

    def _is_named(self, operation: QueryOperation, block: SelectBlock) -> bool:
        """Whether a person gave a name to the query of a block, which computes an operation."""
        return operation in self.named or block.computed_by in self.named

    def _distinct(self, operation: QueryOperation, block: SelectBlock) -> None:
        if block.is_distinct or block.is_cut_or_sorted:
            raise Unfoldable("duplicates go before")
        block.is_distinct = True

    def _sort(self, operation: Sort) -> Block:
        block = self._find_own_block(operation.input)
        has_query = contents_of(operation.order) & QUERY
        if isinstance(block, (SelectBlock, SetBlock)) and not block.is_cut_or_sorted and not has_query:
            del self.blocks[operation.input]
        elif (
            isinstance(block, (SelectBlock, SetBlock))
            and not operation.order
            and block.offset is None
            and block.fetch is None
        ):
            del self.blocks[operation.input]
            block.offset, block.fetch = operation.offset, operation.fetch
            return block
        else:
            block = select_all_columns(operation.input)
            for key in operation.order:
                self._substitution.over(block, [key])
        block.order, block.offset, block.fetch = operation.order, operation.offset, operation.fetch
        block.ordered_by = operation
        return block

    def _set_operation(self, operation: SetOperation) -> Block:
        left = self._find_own_block(operation.left)
        if (
            isinstance(left, SetBlock)
            and left.kind is operation.kind
            and left.all == operation.all
            and not left.is_cut_or_sorted
        ):
            del self.blocks[operation.left]
            left.operands.append(operation.right)
            left.steps.append(operation)
            return left
        return SetBlock(operation, operation.kind, operation.all, [operation.left, operation.right], [operation])


def _require_that_keys_are_found(grouping: Grouping, columns: Iterable[ResolvedExpression]) -> None:
    """Refuse expressions whose text would resolve to other keys and aggregates than they refer to."""
    if all(isinstance(key, FieldReference) for key in grouping.keys):
        return
    computed = [column for column in columns if not isinstance(column, FieldReference)]
    if not computed:
        return
    fields = column_references(grouping.schema)
    places = dict(zip(reversed(grouping.expressions), reversed(fields), strict=True))
    equivalents = Equivalents(grouping.keys)

    def place(part: ResolvedExpression) -> ResolvedExpression | None:
        return places.get(part) or places.get(equivalents.find(part) or part)

    for column in computed:
        if replace(rebuild_over_columns(column, grouping.expressions), place) is not column:
            raise Unfoldable("a key would not be found in it")


def _uses_keys(grouping: Grouping, expressions: Iterable[ResolvedExpression]) -> bool:
    """Whether expressions above grouping sets use a key, or GROUPING of a key."""
    used = [grouping.expressions[index] for index in count_column_uses(list(expressions))]
    return grouping.sets is not None and any(
        part in grouping.keys or (isinstance(part, Call) and part.function in KEY_FUNCTIONS) for part in used
    )


def _require_that_keys_keep_their_names(
    grouping: Grouping,
    keys: Iterable[ResolvedExpression],
    columns: Iterable[ResolvedExpression],
    names: Iterable[str],
) -> None:
    """Refuse an ORDER BY with GROUPING of a key that the SELECT list renames: Spark takes the column for the key."""
    made = grouping.expressions
    calls = [part for part in [made[index] for index in count_column_uses(list(keys))] if isinstance(part, Call)]
    asked = {key for call in calls if call.function in KEY_FUNCTIONS for key in call.arguments}
    for column, name in zip(columns, names, strict=True):
        shown = made[column.index] if isinstance(column, FieldReference) else column
        if shown in asked and not (isinstance(shown, FieldReference) and shown.name == name):
            raise Unfoldable("Spark takes the column that renames a key of GROUPING for the key")


def _require_that_keys_are_shown(
    grouping: Grouping,
    conditions: Iterable[ResolvedExpression],
    columns: Iterable[ResolvedExpression],
    names: Iterable[str],
) -> None:
    """Refuse a HAVING with GROUPING of keys that the SELECT list lacks, where Spark looks for them."""
    made = grouping.expressions
    used = [part for condition in conditions for part in condition.walk() if isinstance(part, FieldReference)]
    calls = [part for part in [made[reference.index] for reference in used] if isinstance(part, Call)]
    asked = {key for call in calls if call.function in KEY_FUNCTIONS for key in call.arguments}
    if not asked:
        return
    for column, name in zip(columns, names, strict=True):
        key = made[column.index] if isinstance(column, FieldReference) else column
        if isinstance(key, FieldReference) and key.name == name:
            asked.discard(key)
    if asked:
        raise Unfoldable("Spark looks for the keys of GROUPING in HAVING among the columns of SELECT")


def _require_that_keys_are_told_apart(
    block: SelectBlock, columns: Iterable[ResolvedExpression], names: Iterable[str]
) -> None:
    """Refuse a HAVING with a key whose name is that of another column, which Spark calls ambiguous beside windows."""
    assert block.grouping is not None
    asked = count_column_uses([condition.expression for condition in block.having])
    keys = [key for index, key in enumerate(block.grouping.keys) if index in asked]
    called = {fold_name(key.name): key for key in keys if isinstance(key, FieldReference)}
    for column, name in zip(columns, names, strict=True):
        shown = block.grouping.expressions[column.index] if isinstance(column, FieldReference) else column
        if called.get(fold_name(name), shown) is not shown:
            raise Unfoldable("HAVING would not tell the key from the column of that name")


def _require_that_aggregates_are_found(
    block: SelectBlock, columns: Iterable[ResolvedExpression], hidden: Iterable[ResolvedExpression]
) -> None:
    """Refuse an aggregate that only ORDER BY uses, if HAVING also uses more than the columns of the SELECT.

    Spark puts the additional values of HAVING below another projection, and finds no aggregate across a projection.
    """
    if block.grouping is None or not block.having:
        return
    shown = tuple(columns)
    if not any(refers_besides(condition.expression, shown) for condition in block.having):
        return
    if any(index >= len(block.grouping.keys) for index in count_column_uses(list(hidden))):
        raise Unfoldable("Spark finds no aggregate for ORDER BY over what HAVING adds to the SELECT")


def _is_correlated(expression: ResolvedExpression) -> bool:
    """Whether an expression contains a query with outer references."""
    if not expression.contents & QUERY:
        return False
    parts = expression.walk()
    return any(isinstance(part, TableReference) and part.operation.contents & OUTER for part in parts)


def _list_filters(operation: QueryOperation) -> list[QueryOperation]:
    """Return the filters at the top of a query."""
    found: list[QueryOperation] = []
    while isinstance(operation, Filter):
        found.append(operation)
        operation = operation.input
    return found


def _has_other_columns_of_names(block: SelectBlock, conditions: list[ResolvedExpression], names: Iterable[str]) -> bool:
    """Whether conditions over the columns of FROM use one whose name another column of the SELECT has."""
    shown = [fold_name(name) for item in block.sources for name in item.own_names]
    selected = dict(zip(map(fold_name, names), block.columns, strict=True))
    return any(
        shown[index] in selected and not _is_column(selected[shown[index]], index)
        for index in count_column_uses(conditions)
    )


def _is_column(expression: ResolvedExpression, index: int) -> bool:
    return isinstance(expression, FieldReference) and expression.index == index


def _lacks_from(block: SelectBlock) -> bool:
    return not block.sources and bool(block.columns)
