"""Syntax nodes of statements."""

from __future__ import annotations

from typing import Any, ClassVar

from grammar.syntax import Alias, Name, Parenthesised, Path, Row, Statement, Syntax, node
from grammar.table_syntax import LikeTable, TableConstraint
from ir import light_attrs as attrs
from ir.identifiers import fold
from ir.types import RowField


@node
class ViewColumn(Syntax):
    """A column of a view, with an optional comment."""

    position: int
    name: Name
    comment: str | None


@node
class CreateView(Statement):
    """CREATE VIEW; ``options`` are its comment, properties, schema mode and collation, by kind.

    ``body`` is the position after the word AS, at which the query's text begins.
    """

    position: int
    or_replace: bool
    temporary: bool
    if_not_exists: bool
    name: Path
    columns: list[ViewColumn] | None
    options: dict[str, Any]
    query: Any
    body: int
    called: ClassVar[str] = "a CREATE VIEW statement"


@node
class CreateViewUsing(Statement):
    """CREATE TEMPORARY VIEW … USING, a view of a data source; ``columns`` is None if the source determines them."""

    position: int
    or_replace: bool
    is_global: bool
    name: Path
    columns: list[RowField] | None
    format: tuple[str, ...]
    options: dict[str, str]
    called: ClassVar[str] = "a CREATE TEMPORARY VIEW … USING statement"


@node
class DeclaredColumn(Syntax):
    """A column with its type, in a table or in a function's result.

    ``value`` is the DEFAULT of a table's column, or how it is generated.
    """

    position: int
    name: Name
    data_type: Any
    comment: str | None
    value: Any = None


@node
class ComputedColumn(Syntax):
    """A table column that is computed from the others."""

    position: int
    name: Name
    expression: Any
    comment: str | None


@node
class MetadataColumn(Syntax):
    """A table column with metadata of the source; ``key`` is the metadata key, None if it is the column's name."""

    position: int
    name: Name
    data_type: Any
    key: str | None
    is_virtual: bool
    comment: str | None


@node
class PrimaryKey(Syntax):
    """The primary key of a table, with an optional constraint name."""

    position: int
    name: Name | None
    columns: list[Name]
    is_enforced: bool
    relies: bool = False


@node
class Watermark(Syntax):
    """The watermark of a table."""

    position: int
    column: Name
    expression: Any


TableColumn = DeclaredColumn | ComputedColumn | MetadataColumn


@node
class CreateTable(Statement):
    """CREATE TABLE and REPLACE TABLE.

    ``options`` are its comment, format, options, partition keys, location, properties and connector (the options after
    WITH), by kind; ``query`` is the query after AS.
    """

    position: int
    temporary: bool
    if_not_exists: bool
    name: Path
    columns: list[TableColumn]
    keys: list[PrimaryKey]
    watermarks: list[Watermark]
    options: dict[str, Any]
    query: Any
    constraints: list[TableConstraint] = attrs.field(factory=list)
    or_replace: bool = False
    only_replaces: bool = False
    external: bool = False
    like: LikeTable | None = None
    called: ClassVar[str] = "a CREATE TABLE statement"

    @property
    def only_in_tables_of_flink(self) -> Syntax | None:
        """The first part that Spark's form of the statement does not have."""
        found: list[Any] = [part for part in (self.computed_or_watermark, *self.keys) if part is not None]
        return min(found, key=lambda part: part.position, default=None)

    @property
    def computed_or_watermark(self) -> Syntax | None:
        """The first column that is computed or metadata, or the first watermark."""
        others = [column for column in self.columns if not isinstance(column, DeclaredColumn)]
        found: list[Any] = [*others, *self.watermarks]
        return min(found, key=lambda part: part.position, default=None)

    @property
    def rules(self) -> list[tuple[int, str]]:
        """The positions and names of defaults, generated columns and constraints."""
        values = [column.value for column in self.columns if isinstance(column, DeclaredColumn)]
        found = [(column.position, column.called) for column in values if column is not None]
        return found + [(constraint.position, f"{constraint.kind} constraints") for constraint in self.constraints]

    @property
    def only_in_catalogs_of_spark(self) -> tuple[int, str] | None:
        """The position and the name of the first part that only a table in a catalog of Spark has."""
        of_storage = self.only_in_storage_of_spark
        return min([*self.rules, *([] if of_storage is None else [of_storage])], default=None)

    @property
    def only_in_storage_of_spark(self) -> tuple[int, str] | None:
        """The position and the name of the first part, other than a rule, that only a table of Spark's has."""
        found: list[tuple[int, str]] = []
        for kind, called in _ONLY_IN_CATALOGS_OF_SPARK.items():
            if kind in self.options:
                found.append((self.position, called))
        keys = self.options.get("partition keys", ())
        found += [(key.position, "partition transforms") for key in keys if not key.is_column]
        flags = {
            "CREATE OR REPLACE TABLE": self.or_replace,
            "REPLACE TABLE": self.only_replaces,
            "EXTERNAL": self.external,
            "CREATE TABLE … LIKE": self.like is not None,
        }
        found += [(self.position, called) for called, is_written in flags.items() if is_written]
        return min(found, default=None)


_ONLY_IN_CATALOGS_OF_SPARK = {
    "clustering": "CLUSTER BY",
    "buckets": "buckets",
    "storage": "STORED AS",
    "row format": "ROW FORMAT",
    "collation": "DEFAULT COLLATION",
}


@node
class FunctionParameter(Syntax):
    """A parameter of a function; ``default`` is the position after DEFAULT, and the expression."""

    position: int
    name: Name
    data_type: Any
    comment: str | None
    default: tuple[int, Any] | None


@node
class CreateFunction(Statement):
    """CREATE FUNCTION.

    ``options`` are the parts of RETURNS (``returns`` a type, ``returns table`` columns or an empty list), ``comment``,
    ``deterministic``, ``inline`` and ``language``, by kind. ``aggregate`` marks an aggregate function. ``code`` is the
    string after AS of a function in another language; otherwise ``body`` is the query or expression after RETURN, and
    ``body_position`` its start.
    """

    position: int
    or_replace: bool
    temporary: bool
    system: bool
    aggregate: bool
    if_not_exists: bool
    name: Path
    parameters: list[FunctionParameter] | None
    options: dict[str, Any]
    code: str | None
    body: Any
    body_position: int
    called: ClassVar[str] = "a CREATE FUNCTION statement"


@node
class AlterFunction(Statement):
    """ALTER FUNCTION … AS, which replaces the code; ``code`` is None if the statement has an SQL body."""

    position: int
    temporary: bool
    system: bool
    if_exists: bool
    name: Path
    code: str | None
    options: dict[str, Any]
    called: ClassVar[str] = "an ALTER FUNCTION statement"


@node
class DropFunction(Statement):
    """DROP FUNCTION."""

    position: int
    temporary: bool
    system: bool
    if_exists: bool
    name: Path
    called: ClassVar[str] = "a DROP FUNCTION statement"


@node
class AlterView(Statement):
    """ALTER VIEW: a new query, a new name, properties to set, or property keys to remove."""

    position: int
    name: Path
    query: Any = None
    new_name: Path | None = None
    properties: dict[str, str] | None = None
    removed: list[str] | None = None
    if_exists: bool = False
    called: ClassVar[str] = "an ALTER VIEW statement"


@node
class Drop(Statement):
    """DROP VIEW."""

    position: int
    kind: str
    temporary: bool
    if_exists: bool
    name: Path
    called: ClassVar[str] = "a DROP statement"


@node
class DropTable(Statement):
    """DROP TABLE."""

    position: int
    kind: str
    temporary: bool
    if_exists: bool
    name: Path
    purges: bool
    called: ClassVar[str] = "a DROP statement"


@node
class CreateDatabase(Statement):
    """CREATE DATABASE; ``options`` are its comment, location and properties."""

    position: int
    if_not_exists: bool
    name: Path
    options: dict[str, Any]
    called: ClassVar[str] = "a CREATE DATABASE statement"


@node
class AlterDatabase(Statement):
    """ALTER DATABASE or COMMENT ON DATABASE: properties to set, keys to remove, or a new comment."""

    position: int
    name: Path
    properties: dict[str, str] | None = None
    removed: list[str] | None = None
    comment: str | None = None
    called: ClassVar[str] = "an ALTER DATABASE statement"


@node
class AlterCatalog(Statement):
    """ALTER CATALOG with a new comment; None if it alters options."""

    position: int
    name: Name
    comment: str | None
    called: ClassVar[str] = "an ALTER CATALOG statement"


@node
class DropDatabase(Statement):
    """DROP DATABASE."""

    position: int
    if_exists: bool
    name: Path
    cascade: bool
    called: ClassVar[str] = "a DROP DATABASE statement"


@node
class CreateCatalog(Statement):
    """CREATE CATALOG with its options."""

    position: int
    if_not_exists: bool
    name: Name
    options: dict[str, str]
    comment: str | None = None
    called: ClassVar[str] = "a CREATE CATALOG statement"


@node
class DropCatalog(Statement):
    """DROP CATALOG."""

    position: int
    if_exists: bool
    name: Name
    called: ClassVar[str] = "a DROP CATALOG statement"


@node
class Use(Statement):
    """USE; ``kind`` is CATALOG, DATABASE, or empty if unwritten."""

    position: int
    kind: str
    name: Path
    called: ClassVar[str] = "a USE statement"


@node
class Pattern(Syntax):
    """The pattern of a SHOW statement; ``negated`` excludes the matches."""

    position: int
    text: str
    negated: bool


@node
class Show(Statement):
    """SHOW; ``kind`` names the objects to show."""

    position: int
    kind: str
    name: Path | None = None
    pattern: Pattern | None = None
    scope: str = ""
    namespace: Path | None = None
    called: ClassVar[str] = "a SHOW statement"


@node
class Describe(Statement):
    """DESCRIBE of a table or view, a query, a function, a database or a catalog."""

    position: int
    kind: str
    target: Any
    extended: bool = False
    called: ClassVar[str] = "a DESCRIBE statement"


@node
class PartitionValue(Syntax):
    """A partition key, with its value if it is static."""

    position: int
    name: Name
    value: Any


@node
class Replacement(Syntax):
    """The rows that an INSERT replaces: by a ``condition`` after WHERE or ON, or by ``columns`` after USING."""

    position: int
    kind: str
    condition: Any = None
    columns: list[Name] = attrs.field(factory=list)


@node
class NamedRows(Syntax):
    """The query of an INSERT in parentheses, with an alias."""

    position: int
    query: Any
    alias: Alias


@node
class InsertInto(Statement):
    """INSERT; ``columns`` are names, True for BY NAME, or None."""

    position: int
    overwrite: bool
    target: Path
    partition: list[PartitionValue] | None
    columns: list[Name] | bool | None
    replaced: Replacement | None
    query: Any
    evolves_schema: bool = False
    if_not_exists: bool = False
    options: dict[str, str] = attrs.field(factory=dict)
    alias: Alias | None = None
    called: ClassVar[str] = "an INSERT statement"


@node
class InsertIntoDirectory(Statement):
    """INSERT OVERWRITE DIRECTORY; ``options`` has the format, its options and Hive's storage, by their kind."""

    position: int
    is_local: bool
    path: str | None
    options: dict[str, Any]
    query: Any
    called: ClassVar[str] = "an INSERT OVERWRITE DIRECTORY statement"


def values_of(row: Any) -> list[Any]:
    """Return the values of a row of VALUES, which has no parentheses where it is a single value."""
    if isinstance(row, Row):
        return row.items
    return [row.inner if isinstance(row, Parenthesised) else row]


def is_default(value: Any) -> bool:
    """Whether a value is the word DEFAULT."""
    return isinstance(value, Path) and len(value.names) == 1 and fold(value.names[0].text) == "default"


@node
class InsertSet(Statement):
    """The inserts of a statement set."""

    position: int
    inserts: list[InsertInto]
    called: ClassVar[str] = "a statement set"


@node
class MultiInsert(Statement):
    """Several inserts after one FROM."""

    position: int
    inserts: list[InsertInto | InsertIntoDirectory]
    called: ClassVar[str] = "a set of INSERT statements"


@node
class Explain(Statement):
    """EXPLAIN with its details."""

    position: int
    details: list[str]
    statement: Any
    called: ClassVar[str] = "an EXPLAIN statement"


@node
class LoadData(Statement):
    """LOAD DATA."""

    position: int
    is_local: bool
    path: str
    overwrite: bool
    name: Path
    partition: list[PartitionValue] | None
    called: ClassVar[str] = "a LOAD DATA statement"


@node
class Truncate(Statement):
    """TRUNCATE TABLE, or one partition of it."""

    position: int
    name: Path
    partition: list[PartitionValue] | None
    called: ClassVar[str] = "a TRUNCATE TABLE statement"


@node
class Refresh(Statement):
    """REFRESH TABLE."""

    position: int
    name: Path
    called: ClassVar[str] = "a REFRESH statement"


@node
class NewValue(Syntax):
    """A column or field with its new value; the value is None for DEFAULT."""

    position: int
    path: Path
    value: Any


@node
class MergeWhen(Syntax):
    """A clause of MERGE.

    ``kind`` is MATCHED, NOT MATCHED or NOT MATCHED BY SOURCE; ``action`` is UPDATE, INSERT or DELETE. ``values`` is
    None for a whole row, and for DELETE.
    """

    position: int
    kind: str
    condition: Any
    action: str
    values: list[NewValue] | None


@node
class Merge(Statement):
    """MERGE INTO; ``using`` is the relation after USING."""

    position: int
    evolves_schema: bool
    name: Path
    alias: Any
    using: Any
    condition: Any
    clauses: list[MergeWhen]
    options: dict[str, str]
    called: ClassVar[str] = "a MERGE statement"


@node
class Update(Statement):
    """UPDATE … SET."""

    position: int
    name: Path
    alias: Any
    values: list[NewValue]
    where: Any
    options: dict[str, str]
    called: ClassVar[str] = "an UPDATE statement"


@node
class Delete(Statement):
    """DELETE FROM."""

    position: int
    name: Path
    alias: Any
    where: Any
    options: dict[str, str]
    called: ClassVar[str] = "a DELETE statement"
