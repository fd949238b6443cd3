"""What functions of JSON, CSV, XML and VARIANT take besides data: the schema of what is read, and options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ir import types as t
from ir.errors import SqlParserException, ValidationException
from ir.expressions import Call, ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.collection import MAP
from ir.functions.definition import Canonical, Construct
from ir.inference.arguments import ANY, TYPE, OneOf, Where, literal_where
from ir.inference.arguments import TEXT as _TEXT
from ir.literals import literal
from ir.schema_texts import read_schema
from ir.types import LogicalType

if TYPE_CHECKING:
    from ir.functions.definition import FunctionDefinition

SCHEMA = OneOf(
    (literal_where(_TEXT, lambda value: value is not None, "schema literal such as 'a INT, b ARRAY<STRING>'"), TYPE)
)


def schema_of(argument: ResolvedExpression) -> LogicalType:
    """Return the type that a schema argument means, everything in it nullable.

    Raises:
        ValidationException: its text is no schema.
    """
    assert isinstance(argument, (ValueLiteral, TypeLiteral)), argument
    text = argument.value if isinstance(argument, ValueLiteral) else type_text(argument.type_)
    try:
        return read_schema(str(text))
    except (SqlParserException, ValidationException) as error:
        raise ValidationException(str(error), condition=error.condition) from None


def wrong_schema(function: str, schema: LogicalType, accepted: str) -> ValidationException:
    """Return the error about a schema of which a function cannot make values."""
    return ValidationException(
        f"{function} makes {accepted}, but the schema is {schema.as_summary_string()}.",
        condition="DATATYPE_MISMATCH.INVALID_JSON_SCHEMA",
    )


def type_text(data_type: LogicalType) -> str:
    """Return how the text of a schema writes a type."""
    return data_type.as_serializable_string()


def schema_as_text(definition: Callable[[], FunctionDefinition], position: int = 1) -> Canonical:
    """Return the canonical form of a call whose schema was given as a type: it is text in SQL."""

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
