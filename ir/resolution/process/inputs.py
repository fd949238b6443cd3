"""Arguments of process table functions as they were given."""

from __future__ import annotations

from ir import light_attrs as attrs
from ir.expressions import Expression
from ir.operations.operation import QueryOperation
from ir.unresolved import Ordering, UnresolvedAlias


@attrs.frozen(eq=False, repr=False)
class TableInput(Expression):
    """A table as an argument, with the partitioning and order of its rows.

    Attributes:
        operation: the table.
        partition_by: the keys of PARTITION BY, empty without that clause.
        order_by: the keys of ORDER BY.
        copartition_with: the tables that are partitioned together with this one, by the names of their arguments.
        labels: the names by which COPARTITION may refer to this table: its alias and its name.
    """

    operation: QueryOperation
    partition_by: tuple[Expression, ...] = ()
    order_by: tuple[Ordering, ...] = ()
    copartition_with: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@attrs.frozen(eq=False, repr=False)
class LeftOut(Expression):
    """DEFAULT: an argument that is omitted before another positional argument."""


def strip_alias(written: Expression) -> Expression:
    """Return an argument without its alias as a column."""
    while isinstance(written, UnresolvedAlias):
        written = written.expression
    return written
