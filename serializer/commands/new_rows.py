"""Writes queries for the rows that UPDATE and MERGE write, to find a row that violates a constraint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ir.commands.rows import (
    Assignment,
    DeleteRow,
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
from ir.identifiers import fold
from ir.rendering import Dialect, Layout
from serializer import notation_of
from serializer.commands.rows import ALIASES, compared_text, source_text
from serializer.commands.writing import CommandWriting

if TYPE_CHECKING:
    from ir.targets.target import Target


def new_row_queries(command: UpdateRows | MergeInto, target: Target | None) -> Iterator[str]:
    """Yield a query in Spark's SQL for the rows that each clause of a command writes, with the columns of the table.

    A clause that assigns a field of a row or a default has none.

    Args:
        command: the command.
        target: the engine for which the text is; None for the newest.

    Raises:
        TableException: a part of the command has no SQL.
    """
    writing = CommandWriting(notation_of(Dialect.SPARK, target), Layout.MERGED)
    if isinstance(command, UpdateRows):
        values = _values(UpdateRow(command.assignments), command, writing)
        condition = "TRUE" if command.condition is None else compared_text(command.condition, writing)
        if values is not None:
            yield f"SELECT {values} FROM {writing.path(command.target)} AS {writing.name(ALIASES[0])} WHERE {condition}"
        return
    for number, clause in enumerate(command.clauses):
        values = None if isinstance(clause.action, DeleteRow) else _values(clause.action, command, writing)
        if values is not None:
            before = [other for other in command.clauses[:number] if other.kind is clause.kind]
            yield f"SELECT {values} {_rows(command, clause, before, writing)}"


def _rows(command: MergeInto, clause: MergeClause, before: Sequence[MergeClause], writing: CommandWriting) -> str:
    """Write FROM and WHERE for the rows on which a clause acts."""
    target = f"{writing.path(command.target)} AS {writing.name(ALIASES[0])}"
    source = f"{source_text(command, writing)} AS {writing.name(ALIASES[1])}"
    on = compared_text(command.condition, writing)
    match clause.kind:
        case MatchKind.MATCHED:
            read, conditions = f"FROM {target} JOIN {source} ON {on}", []
        case MatchKind.NOT_MATCHED:
            read, conditions = f"FROM {source}", [f"NOT EXISTS (SELECT 1 FROM {target} WHERE {on})"]
        case MatchKind.NOT_MATCHED_BY_SOURCE:
            read, conditions = f"FROM {target}", [f"NOT EXISTS (SELECT 1 FROM {source} WHERE {on})"]
    if clause.condition is not None:
        conditions.append(f"({compared_text(clause.condition, writing)})")
    # A clause without a condition takes all rows, so that none is before another one.
    taken = [compared_text(other.condition, writing) for other in before if other.condition is not None]
    conditions += [f"(({condition}) IS NOT TRUE)" for condition in taken]
    return f"{read} WHERE {' AND '.join(conditions)}" if conditions else read


def _values(action: RowAction, command: UpdateRows | MergeInto, writing: CommandWriting) -> str | None:
    """Write the values of the table's columns, None if a field or a default is assigned."""
    columns = command.table.schema.columns
    given: Mapping[str, str] | None
    match action:
        case UpdateRow(assignments):
            given = _assigned(assignments, writing)
            others = {fold(column.name): _qualified(column.name, 0, writing) for column in columns}
            given = None if given is None else {**others, **given}
        case InsertRow(assignments):
            given = _assigned(assignments, writing)
        case UpdateWholeRow() | InsertWholeRow():
            given = {fold(column.name): _qualified(column.name, 1, writing) for column in columns}
        case _:
            given = None
    if given is None:
        return None
    return ", ".join([f"{given.get(fold(column.name), 'NULL')} AS {writing.name(column.name)}" for column in columns])


def _assigned(assignments: Sequence[Assignment], writing: CommandWriting) -> dict[str, str] | None:
    found = {}
    for assignment in assignments:
        if assignment.value is None or len(assignment.path) > 1:
            return None
        found[fold(assignment.path[0])] = compared_text(assignment.value, writing, is_condition=False)
    return found


def _qualified(name: str, index: int, writing: CommandWriting) -> str:
    return f"{writing.name(ALIASES[index])}.{writing.name(name)}"
