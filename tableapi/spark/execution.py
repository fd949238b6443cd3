"""Running queries on a Spark session."""

from __future__ import annotations

import itertools
import uuid
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ir.errors import ValidationException
from ir.identifiers import ObjectIdentifier, quote
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource, Source
from ir.rendering import Dialect
from ir.schema import Column, ResolvedSchema
from serializer.nested import Span, nested_text_and_spans
from tableapi.spark.errors import QueryContext, readable_errors, translate
from tableapi.spark.planner.binding import bind
from tableapi.spark.planner.fetching import fetchable
from tableapi.spark.settings import SessionSettings, check_settings, is_connect
from tableapi.spark.types import from_spark, to_spark

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

_T = TypeVar("_T")


class SparkExecution:
    """Runs the queries of one environment on one Spark session.

    ``expand`` returns the query behind a source of a catalog that Spark does not have, None for one that it has.
    """

    def __init__(self, session: SparkSession, expand: Callable[[Source], QueryOperation | None]) -> None:
        self.session = session
        self._expand = expand
        self._names: weakref.WeakKeyDictionary[InlineSource, str] = weakref.WeakKeyDictionary()
        self._registered: set[str] = set()
        # Several environments may share a session, and must not take each other's names.
        self._prefix = f"__tableapi_{uuid.uuid4().hex[:12]}"
        self._numbers = itertools.count()
        self.is_connect = is_connect(session)

    # --- queries -----------------------------------------------------------------------------------------------------

    def settings(self) -> SessionSettings:
        """Return the session's settings.

        Raises:
            ValidationException: some are such that queries would not mean what they are typed as.
        """
        return check_settings(self.session)

    def dataframe(self, operation: QueryOperation) -> DataFrame:
        """Return the query as a DataFrame of the session.

        Raises:
            TableException: Spark refuses the query.
        """
        return self._run(operation, lambda text: self.session.sql(text))

    def arrow(self, operation: QueryOperation) -> pyarrow.Table:
        """Run the query and return all its rows.

        Raises:
            TableException: the query failed; the message names the operation, Spark's condition and SQLSTATE.
        """
        return self._run(fetchable(operation), lambda text: self.session.sql(text).toArrow())

    def plan(self, operation: QueryOperation) -> str:
        """Return Spark's physical plan of the query."""
        import contextlib
        import io

        def explain(text: str) -> str:
            written = io.StringIO()
            with contextlib.redirect_stdout(written):
                self.session.sql(text).explain("formatted")
            return written.getvalue().strip()

        return self._run(operation, explain)

    def insert(self, operation: QueryOperation, target: ObjectIdentifier, overwrite: bool) -> None:
        """Append the rows of a query to a table, or replace its rows by them."""
        verb = "INSERT OVERWRITE TABLE" if overwrite else "INSERT INTO"
        head = f"{verb} {target.as_serializable_string()}\n"
        self._run(operation, lambda text: self.session.sql(text).collect(), head)

    def statement(self, text: str) -> DataFrame:
        """Run a statement as it is.

        Raises:
            TableException: Spark refuses it.
        """
        self.settings()
        with readable_errors(None, text):
            return self.session.sql(text)

    def text(self, operation: QueryOperation) -> str:
        """Return the SQL that Spark is given for a query."""
        return nested_text_and_spans(self._bound(operation), Dialect.SPARK)[0]

    def _run(self, operation: QueryOperation, action: Callable[[str], _T], head: str = "") -> _T:
        settings = self.settings()
        bound = self._bound(operation)
        text, spans = nested_text_and_spans(bound, Dialect.SPARK)
        text = head + text
        refuse_substitution(text, settings)
        try:
            return action(text)
        except Exception as error:
            translated = translate(error, None, text)
            if translated is error:
                raise
            at = getattr(translated, "query_context", None)
            raise translate(error, _operation_at(at, spans, len(head), bound), text) from None

    # --- names in the session ----------------------------------------------------------------------------------------

    def register(self, name: str, operation: QueryOperation) -> None:
        """Make a query a temporary view of the session."""

        def create(text: str) -> None:
            self.session.sql(f"CREATE OR REPLACE TEMPORARY VIEW {quote(name)} AS\n{text}").collect()

        self._run(operation, create)

    def unregister(self, name: str) -> None:
        """Remove a temporary view from the session, if it is there."""
        with readable_errors(f"DROP VIEW {name}"):
            self.session.sql(f"DROP VIEW IF EXISTS {quote(name)}").collect()

    def temporary_source(self, name: str) -> Source | None:
        """Return the source that reads a temporary view which the session has under a name, or None."""
        with readable_errors():
            if not self.session.catalog.tableExists(quote(name)):
                return None
            if not self.session.catalog.getTable(quote(name)).isTemporary:
                return None
            return Source(ObjectIdentifier(name), dataframe_schema(self.session.table(quote(name))))

    def _bound(self, operation: QueryOperation) -> QueryOperation:
        self._forget_unused()
        return bind(operation, self._expand, self._named)

    def _named(self, source: InlineSource) -> QueryOperation:
        name = self._names.get(source)
        if name is None:
            name = f"{self._prefix}_{next(self._numbers)}"
            with readable_errors(f"Reading an anonymous {source.kind}"):
                frame = source.handle if source.kind == "DataFrame" else self._frame_of_arrow(source)
                frame.createOrReplaceTempView(name)
            self._names[source] = name
            self._registered.add(name)
        return Source(ObjectIdentifier(name), source.schema)

    def _frame_of_arrow(self, source: InlineSource) -> DataFrame:
        from pyspark.sql.types import StructField, StructType

        fields = [StructField(c.name, to_spark(c.data_type), c.data_type.nullable) for c in source.schema.columns]
        return self.session.createDataFrame(source.handle, StructType(fields))

    def _forget_unused(self) -> None:
        """Drop the names of data that no query uses any more; under Connect a DataFrame may still need them."""
        if self.is_connect:
            return
        for name in self._registered - set(self._names.values()):
            self.unregister(name)
            self._registered.discard(name)


def dataframe_schema(frame: DataFrame) -> ResolvedSchema:
    """Return the schema of a DataFrame.

    Raises:
        ValidationException: a column has a type that queries cannot have, or two have names that differ only in case.
    """
    with readable_errors("Reading the schema"):
        fields = frame.schema.fields
    return ResolvedSchema(tuple([Column(f.name, from_spark(f.dataType, f.nullable)) for f in fields]))


def refuse_substitution(text: str, settings: SessionSettings) -> None:
    """Refuse a text in which the session would replace something; literals hold no ``${`` as text, names may.

    Raises:
        ValidationException: the session replaces ``${…}``, and the text has it.
    """
    if settings.variable_substitution and "${" in text:
        raise ValidationException(
            "A name in the query has '${' in it, which this session would replace. Set "
            'spark.conf.set("spark.sql.variable.substitute", "false"), or rename the column.'
        )


def _operation_at(context: QueryContext | None, spans: list[Span], offset: int, root: QueryOperation) -> str:
    """Return the name of the innermost operation whose text holds the place of an error, else that of the query."""
    found: QueryOperation = root
    if context is not None and not context.object_type and context.start >= offset:
        start = context.start - offset
        holding = [span for span in spans if span.start <= start < span.end]
        if holding:
            found = min(holding, key=lambda span: span.end - span.start).operation
    return f"{found.title}: {_shortened(found.describe())}"


def _shortened(text: str, limit: int = 300) -> str:
    return text if len(text) <= limit else text[:limit] + "…"
