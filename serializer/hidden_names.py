"""Qualifies built-in functions whose names are hidden by temporary system functions of the reader."""

from __future__ import annotations

from collections.abc import Container
from contextlib import AbstractContextManager
from contextvars import ContextVar, Token

from ir.errors import TableException
from ir.identifiers import fold, quote
from ir.rendering import Dialect


class _Everything:
    def __contains__(self, name: object) -> bool:
        return True


EVERY_NAME: Container[str] = _Everything()
_hidden: ContextVar[Container[str]] = ContextVar("_hidden", default=())


class _Hiding:
    """The context manager of ``hiding``; one from a generator function takes several times as long."""

    __slots__ = ("_names", "_token")

    _token: Token[Container[str]]

    def __init__(self, names: Container[str]) -> None:
        self._names = names

    def __enter__(self) -> None:
        self._token = _hidden.set(self._names)

    def __exit__(self, *error: object) -> None:
        _hidden.reset(self._token)


def hiding(names: Container[str]) -> AbstractContextManager[None]:
    """Within the block, write for a reader to whom the folded ``names`` do not denote built-in functions.

    A built-in function with a hidden name is written as ``system.builtin.f``, which nothing hides.
    """
    return _Hiding(names)


def is_hidden(name: str) -> bool:
    """Whether the reader resolves a name to another function than the built-in one."""
    return fold(name) in _hidden.get()


def builtin_name(name: str, dialect: Dialect) -> str:
    """Return the name of a built-in function in the text.

    Raises:
        TableException: the name is hidden, and the dialect has no qualified name.
    """
    if not is_hidden(name):
        return name
    if dialect is Dialect.FLINK:
        raise TableException(
            f"The query calls the built-in function {name}, but the temporary system function of that name comes "
            "before it, and Flink's SQL has no other name for the built-in. Give the temporary function another name, "
            "or drop it with drop_temporary_system_function before the text is written."
        )
    return f"`system`.`builtin`.{quote(name)}"
