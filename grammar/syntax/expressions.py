"""Nodes of names, constants, expressions, windows and types."""

from __future__ import annotations

from typing import Any

import attrs

from grammar.parser import Token
from grammar.syntax.base import Syntax, node
from ir.types import LogicalType

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
    negative: bool = False


@node
class Interval(Syntax):
    """An interval of one or more parts."""

    position: int
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


@node
class JoinedText(Syntax):
    """Texts and the values of parameters, one after another, which are one text."""

    position: int
    parts: list[Text | Parameter]


JsonPath = Text | Parameter | JoinedText
"""What a path of JSON is written as: a text, a marker, or several of these."""


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
    """A call of a function; ``form`` says by which syntax its arguments were told apart.

    ``named_by`` is the call of IDENTIFIER that names the function, until it is known what that is.
    """

    position: int
    function: Path
    arguments: list[Any]
    form: str = ""
    quantifier: str | None = None
    clauses: list[Any] = attrs.field(factory=list)
    within_group: list[SortItem] | None = None
    filter: Any = None
    nulls: str | None = None
    named_by: Call | None = None


@node
class Over(Syntax):
    """A call over a window, given itself or by its name."""

    position: int
    call: Any
    window: Window | Name


@node
class Member(Syntax):
    """A field of what an expression gives; ``is_of_value`` once it is known that the expression is no path."""

    position: int
    base: Any
    name: Name
    is_of_value: bool = False


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
class JsonColumn(Syntax):
    """A column of JSON_TABLE: ``kind`` says what it has; ``target`` is its type and ``path`` what finds it, if any."""

    position: int
    name: Name
    kind: str
    target: Any = None
    path: JsonPath | None = None


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


@node
class CollatedTypeName(TypeName):
    """The name of the type of text, with the collation that it has without one."""


TypeSyntax = TypeName | LogicalType
