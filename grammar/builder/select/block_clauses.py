"""Builds the columns of a SELECT and its clauses after WHERE, one phase for each clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.clause_names import AMBIGUOUS, ClauseNames
from grammar.builder.error_origins import ErrorOrigins
from grammar.builder.expressions.within import drop_window_time, refuse_window_time, refuse_windows_again
from grammar.builder.paths import called_all
from grammar.builder.query_parts import Steps, Tables
from grammar.builder.scopes import Column, Relation, Scope
from grammar.builder.select.generators import Item
from grammar.builder.select.grouping import (
    contains_part,
    group_keys,
    is_aggregate,
    is_aggregate_of_rows,
    is_over,
    refuse_queries_of_groups,
    walk_outside_aggregates,
)
from grammar.builder.select.hints import Spreading, select_hints, spreading
from grammar.builder.select.item_columns import find_first_duplicates
from grammar.builder.select.items import SelectItems
from grammar.builder.select.merged_keys import scope_behind
from grammar.builder.select.modifiers import windows_of_keys
from grammar.builder.select.nested_windows import (
    extract_inner_windows,
    find_group_expressions,
    inner_windows,
    rewrite_over_groups,
)
from grammar.builder.select.qualify import build_qualify_names, over_columns
from grammar.builder.select.sort_keys import (
    Key,
    OutputColumns,
    field_of,
    is_query,
    place_key,
    require_key,
    require_sorted_by_columns,
    walk_other_parts,
)
from grammar.errors import Misread
from grammar.language import Form
from ir import light_attrs as attrs
from ir.calls import call
from ir.expressions import Expression, FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.aggregate import COUNT
from ir.functions.conversion import CAST
from ir.identifiers import fold
from ir.names import Names, make_distinct
from ir.operations.hint import PARTITIONING_HINTS, STATE_HINTS
from ir.operations.no_columns import drop_columns
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.source import Values
from ir.resolution.operations import filter_rows, select
from ir.schema import ResolvedSchema
from ir.unresolved import UnresolvedAlias, UnresolvedCall, UnresolvedStar, walk_written_parts

if TYPE_CHECKING:
    from ir.resolution.grouping import Grouping


@attrs.define(eq=False)
class SelectBlock:
    """A SELECT while its clauses are built.

    Attributes:
        node: The syntax of the SELECT.
        clauses: Its clauses by keyword.
        items: The columns of the SELECT list.
        operation: The rows of FROM, filtered by WHERE.
        names: The meaning of names in the SELECT list.
        modifiers: The clauses after the query.
        tables: The queries of WITH.
        later: The hidden join keys that later steps of a pipe name.
        group: GROUP BY, None if there is none or the groups are already built.
        grouping: The built group keys.
        having: The built condition of HAVING.
        qualify: The built condition of QUALIFY.
        is_grouped: Whether the rows of the SELECT are groups.
        unique: The distinct names of the columns.
        carried: The names of ``later`` among the columns.
        expressions: The named expressions of the columns; those of hidden columns follow.
        hidden: The expressions of hidden columns: join keys, sort keys, and what QUALIFY needs.
        keys: The built keys of ORDER BY and similar clauses.
        hints: The partitioning hints.
    """

    node: s.Select
    clauses: Mapping[str, s.Clause]
    items: list[Item]
    operation: QueryOperation
    names: ClauseNames
    modifiers: Sequence[Any]
    tables: Tables
    later: Sequence[Column] = ()
    group: s.Clause | None = None
    grouping: Grouping | None = None
    having: Expression | None = None
    qualify: Expression | None = None
    is_grouped: bool = False
    unique: list[str] = attrs.field(factory=list)
    carried: list[str] = attrs.field(factory=list)
    expressions: list[UnresolvedAlias] = attrs.field(factory=list)
    hidden: list[Expression] = attrs.field(factory=list)
    keys: dict[str, list[Key]] = attrs.field(factory=dict)
    hints: list[Spreading] = attrs.field(factory=list)

    def values(self) -> list[Expression]:
        """Return the expressions of the SELECT list."""
        return [item.expression for item in self.items]

    def outputs(self, *, with_others: bool = False) -> dict[str, Expression]:
        """Return the columns of the SELECT by alias and, if ``with_others``, also the unaliased ones by name."""
        outputs: dict[str, Expression] = {}
        known: dict[str, int] = {}
        for item, first in zip(self.items, find_first_duplicates(self.items, self.names.scope.columns), strict=True):
            if (item.aliased or with_others) and not item.is_nothing:
                name = fold(item.name)
                is_same = known.setdefault(name, first) == first
                outputs[name] = item.expression if is_same else AMBIGUOUS
        return outputs

    def shown_names(self) -> list[str]:
        """Return the names of the columns in the text, which may repeat."""
        return [item.name for item in self.items]

    def group_keys(self) -> Sequence[Expression]:
        """Return the group keys, none without GROUP BY."""
        return () if self.grouping is None else self.grouping.keys

    def kept_names(self, width: int) -> list[str]:
        """Return the names of the columns that stay: ``width`` columns of the SELECT, and the join keys."""
        return [*self.unique[:width], *self.carried]

    @property
    def has_hidden_values(self) -> bool:
        """Whether hidden columns have to be dropped, besides the join keys that a later step names."""
        return len(self.hidden) > len(self.later)


class BlockClauses(SelectItems):
    """Builds the columns of a SELECT and its clauses after WHERE."""

    def build_block(self, block: SelectBlock) -> Steps:
        """Build the relation of a SELECT over the rows of FROM, clause by clause."""
        if "group by" in block.clauses:
            block.items = _over_first_columns(block.items, block.names.scope.columns)
            yield from self._read_group_by(block)
        if "having" in block.clauses:
            yield from self._read_having(block)
        block.is_grouped = (
            block.group is not None or block.having is not None or contains_part(block.values(), is_aggregate)
        )
        if "qualify" in block.clauses:
            yield from self._read_qualify(block)
        columns = self._name_columns(block)
        yield from self._read_keys(block, columns)
        made = self._filter_by_qualify(block, self._compute_rows(block, columns))
        if columns.is_distinct:
            rows = self._without_hidden(made, block.kept_names(columns.count), block.has_hidden_values)
            made = self.distinct(rows, block.node.position).operation
        if not columns.count and not block.hidden:
            made = drop_columns(made)
        for hint in reversed(block.hints):
            made = hint.of(made, self)
        return (yield from self._apply_modifiers(block, columns, made))

    def _read_group_by(self, block: SelectBlock) -> Steps:
        written = block.clauses["group by"]
        having = [block.clauses["having"].items] if "having" in block.clauses else []
        refuse_window_time(written, block.node.items, having)
        block.group = drop_window_time(written)
        if self.has_windows:
            refuse_windows_again(having + [clause.items for clause in self.select_keyed(block.modifiers)])
        by = (block.group, block.items, block.operation, block.names, block.tables)
        block.grouping = yield group_keys(self, *by)

    def _read_having(self, block: SelectBlock) -> Steps:
        columns = [part for part in walk_written_parts(block.group_keys()) if isinstance(part, FieldReference)]
        names = attrs.evolve(
            block.names,
            # A subquery may name aliases of the SELECT and aggregates of the groups.
            scope=self._scope_behind(block).having_scope(block.outputs(), block.group_keys()),
            outputs=block.outputs(with_others=True),
            repeated=True,
            grouped=frozenset(columns),
        )
        block.having = yield self.expression(block.clauses["having"].items[0], names, block.tables)
        if self.language.clauses.limits_groups:
            self._check_having(block, block.having)

    def _check_having(self, block: SelectBlock, condition: Expression) -> None:
        """Reject HAVING with a value over a window, and HAVING whose meaning in Spark depends on its spelling.

        With ROLLUP, CUBE and GROUPING SETS, Spark evaluates a condition that it resolves at once (``k > 1``) after the
        windows, and any other one (``abs(k) > 1``) before them. Likewise a name is a key in the first, and an alias in
        the second.

        Raises:
            Misread: HAVING is such a condition.
        """
        position = block.clauses["having"].items[0].position
        if contains_part([condition], is_over):
            message = "HAVING chooses groups before values over windows are computed. Write QUALIFY instead."
            raise Misread(position, message, "WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE")
        if block.grouping is None or (block.grouping.sets is None and not block.grouping.is_of_sets):
            return
        outputs, keys = block.outputs(), {id(key) for key in block.group_keys()}
        for part in walk_outside_aggregates(condition):
            if not isinstance(part, FieldReference) or id(part) not in keys:
                continue
            if outputs.get(fold(part.name), part) is not part:
                message = (
                    f"HAVING names {part.name}, which is a key of the grouping sets and the alias of another column. "
                    "Spark takes the one or the other, as the condition is written: give the column another alias."
                )
                raise Misread(position, message, "AMBIGUOUS_REFERENCE")
        if contains_part(block.values(), is_over) and not contains_part([condition], is_aggregate):
            message = (
                "Spark evaluates HAVING without an aggregate before or after the windows, as the condition is written, "
                "where GROUP BY has several sets of keys. Write QUALIFY to choose rows after the windows, or compute "
                "the windows in a query around this one."
            )
            raise Misread(position, message, "UNSUPPORTED_EXPR_FOR_OPERATOR")

    def _scope_behind(self, block: SelectBlock) -> Scope:
        """Return the scope of the next clause behind the SELECT list, of HAVING or of the sort keys."""
        scope = block.names.scope
        if not self.language.clauses.shows_merged_keys:
            return scope
        return scope_behind(scope, block.items, block.node, block.group, block.grouping, block.having)

    def _read_qualify(self, block: SelectBlock) -> Steps:
        clause = block.clauses["qualify"]
        names = attrs.evolve(block.names, outputs=block.outputs(with_others=True), repeated=True)
        of_qualify = build_qualify_names(clause, block.items, names)
        block.qualify = yield self.expression(clause.items[0], of_qualify, block.tables)
        self._check_qualify(clause, block.qualify, block.items, block.is_grouped)

    def _name_columns(self, block: SelectBlock) -> OutputColumns:
        """Name the columns of the SELECT, and begin the hidden columns after them."""
        block.unique = make_distinct(block.shown_names(), ())
        typed = self.expected.of(block.node, block.values(), block.shown_names())
        block.expressions = [UnresolvedAlias(value, name) for value, name in zip(typed, block.unique, strict=True)]
        if block.is_grouped:
            block.later = ()
        block.carried = make_distinct([column.field.name for column in block.later], block.unique)
        block.hidden = [column.field for column in block.later]
        keys = block.group_keys()
        is_one_group = block.is_grouped and not keys and not block.names.scope.aggregates
        if is_one_group and not contains_part(block.values(), is_aggregate_of_rows):
            # A grouped SELECT without keys and aggregates gets a hidden aggregate, which makes the rows one group.
            block.hidden.append(UnresolvedCall(COUNT, (UnresolvedStar(),)))
        is_distinct = block.node.quantifier == "DISTINCT"
        by = (block.unique, block.operation, block.is_grouped, is_distinct, block.hidden)
        columns = OutputColumns(block.items, block.names.scope.columns, *by)
        columns.has_query_keys = contains_part(keys, is_query)
        return columns

    def _read_keys(self, block: SelectBlock, columns: OutputColumns) -> Steps:
        """Build the keys of ORDER BY and similar clauses, and of hints, which may add hidden columns."""
        keyed = self.select_keyed(block.modifiers)
        if keyed:
            outputs = block.outputs(with_others=True)
            names = attrs.evolve(block.names, scope=self._scope_behind(block), outputs=outputs, selected=block.items)
            for clause in keyed:
                block.keys[clause.kind] = yield self._keys(clause, columns, names, block.tables)
        hints = select_hints(block.node, PARTITIONING_HINTS + STATE_HINTS)
        block.hints = [spreading(h, columns, block.names.scope) for h in hints]
        if block.qualify is not None:
            block.hidden.append(block.qualify)
        if block.hidden:
            free = Names([*block.unique, *block.carried])
            others = [free.generate("EXPR$", n) for n in range(len(block.hidden) - len(block.carried))]
            named = zip(block.hidden, [*block.carried, *others], strict=True)
            block.expressions += [UnresolvedAlias(value, name) for value, name in named]

    def _compute_rows(self, block: SelectBlock, columns: OutputColumns) -> QueryOperation:
        """Build the rows of the SELECT with the hidden columns: groups, or a projection."""
        near = self._near(block)
        if self.has_several_overs:
            if block.is_grouped and inner_windows(block.expressions):
                computed = find_group_expressions(block.expressions)
                named = [UnresolvedAlias(part, f"EXPR${number}") for number, part in enumerate(computed)]
                block.operation = self._build_groups(block, named, near)
                block.expressions = rewrite_over_groups(block.expressions, computed, block.operation)
                block.is_grouped, block.having, block.group = False, None, None
            if not block.is_grouped:
                by = (block.operation, block.expressions, block.node.position)
                block.operation, block.expressions = extract_inner_windows(self, *by)
            near = self._near(block)
        nothing = _no_rows(block.node, block.clauses, block.expressions)
        if nothing is not None:
            return nothing
        made: QueryOperation
        if not block.is_grouped:
            made = self.call_resolver(
                block.node.position, select, block.operation, block.expressions, self.lookup, near=near
            )
            return made
        made = self._build_groups(block, block.expressions, near)
        if self.language.clauses.limits_groups:
            refuse_queries_of_groups(made, block.items)
            if block.having is not None:
                require_sorted_by_columns(made, block.keys.get("order by", ()), columns)
        return made

    def _build_groups(
        self, block: SelectBlock, expressions: Sequence[Expression], near: ErrorOrigins
    ) -> QueryOperation:
        from ir.resolution.grouping import Grouping, group_and_select

        grouping, asked = block.grouping or Grouping(()), block.names.scope.aggregates
        casts = self.language.clauses.casts_conditions
        by = (block.operation, grouping, expressions, self.lookup, block.having, asked, casts)
        made: QueryOperation = self.call_resolver(block.node.position, group_and_select, *by, near=near)
        return made

    def _near(self, block: SelectBlock) -> ErrorOrigins:
        """Return where the expressions of the SELECT and of its groups are in the text."""
        parts = {
            "SELECT": block.node.items,
            "HAVING": [] if block.having is None else block.clauses["having"].items,
            "GROUP BY": [] if block.group is None else block.group.items,
            "QUALIFY": [] if block.qualify is None else block.clauses["qualify"].items,
        }
        besides = [*([] if block.having is None else [block.having]), *block.group_keys()]
        return ErrorOrigins(parts, [*block.expressions, *besides], block.names.scope, block.operation, self.places)

    def _filter_by_qualify(self, block: SelectBlock, made: QueryOperation) -> QueryOperation:
        """Filter the rows of the SELECT by the condition of QUALIFY, their last hidden column."""
        if block.qualify is None:
            return made
        made, condition = over_columns(made)
        block.hidden[-1:] = [condition] * (len(made.schema) - len(block.expressions) + 1)
        by = (made, condition, self.lookup, "QUALIFY", False, self.language.clauses.casts_conditions)
        filtered: QueryOperation = self.call_resolver(block.clauses["qualify"].items[0].position, filter_rows, *by)
        return filtered

    def _apply_modifiers(self, block: SelectBlock, columns: OutputColumns, made: QueryOperation) -> Steps:
        """Apply the clauses after the query, drop the hidden columns, and return the relation."""
        unsorted, scope = made, block.names.scope
        windows: list[Column] = []
        for clause in self.order_modifiers(block.modifiers):
            if clause.kind in block.keys:
                keys = [(item, place_key(place, made)) for item, place in block.keys[clause.kind]]
                resolved = [self.key_of(clause, item, key) for item, key in keys]
                sorted_by = [(key, item.position) for item, key in keys]
                near = ErrorOrigins({clause.kind.upper(): clause.items}, resolved, scope, made, self.places, sorted_by)
                if clause.kind == "order by":
                    self.noted.note_sort_keys(made, columns.find_renamed(block.keys[clause.kind]))
                before, made = made, self.apply_keys(made, clause, resolved, near=near)
                windows = [*windows_of_keys(made, before, resolved), *windows]
            elif clause.kind != "window":
                made = yield self.apply_limit(made, clause)
        width = columns.count
        if block.has_hidden_values and not columns.is_distinct:
            made = self._without_hidden(made, block.kept_names(width), True).operation
        if not width:
            return Relation(made, [])
        if windows and not block.hidden:
            # The output also has the time windows among the sort keys, as after WHERE; they are dropped with hidden
            # sort keys.
            return Relation(made, [*windows, *Relation.of(unsorted, block.shown_names()).columns])
        outputs_and_keys = Relation.of(made, [*block.shown_names(), *block.carried]).columns
        relation = _with_origins(Relation(made, outputs_and_keys[:width]), block.items, block.names.scope.columns)
        keys_made = [column.field for column in outputs_and_keys[width:]]
        relation.columns += [key.moved(field, hidden=True) for key, field in zip(block.later, keys_made, strict=True)]
        relation.sources = _qualifiers(block.items, scope.columns)
        return relation

    def _check_qualify(self, clause: s.Clause, condition: Expression, items: list[Item], grouped: bool) -> None:
        """Reject QUALIFY without a window call and, in Spark, QUALIFY with an aggregate.

        Raises:
            Misread: neither the condition nor the SELECT has a window call, or the condition has an aggregate.
        """
        if not contains_part([condition, *[item.expression for item in items]], is_over):
            message = (
                "QUALIFY is asked of what is computed over windows, and neither it nor a column of the SELECT "
                f"holds that. Write {'HAVING' if grouped else 'WHERE'} instead."
            )
            raise Misread(clause.position, message, "QUALIFY_REQUIRES_WINDOW_FUNCTION")
        own = walk_other_parts(condition, [item.expression for item in items])
        if any(map(is_aggregate, own)):
            self.language.refuse(Form.AGGREGATE_IN_QUALIFY, clause.items[0].position)

    def _without_hidden(self, made: QueryOperation, names: Sequence[str], has_hidden: bool) -> Relation:
        if not names:
            return Relation(drop_columns(made), [])
        if has_hidden:
            made = project(made, tuple([field_of(made, i) for i in range(len(names))]), tuple(names))
        return Relation.of(made)

    def _keys(self, clause: s.Clause, of: OutputColumns, names: ClauseNames, tables: Tables) -> Steps:
        """Return the keys of a clause such as ORDER BY, each as a column index or an expression over columns.

        Any other key becomes a hidden column of the SELECT.
        """
        keys: list[Key] = []
        if names.scope.left_widths and clause.kind in ("order by", "sort by") and not (of.is_grouped or of.is_distinct):
            scope = names.scope.prefer_left_sides()
            # A name of several columns of the SELECT is looked for in FROM.
            known = {name: e for name, e in names.outputs.items() if e is not AMBIGUOUS or scope.is_ambiguous(name)}
            names = attrs.evolve(names, scope=scope, outputs=known)
        if clause.kind in ("order by", "sort by") and not of.is_grouped:
            scope = names.scope.prefer_hidden_keys([item.expression for item in of.items if not item.aliased])
            names = names if scope is names.scope else attrs.evolve(names, scope=scope)
        is_name = clause.detail is not None and (
            of.position("all") is not None
            or (not of.is_distinct and names.scope.column(called_all(clause.position)) is not None)
        )
        for written in self.sort_items(clause, list(range(of.count)), is_name):
            node = written.expression
            if isinstance(node, int):
                keys.append((written, node))
                continue
            found = self.ordinal_key(clause, node, of.count)
            if found is None and isinstance(node, s.Path) and len(node.names) == 1:
                if clause.kind in ("cluster by", "distribute by") and of.is_ambiguous(node.names[0].text):
                    message = (
                        f"Ambiguous column name: {node.names[0].text}; several columns of the SELECT are called so."
                    )
                    raise Misread(node.position, message, "AMBIGUOUS_REFERENCE")
                found = of.position(node.names[0].text)
            if found is not None:
                keys.append((written, found))
                continue
            expression = yield self.expression(node, names, tables)
            require_key(expression, clause.kind.upper(), node.position, of, self.language)
            keys.append((written, of.key(expression, clause.kind.upper(), node.position)))
        return keys


def _over_first_columns(items: list[Item], columns: Sequence[Column]) -> list[Item]:
    """Replace each item that is a column of FROM by the first of the same columns, which may be a group key."""
    firsts: dict[object, FieldReference] = {}
    for column in columns:
        if column.origin is not None:
            firsts.setdefault(column.origin, column.field)
    same: dict[Expression, Expression] = {c.field: firsts[c.origin] for c in columns if c.origin is not None}
    if not same:
        return items
    return [attrs.evolve(item, expression=same.get(item.expression, item.expression)) for item in items]


def _with_origins(relation: Relation, items: Sequence[Item], columns: Sequence[Column]) -> Relation:
    """Give SELECT columns that are the same column of FROM a shared origin."""
    for first, column in zip(find_first_duplicates(items, columns), relation.columns, strict=True):
        same = relation.columns[first]
        if same is not column:
            same.origin = column.origin = same.origin or object()
    return relation


def _qualifiers(items: Sequence[Item], columns: Sequence[Column]) -> list[tuple[str, ...]]:
    """Return the qualifiers of the columns that a SELECT passes on, empty for other columns."""
    known = {id(column.field): column.qualifier for column in columns}
    return [() if item.aliased else known.get(id(item.expression), ()) for item in items]


def _no_rows(node: s.Select, clauses: Mapping[str, Any], items: Sequence[UnresolvedAlias]) -> QueryOperation | None:
    """Recover a table without rows from a SELECT of typed NULLs with WHERE FALSE and without FROM, else return None."""
    where = clauses.get("where")
    if len(clauses) != 1 or where is None or not isinstance(where.items[0], s.Boolean) or where.items[0].value:
        return None
    types = []
    for item in items:
        value = item.expression
        if isinstance(value, UnresolvedCall) and value.function is CAST:
            value = call(CAST, [a for a in value.arguments if isinstance(a, ResolvedExpression)])
        if not isinstance(value, ValueLiteral) or not value.is_null:
            return None
        types.append(value.data_type)
    return Values(ResolvedSchema.of([item.name for item in items], types), ())
