"""Finds the hidden join keys that later steps of a pipe name.

In ``FROM a |> JOIN b USING (s) |> EXTEND 1 AS o |> SELECT b.s``, Spark carries the hidden key ``b.s`` through each
projection until the last step that names it with its relation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from grammar import syntax as s
from grammar.builder.scopes import Column
from ir.identifiers import fold

_STAR = "*"
_QUERIES = (s.Select, s.FromFirst, s.ScalarSubquery, s.From)
Name = tuple[str, str]
"""A folded relation name, with a column name or a star."""


class Mentions:
    """The columns that the steps of a pipe name with their relations."""

    def __init__(self, steps: Sequence[s.PipeStep]) -> None:
        self._steps = steps

    def of(self, columns: Sequence[Column], first: int, *, outside_queries: bool = False) -> list[Column]:
        """Return the hidden keys among the columns that a step from ``first`` on names.

        Args:
            columns: the columns before the step.
            first: the index of the first step that counts.
            outside_queries: whether to ignore names in subqueries, which may denote other columns.
        """
        hidden = [column for column in columns if column.hidden and column.qualifier]
        if not hidden:
            return []
        last = self._last_outside if outside_queries else self._last
        return [
            column
            for column in hidden
            if max(last.get((column.qualifier[-1], name), -1) for name in (fold(column.name), _STAR)) >= first
        ]

    @cached_property
    def _last(self) -> dict[Name, int]:
        return {name: index for index, step in enumerate(self._steps) for name, _ in _walk_names(step)}

    @cached_property
    def _last_outside(self) -> dict[Name, int]:
        return {
            name: index for index, step in enumerate(self._steps) for name, inside in _walk_names(step) if not inside
        }


def _walk_names(step: s.PipeStep) -> Iterator[tuple[Name, bool]]:
    """Yield each qualified name in a step, and whether it is in a subquery. The walk uses a stack."""
    items = [step.items[0].items, step.items[0].clauses] if step.kind == "select" else [step.items, step.detail]
    pending: list[tuple[Any, bool]] = [(items, False)]
    while pending:
        part, inside = pending.pop()
        if isinstance(part, (list, tuple)):
            pending += [(item, inside) for item in part]
        elif type(part) is s.Path:
            folded = [fold(name.text) for name in part.names]
            yield from (((folded[i - 1], folded[i]), inside) for i in range(1, len(folded)))
        elif isinstance(part, s.Syntax):
            if type(part) is s.Star and type(part.qualifier) is s.Path:
                yield (fold(part.qualifier.names[-1].text), _STAR), inside
            within = inside or isinstance(part, _QUERIES)
            pending += [(getattr(part, field), within) for field in s.fields_of(part)]
