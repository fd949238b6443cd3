"""The parser's actions, which build a syntax node from each grammar rule.

Each rule has a method, and each kind of syntax a module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grammar.actions.expressions import ExpressionActions
from grammar.actions.queries import QueryActions
from grammar.actions.relations import RelationActions
from grammar.actions.scripts import ScriptActions
from grammar.language import Language


class Actions(ExpressionActions, QueryActions, RelationActions, ScriptActions):
    """The actions of all rules, for one dialect. Those of statements load with the first statement."""

    def __init__(self, language: Language) -> None:
        self._language = language

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            from grammar.actions.statements import StatementActions

            return getattr(StatementActions(self._language), name)
