"""Actions that build the nodes of SELECT TRANSFORM."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from grammar.actions.types import TypeActions
from grammar.builder.expressions.literals import text_of
from grammar.errors import Misread
from grammar.lexemes import Token
from ir.operations.script import RowFormat


class ScriptActions(TypeActions):
    """Builds the nodes of SELECT TRANSFORM."""

    def _of_text(self, token: Token) -> str:
        return text_of(token, self._language)

    def script(self, *parts: Any) -> s.Script:
        written, command, columns, read = parts
        return s.Script(command.position, self._of_text(command), columns or [], written, read)

    def mapped(self, word: Token, *parts: Any) -> s.Select:
        given = [p for p in parts if type(p) not in (s.Script, s.Clause, s.From)]
        clauses = [p for p in parts if type(p) in (s.Clause, s.From)]
        (script,) = [p for p in parts if type(p) is s.Script]
        name = s.Path(word.position, [s.Name(word.position, "TRANSFORM", False)])
        return s.Select(word.position, [], None, [s.Call(word.position, name, given)], clauses, script)

    def script_columns(self, *columns: Any) -> list[Any]:
        return list(columns)

    def script_name(self, name: s.Name) -> s.Name:
        return name

    def delimited_format(self, *options: list[tuple[str, str]]) -> RowFormat:
        return RowFormat(None, tuple([pair for option in options for pair in option]))

    def serde_format(self, serde: Token, properties: dict[str, str] | None) -> RowFormat:
        return RowFormat(self._of_text(serde), tuple((properties or {}).items()))

    def fields_option(self, between: Token, escape: Token | None) -> list[tuple[str, str]]:
        pairs = [("FIELDS TERMINATED BY", self._of_text(between))]
        return pairs if escape is None else [*pairs, ("ESCAPED BY", self._of_text(escape))]

    def items_option(self, between: Token) -> list[tuple[str, str]]:
        return [("COLLECTION ITEMS TERMINATED BY", self._of_text(between))]

    def keys_option(self, between: Token) -> list[tuple[str, str]]:
        return [("MAP KEYS TERMINATED BY", self._of_text(between))]

    def lines_option(self, between: Token) -> list[tuple[str, str]]:
        text = self._of_text(between)
        if text != "\n":
            raise Misread(
                between.position,
                f"Spark writes and reads lines that end with '\\n' alone, not with {text!r}.",
                "INVALID_SQL_SYNTAX.UNSUPPORTED_ROW_FORMAT_LINES_TERMINATED_BY",
            )
        return [("LINES TERMINATED BY", text)]

    def null_option(self, shown: Token) -> list[tuple[str, str]]:
        return [("NULL DEFINED AS", self._of_text(shown))]
