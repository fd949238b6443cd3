"""Names of a module that are loaded when they are asked for (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def on_request(
    module: str,
    places: Mapping[str, str],
    modules: Collection[str] = (),
    refused: Callable[[str], Any] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a module that has names of others, the modules by the names.

    Of a package, ``modules`` are found as its attributes without being imported before. ``refused`` returns what stands
    for a name that only PyFlink has, None for any other.
    """

    def get(name: str) -> Any:
        if name in modules:
            return import_module(f"{module}.{name}")
        if name not in places:
            if refused is not None and not name.startswith("_") and (found := refused(name)) is not None:
                return found
            # Loaded here, since a package asks whether the others are its own before it uses one.
            from tableapi.unknown_members import raise_no_name

            raise_no_name(module, name, getattr(sys.modules[module], "__all__", names()))
        found = getattr(import_module(places[name]), name)
        setattr(sys.modules[module], name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[module]), *places, *modules})

    return get, names
