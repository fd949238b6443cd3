"""What is made of each rule of the grammar: a method for each rule, a module for each part of the language."""

from __future__ import annotations

from grammar.actions.expressions import ExpressionActions
from grammar.actions.queries import QueryActions
from grammar.actions.relations import RelationActions
from grammar.actions.scripts import ScriptActions
from grammar.actions.statements import StatementActions
from ir.rendering import Dialect


class Actions(ExpressionActions, QueryActions, RelationActions, ScriptActions, StatementActions):
    """All of them, for one dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
