"""Schema and option arguments of the functions of JSON, CSV, XML and VARIANT."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ir import types as t
from ir.call_expressions import Call
from ir.errors import SqlParserException, ValidationException
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.collection import MAP
from ir.functions.definition import Canonical, Construct
from ir.inference.arguments import ANY, TYPE, OneOf, Where, literal_where
from ir.inference.arguments import TEXT as _TEXT
from ir.literals import literal
from ir.schema_texts import parse_schema
from ir.types import LogicalType

if TYPE_CHECKING:
    from ir.functions.definition import FunctionDefinition

SCHEMA = OneOf(
    (literal_where(_TEXT, lambda value: value is not None, "schema literal such as 'a INT, b ARRAY<STRING>'"), TYPE)
)


def schema_of(argument: ResolvedExpression) -> LogicalType:
    """Return the type that a schema argument denotes, with all of its parts nullable.

    Raises:
        ValidationException: the schema string is invalid.
    """
    assert isinstance(argument, (ValueLiteral, TypeLiteral)), argument
    text = argument.value if isinstance(argument, ValueLiteral) else type_text(argument.type_)
    try:
        return parse_schema(str(text))
    except (SqlParserException, ValidationException) as error:
        raise ValidationException(str(error), condition=error.condition) from None


def wrong_schema(function: str, schema: LogicalType, accepted: str) -> ValidationException:
    """Return the error about a schema that a function does not support."""
    return ValidationException(
        f"{function} makes {accepted}, but the schema is {schema.as_summary_string()}.",
        condition="DATATYPE_MISMATCH.INVALID_JSON_SCHEMA",
    )


def type_text(data_type: LogicalType) -> str:
    """Return a type as written in a schema string."""
    return data_type.as_serializable_string()


def schema_as_text(definition: Callable[[], FunctionDefinition], position: int = 1) -> Canonical:
    """Return the canonical form of a call with a schema: SQL contains a string, even if a type was given."""

    def canonical(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
        if len(arguments) <= position or not isinstance(arguments[position], TypeLiteral):
            return None
        given = list(arguments)
        given[position] = literal(type_text(arguments[position].data_type))
        return call(definition(), given)

    return canonical


def _are_options(argument: ResolvedExpression) -> bool:
    return (
        isinstance(argument, Call)
        and argument.function is MAP
        and all(isinstance(part, t.CharacterType) for part in argument.data_type.children)
        and all(isinstance(part, ValueLiteral) for part in argument.arguments)
    )


OPTIONS = Where(ANY, _are_options, "MAP of STRING literals")
