"""Writes the names of columns, fields and catalog objects as SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ir.errors import TableException
from ir.identifiers import FunctionIdentifier, ObjectIdentifier, quote
from ir.literals import literal
from ir.rendering import Dialect
from ir.schema import ResolvedSchema

_LINE_END = re.compile(r"[\r\n]")


# Spark sessions substitute text that begins with this, most often by an empty string.
_SUBSTITUTED = "${"


def name_text(name: str, dialect: Dialect) -> str:
    """Write a name as a quoted identifier, or as IDENTIFIER('…') if a Spark session would substitute part of it.

    A string can escape the ``$``; a back-quoted name cannot.

    >>> name_text("a b", Dialect.SPARK), name_text("${env:HOME}", Dialect.SPARK)
    ('`a b`', "IDENTIFIER('`\\\\u0024{env:HOME}`')")

    Raises:
        TableException: the dialect cannot write the name.
    """
    if dialect is Dialect.FLINK:
        _refuse_line_ends(name)
    elif _SUBSTITUTED in name:
        return _identifier_clause(name)
    return quote(name)


def plain_name_text(name: str, dialect: Dialect) -> str:
    """Write a name as a quoted identifier where Spark accepts nothing else, such as a lambda parameter.

    Raises:
        TableException: the dialect cannot write the name.
    """
    if dialect is Dialect.FLINK:
        _refuse_line_ends(name)
    return quote(name)


def _refuse_line_ends(name: str) -> None:
    if _LINE_END.search(name):
        raise TableException(
            f"The name {name!r} cannot be written in SQL of Flink, whose identifiers end with the line. Give the "
            "column another name with alias."
        )


def column_texts(schema: ResolvedSchema, dialect: Dialect) -> Sequence[str]:
    """Write the names of all columns.

    Raises:
        TableException: the dialect cannot write a name.
    """
    if dialect is Dialect.SPARK:
        for name in schema.names:
            if _SUBSTITUTED in name:
                break
        else:
            return schema.quoted_names
    return [name_text(name, dialect) for name in schema.names]


def path_text(identifier: ObjectIdentifier | FunctionIdentifier, dialect: Dialect) -> str:
    """Write the path of a catalog object or function, with every part quoted.

    Raises:
        TableException: the dialect cannot write the path.
    """
    return _joined(identifier.parts, dialect)


def qualified_text(qualifier: str, name: str, dialect: Dialect) -> str:
    """Write a column name qualified with its relation.

    Raises:
        TableException: the dialect cannot write the name.
    """
    return _joined((qualifier, name), dialect)


def qualified_texts(qualifier: str, names: Sequence[str]) -> list[str]:
    """Write column names qualified with their relation, in the dialect SPARK."""
    for name in (qualifier, *names):
        if _SUBSTITUTED in name:
            return [qualified_text(qualifier, name, Dialect.SPARK) for name in names]
    before = f"{quote(qualifier)}."
    return [before + quote(name) for name in names]


def field_parts(name: str, dialect: Dialect) -> tuple[str, str]:
    """Return the text before and after a row for an access to a field of the row.

    After a name and a dot, Spark reads IDENTIFIER as a function; after parentheses and a dot, it does not.

    Raises:
        TableException: the dialect cannot write the field name.
    """
    if _SUBSTITUTED in name and dialect is Dialect.SPARK:
        return "(", f").{_identifier_clause(name)}"
    return "", f".{plain_name_text(name, dialect)}"


def _joined(parts: Sequence[str], dialect: Dialect) -> str:
    if dialect is Dialect.SPARK:
        for part in parts:
            if _SUBSTITUTED in part:
                return _identifier_clause(*parts)
    return ".".join([plain_name_text(part, dialect) for part in parts])


def _identifier_clause(*parts: str) -> str:
    # The literal writer escapes the ``$``.
    return f"IDENTIFIER({literal('.'.join(map(quote, parts))).as_serializable_string()})"
