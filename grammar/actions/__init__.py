"""The parser's actions, which build a syntax node from each grammar rule.

Each rule has a method, and each kind of syntax a module.
"""

from __future__ import annotations

from grammar.actions.expressions import ExpressionActions
from grammar.actions.queries import QueryActions
from grammar.actions.relations import RelationActions
from grammar.actions.scripts import ScriptActions
from grammar.actions.statements import StatementActions
from grammar.language import Language


class Actions(ExpressionActions, QueryActions, RelationActions, ScriptActions, StatementActions):
    """The actions of all rules, for one dialect."""

    def __init__(self, language: Language) -> None:
        self._language = language
