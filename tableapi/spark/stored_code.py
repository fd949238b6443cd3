"""Code in the permanent views of Spark's catalogs, found in the plan of a query before it runs."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pyspark.errors import PySparkException

from grammar.statement_words import words
from ir.functions.context import REFLECT, TRY_REFLECT
from tableapi.spark.settings import is_connect
from tableapi.stored_programs import refusal, shown_call

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# The nodes of Spark's plans that run code, and the functions that they are calls of; one is no call.
_CALLS: Final = {"CallMethodViaReflection": REFLECT, "TryReflect": TRY_REFLECT}
_SCRIPT: Final = "ScriptTransformation"
_VIEW: Final = re.compile(r"\bView \((`[^\n]*?`), ")
# What the same nodes are in the plan as a text. A function of SQL is its name there until the plan is optimised.
_CODE: Final = re.compile(rf"(\w*reflect|java_method)\(|{_SCRIPT}|(?:Batch)?ScriptTransformationExec")
_ANALYSED: Final = "== Analyzed Logical Plan =="
# Spark leaves out the rest of longer lists.
_LONGEST_LIST: Final = "spark.sql.debug.maxToStringFields"
_ALL: Final = str(2**31 - 1)
# The first words of statements that read rows as they are run, and what is beside them in those that store a query.
_READING: Final = frozenset(
    {"CACHE", "CREATE", "DELETE", "FROM", "INSERT", "MERGE", "REPLACE", "SELECT", "TABLE", "UPDATE", "WITH", "("}
)
_STORING: Final = frozenset({"FUNCTION", "VIEW"})


def require_no_stored_code(frame: DataFrame) -> None:
    """Refuse a query that reads a permanent view which runs code.

    Raises:
        ValidationException: it does; the message names the view and what it runs.
    """
    if is_connect(frame.sparkSession):
        _require_no_code_in_text(_explained(frame))
        return
    plan: Any = frame._jdf.queryExecution().analyzed()
    if _VIEW.search(plan.toString()) is None:
        return
    for view, node in _nodes(json.loads(plan.toJSON())):
        if view is not None and node in _CALLS:
            raise refusal(f"The view {view}", shown_call(_CALLS[node]))
        if view is not None and node == _SCRIPT:
            raise refusal(f"The view {view}", "TRANSFORM … USING, a program of the operating system")


def require_no_stored_code_in(session: SparkSession, statement: str) -> None:
    """Refuse a statement in Spark's own syntax that reads a permanent view which runs code.

    Raises:
        ValidationException: it does; the message names the view and what it runs.
    """
    first = [token.text.upper() for token in words(statement)[:4]]
    if not first or first[0] not in _READING or not _STORING.isdisjoint(first):
        return
    with _whole_lists(session):
        try:
            plan = session.sql(f"EXPLAIN EXTENDED {statement}").collect()[0][0]
        except PySparkException:
            # Spark says what is wrong with the statement when it runs it.
            return
    _require_no_code_in_text(plan)


@contextlib.contextmanager
def _whole_lists(session: SparkSession) -> Iterator[None]:
    """Have Spark write plans whole within the block."""
    before = session.conf.get(_LONGEST_LIST)
    session.conf.set(_LONGEST_LIST, _ALL)
    try:
        yield
    finally:
        session.conf.set(_LONGEST_LIST, str(before))


def _explained(frame: DataFrame) -> str:
    """Return all plans of a query as a text; a server gives no other form of them."""
    with _whole_lists(frame.sparkSession):
        text: str = frame._explain_string(extended=True)  # type: ignore[operator]  # not in the stubs
    return text


def _require_no_code_in_text(text: str) -> None:
    """Refuse a plan with code after the first view in it: a text does not tell for certain what belongs to a view."""
    plan = text.partition(_ANALYSED)[2]
    view = _VIEW.search(plan)
    code = None if view is None else _CODE.search(plan, view.end())
    if view is None or code is None:
        return
    nearest = list(_VIEW.finditer(plan, 0, code.start()))[-1]
    shown = nearest.group(1).replace("`", "")
    raise refusal(f"The view {shown}, or one beside it,", f"a call of {code.group().rstrip('(').upper()}")


def _nodes(plan: list[Any]) -> Iterator[tuple[str | None, str]]:
    """Yield the class of each node of a plan and of the plans in it, with the permanent view that it belongs to."""
    waiting: list[tuple[Any, str | None]] = [(plan, None)]
    while waiting:
        value, view = waiting.pop()
        if isinstance(value, dict):
            waiting += [(part, view) for part in value.values()]
        elif isinstance(value, list) and value and isinstance(value[0], dict) and "class" in value[0]:
            # Nodes stand before their children; of each it is known how many it has.
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
