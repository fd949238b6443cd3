"""Implicit casts of strings that always fail or that a reader would not expect."""

from __future__ import annotations

from collections.abc import Sequence

from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.implicit_notices import ImplicitCast, Kind, Notice, add_notice
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.text_casts import never_casts
from ir.types import BooleanType, CharacterType, LogicalType, NumericType


def implicit_casts(
    definition: FunctionDefinition, arguments: Sequence[ResolvedExpression], types: Sequence[LogicalType]
) -> list[ImplicitCast]:
    """Return the implicit casts in a call that deserve a notice; ``types`` are the types to which Spark casts."""
    if not definition.is_built_in:
        return []
    found = []
    for position, (argument, wanted) in enumerate(zip(arguments, types, strict=False)):
        kind = _kind(argument, argument.data_type, wanted)
        if kind is not None:
            found.append(ImplicitCast(kind, position, argument, wanted))
    return found


def notice_column_casts(made: SetOperation) -> None:
    """Add a notice for each string column of a set operation that Spark casts to the other side's type."""
    for position, column in enumerate(made.schema.columns):
        for side in made.inputs:
            given = side.schema.columns[position]
            value = side.projections[position] if isinstance(side, Project) else None
            kind = _kind(value, given.data_type, column.data_type)
            if kind is not None:
                add_notice(Notice(made, ImplicitCast(kind, position, value or given, column.data_type)))


def _kind(value: ResolvedExpression | None, given: LogicalType, wanted: LogicalType) -> Kind | None:
    if not isinstance(given, CharacterType) or isinstance(wanted, CharacterType):
        return None
    if isinstance(value, ValueLiteral):
        return Kind.CONSTANT if value.value is not None and never_casts(value.value, wanted) else None
    return Kind.TEXT if isinstance(wanted, (NumericType, BooleanType)) else None
