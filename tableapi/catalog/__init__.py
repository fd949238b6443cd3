"""Catalogs, which hold named tables, views and functions."""

from ir.light_typing import TYPE_CHECKING
from tableapi.lazy import lazy
from tableapi.unknown_members import names_on_request

if TYPE_CHECKING:
    from tableapi.advice import refusals as _refusals
    from tableapi.catalog.catalog import Catalog, CatalogDatabase, CatalogTable, CatalogView
    from tableapi.catalog.descriptor import CatalogDescriptor
    from tableapi.catalog.object_path import ObjectPath
else:
    _refusals = lazy(__name__, "tableapi.advice.refusals")

__all__ = ["Catalog", "CatalogDatabase", "CatalogDescriptor", "CatalogTable", "CatalogView", "ObjectPath"]


_PLACES = {
    "CatalogDescriptor": "tableapi.catalog.descriptor",
    "ObjectPath": "tableapi.catalog.object_path",
    **dict.fromkeys(("Catalog", "CatalogDatabase", "CatalogTable", "CatalogView"), "tableapi.catalog.catalog"),
}


def _load_refused(name: str) -> object:
    """Return a class that raises on use for the name of an unsupported PyFlink class; None for any other name."""
    return _refusals.make_refused_class(name) if name in _refusals.REFUSED["tableapi"] else None


__getattr__, __dir__ = names_on_request(__name__, _PLACES, refused=_load_refused)
