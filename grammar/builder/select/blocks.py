"""Builds SELECT: its clauses, in the order in which they take effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from grammar import syntax as s
from grammar.builder.expressions import calls
from grammar.builder.expressions.within import (
    parts_within,
    refuse_window_time,
    refuse_windows_again,
    without_window_time,
)
from grammar.builder.from_clause.window_functions import with_marked_windows
from grammar.builder.names import AMBIGUOUS, NamesOf
from grammar.builder.near import Near
from grammar.builder.parts import Steps, Tables
from grammar.builder.paths import called_all
from grammar.builder.scopes import Column, Relation, Scope
from grammar.builder.select.generators import Item
from grammar.builder.select.grouping import (
    group_keys,
    holds,
    is_aggregate,
    is_aggregate_of_rows,
    is_over,
    refuse_queries_of_groups,
)
from grammar.builder.select.hints import known_hints, spreading
from grammar.builder.select.item_columns import first_of_same
from grammar.builder.select.items import SelectItems
from grammar.builder.select.modifiers import windows_of_keys
from grammar.builder.select.nested_windows import inner_windows, over_groups, per_group, with_inner_windows
from grammar.builder.select.qualify import names_of_qualify
from grammar.builder.select.scripts import declared_by_script, given_to_script
from grammar.builder.select.sort_keys import (
    Key,
    OutputColumns,
    field_of,
    is_query,
    placed,
    require_key,
    require_sorted_by_columns,
    written_besides,
)
from grammar.errors import Misread
from grammar.language import Form
from ir.calls import call
from ir.errors import ValidationException
from ir.expressions import (
    Expression,
    FieldReference,
    ResolvedExpression,
    UnresolvedAlias,
    UnresolvedCall,
    UnresolvedOver,
    UnresolvedStar,
    ValueLiteral,
    written_parts,
)
from ir.functions.aggregate import COUNT
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.time_window import TIME_WINDOWS
from ir.identifiers import fold
from ir.literals import literal
from ir.names import Names, make_distinct
from ir.operations.hint import JOIN_HINTS, PARTITIONING_HINTS, hint_name
from ir.operations.no_columns import without_columns
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.script import Script
from ir.operations.source import SINGLE_ROW, Values
from ir.resolution.grouping import Grouping, group_and_select
from ir.resolution.operations import filter_rows, select
from ir.schema import ResolvedSchema

_ONE = project(SINGLE_ROW, (literal(1),), ("EXPR$0",))
_CLAUSES = ("from", "where", "group by", "having", "qualify", "window")


class SelectBlocks(SelectItems):
    """Builds SELECT."""

    def select(self, node: s.Select, modifiers: Sequence[Any], parent: Scope | None, tables: Tables) -> Steps:
        """Build the relation of a SELECT and of the clauses after it, such as ORDER BY and LIMIT."""
        mentioned, self.mentioned = self.mentioned, None
        if node.script is not None:
            windows = [modifier for modifier in modifiers if modifier.kind == "window"]
            given = yield self.select(given_to_script(node, self.language), windows, parent, tables)
            others = [modifier for modifier in modifiers if modifier.kind != "window"]
            return (yield self.modified(self.scripted(node, node.script, given), others, parent, tables))
        source = next((clause for clause in node.clauses if isinstance(clause, s.From)), None)
        hints = {
            fold(argument.names[-1].text): hint_name(hint.name.text)
            for hint in known_hints(node, JOIN_HINTS)
            for argument in hint.arguments
            if isinstance(argument, s.Path)
        }
        if source is None:
            _require_from(node)
        if source is None and not node.clauses:
            relation = Relation(SINGLE_ROW, [])
        elif source is None:
            # A clause such as WHERE needs a row to filter: it gets one, with a column that no name denotes.
            relation = Relation(_ONE, [])
        else:
            group = next((clause for clause in node.clauses if getattr(clause, "kind", None) == "group by"), None)
            relation = yield self.from_clause(with_marked_windows(source, group), parent, tables, hints)
        later: Sequence[Column] = ()
        if mentioned is not None and mentioned[0] is node:
            later = mentioned[1].of(relation.columns, 0, outside_queries=node.quantifier == "DISTINCT")
        made = yield self.select_from(node, relation, modifiers, parent, tables, None, later)
        self.noted.note_reader(made.operation, relation)
        return made if source is None else self.recognition.selected(made, node, source, modifiers)

    def scripted(self, node: s.Select, script: s.Script, given: Relation) -> Relation:
        """Build the output of a SELECT TRANSFORM: the rows that its script returns."""
        names, types = declared_by_script(script)
        by = (self.visible(given).operation, script.text, tuple(make_distinct(names, ())), types)
        made = self.made(script.position, Script, *by, script.written, script.read)
        return Relation.of(made, names or None)

    def select_from(
        self,
        node: s.Select,
        relation: Relation,
        modifiers: Sequence[Any],
        parent: Scope | None,
        tables: Tables,
        check: Callable[[list[Item]], None] | None = None,
        later: Sequence[Column] = (),
    ) -> Steps:
        """Build a SELECT over the rows of a relation. ``check`` validates its columns before anything else.

        Without groups, the result also carries the hidden join keys that ``later`` steps of a pipe name.
        """
        clauses = _by_kind(node)
        scope = Scope(relation.columns, parent, left_widths=relation.left_widths, tested=relation.tested)
        windows: dict[str, s.Window | s.Name] = {}
        for clause in [clauses.get("window"), *[m for m in modifiers if m.kind == "window"]]:
            written: set[str] = set()
            for name, window in clause.items if clause is not None else ():
                if name.text in written:
                    raise Misread(
                        name.position,
                        f"WINDOW defines {name.text} twice.",
                        "INVALID_SQL_SYNTAX.REPETITIVE_WINDOW_DEFINITION",
                    )
                written.add(name.text)
                windows[name.text] = window
        operation = relation.operation
        names = NamesOf(scope, windows=windows)
        where = clauses.get("where")
        if where is not None:
            before = attrs.evolve(names, is_where=True, later=node.items)
            condition = yield self.expression(where.items[0], before, tables)
            operation = self.filtered(operation, condition, where, scope, time_windows=self.has_windows)
            if self.has_windows and len(operation.schema) > len(relation.operation.schema):
                relation = _with_window_of_condition(relation, operation, condition)
                scope = Scope(relation.columns, parent)
                names = NamesOf(scope, windows=windows)
        names = yield self._with_window([clauses.get("group by"), node.items], names, tables)
        grouped = "group by" in clauses or "having" in clauses
        items, joined, late = yield self.items(node, operation, names, tables, grouped)
        if check is not None:
            check(items)
        if joined is not operation and (late or holds([item.expression for item in items], is_aggregate)):
            items, joined, late = yield self.items(node, operation, names, tables, True)
        if not late:
            return (yield self._selected(node, clauses, items, joined, names, modifiers, tables, later))
        once = s.Select(node.position, [], None, node.items, node.clauses)
        # A grouped SELECT that needs no columns of its groups gets one all the same.
        columns = items or [Item(literal(1), "_gen_input", node.position, True)]
        groups = yield self._selected(once, clauses, columns, joined, names, [], tables)
        items, joined = self.generated_late(late, groups, items)
        names = NamesOf(Scope(groups.columns, parent))
        return (yield self._selected(node, {}, items, joined, names, modifiers, tables))

    def _with_window(self, written: list[Any], names: NamesOf, tables: Tables) -> Steps:
        """Add the time window of the query to the names, under the name of its function, as the last meaning to try."""
        for node in parts_within(written) if self.has_windows else ():
            name = calls.window_name(node)
            if name is not None:
                window = yield self.expression(node, names, tables)
                return attrs.evolve(names, aliases={name: window}, keys=frozenset([name]))
        return names

    def filtered(
        self,
        operation: QueryOperation,
        condition: Expression,
        where: s.Clause,
        scope: Scope,
        *,
        time_windows: bool = False,
    ) -> QueryOperation:
        """Build the filter of a WHERE clause."""
        for part in written_parts([condition]):
            if isinstance(part, UnresolvedOver):
                error = ValidationException(
                    "WHERE is asked before anything is computed over a window. Write QUALIFY instead of WHERE, or "
                    "compute it in a subquery.",
                    condition="WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE",
                )
                error.written = part
                raise self.places.error(error, where.position)
        near = Near({"WHERE": where.items}, [condition], scope, operation, self.places)
        position = where.items[0].position
        made: QueryOperation = self.made(
            position, filter_rows, operation, condition, self.lookup, "WHERE", time_windows, near=near
        )
        return made

    # --- from items to rows ------------------------------------------------------------------------------------------

    def _selected(
        self,
        node: s.Select,
        clauses: dict[str, s.Clause],
        items: list[Item],
        operation: QueryOperation,
        names: NamesOf,
        modifiers: Sequence[Any],
        tables: Tables,
        later: Sequence[Column] = (),
    ) -> Steps:
        has_casts = self.language.clauses.casts_conditions
        outputs = _outputs(items)
        again = attrs.evolve(names, outputs=outputs, repeated=True)
        group = clauses.get("group by")
        if group is not None:
            refuse_window_time(group, node.items, [clauses[k].items for k in ("having",) if k in clauses])
            group = without_window_time(group)
        having = qualify = grouping = None
        if group is not None:
            if self.has_windows:
                keys_of_rows = [clause.items for clause in self.keyed_modifiers(modifiers)]
                refuse_windows_again([clauses[k].items for k in ("having",) if k in clauses] + keys_of_rows)
            grouping = yield group_keys(self, group, items, operation, names, tables)
        if "having" in clauses:
            of_groups = attrs.evolve(again, outputs=_outputs(items, with_others=True))
            if grouping is not None:
                columns = [part for part in written_parts(grouping.keys) if isinstance(part, FieldReference)]
                of_groups = attrs.evolve(of_groups, grouped=frozenset(columns))
            names.scope.outputs_of_groups = outputs
            names.scope.keys_of_groups = () if grouping is None else grouping.keys
            having = yield self.expression(clauses["having"].items[0], of_groups, tables)
            names.scope.outputs_of_groups = None
        asked = names.scope.aggregates
        grouped = group is not None or holds([item.expression for item in items], is_aggregate)
        grouped = grouped or having is not None
        if "qualify" in clauses:
            of_all = attrs.evolve(again, outputs=_outputs(items, with_others=True))
            of_qualify = names_of_qualify(clauses["qualify"], items, of_all)
            qualify = yield self.expression(clauses["qualify"].items[0], of_qualify, tables)
            self._check_qualify(clauses["qualify"], qualify, items, grouped)
            plain = not grouped and not holds([item.expression for item in items], is_over)
            if plain and not holds([qualify], is_aggregate) and not inner_windows([qualify]):
                near = Near({"QUALIFY": clauses["qualify"].items}, [qualify], names.scope, operation, self.places)
                place = clauses["qualify"].items[0].position
                by = (operation, qualify, self.lookup, "QUALIFY", False, has_casts)
                operation = self.made(place, filter_rows, *by, near=near)
                qualify = None
        shown = [item.name for item in items]
        unique = make_distinct(shown, ())
        typed = self.expected.of(node, [item.expression for item in items], shown)
        expressions = [UnresolvedAlias(expression, name) for expression, name in zip(typed, unique, strict=True)]
        if grouped:
            later = ()
        carried = make_distinct([column.field.name for column in later], unique)
        hidden: list[Expression] = [*[column.field for column in later], *([] if qualify is None else [qualify])]
        has_keys = grouping is not None and bool(grouping.keys)
        if grouped and not has_keys and not asked and not holds([i.expression for i in items], is_aggregate_of_rows):
            # A grouped SELECT without keys and aggregates gets a hidden aggregate, which makes the rows one group.
            hidden.append(UnresolvedCall(COUNT, (UnresolvedStar(),)))
        distinct = node.quantifier == "DISTINCT"
        outputs_of = OutputColumns(items, unique, operation, grouped, distinct, hidden)
        width = outputs_of.count
        outputs_of.has_query_keys = grouping is not None and holds(grouping.keys, is_query)
        keys: dict[str, list[Key]] = {}
        keyed = self.keyed_modifiers(modifiers)
        of_outputs = names
        if keyed:
            of_outputs = attrs.evolve(names, outputs=_outputs(items, with_others=True), selected=items)
        for clause in keyed:
            keys[clause.kind] = yield self._keys(clause, outputs_of, of_outputs, tables)
        spread = [spreading(hint, outputs_of, names.scope) for hint in known_hints(node, PARTITIONING_HINTS)]
        extra = Names([*unique, *carried])
        others = [extra.generate("EXPR$", n) for n in range(len(hidden) - len(carried))]
        expressions += [UnresolvedAlias(e, n) for e, n in zip(hidden, [*carried, *others], strict=True)]
        kept = [*unique[:width], *carried]

        def near_to(expressions: Sequence[Expression]) -> Near:
            parts = {
                "SELECT": node.items,
                "HAVING": [] if having is None else clauses["having"].items,
                "GROUP BY": [] if group is None else group.items,
            }
            besides = [*([] if having is None else [having]), *([] if grouping is None else grouping.keys)]
            return Near(parts, [*expressions, *besides], names.scope, operation, self.places)

        if self.has_several_overs and grouped and inner_windows(expressions):
            computed = per_group(expressions)
            named = [UnresolvedAlias(part, f"EXPR${number}") for number, part in enumerate(computed)]
            by_groups = (operation, grouping or Grouping(()), named, self.lookup, having, asked, has_casts)
            operation = self.made(node.position, group_and_select, *by_groups, near=near_to(expressions))
            expressions, grouped, having, group = over_groups(expressions, computed, operation), False, None, None
        if self.has_several_overs and not grouped:
            operation, expressions = with_inner_windows(self, operation, expressions, node.position)
        near = near_to(expressions)
        nothing = _no_rows(node, clauses, expressions)
        if nothing is not None:
            made = nothing
        elif grouped:
            grouping = grouping or Grouping(())
            grouped_by = (operation, grouping, expressions, self.lookup, having, asked, has_casts)
            made = self.made(node.position, group_and_select, *grouped_by, near=near)
            if self.language.clauses.limits_groups:
                refuse_queries_of_groups(made, items)
                if having is not None:
                    require_sorted_by_columns(made, keys.get("order by", ()), outputs_of)
        else:
            made = self.made(node.position, select, operation, expressions, self.lookup, near=near)
        if qualify is not None:
            place = clauses["qualify"].items[0].position
            by_key = (made, field_of(made, len(items) + len(later)), self.lookup, "QUALIFY", False, has_casts)
            made = self.made(place, filter_rows, *by_key)
        if distinct:
            relation = self.distinct(self._without_hidden(made, kept, len(hidden) > len(later)), node.position)
            made = relation.operation
        if not width and not hidden:
            made = without_columns(made)
        for hint in reversed(spread):
            made = hint.of(made, self)
        unsorted = made
        windows: list[Column] = []
        for clause in self.ordered_modifiers(modifiers):
            if clause.kind in keys:
                placed_keys = [placed(place, made) for _, place in keys[clause.kind]]
                resolved = [self.key_of(clause, k[0], e) for k, e in zip(keys[clause.kind], placed_keys, strict=True)]
                sorted_by = [(e, k[0].position) for k, e in zip(keys[clause.kind], placed_keys, strict=True)]
                near = Near({clause.kind.upper(): clause.items}, resolved, names.scope, made, self.places, sorted_by)
                before, made = made, self.keyed(made, clause, resolved, near=near)
                windows = [*windows_of_keys(made, before, resolved), *windows]
            elif clause.kind != "window":
                made = yield self.limited(made, clause)
        if len(hidden) > len(later) and not distinct:
            made = self._without_hidden(made, kept, True).operation
        if not width:
            return Relation(made, [])
        if windows and not hidden:
            # The output also has the time windows among the sort keys, as after WHERE; they are dropped with hidden
            # sort keys.
            return Relation(made, [*windows, *Relation.of(unsorted, shown).columns])
        outputs_and_keys = Relation.of(made, [*shown, *carried]).columns
        relation = _with_origins(Relation(made, outputs_and_keys[:width]), items)
        keys_made = [column.field for column in outputs_and_keys[width:]]
        relation.columns += [key.moved(field, hidden=True) for key, field in zip(later, keys_made, strict=True)]
        relation.sources = _qualifiers(items, names.scope.columns)
        return relation

    def _check_qualify(self, clause: s.Clause, condition: Expression, items: list[Item], grouped: bool) -> None:
        """Reject QUALIFY without a window call and, in Spark, QUALIFY with an aggregate.

        Raises:
            Misread: neither the condition nor the SELECT has a window call, or the condition has an aggregate.
        """
        if not holds([condition, *[item.expression for item in items]], is_over):
            message = (
                "QUALIFY is asked of what is computed over windows, and neither it nor a column of the SELECT "
                f"holds that. Write {'HAVING' if grouped else 'WHERE'} instead."
            )
            raise Misread(clause.position, message, "QUALIFY_REQUIRES_WINDOW_FUNCTION")
        own = written_besides(condition, [item.expression for item in items])
        if any(map(is_aggregate, own)):
            self.language.refuse(Form.AGGREGATE_IN_QUALIFY, clause.items[0].position)

    def _without_hidden(self, made: QueryOperation, names: Sequence[str], has_hidden: bool) -> Relation:
        if not names:
            return Relation(without_columns(made), [])
        if has_hidden:
            made = project(made, tuple([field_of(made, i) for i in range(len(names))]), tuple(names))
        return Relation.of(made)

    def _keys(self, clause: s.Clause, of: OutputColumns, names: NamesOf, tables: Tables) -> Steps:
        """Return the keys of a clause such as ORDER BY, each as a column index or an expression over columns.

        Any other key becomes a hidden column of the SELECT.
        """
        keys: list[Key] = []
        if names.scope.left_widths and clause.kind in ("order by", "sort by") and not (of.is_grouped or of.is_distinct):
            scope = names.scope.of_left_sides()
            # A name of several columns of the SELECT is looked for in FROM.
            known = {name: e for name, e in names.outputs.items() if e is not AMBIGUOUS or scope.is_ambiguous(name)}
            names = attrs.evolve(names, scope=scope, outputs=known)
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

    def projected(self, operation: QueryOperation, fields: Sequence[FieldReference], names: Sequence[str]) -> Relation:
        """Project an operation to some fields, under names that may repeat."""
        made = project(operation, tuple(fields), tuple(make_distinct(names, ())))
        return Relation.of(made, names)


def _with_origins(relation: Relation, items: Sequence[Item]) -> Relation:
    """Give SELECT columns that are the same column of FROM a shared origin."""
    for first, column in zip(first_of_same(items), relation.columns, strict=True):
        same = relation.columns[first]
        if same is not column:
            same.origin = column.origin = same.origin or object()
    return relation


def _qualifiers(items: Sequence[Item], columns: Sequence[Column]) -> list[tuple[str, ...]]:
    """Return the qualifiers of the columns that a SELECT passes on, empty for other columns."""
    known = {id(column.field): column.qualifier for column in columns}
    return [() if item.aliased else known.get(id(item.expression), ()) for item in items]


def _outputs(items: Sequence[Item], *, with_others: bool = False) -> dict[str, Expression]:
    """Return the columns of a SELECT by alias and, if ``with_others``, also the unaliased ones by name."""
    outputs: dict[str, Expression] = {}
    known: dict[str, int] = {}
    for item, first in zip(items, first_of_same(items), strict=True):
        if (item.aliased or with_others) and not item.is_nothing:
            name = fold(item.name)
            is_same = known.setdefault(name, first) == first
            outputs[name] = item.expression if is_same else AMBIGUOUS
    return outputs


def _with_window_of_condition(relation: Relation, operation: QueryOperation, condition: Expression) -> Relation:
    """Add the time window of a WHERE to the relation. Spark makes it the first column of the rows."""
    name = next(
        part.function.sql_name.lower()
        for part in written_parts([condition])
        if isinstance(part, UnresolvedCall) and isinstance(part.function, FunctionDefinition)
        if part.function in TIME_WINDOWS
    )
    first = len(relation.operation.schema)
    added = [Column(name, (), field_of(operation, index)) for index in range(first, len(operation.schema))]
    return Relation(operation, [*added, *relation.columns])


def _require_from(node: s.Select) -> None:
    """Reject a SELECT without an item before FROM, whose FROM was parsed as a column name.

    Raises:
        Misread: the last item is the word FROM.
    """
    last = node.items[-1]
    inner = last.expression if type(last) is s.Aliased else last
    if type(inner) is not s.Path or len(inner.names) > 1 or inner.names[0].quoted:
        return
    if inner.names[0].text.upper() == "FROM":
        if len(node.items) == 1:
            message = "Between SELECT and FROM stand the columns, or * for all."
            raise Misread(inner.position, message, "PARSE_SYNTAX_ERROR")
        message = "The comma before FROM is one too many, or a column is missing behind it."
        raise Misread(inner.position, message, "TRAILING_COMMA_IN_SELECT")


def _is_named_filter(node: s.Select) -> bool:
    """Whether FILTER before WHERE was parsed as an alias, because its condition has no parentheses."""
    last = node.items[-1]
    return type(last) is s.Aliased and [name.text.upper() for name in last.names] == ["FILTER"]


def _by_kind(node: s.Select) -> dict[str, Any]:
    """Return the clauses of a SELECT by keyword.

    Raises:
        Misread: a clause occurs twice, or is misplaced.
    """
    found: dict[str, Any] = {}
    latest = -1
    for clause in node.clauses:
        kind = "from" if isinstance(clause, s.From) else clause.kind
        if kind in found:
            raise Misread(clause.position, f"The SELECT has {kind.upper()} twice.", "PARSE_SYNTAX_ERROR")
        rank = _CLAUSES.index(kind)
        if rank < latest:
            after = max((k for k in found), key=_CLAUSES.index)
            message = f"{kind.upper()} stands before {after.upper()}, not after it."
            if kind == "from" and after == "where" and _is_named_filter(node):
                message = "The condition of an aggregate stands in parentheses: COUNT(*) FILTER (WHERE a > 1)."
            raise Misread(clause.position, message, "PARSE_SYNTAX_ERROR")
        # Spark accepts QUALIFY both before and after WINDOW.
        latest = min(rank, _CLAUSES.index("qualify"))
        found[kind] = clause
    return found


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
