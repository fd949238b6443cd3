"""Writes the names of columns, fields and catalog objects as SQL."""

from __future__ import annotations

from collections.abc import Sequence

from ir.identifiers import SUBSTITUTED, FunctionIdentifier, ObjectIdentifier, quote
from ir.light_typing import TYPE_CHECKING
from ir.schema import ResolvedSchema

if TYPE_CHECKING:
    from serializer.notation import Notation


def name_text(name: str, notation: Notation) -> str:
    """Write a name as a quoted identifier, or as IDENTIFIER('…') if a Spark session would substitute part of it.

    A string can escape the ``$``; a back-quoted name cannot.

    >>> from serializer.spark_notation import SPARK
    >>> name_text("a b", SPARK), name_text("${env:HOME}", SPARK)
    ('`a b`', "IDENTIFIER('`\\\\u0024{env:HOME}`')")

    Raises:
        TableException: the dialect cannot write the name.
    """
    if SUBSTITUTED in name and notation.has_identifier_clause:
        return _identifier_clause(notation, name)
    return notation.quote(name)


def write_plain_name(name: str, notation: Notation) -> str:
    """Write a name as a quoted identifier where Spark accepts nothing else, such as a lambda parameter.

    Raises:
        TableException: the dialect cannot write the name.
    """
    return notation.quote(name)


def column_texts(schema: ResolvedSchema, notation: Notation) -> Sequence[str]:
    """Write the names of all columns.

    Raises:
        TableException: the dialect cannot write a name.
    """
    if notation.quote is quote:  # as the schema does
        for name in schema.names:
            if SUBSTITUTED in name:
                break
        else:
            return schema.quoted_names
    return [name_text(name, notation) for name in schema.names]


def path_text(identifier: ObjectIdentifier, notation: Notation) -> str:
    """Write the path of a catalog object.

    Raises:
        TableException: the dialect cannot write the path.
    """
    return _join(identifier.parts, notation)


def function_path_text(identifier: FunctionIdentifier, notation: Notation) -> str:
    """Write the path of a user's function.

    Raises:
        TableException: the dialect cannot write the path.
    """
    *qualifiers, name = identifier.parts
    if SUBSTITUTED in name and notation.has_identifier_clause:
        return _identifier_clause(notation, *identifier.parts)
    written = notation.quote_function(name)
    return f"{_join(qualifiers, notation)}.{written}" if qualifiers else written


def write_qualified_name(qualifier: str, name: str, notation: Notation) -> str:
    """Write a column name qualified with its relation.

    Raises:
        TableException: the dialect cannot write the name.
    """
    return _join((qualifier, name), notation)


def write_qualified_names(qualifier: str, names: Sequence[str], notation: Notation) -> list[str]:
    """Write column names qualified with their relation.

    Raises:
        TableException: the dialect cannot write a name.
    """
    for name in (qualifier, *names):
        if SUBSTITUTED in name:
            return [write_qualified_name(qualifier, name, notation) for name in names]
    before = f"{notation.quote(qualifier)}."
    return [before + notation.quote(name) for name in names]


def field_parts(name: str, notation: Notation) -> tuple[str, str]:
    """Return the text before and after a row for an access to a field of the row.

    After a name and a dot, Spark reads IDENTIFIER as a function; after parentheses and a dot, it does not.

    Raises:
        TableException: the dialect cannot write the field name.
    """
    if SUBSTITUTED in name and notation.has_identifier_clause:
        return "(", f").{_identifier_clause(notation, name)}"
    return "", f".{write_plain_name(name, notation)}"


def _join(parts: Sequence[str], notation: Notation) -> str:
    for part in parts:
        if SUBSTITUTED in part and notation.has_identifier_clause:
            return _identifier_clause(notation, *parts)
    return ".".join([notation.quote(part) for part in parts])


def _identifier_clause(notation: Notation, *parts: str) -> str:
    # The literal writer escapes the ``$``.
    return f"IDENTIFIER({notation.string_text('.'.join(map(notation.quote, parts)))})"
