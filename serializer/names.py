"""Names of columns, fields and catalog objects as SQL text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ir.errors import TableException
from ir.identifiers import ObjectIdentifier, quote
from ir.rendering import Dialect
from ir.schema import ResolvedSchema

_LINE_END = re.compile(r"[\r\n]")


def name_text(name: str, dialect: Dialect) -> str:
    """Return a name as a quoted identifier.

    Raises:
        TableException: the dialect cannot write it.
    """
    if dialect is Dialect.FLINK and _LINE_END.search(name):
        raise TableException(
            f"The name {name!r} cannot be written in SQL of Flink, whose identifiers end with the line. Give the "
            "column another name with alias."
        )
    return quote(name)


def column_texts(schema: ResolvedSchema, dialect: Dialect) -> Sequence[str]:
    """Return the names of all columns as quoted identifiers.

    Raises:
        TableException: the dialect cannot write one of them.
    """
    if dialect is Dialect.SPARK:
        return schema.quoted_names
    return [name_text(name, dialect) for name in schema.names]


def path_text(identifier: ObjectIdentifier, dialect: Dialect) -> str:
    """Return the path of a catalog object, every part of it quoted.

    Raises:
        TableException: the dialect cannot write it.
    """
    return ".".join([name_text(part, dialect) for part in identifier.parts])
