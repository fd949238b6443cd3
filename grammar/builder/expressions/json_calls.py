"""Builds calls of the SQL/JSON functions, whose arguments are followed by clauses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.expressions import literals
from grammar.builder.expressions.joined_strings import value_of
from grammar.errors import Misread
from grammar.language import Form
from ir import types as t
from ir.errors import TableException
from ir.expressions import SymbolLiteral, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.functions.json import JSON_ARRAY, JSON_EXISTS, JSON_OBJECT, JSON_QUERY, JSON_VALUE, SQL_JSON
from ir.functions.json_aggregates import JSON_ARRAYAGG, JSON_OBJECTAGG
from ir.functions.json_clauses import NO_DEFAULT, exists_arguments, query_arguments, value_arguments
from ir.functions.json_table import EXISTENCE, JSON_TABLE, NUMBER, JsonColumn, arguments_of, is_path
from ir.identifiers import fold

if TYPE_CHECKING:
    from grammar.builder.expressions.building import BuildsExpressions

Found = tuple[FunctionDefinition, Sequence[Any]] | None
# The functions whose calls accept clauses.
WITH_CLAUSES = (*SQL_JSON, JSON_OBJECTAGG, JSON_ARRAYAGG, JSON_TABLE)


def json_object(builder: BuildsExpressions, node: s.Call) -> Found:
    """Build JSON_OBJECT(KEY … VALUE …)."""
    if node.form not in ("json", "") or (node.arguments and not node.form):
        return None
    behaviour = read_on_null(node, "NULL")
    fields = [part for member in node.arguments for part in (member.key, member.value)]
    return JSON_OBJECT, [SymbolLiteral(behaviour), *fields]


def json_array(builder: BuildsExpressions, node: s.Call) -> Found:
    """Build JSON_ARRAY(…), which omits NULL unless NULL ON NULL is written."""
    return None if node.form else (JSON_ARRAY, [SymbolLiteral(read_on_null(node, "ABSENT")), *node.arguments])


def json_objectagg(builder: BuildsExpressions, node: s.Call) -> Found:
    """Build JSON_OBJECTAGG(KEY … VALUE …)."""
    if node.form != "json" or len(node.arguments) != 1:
        raise Misread(node.position, "JSON_OBJECTAGG takes one key and value: JSON_OBJECTAGG(KEY a VALUE b).")
    (member,) = node.arguments
    return JSON_OBJECTAGG, [SymbolLiteral(read_on_null(node, "NULL")), member.key, member.value]


def json_arrayagg(builder: BuildsExpressions, node: s.Call) -> Found:
    """Build JSON_ARRAYAGG(…), which omits NULL unless NULL ON NULL is written."""
    if node.form or len(node.arguments) != 1:
        return None
    return JSON_ARRAYAGG, [SymbolLiteral(read_on_null(node, "ABSENT")), *node.arguments]


def read_on_null(node: s.Call, otherwise: str) -> str:
    """Return the ON NULL behaviour of a JSON constructor.

    Raises:
        Misread: a constructor of JSON does not have the clause.
    """
    behaviour = otherwise
    for clause in node.clauses:
        if clause.kind != "NULL" or clause.behaviour not in ("NULL", "ABSENT"):
            name = node.function.names[-1].text.upper()
            raise Misread(clause.position, f"{name} has NULL ON NULL and ABSENT ON NULL alone.")
        behaviour = clause.behaviour
    return behaviour


class _Clauses:
    """The clauses of a JSON call, at most one of each kind."""

    def __init__(self, builder: BuildsExpressions, node: s.Call, accepted: dict[str, tuple[str, ...]]) -> None:
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
        """Return the behaviour ON EMPTY or ON ERROR, or the default."""
        found = self._found.get(kind)
        return otherwise if found is None else found.behaviour

    def default(self, kind: str) -> ValueLiteral | None:
        """Return the default value ON EMPTY or ON ERROR, None if the call raises an error."""
        found = self._found.get(kind)
        if found is None or found.behaviour == "NULL":
            return NO_DEFAULT
        return None if found.behaviour == "ERROR" else self._constant(found.value)

    def _constant(self, node: Any) -> ValueLiteral:
        if isinstance(node, s.Signed) and node.sign == "-" and isinstance(node.operand, s.Number):
            return literals.number(node.operand, self._builder.language, negative=True)
        if not isinstance(node, (s.Number, s.Text, s.TypedText, s.Null, s.Boolean)):
            raise Misread(node.position, "The default of JSON_VALUE is a constant.")
        return self._builder.constant(node)

    def returned(self) -> t.LogicalType:
        """Return the type of RETURNING, or STRING."""
        found = self._found.get("RETURNING")
        return t.STRING if found is None else self._builder.type_of(found.value)

    def wrapper(self) -> str:
        """Return which values the WRAPPER clause wraps in an array."""
        words = self.behaviour("WRAPPER", "WITHOUT").split()
        if words[0] == "WITHOUT":
            return "WITHOUT"
        return "CONDITIONAL" if "CONDITIONAL" in words else "UNCONDITIONAL"


def _text_and_path(builder: BuildsExpressions, node: s.Call) -> tuple[Any, str]:
    name = node.function.names[-1].text.upper()
    if node.form or len(node.arguments) != 2:
        raise Misread(node.position, f"{name} takes a JSON text and a path: {name}(a, '$.b').")
    text, path = node.arguments
    if not isinstance(path, s.Text):
        raise Misread(getattr(path, "position", node.position), f"The path of {name} is a constant such as '$.a[0]'.")
    return text, str(builder.constant(path).value)


def _report_at(position: int, make: Any, *arguments: Any) -> Any:
    try:
        return make(*arguments)
    except TableException as error:
        raise Misread(position, error.in_sql, error.condition, type(error)) from None


def json_exists(builder: BuildsExpressions, node: s.Call) -> Found:
    """Build JSON_EXISTS."""
    text, path = _text_and_path(builder, node)
    clauses = _Clauses(builder, node, {"ERROR": ("TRUE", "FALSE", "UNKNOWN", "ERROR")})
    found = _report_at(node.arguments[1].position, exists_arguments, path, clauses.behaviour("ERROR", "FALSE"))
    return JSON_EXISTS, [text, *found]


def json_value(builder: BuildsExpressions, node: s.Call) -> Found:
    """Build JSON_VALUE."""
    text, path = _text_and_path(builder, node)
    cases = ("NULL", "ERROR", "DEFAULT")
    clauses = _Clauses(builder, node, {"RETURNING": (), "EMPTY": cases, "ERROR": cases})
    target, on_empty, on_error = clauses.returned(), clauses.default("EMPTY"), clauses.default("ERROR")
    return JSON_VALUE, [
        text,
        *_report_at(node.arguments[1].position, value_arguments, path, target, on_empty, on_error),
    ]


def json_query(builder: BuildsExpressions, node: s.Call) -> Found:
    """Build JSON_QUERY."""
    text, path = _text_and_path(builder, node)
    cases = ("NULL", "ERROR", "EMPTY ARRAY", "EMPTY OBJECT")
    clauses = _Clauses(builder, node, {"RETURNING": (), "WRAPPER": (), "EMPTY": cases, "ERROR": cases})
    target, wrapper = clauses.returned(), clauses.wrapper()
    on_empty, on_error = clauses.behaviour("EMPTY", "NULL"), clauses.behaviour("ERROR", "NULL")
    found = _report_at(node.arguments[1].position, query_arguments, path, target, wrapper, on_empty, on_error)
    return JSON_QUERY, [text, *found]


_TABLE_SHAPE = "JSON_TABLE(a, '$.b[*]' COLUMNS (c INT PATH '$.c'))"


def json_table(builder: BuildsExpressions, node: s.Call) -> Found:
    """Build JSON_TABLE, which is a keyword in Spark."""
    if node.form != "json_table":
        message = f"JSON_TABLE stands in FROM, and has COLUMNS: {_TABLE_SHAPE}."
        raise Misread(node.position, message, "UNRESOLVABLE_TABLE_VALUED_FUNCTION")
    builder.language.refuse(Form.JSON_TABLE, node.position)
    given, path = node.arguments[0], node.arguments[-1]
    if (
        len(node.arguments) != 2
        or not isinstance(path, (s.Text, s.Parameter, s.JoinedText))
        or isinstance(given, (s.NamedArgument, s.Aliased))
    ):
        position = getattr(path, "position", node.position)
        message = (
            f"JSON_TABLE takes JSON and the path to its rows, which is a text that is written out: {_TABLE_SHAPE}."
        )
        raise Misread(position, message, "PARSE_SYNTAX_ERROR")
    columns: dict[str, JsonColumn] = {}
    on_error = "NULL"
    for number, clause in enumerate(node.clauses):
        if isinstance(clause, s.JsonColumn):
            column = _column(builder, clause)
            if fold(column.name) in columns:
                message = f"JSON_TABLE has two columns named {column.name}."
                raise Misread(clause.position, message, "INVALID_SQL_SYNTAX.DUPLICATE_JSON_TABLE_COLUMN")
            columns[fold(column.name)] = column
        elif clause.kind != "ERROR" or clause.behaviour not in ("NULL", "ERROR") or number > len(columns):
            message = "After its columns, JSON_TABLE has NULL ON ERROR or ERROR ON ERROR, once."
            raise Misread(clause.position or node.position, message, "PARSE_SYNTAX_ERROR")
        else:
            on_error = clause.behaviour
    rows = _path(builder, path, of_rows=True)
    return JSON_TABLE, [given, *arguments_of(rows, on_error, columns.values())]


def _column(builder: BuildsExpressions, node: s.JsonColumn) -> JsonColumn:
    if node.kind == NUMBER:
        return JsonColumn(node.name.text, t.BIGINT.not_null(), NUMBER)
    if isinstance(node.target, s.TypeName) and node.target.text.upper() == EXISTENCE:
        message = f"A column of EXISTS has its type before that: {node.name.text} BOOLEAN EXISTS."
        raise Misread(node.target.position, message, "UNSUPPORTED_DATATYPE")
    column = JsonColumn(node.name.text, builder.type_of(node.target), node.kind)
    if not column.can_be_cast:
        given = "of a BOOLEAN, which EXISTS gives" if node.kind == EXISTENCE else "of text"
        message = f"Spark makes no {column.data_type.as_summary_string()} {given}, for the column {column.name}."
        if node.kind != EXISTENCE and isinstance(column.data_type, (t.ArrayType, t.MapType, t.RowType)):
            message += f" Take it as STRING, and FROM_JSON({column.name}, …) makes one of that."
        raise Misread(node.position, message, "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION")
    if node.path is not None:
        return column._replace(path=_path(builder, node.path))
    if not is_path(column.usual_path):
        message = f"No path leads to a field named {column.name!r}. Give the column another path, with PATH."
        raise Misread(node.position, message, _INVALID_PATH)
    return column._replace(path=column.usual_path)


def _path(builder: BuildsExpressions, node: s.JsonPath, *, of_rows: bool = False) -> str:
    path = value_of(builder, node)
    if not isinstance(path, str):
        raise Misread(node.position, "A path of JSON_TABLE is text, such as '$.a[0].b'.", "PARSE_SYNTAX_ERROR")
    if not is_path(path, of_rows=of_rows):
        which = "a path to rows, such as '$.a[0].b[*]': with [*] at the end alone"
        which = which if of_rows else "a path to one value, such as '$.a[0].b', without wildcards"
        message = f"{path!r} is not {which}; a name with dots or brackets is written ['a.b']."
        raise Misread(node.position, message, _INVALID_PATH)
    return path


_INVALID_PATH = "DATATYPE_MISMATCH.INVALID_JSON_TABLE_PATH"
