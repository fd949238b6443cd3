"""Look at the catalogs once: facts found in a look are cached until it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ir.light_typing import Any


@contextmanager
def cache_reads() -> Iterator[None]:
    """Within the block, read each view once, and list each folder once.

    The cost of a chain of views is then linear in its length, however many other objects its folder contains.
    """
    if _found.get() is not None:
        yield
        return
    token = _found.set({})
    try:
        yield
    finally:
        _found.reset(token)


def find_cached_facts(owner: object) -> dict[Any, Any] | None:
    """Return the dictionary of facts that ``owner`` has found in the current look; None outside of a look."""
    found = _found.get()
    return None if found is None else found.setdefault(owner, {})


_found: ContextVar[dict[object, dict[Any, Any]] | None] = ContextVar("_found", default=None)
