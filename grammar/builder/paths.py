"""Names that Spark reads in ways of its own."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from ir.identifiers import fold
from ir.rendering import Dialect


def path_in_parentheses(node: s.Member, dialect: Dialect) -> s.Path | None:
    """Return the path that names are of which some stand in parentheses, None of anything else.

    To Spark, parentheses around a name change nothing: ``(t).a`` is the column of a relation, like ``t.a``.
    """
    if dialect is not Dialect.SPARK:
        return None
    members = [node]
    base: Any = node.base
    while isinstance(base, (s.Parenthesised, s.Member)) and not members[-1].is_of_value:
        if isinstance(base, s.Member):
            members.append(base)
            base = base.base
        else:
            base = base.inner
    if type(base) is s.Path:
        return s.Path(base.position, [*base.names, *[member.name for member in reversed(members)]])
    # Each of a chain of fields is asked in its turn.
    for member in members:
        member.is_of_value = True
    return None


def is_grouping_id(path: s.Path, dialect: Dialect) -> bool:
    """Whether a name that means nothing else is Hive's for GROUPING_ID()."""
    return dialect is Dialect.SPARK and len(path.names) == 1 and fold(path.names[0].text) == "grouping__id"


def called_all(position: int) -> s.Path:
    """Return the name of a column ``all``, which GROUP BY ALL and ORDER BY ALL mean where there is one."""
    return s.Path(position, [s.Name(position, "all", False)])
