"""PIVOT, which turns rows into columns, and UNPIVOT, which turns columns into rows."""

from __future__ import annotations

from collections.abc import Sequence

from ir.casts import least_common_type
from ir.errors import ValidationException
from ir.expressions import FieldReference, ResolvedExpression
from ir.light_typing import ClassVar
from ir.messages import message
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation, only_input
from ir.operations.outer_references import find_used_columns
from ir.schema import Column, ResolvedSchema
from ir.types import STRING, CharacterType, LogicalType, NullType


@node
class Pivot(QueryOperation):
    """Groups of rows of ``input``, with ``aggregates`` for each of the ``values`` in columns of their own.

    The group keys are all columns of ``input`` that are neither ``pivot_columns`` nor in an aggregate, and come first.
    A subquery in an aggregate also uses the columns that it refers to.
    Then each value has a column for each aggregate, named by ``value_names``, followed by ``_`` and the aggregate's
    name if there are several aggregates. Values are literals, and arrays and rows of them.
    """

    input: QueryOperation
    pivot_columns: tuple[FieldReference, ...]
    values: tuple[tuple[ResolvedExpression, ...], ...]
    value_names: tuple[str, ...]
    aggregates: tuple[ResolvedExpression, ...]
    aggregate_names: tuple[str, ...]
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self._groups_then_cells())

    title: ClassVar[str] = "Pivot"
    noun: ClassVar[str] = "pivot"
    adjective: ClassVar[str] = "pivoted"
    sql_clause: ClassVar[str] = "PIVOT"

    @property
    def groups_rows(self) -> bool:
        return True

    def refused_recursion(self, reads: Sequence[bool]) -> str | None:
        return "below an aggregation"

    def _groups_then_cells(self) -> ResolvedSchema:
        columns = [Column(key.name, key.data_type) for key in self.group_columns]
        for value_name in self.value_names:
            for position, aggregate in enumerate(self.aggregates):
                # A cell is NULL if no row of the group has the value.
                columns.append(Column(self.cell_name(value_name, position), aggregate.data_type.as_nullable()))
        return ResolvedSchema(tuple(columns))

    def column_below(self, index: int) -> tuple[QueryOperation, int] | None:
        groups = self.group_columns
        return (self.input, groups[index].index) if index < len(groups) else None

    def cell_name(self, value_name: str, position: int) -> str:
        """Return the column name for a value and the aggregate at a position."""
        return f"{value_name}_{self.aggregate_names[position]}" if len(self.aggregates) > 1 else value_name

    @property
    def group_columns(self) -> tuple[FieldReference, ...]:
        """The group keys."""
        schema = self.input.schema
        expressions = (*self.pivot_columns, *self.aggregates)
        used = {column.index for e in expressions for column in find_used_columns(e, schema)}
        columns = schema.columns
        return tuple([FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(columns) if i not in used])

    def describe(self) -> str:
        pivoted = ", ".join(column.as_summary_string() for column in self.pivot_columns)
        aggregates = ", ".join(aggregate.as_summary_string() for aggregate in self.aggregates)
        return f"(for: [{pivoted}], in: [{', '.join(self.value_names)}], agg: [{aggregates}])"


@node
class Unpivot(QueryOperation):
    """One row for each row of ``input`` and each of the ``groups`` of columns, with the group's label and values.

    The columns outside the groups come first, then ``label_column`` with the label, then ``value_columns``.
    """

    input: QueryOperation
    groups: tuple[tuple[FieldReference, ...], ...]
    labels: tuple[str, ...]
    label_column: str
    value_columns: tuple[str, ...]
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self._kept_then_values())

    title: ClassVar[str] = "Unpivot"
    noun: ClassVar[str] = "unpivot"
    adjective: ClassVar[str] = "unpivoted"
    sql_clause: ClassVar[str] = "UNPIVOT"

    def column_below(self, index: int) -> tuple[QueryOperation, int] | None:
        kept = self.kept_columns
        return (self.input, kept[index].index) if index < len(kept) else None

    def _kept_then_values(self) -> ResolvedSchema:
        columns = [Column(kept.name, kept.data_type) for kept in self.kept_columns]
        columns.append(Column(self.label_column, STRING.not_null()))
        for name, given in zip(self.value_columns, zip(*self.groups, strict=True), strict=True):
            columns.append(Column(name, _common_type(name, given)))
        return ResolvedSchema(tuple(columns))

    @property
    def hides_outer_query(self) -> bool:
        return True

    @property
    def kept_columns(self) -> tuple[FieldReference, ...]:
        """The columns outside the groups."""
        used = {column.index for group in self.groups for column in group}
        columns = self.input.schema.columns
        return tuple([FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(columns) if i not in used])

    def describe(self) -> str:
        groups = ", ".join(f"({', '.join(column.name for column in group)})" for group in self.groups)
        return f"(columns: [{groups}], labels: [{', '.join(self.labels)}])"


def _common_type(name: str, given: tuple[FieldReference, ...]) -> LogicalType:
    """Return the common type of the columns in a value column.

    Strings have no common type with other types here.
    """
    types = [column.data_type for column in given]
    common = least_common_type(types)
    kinds = {isinstance(data_type, CharacterType) for data_type in types if not isinstance(data_type, NullType)}
    if common is None or len(kinds) > 1:
        shown = ", ".join(f"{column.name} {column.data_type.as_summary_string()}" for column in given)
        raise ValidationException(
            message(
                "{UNPIVOT} puts columns into the one column {name!r}, and needs a type that all of them have in "
                "common: {shown}. Cast them first.",
                name=name,
                shown=shown,
            ),
            condition="UNPIVOT_VALUE_DATA_TYPE_MISMATCH",
        )
    return common
