"""Columns and expressions as facts of messages, which name columns as the text of the query does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir.errors import TableException, listing
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import quote
from ir.messages import Fact


def show_as_sql(expression: ResolvedExpression) -> str:
    """Return an expression as SQL for a message about a statement, or its summary if it has no SQL.

    >>> from ir.types import INT
    >>> show_as_sql(FieldReference("a b", INT, 0, 0))
    '`a b`'
    """
    try:
        return expression.as_serializable_string()
    except TableException:
        return expression.as_summary_string()


class ColumnName(Fact):
    """The name of a column, in quotes if it needs them and ``is_quoted`` is set.

    >>> name = ColumnName("b_k")
    >>> name.render("python", {}), name.render("sql", {"b_k": "b.k"})
    ('b_k', 'b.k')
    """

    # Classes of attrs would be made at each start, also of a program without mistakes.
    __slots__ = ("is_quoted", "name")

    def __init__(self, name: str, *, is_quoted: bool = False) -> None:
        self.name = name
        self.is_quoted = is_quoted

    def render(self, surface: str, names: Mapping[str, str]) -> str:
        """Return the name in the text of the query, which ``names`` has if it differs."""
        if self.name in names:
            return names[self.name]
        return quote(self.name) if self.is_quoted and not self.name.isidentifier() else self.name


class ColumnNames(Fact):
    """The names of several columns, separated by commas."""

    __slots__ = ("names",)

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def render(self, surface: str, names: Mapping[str, str]) -> str:
        """Return the names, as the text of the query has them in ``names``."""
        return listing([names.get(name, name) for name in self.names])


class Summary(Fact):
    """The summary of an expression.

    >>> from ir.types import INT
    >>> summary = Summary(FieldReference("b_k", INT, 0, 3))
    >>> summary.render("python", {}), summary.render("sql", {"b_k": "b.k"})
    ('b_k', 'b.k')
    """

    __slots__ = ("expression",)

    def __init__(self, expression: ResolvedExpression) -> None:
        self.expression = expression

    def render(self, surface: str, names: Mapping[str, str]) -> str:
        """Return the summary, in which columns have the names that the text of the query gives them in ``names``."""

        def named(part: ResolvedExpression) -> ResolvedExpression | None:
            if not isinstance(part, FieldReference) or part.name not in names:
                return None
            return FieldReference(names[part.name], part.type_, part.input_index, part.index)

        if not names:
            return self.expression.as_summary_string()
        from ir.rewriting import replace

        return replace(self.expression, named).as_summary_string()
