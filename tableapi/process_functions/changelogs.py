"""Declared changelogs: the kinds of rows that a process table function gets and yields, as a column at its edges."""

from __future__ import annotations

import attrs

from ir import types as t
from ir.errors import ValidationException
from ir.functions.process import ProcessArgument, ProcessCall, columns_of_output
from ir.identifiers import fold
from ir.operations.process import KIND_COLUMN
from ir.types import LogicalType, RowField, RowType
from tableapi.process_functions.inference import Strategy
from tableapi.spark.runtime.process.declarations import ArgumentTrait, ChangelogMode, ProcessTableFunction

_UPDATES = ArgumentTrait.SUPPORT_UPDATES.value


@attrs.frozen(eq=False)
class OutputWithKinds:
    """The output type of a function that yields changes: the column of kinds, then its own columns."""

    name: str
    output: Strategy

    def __call__(self, call: ProcessCall) -> LogicalType | None:
        found = self.output(call)
        if found is None:
            return None
        own = columns_of_output(found)
        if KIND_COLUMN in [fold(field.name) for field in own.fields]:
            raise ValidationException(
                f"{self.name} yields changes, whose kinds are in the column {KIND_COLUMN!r}, but its own output has a "
                "column of this name. Rename it."
            )
        return RowType((RowField(KIND_COLUMN, t.STRING.not_null()), *own.fields), nullable=False)


def read_changelog_modes(
    name: str, target: ProcessTableFunction, arguments: list[ProcessArgument]
) -> tuple[list[ProcessArgument], tuple[str, ...]]:
    """Return the arguments with the traits of the input mode, and the names of the kinds that the function yields.

    The names are empty if the function only yields insertions.

    Raises:
        ValidationException: a method does not return a mode, or the function takes changes and has no table.
    """
    given = _mode(name, target.get_input_changelog_mode(), "get_input_changelog_mode")
    yielded = _mode(name, target.get_output_changelog_mode(), "get_output_changelog_mode")
    if given != ChangelogMode.insert_only():
        if not any(argument.is_table for argument in arguments):
            raise ValidationException(f"{name} takes the changes {given!r}, but no table that could have them.")
        arguments = [
            attrs.evolve(argument, traits=argument.traits | {_UPDATES}) if argument.is_table else argument
            for argument in arguments
        ]
    is_insert_only = yielded == ChangelogMode.insert_only()
    return arguments, () if is_insert_only else tuple([kind.name for kind in yielded.kinds])


def _mode(name: str, mode: object, method: str) -> ChangelogMode:
    if isinstance(mode, ChangelogMode) and mode.kinds:
        return mode
    raise ValidationException(
        f"{name}.{method}() returns {mode!r}; a mode is ChangelogMode.insert_only(), upsert(), all(), or "
        "ChangelogMode(RowKind.INSERT, …) with some kinds."
    )
