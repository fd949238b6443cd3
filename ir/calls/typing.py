"""The type of a call: inferred from its arguments, or taken from a cache."""

from __future__ import annotations

from collections.abc import Sequence

from ir.call_expressions import Call, Over
from ir.calls.clauses import Clauses
from ir.casts import is_groupable
from ir.collations import BINARY_COLLATION
from ir.errors import ValidationException
from ir.expressions import (
    DescriptorLiteral,
    FieldReference,
    Lambda,
    ResolvedExpression,
    SymbolLiteral,
    TypeLiteral,
    ValueLiteral,
)
from ir.functions.definition import FunctionDefinition
from ir.inference import CallContext
from ir.light_tuples import NamedTuple
from ir.light_typing import TYPE_CHECKING
from ir.operations.operation import TableReference
from ir.types import CharacterType, LogicalType, StringType

if TYPE_CHECKING:
    from ir.implicit_notices import ImplicitCast

Arguments = tuple[ResolvedExpression, ...]


class Inferred(NamedTuple):
    """The result of type inference for a call.

    Attributes:
        output: the type of the call, None if the function does not accept the arguments.
        types: the types to which Spark casts the arguments.
        implicit: the implicit casts that a user should know about.
        context: the call after its strings have got their common collation.
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
        arguments: the arguments, in a number that the function accepts.
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
    context, types = infer_inputs(definition, context)
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
    # Loaded for the first call with a string argument.
    from ir.calls.implicit_casts import implicit_casts

    return implicit_casts(definition, arguments, types)


Key = tuple[object, ...]
TYPE_CACHE: dict[Key, LogicalType] = {}
"""A cache of call types by ``Key``. Inference takes longer than all other steps of making a call."""
_MOST_KNOWN = 4096
# Such long argument lists rarely occur twice.
_MOST_ARGUMENTS = 8


def key_of(
    definition: FunctionDefinition,
    arguments: tuple[ResolvedExpression, ...],
    clauses: Clauses,
    order_types: tuple[LogicalType, ...],
) -> Key | None:
    """Return the types and constants that determine the type of a call, None if other facts matter, too.

    Other facts matter for lambdas and subqueries. They also matter for collated strings, whose calls ``remember`` does
    not cache.
    """
    if len(arguments) > _MOST_ARGUMENTS or not definition.is_built_in:
        return None
    key: list[object] = [definition, clauses.distinct, order_types, clauses.respect_nulls]
    for argument in arguments:
        # Nearly all arguments are columns and calls. On nodes, a failing isinstance takes several times as long.
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
    """Cache the type of a call if its key alone determines it."""
    output, context = inferred.output, inferred.context
    # A call with implicit casts is inferred anew each time, so that each occurrence gets its notice.
    if key is None or output is None or inferred.implicit or context.depends_on_arguments:
        return
    if any(argument.data_type.has_collation for argument in arguments):
        return
    if len(TYPE_CACHE) >= _MOST_KNOWN:
        TYPE_CACHE.clear()
    TYPE_CACHE[key] = output


def infer_inputs(
    definition: FunctionDefinition, context: CallContext
) -> tuple[CallContext, tuple[LogicalType, ...] | None]:
    """Return the call with a common collation for its strings, and the types to which Spark casts the arguments."""
    inputs = definition.inference.inputs
    is_collated = False
    for data_type in context.argument_types:
        is_collated = is_collated or data_type.has_collation
    if not is_collated or not definition.is_built_in:
        return context, inputs.infer_inputs(context)
    from ir.inference.collations import reads_collated_text, unify_collations

    given, written = context.arguments, context.argument_types
    context = context.with_types(unify_collations(definition, given, written))
    types = inputs.infer_inputs(context)
    # A string that got its collation only from other arguments may be cast to a number.
    if types is not None and reads_collated_text(definition, written, types):
        return context, None
    # Arguments that Spark casts to strings get the common collation, too.
    again = None if types is None else unify_collations(definition, given, types)
    if types is None or again is None or again == types:
        return context, types
    context = context.with_types(again)
    return context, inputs.infer_inputs(context)


_BY_KEY = ("at", "item")


def collations_of_constants(root: ResolvedExpression) -> dict[str, set[str]]:
    """Return, for each plain string literal in an expression, the collations that it gets from its calls."""
    found: dict[str, set[str]] = {}
    for part in root.walk():
        made = part.call if isinstance(part, Over) else part
        if not isinstance(made, Call) or made.function.name == "row":
            continue
        _, types = infer_inputs(made.function, CallContext.of(made.function.name, made.arguments))
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
                    # Spark does not show the cast of a key in brackets.
                    collation = BINARY_COLLATION
                found.setdefault(argument.value, set()).add(collation)
    return found


def _require_plain_text(definition: FunctionDefinition, arguments: Sequence[ResolvedExpression]) -> None:
    """Reject collated strings if Spark lacks the function, because its lowered form may lose the collation."""
    for position, argument in enumerate(arguments):
        if isinstance(argument.data_type, StringType) and argument.data_type.has_collation:
            raise ValidationException(
                f"{definition.sql_name} takes no {argument.data_type.as_nullable()!r}: Spark lacks the function, and "
                "what takes its place is for plain text. Cast the text to STRING.",
                condition="DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
                argument=position,
            )
