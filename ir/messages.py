"""Error messages that are rendered for Python and for SQL.

The same mistake can occur in both languages, whose words differ: ``order_by`` and ``ORDER BY``. A template contains
such a word in braces, ``{ORDER_BY}``, and each fact of the message likewise. A fact with two renderings is a ``Term``.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs


@attrs.frozen
class Term:
    """A word in Python and its counterpart in SQL."""

    python: str
    sql: str


TERMS: Mapping[str, Term] = {
    "COLLATE": Term("collate", "COLLATE"),
    "COMPUTE_FIRST": Term(
        "Make it a column with add_columns first, and use that column",
        "Select it under a name in a subquery first, and use that name",
    ),
    "COUNT": Term("count", "COUNT"),
    "DISTINCT": Term("distinct", "DISTINCT"),
    "DISTRIBUTE_BY": Term("distribute_by", "DISTRIBUTE BY"),
    "FILTER": Term("where", "FILTER (WHERE …)"),
    "GROUPING_SETS": Term("rollup, cube or grouping_sets", "ROLLUP, CUBE or GROUPING SETS"),
    "GROUP_BY": Term("group_by", "GROUP BY"),
    "JOIN_CONDITION": Term("The join condition", "ON"),
    "ORDER_BY": Term("order_by", "ORDER BY"),
    "PARTITION_BY": Term("partition_by", "PARTITION BY"),
    "PIVOT": Term("pivot", "PIVOT"),
    "ROWS": Term("row_interval(…)", "ROWS"),
    "INNER_FIRST": Term("Select the inner one under a name first", "Select the inner one in a subquery first"),
    "SELECT_FIRST": Term("Select it under a name first", "Select it under a name in a subquery first"),
    "UNPIVOT": Term("unpivot", "UNPIVOT"),
    "WHERE": Term("filter", "WHERE"),
    "WITHIN_GROUP": Term("within_group", "WITHIN GROUP"),
}
"""The terms that templates name in capital letters."""


@attrs.frozen
class Message:
    """A template and its facts."""

    template: str
    facts: Mapping[str, object]

    def in_python(self) -> str:
        """Return the message for a Python program.

        >>> message("{ORDER_BY} cannot sort by {key}.", key="a").in_python()
        'order_by cannot sort by a.'
        """
        return self._render("python")

    def in_sql(self) -> str:
        """Return the message for a query in SQL.

        >>> message("{ORDER_BY} cannot sort by {key}.", key="a").in_sql()
        'ORDER BY cannot sort by a.'
        """
        return self._render("sql")

    def _render(self, surface: str) -> str:
        def shown(fact: object) -> object:
            if isinstance(fact, Term):
                return getattr(fact, surface)
            return fact._render(surface) if isinstance(fact, Message) else fact

        words = {name: getattr(term, surface) for name, term in TERMS.items()}
        return self.template.format_map({**words, **{name: shown(fact) for name, fact in self.facts.items()}})


def message(template: str, /, **facts: object) -> Message:
    """Build a message from a template and its facts: strings, numbers, terms and other messages."""
    return Message(template, facts)
