"""Functions of users as Spark runs them: each call becomes one of a function of values that the session has.

A table function gives an array of rows there, which INLINE unfolds; an aggregate is given the rows of its group, which
ARRAY_AGG collects. So all of them run wherever Spark has an expression: beside other aggregates, and over windows.
"""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.expressions import Call, Over, ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.calls import call
from ir.functions.collected import collected
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.inference.arguments import ANY, varying
from ir.inference.results import Always
from ir.inference.type_inference import TypeInference
from ir.literals import literal
from ir.lowerings import over_inside
from ir.operations.operation import QueryOperation
from ir.rewriting import transform, transform_operations
from ir.types import LogicalType
from tableapi.user_functions.declaration import UserFunction

_INLINE = BUILT_INS.by_name("inline")


def bind_functions(operation: QueryOperation, name: Callable[[UserFunction], str]) -> QueryOperation:
    """Return the same query with calls of functions that the session has.

    Args:
        operation: the query.
        name: gives a function a name in the session, and returns it.
    """

    def bound(part: ResolvedExpression) -> ResolvedExpression:
        if isinstance(part, Over):
            return over_inside(part, bound(part.call))
        if not isinstance(part, Call) or not isinstance(part.function.implementation, UserFunction):
            return part
        function = part.function.implementation
        if function.kind is FunctionKind.AGGREGATE:
            return _call(function, name(function), (collected(part),), part.type_)
        made = _call(function, name(function), part.arguments or (literal(0),), _value_type(function))
        return call(_INLINE, (made,)) if function.gives_rows else made

    return transform_operations(operation, lambda current: current, lambda expression: transform(expression, bound))


def _value_type(function: UserFunction) -> LogicalType:
    return t.ArrayType(function.result) if function.gives_rows else function.result.as_nullable()


def _call(function: UserFunction, name: str, arguments: tuple[ResolvedExpression, ...], data_type: LogicalType) -> Call:
    definition = FunctionDefinition(
        name,
        FunctionKind.SCALAR,
        TypeInference(varying(ANY), Always(data_type)),
        name,
        is_deterministic=function.is_deterministic,
    )
    return Call(definition, arguments, data_type)
