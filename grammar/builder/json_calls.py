"""Calls of the SQL/JSON functions, whose arguments are followed by clauses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder import literals
from grammar.errors import Misread
from ir import types as t
from ir.errors import TableException
from ir.expressions import SymbolLiteral, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.functions.json import JSON_ARRAY, JSON_EXISTS, JSON_OBJECT, JSON_QUERY, JSON_VALUE, SQL_JSON
from ir.functions.json_aggregates import JSON_ARRAYAGG, JSON_OBJECTAGG
from ir.functions.json_clauses import NO_DEFAULT, exists_arguments, query_arguments, value_arguments

if TYPE_CHECKING:
    from grammar.builder.expressions import ExpressionBuilder

Found = tuple[FunctionDefinition, Sequence[Any]] | None
# The functions whose calls have clauses.
WITH_CLAUSES = (*SQL_JSON, JSON_OBJECTAGG, JSON_ARRAYAGG)


def json_object(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Return JSON_OBJECT(KEY … VALUE …)."""
    if node.form not in ("json", "") or (node.arguments and not node.form):
        return None
    behaviour = on_null(node, "NULL")
    fields = [part for member in node.arguments for part in (member.key, member.value)]
    return JSON_OBJECT, [SymbolLiteral(behaviour), *fields]


def json_array(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Return JSON_ARRAY(…), from which NULL is left out unless it is said to stay."""
    return None if node.form else (JSON_ARRAY, [SymbolLiteral(on_null(node, "ABSENT")), *node.arguments])


def json_objectagg(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Return JSON_OBJECTAGG(KEY … VALUE …)."""
    if node.form != "json" or len(node.arguments) != 1:
        raise Misread(node.position, "JSON_OBJECTAGG takes one key and value: JSON_OBJECTAGG(KEY a VALUE b).")
    (member,) = node.arguments
    return JSON_OBJECTAGG, [SymbolLiteral(on_null(node, "NULL")), member.key, member.value]


def json_arrayagg(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Return JSON_ARRAYAGG(…), from which NULL is left out unless it is said to stay."""
    if node.form or len(node.arguments) != 1:
        return None
    return JSON_ARRAYAGG, [SymbolLiteral(on_null(node, "ABSENT")), *node.arguments]


def on_null(node: s.Call, otherwise: str) -> str:
    """Return what happens to NULL among the values of a constructor of JSON.

    Raises:
        Misread: there is a clause that constructors do not have.
    """
    behaviour = otherwise
    for clause in node.clauses:
        if clause.kind != "NULL" or clause.behaviour not in ("NULL", "ABSENT"):
            name = node.function.names[-1].text.upper()
            raise Misread(clause.position, f"{name} has NULL ON NULL and ABSENT ON NULL alone.")
        behaviour = clause.behaviour
    return behaviour


class _Clauses:
    """The clauses of a call, each at most once."""

    def __init__(self, builder: ExpressionBuilder, node: s.Call, accepted: dict[str, tuple[str, ...]]) -> None:
        self._builder = builder
        self._node = node
        self._found: dict[str, s.JsonClause] = {}
        name = node.function.names[-1].text.upper()
        for clause in node.clauses:
            position = clause.position or node.position
            known = accepted.get(clause.kind)
            shown = f"{clause.behaviour} ON {clause.kind}" if clause.kind in ("EMPTY", "ERROR", "NULL") else clause.kind
            if known is None or (known and clause.behaviour not in known):
                options = [
                    f"{behaviour} ON {kind}" if kind in ("EMPTY", "ERROR") else kind
                    for kind, behaviours in accepted.items()
                    for behaviour in behaviours or ("",)
                ]
                raise Misread(position, f"{name} has no clause {shown}; it has {', '.join(options)}.")
            if clause.kind in self._found:
                raise Misread(position, f"{name} has two clauses {clause.kind}.")
            self._found[clause.kind] = clause

    def behaviour(self, kind: str, otherwise: str) -> str:
        """Return what happens in a case."""
        found = self._found.get(kind)
        return otherwise if found is None else found.behaviour

    def default(self, kind: str) -> ValueLiteral | None:
        """Return the value that there is instead in a case, None for an error."""
        found = self._found.get(kind)
        if found is None or found.behaviour == "NULL":
            return NO_DEFAULT
        return None if found.behaviour == "ERROR" else self._constant(found.value)

    def _constant(self, node: Any) -> ValueLiteral:
        if isinstance(node, s.Signed) and node.sign == "-" and isinstance(node.operand, s.Number):
            return literals.number(node.operand, self._builder.dialect, negative=True)
        if not isinstance(node, (s.Number, s.Text, s.TypedText, s.Null, s.Boolean)):
            raise Misread(node.position, "The default of JSON_VALUE is a constant.")
        return self._builder.constant(node)

    def returned(self) -> t.LogicalType:
        """Return the type of the result."""
        found = self._found.get("RETURNING")
        return t.STRING if found is None else self._builder.type_of(found.value)

    def wrapper(self) -> str:
        """Return which values are wrapped in an array."""
        words = self.behaviour("WRAPPER", "WITHOUT").split()
        if words[0] == "WITHOUT":
            return "WITHOUT"
        return "CONDITIONAL" if "CONDITIONAL" in words else "UNCONDITIONAL"


def _text_and_path(builder: ExpressionBuilder, node: s.Call) -> tuple[Any, str]:
    name = node.function.names[-1].text.upper()
    if node.form or len(node.arguments) != 2:
        raise Misread(node.position, f"{name} takes a JSON text and a path: {name}(a, '$.b').")
    text, path = node.arguments
    if not isinstance(path, s.Text):
        raise Misread(getattr(path, "position", node.position), f"The path of {name} is a constant such as '$.a[0]'.")
    return text, str(builder.constant(path).value)


def _at(position: int, make: Any, *arguments: Any) -> Any:
    try:
        return make(*arguments)
    except TableException as error:
        raise Misread(position, error.in_sql or str(error), error.condition, type(error)) from None


def json_exists(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Return JSON_EXISTS."""
    text, path = _text_and_path(builder, node)
    clauses = _Clauses(builder, node, {"ERROR": ("TRUE", "FALSE", "UNKNOWN", "ERROR")})
    found = _at(node.arguments[1].position, exists_arguments, path, clauses.behaviour("ERROR", "FALSE"))
    return JSON_EXISTS, [text, *found]


def json_value(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Return JSON_VALUE."""
    text, path = _text_and_path(builder, node)
    cases = ("NULL", "ERROR", "DEFAULT")
    clauses = _Clauses(builder, node, {"RETURNING": (), "EMPTY": cases, "ERROR": cases})
    target, on_empty, on_error = clauses.returned(), clauses.default("EMPTY"), clauses.default("ERROR")
    return JSON_VALUE, [text, *_at(node.arguments[1].position, value_arguments, path, target, on_empty, on_error)]


def json_query(builder: ExpressionBuilder, node: s.Call) -> Found:
    """Return JSON_QUERY."""
    text, path = _text_and_path(builder, node)
    cases = ("NULL", "ERROR", "EMPTY ARRAY", "EMPTY OBJECT")
    clauses = _Clauses(builder, node, {"RETURNING": (), "WRAPPER": (), "EMPTY": cases, "ERROR": cases})
    target, wrapper = clauses.returned(), clauses.wrapper()
    on_empty, on_error = clauses.behaviour("EMPTY", "NULL"), clauses.behaviour("ERROR", "NULL")
    found = _at(node.arguments[1].position, query_arguments, path, target, wrapper, on_empty, on_error)
    return JSON_QUERY, [text, *found]
