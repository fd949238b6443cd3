"""The environment's methods for catalogs: register, choose and list."""

from __future__ import annotations

from typing import Any

from ir.errors import ValidationException
from tableapi.catalog.catalog import Catalog
from tableapi.catalog.descriptor import CatalogDescriptor, make_catalog
from tableapi.runtime import Runtime
from tableapi.tracebacks import boundaries


@boundaries
class EnvironmentCatalogs:
    """The methods of an environment for catalogs and databases."""

    _runtime: Runtime

    def list_views(self) -> list[str]:
        """Return the sorted names of the views of the current database and of the temporary views."""
        catalog = self._runtime.manager.catalog(self.get_current_catalog())
        return sorted({*catalog.list_views(self.get_current_database()), *self.list_temporary_views()})

    def list_tables(self) -> list[str]:
        """Return the sorted names of the tables and views of the current database, and of all temporary ones."""
        catalog = self._runtime.manager.catalog(self.get_current_catalog())
        return sorted({*catalog.list_tables(self.get_current_database()), *self.list_temporary_tables()})

    def list_temporary_views(self) -> list[str]:
        """Return the sorted names of the temporary views."""
        return sorted(view.name for view in self._runtime.manager.temporary_views() if view.files is None)

    def list_temporary_tables(self) -> list[str]:
        """Return the sorted names of the temporary tables and views."""
        return sorted(view.name for view in self._runtime.manager.temporary_views())

    def list_catalogs(self) -> list[str]:
        """Return the sorted names of the catalogs."""
        return self._runtime.manager.list_catalogs()

    def list_databases(self) -> list[str]:
        """Return the sorted names of the databases of the current catalog."""
        return self._runtime.manager.catalog(self.get_current_catalog()).list_databases()

    def create_catalog(self, catalog_name: str, catalog_descriptor: CatalogDescriptor) -> None:
        """Create a catalog from a descriptor and register it under a name.

        Args:
            catalog_name: the name of the catalog.
            catalog_descriptor: the type of the catalog, in memory or in a directory, and its options.

        Raises:
            CatalogException: the name already exists.
            TableException: the catalog type is unknown.
            ValidationException: an option is missing or unknown.

        >>> import tempfile
        >>> from tableapi import CatalogDescriptor, EnvironmentSettings, TableEnvironment
        >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        >>> te = TableEnvironment.create(settings)
        >>> options = {"type": "directory", "path": tempfile.mkdtemp()}
        >>> te.create_catalog("team", CatalogDescriptor.of("team", options))
        >>> te.use_catalog("team")
        >>> te.get_current_database()
        'default'
        """
        if not isinstance(catalog_descriptor, CatalogDescriptor):
            raise ValidationException(
                f"create_catalog takes a CatalogDescriptor, but was given {catalog_descriptor!r}. Make one with "
                "CatalogDescriptor.of(name, options), or give a Catalog to register_catalog."
            )
        manager = self._runtime.manager
        manager.refuse_taken(_name(catalog_name, "create_catalog"))
        manager.register(catalog_name, make_catalog(catalog_name, catalog_descriptor.get_configuration()))

    def register_catalog(self, catalog_name: str, catalog: Catalog) -> None:
        """Register a catalog under a name: an InMemoryCatalog, a DirectoryCatalog or a user-defined catalog.

        Raises:
            CatalogException: the name already exists.
            ValidationException: the name is not a string or is empty, or the catalog is not a Catalog.
        """
        if not isinstance(catalog, Catalog):
            raise ValidationException(
                f"register_catalog takes a Catalog, such as InMemoryCatalog({catalog_name!r}), but was given "
                f"{catalog!r}."
            )
        self._runtime.manager.register(_name(catalog_name, "register_catalog"), catalog)

    def get_catalog(self, catalog_name: str) -> Catalog:
        """Return a catalog by name.

        Raises:
            CatalogNotExistException: the catalog does not exist.
            ValidationException: the name is not a string.
        """
        return self._runtime.manager.catalog(_name(catalog_name, "get_catalog"))

    def get_current_catalog(self) -> str:
        """Return the name of the current catalog, which is the Spark session's unless the program chose one here."""
        return self._runtime.manager.current_catalog

    def use_catalog(self, catalog_name: str) -> None:
        """Set the current catalog and its default database in this environment; the Spark session's catalog stays.

        Raises:
            CatalogNotExistException: the catalog does not exist.
            ValidationException: the name is not a string.
        """
        self._runtime.manager.use_catalog(_name(catalog_name, "use_catalog"))

    def get_current_database(self) -> str:
        """Return the name of the current database, which is the Spark session's unless the program chose one here.

        Raises:
            ValidationException: the session's current namespace does not have exactly one part, so it is not a
                database.
        """
        return self._runtime.manager.current_database

    def use_database(self, database_name: str) -> None:
        """Set the current database within the current catalog; the Spark session's database stays.

        Raises:
            DatabaseNotExistException: the database does not exist in the catalog.
            ValidationException: the name is not a string.
        """
        self._runtime.manager.use_database(_name(database_name, "use_database"))


def _name(given: Any, method: str) -> str:
    if not isinstance(given, str) or not given:
        raise ValidationException(f"{method} takes a name, but was given {given!r}.")
    return given
