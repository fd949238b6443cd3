"""Lazy loading: modules that are imported on first use.

A rarely needed module is imported at the top of the file twice, once for type checkers and once with ``lazy``::

    if TYPE_CHECKING:
        from ir.resolution import pivoting
    else:
        pivoting = lazy(__name__, "ir.resolution.pivoting")

Use it like any other module: ``pivoting.check_pivot(…)``. ``tableapi.unknown_members`` loads the names of a package
that users import. The decision record on lazy loading has the reasons, and a test in ``tests/house`` compares the two
lists.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # a constant that type checkers know; typing takes long to load
if TYPE_CHECKING:
    from typing import Any


def load(module: str) -> Any:
    """Import a module and return it, as ``importlib.import_module`` does; importlib takes longer to load than most.

    Args:
        module: the full name of the module.
    """
    __import__(module)
    return sys.modules[module]


def lazy(importer: str, module: str) -> Any:
    """Return a module that is imported when one of its attributes is first read.

    Args:
        importer: the importing module, ``__name__``.
        module: the full name of the imported module.
    """
    return _LazyModule(importer, module)


class _LazyModule:
    """A placeholder for a module in another module's globals, until its first attribute is read."""

    __slots__ = ("_importer", "_module")

    def __init__(self, importer: str, module: str) -> None:
        self._importer = importer
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            # Tools that search for documented functions read attributes such as ``__wrapped__`` of every global.
            raise AttributeError(name)
        module = load(self._module)
        # Replace the placeholder, so that the importer reads the module directly from now on.
        namespace = vars(sys.modules[self._importer])
        for key, value in list(namespace.items()):
            if value is self:
                namespace[key] = module
        return getattr(module, name)

    def __repr__(self) -> str:
        return f"<lazy module {self._module!r}>"
