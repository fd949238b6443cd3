"""Functions in catalogs: Python code by its import path, or a SQL body."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from ir import light_attrs as attrs
from ir.types import LogicalType


class FunctionLanguage(Enum):
    """The language of the body of a stored function."""

    PYTHON = "PYTHON"
    SQL = "SQL"


@attrs.frozen
class FunctionParameter:
    """A parameter of a SQL function; ``default`` is the SQL text of its default value, or None."""

    name: str
    data_type: LogicalType
    default: str | None = None
    comment: str | None = None


@attrs.frozen(eq=False)
class CatalogFunction:
    """A stored function.

    Attributes:
        language: the language of ``body``.
        body: for PYTHON the import path of a class or of a decorated function, ``package.module.name``; for SQL an
            expression or, for a table function, a query, in Spark's syntax.
        parameters: the parameters of a SQL function; Python code declares its own.
        returns: the type of a SQL function: of its value, or of a row of its table.
        is_table: whether a SQL function returns a table.
        comment: the comment.
        is_deterministic: whether equal arguments give equal results.
        is_aggregate: whether a SQL function is an aggregate; such a function is always inlined.
        is_inline: whether the body of a SQL function replaces each call when a query is built, so that no text
            contains the name of the function.
        settings: the session settings under which the SQL is always read, whoever reads it.
    """

    language: FunctionLanguage
    body: str
    parameters: tuple[FunctionParameter, ...] = ()
    returns: LogicalType | None = None
    is_table: bool = False
    comment: str | None = None
    is_deterministic: bool = True
    settings: Mapping[str, str] = attrs.field(factory=dict)
    is_aggregate: bool = False
    is_inline: bool = False


def is_import_path(text: str) -> bool:
    """Whether a string has the form of an import path such as ``package.module.name``."""
    parts = text.split(".")
    return len(parts) > 1 and all(part.isidentifier() for part in parts)
