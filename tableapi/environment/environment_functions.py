"""What an environment does with functions: naming, storing, dropping and listing them (FLIP-57)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from ir.errors import ValidationException
from ir.expressions import ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier
from ir.operations.operation import QueryOperation
from ir.resolution.lookup import no_function
from ir.rewriting import user_functions_in
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage
from tableapi.catalog.time_zones import TIME_ZONE, depends_on_time_zone
from tableapi.lazy import lazy
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from tableapi.catalog.function_catalog import FunctionCatalog
    from tableapi.display import function_description
    from tableapi.display.function_description import FunctionDescription
    from tableapi.environment import functions_of_expressions as of_expressions
    from tableapi.environment.functions_of_expressions import ExpressionOptions
    from tableapi.members.type_arguments import TypeLike
    from tableapi.queries.environment_parts import EnvironmentParts
    from tableapi.spark import python_functions
    from tableapi.spark.runtime.base import UserDefinedFunction
    from tableapi.user_functions import sql_function, stored, wrapper

    # What can get a name: a Python function, what a decorator made, a class, or an instance of one.
    Function = Callable[..., Any] | UserDefinedFunction
else:
    wrapper = lazy(__name__, "tableapi.user_functions.wrapper")
    function_description = lazy(__name__, "tableapi.display.function_description")
    of_expressions = lazy(__name__, "tableapi.environment.functions_of_expressions")
    sql_function = lazy(__name__, "tableapi.user_functions.sql_function")
    python_functions = lazy(__name__, "tableapi.spark.python_functions")
    stored = lazy(__name__, "tableapi.user_functions.stored")


@boundaries
class EnvironmentFunctions:
    """The methods of an environment about functions.

    A function has one of four kinds of names. A *temporary system function* has a name alone, and comes before a
    built-in of that name. A *temporary function* of a database comes before one that is stored there; the database need
    not exist. Both last as long as the environment. A *stored function* is found by every process that reads the
    catalog. Names are found whatever their case.
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
        """Give a function a name without a database, for the life of this environment.

        Args:
            name: the name, which goes before that of a built-in.
            function: what udf, udtf, udaf or udtaf made, or a class, or an instance of one, that derives from
                ScalarFunction, TableFunction, AggregateFunction or TableAggregateFunction. Or, with ``input_types``, a
                Python function that makes an expression, or a table, of expressions, as for ``create_function``.
            input_types: the types of the parameters of a function made of expressions.
            options: ``defaults``, ``result_type``, ``comment``, ``parameter_comments`` and ``inline`` of one, as for
                ``create_function``.

        Raises:
            FunctionAlreadyExistException: another temporary system function has the name.
            ValidationException: the name has a database, or the function is none.
            TableException: its code cannot be sent to Spark's workers.
        """
        self._functions.create_temporary_system_function(name, self._maker(function, input_types, options))

    def drop_temporary_system_function(self, name: str) -> bool:
        """Take its name from a temporary system function; False where there is none of this name."""
        return self._functions.drop_temporary_system_function(name)

    def create_temporary_function(
        self,
        path: str,
        function: Function,
        *,
        input_types: Sequence[TypeLike] | None = None,
        **options: Unpack[ExpressionOptions],
    ) -> None:
        """Give a function a name in a database, for the life of this environment.

        Args:
            path: the name, in the current catalog and database where it has none; neither has to exist.
            function: as for ``create_temporary_system_function``, and so are the others.
            input_types: the types of the parameters of a function made of expressions.
            options: ``defaults``, ``result_type``, ``comment``, ``parameter_comments`` and ``inline`` of one.

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

        A function in Python is stored by its import path. One made of expressions, which a Python function makes of the
        columns that stand for its parameters, is stored as SQL: in Spark's catalog any Spark tool can call it, and
        permanent views may. One that returns a table is a table function. One whose expression aggregates rows is an
        aggregate, which is always inlined, and which Spark's catalog does not keep.

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
                ``input_types``, a Python function that makes an expression, or a table, of expressions.
            ignore_if_exists: leave an existing function of the name as it is.
            input_types: the types of the parameters of a function made of expressions, which have Python's names.
            defaults: constants for the last of them, by name; Python's own defaults count, too.
            result_type: the type of its value; by default that of the expression.
            comment: what it does; by default the docstring.
            parameter_comments: what the parameters are, by name.
            inline: put its expression in the place of each call when a query is built, so that the query's text does
                not name it; Spark's catalog does not keep such functions.
            or_replace: take the place of an existing function.

        Raises:
            FunctionAlreadyExistException: there is one of this name.
            ValidationException: another process would not find the code; the catalog cannot hold the name.
            CatalogException: the catalog holds no functions, or none of this kind.
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
            python_functions.require_picklable(function.name, function.target)
            kept = CatalogFunction(
                FunctionLanguage.PYTHON,
                stored.import_path_of(function_class),
                comment=comment,
                is_deterministic=function.is_deterministic,
            )
        else:
            kept = self._stored_of_expressions(path, function_class, input_types, options)
        self._functions.create_function(path, kept, ignore_if_exists=bool(ignore_if_exists), or_replace=or_replace)

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
        return function_description.describe(found)

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
            _refuse_options(options)
            given = wrapper.wrapper_of(function).function
            python_functions.require_picklable(given.name, given.target)
            return given.definition
        chosen = of_expressions.Options.of(options)

        def make(identifier: FunctionIdentifier) -> FunctionDefinition:
            place = of_expressions.Place(identifier.name, None, "", lambda made: self._temporary(made, identifier.name))
            made = of_expressions.declare_expression(
                _of_python(function), input_types, self._parts.runtime.lookup, place, chosen
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
        """Return what is stored of a function made of expressions.

        Raises:
            ValidationException: it depends on what its readers will not have.
        """
        identifier = self._parts.runtime.manager.qualify(path)
        namespace = str(identifier.catalog), str(identifier.database)
        catalog = self._parts.runtime.manager.catalog(namespace[0])

        def runnable(stored: CatalogFunction) -> sql_function.SqlFunction:
            lookup = self._parts.runtime.permanent_lookup.within(namespace)
            return sql_function.SqlFunction(
                stored, identifier.name, lookup, self._parts.runtime.permanent_tables(namespace)
            )

        def settings(query: QueryOperation | None) -> Mapping[str, str]:
            depends = query is not None and not catalog.is_in_spark and depends_on_time_zone(query)
            return {TIME_ZONE: self._parts.runtime.time_zone} if depends else {}

        def check(body: ResolvedExpression | QueryOperation) -> None:
            if isinstance(body, QueryOperation):
                self._parts.tables.refuse_temporary(body, identifier, catalog, "function")
            else:
                self._parts.tables.refuse_functions(user_functions_in(body), identifier, catalog, "function")

        place = of_expressions.Place(identifier.name, catalog, namespace[0], runnable, check)
        chosen = of_expressions.Options.of(options)
        return of_expressions.declare_expression(
            _of_python(function), input_types, self._parts.runtime.lookup, place, chosen, settings
        )


def _of_python(function: Any) -> Callable[..., Any]:
    if not callable(function) or isinstance(function, wrapper.UserDefinedFunctionWrapper):
        raise ValidationException(
            "input_types is for functions made of expressions, given as a Python function; one in Python has its types "
            "from its decorator."
        )
    return function  # type: ignore[no-any-return]


def _refuse_options(options: Mapping[str, Any]) -> None:
    if options:
        raise ValidationException(
            f"{', '.join(options)} {'is' if len(options) == 1 else 'are'} for functions made of expressions, which "
            "have input_types."
        )
