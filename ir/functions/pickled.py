"""User-defined functions in pickles: each is unique by key in a process, so that equal trees stay one tree."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

T = TypeVar("T")

_pickled: WeakValueDictionary[str, Any] = WeakValueDictionary()
_keys: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


def key_of(function: object) -> str:
    """Return the key of a function in this process and in its pickles."""
    key = _keys.setdefault(function, uuid.uuid4().hex)
    _pickled[key] = function
    return key


def find_or_make(key: str, make: Callable[[], T]) -> T:
    """Return the function with a key, which is made if this process has none."""
    found: T | None = _pickled.get(key)
    if found is None:
        found = _pickled[key] = make()
        _keys[found] = key
    return found
