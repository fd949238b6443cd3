"""Reinterprets names that Spark reads specially: paths with parentheses, ``grouping__id`` and ``all``."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from grammar.language import Language
from ir.identifiers import fold


def path_in_parentheses(node: s.Member, language: Language) -> s.Path | None:
    """Return the path of a parenthesised name with members, None for any other expression.

    Spark ignores parentheses around a name: ``(t).a`` is a column of the relation, as ``t.a``.
    """
    if not language.names.in_parentheses:
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
    # Mark every member of the chain, so that later calls do not walk the chain again.
    for member in members:
        member.is_of_value = True
    return None


def is_grouping_id(path: s.Path, language: Language) -> bool:
    """Whether a name is Hive's ``grouping__id``, which stands for GROUPING_ID() unless a column has the name."""
    return language.names.grouping_id and len(path.names) == 1 and fold(path.names[0].text) == "grouping__id"


def called_all(position: int) -> s.Path:
    """Return the path of a column named ``all``, which wins over the keyword in GROUP BY ALL and ORDER BY ALL."""
    return s.Path(position, [s.Name(position, "all", False)])
