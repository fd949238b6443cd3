"""The differences between the dialects when SQL is read, as one object for each dialect.

The parser, its actions and the builder ask this object, and never which dialect it is. A difference is a field of the
record for its subject. Where SQL expresses a tree in another form, ``grammar.builder.recognition`` has the methods.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from grammar.builder.recognition import Recognition
from grammar.errors import Misread
from grammar.parser import Words
from ir import light_attrs as attrs
from ir.expressions import ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from ir.types import LogicalType

TypeMaker = Callable[..., LogicalType]
"""Builds a type from the numbers after its name."""
TypedLiteral = Callable[[str, str | None], ValueLiteral]
"""Builds the constant of a typed literal from its string and the time zone of the session."""


class Form:
    """Forms of SQL that only one of the dialects has; the other dialect refuses them."""

    # Expressions.
    LAMBDA = "lambda"
    COLLATION = "collation"
    VARIANT_PATH = "variant path"
    SEVERAL_PATTERNS = "several patterns"
    BETWEEN_SYMMETRIC = "between symmetric"
    BETWEEN_ASYMMETRIC = "between asymmetric"
    ROW_CALL = "row call"
    BRACKET_CONSTRUCTOR = "bracket constructor"
    JSON_TABLE = "json table"
    NUMBER_SUFFIX = "number suffix"
    VALUES_AFTER_IN = "values after in"
    # Types.
    COLLATED_TYPE = "collated type"
    CALENDAR_INTERVAL = "calendar interval"
    # Windows.
    RENAMED_WINDOW = "renamed window"
    EXTENDED_WINDOW = "extended window"
    # FROM.
    TABLE_OPTIONS = "table options"
    TABLE_OF_FUNCTION = "table of function"
    ORDINALITY_OF_FUNCTION = "ordinality of function"
    WATERMARK = "watermark"
    STREAM = "stream"
    NONDETERMINISTIC_QUERY_AGAIN = "nondeterministic query again"
    # SELECT and the clauses after it.
    TRANSFORM = "transform"
    EMPTY_GROUP_KEY = "empty group key"
    AGGREGATE_IN_QUALIFY = "aggregate in qualify"
    WINDOW_IN_KEY = "window in key"
    FETCH = "fetch"
    OFFSET_ROWS = "offset rows"
    # Statements.
    ENFORCED_KEY = "enforced key"


@attrs.frozen(eq=False)
class Refusal:
    """The message about a form that a dialect lacks, a template for the facts of the text, and Spark's condition."""

    message: str
    condition: str | None = None

    def error(self, position: int, **facts: str) -> Misread:
        """Return the error for a form at a position."""
        return Misread(position, self.message.format_map(facts), self.condition)


@attrs.frozen(eq=False)
class Types:
    """Names of types.

    Attributes:
        names: The constructors of the types, by name.
        of_other_databases: Names of types in other databases, with what to write instead.
        of_a_length: Types whose name requires a length.
        without_time_zone: What TIMESTAMP WITHOUT TIME ZONE is called.
    """

    names: Mapping[str, TypeMaker]
    without_time_zone: str
    of_other_databases: Mapping[str, str] = {}
    of_a_length: Container[str] = ()


@attrs.frozen(eq=False)
class Intervals:
    """Units of interval literals.

    Attributes:
        truncates_seconds: Whether a fraction of a second is truncated to microseconds.
        with_fraction: Units whose number may have a fraction.
        refused: Units that the dialect lacks.
    """

    truncates_seconds: bool
    with_fraction: Container[str]
    refused: Mapping[str, Refusal] = {}


@attrs.frozen(eq=False)
class Literals:
    """Constants.

    Attributes:
        unquote: Returns the content of a string literal, given the literal and its position.
        has_backslashes: Whether a backslash in a string literal begins an escape.
        build_number: Builds the constant of a number without exponent and suffix, given its sign and digits.
        typed: Builds the constants of typed literals, by the name of the type.
        moments: Types whose literals may depend on the time of reading, such as DATE 'today'.
        intervals: The units of intervals.
        intervals_in_words: The units of an interval whose string includes them, such as INTERVAL '1 day'.
    """

    unquote: Callable[[str, int], str]
    has_backslashes: bool
    build_number: Callable[[str], ValueLiteral]
    typed: Mapping[str, TypedLiteral]
    intervals: Intervals
    intervals_in_words: Intervals
    moments: Mapping[str, LogicalType] = {}


@attrs.frozen(eq=False)
class Names:
    """Meanings of names.

    Attributes:
        bare_names: Returns the words that call a function without parentheses.
        before_columns: Whether some of these words win over a column of the same name.
        variables: Whether a name may denote a session variable.
        grouping_id: Whether ``grouping__id`` stands for GROUPING_ID(), as in Hive.
        in_parentheses: Whether parentheses around a qualifier are ignored, as in (t).a.
        lateral_aliases: Whether an item of SELECT may use the alias of an earlier one.
    """

    bare_names: Callable[[FunctionDefinition], Container[str]]
    before_columns: bool = False
    variables: bool = False
    grouping_id: bool = False
    in_parentheses: bool = False
    lateral_aliases: bool = False


@attrs.frozen(eq=False)
class Calls:
    """Calls of functions.

    Attributes:
        element: The function of brackets after an expression.
        are_keywords: Whether the name of a call in a syntax of its own is a keyword, unless it is quoted.
        bracket_constructors: Whether ARRAY[…] and MAP[…] are constructors.
        nulls_inside: Functions that take IGNORE NULLS inside the parentheses.
        unit_is_alias: Whether a unit after an item of SELECT in parentheses is its alias.
    """

    element: FunctionDefinition
    are_keywords: bool = False
    bracket_constructors: bool = False
    nulls_inside: Container[str] = ()
    unit_is_alias: bool = False


@attrs.frozen(eq=False)
class FromClause:
    """Relations in FROM.

    Attributes:
        joins_all_before: Whether a join applies to all relations before it, rather than to the one after the comma.
        unnest_pairs: Whether the columns of UNNEST of several arrays are named col0, col1 and so on.
        ordinality: The name of the column of WITH ORDINALITY.
        ordinality_type: The type of this column.
        common_type: Returns the common type of the values in a column of VALUES, or None.
        limits_lateral_conditions: Whether the condition of a lateral join takes no subquery.
        joins_versions: Whether FOR SYSTEM_TIME AS OF takes a column of the relation before a join.
    """

    joins_all_before: bool
    unnest_pairs: bool
    ordinality: str
    ordinality_type: LogicalType
    common_type: Callable[[list[LogicalType]], LogicalType | None]
    limits_lateral_conditions: bool
    joins_versions: bool = False


@attrs.frozen(eq=False)
class Clauses:
    """SELECT and the clauses after it.

    Attributes:
        casts_conditions: Whether the conditions of HAVING and QUALIFY are cast to BOOLEAN.
        table_functions: Whether an item of SELECT may be a table function.
        limits_groups: Whether groups refuse the subqueries and sort keys that Spark's plans cannot compute.
        shows_merged_keys: Whether a join key that USING has merged may make its name ambiguous behind the SELECT.
        computed_ordinals: Whether a negative number or a parameter among keys counts as the position of an item.
        offset_first: Whether OFFSET may stand before FETCH.
        constant_distances: Whether the distances of a frame are constants, and typed as such.
    """

    casts_conditions: bool = False
    table_functions: bool = False
    limits_groups: bool = False
    shows_merged_keys: bool = False
    computed_ordinals: bool = False
    offset_first: bool = False
    constant_distances: bool = False


@attrs.frozen(eq=False, kw_only=True)
class Language:
    """How SQL of one dialect is read.

    Attributes:
        dialect: The dialect.
        elsewhere: The hint for a text that may be in the other dialect.
        words: What the parser takes for a word or a sign.
        types: Names of types.
        literals: Constants.
        operators: The precedence of the binary operators.
        names: Meanings of names.
        calls: Calls of functions.
        from_clause: Relations in FROM.
        clauses: SELECT and the clauses after it.
        refused: Forms that the dialect lacks, or that its engine cannot run.
        refused_operation: The message for an operation that only the other dialect has; None if there is none.
        recognition: Returns what recognises the dialect's own forms, which is loaded with the first query in it.
    """

    dialect: Dialect
    elsewhere: str
    words: Words
    types: Types
    literals: Literals
    operators: Mapping[str, int]
    names: Names
    calls: Calls
    from_clause: FromClause
    clauses: Clauses
    refused: Mapping[str, Refusal]
    recognition: Callable[[], Recognition]
    refused_operation: Refusal | None = None

    def refuse_operation(self, kind: type[QueryOperation], position: int) -> None:
        """Refuse an operation of Spark if the dialect has none of those that only Spark has.

        Raises:
            Misread: the dialect lacks the operation.
        """
        if self.refused_operation is not None:
            raise self.refused_operation.error(
                position, clause=kind.sql_clause, replacement=kind.replacement or self.elsewhere.strip()
            )

    def refuse(self, form: str, position: int, **facts: str) -> None:
        """Refuse a form if the dialect lacks it; the facts of the text complete the message.

        Raises:
            Misread: the dialect lacks the form.
        """
        refusal = self.refused.get(form)
        if refusal is not None:
            raise refusal.error(position, **facts)
