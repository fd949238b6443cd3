"""Lazy loading: modules and names that are imported with their first use.

A module that few programs need is written at the top of the file that needs it, once for type checkers and once for
``lazy``::

    if TYPE_CHECKING:
        from ir.resolution import pivoting
    else:
        pivoting = lazy(__name__, "ir.resolution.pivoting")

and is used as any module is: ``pivoting.check_pivot(…)``. The names of a package that users import are loaded by
``names_on_request``. The decision record on lazy loading says why, and ``tests/house`` compares the two lists.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any


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


if TYPE_CHECKING:
    from tableapi import unknown_members
else:
    unknown_members = lazy(__name__, "tableapi.unknown_members")


def names_on_request(
    module: str,
    places: Mapping[str, str],
    modules: Collection[str] = (),
    refused: Callable[[str], Any] | None = None,
    members_of: type | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a module that has names of others (PEP 562).

    Args:
        module: the name of the module.
        places: the modules that have the names.
        modules: submodules of a package, which are found as its attributes without being imported before.
        refused: returns what stands for a name that only PyFlink has, None for any other.
        members_of: a class whose members an unknown name may mean.
    """

    def get(name: str) -> Any:
        if name in modules:
            return import_module(f"{module}.{name}")
        if name not in places:
            if refused is not None and not name.startswith("_") and (found := refused(name)) is not None:
                return found
            valid = getattr(sys.modules[module], "__all__", names())
            unknown_members.raise_no_name(module, name, valid, members_of)
        found = getattr(import_module(places[name]), name)
        setattr(sys.modules[module], name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[module]), *places, *modules})

    return get, names
