"""Write pivots and unpivots as code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression
from ir.operations.operation import QueryOperation
from ir.operations.pivot import Pivot, Unpivot
from ir.operations.project import Project
from ir.resolution.naming import derive_name
from ir.rewriting import replace
from tableapi.python_code.code import Code, constant, display_dict, display_list, display_tuple, invoke, method
from tableapi.python_code.literals import cell, function, text
from tableapi.python_code.query import Candidate, QueryWriter


def _walk_inputs(
    writer: QueryWriter, operation: Pivot | Unpivot
) -> Iterator[tuple[QueryOperation, Sequence[ResolvedExpression]]]:
    """Yield the input of a pivot, without and with the projection that the API adds, and the input's columns."""
    below = operation.input
    if isinstance(below, Project) and writer.is_single(below):
        yield below.input, below.projections
    columns = below.schema.columns
    yield below, [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(columns)]


def pivot_candidates(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    """Yield the ways to write a pivot."""
    pivot: Pivot = operation
    for input, columns in _walk_inputs(writer, pivot):
        for given in (0, 1):
            for listed_values in (True, False):
                yield lambda i=input, c=columns, g=given, v=listed_values: _pivot(  # type: ignore[misc]  # the loop's values
                    writer, pivot, i, c, g, v
                )


def _pivot(
    writer: QueryWriter,
    pivot: Pivot,
    input: QueryOperation,
    columns: Sequence[ResolvedExpression],
    given: int,
    list_values: bool,
) -> Code:
    keys = [(columns[key.index], key.name) for key in pivot.group_columns]
    pivoted = [columns[column.index] for column in pivot.pivot_columns]

    def value(part: ResolvedExpression) -> ResolvedExpression | None:
        return columns[part.index] if isinstance(part, FieldReference) else None

    aggregates = [replace(aggregate, value) for aggregate in pivot.aggregates]
    write = writer.expressions(pivot, [*[key for key, _ in keys], *pivoted, *aggregates])
    named_keys = [
        write.expression(key)
        if derive_name(key) == name or (not given and name.startswith("_c"))
        else method(write.expression(key), "alias", text(name))
        for key, name in keys
    ]
    code = method(writer.table(input), "group_by", *named_keys)
    of = [write.expression(expression) for expression in pivoted]
    code = method(code, "pivot", of[0] if len(of) == 1 else display_list(of), _pivot_values(pivot, list_values))
    shown = []
    for number, aggregate in enumerate(aggregates):
        made = write.expression(aggregate)
        name = pivot.aggregate_names[number] if pivot.aggregate_names else None
        generated = name is None or (not given and name == f"EXPR${number}")
        shown.append(made if generated else method(made, "alias", text(str(name))))
    return method(code, "select", *shown)


def _pivot_values(pivot: Pivot, list_values: bool) -> Code:
    values = [_value([cell(part) for part in parts]) for parts in pivot.values]
    if not list_values:
        return display_dict([(text(name), value) for name, value in zip(pivot.value_names, values, strict=True)])
    return display_list(values)


def _value(parts: list[Code]) -> Code:
    return parts[0] if len(parts) == 1 else display_tuple(parts)


def unpivot_candidates(writer: QueryWriter, operation: Any, include_nulls: bool = True) -> Iterator[Candidate]:
    """Yield the ways to write an unpivot; without ``include_nulls``, of an unpivot whose NULL rows are filtered out."""
    unpivot: Unpivot = operation
    for input, columns in _walk_inputs(writer, unpivot):
        if all(isinstance(column, FieldReference) for column in columns):
            for named in (False, True):
                yield lambda i=input, c=columns, n=named: _unpivot(  # type: ignore[misc]  # the loop's values
                    writer, unpivot, i, c, n, include_nulls
                )


def _unpivot(
    writer: QueryWriter,
    unpivot: Unpivot,
    input: QueryOperation,
    columns: Sequence[FieldReference],
    named: bool,
    include_nulls: bool,
) -> Code:
    def column(reference: FieldReference) -> Code:
        return invoke(function("col"), text(columns[reference.index].name))

    if any(columns[r.index].name != r.name for r in unpivot.kept_columns):
        raise TableException("it renames columns.")
    ids = display_list([column(reference) for reference in unpivot.kept_columns])
    groups = [[column(reference) for reference in group] for group in unpivot.groups]
    if named:
        pairs = [
            (text(label), group[0] if len(group) == 1 else display_list(group))
            for label, group in zip(unpivot.labels, groups, strict=True)
        ]
        has_equal_labels = len(set(unpivot.labels)) < len(unpivot.labels)
        values: Code = (
            display_list([display_tuple(pair) for pair in pairs]) if has_equal_labels else display_dict(pairs)
        )
    else:
        values = display_list([group[0] for group in groups])
    names = [text(name) for name in unpivot.value_columns]
    options = {} if include_nulls else {"include_nulls": constant("False", False)}
    return method(
        writer.table(input),
        "unpivot",
        ids,
        values,
        text(unpivot.label_column),
        names[0] if len(names) == 1 else display_list(names),
        **options,
    )
