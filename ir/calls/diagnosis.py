"""Error messages for rejected calls: the given arguments, the wrong argument and the accepted signatures."""

from __future__ import annotations

from ir.calls.mismatches import condition_of, is_operator, mismatch_of_argument, mismatch_together
from ir.casts import is_orderable, least_common_type, name_unordered_type
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.functions.other_databases import call_with
from ir.inference import CallContext
from ir.inference.arguments import Collated, OneOf
from ir.inference.inputs import Comparable, Computed
from ir.inference.intervals import Interval, is_same_family
from ir.inference.type_inference import ArgumentTypeStrategy
from ir.operations.operation import TableReference
from ir.types import NULL, CharacterType, GeometryType, IntervalType, LogicalType, SpatialType, TemporalType

_UNKNOWN = ValueLiteral(None, NULL)
_MOST_TRIED = 20


def _describe_argument(argument: ResolvedExpression) -> str:
    if isinstance(argument, (SymbolLiteral, TypeLiteral)):
        return argument.as_summary_string()
    if isinstance(argument, TableReference):
        return f"table {argument.operation.schema!r}"
    if isinstance(argument, ValueLiteral) and len(argument.as_summary_string()) <= 30:
        return f"{argument.as_summary_string()} {argument.data_type.as_summary_string()}"
    return argument.data_type.as_summary_string()


def wrong_count(definition: FunctionDefinition, arguments: tuple[ResolvedExpression, ...]) -> ValidationException:
    """Return the error about a wrong number of arguments."""
    inputs, count = definition.inference.inputs, len(arguments)
    return ValidationException(
        f"{_invalid(definition, arguments)}: it takes {inputs.describe_counts()}, but {count} "
        f"{'was' if count == 1 else 'were'} given. "
        f"{call_with(definition.sql_name, count) or _list_signatures(definition)}",
        condition="WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
    )


def refusal(
    definition: FunctionDefinition, arguments: tuple[ResolvedExpression, ...], context: CallContext
) -> ValidationException:
    """Return the error about arguments of wrong types, with the given arguments and the accepted signatures."""
    reason, wrong, mismatch = _wrong_argument(definition, context)
    return ValidationException(
        f"{_invalid(definition, arguments)}{reason}. {_list_signatures(definition)}",
        condition=condition_of(mismatch),
        argument=wrong,
    )


def _invalid(definition: FunctionDefinition, arguments: tuple[ResolvedExpression, ...]) -> str:
    """Return the beginning of the message: the function and the given arguments."""
    shown = [_describe_argument(argument) for argument in arguments[:10]]
    more = ["…"] if len(arguments) > 10 else []
    return f"Invalid call of {definition.sql_name}({', '.join(shown + more)})"


def _wrong_argument(definition: FunctionDefinition, context: CallContext) -> tuple[str, int | None, str]:
    """Return the reason for a rejection, the index of the wrong argument, and Spark's name of the mismatch."""
    inputs = definition.inference.inputs
    names: tuple[str, ...] = getattr(inputs, "names", ())
    for position in range(len(context)):
        strategy = inputs.strategy_for(position)
        if strategy is not None and strategy.infer_argument(context, position) is None:
            label = f" ({names[position]})" if position < len(names) else ""
            accepted = _describe_accepted(strategy, context.argument_types[position])
            reason = f": argument {position + 1}{label} is not {accepted}"
            return reason, position, mismatch_of_argument(definition, context, position, strategy)
    if context.distinct and inputs.infer_inputs(context) is not None:
        return ": DISTINCT cannot tell the values apart", None, "INVALID_ORDERING_TYPE"
    if len(context) == 1:
        return ": the argument is of a type that is not supported", 0, mismatch_of_argument(definition, context, 0)
    is_cast = any(isinstance(argument, TypeLiteral) for argument in context.arguments)
    common = None if is_cast else least_common_type(context.argument_types)
    if common is not None and not is_orderable(common) and not definition.mismatch.before_order:
        return f": values of type {name_unordered_type(common)} are not compared", None, "INVALID_ORDERING_TYPE"
    reason = ": the types of the arguments do not fit together"
    unfit = _find_rejected_operand(definition, context)
    if unfit is not None:
        given = context.argument_types[unfit].as_nullable().as_summary_string()
        reason = f": argument {unfit + 1} is of type {given}, which is not accepted beside any other argument"
    if is_cast:
        reason += _instead_of_cast(*context.argument_types[:2])
    elif definition.sql_name == "*":
        reason = _instead_of_interval(*context.arguments) or reason
    return reason, _misfit(definition, context), mismatch_together(definition, context)


def _instead_of_cast(source: LogicalType, target: LogicalType) -> str:
    """Return a hint at the function that converts to or from a shape if no cast does, otherwise an empty string."""
    if isinstance(target, SpatialType) and isinstance(source, SpatialType):
        # A cast keeps the system of reference; ST_SETSRID changes it. It does not convert GEOMETRY to GEOGRAPHY.
        return "; ST_SETSRID says in which system of reference a shape is" if type(source) is type(target) else ""
    if isinstance(target, SpatialType):
        name = "ST_GEOMFROMWKB" if isinstance(target, GeometryType) else "ST_GEOGFROMWKB"
        return f"; {name} makes a shape of well-known binary"
    return "; ST_ASBINARY makes well-known binary of a shape" if isinstance(source, SpatialType) else ""


def _instead_of_interval(left: ResolvedExpression, right: ResolvedExpression) -> str:
    """Return a hint if an interval unit was probably meant as a field of a time: ``col("ts").year``."""
    unit = right.data_type
    if not (isinstance(left.data_type, TemporalType) and isinstance(right, ValueLiteral)) or not isinstance(
        unit, IntervalType
    ):
        return ""
    field = unit.start.name
    return (
        f": {field.lower()} makes an interval from a number. Read the {field} of a time with "
        f"extract(TimeIntervalUnit.{field}), in SQL EXTRACT({field} FROM …)"
    )


def _describe_accepted(strategy: ArgumentTypeStrategy, given: LogicalType) -> str:
    """Return the description of an accepted argument, including the collation for a string that has one."""
    options = strategy.options if isinstance(strategy, OneOf) else (strategy,)
    collated = [option for option in options if isinstance(option, Collated)] if given.has_collation else []
    wanted = collated[0].describe_in_full() if collated else strategy.describe()
    if isinstance(strategy, Interval) and is_same_family(given, strategy.data_type):
        return f"{wanted}: it has parts that are finer than {wanted.strip('<>').split()[-1]}, which a cast cuts off"
    # Spark rejects a string as a condition by itself, but casts it beside another condition.
    makes_one = wanted == "<BOOLEAN>" and isinstance(given, CharacterType)
    return f"{wanted}, which CAST(… AS BOOLEAN) makes of a text" if makes_one else wanted


def _find_rejected_operand(definition: FunctionDefinition, context: CallContext) -> int | None:
    """Return the index of the operand that is rejected even beside an untyped NULL, or None."""
    if len(context) != 2 or not isinstance(definition.inference.inputs, (Comparable, Computed)):
        return None
    first, second = context.arguments
    if not (context.is_value(0) and context.is_value(1)):
        return None

    def is_accepted(*arguments: ResolvedExpression) -> bool:
        return definition.inference.inputs.infer_inputs(CallContext.of(context.name, arguments)) is not None

    if not is_accepted(_UNKNOWN, _UNKNOWN):
        return None
    return None if is_accepted(first, _UNKNOWN) and is_accepted(_UNKNOWN, second) else int(is_accepted(first, _UNKNOWN))


def _misfit(definition: FunctionDefinition, context: CallContext) -> int | None:
    """Return the index of the only argument whose replacement by NULL makes the call valid; None for an operator."""
    if len(context) <= 2 and is_operator(definition, context):
        return None
    inference = definition.inference
    found = []
    for position, argument in enumerate(context.arguments[:_MOST_TRIED]):
        if isinstance(argument, (SymbolLiteral, TypeLiteral, TableReference)):
            continue
        others = (*context.arguments[:position], _UNKNOWN, *context.arguments[position + 1 :])
        without = CallContext.of(context.name, others, distinct=context.distinct, order_types=context.order_types)
        types = inference.inputs.infer_inputs(without)
        if types is not None and inference.output.infer(without.with_types(types)) is not None:
            found.append(position)
    return found[0] if len(found) == 1 else None


def _list_signatures(definition: FunctionDefinition) -> str:
    """Return the end of the message: the accepted signatures."""
    signatures = definition.inference.inputs.signatures(definition.sql_name)
    return f"Supported: {'; '.join(dict.fromkeys(signatures))}."
