"""Statements about functions in Python and SQL, stored in a catalog or temporary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammar import statements as st
from ir.errors import ValidationException
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier, parse_path, quote
from ir.resolution.lookup import name_in_session
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage, is_import_path
from tableapi.catalog.object_files import Broken, function_of
from tableapi.lazy import lazy
from tableapi.queries.sql_reader import path_of
from tableapi.result import TableResult
from tableapi.user_functions.sql_function import SqlFunction
from tableapi.user_functions.stored import load

if TYPE_CHECKING:
    from tableapi.queries.runtime import Runtime
    from tableapi.spark import picklable
else:
    picklable = lazy(__name__, "tableapi.spark.picklable")


class FunctionStatements:
    """Executes CREATE, ALTER and DROP FUNCTION; a result of None means that Spark has to execute the statement."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._functions = runtime.functions

    def create(self, node: st.CreateFunction, text: str) -> TableResult | None:
        """Create a function.

        Raises:
            FunctionAlreadyExistException: the function already exists.
            ValidationException: the function is invalid, or its code is not allowed.
        """
        path = _path_of(node)
        is_inlined = node.aggregate or node.options.get("inline", False)
        if node.code is None and not node.temporary and not is_inlined and self._is_in_spark(path):
            # Spark's catalog stores this function, so Spark itself checks it.
            if_not_exists, or_replace = node.if_not_exists, node.or_replace
            if self._functions.may_create(path, ignore_if_exists=if_not_exists, or_replace=or_replace):
                return None
            return TableResult.ok()
        function = _function(node, text)
        if node.temporary:
            self._create_temporary(node, path, function)
        else:
            self._functions.create_function(
                path, self._check(path, function), ignore_if_exists=node.if_not_exists, or_replace=node.or_replace
            )
        return TableResult.ok()

    def _create_temporary(self, node: st.CreateFunction, path: str, function: CatalogFunction) -> None:
        def make(identifier: FunctionIdentifier) -> FunctionDefinition:
            return self._load(identifier, function)

        if node.or_replace:
            drop = (
                self._functions.drop_temporary_system_function
                if node.system
                else self._functions.drop_temporary_function
            )
            # If the new function is invalid, raise an error before the old one is dropped.
            make(FunctionIdentifier(parse_path(path)))
            drop(path)
        create = (
            self._functions.create_temporary_system_function
            if node.system
            else self._functions.create_temporary_function
        )
        create(path, make, if_not_exists=node.if_not_exists)

    def _load(self, identifier: FunctionIdentifier, function: CatalogFunction) -> FunctionDefinition:
        if function.language is FunctionLanguage.SQL:
            around = self._runtime.lookup, self._runtime.tables, True
            stored = SqlFunction(function, identifier.name, *around).checked()
            return SqlFunction(stored, identifier.name, *around).definition(identifier)
        loaded = load(identifier, function, self._runtime.config.to_map(), self._runtime.permanent_lookup)
        picklable.require_picklable(loaded.name, getattr(loaded.user_code.implementation, "target", None))
        return loaded

    def _check(self, path: str, function: CatalogFunction) -> CatalogFunction:
        """Return a function in its stored form; as in Spark, an invalid SQL body is rejected now."""
        if function.language is not FunctionLanguage.SQL:
            return function
        identifier = self._runtime.manager.qualify(path)
        namespace = str(identifier.catalog), str(identifier.database)
        lookup = self._runtime.permanent_lookup.within(namespace)
        return SqlFunction(function, identifier.name, lookup, self._runtime.permanent_tables(namespace)).checked()

    def alter(self, node: st.AlterFunction, text: str) -> TableResult | None:
        """Change the code of a function.

        Raises:
            FunctionNotExistException: the function does not exist.
            ValidationException: the function is temporary, or the code is not in Python.
        """
        path = path_of(node.name)
        if node.temporary:
            raise ValidationException("A temporary function is not altered: drop it, and create another.")
        if node.code is None or node.options.get("language") != "PYTHON":
            raise ValidationException(
                f"ALTER FUNCTION gives other code in Python: ALTER FUNCTION {path} AS 'package.module.name' LANGUAGE "
                "PYTHON. A function of SQL is replaced by CREATE OR REPLACE FUNCTION."
            )
        if not is_import_path(node.code):
            raise ValidationException(f"{node.code!r} is no import path of Python, as in 'package.module.name'.")
        self._functions.alter_function(
            path, CatalogFunction(FunctionLanguage.PYTHON, node.code), if_exists=node.if_exists
        )
        return TableResult.ok()

    def drop(self, node: st.DropFunction, text: str) -> TableResult | None:
        """Drop a function.

        Raises:
            FunctionNotExistException: the function does not exist, and IF EXISTS is missing.
        """
        path = _path_of(node)
        if node.temporary:
            dropped = not node.system and self._functions.drop_temporary_function(path)
            if node.system or (not dropped and len(node.name.parts) > 1 and len(parse_path(path)) == 1):
                # In Spark, the session namespace also contains temporary system functions.
                dropped = self._functions.drop_temporary_system_function(path)
            if not dropped and not node.system and node.if_exists and self.spark_may_have(node):
                return None
            if not dropped and not node.if_exists:
                raise self._functions.missing_temporary(path, is_system=node.system)
            return TableResult.ok()
        if (
            self._functions.stored(path) is None
            and self._functions.temporary(path) is None
            and self._is_in_spark(path)
            and self._functions.is_listed(path)
        ):
            # A function in another language, which Spark drops.
            return None
        self._functions.drop_function(path, if_exists=node.if_exists)
        return TableResult.ok()

    def spark_may_have(self, node: st.DropFunction) -> bool:
        """Whether the dropped function may be a temporary function of the session from outside this library."""
        name = node.name.parts[-1]
        return (
            node.temporary
            and not node.system
            and self._runtime.started is not None
            and len(node.name.parts) == 1
            and BUILT_INS.find_in_sql(name) is None
            and not self._functions.is_temporary_system(name)
        )

    def _is_in_spark(self, path: str) -> bool:
        identifier = self._runtime.manager.qualify(path)
        return self._runtime.manager.catalog(str(identifier.catalog)).is_in_spark


def _path_of(node: st.CreateFunction | st.DropFunction) -> str:
    """Return the path of a function; Spark's session namespace means the current database."""
    name = name_in_session(node.name.parts) if node.temporary else None
    return path_of(node.name) if name is None else quote(name)


def _function(node: st.CreateFunction, text: str) -> CatalogFunction:
    try:
        return function_of(node, text)
    except Broken as error:
        raise ValidationException(str(error)) from None
