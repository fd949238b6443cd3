"""SQL statements that change a stored view or store its parts."""

from __future__ import annotations

from collections.abc import Mapping

from ir.identifiers import quote
from tableapi.catalog.statements import property_list, string


def path(catalog: str, database: str, name: str) -> str:
    """Return the full path of an object as SQL."""
    return ".".join(map(quote, (catalog, database, name)))


def set_properties(target: str, properties: Mapping[str, str]) -> str:
    """Return the statement that sets properties of a view; ``comment`` is the key of its comment."""
    return f"ALTER VIEW {target} SET TBLPROPERTIES {property_list(properties)}"


def unset_properties(target: str, keys: list[str]) -> str:
    """Return the statement that removes properties of a view."""
    return f"ALTER VIEW {target} UNSET TBLPROPERTIES IF EXISTS ({', '.join(map(string, keys))})"


def alter_view(target: str, text: str) -> str:
    """Return the statement that replaces the text of a view in one step of the metastore."""
    return f"ALTER VIEW {target} AS\n{text}"


def set_schema_mode(target: str, mode: str) -> str:
    """Return the statement that chooses what happens to the columns of a view if a table below it changes."""
    return f"ALTER VIEW {target} WITH SCHEMA {mode}"


def create_body(function: str, text: str) -> str:
    """Return the statement that stores a text as the body of a table function without arguments.

    It does not declare the columns of the function: Spark derives them, including types that have no SQL syntax.
    """
    return f"CREATE FUNCTION {function}() RETURNS TABLE RETURN\n{text}"
