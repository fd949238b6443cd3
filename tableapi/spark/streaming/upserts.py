"""Upserts into tables that take MERGE: the rows of a batch replace those with their keys.

A batch that comes again after a crash replaces the rows that it wrote by the same rows, so that no ledger is needed.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import ValidationException
from ir.identifiers import ObjectIdentifier, quote
from tableapi.spark.batch_ledger import Batch
from tableapi.spark.errors import readable_errors
from tableapi.spark.streaming.rows_of_batches import rows_in_session
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_CATALOG: Final = "org.apache.spark.sql.connector.catalog"


@attrs.frozen
class Merging:
    """The known facts about MERGE into a table.

    Attributes:
        key: the columns of its primary key.
        is_supported: whether the table takes MERGE.
    """

    key: tuple[str, ...]
    is_supported: bool

    @property
    def can_replace(self) -> bool:
        """Whether rows can replace those with their keys."""
        return self.is_supported and bool(self.key)

    def describe_limit(self) -> str:
        """Return why no row can be replaced, as a sentence; empty if rows can."""
        if not self.is_supported:
            return (
                "The table takes no MERGE, by which rows would replace others; none that comes with Spark does. Write "
                "to a table of a database by the connector 'jdbc', with a primary key."
            )
        return "" if self.key else "The table has no primary key, by which MERGE would replace rows."


NO_MERGING: Final = Merging((), False)


def find_merging(session: SparkSession, identifier: ObjectIdentifier) -> Merging:
    """Return the facts that Spark has about MERGE into a table of a catalog; none on Spark Connect.

    Raises:
        TableException: Spark cannot load the table.
    """
    if is_connect(session):
        return NO_MERGING
    own: Any = session
    jvm = own._jvm
    catalog, *namespace, name = identifier.parts
    with readable_errors("Reading the table"):
        plugin = own._jsparkSession.sessionState().catalogManager().catalog(catalog)
        names = own._sc._gateway.new_array(jvm.java.lang.String, len(namespace))
        for index, part in enumerate(namespace):
            names[index] = part
        table = plugin.loadTable(jvm.org.apache.spark.sql.connector.catalog.Identifier.of(names, name))
    find = jvm.java.lang.Class.forName
    return Merging(_read_key(jvm, table), find(f"{_CATALOG}.SupportsRowLevelOperations").isInstance(table))


def _read_key(jvm: Any, table: Any) -> tuple[str, ...]:
    """Return the columns of the primary key of a table; none for a version of Spark whose tables have no keys."""
    find = jvm.java.lang.Class.forName
    if not any(method.getName() == "constraints" for method in find(f"{_CATALOG}.Table").getMethods()):
        return ()
    kind = find(f"{_CATALOG}.constraints.PrimaryKey")
    for constraint in table.constraints():
        if kind.isInstance(constraint):
            return tuple([str(column.fieldNames()[0]) for column in constraint.columns()])
    return ()


def upsert_into(
    session: SparkSession, identifier: ObjectIdentifier, key: Sequence[str]
) -> Callable[[DataFrame, Batch], None]:
    """Return the function that writes a batch to a table: each row replaces the one with its key, or is new."""
    target = identifier.as_serializable_string()

    def write(frame: DataFrame, batch: Batch) -> None:
        rows = rows_in_session(frame, session)
        rows.persist()
        view = f"tableapi_batch_{uuid.uuid4().hex}"
        try:
            _refuse_equal_keys(rows, target, key)
            rows.createOrReplaceTempView(view)
            with readable_errors(f"Writing to {target}"):
                session.sql(write_merge(target, view, rows.columns, key)).collect()
        finally:
            session.catalog.dropTempView(view)
            rows.unpersist()

    return write


def write_merge(target: str, view: str, columns: Sequence[str], key: Sequence[str], *, deletions: str = "") -> str:
    """Return the statement that replaces the rows of a table by those of a view with the same key, and adds others.

    Args:
        target: the table.
        view: the name of the view.
        columns: the columns of the table that the view has, the key among them.
        key: the columns that identify a row.
        deletions: the condition, over the view as ``s``, of rows that delete the row with their key; empty if none do.
    """
    folded = {name.lower() for name in key}
    on = " AND ".join(f"t.{quote(name)} = s.{quote(name)}" for name in key)
    changes = ", ".join(f"t.{quote(name)} = s.{quote(name)}" for name in columns if name.lower() not in folded)
    names = ", ".join(map(quote, columns))
    values = ", ".join(f"s.{quote(name)}" for name in columns)
    deleted = f"WHEN MATCHED AND {deletions} THEN DELETE\n" if deletions else ""
    matched = f"WHEN MATCHED THEN UPDATE SET {changes}\n" if changes else ""
    stays = f" AND NOT ({deletions})" if deletions else ""
    return (
        f"MERGE INTO {target} AS t\nUSING {quote(view)} AS s\nON {on}\n{deleted}{matched}"
        f"WHEN NOT MATCHED{stays} THEN INSERT ({names}) VALUES ({values})"
    )


def _refuse_equal_keys(rows: DataFrame, target: str, key: Sequence[str]) -> None:
    """Reject rows of which two have the same key: MERGE would add both, or fail.

    Raises:
        ValidationException: two rows have one key, which the message shows.
    """
    with readable_errors(f"Writing to {target}"):
        found = rows.groupBy(*map(quote, key)).count().where("count > 1").head()
    if found is not None:
        shown = ", ".join(f"{name} = {value}" for name, value in zip(key, found, strict=False))
        raise ValidationException(
            f"{found[-1]} rows for {target} have the key {shown}; which of them is to stay is not defined. Keep one "
            "row of each key. Nothing was written."
        )
