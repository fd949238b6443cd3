"""SQL statements that create tables in Spark's catalog."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ir.errors import TableException
from ir.identifiers import ObjectIdentifier, quote
from ir.schema import Column
from tableapi.catalog.statements import string
from tableapi.declarations.file_tables import FileTable
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def create_table(path: str, files: FileTable) -> str:
    """Return the CREATE TABLE statement of a table of files; ``path`` is its full name as SQL."""
    assert files.schema is not None
    columns = ",\n".join(f"  {_column(column)}" for column in files.schema.columns)
    return "\n".join([f"CREATE TABLE {path} (", columns + ")", *_clauses(files)])


def create_table_as(path: str, files: FileTable, *, or_replace: bool = False) -> str:
    """Return the text before the query in the CREATE TABLE … AS statement of a table of files."""
    verb = "CREATE OR REPLACE TABLE" if or_replace else "CREATE TABLE"
    return "\n".join([f"{verb} {path}", *_clauses(files), "AS\n"])


def remove_empty_directory(session: SparkSession, database: str, name: str) -> None:
    """Remove the empty directory that a failed CREATE TABLE AS leaves in the warehouse, where it blocks the name.

    A directory with files stays. With Spark Connect, this process has no access to the warehouse.
    """
    if is_connect(session):
        return
    jvm: Any = session._jvm
    state = session._jsparkSession.sessionState()
    table, catalog = (
        jvm.org.apache.spark.sql.catalyst.TableIdentifier(name, jvm.scala.Option.apply(database)),
        state.catalog(),
    )
    if not catalog.databaseExists(database) or catalog.tableExists(table):
        return
    path = jvm.org.apache.hadoop.fs.Path(catalog.defaultTablePath(table))
    files = path.getFileSystem(state.newHadoopConf())
    if files.exists(path) and _is_empty(files, path):
        files.delete(path, True)


def _is_empty(files: Any, directory: Any) -> bool:
    """Whether a directory has nothing but what a task left that ended after its failed job was cleaned up."""
    return all(status.getPath().getName() == "_temporary" for status in files.listStatus(directory))


@contextlib.contextmanager
def drop_table_of_failure(session: SparkSession, table: ObjectIdentifier | None, *, is_sail: bool) -> Iterator[None]:
    """Return a context that drops the new table of a failing CREATE TABLE AS.

    Spark creates a table after its rows, or drops it by itself. Sail's catalog keeps a table that nothing can read.
    """
    path = None if table is None else table.as_serializable_string()
    if path is None or not is_sail or session.catalog.tableExists(path):
        yield
        return
    try:
        yield
    except TableException:
        session.sql(f"DROP TABLE IF EXISTS {path}")
        raise


@contextlib.contextmanager
def remove_files_of_failure(session: SparkSession, path: str | None) -> Iterator[None]:
    """Return a context that removes what a failing writer leaves in a directory that was missing or empty before.

    Directories above it that the writer made are removed, too, if they are empty. With Spark Connect, this process has
    no access to the directory.
    """
    if path is None or is_connect(session):
        yield
        return
    jvm: Any = session._jvm
    directory = jvm.org.apache.hadoop.fs.Path(path)
    files = directory.getFileSystem(session._jsparkSession.sessionState().newHadoopConf())
    existed = files.exists(directory)
    was_empty = not existed or _is_empty(files, directory)
    above = []
    parent = directory.getParent()
    while not existed and parent is not None and not files.exists(parent):
        above.append(parent)
        parent = parent.getParent()
    try:
        yield
    except BaseException:
        if was_empty:
            left = [directory] if not existed else [status.getPath() for status in files.listStatus(directory)]
            for one in left:
                files.delete(one, True)
        for one in above:
            if files.exists(one) and len(files.listStatus(one)) == 0:
                files.delete(one, False)
        raise


def _clauses(files: FileTable) -> list[str]:
    lines = [f"USING {files.format}"]
    if files.options:
        options = ", ".join(f"{string(key)} = {string(value)}" for key, value in files.options.items())
        lines.append(f"OPTIONS ({options})")
    if files.partition_keys:
        lines.append(f"PARTITIONED BY ({', '.join(map(quote, files.partition_keys))})")
    if files.path is not None:
        lines.append(f"LOCATION {string(files.path)}")
    if files.comment is not None:
        lines.append(f"COMMENT {string(files.comment)}")
    return lines


def _column(column: Column) -> str:
    not_null = "" if column.data_type.nullable else " NOT NULL"
    comment = "" if column.comment is None else f" COMMENT {string(column.comment)}"
    return f"{quote(column.name)} {column.data_type.as_serializable_string()}{not_null}{comment}"
