"""What was written: the nodes that the actions make of a text, each with the position where it begins.

Nothing here is checked or resolved; the builder makes operations and expressions of it.
"""

from __future__ import annotations

from typing import Any, TypeVar, dataclass_transform

import attrs

from grammar.parser import Token
from ir.types import LogicalType

N = TypeVar("N")


@dataclass_transform(field_specifiers=(attrs.field,))
def node(cls: type[N]) -> type[N]:
    """Make a class a slotted one of the fields that it declares; each node is itself alone."""
    return attrs.define(cls, eq=False, repr=False, slots=True)


class Syntax:
    """A part of a text."""

    __slots__ = ()
    position: int


def fields_of(part: Syntax) -> list[str]:
    """Return the names of what a part of a text holds."""
    return [name for kind in type(part).__mro__ for name in getattr(kind, "__slots__", ()) if name != "__weakref__"]


# --- names -----------------------------------------------------------------------------------------------------------


@node
class Name(Syntax):
    """A name, without its quotes."""

    position: int
    text: str
    quoted: bool


@node
class Path(Syntax):
    """Names with dots between them: of a column, a function or a table."""

    position: int
    names: list[Name]

    @property
    def parts(self) -> tuple[str, ...]:
        """The names as text."""
        return tuple([name.text for name in self.names])


@node
class Star(Syntax):
    """All columns, or those of one relation or row, but for some."""

    position: int
    qualifier: Syntax | None
    left_out: list[Path] | None


# --- literals --------------------------------------------------------------------------------------------------------


@node
class Number(Syntax):
    """A number as it was written, with its suffix."""

    position: int
    text: str


@node
class Text(Syntax):
    """Texts in quotes, one after another."""

    position: int
    tokens: list[Token]


@node
class TypedText(Syntax):
    """Text with the name of its type before it: DATE '2024-01-01'."""

    position: int
    type_name: str
    tokens: list[Token]


@node
class Null(Syntax):
    """NULL."""

    position: int


@node
class Boolean(Syntax):
    """TRUE or FALSE."""

    position: int
    value: bool


@node
class IntervalPart(Syntax):
    """A number or text with its unit, or with the first and last of its units."""

    position: int
    value: Token
    unit: str
    last_unit: str | None


@node
class Interval(Syntax):
    """An interval of one or more parts."""

    position: int
    negative: bool
    parts: list[IntervalPart]


@node
class Qualified(Syntax):
    """A difference in parentheses with the unit, or the first and last of the units, in which Flink counts it."""

    position: int
    inner: Any
    unit: Token
    last_unit: str | None


@node
class Parameter(Syntax):
    """A place for a value that is given beside the text: by its name, or by its number from 0."""

    position: int
    key: str | None


# --- expressions -----------------------------------------------------------------------------------------------------


@node
class Operation(Syntax):
    """A chain of operands with an operator between each two, not yet grouped by precedence."""

    position: int
    operands: list[Any]
    operators: list[Token]


@node
class Logical(Syntax):
    """A chain of conditions with AND or OR between each two, not yet grouped."""

    position: int
    operands: list[Any]
    connectives: list[Token]


@node
class Not(Syntax):
    """The opposite of a condition."""

    position: int
    operand: Any


@node
class Signed(Syntax):
    """An operand after ``-``, ``+`` or ``~``."""

    position: int
    sign: str
    operand: Any


@node
class Predicate(Syntax):
    """A test of a value: BETWEEN, IN, LIKE, IS NULL and so on; ``detail`` is a word that belongs to the test."""

    position: int
    kind: str
    negated: bool
    operands: list[Any]
    detail: str = ""


@node
class Call(Syntax):
    """A call of a function; ``form`` says by which syntax its arguments were told apart."""

    position: int
    function: Path
    arguments: list[Any]
    form: str = ""
    quantifier: str | None = None
    clauses: list[Any] = attrs.field(factory=list)
    within_group: list[SortItem] | None = None
    filter: Any = None
    nulls: str | None = None


@node
class Over(Syntax):
    """A call over a window, given itself or by its name."""

    position: int
    call: Any
    window: Window | Name


@node
class Member(Syntax):
    """A field of what an expression gives."""

    position: int
    base: Any
    name: Name


@node
class Subscript(Syntax):
    """What stands in brackets after an expression."""

    position: int
    base: Any
    indices: list[Any]


@node
class VariantPath(Syntax):
    """A path into a VARIANT: after a colon, names and what stands in brackets."""

    position: int
    base: Any
    steps: list[Any]


@node
class Cast(Syntax):
    """A value before ``::`` and a type."""

    position: int
    value: Any
    target: Any


@node
class Collate(Syntax):
    """A value with a collation."""

    position: int
    value: Any
    collation: Path


@node
class Parenthesised(Syntax):
    """An expression in parentheses."""

    position: int
    inner: Any


@node
class Row(Syntax):
    """Several expressions in parentheses."""

    position: int
    items: list[Any]


@node
class Case(Syntax):
    """CASE with what it compares, if anything, and its branches."""

    position: int
    operand: Any
    branches: list[tuple[Any, Any]]
    otherwise: Any


@node
class ScalarSubquery(Syntax):
    """A query where an expression stands."""

    position: int
    query: Any


@node
class Lambda(Syntax):
    """A function without a name, as an argument."""

    position: int
    parameters: list[Name]
    body: Any


@node
class NamedArgument(Syntax):
    """An argument with the name of its parameter."""

    position: int
    name: Name
    value: Any


@node
class Aliased(Syntax):
    """An expression with the name, or the names, of its column."""

    position: int
    expression: Any
    names: list[Name]


@node
class Typed(Syntax):
    """An expression AS a type; in a constructor of rows, the type may turn out to be the name of a field."""

    position: int
    expression: Any
    target: Any


@node
class Word(Syntax):
    """A keyword as an argument."""

    position: int
    text: str


@node
class JsonMember(Syntax):
    """A key and a value of a JSON object."""

    position: int
    key: Any
    value: Any


@node
class JsonClause(Syntax):
    """What a JSON function does in a case: ``kind`` says which case, ``value`` the type or default, if any."""

    position: int
    kind: str
    behaviour: str
    value: Any = None


@node
class SortItem(Syntax):
    """An expression to sort by; None means that a direction or a place of NULL was not written."""

    position: int
    expression: Any
    ascending: bool | None
    nulls_first: bool | None


# --- windows ---------------------------------------------------------------------------------------------------------


@node
class Bound(Syntax):
    """A bound of a frame; without ``offset`` it is unbounded or the current row."""

    position: int
    kind: str
    offset: Any = None


@node
class Frame(Syntax):
    """A frame, from a bound to another, which is the current row where it was not written."""

    position: int
    unit: str
    lower: Bound
    upper: Bound | None


@node
class Window(Syntax):
    """A window: perhaps one that it is based on, its partition, its order and its frame."""

    position: int
    base: Name | None = None
    partition_by: list[Any] | None = None
    order_by: list[SortItem] | None = None
    frame: Frame | None = None


# --- types -----------------------------------------------------------------------------------------------------------


@node
class TypeName(Syntax):
    """The name of a type that takes nothing, or of something else where a type would be possible."""

    position: int
    text: str


TypeSyntax = TypeName | LogicalType


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
    """A query that begins with FROM."""

    position: int
    source: From
    select: Select | None


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
class Table(Syntax):
    """A table by its name."""

    position: int
    path: Path
    temporal: Temporal | None
    sample: Sample | None
    alias: Alias | None


@node
class Derived(Syntax):
    """A query or relations in parentheses, or VALUES, as a relation."""

    position: int
    inner: Any
    sample: Sample | None
    alias: Alias | None


@node
class TableFunction(Syntax):
    """A call of a function that gives rows, as a relation."""

    position: int
    call: Call
    sample: Sample | None
    alias: Alias | None


@node
class Lateral(Syntax):
    """A relation that may refer to those before it."""

    position: int
    relation: Any


@node
class Join(Syntax):
    """Two relations and how their rows are paired."""

    position: int
    words: list[Token]
    left: Any
    right: Any
    condition: Any
    using: list[Name] | None


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
