"""Spark's JSON_TABLE: rows and columns from JSON paths (SQL:2016, part 2, 7.11)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeGuard

from ir import types as t
from ir.cast_rules import written_type
from ir.casts import can_cast
from ir.dialects.syntax import OwnSyntax, special
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.definition import Construct, FunctionDefinition
from ir.functions.table import table
from ir.identifiers import fold
from ir.inference import CallContext
from ir.inference.arguments import STRING, TEXT, TEXT_LITERAL, TYPE, OneOf, literal_where, symbol
from ir.inference.inputs import Computed
from ir.literals import literal
from ir.types import LogicalType

NUMBER, VALUE, EXISTENCE = "ORDINALITY", "VALUE", "EXISTS"
"""The kinds of columns: the row number from 1, the value at a path, or whether the path finds anything."""

# Spaces before a name are ignored. A star is a wildcard, even as a quoted name.
_STEP = r"""\.(?!\*)\s*[^.\[\s][^.\[]*|\[\s*([0-9]+)\]|\s*\['(?!\*'\])\s*[^'\s][^']*'\]"""
_STEPS = re.compile(_STEP, re.ASCII)
_PATH = re.compile(rf"\$(?:{_STEP})*\s*", re.ASCII)
_PATH_OF_ROWS = re.compile(rf"\$(?:{_STEP})*(?:\[\*\])?\s*", re.ASCII)
_LARGEST_INDEX = 2**63 - 1


def is_path(text: object, *, of_rows: bool = False) -> bool:
    """Whether Spark's JSON_TABLE supports a path of a column, or one of rows, which may end in ``[*]``."""
    if not isinstance(text, str) or not (_PATH_OF_ROWS if of_rows else _PATH).fullmatch(text):
        return False
    return all(int(step[1] or 0) <= _LARGEST_INDEX for step in _STEPS.finditer(text))


class JsonColumn(NamedTuple):
    """A column: its name, type, kind and path; a row number has no path."""

    name: str
    data_type: LogicalType
    kind: str
    path: str = ""

    @property
    def usual_path(self) -> str:
        """The default path: the field with the name of the column."""
        return f"$['{self.name}']"

    @property
    def can_be_cast(self) -> bool:
        """Whether Spark can cast the value to the type of the column."""
        return self.kind == NUMBER or can_cast(t.BOOLEAN if self.kind == EXISTENCE else t.STRING, self.data_type)


def arguments_of(path: str, on_error: str, columns: Iterable[JsonColumn]) -> list[ResolvedExpression]:
    """Return the arguments of a call after the JSON: the path to the rows, the ON ERROR behavior, and the columns.

    Each column contributes its kind and its name and, unless it is a row number, its type and its path.
    """
    found: list[ResolvedExpression] = [literal(path), SymbolLiteral(on_error)]
    for column in columns:
        found += [SymbolLiteral(column.kind), literal(column.name)]
        if column.kind != NUMBER:
            found += [TypeLiteral(column.data_type), literal(column.path)]
    return found


def columns_of(arguments: Sequence[ResolvedExpression]) -> list[JsonColumn] | None:
    """Parse the columns from the arguments of a call, None if the arguments are invalid."""
    found: list[JsonColumn] = []
    position = 3
    while position < len(arguments):
        kind, name, *described = arguments[position : position + 4]
        if not isinstance(kind, SymbolLiteral) or not _is_text(name):
            return None
        if kind.symbol == NUMBER:
            found.append(JsonColumn(name.value, t.BIGINT.not_null(), NUMBER))
            position += 2
            continue
        if len(described) < 2 or not isinstance(described[0], TypeLiteral) or not _is_text(described[1]):
            return None
        found.append(JsonColumn(name.value, described[0].type_, kind.symbol, described[1].value))
        position += 4
    return found or None


def _is_text(argument: ResolvedExpression) -> TypeGuard[ValueLiteral]:
    return isinstance(argument, ValueLiteral) and isinstance(argument.value, str)


def _types(context: CallContext) -> tuple[LogicalType, ...] | None:
    columns = columns_of(context.arguments)
    if columns is None or len({fold(column.name) for column in columns}) < len(columns):
        return None
    if not all(column.can_be_cast and (column.kind == NUMBER or is_path(column.path)) for column in columns):
        return None
    given = context.argument_types
    text = STRING.infer_argument(context, 0)
    return None if text is None else (text, *given[1:])


def _columns(context: CallContext) -> Iterable[tuple[str, LogicalType]]:
    return [(column.name, written_type(column.data_type)) for column in columns_of(context.arguments) or ()]


def _normalize_column_types(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Replace each column type by the type that its SQL text denotes, so that there is one canonical form."""
    columns = [
        column if column.kind == NUMBER else column._replace(data_type=written_type(column.data_type).as_nullable())
        for column in columns_of(arguments) or ()
    ]
    path, on_error = arguments[1:3]
    assert isinstance(path, ValueLiteral)
    assert isinstance(on_error, SymbolLiteral)
    read = (arguments[0], *arguments_of(path.value, on_error.symbol, columns))
    return None if read == arguments else call(JSON_TABLE, read)


JSON_TABLE: FunctionDefinition = table(
    "jsonTable",
    Computed(
        5,
        None,
        "ANY",
        _types,
        (
            "json <STRING>, path <path> COLUMNS (name <data type> [EXISTS] [PATH <path>] or name FOR ORDINALITY, ...) "
            "[NULL ON ERROR or ERROR ON ERROR]",
        ),
        (
            STRING,
            literal_where(TEXT, lambda path: is_path(path, of_rows=True), "path such as '$.a[*]'"),
            symbol("NULL", "ERROR"),
        ),
        OneOf((symbol(NUMBER, VALUE, EXISTENCE), TEXT_LITERAL, TYPE)),
    ),
    _columns,
    sql="JSON_TABLE",
    syntax=special(OwnSyntax.JSON_TABLE),
    canonical=_normalize_column_types,
    doc="One row per value that path finds in the JSON text. Its columns are values at paths within it, whether such "
    "values exist, and the number of the row. NULL, invalid JSON and, before [*], a value other than an array give no "
    "row, unless ON ERROR says to fail.",
    example=("JSON_TABLE('[{\"a\": 1}]', '$[*]' COLUMNS (n FOR ORDINALITY, a INT PATH '$.a'))", "(1, 1)"),
    read_as=OwnSyntax.JSON_TABLE,
)
