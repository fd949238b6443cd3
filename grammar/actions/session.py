"""Actions that build the nodes of statements about what a session has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grammar import session_syntax as ss
from grammar import syntax as s
from grammar.actions.table_declarations import options_by_kind
from grammar.builder.expressions.literals import text_of
from grammar.language import Language
from grammar.lexemes import Token
from ir.types import LogicalType


class SessionActions:
    """Builds the nodes of statements about what a session has."""

    _language: Language
    _type: Callable[[Any], LogicalType]

    def declare_variables(self, token: Token, or_replace: Any, *rest: Any) -> ss.DeclareVariables:
        *names, data_type, default = rest
        made = None if data_type is None else self._type(data_type)
        return ss.DeclareVariables(token.position, bool(or_replace), names, made, default)

    def variable_default(self, *parts: Any) -> Any:
        return parts[-1]

    def variable_value(self, name: s.Path, value: Any) -> ss.VariableValue:
        return ss.VariableValue(name.position, name, value)

    def set_variables(self, *values: ss.VariableValue) -> ss.SetVariables:
        return ss.SetVariables(values[0].position, list(values))

    def set_variables_from_query(self, *rest: Any) -> ss.SetVariablesFromQuery:
        *names, query = rest
        return ss.SetVariablesFromQuery(names[0].position, names, query)

    def drop_variable(self, token: Token, _: Any, if_exists: Any, name: s.Path) -> ss.DropVariable:
        return ss.DropVariable(token.position, bool(if_exists), name)

    def clear_cache(self) -> ss.ClearCache:
        return ss.ClearCache(0)

    def refresh_path(self, path: Token) -> ss.RefreshPath:
        return ss.RefreshPath(path.position, text_of(path, self._language))

    def refresh_function(self, name: s.Path) -> ss.RefreshFunction:
        return ss.RefreshFunction(name.position, name)

    def create_global_view(self, token: Token, or_replace: Any, _: Any, __: Any, *rest: Any) -> ss.CreateGlobalView:
        name, columns, *options, _as, query = rest
        return ss.CreateGlobalView(token.position, bool(or_replace), name, columns, options_by_kind(options), query)

    def alter_view_schema(self, token: Token, name: s.Path, word: Token, second: Token | None) -> ss.AlterViewSchema:
        mode = " ".join([one.text.upper() for one in (word, second) if one is not None])
        return ss.AlterViewSchema(word.position, name, mode)
