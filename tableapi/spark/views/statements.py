"""The SQL statements that store a view."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

import serializer  # noqa: F401  # registers the writer of literals
from ir.identifiers import quote
from ir.literals import literal
from ir.rendering import Dialect


@attrs.frozen
class ViewDefinition:
    """All that Spark keeps of a view: what CREATE VIEW says.

    ``columns`` are the names with their comments; ``properties`` hold the user's own and those of this library.
    ``schema_mode`` is the rest of a ``WITH SCHEMA`` clause, where it is not Spark's default.
    """

    text: str
    columns: tuple[tuple[str, str | None], ...]
    comment: str | None = None
    properties: Mapping[str, str] = attrs.field(factory=dict)
    schema_mode: str | None = None

    @property
    def comments(self) -> dict[str, str]:
        """The comments of the columns that have one, by name."""
        return {name: comment for name, comment in self.columns if comment is not None}


def path(catalog: str, database: str, name: str) -> str:
    """Return the full name of an object as SQL."""
    return ".".join(map(quote, (catalog, database, name)))


def string(text: str) -> str:
    """Return text as a string literal that no session's variable substitution changes."""
    return literal(text).as_serializable_string(Dialect.SPARK)


def create_view(target: str, view: ViewDefinition, *, or_replace: bool = False) -> str:
    """Return the CREATE VIEW of a definition; the list of columns is written only where one has a comment."""
    lines = [f"CREATE {'OR REPLACE ' if or_replace else ''}VIEW {target}" + (" (" if view.comments else "")]
    if view.comments:
        lines.append(",\n".join(f"  {_column(name, comment)}" for name, comment in view.columns) + ")")
    if view.comment is not None:
        lines.append(f"COMMENT {string(view.comment)}")
    if view.properties:
        lines.append(f"TBLPROPERTIES {property_list(view.properties)}")
    if view.schema_mode is not None:
        lines.append(f"WITH SCHEMA {view.schema_mode}")
    return "\n".join([*lines, "AS", view.text])


def _column(name: str, comment: str | None) -> str:
    return quote(name) + (f" COMMENT {string(comment)}" if comment is not None else "")


def property_list(properties: Mapping[str, str]) -> str:
    """Return keys and values in parentheses, sorted, one to a line."""
    return "(\n" + ",\n".join(f"  {string(key)} = {string(properties[key])}" for key in sorted(properties)) + ")"


def set_properties(target: str, properties: Mapping[str, str]) -> str:
    """Return the statement that sets properties of a view; ``comment`` is the key of its comment."""
    return f"ALTER VIEW {target} SET TBLPROPERTIES {property_list(properties)}"


def unset_properties(target: str, keys: list[str]) -> str:
    """Return the statement that removes properties of a view."""
    return f"ALTER VIEW {target} UNSET TBLPROPERTIES IF EXISTS ({', '.join(map(string, keys))})"


def alter_view(target: str, text: str) -> str:
    """Return the statement that gives a view another text, in one step of the metastore."""
    return f"ALTER VIEW {target} AS\n{text}"


def create_body(function: str, text: str) -> str:
    """Return the statement that stores a text as the body of a table function without arguments.

    The columns of the function are not declared: Spark derives them, with every type that it has.
    """
    return f"CREATE FUNCTION {function}() RETURNS TABLE RETURN\n{text}"
