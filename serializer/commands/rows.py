"""Writes the commands that change the rows of a table.

In a MERGE, the table is called ``target`` and its source ``source``. Every column is qualified, because both may have
columns of one name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ir.commands.rows import (
    Assignment,
    DeleteRow,
    DeleteRows,
    InsertRow,
    InsertWholeRow,
    MatchKind,
    MergeClause,
    MergeInto,
    UpdateRow,
    UpdateRows,
    UpdateWholeRow,
)
from ir.contents import QUERY
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import fold
from ir.operations.operation import TableReference
from ir.operations.outer_references import outer_references
from ir.operations.source import Source
from serializer.commands.writing import CommandWriting
from serializer.pieces import Scope

ALIASES: Final = ("target", "source")
"""The names of the table and of its source in the text of a command that compares their rows."""


def write_merge(command: MergeInto, writing: CommandWriting) -> str:
    """Write MERGE INTO."""
    evolution = "WITH SCHEMA EVOLUTION " if command.evolves_schema else ""
    target, source = map(writing.name, ALIASES)
    lines = [
        f"MERGE {evolution}INTO {writing.path(command.target)} AS {target}{_options(command, writing)}",
        f"USING {source_text(command, writing)} AS {source}",
        f"ON {compared_text(command.condition, writing)}",
    ]
    return "\n".join([*lines, *[_clause(clause, writing) for clause in command.clauses]])


def source_text(command: MergeInto, writing: CommandWriting) -> str:
    """Write the source of a MERGE: the name of a table, or a query in parentheses."""
    source = command.source
    if isinstance(source, Source) and source.version is None and source.timestamp is None and not source.options:
        return writing.path(source.identifier)
    # Not indented, because a line break may be part of a name.
    return f"(\n{writing.query(source)}\n)"


def _clause(clause: MergeClause, writing: CommandWriting) -> str:
    condition = "" if clause.condition is None else f" AND {_condition(clause.condition, writing)}"
    when = f"WHEN {clause.kind.value}{condition} THEN"
    match clause.action:
        case UpdateWholeRow():
            return f"{when} UPDATE SET *"
        case InsertWholeRow():
            return f"{when} INSERT *"
        case DeleteRow():
            return f"{when} DELETE"
        case UpdateRow(assignments):
            is_qualified = clause.kind is MatchKind.MATCHED
            return f"{when} UPDATE SET\n{_assignments(assignments, writing, is_qualified=is_qualified)}"
        case InsertRow(assignments):
            columns = ", ".join([_path(assignment, writing) for assignment in assignments])
            values = ", ".join([_value(assignment, writing) for assignment in assignments])
            return f"{when} INSERT ({columns})\n  VALUES ({values})"
    raise AssertionError(clause.action)


def write_update(command: UpdateRows, writing: CommandWriting) -> str:
    """Write UPDATE."""
    around = _scope_of_subqueries(command)
    lines = [
        f"  {_path(a, writing)} = {'DEFAULT' if a.value is None else writing.expression(a.value, around=around)}"
        for a in command.assignments
    ]
    head = f"UPDATE {writing.path(command.target)}{_alias(around, writing)}{_options(command, writing)} SET"
    return "\n".join([head, ",\n".join(lines)]) + _where(command.condition, writing, around)


def write_delete(command: DeleteRows, writing: CommandWriting) -> str:
    """Write DELETE FROM."""
    around = _scope_of_subqueries(command)
    head = f"DELETE FROM {writing.path(command.target)}{_alias(around, writing)}{_options(command, writing)}"
    return head + _where(command.condition, writing, around)


def _options(command: MergeInto | UpdateRows | DeleteRows, writing: CommandWriting) -> str:
    return f" WITH {writing.properties(command.options)}" if command.options else ""


def _where(condition: ResolvedExpression | None, writing: CommandWriting, around: Scope | None) -> str:
    if condition is None:
        return ""
    return f"\nWHERE {writing.expression(condition, is_condition=True, around=around)}"


def _scope_of_subqueries(command: UpdateRows | DeleteRows) -> Scope | None:
    """Return the alias of the table's columns for subqueries that refer to them, None if none does."""
    queries = [
        part.operation
        for expression in command.expressions
        if expression.contents & QUERY
        for part in expression.walk()
        if isinstance(part, TableReference)
    ]
    names = {reference.name for query in queries for reference in outer_references(query)}
    if not names:
        return None
    # An alias that is the name of a column, too, would mean a field of that column.
    visible = [read.schema for query in queries for read in query.walk_with_subqueries()]
    taken = {fold(name) for schema in (command.table.schema, *visible) for name in schema.names}
    alias = ALIASES[0]
    while alias in taken:
        alias += "_"
    return Scope(dict.fromkeys(names, alias), 0)


def _alias(around: Scope | None, writing: CommandWriting) -> str:
    return "" if around is None else f" AS {writing.name(next(iter(around.aliases.values())))}"


# --- parts of MERGE --------------------------------------------------------------------------------------------------


def compared_text(expression: ResolvedExpression, writing: CommandWriting, *, is_condition: bool = True) -> str:
    """Write an expression over the rows of the table and of its source."""

    def column(reference: FieldReference) -> str:
        return f"{writing.name(ALIASES[reference.input_index])}.{writing.name(reference.name)}"

    return writing.expression(expression, is_condition=is_condition, columns=column)


def _condition(condition: ResolvedExpression, writing: CommandWriting) -> str:
    return compared_text(condition, writing)


def _value(assignment: Assignment, writing: CommandWriting) -> str:
    return "DEFAULT" if assignment.value is None else compared_text(assignment.value, writing, is_condition=False)


def _path(assignment: Assignment, writing: CommandWriting) -> str:
    return ".".join(map(writing.name, assignment.path))


def _assignments(assignments: Sequence[Assignment], writing: CommandWriting, *, is_qualified: bool) -> str:
    # A name without a relation would be ambiguous where the source has it, too.
    before = f"{writing.name(ALIASES[0])}." if is_qualified else ""
    lines = [f"  {before}{_path(a, writing)} = {_value(a, writing)}" for a in assignments]
    return ",\n".join(lines)
