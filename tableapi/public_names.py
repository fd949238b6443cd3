"""Names that users import from a module, each loaded when it is first asked for (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tableapi.lazy import lazy

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
