"""Comments of the columns of views and tables."""

from __future__ import annotations

from collections.abc import Mapping

from ir.schema import ResolvedSchema


def replace_comments(schema: ResolvedSchema, comments: Mapping[str, str]) -> ResolvedSchema:
    """Return a schema with comments of columns replaced.

    Raises:
        ValidationException: a comment is for a column that there is not.
    """
    by_position: dict[int, str] = {}
    for name, comment in comments.items():
        column = schema.column(name)
        by_position[schema.columns.index(column)] = comment
    return ResolvedSchema(
        tuple([c.evolve(comment=by_position.get(i, c.comment)) for i, c in enumerate(schema.columns)])
    )
