"""Lineage as the text of diagrams: Graphviz DOT and Mermaid."""

from __future__ import annotations

from collections.abc import Iterable

from tableapi.lineage.fields import Dataset, Field, LineageStep


def fields_by_dataset(steps: Iterable[LineageStep]) -> dict[Dataset, list[Field]]:
    """Return the fields in some steps by their dataset: columns in the order of the schema, the rows last."""
    found: dict[Dataset, dict[Field, None]] = {}
    for step in steps:
        for field in (step.source, step.target):
            found.setdefault(field.dataset, {})[field] = None

    def place(field: Field) -> tuple[bool, int, str]:
        index = None if field.column is None else field.dataset.schema.index_of(field.column)
        return field.is_rows, index or 0, field.column_text

    return {dataset: sorted(fields, key=place) for dataset, fields in sorted(found.items(), key=lambda e: e[0].name)}


def _label(step: LineageStep) -> str:
    return ", ".join(influence.value for influence in step.influences)


def _is_indirect(step: LineageStep) -> bool:
    return not any(influence.is_direct for influence in step.influences)


def to_dot(steps: tuple[LineageStep, ...]) -> str:
    """Return a directed graph in DOT (https://graphviz.org/doc/info/lang.html): a cluster for each dataset."""
    grouped = fields_by_dataset(steps)
    names = {field: f"f{number}" for number, field in enumerate(f for fields in grouped.values() for f in fields)}
    lines = ["digraph lineage {", "  rankdir=LR;", '  node [shape=box, style=rounded, fontname="sans-serif"];']
    for number, (dataset, fields) in enumerate(grouped.items()):
        lines += [f"  subgraph cluster_{number} {{", f"    label={_dot_string(dataset.name)};"]
        lines += [f"    {names[field]} [label={_dot_string(field.column_text)}];" for field in fields]
        lines.append("  }")
    for step in steps:
        dashed = ", style=dashed" if _is_indirect(step) else ""
        lines.append(f"  {names[step.source]} -> {names[step.target]} [label={_dot_string(_label(step))}{dashed}];")
    return "\n".join([*lines, "}"])


def _dot_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def to_mermaid(steps: tuple[LineageStep, ...]) -> str:
    """Return a flowchart in Mermaid (https://mermaid.js.org/syntax/flowchart.html): a subgraph for each dataset."""
    grouped = fields_by_dataset(steps)
    names = {field: f"f{number}" for number, field in enumerate(f for fields in grouped.values() for f in fields)}
    lines = ["flowchart LR"]
    for number, (dataset, fields) in enumerate(grouped.items()):
        lines.append(f"  subgraph d{number}[{_mermaid_string(dataset.name)}]")
        lines += [f"    {names[field]}[{_mermaid_string(field.column_text)}]" for field in fields]
        lines.append("  end")
    for step in steps:
        arrow = "-.->" if _is_indirect(step) else "-->"
        lines.append(f"  {names[step.source]} {arrow}|{_label(step)}| {names[step.target]}")
    return "\n".join(lines)


def _mermaid_string(text: str) -> str:
    # Mermaid has entities in place of escapes, written with a number sign.
    escaped = text.replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")
    return '"' + escaped.replace("\n", " ").replace("`", "#96;") + '"'
