"""Load stored functions: build the definition that queries call from the entry of a catalog.

Importing a module runs its code, and anybody who can write to a catalog could thus run any code. So only packages that
the configuration of the environment allows are imported.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from grammar.builder.context import FindTable, raise_without_tables
from ir.errors import TableException, ValidationException
from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier
from ir.operations.operation import QueryOperation
from ir.resolution.lookup import FunctionLookup
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage, is_import_path
from tableapi.lazy import lazy
from tableapi.user_functions.sql_function import CALLS_ITSELF, SqlFunction

if TYPE_CHECKING:
    from tableapi.user_functions import wrapper
else:
    wrapper = lazy(__name__, "tableapi.user_functions.wrapper")

ALLOWED_PACKAGES = "python.functions.packages"
"""The configuration key with the packages that may be imported, separated by commas."""


_being_loaded: ContextVar[frozenset[FunctionIdentifier]] = ContextVar("_being_loaded", default=frozenset())


def load(
    identifier: FunctionIdentifier,
    function: CatalogFunction,
    configuration: Mapping[str, str],
    find_functions: FunctionLookup,
    find_table: FindTable = raise_without_tables,
    require_programs: Callable[[QueryOperation | ResolvedExpression], None] | None = None,
) -> FunctionDefinition:
    """Return the definition of a stored function; a Python function is imported if its package is allowed.

    Args:
        identifier: the name of the function.
        function: the stored function.
        configuration: the configuration, which lists the allowed packages.
        find_functions: finds the functions that the body of a SQL function calls.
        find_table: finds the tables that the body of a SQL function reads.
        require_programs: checks that a body runs no code that is not allowed.

    Raises:
        ValidationException: the package is not allowed, does not have the function, or its code fails.
    """
    if function.language is FunctionLanguage.SQL:
        above = _being_loaded.get()
        if identifier in above:
            raise ValidationException(CALLS_ITSELF)
        # The definition includes the defaults of parameters, which may call other functions.
        token = _being_loaded.set(above | {identifier})
        try:
            made = SqlFunction(function, identifier.name, find_functions, find_table, require_programs=require_programs)
            return made.definition(identifier)
        finally:
            _being_loaded.reset(token)
    shown = identifier.as_summary_string()
    if not is_import_path(function.body):
        # Anybody may have written the entry of Spark's catalog.
        raise ValidationException(f"The function {shown} is stored as {function.body!r}, which is no import path.")
    require_allowed(shown, function.body, configuration)
    try:
        return wrapper.wrapper_of(import_object(function.body)).function.definition(identifier)
    except TableException as error:
        raise ValidationException(f"The function {shown} cannot be used: {error}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # user code may raise anything, and may try to end the process
        raise ValidationException(
            f"The function {shown} cannot be used: its code {function.body} fails when it is looked at. "
            f"{_describe_error(error)}"
        ) from error


def _describe_error(error: BaseException) -> str:
    """Return the message of an error, and the line that failed."""
    told = "".join(traceback.format_exception_only(error)).strip()
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    # A syntax error shows its line itself, and no Python code of the module has run.
    if isinstance(error, SyntaxError) or not frames:
        return told
    return f'{told}, in "{frames[-1].filename}", line {frames[-1].lineno}'


def require_allowed(shown: str, path: str, configuration: Mapping[str, str]) -> None:
    """Check that the configuration allows an import.

    Raises:
        ValidationException: the package of ``path`` is not allowed; the message says how to allow it.
    """
    listed = configuration.get(ALLOWED_PACKAGES, "")
    allowed = [package.strip() for package in listed.split(",") if package.strip()]
    if not any(path == package or path.startswith(package + ".") for package in allowed):
        package = path.partition(".")[0]
        raise ValidationException(
            f"The function {shown} is stored as the Python code {path!r}, and to use it is to run that code. Its "
            f"package is not allowed: allowed are [{', '.join(allowed)}]. If you trust it, allow it with "
            f"env.get_config().set({ALLOWED_PACKAGES!r}, {', '.join([*allowed, package])!r})."
        )


def import_object(path: str) -> Any:
    """Return the object at an import path ``package.module.name``.

    Raises:
        ValidationException: the object does not exist; the message says which part is missing.
    """
    module_name, _, name = path.rpartition(".")
    if not module_name:
        raise ValidationException(f"{path!r} is no import path: it names a module and in it a function, as in 'a.b.f'.")
    try:
        # The file may have been written since Python last listed its folder.
        importlib.invalidate_caches()
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise ValidationException(f"The module {module_name!r} cannot be imported: {error}.") from None
    if not hasattr(module, name):
        raise ValidationException(f"The module {module_name!r} has nothing named {name!r}.")
    return getattr(module, name)


def import_path_of(given: Any) -> str:
    """Return the import path under which another process finds a function.

    Raises:
        ValidationException: another process would not find the function.
    """
    target = given.func if isinstance(given, wrapper.UserDefinedFunctionWrapper) else given
    named = target if hasattr(target, "__qualname__") else type(target)
    path = f"{named.__module__}.{_name_in_module(given, named)}"
    if named.__module__ == "__main__" or "<" in path:
        raise ValidationException(
            f"The function {path} cannot be stored: another process would not find it. Put it into a module, at the "
            "top level, and store it by its import path; or create a temporary function."
        )
    found = import_object(path)
    if found is not given and found is not target:
        raise ValidationException(
            f"{path} is not the function that was given, but {found!r}; what is stored is found again by that path."
        )
    return path


def _name_in_module(given: Any, named: Any) -> str:
    """Return the name of a function in its module: a variable that holds it, or else its own name."""
    module = sys.modules.get(named.__module__)
    names = [name for name, value in vars(module).items() if value is given] if module is not None else []
    own: str = named.__qualname__
    return own if own in names or not names else names[0]
