"""Builds calls whose arguments have a syntax of their own, such as CAST, EXTRACT and TRIM."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.column_names.shown_functions import built_in_of, reads_as
from grammar.builder.context import other_dialect
from grammar.builder.expressions.field_names import field_name
from grammar.builder.select.stars import star_of
from grammar.errors import Misread
from ir.calls.named_arguments import arranged
from ir.cast_rules import written_type
from ir.dialects.syntax import OwnSyntax
from ir.errors import ValidationException, did_you_mean
from ir.expressions import FieldReference, SymbolLiteral, TypeLiteral, UnresolvedCall, UnresolvedStar, ValueLiteral
from ir.functions.aggregate import COUNT
from ir.functions.builtins import BUILT_INS
from ir.functions.calendar_fields import CALENDAR_FIELD, CALENDAR_FIELDS
from ir.functions.collection import ARRAY, AT, GET, ITEM, MAP, ROW
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.flink import DATE_DIFFERENCE, MILLISECOND_OF, ROW_OF_TYPE, TIME_DIFFERENCE, TIMESTAMP_ADD_OF_FLINK
from ir.functions.intervals import TIMESTAMP_ADD, TIMESTAMP_DIFF, UNITS
from ir.functions.string import OVERLAY, POSITION, SUBSTRING, TRIM
from ir.functions.temporal import DATE_PART, EXTRACT, EXTRACT_UNITS, FLINK_UNITS, extract_unit
from ir.functions.text_search import LOCATE
from ir.functions.time_units import CEIL_TO, FLOOR_TO, ROUNDING_UNITS
from ir.functions.timestamps import TIMESTAMP_MICROS, TIMESTAMP_MILLIS, TIMESTAMP_SECONDS, TO_TIMESTAMP_NTZ
from ir.identifiers import fold
from ir.literals import literal
from ir.rendering import Dialect
from ir.resolution.lookup import FunctionName
from ir.resolution.windows.table_functions import WINDOW_FUNCTIONS
from ir.types import RowType

if TYPE_CHECKING:
    from grammar.builder.expressions.builder import ExpressionBuilder
from grammar.builder.names import NamesOf

__all__ = ["GET", "ROW"]

Found = tuple[FunctionDefinition, Sequence[Any]] | ValueLiteral | None
Special = Callable[["ExpressionBuilder", s.Call], Found]


def function_name(node: s.Call) -> FunctionName:
    """Return the name by which a function is looked up."""
    parts = node.function.parts
    return parts[0] if len(parts) == 1 else tuple(parts)


@cache
def niladic(name: str, dialect: Dialect) -> FunctionDefinition | None:
    """Return the function of this name if it may be called without parentheses, else None."""
    found = BUILT_INS.find(name)
    if found is None or found.emission.syntax.special != OwnSyntax.BARE_NAME:
        return None
    is_word = fold(name) in (found.emission.bare_names if dialect is Dialect.SPARK else (fold(found.sql_name),))
    return found if is_word else None


def call_before_columns(path: s.Path, dialect: Dialect) -> UnresolvedCall | None:
    """Return the call for a niladic function that wins over a column of the same name, else None."""
    if dialect is not Dialect.SPARK or len(path.names) > 1 or path.names[0].quoted:
        return None
    function = built_in_of(fold(path.names[0].text))
    return None if function is None or not function.emission.before_columns else UnresolvedCall(function, ())


def has_own_form(node: s.Call) -> bool:
    """Whether a call has a syntax that only a built-in function of the grammar has."""
    if node.form or node.function.names[0].quoted:
        return bool(node.form)
    if any(isinstance(argument, s.Typed) for argument in node.arguments):
        return True
    first = node.arguments[0] if node.arguments else None
    if fold(node.function.names[0].text) == "position":
        return len(node.arguments) == 1 and isinstance(first, s.Predicate) and first.kind == "in"
    has_unit = isinstance(first, s.Path) and len(first.names) == 1 and first.names[0].text.upper() in UNITS
    return has_unit and len(node.arguments) == 3 and reads_as(fold(node.function.names[0].text)) in _WITH_UNITS


def constructor(node: s.Subscript, dialect: Dialect) -> FunctionDefinition | None:
    """Return the Flink constructor that a name before brackets denotes (``ARRAY[…]``, ``MAP[…]``), else None."""
    if dialect is not Dialect.FLINK or type(node.base) is not s.Path or len(node.base.names) > 1:
        return None
    name = node.base.names[0]
    return None if name.quoted else {"array": ARRAY, "map": MAP}.get(fold(name.text))


def function_of(node: s.Subscript) -> str:
    """Return the function name before the brackets."""
    assert type(node.base) is s.Path
    return node.base.names[-1].text


_WINDOWS = ("window", "session_window")


def window_name(node: Any) -> str | None:
    """Return the name that Spark gives the column of a time window call, else None.

    The name is that of the window function.
    """
    if type(node) is not s.Call or len(node.function.names) != 1:
        return None
    name = fold(node.function.names[0].text)
    return name if name in _WINDOWS else None


def no_expression(name: FunctionName) -> str:
    """Explain that a function exists for tables only, if a window function of tables has this name, else return ""."""
    function = WINDOW_FUNCTIONS.get(fold(name)) if isinstance(name, str) else None
    if function is None:
        return ""
    return (
        f"{function.name.upper()} is no function of expressions: it adds windows to a table, in FROM {function.usage}."
    )


def subscript(dialect: Dialect) -> FunctionDefinition:
    """Return the function for brackets after an expression: Flink counts from 1, Spark from 0."""
    return AT if dialect is Dialect.FLINK else ITEM


_ANY_ROW = "write a IN (SELECT …) for a = ANY, and for a < ANY a < (SELECT MAX(…) …)"
_COMPARED_WITH = {
    "ALL": "write a NOT IN (SELECT …) for a <> ALL, and for a > ALL a > (SELECT MAX(…) …)",
    "ANY": _ANY_ROW,
    "SOME": _ANY_ROW,
}


def wrong_form(node: s.Call) -> Misread:
    """Return the error for a special argument syntax that the function does not accept."""
    name = node.function.names[-1].text.upper()
    if node.form == "query" and name in _COMPARED_WITH:
        message = f"A comparison with {name} rows of a query is not supported; {_COMPARED_WITH[name]}."
        return Misread(node.position, message, "PARSE_SYNTAX_ERROR")
    if node.form == "query":
        return Misread(node.position, f"{name} takes no query as it is; one value of it is ({name}((SELECT …))).")
    words = {
        "from": "FROM",
        "trim": "BOTH, LEADING or TRAILING",
        "placing": "PLACING",
        "to": "TO",
        "json": "KEY … VALUE",
    }
    return Misread(node.position, f"{name} takes arguments with commas between them, not with {words[node.form]}.")


def check_clauses(node: s.Call, function: FunctionDefinition) -> None:
    """Reject clauses that the called function does not support.

    Raises:
        Misread: the call has an unsupported clause.
    """
    if not node.clauses:
        return
    from grammar.builder.expressions.json_calls import WITH_CLAUSES

    if function not in WITH_CLAUSES:
        raise Misread(node.clauses[0].position, f"{function.sql_name} has no clause {node.clauses[0].kind}.")


def _of_json(reader: str) -> Special:
    """Return the builder of a SQL/JSON function, which loads its module at the first call."""

    def special(builder: ExpressionBuilder, node: s.Call) -> Found:
        from grammar.builder.expressions import json_calls

        found: Found = getattr(json_calls, reader)(builder, node)
        return found

    return special


def checked_arguments(
    builder: ExpressionBuilder, node: s.Call, function: FunctionDefinition, arguments: Sequence[Any], names: NamesOf
) -> list[Any]:
    """Expand stars among the arguments, and order named arguments by position.

    Raises:
        Misread: the function does not accept an argument of this kind.
    """
    if all(type(argument) not in _UNUSUAL for argument in arguments):
        return list(arguments)
    if any(type(argument) is s.NamedArgument for argument in arguments):
        arguments = _by_position(function, arguments)
    children: list[Any] = []
    for argument in arguments:
        if isinstance(argument, s.Star):
            is_count = function is COUNT and len(arguments) == 1
            named = argument.qualifier if argument.left_out is None else None
            if is_count and isinstance(named, s.Path) and names.scope.is_seen(named):
                name = ".".join(part.text for part in named.names)
                message = f"COUNT does not take {name}.*; write COUNT(*), or the columns that must not be NULL."
                raise Misread(argument.position, message, "INVALID_USAGE_OF_STAR_WITH_TABLE_IDENTIFIER_IN_COUNT")
            if is_count and argument.qualifier is None and argument.left_out is None and node.quantifier != "DISTINCT":
                children.append(UnresolvedStar())
            else:
                children += star_columns(argument, names)
        elif isinstance(argument, s.Typed):
            raise Misread(argument.position, f"{function.sql_name} takes no AS; only CAST and constructors of rows do.")
        else:
            children.append(argument)
    return children


def _by_position(function: FunctionDefinition, arguments: Sequence[Any]) -> list[Any]:
    """Return the arguments in the order of the parameters; some arguments are named."""
    named = (s.NamedArgument,)
    try:
        return list(
            arranged(function, [(a.name.text, a.value) if isinstance(a, named) else (None, a) for a in arguments])
        )
    except ValidationException as error:
        wrong = arguments[error.argument or 0]
        raise Misread(wrong.position, error.in_sql, error.condition) from None


_UNUSUAL = (s.Star, s.NamedArgument, s.Typed)


def star_columns(star: s.Star, names: NamesOf) -> list[FieldReference]:
    """Return the columns that a star selects.

    Raises:
        Misread: no relation has the qualifier of the star, or EXCEPT names an unknown column.
    """
    return [column.field for column in star_of(star, names)]


# --- one by one ------------------------------------------------------------------------------------------------------


def _cast(function: FunctionDefinition) -> Special:
    def special(builder: ExpressionBuilder, node: s.Call) -> Found:
        if len(node.arguments) != 1 or not isinstance(node.arguments[0], s.Typed):
            name = function.sql_name
            first = node.arguments[0] if node.arguments else None
            position = first.names[0].position if isinstance(first, s.Aliased) else node.position
            message = f"{name} takes a value and a type with AS between them: {name}(a AS INT)."
            raise Misread(position, message, "PARSE_SYNTAX_ERROR")
        typed = node.arguments[0]
        row = flink_row(builder, typed)
        if row is not None and function is CAST:
            return row
        return function, [typed.expression, TypeLiteral(builder.type_of(typed.target))]

    return special


def flink_row(builder: ExpressionBuilder, typed: s.Typed) -> Found:
    """Build Flink's CAST(ROW(…) AS ROW<…>), which names the fields of the row; return None for any other cast."""
    inner = typed.expression
    if builder.dialect is not Dialect.FLINK or not isinstance(inner, s.Call) or inner.form:
        return None
    kind = builder.type_of(typed.target)
    if inner.function.parts != ("ROW",) or not isinstance(kind, RowType) or len(kind.fields) != len(inner.arguments):
        return None
    return ROW_OF_TYPE, [TypeLiteral(written_type(kind).as_nullable()), *inner.arguments]


def _symbol(word: Any) -> SymbolLiteral | None:
    if isinstance(word, s.Word):
        return SymbolLiteral(word.text)
    if isinstance(word, s.Path) and len(word.names) == 1:
        return SymbolLiteral(word.names[0].text.upper())
    return None


def _extract(builder: ExpressionBuilder, node: s.Call) -> Found:
    if not node.form and len(node.arguments) == 2 and builder.dialect is Dialect.SPARK:
        return DATE_PART, node.arguments
    unit = _symbol(node.arguments[0]) if node.form == "from" and len(node.arguments) == 2 else None
    if unit is None:
        raise Misread(node.position, "EXTRACT takes a unit and a time: EXTRACT(YEAR FROM a).")
    if unit.symbol == "MILLISECOND" and builder.dialect is Dialect.FLINK:
        return MILLISECOND_OF, [node.arguments[1]]
    if unit.symbol in CALENDAR_FIELDS:
        return CALENDAR_FIELD, [unit, node.arguments[1]]
    if builder.dialect is Dialect.FLINK:
        symbol = {flink: spark for spark, flink in FLINK_UNITS.items()}.get(unit.symbol)
    else:
        symbol = extract_unit(unit.symbol)
    if symbol is None:
        own = FLINK_UNITS.values() if builder.dialect is Dialect.FLINK else EXTRACT_UNITS
        units = (*own, *CALENDAR_FIELDS)
        raise Misread(
            node.arguments[0].position,
            f"EXTRACT has no unit {unit.symbol}; it has {', '.join(units)}." + did_you_mean(unit.symbol, list(units)),
            "INVALID_EXTRACT_FIELD",
        )
    return EXTRACT, [SymbolLiteral(symbol), node.arguments[1]]


def _trim(builder: ExpressionBuilder, node: s.Call) -> Found:
    arguments = node.arguments
    if node.form == "trim":
        side, characters, text = arguments
        return TRIM, [_symbol(side), text] if characters is None else [_symbol(side), text, characters]
    if node.form == "from" and len(arguments) == 2:
        return TRIM, [SymbolLiteral("BOTH"), arguments[1], arguments[0]]
    if not node.form and len(arguments) in (1, 2):
        return TRIM, [SymbolLiteral("BOTH"), *reversed(arguments)]
    return None


def _trimmed(side: str) -> Special:
    """Build LTRIM or RTRIM as TRIM. In Flink the text is the first argument, in Spark the second."""

    def special(builder: ExpressionBuilder, node: s.Call) -> Found:
        if len(node.arguments) not in (1, 2) or node.form:
            return None
        arguments = node.arguments if builder.dialect is Dialect.FLINK else node.arguments[::-1]
        return TRIM, [SymbolLiteral(side), *arguments]

    return special


def _substring(builder: ExpressionBuilder, node: s.Call) -> Found:
    return (SUBSTRING, node.arguments) if node.form == "from" else None


def _overlay(builder: ExpressionBuilder, node: s.Call) -> Found:
    return (OVERLAY, node.arguments) if node.form == "placing" else None


def _position(builder: ExpressionBuilder, node: s.Call) -> Found:
    (argument, *more) = node.arguments or [None]
    if isinstance(argument, s.Predicate) and argument.kind == "in" and not argument.negated and not more:
        needle, haystack = argument.operands
        return POSITION, [needle, haystack]
    if len(node.arguments) == 3 and not node.form:
        return LOCATE, node.arguments
    return None


def _in_units(function: FunctionDefinition) -> Special:
    """Build a function of three arguments, whose first is a time unit without quotes."""

    def special(builder: ExpressionBuilder, node: s.Call) -> Found:
        if len(node.arguments) != 3 or node.form:
            return None
        unit, *others = node.arguments
        named = _symbol(unit)
        symbol = None if named is None else {"DAYOFYEAR": "DAY"}.get(named.symbol, named.symbol)
        if symbol not in UNITS:
            name = node.function.names[-1].text.upper()
            raise Misread(
                unit.position,
                f"{name} of three arguments begins with a unit without quotes: {', '.join(UNITS)} or DAYOFYEAR.",
                "INVALID_PARAMETER_VALUE.DATETIME_UNIT",
            )
        is_flink = function is TIMESTAMP_ADD and builder.dialect is Dialect.FLINK
        return TIMESTAMP_ADD_OF_FLINK if is_flink else function, [SymbolLiteral(symbol), *others]

    return special


def _to_unit(function: FunctionDefinition) -> Special:
    """Build FLOOR or CEIL of a time, with the unit after TO."""

    def special(builder: ExpressionBuilder, node: s.Call) -> Found:
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


def _instant(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Build Flink's TO_TIMESTAMP_LTZ: a constant for a number literal, else a conversion from a number."""
    if builder.dialect is not Dialect.FLINK or node.form:
        return None
    value, *others = node.arguments
    digits = _whole_number(builder, others[0]) if len(others) == 1 else None
    if digits not in _INSTANT_UNITS:
        raise Misread(
            node.position, "TO_TIMESTAMP_LTZ takes a number and the digits 0, 3 or 6 of its fraction of a second."
        )
    unsigned = value.operand if isinstance(value, s.Signed) else value
    if not isinstance(unsigned, s.Number):
        return {0: TIMESTAMP_SECONDS, 3: TIMESTAMP_MILLIS, 6: TIMESTAMP_MICROS}[digits], [value]
    microseconds = _whole_number(builder, value) * _INSTANT_UNITS[digits]
    return literal(_EPOCH + dt.timedelta(microseconds=microseconds))


def _local(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Build Flink's TO_TIMESTAMP, whose result has no time zone."""
    return (TO_TIMESTAMP_NTZ, node.arguments) if builder.dialect is Dialect.FLINK and not node.form else None


def _of_week(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Build Flink's WEEK, which Spark calls WEEKOFYEAR."""
    is_flink = builder.dialect is Dialect.FLINK and len(node.arguments) == 1 and not node.form
    return (EXTRACT, [SymbolLiteral("WEEK"), *node.arguments]) if is_flink else None


_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_INSTANT_UNITS = {0: 1_000_000, 3: 1000, 6: 1}


def _whole_number(builder: ExpressionBuilder, node: Any) -> int:
    negative = isinstance(node, s.Signed) and node.sign == "-"
    number = node.operand if negative else node
    value = builder.constant(number).value if isinstance(number, s.Number) else None
    if not isinstance(value, int):
        raise Misread(node.position, "A whole number is expected here.")
    return -value if negative else value


def without_unit(node: Any, dialect: Dialect) -> Any:
    """Reinterpret a word after a parenthesised SELECT item: Flink reads a unit, Spark an alias."""
    if type(node) is not s.Qualified or dialect is Dialect.FLINK or node.last_unit is not None:
        return node
    return s.Aliased(node.position, node.inner, [s.Name(node.unit.position, node.unit.text, False)])


def difference(node: s.Qualified, dialect: Dialect) -> tuple[FunctionDefinition, list[Any]]:
    """Return the function and operands of a difference of two times in units.

    Raises:
        Misread: the dialect is Spark, the expression is no difference, or the units are unsupported.
    """
    inner, units = node.inner, (node.unit.text.upper(), (node.last_unit or "").upper())
    function = {("DAY", ""): DATE_DIFFERENCE, ("HOUR", "SECOND"): TIME_DIFFERENCE}.get(units)
    is_difference = isinstance(inner, s.Operation) and [o.text for o in inner.operators] == ["-"]
    if dialect is not Dialect.FLINK or function is None or not is_difference:
        raise Misread(
            node.unit.position,
            "After an expression in parentheses stands a unit in Flink alone, as in (a - b) DAY for dates and "
            "(a - b) HOUR TO SECOND for times.",
        )
    return function, inner.operands


def with_arguments(node: s.Call, arguments: list[Any]) -> s.Call:
    """Return a copy of the call syntax with other arguments."""
    return s.Call(
        node.position,
        node.function,
        arguments,
        node.form,
        node.quantifier,
        node.clauses,
        node.within_group,
        node.filter,
        node.nulls,
    )


def by_position(item: Any) -> Any:
    """Name the fields of a row by their numbers, so that the row compares with other rows; return others unchanged."""
    if not isinstance(item, s.Row):
        return item
    fields: list[Any] = []
    for number, field in enumerate(item.items, 1):
        inner = field.expression if isinstance(field, s.Aliased) else field
        fields.append(s.Aliased(item.position, inner, [s.Name(item.position, f"col{number}", True)]))
    return s.Row(item.position, fields)


def with_columns_of_stars(items: Sequence[Any], names: NamesOf | None) -> list[Any]:
    """Replace stars among the items of a row with their columns, each under its name."""
    if names is None or not any(isinstance(item, s.Star) for item in items):
        return list(items)
    made: list[Any] = []
    for item in items:
        if isinstance(item, s.Star):
            made += [
                s.Aliased(item.position, column.field, [s.Name(item.position, column.name, True)])
                for column in star_of(item, names)
            ]
        else:
            made.append(item)
    return made


def row_fields(items: Sequence[Any], builder: ExpressionBuilder) -> list[Any]:
    """Return the names and values of the fields of a row, alternating.

    A field is named by its alias, after the column that it reads, or by its number.
    """
    fields: list[Any] = []
    for number, item in enumerate(items, 1):
        value, name = item, f"col{number}"
        if isinstance(item, s.Aliased):
            value, name = item.expression, item.names[0].text
        elif isinstance(item, s.Typed):
            if not isinstance(item.target, s.TypeName):
                raise Misread(item.position, "After AS stands the name of a field.")
            value, name = item.expression, item.target.text
        else:
            name = field_name(item, builder.dialect, builder.parameter) or name
        fields += [literal(name), value]
    return fields


def _struct(builder: ExpressionBuilder, node: s.Call) -> Found:
    return (ROW, row_fields(node.arguments, builder)) if not node.form and node.arguments else None


def _row(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Build Flink's ROW(…), whose fields Calcite names EXPR$0, EXPR$1 and so on."""
    if builder.dialect is Dialect.SPARK:
        message = "ROW(…) is of FLINK; in SPARK write STRUCT(…), or the values in parentheses."
        raise Misread(node.position, message + other_dialect(builder.dialect), "UNRESOLVED_ROUTINE")
    return ROW, [part for n, a in enumerate(node.arguments) for part in (literal(f"EXPR${n}"), a)]


def _element(builder: ExpressionBuilder, node: s.Call) -> Found:
    is_of_spark = fold(node.function.names[-1].text) != "at"
    return (AT, node.arguments) if is_of_spark and len(node.arguments) == 2 and not node.form else None


_WITH_UNITS = (OwnSyntax.TIMESTAMP_ADD, OwnSyntax.TIMESTAMP_DIFF)

SPECIAL: dict[str, Special] = {
    OwnSyntax.CAST: _cast(CAST),
    OwnSyntax.TRY_CAST: _cast(TRY_CAST),
    OwnSyntax.EXTRACT: _extract,
    OwnSyntax.TRIM: _trim,
    OwnSyntax.LTRIM: _trimmed("LEADING"),
    OwnSyntax.RTRIM: _trimmed("TRAILING"),
    OwnSyntax.SUBSTRING: _substring,
    OwnSyntax.OVERLAY: _overlay,
    OwnSyntax.POSITION: _position,
    OwnSyntax.JSON_ARRAY: _of_json("json_array"),
    OwnSyntax.JSON_EXISTS: _of_json("json_exists"),
    OwnSyntax.JSON_OBJECT: _of_json("json_object"),
    OwnSyntax.JSON_QUERY: _of_json("json_query"),
    OwnSyntax.JSON_VALUE: _of_json("json_value"),
    OwnSyntax.JSON_OBJECTAGG: _of_json("json_objectagg"),
    OwnSyntax.JSON_ARRAYAGG: _of_json("json_arrayagg"),
    OwnSyntax.JSON_TABLE: _of_json("json_table"),
    OwnSyntax.FLOOR: _to_unit(FLOOR_TO),
    OwnSyntax.CEIL: _to_unit(CEIL_TO),
    OwnSyntax.TO_TIMESTAMP_LTZ: _instant,
    OwnSyntax.TO_TIMESTAMP: _local,
    OwnSyntax.WEEK: _of_week,
    OwnSyntax.STRUCT: _struct,
    OwnSyntax.ROW: _row,
    OwnSyntax.ELEMENT: _element,
    OwnSyntax.TIMESTAMP_ADD: _in_units(TIMESTAMP_ADD),
    OwnSyntax.TIMESTAMP_DIFF: _in_units(TIMESTAMP_DIFF),
}
"""What reads a call in each syntax of its own."""


def special_reader(name: str) -> Special | None:
    """Return what reads calls of a folded name in a syntax of their own, None if they have the usual one."""
    read_as = reads_as(name)
    return None if read_as is None else SPECIAL[read_as]


def checked(work: Callable[[], Any], position: int) -> Any:
    """Call ``work``, and report its ValidationException at a position of the text."""
    try:
        return work()
    except ValidationException as error:
        raise Misread(position, str(error)) from None
