"""Grouping and aggregation."""

from __future__ import annotations

from collections.abc import Sequence

from ir import light_attrs as attrs
from ir.errors import ValidationException
from ir.expressions import FieldReference, ResolvedExpression
from ir.light_typing import ClassVar
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation, only_input, summary_under_name
from ir.schema import ResolvedSchema

GroupingSets = tuple[tuple[int, ...], ...]


def _check_sets(instance: Aggregate, attribute: object, sets: GroupingSets | None) -> None:
    if sets is None:
        return
    used = {position for grouped in sets for position in grouped}
    if not used <= set(range(len(instance.group_keys))):
        raise ValidationException("Grouping sets must use nothing but keys.")


@node
class Aggregate(QueryOperation):
    """One row for each group of rows of ``input`` with equal ``group_keys``; without keys, always one row.

    The columns are the keys and then the ``aggregates``, under ``names``. ``grouping_sets`` hold positions of keys:
    the rows are grouped once by each set, and keys outside the set are NULL. A key may be in no set at all.
    """

    input: QueryOperation
    group_keys: tuple[ResolvedExpression, ...]
    aggregates: tuple[ResolvedExpression, ...]
    names: tuple[str, ...]
    grouping_sets: GroupingSets | None = attrs.field(default=None, validator=_check_sets)
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self._keys_then_aggregates())

    title: ClassVar[str] = "Aggregate"
    noun: ClassVar[str] = "aggregation"
    sql_clause: ClassVar[str] = "grouping sets"

    def _keys_then_aggregates(self) -> ResolvedSchema:
        types = [e.data_type for e in self.group_keys + self.aggregates]
        for position in range(len(self.group_keys)):
            if self.grouping_sets is not None and not all(position in grouped for grouped in self.grouping_sets):
                types[position] = types[position].as_nullable()
        return ResolvedSchema.of(self.names, types)

    @property
    def groups_rows(self) -> bool:
        return True

    @property
    def hides_outer_query(self) -> bool:
        return self.grouping_sets is not None

    def refused_recursion(self, reads: Sequence[bool]) -> str | None:
        return "below an aggregation"

    def column_below(self, index: int) -> tuple[QueryOperation, int] | None:
        key = self.group_keys[index] if index < len(self.group_keys) else None
        return (self.input, key.index) if isinstance(key, FieldReference) else None

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        return self.group_keys + self.aggregates

    def with_names(self, names: tuple[str, ...]) -> Aggregate:
        """Return the same aggregation with other column names."""
        # Any names are safe: in keys, grouping sets and aggregates, Spark and Flink search the columns of the input
        # before the aliases of the SELECT.
        return self.evolve(names=names)

    def describe(self) -> str:
        named = zip(self.group_keys + self.aggregates, self.names, strict=True)
        columns = [summary_under_name(expression, name, "EXPR$") for expression, name in named]
        keys = ", ".join(columns[: len(self.group_keys)])
        aggregates = ", ".join(columns[len(self.group_keys) :])
        sets = ""
        if self.grouping_sets is not None:
            shown = [f"({', '.join(self.group_keys[i].as_summary_string() for i in s)})" for s in self.grouping_sets]
            sets = f", sets: [{', '.join(shown)}]"
        return f"(group: [{keys}]{sets}, agg: [{aggregates}])"


def rollup_sets(count: int) -> GroupingSets:
    """Return the grouping sets of ROLLUP over ``count`` keys: all keys, then one key fewer each time, down to none."""
    return tuple([tuple(range(length)) for length in range(count, -1, -1)])


def are_in_order(sets: GroupingSets, count: int) -> bool:
    """Whether the ``count`` keys first occur in the grouping sets in their own order, and all occur."""
    return list(dict.fromkeys(position for grouped in sets for position in grouped)) == list(range(count))


def cube_sets(count: int) -> GroupingSets:
    """Return the grouping sets of CUBE over ``count`` keys: every subset, the larger ones first."""
    every = [tuple(i for i in range(count) if mask >> i & 1) for mask in range(2**count)]
    return tuple(sorted(every, key=lambda chosen: (-len(chosen), chosen)))
