"""Names of built-in functions that mean something else to who reads the text: temporary system functions come first."""

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
    """What ``hiding`` returns; a context of a generator function takes several times as long."""

    __slots__ = ("_names", "_token")

    _token: Token[Container[str]]

    def __init__(self, names: Container[str]) -> None:
        self._names = names

    def __enter__(self) -> None:
        self._token = _hidden.set(self._names)

    def __exit__(self, *error: object) -> None:
        _hidden.reset(self._token)


def hiding(names: Container[str]) -> AbstractContextManager[None]:
    """Within the block, texts are written for readers to whom folded ``names`` mean other functions than built-in ones.

    Built-in functions that are called by these names get the one name that nothing hides, ``system.builtin.f``.
    """
    return _Hiding(names)


def is_hidden(name: str) -> bool:
    """Whether a name means something else than the built-in function of it to who reads what is written."""
    return fold(name) in _hidden.get()


def builtin_name(name: str, dialect: Dialect) -> str:
    """Return what a text calls the built-in function of a name.

    Raises:
        TableException: its name is hidden, and the dialect has no other.
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
