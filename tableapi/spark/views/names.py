"""What Spark's catalog can hold, checked before anything is stored.

The limits are those of the Hive metastore on Derby, found by trying. A metastore on another database has the same or
wider ones. Columns and struct fields have none here: views keep them in Spark's own JSON, whatever they are.
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
"""UTF-16 units of view text (Derby's LONG VARCHAR)."""
BODY_LIMIT: Final = 3_990_000
"""UTF-16 units of a function's body; by trying, Spark refuses a little more, and less where there are many quotes."""
VALUE_LIMIT: Final = 32_672
"""UTF-16 units of a comment or the value of a property (Derby's VARCHAR)."""
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
    """Return the length of a text as Java and Derby count it: a character beyond U+FFFF counts twice."""
    return len(text) + sum(character > "\uffff" for character in text)


def check_name(kind: str, name: str, limit: int) -> None:
    """Refuse the name of a database or view that Spark's catalog cannot hold.

    Raises:
        ValidationException: the name has other characters than letters, digits and ``_``, or too many.
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
    """Refuse what cannot be stored as it is.

    Args:
        database: the name of the database.
        name: the name of the view.
        view: what is to be stored.
        substitution: whether the session replaces ``${…}`` in every SQL text.

    Raises:
        ValidationException: a name, text, comment or property that the catalog cannot hold; the message says which.
    """
    check_name("database", database, DATABASE_NAME_LIMIT)
    check_name("view", name, VIEW_NAME_LIMIT)
    for key in view.properties:
        _check_key(key)
    for what, text in (*_verbatim_texts(view), *_names(view), *_literal_texts(view)):
        _check_unicode(what, text)
    if substitution:
        for what, text in _verbatim_texts(view):
            _check_substitution(what, text)
    _check_values(view.properties, view.comment)


def _verbatim_texts(view: CatalogView) -> Iterable[tuple[str, str]]:
    """What reaches Spark as it is, each with what it is called in messages."""
    yield "text of the view", view.text
    for column in view.schema.columns:
        yield from (("field", name) for name in _field_names(column.data_type))


def _literal_texts(view: CatalogView) -> Iterable[tuple[str, str]]:
    """What reaches Spark as a string literal."""
    if view.comment is not None:
        yield "comment of the view", view.comment
    for column in view.schema.columns:
        if column.comment is not None:
            yield f"comment of the column {column.name!r}", column.comment
    for key, value in view.properties.items():
        yield "property", key
        yield f"property {key!r}", value


def _names(view: CatalogView) -> Iterable[tuple[str, str]]:
    """The names of columns, which reach Spark in a spelling that it leaves alone."""
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
