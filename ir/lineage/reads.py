"""The operands from which a value is computed, each with the part that is read and its influence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ir import light_attrs as attrs
from ir.expressions import LambdaVariable, ResolvedExpression
from ir.lineage.influences import Influence
from ir.lineage.paths import WHOLE, Path

ALL_COLUMNS: Final = -3
"""In place of the position of a column: all columns and the rows of a query."""
ROWS: Final = -1
"""In place of the position of a column: which rows a query has, and how often."""
ORDER: Final = -2
"""In place of the position of a column: the order of the rows of a query."""


@attrs.frozen(eq=False)
class Bindings:
    """The values of the parameters of a lambda: parts of expressions outside of it.

    Attributes:
        values: the expression and the path in it for each parameter. A parameter without an entry here or in
            ``outer`` adds no reads.
        outer: the bindings of the expressions themselves.
    """

    values: Mapping[LambdaVariable, tuple[ResolvedExpression, Path]]
    outer: Bindings | None


class Read(NamedTuple):
    """An expression that is read for a value.

    Attributes:
        expression: the expression.
        path: the part of it.
        influence: its influence on the value.
        column: for a query, the position of the column, or one of the constants of this module.
        bindings: for the body of a lambda, what its parameters are bound to.
    """

    expression: ResolvedExpression
    path: Path = WHOLE
    influence: Influence = Influence.IDENTITY
    column: int = ALL_COLUMNS
    bindings: tuple[tuple[LambdaVariable, ResolvedExpression, Path], ...] | None = None
