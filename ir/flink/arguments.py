"""The casts of arguments and columns that Spark makes silently, written out where Flink would not make the same."""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.expressions import (
    Call,
    FieldReference,
    ResolvedExpression,
    SymbolLiteral,
    TypeLiteral,
    ValueLiteral,
)
from ir.flink.casts import NoForm, cast
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition
from ir.inference import CallContext
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.schema import ResolvedSchema
from ir.types import LogicalType

# By function: what makes, of a call whose arguments have their forms already, the form of the call.
Forms = dict[FunctionDefinition, Callable[[Call], ResolvedExpression]]


def refused(reason: str) -> Callable[[Call], ResolvedExpression]:
    """Return the form of a function that has none, for a reason in which ``{name}`` stands for its name."""

    def refuse(part: Call) -> ResolvedExpression:
        raise NoForm(reason.format(name=part.function.sql_name))

    return refuse


def refuse_bytes(part: Call, reason: str) -> None:
    """Refuse a call that takes bytes and whose result is not text.

    Raises:
        NoForm: it does.
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


def flink_casts_itself(given: LogicalType, wanted: LogicalType) -> bool:
    """Whether Flink takes a value of one type where Spark casts it to the other, without a cast that is written."""
    if given.same_type(wanted):
        return True
    if isinstance(given, t.IntegralType) and isinstance(wanted, t.IntegralType):
        return given.width <= wanted.width
    return type(given) is type(wanted) and isinstance(given, t.IntervalType | t.DecimalType | t.TimeType)


def cast_as_spark(value: ResolvedExpression, wanted: LogicalType) -> ResolvedExpression:
    """Return an argument as Spark casts it, unless Flink casts it to the same by itself."""
    if isinstance(wanted, t.NullType) and isinstance(value, ValueLiteral):
        raise NoForm("a NULL without a type has no place in it there; give it one with null_of")
    return value if flink_casts_itself(value.data_type, wanted) else cast(value, wanted)


def with_casts(part: Call) -> Call:
    """Return the call with the casts written out that Spark makes and Flink would not make, or not to the same type."""
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
    """Return the number that a constant is."""
    return value.value if isinstance(value, ValueLiteral) and isinstance(value.value, int) else None


def cast_columns(operation: QueryOperation, schema: ResolvedSchema) -> QueryOperation:
    """Return ``operation`` with the casts that a set operation of Spark makes for the types of ``schema``."""
    projections: list[ResolvedExpression] = []
    for index, (own, wanted) in enumerate(zip(operation.schema.columns, schema.columns, strict=True)):
        reference = FieldReference(own.name, own.data_type, 0, index)
        same = flink_casts_itself(own.data_type, wanted.data_type)
        projections.append(
            reference
            if same
            else Call(CAST, (reference, TypeLiteral(wanted.data_type.as_nullable())), wanted.data_type)
        )
    return project(operation, tuple(projections), operation.schema.names)
