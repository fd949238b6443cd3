"""Packages of Spark that PySpark does not contain: whether a session has them, and what to say if it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ir.errors import TableException
from tableapi.declarations.kafka import PACKAGE as KAFKA_PACKAGE
from tableapi.declarations.kafka import KafkaTable
from tableapi.declarations.nats import NatsTable
from tableapi.declarations.value_formats import AVRO_PACKAGE
from tableapi.spark.active_session import active
from tableapi.spark.errors import readable_errors
from tableapi.spark.versions import is_connect, scala_version

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_NO_KAFKA: Final = "KAFKA_DATA_SOURCE_NOT_ENABLED"
_NO_AVRO: Final = ("AVRO_DATA_SOURCE_NOT_ENABLED", "AVRO_NOT_LOADED_SQL_FUNCTIONS_UNUSABLE")
# Spark analyses the call, and runs nothing.
_PROBE: Final = "SELECT FROM_AVRO(CAST(NULL AS BINARY), '\"int\"', MAP('mode', 'PERMISSIVE'))"


def require_packages(session: SparkSession, table: KafkaTable | NatsTable, *, to_write: bool = False) -> None:
    """Check that a session has the packages that a table needs, without running anything.

    Args:
        session: the session.
        table: the table.
        to_write: whether rows are written to the table; a reader finds the connector itself.

    Raises:
        TableException: a package is missing; the message has its Maven coordinate.
    """
    try:
        with readable_errors(f"Preparing {table.shown}"), active(session):
            if AVRO_PACKAGE in table.packages:
                _ = session.sql(_PROBE).schema
            if to_write and isinstance(table, KafkaTable) and not is_connect(session):
                own: Any = session
                conf = own._jsparkSession.sessionState().conf()
                own._jvm.org.apache.spark.sql.execution.datasources.DataSource.lookupDataSource(table.format, conf)
    except TableException as error:
        advise_package(error, session)
        raise


def advise_package(error: TableException, session: SparkSession) -> None:
    """Replace the message of an error about a missing package by one that says how to get it."""
    if error.condition == _NO_KAFKA:
        package, what = KAFKA_PACKAGE, "read or write Kafka"
    elif error.condition in _NO_AVRO:
        package, what = AVRO_PACKAGE, "read or write Avro"
    else:
        return
    error.args = (
        f"The session cannot {what}: PySpark does not contain the package {package}. Start the session with it: "
        f"spark.jars.packages = {coordinate(session, package)}; or name its jar in spark.jars. Nothing was started.",
        *error.args[1:],
    )


def coordinate(session: SparkSession, package: str) -> str:
    """Return the Maven coordinate of a package of Spark, of the version of a session."""
    return f"{package}_{scala_version(session)}:{session.version}"
