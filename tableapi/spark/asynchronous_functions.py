"""Register stages of asynchronous calls with a Spark session: each is one Arrow function over an event loop."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from ir.errors import TableException, ValidationException
from ir.expressions import ResolvedExpression
from ir.identifiers import FunctionIdentifier
from tableapi.async_functions.options import AsyncOptions, options_for
from tableapi.spark import versions
from tableapi.spark.planner.asynchronous.lowering import Configured, StageProgram
from tableapi.spark.planner.transports import SentArguments, Transport
from tableapi.spark.python_functions import PythonFunctions, column_function, find_required_arguments, make_row
from tableapi.spark.runtime import base
from tableapi.spark.runtime.asynchronous import (
    batches,
    calls,
    engine,
    keys,
    program,
    stage,
    time_limit,
    watching,
)
from tableapi.spark.types import to_spark
from tableapi.user_functions.declaration import UserFunction

_RUNTIME = (batches, calls, engine, keys, program, stage, time_limit, watching)
_Parameters = Callable[[], Mapping[str, str]]


class AsyncFunctions:
    """The stages that are registered with a session, each under a generated name.

    Args:
        functions: registers functions with the session.
        parameters: returns the configuration, which contains options of functions.
    """

    def __init__(self, functions: PythonFunctions, parameters: _Parameters) -> None:
        self._functions = functions
        self._parameters = parameters
        self._names: dict[Hashable, str] = {}

    def options(self, function: UserFunction, identifier: FunctionIdentifier | None) -> AsyncOptions:
        """Return the effective options of a function."""
        return options_for(function.options, identifier, self._parameters())

    def name(
        self, planned: StageProgram, arguments: Sequence[ResolvedExpression]
    ) -> tuple[str, Sequence[ResolvedExpression]]:
        """Return the name of a stage in the session, and the arguments to call it with; register it if it is new.

        Raises:
            TableException: the code of a function cannot be sent to workers, or the session cannot send the columns of
                a stage in batches.
            ValidationException: a default value does not have the type of its function.
        """
        sent = self._functions.sent_in_batches(arguments, planned.results)
        functions = [configured.function for configured in planned.functions]
        if sent is None:
            raise TableException(
                f"The asynchronous function {' or '.join(function.name for function in functions)} needs Spark 4.1: an "
                "older one sends arrays, maps, rows, and times without a time zone row by row, not to many calls at "
                "once. Pass and return their parts, or a STRING."
            )
        key = planned if sent.transport is Transport.ARROW else (planned, sent.types, sent.texts)
        known = self._names.get(key)
        if known is None:
            known = self._functions.unused_name("_".join(function.name for function in functions))
            made = _spark_function(planned, dict(self._parameters()), sent)
            self._functions.register(known, made, functions, _RUNTIME)
            self._names[key] = known
        return known, sent.arguments


def _spark_function(planned: StageProgram, parameters: Mapping[str, str], sent: SentArguments) -> Any:
    functions = [worker_function(one, parameters, is_synchronous=planned.is_synchronous) for one in planned.functions]
    calls = [
        program.PlannedCall(
            call.function, [program.Argument(at, is_call=is_call) for is_call, at in call.arguments], call.guard
        )
        for call in planned.calls
    ]
    made = program.Stage(
        functions,
        calls,
        range(len(calls)),
        planned.kept,
        is_ordered=planned.is_ordered,
        is_value=planned.is_value,
        make_row=make_row,
    )
    spark_function = column_function(stage.batches_of(made), to_spark(planned.result), sent, iterates=True)
    # Spark must neither copy nor move a stage, which is alone in its projection. A synchronous call stays within its
    # expression, where Spark may only allow deterministic functions.
    is_free = planned.is_synchronous and all(one.function.is_deterministic for one in planned.functions)
    return spark_function if is_free else spark_function.asNondeterministic()


def worker_function(
    configured: Configured, parameters: Mapping[str, str], *, is_synchronous: bool = False
) -> program.AsyncFunction:
    """Return a function as workers call it.

    Args:
        configured: the function with its effective options.
        parameters: the job parameters that ``open()`` can read.
        is_synchronous: whether at most one call is in flight.

    Raises:
        ValidationException: the default value does not have the type of the function.
    """
    function, options = configured
    target = function.target
    is_class = isinstance(target, base.AsyncScalarFunction)
    context = base.FunctionContext(parameters)
    result = versions.arrow_type(to_spark(function.result.as_nullable()))
    if options.get("on_failure") == program.USE_DEFAULT:
        _check_default(function, options, program.Passage(result, make_row))
    is_deterministic = function.is_deterministic
    call_many = getattr(target, "eval_batch", None) if is_class else None
    settings = program.Settings(
        capacity=1 if is_synchronous else options.get("buffer_capacity"),
        timeout=options.get("timeout"),
        strategy=options.get("retry_strategy"),
        delay=options.get("fixed_delay"),
        longest_delay=options.get("max_delay"),
        attempts=options.get("max_attempts"),
        is_retryable=options.retryable,
        on_failure=options.get("on_failure"),
        default=options.default_value,
        rate=options.get("rate_limit"),
        deduplicate=is_deterministic and options.get("deduplicate"),
        cache_size=options.get("cache_size") if is_deterministic else 0,
        cache_ttl=options.get("cache_ttl"),
        batch_size=1 if call_many is None else options.get("batch_size"),
    )
    return program.AsyncFunction(
        function.name,
        target.eval if is_class else target,
        result,
        settings,
        call_many=call_many,
        open=functools.partial(target.open, context) if is_class else None,
        close=target.close if is_class else None,
        required=find_required_arguments(function),
    )


def _check_default(function: UserFunction, options: AsyncOptions, passage: program.Passage) -> None:
    value = options.default_value
    try:
        passage.array([passage.out(value)])
    except Exception as error:
        raise ValidationException(
            f"The default_value {value!r} of {function.name} is no value of its type "
            f"{function.result.as_nullable().as_summary_string()}: {error}"
        ) from None
