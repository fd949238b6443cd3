"""Columns and expressions as facts of messages, which name columns as the text of the query does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from ir.errors import listing
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import quote
from ir.rewriting import replace


@attrs.frozen
class ColumnName:
    """The name of a column, in quotes if it needs them and ``is_quoted`` is set.

    >>> name = ColumnName("b_k")
    >>> name.render("python", {}), name.render("sql", {"b_k": "b.k"})
    ('b_k', 'b.k')
    """

    name: str
    is_quoted: bool = False

    def render(self, surface: str, names: Mapping[str, str]) -> str:
        """Return the name, as the text of the query has it in ``names``."""
        if self.name in names:
            return names[self.name]
        return quote(self.name) if self.is_quoted and not self.name.isidentifier() else self.name


@attrs.frozen
class ColumnNames:
    """The names of several columns, separated by commas."""

    names: Sequence[str]

    def render(self, surface: str, names: Mapping[str, str]) -> str:
        """Return the names, as the text of the query has them in ``names``."""
        return listing([names.get(name, name) for name in self.names])


@attrs.frozen
class Summary:
    """The summary of an expression.

    >>> from ir.types import INT
    >>> summary = Summary(FieldReference("b_k", INT, 0, 3))
    >>> summary.render("python", {}), summary.render("sql", {"b_k": "b.k"})
    ('b_k', 'b.k')
    """

    expression: ResolvedExpression

    def render(self, surface: str, names: Mapping[str, str]) -> str:
        """Return the summary, in which columns have the names that the text of the query gives them in ``names``."""

        def named(part: ResolvedExpression) -> ResolvedExpression | None:
            if not isinstance(part, FieldReference) or part.name not in names:
                return None
            return FieldReference(names[part.name], part.type_, part.input_index, part.index)

        return (replace(self.expression, named) if names else self.expression).as_summary_string()
