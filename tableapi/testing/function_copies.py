"""Make new instances of a function as a restart after a crash does: without what the old one has kept."""

from __future__ import annotations

import copy
from typing import Any

from ir.errors import ValidationException

_DATA = (bool, int, float, str, bytes, list, dict, set, tuple, type(None))


class FunctionCopies:
    """The function as it was declared, from which new instances are made after a crash."""

    def __init__(self, target: Any) -> None:
        self._target = target
        self._problem: str | None = None
        try:
            self._copy = copy.deepcopy(target)
        except Exception as error:  # attributes can be of any class
            self._problem = str(error)
        classes = [cls for cls in type(target).__mro__ if cls.__module__.split(".")[0] not in ("tableapi", "builtins")]
        self._classes = {cls: _data_of(cls) for cls in classes}

    def new_instance(self) -> Any:
        """Return a new instance, and reset the data of its classes.

        Raises:
            ValidationException: the instance cannot be copied.
        """
        if self._problem is not None:
            raise ValidationException(
                f"{self._target!r} cannot be copied for a restart: {self._problem}. Open what cannot be copied, "
                "such as a connection, in open()."
            )
        for cls, known in self._classes.items():
            for name in _data_of(cls):
                if name not in known:
                    delattr(cls, name)
            for name, value in known.items():
                setattr(cls, name, copy.deepcopy(value))
        return copy.deepcopy(self._copy)


def _data_of(cls: type) -> dict[str, Any]:
    """Return copies of the data that a class has as attributes."""
    return {
        name: copy.deepcopy(value)
        for name, value in vars(cls).items()
        if not name.startswith("__") and type(value) in _DATA
    }
