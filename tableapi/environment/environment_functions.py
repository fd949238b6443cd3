"""The environment's methods for functions: register, store, drop and list (FLIP-57)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ir.errors import ValidationException
from ir.expressions import ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier
from ir.light_typing import TYPE_CHECKING, Any
from ir.operations.operation import QueryOperation
from ir.resolution.lookup import make_unknown_function_error
from tableapi.lazy import lazy
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir import rewriting
    from tableapi.catalog import functions as catalog_functions
    from tableapi.catalog import time_zones
    from tableapi.catalog.function_catalog import FunctionCatalog
    from tableapi.catalog.functions import CatalogFunction
    from tableapi.display import function_description, prompts
    from tableapi.display.function_description import FunctionDescription
    from tableapi.environment import functions_of_expressions as of_expressions
    from tableapi.environment.functions_of_expressions import ExpressionOptions
    from tableapi.members.type_arguments import TypeLike
    from tableapi.queries import stored_dependencies
    from tableapi.queries.environment_parts import EnvironmentParts
    from tableapi.spark import picklable
    from tableapi.spark.runtime.base import UserDefinedFunction
    from tableapi.user_functions import sql_function, stored, wrapper

    # The values that can be registered: a Python function, the result of a decorator, a class, or an instance.
    Function = Callable[..., Any] | UserDefinedFunction
else:
    time_zones = lazy(__name__, "tableapi.catalog.time_zones")
    catalog_functions = lazy(__name__, "tableapi.catalog.functions")
    rewriting = lazy(__name__, "ir.rewriting")
    wrapper = lazy(__name__, "tableapi.user_functions.wrapper")
    prompts = lazy(__name__, "tableapi.display.prompts")
    function_description = lazy(__name__, "tableapi.display.function_description")
    of_expressions = lazy(__name__, "tableapi.environment.functions_of_expressions")
    stored_dependencies = lazy(__name__, "tableapi.queries.stored_dependencies")
    sql_function = lazy(__name__, "tableapi.user_functions.sql_function")
    picklable = lazy(__name__, "tableapi.spark.picklable")
    stored = lazy(__name__, "tableapi.user_functions.stored")


@boundaries
class EnvironmentFunctions:
    """The methods of an environment for functions.

    A function has one of four kinds of names. A *temporary system function* has a name without a database and takes
    precedence over a built-in function of the same name. A *temporary function* belongs to a database, which need not
    exist, and takes precedence over a stored function. Both exist as long as the environment. A *stored function* is
    visible to every process that reads the catalog. Names are case-insensitive.
    """

    _parts: EnvironmentParts

    @property
    def _functions(self) -> FunctionCatalog:
        return self._parts.runtime.functions

    def create_temporary_system_function(
        self,
        name: str,
        function: Function,
        *,
        input_types: Sequence[TypeLike] | None = None,
        **options: Unpack[ExpressionOptions],
    ) -> None:
        """Register a function under a name without a database, for the lifetime of this environment.

        Args:
            name: the name, which takes precedence over a built-in function.
            function: the result of udf, udtf, udaf or udtaf, or a class or instance of ScalarFunction, TableFunction,
                AggregateFunction or TableAggregateFunction. With ``input_types``, a Python function that builds an
                expression or a table from expressions, as for ``create_function``.
            input_types: the parameter types of a function made of expressions.
            options: ``defaults``, ``result_type``, ``comment``, ``parameter_comments`` and ``inline`` of a function
                made of expressions, as for ``create_function``.

        Raises:
            FunctionAlreadyExistException: another temporary system function has the name. At a prompt and in a
                notebook, it is replaced.
            ValidationException: the name has a database, or the argument is not a function.
            TableException: the function's code cannot be sent to Spark's workers.
        """
        make = self._maker(function, input_types, options)
        self._functions.create_temporary_system_function(name, make, or_replace=prompts.is_interactive())

    def drop_temporary_system_function(self, name: str) -> bool:
        """Drop a temporary system function; return False if it does not exist."""
        return self._functions.drop_temporary_system_function(name)

    def create_temporary_function(
        self,
        path: str,
        function: Function,
        *,
        input_types: Sequence[TypeLike] | None = None,
        **options: Unpack[ExpressionOptions],
    ) -> None:
        """Register a function under a name in a database, for the lifetime of this environment.

        Args:
            path: the name, by default in the current catalog and database; the database need not exist.
            function: as for ``create_temporary_system_function``.
            input_types: the parameter types of a function made of expressions.
            options: ``defaults``, ``result_type``, ``comment``, ``parameter_comments`` and ``inline`` of a function
                made of expressions.

        Raises:
            FunctionAlreadyExistException: another temporary function has the name. At a prompt and in a notebook, it is
                replaced.
            ValidationException: the path is malformed, or the argument is not a function.
        """
        make = self._maker(function, input_types, options)
        self._functions.create_temporary_function(path, make, or_replace=prompts.is_interactive())

    def drop_temporary_function(self, path: str) -> bool:
        """Drop a temporary function of a database; return False if it does not exist."""
        return self._functions.drop_temporary_function(path)

    def create_function(
        self,
        path: str,
        function_class: Function,
        ignore_if_exists: bool | None = None,
        *,
        input_types: Sequence[TypeLike] | None = None,
        defaults: Mapping[str, Any] | None = None,
        result_type: TypeLike | None = None,
        comment: str | None = None,
        parameter_comments: Mapping[str, str] | None = None,
        inline: bool = False,
        or_replace: bool = False,
    ) -> None:
        """Store a function in a catalog, where every process finds it.

        A Python function is stored by its import path. A function made of expressions is a Python function that builds
        an expression from columns for its parameters. It is stored as SQL: in Spark's catalog, any Spark tool and
        permanent views can call it. If it returns a table, it becomes a table function. If its expression aggregates
        rows, it becomes an aggregate function, which is always inlined and which Spark's catalog cannot store.

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
            path: the name, by default in the current catalog and database.
            function_class: as for ``create_temporary_system_function``, but defined at the top level of a module; or,
                with ``input_types``, a Python function that builds an expression or a table from expressions.
            ignore_if_exists: whether to keep an existing function of the name.
            input_types: the parameter types of a function made of expressions; the parameters keep their Python names.
            defaults: constants for the last parameters, by name, in addition to Python's own defaults.
            result_type: the type of the result; by default the type of the expression.
            comment: the description of the function; by default the docstring.
            parameter_comments: descriptions of the parameters, by name.
            inline: whether to replace each call by the expression when a query is built, so that the query's text does
                not name the function; Spark's catalog cannot store such functions.
            or_replace: whether to replace an existing function.

        Raises:
            FunctionAlreadyExistException: the function already exists.
            ValidationException: another process could not import the code, or the catalog cannot store the name.
            CatalogException: the catalog cannot store functions, or not of this kind.
        """
        options = {
            "defaults": defaults,
            "result_type": result_type,
            "comment": comment,
            "parameter_comments": parameter_comments,
            "inline": inline,
        }
        if input_types is None:
            _refuse_options({name: given for name, given in options.items() if given and name != "comment"})
            function = wrapper.wrapper_of(function_class).function
            picklable.require_picklable(function.name, function.target)
            kept = catalog_functions.CatalogFunction(
                catalog_functions.FunctionLanguage.PYTHON,
                stored.import_path_of(function_class),
                comment=comment,
                is_deterministic=function.is_deterministic,
            )
        else:
            kept = self._stored_of_expressions(path, function_class, input_types, options)
        self._functions.create_function(path, kept, ignore_if_exists=bool(ignore_if_exists), or_replace=or_replace)

    def drop_function(self, path: str) -> bool:
        """Drop a stored function; return False if it does not exist.

        Raises:
            ValidationException: a temporary function has the name and must be dropped first.
        """
        return self._functions.drop_function(path)

    def describe_function(self, name: str) -> FunctionDescription:
        """Return the signature and description of a built-in function, with an example in the SQL of both dialects.

        Args:
            name: its name in SQL or in Flink's Table API, in any case.

        Raises:
            FunctionNotExistException: the function does not exist; the message suggests the nearest name.

        >>> from tableapi import TableEnvironment
        >>> print(TableEnvironment.create().describe_function("hypot"))
        HYPOT
        The square root of the sum of the squares of a and b.
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
        if not isinstance(name, str):
            raise ValidationException(f"describe_function takes the name of a function, but was given {name!r}.")
        found = BUILT_INS.find(name)
        if found is None:
            raise make_unknown_function_error(name, BUILT_INS.names())
        return function_description.describe(found)

    def list_functions(self) -> list[str]:
        """Return the sorted names of all functions that can be called without a database, also built-in ones."""
        return self._functions.list_functions()

    def list_user_defined_functions(self) -> list[str]:
        """Return the sorted names of the user-defined functions that can be called without a database."""
        return self._functions.list_user_defined_functions()

    def _maker(
        self, function: Any, input_types: Sequence[TypeLike] | None, options: Mapping[str, Any]
    ) -> Callable[[FunctionIdentifier], FunctionDefinition]:
        """Return a factory of the function's definition, which gets the function's identifier."""
        if input_types is None:
            _refuse_options(options)
            given = wrapper.wrapper_of(function).function
            picklable.require_picklable(given.name, given.target)
            return given.definition
        chosen = of_expressions.Options.of(options)

        def make(identifier: FunctionIdentifier) -> FunctionDefinition:
            place = of_expressions.Place(identifier.name, None, "", lambda made: self._temporary(made, identifier.name))
            made = of_expressions.declare_expression(
                _unwrap_python(function), input_types, self._parts.runtime.lookup, place, chosen
            )
            return self._temporary(made, identifier.name).definition(identifier)

        return make

    def _temporary(self, function: CatalogFunction, name: str) -> sql_function.SqlFunction:
        return sql_function.SqlFunction(
            function, name, self._parts.runtime.lookup, self._parts.runtime.tables, is_temporary=True
        )

    def _stored_of_expressions(
        self, path: str, function: Any, input_types: Sequence[TypeLike], options: Mapping[str, Any]
    ) -> CatalogFunction:
        """Return the stored form of a function made of expressions.

        Raises:
            ValidationException: the function depends on objects that its readers cannot find.
        """
        runtime = self._parts.runtime
        identifier = runtime.manager.qualify(path)
        namespace = str(identifier.catalog), str(identifier.database)
        catalog = runtime.manager.catalog(namespace[0])

        def runnable(stored: CatalogFunction) -> sql_function.SqlFunction:
            lookup = runtime.permanent_lookup.within(namespace)
            return sql_function.SqlFunction(stored, identifier.name, lookup, runtime.permanent_tables(namespace))

        def settings(query: QueryOperation | None) -> Mapping[str, str]:
            depends = query is not None and not catalog.is_in_spark and time_zones.depends_on_time_zone(query)
            return {time_zones.TIME_ZONE: runtime.time_zone} if depends else {}

        def check(body: ResolvedExpression | QueryOperation) -> None:
            if isinstance(body, QueryOperation):
                stored_dependencies.refuse_temporary(runtime, body, identifier, catalog, "function")
            else:
                stored_dependencies.refuse_functions(
                    runtime, rewriting.user_functions_in(body), identifier, catalog, "function"
                )

        place = of_expressions.Place(
            identifier.name, catalog, namespace[0], runnable, check, self._parts.runtime.preparation
        )
        chosen = of_expressions.Options.of(options)
        return of_expressions.declare_expression(
            _unwrap_python(function), input_types, self._parts.runtime.lookup, place, chosen, settings
        )


def _unwrap_python(function: Any) -> Callable[..., Any]:
    if not callable(function) or isinstance(function, wrapper.UserDefinedFunctionWrapper):
        raise ValidationException(
            "input_types is for functions made of expressions, given as a Python function; one in Python has its types "
            "from its decorator."
        )
    return function  # type: ignore[no-any-return]  # callable() narrows Any to a callable of anything


def _refuse_options(options: Mapping[str, Any]) -> None:
    if options:
        raise ValidationException(
            f"{', '.join(options)} {'is' if len(options) == 1 else 'are'} for functions made of expressions, which "
            "have input_types."
        )
