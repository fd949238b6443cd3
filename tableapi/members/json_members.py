"""The JSON members of expressions."""

from __future__ import annotations

from enum import Enum

from ir import types as t
from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.builtins import BUILT_INS
from ir.light_typing import TYPE_CHECKING, Any, TypeVar
from ir.unresolved import UnresolvedCall
from tableapi.data.values import value_expression
from tableapi.lazy import lazy
from tableapi.members.json_symbols import JsonQueryOnEmptyOrError, JsonQueryWrapper, JsonValueOnEmptyOrError
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from ir.functions import json_clauses
    from tableapi import expression as fluent
    from tableapi.expression import Expression
    from tableapi.members import symbols, type_arguments
    from tableapi.members.symbols import JsonExistsOnError, JsonType
    from tableapi.members.type_arguments import TypeLike
else:
    type_arguments = lazy(__name__, "tableapi.members.type_arguments")
    json_clauses = lazy(__name__, "ir.functions.json_clauses")
    fluent = lazy(__name__, "tableapi.expression")
    symbols = lazy(__name__, "tableapi.members.symbols")

Choice = TypeVar("Choice", bound=Enum)

_KINDS = {
    "VALUE": "IS_JSON",
    "SCALAR": "IS_JSON_SCALAR",
    "ARRAY": "IS_JSON_ARRAY",
    "OBJECT": "IS_JSON_OBJECT",
}


@boundaries
class JsonMembers:
    """A base class of expressions with the JSON members.

    A path begins with ``$`` and consists of names and indexes, as in ``$.a.b[0]`` and ``$['a b']``. It may have the
    prefix ``lax`` or ``strict``, which is the default. A path that finds nothing is empty with ``lax``, and otherwise
    an error. A string that is not JSON is an error, too.
    """

    __slots__ = ()

    _expression: Unresolved

    def is_json(self, json_type: JsonType | None = None) -> Expression[bool]:
        """Whether the string is JSON, or JSON of the given kind; FALSE for NULL.

        >>> from tableapi import JsonType
        >>> from tableapi.expressions import col
        >>> col("j").is_json(JsonType.OBJECT)
        IS_JSON_OBJECT(j)
        """
        kind = _require_choice("is_json", "json_type", symbols.JsonType, json_type or symbols.JsonType.VALUE)
        return self._json_call(_KINDS[kind.value], ())

    def json_exists(self, path: str, on_error: JsonExistsOnError | None = None) -> Expression[bool]:
        """Whether a path finds a value other than null.

        Args:
            path: a constant such as ``$.a[0]``.
            on_error: the result if a strict path finds nothing or the string is not JSON, FALSE by default.

        Raises:
            ValidationException: the path is invalid.
            TableException: Spark does not support the path.

        >>> from tableapi.expressions import col
        >>> col("j").json_exists("$.a")
        JSON_EXISTS(j, '$.a', FALSE)
        """
        chosen = _require_choice(
            "json_exists", "on_error", symbols.JsonExistsOnError, on_error or symbols.JsonExistsOnError.FALSE
        )
        return self._json_call("JSON_EXISTS", json_clauses.exists_arguments(path, chosen.value))

    def json_value(
        self,
        path: str,
        returning_type: TypeLike = t.STRING,
        on_empty: JsonValueOnEmptyOrError = JsonValueOnEmptyOrError.NULL,
        default_on_empty: Any = None,
        on_error: JsonValueOnEmptyOrError = JsonValueOnEmptyOrError.NULL,
        default_on_error: Any = None,
    ) -> Expression[Any]:
        """Return the number, string or boolean that a path finds.

        Args:
            path: a constant such as ``$.a[0]``.
            returning_type: STRING, BOOLEAN, INT or DOUBLE.
            on_empty: the result if a lax path finds no value.
            default_on_empty: the constant for ``JsonValueOnEmptyOrError.DEFAULT``.
            on_error: the result if a strict path finds no value.
            default_on_error: the constant for ``JsonValueOnEmptyOrError.DEFAULT``.

        Raises:
            ValidationException: the path is invalid, or a default does not have the type.
            TableException: Spark does not support the path, or the type in this form.

        >>> from tableapi.expressions import col
        >>> col("j").json_value("$.a", default_on_error="?", on_error=JsonValueOnEmptyOrError.DEFAULT)
        JSON_VALUE(j, '$.a', STRING, '?')
        """
        returning = type_arguments.read_data_type(returning_type, "The returning_type of json_value")
        empty = _default("on_empty", on_empty, default_on_empty)
        error = _default("on_error", on_error, default_on_error)
        return self._json_call("JSON_VALUE", json_clauses.value_arguments(path, returning, empty, error))

    def json_query(
        self,
        path: str,
        wrapping_behavior: JsonQueryWrapper = JsonQueryWrapper.WITHOUT_ARRAY,
        on_empty: JsonQueryOnEmptyOrError = JsonQueryOnEmptyOrError.NULL,
        on_error: JsonQueryOnEmptyOrError = JsonQueryOnEmptyOrError.NULL,
        returning_type: TypeLike = t.STRING,
    ) -> Expression[Any]:
        """Return the object or array that a path finds, as a JSON string or as an array of strings.

        Args:
            path: a constant such as ``$.a[0]``, or ``$.a[*].b``, which finds an array of all matches.
            wrapping_behavior: the results that are wrapped in an array: none, all except arrays, or all.
            on_empty: the result if a lax path finds no object or array.
            on_error: the result if a strict path finds no object or array.
            returning_type: STRING, or ARRAY<STRING> for the elements of an array, which PyFlink supports only in SQL.

        Raises:
            ValidationException: the path is invalid, or EMPTY_OBJECT is combined with an array result.
            TableException: Spark does not support the path, or the type in this form.

        >>> from tableapi.expressions import col
        >>> col("j").json_query("$.a", JsonQueryWrapper.CONDITIONAL_ARRAY)
        JSON_QUERY(j, '$.a', STRING, CONDITIONAL, NULL)
        """
        returning = type_arguments.read_data_type(returning_type, "The returning_type of json_query")
        wrapper = _require_choice("json_query", "wrapping_behavior", JsonQueryWrapper, wrapping_behavior)
        empty = _require_choice("json_query", "on_empty", JsonQueryOnEmptyOrError, on_empty)
        error = _require_choice("json_query", "on_error", JsonQueryOnEmptyOrError, on_error)
        arguments = json_clauses.query_arguments(path, returning, wrapper.value, empty.value, error.value)
        return self._json_call("JSON_QUERY", arguments)

    def _json_call(self, function: str, arguments: tuple[Unresolved, ...]) -> Expression[Any]:
        return fluent.wrap(UnresolvedCall(BUILT_INS.by_name(function), (self._expression, *arguments)))


def _require_choice(method: str, parameter: str, choices: type[Choice], given: Any) -> Choice:
    if not isinstance(given, choices):
        names = ", ".join(choice.name for choice in choices)
        raise ValidationException(
            f"{parameter} of {method} is a {choices.__name__}, one of {names}, but {given!r} was given."
        )
    return given


def _default(parameter: str, behaviour: Any, default: Any) -> ValueLiteral | None:
    """Return the default value as a constant, None for an error."""
    chosen = _require_choice("json_value", parameter, JsonValueOnEmptyOrError, behaviour)
    if chosen is JsonValueOnEmptyOrError.ERROR:
        return None
    if chosen is JsonValueOnEmptyOrError.NULL:
        return ValueLiteral(None, t.NULL)
    held = getattr(default, "_expression", default)
    made = held if isinstance(held, Unresolved) else value_expression(held)
    if not isinstance(made, ValueLiteral) or not isinstance(made, ResolvedExpression):
        raise ValidationException(f"default_{parameter} of json_value is a constant, but {default!r} was given.")
    return made
