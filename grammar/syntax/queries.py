"""Nodes of queries and of what they read."""

from __future__ import annotations

from typing import Any

from grammar.parser import Token
from grammar.syntax.base import Syntax, node
from grammar.syntax.expressions import Call, JoinedText, Name, Parameter, Path, SortItem

# --- queries ---------------------------------------------------------------------------------------------------------


@node
class Clause(Syntax):
    """A clause of a SELECT or of a whole query: its ``kind`` is its keyword in lower case."""

    position: int
    kind: str
    items: list[Any]
    detail: Any = None


@node
class Select(Syntax):
    """A SELECT with its clauses in the order in which they were written."""

    position: int
    hints: list[Hint]
    quantifier: str | None
    items: list[Any]
    clauses: list[Any]
    script: Script | None = None


@node
class Script(Syntax):
    """The program of a SELECT TRANSFORM, the columns that it gives, and how rows are written for it and read."""

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
    """GROUPING SETS with its sets, each as it was written."""

    position: int
    sets: list[Any]


@node
class SetOperation(Syntax):
    """Two queries with UNION, EXCEPT, MINUS or INTERSECT between them."""

    position: int
    operator: str
    quantifier: str | None
    left: Any
    right: Any


@node
class Modified(Syntax):
    """A query with ORDER BY, LIMIT and the like."""

    position: int
    query: Any
    modifiers: list[Any]


@node
class CommonTable(Syntax):
    """A query with a name, in WITH."""

    position: int
    name: Name
    columns: list[Name] | None
    level: Token | None
    query: Any


@node
class With(Syntax):
    """A query with named ones before it."""

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
    """A query that begins with FROM, and gives the rows of each SELECT after it; without one, all columns."""

    position: int
    source: From
    selects: list[Select]


@node
class TableQuery(Syntax):
    """TABLE with a name: all of a table."""

    position: int
    table: Path


@node
class Pipe(Syntax):
    """A query and what is done with its rows after ``|>``."""

    position: int
    query: Any
    step: PipeStep


@node
class PipeStep(Syntax):
    """A step of a pipe; what ``items`` are depends on its ``kind``."""

    position: int
    kind: str
    items: list[Any]
    detail: Any = None


# --- relations -------------------------------------------------------------------------------------------------------


@node
class From(Syntax):
    """FROM with its relations, and the lateral views over all of them."""

    position: int
    relations: list[Any]
    views: list[LateralView]


@node
class Alias(Syntax):
    """The name of a relation and, perhaps, the names of its columns."""

    position: int
    name: Name
    columns: list[Name] | None


@node
class Temporal(Syntax):
    """Which state of a table is read: by version or by time."""

    position: int
    is_version: bool
    value: Any


@node
class Sample(Syntax):
    """TABLESAMPLE: so many percent, rows or bytes, or buckets."""

    position: int
    method: Name | None
    size: Any
    unit: str
    seed: Any


@node
class Watermark(Syntax):
    """WATERMARK: what it is of, its name there, and how late rows may be; perhaps after a sample."""

    position: int
    value: Any
    name: Name | None
    delay: Any
    sample: Sample | None = None


WrittenOptions = tuple[tuple[str, str | Parameter | JoinedText], ...]
"""Options by which a table is read; a value may have parameters in it."""


@node
class Table(Syntax):
    """A table by its name."""

    position: int
    path: Path
    temporal: Temporal | None
    sample: Sample | None
    alias: Alias | None
    options: WrittenOptions = ()


@node
class Derived(Syntax):
    """A query or relations in parentheses, or VALUES, as a relation."""

    position: int
    inner: Any
    sample: Sample | None
    alias: Alias | None


@node
class TableFunction(Syntax):
    """A call of a function that gives rows, as a relation.

    ``ordinality`` is where WITH ORDINALITY stands, ``word`` where TABLE does before a call in parentheses.
    ``alone`` says that nothing is joined with it, ``grouped`` that the query groups by the windows that it adds, too.
    ``options`` are those of a table whose name a clause IDENTIFIER (…) gives.
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
    """A relation that may refer to those before it."""

    position: int
    relation: Any


@node
class Join(Syntax):
    """Two relations and how their rows are paired: by a condition, or by a Nearest."""

    position: int
    words: list[Token]
    left: Any
    right: Any
    condition: Any
    using: list[Name] | None


@node
class Nearest(Syntax):
    """What a join has in the place of a condition: how many of the nearest rows, and what says how near they are."""

    position: int
    search: str
    count: int
    measure: str
    ranking: Any


@node
class LateralView(Syntax):
    """LATERAL VIEW with its function."""

    position: int
    outer: bool
    call: Call
    name: Name
    columns: list[Name]


@node
class Pivot(Syntax):
    """PIVOT: aggregates, the columns whose values become columns, and the values."""

    position: int
    aggregates: list[Any]
    columns: list[Name]
    values: list[Any]
    alias: Alias | None


@node
class UnpivotGroup(Syntax):
    """Columns that go into one row, and the label of it."""

    position: int
    columns: list[Path]
    label: Name | None


@node
class Unpivot(Syntax):
    """UNPIVOT: the new columns and the groups of the old ones."""

    position: int
    include_nulls: bool
    values: list[Name]
    label: Name
    groups: list[UnpivotGroup]
    alias: Alias | None


@node
class Extended(Syntax):
    """A relation that is pivoted or unpivoted."""

    position: int
    relation: Any
    extension: Pivot | Unpivot


@node
class TableArgument(Syntax):
    """A table as an argument, and how its rows are spread and ordered."""

    position: int
    source: Any
    alias: Alias | None
    partition_by: list[Any] | None = None
    order_by: list[SortItem] | None = None
    single: bool = False
    copartition: Clause | None = None
