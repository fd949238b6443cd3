"""Apply the changes of a stream to a table with a primary key.

INSERT and UPDATE_AFTER replace the row with their key, DELETE deletes it, and UPDATE_BEFORE is ignored. Of the changes
of one key in a batch, only the last one matters. A batch that comes again after a crash changes nothing: by MERGE it
makes the same rows again, and a database knows its number.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ir.change_kinds import DELETE, KINDS, UPDATE_BEFORE
from ir.errors import TableException, ValidationException, listing
from ir.identifiers import ObjectIdentifier, quote
from ir.operations.process import KIND_COLUMN
from tableapi.catalog.statements import string
from tableapi.declarations.external_tables import ExternalTable
from tableapi.spark.batch_ledger import Batch
from tableapi.spark.errors import readable_errors
from tableapi.spark.external_writing import has_batch, write_changes
from tableapi.spark.streaming.change_order import ChangeOrder
from tableapi.spark.streaming.rows_of_batches import rows_in_session
from tableapi.spark.streaming.upserts import write_merge

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Columns that a batch gets while its last changes are found.
_FILE, _BLOCK, _ROW, _RANK = "__tableapi_file", "__tableapi_block", "__tableapi_row", "__tableapi_rank"
_KIND: Final = "__tableapi_kind"
_BAD_KIND: Final = f"A value of the column {KIND_COLUMN} is no kind of change; the kinds are {listing(KINDS)}. It is "

Write = Callable[[Any, Batch], None]


def apply_to_database(session: SparkSession, table: ExternalTable, order: ChangeOrder) -> Write:
    """Return the function that applies a batch of changes to a table of a database."""

    def write(rows: DataFrame, batch: Batch) -> None:
        stored = rows.where(f"{_KIND} <> '{DELETE}'").drop(_KIND)
        deleted = rows.where(f"{_KIND} = '{DELETE}'").select(*map(quote, table.primary_key))
        write_changes(stored, deleted, table, batch)

    apply = _over_last_changes(session, table.shown, table.primary_key, order, write)

    def apply_once(frame: DataFrame, batch: Batch) -> None:
        # The state of a function stays that of the rows that were written, even if it would yield others now.
        if not has_batch(session, table, batch):
            apply(frame, batch)

    return apply_once


def apply_by_merge(
    session: SparkSession, identifier: ObjectIdentifier, key: Sequence[str], order: ChangeOrder
) -> Write:
    """Return the function that applies a batch of changes to a table that takes MERGE."""
    target = identifier.as_serializable_string()
    deletions = f"s.{_KIND} = '{DELETE}'"

    def write(rows: DataFrame, batch: Batch) -> None:
        view = f"tableapi_batch_{uuid.uuid4().hex}"
        try:
            with readable_errors(f"Writing to {target}"):
                # MERGE takes no rows in whose plan anything is not deterministic, such as their number.
                rows.localCheckpoint().createOrReplaceTempView(view)
                session.sql(write_merge(target, view, rows.columns[1:], key, deletions=deletions)).collect()
        finally:
            session.catalog.dropTempView(view)

    return _over_last_changes(session, target, key, order, write)


def _over_last_changes(
    session: SparkSession,
    shown: str,
    key: Sequence[str],
    order: ChangeOrder,
    write: Callable[[DataFrame, Batch], None],
) -> Write:
    """Return the function that calls ``write`` with the last change of each key of a batch.

    The first column of the rows for ``write`` has the kinds; no column of a table has its name.
    """

    def apply(frame: DataFrame, batch: Batch) -> None:
        rows = rows_in_session(frame, session)
        kind, *columns = map(quote, rows.columns)
        kinds = ", ".join(f"'{one}'" for one in KINDS)
        failure = f"RAISE_ERROR(CONCAT({string(_BAD_KIND)}, COALESCE({kind}, 'NULL')))"
        # Spark knows the file of a row only where the row is read.
        placed = rows.selectExpr(
            f"IF({kind} IN ({kinds}), {kind}, {failure}) AS {_KIND}",
            *columns,
            f"input_file_name() AS {_FILE}",
            f"input_file_block_start() AS {_BLOCK}",
            f"monotonically_increasing_id() AS {_ROW}",
        ).where(f"{_KIND} <> '{UPDATE_BEFORE}'")
        placed.persist()
        try:
            with readable_errors(f"Computing the changes of {shown}"):
                last = _find_last_changes(placed, key, order, shown)
            write(last.selectExpr(_KIND, *columns), batch)
        finally:
            placed.unpersist()

    return apply


def _find_last_changes(rows: DataFrame, key: Sequence[str], order: ChangeOrder, shown: str) -> DataFrame:
    """Return the last change of each key.

    Raises:
        ValidationException: a key has several changes, and their order is not known.
    """
    names = list(map(quote, key))
    several = rows.groupBy(*names).count().where("count > 1").head()
    if several is None:
        return rows
    by = [_ROW]
    if order is ChangeOrder.BY_SOURCE:
        files = [str(row[0]) for row in rows.select(_FILE).distinct().collect()]
        if files != [""]:
            if "" in files:
                order = ChangeOrder.UNKNOWN
            rows = rows.join(_rank_files(rows.sparkSession, files), _FILE)
            by = [_RANK, _BLOCK, _ROW]
    if order is ChangeOrder.UNKNOWN:
        values = ", ".join(f"{name} = {value}" for name, value in zip(key, several, strict=False))
        raise ValidationException(
            f"{several[-1]} changes for {shown} have the key {values}, and a batch does not have them in the order in "
            "which they were made: an operation of the query has moved rows between tasks, or a Python function has "
            "read them ahead. Give them an order by a process table function that is partitioned by the key, with "
            "ORDER BY; or keep the last change of each key in a batch by for_each_batch. Nothing of the batch was "
            "written."
        )
    latest = ", ".join(f"{name} DESC" for name in by)
    number = "__tableapi_number"
    numbered = rows.selectExpr(
        "*", f"ROW_NUMBER() OVER (PARTITION BY {', '.join(names)} ORDER BY {latest}) AS {number}"
    )
    return numbered.where(f"{number} = 1")


def _rank_files(session: SparkSession, files: Sequence[str]) -> DataFrame:
    """Return the files with their numbers, in the order in which a stream reads them: by their times and names.

    Raises:
        TableException: a file is gone.
    """
    own: Any = session
    jvm = own._jvm
    configuration = own._jsparkSession.sessionState().newHadoopConf()
    timed = []
    for file in files:
        try:
            path = jvm.org.apache.hadoop.fs.Path(jvm.java.net.URI(file))
            timed.append((path.getFileSystem(configuration).getFileStatus(path).getModificationTime(), file))
        except Exception as error:
            raise TableException(
                f"The file {file} of this batch cannot be looked up, and its time says which changes are the last "
                "ones. Keep the files of a stream until their batch is written."
            ) from error
    ranked = [(file, number) for number, (_, file) in enumerate(sorted(timed))]
    return session.createDataFrame(ranked, f"{_FILE} STRING, {_RANK} BIGINT")
