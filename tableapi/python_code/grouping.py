"""Write an aggregation with its groups, windows and selected columns as one chain of calls."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any

from ir import light_attrs as attrs
from ir import types as t
from ir.call_expressions import Call
from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.time_window import SESSION_WINDOW, WINDOW, is_time_window, microseconds
from ir.literal_values import MICROSECONDS
from ir.literals import literal
from ir.operations.aggregate import Aggregate, GroupingSets, are_in_order, cube_sets, rollup_sets
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.resolution.naming import derive_name
from ir.rewriting import replace
from ir.types import IntervalField
from tableapi.python_code.code import Code, display_list, import_name, invoke, method
from tableapi.python_code.expressions import ExpressionWriter
from tableapi.python_code.literals import function, text, write_expression
from tableapi.python_code.query import Candidate, QueryWriter

_GENERATED = "EXPR$"


@attrs.frozen(eq=False)
class Groups:
    """The input of an aggregation, its keys, their names, and the grouping sets."""

    input: QueryOperation
    keys: tuple[ResolvedExpression, ...]
    names: tuple[str, ...]
    sets: GroupingSets | None = None

    def aliases(self, all_renamed: bool) -> list[str | None]:
        """Return the aliases of keys; None for a key that needs none, because the API or ``select`` names it.

        Computed keys have an alias, with which ``select`` refers to them; with ``all_renamed``, so do all renamed keys.
        """
        return [
            None
            if derive_name(key) == name
            or (not all_renamed and (isinstance(key, FieldReference) or name.startswith(_GENERATED)))
            else name
            for key, name in zip(self.keys, self.names, strict=False)
        ]

    def of_rows(
        self,
        projections: Sequence[ResolvedExpression],
        aliases: Sequence[str | None],
        aggregates: Sequence[ResolvedExpression],
    ) -> tuple[ResolvedExpression, ...]:
        """Rewrite expressions over groups as expressions over rows: references become key names, keys or aggregates."""
        references = [
            key if alias is None else FieldReference(alias, key.data_type, 1, position)
            for position, (key, alias) in enumerate(zip(self.keys, aliases, strict=True))
        ]
        values = (*references, *aggregates)

        def value(part: ResolvedExpression) -> ResolvedExpression | None:
            return values[part.index] if isinstance(part, FieldReference) else None

        return tuple([replace(projection, value) for projection in projections])


def key_code(key: ResolvedExpression, alias: str | None, write: ExpressionWriter) -> Code:
    """Return the code of a key with its alias."""
    written = write.expression(key)
    return written if alias is None else method(written, "alias", text(alias))


def aggregate_candidates(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    """Yield the ways to write an aggregation whose columns are all selected unchanged."""
    aggregate: Aggregate = operation
    columns = aggregate.schema.columns
    every = tuple([FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(columns)])
    yield from write_grouped_candidates(writer, aggregate, aggregate, every, aggregate.names)


def write_grouped_candidates(
    writer: QueryWriter,
    operation: QueryOperation,
    aggregate: Aggregate,
    projections: tuple[ResolvedExpression, ...],
    names: tuple[str, ...],
) -> Iterator[Candidate]:
    """Yield the ways to write an aggregation with its selected columns."""
    groups = Groups(aggregate.input, aggregate.group_keys, aggregate.names, aggregate.grouping_sets)
    for grouped in (*_compute_keys_below(writer, groups), groups):
        has_window = any(is_time_window(key) for key in grouped.keys) and grouped.sets is None
        # The first variant has the fewest aliases, the last one has all of them.
        for fluent_window in (True, False) if has_window else (False,):
            for all_renamed, given in ((False, 0), (False, 1), (True, 0), (True, 1), (True, 2)):
                yield lambda g=grouped, k=all_renamed, n=given, w=fluent_window: _write_grouped(  # type: ignore[misc]  # the loop's values
                    writer, operation, aggregate, g, projections, names, k, n, w
                )


def _compute_keys_below(writer: QueryWriter, groups: Groups) -> Iterator[Groups]:
    """Yield the grouping by keys that the API computes in a projection below: constants and subqueries."""
    below = groups.input
    if not isinstance(below, Project) or not writer.is_single(below):
        return
    width = len(below.input.schema)
    computed = [k for k in groups.keys if isinstance(k, FieldReference) and k.index >= width]
    if computed and len(below.projections) == width + len(computed):
        keys = tuple([below.projections[k.index] if k in computed else k for k in groups.keys])
        yield Groups(below.input, keys, groups.names, groups.sets)


def _write_grouped(
    writer: QueryWriter,
    operation: QueryOperation,
    aggregate: Aggregate,
    groups: Groups,
    projections: tuple[ResolvedExpression, ...],
    names: tuple[str, ...],
    all_renamed: bool,
    given: int,
    fluent_window: bool,
) -> Code:
    keys = groups.keys
    aliases = groups.aliases(all_renamed)
    shown = groups.of_rows(projections, aliases, aggregate.aggregates)
    write = writer.expressions(operation, (*keys, *shown), (*groups.names[: len(keys)], *names))
    code = writer.table(groups.input)
    if keys or groups.sets is not None:
        code = _write_keys(code, groups, aliases, write, fluent_window)
    columns = [writer.named(write.expression(e), e, name, given) for e, name in zip(shown, names, strict=True)]
    return method(code, "select", *columns)


def _write_keys(
    code: Code, groups: Groups, aliases: list[str | None], write: ExpressionWriter, fluent_window: bool
) -> Code:
    keys: list[Code] = []
    for key, alias in zip(groups.keys, aliases, strict=True):
        if fluent_window and is_time_window(key) and alias is not None:
            assert isinstance(key, Call)
            code = method(code, "window", _window(key, alias, write))
            keys.append(invoke(function("col"), text(alias)))
        else:
            keys.append(key_code(key, alias, write))
    sets = groups.sets
    if sets is None:
        return method(code, "group_by", *keys)
    if sets == rollup_sets(len(keys)):
        return method(code, "rollup", *keys)
    if sets == cube_sets(len(keys)):
        return method(code, "cube", *keys)
    written = [display_list([keys[i] for i in chosen]) for chosen in sets]
    named = {} if are_in_order(sets, len(keys)) else {"keys": display_list(keys)}
    return method(code, "grouping_sets", *written, **named)


# --- windows ---------------------------------------------------------------------------------------------------------

_MOST_UNITS = 1000
_LENGTHS = (IntervalField.DAY, IntervalField.HOUR, IntervalField.MINUTE, IntervalField.SECOND)


def length(duration: int) -> Code:
    """Return the code of a window length in microseconds, as a small number of units if possible."""
    whole = dt.timedelta(microseconds=duration)
    for field in _LENGTHS:
        one = MICROSECONDS[field]
        if duration % one == 0 and duration // one < _MOST_UNITS:
            return write_expression(literal(whole, t.DayTimeIntervalType(field, field, nullable=False)))
    return write_expression(literal(whole))


def _window(key: Call, alias: str, write: ExpressionWriter) -> Code:
    time, *lengths = key.arguments
    if not all(isinstance(given, ValueLiteral) and not given.is_null for given in lengths):
        raise TableException("a window whose lengths are no constants has no class.")
    if key.function is SESSION_WINDOW:
        code = method(
            import_name("Session", "tableapi.window"), "with_gap", length(microseconds(lengths[0], days=False))
        )
    elif key.function is WINDOW and len(lengths) == 1:
        code = method(import_name("Tumble", "tableapi.window"), "over", length(microseconds(lengths[0])))
    elif len(lengths) == 2:
        code = method(import_name("Slide", "tableapi.window"), "over", length(microseconds(lengths[0])))
        code = method(code, "every", length(microseconds(lengths[1])))
    else:
        raise TableException("a window with an offset has no class.")
    return method(method(code, "on", write.expression(time)), "alias", text(alias))
