"""The names that views and functions of a project have in an environment, such as ``dev_alice_sales.daily``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier, ObjectIdentifier, fold_path
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.rewriting import transform_operations
from tableapi.catalog.functions import CatalogFunction
from tableapi.project.called_functions import change_functions
from tableapi.project.configuration import Configuration
from tableapi.project.function_plan import with_replaced_names

Path = tuple[str, ...]


class EnvironmentNames:
    """Maps the views and functions of a project to their names in an environment; all other names stay.

    Args:
        configuration: the project file, with the rule for the names of databases.
        environment: the name of the environment; None for production, in which all names stay.
        views: the views of the project that a deployment makes.
        functions: the functions of the project.
    """

    def __init__(
        self,
        configuration: Configuration,
        environment: str | None,
        views: Iterable[ObjectIdentifier],
        functions: Iterable[ObjectIdentifier],
    ) -> None:
        self._configuration = configuration
        self._environment = environment
        self._views = {fold_path(one.parts): self.identifier(one) for one in views}
        self._functions = {fold_path(one.parts): self.identifier(one) for one in functions}
        # Equal functions stay one object, so that equal calls stay equal.
        self._definitions: dict[tuple[Path, FunctionDefinition], FunctionDefinition] = {}

    def identifier(self, identifier: ObjectIdentifier) -> ObjectIdentifier:
        """Return the name of a view or function of the project in the environment."""
        database = self._configuration.database_in(self._environment, str(identifier.database))
        return ObjectIdentifier(identifier.name, database, identifier.catalog)

    def query(self, operation: QueryOperation) -> QueryOperation:
        """Return a query that reads the views, and calls the functions, of the environment."""
        if self._environment is None:
            return operation

        def change(current: QueryOperation) -> QueryOperation:
            found = self._views.get(fold_path(current.identifier.parts)) if isinstance(current, Source) else None
            return current if found is None else current.evolve(identifier=found)

        return transform_operations(operation, change, lambda expression: change_functions(expression, self._renamed))

    def function(self, function: CatalogFunction) -> CatalogFunction:
        """Return a function whose text ``with_full_names`` wrote, with the names of the environment."""
        if self._environment is None:
            return function

        def find_table(name: Path) -> Path | None:
            found = self._views.get(fold_path(name))
            return None if found is None else tuple(map(str, found.parts))

        def find_function(name: Path) -> Path | None:
            # In the text of a function, the name of another one has no catalog.
            found = self._functions.get(fold_path((self._configuration.catalog_name, *name)))
            return None if found is None else (str(found.database), found.name)

        return with_replaced_names(function, find_table, find_function)

    def _renamed(self, identifier: FunctionIdentifier, function: FunctionDefinition) -> FunctionDefinition:
        path = fold_path(identifier.parts)
        found = self._functions.get(path)
        if found is None:
            return function
        key = path, function
        if key not in self._definitions:
            # A stored function is a SqlFunction or a declared one: either makes the definition of a name.
            code: Any = function.user_code.implementation
            self._definitions[key] = code.definition(FunctionIdentifier.of(found))
        return self._definitions[key]
