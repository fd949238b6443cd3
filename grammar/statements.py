"""Statements as they were written."""

from __future__ import annotations

from typing import Any, ClassVar

from grammar.syntax import Name, Path, Syntax, node


class Statement(Syntax):
    """A statement that is no query; ``called`` says which, with its article."""

    __slots__ = ()
    called: ClassVar[str] = "a statement"


@node
class ViewColumn(Syntax):
    """A column of a view, perhaps with a comment."""

    position: int
    name: Name
    comment: str | None


@node
class CreateView(Statement):
    """CREATE VIEW; ``options`` are its comment, properties, schema mode and collation by what they are.

    ``body`` is the position after the word AS, where the text of the query begins.
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
class DeclaredColumn(Syntax):
    """A column with its type, of a table or of what a function gives."""

    position: int
    name: Name
    data_type: Any
    comment: str | None


@node
class ComputedColumn(Syntax):
    """A column of a table that is computed from the others."""

    position: int
    name: Name
    expression: Any
    comment: str | None


@node
class MetadataColumn(Syntax):
    """A column of a table that says where a row comes from; ``key`` is what it says, None where its name does."""

    position: int
    name: Name
    data_type: Any
    key: str | None
    is_virtual: bool
    comment: str | None


@node
class PrimaryKey(Syntax):
    """The primary key of a table, perhaps with a name of the constraint."""

    position: int
    name: Name | None
    columns: list[Name]
    is_enforced: bool


@node
class Watermark(Syntax):
    """The watermark of a table."""

    position: int
    column: Name
    expression: Any


TableColumn = DeclaredColumn | ComputedColumn | MetadataColumn


@node
class CreateTable(Statement):
    """CREATE TABLE.

    ``options`` are its comment, format, options, partition keys, location, properties and connector (the options after
    WITH) by what they are; ``query`` is the one after AS.
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
    called: ClassVar[str] = "a CREATE TABLE statement"

    @property
    def only_in_tables_of_flink(self) -> Syntax | None:
        """The first part that Spark's form of the statement has no place for."""
        others = [column for column in self.columns if not isinstance(column, DeclaredColumn)]
        found: list[Any] = sorted([*others, *self.keys, *self.watermarks], key=lambda part: part.position)
        return found[0] if found else None


@node
class FunctionParameter(Syntax):
    """A parameter of a function; ``default`` is the position after the word DEFAULT, and the expression."""

    position: int
    name: Name
    data_type: Any
    comment: str | None
    default: tuple[int, Any] | None


@node
class CreateFunction(Statement):
    """CREATE FUNCTION.

    ``options`` are what RETURNS says (``returns`` a type, ``returns table`` columns or an empty list), ``comment``,
    ``deterministic``, ``inline`` and ``language``, by what they are. ``aggregate`` says that it is one of groups.
    ``code`` is the text after AS, where the function is one of another language; else ``body`` is the query or
    expression after RETURN, and ``body_position`` where that begins.
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
    """ALTER FUNCTION … AS: other code; ``code`` is None where the statement gives a body of SQL."""

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
    """ALTER VIEW: another query, another name, properties that are set, or keys of properties that are removed."""

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
    """DROP VIEW or DROP TABLE."""

    position: int
    kind: str
    temporary: bool
    if_exists: bool
    name: Path
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
    """ALTER DATABASE or COMMENT ON DATABASE: properties that are set, keys that are removed, or another comment."""

    position: int
    name: Path
    properties: dict[str, str] | None = None
    removed: list[str] | None = None
    comment: str | None = None
    called: ClassVar[str] = "an ALTER DATABASE statement"


@node
class AlterCatalog(Statement):
    """ALTER CATALOG: another comment; None where it is of options."""

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
    """USE; ``kind`` is CATALOG, DATABASE, or empty where it was not written."""

    position: int
    kind: str
    name: Path
    called: ClassVar[str] = "a USE statement"


@node
class Pattern(Syntax):
    """The pattern of a SHOW statement, and whether what fits it is left out."""

    position: int
    text: str
    negated: bool


@node
class Show(Statement):
    """SHOW; ``kind`` is what it shows."""

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
    """A partition key, and its value where that is the same for all rows."""

    position: int
    name: Name
    value: Any


@node
class InsertInto(Statement):
    """INSERT; ``columns`` are names, True where those of the query are meant, or None."""

    position: int
    overwrite: bool
    target: Path
    partition: list[PartitionValue] | None
    columns: list[Name] | bool | None
    query: Any
    called: ClassVar[str] = "an INSERT statement"


@node
class InsertSet(Statement):
    """The inserts of a statement set."""

    position: int
    inserts: list[InsertInto]
    called: ClassVar[str] = "a statement set"


@node
class Explain(Statement):
    """EXPLAIN with its details."""

    position: int
    details: list[str]
    statement: Any
    called: ClassVar[str] = "an EXPLAIN statement"
