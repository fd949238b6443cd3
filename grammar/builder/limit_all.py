"""Finds the recursive queries that a LIMIT ALL exempts from the row limit.

Spark limits the rows of a recursive query (``spark.sql.cteRecursionRowLimit``), unless a query with LIMIT ALL reads
it. The exemption passes through FROM, joins, UNION ALL and derived tables. It does not pass through any other
operation, such as column names after an alias, nor into the queries of WITH.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from grammar import syntax as s

# The clauses and modifiers that the exemption passes through.
_PASSED_CLAUSES = ("where", "group by", "window")
_PASSED_MODIFIERS = ("limit", "offset", "window")
_RELATIONS = (s.Table, s.Derived, s.TableFunction, s.Lateral, s.Join, s.Extended)


def has_limit_all(modifiers: Sequence[Any]) -> bool:
    """Whether the modifiers of a query include LIMIT ALL."""
    return any(_is_limit_all(clause) for clause in modifiers)


def find_reached_tables(node: s.Modified, *, is_in_with: bool) -> Iterator[Any]:
    """Yield the table names in FROM that the LIMIT ALL of a query reaches.

    Args:
        node: the query.
        is_in_with: whether an outer query has a WITH clause; Spark then moves the inner WITH clauses outwards, so that
            they do not stop the exemption.
    """
    if any(clause.kind not in _PASSED_MODIFIERS for clause in node.modifiers):
        return
    waiting = [node.query]
    while waiting:
        current = waiting.pop()
        kind = type(current)
        if kind in (s.Table, s.TableFunction):
            if current.sample is None and not _names_columns(current):
                yield current
        elif kind is s.TableQuery:
            yield current
        elif kind is s.Derived:
            if current.sample is None and not _names_columns(current):
                inner = current.inner
                waiting += _find_reached_relations([inner]) if type(inner) in _RELATIONS else [inner]
        elif kind is s.Select:
            waiting += _find_reached_in_select(current)
        elif kind is s.FromFirst:
            waiting += _find_reached_in_from_first(current)
        elif kind is s.SetOperation:
            if current.operator == "UNION" and current.quantifier == "ALL":
                waiting += [current.left, current.right]
        elif kind is s.With:
            waiting += [current.query] if is_in_with else []
        elif kind is s.Modified and all(clause.kind in ("offset", "window") for clause in current.modifiers):
            # A query with its own LIMIT ALL is handled separately.
            waiting.append(current.query)


def build_table_reference(node: Any, path: s.Path, reached: dict[int, Any], options: s.WrittenOptions = ()) -> s.Table:
    """Return a table reference in FROM for another form such as TABLE t, and keep whether LIMIT ALL reaches it."""
    table = s.Table(node.position, path, None, None, None, options)
    if id(node) in reached:
        reached[id(table)] = table
    return table


def _is_limit_all(clause: Any) -> bool:
    return clause.kind == "limit" and not clause.items and clause.detail is None


def _names_columns(relation: Any) -> bool:
    return relation.alias is not None and relation.alias.columns is not None


def _find_reached_in_select(select: s.Select) -> list[Any]:
    if select.hints or select.script is not None or select.quantifier == "DISTINCT":
        return []
    found: list[Any] = []
    for clause in select.clauses:
        if isinstance(clause, s.From):
            found += [] if clause.views else _find_reached_relations(clause.relations)
        elif clause.kind not in _PASSED_CLAUSES:
            return []
    return found


def _find_reached_in_from_first(node: s.FromFirst) -> list[Any]:
    if node.source.views or len(node.selects) > 1:
        return []
    if node.selects and not _is_passed(node.selects[0]):
        return []
    return _find_reached_relations(node.source.relations)


def _is_passed(select: s.Select) -> bool:
    plain = not select.hints and select.script is None and select.quantifier != "DISTINCT"
    return plain and all(getattr(clause, "kind", "") in _PASSED_CLAUSES for clause in select.clauses)


def _find_reached_relations(relations: Sequence[Any]) -> list[Any]:
    """Return the joined relations that the exemption reaches: LATERAL, nearest joins and PIVOT stop it."""
    reached: list[Any] = []
    for written in relations:
        chain: list[Any] = []
        current = written
        while type(current) in (s.Join, s.Extended):
            chain.append(current)
            current = current.left if type(current) is s.Join else current.relation
        if type(current) is s.Lateral:
            reached.clear()
        else:
            reached.append(current)
        for step in reversed(chain):
            if type(step) is s.Join and type(step.right) is not s.Lateral and type(step.condition) is not s.Nearest:
                reached.append(step.right)
            else:
                reached.clear()
    return reached
