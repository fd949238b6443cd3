"""What names mean where an expression stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from grammar import syntax as s
from grammar.builder.scopes import Scope
from grammar.errors import Misread
from ir.errors import shortened
from ir.expressions import Expression, UnresolvedVariable
from ir.functions.other_databases import NAMES_WITHOUT_PARENTHESES
from ir.identifiers import fold


class _Ambiguous(Expression):
    """What several columns of a SELECT are called."""


AMBIGUOUS = _Ambiguous()


@attrs.frozen(eq=False)
class NamesOf:
    """What names mean in the expressions of a clause.

    ``outputs`` are the columns of the SELECT, which come first outside of aggregates; ``aliases`` those that stand
    before the expression in the same SELECT, which come after those of FROM, and ``generated`` those of them without
    an alias, by the names that Spark gives them, which come last, after the query around and variables. Where
    ``repeated``, what an output is made of is written again. Those of the columns of the rows that are ``grouped`` by,
    or that are part of what they are, come before outputs. ``variables`` are the parameters of the lambdas around,
    which come before everything. Those of the aliases in ``keys`` are keys of GROUP BY. Names that mean one of the
    other ``aliases`` are added to ``by_alias``, with what they mean, and the stars that are read to ``stars``.
    ``selected`` are the items of the SELECT in ORDER BY: a column that one of them passes on keeps its relation there.
    ``is_where`` says that it is WHERE, and ``later`` holds the columns of the SELECT then, whose aliases WHERE cannot
    use.
    """

    scope: Scope
    outputs: Mapping[str, Expression] = attrs.field(factory=dict)
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
        """Return what names mean in this query, None where they mean nothing in it.

        In an aggregate of HAVING or ORDER BY, a name of several columns means the one that is selected.

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
        """Return the error that nothing has a name."""
        if len(path.names) == 1:
            wanted = fold(path.names[0].text)
            for item in self.later:
                if type(item) is s.Aliased and wanted in [fold(name.text) for name in item.names]:
                    alias = shortened(path.names[0].text)
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
