"""Reads the Python files of a pipeline without running them: which datasets they define, and what Spark refuses.

The functions are not executed. A function that returns ``spark.sql("…")``, or ``query("…")`` of a PipelineProject, has
the columns of that text; those of other functions are unknown.
`Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final

import attrs

from ir.identifiers import quote
from tableapi.project.findings import Finding
from tableapi.project.pipelines.statements import DatasetKind

_DECORATORS: Final = {
    "table": DatasetKind.STREAMING_TABLE,
    "materialized_view": DatasetKind.MATERIALIZED_VIEW,
    "temporary_view": DatasetKind.TEMPORARY_VIEW,
    "append_flow": DatasetKind.FLOW,
}
_CALLS: Final = {
    "create_streaming_table": DatasetKind.STREAMING_TABLE,
    "create_sink": DatasetKind.SINK,
    "create_auto_cdc_flow": DatasetKind.FLOW,
}
# Members of a DataFrame, or of the session's catalog, that Spark refuses within a query function, because they ask the
# server for an analysis or run the query.
_ANALYSING: Final = frozenset(("schema", "columns", "dtypes", "isStreaming"))
_ANALYSING_CALLS: Final = frozenset(
    ("collect", "count", "first", "head", "isEmpty", "printSchema", "show", "take", "tail", "toArrow", "toPandas")
)
# Calls that change the session, which Spark refuses anywhere in a file.
_CHANGING: Final = {
    ("conf", "set"): "write the setting into configuration of the pipeline's file",
    ("conf", "unset"): "write the setting into configuration of the pipeline's file",
    ("udf", "register"): "call the function in the query with pyspark.sql.functions.udf",
    ("catalog", "setCurrentDatabase"): "write database into the pipeline's file",
    ("catalog", "setCurrentCatalog"): "write catalog into the pipeline's file",
}
_QUERIES: Final = ("SELECT", "WITH", "FROM", "VALUES", "TABLE", "")
_TEMPORARY: Final = frozenset(
    ("createTempView", "createOrReplaceTempView", "createGlobalTempView", "createOrReplaceGlobalTempView")
)


@attrs.frozen
class PythonDefinition:
    """A dataset or flow that a Python file defines.

    Attributes:
        kind: what it defines.
        name: the name, with its database or without one.
        line: the line of the definition.
        target: the streaming table into which a flow writes; empty if it is unknown, or for a dataset.
        statement: the statement of SQL that says the same, with its query at the lines of the file; empty if the
            function returns more than the rows of one text.
        calls_python: whether the query may call functions in Python.
    """

    kind: DatasetKind
    name: str
    line: int
    target: str = ""
    statement: str = ""
    calls_python: bool = False


def read_python(text: str, file: str) -> tuple[list[PythonDefinition], list[Finding]]:
    """Return the definitions of a file, and what Spark would refuse.

    Args:
        text: the content of the file.
        file: the file as messages show it.

    >>> found, _ = read_python("@dp.materialized_view(name='a.b')\\ndef f():\\n    return spark.range(3)", "x.py")
    >>> [(one.kind.value, one.name) for one in found]
    [('materialized view', 'a.b')]
    """
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        message = f"The file cannot be read: {error.msg}."
        return [], [Finding(file, message, file, error.lineno or 0, error.offset or 0)]
    definitions: list[PythonDefinition] = []
    findings: list[Finding] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            made = _of_function(node)
            definitions += made
            if made:
                findings += _analyses(node, made[0].name, file)
        elif isinstance(node, ast.Call):
            definitions += _of_call(node)
            findings += _changes(node, file)
    return sorted(definitions, key=lambda one: one.line), findings


def _of_function(node: ast.FunctionDef) -> list[PythonDefinition]:
    found = []
    for decorator in node.decorator_list:
        call = decorator if isinstance(decorator, ast.Call) else None
        named = call.func if call is not None else decorator
        kind = _DECORATORS.get(_last(named))
        if kind is not None:
            name = _argument(call, "name", None) or node.name
            target = _argument(call, "target", None) or ""
            query = _returned_query(node)
            if query is None:
                found.append(PythonDefinition(kind, name, node.lineno, target))
                continue
            # The head is in the line of the name, and the text of the query where it is in the file.
            head = _head(kind, name, target, call)
            statement = "\n" * (node.lineno - 1) + head + query if head else ""
            calls_python = _returned(node).func.attr == "query"
            found.append(PythonDefinition(kind, name, node.lineno, target, statement, calls_python))
    return found


_HEADS: Final = {
    DatasetKind.STREAMING_TABLE: "CREATE STREAMING TABLE {}{} AS ",
    DatasetKind.MATERIALIZED_VIEW: "CREATE MATERIALIZED VIEW {}{} AS ",
    DatasetKind.TEMPORARY_VIEW: "CREATE TEMPORARY VIEW {} AS ",
}


def _head(kind: DatasetKind, name: str, target: str, call: ast.Call | None) -> str:
    """Return the beginning of the statement that defines the same; empty if an argument is not a constant."""
    if kind is DatasetKind.FLOW:
        return f"CREATE FLOW {quote(name)} AS INSERT INTO {target} BY NAME " if target else ""
    given = {} if call is None else {keyword.arg: keyword.value for keyword in call.keywords}
    clauses = ""
    if "schema" in given:
        columns = _argument(call, "schema", None)
        if columns is None:
            return ""
        clauses = f" ({columns})"
    parts = given.get("partition_cols")
    if isinstance(parts, ast.List):
        names = [part.value for part in parts.elts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        clauses += f" PARTITIONED BY ({', '.join(map(quote, names))})" if names else ""
    return _HEADS[kind].format(name, clauses)


def _returned(function: ast.FunctionDef) -> Any:
    """Return the expression of a function that does nothing but return it; None for other functions."""
    first = function.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    body = function.body[1:] if is_text else function.body
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


def _returned_query(function: ast.FunctionDef) -> str | None:
    """Return the text of the query that a function returns; None if it does more than that.

    As many lines and blanks are before it as are between the line of the function's name and the text.
    """
    call = _returned(function)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.keywords:
        return None
    is_query = call.func.attr == "query" or (call.func.attr == "sql" and _last(call.func.value) == "spark")
    if not is_query or len(call.args) != 1:
        return None
    text = call.args[0]
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return None
    # The quotes of a text of several lines are three.
    quotes = 3 if (text.end_lineno or 0) > text.lineno else 1
    return "\n" * (text.lineno - function.lineno) + " " * (text.col_offset + quotes) + text.value


def _of_call(node: ast.Call) -> Iterator[PythonDefinition]:
    kind = _CALLS.get(_last(node.func))
    if kind is None:
        return
    if kind is DatasetKind.FLOW:
        target = _argument(node, "target", 0) or ""
        yield PythonDefinition(kind, _argument(node, "name", None) or target, node.lineno, target)
    else:
        name = _argument(node, "name", 0)
        if name:
            yield PythonDefinition(kind, name, node.lineno)


def _analyses(function: ast.FunctionDef, name: str, file: str) -> Iterator[Finding]:
    called = {id(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    for node in ast.walk(function):
        if not isinstance(node, ast.Attribute):
            continue
        is_call = id(node) in called
        if (node.attr in _ANALYSING and not is_call) or (node.attr in _ANALYSING_CALLS and is_call):
            if _is_of_module(node.value) or _is_grouped(node.value):
                continue
            yield Finding(
                name,
                f"A query function may not ask for {node.attr}{'()' if is_call else ''}, because that needs an "
                "analysis or a run: Spark raises ATTEMPT_ANALYSIS_IN_PIPELINE_QUERY_FUNCTION. Ask outside of it.",
                file,
                node.lineno,
                node.col_offset + 1,
            )


def _changes(node: ast.Call, file: str) -> Iterator[Finding]:
    function = node.func
    if not isinstance(function, ast.Attribute):
        return
    pair = _last(function.value), function.attr
    text = _argument(node, "sqlQuery", 0) or ""
    if pair == ("spark", "sql") and text and text.split()[0].upper().lstrip("(") not in _QUERIES:
        yield Finding(
            file,
            f"spark.sql takes queries in a pipeline: {text.split()[0].upper()} raises "
            "UNSUPPORTED_PIPELINE_SPARK_SQL_COMMAND.",
            file,
            node.lineno,
            node.col_offset + 1,
        )
    instead = _CHANGING.get(pair)
    if function.attr in _TEMPORARY:
        instead = "declare a @temporary_view"
    if instead is not None:
        shown = f"{pair[0]}.{pair[1]}" if pair in _CHANGING else function.attr
        yield Finding(
            file,
            f"A pipeline may not change the session: {shown} raises SESSION_MUTATION_IN_DECLARATIVE_PIPELINE. Instead, "
            f"{instead}.",
            file,
            node.lineno,
            node.col_offset + 1,
        )


def _is_grouped(node: ast.expr) -> bool:
    """Whether a value is groups of rows, whose count() is a query."""
    return isinstance(node, ast.Call) and _last(node.func) in ("groupBy", "groupby", "rollup", "cube", "pivot")


def _is_of_module(node: ast.expr) -> bool:
    """Whether an attribute is one of ``F``, ``types`` and other modules, and not of a DataFrame."""
    return isinstance(node, ast.Name) and (node.id in ("F", "T", "dp") or node.id.startswith("pyspark"))


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _argument(call: ast.Call | None, name: str, position: int | None) -> str | None:
    if call is None:
        return None
    given: ast.expr | None = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    if given is None and position is not None and position < len(call.args):
        given = call.args[position]
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None
