"""``tableapi lineage``: the sources and the readers of columns of a project's tables and views."""

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
    traces = [] if name is None else find_traces(graph, name, up=up, down=down, depth=depth)
    steps, views = _steps_and_views(graph, None if name is None else traces)
    if output.is_json:
        output.document(**lineage_fields(graph, name, traces), openlineage=facets(graph, views, namespace))
    elif form in _DIAGRAMS:
        print(_DIAGRAMS[form](steps))
    elif form == "openlineage":
        print(json.dumps(facets(graph, views, namespace), indent=2, ensure_ascii=False))
    elif name is not None:
        print("\n\n".join(map(str, traces)))
    else:
        print("\n".join(step_lines(steps)))
    return ExitCode.OK


def lineage_fields(graph: LineageGraph, name: str | None, traces: Sequence[LineageTrace]) -> dict[str, Any]:
    """Return the fields of the JSON document of ``lineage``, without OpenLineage's facet.

    Args:
        graph: the graph of the project.
        name: the table, view or column; None for the whole project.
        traces: its traces; none for the whole project.
    """
    steps, _ = _steps_and_views(graph, None if name is None else traces)
    directions = {trace.direction: trace.as_list() for trace in traces}
    return {"name": name, **directions, "steps": step_documents(steps)}


def _steps_and_views(
    graph: LineageGraph, traces: Sequence[LineageTrace] | None
) -> tuple[tuple[LineageStep, ...], list[Dataset]]:
    """Return the steps of traces, None for the whole graph, and the views into which the steps lead."""
    if traces is None:
        views = [dataset for dataset in graph.datasets if dataset.kind is Kind.VIEW]
        return graph.every_step(views), views
    steps = sorted_steps(list({step: None for trace in traces for step in trace.steps}))
    targets = {step.target.dataset for step in steps}
    return steps, sorted((one for one in targets if one.kind is Kind.VIEW), key=lambda view: view.name)


def find_traces(graph: LineageGraph, name: str, *, up: bool, down: bool, depth: int | None) -> list[LineageTrace]:
    """Return the traces of a table, a view or a column in the directions that are chosen; without a choice, both.

    Raises:
        ValidationException: there is no such table, view or column; the message has the nearest name.
    """
    dataset, node = find_field(name, graph.datasets)
    traces = []
    if up or not down:
        traces.append(trace_upstream(graph, dataset, node, depth))
    if down or not up:
        traces.append(trace_downstream(graph, dataset, node, depth))
    return traces
