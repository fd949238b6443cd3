"""Explicit casts of arguments and columns, where Spark casts implicitly and Flink would not cast alike."""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.flink.casts import NoForm, cast
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition
from ir.inference import CallContext
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.schema import ResolvedSchema
from ir.types import LogicalType

# By function: the rewriting of a call whose arguments are already rewritten.
Forms = dict[FunctionDefinition, Callable[[Call], ResolvedExpression]]


def reject(reason: str) -> Callable[[Call], ResolvedExpression]:
    """Return a rewriting that rejects every call for a reason, in which ``{name}`` stands for the function's name."""

    def refuse(part: Call) -> ResolvedExpression:
        raise NoForm(reason.format(name=part.function.sql_name))

    return refuse


def refuse_bytes(part: Call, reason: str) -> None:
    """Refuse a call with an argument of bytes and a result that is not a string.

    Raises:
        NoForm: the call has such an argument and such a result.
    """
    if any(isinstance(a.data_type, t.BytesType) for a in part.arguments) and not isinstance(
        part.data_type, t.CharacterType
    ):
        raise NoForm(reason)


def spark_types(part: Call) -> tuple[LogicalType, ...]:
    """Return the types to which Spark casts the arguments of a call."""
    orders = tuple([order.data_type for order in part.order_by])
    context = CallContext.of(part.function.name, part.arguments, distinct=part.distinct, order_types=orders)
    types = part.function.inference.inputs.infer_inputs(context)
    assert types is not None, "a resolved call has passed inference before"
    return types


def casts_in_flink(given: LogicalType, wanted: LogicalType) -> bool:
    """Whether Flink accepts a value of one type without an explicit cast where Spark casts it to the other type."""
    if given.same_type(wanted):
        return True
    if isinstance(given, t.IntegralType) and isinstance(wanted, t.IntegralType):
        return given.width <= wanted.width
    return type(given) is type(wanted) and isinstance(given, t.IntervalType | t.DecimalType | t.TimeType)


def cast_as_spark(value: ResolvedExpression, wanted: LogicalType) -> ResolvedExpression:
    """Return an argument with Spark's cast, unless Flink casts it to the same type implicitly."""
    if isinstance(wanted, t.NullType) and isinstance(value, ValueLiteral):
        raise NoForm("a NULL without a type has no place in it there; give it one with null_of")
    return value if casts_in_flink(value.data_type, wanted) else cast(value, wanted)


def add_casts(part: Call) -> Call:
    """Return the call with explicit casts where Spark casts implicitly and Flink would not, or to another type."""
    if not part.arguments:
        return part
    arguments = tuple(
        [
            argument if isinstance(argument, (SymbolLiteral, TypeLiteral)) else cast_as_spark(argument, wanted)
            for argument, wanted in zip(part.arguments, spark_types(part), strict=True)
        ]
    )
    return part if arguments == part.arguments else part.evolve(arguments=arguments)


def constant_integer(value: ResolvedExpression) -> int | None:
    """Return the value of an integer constant, None for any other expression."""
    return value.value if isinstance(value, ValueLiteral) and isinstance(value.value, int) else None


def cast_columns(operation: QueryOperation, schema: ResolvedSchema) -> QueryOperation:
    """Return ``operation`` with the casts that Spark's set operation makes for the types of ``schema``."""
    projections: list[ResolvedExpression] = []
    for index, (own, wanted) in enumerate(zip(operation.schema.columns, schema.columns, strict=True)):
        reference = FieldReference(own.name, own.data_type, 0, index)
        same = casts_in_flink(own.data_type, wanted.data_type)
        projections.append(
            reference
            if same
            else Call(CAST, (reference, TypeLiteral(wanted.data_type.as_nullable())), wanted.data_type)
        )
    return project(operation, tuple(projections), operation.schema.names)
