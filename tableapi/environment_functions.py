"""What an environment does with functions: naming, storing, dropping and listing them (FLIP-57)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ir.functions.builtins import BUILT_INS
from ir.resolution.lookup import no_function
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage
from tableapi.function_description import FunctionDescription, describe
from tableapi.udf import UserDefinedFunctionWrapper, wrapper_of
from tableapi.user_functions.stored import import_path_of

if TYPE_CHECKING:
    from tableapi.function_catalog import FunctionCatalog
    from tableapi.runtime import Runtime


class EnvironmentFunctions:
    """The methods of an environment about functions.

    A function has one of four kinds of names. A *temporary system function* has a name alone, and comes before a
    built-in of that name. A *temporary function* of a database comes before one that is stored there; the database need
    not exist. Both last as long as the environment. A *stored function* is found by every process that reads the
    catalog. Names are found whatever their case.
    """

    _runtime: Runtime

    @property
    def _functions(self) -> FunctionCatalog:
        return self._runtime.functions

    def create_temporary_system_function(self, name: str, function: Any) -> None:
        """Give a function a name without a database, for the life of this environment.

        Args:
            name: the name, which goes before that of a built-in.
            function: what udf, udtf, udaf or udtaf made, or a class, or an instance of one, that derives from
                ScalarFunction, TableFunction, AggregateFunction or TableAggregateFunction.

        Raises:
            FunctionAlreadyExistException: another temporary system function has the name.
            ValidationException: the name has a database, or the function is none.
        """
        self._functions.create_temporary_system_function(name, _made(function).function.definition)

    def drop_temporary_system_function(self, name: str) -> bool:
        """Take its name from a temporary system function; False where there is none of this name."""
        return self._functions.drop_temporary_system_function(name)

    def create_temporary_function(self, path: str, function: Any) -> None:
        """Give a function a name in a database, for the life of this environment.

        Args:
            path: the name, in the current catalog and database where it has none; neither has to exist.
            function: as for ``create_temporary_system_function``.

        Raises:
            FunctionAlreadyExistException: another temporary function has the name.
            ValidationException: the path is malformed, or the function is none.
        """
        self._functions.create_temporary_function(path, _made(function).function.definition)

    def drop_temporary_function(self, path: str) -> bool:
        """Take its name from a temporary function of a database; False where there is none of this name."""
        return self._functions.drop_temporary_function(path)

    def create_function(self, path: str, function_class: Any, ignore_if_exists: bool | None = None) -> None:
        """Store a function in a catalog, by the import path under which every process finds its code.

        Args:
            path: the name, in the current catalog and database where it has none.
            function_class: as for ``create_temporary_system_function``, at the top level of a module.
            ignore_if_exists: leave an existing function of the name as it is.

        Raises:
            FunctionAlreadyExistException: there is one of this name.
            ValidationException: another process would not find the code; the catalog cannot hold the name.
            CatalogException: the catalog holds no functions.
        """
        function = _made(function_class).function
        stored = CatalogFunction(
            FunctionLanguage.PYTHON, import_path_of(function_class), is_deterministic=function.is_deterministic
        )
        self._functions.create_function(path, stored, ignore_if_exists=bool(ignore_if_exists))

    def drop_function(self, path: str) -> bool:
        """Remove a stored function; False where there is none of this name.

        Raises:
            ValidationException: a temporary function has the name; drop that first.
        """
        return self._functions.drop_function(path)

    def describe_function(self, name: str) -> FunctionDescription:
        """Return what a built-in function accepts and does, with its example in SQL of both dialects.

        Args:
            name: its name in SQL or in Flink's Table API, whatever its case.

        Raises:
            FunctionNotExistException: there is no such function; the message suggests the nearest.

        >>> from tableapi import TableEnvironment
        >>> print(TableEnvironment.create().describe_function("hypot"))
        HYPOT
        The square root of the sum of two squares.
        <BLANKLINE>
        SQL:
            HYPOT(a <DOUBLE>, b <DOUBLE>)
        Fluent: hypot(a, b)
        <BLANKLINE>
        Example: HYPOT(3, 4) is 5.0
            Spark: HYPOT(3, 4)
            Flink: none, since Flink has no such function
        <BLANKLINE>
        Deterministic
        Meaning: Spark's
        """
        found = BUILT_INS.find(name)
        if found is None:
            raise no_function(name, BUILT_INS.names())
        return describe(found)

    def list_functions(self) -> list[str]:
        """Return the names of all functions that a name alone may mean, the built-in ones too, sorted."""
        return self._functions.list_functions()

    def list_user_defined_functions(self) -> list[str]:
        """Return the names of the functions that people wrote and that a name alone may mean, sorted."""
        return self._functions.list_user_defined_functions()


def _made(function: Any) -> UserDefinedFunctionWrapper:
    return wrapper_of(function)
