"""Builds SELECT: its clauses, in the order in which they take effect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.error_origins import ErrorOrigins
from grammar.builder.expressions import calls
from grammar.builder.expressions.within import parts_within
from grammar.builder.from_clause.window_functions import with_marked_windows
from grammar.builder.query_parts import Steps, Tables
from grammar.builder.scopes import Column, Relation, Scope
from grammar.builder.select.block_clauses import BlockClauses, SelectBlock
from grammar.builder.select.generators import Item
from grammar.builder.select.grouping import contains_part, is_aggregate
from grammar.builder.select.hints import select_hints
from grammar.builder.select.scripts import read_script_columns, select_script_input
from grammar.builder.select.sort_keys import field_of
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.errors import ValidationException
from ir.expressions import Expression, FieldReference
from ir.functions.definition import FunctionDefinition
from ir.functions.time_window import TIME_WINDOWS
from ir.identifiers import fold
from ir.literals import literal
from ir.names import make_distinct
from ir.operations.hint import JOIN_HINTS, hint_name
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.script import Script
from ir.operations.source import SINGLE_ROW
from ir.resolution.operations import filter_rows
from ir.unresolved import UnresolvedCall, UnresolvedOver, walk_written_parts

_ONE = project(SINGLE_ROW, (literal(1),), ("EXPR$0",))
_CLAUSES = ("from", "where", "group by", "having", "qualify", "window")


class SelectBlocks(BlockClauses):
    """Builds SELECT."""

    def select(self, node: s.Select, modifiers: Sequence[Any], parent: Scope | None, tables: Tables) -> Steps:
        """Build the relation of a SELECT and of the clauses after it, such as ORDER BY and LIMIT."""
        mentioned, self.mentioned = self.mentioned, None
        if node.script is not None:
            windows = [modifier for modifier in modifiers if modifier.kind == "window"]
            given = yield self.select(select_script_input(node, self.language), windows, parent, tables)
            others = [modifier for modifier in modifiers if modifier.kind != "window"]
            return (yield self.apply(self.build_script(node, node.script, given), others, parent, tables))
        source = next((clause for clause in node.clauses if isinstance(clause, s.From)), None)
        hints = {
            fold(argument.names[-1].text): hint_name(hint.name.text)
            for hint in select_hints(node, JOIN_HINTS)
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
        return made if source is None else self.recognition.recover_select(made, node, source, modifiers)

    def build_script(self, node: s.Select, script: s.Script, given: Relation) -> Relation:
        """Build the output of a SELECT TRANSFORM: the rows that its script returns."""
        names, types = read_script_columns(script)
        by = (self.visible(given).operation, script.text, tuple(make_distinct(names, ())), types)
        made = self.call_resolver(script.position, Script, *by, script.written, script.read)
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
        clauses = _group_by_kind(node)
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
        names = ClauseNames(scope, windows=windows)
        where = clauses.get("where")
        if where is not None:
            before = attrs.evolve(names, is_where=True, later=node.items)
            condition = yield self.expression(where.items[0], before, tables)
            operation = self.build_filter(operation, condition, where, scope, time_windows=self.has_windows)
            if self.has_windows and len(operation.schema) > len(relation.operation.schema):
                relation = _add_window_of_condition(relation, operation, condition)
                scope = Scope(relation.columns, parent)
                names = ClauseNames(scope, windows=windows)
        names = yield self._add_time_window([clauses.get("group by"), node.items], names, tables)
        grouped = "group by" in clauses or "having" in clauses
        items, joined, late = yield self.items(node, operation, names, tables, grouped)
        if check is not None:
            check(items)
        if joined is not operation and (late or contains_part([item.expression for item in items], is_aggregate)):
            items, joined, late = yield self.items(node, operation, names, tables, True)
        if not late:
            block = SelectBlock(node, clauses, items, joined, names, modifiers, tables, later)
            return (yield self.build_block(block))
        once = s.Select(node.position, [], None, node.items, node.clauses)
        # A grouped SELECT that needs no columns of its groups gets one all the same.
        columns = items or [Item(literal(1), "_gen_input", node.position, True)]
        groups = yield self.build_block(SelectBlock(once, clauses, columns, joined, names, [], tables))
        items, joined = self.join_grouped_table_function(late, groups, items)
        names = ClauseNames(Scope(groups.columns, parent))
        return (yield self.build_block(SelectBlock(node, {}, items, joined, names, modifiers, tables)))

    def _add_time_window(self, written: list[Any], names: ClauseNames, tables: Tables) -> Steps:
        """Add the time window of the query to the names, under the name of its function, as the last meaning to try."""
        for node in parts_within(written) if self.has_windows else ():
            name = calls.window_name(node)
            if name is not None:
                window = yield self.expression(node, names, tables)
                return attrs.evolve(names, aliases={name: window}, keys=frozenset([name]))
        return names

    def build_filter(
        self,
        operation: QueryOperation,
        condition: Expression,
        where: s.Clause,
        scope: Scope,
        *,
        time_windows: bool = False,
    ) -> QueryOperation:
        """Build the filter of a WHERE clause."""
        for part in walk_written_parts([condition]):
            if isinstance(part, UnresolvedOver):
                error = ValidationException(
                    "WHERE is asked before anything is computed over a window. Write QUALIFY instead of WHERE, or "
                    "compute it in a subquery.",
                    condition="WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE",
                )
                error.written = part
                raise self.places.error(error, where.position)
        near = ErrorOrigins({"WHERE": where.items}, [condition], scope, operation, self.places)
        position = where.items[0].position
        made: QueryOperation = self.call_resolver(
            position, filter_rows, operation, condition, self.lookup, "WHERE", time_windows, near=near
        )
        return made

    def build_projection(
        self, operation: QueryOperation, fields: Sequence[FieldReference], names: Sequence[str]
    ) -> Relation:
        """Project an operation to some fields, under names that may repeat."""
        made = project(operation, tuple(fields), tuple(make_distinct(names, ())))
        return Relation.of(made, names)


def _add_window_of_condition(relation: Relation, operation: QueryOperation, condition: Expression) -> Relation:
    """Add the time window of a WHERE to the relation. Spark makes it the first column of the rows."""
    name = next(
        part.function.sql_name.lower()
        for part in walk_written_parts([condition])
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


def _group_by_kind(node: s.Select) -> dict[str, Any]:
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
