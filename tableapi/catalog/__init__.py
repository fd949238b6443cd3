"""Catalogs: where tables, views and functions have their names."""

from tableapi.catalog.catalog import Catalog, CatalogTable, CatalogView

__all__ = ["Catalog", "CatalogTable", "CatalogView"]
