"""Syntax nodes of names, literals, expressions, windows and types."""

from __future__ import annotations

from typing import Any

from grammar.lexemes import Token
from grammar.syntax.base import Syntax, node
from ir import light_attrs as attrs
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
    """Names separated by dots, which denote a column, a function or a table."""

    position: int
    names: list[Name]

    @property
    def parts(self) -> tuple[str, ...]:
        """The names as strings."""
        return tuple([name.text for name in self.names])


@node
class Star(Syntax):
    """All columns, or those of one relation or row, without the excluded ones."""

    position: int
    qualifier: Syntax | None
    left_out: list[Path] | None


# --- literals --------------------------------------------------------------------------------------------------------


@node
class Number(Syntax):
    """A number literal as written, with its suffix."""

    position: int
    text: str


@node
class Text(Syntax):
    """Adjacent string literals."""

    position: int
    tokens: list[Token]


@node
class TypedText(Syntax):
    """A typed literal: DATE '2024-01-01'."""

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
    """A number or string with its unit, or with its first and last unit."""

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
    """A difference in parentheses, with the unit or the unit range in which Flink computes it."""

    position: int
    inner: Any
    unit: Token
    last_unit: str | None


@node
class Parameter(Syntax):
    """A parameter marker, which has a name or is positional."""

    position: int
    key: str | None


@node
class JoinedText(Syntax):
    """Adjacent string literals and parameter markers, which form one string."""

    position: int
    parts: list[Text | Parameter]


JsonPath = Text | Parameter | JoinedText
"""The syntax of a JSON path: a string, a parameter marker, or several of these."""


# --- expressions -----------------------------------------------------------------------------------------------------


@node
class Operation(Syntax):
    """A chain of operands and operators, before grouping by precedence."""

    position: int
    operands: list[Any]
    operators: list[Token]


@node
class Logical(Syntax):
    """A chain of conditions connected by AND and OR, before grouping."""

    position: int
    operands: list[Any]
    connectives: list[Token]


@node
class Not(Syntax):
    """The negation of a condition."""

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
    """A predicate, such as BETWEEN, IN, LIKE and IS NULL; ``detail`` is a keyword of the predicate."""

    position: int
    kind: str
    negated: bool
    operands: list[Any]
    detail: str = ""


@node
class Call(Syntax):
    """A function call; ``form`` names the special syntax of its arguments, if any.

    ``named_by`` is the IDENTIFIER call that names the function, until it is evaluated.
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
    """A call over a window, which is given in full or by name."""

    position: int
    call: Any
    window: Window | Name


@node
class Member(Syntax):
    """A field of an expression; ``is_of_value`` is set once the chain is known to be no path."""

    position: int
    base: Any
    name: Name
    is_of_value: bool = False


@node
class Subscript(Syntax):
    """An expression with indices in brackets."""

    position: int
    base: Any
    indices: list[Any]


@node
class VariantPath(Syntax):
    """A path into a VARIANT: after a colon, names and bracketed steps."""

    position: int
    base: Any
    steps: list[Any]


@node
class Cast(Syntax):
    """A cast with ``::``."""

    position: int
    value: Any
    target: Any


@node
class Collate(Syntax):
    """An expression with COLLATE."""

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
    """CASE, with an optional operand and its branches."""

    position: int
    operand: Any
    branches: list[tuple[Any, Any]]
    otherwise: Any


@node
class ScalarSubquery(Syntax):
    """A query as an expression."""

    position: int
    query: Any


@node
class Lambda(Syntax):
    """A lambda as an argument."""

    position: int
    parameters: list[Name]
    body: Any


@node
class NamedArgument(Syntax):
    """A named argument."""

    position: int
    name: Name
    value: Any


@node
class Aliased(Syntax):
    """An expression with its alias, or its aliases."""

    position: int
    expression: Any
    names: list[Name]


@node
class Typed(Syntax):
    """An expression AS a type; in a row constructor, the type may be a field name."""

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
    """A key and a value in a JSON object."""

    position: int
    key: Any
    value: Any


@node
class JsonClause(Syntax):
    """A clause of a JSON function: ``kind`` names the case, ``behaviour`` the reaction, ``value`` a type or default."""

    position: int
    kind: str
    behaviour: str
    value: Any = None


@node
class JsonColumn(Syntax):
    """A column of JSON_TABLE, with its ``kind``, and optionally a type as ``target`` and a ``path``."""

    position: int
    name: Name
    kind: str
    target: Any = None
    path: JsonPath | None = None


@node
class SortItem(Syntax):
    """A sort key; None stands for an unwritten direction or NULLS order."""

    position: int
    expression: Any
    ascending: bool | None
    nulls_first: bool | None


# --- windows ---------------------------------------------------------------------------------------------------------


@node
class Bound(Syntax):
    """A bound of a window frame; without ``offset`` it is unbounded or the current row."""

    position: int
    kind: str
    offset: Any = None


@node
class Frame(Syntax):
    """A window frame; without ``upper`` it ends at the current row."""

    position: int
    unit: str
    lower: Bound
    upper: Bound | None


@node
class Window(Syntax):
    """A window: its optional base window, partition, order and frame."""

    position: int
    base: Name | None = None
    partition_by: list[Any] | None = None
    order_by: list[SortItem] | None = None
    frame: Frame | None = None


# --- types -----------------------------------------------------------------------------------------------------------


@node
class TypeName(Syntax):
    """The name of a type without parameters, or another name in a type's place."""

    position: int
    text: str


@node
class CollatedTypeName(TypeName):
    """STRING with the default collation written out, which Spark shows in column names."""


TypeSyntax = TypeName | LogicalType
