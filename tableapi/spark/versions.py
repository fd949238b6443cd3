"""The differences between the versions of Spark that this library attaches to: what each session offers.

This is the only module of ``tableapi.spark`` that compares versions. It answers by capability, and calls the parts of
PySpark that other versions name or call differently. The version of the server, which runs queries, decides what SQL
means. The version of the client, the module ``pyspark`` of this process, decides which Python API there is. They differ
only on Spark Connect.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import re
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from ir.engine_version import NEWEST_SPARK, SAIL_VERSIONS, SPARK_VERSIONS, EngineVersion
from ir.errors import ValidationException
from tableapi.lazy import lazy

if TYPE_CHECKING:
    import pyarrow
    import pyspark
    from pyspark import errors as pyspark_errors
    from pyspark import rdd, util
    from pyspark.errors import PySparkException
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql import dataframe as frames
    from pyspark.sql import types as spark_types
    from pyspark.sql.connect import dataframe as connect_frames
    from pyspark.sql.connect import plan as connect_plans
    from pyspark.sql.pandas import serializers as arrow_serializers
    from pyspark.sql.pandas import types as pandas_types
    from pyspark.sql.types import DataType, StringType, StructType
else:
    spark_types = lazy(__name__, "pyspark.sql.types")
    pandas_types = lazy(__name__, "pyspark.sql.pandas.types")
    pyspark = lazy(__name__, "pyspark")
    pyspark_errors = lazy(__name__, "pyspark.errors")
    rdd = lazy(__name__, "pyspark.rdd")
    frames = lazy(__name__, "pyspark.sql.dataframe")
    connect_frames = lazy(__name__, "pyspark.sql.connect.dataframe")
    connect_plans = lazy(__name__, "pyspark.sql.connect.plan")
    arrow_serializers = lazy(__name__, "pyspark.sql.pandas.serializers")
    util = lazy(__name__, "pyspark.util")

_V4_0: Final = EngineVersion(4, 0)
_V4_1: Final = EngineVersion(4, 1)
_V4_2: Final = EngineVersion(4, 2)
_V4_3: Final = EngineVersion(4, 3)
_SAIL: Final = re.compile(r"0\.\d+\.\d+\S*", re.ASCII)
_SESSION_ID: Final = "session_id"
_BINARY: Final = "UTF8_BINARY"


@frozen
class SessionVersions:
    """The versions on both sides of a session, and what they offer together.

    Attributes:
        server: the version of Spark that runs queries, or whose protocol the server of another engine has.
        client: the version of the module ``pyspark`` in this process.
        sail: the version of Sail that runs queries; None if Spark does.
    """

    server: EngineVersion
    client: EngineVersion
    sail: EngineVersion | None = None

    @property
    def target_name(self) -> str:
        """The name of the target that queries are written for."""
        return f"spark-{self.server}" if self.sail is None else f"sail-{self.sail}"

    @property
    def has_arrow_functions(self) -> bool:
        """Whether ``arrow_udf`` and ``arrow_udtf`` exist: functions that take Arrow columns."""
        return min(self.server, self.client) >= _V4_1

    @property
    def has_process_functions(self) -> bool:
        """Whether process table functions run: the cloudpickle of PySpark 3.5 loses the fields of dataclasses."""
        return min(self.server, self.client) >= _V4_0

    @property
    def has_stateful_functions(self) -> bool:
        """Whether ``transformWithState`` takes rows, with the protocol that this library writes."""
        return min(self.server, self.client) >= _V4_3 and self.sail is None


def has_limits_of_batches(spark: SparkSession) -> bool:
    """Whether data sources in Python can limit a batch, and end with the rows of now."""
    return min(server_version(spark), client_version()) >= _V4_2


def is_connect(spark: SparkSession) -> bool:
    """Whether a session is a Spark Connect session; the check does not call the JVM."""
    return any(base.__module__.startswith("pyspark.sql.connect.") for base in type(spark).__mro__)


# A Connect session sends a request for each question about its version.
_servers: weakref.WeakKeyDictionary[SparkSession, EngineVersion] = weakref.WeakKeyDictionary()


def scala_version(spark: SparkSession) -> str:
    """Return the version of Scala that is part of the names of a session's packages: ``2.13``.

    Spark 3.5 from PyPI is built with Scala 2.12, and later versions with 2.13.
    """
    if not is_connect(spark):
        session: Any = spark
        number = str(session._jvm.scala.util.Properties.versionNumberString())
        return ".".join(number.split(".")[:2])
    return "2.13" if server_version(spark) >= _V4_0 else "2.12"


def server_version(spark: SparkSession) -> EngineVersion:
    """Return the version of Spark that runs the queries of a session; it is asked once."""
    found = _servers.get(spark)
    if found is None:
        found = _servers[spark] = EngineVersion.of(spark.version)
    return found


# A setting of every Spark, which other engines do not have.
_OF_SPARK: Final = "spark.app.id"
_sails: weakref.WeakKeyDictionary[SparkSession, EngineVersion | None] = weakref.WeakKeyDictionary()


def sail_version(spark: SparkSession) -> EngineVersion | None:
    """Return the version of Sail that runs the queries of a session, None if it is not Sail; it is asked once.

    Sail reports the version of Spark whose protocol it has as the version of the session, but its own one in SQL.
    """
    if not is_connect(spark):
        return None
    if spark not in _sails:
        found = None
        if spark.conf.get(_OF_SPARK, None) is None:
            text = str(spark.sql("SELECT VERSION()").collect()[0][0])
            # Spark adds the revision that it was built from.
            found = EngineVersion.of(text) if _SAIL.fullmatch(text) else None
        _sails[spark] = found
    return _sails[spark]


def describes_as_json(spark: SparkSession) -> bool:
    """Whether DESCRIBE TABLE can answer in JSON."""
    return server_version(spark) >= _V4_0 and sail_version(spark) is None


@functools.cache
def client_version() -> EngineVersion:
    """Return the version of the module ``pyspark`` in this process."""
    return EngineVersion.of(client_version_text())


def client_version_text() -> str:
    """Return the version of the module ``pyspark`` in this process with the number of its bug fix release."""
    return str(pyspark.version.__version__)


def supported_version(text: str, subject: str) -> EngineVersion:
    """Return a version if queries can be compiled for it.

    Raises:
        ValidationException: the version is not supported.
    """
    version = EngineVersion.of(text)
    if version not in SPARK_VERSIONS:
        nearest = SPARK_VERSIONS[0] if version < SPARK_VERSIONS[0] else max(v for v in SPARK_VERSIONS if v < version)
        raise ValidationException(
            f"{subject} {text}, for which queries cannot be compiled. Supported are Spark {SPARK_VERSIONS[0]} and "
            f"{_V4_0} to {NEWEST_SPARK}; the nearest of them is {nearest}."
        )
    return version


def supported_client(text: str) -> EngineVersion:
    """Return the version of the module ``pyspark`` if this library can use it: a supported one, or a newer one.

    Raises:
        ValidationException: the version is not supported.
    """
    version = EngineVersion.of(text)
    return (
        version if version > NEWEST_SPARK else supported_version(text, "The module pyspark of this process is of Spark")
    )


def supported_sail(spark: SparkSession) -> EngineVersion | None:
    """Return the version of Sail if it runs the queries of a session and they can be compiled for it.

    Raises:
        ValidationException: the version is not supported.
    """
    found = sail_version(spark)
    if found is not None and found not in SAIL_VERSIONS:
        raise ValidationException(
            f"The Spark session is one of Sail {found}, for which queries cannot be compiled. Supported is Sail "
            f"{SAIL_VERSIONS[-1]}."
        )
    return found


# --- sessions --------------------------------------------------------------------------------------------------------


def explicit_settings(spark: SparkSession) -> dict[str, str]:
    """Return all settings that have a value in a session."""
    if client_version() >= _V4_0:
        return dict(spark.conf.getAll)
    return {str(row["key"]): str(row["value"]) for row in spark.sql("SET").collect()}


def new_session(spark: SparkSession) -> SparkSession:
    """Return a session on the same Spark, with its own settings and temporary objects; release it when it ends."""
    if not is_connect(spark) or client_version() >= _V4_3:
        return spark.newSession()
    remote: Any = spark
    connection = copy.copy(remote.client._builder)
    # The identifier of a session may be part of its address.
    names = [name for name, value in vars(connection).items() if isinstance(value, dict) and _SESSION_ID in value]
    for name in names:
        setattr(connection, name, {key: value for key, value in vars(connection)[name].items() if key != _SESSION_ID})
    made: SparkSession = type(remote)(connection=connection)
    return made


def release_session(made: SparkSession) -> None:
    """Release what ``new_session`` made.

    A classic session is garbage collected; stopping it would stop Spark. ``stop`` of an older Connect session may stop
    a local server, so only its own part of the server is released.
    """
    if not is_connect(made):
        return
    if client_version() >= _V4_3:
        made.stop()
        return
    remote: Any = made
    if client_version() >= _V4_0:
        remote.client.release_session()
    remote.client.close()


# --- errors ----------------------------------------------------------------------------------------------------------


def condition_of(exception: PySparkException) -> str | None:
    """Return the error condition of an exception, which PySpark 3.5 calls the error class."""
    if client_version() >= _V4_0:
        return exception.getCondition()
    return exception.getErrorClass()


def condition_of_java(exception: Any) -> str | None:
    """Return the error condition of an exception of the JVM, which Spark 3.5 calls the error class."""
    found = exception.getCondition() if client_version() >= _V4_0 else exception.getErrorClass()
    return None if found is None else str(found)


def sql_contexts_of(exception: PySparkException) -> list[Any]:
    """Return the parts of SQL text that an exception is about; PySpark 3.5 leaves them in the JVM."""
    if client_version() >= _V4_0:
        contexts = exception.getQueryContext()
        return [context for context in contexts if context.contextType() == pyspark_errors.QueryContextType.SQL]
    java = getattr(exception, "_origin", None)
    return [] if java is None else list(java.getQueryContext())


# --- types -----------------------------------------------------------------------------------------------------------


def type_class(name: str) -> Any:
    """Return a class of Spark types, or a class without instances if the client is older than the type.

    Calling that class raises a ValidationException.
    """
    found = getattr(spark_types, name, None)
    return _absent_type(name) if found is None else found


def _absent_type(name: str) -> type:
    def refuse(self: object, *arguments: object, **named: object) -> None:
        raise ValidationException(
            f"pyspark {client_version()} has no {name}, so that values of this type cannot be exchanged with Spark. "
            "Use a newer pyspark, or cast to another type."
        )

    return type(name, (), {"__init__": refuse})


def string_type(collation: str) -> StringType:
    """Return the Spark type of strings with a collation.

    Raises:
        ValidationException: the client is older than collations.
    """
    if client_version() >= _V4_0:
        return spark_types.StringType(collation)
    if collation != _BINARY:
        raise ValidationException(
            f"pyspark {client_version()} has no collations; {collation} needs Spark {_V4_0}. Use {_BINARY}."
        )
    return spark_types.StringType()


def collation_of(data_type: StringType) -> str:
    """Return the collation of a Spark type of strings."""
    return data_type.collation if client_version() >= _V4_0 else _BINARY


# --- Arrow -----------------------------------------------------------------------------------------------------------


def arrow_type(data_type: DataType) -> pyarrow.DataType:
    """Return the Arrow type of values of a Spark type; instants are in UTC."""
    convert: Any = pandas_types.to_arrow_type
    found: pyarrow.DataType = convert(data_type, timezone="UTC") if client_version() >= _V4_2 else convert(data_type)
    return found


def arrow_schema(struct: StructType) -> pyarrow.Schema:
    """Return the Arrow schema of rows of a Spark type.

    Raises:
        pyspark.errors.PySparkException: a row within a column has two fields of the same name.
    """
    convert: Any = pandas_types.to_arrow_schema
    options: dict[str, Any] = {}
    if client_version() >= _V4_0:
        options["error_on_duplicated_field_names_in_struct"] = True
    if client_version() >= _V4_2:
        options["timezone"] = "UTC"
    found: pyarrow.Schema = convert(struct, **options)
    return found


def frame_of_arrow(session: SparkSession, table: pyarrow.Table, struct: StructType) -> DataFrame:
    """Return a DataFrame over the rows of an Arrow table.

    Before PySpark 4.0, ``createDataFrame`` takes no Arrow table, so the table goes the way on which PySpark sends the
    Arrow data that it makes from pandas.

    Raises:
        pyspark.errors.PySparkException: Spark has no type for a column.
        ValueError: a value has no counterpart in the type of its column.
    """
    creating: Any = session
    if client_version() >= _V4_0 or table.num_rows == 0:
        made: DataFrame = creating.createDataFrame(table if client_version() >= _V4_0 else [], struct)
        return made
    schema = arrow_schema(struct)
    rows = table.rename_columns(schema.names).cast(schema)
    if is_connect(session):
        remote_frame: Any = connect_frames.DataFrame
        sent: DataFrame = remote_frame.withPlan(connect_plans.LocalRelation(rows, schema=struct.json()), session)
        return sent
    jvm: Any = session._jvm
    batches = creating._sc._serialize_to_jvm(
        rows.to_batches(max_chunksize=max(1, creating._jconf.arrowMaxRecordsPerBatch())),
        arrow_serializers.ArrowStreamSerializer(),
        lambda file: jvm.PythonSQLUtils.readArrowStreamFromFile(file),
        lambda: jvm.ArrowIteratorServer(),
    )
    return frames.DataFrame(jvm.PythonSQLUtils.toDataFrame(batches, struct.json(), creating._jsparkSession), session)


def collect_batches(frame: DataFrame) -> list[pyarrow.RecordBatch]:
    """Return all rows of a query of a classic session as Arrow batches."""
    collect: Any = frame._collect_as_arrow
    found: list[pyarrow.RecordBatch] = (
        collect(empty_list_if_zero_records=False) if client_version() >= _V4_0 else collect()
    )
    return found


def collect_table(frame: DataFrame) -> pyarrow.Table:
    """Return all rows of a query of a Connect session."""
    remote: Any = frame
    if client_version() >= _V4_0:
        table: pyarrow.Table = remote._to_table()[0]
        return table
    client = remote.sparkSession.client
    table, _ = client.to_table(remote._plan.to_proto(client))
    return table


def stream_of_server(frame: DataFrame) -> Iterator[Any]:
    """Yield the schema and the tables of a query of a Connect session as they arrive."""
    remote: Any = frame
    client, plan = remote.sparkSession.client, remote._plan
    more = (plan.observations,) if client_version() >= _V4_0 else ()
    yield from client.to_table_as_iterator(plan.to_proto(client), *more)


def batches_of_partitions(frame: DataFrame, rows_of_batch: int) -> Any:
    """Return the RDD of the Arrow batches of a query of a classic session.

    Before Spark 4.2, the session's own batch size applies. Its time zone is only a name in a schema that is not read.
    """
    jvm: Any = frame._jdf
    if client_version() >= _V4_2:
        return jvm.toArrowBatchRdd(rows_of_batch, "UTC", True, False)
    return jvm.toArrowBatchRdd()


@contextlib.contextmanager
def received(address: Any, serializer: Any) -> Iterator[Iterator[bytes]]:
    """Yield the data of a job from an address; before Spark 4.2, the connection is closed with its last reference."""
    module: Any = util if client_version() >= _V4_0 else rdd
    if client_version() >= _V4_2:
        with module._load_from_socket(address, serializer) as stream:
            yield stream
    else:
        yield module._load_from_socket(address, serializer)


# The defaults of Spark 4.3, in bytes and rows.
_ROW_LIMITS = {
    "CacheThreshold": "1048576",
    "SizeLimit": "3221225472",
    "ChunkSizeRows": "10000",
    "ChunkSizeBytes": "16777216",
    "BatchOfChunksSizeBytes": "1073741824",
}


def supply_row_limits(session: SparkSession) -> None:
    """Give a session of Spark Connect the limits of local rows as a newer client needs them.

    A client of Spark 4.3 asks for them before it sends rows of this process, and fails if an older server lacks one or,
    as Spark 4.1 does, answers ``3221225472b``. The limits are the client's own; they change no query.
    """
    for name, value in _ROW_LIMITS.items():
        key = f"spark.sql.session.localRelation{name}"
        given = (session.conf.get(key, None) or "").removesuffix("b")
        session.conf.set(key, given if given.isdigit() else value)
