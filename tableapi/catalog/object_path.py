"""Paths of tables and functions within a catalog, in PyFlink's form."""

from __future__ import annotations

import attrs

from ir.errors import ValidationException
from ir.identifiers import parse_path
from tableapi.tracebacks import boundaries


@boundaries
@attrs.frozen
class ObjectPath:
    """The names of a database and of a table, view or function in it.

    Methods of a catalog that take these two names also take a path:
    ``catalog.get_table(ObjectPath("sales", "orders"))``.

    >>> path = ObjectPath("sales", "orders")
    >>> path.get_database_name(), path.get_object_name(), path.get_full_name()
    ('sales', 'orders', 'sales.orders')
    """

    database_name: str
    object_name: str

    @staticmethod
    def from_string(full_name: str) -> ObjectPath:
        """Parse a path.

        >>> ObjectPath.from_string("sales.orders")
        ObjectPath(database_name='sales', object_name='orders')

        Raises:
            ValidationException: the path does not have two parts.
        """
        parts = parse_path(full_name)
        if len(parts) != 2:
            raise ValidationException(f"A path is 'database.name', but {full_name!r} was given.")
        return ObjectPath(*parts)

    def get_database_name(self) -> str:
        """Return the name of the database."""
        return self.database_name

    def get_object_name(self) -> str:
        """Return the name of the table, view or function."""
        return self.object_name

    def get_full_name(self) -> str:
        """Return both names, separated by a dot."""
        return f"{self.database_name}.{self.object_name}"

    def __str__(self) -> str:
        return self.get_full_name()
