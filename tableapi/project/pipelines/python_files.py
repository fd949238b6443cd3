"""Reads the Python files of a pipeline without running them: which datasets they define, and what Spark refuses.

The functions are not executed, so that their columns are unknown.
`Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

import attrs

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
    """

    kind: DatasetKind
    name: str
    line: int
    target: str = ""


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
            found.append(PythonDefinition(kind, name, node.lineno, _argument(call, "target", None) or ""))
    return found


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
