"""Catalogs: where tables, views and functions have their names."""

from typing import TYPE_CHECKING

from tableapi._on_request import on_request
from tableapi.catalog.catalog import Catalog, CatalogDatabase, CatalogTable, CatalogView
from tableapi.catalog.descriptor import CatalogDescriptor

if TYPE_CHECKING:
    from tableapi.catalog.object_path import ObjectPath

__all__ = ["Catalog", "CatalogDatabase", "CatalogDescriptor", "CatalogTable", "CatalogView", "ObjectPath"]


def _refused(name: str) -> object:
    """Return the class of PyFlink that raises when it is used, None for any other name."""
    from tableapi.refusals import REFUSED, refused_class

    return refused_class(name) if name in REFUSED["tableapi"] else None


__getattr__, __dir__ = on_request(__name__, {"ObjectPath": "tableapi.catalog.object_path"}, refused=_refused)
