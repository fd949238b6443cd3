"""Writes the views of a project as a Spark Declarative Pipeline: ``spark-pipeline.yml``, and a SQL file a dataset.

One Python file has the sinks, and the datasets whose queries call functions in Python.

`Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import attrs

from ir.errors import listing
from ir.identifiers import ObjectIdentifier, fold_path
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable
from ir.operations.source import Source, StreamRead
from ir.rendering import Quoting
from ir.rewriting import transform_operations
from ir.schema import ResolvedSchema
from serializer.quoting import quote_if_needed
from tableapi.catalog.file_names import file_name
from tableapi.catalog.functions import FunctionLanguage
from tableapi.catalog.relative_names import strip_catalog
from tableapi.catalog.statements import ViewDefinition, create_view, full_type, property_list, string, view_path
from tableapi.project.called_functions import python_functions
from tableapi.project.configuration import Configuration, ProjectError
from tableapi.project.declarations import ViewKind
from tableapi.project.function_plan import functions_called
from tableapi.project.pipelines.python_writing import PythonDataset, write_python
from tableapi.project.pipelines.specification import FILE_NAME, Specification
from tableapi.project.project import Project, ProjectView

TRANSFORMATIONS: Final = "transformations"
PYTHON_FILE: Final = f"{TRANSFORMATIONS}/python_datasets.py"
OLDEST: Final = (4, 1)
TIME_ZONE: Final = "spark.sql.session.timeZone"
_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")


@attrs.frozen
class Storage:
    """How the rows of a table of a pipeline are stored.

    Attributes:
        partitioned_by: the columns by whose values its files are divided.
        format: the format of its files; None for that of the session.
        kind: what stores them: a materialized view or a streaming table.
    """

    partitioned_by: tuple[str, ...] = ()
    format: str | None = None
    kind: ViewKind = ViewKind.MATERIALIZED


@attrs.frozen(eq=False)
class BuiltPipeline:
    """The files of a pipeline, and what its reader has to know.

    Attributes:
        files: the texts by the paths relative to the folder of the pipeline.
        datasets: the names of the datasets with their kinds, in the order of the files.
        functions: the functions of the catalog that the queries call, which a pipeline cannot create.
    """

    files: Mapping[str, str]
    datasets: tuple[tuple[str, ViewKind], ...]
    functions: tuple[str, ...]

    @property
    def recomputed(self) -> list[str]:
        """The names of the materialized views, all of whose rows each run computes anew."""
        return [name for name, kind in self.datasets if kind is ViewKind.MATERIALIZED]


def build_pipeline(project: Project, folder: Path | None = None) -> BuiltPipeline:
    """Return the pipeline of the views of a project, all of which can be built.

    Args:
        project: the project.
        folder: the folder of the pipeline; None for that of the project file.

    Raises:
        ProjectError: the project file has no storage, the target is older than pipelines, a persistent view calls a
            function in Python, or a process table function reads a stream.
    """
    configuration = project.configuration
    _require_target(project)
    views = sorted(project.views().values(), key=lambda view: (str(view.identifier.database), view.identifier.name))
    if not any(view.kind.has_database for view in views):
        raise ProjectError(
            f"The project {configuration.name} has no view and no materialized view, so that Spark would refuse its "
            "pipeline."
        )
    called = _list_sql_functions(project, views)
    renamed = {
        fold_path(view.identifier.parts): ObjectIdentifier(view.identifier.name)
        for view in views
        if not view.kind.has_database
    }
    files = {FILE_NAME: _specification(configuration).to_yaml()}
    in_python: list[PythonDataset] = []
    for view in views:
        query = _query(view, configuration, renamed, project.engine)
        if view.kind is ViewKind.SINK or python_functions(view.operation):
            in_python.append(_python_dataset(view, query))
            continue
        database, name = str(view.identifier.database), view.identifier.name
        # Without the line, which changes with other views.
        head = f"-- Written by tableapi pipeline build from {view.file}. Change it there.\n"
        files[f"{TRANSFORMATIONS}/{file_name(database)}/{file_name(name)}.sql"] = f"{head}{_statement(view, query)};\n"
    if in_python:
        place = (configuration.pipeline.folder if folder is None else folder) / PYTHON_FILE
        files[PYTHON_FILE] = write_python(in_python, _relative(configuration.root, place.parent))
    names = [(view.name if view.kind.has_database else view.identifier.name, view.kind) for view in views]
    return BuiltPipeline(files, tuple(names), tuple(called))


def _specification(configuration: Configuration) -> Specification:
    settings = configuration.pipeline
    if settings.storage is None:
        raise ProjectError(
            f"{configuration.root / 'tableapi.toml'}: [pipeline] needs storage, the folder in which Spark keeps "
            "checkpoints, such as storage = 's3a://bucket/shop' or storage = 'checkpoints'."
        )
    storage = settings.storage
    if not _URI.match(storage):
        # Spark takes no relative path.
        storage = (configuration.root / storage).absolute().as_uri()
    return Specification(
        configuration.root,
        FILE_NAME,
        settings.name or configuration.name,
        storage,
        configuration.catalog_name,
        configuration.database,
        {TIME_ZONE: configuration.time_zone, **settings.configuration},
        ((f"{TRANSFORMATIONS}/**", 0),),
    )


def _query(
    view: ProjectView,
    configuration: Configuration,
    renamed: Mapping[tuple[str, ...], ObjectIdentifier],
    engine: str | None,
) -> str:
    """Return the text of the query of a view, with the names that datasets have in a pipeline."""

    def change(current: QueryOperation) -> QueryOperation:
        if isinstance(current, Source):
            found = renamed.get(fold_path(current.identifier.parts))
            if found is None:
                return current
            # In a pipeline, a temporary view over a stream is read as one: STREAM v.
            return current.evolve(identifier=found, stream=None if current.stream is None else StreamRead())
        return current

    # Temporary views have a name alone, and all other names their databases, so that no temporary view hides them.
    operation = transform_operations(view.operation, change, lambda expression: expression)
    return strip_catalog(operation, configuration.catalog_name).as_serializable_string(
        layout="MERGED", quoting=Quoting.NEEDED, target=engine
    )


def _python_dataset(view: ProjectView, query: str) -> PythonDataset:
    declaration = view.declaration
    assert declaration is not None
    path = (str(view.identifier.database), view.identifier.name)
    return PythonDataset(
        view.kind,
        path if view.kind.has_database else path[1:],
        query,
        view.file,
        bool(python_functions(view.operation)),
        view.view.schema,
        view.view.comment,
        dict(view.view.properties),
        declaration.partitioned_by,
        declaration.format,
        declaration.options,
    )


def _relative(root: Path, folder: Path) -> str:
    """Return the path from a folder to the project; an absolute one on another drive."""
    try:
        return Path(os.path.relpath(root.resolve(), folder.resolve())).as_posix()
    except ValueError:
        return root.resolve().as_posix()


def _statement(view: ProjectView, query: str) -> str:
    path = (str(view.identifier.database), view.identifier.name)
    schema = view.view.schema
    if view.kind is ViewKind.TEMPORARY:
        comment = [] if view.view.comment is None else [f"COMMENT {string(view.view.comment)}"]
        return "\n".join([f"CREATE TEMPORARY VIEW {view_path(path[1])}", *comment, "AS", query])
    if view.kind is ViewKind.PERSISTENT:
        columns = tuple([(column.name, column.comment) for column in schema.columns])
        definition = ViewDefinition(query, columns, view.view.comment, dict(view.view.properties))
        return create_view(view_path(*path), definition)
    declaration = view.declaration
    assert declaration is not None
    storage = Storage(declaration.partitioned_by, declaration.format, view.kind)
    properties = dict(view.view.properties)
    return create_table(path, schema, storage, view.view.comment, properties, query)


def create_table(
    path: tuple[str, ...],
    schema: ResolvedSchema,
    storage: Storage,
    comment: str | None,
    properties: Mapping[str, str],
    query: str,
) -> str:
    """Return a CREATE MATERIALIZED VIEW or CREATE STREAMING TABLE statement.

    Args:
        path: the parts of the name.
        schema: the columns, with their comments.
        storage: how its rows are stored.
        comment: the comment.
        properties: the properties.
        query: the text of the query.
    """
    lines = [f"CREATE {storage.kind.value.upper()} {view_path(*path)}{_columns(schema)}"]
    lines += [] if storage.format is None else [f"USING {storage.format}"]
    if storage.partitioned_by:
        lines.append(f"PARTITIONED BY ({', '.join(map(quote_if_needed, storage.partitioned_by))})")
    lines += [] if comment is None else [f"COMMENT {string(comment)}"]
    if properties:
        lines.append(f"TBLPROPERTIES {property_list(properties)}")
    return "\n".join([*lines, "AS", query])


def _columns(schema: ResolvedSchema) -> str:
    """Return the list of columns of a table: with comments, Spark wants the types, too."""
    if all(column.comment is None for column in schema.columns):
        return ""
    lines = []
    for column in schema.columns:
        comment = "" if column.comment is None else f" COMMENT {string(column.comment)}"
        lines.append(f"  {quote_if_needed(column.name)} {full_type(column.data_type.as_nullable())}{comment}")
    return " (\n" + ",\n".join(lines) + ")"


def _require_target(project: Project) -> None:
    engine = project.engine or ""
    version = re.fullmatch(r"spark-(\d+)\.(\d+)", engine)
    if version is not None and (int(version[1]), int(version[2])) < OLDEST:
        raise ProjectError(f"Spark has pipelines since version 4.1, and the target is {engine}.")


def _list_sql_functions(project: Project, views: list[ProjectView]) -> list[str]:
    """Return the names of the SQL functions of the catalog that views call.

    Raises:
        ProjectError: a persistent view calls a function in Python, or a process table function reads a stream.
    """
    stored = {fold_path(function.identifier.parts): function for function in project.functions()}
    found: dict[str, None] = {}
    problems = []
    for view in views:
        for path in sorted(functions_called(view.operation)):
            function = stored.get(path)
            if function is not None and function.function.language is not FunctionLanguage.PYTHON:
                found[function.name] = None
        names = listing(python_functions(view.operation))
        if names and view.kind is ViewKind.PERSISTENT:
            problems.append(
                f"  {view.file}: the persistent view {view.name} calls {names}, and Spark's catalog holds no function "
                "in Python. Make it a materialized or temporary view."
            )
        problems += [
            f"  {view.file}: {view.name} calls {call.function.sql_name} over a stream. A pipeline cannot run that: "
            "mapInArrow and transformWithState ask for the columns of their input, and Spark refuses this in a query "
            "function (ATTEMPT_ANALYSIS_IN_PIPELINE_QUERY_FUNCTION). Call it in a materialized view, over a streaming "
            "table that has the rows."
            for call in view.operation.walk_with_subqueries()
            if isinstance(call, ProcessTable) and call.is_unbounded
        ]
    if problems:
        raise ProjectError("The pipeline cannot be built. Nothing was written.\n" + "\n".join(problems))
    return list(found)
