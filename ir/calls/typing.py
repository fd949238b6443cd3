"""The type of a call: remembered, or inferred from its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ir.calls.clauses import Clauses
from ir.casts import is_groupable
from ir.collations import BINARY_COLLATION
from ir.errors import ValidationException
from ir.expressions import (
    Call,
    DescriptorLiteral,
    FieldReference,
    Lambda,
    Over,
    ResolvedExpression,
    SymbolLiteral,
    TableReference,
    TypeLiteral,
    ValueLiteral,
)
from ir.functions.definition import FunctionDefinition
from ir.inference import CallContext
from ir.inference.collations import reads_collated_text, united
from ir.types import CharacterType, LogicalType, StringType

if TYPE_CHECKING:
    from ir.implicit_notices import ImplicitCast

Arguments = tuple[ResolvedExpression, ...]


class Inferred(NamedTuple):
    """What is inferred of a call.

    Attributes:
        output: its type, None if the function does not accept the arguments.
        types: the types to which Spark casts the arguments.
        implicit: the implicit casts among those that a user should know of.
        context: the call with the collation that its texts get.
    """

    output: LogicalType | None
    types: tuple[LogicalType, ...] | None
    implicit: Sequence[ImplicitCast]
    context: CallContext


def infer(
    definition: FunctionDefinition, arguments: Arguments, clauses: Clauses, order_types: tuple[LogicalType, ...]
) -> Inferred:
    """Infer the type of a call.

    Args:
        definition: the function.
        arguments: as many as the function accepts.
        clauses: the clauses of the call.
        order_types: the types to which Spark casts the keys of its order.
    """
    if not definition.emission.in_spark:
        _require_plain_text(definition, arguments)
    context = CallContext.of(
        definition.name,
        arguments,
        distinct=clauses.distinct,
        order_types=order_types,
        respect_nulls=clauses.respect_nulls,
        is_filtered=clauses.filter is not None,
        usage=clauses.usage,
        expected_output=clauses.expected_output,
    )
    context, types = inferred_inputs(definition, context)
    implicit: Sequence[ImplicitCast] = ()
    if types is not None and any(isinstance(given_type, CharacterType) for given_type in context.argument_types):
        implicit = _implicit_casts(definition, arguments, types)
    if clauses.distinct and types is not None and not all(map(is_groupable, types)):
        types = None
    output = None if types is None else definition.inference.output.infer(context.with_types(types))
    return Inferred(output, types, implicit, context)


def _implicit_casts(
    definition: FunctionDefinition, arguments: Arguments, types: tuple[LogicalType, ...]
) -> Sequence[ImplicitCast]:
    # Loaded with the first string in a call.
    from ir.calls.implicit_casts import implicit_casts

    return implicit_casts(definition, arguments, types)


Key = tuple[object, ...]
KNOWN: dict[Key, LogicalType] = {}
"""The types of calls by what they follow from. Inferring them takes longer than all else of a call."""
_MOST_KNOWN = 4096
# A list of so many values is hardly there twice.
_MOST_ARGUMENTS = 8


def key_of(
    definition: FunctionDefinition,
    arguments: tuple[ResolvedExpression, ...],
    clauses: Clauses,
    order_types: tuple[LogicalType, ...],
) -> Key | None:
    """Return the types and constants from which the type of a call follows, where it follows from nothing else.

    More matters of lambdas and of queries; and of text with a collation, how it came to that, so that the type of a
    call of such is not remembered.
    """
    if len(arguments) > _MOST_ARGUMENTS or not definition.is_built_in:
        return None
    key: list[object] = [definition, clauses.distinct, order_types, clauses.respect_nulls]
    for argument in arguments:
        # Nearly all are columns and calls; of nodes, isinstance takes several times as long where it says no.
        if type(argument) is FieldReference or type(argument) is Call:
            key.append(argument.type_)
        elif isinstance(argument, _CONSTANTS):
            key.append(argument)
        elif isinstance(argument, _OF_MORE_THAN_TYPES):
            return None
        else:
            key.append(argument.data_type)
    return tuple(key)


_CONSTANTS = (ValueLiteral, TypeLiteral, SymbolLiteral)
_OF_MORE_THAN_TYPES = (Lambda, TableReference, DescriptorLiteral)


def remember(key: Key | None, arguments: Arguments, inferred: Inferred) -> None:
    """Remember the type of a call if it follows from the key alone."""
    output, context = inferred.output, inferred.context
    # What is noticed of a call is noticed each time that it is made.
    if key is None or output is None or inferred.implicit or context.depends_on_arguments:
        return
    if any(argument.data_type.has_collation for argument in arguments):
        return
    if len(KNOWN) >= _MOST_KNOWN:
        KNOWN.clear()
    KNOWN[key] = output


def inferred_inputs(
    definition: FunctionDefinition, context: CallContext
) -> tuple[CallContext, tuple[LogicalType, ...] | None]:
    """Return the call with the collation that its texts get, and the types to which Spark casts its arguments."""
    inputs = definition.inference.inputs
    is_collated = False
    for data_type in context.argument_types:
        is_collated = is_collated or data_type.has_collation
    if not is_collated or not definition.is_built_in:
        return context, inputs.infer_inputs(context)
    given, written = context.arguments, context.argument_types
    context = context.with_types(united(definition, given, written))
    types = inputs.infer_inputs(context)
    # A text that has got its collation from others alone is no obstacle.
    if types is not None and reads_collated_text(definition, written, types):
        return context, None
    # What Spark casts to text gets the collation, too.
    again = None if types is None else united(definition, given, types)
    if types is None or again is None or again == types:
        return context, types
    context = context.with_types(again)
    return context, inputs.infer_inputs(context)


_BY_KEY = ("at", "item")


def collations_of_constants(root: ResolvedExpression) -> dict[str, set[str]]:
    """Return the collations that the plain texts among the constants in an expression get, by the texts."""
    found: dict[str, set[str]] = {}
    for part in root.walk():
        made = part.call if isinstance(part, Over) else part
        if not isinstance(made, Call) or made.function.name == "row":
            continue
        _, types = inferred_inputs(made.function, CallContext.of(made.function.name, made.arguments))
        for argument, given in zip(made.arguments, types or (), strict=False):
            is_text = isinstance(argument, ValueLiteral) and isinstance(argument.type_, StringType)
            if (
                isinstance(argument, ValueLiteral)
                and is_text
                and not argument.is_null
                and not argument.type_.has_collation
            ):
                collation = given.collation if isinstance(given, StringType) else BINARY_COLLATION
                if made.function.name in _BY_KEY:
                    # Of a key in brackets Spark does not show that it is cast.
                    collation = BINARY_COLLATION
                found.setdefault(argument.value, set()).add(collation)
    return found


def _require_plain_text(definition: FunctionDefinition, arguments: Sequence[ResolvedExpression]) -> None:
    """Refuse text with a collation of a function that Spark lacks: what takes its place may lose the collation."""
    for position, argument in enumerate(arguments):
        if isinstance(argument.data_type, StringType) and argument.data_type.has_collation:
            raise ValidationException(
                f"{definition.sql_name} takes no {argument.data_type.as_nullable()!r}: Spark lacks the function, and "
                "what takes its place is for plain text. Cast the text to STRING.",
                condition="DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
                argument=position,
            )
