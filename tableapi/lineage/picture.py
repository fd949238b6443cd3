"""Lineage as a picture: an SVG with the datasets in columns from left to right, which needs no JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ir.lineage.influences import Influence
from tableapi.display.rendering import escape
from tableapi.lineage.diagrams import fields_by_dataset
from tableapi.lineage.fields import Dataset, Field, LineageStep

_ROW: Final = 20
_HEAD: Final = 26
_GAP: Final = 24
_ACROSS: Final = 120
# The width of a letter of the font, which is fixed in width, so that texts can be measured here.
_LETTER: Final = 7.3
_SMALL_LETTER: Final = 5.5
_BEND: Final = 40.0
_MARGIN: Final = 10
# Of medium brightness, to be seen on light and dark pages.
_DIRECT: Final = "#4a86d0"
_INDIRECT: Final = "#b8791a"


def _themed(own: str, *variables: str) -> str:
    """Return a colour that a notebook's theme sets, with its fallback: Jupyter and VS Code name theirs as variables."""
    for variable in reversed(variables):
        own = f"var({variable}, {own})"
    return own


_PAGE: Final = _themed("white", "--jp-layout-color0", "--vscode-editor-background")
_TEXT: Final = _themed("black", "--jp-content-font-color1", "--vscode-editor-foreground")
_FAINT: Final = _themed("#555", "--jp-content-font-color2", "--vscode-editor-foreground")
_BOX: Final = _themed("#f6f6f6", "--jp-layout-color2", "--vscode-editorWidget-background")


class _Box(NamedTuple):
    x: float
    y: float
    width: float
    fields: list[Field]

    @property
    def height(self) -> float:
        return _HEAD + _ROW * len(self.fields) + 6

    def middle_of(self, field: Field) -> float:
        return self.y + _HEAD + _ROW * self.fields.index(field) + _ROW / 2


def to_svg(steps: tuple[LineageStep, ...]) -> str:
    """Return an SVG of some steps. A line is solid if the value passes along it, dashed for an indirect influence."""
    labels = _labels(steps)
    boxes = _arrange(steps, labels)
    width = max((box.x + box.width for box in boxes.values()), default=0) + _MARGIN
    height = max((box.y + box.height for box in boxes.values()), default=0) + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="monospace" font-size="12" role="img">',
        f"<title>{escape(_title(steps))}</title>",
        # An attribute is for programs that read no styles, which have no themes either.
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="white" style="fill: {_PAGE}"/>',
        f'<g fill="black" style="fill: {_TEXT}">',
    ]
    for step in steps:
        parts.append(_line(step, boxes))
    for field, text in labels.items():
        parts.append(_label(field, text, boxes[field.dataset]))
    for dataset, box in boxes.items():
        parts += _drawn_box(dataset, box)
    return "\n".join([*parts, "</g>", "</svg>"])


def _title(steps: tuple[LineageStep, ...]) -> str:
    return f"Lineage: {len(steps)} step{'' if len(steps) == 1 else 's'} between columns"


def _levels(steps: tuple[LineageStep, ...]) -> dict[Dataset, int]:
    """Return the column of the picture for each dataset: one to the right of the datasets that it reads."""
    reads: dict[Dataset, set[Dataset]] = {}
    for step in steps:
        reads.setdefault(step.source.dataset, set())
        reads.setdefault(step.target.dataset, set()).add(step.source.dataset)
    levels: dict[Dataset, int] = {}
    stack = list(reads)
    opened: set[Dataset] = set()
    while stack:
        current = stack[-1]
        waiting = [below for below in reads[current] if below not in levels and below not in opened]
        if current in levels or not waiting:
            if current not in levels:
                levels[current] = max((levels.get(below, -1) + 1 for below in reads[current]), default=0)
            stack.pop()
        else:
            opened.add(current)
            stack += waiting
    return levels


def _labels(steps: tuple[LineageStep, ...]) -> dict[Field, str]:
    """Return one label for all lines that lead to a field, which would otherwise stand in the same place."""
    found: dict[Field, set[Influence]] = {}
    for step in steps:
        found.setdefault(step.target, set()).update(step.influences)
    return {field: ", ".join(i.value for i in Influence if i in influences) for field, influences in found.items()}


def _arrange(steps: tuple[LineageStep, ...], labels: dict[Field, str]) -> dict[Dataset, _Box]:
    across = max([_ACROSS, *[len(label) * _SMALL_LETTER + _BEND for label in labels.values()]])
    levels = _levels(steps)
    grouped = fields_by_dataset(steps)
    boxes: dict[Dataset, _Box] = {}
    x: float = _MARGIN
    for level in sorted(set(levels.values())):
        y: float = _MARGIN
        widest = 0.0
        for dataset, fields in grouped.items():
            if levels[dataset] != level:
                continue
            longest = max([len(dataset.name), *[len(field.column_text) for field in fields]])
            box = boxes[dataset] = _Box(x, y, longest * _LETTER + 20, fields)
            y += box.height + _GAP
            widest = max(widest, box.width)
        x += widest + across
    return boxes


def _drawn_box(dataset: Dataset, box: _Box) -> Iterator[str]:
    yield (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="5" '
        f'fill="#f6f6f6" style="fill: {_BOX}" stroke="#888"/>'
    )
    yield f'<text x="{box.x + 10:.1f}" y="{box.y + 17:.1f}" font-weight="bold">{escape(dataset.name)}</text>'
    for field in box.fields:
        style = ' font-style="italic"' if field.is_rows else ""
        yield f'<text x="{box.x + 10:.1f}" y="{box.middle_of(field) + 4:.1f}"{style}>{escape(field.column_text)}</text>'


def _line(step: LineageStep, boxes: dict[Dataset, _Box]) -> str:
    source, target = boxes[step.source.dataset], boxes[step.target.dataset]
    x1, y1 = source.x + source.width, source.middle_of(step.source)
    x2, y2 = target.x, target.middle_of(step.target)
    bend = max(_BEND, (x2 - x1) / 2)
    is_direct = any(influence.is_direct for influence in step.influences)
    style = f'stroke="{_DIRECT}"' if is_direct else f'stroke="{_INDIRECT}" stroke-dasharray="4 3"'
    influences = ", ".join(influence.value for influence in step.influences)
    text = escape(f"{step.source} → {step.target}: {influences}")
    curve = f"M {x1:.1f} {y1:.1f} C {x1 + bend:.1f} {y1:.1f}, {x2 - bend:.1f} {y2:.1f}, {x2:.1f} {y2:.1f}"
    return f'<path d="{curve}" fill="none" {style}><title>{text}</title></path>'


def _label(field: Field, text: str, box: _Box) -> str:
    x, y = box.x - 6, box.middle_of(field) - 3
    # The edge in the colour of the page keeps the letters apart from the lines below them.
    style = 'font-size="9" fill="#555" stroke="white" stroke-width="3" paint-order="stroke" text-anchor="end" '
    style += f'style="fill: {_FAINT}; stroke: {_PAGE}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{text}</text>'
