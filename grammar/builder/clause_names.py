"""The meaning of names in the expressions of a clause."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.scopes import Scope
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.errors import shorten
from ir.expressions import Expression
from ir.functions.other_databases import NAMES_WITHOUT_PARENTHESES
from ir.identifiers import fold
from ir.unresolved import UnresolvedVariable


class _Ambiguous(Expression):
    """Marks a name that several columns of a SELECT have."""


AMBIGUOUS = _Ambiguous()


@attrs.frozen(eq=False)
class ClauseNames:
    """The meaning of names in the expressions of a clause.

    ``variables`` are the parameters of the enclosing lambdas and win over everything. ``outputs`` are the columns of
    the SELECT, which win outside aggregates, with ``in_aggregates`` also within them, except over the columns of FROM
    in ``grouped``. The columns of FROM follow, then ``aliases``, the lateral aliases, and after the outer query and
    session variables ``generated``, the unaliased earlier columns under the names that Spark generates.

    If ``repeated``, an output is replaced by its expression. ``keys`` are the aliases that are keys of GROUP BY; each
    other lateral alias that is used is added to ``by_alias`` with its expression, and each star that is read to
    ``stars``. In ORDER BY, ``selected`` are the items of the SELECT: a column that one of them passes on keeps its
    relation. ``is_where`` marks WHERE; ``later`` then holds the items of the SELECT, whose aliases WHERE cannot use.
    """

    scope: Scope
    outputs: Mapping[str, Expression] = attrs.field(factory=dict)
    in_aggregates: bool = False
    aliases: Mapping[str, Expression] = attrs.field(factory=dict)
    generated: Mapping[str, Expression] = attrs.field(factory=dict)
    windows: Mapping[str, s.Window | s.Name] = attrs.field(factory=dict)
    ungrouped: Callable[[Expression], bool] | None = None
    repeated: bool = False
    variables: Mapping[str, UnresolvedVariable] = attrs.field(factory=dict)
    keys: frozenset[str] = frozenset()
    grouped: frozenset[Expression] = frozenset()
    selected: Sequence[Any] = ()
    is_where: bool = False
    later: Sequence[Any] = ()
    by_alias: list[tuple[s.Path, Expression]] = attrs.field(factory=list)
    stars: list[s.Star] = attrs.field(factory=list)

    def own(self, path: s.Path, in_aggregate: bool) -> Expression | None:
        """Return the meaning of a path in this query, None if it has none.

        In an aggregate of HAVING or ORDER BY, an ambiguous name denotes the column that is selected.

        Raises:
            Misread: several columns have the name.
        """
        try:
            return self.scope.own(path)
        except Misread:
            selected = self.outputs.get(fold(path.names[0].text)) if in_aggregate and len(path.names) == 1 else None
            if selected is None or not self.scope.is_called(selected, path.names[0].text):
                raise
            return selected

    def unknown(self, path: s.Path) -> Misread:
        """Return the error for an unknown name."""
        if len(path.names) == 1:
            wanted = fold(path.names[0].text)
            for item in self.later:
                if type(item) is s.Aliased and wanted in [fold(name.text) for name in item.names]:
                    alias = shorten(path.names[0].text)
                    return Misread(
                        path.position,
                        f"{alias} is an alias of the SELECT, and WHERE is evaluated before the SELECT. Repeat the "
                        "expression, or filter a subquery: "
                        f"SELECT * FROM (SELECT … AS {alias} FROM …) WHERE {alias} ….",
                        "UNRESOLVED_COLUMN.WITH_SUGGESTION",
                    )
        error = self.scope.unknown(path, [*self.outputs, *self.aliases, *self.generated])
        elsewhere = NAMES_WITHOUT_PARENTHESES.get(fold(path.names[0].text)) if len(path.names) == 1 else None
        return error if elsewhere is None else Misread(error.position, f"{error} Write {elsewhere}.", error.condition)
