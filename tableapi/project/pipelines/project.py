"""The project in the Python file of a pipeline: its queries that call functions in Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ir.errors import ValidationException
from ir.identifiers import path_text, quote
from ir.operations.operation import QueryOperation
from ir.operations.source import Source, StreamRead
from ir.rewriting import transform_operations
from tableapi.catalog.relative_names import strip_catalog
from tableapi.lazy import lazy
from tableapi.project.declarations import ViewKind
from tableapi.project.project import Project
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from tableapi.spark import pipeline_frames
else:
    pipeline_frames = lazy(__name__, "tableapi.spark.pipeline_frames")


@boundaries
class PipelineProject:
    """The project of a pipeline, whose functions in Python the queries of the pipeline call.

    ``tableapi pipeline build`` writes a Python file that has it. The project is read without Spark when the file is
    imported. Its modules travel to the workers by value.
    `Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.

    Args:
        spark: the session of the pipeline.
        folder: the folder with ``tableapi.toml``.

    Raises:
        ProjectError: the folder has no project, or its project file is invalid.
    """

    def __init__(self, spark: SparkSession, folder: str | Path) -> None:
        self._project = Project.load(Path(folder).resolve())
        environment = self._environment = self._project.environment
        self._frames = pipeline_frames.PipelineFrames(spark, environment.get_config().to_map)
        for declaration in self._project.catalog.declarations:
            if declaration.kind is ViewKind.TEMPORARY:
                # In a pipeline, a temporary view has no database.
                database, name = self._project.catalog.names_of(declaration)
                environment.create_temporary_view(quote(name), environment.from_path(path_text((database, name))))

    def query(self, text: str) -> DataFrame:
        """Return the rows of a query of the pipeline.

        Args:
            text: the query, as ``tableapi pipeline build`` writes it.

        Raises:
            SqlParserException: the text is not a query.
            ValidationException: the query reads what the project does not have.
            TableException: a function in Python is called where a pipeline cannot call it.
        """
        if not isinstance(text, str):
            raise ValidationException(f"query() takes the text of a query, but was given {text!r}.")
        operation = self._environment.sql_query(text).query_operation
        named = transform_operations(operation, _say_stream, lambda expression: expression)
        return self._frames.frame(strip_catalog(named, self._project.configuration.catalog_name))


def _say_stream(current: QueryOperation) -> QueryOperation:
    """Mark a temporary view over a stream as a stream, because a pipeline needs STREAM before its name."""
    if isinstance(current, Source) and current.identifier.is_temporary and current.stream is not None:
        return current.evolve(stream=StreamRead())
    return current
