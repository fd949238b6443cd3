"""Lazy loading: modules that are imported with their first use.

A module that few programs need is written at the top of the file that needs it, once for type checkers and once for
``lazy``::

    if TYPE_CHECKING:
        from ir.resolution import pivoting
    else:
        pivoting = lazy(__name__, "ir.resolution.pivoting")

and is used as any module is: ``pivoting.check_pivot(…)``. The names of a package that users import are loaded by
``tableapi.unknown_members``. The decision record on lazy loading says why, and a test in ``tests/house``
compares the two lists.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any


def lazy(importer: str, module: str) -> Any:
    """Return a module that is imported when one of its attributes is first read.

    Args:
        importer: the module that needs it, ``__name__``.
        module: its full name.
    """
    return _LazyModule(importer, module)


class _LazyModule:
    """Stands for a module in the globals of another one, until its first attribute is read."""

    __slots__ = ("_importer", "_module")

    def __init__(self, importer: str, module: str) -> None:
        self._importer = importer
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            # Tools that look for documented functions ask every global for attributes such as ``__wrapped__``.
            raise AttributeError(name)
        module = import_module(self._module)
        # From now on, the importer reads the module itself.
        namespace = vars(sys.modules[self._importer])
        for key, value in list(namespace.items()):
            if value is self:
                namespace[key] = module
        return getattr(module, name)

    def __repr__(self) -> str:
        return f"<lazy module {self._module!r}>"
