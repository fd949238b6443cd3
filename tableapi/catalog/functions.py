"""Functions as catalogs store them: Python code by its import path, or a body of SQL."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

import attrs

from ir.types import LogicalType


class FunctionLanguage(Enum):
    """What the body of a stored function is written in."""

    PYTHON = "PYTHON"
    SQL = "SQL"


@attrs.frozen
class FunctionParameter:
    """A parameter of a function of SQL; ``default`` is the SQL of its value where a call may leave it out."""

    name: str
    data_type: LogicalType
    default: str | None = None
    comment: str | None = None


@attrs.frozen(eq=False)
class CatalogFunction:
    """A stored function.

    Attributes:
        language: what ``body`` is.
        body: of PYTHON the import path of a class or of a decorated function, ``package.module.name``; of SQL an
            expression or, of a table function, a query, as Spark reads it.
        parameters: those of a function of SQL; one in Python declares its own.
        returns: the type of a function of SQL: that of its value, or of a row of its table.
        is_table: whether a function of SQL gives a table.
        comment: what it does.
        is_deterministic: whether equal arguments give equal results.
        is_aggregate: whether a function of SQL gives a value for the rows of a group; it is inlined always.
        is_inline: whether the body of a function of SQL takes the place of each call when a query is built, so that no
            text names the function.
        settings: the session settings under which SQL is read for ever, whoever reads it.
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
    """Whether a text names a module and something in it, as in ``package.module.name``."""
    parts = text.split(".")
    return len(parts) > 1 and all(part.isidentifier() for part in parts)
