"""Parse ``DESCRIBE FUNCTION EXTENDED``, which is Spark's only description of a stored function.

The description is for people: names, types, defaults and comments stand side by side, padded to the longest and without
quotes. Trying what parses as a type and as an expression makes nearly every description unambiguous. Before a function
is stored, ``is_legible`` checks that its description will be parsed correctly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from grammar.reading import parse_syntax
from grammar.statement_words import words
from grammar.type_texts import parse_type
from ir.errors import SqlParserException
from ir.rendering import Dialect
from ir.types import LogicalType, RowField, RowType
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage, FunctionParameter

PYTHON: Final = "python:"
_LABEL: Final = 15
_DEFAULT: Final = " DEFAULT "
# Spark pads to a number of UTF-16 units, so a character with two units has to count twice.
_SECOND: Final = "\uffff"
# The only unquoted words that can end an expression which a separate string may follow.
_LAST_WORDS: Final = frozenset(
    {"true", "false", "null", "end", "current_date", "current_timestamp", "current_user", "current_time", "user"}
)


@attrs.frozen
class ForeignFunction:
    """A Java or Hive function, which this library cannot call."""

    class_name: str


@attrs.frozen
class _Line:
    """A parameter or result column of a function."""

    name: str
    type_text: str
    default: str | None
    comment: str | None


def parse(rows: Iterable[str]) -> CatalogFunction | ForeignFunction:
    """Return the function that the rows of a description describe."""
    given = list(rows)
    for row in given:
        if row.startswith("Class: "):
            class_name = row.removeprefix("Class: ")
            if class_name.startswith(PYTHON):
                return CatalogFunction(FunctionLanguage.PYTHON, class_name.removeprefix(PYTHON))
            return ForeignFunction(class_name)
    facts: dict[str, list[str]] = {}
    label = ""
    for row in given:
        label = row[:_LABEL].strip().rstrip(":") or label
        facts.setdefault(label, []).append(row[_LABEL:])
    is_table = facts["Type"] == ["TABLE"]
    parameters = [
        FunctionParameter(line.name, _type(line.type_text), line.default, line.comment)
        for line in _columns(facts["Input"])
    ]
    settings = dict(line.split("=", 1) for line in facts.get("Configs", ()))
    return CatalogFunction(
        FunctionLanguage.SQL,
        facts["Body"][0],
        tuple(parameters),
        _table(facts["Returns"]) if is_table else _type(facts["Returns"][0]),
        is_table,
        facts["Comment"][0] if "Comment" in facts else None,
        facts.get("Deterministic", ["true"])[0] == "true",
        settings,
    )


def is_legible(function: CatalogFunction) -> bool:
    """Whether Spark's description of a function is parsed back to the same parameters and columns."""
    inputs = [_Line(p.name, type_in_spark(p.data_type), p.default, p.comment) for p in function.parameters]
    outputs: list[_Line] = []
    if function.is_table and isinstance(function.returns, RowType):
        outputs = [_Line(f.name, type_in_spark(f.data_type), None, f.description) for f in function.returns.fields]
    try:
        return _are_equal(inputs) and _are_equal(outputs)
    except SqlParserException:
        return False


def type_in_spark(data_type: LogicalType) -> str:
    """Return the SQL text of a parameter type; a parameter is always nullable."""
    return data_type.as_serializable_string(Dialect.SPARK)


def _are_equal(lines: Sequence[_Line]) -> bool:
    def plain(line: _Line) -> tuple[object, ...]:
        return line.name, _type(line.type_text), line.default, line.comment

    return [plain(line) for line in _columns(_answer(lines))] == [plain(line) for line in lines]


def _answer(lines: Sequence[_Line]) -> list[str]:
    """Return Spark's description of parameters.

    >>> _answer([_Line("x", "INT", "1", "one"), _Line("name", "STRING", None, None)])
    ["x    INT    DEFAULT 1 'one'", 'name STRING']
    """
    if not lines:
        return ["()"]
    names, types = [_units(line.name) for line in lines], [_units(line.type_text) for line in lines]
    name_width, type_width = max(map(len, names)), max(map(len, types))
    found = []
    for name, data_type, line in zip(names, types, lines, strict=True):
        default = "" if line.default is None else f"{_DEFAULT}{line.default}"
        comment = "" if line.comment is None else f" '{line.comment}'"
        found.append(f"{name.ljust(name_width)} {data_type.ljust(type_width)}{default}{comment}".rstrip(" "))
    return [row.replace(_SECOND, "") for row in found]


def _table(rows: Sequence[str]) -> RowType:
    fields = [RowField(line.name, _type(line.type_text), line.comment) for line in _columns(rows)]
    return RowType(tuple(fields), nullable=False)


def _columns(rows: Sequence[str]) -> list[_Line]:
    """Split a description into lines; its first column is as wide as the longest name, its second as the longest type.

    >>> _columns(["x   INT    DEFAULT 1 'one'", "y z STRING"])[1]
    _Line(name='y z', type_text='STRING', default=None, comment=None)

    Raises:
        SqlParserException: the rows cannot be split.
    """
    if list(rows) == ["()"]:
        return []
    padded = [_units(row) for row in rows]
    for width in range(1, min(map(len, padded))):
        if all(row[width] == " " for row in padded) and any(row[width - 1] != " " for row in padded):
            found = _add_types([row[:width] for row in padded], [row[width + 1 :] for row in padded])
            if found is not None:
                return found
    raise SqlParserException(f"Cannot tell the parameters of a function apart: {list(rows)!r}.")


def _add_types(names: Sequence[str], rests: Sequence[str]) -> list[_Line] | None:
    for width in range(1, max(map(len, rests)) + 1):
        types = [rest[:width].rstrip(" ") for rest in rests]
        ends = all(rest[width : width + 1] in ("", " ") for rest in rests)
        if not ends or max(map(len, types)) != width or not all(map(_is_type, types)):
            continue
        found = []
        for name, data_type, rest in zip(names, types, rests, strict=True):
            tail = _tail(_strip(rest[width:]))
            if tail is None:
                break
            found.append(_Line(_strip(name).rstrip(" "), _strip(data_type), *tail))
        else:
            return found
    return None


def _tail(text: str) -> tuple[str | None, str | None] | None:
    """Return the default and the comment after a type; None if the text does not have this form."""
    if not text.strip(" "):
        return None, None
    if text.startswith(" '") and text.endswith("'") and len(text) > 2:
        return None, text[2:-1]
    if not text.startswith(_DEFAULT):
        return None
    default = text.removeprefix(_DEFAULT)
    if default.endswith("'"):
        for quote in re.finditer(" '", default):
            if _is_complete(default[: quote.start()]):
                return default[: quote.start()], default[quote.end() : -1]
    return (default, None) if _is_expression(default) else None


def _is_complete(text: str) -> bool:
    """Whether a text is a complete expression, and not the beginning of a typed literal such as DATE '2020-01-01'."""
    tokens = words(text)
    if not tokens or not _is_expression(text):
        return False
    last = tokens[-1].text
    return not (last.isidentifier() and last.lower() not in _LAST_WORDS)


def _is_expression(text: str) -> bool:
    try:
        parse_syntax(text, Dialect.SPARK, "only_expression")
    except SqlParserException:
        return False
    return True


def _is_type(text: str) -> bool:
    try:
        _type(_strip(text))
    except SqlParserException:
        return False
    return True


def _type(text: str) -> LogicalType:
    return parse_type(text, Dialect.SPARK)


def _units(text: str) -> str:
    return "".join(c + _SECOND if c > _SECOND else c for c in text)


def _strip(text: str) -> str:
    return text.replace(_SECOND, "")
