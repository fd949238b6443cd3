"""The definition of a table: its columns, constraints, layout and storage, in the one form of both dialects."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from ir.commands.command import CommandPart
from ir.expressions import ResolvedExpression
from ir.identifiers import ObjectIdentifier
from ir.nodes import node
from ir.operations.script import RowFormat
from ir.types import LogicalType

Pairs = tuple[tuple[str, str], ...]
"""Keys and values, sorted by key."""


# --- columns ---------------------------------------------------------------------------------------------------------


@node
class ColumnValue(CommandPart):
    """How a column gets its value if a statement does not give one."""

    called: ClassVar[str] = ""
    """The kind of column, in the plural, for messages."""


@node
class DefaultValue(ColumnValue):
    """DEFAULT: a constant for rows that are inserted without a value."""

    expression: ResolvedExpression

    called: ClassVar[str] = "columns with DEFAULT"


@node
class GeneratedValue(ColumnValue):
    """GENERATED ALWAYS AS of Spark: a stored value, computed from the other columns of the row."""

    expression: ResolvedExpression

    called: ClassVar[str] = "stored generated columns"


@node
class ComputedValue(ColumnValue):
    """A computed column of Flink: a value that is computed when the row is read."""

    expression: ResolvedExpression

    called: ClassVar[str] = "computed columns"


@node
class IdentityValue(ColumnValue):
    """An identity column: numbers that the table gives out; ``always`` excludes explicit values."""

    always: bool
    start: int
    step: int

    called: ClassVar[str] = "identity columns"


@node
class MetadataValue(ColumnValue):
    """A metadata column of Flink; ``key`` is None if it is the name of the column."""

    key: str | None
    is_virtual: bool

    called: ClassVar[str] = "metadata columns"


@node
class ColumnDefinition(CommandPart):
    """A column of a table."""

    name: str
    data_type: LogicalType
    value: ColumnValue | None = None
    comment: str | None = None


# --- constraints -----------------------------------------------------------------------------------------------------


@node
class Constraint(CommandPart):
    """A constraint of a table; ``relies`` lets the optimizer assume that an unenforced constraint holds."""

    name: str | None
    relies: bool

    called: ClassVar[str] = ""
    """The kind of constraint, for messages."""


@node
class PrimaryKeyConstraint(Constraint):
    """PRIMARY KEY, which neither engine enforces."""

    columns: tuple[str, ...]

    called: ClassVar[str] = "PRIMARY KEY"


@node
class UniqueConstraint(Constraint):
    """UNIQUE, which Spark does not enforce."""

    columns: tuple[str, ...]

    called: ClassVar[str] = "UNIQUE"


@node
class ForeignKeyConstraint(Constraint):
    """FOREIGN KEY, which Spark does not enforce."""

    columns: tuple[str, ...]
    table: ObjectIdentifier
    referenced: tuple[str, ...]

    called: ClassVar[str] = "FOREIGN KEY"


@node
class CheckConstraint(Constraint):
    """CHECK: a condition that Spark enforces for each row."""

    condition: ResolvedExpression

    called: ClassVar[str] = "CHECK"


# --- layout ----------------------------------------------------------------------------------------------------------


@node
class WatermarkDefinition(CommandPart):
    """WATERMARK FOR a column of times; ``expression`` computes the watermark from a row."""

    column: str
    expression: ResolvedExpression


@node
class PartitionField(CommandPart):
    """A partition key: a column or field, or a transform of it, such as ``bucket`` with its number of buckets."""

    column: tuple[str, ...]
    transform: str | None = None
    argument: int | None = None

    @property
    def is_column(self) -> bool:
        """Whether the key is a column of the table itself."""
        return self.transform is None and len(self.column) == 1


@node
class Bucketing(CommandPart):
    """Buckets of rows: CLUSTERED BY of Spark, DISTRIBUTED BY of Flink.

    The rows of a bucket are in ascending order of ``sort_keys``. ``algorithm`` is HASH, RANGE, or empty if the engine
    chooses; ``count`` is None if the connector chooses.
    """

    columns: tuple[str, ...]
    sort_keys: tuple[str, ...]
    count: int | None
    algorithm: str = ""


@node
class HiveStorage(CommandPart):
    """STORED AS and ROW FORMAT of a Hive table.

    ``formats`` is the name of a format, the classes that read and write, or empty.
    """

    formats: tuple[str, ...]
    row_format: RowFormat | None


@node
class TableDefinition(CommandPart):
    """Everything that CREATE TABLE says about a table besides its name.

    Flink's connector ``filesystem`` and Spark's USING with a file format give the same ``format``, ``location`` and
    ``options``. The options of another connector are its ``connector`` options, as they are written.
    """

    columns: tuple[ColumnDefinition, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    watermark: WatermarkDefinition | None = None
    partitioning: tuple[PartitionField, ...] = ()
    clustering: tuple[tuple[str, ...], ...] = ()
    buckets: Bucketing | None = None
    format: str | None = None
    hive: HiveStorage | None = None
    options: Pairs = ()
    location: str | None = None
    properties: Pairs = ()
    connector: Pairs = ()
    comment: str | None = None
    collation: str | None = None
    is_external: bool = False

    @property
    def is_of_flink(self) -> bool:
        """Whether the table has a part that only Flink's SQL can say."""
        values = [column.value for column in self.columns]
        return (
            bool(self.connector)
            or self.watermark is not None
            or any(isinstance(value, ComputedValue | MetadataValue) for value in values)
        )


class CreateMode(Enum):
    """What happens if the table exists, or does not."""

    CREATE = "CREATE TABLE"
    CREATE_IF_NOT_EXISTS = "CREATE TABLE IF NOT EXISTS"
    CREATE_OR_REPLACE = "CREATE OR REPLACE TABLE"
    REPLACE = "REPLACE TABLE"
