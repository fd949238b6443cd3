"""Builds Flink's FROM_CHANGELOG and TO_CHANGELOG in FROM."""

from __future__ import annotations

from grammar import syntax as s
from grammar.builder.from_clause.process_calls import build_argument, raise_again
from grammar.builder.query_parts import QueryParts, Steps, Tables
from grammar.builder.scopes import Relation
from ir.errors import TableException
from ir.expressions import Expression
from ir.identifiers import fold
from ir.resolution.changelogs import CHANGELOG_FUNCTIONS, changelog_table
from ir.unresolved import UnresolvedNamedArgument


def is_changelog_function(node: s.Call) -> bool:
    """Whether a call names FROM_CHANGELOG or TO_CHANGELOG."""
    return len(node.function.names) == 1 and fold(node.function.names[0].text) in CHANGELOG_FUNCTIONS


def build_changelog(builder: QueryParts, call: s.Call, tables: Tables) -> Steps:
    """Build the relation of a call."""
    signature = CHANGELOG_FUNCTIONS[fold(call.function.names[0].text)]
    given: list[Expression] = []
    for number, argument in enumerate(call.arguments):
        name = argument.name.text if isinstance(argument, s.NamedArgument) else None
        value = argument.value if isinstance(argument, s.NamedArgument) else argument
        takes_table = number == 0 if name is None else fold(name) == signature.parameters[0]
        expression = yield build_argument(builder, value, tables, takes_table=takes_table)
        given.append(expression if name is None else UnresolvedNamedArgument(name, expression))
    try:
        made = changelog_table(signature, given, builder.lookup)
    except TableException as error:
        position = call.position
        if error.written is None and error.argument is not None and error.argument < len(call.arguments):
            position = call.arguments[error.argument].position
        return builder.call_resolver(position, raise_again, error)
    # The builder learns the position of the call, for what streams refuse.
    return Relation.of(builder.call_resolver(call.position, lambda: made))
