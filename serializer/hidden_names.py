"""Qualifies built-in functions whose names are hidden by temporary system functions of the reader."""

from __future__ import annotations

from collections.abc import Container
from contextvars import ContextVar, Token

from ir.identifiers import fold
from ir.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from serializer.notation import Notation


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

    In Spark's SQL, a built-in function with a hidden name is written as ``system.builtin.f``, which nothing hides.
    """
    return _Hiding(names)


def is_hidden(name: str) -> bool:
    """Whether the reader resolves a name to another function than the built-in one."""
    return fold(name) in _hidden.get()


def builtin_name(name: str, notation: Notation) -> str:
    """Return the name of a built-in function in the text.

    Raises:
        TableException: the name is hidden, and the dialect has no qualified name.
    """
    if not is_hidden(name):
        return name
    return notation.qualify_hidden(name)
