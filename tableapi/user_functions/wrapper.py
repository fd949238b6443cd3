"""The object that users call: a declared function as a value, and the recognition of functions in arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from ir.errors import TableException, ValidationException
from ir.expressions import Expression as Unresolved
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.unresolved import UnresolvedCall, UnresolvedNamedArgument, UnresolvedReference
from tableapi.expression import Expression, unwrap
from tableapi.lazy import lazy
from tableapi.spark.runtime.base import (
    AggregateFunction,
    AsyncScalarFunction,
    ScalarFunction,
    TableAggregateFunction,
    TableFunction,
)
from tableapi.tracebacks import trim

# Declarations are loaded with the first function: most queries only check whether an argument is one.
if TYPE_CHECKING:
    from tableapi.process_functions import declaration as process_declaration
    from tableapi.process_functions.declaration import ProcessFunction
    from tableapi.spark.runtime.process.declarations import ProcessTableFunction
    from tableapi.user_functions import declaration
    from tableapi.user_functions.declaration import UserFunction

    # What names a process table function or is one.
    TableCallable: TypeAlias = (
        str | type[ProcessTableFunction] | ProcessTableFunction | "UserDefinedFunctionWrapper" | Expression[Any]
    )
else:
    process_declaration = lazy(__name__, "tableapi.process_functions.declaration")
    declaration = lazy(__name__, "tableapi.user_functions.declaration")


class UserDefinedFunctionWrapper:
    """A function that queries can call: a call with expressions returns an expression.

    A registered function also has a name in SQL. The Python code remains available as ``func``, for instance for tests.
    """

    def __init__(self, function: UserFunction | ProcessFunction, definition: FunctionDefinition | None = None) -> None:
        self._function = function
        self._definition = definition or function.definition()
        self._alias_names: tuple[str, ...] = ()
        self.func: Any = function.target
        self.__name__: str = function.name
        self.__doc__ = self._definition.documentation.doc

    @property
    def function(self) -> UserFunction | ProcessFunction:
        """The declared function."""
        return self._function

    @property
    def definition(self) -> FunctionDefinition:
        """The definition of calls without a name."""
        return self._definition

    def __call__(self, *args: Any, **named: Any) -> Expression[Any]:
        """Return the call of the function with expressions or constants, by position or by name."""
        try:
            given: list[Unresolved] = [unwrap(argument) for argument in args]
            given += [UnresolvedNamedArgument(name, unwrap(argument)) for name, argument in named.items()]
        except TableException as error:
            __tracebackhide__ = True
            trim(error)
            raise error  # Set TABLEAPI_TRACEBACK=full to see the frames below.
        return Expression(UnresolvedCall(self._definition, tuple(given)))

    def alias(self, *alias_names: str) -> UserDefinedFunctionWrapper:
        """Return the function with other column names for its results, to be called with whole rows of a table.

        >>> from tableapi import TableEnvironment, udtf
        >>> @udtf(result_types=["BIGINT", "STRING"])
        ... def parts(row):
        ...     for part in row[1].split(","):
        ...         yield row[0], part
        >>> lists = TableEnvironment.create().from_elements([(1, "a,b")], ["id", "text"])
        >>> lists.flat_map(parts.alias("n", "part")).get_resolved_schema()
        (`n` BIGINT, `part` STRING)

        Args:
            alias_names: the names of the columns.

        Raises:
            ValidationException: no name is given, or a name is not a string or is empty.
        """
        if not alias_names:
            raise ValidationException("alias takes the names of the columns.")
        named = UserDefinedFunctionWrapper(self._function, self._definition)
        # Let an expression check the names.
        Expression(UnresolvedReference("")).alias(*alias_names)
        named._alias_names = alias_names
        return named

    def of_row(self, row: Expression[Any]) -> Expression[Any]:
        """Return the call with a whole row, with the column names of ``alias`` for its results."""
        called = self(row)
        return called.alias(*self._alias_names) if self._alias_names else called

    def __repr__(self) -> str:
        if not isinstance(self._function, declaration.UserFunction):
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


# The most characters shown of an object that is not a function.
_LONGEST_SHOWN = 200


def _is_wrapper(given: Any) -> TypeGuard[UserDefinedFunctionWrapper]:
    """Whether the real class of an object is a wrapper; an object can override what isinstance() sees."""
    return UserDefinedFunctionWrapper in type(given).__mro__


def user_function(given: Any) -> UserDefinedFunctionWrapper:
    """Return the wrapper of a function that was passed as an object.

    Raises:
        ValidationException: the object is not a user-defined function.
    """
    if _is_wrapper(given):
        return given
    if process_declaration.is_process_function(given):
        return wrapper_of(given)
    raise ValidationException(f"call takes the name of a function, but was given {given!r}.")


def wrapper_of(kind_or_function: Any) -> UserDefinedFunctionWrapper:
    """Return the wrapper of a function to register: made by a decorator, a class, or an instance of a class.

    Raises:
        ValidationException: the object is not a user-defined function.
    """
    given = kind_or_function
    if _is_wrapper(given):
        return given
    if process_declaration.is_process_function(given):
        definition = process_declaration.declare_process_function(given)
        assert isinstance(definition.user_code.implementation, process_declaration.ProcessFunction)
        return UserDefinedFunctionWrapper(definition.user_code.implementation, definition)
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
            return UserDefinedFunctionWrapper(declaration.declare(kind, given))
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
