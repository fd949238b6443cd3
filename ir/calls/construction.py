"""Construction of a call: check its clauses, infer its type, choose its canonical form."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ir.call_expressions import Call
from ir.calls.clauses import NO_CLAUSES, Clauses, check_clauses
from ir.calls.typing import TYPE_CACHE, Arguments, Inferred, infer, infer_inputs, key_of, remember
from ir.casts import differ_at_most_in_nullability
from ir.expressions import ResolvedExpression, SortOrder, TypeLiteral, ValueLiteral
from ir.functions.definition import Construct, FunctionDefinition
from ir.functions.form_index import RAISED
from ir.inference import CallContext
from ir.light_typing import TYPE_CHECKING, NoReturn
from ir.types import LogicalType

if TYPE_CHECKING:
    from ir.implicit_notices import ImplicitCast


def construct(
    definition: FunctionDefinition, arguments: Sequence[ResolvedExpression], clauses: Clauses = NO_CLAUSES
) -> ResolvedExpression:
    """Return the call of a function on resolved arguments, in canonical form, without recognition of lowered forms.

    Raises:
        ValidationException: the function does not accept the arguments.
    """
    return build_call(definition, arguments, clauses, construct)


def build_call(
    definition: FunctionDefinition,
    arguments: Sequence[ResolvedExpression],
    clauses: Clauses,
    call: Construct,
    recognise: Callable[[Call], ResolvedExpression] | None = None,
) -> ResolvedExpression:
    """Return the call of a function on resolved arguments, in canonical form.

    Args:
        definition: the function.
        arguments: the arguments.
        clauses: the clauses.
        call: constructs the other calls in the canonical form.
        recognise: maps the lowered form of a call to that call.

    Raises:
        ValidationException: the function does not accept the arguments; the message shows the given arguments, the
            wrong argument if there is exactly one, and every accepted signature.
    """
    given = tuple(arguments)
    if clauses is not NO_CLAUSES:
        check_clauses(definition, clauses, len(given))
    if not definition.emission.in_spark and definition.user_code.implementation is None:
        # The lowered form of such a call may put casts around the arguments.
        given = _fix_argument_types(given, call)
    order: tuple[SortOrder, ...] = ()
    order_types: tuple[LogicalType, ...] = ()
    if clauses.order_by or definition.aggregation.within_group is not None:
        from ir.calls.row_order import row_order

        order, order_types = row_order(definition, given, clauses.order_by, clauses.distinct)
    key = key_of(definition, given, clauses, order_types)
    output = None if key is None else TYPE_CACHE.get(key)
    inferred = None
    if output is None:
        if not definition.inference.inputs.accepts_count(len(given)):
            _refuse_count(definition, given)
        inferred = infer(definition, given, clauses, order_types)
        output = inferred.output
        if output is None:
            return _retry_with_constants(definition, given, clauses, inferred.context, call)
        remember(key, given, inferred)
    if definition.user_code.expansion is not None:
        return definition.user_code.expansion(given, clauses.filter, clauses.usage)
    replaced = None if definition.canonical is None else definition.canonical(given, call)
    if replaced is not None:
        if not isinstance(replaced, Call) or replaced.function is not definition:
            return replaced
        given = replaced.arguments
    if inferred is not None and definition.user_code.casts_arguments and not definition.is_built_in:
        given = _cast_all(definition, given, inferred, call)
    node = _node(definition, given, clauses, output, order)
    made = node if recognise is None or definition.name not in RAISED else recognise(node)
    if inferred is not None and inferred.implicit:
        _notice(made, inferred.implicit)
    return made


def _refuse_count(definition: FunctionDefinition, arguments: Arguments) -> NoReturn:
    # Errors are rare, and the module that describes them is slow to load.
    from ir.calls.diagnosis import wrong_count

    raise wrong_count(definition, arguments)


def _retry_with_constants(
    definition: FunctionDefinition, arguments: Arguments, clauses: Clauses, context: CallContext, call: Construct
) -> ResolvedExpression:
    """Retry a rejected call with its constant arguments folded.

    Raises:
        ValidationException: folding changes no argument.
    """
    from ir.calls.diagnosis import refusal
    from ir.calls.folding import check_schema_is_known, fold_constant

    constants = tuple([fold_constant(argument) for argument in arguments])
    if constants != arguments:
        return call(definition, constants, clauses)
    for argument in arguments:
        check_schema_is_known(argument)
    raise refusal(definition, arguments, context)


def _notice(made: ResolvedExpression, casts: Sequence[ImplicitCast]) -> None:
    from ir.implicit_notices import Notice, add_notice

    for one in casts:
        add_notice(Notice(made, one))


def _node(
    definition: FunctionDefinition,
    arguments: Arguments,
    clauses: Clauses,
    output: LogicalType,
    order: tuple[SortOrder, ...],
) -> Call:
    """Return the node of a call whose type is known."""
    traits = definition.aggregation
    flag, ignore_nulls = traits.nulls_flag, clauses.ignore_nulls
    if flag is not None and flag < len(arguments):
        written = arguments[flag]
        ignore_nulls = ignore_nulls or (isinstance(written, ValueLiteral) and bool(written.value))
        arguments = (*arguments[:flag], *arguments[flag + 1 :])
    skips = traits.skips_nulls
    return Call(
        definition,
        arguments,
        output,
        clauses.distinct,
        clauses.filter,
        ignore_nulls and not skips,
        order,
        clauses.respect_nulls and skips,
    )


def _fix_argument_types(arguments: Arguments, call: Construct) -> Arguments:
    if not any(isinstance(a, Call) and a.function.inference.of_expected_output for a in arguments):
        return arguments
    return tuple([fix_type(argument, call) for argument in arguments])


def fix_type(value: ResolvedExpression, call: Construct) -> ResolvedExpression:
    """Put a cast around a call whose type depends on the expected type, so that the type stays fixed."""
    if isinstance(value, Call) and value.function.inference.of_expected_output:
        return cast(value, value.type_.as_nullable(), call)
    return value


def cast(value: ResolvedExpression, data_type: LogicalType, call: Construct) -> ResolvedExpression:
    """Return the cast of a value to a type."""
    from ir.functions.conversion import CAST

    return call(CAST, (value, TypeLiteral(data_type)))


def _cast_all(definition: FunctionDefinition, arguments: Arguments, inferred: Inferred, call: Construct) -> Arguments:
    """Cast the arguments of a user-defined function explicitly, because Spark does not cast them."""
    if definition.user_code.implementation is None or inferred.types is None:
        return arguments
    return tuple(
        [
            argument
            if differ_at_most_in_nullability(argument.data_type, wanted)
            else cast(argument, wanted.as_nullable(), call)
            for argument, wanted in zip(arguments, inferred.types, strict=True)
        ]
    )


def build_without_recognition(definition: FunctionDefinition, arguments: Sequence[ResolvedExpression]) -> Call:
    """Return a typed call without canonical form or recognition, as the text of a lowered call is read."""
    given = tuple(arguments)
    context = CallContext.of(definition.name, given)
    context, types = infer_inputs(definition, context)
    output = None if types is None else definition.inference.output.infer(context.with_types(types))
    assert output is not None, f"{definition} is lowered to with arguments that it accepts"
    return Call(definition, given, output)
