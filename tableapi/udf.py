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
from typing import TYPE_CHECKING, Any, TypeGuard, Unpack, overload

from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.expressions import UnresolvedCall, UnresolvedNamedArgument
from ir.functions.definition import FunctionDefinition, FunctionKind
from tableapi.expression import Expression, unwrap
from tableapi.spark.runtime.base import (
    AggregateFunction,
    AsyncScalarFunction,
    FunctionContext,
    ScalarFunction,
    TableAggregateFunction,
    TableFunction,
    UserDefinedFunction,
)

# What declares functions is loaded with the first of them: most programs only name the classes here.
if TYPE_CHECKING:
    from tableapi.async_functions.options import AsyncArguments
    from tableapi.process_functions.declaration import ProcessFunction
    from tableapi.user_functions.declaration import TypeLike, UserFunction

    Types = Sequence[TypeLike] | TypeLike

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


class UserDefinedFunctionWrapper:
    """A function that queries can call: with expressions it gives an expression, registered it has a name in SQL.

    Its Python code stays reachable as ``func``, for its own tests.
    """

    def __init__(self, function: UserFunction | ProcessFunction, definition: FunctionDefinition | None = None) -> None:
        self._function = function
        self._definition = definition or function.definition()
        self.func = function.target
        self.__name__ = function.name
        self.__doc__ = self._definition.doc

    @property
    def function(self) -> UserFunction | ProcessFunction:
        """What the function declares."""
        return self._function

    @property
    def definition(self) -> FunctionDefinition:
        """The definition that calls without a name have."""
        return self._definition

    def __call__(self, *args: Any, **named: Any) -> Expression[Any]:
        """Return the call of the function with expressions or constants, some perhaps by their names."""
        given: list[Unresolved] = [unwrap(argument) for argument in args]
        given += [UnresolvedNamedArgument(name, unwrap(argument)) for name, argument in named.items()]
        return Expression(UnresolvedCall(self._definition, tuple(given)))

    def __repr__(self) -> str:
        from tableapi.user_functions.declaration import UserFunction

        if not isinstance(self._function, UserFunction):
            return repr(self._function)
        shown = []
        for function in self._function.overloads or (self._function,):
            taken = ", ".join(
                f"{p.name}: {'ANY' if p.data_type is None else p.data_type.as_summary_string()}"
                for p in function.parameters
            )
            result = repr(function.result) if function.output is None else "inferred of the call"
            shown.append(f"{self.__name__}({taken}) -> {result}")
        return f"<{self._function.kind.value} function {' | '.join(shown)}>"


Decorator = Callable[[Any], UserDefinedFunctionWrapper]


def _decorated(
    kind: FunctionKind,
    f: Any,
    input_types: Types | None,
    result_type: Types | None,
    deterministic: bool | None,
    name: str | None,
    func_type: str = "general",
    options: Mapping[str, Any] | None = None,
) -> Any:
    from tableapi.async_functions.declaration import is_async
    from tableapi.user_functions.declaration import declare

    def wrap(given: Any) -> UserDefinedFunctionWrapper:
        return UserDefinedFunctionWrapper(
            declare(
                FunctionKind.ASYNC_SCALAR if kind is FunctionKind.SCALAR and is_async(given) else kind,
                given,
                input_types=input_types,
                result_type=result_type,
                deterministic=deterministic,
                name=name,
                func_type=func_type,
                options=options,
            )
        )

    return wrap if f is None else wrap(f)


# Of what is no function, this much is shown.
_LONGEST_SHOWN = 200


def _is_wrapper(given: Any) -> TypeGuard[UserDefinedFunctionWrapper]:
    """Whether something is a wrapper by its class, whatever it says of that itself."""
    return UserDefinedFunctionWrapper in type(given).__mro__


def user_function(given: Any) -> UserDefinedFunctionWrapper:
    """Return the function of a user that a call was given itself.

    Raises:
        ValidationException: it is none.
    """
    from tableapi.process_functions.declaration import is_process_function

    if _is_wrapper(given):
        return given
    if is_process_function(given):
        return wrapper_of(given)
    raise ValidationException(f"call takes the name of a function, but was given {given!r}.")


def wrapper_of(kind_or_function: Any) -> UserDefinedFunctionWrapper:
    """Return the function that was given to be registered: one made by a decorator, a class, or an instance of one.

    Raises:
        ValidationException: it is none of these.
    """
    from tableapi.process_functions.declaration import ProcessFunction, declare_process_function, is_process_function
    from tableapi.user_functions.declaration import declare

    given = kind_or_function
    if _is_wrapper(given):
        return given
    if is_process_function(given):
        definition = declare_process_function(given)
        assert isinstance(definition.implementation, ProcessFunction)
        return UserDefinedFunctionWrapper(definition.implementation, definition)
    is_class = type in type(given).__mro__
    cls = given if is_class else type(given)
    for kind, parent in (
        (FunctionKind.SCALAR, ScalarFunction),
        (FunctionKind.ASYNC_SCALAR, AsyncScalarFunction),
        (FunctionKind.TABLE, TableFunction),
        (FunctionKind.AGGREGATE, AggregateFunction),
        (FunctionKind.TABLE_AGGREGATE, TableAggregateFunction),
    ):
        if parent in cls.__mro__:
            return UserDefinedFunctionWrapper(declare(kind, given))
    if callable(given) and not is_class:
        raise ValidationException(
            f"{getattr(given, '__name__', given)!r} is an ordinary function: decorate it with udf, udtf, udaf or "
            "udtaf, which say what it is."
        )
    shown = repr(given)
    if len(shown) > _LONGEST_SHOWN:
        shown = shown[:_LONGEST_SHOWN] + "…"
    raise ValidationException(
        f"{shown} is no function: it is neither made by udf, udtf, udaf or udtaf, nor derives from ScalarFunction, "
        "AsyncScalarFunction, TableFunction, AggregateFunction, TableAggregateFunction or ProcessTableFunction."
    )


@overload
def udf(
    f: None = None,
    input_types: Types | None = None,
    result_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
    **options: Unpack[AsyncArguments],
) -> Decorator: ...


@overload
def udf(
    f: Callable[..., Any] | ScalarFunction | AsyncScalarFunction | type,
    input_types: Types | None = None,
    result_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
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
        ValidationException: its types are not known, or do not fit its parameters.
    """
    return _decorated(FunctionKind.SCALAR, f, input_types, result_type, deterministic, name, func_type, options)


def udtf(
    f: Any = None,
    input_types: Types | None = None,
    result_types: Types | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
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
        ValidationException: its types are not known, or do not fit its parameters.
    """
    return _decorated(FunctionKind.TABLE, f, input_types, result_types, deterministic, name)


def udaf(
    f: Any = None,
    input_types: Types | None = None,
    result_type: TypeLike | None = None,
    accumulator_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
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
        ValidationException: its types are not known, or do not fit its parameters.
    """
    return _decorated(FunctionKind.AGGREGATE, f, input_types, result_type, deterministic, name, func_type)


def udtaf(
    f: Any = None,
    input_types: Types | None = None,
    result_type: Types | None = None,
    accumulator_type: TypeLike | None = None,
    deterministic: bool | None = None,
    name: str | None = None,
    func_type: str = "general",
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
        ValidationException: its types are not known, or do not fit its parameters; another ``func_type`` is given.
    """
    if func_type != "general":
        raise ValidationException(f"A table aggregate has the func_type 'general' only, but was given {func_type!r}.")
    return _decorated(FunctionKind.TABLE_AGGREGATE, f, input_types, result_type, deterministic, name)
