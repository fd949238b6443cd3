"""The embedded Spark session: one local Spark in this process, whose metastore outlives the process.

The session starts on first use, so programs that only build and print queries never start a JVM. All its files are in
one directory, by default ``tableapi_home()``: ``warehouse/`` (table files), ``metastore/`` (the Derby database with
views, tables and functions), ``metastore.lock`` (the process that uses it), ``logs/spark.log``.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ir.errors import TableException
from tableapi.lazy import lazy
from tableapi.spark.errors import readable_errors
from tableapi.spark.home import tableapi_home
from tableapi.spark.java import JavaInstallation, find_java
from tableapi.spark.metastore_lock import METASTORE, MetastoreLock
from tableapi.spark.reachability import require_listener
from tableapi.spark.required_settings import FEATURES, REQUIRED_SETTINGS
from tableapi.spark.versions import client_version

if TYPE_CHECKING:
    from importlib import metadata

    import pyspark
    from pyspark import sql as spark_sql
    from pyspark.sql import SparkSession
else:
    metadata = lazy(__name__, "importlib.metadata")
    spark_sql = lazy(__name__, "pyspark.sql")
    pyspark = lazy(__name__, "pyspark")

_logger = logging.getLogger(__name__)

DEFAULT_TIME_ZONE = "UTC"

# Variables that would change the embedded session: another Spark, another cluster, other defaults.
_FOREIGN_VARIABLES = (
    "HADOOP_CONF_DIR",
    "PYSPARK_DRIVER_PYTHON",
    "PYSPARK_SUBMIT_ARGS",
    "SPARK_ANSI_SQL_MODE",
    "SPARK_CONF_DIR",
    "SPARK_HOME",
    "SPARK_TESTING",
    "YARN_CONF_DIR",
)
_JVM_EXIT_SECONDS = 20
# The last lines of a JVM that failed to start give the reason.
_LINES_OF_JVM = 10

# Spark's console log is no help to users of a fluent API, and repeats every error as a JVM stack trace.
_LOG4J = """\
rootLogger.level = warn
rootLogger.appenderRef.file.ref = file
appender.file.type = RollingFile
appender.file.name = file
appender.file.fileName = ${sys:tableapi.log}
appender.file.filePattern = ${sys:tableapi.log}.%i
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{yyyy-MM-dd HH:mm:ss.SSS} %p %c{1}: %m%n%ex
appender.file.policies.type = Policies
appender.file.policies.size.type = SizeBasedTriggeringPolicy
appender.file.policies.size.size = 20MB
appender.file.strategy.type = DefaultRolloverStrategy
appender.file.strategy.max = 2
"""


@frozen
class _Embedded:
    """The running embedded session and the parameters that it started with."""

    session: SparkSession
    directory: Path
    time_zone: str
    lock: MetastoreLock


_guard = threading.RLock()
_embedded: _Embedded | None = None
_refusal: str | None = None


def refuse_sessions(reason: str) -> None:
    """Prevent new sessions in this process from now on.

    Args:
        reason: the message of the error that is raised instead.
    """
    global _refusal
    _refusal = reason


def _require_no_refusal() -> None:
    if _refusal is not None:
        raise TableException(_refusal)


def remote_session(address: str) -> SparkSession:
    """Return the session of a Spark Connect server.

    Args:
        address: the address of the server, such as ``sc://host:15002``.

    Raises:
        TableException: the server cannot be reached, the address is invalid, or the process starts no sessions.
    """
    _require_no_refusal()
    require_listener(address)
    with readable_errors(f"Connecting to {address}"):
        session = spark_sql.SparkSession.builder.remote(address).getOrCreate()
        # The first call reaches the server.
        session.version  # noqa: B018
    return session


def embedded_session(warehouse: Path | None = None, time_zone: str | None = None) -> SparkSession:
    """Return the embedded local session of this process; start it if there is none.

    Args:
        warehouse: the directory for tables and metastore; by default the directory of the running session, or else
            ``tableapi_home()``.
        time_zone: the session time zone; by default the time zone of the running session, or else UTC.

    Raises:
        TableException: no Java was found; the directory is in use by another process, which the message names, or
            is not writable; this process already runs another Spark, or the embedded one with another directory
            or time zone; or the process starts no sessions.
    """
    global _embedded
    _require_no_refusal()
    with _guard:
        if _embedded is not None and not _is_alive(_embedded.session):
            stop_embedded_session()
        if _embedded is None:
            directory = _absolute(warehouse) if warehouse is not None else tableapi_home()
            _embedded = _start(directory, time_zone if time_zone is not None else DEFAULT_TIME_ZONE)
        elif warehouse is not None and _absolute(warehouse) != _embedded.directory:
            raise TableException(
                f"The embedded session of this process keeps its tables in {_embedded.directory}, and "
                f"{_absolute(warehouse)} was asked for. A process has one embedded session: use that directory, or "
                "call tableapi.spark.session.stop_embedded_session() first."
            )
        elif time_zone is not None and time_zone != _embedded.time_zone:
            raise TableException(
                f"The embedded session of this process was made with the time zone {_embedded.time_zone}, and "
                f"{time_zone} was asked for. Use that one, or call "
                "tableapi.spark.session.stop_embedded_session() first."
            )
        return _embedded.session


def begin_embedded_session(warehouse: Path | None = None) -> None:
    """Start the embedded session in another thread, for a program that is certain to need it and has work before that.

    ``embedded_session`` waits until the start is over. If the start fails, ``embedded_session`` starts the session
    itself, and raises the error. A process does not end before a start that has begun, because the first one creates
    the metastore.

    Args:
        warehouse: the directory for tables and metastore, as of ``embedded_session``.
    """
    threading.Thread(target=_start_early, args=(warehouse,), name="start of the embedded session").start()


def _start_early(warehouse: Path | None) -> None:
    try:
        embedded_session(warehouse)
    except Exception as error:
        # Whoever asks for the session starts it again, and gets this error.
        _logger.debug("The early start of the embedded session failed: %s", error)


def running_session() -> SparkSession | None:
    """Return the embedded session of this process, None if it does not run. Nothing is started."""
    with _guard:
        return _embedded.session if _embedded is not None and _is_alive(_embedded.session) else None


def stop_embedded_session() -> None:
    """Stop the embedded session and its JVM, and release the metastore; do nothing if there is no session.

    The JVM has to end, because Derby releases the metastore only then. ``embedded_session`` can start a new one.
    """
    global _embedded
    with _guard:
        if _embedded is None:
            return
        running, _embedded = _embedded, None
        try:
            if _is_alive(running.session):
                running.session.stop()
        finally:
            _end_jvm()
            running.lock.release()


def is_embedded(spark: object) -> bool:
    """Whether ``spark`` is the embedded session, or a session made from it by ``newSession()``."""
    with _guard:
        if _embedded is None:
            return False
        context = getattr(_embedded.session, "_sc", None)
        return spark is _embedded.session or (context is not None and getattr(spark, "_sc", None) is context)


def silence_pyspark() -> None:
    """Keep PySpark from printing what users of this library are told otherwise, or need not know."""
    # This logger prints every error a second time, as one long line of JSON.
    logging.getLogger("SQLQueryContextLogger").disabled = True
    # py4j raises errors and also reports them on the root logger, for instance the KeyboardInterrupt of Ctrl-C.
    logging.getLogger().addFilter(_is_not_raised_by_py4j)
    # The use of pandas here is tested with pandas 3, and users call PySpark only through this library.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)


def _start(directory: Path, time_zone: str) -> _Embedded:
    _require_jars()
    _refuse_other_spark()
    if ";" in str(directory) or '"' in str(directory):
        raise TableException(
            f"{directory} cannot hold the metastore: Derby's addresses may contain neither ; nor \". Set TABLEAPI_HOME."
        )
    lock = MetastoreLock.acquire(directory)
    try:
        java = find_java()
        with _environment(java), readable_errors("starting the embedded Spark session"):
            session = _create(directory, time_zone)
    except BaseException:
        _end_jvm()
        lock.release()
        raise
    _announce(session, java, directory, time_zone)
    return _Embedded(session, directory, time_zone, lock)


def _create(directory: Path, time_zone: str) -> spark_sql.SparkSession:
    silence_pyspark()
    configuration = _configuration(directory, time_zone)
    builder = spark_sql.SparkSession.builder.appName("tableapi")
    for key, value in configuration.items():
        builder = builder.config(key, value)
    with _keep_interrupt_handler():
        _launch_jvm(configuration, directory / "logs" / "jvm.log")
        return builder.enableHiveSupport().getOrCreate()


def _launch_jvm(configuration: dict[str, str], log: Path) -> None:
    """Start the JVM, with its own messages in a file, such as the one about an incubator module.

    Output of programs to standard error, for instance of user-defined functions, still goes to standard error.
    """
    conf = pyspark.SparkConf(loadDefaults=False)
    conf.setAll(list(configuration.items()))
    conf.set("spark.sql.catalogImplementation", "hive")
    launch: Any = pyspark.java_gateway.launch_gateway
    console = _console()
    try:
        with log.open("wb") as messages:
            inherited = {} if console is None else {"pass_fds": (console,)}
            try:
                gateway = launch(conf, {"stderr": messages, **inherited})
            except Exception as error:
                raise _jvm_failed(error, log) from None
        pyspark.SparkContext._ensure_initialized(gateway=gateway)
        jvm: Any = gateway.jvm
        if console is not None:
            jvm.java.lang.System.setErr(jvm.java.io.PrintStream(_open_descriptor(gateway, console), True))
    finally:
        if console is not None:
            os.close(console)


def _open_descriptor(gateway: Any, number: int) -> Any:
    """Return a stream of the JVM that writes to an inherited file descriptor, which has the same number there.

    The path ``/dev/fd/N`` would open a file again: it would empty it, and write over the lines of this process.
    """
    jvm = gateway.jvm
    types = gateway.new_array(jvm.java.lang.Class, 1)
    types[0] = jvm.java.lang.Integer.TYPE
    constructor = jvm.java.lang.Class.forName("java.io.FileDescriptor").getDeclaredConstructor(types)
    # Spark opens java.io to reflection.
    constructor.setAccessible(True)
    given = gateway.new_array(jvm.java.lang.Object, 1)
    given[0] = number
    return jvm.java.io.FileOutputStream(constructor.newInstance(given))


def _console() -> int | None:
    """Duplicate the file descriptor of standard error; return None if the process has none."""
    try:
        return os.dup(2)
    except OSError:
        return None


def _jvm_failed(error: Exception, log: Path) -> TableException:
    told = log.read_text(encoding="utf-8", errors="replace").strip()
    last = "\n".join(told.splitlines()[-_LINES_OF_JVM:])
    return TableException(f"The JVM of the embedded Spark session did not start: {last or error}")


def _is_not_raised_by_py4j(record: logging.LogRecord) -> bool:
    return not (record.name == "root" and record.module == "java_gateway" and record.funcName == "send_command")


@contextlib.contextmanager
def _keep_interrupt_handler() -> Iterator[None]:
    """Keep the program's handler of Ctrl-C, which PySpark replaces by a handler that calls the JVM."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread() and before is not None:
            signal.signal(signal.SIGINT, before)


def _configuration(directory: Path, time_zone: str) -> dict[str, str]:
    logs = directory / "logs"
    logs.mkdir(exist_ok=True)
    log4j = logs / "log4j2.properties"
    log4j.write_text(_LOG4J, encoding="utf-8")
    java_options = [
        # Spark parses and analyses nested SQL recursively; the default stack of 1 MB allows about 150 levels.
        "-Xss64m",
        _option("derby.system.home", directory),
        _option("log4j2.configurationFile", log4j.as_uri()),
        _option("tableapi.log", logs / "spark.log"),
    ]
    return {
        "spark.master": "local[*]",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": os.environ.get("SPARK_DRIVER_MEMORY", "2g"),
        "spark.driver.extraJavaOptions": " ".join(java_options),
        "spark.python.daemon.module": "tableapi_daemon",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.hadoop.javax.jdo.option.ConnectionURL": (
            f"jdbc:derby:;databaseName={directory / METASTORE};create=true"
        ),
        # Hive retries a rejected change ten times, by default at intervals of two seconds.
        "spark.hadoop.hive.hmshandler.retry.interval": "20ms",
        "spark.sql.warehouse.dir": str(directory / "warehouse"),
        "spark.sql.session.timeZone": time_zone,
        "spark.sql.ansi.enabled": "true",
        **_settings_with_other_defaults(),
        **FEATURES,
        # ${...} in a name or a literal is no variable reference.
        "spark.sql.variable.substitute": "false",
        # A chain of common table expressions takes one round of the analyzer per link.
        "spark.sql.analyzer.maxIterations": "2000",
        "spark.sql.shuffle.partitions": "4",
        # The state of process table functions over streams; the default store cannot keep it.
        "spark.sql.streaming.stateStore.providerClass": (
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
        ),
        # Results are fetched by whole partitions (decision 17), which are several times larger than the files read.
        "spark.sql.files.maxPartitionBytes": "32m",
        # Derby fails to compare partition dates if other partition values are not dates; Spark then compares them.
        "spark.sql.hive.metastorePartitionPruningFallbackOnException": "true",
    }


def _settings_with_other_defaults() -> dict[str, str]:
    """Return the required settings for which this version of Spark has another default."""
    version = client_version()
    return {
        setting.name: setting.required
        for setting in REQUIRED_SETTINGS
        if not setting.is_met_by(setting.default_in(version))
    }


def _option(name: str, value: object) -> str:
    # Spark splits the options at spaces outside of double quotes, within which a backslash escapes.
    escaped = str(value).replace("\\", "\\\\")
    return f'"-D{name}={escaped}"'


@contextlib.contextmanager
def _environment(java: JavaInstallation) -> Iterator[None]:
    """Set the environment variables with which the JVM starts, and restore the old ones afterwards."""
    wanted: dict[str, str | None] = dict.fromkeys(_FOREIGN_VARIABLES)
    # Workers would otherwise run the first python3 in PATH, without the packages of this environment.
    wanted |= {"JAVA_HOME": str(java.home), "PYSPARK_PYTHON": sys.executable}
    # The JVM passes PYTHONPATH to all workers, which import their daemon from there without having this package.
    given = os.environ.get("PYTHONPATH")
    wanted["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent / "workers"), *([given] if given else [])])
    before = {name: os.environ.get(name) for name in wanted}
    _set_environment(wanted)
    try:
        yield
    finally:
        _set_environment(before)


def _set_environment(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _require_jars() -> None:
    """Check that PySpark has Spark's jars, which clients such as databricks-connect and pyspark-client leave out."""
    found = find_spec("pyspark")
    assert found is not None
    assert found.origin is not None
    package = Path(found.origin).parent
    # In a Spark distribution, the package is in the directory python.
    if any((home / "jars").is_dir() for home in (package, package.parent.parent)):
        return
    owners = metadata.packages_distributions().get("pyspark", [])
    owner = f"of {' and '.join(sorted(set(owners)))} " if owners else ""
    builder = "DatabricksSession.builder" if "databricks-connect" in owners else "SparkSession.builder.remote(...)"
    raise TableException(
        f"The module pyspark {owner}in {package} is a client without Spark, so that no embedded session can start. "
        f"Pass a session on: TableEnvironment.create(spark={builder}.getOrCreate())."
    )


def _refuse_other_spark() -> None:
    """Check that this process has no other Spark, because its JVM options and its metastore cannot be changed."""
    advice = "Pass it on instead: TableEnvironment.create(spark=...)."
    if "SPARK_REMOTE" in os.environ or "SPARK_CONNECT_MODE_ENABLED" in os.environ:
        raise TableException(
            "This process uses Spark Connect (SPARK_REMOTE or SPARK_CONNECT_MODE_ENABLED is set), beside which no "
            f"embedded session can run. {advice} SparkSession.builder.getOrCreate() returns that session."
        )
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        raise TableException(
            "This process was started by spark-submit, which brings the JVM and its configuration. "
            f"{advice} SparkSession.builder.getOrCreate() returns its session."
        )
    context = pyspark.SparkContext._active_spark_context
    if context is not None:
        raise TableException(
            f"This process already runs Spark (application {context.appName!r} on {context.master}), which this "
            f"library did not start. {advice}"
        )
    if pyspark.SparkContext._gateway is not None:
        raise TableException(
            "This process already runs a JVM of a Spark session that has been stopped, so the embedded session cannot "
            "configure it. Make the session with SparkSession.builder.getOrCreate() and pass it on: "
            "TableEnvironment.create(spark=...)."
        )


def _is_alive(session: SparkSession) -> bool:
    gateway = pyspark.SparkContext._gateway
    process: subprocess.Popen[bytes] | None = getattr(gateway, "proc", None)
    jvm_runs = gateway is not None and (process is None or process.poll() is None)
    return jvm_runs and pyspark.SparkContext._active_spark_context is session.sparkContext


def _end_jvm() -> None:
    """End the JVM that PySpark started, and reset PySpark, so that the next session starts a new JVM."""
    if "pyspark" not in sys.modules:
        return
    gateway = pyspark.SparkContext._gateway
    if gateway is None:
        return
    gateway.shutdown()
    process: subprocess.Popen[bytes] | None = getattr(gateway, "proc", None)
    if process is not None:
        if process.stdin is not None:
            # The JVM watches this pipe and exits when it is closed.
            process.stdin.close()
        try:
            process.wait(_JVM_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    pyspark.SparkContext._gateway = None
    pyspark.SparkContext._jvm = None
    pyspark.SparkContext._active_spark_context = None
    spark_sql.SparkSession._instantiatedSession = None


def _announce(session: SparkSession, java: JavaInstallation, directory: Path, time_zone: str) -> None:
    text = (
        f"Spark {session.version} on Java {java.major_version} (from {java.source}); views and tables live in "
        f"{directory}; time zone {time_zone}"
    )
    _logger.info(text)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        # Standard error may be closed or missing (a windowed program); the log has the line in any case.
        print(f"tableapi: {text}", file=sys.stderr, flush=True)


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(Path(path).expanduser()))
