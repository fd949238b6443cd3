"""Environments over the catalog of a project or a target, under the name that the catalog has in Spark."""

from __future__ import annotations

from tableapi.catalog.catalog import Catalog
from tableapi.catalog.directory import DirectoryCatalog
from tableapi.environment.table_environment import TableEnvironment, parts_of
from tableapi.project.configuration import Configuration
from tableapi.user_functions.stored import ALLOWED_PACKAGES


def adopt_catalog(environment: TableEnvironment, catalog: Catalog) -> None:
    """Make a catalog the current one of an environment, also under the name of Spark's own catalog.

    Every environment knows Spark's own catalog by its name, which here is that of the given catalog.
    """
    manager, built_in = parts_of(environment).runtime.manager, environment.get_current_catalog()
    if manager.has_catalog(catalog.name):
        manager.reopen(catalog.name, lambda: catalog)
        manager.catalog(catalog.name)
    else:
        manager.register(catalog.name, catalog)
    environment.use_catalog(catalog.name)
    # A message that lists the catalogs lists those of the project alone.
    manager.unregister(built_in)


def register_read_catalogs(environment: TableEnvironment, configuration: Configuration) -> None:
    """Register the other catalogs of a project, with the tables that its files have."""
    for name, folder in configuration.catalogs.items():
        environment.register_catalog(name, DirectoryCatalog(name, folder))


def allow_packages(environment: TableEnvironment, configuration: Configuration) -> None:
    """Allow catalog functions with code from the modules of a project, which run anyway."""
    config = environment.get_config()
    given = config.to_map().get(ALLOWED_PACKAGES, "")
    packages = [package.strip() for package in given.split(",") if package.strip()]
    config.set(ALLOWED_PACKAGES, ", ".join(dict.fromkeys([*packages, *configuration.packages])))
