"""Text form of two merged queries as one tree."""

from __future__ import annotations

import attrs

from ir.operations.operation import MAX_INDENT, QueryOperation
from tableapi.query_diff import change_sentences as words
from tableapi.query_diff.merging import Merged


@attrs.frozen
class _Line:
    """A line that is not an operation."""

    text: str


# An item to write, its depth, and the mark of a part that only one query has.
_Item = tuple["Merged | QueryOperation | _Line", int, str]


def write_merged_tree(root: Merged) -> str:
    """Return the tree, with a line and a mark for each operation and indented inputs below it."""
    lines: list[str] = []
    written: set[tuple[int, str]] = set()
    stack: list[_Item] = [(root, 0, " ")]
    while stack:
        item, depth, mark = stack.pop()
        if isinstance(item, Merged) and item.is_whole:
            mark = _mark(item)
            item = item.shown
        below: list[_Item] = []
        if isinstance(item, _Line):
            text = item.text
        else:
            if isinstance(item, Merged):
                operation, mark = item.shown, _mark(item)
                text = _text(item)
                below = [(child, depth + 1, " ") for child in item.inputs]
                for query in item.queries:
                    below += [(_Line("query:"), depth + 1, _mark_of_whole(query)), (query, depth + 2, " ")]
            else:
                operation = item
                text = _write(item, item.describe())
                below = [(child, depth + 1, mark) for child in item.inputs]
                for subquery in item.subqueries:
                    below += [(_Line("query:"), depth + 1, mark), (subquery, depth + 2, mark)]
            if below and (id(item), mark) in written:
                text, below = f"{operation.title}: (as above)", []
            written.add((id(item), mark))
        lines.append(f"{mark} {'    ' * min(depth, MAX_INDENT)}{text}".rstrip())
        stack.extend(reversed(below))
    return "\n".join(lines)


def _mark(merged: Merged) -> str:
    if merged.old is None:
        return "+"
    if merged.new is None:
        return "-"
    return "~" if merged.details or merged.is_replaced else " "


def _mark_of_whole(query: Merged) -> str:
    return _mark(query) if query.is_whole else " "


def _text(merged: Merged) -> str:
    old, new = merged.old, merged.new
    if merged.details:
        told = [f"{_describe_place(detail.part)}{detail.text}" for detail in merged.details]
        return f"{merged.shown.title}: {'; '.join(told)}"
    if old is not None and new is not None and merged.is_replaced:
        return f"{new.title}: {words.describe_replacement(old, new)}"
    return _write(merged.shown, merged.shown.describe())


def _describe_place(part: str) -> str:
    return f"in {part}, " if part else ""


def _write(operation: QueryOperation, described: str) -> str:
    return f"{operation.title}: {described}"
