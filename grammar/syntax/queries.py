"""Syntax nodes of queries and relations."""

from __future__ import annotations

from typing import Any

from grammar.lexemes import Token
from grammar.syntax.base import Syntax, node
from grammar.syntax.expressions import Call, JoinedText, Name, Parameter, Path, SortItem

# --- queries ---------------------------------------------------------------------------------------------------------


@node
class Clause(Syntax):
    """A clause of a SELECT or of a whole query; ``kind`` is its keyword in lower case."""

    position: int
    kind: str
    items: list[Any]
    detail: Any = None


@node
class Select(Syntax):
    """A SELECT with its clauses in written order."""

    position: int
    hints: list[Hint]
    quantifier: str | None
    items: list[Any]
    clauses: list[Any]
    script: Script | None = None


@node
class Script(Syntax):
    """The script of a SELECT TRANSFORM: its command, its output columns, and its row formats."""

    position: int
    text: str
    columns: list[Any]
    written: Any
    read: Any


@node
class Hint(Syntax):
    """A hint of a SELECT."""

    position: int
    name: Name
    arguments: list[Any]


@node
class GroupingSets(Syntax):
    """GROUPING SETS with the syntax of its sets."""

    position: int
    sets: list[Any]


@node
class SetOperation(Syntax):
    """Two queries combined by UNION, EXCEPT, MINUS or INTERSECT."""

    position: int
    operator: str
    quantifier: str | None
    left: Any
    right: Any


@node
class Modified(Syntax):
    """A query with clauses after it, such as ORDER BY and LIMIT."""

    position: int
    query: Any
    modifiers: list[Any]


@node
class CommonTable(Syntax):
    """A named query of WITH."""

    position: int
    name: Name
    columns: list[Name] | None
    level: Token | None
    query: Any


@node
class With(Syntax):
    """A query with its WITH clause."""

    position: int
    tables: list[CommonTable]
    recursive: bool
    query: Any


@node
class InlineValues(Syntax):
    """VALUES with its rows."""

    position: int
    rows: list[Any]


@node
class FromFirst(Syntax):
    """A query that begins with FROM and returns the rows of each SELECT after it, or all columns without a SELECT."""

    position: int
    source: From
    selects: list[Select]


@node
class TableQuery(Syntax):
    """TABLE with a table name: all rows of the table."""

    position: int
    table: Path


@node
class Pipe(Syntax):
    """A query and one step after ``|>``."""

    position: int
    query: Any
    step: PipeStep


@node
class PipeStep(Syntax):
    """A step of a pipe; ``kind`` decides the meaning of ``items``."""

    position: int
    kind: str
    items: list[Any]
    detail: Any = None


# --- relations -------------------------------------------------------------------------------------------------------


@node
class From(Syntax):
    """FROM with its relations, and the lateral views over them."""

    position: int
    relations: list[Any]
    views: list[LateralView]


@node
class Alias(Syntax):
    """The alias of a relation, with optional column names."""

    position: int
    name: Name
    columns: list[Name] | None


@node
class Temporal(Syntax):
    """The version or time at which a table is read."""

    position: int
    is_version: bool
    value: Any


@node
class ChangeBound(Syntax):
    """One end of CHANGES: a version or a time, and whether it is in the range."""

    position: int
    is_version: bool
    value: Any
    is_inclusive: bool


@node
class Changes(Syntax):
    """CHANGES: the range of versions or times whose changes are read."""

    position: int
    start: ChangeBound
    end: ChangeBound | None


@node
class Sample(Syntax):
    """TABLESAMPLE: a percentage, a number of rows or bytes, or a bucket."""

    position: int
    method: Name | None
    size: Any
    unit: str
    seed: Any


@node
class Watermark(Syntax):
    """WATERMARK: its expression, an optional name, and the delay, with an optional sample before it."""

    position: int
    value: Any
    name: Name | None
    delay: Any
    sample: Sample | None = None


WrittenOptions = tuple[tuple[str, str | Parameter | JoinedText], ...]
"""The options of a table read; a value may contain parameters."""


@node
class Table(Syntax):
    """A table name in FROM."""

    position: int
    path: Path
    temporal: Temporal | Changes | None
    sample: Sample | Watermark | None
    alias: Alias | None
    options: WrittenOptions = ()
    stream: StreamSource | None = None


@node
class StreamSource(Syntax):
    """STREAM before a table, with the name of the source after IDENTIFIED BY if there is one."""

    position: int
    name: Name | None


@node
class Derived(Syntax):
    """A query, relations or VALUES in parentheses, as a relation."""

    position: int
    inner: Any
    sample: Sample | None
    alias: Alias | None


@node
class TableFunction(Syntax):
    """A call of a table function as a relation.

    ``ordinality`` is the position of WITH ORDINALITY, ``word`` that of TABLE before a parenthesised call. ``alone``
    states that the call is the only relation, ``grouped`` that the query groups by its window. ``options`` belong to a
    table that an IDENTIFIER (…) names.
    """

    position: int
    call: Call
    sample: Sample | None
    alias: Alias | None
    ordinality: int | None = None
    word: int | None = None
    alone: bool = False
    grouped: bool = False
    options: WrittenOptions = ()


@node
class Lateral(Syntax):
    """A relation that may refer to the relations before it."""

    position: int
    relation: Any


@node
class Join(Syntax):
    """A join of two relations on a condition or by NEAREST, and as of a value if it has a match condition."""

    position: int
    words: list[Token]
    left: Any
    right: Any
    condition: Any
    using: list[Name] | None
    match: Any = None


@node
class Nearest(Syntax):
    """The NEAREST clause of a join: the number of nearest rows, and the expression that measures the distance."""

    position: int
    search: str
    count: int
    measure: str
    ranking: Any


@node
class LateralView(Syntax):
    """LATERAL VIEW with its table function."""

    position: int
    outer: bool
    call: Call
    name: Name
    columns: list[Name]


@node
class Pivot(Syntax):
    """PIVOT: its aggregates, its columns, and the values that become columns."""

    position: int
    aggregates: list[Any]
    columns: list[Name]
    values: list[Any]
    alias: Alias | None


@node
class UnpivotGroup(Syntax):
    """The columns that become one row, with the row's label."""

    position: int
    columns: list[Path]
    label: Name | None


@node
class Unpivot(Syntax):
    """UNPIVOT: its new columns, and the groups of old columns."""

    position: int
    include_nulls: bool
    values: list[Name]
    label: Name
    groups: list[UnpivotGroup]
    alias: Alias | None


@node
class Extended(Syntax):
    """A relation with PIVOT or UNPIVOT."""

    position: int
    relation: Any
    extension: Pivot | Unpivot


@node
class TableArgument(Syntax):
    """A table argument, with its partitioning and order."""

    position: int
    source: Any
    alias: Alias | None
    partition_by: list[Any] | None = None
    order_by: list[SortItem] | None = None
    single: bool = False
    copartition: Clause | None = None
