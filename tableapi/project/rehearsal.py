"""Plans a change of a project without a target: as if the state before the change were deployed."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import attrs

from tableapi.catalog.catalog import CatalogTable
from tableapi.project.apply import apply_plan
from tableapi.project.configuration import Configuration, ProjectError, TargetSettings, read_configuration
from tableapi.project.deployment import Deployment
from tableapi.project.plan import Planner
from tableapi.project.project import Project
from tableapi.project.revisions import files_at
from tableapi.project.steps import Plan


def rehearse_since(root: Path, revision: str, target: str | None = None) -> Plan:
    """Return the plan of a project, as if its state at a revision of git were deployed.

    Args:
        root: the folder of the project.
        revision: a commit, branch or tag, such as ``origin/main``.
        target: a target whose version of Spark counts; None for the newest Spark.

    Raises:
        ProjectError: there is no such revision, or one of the two states has errors.
        ValidationException: the project has no such target.
    """
    with files_at(root, revision) as old:
        return rehearse(old, root, before=revision, target=target)


def rehearse(old: Path, new: Path, *, before: str = "the old state", target: str | None = None) -> Plan:
    """Return the plan of a changed project, for a catalog that has the tables of its files and the old views.

    Args:
        old: the folder of the project before the change.
        new: the folder of the project with the change.
        before: the name of the old state, for the plan and for messages.
        target: a target of both whose version of Spark counts; None for the newest Spark.

    Raises:
        ProjectError: one of the projects has errors, or their names differ.
        ValidationException: one of the projects has no such target.
    """
    configuration = read_configuration(new)
    first = read_configuration(old)
    if first.name != configuration.name:
        raise ProjectError(f"The project is called {configuration.name}, and {first.name} at {before}.")
    with tempfile.TemporaryDirectory() as scratch:
        files = Path(scratch)
        _copy_tables(first, files)
        try:
            planner = _planner(first, files, before, target)
            apply_plan(planner.plan(), planner, planner.deployment)
        except ProjectError as error:
            raise ProjectError(f"At {before}: {error}") from error
        stored = {key: view.schema for key, view in planner.deployment.views().items() if view.schema is not None}
        # The tables as they are now: views that were deployed read them with their new columns.
        for tables in files.glob("*/tables"):
            shutil.rmtree(tables)
        _copy_tables(configuration, files)
        planner = _planner(configuration, files, before, target)
        planner.deployment.stored_schemas = stored
        return planner.plan()


def _copy_tables(configuration: Configuration, files: Path) -> None:
    for database in configuration.catalog.glob("*/"):
        for kept in ("tables", "database.sql"):
            source, place = database / kept, files / database.name / kept
            if source.is_dir():
                shutil.copytree(source, place)
            elif source.is_file():
                place.parent.mkdir(exist_ok=True)
                shutil.copyfile(source, place)


def _planner(configuration: Configuration, files: Path, before: str, target: str | None) -> Planner:
    version = None if target is None else configuration.target(target).spark
    settings = TargetSettings(before, spark=version, directory=files)
    placed = attrs.evolve(configuration, targets={before: settings})
    project, deployment = Project(placed, before), Deployment.connect(placed, before)
    for view in project.views().values():
        # What a run of the pipeline makes is a table there.
        database, name = str(view.identifier.database), view.identifier.name
        if view.kind.is_table:
            deployment.catalog.create_database(database, if_not_exists=True)
            deployment.catalog.create_table(database, name, CatalogTable(view.view.schema), if_not_exists=True)
    return Planner(project, deployment)
