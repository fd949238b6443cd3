"""Reads the files of a catalog that declare datasets of pipelines, such as ``streaming_tables/*.sql``.

Persistent views are in ``views/*.sql``, which directory catalogs read themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grammar.statement_words import statements_of
from ir.errors import SqlParserException, TableException
from ir.identifiers import fold, quote
from tableapi.project.configuration import ProjectError
from tableapi.project.declarations import Build, ViewDeclaration, ViewKind
from tableapi.project.findings import Finding
from tableapi.project.pipelines.statements import DatasetKind, Definition, read_statement

if TYPE_CHECKING:
    from tableapi.environment.table_environment import TableEnvironment
    from tableapi.table import Table

FOLDERS: Final[Mapping[str, tuple[ViewKind, DatasetKind]]] = {
    "materialized_views": (ViewKind.MATERIALIZED, DatasetKind.MATERIALIZED_VIEW),
    "streaming_tables": (ViewKind.STREAMING, DatasetKind.STREAMING_TABLE),
    "temporary_views": (ViewKind.TEMPORARY, DatasetKind.TEMPORARY_VIEW),
}


def read_view_files(catalog: Path) -> tuple[list[ViewDeclaration], list[Finding]]:
    """Return the views that files declare, and what is wrong with the files.

    Args:
        catalog: the folder of the project's catalog, with a folder for each database.
    """
    found, problems = [], []
    for folder, (kind, statement) in FOLDERS.items():
        for path in sorted(catalog.glob(f"*/{folder}/*.sql")):
            try:
                found.append(_read(path, kind, statement))
            except (OSError, UnicodeDecodeError, TableException) as error:
                problems.append(Finding(f"{path.parent.parent.name}.{path.stem}", str(error), str(path), 1))
    return found, problems


def _read(path: Path, kind: ViewKind, wanted: DatasetKind) -> ViewDeclaration:
    texts = statements_of(path.read_text("utf-8"))
    if len(texts) != 1:
        raise ProjectError(f"It holds {len(texts)} statements, and a file of {path.parent.name} holds one.")
    statement = read_statement(texts[0])
    if isinstance(statement, Definition) and (statement.kind is DatasetKind.FLOW or statement.query is None):
        what = " with AUTO CDC" if statement.changes else "" if statement.query else " without a query"
        raise ProjectError(
            f"It declares the {statement.kind.value} {statement.name.text}{what}, which no file of a catalog has. Put "
            "the file into the folder of the pipeline: `tableapi pipeline build` keeps files that it did not write."
        )
    if not isinstance(statement, Definition) or statement.kind is not wanted:
        raise ProjectError(f"It holds another statement than CREATE {wanted.value.upper()}.")
    database, name = path.parent.parent.name, statement.name.path[-1]
    if fold(name) != fold(path.stem):
        raise ProjectError(f"It is the file of {path.stem!r} and says {name!r}; rename one or the other.")
    if len(statement.name.path) > 1 and fold(statement.name.path[-2]) != fold(database):
        raise ProjectError(f"It is in the database {database!r} and says {statement.name.path[-2]!r}.")
    if statement.streams and kind is ViewKind.MATERIALIZED:
        raise ProjectError(
            f"It reads {statement.streams[0].text} as a stream: a {wanted.value} reads no stream. Declare a "
            "streaming table, in streaming_tables/."
        )
    if statement.clustered_by:
        raise ProjectError("It has CLUSTER BY, with which runs fail in Spark's session catalog. Use PARTITIONED BY.")
    path_text = f"{quote(database)}.{quote(name)}"
    return ViewDeclaration(
        path_text,
        _builder(str(statement.written), database, path),
        comment=statement.comment,
        column_comments={c.name.text: c.comment for c in statement.columns if c.comment is not None},
        properties=dict(statement.properties),
        file=str(path),
        line=texts[0].count("\n", 0, statement.name.position) + 1,
        kind=kind,
        partitioned_by=tuple(column.text for column in statement.partitioned_by),
        format=statement.format,
    )


def _builder(query: str, database: str, path: Path) -> Build:
    def build(environment: TableEnvironment) -> Table:
        before = environment.get_current_database()
        environment.use_database(database)
        try:
            return environment.sql_query(query)
        except TableException as error:
            # A check finds the place in a file by these words.
            raise SqlParserException(
                f"The view {database}.{path.stem} cannot be read as a query in {path}: {error}"
            ) from error
        finally:
            environment.use_database(before)

    return build
