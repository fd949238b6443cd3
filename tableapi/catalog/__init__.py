"""Catalogs: where tables, views and functions have their names."""

from tableapi.catalog.catalog import Catalog, CatalogDatabase, CatalogTable, CatalogView
from tableapi.catalog.descriptor import CatalogDescriptor

__all__ = ["Catalog", "CatalogDatabase", "CatalogDescriptor", "CatalogTable", "CatalogView"]
