"""Operations that read rows from a catalog, from literals, or from data of this process."""

from __future__ import annotations

from ir import light_attrs as attrs
from ir.contents import NOTHING, UNBOUNDED
from ir.errors import ValidationException, listing
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.identifiers import ObjectIdentifier
from ir.light_typing import Any, ClassVar, Final
from ir.nodes import node
from ir.operations.operation import QueryOperation
from ir.schema import Column, ResolvedSchema
from ir.types import BIGINT, STRING, TIMESTAMP_LTZ

ReadOptions = tuple[tuple[str, str], ...]
"""Keys and values in written order."""


Moment = str | ValueLiteral
"""A version of a table, or a point in time."""
CHANGE_COLUMNS: Final = (
    Column("_change_type", STRING.not_null()),
    Column("_commit_version", BIGINT.not_null()),
    Column("_commit_timestamp", TIMESTAMP_LTZ.not_null()),
)
"""The columns of a change feed after those of the table."""


@attrs.frozen
class ChangeRange(attrs.Slotted):
    """The range of versions or times whose changes are read.

    ``by_function`` is for Delta, which has the function ``table_changes`` in place of Spark's clause CHANGES.
    """

    start: Moment
    end: Moment | None = None
    includes_start: bool = True
    includes_end: bool = True
    by_function: bool = False

    def describe(self) -> str:
        """Return the range for explanations: ``from 1 to 5 exclusive``."""
        shown = f"from {_moment_text(self.start)}{'' if self.includes_start else ' exclusive'}"
        if self.end is not None:
            shown += f" to {_moment_text(self.end)}{'' if self.includes_end else ' exclusive'}"
        return shown + (" by table_changes" if self.by_function else "")


def _moment_text(moment: Moment) -> str:
    return moment if isinstance(moment, str) else moment.as_summary_string()


@attrs.frozen
class StreamRead(attrs.Slotted):
    """How the rows of a table are read as a stream, which has no end.

    Attributes:
        name: the name of the source, under which a checkpoint keeps how far it was read; None if it has none.
        is_declared: whether the table or view is a stream by its own definition, so that the query does not say STREAM.
        time_columns: the positions of the columns that carry a watermark by the definition of a view.
    """

    name: str | None = None
    is_declared: bool = False
    time_columns: tuple[int, ...] = ()

    def describe(self) -> str:
        """Return the stream for explanations: ``source clicks``, ``by definition``, or an empty text."""
        return "by definition" if self.is_declared else "" if self.name is None else f"source {self.name}"


@attrs.frozen
class Versions(attrs.Slotted):
    """Which columns of a table say when a row of it changed, and which row: each row of such a table is a version.

    Attributes:
        time: the position of the time from which a version holds, which is the column of the watermark.
        key: the positions of the columns of the primary key, which all versions of a row have in common.
    """

    time: int
    key: tuple[int, ...]


@node
class Source(QueryOperation):
    """The rows of a catalog table or view, now or at a version or a point in time, its changes, or a stream of them.

    ``options`` are the options of this read; they override those of the table. ``versions`` is for a table that
    declares a primary key and a watermark, which Flink calls a versioned table.
    """

    identifier: ObjectIdentifier
    schema: ResolvedSchema
    version: str | None = None
    timestamp: ValueLiteral | None = None
    options: ReadOptions = ()
    changes: ChangeRange | None = None
    stream: StreamRead | None = None
    versions: Versions | None = None

    title: ClassVar[str] = "CatalogTable"
    noun: ClassVar[str] = "table"

    @property
    def holds(self) -> int:  # type: ignore[override]  # a fact of each table, where other operations have one
        """The bits of ``ir.contents`` that the table adds to those of its columns: whether its rows do not end."""
        return NOTHING if self.stream is None else UNBOUNDED

    @property
    def is_now(self) -> bool:
        """Whether the rows are those that the table has when the query runs."""
        return self.version is None and self.timestamp is None and self.changes is None

    @property
    def label(self) -> str:
        return f"{'table' if self.stream is None else 'stream'} {self.identifier.as_serializable_string()}"

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        return () if self.timestamp is None else (self.timestamp,)

    def describe(self) -> str:
        names = listing(self.schema.names, 100)
        version = "" if self.version is None else f", version: [{self.version}]"
        at = "" if self.timestamp is None else f", timestamp: [{self.timestamp.as_summary_string()}]"
        at += "" if self.changes is None else f", changes: [{self.changes.describe()}]"
        at += "" if self.stream is None else f", stream: [{self.stream.describe()}]"
        if self.versions is not None:
            key = listing([self.schema.names[index] for index in self.versions.key])
            at += f", versions: [{key} by {self.schema.names[self.versions.time]}]"
        options = ", ".join(f"{key}={value}" for key, value in self.options)
        options = options and f", options: [{options}]"
        return f"(identifier: [{self.identifier.as_summary_string()}]{version}{at}{options}, fields: [{names}])"


@node
class InlineSource(QueryOperation):
    """The rows of an object of this process, such as a DataFrame. It has no name, and so no SQL form."""

    handle: Any
    schema: ResolvedSchema
    kind: str
    stream: StreamRead | None = None

    title: ClassVar[str] = "InlineSource"
    noun: ClassVar[str] = "data of this process"

    @property
    def holds(self) -> int:  # type: ignore[override]  # a fact of each object, where other operations have one
        """The bits of ``ir.contents`` that the object adds to those of its columns: whether its rows do not end."""
        return NOTHING if self.stream is None else UNBOUNDED

    def _identity(self) -> tuple[Any, ...]:
        # By identity, because a DataFrame's own ``==`` builds an expression.
        return (id(self.handle), self.schema, self.kind, self.stream)

    def describe(self) -> str:
        kind = self.kind if self.stream is None else f"stream of a {self.kind}"
        return f"(kind: [{kind}], fields: [{listing(self.schema.names, 100)}])"


def _check_rows(instance: Values, attribute: object, rows: tuple[tuple[ResolvedExpression, ...], ...]) -> None:
    width = len(instance.schema)
    for number, row in enumerate(rows):
        if len(row) != width:
            raise ValidationException(f"Row {number} has {len(row)} values where the schema has {width} columns.")


@node
class Values(QueryOperation):
    """Inline rows; every value has exactly the type of its column, except for NULL."""

    schema: ResolvedSchema
    rows: tuple[tuple[ResolvedExpression, ...], ...] = attrs.field(validator=_check_rows)

    title: ClassVar[str] = "Values"
    noun: ClassVar[str] = "rows that are written out"
    sql_clause: ClassVar[str] = "VALUES"

    def describe(self) -> str:
        shown = ["(" + ", ".join(value.as_summary_string() for value in row) + ")" for row in self.rows[:5]]
        rest = [f"… ({len(self.rows) - 5} more)"] if len(self.rows) > 5 else []
        return f"(values: [{', '.join(shown + rest)}], fields: [{listing(self.schema.names, 100)}])"


SINGLE_ROW = Values(ResolvedSchema(()), ((),))
"""One row without columns, the input of a query that reads nothing."""
