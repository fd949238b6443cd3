"""Builds calls whose arguments have a syntax of their own, such as CAST, EXTRACT and TRIM."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.column_names.display_functions import find_built_in, find_own_syntax
from grammar.builder.expressions.field_names import field_name
from grammar.builder.recognition import CallReader, Found, Recognition
from grammar.builder.select.stars import star_of
from grammar.errors import Misread
from grammar.language import Form, Language
from ir.calls.named_arguments import order_arguments
from ir.dialects.syntax import OwnSyntax
from ir.errors import ValidationException, did_you_mean
from ir.expressions import FieldReference, SymbolLiteral, TypeLiteral
from ir.functions.aggregate import COUNT
from ir.functions.builtins import BUILT_INS
from ir.functions.calendar_fields import CALENDAR_FIELD, CALENDAR_FIELDS
from ir.functions.collection import ARRAY, AT, GET, MAP, ROW
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.intervals import TIMESTAMP_ADD, TIMESTAMP_DIFF, UNITS
from ir.functions.string import OVERLAY, POSITION, SUBSTRING, TRIM
from ir.functions.temporal import DATE_PART, EXTRACT, EXTRACT_UNITS, extract_unit
from ir.functions.text_search import LOCATE
from ir.functions.time_units import CEIL_TO, FLOOR_TO, ROUNDING_UNITS
from ir.identifiers import fold
from ir.literals import literal
from ir.resolution.lookup import FunctionName
from ir.resolution.windows.table_functions import WINDOW_FUNCTIONS
from ir.unresolved import UnresolvedCall, UnresolvedStar

if TYPE_CHECKING:
    from grammar.builder.expressions.building import BuildsExpressions
from grammar.builder.clause_names import ClauseNames

__all__ = ["GET", "ROW"]


def function_name(node: s.Call) -> FunctionName:
    """Return the name by which a function is looked up."""
    parts = node.function.parts
    return parts[0] if len(parts) == 1 else tuple(parts)


@cache
def niladic(name: str, language: Language) -> FunctionDefinition | None:
    """Return the function of this name if it may be called without parentheses, else None."""
    found = BUILT_INS.find(name)
    if found is None or found.emission.syntax.special != OwnSyntax.BARE_NAME:
        return None
    return found if fold(name) in language.names.bare_names(found) else None


def find_niladic_by_name(name: str) -> FunctionDefinition | None:
    """Return the niladic function with this SQL name; a further word for it, such as USER, may also be a column."""
    found = BUILT_INS.find(name)
    is_niladic = found is not None and found.emission.syntax.special == OwnSyntax.BARE_NAME
    return found if found is not None and is_niladic and fold(name) == fold(found.sql_name) else None


def call_before_columns(path: s.Path, language: Language) -> UnresolvedCall | None:
    """Return the call for a niladic function that wins over a column of the same name, else None."""
    if not language.names.before_columns or len(path.names) > 1 or path.names[0].quoted:
        return None
    function = find_built_in(fold(path.names[0].text))
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
    return has_unit and len(node.arguments) == 3 and find_own_syntax(fold(node.function.names[0].text)) in _WITH_UNITS


def constructor(node: s.Subscript) -> FunctionDefinition | None:
    """Return the constructor that a name before brackets denotes in Flink (``ARRAY[…]``, ``MAP[…]``), else None."""
    if type(node.base) is not s.Path or len(node.base.names) > 1:
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


def explain_table_function(name: FunctionName) -> str:
    """Explain that a function exists for tables only, if a window function of tables has this name, else return ""."""
    function = WINDOW_FUNCTIONS.get(fold(name)) if isinstance(name, str) else None
    if function is None:
        return ""
    return (
        f"{function.name.upper()} is no function of expressions: it adds windows to a table, in FROM {function.usage}."
    )


_ANY_ROW = "write a IN (SELECT …) for a = ANY, and for a < ANY a < (SELECT MAX(…) …)"
_COMPARED_WITH = {
    "ALL": "write a NOT IN (SELECT …) for a <> ALL, and for a > ALL a > (SELECT MAX(…) …)",
    "ANY": _ANY_ROW,
    "SOME": _ANY_ROW,
}


def make_form_error(node: s.Call) -> Misread:
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


def _load_json_builder(reader: str) -> CallReader:
    """Return the builder of a SQL/JSON function, which loads its module at the first call."""

    def special(builder: BuildsExpressions, node: s.Call) -> Found:
        from grammar.builder.expressions import json_calls

        found: Found = getattr(json_calls, reader)(builder, node)
        return found

    return special


def order_call_arguments(
    builder: BuildsExpressions, node: s.Call, function: FunctionDefinition, arguments: Sequence[Any], names: ClauseNames
) -> list[Any]:
    """Expand stars among the arguments, and order named arguments by position.

    Raises:
        Misread: the function does not accept an argument of this kind.
    """
    if all(type(argument) not in _UNUSUAL for argument in arguments):
        return list(arguments)
    if any(type(argument) is s.NamedArgument for argument in arguments):
        arguments = _order_by_position(function, arguments)
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


def _order_by_position(function: FunctionDefinition, arguments: Sequence[Any]) -> list[Any]:
    """Return the arguments in the order of the parameters; some arguments are named."""
    named = (s.NamedArgument,)
    try:
        return list(
            order_arguments(
                function, [(a.name.text, a.value) if isinstance(a, named) else (None, a) for a in arguments]
            )
        )
    except ValidationException as error:
        wrong = arguments[error.argument or 0]
        raise Misread(wrong.position, error.in_sql, error.condition) from None


_UNUSUAL = (s.Star, s.NamedArgument, s.Typed)


def star_columns(star: s.Star, names: ClauseNames) -> list[FieldReference]:
    """Return the columns that a star selects.

    Raises:
        Misread: no relation has the qualifier of the star, or EXCEPT names an unknown column.
    """
    return [column.field for column in star_of(star, names)]


# --- one by one ------------------------------------------------------------------------------------------------------


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


def read_unit_as_alias(node: Any, language: Language) -> Any:
    """Reinterpret a word after a parenthesised SELECT item: Flink reads a unit, Spark an alias."""
    if type(node) is not s.Qualified or not language.calls.unit_is_alias or node.last_unit is not None:
        return node
    return s.Aliased(node.position, node.inner, [s.Name(node.unit.position, node.unit.text, False)])


def difference(node: s.Qualified, recognition: Recognition) -> tuple[FunctionDefinition, list[Any]]:
    """Return the function and operands of a difference of two times in units.

    Raises:
        Misread: the dialect is Spark, the expression is no difference, or the units are unsupported.
    """
    inner, units = node.inner, (node.unit.text.upper(), (node.last_unit or "").upper())
    function = recognition.differences.get(units)
    is_difference = isinstance(inner, s.Operation) and [o.text for o in inner.operators] == ["-"]
    if function is None or not is_difference:
        raise Misread(
            node.unit.position,
            "After an expression in parentheses stands a unit in Flink alone, as in (a - b) DAY for dates and "
            "(a - b) HOUR TO SECOND for times.",
        )
    return function, inner.operands


def replace_arguments(node: s.Call, arguments: list[Any]) -> s.Call:
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


def name_fields_by_position(item: Any) -> Any:
    """Name the fields of a row by their numbers, so that the row compares with other rows; return others unchanged."""
    if not isinstance(item, s.Row):
        return item
    fields: list[Any] = []
    for number, field in enumerate(item.items, 1):
        inner = field.expression if isinstance(field, s.Aliased) else field
        fields.append(s.Aliased(item.position, inner, [s.Name(item.position, f"col{number}", True)]))
    return s.Row(item.position, fields)


def expand_stars(items: Sequence[Any], names: ClauseNames | None) -> list[Any]:
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


def row_fields(items: Sequence[Any], builder: BuildsExpressions) -> list[Any]:
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
            name = field_name(item, builder.language, builder.parameter) or name
        fields += [literal(name), value]
    return fields


def _struct(builder: BuildsExpressions, node: s.Call) -> Found:
    return (ROW, row_fields(node.arguments, builder)) if not node.form and node.arguments else None


def _row(builder: BuildsExpressions, node: s.Call) -> Found:
    builder.language.refuse(Form.ROW_CALL, node.position)
    return None


def _element(builder: BuildsExpressions, node: s.Call) -> Found:
    is_of_spark = fold(node.function.names[-1].text) != "at"
    return (AT, node.arguments) if is_of_spark and len(node.arguments) == 2 and not node.form else None


_WITH_UNITS = (OwnSyntax.TIMESTAMP_ADD, OwnSyntax.TIMESTAMP_DIFF)

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


def special_reader(name: str, recognition: Recognition) -> CallReader | None:
    """Return what reads calls of a folded name in a syntax of their own, None if they have the usual one."""
    read_as = find_own_syntax(name)
    return None if read_as is None else recognition.readers.get(read_as) or SPECIAL.get(read_as)


def report_at(work: Callable[[], Any], position: int) -> Any:
    """Call ``work``, and report its ValidationException at a position of the text."""
    try:
        return work()
    except ValidationException as error:
        raise Misread(position, str(error)) from None
