"""Read and write tables of other systems: databases behind JDBC, and data sources in Python."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from ir.cast_rules import differ_at_most_in_nullability, plain_type
from ir.common_types import tightest_common_type
from ir.errors import TableException, ValidationException
from ir.identifiers import fold, quote
from ir.schema import Column, ResolvedSchema
from tableapi.declarations.external_tables import JDBC, ExternalTable, require_columns
from tableapi.declarations.file_options import capitalize
from tableapi.declarations.kafka import KafkaTable
from tableapi.declarations.nats import NatsTable
from tableapi.declarations.secrets import mask_errors
from tableapi.lazy import lazy
from tableapi.spark.active_session import active
from tableapi.spark.columns_to_write import read_schema
from tableapi.spark.errors import readable_errors
from tableapi.spark.schemas import fields_of
from tableapi.spark.types import from_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from tableapi.spark import nats_access, packages, shipped_sources
else:
    nats_access = lazy(__name__, "tableapi.spark.nats_access")
    packages = lazy(__name__, "tableapi.spark.packages")
    shipped_sources = lazy(__name__, "tableapi.spark.shipped_sources")


_NO_DRIVER: Final = ("No suitable driver", "ClassNotFoundException")
_DRIVER_ADVICE: Final = (
    "The session has no driver for the database: start it with the driver's jar (spark.jars), or run ADD JAR, and name "
    "the class of the driver in the option 'driver'."
)
_REASON_ADVICE: Final = (
    "The database refused a row, such as one with a text that is too long. Spark cannot show the reason, because the "
    "driver's jar came by ADD JAR: start the session with it (spark.jars)."
)


@contextmanager
def errors_of(table: ExternalTable, action: str) -> Iterator[None]:
    """Translate Spark's errors in the block, without the secrets of the table."""
    with mask_errors(connection_options(table)):
        try:
            with readable_errors(f"{action} {table.shown}"):
                yield
        except TableException as error:
            driver = table.options.get("driver", "")
            if any(sign in str(error) for sign in _NO_DRIVER) or (driver and str(error).endswith(f" {driver}")):
                error.args = (f"{str(error).rstrip('.')}. {_DRIVER_ADVICE}", *error.args[1:])
            if table.format == JDBC and "UnknownReason" in str(error):
                error.args = (f"{str(error).splitlines()[0].rstrip('.')}. {_REASON_ADVICE}", *error.args[1:])
            raise


def connection_options(table: ExternalTable) -> dict[str, str]:
    """Return the options of a table with its password.

    Raises:
        ValidationException: the environment variable of the password is not set.
    """
    options = dict(table.options)
    if table.format == JDBC:
        # Without it, Spark shifts times without a zone by the difference between the zones of Java and of the session.
        options.setdefault("preferTimestampNTZ", "true")
    for option, variable in table.secret_variables.items():
        secret = os.environ.get(variable)
        if secret is None:
            raise ValidationException(
                f"The {option} of {table.shown} is in the environment variable {variable}, which is not set in this "
                "process."
            )
        options[option] = secret
    return options


def infer_schema(session: SparkSession, table: ExternalTable) -> ResolvedSchema:
    """Return the columns that the system reports.

    Raises:
        TableException: the system cannot be reached or has no such table, or the type of a column is not supported.
    """
    return _schema_of(load(session, table), table)


def load(session: SparkSession, table: ExternalTable) -> DataFrame:
    """Return the rows of a table as the system gives them.

    Raises:
        TableException: the system cannot be reached or has no such table.
    """
    if isinstance(table, (KafkaTable, NatsTable)):
        packages.require_packages(session, table)
    if isinstance(table, NatsTable):
        nats_access.require_stream(session, table, connection_options(table))
    with _advised(session), errors_of(table, "Reading"), active(session):
        reader = session.readStream if table.is_stream else session.read
        reader = reader.format(table.format).options(**connection_options(table))
        if isinstance(table, NatsTable):
            nats_access.register_source(session)
        if table.source_class is not None:
            shipped_sources.register(session, table.source_class)
            if table.schema is not None:
                reader = reader.schema(read_schema(table.schema, is_stream=table.is_stream))
        frame = reader.load()
        # Spark Connect analyses the plan only for a request.
        _ = frame.schema
        return frame


@contextmanager
def _advised(session: SparkSession) -> Iterator[None]:
    """Advise how to get a missing Spark package."""
    try:
        yield
    except TableException as error:
        packages.advise_package(error, session)
        raise


def read_external(session: SparkSession, table: ExternalTable) -> DataFrame:
    """Return the rows of a table with its declared columns.

    A column whose type differs from the declared one is cast, if each of its values can be stored in that type; Spark
    then evaluates filters on the column itself.

    Raises:
        TableException: the system cannot be reached, has no such table, or its columns contradict the declared ones.
    """
    frame = load(session, table)
    with errors_of(table, "Reading"):
        columns = _declared_columns(frame, table)
        derived = [f"{text} AS {quote(column.name)}" for column, text in table.derived]
        frame = frame.selectExpr(*columns)
        return frame.selectExpr("*", *derived) if derived else frame


def _schema_of(frame: DataFrame, table: ExternalTable) -> ResolvedSchema:
    columns = []
    for field in fields_of(frame):
        with errors_of(table, f"The column {field.name} of"):
            columns.append(Column(field.name, from_spark(field.dataType, field.nullable)))
    return ResolvedSchema(tuple(columns))


def _declared_columns(frame: DataFrame, table: ExternalTable) -> list[str]:
    actual = require_columns(table, _schema_of(frame, table))
    texts = []
    for declared in table.read_columns.columns:
        found, target = actual[fold(declared.name)], plain_type(declared.data_type)
        text = quote(found.name)
        if not differ_at_most_in_nullability(found.data_type, target):
            # A cast to a wider type loses nothing, unlike the casts that an INSERT may make.
            if tightest_common_type(found.data_type.as_nullable(), target.as_nullable()) != target.as_nullable():
                raise ValidationException(
                    f"{capitalize(table.shown)} has the column {found!r}, which is declared as {declared!r} and is no "
                    f"wider type. Declare {found.data_type.as_nullable().as_summary_string()}, and cast it in a query."
                )
            text = f"CAST({text} AS {target.as_nullable().as_serializable_string()})"
        texts.append(f"{text} AS {quote(declared.name)}")
    return texts
