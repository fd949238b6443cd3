"""Lineage results as text, as diagrams, and as a picture in a notebook."""

from __future__ import annotations

from collections.abc import Iterable

from tableapi.display import rendering
from tableapi.lineage.diagrams import to_dot, to_mermaid
from tableapi.lineage.fields import FieldInfluence, LineageStep
from tableapi.lineage.picture import to_svg

# A browser becomes slow with larger pictures, and nobody reads them.
_MOST_DRAWN = 1_500


class Drawing:
    """Base class of results that are steps between fields."""

    @property
    def steps(self) -> tuple[LineageStep, ...]:
        """The steps between fields."""
        raise NotImplementedError

    def to_dot(self) -> str:
        """Return the steps as a directed graph in DOT, the language of Graphviz."""
        return to_dot(self.steps)

    def to_mermaid(self) -> str:
        """Return the steps as a flowchart in Mermaid, which many pages of documentation draw."""
        return to_mermaid(self.steps)

    def to_svg(self) -> str:
        """Return the steps as a picture in SVG, which needs no JavaScript."""
        return to_svg(self.steps)

    def _repr_html_(self) -> str:
        if not 0 < len(self.steps) <= _MOST_DRAWN:
            return rendering.format_as_html(rendering.truncate(str(self)))
        return f'<div style="overflow-x: auto">{self.to_svg()}</div>'


def found_lines(found: Iterable[FieldInfluence]) -> list[str]:
    """Return a line for each field: the distance, the name and the influences."""
    rows = [(str(one.distance), str(one.field), one) for one in found]
    width = max((len(name) for _, name, _ in rows), default=0)
    return [
        f"{distance:>2}  {name:{width}}  {one.influence_text}{' (rows)' if one.through_rows else ''}"
        for distance, name, one in rows
    ]


def step_lines(steps: Iterable[LineageStep]) -> list[str]:
    """Return a line for each step, below a line for each dataset that reads."""
    lines: list[str] = []
    shown = None
    for step in steps:
        if step.target != shown:
            lines.append(str(step.target))
            shown = step.target
        lines.append(f"    {step.source}  {', '.join(influence.value for influence in step.influences)}")
    return lines
