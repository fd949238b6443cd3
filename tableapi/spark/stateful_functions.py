"""Check, before a query starts, that the session can keep the state of process table functions over streams."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from ir.errors import TableException
from tableapi.spark.python_functions import PythonFunctions
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STATE_STORE: Final = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB: Final = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
WATERMARK_POLICY: Final = "spark.sql.streaming.multipleWatermarkPolicy"
# The module of protobuf that PySpark's messages import first. Other packages bring its parents.
_PROTOBUF: Final = "google.protobuf.descriptor"


def require_stateful_functions(session: SparkSession, functions: PythonFunctions, name: str, tables: int = 1) -> None:
    """Check that a session can run a process table function over a stream.

    Args:
        session: the session.
        functions: the functions of the session, which can ask its workers.
        name: the name of the function.
        tables: the number of its tables.

    Raises:
        TableException: the session cannot; the message says what to change.
    """
    versions = functions.versions
    if is_connect(session):
        raise TableException(
            f"The process table function {name} cannot run over a stream in a session of Spark Connect yet. Use a "
            "classic session; or call it over a table, such as the one that the stream writes."
        )
    if not versions.has_stateful_functions:
        raise TableException(
            f"The process table function {name} over a stream needs Spark 4.3; this session has Spark "
            f"{versions.server} and pyspark {versions.client}. Call it over a table, such as the one that the stream "
            "writes."
        )
    provider = str(session.conf.get(STATE_STORE))
    if provider != ROCKSDB:
        raise TableException(
            f"The process table function {name} over a stream keeps its state in RocksDB, and the session has "
            f"{provider.rpartition('.')[2]}. Set it before the query starts: "
            f"spark.conf.set({STATE_STORE!r}, {ROCKSDB!r}). RocksDB is part of Spark."
        )
    policy = str(session.conf.get(WATERMARK_POLICY))
    if tables > 1 and policy != "min":
        raise TableException(
            f"The process table function {name} over several streams follows the least of their watermarks, and the "
            f"session takes the policy {policy!r}, by which rows of the slower streams would be late. Set it before "
            f"the query starts: spark.conf.set({WATERMARK_POLICY!r}, 'min')."
        )
    if not _has_module(_PROTOBUF):
        raise TableException(
            f"The process table function {name} over a stream needs the package protobuf, which is not installed: "
            "pip install 'tableapi[streams]'."
        )
    missing, what = functions.ask_workers([_PROTOBUF])
    if missing:
        raise TableException(
            f"The process table function {name} over a stream needs the package protobuf, which Spark's workers lack "
            f"({what}). Install it there: pip install 'tableapi[streams]'. The environment variable PYSPARK_PYTHON "
            "chooses their Python."
        )


def _has_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
