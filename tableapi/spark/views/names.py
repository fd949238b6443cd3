"""Check names and texts against the limits of Spark's catalog before anything is stored.

The limits are those of the Hive metastore on Derby, found by experiment. Metastores on other databases have the same
limits or higher ones. Columns and struct fields have no limits: views store them in Spark's own JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from ir.errors import ValidationException
from ir.types import LogicalType, RowType
from tableapi.catalog.catalog import CatalogView
from tableapi.spark.views.metadata import OWN

TEXT_LIMIT: Final = 32_700
"""The most UTF-16 units in the text of a view (LONG VARCHAR in Derby)."""
BODY_LIMIT: Final = 3_990_000
"""The most UTF-16 units in the body of a function; the real limit is a little higher, and lower with many quotes."""
VALUE_LIMIT: Final = 32_672
"""The most UTF-16 units in a comment or property value (VARCHAR in Derby)."""
KEY_LIMIT: Final = 256
VIEW_NAME_LIMIT: Final = 256
DATABASE_NAME_LIMIT: Final = 128
FUNCTION_NAME_LIMIT: Final = 128

_NAME: Final = re.compile(r"[A-Za-z0-9_]+")
_RESERVED_PREFIXES: Final = (OWN, "view.", "spark.sql.")
_RESERVED: Final = frozenset(
    {
        "EXTERNAL",
        "collation",
        "comment",
        "numFiles",
        "numRows",
        "provider",
        "rawDataSize",
        "totalSize",
        "transient_lastDdlTime",
    }
)


def utf16_length(text: str) -> int:
    """Return the length of a text in Java and Derby, where a character beyond U+FFFF counts twice."""
    return len(text) + sum(character > "\uffff" for character in text)


def check_name(kind: str, name: str, limit: int) -> None:
    """Check that Spark's catalog can hold the name of a database, view or function.

    Raises:
        ValidationException: the name is too long, or has characters besides letters, digits and ``_``.
    """
    if not _NAME.fullmatch(name):
        raise ValidationException(
            f"Spark's catalog cannot hold a {kind} named {name!r}: only the letters A to Z, digits and _ are allowed. "
            "A temporary view may have any name."
        )
    if len(name) > limit:
        raise ValidationException(
            f"Spark's catalog cannot hold the name of the {kind} {name[:40]}…: it has {len(name)} characters, "
            f"at most {limit} are possible."
        )


def check_view(database: str, name: str, view: CatalogView, *, substitution: bool) -> None:
    """Check that a view can be stored unchanged.

    Args:
        database: the name of the database.
        name: the name of the view.
        view: the view.
        substitution: whether the session replaces ``${…}`` in SQL texts.

    Raises:
        ValidationException: the catalog cannot hold a name, text, comment or property; the message says which.
    """
    check_name("database", database, DATABASE_NAME_LIMIT)
    check_name("view", name, VIEW_NAME_LIMIT)
    for key in view.properties:
        _check_key(key)
    for what, text in (*_verbatim_texts(view), *_walk_names(view), *_literal_texts(view)):
        _check_unicode(what, text)
    if substitution:
        for what, text in _verbatim_texts(view):
            _check_substitution(what, text)
    _check_values(view.properties, view.comment)


def _verbatim_texts(view: CatalogView) -> Iterable[tuple[str, str]]:
    """Yield the texts that Spark gets unchanged, each with its description for messages."""
    yield "text of the view", view.text
    for column in view.schema.columns:
        yield from (("field", name) for name in _field_names(column.data_type))


def _literal_texts(view: CatalogView) -> Iterable[tuple[str, str]]:
    """Yield the texts that Spark gets as string literals."""
    if view.comment is not None:
        yield "comment of the view", view.comment
    for column in view.schema.columns:
        if column.comment is not None:
            yield f"comment of the column {column.name!r}", column.comment
    for key, value in view.properties.items():
        yield "property", key
        yield f"property {key!r}", value


def _walk_names(view: CatalogView) -> Iterable[tuple[str, str]]:
    """Yield the names of columns, which are written so that Spark leaves them alone."""
    for column in view.schema.columns:
        yield "column", column.name


def _field_names(data_type: LogicalType) -> Iterable[str]:
    stack = [data_type]
    while stack:
        current = stack.pop()
        if isinstance(current, RowType):
            yield from (field.name for field in current.fields)
        stack.extend(current.children)


def _check_key(key: str) -> None:
    if key in _RESERVED or key.startswith(_RESERVED_PREFIXES):
        raise ValidationException(
            f"The property {key!r} is reserved: keys that start with {', '.join(_RESERVED_PREFIXES)} and the keys "
            f"{', '.join(sorted(_RESERVED))} belong to Spark, Hive or this library."
        )
    if utf16_length(key) > KEY_LIMIT:
        raise ValidationException(
            f"The key of the property {key[:40]!r}… has {utf16_length(key)} characters; "
            f"the metastore holds {KEY_LIMIT}."
        )


def _check_unicode(what: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValidationException(
            f"The {what} has the lone surrogate {text[error.start]!r} at position {error.start}, which is half of a "
            f"character and cannot be stored: {text[max(0, error.start - 20) : error.start + 20]!r}."
        ) from None


def _check_substitution(what: str, text: str) -> None:
    start = text.find("${")
    if start >= 0:
        raise ValidationException(
            f"The {what} has ${{ in it ({text[max(0, start - 20) : start + 20]!r}), which this session would replace "
            "by a variable wherever it stands in SQL. Set spark.sql.variable.substitute to false, or choose another "
            "name."
        )


def _check_values(properties: Mapping[str, str], comment: str | None) -> None:
    values = [(f"property {key!r}", value) for key, value in properties.items()]
    if comment is not None:
        values.append(("comment of the view", comment))
    for what, value in values:
        if utf16_length(value) > VALUE_LIMIT:
            raise ValidationException(
                f"The {what} has {utf16_length(value):,} characters; the metastore holds {VALUE_LIMIT:,}."
            )
