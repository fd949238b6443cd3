"""Tables in namespaces of several parts, and the tables of metadata inside other tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import attrs

from ir.errors import (
    CatalogNotExistException,
    TableException,
    TableNotExistException,
    ValidationException,
    did_you_mean,
    listing,
)
from ir.identifiers import ObjectIdentifier, parse_long_path, path_text
from tableapi.catalog.catalog import Catalog, CatalogTable, CatalogView, StoredView, Witness
from tableapi.catalog.metadata_tables import METADATA_TABLES, metadata_schema

if TYPE_CHECKING:
    from tableapi.catalog.declared_tables import DeclaredTables


class Catalogs(Protocol):
    """The catalogs of an environment, as far as nested tables need them."""

    @property
    def declared(self) -> DeclaredTables:
        """The tables that are declared for catalogs of Spark."""

    def opened(self, name: str) -> Catalog | None:
        """Return a catalog if it is open."""

    def catalog(self, name: str) -> Catalog:
        """Return a catalog; open it if it is not."""

    def list_catalogs(self) -> list[str]:
        """Return the names of the catalogs."""

    def stored(self, identifier: ObjectIdentifier) -> CatalogTable | CatalogView | StoredView:
        """Return a table or view as its catalog stores it."""


@attrs.frozen
class NestedTables:
    """The nested tables of one catalog, as what a view depends on."""

    catalog: Catalog

    def stored_table(self, database: str, name: str) -> CatalogTable:
        """Return a nested table; ``database`` is the path of its namespace."""
        return self.catalog.stored_nested_table(parse_long_path(database), name)


def find_nested_table(manager: Catalogs, identifier: ObjectIdentifier) -> CatalogTable:
    """Return a table of a namespace of several parts, or a table of metadata inside another table.

    The columns come from the session, or, while the catalog is not open, from the declaration of the table.

    Raises:
        TableNotExistException: the catalog has no such table; the message suggests the nearest name.
        CatalogNotExistException: the first part is neither a catalog nor a database of the current one.
        ValidationException: the catalog has no nested namespaces.
    """
    declared = manager.declared.find(identifier) or _find_declared_metadata(manager, identifier)
    if declared is not None and manager.opened(str(identifier.catalog)) is None:
        return declared
    catalog = manager.catalog(str(identifier.catalog))
    require_nested_namespaces(catalog, identifier)
    try:
        return catalog.stored_nested_table(_namespace(identifier), identifier.name)
    except TableNotExistException:
        if declared is not None:
            return declared
        raise _make_missing_error(manager, catalog, identifier) from None


def require_nested_namespaces(catalog: Catalog, identifier: ObjectIdentifier) -> None:
    """Reject a long path in a catalog that keeps tables in databases alone.

    Raises:
        ValidationException: the catalog has no nested namespaces.
    """
    if not catalog.has_nested_namespaces:
        shown = identifier.as_serializable_string()
        raise ValidationException(
            f"The path {shown} has {len(identifier.parts)} parts, and the catalog {catalog.name} keeps tables in "
            "databases alone. Accepted is [catalog.][database.]name."
        )


def make_witness(
    manager: Catalogs, identifier: ObjectIdentifier, found: CatalogTable | CatalogView | StoredView
) -> Witness:
    """Return a witness that tells later whether a nested table is still the same."""
    holder = NestedTables(manager.catalog(str(identifier.catalog)))
    return Witness(holder, path_text(_namespace(identifier)), identifier.name, found)


def _namespace(identifier: ObjectIdentifier) -> tuple[str, ...]:
    return (str(identifier.database), *identifier.inner)


def _table_around(identifier: ObjectIdentifier) -> ObjectIdentifier:
    """Return the name of the table that a table of metadata is about."""
    return ObjectIdentifier(identifier.inner[-1], identifier.database, identifier.catalog, identifier.inner[:-1])


def _find_declared_metadata(manager: Catalogs, identifier: ObjectIdentifier) -> CatalogTable | None:
    table = manager.declared.find(_table_around(identifier))
    schema = None if table is None else metadata_schema(identifier.name, table.schema)
    if table is not None and schema is None and manager.opened(str(identifier.catalog)) is None:
        raise TableNotExistException(_describe_missing_metadata(identifier))
    return None if schema is None else CatalogTable(schema)


def _describe_missing_metadata(identifier: ObjectIdentifier) -> str:
    around = _table_around(identifier).as_summary_string()
    return (
        f"The table {around} has no metadata table {identifier.name!r} whose columns are known without its session. "
        f"Known are [{listing(METADATA_TABLES)}], of which entries, partitions and position_deletes need the session."
        f"{did_you_mean(identifier.name, METADATA_TABLES)}"
    )


def _make_missing_error(manager: Catalogs, catalog: Catalog, identifier: ObjectIdentifier) -> TableException:
    database = str(identifier.database)
    shown = identifier.as_serializable_string()
    if not catalog.database_exists(database):
        names = [*manager.list_catalogs(), *catalog.list_databases()]
        return CatalogNotExistException(
            f"There is no catalog named {database!r}, and no database of the catalog {catalog.name} either, so that "
            f"{shown} was not found. The catalogs are [{listing(manager.list_catalogs())}]."
            + did_you_mean(database, names)
        )
    try:
        manager.stored(_table_around(identifier))
    except TableException:
        return TableNotExistException(f"Table {shown} was not found.")
    around = _table_around(identifier).as_summary_string()
    return TableNotExistException(
        f"The table {around} has no metadata table {identifier.name!r}."
        + did_you_mean(identifier.name, METADATA_TABLES)
        + " Iceberg's tables have them; for a Delta table, run DESCRIBE HISTORY."
    )
