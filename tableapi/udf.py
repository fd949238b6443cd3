"""User-defined functions, under PyFlink's module name: base classes, and decorators for plain functions.

>>> from tableapi.expressions import col
>>> @udf
... def shout(text: str) -> str:
...     return text.upper() + "!"
>>> shout(col("name"))
shout(name)

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/python/table/udfs/python_udfs/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ir.errors import ValidationException, did_you_mean, listing
from ir.light_typing import TYPE_CHECKING, Any, Literal, overload
from tableapi.lazy import lazy
from tableapi.spark.runtime.base import (
    AggregateFunction,
    AsyncScalarFunction,
    FunctionContext,
    ScalarFunction,
    TableAggregateFunction,
    TableFunction,
    UserDefinedFunction,
)
from tableapi.tracebacks import boundary, public_functions
from tableapi.unknown_members import names_on_request

# Declarations and calls of functions are loaded on first use: ``import tableapi`` imports this module, and most
# programs only use the names of its classes.
if TYPE_CHECKING:
    from typing_extensions import Never, Unpack

    from ir.functions import definition as _definition
    from tableapi.async_functions import declaration as _async_declaration
    from tableapi.async_functions import options as _async_options
    from tableapi.async_functions.options import AsyncArguments
    from tableapi.members.type_arguments import TypeLike
    from tableapi.process_functions import pyflink_names as _pyflink_names
    from tableapi.process_functions.pyflink_names import (
        ProcessTableFunctionArgument,
        ProcessTableFunctionArgumentTrait,
        ProcessTableFunctionState,
    )
    from tableapi.spark.runtime.process.declarations import ProcessTableFunction
    from tableapi.user_functions import declaration as _declaration
    from tableapi.user_functions import wrapper as _wrapper
    from tableapi.user_functions.declaration import FuncType
    from tableapi.user_functions.wrapper import UserDefinedFunctionWrapper

    Types = Sequence[TypeLike] | TypeLike
    # The arguments of the decorators; a class is instantiated.
    Scalar = Callable[..., Any] | ScalarFunction | AsyncScalarFunction
    Tabular = Callable[..., Any] | TableFunction
    OfColumns = Callable[..., Any] | AggregateFunction
    Aggregate = AggregateFunction | type[AggregateFunction]
    TableAggregate = TableAggregateFunction | type[TableAggregateFunction]
    Process = ProcessTableFunction | type[ProcessTableFunction]
else:
    _async_options = lazy(__name__, "tableapi.async_functions.options")
    _definition = lazy(__name__, "ir.functions.definition")
    _async_declaration = lazy(__name__, "tableapi.async_functions.declaration")
    _declaration = lazy(__name__, "tableapi.user_functions.declaration")
    _pyflink_names = lazy(__name__, "tableapi.process_functions.pyflink_names")
    _wrapper = lazy(__name__, "tableapi.user_functions.wrapper")

__all__ = [
    "AggregateFunction",
    "AsyncScalarFunction",
    "FunctionContext",
    "ProcessTableFunction",
    "ProcessTableFunctionArgument",
    "ProcessTableFunctionArgumentTrait",
    "ProcessTableFunctionState",
    "ScalarFunction",
    "TableAggregateFunction",
    "TableFunction",
    "UserDefinedFunction",
    "UserDefinedFunctionWrapper",
    "udaf",
    "udf",
    "udptf",
    "udtaf",
    "udtf",
]

if not TYPE_CHECKING:
    # Without this condition, a type checker would accept any attribute of this module.
    _PYFLINK = ("ProcessTableFunctionArgument", "ProcessTableFunctionArgumentTrait", "ProcessTableFunctionState")
    __getattr__, __dir__ = names_on_request(
        __name__,
        {
            "ProcessTableFunction": "tableapi.spark.runtime.process.declarations",
            "UserDefinedFunctionWrapper": "tableapi.user_functions.wrapper",
            **dict.fromkeys(_PYFLINK, "tableapi.process_functions.pyflink_names"),
        },
    )


_ACCEPTED = {
    "udf": ("input_types", "result_type", "deterministic", "name", "func_type"),
    "udtf": ("input_types", "result_types", "deterministic", "name"),
    "udaf": ("input_types", "result_type", "accumulator_type", "deterministic", "name", "func_type"),
    "udtaf": ("input_types", "result_type", "accumulator_type", "deterministic", "name", "func_type"),
    "udptf": ("arguments", "result_type", "states", "deterministic", "name"),
}


def _refuse_unknown(decorator: str, given: Mapping[str, Any]) -> None:
    """Reject keyword arguments that a decorator does not accept.

    Raises:
        ValidationException: an argument is unknown; the message has the nearest name and all accepted names.
    """
    if not given:
        return
    own = _ACCEPTED[decorator]
    of_async = _async_options.option_names() if decorator == "udf" else ()
    for name in given:
        if name in of_async:
            continue
        accepted = f"It accepts [{listing(own)}]"
        if of_async:
            accepted += f"; of an asynchronous function, also [{listing(of_async)}]"
        raise ValidationException(
            f"{decorator} has no argument {name!r}.{did_you_mean(name, [*own, *of_async])} {accepted}.",
        )


def _decorate(
    kind: Literal["SCALAR", "TABLE", "AGGREGATE", "TABLE_AGGREGATE"],
    f: Any,
    input_types: Types | None,
    result_type: Types | None,
    deterministic: bool | None,
    name: str | None,
    func_type: str = "general",
    options: Mapping[str, Any] | None = None,
) -> Any:
    def wrap(given: Any) -> _wrapper.UserDefinedFunctionWrapper:
        kinds = _definition.FunctionKind
        is_async = kind == "SCALAR" and _async_declaration.is_async(given)
        return _wrapper.UserDefinedFunctionWrapper(
            _declaration.declare(
                kinds.ASYNC_SCALAR if is_async else kinds[kind],
                given,
                input_types=input_types,
                result_type=result_type,
                deterministic=deterministic,
                name=name,
                func_type=func_type,
                options=options,
            )
        )

    return boundary(wrap) if f is None else wrap(f)


@overload
def udf(
    f: None = None,
    input_types: Types | None = None,
    result_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FuncType = "general",
    **options: Unpack[AsyncArguments],
) -> Callable[[Scalar], UserDefinedFunctionWrapper]: ...


@overload
def udf(
    f: Scalar,
    input_types: Types | None = None,
    result_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: FuncType = "general",
    **options: Unpack[AsyncArguments],
) -> UserDefinedFunctionWrapper: ...


def udf(
    f: Any = None,
    input_types: Types | None = None,
    result_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
    **options: Any,
) -> Any:
    """Make a scalar function, which returns one value for each row.

    A coroutine function (``async def``) or an AsyncScalarFunction is asynchronous: many of its calls run concurrently.

    Args:
        f: a function, or an instance or class of ScalarFunction or AsyncScalarFunction; if it is missing, a decorator
            is returned.
        input_types: the parameter types, to which calls cast their arguments; by default the annotations, and without
            annotations any types.
        result_type: the type of the result; by default the annotation.
        deterministic: whether equal arguments give equal results; True unless ``is_deterministic`` returns False.
        name: the name in messages and plans; by default the function's own name.
        func_type: ``"general"`` to pass the values of each row, ``"pandas"`` to pass a pandas.Series per argument,
            ``"arrow"`` to pass a pyarrow.Array per argument; the last two require the types.
        options: options for calls of an asynchronous function, such as ``timeout="5 s"``; docs/async-functions.md
            lists them.

    >>> add = udf(lambda i, j: i + j, ["BIGINT", "BIGINT"], "BIGINT", name="add")
    >>> add(1, 2)
    add(1, 2)

    Raises:
        ValidationException: the types are unknown or do not fit the parameters, or an argument is unknown.
    """
    _refuse_unknown("udf", options)
    return _decorate("SCALAR", f, input_types, result_type, deterministic, name, func_type, options)


@overload
def udtf(
    f: None = None,
    input_types: Types | None = None,
    result_types: Types | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
) -> Callable[[Tabular], UserDefinedFunctionWrapper]: ...


@overload
def udtf(
    f: Tabular,
    input_types: Types | None = None,
    result_types: Types | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
) -> UserDefinedFunctionWrapper: ...


def udtf(
    f: Any = None,
    input_types: Types | None = None,
    result_types: Types | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    **unknown: Never,
) -> Any:
    """Make a table function, which returns rows for each row: it yields tuples, or values for a single column.

    Args:
        f: a function, or an instance or class of TableFunction; if it is missing, a decorator is returned.
        input_types: the parameter types, to which calls cast their arguments; by default the annotations.
        result_types: the types of the columns, which are named ``f0``, ``f1`` and so on, or one ROW type with names;
            by default the annotation ``Iterator[…]``, which contains the type of a row.
        deterministic: whether equal arguments give equal rows.
        name: the name in messages and plans.

    >>> @udtf(result_types=["STRING", "INT"])
    ... def words(text: str):
    ...     for word in text.split():
    ...         yield word, len(word)
    >>> words
    <table function words(text: STRING NOT NULL) -> ROW<`f0` STRING, `f1` INT>>

    Raises:
        ValidationException: the types are unknown or do not fit the parameters, or an argument is unknown.
    """
    _refuse_unknown("udtf", unknown)
    return _decorate("TABLE", f, input_types, result_types, deterministic, name)


@overload
def udaf(
    f: None = None,
    input_types: Types | None = None,
    result_type: TypeLike | None = None,
    accumulator_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: Literal["general"] = "general",
) -> Callable[[Aggregate], UserDefinedFunctionWrapper]: ...


@overload
def udaf(
    f: None = None,
    input_types: Types | None = None,
    result_type: TypeLike | None = None,
    accumulator_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    *,
    func_type: Literal["pandas", "arrow"],
) -> Callable[[OfColumns], UserDefinedFunctionWrapper]: ...


@overload
def udaf(
    f: Aggregate,
    input_types: Types | None = None,
    result_type: TypeLike | None = None,
    accumulator_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: Literal["general"] = "general",
) -> UserDefinedFunctionWrapper: ...


@overload
def udaf(
    f: OfColumns,
    input_types: Types | None = None,
    result_type: TypeLike | None = None,
    accumulator_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    *,
    func_type: Literal["pandas", "arrow"],
) -> UserDefinedFunctionWrapper: ...


def udaf(
    f: Any = None,
    input_types: Types | None = None,
    result_type: TypeLike | None = None,
    accumulator_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
    **unknown: Never,
) -> Any:
    """Make an aggregate function, which returns one value for the rows of a group.

    Args:
        f: an instance or class of AggregateFunction, or with ``func_type="pandas"`` or ``"arrow"`` a function of whole
            columns; if it is missing, a decorator is returned.
        input_types: the parameter types, to which calls cast their arguments; by default the annotations of
            ``accumulate``.
        result_type: the type of the result; by default the annotation of ``get_value``.
        accumulator_type: accepted as in PyFlink, without effect: an accumulator stays in Python and may be any object.
        deterministic: whether equal groups give equal results.
        name: the name in messages and plans.
        func_type: ``"general"`` for an accumulator, ``"pandas"`` or ``"arrow"`` for a function of whole columns.

    Raises:
        ValidationException: the types are unknown or do not fit the parameters, or an argument is unknown.
    """
    _refuse_unknown("udaf", unknown)
    return _decorate("AGGREGATE", f, input_types, result_type, deterministic, name, func_type)


@overload
def udtaf(
    f: None = None,
    input_types: Types | None = None,
    result_type: Types | None = None,
    accumulator_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: Literal["general"] = "general",
) -> Callable[[TableAggregate], UserDefinedFunctionWrapper]: ...


@overload
def udtaf(
    f: TableAggregate,
    input_types: Types | None = None,
    result_type: Types | None = None,
    accumulator_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: Literal["general"] = "general",
) -> UserDefinedFunctionWrapper: ...


def udtaf(
    f: Any = None,
    input_types: Types | None = None,
    result_type: Types | None = None,
    accumulator_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
    **unknown: Never,
) -> Any:
    """Make a table aggregate function, which returns rows for the rows of a group.

    Args:
        f: an instance or class of TableAggregateFunction; if it is missing, a decorator is returned.
        input_types: the parameter types, to which calls cast their arguments; by default the annotations of
            ``accumulate``.
        result_type: a ROW type with the columns, or the types of columns named ``f0``, ``f1`` and so on; by default
            the annotation of ``emit_value``.
        accumulator_type: accepted as in PyFlink, without effect: an accumulator stays in Python and may be any object.
        deterministic: whether equal groups give equal rows.
        name: the name in messages and plans.
        func_type: ``"general"``, the only valid value.

    Raises:
        ValidationException: the types are unknown or do not fit the parameters, ``func_type`` is invalid, or an
            argument is unknown.
    """
    _refuse_unknown("udtaf", unknown)
    if func_type != "general":
        raise ValidationException(f"A table aggregate has the func_type 'general' only, but was given {func_type!r}.")
    return _decorate("TABLE_AGGREGATE", f, input_types, result_type, deterministic, name)


@overload
def udptf(
    f: None = None,
    arguments: Sequence[ProcessTableFunctionArgument] | None = None,
    result_type: TypeLike | None = None,
    states: Sequence[ProcessTableFunctionState] | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
) -> Callable[[Process], ProcessTableFunction]: ...


@overload
def udptf(
    f: Process,
    arguments: Sequence[ProcessTableFunctionArgument] | None = None,
    result_type: TypeLike | None = None,
    states: Sequence[ProcessTableFunctionState] | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
) -> ProcessTableFunction: ...


def udptf(
    f: Any = None,
    arguments: Sequence[ProcessTableFunctionArgument] | None = None,
    result_type: TypeLike | None = None,
    states: Sequence[ProcessTableFunctionState] | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    **unknown: Never,
) -> Any:
    """Make a process table function whose declaration is given as arguments instead of annotations.

    ``eval`` takes a context, the states and the arguments, under their names and in their order; ``on_timer`` takes a
    context and the states. The context also has PyFlink's names: ``time_context`` with ``time``, ``clear_timer`` and
    others, and ``table_semantics_for``.

    Args:
        f: a class that derives from ProcessTableFunction, or an instance; if it is missing, a decorator is returned.
        arguments: the arguments in order, made by ``ProcessTableFunctionArgument.table`` and ``.scalar``.
        result_type: the ROW type of the output rows.
        states: the states in order, made by ``ProcessTableFunctionState.value``.
        deterministic: whether equal input rows give equal output rows.
        name: the name in messages and plans; by default that of the class.

    >>> from tableapi.process_functions import ProcessTableFunction
    >>> class CountWithTimeout(ProcessTableFunction):
    ...     def eval(self, ctx, memory, event):
    ...         memory.count = (memory.count or 0) + 1
    ...         timers = ctx.time_context(int)
    ...         timers.register_on_time("timeout", timers.time() + 60_000)
    ...         return ()
    ...
    ...     def on_timer(self, ctx, memory):
    ...         yield (memory.count,)
    ...         ctx.clear_all()
    >>> count_with_timeout = udptf(
    ...     CountWithTimeout(),
    ...     arguments=[
    ...         ProcessTableFunctionArgument.table("event", {ProcessTableFunctionArgumentTrait.SET_SEMANTIC_TABLE})
    ...     ],
    ...     states=[ProcessTableFunctionState.value("memory", "ROW<count BIGINT>")],
    ...     result_type="ROW<count BIGINT>",
    ... )

    Raises:
        ValidationException: the declaration is invalid, does not fit the parameters, or an argument is unknown.

    Source: https://issues.apache.org/jira/browse/FLINK-40251
    """
    _refuse_unknown("udptf", unknown)

    def wrap(given: Any) -> Any:
        return _pyflink_names.declare_by_arguments(given, arguments, result_type, states or (), deterministic, name)

    return boundary(wrap) if f is None else wrap(f)


public_functions(globals())
