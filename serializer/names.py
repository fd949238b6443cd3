"""Names of columns, fields and catalog objects as SQL text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ir.errors import TableException
from ir.identifiers import FunctionIdentifier, ObjectIdentifier, quote
from ir.literals import literal
from ir.rendering import Dialect
from ir.schema import ResolvedSchema

_LINE_END = re.compile(r"[\r\n]")


# Sessions of Spark replace what begins so in every text that they are given, by an empty string mostly.
_SUBSTITUTED = "${"


def name_text(name: str, dialect: Dialect) -> str:
    """Return a name as a quoted identifier, or as IDENTIFIER('…') where a session of Spark would change it.

    A string can write the sign of a variable as an escape, and back-quotes have none.

    >>> name_text("a b", Dialect.SPARK), name_text("${env:HOME}", Dialect.SPARK)
    ('`a b`', "IDENTIFIER('`\\\\u0024{env:HOME}`')")

    Raises:
        TableException: the dialect cannot write it.
    """
    if dialect is Dialect.FLINK:
        _refuse_line_ends(name)
    elif _SUBSTITUTED in name:
        return _identifier_clause(name)
    return quote(name)


def plain_name_text(name: str, dialect: Dialect) -> str:
    """Return a name as a quoted identifier, where Spark takes nothing else: for a parameter of a lambda, for one.

    Raises:
        TableException: the dialect cannot write it.
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
    """Return the names of all columns as quoted identifiers.

    Raises:
        TableException: the dialect cannot write one of them.
    """
    if dialect is Dialect.SPARK:
        for name in schema.names:
            if _SUBSTITUTED in name:
                break
        else:
            return schema.quoted_names
    return [name_text(name, dialect) for name in schema.names]


def path_text(identifier: ObjectIdentifier | FunctionIdentifier, dialect: Dialect) -> str:
    """Return the path of a catalog object or of a function, every part of it quoted.

    Raises:
        TableException: the dialect cannot write it.
    """
    return _joined(identifier.parts, dialect)


def qualified_text(qualifier: str, name: str, dialect: Dialect) -> str:
    """Return the name of a column with that of its relation.

    Raises:
        TableException: the dialect cannot write it.
    """
    return _joined((qualifier, name), dialect)


def qualified_texts(qualifier: str, names: Sequence[str]) -> list[str]:
    """Return the names of columns with that of their relation, in the dialect SPARK."""
    for name in (qualifier, *names):
        if _SUBSTITUTED in name:
            return [qualified_text(qualifier, name, Dialect.SPARK) for name in names]
    before = f"{quote(qualifier)}."
    return [before + quote(name) for name in names]


def field_parts(name: str, dialect: Dialect) -> tuple[str, str]:
    """Return what stands before a row and behind it, for a field of the row.

    After a dot behind a name, Spark takes IDENTIFIER for a function, and after a dot behind parentheses it does not.

    Raises:
        TableException: the dialect cannot write the name of the field.
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
    # Strings are written with the escape by the writer of literals.
    return f"IDENTIFIER({literal('.'.join(map(quote, parts))).as_serializable_string()})"
