"""Write rows to tables of other systems.

A database behind JDBC gets all rows in one transaction, through a staging table; a data source in Python writes itself.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import TableException, ValidationException, listing
from ir.identifiers import quote
from ir.schema import ResolvedSchema
from tableapi.declarations.external_tables import JDBC, ExternalTable, make_missing_column_error
from tableapi.declarations.file_options import capitalize
from tableapi.declarations.kafka import KafkaTable
from tableapi.declarations.nats import NatsTable
from tableapi.declarations.stream_sinks import MEMORY
from tableapi.lazy import lazy
from tableapi.spark.active_session import active
from tableapi.spark.batch_ledger import Batch, BatchLedger
from tableapi.spark.columns_to_write import check_not_null
from tableapi.spark.external_tables import connection_options, errors_of, infer_schema
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from tableapi.spark import nats_access, packages, shipped_sources
else:
    nats_access = lazy(__name__, "tableapi.spark.nats_access")
    packages = lazy(__name__, "tableapi.spark.packages")
    shipped_sources = lazy(__name__, "tableapi.spark.shipped_sources")

# A name of a table: parts in double quotes, or plain ones.
_NAME: Final = re.compile(r'(?:(?:"(?:[^"]|"")+"|[\w$]+)\.)*(?:"(?:[^"]|"")+"|[\w$]+)')
_LAST_PART: Final = re.compile(r'(?:"(?:[^"]|"")+"|[\w$]+)$')


@attrs.frozen
class Upsert:
    """The statement that writes staged rows to a table, with the columns as the database spells them."""

    target: str
    staging: str
    columns: tuple[str, ...]
    key: tuple[str, ...]

    @property
    def others(self) -> list[str]:
        """The columns outside the key."""
        return [column for column in self.columns if column not in self.key]

    def on_conflict(self) -> str:
        """Return PostgreSQL's and SQLite's form."""
        names = _list_names(self.columns)
        changes = ", ".join(f"{_quote(name)} = EXCLUDED.{_quote(name)}" for name in self.others)
        action = f"UPDATE SET {changes}" if changes else "NOTHING"
        return (
            f"INSERT INTO {self.target} ({names}) SELECT {names} FROM {self.staging} "
            f"ON CONFLICT ({_list_names(self.key)}) DO {action}"
        )

    def delete_others(self, deleted: str) -> str:
        """Return the statement that deletes the rows whose keys are in a table of keys."""
        same = " AND ".join(f"d.{_quote(name)} = t.{_quote(name)}" for name in self.key)
        return f"DELETE FROM {self.target} AS t WHERE EXISTS (SELECT 1 FROM {deleted} AS d WHERE {same})"

    def merge(self) -> str:
        """Return the form of the SQL standard, MERGE."""
        on = " AND ".join(f"t.{_quote(name)} = s.{_quote(name)}" for name in self.key)
        changes = ", ".join(f"{_quote(name)} = s.{_quote(name)}" for name in self.others)
        matched = f" WHEN MATCHED THEN UPDATE SET {changes}" if changes else ""
        values = ", ".join(f"s.{_quote(name)}" for name in self.columns)
        return (
            f"MERGE INTO {self.target} AS t USING {self.staging} AS s ON {on}{matched} "
            f"WHEN NOT MATCHED THEN INSERT ({_list_names(self.columns)}) VALUES ({values})"
        )


@attrs.frozen
class Database:
    """The SQL of one kind of database for copying the columns of a table and for replacing rows."""

    copy: str
    upsert: Callable[[Upsert], str]


_DATABASES: Final[Mapping[str, Database]] = {
    "derby": Database("CREATE TABLE {staging} AS SELECT {columns} FROM {target} WITH NO DATA", Upsert.merge),
    "postgresql": Database("CREATE TABLE {staging} AS SELECT {columns} FROM {target} WITH NO DATA", Upsert.on_conflict),
}


def keeps_batches(session: SparkSession, table: ExternalTable) -> bool:
    """Whether the numbers of batches are kept in the database of a table, so that a repeated batch is skipped."""
    return _kind_of_database(table) in _DATABASES and not is_connect(session)


def write_external(
    frame: DataFrame,
    table: ExternalTable,
    schema: ResolvedSchema,
    *,
    overwrite: bool,
    not_null: Mapping[str, str],
    batch: Batch | None = None,
) -> None:
    """Write rows to a table of another system.

    Args:
        frame: the rows, with the columns of ``schema``.
        table: the table.
        schema: the stored columns of the table.
        overwrite: whether to replace all rows.
        not_null: the columns that must not be NULL, each with its error message.
        batch: the batch of a streaming query whose rows these are; a database skips a batch that it has.

    Raises:
        TableException: the system rejects the rows, or does not support the write.
    """
    frame = check_not_null(frame, schema, not_null)
    if table.format == JDBC:
        _write_to_database(frame, table, overwrite=overwrite, batch=batch)
        return
    if table.format == MEMORY:
        raise TableException(
            "The connector 'memory' is for the rows of a stream. Keep the rows of this query with table.cache(), or "
            "fetch them with table.to_arrow()."
        )
    if isinstance(table, (KafkaTable, NatsTable)):
        packages.require_packages(frame.sparkSession, table, to_write=True)
    if isinstance(table, NatsTable):
        nats_access.require_stream_to_write(frame.sparkSession, table, connection_options(table))
    with errors_of(table, "Writing"), active(frame.sparkSession):
        if isinstance(table, NatsTable):
            nats_access.register_source(frame.sparkSession)
        if table.source_class is not None:
            shipped_sources.register(frame.sparkSession, table.source_class)
        frame, options = sink_input(frame, table)
        writer = frame.write.format(table.format).options(**options)
        writer.mode("overwrite" if overwrite else "append").save()


def sink_input(frame: DataFrame, table: ExternalTable) -> tuple[DataFrame, dict[str, str]]:
    """Return the rows as the sink of a table takes them, and the options of the sink."""
    if not isinstance(table, (KafkaTable, NatsTable)):
        return frame, connection_options(table)
    options = dict(table.write_options) if isinstance(table, KafkaTable) else connection_options(table)
    return frame.selectExpr(*[f"{text} AS {quote(name)}" for name, text in table.written]), options


def _kind_of_database(table: ExternalTable) -> str:
    return table.options["url"].split(":")[1].lower()


def _write_to_database(frame: DataFrame, table: ExternalTable, *, overwrite: bool, batch: Batch | None) -> None:
    """Append rows, replace all rows, or, if the table has a primary key, replace the rows with equal keys.

    Raises:
        ValidationException: the table is a query, lacks a column, or two rows have one key; nothing is written.
        TableException: the database rejects a row; the old rows are kept.
    """
    target = _require_table(table)
    columns = _spelled_columns(frame, table)
    kind = _kind_of_database(table)
    database, session = _DATABASES.get(kind), frame.sparkSession
    is_plain = not overwrite and not table.primary_key
    if is_plain and (database is None or is_connect(session)):
        _append(frame, table, target)
        return
    _require_transactions(table, database, kind, session)
    assert database is not None
    ledger = None if batch is None else BatchLedger.of(target, batch)
    with (
        _all_or_nothing(),
        _connection(session, table) as connection,
        _staging(connection, table, _Copy(target, database, columns, batch)) as staging,
    ):
        if ledger is not None and _has_written(connection, table, ledger):
            return
        _append(frame, table, staging)
        names = _list_names(columns)
        statements = [f"INSERT INTO {target} ({names}) SELECT {names} FROM {staging}"]
        if overwrite:
            statements.insert(0, f"DELETE FROM {target}")
        elif table.primary_key:
            key = tuple([columns[frame.columns.index(name)] for name in table.primary_key])
            _refuse_equal_keys(connection, table, staging, key)
            statements = [database.upsert(Upsert(target, staging, columns, key))]
        _run(connection, table, statements if ledger is None else [*statements, *ledger.entry])


def write_changes(stored: DataFrame, deleted: DataFrame, table: ExternalTable, batch: Batch) -> None:
    """Apply changes to a table with a primary key, in one transaction that a repeated batch does not repeat.

    Args:
        stored: the rows that replace those with their keys, or are new.
        deleted: the keys of the rows to delete; none of them is a key of ``stored``.
        table: the table.
        batch: the batch of a streaming query that the changes are.

    Raises:
        ValidationException: the table is a query, or lacks a column; nothing is written.
        TableException: the database rejects a row, or cannot replace rows; the old rows are kept.
    """
    target, session = _require_table(table), stored.sparkSession
    columns, kind = _spelled_columns(stored, table), _kind_of_database(table)
    database = _DATABASES.get(kind)
    _require_transactions(table, database, kind, session)
    assert database is not None
    key = tuple([columns[stored.columns.index(name)] for name in table.primary_key])
    ledger = BatchLedger.of(target, batch)
    with (
        _connection(session, table) as connection,
        _staging(connection, table, _Copy(target, database, columns, batch)) as staging,
        _staging(connection, table, _Copy(target, database, key, batch, "tableapi_deleted")) as keys,
    ):
        if _has_written(connection, table, ledger):
            return
        _append(stored, table, staging)
        _append(deleted, table, keys)
        upsert = Upsert(target, staging, columns, key)
        _run(connection, table, [upsert.delete_others(keys), database.upsert(upsert), *ledger.entry])


def has_batch(session: SparkSession, table: ExternalTable, batch: Batch) -> bool:
    """Whether a database has written a batch to a table.

    Raises:
        ValidationException: the table is a query.
        TableException: the database cannot be reached.
    """
    ledger = BatchLedger.of(_require_table(table), batch)
    with _connection(session, table) as connection:
        return bool(ledger.is_written(connection))


def _has_written(connection: Any, table: ExternalTable, ledger: BatchLedger) -> bool:
    """Whether a database has a batch; create the ledger if there is none."""
    found = ledger.is_written(connection)
    if found is None:
        _run(connection, table, [ledger.creation])
    return bool(found)


def _require_table(table: ExternalTable) -> str:
    target = table.options.get("dbtable", "")
    if _NAME.fullmatch(target) is None:
        raise ValidationException(
            f"{capitalize(table.shown)} cannot be written to: it is a query. Name a table in 'table-name'. Nothing was "
            "written."
        )
    return target


def _spelled_columns(frame: DataFrame, table: ExternalTable) -> tuple[str, ...]:
    """Return the names of the columns as the database spells them."""
    actual = infer_schema(frame.sparkSession, attrs.evolve(table, schema=None))
    for name in frame.columns:
        if actual.index_of(name) is None:
            raise make_missing_column_error(table, name, actual)
    return tuple([actual.column(name).name for name in frame.columns])


def _require_transactions(table: ExternalTable, database: Database | None, kind: str, session: SparkSession) -> None:
    doing = "Replacing rows by their key" if table.primary_key else "Replacing all rows"
    problem = None
    if database is None:
        problem = f"is known for the databases [{listing(sorted(_DATABASES))}], and not for {kind!r}"
    elif is_connect(session):
        problem = "needs a classic Spark session, whose driver can reach the database"
    if problem is not None:
        raise TableException(
            f"{doing} of {table.shown} {problem}. Append the rows to a table of their own, and let the database merge "
            "it. Nothing was written."
        )


def _append(frame: DataFrame, table: ExternalTable, target: str) -> None:
    options = {**connection_options(table), "dbtable": target}
    with errors_of(table, "Writing"):
        frame.write.format("jdbc").options(**options).mode("append").save()


@contextmanager
def _all_or_nothing() -> Iterator[None]:
    """Add to an error in the block, which writes in one transaction, that nothing was written."""
    try:
        yield
    except TableException as error:
        if _NOTHING not in str(error):
            error.args = (f"{str(error).rstrip('.')}. {_NOTHING}", *error.args[1:])
        raise


_NOTHING: Final = "Nothing was written."


@contextmanager
def _connection(session: SparkSession, table: ExternalTable) -> Iterator[Any]:
    """Open a connection, and close it after the block."""
    connection = _connect(session, table)
    try:
        yield connection
    finally:
        connection.close()


@attrs.frozen
class _Copy:
    """An empty copy of some columns of a table, into which a batch is written first."""

    target: str
    database: Database
    columns: tuple[str, ...]
    batch: Batch | None
    called: str = "tableapi_staging"

    def choose_name(self) -> str:
        """Return a name beside the table, which is always the same for the batches of one query."""
        suffix = uuid.uuid4().hex if self.batch is None else self.batch.query.replace("-", "")
        return _LAST_PART.sub(f"{self.called}_{suffix[:12]}", self.target)


@contextmanager
def _staging(connection: Any, table: ExternalTable, copy: _Copy) -> Iterator[str]:
    """Create an empty copy of a table, and drop it after the block."""
    staging = copy.choose_name()
    if copy.batch is not None:
        # A crash may have left the copy of an earlier batch.
        with suppress(TableException):
            _run(connection, table, [f"DROP TABLE {staging}"])
    create = copy.database.copy.format(staging=staging, columns=_list_names(copy.columns), target=copy.target)
    _run(connection, table, [create])
    try:
        yield staging
    finally:
        _run(connection, table, [f"DROP TABLE {staging}"])


def _connect(session: SparkSession, table: ExternalTable) -> Any:
    """Open a connection of the driver, with the driver class that Spark finds for the URL."""
    jvm: Any = session._jvm
    options = {**connection_options(table)}
    with errors_of(table, "Connecting to the database of"):
        pairs = jvm.java.util.HashMap()
        for key, value in options.items():
            pairs.put(key, value)
        scala = jvm.org.apache.spark.api.python.PythonUtils.toScalaMap(pairs)
        made = jvm.org.apache.spark.sql.execution.datasources.jdbc.JDBCOptions(scala)
        dialect = jvm.org.apache.spark.sql.jdbc.JdbcDialects.get(options["url"])
        connection = dialect.createConnectionFactory(made).apply(-1)
        connection.setAutoCommit(False)
        return connection


def _run(connection: Any, table: ExternalTable, statements: list[str]) -> None:
    """Run statements in one transaction."""
    with errors_of(table, "Writing"):
        statement = connection.createStatement()
        try:
            for text in statements:
                statement.executeUpdate(text)
            connection.commit()
        except BaseException:
            connection.rollback()
            raise
        finally:
            statement.close()


def _refuse_equal_keys(connection: Any, table: ExternalTable, staging: str, key: tuple[str, ...]) -> None:
    """Reject rows of which two have the same key: either could be the last one.

    Raises:
        ValidationException: two rows have one key, which the message shows.
    """
    names = _list_names(key)
    text = f"SELECT {names}, COUNT(*) FROM {staging} GROUP BY {names} HAVING COUNT(*) > 1"
    with errors_of(table, "Writing"):
        statement = connection.createStatement()
        try:
            rows = statement.executeQuery(text)
            found = [str(rows.getString(n)) for n in range(1, len(key) + 2)] if rows.next() else []
            rows.close()
        finally:
            statement.close()
            connection.rollback()
    if found:
        shown = ", ".join(f"{name} = {value}" for name, value in zip(key, found, strict=False))
        raise ValidationException(
            f"{found[-1]} rows for {table.shown} have the key {shown}; which of them is to stay is not defined. Keep "
            "one row of each key. Nothing was written."
        )


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _list_names(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(map(_quote, names))
