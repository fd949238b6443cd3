"""Run queries and statements on a Spark session."""

from __future__ import annotations

import contextlib
import functools
import io
import itertools
import uuid
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from pyspark.errors import PySparkException
from pyspark.sql.types import StructField, StructType

from ir.contents import PROCESS
from ir.equal_names import change_query
from ir.errors import TableException, ValidationException
from ir.identifiers import FunctionIdentifier, ObjectIdentifier, fold, parse_path, quote
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource, Source, StreamRead
from ir.rewriting import sources_of, transform_operations
from ir.schema import ResolvedSchema
from ir.streaming.process_calls import calls_below_state
from ir.streaming.rules import require_some_mode
from serializer.merged import merged_text_and_spans
from serializer.nested import nested_text_and_spans
from serializer.source_blocks import source_text
from serializer.spark_notation import SPARK
from serializer.text import Span
from tableapi.catalog.catalog import CatalogView
from tableapi.catalog.read_cache import cache_reads
from tableapi.catalog.statements import string
from tableapi.catalog.stored_programs import allows_programs
from tableapi.data.dataframes import KIND as DATAFRAME
from tableapi.data.dataframes import dataframe_source
from tableapi.declarations.file_tables import FileTable
from tableapi.lazy import lazy
from tableapi.spark.asynchronous_functions import AsyncFunctions
from tableapi.spark.batches import ArrowBatches, collect_rows
from tableapi.spark.cached_tables import CachedTables, storage_level
from tableapi.spark.catalog_names import SESSION_CATALOG
from tableapi.spark.errors import (
    extend_message,
    make_refused_plan_error,
    readable_errors,
)
from tableapi.spark.files import MISSING, read_files
from tableapi.spark.namespace import SessionNamespace
from tableapi.spark.planner.asynchronous.planning import expanding, plan_async
from tableapi.spark.planner.binding import bind
from tableapi.spark.planner.fetching import fetchable
from tableapi.spark.planner.functions import bind_functions
from tableapi.spark.planner.nesting import require_shallow
from tableapi.spark.planner.process import PlannedCall, bind_process_functions, process_calls
from tableapi.spark.planner.sql_functions import expand_functions
from tableapi.spark.process_functions import ProcessFunctions, StatefulCall
from tableapi.spark.python_functions import PythonFunctions
from tableapi.spark.query_watch import watch_query
from tableapi.spark.schemas import dataframe_schema, dataframe_stream
from tableapi.spark.sent_texts import PREFIX, SentText, explain_failures
from tableapi.spark.settings import CheckedSettings, SessionSettings, refuse_substitution, thread_stack
from tableapi.spark.stored_code import require_no_stored_code, require_no_stored_code_in
from tableapi.spark.streaming.shape import shape_of
from tableapi.spark.streams import NO_PLAN, require_runnable
from tableapi.spark.types import to_spark
from tableapi.spark.variables import variable_of
from tableapi.spark.versions import SessionVersions, frame_of_arrow, is_connect, supply_row_limits
from tableapi.spark.views.descriptions import describe
from tableapi.spark.written_rows import count_rows_of_sail, count_written_rows

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

    from grammar.builder.context import Variable
    from serializer.notation import Notation
    from tableapi.spark import malformed_records
else:
    malformed_records = lazy(__name__, "tableapi.spark.malformed_records")

_T = TypeVar("_T")
# Spark resolves a query in at most 100 rounds. A chain of steps that need a SELECT each ran with 120, not with 200.
_LONGEST_CHAIN = 150
# A shorter text contains no expression that is too deep for any stack.
_TEXT_OF_DEEP_EXPRESSIONS = 2_000
_PLANNING_FAILED = "Error occurred during query planning: "


class SparkExecution:
    """Runs the queries of one environment on one Spark session.

    Args:
        session: the session.
        versions: the versions of its server and its client.
        expand: returns the query behind a source of a catalog that Spark does not have, or None for other sources.
        temporary: returns the query of a temporary view of the environment, or None for other sources.
        parameters: returns the configuration, of which user-defined functions may read entries.
        is_stored: whether Spark finds a SQL function under its path.
    """

    def __init__(
        self,
        session: SparkSession,
        versions: SessionVersions,
        expand: Callable[[Source], QueryOperation | None],
        temporary: Callable[[Source], QueryOperation | None],
        parameters: Callable[[], Mapping[str, str]],
        is_stored: Callable[[FunctionIdentifier], bool],
        prepare: Callable[[QueryOperation], QueryOperation],
        notation: Callable[[], Notation],
    ) -> None:
        self.session = session
        self._for_target = prepare
        self._notation = notation
        self.versions = versions
        self._settings = CheckedSettings(session)
        self._namespace = SessionNamespace(session)
        self._expand = expand
        self._temporary = temporary
        self._names: weakref.WeakKeyDictionary[InlineSource, str] = weakref.WeakKeyDictionary()
        self._registered: set[str] = set()
        # Environments that share a session must not use each other's names.
        self._prefix = f"{PREFIX}{uuid.uuid4().hex[:12]}"
        self._numbers = itertools.count()
        self._texts: dict[str, str] = {}
        self._is_stored = is_stored
        self._parameters = parameters
        self._functions = PythonFunctions(session, versions, self._prefix, parameters)
        self._async_functions = AsyncFunctions(self._functions, parameters)
        self._computed: dict[QueryOperation, QueryOperation] = {}
        self.cached = CachedTables(session, self._new_name)
        # The texts that produce the input rows of the process table functions of a query.
        self._inputs: list[SentText] = []
        self._process_functions = ProcessFunctions(session, self._prefix, parameters, self._functions)
        self.is_connect = is_connect(session)
        # Whether a view may read a table whose files are still to be written.
        self._files_may_be_missing = False
        # Temporary tables and views that read streams of files whose directories did not exist, by their folded names.
        self._without_directory: dict[str, QueryOperation] = {}

    # --- queries -----------------------------------------------------------------------------------------------------

    def settings(self) -> SessionSettings:
        """Return the settings of the session.

        Raises:
            ValidationException: a setting would change the meaning of queries.
        """
        return self._settings.current()

    def dataframe(self, operation: QueryOperation) -> DataFrame:
        """Return a DataFrame of the session for a query.

        Raises:
            TableException: Spark rejects the query.
            ValidationException: the query is over a stream, and no output mode can run it.
        """
        require_some_mode(operation)

        def made(text: str) -> DataFrame:
            frame = self._frame_of(text)
            require_runnable(frame)
            return frame

        return self._run(operation, made)

    def stream(
        self, operation: QueryOperation, initial_states: Mapping[str, DataFrame] = MappingProxyType({})
    ) -> tuple[DataFrame, Callable[[], AbstractContextManager[None]]]:
        """Return a DataFrame for a query over a stream, and a context manager that makes errors of its run readable.

        Args:
            operation: the query.
            initial_states: the states with which process table functions begin, by ``uid``.

        Raises:
            TableException: Spark rejects the query.
        """
        with self._process_functions.beginning_with(initial_states):
            text, readable = self._prepare(operation, lasts=True)
            with readable():
                return self._frame_of(text), readable

    @property
    def stateful_calls(self) -> Mapping[str, StatefulCall]:
        """The process table functions over streams, by the views that have their rows."""
        return self._process_functions.stateful_calls

    def parameters(self) -> dict[str, str]:
        """Return the configuration of the environment."""
        return dict(self._parameters())

    def arrow(self, operation: QueryOperation) -> pyarrow.Table:
        """Run a query and return all its rows.

        Raises:
            TableException: the query failed; the message names the operation, and Spark's error condition and SQLSTATE.
        """
        return self._run(fetchable(operation), lambda text: collect_rows(self._frame_of(text)))

    def batches(self, operation: QueryOperation) -> ArrowBatches:
        """Run a query and return its rows in batches, of which the first has been computed on return.

        Raises:
            TableException: the query failed, now or later; the message names the operation, and Spark's error condition
                and SQLSTATE.
        """
        with self._watched():
            text, readable = self._prepare(fetchable(operation))
            with readable():
                frame = self._frame_of(text)
        return ArrowBatches(frame, readable, self._watched)

    def _watched(self, tag: str | None = None) -> AbstractContextManager[None]:
        """Show the progress of jobs that run in the block, and cancel them on Ctrl-C; see ``watched``."""
        return watch_query(self.session, self._parameters(), tag)

    def plan(self, operation: QueryOperation, mode: str = "formatted") -> str:
        """Return Spark's plan of a query in a mode: ``formatted``, ``cost``, ``extended`` or ``codegen``."""

        def explain(text: str) -> str:
            frame = self.session.sql(text)
            if frame.isStreaming:
                return NO_PLAN
            written = io.StringIO()
            with contextlib.redirect_stdout(written):
                frame.explain(mode)
            return written.getvalue().strip()

        return self._run(operation, explain)

    def run_into(self, head: str, operation: QueryOperation) -> int:
        """Run a statement that ends with a query, such as INSERT; ``head`` is the text before the query.

        Returns the number of rows that it has written, -1 if Spark does not report it.

        Raises:
            TableException: the statement failed; the message names the operation, and Spark's error condition and
                SQLSTATE.
        """

        def run(text: str) -> int:
            # session.sql() runs a statement immediately, so analyse the query alone first.
            self._frame_of(text.removeprefix(head))
            done = self.session.sql(text)
            if self.versions.sail is not None:
                return count_rows_of_sail(done)
            done.collect()
            return count_written_rows(done)

        return self._run(operation, run, head)

    def planned(self, head: str, operation: QueryOperation, mode: str = "FORMATTED") -> str:
        """Return Spark's plan of a statement that ends with a query, without running it.

        Raises:
            TableException: Spark rejects the statement.
        """
        return self._run(operation, lambda text: self.plan_of_text(text, mode), head)

    def plan_of_text(self, text: str, mode: str = "FORMATTED") -> str:
        """Return Spark's plan of a statement, without running it.

        Raises:
            TableException: Spark rejects the statement.
        """
        self.settings()
        with readable_errors("EXPLAIN", text):
            rows = self.session.sql(f"EXPLAIN {mode} {text}").collect()
        # EXPLAIN returns errors of the statement as rows instead of raising them.
        lines = [str(row[0]) for row in rows]
        if lines and lines[0].startswith(_PLANNING_FAILED):
            raise make_refused_plan_error("\n".join(lines).removeprefix(_PLANNING_FAILED).strip())
        return "\n".join(lines).strip()

    def statement(self, text: str, *, under_any_settings: bool = False) -> DataFrame:
        """Run a statement as it is; ``under_any_settings`` is for statements that show or change settings.

        Raises:
            TableException: Spark rejects the statement.
            ValidationException: the settings of the session are not allowed.
        """
        if not under_any_settings:
            self.settings()
            if not allows_programs(self._parameters()):
                require_no_stored_code_in(self.session, text)
        with readable_errors(None, text), self._watched():
            return self.session.sql(text)

    def arrow_of(self, frame: DataFrame, schema: ResolvedSchema) -> pyarrow.Table:
        """Return the rows of a statement.

        Raises:
            TableException: the statement failed.
        """
        source = dataframe_source(frame, schema)
        if fetchable(source) is not source:
            return self.arrow(source)
        with readable_errors(), self._watched():
            return collect_rows(frame)

    def json_plan(self, operation: QueryOperation) -> str:
        """Return Spark's physical plan as JSON, or the reason why there is none."""
        if self.is_connect:
            return "(none: Spark Connect has no plan as JSON)"

        def plan(text: str) -> str:
            frame: Any = self.session.sql(text)
            if frame.isStreaming:
                return NO_PLAN
            return str(frame._jdf.queryExecution().executedPlan().toJSON())

        return self._run(operation, plan)

    def schema_of_source(self, source: Source) -> ResolvedSchema:
        """Return the columns of a table at a version or a point in time.

        Raises:
            TableException: Spark does not know the table, or the table has no versions.
        """
        text = f"SELECT * FROM {source_text(source, SPARK)}"
        with readable_errors(f"Reading {source.identifier.as_summary_string()}", text):
            return dataframe_schema(self.session.sql(text))

    def namespace(self) -> tuple[str, ...]:
        """Return the session's current catalog and the parts of its current namespace, in their spelling."""
        return self._namespace.read()

    def use(self, namespace: tuple[str, ...]) -> None:
        """Set the session's current catalog and namespace."""
        self._namespace.use(namespace)

    def text(self, operation: QueryOperation) -> str:
        """Return the SQL text of a query as Spark gets it."""
        return self._write(self._for_target(self._bind(operation)))[0]

    def _write(self, bound: QueryOperation) -> tuple[str, list[Span]]:
        """Return the text of a query over objects of the session, with the positions of its operations."""
        if bound.is_unbounded:
            # Spark checks what a stream can do before it knows what the queries of WITH do: it refuses a sort of groups
            # in WITH, and misses groups of groups.
            return nested_text_and_spans(bound, self._notation())
        return merged_text_and_spans(bound, self._notation(), _LONGEST_CHAIN)

    def _frame_of(self, text: str) -> DataFrame:
        """Return the DataFrame of a query; raise if a stored view in it runs code that the configuration forbids."""
        frame = self.session.sql(text)
        if not allows_programs(self._parameters()):
            require_no_stored_code(frame)
        return frame

    def _run(
        self, operation: QueryOperation, action: Callable[[str], _T], head: str = "", *, lasts: bool = False
    ) -> _T:
        with self._watched():
            text, readable = self._prepare(operation, head, lasts=lasts)
            with readable():
                return action(text)

    def _prepare(
        self, operation: QueryOperation, head: str = "", *, lasts: bool = False
    ) -> tuple[str, Callable[[], AbstractContextManager[None]]]:
        """Return the text that runs a query, and a context manager that makes errors of the run readable."""
        settings = self.settings()
        self._refresh(operation)
        self._inputs = []
        bound = self._bind(operation, lasts=lasts)
        made = self._text_of(bound, settings, head)
        texts = [made, *self._inputs]
        return made.text, lambda: explain_failures(
            texts, lambda message: self._explain_record(message, sources_of(bound))
        )

    def explain_failure(self, error: TableException, sources: Iterable[QueryOperation]) -> TableException:
        """Return the error of a statement with the column of a record that Spark refused; other errors unchanged.

        Args:
            error: the error of Spark.
            sources: the tables that the statement reads.
        """
        return extend_message(error, self._explain_record(str(error), sources))

    def _explain_record(self, message: str, sources: Iterable[QueryOperation]) -> str:
        """Explain the error about a record of a file that Spark refused; return an empty string for other errors."""
        if not malformed_records.is_about_record(message):
            return ""
        tables = [source.handle for source in self._names if isinstance(source.handle, FileTable)]
        tables += malformed_records.find_csv_tables(self.session, sources)
        return malformed_records.explain_malformed_record(self.session, message, tables)

    def _text_of(self, bound: QueryOperation, settings: SessionSettings, head: str = "") -> SentText:
        """Write the text of a query over objects of the session."""
        bound = self._for_target(bound)
        text, spans = self._write(bound)
        if len(text) > _TEXT_OF_DEEP_EXPRESSIONS and (stack := self._stack) is not None:
            require_shallow(bound, stack)
        text = head + text
        refuse_substitution(text, settings)
        return SentText(text, spans, len(head), bound)

    @functools.cached_property
    def _stack(self) -> int | None:
        """The stack size of Spark's threads in kilobytes; None for a Connect server, where it is unknown."""
        return None if self.is_connect else thread_stack(self.session)

    def cache(self, operation: QueryOperation, level: Any) -> None:
        """Cache the rows of a query in Spark when they are first read.

        Raises:
            ValidationException: the storage level is unknown.
            TableException: Spark rejects the query, or the query is streaming.
        """
        kept_at = storage_level(level)
        if operation in self.cached and kept_at is None:
            return
        self.cached.remove(operation)
        frame = self.dataframe(operation)
        if frame.isStreaming:
            raise TableException(
                "The rows of a stream cannot be cached: it has no end. Cache a table that it is joined with."
            )
        self.cached.add(operation, frame, kept_at)

    # --- names in the session ----------------------------------------------------------------------------------------

    def register(self, name: str, operation: QueryOperation) -> None:
        """Register a query as a temporary view of the session.

        A stream of files needs their directory, which a sink does not have before its first row. Without one, the view
        is registered by the first query that reads it.
        """
        self._without_directory.pop(fold(name), None)
        self._files_may_be_missing = True
        try:
            with self._watched():
                self._create_view(name, operation)
        except TableException as error:
            if error.condition != MISSING or not operation.is_unbounded:
                raise
            self._without_directory[fold(name)] = operation
        finally:
            self._files_may_be_missing = False

    def _create_view(self, name: str, operation: QueryOperation) -> None:
        head = f"CREATE OR REPLACE TEMPORARY VIEW {quote(name)} AS\n"
        text, readable = self._prepare(operation, head, lasts=True)
        with readable():
            self.session.sql(text).collect()
        self._texts[name] = text.partition(" AS\n")[2]

    def has_registered(self, name: str) -> bool:
        """Whether the session still has the temporary view that ``register`` created."""
        with readable_errors():
            # The current catalog may have no views, and its database may be gone. Temporary views are listed anywhere.
            views = self.session.sql(f"SHOW VIEWS IN {SESSION_CATALOG}.default LIKE {_pattern(name)}").collect()
            # Spark stores the names of temporary views in lower case.
            if not any(row["isTemporary"] and fold(row["viewName"]) == fold(name) for row in views):
                return False
            return describe(self.session, quote(name)).text == self._texts.get(name)

    def foreign_views(self) -> list[str]:
        """Return the names of the session's temporary views, without the generated ones of anonymous data."""
        with readable_errors("SHOW VIEWS"):
            rows = self.session.sql(f"SHOW VIEWS IN {SESSION_CATALOG}.default").collect()
        return [str(row["viewName"]) for row in rows if row["isTemporary"] and not row["viewName"].startswith(PREFIX)]

    def foreign_functions(self, scope: str) -> list[str]:
        """Return the names of built-in functions, and of temporary functions that this library did not register.

        Args:
            scope: ``SYSTEM`` for built-in functions, ``USER`` for temporary ones, empty for both.
        """
        statement = " ".join(["SHOW", scope or "ALL", "FUNCTIONS"])
        with readable_errors(statement):
            names = [str(row[0]) for row in self.session.sql(statement).collect()]
        # Functions of catalogs are listed with their paths.
        return [name for name in names if "." not in name and not name.startswith(PREFIX)]

    def set(self, key: str, value: str | None) -> None:
        """Set a setting of the session, or reset it to its default if ``value`` is None.

        Raises:
            TableException: Spark rejects the setting.
        """
        with readable_errors(f"SET {key}"):
            if value is None:
                self.session.conf.unset(key)
            else:
                self.session.conf.set(key, value)

    def unregister(self, name: str) -> None:
        """Drop a temporary view of the session if it exists."""
        with readable_errors(f"DROP VIEW {name}"):
            self.session.sql(f"DROP VIEW IF EXISTS {quote(name)}").collect()

    def temporary_source(self, name: str, database: str | None = None) -> Source | None:
        """Return the source for a temporary view of the session, or None if there is no such view.

        ``database`` is the database of global temporary views, or None for a view of this session alone.
        """
        identifier = ObjectIdentifier(name, database)
        path = identifier.as_serializable_string()
        with readable_errors():
            exists = self._has_temporary_view(name) if database is None else self.session.catalog.tableExists(path)
            if not exists:
                return None
            frame = self.session.table(path)
            return Source(identifier, dataframe_schema(frame), stream=dataframe_stream(frame))

    def _has_temporary_view(self, name: str) -> bool:
        if not self.is_connect:
            # This runs for every table name, and the public catalog API takes twenty times as long.
            session: Any = self.session
            return bool(session._jsparkSession.sessionState().catalog().getRawTempView(name).isDefined())
        catalog = self.session.catalog
        return bool(catalog.tableExists(quote(name)) and catalog.getTable(quote(name)).isTemporary)

    def create_global_view(
        self, name: str, operation: QueryOperation, columns: Sequence[str], *, replaces: bool
    ) -> None:
        """Create a view of a query that all sessions of the application see, in the database ``global_temp``.

        Args:
            name: the name of the view.
            operation: the query.
            columns: the names of its columns; empty for those of the query.
            replaces: whether a view of the name is replaced.

        Raises:
            TableException: there is a view of the name, or Spark rejects the query.
        """
        frame = self.dataframe(operation)
        with readable_errors(f"Creating the global temporary view {name}"):
            named = frame.toDF(*columns) if columns else frame
            create = named.createOrReplaceGlobalTempView if replaces else named.createGlobalTempView
            create(name)

    def variable(self, name: str) -> Variable | None:
        """Return a variable of the session, or None if there is none."""
        return variable_of(self.session, name)

    def temporary_definition(self, name: str) -> CatalogView | None:
        """Return the definition of a temporary view that others created in the session, or None if there is none.

        The text is empty for a view made from a DataFrame.
        """
        source = self.temporary_source(name)
        if source is None:
            return None
        with readable_errors(f"Reading the temporary view {name}"):
            found = describe(self.session, quote(name))
        return CatalogView(
            source.schema,
            found.text,
            # Spark records no settings for temporary views. The session has the required settings anyway.
            settings=found.settings,
            namespace=parse_path(found.namespace) if found.namespace else (),
            query_names=found.query_names,
            collation=found.collation,
        )

    def _bind(self, operation: QueryOperation, *, lasts: bool = False) -> QueryOperation:
        """Bind a query to objects of the session; with ``lasts``, it can be read again after its tables change."""
        self._forget_unused()
        return change_query(operation, functools.partial(self._bind_under_distinct_names, lasts=lasts))

    def _bind_under_distinct_names(self, operation: QueryOperation, *, lasts: bool) -> QueryOperation:
        bound = self._replace(self._rewrite_for_session(operation, reads_cached=not lasts))
        if bound.is_unbounded and bound.contents & PROCESS:
            # Views may hide what keeps state below or above a call.
            require_some_mode(bound)
        planned = plan_async(bound, self._async_functions.options)
        if planned is not None:
            bound = planned.lowered(self._async_functions.options, self._async_functions.name)
        bound = bind_functions(bound, self._functions)
        # Without arrow_udtf, a view reads the tables as Spark has them when it is made, like a view of a DataFrame.
        is_function = lasts and self.versions.has_arrow_functions

        followed = calls_below_state(bound) if bound.is_unbounded else {}

        def place(planned: PlannedCall) -> QueryOperation:
            if planned.keeps_state_of_stream:
                return self._stream_of(planned, followed.get(planned.call.uid))
            if planned.call.is_unbounded:
                return self._rows_of(planned)
            return self._find_view_query(planned) if is_function else self._rows_of(planned)

        return bind_process_functions(bound, place)

    def _stream_of(self, planned: PlannedCall, followed: bool | None) -> QueryOperation:
        """Return the source that reads the rows of a process table function over a stream.

        Args:
            planned: the call.
            followed: whether an operation of Spark with state follows; None if no operation with state does.
        """
        made = self._text_of(planned.sent, self.settings())
        self._inputs.append(made)
        with explain_failures([made]):
            frame = self._frame_of(made.text)
            name = self._process_functions.stream_view(planned, frame, followed)
        calls = {call.title for call in self.stateful_calls.values()}
        # The rules do not see what is behind views of the session.
        for below in [part for part in shape_of(frame, self.stateful_calls).state if part.title not in calls]:
            raise ValidationException(
                f"The {planned.call.label} keeps state over the result of {below.title}, and Spark would not know its "
                "watermark. Write that result to a table, and read it as another stream."
            )
        times = (len(planned.call.schema) - 1,) if followed is not None and planned.call.on_time else ()
        return Source(
            ObjectIdentifier(name), planned.call.schema, stream=StreamRead(is_declared=True, time_columns=times)
        )

    def _find_view_query(self, planned: PlannedCall) -> QueryOperation:
        """Return the query that stands for a process table function in the text of a view of the session."""
        return planned.as_function(self._process_functions.function(planned))

    def _rows_of(self, planned: PlannedCall) -> QueryOperation:
        """Return the source that reads the rows of a process table function over its current input.

        mapInArrow on a DataFrame is cheaper than a table function, for which Spark keeps every input row to join it
        with the output.
        """
        made = self._text_of(planned.sent, self.settings())
        self._inputs.append(made)
        with explain_failures([made]):
            name = self._process_functions.view(planned, self._frame_of(made.text))
        stream = StreamRead(is_declared=True) if planned.call.is_unbounded else None
        return Source(ObjectIdentifier(name), planned.call.schema, stream=stream)

    def _rewrite_for_session(self, operation: QueryOperation, *, reads_cached: bool = True) -> QueryOperation:
        """Replace the sources of a query by objects of the session; with ``reads_cached``, also by cached rows."""
        expand = expanding(self._expand, self._temporary)

        def expanded(query: QueryOperation) -> QueryOperation:
            return expand_functions(self.cached.over(query) if reads_cached else query, self._is_stored)

        def behind(source: Source) -> QueryOperation | None:
            found = expand(source)
            if found is None and reads_cached and self.cached:
                # The session has the view, too, but recomputes its rows.
                found = self._temporary(source)
            return None if found is None else expanded(found)

        # Expand bodies first: they may read views, and may call user-defined functions.
        with cache_reads():
            return bind(expanded(operation), behind, self._name_source)

    # --- calls that several inserts share ----------------------------------------------------------------------------

    @contextlib.contextmanager
    def share_process_calls(self, queries: Sequence[QueryOperation]) -> Iterator[None]:
        """Run the process table functions that several queries share only once within the block.

        Raises:
            TableException: a query cannot be planned.
        """
        bound = [self._rewrite_for_session(query) for query in queries]
        counts = Counter(call for query in bound for call in process_calls(query))
        frames: list[DataFrame] = []
        names: list[str] = []
        try:
            # Inner calls first, so that outer calls read the computed rows.
            for call in [call for call, count in counts.items() if count > 1]:
                key = self._replace(call)
                frame = self.dataframe(call).persist()
                frames.append(frame)
                name = self._new_name()
                with readable_errors(f"Computing {call.title}"):
                    frame.createOrReplaceTempView(name)
                names.append(name)
                self._computed[key] = Source(ObjectIdentifier(name), call.schema)
            yield
        finally:
            self._computed.clear()
            for name in names:
                self.unregister(name)
            for frame in frames:
                frame.unpersist()

    def _replace(self, operation: QueryOperation) -> QueryOperation:
        if not self._computed:
            return operation
        return transform_operations(operation, lambda current: self._computed.get(current, current))

    def _refresh(self, operation: QueryOperation) -> None:
        """Make Spark list the files of the query's temporary views again.

        Raises:
            TableException: the query reads a stream of files whose directory still does not exist.
        """
        seen: set[Source] = set()
        waiting = [operation]
        while waiting:
            for source in sources_of(waiting.pop()):
                if isinstance(source, InlineSource) and isinstance(source.handle, FileTable) and source in self._names:
                    self._name_source(source)
                elif isinstance(source, Source) and source not in seen:
                    seen.add(source)
                    behind = self._temporary(source)
                    if behind is not None:
                        waiting.append(behind)
                        name = source.identifier.name
                        if fold(name) in self._without_directory:
                            self._create_view(name, behind)
                            del self._without_directory[fold(name)]

    def _new_name(self) -> str:
        return f"{self._prefix}_{next(self._numbers)}"

    def _name_source(self, source: InlineSource) -> QueryOperation:
        name = self._names.get(source)
        # A DataFrame over files reads the files that existed when it was made.
        if name is None or isinstance(source.handle, FileTable):
            name = name or self._new_name()
            with readable_errors(f"Reading an anonymous {source.kind}"):
                self._frame(source).createOrReplaceTempView(name)
            self._names[source] = name
            self._registered.add(name)
        return Source(ObjectIdentifier(name), source.schema, stream=source.stream)

    def _frame(self, source: InlineSource) -> DataFrame:
        if isinstance(source.handle, FileTable):
            return read_files(self.session, source.handle, may_be_missing=self._files_may_be_missing)
        return source.handle if source.kind == DATAFRAME else self._frame_of_arrow(source)

    def _frame_of_arrow(self, source: InlineSource) -> DataFrame:
        fields = [StructField(c.name, to_spark(c.data_type), c.data_type.nullable) for c in source.schema.columns]
        try:
            return frame_of_arrow(self.session, source.handle, StructType(fields))
        except (ValueError, PySparkException):
            if not self.is_connect or self.versions.server >= self.versions.client:
                raise
        supply_row_limits(self.session)
        return frame_of_arrow(self.session, source.handle, StructType(fields))

    def _forget_unused(self) -> None:
        """Drop the views of data that no query uses any more; not on Connect, where a DataFrame may need them later."""
        if self.is_connect:
            return
        for name in self._registered - set(self._names.values()):
            self.unregister(name)
            self._registered.discard(name)


def _pattern(name: str) -> str:
    """Return a pattern for SHOW VIEWS, a kind of regular expression, that matches at least the name."""
    return string("".join(c if c.isalnum() or c == "_" else "." for c in name))
