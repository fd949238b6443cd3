"""The notation of Flink's SQL, version 2.3."""

from __future__ import annotations

import re

from ir.dialects.syntax import CallSyntax
from ir.errors import TableException
from ir.expressions import ResolvedExpression
from ir.flink.readable_form import to_flink
from ir.frames import FrameBound
from ir.functions.definition import FunctionDefinition
from ir.identifiers import quote
from serializer.flink.blocks import OWN_OPERATIONS, prepare
from serializer.flink.call_syntax import FLINK_CALL_WRITERS
from serializer.flink.literals import FLINK_LITERALS
from serializer.flink.refusals import REFUSALS, refuse_operation
from serializer.flink.types import FLINK_TYPE_NAMES, flink_type_text
from serializer.notation import CommandWriters, Notation

_LINE_END = re.compile(r"[\r\n]")


def _quote(name: str) -> str:
    if _LINE_END.search(name):
        raise TableException(
            f"The name {name!r} cannot be written in SQL of Flink, whose identifiers end with the line. Give the "
            "column another name with alias."
        )
    return quote(name)


def _name_of(function: FunctionDefinition) -> str:
    return function.emission.flink_name or function.sql_name


def _refuse_hidden(name: str) -> str:
    raise TableException(
        f"The query calls the built-in function {name}, but the temporary system function of that name comes before "
        "it, and Flink's SQL has no other name for the built-in. Give the temporary function another name, or drop it "
        "with drop_temporary_system_function before the text is written."
    )


def _syntax_of(function: FunctionDefinition) -> CallSyntax:
    return function.emission.flink_syntax or function.emission.syntax


def _rewrite(expression: ResolvedExpression, is_condition: bool) -> ResolvedExpression:
    return to_flink(expression, is_condition=is_condition)


def _keeps_calls_of(function: FunctionDefinition) -> bool:
    # The form of a whole expression has no calls of other functions.
    return True


def _as_given(expression: ResolvedExpression) -> ResolvedExpression:
    return expression


def _refuse_offset(bound: FrameBound, notation: Notation) -> str:
    raise TableException(f"Flink has no frame with the bound {bound.as_summary_string()}.")


def _limit_clauses(offset: int | None, fetch: int | None) -> list[str]:
    first = [] if offset is None else [f"OFFSET {offset} ROWS"]
    return first if fetch is None else [*first, f"FETCH NEXT {fetch} ROWS ONLY"]


def _load_command_writers() -> CommandWriters:
    from serializer.flink.commands import FLINK_COMMAND_WRITERS

    return FLINK_COMMAND_WRITERS


FLINK = Notation(
    name="FLINK",
    quote=_quote,
    quote_function=_quote,
    has_identifier_clause=False,
    literal_writers=FLINK_LITERALS,
    has_untyped_null=False,
    string_pattern=r"'(?:[^']|'')*'",
    write_type=flink_type_text,
    type_names=FLINK_TYPE_NAMES,
    name_of=_name_of,
    qualify_hidden=_refuse_hidden,
    syntax_of=_syntax_of,
    call_writers=FLINK_CALL_WRITERS,
    rewrite=_rewrite,
    keeps_calls_of=_keeps_calls_of,
    lower=_as_given,
    write_special_offset=_refuse_offset,
    # Flink requires a condition after INNER JOIN.
    cross_join="CROSS JOIN",
    correlated_join=None,
    limit_clauses=_limit_clauses,
    sorts_groups_of_having=True,
    sorts_by_hidden_keys=True,
    puts_pivot_column_in_brackets=False,
    check_columns=None,
    time_travel="FOR SYSTEM_TIME AS OF",
    values_brackets=("(VALUES", ")"),
    one_row="FROM (VALUES (1)) AS `values`(`one`)",
    table_argument="(",
    # Flink's parser accepts a query as an argument only there.
    has_tables_first=True,
    refusals=REFUSALS,
    refuse_others=refuse_operation,
    own_operations=OWN_OPERATIONS,
    prepare=prepare,
    joins_streams_by_exists=True,
    load_command_writers=_load_command_writers,
    separates_operations=True,
)
"""How Flink's SQL is written."""
