"""Find the source that holds back the watermark of a running query.

A query over several streams has the least of their watermarks: a source without new rows stops all windows and joins.
Spark reports the least one alone, and keeps those of the sources in a private map.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

_POLICY: Final = "spark.sql.streaming.multipleWatermarkPolicy"


def find_holders(query: Any, session: Any) -> tuple[str, ...]:
    """Return the descriptions of the sources that hold the watermark of a query back.

    Args:
        query: the query of a session in this process.
        session: its session.

    Returns:
        The sources with the least watermark, among them those without any row yet; nothing if all have the same one, or
        if the query has one watermark.
    """
    if str(session.conf.get(_POLICY)).lower() != "min":
        return ()
    execution = query._jsq.streamingQuery()
    known = _watermarks_by_node(execution.watermarkTracker())
    found: dict[str, int] = {}
    for node in _list_watermarks(execution.logicalPlan()):
        watermark = known.get(str(node.nodeId().toString()), -1)
        for source in _list_sources(node):
            found[source] = min(watermark, found.get(source, watermark))
    least = min(found.values(), default=-1)
    holders = tuple([source for source, watermark in found.items() if watermark == least])
    return holders if len(holders) < len(found) else ()


def _watermarks_by_node(tracker: Any) -> dict[str, int]:
    """Return the watermark of each operator that sets one, in milliseconds; none for those without a row."""
    field = tracker.getClass().getDeclaredField("operatorToWatermarkMap")
    field.setAccessible(True)
    found: dict[str, int] = {}
    entries = field.get(tracker).iterator()
    while entries.hasNext():
        entry = entries.next()
        value: Any = entry._2()
        if value.isDefined():
            found[str(entry._1().toString())] = int(value.get())
    return found


def _list_watermarks(plan: Any) -> Iterator[Any]:
    waiting = [plan]
    while waiting:
        node = waiting.pop()
        if node.getClass().getSimpleName() == "EventTimeWatermark":
            yield node
        waiting += _children(node)


def _list_sources(plan: Any) -> Iterator[str]:
    """Yield the descriptions of the sources below an operator, as the progress of the query has them."""
    waiting = [plan]
    while waiting:
        node = waiting.pop()
        below = _children(node)
        waiting += below
        if not below and node.isStreaming():
            kind = node.getClass().getSimpleName()
            source = node.source() if kind == "StreamingExecutionRelation" else node.stream()
            yield str(source.toString())


def _children(plan: Any) -> list[Any]:
    children = plan.children()
    return [children.apply(index) for index in range(children.size())]
