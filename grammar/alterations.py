"""Syntax nodes of ALTER TABLE and of the statements that maintain a table."""

from __future__ import annotations

from typing import Any, ClassVar

from grammar.statements import PartitionValue
from grammar.syntax import Name, Path, Statement, Syntax, node

# --- columns and their changes ---------------------------------------------------------------------------------------


@node
class ColumnPlace(Syntax):
    """FIRST, or AFTER a column."""

    position: int
    after: Name | None


@node
class NewColumn(Syntax):
    """A column to add, or the new definition of one."""

    position: int
    path: Path
    data_type: Any
    comment: str | None
    default: Any
    place: ColumnPlace | None


@node
class AddColumn(Syntax):
    """ADD COLUMN."""

    position: int
    column: NewColumn


@node
class DropColumn(Syntax):
    """DROP COLUMN."""

    position: int
    path: Path
    if_exists: bool


@node
class RenameColumn(Syntax):
    """RENAME COLUMN."""

    position: int
    path: Path
    new_name: Name


@node
class ChangeColumn(Syntax):
    """ALTER COLUMN; ``kind`` is type, comment, place, nullable or default, and ``value`` what it becomes."""

    position: int
    path: Path
    kind: str
    value: Any


@node
class RedefineColumn(Syntax):
    """The new definition of a column: Hive's CHANGE COLUMN, or Flink's MODIFY, which also says the nullability."""

    position: int
    path: Path
    column: NewColumn
    sets_nullability: bool


@node
class ReplaceColumns(Syntax):
    """REPLACE COLUMNS."""

    position: int
    columns: list[NewColumn]


# --- changes of the table --------------------------------------------------------------------------------------------


@node
class RenameTable(Syntax):
    """RENAME TO."""

    position: int
    new_name: Path


@node
class CommentTable(Syntax):
    """COMMENT ON TABLE; the comment is None for NULL."""

    position: int
    comment: str | None


@node
class SetProperties(Syntax):
    """SET TBLPROPERTIES, or Flink's SET."""

    position: int
    properties: dict[str, str]


@node
class RemoveProperties(Syntax):
    """UNSET TBLPROPERTIES, or Flink's RESET."""

    position: int
    keys: list[str]
    if_exists: bool


@node
class SetCollation(Syntax):
    """DEFAULT COLLATION."""

    position: int
    collation: str


@node
class ClusterTable(Syntax):
    """CLUSTER BY; no columns for NONE."""

    position: int
    columns: list[Path]


@node
class Constraint(Syntax):
    """A constraint: ``kind`` is primary key, unique, check or foreign key; ``traits`` are words such as RELY."""

    position: int
    name: Name | None
    kind: str
    columns: list[Name]
    condition: Any
    table: Path | None
    referred: list[Name]
    traits: list[str]


@node
class AddConstraint(Syntax):
    """ADD CONSTRAINT."""

    position: int
    constraint: Constraint


@node
class DropConstraint(Syntax):
    """DROP CONSTRAINT, or DROP PRIMARY KEY without a name."""

    position: int
    name: Name | None
    if_exists: bool
    cascades: bool


@node
class SetWatermark(Syntax):
    """ADD or MODIFY WATERMARK."""

    position: int
    column: Name
    expression: Any
    is_new: bool


@node
class SetDistribution(Syntax):
    """ADD or MODIFY DISTRIBUTION."""

    position: int
    kind: str | None
    columns: list[Name]
    buckets: int | None
    is_new: bool


@node
class DropPart(Syntax):
    """DROP WATERMARK or DROP DISTRIBUTION."""

    position: int
    kind: str


# --- partitions ------------------------------------------------------------------------------------------------------


@node
class NewPartition(Syntax):
    """A partition to add, with its directory."""

    position: int
    partition: list[PartitionValue]
    location: str | None


@node
class AddPartitions(Syntax):
    """ADD PARTITION."""

    position: int
    partitions: list[NewPartition]
    if_not_exists: bool


@node
class DropPartitions(Syntax):
    """DROP PARTITION."""

    position: int
    partitions: list[list[PartitionValue]]
    if_exists: bool
    purges: bool


@node
class RenamePartition(Syntax):
    """PARTITION … RENAME TO PARTITION."""

    position: int
    partition: list[PartitionValue]
    new_partition: list[PartitionValue]


@node
class RecoverPartitions(Syntax):
    """RECOVER PARTITIONS."""

    position: int


@node
class SetLocation(Syntax):
    """SET LOCATION, of a table or a partition."""

    position: int
    location: str
    partition: list[PartitionValue] | None


@node
class SetSerde(Syntax):
    """SET SERDE and SET SERDEPROPERTIES."""

    position: int
    serde: str | None
    properties: dict[str, str]
    partition: list[PartitionValue] | None


# --- statements ------------------------------------------------------------------------------------------------------


@node
class AlterTable(Statement):
    """ALTER TABLE with its changes, or COMMENT ON TABLE or COLUMN."""

    position: int
    name: Path
    changes: list[Any]
    called: ClassVar[str] = "an ALTER TABLE statement"


@node
class Analyze(Statement):
    """ANALYZE TABLE; ``columns`` is None, the columns, or True for all."""

    position: int
    name: Path
    partition: list[PartitionValue] | None
    columns: list[Name] | bool | None
    scans: bool
    called: ClassVar[str] = "an ANALYZE TABLE statement"


@node
class AnalyzeTables(Statement):
    """ANALYZE TABLES of a database, None for the current one."""

    position: int
    name: Path | None
    scans: bool
    called: ClassVar[str] = "an ANALYZE TABLES statement"


@node
class Repair(Statement):
    """REPAIR TABLE; ``mode`` is ADD, DROP or SYNC."""

    position: int
    name: Path
    mode: str
    called: ClassVar[str] = "a REPAIR TABLE statement"


@node
class Cache(Statement):
    """CACHE TABLE; with a query, it names a temporary view of Spark's session."""

    position: int
    name: Path
    is_lazy: bool
    options: dict[str, str]
    query: Any
    called: ClassVar[str] = "a CACHE TABLE statement"


@node
class Uncache(Statement):
    """UNCACHE TABLE."""

    position: int
    name: Path
    if_exists: bool
    called: ClassVar[str] = "an UNCACHE TABLE statement"
