"""Builds calls: their names, arguments and clauses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.column_names.display_functions import find_built_in, find_own_syntax
from grammar.builder.expressions.field_names import field_name
from grammar.builder.recognition import Recognition
from grammar.builder.select.stars import star_of
from grammar.errors import Misread
from grammar.language import Language
from ir.calls.named_arguments import order_arguments
from ir.dialects.syntax import OwnSyntax
from ir.errors import ValidationException
from ir.expressions import FieldReference
from ir.functions.aggregate import COUNT
from ir.functions.builtins import BUILT_INS
from ir.functions.collection import ARRAY, GET, MAP, ROW
from ir.functions.definition import FunctionDefinition
from ir.identifiers import fold
from ir.literals import literal
from ir.resolution.lookup import FunctionName
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
    """Whether a call has a syntax that the grammar reserves for a built-in function."""
    if node.form or node.function.names[0].quoted:
        return bool(node.form)
    if any(isinstance(argument, s.Typed) for argument in node.arguments):
        return True
    first = node.arguments[0] if node.arguments else None
    if fold(node.function.names[0].text) == "position":
        return len(node.arguments) == 1 and isinstance(first, s.Predicate) and first.kind == "in"
    if len(node.arguments) != 3 or not isinstance(first, s.Path) or len(first.names) > 1:
        return False
    if find_own_syntax(fold(node.function.names[0].text)) not in _WITH_UNITS:
        return False
    from ir.functions.intervals import UNITS

    return first.names[0].text.upper() in UNITS


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
    from ir.resolution.changelogs import CHANGELOG_FUNCTIONS
    from ir.resolution.windows.table_functions import WINDOW_FUNCTIONS

    folded = fold(name) if isinstance(name, str) else ""
    function = WINDOW_FUNCTIONS.get(folded)
    if function is not None:
        called, does = function.signature, "adds windows to a table"
    elif folded in CHANGELOG_FUNCTIONS:
        called, does = CHANGELOG_FUNCTIONS[folded], "takes a table"
    else:
        return ""
    return f"{called.shown} is no function of expressions: it {does}, in FROM {called.usage}."


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


def read_unit_as_alias(node: Any, language: Language) -> Any:
    """Reinterpret a word after a parenthesised SELECT item: Flink reads a unit, Spark an alias."""
    if type(node) is not s.Qualified or not language.calls.unit_is_alias or node.last_unit is not None:
        return node
    return s.Aliased(node.position, node.inner, [s.Name(node.unit.position, node.unit.text, False)])


def difference(node: s.Qualified, recognition: Recognition) -> tuple[FunctionDefinition, list[Any]]:
    """Return the function and operands of a difference of two times in units.

    Raises:
        Misread: the dialect is Spark, the expression is not a difference, or the units are unsupported.
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


_WITH_UNITS = (OwnSyntax.TIMESTAMP_ADD, OwnSyntax.TIMESTAMP_DIFF)


def report_at(work: Callable[[], Any], position: int) -> Any:
    """Call ``work``, and report its ValidationException at a position of the text."""
    try:
        return work()
    except ValidationException as error:
        raise Misread(position, str(error)) from None
