"""The environments of the fixtures: over the directory catalog that the configuration or a marker names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from tableapi.catalog.directory import DirectoryCatalog
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MARKER = "tableapi_catalog"
_MEMORY = "memory"


@attrs.frozen
class CatalogOptions:
    """A directory catalog of a test: its folder, its name, and the database of names without one."""

    folder: Path
    name: str = "main"
    database: str = "default"


def environment_of_test(request: pytest.FixtureRequest, session: SparkSession | None = None) -> TableEnvironment:
    """Return a new environment for a test.

    Args:
        request: the request of the fixture.
        session: the Spark session that runs queries, None for an environment without Spark.

    Raises:
        pytest.UsageError: the folder of the directory catalog does not exist, or the marker is invalid.
    """
    if session is None:
        settings = EnvironmentSettings.new_instance().with_built_in_catalog_name(_MEMORY).build()
        environment = TableEnvironment.create(settings)
    else:
        environment = TableEnvironment.create(spark=session)
    options = find_options(request)
    if options is not None:
        if not options.folder.is_dir():
            raise pytest.UsageError(f"The folder {options.folder} of tableapi_catalog does not exist.")
        catalog = DirectoryCatalog(options.name, options.folder, options.database)
        environment.register_catalog(options.name, catalog)
        environment.use_catalog(options.name)
    return environment


def find_options(request: pytest.FixtureRequest) -> CatalogOptions | None:
    """Return the directory catalog of a test: that of its marker, else that of the configuration, else None.

    Raises:
        pytest.UsageError: the marker has invalid arguments.
    """
    root = request.config.inipath.parent if request.config.inipath is not None else request.config.rootpath
    marker = request.node.get_closest_marker(MARKER)
    if marker is not None:
        try:
            given = CatalogOptions(*marker.args, **marker.kwargs)
        except TypeError as error:
            raise pytest.UsageError(f"@pytest.mark.{MARKER} takes a folder, a name and a database: {error}") from None
        return attrs.evolve(given, folder=request.path.parent / given.folder)
    folder = request.config.getini("tableapi_catalog")
    if not folder:
        return None
    name, database = request.config.getini("tableapi_catalog_name"), request.config.getini("tableapi_database")
    return CatalogOptions(root / folder, name, database)
