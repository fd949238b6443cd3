"""What an environment does with functions: naming, storing, dropping and listing them (FLIP-57)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier
from ir.resolution.lookup import no_function
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage
from tableapi.function_description import FunctionDescription, describe
from tableapi.udf import UserDefinedFunctionWrapper, wrapper_of
from tableapi.user_functions.declaration import TypeLike
from tableapi.user_functions.of_expressions import SqlFunction, declare_expression
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

    def create_temporary_system_function(
        self, name: str, function: Any, *, input_types: Sequence[TypeLike] | None = None, **options: Any
    ) -> None:
        """Give a function a name without a database, for the life of this environment.

        Args:
            name: the name, which goes before that of a built-in.
            function: what udf, udtf, udaf or udtaf made, or a class, or an instance of one, that derives from
                ScalarFunction, TableFunction, AggregateFunction or TableAggregateFunction. Or, with ``input_types``, a
                Python function that makes an expression of expressions, as for ``create_function``.
            input_types: the types of the parameters of a function made of expressions.
            options: ``defaults``, ``result_type`` and ``comment`` of one, as for ``create_function``.

        Raises:
            FunctionAlreadyExistException: another temporary system function has the name.
            ValidationException: the name has a database, or the function is none.
        """
        self._functions.create_temporary_system_function(name, self._maker(function, input_types, options))

    def drop_temporary_system_function(self, name: str) -> bool:
        """Take its name from a temporary system function; False where there is none of this name."""
        return self._functions.drop_temporary_system_function(name)

    def create_temporary_function(
        self, path: str, function: Any, *, input_types: Sequence[TypeLike] | None = None, **options: Any
    ) -> None:
        """Give a function a name in a database, for the life of this environment.

        Args:
            path: the name, in the current catalog and database where it has none; neither has to exist.
            function: as for ``create_temporary_system_function``, and so are the others.
            input_types: the types of the parameters of a function made of expressions.
            options: ``defaults``, ``result_type`` and ``comment`` of one.

        Raises:
            FunctionAlreadyExistException: another temporary function has the name.
            ValidationException: the path is malformed, or the function is none.
        """
        self._functions.create_temporary_function(path, self._maker(function, input_types, options))

    def drop_temporary_function(self, path: str) -> bool:
        """Take its name from a temporary function of a database; False where there is none of this name."""
        return self._functions.drop_temporary_function(path)

    def create_function(
        self,
        path: str,
        function_class: Any,
        ignore_if_exists: bool | None = None,
        *,
        input_types: Sequence[TypeLike] | None = None,
        defaults: Mapping[str, Any] | None = None,
        result_type: TypeLike | None = None,
        comment: str | None = None,
        or_replace: bool = False,
    ) -> None:
        """Store a function in a catalog, where every process finds it.

        A function in Python is stored by its import path. One made of expressions, which a Python function makes of the
        columns that stand for its parameters, is stored as SQL: in Spark's catalog any Spark tool can call it, and
        permanent views may.

        >>> from tableapi import TableEnvironment, EnvironmentSettings
        >>> from tableapi.expressions import call, col, concat, lit
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> env = TableEnvironment.create(settings)
        >>> env.create_function(
        ...     "full_name", lambda first, last: concat(first, lit(" "), last), input_types=["STRING", "STRING"]
        ... )
        >>> people = env.from_elements([("Ada", "Lovelace")], ["a", "b"])
        >>> people.select(call("full_name", col("a"), col("b")).alias("name")).get_resolved_schema()
        (`name` STRING NOT NULL)

        Args:
            path: the name, in the current catalog and database where it has none.
            function_class: as for ``create_temporary_system_function``, at the top level of a module; or, with
                ``input_types``, a Python function that makes an expression of expressions.
            ignore_if_exists: leave an existing function of the name as it is.
            input_types: the types of the parameters of a function made of expressions, which have Python's names.
            defaults: constants for the last of them, by name; Python's own defaults count, too.
            result_type: the type of its value; by default that of the expression.
            comment: what it does; by default the docstring.
            or_replace: take the place of an existing function.

        Raises:
            FunctionAlreadyExistException: there is one of this name.
            ValidationException: another process would not find the code; the catalog cannot hold the name.
            CatalogException: the catalog holds no functions.
        """
        if input_types is None:
            function = wrapper_of(function_class).function
            stored = CatalogFunction(
                FunctionLanguage.PYTHON,
                import_path_of(function_class),
                comment=comment,
                is_deterministic=function.is_deterministic,
            )
        else:
            stored = self._of_expressions(
                function_class, input_types, {"defaults": defaults, "result_type": result_type, "comment": comment}
            )
        self._functions.create_function(path, stored, ignore_if_exists=bool(ignore_if_exists), or_replace=or_replace)

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

    def _maker(
        self, function: Any, input_types: Sequence[TypeLike] | None, options: Mapping[str, Any]
    ) -> Callable[[FunctionIdentifier], FunctionDefinition]:
        """Return what makes the definition of a function that was given under a name."""
        if input_types is None:
            if options:
                raise ValidationException(
                    f"{', '.join(options)} are for functions made of expressions, which have input_types."
                )
            return wrapper_of(function).function.definition
        stored = self._of_expressions(function, input_types, options)
        return SqlFunction(stored, self._runtime.lookup, is_temporary=True).definition

    def _of_expressions(
        self, function: Any, input_types: Sequence[TypeLike], options: Mapping[str, Any]
    ) -> CatalogFunction:
        if not callable(function) or isinstance(function, UserDefinedFunctionWrapper):
            raise ValidationException(
                "input_types is for functions made of expressions, given as a Python function; one in Python has "
                "its types from its decorator."
            )
        unknown = sorted(set(options) - {"defaults", "result_type", "comment"})
        if unknown:
            raise ValidationException(f"A function made of expressions has no option {unknown[0]!r}.")
        return declare_expression(function, input_types, self._runtime.lookup, **options)
