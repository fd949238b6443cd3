"""Builds the commands that change the rows of a table: MERGE, UPDATE and DELETE."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from grammar import statements as st
from grammar import syntax as s
from grammar.builder.commands.context import CommandContext
from grammar.builder.scopes import Column, Relation, Scope
from grammar.errors import Misread
from ir.commands.rows import (
    Assignment,
    DeleteRow,
    DeleteRows,
    InsertRow,
    InsertWholeRow,
    MatchKind,
    MergeClause,
    MergeInto,
    RowAction,
    UpdateRow,
    UpdateRows,
    UpdateWholeRow,
)
from ir.commands.table_definition import Pairs
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import fold
from ir.resolution.commands import rows
from ir.schema import ResolvedSchema

_T = TypeVar("_T")


def build_merge(node: st.Merge, context: CommandContext) -> MergeInto:
    """Build the command of MERGE."""
    return _Rows(context, node.name, node.alias, node.called).merge(node)


def build_update(node: st.Update, context: CommandContext) -> UpdateRows:
    """Build the command of UPDATE."""
    made = _Rows(context, node.name, node.alias, node.called)
    assignments = [made.assignment(value, made.scope, (made.table.schema,)) for value in node.values]
    condition = made.condition(node.where, made.scope, (made.table.schema,), "The condition of UPDATE")
    command: UpdateRows = made.checked(
        node.values[0].position, rows.make_update, made.table, assignments, condition, made.rules
    )
    return command.evolve(options=_pairs(node.options))


def build_delete(node: st.Delete, context: CommandContext) -> DeleteRows:
    """Build the command of DELETE."""
    made = _Rows(context, node.name, node.alias, node.called)
    condition = made.condition(node.where, made.scope, (made.table.schema,), "The condition of DELETE")
    return DeleteRows(made.table, condition, _pairs(node.options))


def _pairs(options: Mapping[str, str]) -> Pairs:
    return tuple(sorted(options.items()))


def columns_of_source(source: Relation) -> list[Column]:
    """Return the columns of a source, whose row is compared with the row of a table."""
    return [
        Column(
            column.name,
            column.qualifier,
            FieldReference(column.field.name, column.field.data_type, 1, column.field.index),
            column.hidden,
            column.origin,
        )
        for column in source.columns
    ]


class _Rows:
    """Builds one command over the columns of its table, and in a MERGE over those of its source."""

    def __init__(self, context: CommandContext, name: s.Path, alias: s.Alias | None, called: str) -> None:
        self._context = context
        if alias is not None and alias.columns:
            raise Misread(alias.position, "The alias of a table that is changed has no list of columns.")
        relation = context.relation(name)
        self.table = context.table(relation, name.position, called)
        self.rules = context.tables.value_rules(self.table.identifier)
        self._relation = relation if alias is None else relation.renamed((fold(alias.name.text),))
        self.scope = Scope(self._relation.columns)

    def checked(self, position: int, make: Callable[..., _T], *arguments: Any) -> _T:
        """Call a function of the resolver; an error gets the position."""
        return self._context.builder.call_resolver(position, make, *arguments)

    def merge(self, node: st.Merge) -> MergeInto:
        source = self._context.relation_of(node.using)
        right = columns_of_source(source)
        of_source, of_both = Scope(right), Scope([*self._relation.columns, *right])
        schemas = (self.table.schema, source.operation.schema)
        condition = self.condition(node.condition, of_both, schemas, "The condition of MERGE")
        clauses = []
        for clause in node.clauses:
            kind = MatchKind(clause.kind)
            scope = {MatchKind.NOT_MATCHED: of_source, MatchKind.NOT_MATCHED_BY_SOURCE: self.scope}.get(kind, of_both)
            clauses.append(self._clause(clause, kind, scope, schemas))
            position = clause.position if clause.condition is None else clause.condition.position
            self.checked(position, rows.refuse_idle_clause, clauses)
        command: MergeInto = self.checked(
            node.clauses[-1].position,
            rows.make_merge,
            self.table,
            source.operation,
            condition,
            clauses,
            node.evolves_schema,
        )
        return command.evolve(options=_pairs(node.options))

    def _clause(
        self, clause: st.MergeWhen, kind: MatchKind, scope: Scope, schemas: Sequence[ResolvedSchema]
    ) -> MergeClause:
        condition = self.condition(clause.condition, scope, schemas, f"The condition of WHEN {kind.value}")
        action: RowAction
        if clause.action == "DELETE":
            action = DeleteRow()
        elif clause.values is None:
            action = UpdateWholeRow() if clause.action == "UPDATE" else InsertWholeRow()
        else:
            assignments = tuple([self.assignment(value, scope, schemas) for value in clause.values])
            action = UpdateRow(assignments) if clause.action == "UPDATE" else InsertRow(assignments)
        return self.checked(clause.position, rows.make_clause, kind, condition, action, self.table, self.rules)

    def condition(
        self, written: Any, scope: Scope, schemas: Sequence[ResolvedSchema], where: str
    ) -> ResolvedExpression | None:
        """Return a resolved condition, None if there is none."""
        if written is None:
            return None
        expression = self._context.expression(written, scope)
        return self.checked(
            written.position, rows.resolve_condition, expression, schemas, self._context.builder.lookup, where
        )

    def assignment(self, value: st.NewValue, scope: Scope, schemas: Sequence[ResolvedSchema]) -> Assignment:
        """Return the new value of a column or field; its name may begin with the table's alias."""
        written = None if value.value is None else self._context.expression(value.value, scope)
        return self.checked(
            value.position,
            rows.resolve_assignment,
            self._target(value.path),
            written,
            self.table,
            schemas,
            self._context.builder.lookup,
        )

    def _target(self, path: s.Path) -> tuple[str, ...]:
        found = self.scope.column(path)
        if found is None:
            return path.parts
        column, fields = found
        return (column.name, *[name.text for name in fields])
