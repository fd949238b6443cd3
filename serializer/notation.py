"""The facts in which SQL texts differ by dialect and by version of Spark.

A ``Notation`` is one object for each of them: ``SPARK`` in ``serializer.spark_notation``, ``FLINK`` in
``serializer.flink.notation``. The functions of the serializer take the notation in which they write and ask it for
what differs; they never test which one it is. What all notations have in common stays in these functions.

The notation of another version is ``attrs.evolve(SPARK, has_identifier_clause=False, …)``. A mapping is replaced by one
with other entries, such as ``{**SPARK.refusals, "Sample": "This version has no sample.".format}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ir import light_attrs as attrs
from ir.errors import TableException
from ir.light_typing import TYPE_CHECKING, Any, TypeAlias
from ir.types import STRING, StringType

if TYPE_CHECKING:
    from ir.call_expressions import Call
    from ir.commands.command import Command
    from ir.dialects.syntax import CallSyntax
    from ir.expressions import ResolvedExpression
    from ir.frames import FrameBound
    from ir.functions.definition import FunctionDefinition
    from ir.operations.operation import QueryOperation
    from ir.types import LogicalType
    from serializer.items import Item
    from serializer.pieces import Part

# Strings, so that the text of a type does not load expressions and operations.
NameWriter: TypeAlias = "Callable[[str, Notation], str]"
TypeWriter: TypeAlias = "Callable[[LogicalType, Notation, NameWriter], str]"
LiteralWriter: TypeAlias = "Callable[[object, LogicalType, Notation], str]"
CallWriter: TypeAlias = "Callable[[Call, Notation], list[Part]]"
OperationWriter: TypeAlias = "Callable[[QueryOperation, int, Notation], list[Item]]"
CommandWriter: TypeAlias = "Callable[[Any, Any], str]"
CommandWriters: TypeAlias = "Mapping[type[Command], CommandWriter]"

Refusal = Callable[..., str]
"""Returns the message for what is refused: a function of it, or the method ``format`` of a template."""


class Feature:
    """What a notation can refuse besides operations, which are refused by the name of their class."""

    MERGED = "MERGED"
    FEW_QUOTES = "quoting"
    NO_COLUMNS = "NoColumns"
    TABLE_VERSION = "VERSION AS OF"
    READ_OPTIONS = "WITH (options)"
    TABLE_CHANGES = "CHANGES"
    STREAM = "STREAM"


@attrs.frozen(eq=False, kw_only=True, repr=False)
class Notation:
    """How SQL is written in one dialect.

    A field that is a function gets the notation last if it writes parts that differ, too, so that a function can serve
    several notations.
    """

    name: str

    # --- names -------------------------------------------------------------------------------------------------------

    quote: Callable[[str], str]
    """Return a name as a quoted identifier. Raises ``TableException`` if the dialect cannot write the name."""

    quote_function: Callable[[str], str]
    """Return the name of a user's function as a quoted identifier, with the same errors."""

    has_identifier_clause: bool
    """Whether ``IDENTIFIER('…')`` writes a name of which Spark sessions would substitute a part."""

    # --- literals ----------------------------------------------------------------------------------------------------

    literal_writers: Mapping[type[LogicalType], LiteralWriter]
    """What writes a value that is not NULL, by its type. A type without an entry has no literals."""

    has_untyped_null: bool
    """Whether NULL needs no CAST: it is of type NULL, and takes the type of a column of VALUES from other rows."""

    string_pattern: str
    """The regular expression of a string literal."""

    # --- types -------------------------------------------------------------------------------------------------------

    write_type: TypeWriter
    """Return the text of a type, without its nullability; the last argument writes the names of its fields."""

    type_names: Mapping[type[LogicalType], str]
    """The names of types that are not those of their summary."""

    # --- calls -------------------------------------------------------------------------------------------------------

    name_of: Callable[[FunctionDefinition], str]
    """Return the name of a built-in function."""

    qualify_hidden: Callable[[str], str]
    """Return the name of a built-in function that a temporary function of the same name hides.

    Raises ``TableException`` if there is no such name.
    """

    syntax_of: Callable[[FunctionDefinition], CallSyntax]
    """Return the syntax of the calls of a function."""

    call_writers: Mapping[str, CallWriter] | None
    """What writes the calls whose syntax no template describes, by the name of the syntax.

    None if it is what ``serializer.call_syntax`` has.
    """

    rewrite: Callable[[ResolvedExpression, bool], ResolvedExpression] | None
    """Rewrites a whole expression before it is written; None if each call is only lowered.

    The second argument is whether the expression is the condition of a filter.
    """

    keeps_calls_of: Callable[[FunctionDefinition], bool]
    """Whether calls of a function are written as they are. The others are lowered."""

    lower: Callable[[ResolvedExpression], ResolvedExpression]
    """Return the form of one call, or of one aggregation over a window; the same object if it is written as it is."""

    write_special_offset: Callable[[FrameBound, Notation], str]
    """Write the offset of a bound of a frame if it is NULL, NaN or infinite."""

    # --- clauses -----------------------------------------------------------------------------------------------------

    cross_join: str
    """The keywords of an inner join without a condition."""

    correlated_join: str | None
    """The keywords of an inner join within which columns of the enclosing query occur; None for those of others."""

    limit_clauses: Callable[[int | None, int | None], list[str]]
    """Return the clauses for an offset and a number of rows, each None if it has none."""

    sorts_groups_of_having: bool
    """Whether ORDER BY of a SELECT with HAVING may compute aggregates."""

    sorts_by_hidden_keys: bool
    """Whether ORDER BY of a SELECT with grouping sets may use keys that the SELECT lacks."""

    puts_pivot_column_in_brackets: bool
    """Whether the column of PIVOT is written in parentheses, even if it is the only one."""

    check_columns: Callable[[Sequence[ResolvedExpression], Sequence[str]], None] | None
    """Raise an error if the columns of a SELECT, with their names, mean something else; None if they never do."""

    time_travel: str
    """The keywords between a table and the time at which it is read."""

    values_brackets: tuple[str, str]
    """What VALUES begins and ends with in FROM."""

    one_row: str | None
    """The FROM clause of a SELECT with WHERE that reads no table; None if it needs none."""

    table_argument: str
    """What a query begins with as an argument of a process table function."""

    has_tables_first: bool
    """Whether table arguments precede the other arguments of a process table function."""

    # --- operations --------------------------------------------------------------------------------------------------

    refusals: Mapping[str, Refusal]
    """The messages for what the dialect lacks: operations by the names of their classes, and a ``Feature`` each.

    The function for an operation gets the operation.
    """

    refuse_others: Refusal | None
    """The message for operations that only another dialect has; None if the dialect has all operations.

    These are the operations without an entry here and in ``own_operations``, except those that all dialects have.
    """

    own_operations: Mapping[str, OperationWriter]
    """What writes the operations whose SELECT differs from the common form, by the names of their classes.

    The layout MERGED writes operations that share a SELECT itself.
    """

    prepare: Callable[[QueryOperation], tuple[QueryOperation, str | None]] | None
    """Return the query to write for a query, and the alias of its input if that differs. None if it is the same."""

    joins_streams_by_exists: bool
    """Whether a filter by EXISTS over a stream is written as it is; else as LEFT SEMI JOIN."""

    load_command_writers: Callable[[], CommandWriters]
    """Load what writes the commands that the dialect has, by their classes, each with a ``CommandWriting``."""

    separates_operations: bool
    """Whether readers recognize each operation by its own SELECT.

    No other SELECT then shares it in WITH, merges it with others, or gives it a user's alias.
    """

    writers: dict[type[QueryOperation], OperationWriter] = attrs.field(init=False, factory=dict)
    """What writes the kinds of operations met so far; ``serializer.nested.writer_of`` looks up the others."""

    def __repr__(self) -> str:
        return f"<notation {self.name}>"

    def string_text(self, value: str) -> str:
        """Write a string literal."""
        return self.literal_writers[StringType](value, STRING, self)

    def require(self, feature: str, *facts: object) -> None:
        """Reject a feature that the dialect lacks.

        Args:
            feature: a ``Feature``, or the name of the class of an operation.
            facts: what the message names, such as the operation.

        Raises:
            TableException: the dialect lacks the feature.
        """
        refusal = self.refusals.get(feature)
        if refusal is not None:
            raise TableException(refusal(*facts))
