"""Checks of the arguments of table methods, and their conversion to unresolved expressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import FunctionType, GeneratorType

from ir.errors import ValidationException, listing, shorten
from ir.expressions import Expression as Unresolved
from ir.late_patterns import late_pattern
from ir.light_typing import TYPE_CHECKING, Any
from ir.literals import literal
from ir.names import Names
from ir.resolution.operations import split_alias
from ir.unresolved import UnresolvedAlias, UnresolvedCall, UnresolvedReference
from tableapi.expression import Expression, unwrap
from tableapi.lazy import lazy
from tableapi.spark.runtime.row import Row

if TYPE_CHECKING:
    from ir.functions import collection
    from tableapi.advice import misused_members
    from tableapi.members import type_arguments
    from tableapi.user_functions import wrapper
else:
    type_arguments = lazy(__name__, "tableapi.members.type_arguments")
    collection = lazy(__name__, "ir.functions.collection")
    misused_members = lazy(__name__, "tableapi.advice.misused_members")
    wrapper = lazy(__name__, "tableapi.user_functions.wrapper")


def require_several(given: Any, method: str, name: str) -> Any:
    """Return a collection that is an argument of a method.

    Raises:
        ValidationException: the argument is a single string or expression, or is not a collection.
    """
    if isinstance(given, str | bytes | Expression) or not isinstance(given, Iterable):
        advice = f" Write [{misused_members.receiver(given)}]." if isinstance(given, Expression) else ""
        raise ValidationException(f"{name} of {method} takes a list, but was given {shorten(repr(given))}.{advice}")
    return given


def unwrap_arguments(given: Sequence[Any], method: str) -> list[Unresolved]:
    """Return the arguments of a method as unresolved expressions; reject strings, which may mean a name or a value."""
    for argument in given:
        if isinstance(argument, str):
            raise ValidationException(
                f"{method} takes expressions, but was given the text {argument!r}. Write {_instead_of_text(argument)}."
                if method != "join"
                else f"join takes a condition, but was given the text {argument!r}. {_JOIN}"
            )
        if isinstance(argument, list | tuple | set | GeneratorType):
            _check_is_value(argument, method)
        if isinstance(argument, FunctionType):
            uncalled = misused_members.describe_uncalled_method(argument, functions=True)
            if uncalled:
                raise ValidationException(f"{method} takes expressions. {uncalled}")
    return [unwrap(argument) for argument in given]


_JOIN = (
    "Write a comparison of columns of the two tables: col('a') == col('b'). If both have the name, rename one first: "
    "u.rename_columns(col('a').alias('b'))."
)
_NAME = late_pattern(r"[\w.`*]+")
_NAMED_OR_ORDERED = late_pattern(r"(?is)(.+?)\s+(?:AS\s+(\w+)|(ASC|DESC))")


def _instead_of_text(text: str) -> str:
    """Return a suggestion for a string in place of an expression: a column, SQL text or a value."""
    value = f"lit({text!r}) for the value"
    if not text.strip():
        return value
    parts = _NAMED_OR_ORDERED.fullmatch(text.strip())
    inner, name, order = (text, None, None) if parts is None else parts.groups()
    end = f".alias({name!r})" if name else f".{order.lower()}" if order else ""
    if _NAME.fullmatch(inner):
        return f"col({inner!r}){end} for the column or {value}"
    return f"call_sql({inner!r}){end} for the SQL expression, col({text!r}) for a column of that name, or {value}"


def _check_is_value(given: Any, method: str) -> None:
    """Reject a list of columns in place of an expression; a list of values is an array.

    Raises:
        ValidationException: the list contains expressions or strings, or is a generator.
    """
    kind = type(given).__name__
    if method == "join" and not isinstance(given, GeneratorType) and all(isinstance(part, str) for part in given):
        raise ValidationException(f"join takes a condition, but was given a {kind} of names. {_JOIN}")
    start = f"{method} takes expressions as separate arguments, but was given a {kind}. Write "
    if isinstance(given, GeneratorType):
        raise ValidationException(f"{start}an asterisk before it: {method}(*(col(name) for name in names)).")
    columns = [f"col({part!r})" if isinstance(part, str) else misused_members.receiver(part) for part in given]
    if any(isinstance(part, Expression) for part in given):
        raise ValidationException(f"{start}{method}({listing(columns, 5)}), or an asterisk before the {kind}.")
    if given and all(isinstance(part, str) for part in given):
        raise ValidationException(
            f"{start}{method}({listing(columns, 5)}) for the columns, or lit({given!r}) for an array."
        )


def call_with_row(func: Any, names: Sequence[str]) -> Any:
    """Call a user-defined function with a whole row if the function itself is given; return other arguments.

    Args:
        func: the argument of a method: a user-defined function or an expression.
        names: the column names of the row.
    """
    if isinstance(func, Expression) or not isinstance(func, wrapper.UserDefinedFunctionWrapper):
        return func
    if not names:
        raise ValidationException("row needs at least one value.")
    return func.of_row(Expression(row_of([UnresolvedAlias(UnresolvedReference(name), name) for name in names])))


def row_of(values: Sequence[Unresolved]) -> Unresolved:
    """Return a row of values, whose fields are named by aliases, or f0, f1 and so on."""
    pairs = [split_alias(value) for value in values]
    names = Names(name for _, name in pairs if name is not None)
    arguments: list[Unresolved] = []
    for position, (expression, name) in enumerate(pairs):
        arguments += [literal(name or names.generate("f", position)), expression]
    return UnresolvedCall(collection.ROW, tuple(arguments))


def unpivot_groups(values: Any) -> list[tuple[str, list[Unresolved]]] | None:
    """Return the columns that become rows, after the names that they have in the rows."""
    if values is None:
        return None
    require_several(values, "unpivot", "values")
    if isinstance(values, Mapping):
        return [_unpivot_group(pair) for pair in values.items()]
    if isinstance(values, Sequence) and values and all(isinstance(value, tuple) for value in values):
        return [_unpivot_group(pair) for pair in values]
    named = map(split_alias, unwrap_arguments(values, "unpivot"))
    return [(name or str(getattr(expression, "name", n)), [expression]) for n, (expression, name) in enumerate(named)]


def _unpivot_group(pair: tuple[Any, ...]) -> tuple[str, list[Unresolved]]:
    """Return a group of unpivot for a name and one or several columns."""
    if len(pair) != 2:
        raise ValidationException(
            f"unpivot takes pairs of a name and its columns, such as ('first', col('a')), not {shorten(repr(pair))}."
        )
    name, given = pair
    several = isinstance(given, Sequence) and not isinstance(given, str)
    return type_arguments.column_names([name], "unpivot")[0], unwrap_arguments(given if several else [given], "unpivot")


def pivot_values(values: Any, width: int) -> dict[str, tuple[Any, ...]]:
    """Return the values by name, as tuples of ``width`` parts."""
    if not require_several(values or (), "pivot", "values"):
        raise ValidationException(
            "pivot needs the values that become columns: the columns of a query are known before it runs."
        )

    def parts(value: Any) -> tuple[Any, ...]:
        return tuple(value) if width > 1 and isinstance(value, tuple | list | Row) else (value,)

    if isinstance(values, Mapping):
        return {
            name: parts(value)
            for name, value in zip(type_arguments.column_names(list(values), "pivot"), values.values(), strict=True)
        }
    named: dict[str, tuple[Any, ...]] = {}
    for value in values:
        name = "_".join("null" if part is None else str(part) for part in parts(value))
        if name in named:
            raise ValidationException(f"pivot has two values named {name!r}; name them: {{'name': value, …}}.")
        named[name] = parts(value)
    return named
