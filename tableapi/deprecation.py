"""Mark public functions and methods that a later version removes."""

from __future__ import annotations

import datetime as dt
import functools
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any, Final, TypeVar

from attrs import frozen

__all__ = ["Deprecation", "deprecated"]

_Function = TypeVar("_Function", bound=Callable[..., Any])
_ROOT: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PACKAGES: Final = tuple([os.path.join(_ROOT, name) + os.sep for name in ("tableapi", "ir", "serializer", "grammar")])


@frozen
class Deprecation:
    """When a name was deprecated, and what replaces it.

    Attributes:
        since: the version that deprecates it, such as ``0.2.0``.
        date: the day of that version.
        removed_in: the version that removes it.
        instead: what to use, as a phrase behind "Use".
    """

    since: str
    date: dt.date
    removed_in: str
    instead: str

    def message(self, name: str) -> str:
        """Return the sentences that a call shows."""
        return (
            f"{name} is deprecated since version {self.since} of {self.date.isoformat()}, and version "
            f"{self.removed_in} removes it. Use {self.instead}."
        )


def deprecated(*, since: str, date: str, removed_in: str, instead: str) -> Callable[[_Function], _Function]:
    """Deprecate a function or a method: each call warns on the line of the user, and the docstring says so.

    The attribute ``deprecation`` of the function has the facts, and ``__deprecated__`` the message, as in PEP 702.
    Below ``property``, it deprecates a property.

    Args:
        since: the version that deprecates it.
        date: the day of that version, as ``2027-01-31``.
        removed_in: the version that removes it; docs/stability.md says how much later it is.
        instead: what to use.

    Raises:
        ValueError: ``date`` is not a date.

    >>> import warnings
    >>> @deprecated(since="0.2.0", date="2027-01-31", removed_in="0.4.0", instead="new_name")
    ... def old_name() -> int:
    ...     return 1
    >>> with warnings.catch_warnings(record=True) as shown:
    ...     warnings.simplefilter("always")
    ...     old_name()
    1
    >>> print(shown[0].message)
    old_name is deprecated since version 0.2.0 of 2027-01-31, and version 0.4.0 removes it. Use new_name.
    """
    facts = Deprecation(since, dt.date.fromisoformat(date), removed_in, instead)

    def decorate(function: _Function) -> _Function:
        message = facts.message(function.__qualname__.rpartition("<locals>.")[2])

        @functools.wraps(function)
        def warn_and_call(*args: Any, **kwargs: Any) -> Any:
            warnings.warn(message, DeprecationWarning, stacklevel=_stack_level())
            return function(*args, **kwargs)

        warn_and_call.__doc__ = f"{function.__doc__ or ''}\n\n{message}".strip()
        warn_and_call.deprecation = facts  # type: ignore[attr-defined]  # what the list of public names reads
        warn_and_call.__deprecated__ = message  # type: ignore[attr-defined]  # PEP 702
        return warn_and_call  # type: ignore[return-value]

    return decorate


def _stack_level() -> int:
    """Return the level of the nearest frame outside the library, seen from the caller of this function."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGES):
        level, frame = level + 1, frame.f_back
    return level
