"""One look at the catalogs: what is found out in it is not asked again before it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


@contextmanager
def reading_once() -> Iterator[None]:
    """Within the block, each view is looked at once, and each folder listed once.

    A chain of views then costs as much as its length, whatever else their folder holds.
    """
    if _found.get() is not None:
        yield
        return
    token = _found.set({})
    try:
        yield
    finally:
        _found.reset(token)


def found_in_look(owner: object) -> dict[Any, Any] | None:
    """Return what ``owner`` has found out in this look, to which it may add, or None outside of any."""
    found = _found.get()
    return None if found is None else found.setdefault(owner, {})


_found: ContextVar[dict[object, dict[Any, Any]] | None] = ContextVar("_found", default=None)
