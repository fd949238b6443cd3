"""Resolution of lambdas: their parameters get the types that the call around gives them, and names that tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import attrs

from ir.errors import ValidationException
from ir.expressions import (
    Call,
    Expression,
    Lambda,
    LambdaVariable,
    ResolvedExpression,
    TableReference,
    UnresolvedCall,
    UnresolvedLambda,
    UnresolvedVariable,
    ValueLiteral,
    parameter_list,
    written_parts,
)
from ir.functions.calls import call
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.identifiers import fold
from ir.inference import CallContext
from ir.inference.lambdas import LambdaArgument
from ir.messages import Term, message
from ir.rewriting import free_variables, over_body, unused_name
from ir.types import NULL, LogicalType


@attrs.frozen(eq=False, repr=False)
class LambdaOf(Expression):
    """A lambda on its way to be resolved: the ``position``-th of the operands of a call of a function."""

    written: UnresolvedLambda
    call: UnresolvedCall
    function: FunctionDefinition
    operands: Sequence[Expression]
    position: int


def lambdas_of(written: UnresolvedCall, function: FunctionDefinition, operands: Sequence[Expression]) -> list[LambdaOf]:
    """Return the lambdas among the operands of a call.

    Raises:
        ValidationException: the function takes none.
    """
    found = [
        LambdaOf(operand, written, function, operands, position)
        for position, operand in enumerate(operands)
        if type(operand) is UnresolvedLambda
    ]
    if not found:
        return found
    inputs = function.inference.inputs
    if inputs.accepts_count(len(operands)):
        for one in found:
            if not isinstance(inputs.strategy_for(one.position), LambdaArgument):
                raise _misplaced(one)
    return found


def code_within_lambda(function: FunctionDefinition, variable: LambdaVariable) -> str:
    """Return why a function in Python cannot be called with a parameter of a lambda."""
    return (
        f"{function.sql_name} is a function in Python, which Spark does not call within a lambda on {variable.name!r}. "
        "Make rows of the elements first, or have the function take the array."
    )


def refuse_query_in_lambda(function: FunctionDefinition) -> None:
    """Refuse a function of SQL whose body, a query, takes the place of its call in a lambda.

    Raises:
        ValidationException: it is one; those that Spark has stored are called by Spark.
    """
    if function.has_query is not None and not function.is_sql_of_spark and function.has_query():
        raise ValidationException(
            message(
                "{function} is a function of SQL whose body is a query, which Spark computes in no lambda. "
                "{COMPUTE_FIRST} in the lambda.",
                function=function.sql_name,
            ),
            condition="UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.HIGHER_ORDER_FUNCTION",
        )


@cache
def takes_lambdas(function: FunctionDefinition) -> bool:
    """Whether an argument of a function, or of what takes its place in Spark, may be a lambda."""
    inputs = function.inference.inputs
    own = any(isinstance(inputs.strategy_for(position), LambdaArgument) for position in range(_MOST_ARGUMENTS))
    return own or function.name in ("ARRAY_SLICE", "MAP_UNION")


_MOST_ARGUMENTS = 4


def refuse_subqueries(resolved: ResolvedExpression) -> None:
    """Refuse a subquery within the call of a function that takes lambdas.

    Raises:
        ValidationException: there is one.
    """
    holding: set[ResolvedExpression] = set()
    for part in resolved.walk():
        if isinstance(part, TableReference):
            holding.add(part)
        elif any(child in holding for child in part.children):
            holding.add(part)
            if isinstance(part, Call) and takes_lambdas(part.function):
                raise ValidationException(
                    f"{part.function.sql_name} holds a subquery, which Spark does not support in functions that take "
                    "lambdas. Make it a column before, for example by a join, and use that column.",
                    condition="UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.HIGHER_ORDER_FUNCTION",
                    part=part,
                )


class Variables:
    """The parameters of the lambdas in whose bodies the resolution is."""

    def __init__(self) -> None:
        self._open: dict[int, LambdaVariable] = {}
        # What parameters were before, where one object is that of a lambda and of one within it.
        self._before: list[list[LambdaVariable | None]] = []

    def __bool__(self) -> bool:
        return bool(self._open)

    def of(self, variable: UnresolvedVariable) -> LambdaVariable:
        """Return what the parameter of a lambda became.

        Raises:
            ValidationException: this is not the body of that lambda.
        """
        found = self._open.get(id(variable))
        if found is None:
            raise _outside(variable.name)
        return found

    def enter(self, one: LambdaOf, resolved: Sequence[ResolvedExpression]) -> None:
        """Give the parameters of a lambda their types; ``resolved`` are the arguments of the call but its lambdas.

        Raises:
            ValidationException: the other arguments are not accepted, or the parameters are too few or too many.
        """
        types = _parameter_types(one, resolved)
        written = one.written.parameters
        taken = self._names_in(one.written)
        own = {fold(parameter.name) for parameter in written}
        self._before.append([self._open.get(id(parameter)) for parameter in written])
        for parameter, data_type in zip(written, types, strict=False):
            name = parameter.name
            if fold(name) in taken:
                name = unused_name(name, taken | own)
                own.add(fold(name))
            self._open[id(parameter)] = LambdaVariable(name, data_type)

    def _names_in(self, written: UnresolvedLambda) -> set[str]:
        """Return what the parameters of the lambdas further out are called to which a body refers."""
        if not self._open:
            return set()
        own = {id(parameter) for parameter in written.parameters}
        parts = {id(part) for part in written_parts((written.body,))} - own
        return {fold(variable.name) for key, variable in self._open.items() if key in parts}

    def leave(self, one: LambdaOf, body: ResolvedExpression) -> Lambda:
        """Return the lambda whose body was resolved."""
        parameters = tuple([self._open.pop(id(parameter)) for parameter in one.written.parameters])
        for parameter, before in zip(one.written.parameters, self._before.pop(), strict=True):
            if before is not None:
                self._open[id(parameter)] = before
        return over_body(parameters, body)

    def require_none(self, made: ResolvedExpression, function: FunctionDefinition) -> None:
        """Refuse, of what a lambda is called with, an aggregate, a window function, code, or what Spark has stored.

        Raises:
            ValidationException: the call refers to a parameter of a lambda around it.
        """
        for variable in free_variables(made):
            if function.kind is FunctionKind.ASYNC_SCALAR:
                raise ValidationException(
                    f"{function.sql_name} is asynchronous, and cannot be called within a lambda on {variable.name!r}: "
                    "calls are made for rows. Make rows of the elements first, or have the function take the array."
                )
            if function.is_code:
                raise ValidationException(
                    code_within_lambda(function, variable),
                    condition="UNSUPPORTED_FEATURE.LAMBDA_FUNCTION_WITH_PYTHON_UDF",
                )
            if function.is_sql_of_spark:
                raise ValidationException(
                    f"{function.sql_name} is a function of SQL, which Spark does not call within a lambda on "
                    f"{variable.name!r}. Write in the lambda what the function computes, or make rows of the elements "
                    "first.",
                    condition="UNSUPPORTED_FEATURE.LAMBDA_FUNCTION_WITH_SQL_UDF",
                )
            raise ValidationException(
                message(
                    "{function} is computed from rows, and cannot take {variable!r}, a parameter of the lambda around "
                    "it. The elements of an array are added up with {call}.",
                    function=function.sql_name,
                    variable=variable.name,
                    call=Term(
                        "call('aggregate', col('a'), 0, lambda sum, x: sum + x)",
                        "AGGREGATE(a, 0, (sum, x) -> sum + x)",
                    ),
                )
            )


def require_no_free_variables(resolved: ResolvedExpression) -> None:
    """Refuse a parameter of a lambda outside of that.

    Raises:
        ValidationException: there is one.
    """
    for variable in free_variables(resolved):
        raise _outside(variable.name)


def not_a_value(written: UnresolvedLambda) -> ValidationException:
    """Return the error about a lambda where a value is expected."""
    names = parameter_list([parameter.name for parameter in written.parameters])
    return ValidationException(
        f"The lambda {names} -> … is no value: it may only be an argument of a function that takes one, such as "
        "transform, filter or aggregate.",
        condition="INVALID_LAMBDA_FUNCTION_CALL.NON_HIGHER_ORDER_FUNCTION",
    )


def _outside(name: str) -> ValidationException:
    return ValidationException(
        f"{name!r} is a parameter of a lambda, and means something only in the body of that lambda. A query within the "
        "body cannot use it, either."
    )


def _misplaced(one: LambdaOf) -> ValidationException:
    names = parameter_list([parameter.name for parameter in one.written.parameters])
    return ValidationException(
        f"{one.function.sql_name} takes no lambda: argument {one.position + 1} is {names} -> …. Functions that take "
        "one are, for example, transform, filter and aggregate.",
        condition="INVALID_LAMBDA_FUNCTION_CALL.NON_HIGHER_ORDER_FUNCTION",
        argument=one.position,
    )


def parameter_types(
    function: FunctionDefinition, count: int, position: int, arguments: Sequence[ResolvedExpression]
) -> tuple[LogicalType, ...] | None:
    """Return the types of the parameters of a lambda that is the argument at a position of a call of ``count``.

    ``arguments`` begin with those before the first lambda. None if those are not accepted.
    """
    inputs = function.inference.inputs
    strategies = [inputs.strategy_for(place) for place in range(count)]
    strategy = strategies[position]
    first = next((i for i, s in enumerate(strategies) if isinstance(s, LambdaArgument)), 0)
    # What stands after it, in the place of another lambda, says nothing about the types of this one.
    context = CallContext.of(function.name, tuple(arguments[:first]))
    types: list[LogicalType] = []
    for place, argument in enumerate(strategies[:first]):
        accepted = None if argument is None else argument.infer_argument(context, place)
        if accepted is not None:
            types.append(accepted)
    if not isinstance(strategy, LambdaArgument) or len(types) < first:
        return None
    return strategy.parameters(context.with_types(tuple(types)))


def _parameter_types(one: LambdaOf, resolved: Sequence[ResolvedExpression]) -> tuple[LogicalType, ...]:
    strategy = one.function.inference.inputs.strategy_for(one.position)
    found = parameter_types(one.function, len(one.operands), one.position, resolved)
    if found is None or not isinstance(strategy, LambdaArgument):
        raise _wrong_call(one, resolved)
    names = [parameter.name for parameter in one.written.parameters]
    if not len(found) - strategy.optional <= len(names) <= len(found):
        raise ValidationException(
            f"{one.function.sql_name} calls the lambda with {strategy.describe_parameters()}, but "
            f"{parameter_list(names) if names else '()'} -> … takes {len(names)} "
            f"parameter{'' if len(names) == 1 else 's'}.",
            condition="INVALID_LAMBDA_FUNCTION_CALL.NUM_ARGS_MISMATCH",
        )
    folded = [fold(name) for name in names]
    for name in names:
        if folded.count(fold(name)) > 1:
            raise ValidationException(
                f"The lambda of {one.function.sql_name} has several parameters named {name!r}; names differ by more "
                "than their case.",
                condition="INVALID_LAMBDA_FUNCTION_CALL.DUPLICATE_ARG_NAMES",
            )
    return found


def _wrong_call(one: LambdaOf, resolved: Sequence[ResolvedExpression]) -> ValidationException:
    """Return the error about a call whose other arguments are wrong, so that its lambdas have no types."""
    values = iter(resolved)
    arguments = [
        _of_unknown(operand) if isinstance(operand, UnresolvedLambda) else next(values, _UNKNOWN)
        for operand in one.operands
    ]
    try:
        call(one.function, arguments)
    except ValidationException as error:
        error.written = one.call
        return error
    raise AssertionError(f"{one.function} accepts arguments for which its lambda has no parameters")


_UNKNOWN = ValueLiteral(None, NULL)


def _of_unknown(written: UnresolvedLambda) -> Lambda:
    return Lambda(tuple([LambdaVariable(p.name, NULL) for p in written.parameters]), _UNKNOWN)
