"""Error messages that are rendered for Python and for SQL.

The same mistake can occur in both languages, whose words differ: ``order_by`` and ``ORDER BY``. A template contains
such a word in braces, ``{ORDER_BY}``, and each fact of the message likewise. A fact with two renderings is a ``Term``.

Columns that have one name in SQL, as ``a.k`` and ``b.k`` of a join, have different ones in the tree, ``k`` and ``b_k``.
A fact that names a column is one of ``ir.summaries``, so that a message for a query in SQL names it as the query does.
"""

from __future__ import annotations

from collections.abc import Mapping

from ir import light_attrs as attrs


class Fact:
    """A fact whose rendering depends on the language, or on the names of columns in the text of the query."""

    def render(self, surface: str, names: Mapping[str, str]) -> str:
        """Return the fact for a surface, ``python`` or ``sql``; ``names`` has columns' names in the text."""
        # Each kind of fact has its own. A class of abc or a Protocol would cost time at each start (test_costs.py).
        raise NotImplementedError


@attrs.frozen
class Term(Fact):
    """A word in Python and its counterpart in SQL."""

    python: str
    sql: str | Message

    def render(self, surface: str, names: Mapping[str, str]) -> str:
        """Return the word of a surface."""
        found = self.python if surface == "python" else self.sql
        return found if isinstance(found, str) else found.render(surface, names)


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
class Message(Fact):
    """A template and its facts."""

    template: str
    facts: Mapping[str, object]

    def in_python(self) -> str:
        """Return the message for a Python program.

        >>> message("{ORDER_BY} cannot sort by {key}.", key="a").in_python()
        'order_by cannot sort by a.'
        """
        return self.render("python", {})

    def in_sql(self, names: Mapping[str, str]) -> str:
        """Return the message for a query in SQL; ``names`` has the columns that its text calls otherwise than the tree.

        >>> message("{ORDER_BY} cannot sort by {key}.", key="a").in_sql({})
        'ORDER BY cannot sort by a.'
        """
        return self.render("sql", names)

    def render(self, surface: str, names: Mapping[str, str]) -> str:
        """Return the message for a surface."""

        def shown(fact: object) -> object:
            return fact.render(surface, names) if isinstance(fact, Fact) else fact

        words = {name: term.render(surface, names) for name, term in TERMS.items()}
        return self.template.format_map({**words, **{name: shown(fact) for name, fact in self.facts.items()}})


def message(template: str, /, **facts: object) -> Message:
    """Build a message from a template and its facts: strings, numbers, terms and other messages."""
    return Message(template, facts)
