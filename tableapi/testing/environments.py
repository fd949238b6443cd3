"""The environments of the fixtures: over the project's catalog, or over the directory catalog that a test names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from tableapi.catalog.directory import DirectoryCatalog
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings
from tableapi.project.configuration import FILE_NAME, ProjectError
from tableapi.project.project import Project

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


def environment_without_spark(request: pytest.FixtureRequest) -> TableEnvironment:
    """Return a new environment over the directory catalog of a test, else over its project, else over nothing.

    Raises:
        pytest.UsageError: the folder of the directory catalog does not exist, or the marker or the project is invalid.
    """
    options = find_options(request)
    if options is None and has_project(request.config):
        project: Project = request.getfixturevalue("tableapi_project")
        return project.environment
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name(_MEMORY).build()
    return _with_catalog(TableEnvironment.create(settings), options)


def environment_with_spark(request: pytest.FixtureRequest, session: SparkSession) -> TableEnvironment:
    """Return a new environment over a session and the directory catalog of a test.

    Raises:
        pytest.UsageError: the folder of the directory catalog does not exist, or the marker is invalid.
    """
    return _with_catalog(TableEnvironment.create(spark=session), find_options(request))


def load_project(config: pytest.Config) -> Project:
    """Load the project beside the configuration file of pytest.

    Raises:
        pytest.UsageError: there is no project, its file is invalid, or a module with views cannot be imported.
    """
    try:
        project = Project.load(_root(config))
    except ProjectError as error:
        raise pytest.UsageError(str(error)) from None
    if project.problems:
        problems = "\n".join(f"{problem.place}: {problem.message}" for problem in project.problems)
        raise pytest.UsageError(f"The project {project.configuration.name} cannot be loaded:\n{problems}")
    return project


def has_project(config: pytest.Config) -> bool:
    """Whether there is a project file beside the configuration file of pytest."""
    return (_root(config) / FILE_NAME).is_file()


def find_options(request: pytest.FixtureRequest) -> CatalogOptions | None:
    """Return the directory catalog of a test: that of its marker, else that of the configuration, else None.

    Raises:
        pytest.UsageError: the marker has invalid arguments.
    """
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
    return CatalogOptions(_root(request.config) / folder, name, database)


def _root(config: pytest.Config) -> Path:
    return config.rootpath if config.inipath is None else config.inipath.parent


def _with_catalog(environment: TableEnvironment, options: CatalogOptions | None) -> TableEnvironment:
    if options is not None:
        if not options.folder.is_dir():
            raise pytest.UsageError(f"The folder {options.folder} of tableapi_catalog does not exist.")
        environment.register_catalog(options.name, DirectoryCatalog(options.name, options.folder, options.database))
        environment.use_catalog(options.name)
    return environment
