"""Making a call: check its clauses, infer its type, choose its canonical form."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, NoReturn

from ir.calls.clauses import NO_CLAUSES, Clauses, check_clauses
from ir.calls.row_order import NO_ORDER, row_order
from ir.calls.typing import KNOWN, Arguments, infer, inferred_inputs, key_of, remember
from ir.casts import equal_but_for_nullability
from ir.errors import ValidationException
from ir.expressions import Call, ResolvedExpression, SortOrder, TypeLiteral, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.functions.index import RAISED
from ir.inference import CallContext
from ir.literals import literal
from ir.types import LogicalType

if TYPE_CHECKING:
    from ir.implicit_notices import ImplicitCast


def call(
    definition: FunctionDefinition, arguments: Sequence[ResolvedExpression], clauses: Clauses = NO_CLAUSES
) -> ResolvedExpression:
    """Return the call of a function on resolved arguments, in canonical form.

    Raises:
        ValidationException: the function does not accept the arguments; the message says what was given, which
            argument is wrong where one alone is, and every accepted signature.
    """
    given = tuple(arguments)
    if clauses is not NO_CLAUSES:
        check_clauses(definition, clauses, len(given))
    if not definition.emission.in_spark and definition.user_code.implementation is None:
        # What takes the place of such a call may put casts around its arguments.
        given = _settled(given)
    order, order_types = NO_ORDER
    if clauses.order_by or definition.aggregation.within_group is not None:
        order, order_types = row_order(definition, given, clauses.order_by, clauses.distinct)
    key = key_of(definition, given, clauses, order_types)
    output = None if key is None else KNOWN.get(key)
    inferred = None
    if output is None:
        if not definition.inference.inputs.accepts_count(len(given)):
            _refuse_count(definition, given)
        inferred = infer(definition, given, clauses, order_types)
        output = inferred.output
        if output is None:
            return _of_constants(definition, given, clauses, inferred.context)
        remember(key, given, inferred)
    if definition.user_code.expansion is not None:
        return definition.user_code.expansion(given, clauses.filter, clauses.usage)
    replaced = None if definition.canonical is None else definition.canonical(given, call)
    if replaced is not None:
        if not isinstance(replaced, Call) or replaced.function is not definition:
            return replaced
        given = replaced.arguments
    made = _constructed(definition, given, clauses, output, order, None if inferred is None else inferred.types)
    if inferred is not None and inferred.implicit:
        _notice(made, inferred.implicit)
    return made


def _refuse_count(definition: FunctionDefinition, arguments: Arguments) -> NoReturn:
    # Errors are rare, and what describes them takes time to load.
    from ir.calls.diagnosis import wrong_count

    raise wrong_count(definition, arguments)


def _of_constants(
    definition: FunctionDefinition, arguments: Arguments, clauses: Clauses, context: CallContext
) -> ResolvedExpression:
    """Return the call with its arguments folded, after the function did not accept them as they are.

    Raises:
        ValidationException: there is nothing to fold.
    """
    from ir.calls.diagnosis import refusal
    from ir.calls.folding import check_schema_is_known, folded

    constants = tuple([folded(argument) for argument in arguments])
    if constants != arguments:
        return call(definition, constants, clauses)
    for argument in arguments:
        check_schema_is_known(argument)
    raise refusal(definition, arguments, context)


def _notice(made: ResolvedExpression, casts: Sequence[ImplicitCast]) -> None:
    from ir.implicit_notices import Notice, add_notice

    for one in casts:
        add_notice(Notice(made, one))


def _constructed(
    definition: FunctionDefinition,
    arguments: Arguments,
    clauses: Clauses,
    output: LogicalType,
    order: tuple[SortOrder, ...],
    types: tuple[LogicalType, ...] | None,
) -> ResolvedExpression:
    """Return the node of a call of known type, or of the one whose lowered form it is."""
    code, traits = definition.user_code, definition.aggregation
    if code.implementation is not None and code.casts_arguments and types is not None:
        arguments = tuple([_cast_to(argument, wanted) for argument, wanted in zip(arguments, types, strict=True)])
    flag, ignore_nulls = traits.nulls_flag, clauses.ignore_nulls
    if flag is not None and flag < len(arguments):
        written = arguments[flag]
        ignore_nulls = ignore_nulls or (isinstance(written, ValueLiteral) and bool(written.value))
        arguments = (*arguments[:flag], *arguments[flag + 1 :])
    skips = traits.skips_nulls
    made = Call(
        definition,
        arguments,
        output,
        clauses.distinct,
        clauses.filter,
        ignore_nulls and not skips,
        order,
        clauses.respect_nulls and skips,
    )
    if definition.name in RAISED:
        for raise_ in _raisings_of(definition):
            raised = raise_(made)
            if raised is not None:
                return raised
    return made


def _settled(arguments: Arguments) -> Arguments:
    if not any(isinstance(a, Call) and a.function.inference.of_expected_output for a in arguments):
        return arguments
    return tuple(map(settled, arguments))


def settled(value: ResolvedExpression) -> ResolvedExpression:
    """Return a value whose type stays, whatever it becomes part of: a call that asks what is expected, under a cast."""
    if isinstance(value, Call) and value.function.inference.of_expected_output:
        return _cast(value, value.type_.as_nullable())
    return value


def convert_value(value: ResolvedExpression, data_type: LogicalType) -> ResolvedExpression:
    """Return a value in the type of its column: a constant of that type where it can hold it, else a cast."""
    wanted = data_type.as_nullable()
    if equal_but_for_nullability(value.data_type, wanted):
        return value
    if isinstance(value, ValueLiteral):
        if value.is_null:
            return ValueLiteral(None, wanted)
        with contextlib.suppress(ValidationException):
            return literal(value.value, wanted)
    return _cast(value, wanted)


def _cast(value: ResolvedExpression, data_type: LogicalType) -> ResolvedExpression:
    from ir.functions.conversion import CAST

    return call(CAST, (value, TypeLiteral(data_type)))


def _cast_to(argument: ResolvedExpression, wanted: LogicalType) -> ResolvedExpression:
    """Return an argument of a function that people wrote: Spark does not cast it, so that the tree has to."""
    if equal_but_for_nullability(argument.data_type, wanted):
        return argument
    return _cast(argument, wanted.as_nullable())


def as_written(definition: FunctionDefinition, arguments: Sequence[ResolvedExpression]) -> Call:
    """Return the call that the text of a lowered call has: with its type, and not raised to what was lowered."""
    given = tuple(arguments)
    context = CallContext.of(definition.name, given)
    context, types = inferred_inputs(definition, context)
    output = None if types is None else definition.inference.output.infer(context.with_types(types))
    assert output is not None, f"{definition} is lowered to with arguments that it accepts"
    return Call(definition, given, output)


Raise = Callable[[Call], ResolvedExpression | None]

_is_raising: ContextVar[bool] = ContextVar("_is_raising", default=True)


@contextmanager
def without_raising() -> Iterator[None]:
    """Within the block, calls stay as they are made even where they are the lowered form of something."""
    token = _is_raising.set(False)
    try:
        yield
    finally:
        _is_raising.reset(token)


def _raisings_of(definition: FunctionDefinition) -> tuple[Raise, ...]:
    """Return what may recognise a call, as it is made, as the form that a function which Spark lacks has on Spark."""
    return _found_raisings(definition) if _is_raising.get() and definition.is_built_in else ()


@cache
def _found_raisings(definition: FunctionDefinition) -> tuple[Raise, ...]:
    # What is made while the lowerings are loaded is of the forms that they recognise.
    with without_raising():
        from ir.lowerings import raisings_of

        return raisings_of(definition)
