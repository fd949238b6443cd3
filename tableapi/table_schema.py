"""The schema of a table with PyFlink's methods."""

from __future__ import annotations

from ir.schema import ResolvedSchema
from ir.types import LogicalType, RowType
from tableapi.tracebacks import boundaries

__all__ = ["TableSchema"]


@boundaries
class TableSchema:
    """The columns of a table: their names and types.

    >>> from tableapi import DataTypes, TableEnvironment
    >>> table = TableEnvironment.create().from_elements([(1, "a")], ["id", "name"])
    >>> table.get_schema().get_field_names()
    ['id', 'name']
    """

    def __init__(self, resolved: ResolvedSchema) -> None:
        self._resolved = resolved

    def get_field_names(self) -> list[str]:
        """Return the names of the columns."""
        return list(self._resolved.names)

    def get_field_data_types(self) -> list[LogicalType]:
        """Return the types of the columns."""
        return list(self._resolved.types)

    def get_field_count(self) -> int:
        """Return the number of columns."""
        return len(self._resolved)

    def get_field_name(self, field_index: int) -> str | None:
        """Return the name of the column at a position from 0; None if the position is out of range."""
        return self._resolved.names[field_index] if 0 <= field_index < len(self._resolved) else None

    def get_field_data_type(self, field: int | str) -> LogicalType | None:
        """Return the type of a column given by name or by position from 0; None if the column does not exist."""
        index = self._resolved.index_of(field) if isinstance(field, str) else field
        return self._resolved.types[index] if index is not None and 0 <= index < len(self._resolved) else None

    def to_row_data_type(self) -> RowType:
        """Return the columns as a ROW type."""
        return self._resolved.as_row_type()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableSchema) and other._resolved is self._resolved

    def __hash__(self) -> int:
        return hash(self._resolved)

    def __repr__(self) -> str:
        lines = [f" |-- {column.name}: {column.data_type.as_summary_string()}" for column in self._resolved.columns]
        return "\n".join(["root", *lines])
