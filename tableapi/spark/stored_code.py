"""Detect code that permanent Spark views run, from the plan of a query before the query runs."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pyspark.errors import PySparkException

from grammar.statement_words import words
from ir.functions.context import REFLECT, TRY_REFLECT
from tableapi.catalog.stored_programs import describe_call, refusal
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Nodes of Spark's plans that run code, with the functions that they call; a script is not a function call.
_CALLS: Final = {"CallMethodViaReflection": REFLECT, "TryReflect": TRY_REFLECT}
_SCRIPT: Final = "ScriptTransformation"
_VIEW: Final = re.compile(r"\bView \((`[^\n]*?`), ")
# The same nodes in the text of a plan. A SQL function is shown by its name until the plan is optimised.
_CODE: Final = re.compile(rf"(\w*reflect|java_method)\(|{_SCRIPT}|(?:Batch)?ScriptTransformationExec")
_ANALYSED: Final = "== Analyzed Logical Plan =="
# Spark truncates longer lists.
_LONGEST_LIST: Final = "spark.sql.debug.maxToStringFields"
_ALL: Final = str(2**31 - 1)
# First words of statements that read rows when they run, and further words in statements that only store a query.
_READING: Final = frozenset(
    {"CACHE", "CREATE", "DELETE", "FROM", "INSERT", "MERGE", "REPLACE", "SELECT", "TABLE", "UPDATE", "WITH", "("}
)
_STORING: Final = frozenset({"FUNCTION", "VIEW"})


def require_no_stored_code(frame: DataFrame) -> None:
    """Check that no permanent view in a query runs code.

    Raises:
        ValidationException: a view runs code; the message names the view and the code.
    """
    if is_connect(frame.sparkSession):
        _require_no_code_in_text(_explain(frame))
        return
    plan: Any = frame._jdf.queryExecution().analyzed()
    if _VIEW.search(plan.toString()) is None:
        return
    for view, node in _nodes(json.loads(plan.toJSON())):
        if view is not None and node in _CALLS:
            raise refusal(f"The view {view}", describe_call(_CALLS[node]))
        if view is not None and node == _SCRIPT:
            raise refusal(f"The view {view}", "TRANSFORM … USING, a program of the operating system")


def require_no_stored_code_in(session: SparkSession, statement: str) -> None:
    """Check that no permanent view in a statement of Spark's own syntax runs code.

    Raises:
        ValidationException: a view runs code; the message names the view and the code.
    """
    first = [token.text.upper() for token in words(statement)[:4]]
    if not first or first[0] not in _READING or not _STORING.isdisjoint(first):
        return
    with _write_whole_lists(session):
        try:
            plan = session.sql(f"EXPLAIN EXTENDED {statement}").collect()[0][0]
        except PySparkException:
            # Spark reports the error when it runs the statement.
            return
    _require_no_code_in_text(plan)


@contextlib.contextmanager
def _write_whole_lists(session: SparkSession) -> Iterator[None]:
    """Have Spark write plans without truncation within the block."""
    before = session.conf.get(_LONGEST_LIST)
    session.conf.set(_LONGEST_LIST, _ALL)
    try:
        yield
    finally:
        session.conf.set(_LONGEST_LIST, str(before))


def _explain(frame: DataFrame) -> str:
    """Return all plans of a query as text, the only form that a Connect server offers."""
    with _write_whole_lists(frame.sparkSession):
        text: str = frame._explain_string(extended=True)  # type: ignore[operator]  # not in the stubs
    return text


def _require_no_code_in_text(text: str) -> None:
    """Check a plan for code after its first view; the text does not show for certain which nodes belong to a view."""
    plan = text.partition(_ANALYSED)[2]
    view = _VIEW.search(plan)
    code = None if view is None else _CODE.search(plan, view.end())
    if view is None or code is None:
        return
    nearest = list(_VIEW.finditer(plan, 0, code.start()))[-1]
    shown = nearest.group(1).replace("`", "")
    raise refusal(f"The view {shown}, or one beside it,", f"a call of {code.group().rstrip('(').upper()}")


def _nodes(plan: list[Any]) -> Iterator[tuple[str | None, str]]:
    """Yield the class of each node of a plan and of nested plans, with the permanent view that contains it."""
    waiting: list[tuple[Any, str | None]] = [(plan, None)]
    while waiting:
        value, view = waiting.pop()
        if isinstance(value, dict):
            waiting += [(part, view) for part in value.values()]
        elif isinstance(value, list) and value and isinstance(value[0], dict) and "class" in value[0]:
            # Nodes precede their children, and each node has its number of children.
            around: list[tuple[str | None, int]] = [(view, 1)]
            for node in value:
                while not around[-1][1]:
                    around.pop()
                inside, left = around[-1]
                around[-1] = inside, left - 1
                kind = str(node["class"]).rpartition(".")[2]
                if kind == "View" and not node.get("isTempView"):
                    inside = _name_of(node)
                yield inside, kind
                around.append((inside, int(node["num-children"])))
                waiting += [(part, inside) for part in node.values() if isinstance(part, dict | list)]
        elif isinstance(value, list):
            waiting += [(part, view) for part in value if isinstance(part, dict | list)]


def _name_of(view: dict[str, Any]) -> str:
    found = view["desc"]["identifier"]
    return ".".join(str(found[part]) for part in ("catalog", "database", "table") if found.get(part))
