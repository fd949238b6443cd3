"""``tableapi lineage``: what the columns of a project's tables and views come from, and what comes from them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tableapi.cli.checking import load
from tableapi.cli.output import ExitCode, Output
from tableapi.lineage.diagrams import to_dot, to_mermaid
from tableapi.lineage.drawing import step_lines
from tableapi.lineage.fields import Dataset, Kind, LineageStep
from tableapi.lineage.graph import LineageGraph, sorted_steps
from tableapi.lineage.lineage import LineageTrace, facets, step_documents, trace_downstream, trace_upstream
from tableapi.lineage.names import find_field
from tableapi.lineage.picture import to_svg
from tableapi.project.lineage import project_lineage

_DIAGRAMS = {"dot": to_dot, "mermaid": to_mermaid, "svg": to_svg}


def lineage(
    output: Output,
    folder: Path,
    name: str | None,
    *,
    up: bool,
    down: bool,
    depth: int | None,
    form: str,
    namespace: str | None,
) -> ExitCode:
    """Print the lineage of a table, a view or a column, or of the whole project."""
    found = project_lineage(load(folder))
    graph = found.graph
    for view, problem in found.unreadable.items():
        output.note(f"{view} cannot be built, and counts as a table: {problem}")
    if name is None:
        views = [dataset for dataset in graph.datasets if dataset.kind is Kind.VIEW]
        steps = graph.every_step(views)
        _show(output, form, [], steps, graph, views, namespace)
        _document(output, None, [], steps, graph, views, namespace)
        return ExitCode.OK
    dataset, node = find_field(name, graph.datasets)
    traces = []
    # Without an option, both directions.
    if up or not down:
        traces.append(trace_upstream(graph, dataset, node, depth))
    if down or not up:
        traces.append(trace_downstream(graph, dataset, node, depth))
    steps = sorted_steps(list({step: None for trace in traces for step in trace.steps}))
    views = sorted(
        {step.target.dataset for step in steps if step.target.dataset.kind is Kind.VIEW}, key=lambda view: view.name
    )
    _show(output, form, traces, steps, graph, views, namespace)
    _document(output, name, traces, steps, graph, views, namespace)
    return ExitCode.OK


def _show(
    output: Output,
    form: str,
    traces: Sequence[LineageTrace],
    steps: tuple[LineageStep, ...],
    graph: LineageGraph,
    views: Sequence[Dataset],
    namespace: str | None,
) -> None:
    """Print the lineage for people, or as the text of another program."""
    if output.is_json:
        return
    if form in _DIAGRAMS:
        print(_DIAGRAMS[form](steps))
    elif form == "openlineage":
        print(json.dumps(facets(graph, views, namespace), indent=2, ensure_ascii=False))
    elif traces:
        print("\n\n".join(map(str, traces)))
    else:
        print("\n".join(step_lines(steps)))


def _document(
    output: Output,
    name: str | None,
    traces: Sequence[LineageTrace],
    steps: tuple[LineageStep, ...],
    graph: LineageGraph,
    views: Sequence[Dataset],
    namespace: str | None,
) -> None:
    if not output.is_json:
        return
    directions: dict[str, Any] = {trace.direction: trace.as_list() for trace in traces}
    output.document(name=name, **directions, steps=step_documents(steps), openlineage=facets(graph, views, namespace))
