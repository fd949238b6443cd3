"""The methods of catalogs as PyFlink calls them: with a path for two names, and whether a missing object is ignored."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ir.errors import FunctionNotExistException, TableNotExistException

if TYPE_CHECKING:
    from tableapi.catalog.catalog import Catalog

Method = Callable[..., Any]


def accept_pyflink_calls(cls: type[Catalog]) -> None:
    """Have the methods that a class of catalogs defines accept PyFlink's arguments besides its own."""
    for name, method in list(vars(cls).items()):
        accept = _ACCEPTING.get(name)
        if accept is not None:
            setattr(cls, name, accept(method))


def _named_as(method: Method, called: Any) -> Method:
    """Give a method the name, the text and the signature of another: each catalog is a class with ten of them."""
    called.__name__, called.__qualname__, called.__doc__ = method.__name__, method.__qualname__, method.__doc__
    called.__module__, called.__wrapped__ = method.__module__, method
    return called  # type: ignore[no-any-return]  # it is the one that was given


def _of_path(method: Method) -> Method:
    """Accept a path for the names of a database and of an object in it."""

    def called(self: Any, database: Any, *arguments: Any, **named: Any) -> Any:
        # The class of paths is loaded by a program that has one.
        names = (database,) if isinstance(database, str) else (database.database_name, database.object_name)
        return method(self, *names, *arguments, **named)

    return _named_as(method, called)


def _dropping(method: Method) -> Method:
    """Accept a path, and after it whether an object that is missing is ignored."""

    def called(self: Any, database: Any, *arguments: Any, **named: Any) -> Any:
        if isinstance(database, str):
            return method(self, database, *arguments, **named)
        ignores = named.pop("ignore_if_not_exists", arguments[0] if arguments else False)
        try:
            return method(self, database.database_name, database.object_name, *arguments[1:], **named)
        except (TableNotExistException, FunctionNotExistException):
            if not ignores:
                raise

    return _named_as(method, called)


def _creating_database(method: Method) -> Method:
    """Accept a CatalogDatabase, and after it whether a database that exists is kept."""

    def called(self: Any, name: str, described: Any = None, ignore_if_exists: bool = False, **named: Any) -> Any:
        if described is not None:
            named = {"comment": described.comment, "properties": described.properties, **named}
        if ignore_if_exists:
            named["if_not_exists"] = True
        return method(self, name, **named)

    return _named_as(method, called)


def _dropping_database(method: Method) -> Method:
    """Accept whether a database that is missing is ignored, and whether its objects are dropped with it."""

    def called(self: Any, name: str, ignore_if_exists: bool = False, cascade: bool = False, **named: Any) -> Any:
        return method(self, name, **{"if_exists": ignore_if_exists, "cascade": cascade, **named})

    return _named_as(method, called)


_ACCEPTING: dict[str, Callable[[Method], Method]] = {
    **dict.fromkeys(("get_table", "create_table", "create_view", "get_function", "create_function"), _of_path),
    **dict.fromkeys(("drop_table", "drop_view", "drop_function"), _dropping),
    "create_database": _creating_database,
    "drop_database": _dropping_database,
}
