"""Run inserts: Spark's analyzer checks each of them first, and a failed overwrite keeps the old rows."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import attrs

from ir.errors import TableException
from ir.identifiers import ObjectIdentifier, fold, quote
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from tableapi.catalog.statements import string
from tableapi.declarations.sinks import Insert, build_not_null_messages
from tableapi.spark.errors import readable_errors
from tableapi.spark.files import write_files
from tableapi.spark.streaming.checkpoints import require_visible
from tableapi.spark.streaming.sinks import locate_table
from tableapi.spark.violating_rows import explain_violation
from tableapi.spark.written_rows import count_observed, observe_rows

if TYPE_CHECKING:
    from tableapi.spark.execution import SparkExecution


def check(execution: SparkExecution, insert: Insert) -> None:
    """Check that Spark can run an insert, without running it.

    Raises:
        TableException: Spark rejects the insert; the message gives the reason.
    """
    _refuse_in_sail(execution, insert)
    plan(execution, insert, "FORMATTED")
    _require_visible(execution, insert)


def _refuse_in_sail(execution: SparkExecution, insert: Insert) -> None:
    """Reject an overwrite of some partitions, in place of which Sail replaces all rows, or fails."""
    if execution.versions.sail is None or insert.sink.identifier is None or not insert.overwrite:
        return
    if insert.is_dynamic or insert.partition:
        raise TableException(
            f"Sail replaces all rows of {insert.sink.name}, and this overwrite would replace only those of partitions. "
            "Delete these first, and insert the others then: DELETE FROM … WHERE …; or replace all rows by "
            "execute_sql('INSERT OVERWRITE … SELECT …').",
            condition="UNSUPPORTED_FEATURE.TABLE_OPERATION",
        )


def _form_to_run(execution: SparkExecution, insert: Insert) -> tuple[str, QueryOperation]:
    """Return the statement before the query of an insert into a table that Spark has, and the query.

    Sail has no PARTITION, and its formats need all columns, which the query then supplies.
    """
    is_partial = bool(insert.partition) or insert.columns is not None
    given = {fold(column) for column in (*insert.given_columns, *insert.partition)}
    if execution.versions.sail is None or not is_partial or insert.sink.rules.filled - given:
        return insert.statement, insert.query
    whole = attrs.evolve(insert, partition={}, columns=None)
    return whole.statement, insert.rows


def _require_visible(execution: SparkExecution, insert: Insert) -> None:
    """Reject rows that readers would ignore, because the directory belongs to a streaming query."""
    sink = insert.sink
    if execution.is_connect or (insert.overwrite and not insert.is_dynamic):
        return
    directory = None if sink.files is None or sink.files.is_external else sink.files.path
    if sink.identifier is not None and sink.in_session_catalog:
        directory, _ = locate_table(execution.session, sink.identifier.parts)
    if directory is not None:
        require_visible(directory, sink.name)


def plan(execution: SparkExecution, insert: Insert, mode: str) -> str:
    """Return Spark's plan of an insert, without running it.

    Raises:
        TableException: Spark rejects the insert.
    """
    if insert.sink.identifier is not None and not insert.has_changes:
        return execution.planned(*_form_to_run(execution, insert), mode)
    return execution.planned("", insert.rows, mode)


def run(execution: SparkExecution, insert: Insert) -> int:
    """Write the rows of an insert, and return their number, -1 if Spark does not report it.

    Raises:
        TableException: the insert failed. If an overwrite fails on a row, the old rows are kept.
    """
    files = insert.sink.files
    if files is not None:
        rows = insert.rows
        frame, observation = observe_rows(execution.dataframe(rows))
        messages = build_not_null_messages(insert)
        write_files(frame, files, insert.schema, overwrite=insert.overwrite, not_null=messages)
        return count_observed(observation)
    try:
        if insert.overwrite and not insert.is_dynamic and insert.sink.in_session_catalog:
            with _compute_rows(execution, insert) as rows:
                return execution.run_into(insert.statement, rows)
        return execution.run_into(*_form_to_run(execution, insert))
    except TableException as error:
        explain_violation(error, [lambda: execution.dataframe(insert.rows)])
        if _is_of_jdbc_catalog(execution, insert):
            error.args = (f"{str(error).rstrip('.')}. {_BY_PARTITIONS}", *error.args[1:])
        raise


_BY_PARTITIONS: Final = (
    "Spark commits each partition of the rows by itself, so that some rows may have been written. A table of the "
    "connector 'jdbc' gets all rows or none."
)


def _is_of_jdbc_catalog(execution: SparkExecution, insert: Insert) -> bool:
    """Whether the target is a table of Spark's catalog of a database."""
    target = insert.sink.identifier
    name = f"spark.sql.catalog.{'' if target is None else target.catalog}"
    return str(execution.session.conf.get(name, "")).endswith(".JDBCTableCatalog")


@contextlib.contextmanager
def _compute_rows(execution: SparkExecution, insert: Insert) -> Iterator[QueryOperation]:
    """Compute the new rows in advance, because Spark deletes the old rows before it computes the first new one.

    The computed rows have the types of the columns, and strings that are too long are rejected, so that no row can fail
    later.
    """
    rows = insert.given_rows
    name = f"__tableapi_rows_{uuid.uuid4().hex[:12]}"
    frame = execution.dataframe(rows)
    columns = []
    for column in rows.schema.columns:
        text = quote(column.name)
        length = insert.lengths.get(column.name)
        if length is not None:
            message = string(f"A text for the column {column.name} is longer than {length} characters.")
            text = f"IF(CHAR_LENGTH(RTRIM({text})) > {length}, RAISE_ERROR({message}), {text})"
        columns.append(f"{text} AS {quote(column.name)}")
    try:
        with readable_errors(f"Computing the rows for {insert.sink.name}"):
            frame.selectExpr(*columns).localCheckpoint().createOrReplaceTempView(name)
    except TableException as error:
        error.args = (f"{error} Nothing was written.", *error.args[1:])
        raise
    try:
        yield Source(ObjectIdentifier(name), rows.schema)
    finally:
        execution.unregister(name)
