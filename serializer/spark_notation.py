"""The notation of the SQL of Spark 4.3, from which that of another version is made."""

from __future__ import annotations

from operator import attrgetter

from ir.identifiers import quote
from ir.light_typing import TYPE_CHECKING
from serializer.literals import SPARK_LITERALS, literal_text, write_not_finite
from serializer.notation import Notation
from serializer.types import SPARK_TYPE_NAMES, spark_type_text

if TYPE_CHECKING:
    from ir.expressions import ResolvedExpression
    from ir.frames import FrameBound
    from serializer.notation import CommandWriters


def _qualify_hidden(name: str) -> str:
    return f"`system`.`builtin`.{quote(name)}"


def _lower(part: ResolvedExpression) -> ResolvedExpression:
    # The text of a type needs no functions.
    from ir.lowerings import lower_for_spark

    return lower_for_spark(part)


def _special_offset(bound: FrameBound, notation: Notation) -> str:
    assert bound.offset is not None
    if bound.offset.value is None:
        return literal_text(bound.offset, notation)
    # Spark accepts no call there.
    return write_not_finite(bound.offset.value, bound.offset.data_type, notation)


def _limit_clauses(offset: int | None, fetch: int | None) -> list[str]:
    first = [] if fetch is None else [f"LIMIT {fetch}"]
    return first if offset is None else [*first, f"OFFSET {offset}"]


def _load_command_writers() -> CommandWriters:
    from serializer.commands.spark import SPARK_COMMAND_WRITERS

    return SPARK_COMMAND_WRITERS


SPARK = Notation(
    name="SPARK",
    quote=quote,
    quote_function=quote,
    has_identifier_clause=True,
    literal_writers=SPARK_LITERALS,
    has_untyped_null=True,
    string_pattern=r"'(?:[^'\\]|\\.)*'",
    write_type=spark_type_text,
    type_names=SPARK_TYPE_NAMES,
    name_of=attrgetter("sql_name"),
    qualify_hidden=_qualify_hidden,
    syntax_of=attrgetter("emission.syntax"),
    call_writers=None,
    rewrite=None,
    keeps_calls_of=attrgetter("emission.in_spark"),
    lower=_lower,
    write_special_offset=_special_offset,
    # CROSS JOIN is planned worse: the join remains a cross join even if a filter above provides a condition, and
    # dynamic partition pruning ignores cross joins.
    cross_join="INNER JOIN",
    # Spark fails at some queries with a correlated condition below an inner join and another one above it ("Cannot
    # evaluate expression: outer"), because it moves the second one below the join before it decorrelates it. It moves
    # none below a cross join.
    correlated_join="CROSS JOIN",
    limit_clauses=_limit_clauses,
    sorts_groups_of_having=True,
    sorts_by_hidden_keys=True,
    puts_pivot_column_in_brackets=False,
    check_columns=None,
    time_travel="TIMESTAMP AS OF",
    values_brackets=("VALUES", ""),
    one_row=None,
    table_argument="TABLE(",
    has_tables_first=False,
    refusals={},
    refuse_others=None,
    own_operations={},
    prepare=None,
    joins_streams_by_exists=False,
    load_command_writers=_load_command_writers,
    separates_operations=False,
)
"""How Spark's SQL is written."""
