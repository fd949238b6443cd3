"""Resolution of lambdas: parameters get their types from the enclosing call, and unique names."""

from __future__ import annotations

from collections.abc import Sequence

from ir.call_expressions import Call
from ir.calls import call
from ir.errors import ValidationException
from ir.expressions import Expression, Lambda, LambdaVariable, ResolvedExpression, ValueLiteral, parameter_list
from ir.functions.definition import FunctionDefinition, FunctionKind, takes_lambdas
from ir.identifiers import fold
from ir.inference import CallContext
from ir.inference.lambdas import LambdaArgument
from ir.messages import Term, message
from ir.operations.operation import TableReference
from ir.rewriting import choose_unused_name, free_variables, make_lambda
from ir.types import NULL, LogicalType
from ir.unresolved import LambdaOf, UnresolvedCall, UnresolvedLambda, UnresolvedVariable, walk_written_parts


def lambdas_of(written: UnresolvedCall, function: FunctionDefinition, operands: Sequence[Expression]) -> list[LambdaOf]:
    """Return the lambdas among the operands of a call.

    Raises:
        ValidationException: the function takes no lambda at that position.
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
                raise _make_misplaced_error(one)
    return found


def code_within_lambda(function: FunctionDefinition, variable: LambdaVariable) -> str:
    """Return the error message for a Python function whose argument is a lambda parameter."""
    return (
        f"{function.sql_name} is a function in Python, which Spark does not call within a lambda on {variable.name!r}. "
        "Make rows of the elements first, or have the function take the array."
    )


def refuse_query_in_lambda(function: FunctionDefinition) -> None:
    """Refuse a SQL function in a lambda if a query would replace its call.

    Raises:
        ValidationException: the body of the function is a query, and Spark has not stored the function.
    """
    if function.user_code.has_query is not None and not function.is_sql_of_spark and function.user_code.has_query():
        raise ValidationException(
            message(
                "{function} is a function of SQL whose body is a query, which Spark computes in no lambda. "
                "{COMPUTE_FIRST} in the lambda.",
                function=function.sql_name,
            ),
            condition="UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.HIGHER_ORDER_FUNCTION",
        )


def refuse_subqueries(resolved: ResolvedExpression) -> None:
    """Refuse a subquery inside a call of a function that takes lambdas.

    Raises:
        ValidationException: such a call contains a subquery.
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
    """The parameters of the lambdas whose bodies are being resolved."""

    def __init__(self) -> None:
        self._open: dict[int, LambdaVariable] = {}
        # The outer meanings of parameters, since a lambda and a lambda inside it may share a parameter object.
        self._before: list[list[LambdaVariable | None]] = []

    def __bool__(self) -> bool:
        return bool(self._open)

    def of(self, variable: UnresolvedVariable) -> LambdaVariable:
        """Return the resolved parameter of a lambda.

        Raises:
            ValidationException: the reference is outside of the body of that lambda.
        """
        found = self._open.get(id(variable))
        if found is None:
            raise _outside(variable.name)
        return found

    def enter(self, one: LambdaOf, resolved: Sequence[ResolvedExpression]) -> None:
        """Give the parameters of a lambda their types; ``resolved`` are the arguments of the call without its lambdas.

        Raises:
            ValidationException: the other arguments are not accepted, or the number of parameters is wrong.
        """
        types = _parameter_types(one, resolved)
        written = one.written.parameters
        taken = self._find_names_in(one.written)
        own = {fold(parameter.name) for parameter in written}
        self._before.append([self._open.get(id(parameter)) for parameter in written])
        for parameter, data_type in zip(written, types, strict=False):
            name = parameter.name
            if fold(name) in taken:
                name = choose_unused_name(name, taken | own)
                own.add(fold(name))
            self._open[id(parameter)] = LambdaVariable(name, data_type)

    def _find_names_in(self, written: UnresolvedLambda) -> set[str]:
        """Return the folded names of the outer lambda parameters to which the body refers."""
        if not self._open:
            return set()
        own = {id(parameter) for parameter in written.parameters}
        parts = {id(part) for part in walk_written_parts((written.body,))} - own
        return {fold(variable.name) for key, variable in self._open.items() if key in parts}

    def leave(self, one: LambdaOf, body: ResolvedExpression) -> Lambda:
        """Return the lambda with its resolved body, and end the scope of its parameters."""
        parameters = tuple([self._open.pop(id(parameter)) for parameter in one.written.parameters])
        for parameter, before in zip(one.written.parameters, self._before.pop(), strict=True):
            if before is not None:
                self._open[id(parameter)] = before
        return make_lambda(parameters, body)

    def require_none(self, made: ResolvedExpression, function: FunctionDefinition) -> None:
        """Refuse lambda parameters in a call of an aggregate, a window function, code, or a stored SQL function.

        Raises:
            ValidationException: the call refers to a parameter of an enclosing lambda.
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
    """Refuse a lambda parameter outside of its lambda.

    Raises:
        ValidationException: an expression refers to such a parameter.
    """
    for variable in free_variables(resolved):
        raise _outside(variable.name)


def make_lambda_error(written: UnresolvedLambda) -> ValidationException:
    """Return the error for a lambda where a value is expected."""
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


def _make_misplaced_error(one: LambdaOf) -> ValidationException:
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
    """Return the types of the parameters of the lambda at ``position`` among ``count`` arguments of a call.

    ``arguments`` begin with those before the first lambda. Return None if these are not accepted.
    """
    inputs = function.inference.inputs
    strategies = [inputs.strategy_for(place) for place in range(count)]
    strategy = strategies[position]
    first = next((i for i, s in enumerate(strategies) if isinstance(s, LambdaArgument)), 0)
    # Arguments after the first lambda say nothing about the types of the parameters.
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
    """Return the error of a call whose other arguments are invalid, so that its lambdas have no parameter types."""
    values = iter(resolved)
    arguments = [
        _resolve_unknown_lambda(operand) if isinstance(operand, UnresolvedLambda) else next(values, _UNKNOWN)
        for operand in one.operands
    ]
    try:
        call(one.function, arguments)
    except ValidationException as error:
        error.written = one.call
        return error
    raise AssertionError(f"{one.function} accepts arguments for which its lambda has no parameters")


_UNKNOWN = ValueLiteral(None, NULL)


def _resolve_unknown_lambda(written: UnresolvedLambda) -> Lambda:
    return Lambda(tuple([LambdaVariable(p.name, NULL) for p in written.parameters]), _UNKNOWN)
