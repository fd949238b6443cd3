"""Functions that users write, by PyFlink's module name: classes to derive from, and decorators for plain functions.

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
from typing import TYPE_CHECKING, Any, Literal, Never, Unpack, overload

from ir.errors import ValidationException, did_you_mean, listing
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

# What declares functions, and the expressions that call them, is loaded with the first of them: ``import tableapi``
# takes this module, and most programs only name the classes here.
if TYPE_CHECKING:
    from ir.functions import definition as _definition
    from tableapi.async_functions import declaration as _async_declaration
    from tableapi.async_functions import options as _async_options
    from tableapi.async_functions.options import AsyncArguments
    from tableapi.members.type_arguments import TypeLike
    from tableapi.user_functions import declaration as _declaration
    from tableapi.user_functions import wrapper as _wrapper
    from tableapi.user_functions.declaration import FuncType
    from tableapi.user_functions.wrapper import UserDefinedFunctionWrapper

    Types = Sequence[TypeLike] | TypeLike
    # What each decorator declares; a class is called for an instance.
    Scalar = Callable[..., Any] | ScalarFunction | AsyncScalarFunction
    Tabular = Callable[..., Any] | TableFunction
    OfColumns = Callable[..., Any] | AggregateFunction
    Aggregate = AggregateFunction | type[AggregateFunction]
    TableAggregate = TableAggregateFunction | type[TableAggregateFunction]
else:
    _async_options = lazy(__name__, "tableapi.async_functions.options")
    _definition = lazy(__name__, "ir.functions.definition")
    _async_declaration = lazy(__name__, "tableapi.async_functions.declaration")
    _declaration = lazy(__name__, "tableapi.user_functions.declaration")
    _wrapper = lazy(__name__, "tableapi.user_functions.wrapper")

__all__ = [
    "AggregateFunction",
    "AsyncScalarFunction",
    "FunctionContext",
    "ScalarFunction",
    "TableAggregateFunction",
    "TableFunction",
    "UserDefinedFunction",
    "UserDefinedFunctionWrapper",
    "udaf",
    "udf",
    "udtaf",
    "udtf",
]

if not TYPE_CHECKING:
    # A type checker would otherwise accept any attribute of this module.
    __getattr__, __dir__ = names_on_request(__name__, {"UserDefinedFunctionWrapper": "tableapi.user_functions.wrapper"})


_ACCEPTED = {
    "udf": ("input_types", "result_type", "deterministic", "name", "func_type"),
    "udtf": ("input_types", "result_types", "deterministic", "name"),
    "udaf": ("input_types", "result_type", "accumulator_type", "deterministic", "name", "func_type"),
    "udtaf": ("input_types", "result_type", "accumulator_type", "deterministic", "name", "func_type"),
}


def _refuse_unknown(decorator: str, given: Mapping[str, Any]) -> None:
    """Refuse a keyword argument that a decorator does not take.

    Raises:
        ValidationException: an argument is unknown; the message has the nearest name and all accepted ones.
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


def _decorated(
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
    """Make a function of values, which gives one value for each row.

    One that is a coroutine function (``async def``), or an AsyncScalarFunction, is asynchronous: many of its calls are
    in flight at once.

    Args:
        f: a function, an instance of ScalarFunction or AsyncScalarFunction or its class; without it, a decorator is
            returned.
        input_types: the types of the arguments, to which calls cast theirs; by default those of the annotations, and
            without these any.
        result_type: the type of the value; by default that of the annotation.
        deterministic: whether equal arguments give equal results; True unless ``is_deterministic`` says otherwise.
        name: what it is called in messages and plans; by default its own name.
        func_type: ``"general"`` to be called with the values of each row, ``"pandas"`` with a pandas.Series of each
            argument, ``"arrow"`` with a pyarrow.Array; of the last two, the types have to be given.
        options: how calls of an asynchronous function are made, such as ``timeout="5 s"``; docs/async-functions.md
            lists them.

    >>> add = udf(lambda i, j: i + j, ["BIGINT", "BIGINT"], "BIGINT", name="add")
    >>> add(1, 2)
    add(1, 2)

    Raises:
        ValidationException: its types are not known, or do not fit its parameters; an argument is unknown.
    """
    _refuse_unknown("udf", options)
    return _decorated("SCALAR", f, input_types, result_type, deterministic, name, func_type, options)


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
    """Make a table function, which gives rows for each row: it yields tuples, or values where there is one column.

    Args:
        f: a function, an instance of TableFunction or its class; without it, a decorator is returned.
        input_types: the types of the arguments, to which calls cast theirs; by default those of the annotations.
        result_types: the types of the columns, which are then named ``f0``, ``f1`` and so on, or one ROW type with
            their names; by default the annotation, of which ``Iterator[…]`` is what each row is.
        deterministic: whether equal arguments give equal rows.
        name: what it is called in messages and plans.

    >>> @udtf(result_types=["STRING", "INT"])
    ... def words(text: str):
    ...     for word in text.split():
    ...         yield word, len(word)
    >>> words
    <table function words(text: STRING NOT NULL) -> ROW<`f0` STRING, `f1` INT>>

    Raises:
        ValidationException: its types are not known, or do not fit its parameters; an argument is unknown.
    """
    _refuse_unknown("udtf", unknown)
    return _decorated("TABLE", f, input_types, result_types, deterministic, name)


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
    """Make an aggregate, which gives one value for the rows of a group.

    Args:
        f: an instance of AggregateFunction or its class; with ``func_type="pandas"`` or ``"arrow"`` a function of whole
            columns; without it, a decorator is returned.
        input_types: the types of the arguments, to which calls cast theirs; by default those of ``accumulate``.
        result_type: the type of the value; by default that of the annotation of ``get_value``.
        accumulator_type: accepted as in PyFlink; an accumulator never leaves Python here, and may be any object.
        deterministic: whether equal groups give equal values.
        name: what it is called in messages and plans.
        func_type: ``"general"`` for an accumulator, ``"pandas"`` or ``"arrow"`` for a function of whole columns.

    Raises:
        ValidationException: its types are not known, or do not fit its parameters; an argument is unknown.
    """
    _refuse_unknown("udaf", unknown)
    return _decorated("AGGREGATE", f, input_types, result_type, deterministic, name, func_type)


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
    """Make a table aggregate, which gives rows for the rows of a group.

    Args:
        f: an instance of TableAggregateFunction or its class; without it, a decorator is returned.
        input_types: the types of the arguments, to which calls cast theirs; by default those of ``accumulate``.
        result_type: a ROW type with the columns, or the types of columns ``f0``, ``f1`` and so on; by default the
            annotation of ``emit_value``.
        accumulator_type: accepted as in PyFlink; an accumulator never leaves Python here, and may be any object.
        deterministic: whether equal groups give equal rows.
        name: what it is called in messages and plans.
        func_type: ``"general"``, the only one that there is.

    Raises:
        ValidationException: its types are not known, or do not fit its parameters; another ``func_type`` or an unknown
            argument is given.
    """
    _refuse_unknown("udtaf", unknown)
    if func_type != "general":
        raise ValidationException(f"A table aggregate has the func_type 'general' only, but was given {func_type!r}.")
    return _decorated("TABLE_AGGREGATE", f, input_types, result_type, deterministic, name)


public_functions(globals())
