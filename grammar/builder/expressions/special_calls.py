"""Builds the calls of built-in functions with a syntax of their own, such as CAST, EXTRACT and TRIM.

The module loads with the first such call, because it needs the functions of many families.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.expressions.calls import row_fields
from grammar.builder.recognition import CallReader, Found
from grammar.errors import Misread
from grammar.language import Form
from ir.dialects.syntax import OwnSyntax
from ir.errors import did_you_mean
from ir.expressions import SymbolLiteral, TypeLiteral
from ir.functions.calendar_fields import CALENDAR_FIELD, CALENDAR_FIELDS
from ir.functions.collection import AT, ROW
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.intervals import TIMESTAMP_ADD, TIMESTAMP_DIFF, UNITS
from ir.functions.string import OVERLAY, POSITION, SUBSTRING, TRIM
from ir.functions.temporal import DATE_PART, EXTRACT, EXTRACT_UNITS, extract_unit
from ir.functions.text_search import LOCATE
from ir.functions.time_units import CEIL_TO, FLOOR_TO, ROUNDING_UNITS
from ir.identifiers import fold

if TYPE_CHECKING:
    from grammar.builder.expressions.building import BuildsExpressions


def _load_json_builder(reader: str) -> CallReader:
    """Return the builder of a SQL/JSON function, which loads its module at the first call."""

    def special(builder: BuildsExpressions, node: s.Call) -> Found:
        from grammar.builder.expressions import json_calls

        found: Found = getattr(json_calls, reader)(builder, node)
        return found

    return special


def _cast(function: FunctionDefinition) -> CallReader:
    def special(builder: BuildsExpressions, node: s.Call) -> Found:
        if len(node.arguments) != 1 or not isinstance(node.arguments[0], s.Typed):
            name = function.sql_name
            first = node.arguments[0] if node.arguments else None
            position = first.names[0].position if isinstance(first, s.Aliased) else node.position
            message = f"{name} takes a value and a type with AS between them: {name}(a AS INT)."
            raise Misread(position, message, "PARSE_SYNTAX_ERROR")
        typed = node.arguments[0]
        return function, [typed.expression, TypeLiteral(builder.type_of(typed.target))]

    return special


def symbol_of(word: Any) -> SymbolLiteral | None:
    """Return the symbol of a word or an unquoted name, None for any other node."""
    if isinstance(word, s.Word):
        return SymbolLiteral(word.text)
    if isinstance(word, s.Path) and len(word.names) == 1:
        return SymbolLiteral(word.names[0].text.upper())
    return None


def _extract(builder: BuildsExpressions, node: s.Call) -> Found:
    if not node.form and len(node.arguments) == 2:
        return DATE_PART, node.arguments
    return build_extract(node, extract_unit, EXTRACT_UNITS)


def build_extract(node: s.Call, unit_of: Callable[[str], str | None], known: Iterable[str]) -> Found:
    """Build EXTRACT(unit FROM time).

    Args:
        node: the call.
        unit_of: returns the unit of EXTRACT for a word, or None.
        known: the words that a message lists.

    Raises:
        Misread: the call has another syntax, or the unit is unknown.
    """
    unit = symbol_of(node.arguments[0]) if node.form == "from" and len(node.arguments) == 2 else None
    if unit is None:
        raise Misread(node.position, "EXTRACT takes a unit and a time: EXTRACT(YEAR FROM a).")
    if unit.symbol in CALENDAR_FIELDS:
        return CALENDAR_FIELD, [unit, node.arguments[1]]
    symbol = unit_of(unit.symbol)
    if symbol is None:
        units = (*known, *CALENDAR_FIELDS)
        raise Misread(
            node.arguments[0].position,
            f"EXTRACT has no unit {unit.symbol}; it has {', '.join(units)}." + did_you_mean(unit.symbol, list(units)),
            "INVALID_EXTRACT_FIELD",
        )
    return EXTRACT, [SymbolLiteral(symbol), node.arguments[1]]


def _trim(builder: BuildsExpressions, node: s.Call) -> Found:
    arguments = node.arguments
    if node.form == "trim":
        side, characters, text = arguments
        return TRIM, [symbol_of(side), text] if characters is None else [symbol_of(side), text, characters]
    if node.form == "from" and len(arguments) == 2:
        return TRIM, [SymbolLiteral("BOTH"), arguments[1], arguments[0]]
    if not node.form and len(arguments) in (1, 2):
        return TRIM, [SymbolLiteral("BOTH"), *reversed(arguments)]
    return None


def trim_reader(side: str, *, text_first: bool) -> CallReader:
    """Build LTRIM or RTRIM as TRIM, with the text as the first or the second argument."""

    def special(builder: BuildsExpressions, node: s.Call) -> Found:
        if len(node.arguments) not in (1, 2) or node.form:
            return None
        arguments = node.arguments if text_first else node.arguments[::-1]
        return TRIM, [SymbolLiteral(side), *arguments]

    return special


def _substring(builder: BuildsExpressions, node: s.Call) -> Found:
    return (SUBSTRING, node.arguments) if node.form == "from" else None


def _overlay(builder: BuildsExpressions, node: s.Call) -> Found:
    return (OVERLAY, node.arguments) if node.form == "placing" else None


def _position(builder: BuildsExpressions, node: s.Call) -> Found:
    (argument, *more) = node.arguments or [None]
    if isinstance(argument, s.Predicate) and argument.kind == "in" and not argument.negated and not more:
        needle, haystack = argument.operands
        return POSITION, [needle, haystack]
    if len(node.arguments) == 3 and not node.form:
        return LOCATE, node.arguments
    return None


def unit_reader(function: FunctionDefinition) -> CallReader:
    """Build a function of three arguments, whose first is a time unit without quotes."""

    def special(builder: BuildsExpressions, node: s.Call) -> Found:
        if len(node.arguments) != 3 or node.form:
            return None
        unit, *others = node.arguments
        named = symbol_of(unit)
        symbol = None if named is None else {"DAYOFYEAR": "DAY"}.get(named.symbol, named.symbol)
        if symbol not in UNITS:
            name = node.function.names[-1].text.upper()
            raise Misread(
                unit.position,
                f"{name} of three arguments begins with a unit without quotes: {', '.join(UNITS)} or DAYOFYEAR.",
                "INVALID_PARAMETER_VALUE.DATETIME_UNIT",
            )
        return function, [SymbolLiteral(symbol), *others]

    return special


def _build_rounding(function: FunctionDefinition) -> CallReader:
    """Build FLOOR or CEIL of a time, with the unit after TO."""

    def special(builder: BuildsExpressions, node: s.Call) -> Found:
        if node.form != "to":
            return None
        name = function.sql_name.split()[0]
        value, unit = node.arguments
        if unit.text.upper() not in ROUNDING_UNITS:
            raise Misread(
                unit.position,
                f"{name}(… TO {unit.text}) is not possible; the units are {', '.join(ROUNDING_UNITS)}."
                + did_you_mean(unit.text.upper(), list(ROUNDING_UNITS)),
            )
        return function, [value, SymbolLiteral(unit.text.upper())]

    return special


def _struct(builder: BuildsExpressions, node: s.Call) -> Found:
    return (ROW, row_fields(node.arguments, builder)) if not node.form and node.arguments else None


def _row(builder: BuildsExpressions, node: s.Call) -> Found:
    builder.language.refuse(Form.ROW_CALL, node.position)
    return None


def _element(builder: BuildsExpressions, node: s.Call) -> Found:
    is_of_spark = fold(node.function.names[-1].text) != "at"
    return (AT, node.arguments) if is_of_spark and len(node.arguments) == 2 and not node.form else None


SPECIAL: dict[str, CallReader] = {
    OwnSyntax.CAST: _cast(CAST),
    OwnSyntax.TRY_CAST: _cast(TRY_CAST),
    OwnSyntax.EXTRACT: _extract,
    OwnSyntax.TRIM: _trim,
    OwnSyntax.LTRIM: trim_reader("LEADING", text_first=False),
    OwnSyntax.RTRIM: trim_reader("TRAILING", text_first=False),
    OwnSyntax.SUBSTRING: _substring,
    OwnSyntax.OVERLAY: _overlay,
    OwnSyntax.POSITION: _position,
    OwnSyntax.JSON_ARRAY: _load_json_builder("json_array"),
    OwnSyntax.JSON_EXISTS: _load_json_builder("json_exists"),
    OwnSyntax.JSON_OBJECT: _load_json_builder("json_object"),
    OwnSyntax.JSON_QUERY: _load_json_builder("json_query"),
    OwnSyntax.JSON_VALUE: _load_json_builder("json_value"),
    OwnSyntax.JSON_OBJECTAGG: _load_json_builder("json_objectagg"),
    OwnSyntax.JSON_ARRAYAGG: _load_json_builder("json_arrayagg"),
    OwnSyntax.JSON_TABLE: _load_json_builder("json_table"),
    OwnSyntax.FLOOR: _build_rounding(FLOOR_TO),
    OwnSyntax.CEIL: _build_rounding(CEIL_TO),
    OwnSyntax.STRUCT: _struct,
    OwnSyntax.ROW: _row,
    OwnSyntax.ELEMENT: _element,
    OwnSyntax.TIMESTAMP_ADD: unit_reader(TIMESTAMP_ADD),
    OwnSyntax.TIMESTAMP_DIFF: unit_reader(TIMESTAMP_DIFF),
}
"""What reads a call in each syntax of its own, unless the dialect has another reader."""
