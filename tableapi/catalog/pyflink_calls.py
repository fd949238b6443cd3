"""Accept PyFlink's arguments of catalog methods: a path for two names, and flags to ignore missing objects."""

from __future__ import annotations

from collections.abc import Callable

from ir.errors import FunctionNotExistException, TableNotExistException
from ir.light_typing import Any

Method = Callable[..., Any]


def accept_pyflink_calls(cls: type) -> None:
    """Wrap the methods of a catalog class so that they also accept PyFlink's arguments."""
    for name, method in list(vars(cls).items()):
        accept = _ACCEPTING.get(name)
        if accept is not None:
            setattr(cls, name, accept(method))


def _copy_signature(method: Method, called: Any) -> Method:
    """Copy name, docstring and signature of a method to its wrapper, cheaply: each catalog class has ten wrappers."""
    called.__name__, called.__qualname__, called.__doc__ = method.__name__, method.__qualname__, method.__doc__
    called.__module__, called.__wrapped__ = method.__module__, method
    return called  # type: ignore[no-any-return]  # the argument is returned


def _accept_path(method: Method) -> Method:
    """Accept a path instead of the names of a database and an object."""

    def called(self: Any, database: Any, *arguments: Any, **named: Any) -> Any:
        # The class ObjectPath is loaded only by programs that use it.
        names = (database,) if isinstance(database, str) else (database.database_name, database.object_name)
        return method(self, *names, *arguments, **named)

    return _copy_signature(method, called)


def _dropping(method: Method) -> Method:
    """Accept a path, and a flag to ignore a missing object."""

    def called(self: Any, database: Any, *arguments: Any, **named: Any) -> Any:
        if isinstance(database, str):
            return method(self, database, *arguments, **named)
        ignores = named.pop("ignore_if_not_exists", arguments[0] if arguments else False)
        try:
            return method(self, database.database_name, database.object_name, *arguments[1:], **named)
        except (TableNotExistException, FunctionNotExistException):
            if not ignores:
                raise

    return _copy_signature(method, called)


def _creating_database(method: Method) -> Method:
    """Accept a CatalogDatabase, and a flag to keep an existing database."""

    def called(self: Any, name: str, described: Any = None, ignore_if_exists: bool = False, **named: Any) -> Any:
        if described is not None:
            named = {"comment": described.comment, "properties": described.properties, **named}
        if ignore_if_exists:
            named["if_not_exists"] = True
        return method(self, name, **named)

    return _copy_signature(method, called)


def _dropping_database(method: Method) -> Method:
    """Accept flags to ignore a missing database, and to drop its objects with it."""

    def called(self: Any, name: str, ignore_if_exists: bool = False, cascade: bool = False, **named: Any) -> Any:
        return method(self, name, **{"if_exists": ignore_if_exists, "cascade": cascade, **named})

    return _copy_signature(method, called)


_ACCEPTING: dict[str, Callable[[Method], Method]] = {
    **dict.fromkeys(
        ("get_table", "create_table", "alter_table", "rename_table", "create_view", "get_function", "create_function"),
        _accept_path,
    ),
    **dict.fromkeys(("drop_table", "drop_view", "drop_function"), _dropping),
    "create_database": _creating_database,
    "drop_database": _dropping_database,
}
