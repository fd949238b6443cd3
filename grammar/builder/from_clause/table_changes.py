"""Build the change feed of a table: Spark's clause CHANGES, and Delta's function ``table_changes``."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.expressions import literals
from grammar.builder.query_parts import Steps, Tables
from grammar.builder.scopes import Relation, Scope
from grammar.errors import Misread
from grammar.identifier_clause import path_of_text, read_literal_name
from grammar.language import Language
from grammar.lexemes import Token
from ir.expressions import ValueLiteral
from ir.identifiers import fold
from ir.operations.source import ChangeRange, Moment
from ir.types import IntegralType

_BOUND = "CHANGES takes a constant time; Spark evaluates no function there."
_ARGUMENTS = (
    "table_changes takes the name of a table as a string, the first version or time, and optionally the last one: "
    "table_changes('sales', 1, 5)."
)


def read_version(token: Token, language: Language) -> str:
    """Return the version that a number or a string names."""
    return literals.text_of(token, language) if token.text[-1] in "'\"" else token.text


def build_change_range(builder: Any, node: s.Changes, tables: Tables) -> Steps:
    """Build the range of a clause CHANGES.

    Raises:
        Misread: a time is not constant.
    """
    moments: list[Moment] = []
    for bound in (node.start, node.end):
        if bound is not None and bound.is_version:
            moments.append(read_version(bound.value, builder.language))
        elif bound is not None:
            value = yield builder.expression(bound.value, ClauseNames(Scope([])), tables)
            if not isinstance(value, ValueLiteral) or value.value is None:
                raise Misread(bound.position, _BOUND)
            moments.append(value)
    end = node.end
    if end is None:
        return ChangeRange(moments[0], None, node.start.is_inclusive)
    return ChangeRange(moments[0], moments[1], node.start.is_inclusive, end.is_inclusive)


def is_table_changes(call: s.Call) -> bool:
    """Whether a call is that of Delta's function of the changes of a table."""
    names = call.function.names
    return len(names) == 1 and fold(names[0].text) == "table_changes" and not call.form


def build_table_changes(builder: Any, node: s.TableFunction, tables: Tables) -> Steps:
    """Build the relation of a call of ``table_changes``.

    Raises:
        Misread: the arguments are not a name and one or two versions or times, all constant.
    """
    given = node.call.arguments
    name = read_literal_name(given[0], builder.language) if len(given) in (2, 3) else None
    if name is None:
        raise Misread(node.position, _ARGUMENTS, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION")
    moments: list[Moment] = []
    for argument in given[1:]:
        value = yield builder.expression(argument, ClauseNames(Scope([])), tables)
        if not isinstance(value, ValueLiteral) or value.value is None:
            raise Misread(argument.position, _ARGUMENTS)
        moments.append(str(value.value) if isinstance(value.data_type, IntegralType) else value)
    changes = ChangeRange(moments[0], moments[1] if len(moments) > 1 else None, by_function=True)
    path = path_of_text(name, node.call)
    operation = builder.call_resolver(node.position, builder.surroundings.find_table, path.parts, changes, None, ())
    relation = Relation.of(operation, None, (fold(path.parts[-1]),))
    return relation if node.alias is None else builder.apply_alias(relation, node.alias)
