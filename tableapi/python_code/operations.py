"""Write each operation as calls of the fluent API, trying the most readable calls first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from ir.call_expressions import Call, Over
from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import ObjectIdentifier, path_text
from ir.operations.aggregate import Aggregate
from ir.operations.as_of_join import AsOfJoin
from ir.operations.filter import Distinct, Filter
from ir.operations.hint import Hint, Sample
from ir.operations.join import Join, JoinType
from ir.operations.lateral import OUTER_FORMS, LateralJoin, right_columns
from ir.operations.operation import TableReference
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.pivot import Pivot, Unpivot
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.recursion import RecursiveReference
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import InlineSource, Moment, Source, Values
from ir.operations.watermark import Watermark
from ir.rewriting import replace
from tableapi.data.elements import table_of_elements
from tableapi.python_code.code import Code, display_dict, display_list, display_tuple, invoke, method
from tableapi.python_code.count_windows import count_window_candidates
from tableapi.python_code.grouping import aggregate_candidates, write_grouped_candidates
from tableapi.python_code.literals import cell, function, python_value, row_type, text, write_integer
from tableapi.python_code.pivoting import pivot_candidates, unpivot_candidates
from tableapi.python_code.process_functions import process_candidates
from tableapi.python_code.query import Candidate, QueryWriter, Writer

# drop_columns is used for at most so many dropped columns, if at least so many columns stay.
_FEW, _MANY = 2, 4


# --- tables ----------------------------------------------------------------------------------------------------------


def _source(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    source: Source = operation

    def read() -> Code:
        if source.timestamp is not None and not isinstance(source.timestamp.value, dt.datetime):
            # Python programs give times as datetimes; SQL may also give a string.
            return writer.in_sql(source)
        named = {}
        if source.version is not None:
            number = source.version.isdecimal() and str(int(source.version)) == source.version
            named["version"] = write_integer(int(source.version)) if number else text(source.version)
        if source.timestamp is not None:
            named["timestamp"] = python_value(source.timestamp.value)
        if source.stream is not None and not source.stream.is_declared:
            named["stream"] = python_value(True)
        if source.stream is not None and source.stream.name is not None:
            named["source_name"] = text(source.stream.name)
        if source.options:
            named["options"] = display_dict([(text(key), text(value)) for key, value in source.options])
        declared = writer.view_functions(source.identifier)
        if declared is not None and not named and source.changes is None:
            return writer.view(declared, writer.environment.fluent.from_operation(source))
        path = text(shortest_path(writer, source.identifier))
        if source.changes is None:
            return writer.source("from_path", path, value=writer.environment.fluent.from_operation(source), **named)
        return _changes(writer, source, path, named)

    yield read


def _changes(writer: QueryWriter, source: Source, path: Code, named: dict[str, Code]) -> Code:
    """Return a call of ``changes`` on the table."""
    changes = source.changes
    assert changes is not None
    table = writer.environment.fluent.from_operation(source.evolve(changes=None, options=()))
    of_stream = {key: value for key, value in named.items() if key in ("stream", "source_name")}
    named = {key: value for key, value in named.items() if key not in of_stream}
    given = [_moment_code(changes.start)] + ([] if changes.end is None else [_moment_code(changes.end)])
    if not (changes.includes_start and changes.includes_end):
        ends = {(True, False): "left", (False, True): "right", (False, False): "neither"}
        named = {"inclusive": text(ends[changes.includes_start, changes.includes_end]), **named}
    if changes.by_function:
        named["by_function"] = python_value(True)
    return method(writer.source("from_path", path, value=table, **of_stream), "changes", *given, **named)


def _moment_code(moment: Moment) -> Code:
    if not isinstance(moment, str):
        return python_value(moment.value)
    is_number = moment.isdecimal() and str(int(moment)) == moment
    return write_integer(int(moment)) if is_number else text(moment)


def shortest_path(writer: QueryWriter, identifier: ObjectIdentifier) -> str:
    """Return the shortest path that the environment currently resolves to a table."""
    parts = identifier.parts
    runtime = writer.environment.runtime
    for length in range(1, len(parts)):
        path = path_text(parts[-length:])
        hidden = length == 1 and (
            runtime.manager.temporary(identifier.name) or runtime.foreign_temporary(identifier.name)
        )
        if not hidden and runtime.manager.qualify_relation(path) is identifier:
            return path
    return path_text(parts)


def _inline_source(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    source: InlineSource = operation

    def refuse() -> Code:
        raise TableException(
            f"it reads an anonymous {source.kind} of this process, which no code can make again. Store the data as a "
            "table, or give it a name with create_temporary_view, and build the query over that."
        )

    yield refuse


def _values(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    values: Values = operation
    schema = values.schema

    def elements(typed: bool) -> Code:
        rows = display_list([display_tuple([cell(value) for value in row]) for row in values.rows])
        if typed:
            columns = row_type(schema.names, schema.types, tuple([column.comment for column in schema.columns]))
        else:
            columns = display_list([text(name) for name in schema.names])
        made = writer.environment.fluent.from_operation(table_of_elements(rows.value, columns.value))
        return writer.source("from_elements", rows, columns, value=made)

    yield lambda: elements(False)
    yield lambda: elements(True)
    # Computed values have no Python values.
    yield lambda: writer.in_sql(values)


def _recursive_reference(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    # The reference is part of the SQL text of the recursion.
    return iter(())


# --- projection ------------------------------------------------------------------------------------------------------


def _project(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    projection: Project = operation
    below = projection.input
    if isinstance(below, Filter) and isinstance(below.input, Project) and writer.is_single(below):
        yield lambda: _filter_by_windows(writer, below, projection)
    yield from count_window_candidates(writer, projection)
    if isinstance(below, LateralJoin) and writer.is_single(below):
        yield lambda: _flat_map(writer, below, projection)
    if isinstance(below, Aggregate) and writer.is_single(below):
        yield from write_grouped_candidates(writer, projection, below, projection.projections, projection.names)
    if all(isinstance(e, FieldReference) for e in projection.projections):
        yield from _write_renaming(writer, projection)
    if len(projection.projections) > 1:
        yield from _write_extension(writer, projection)
    for given in range(3):
        yield lambda given=given: _select(writer, projection, given)  # type: ignore[misc]  # the loop's value


def _select(writer: QueryWriter, projection: Project, given: int) -> Code:
    write = writer.expressions(projection, projection.projections, projection.names)
    columns = [
        writer.named(write.expression(expression), expression, name, given)
        for expression, name in zip(projection.projections, projection.names, strict=True)
    ]
    return method(writer.table(projection.input), "select", *columns)


def _col(name: str) -> Code:
    return invoke(function("col"), text(name))


def _write_renaming(writer: QueryWriter, projection: Project) -> Iterator[Candidate]:
    columns = projection.input.schema.columns
    kept = [e.index for e in projection.projections if isinstance(e, FieldReference)]
    table = projection.input
    dropped = [column.name for index, column in enumerate(columns) if index not in set(kept)]
    if 0 < len(dropped) <= _FEW and len(kept) >= _MANY:
        yield lambda: method(writer.table(table), "drop_columns", *map(_col, dropped))
    if kept == list(range(len(columns))):
        renamed = [i for i, name in enumerate(projection.names) if columns[i].name != name]
        if 2 * len(renamed) <= len(columns):
            yield lambda: method(
                writer.table(table),
                "rename_columns",
                *[method(_col(columns[i].name), "alias", text(projection.names[i])) for i in renamed],
            )
        last = max(renamed, default=-1)
        yield lambda: method(writer.table(table), "alias", *map(text, projection.names[: last + 1]))


def _write_extension(writer: QueryWriter, projection: Project) -> Iterator[Candidate]:
    columns = projection.input.schema.columns
    pairs = list(zip(projection.projections, projection.names, strict=True))
    if len(pairs) < len(columns) or len(columns) < 2:
        return
    unchanged = [
        isinstance(e, FieldReference) and e.index == i and name == columns[i].name
        for i, (e, name) in enumerate(pairs[: len(columns)])
    ]
    changed = [pair for i, pair in enumerate(pairs) if i >= len(columns) or not unchanged[i]]
    replaced = not all(unchanged)
    if any(name.lower() != column.name.lower() for (_, name), column in zip(pairs, columns, strict=False)):
        return
    if 2 * len(changed) > len(pairs) + 1:
        return
    name = "add_or_replace_columns" if replaced else "add_columns"

    def extended(given: int) -> Code:
        write = writer.expressions(projection, [e for e, _ in changed], [n for _, n in changed])
        added = [writer.named(write.expression(e), e, n, given) for e, n in changed]
        return method(writer.table(projection.input), name, *added)

    for given in range(3):
        yield lambda given=given: extended(given)  # type: ignore[misc]  # the loop's value


# --- rows ------------------------------------------------------------------------------------------------------------


def _filter(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    rows: Filter = operation
    if isinstance(rows.input, Unpivot) and writer.is_single(rows.input):
        yield from unpivot_candidates(writer, rows.input, include_nulls=False)
    yield lambda: method(
        writer.table(rows.input), "filter", writer.expressions(rows, [rows.condition]).expression(rows.condition)
    )


def _filter_by_windows(writer: QueryWriter, below: Filter, projection: Project) -> Code:
    """Return a filter by window functions, which the API expands to a projection, a filter and a projection."""
    computed = below.input
    assert isinstance(computed, Project)
    width = len(projection.projections)

    def over(part: ResolvedExpression) -> ResolvedExpression | None:
        added = isinstance(part, FieldReference) and part.index >= width
        return computed.projections[part.index] if added and isinstance(part, FieldReference) else None

    condition = replace(below.condition, over)
    if not any(isinstance(part, Over) for part in condition.walk()):
        raise TableException("it filters by no window.")
    write = writer.expressions(projection, [condition])
    return method(writer.table(computed.input), "filter", write.expression(condition))


def _distinct(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    yield lambda: method(writer.table(operation.input), "distinct")


def _sort(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    sort: Sort = operation

    def sorted_rows() -> Code:
        code = writer.table(sort.input)
        if sort.order:
            write = writer.expressions(sort, sort.order)
            code = method(code, "order_by", *[write.expression(order) for order in sort.order])
        if sort.offset is not None:
            code = method(code, "offset", write_integer(sort.offset))
        if sort.fetch is not None:
            code = method(code, "fetch", write_integer(sort.fetch))
        return code

    yield sorted_rows


def _hint(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    hint: Hint = operation
    partitions = [] if hint.partitions is None else [write_integer(hint.partitions)]
    columns = [_col(column.name) for column in hint.columns]
    yield lambda: method(writer.table(hint.input), "hint", text(hint.name.lower()), *partitions, *columns)


def _distribute(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    yield lambda: _write_by_keys(writer, operation, "distribute_by", operation.keys)


def _sort_partitions(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    yield lambda: _write_by_keys(writer, operation, "sort_within_partitions", operation.order)


def _write_by_keys(
    writer: QueryWriter, operation: Distribute | SortPartitions, name: str, keys: tuple[ResolvedExpression, ...]
) -> Code:
    write = writer.expressions(operation, keys)
    return method(writer.table(operation.input), name, *[write.expression(key) for key in keys])


def _sample(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    sample: Sample = operation
    seed = {} if sample.seed is None else {"seed": write_integer(sample.seed)}
    fraction = sample.percent / 100
    yield lambda: method(writer.table(sample.input), "sample", python_value(float(fraction)), **seed)
    yield lambda: method(writer.table(sample.input), "sample", python_value(fraction), **seed)


def _watermark(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    watermark: Watermark = operation
    write = writer.expressions(watermark, [watermark.delay])
    column = _col(watermark.column.name)
    yield lambda: method(writer.table(watermark.input), "watermark", column, write.expression(watermark.delay))


# --- two tables ------------------------------------------------------------------------------------------------------

_JOINS = {
    JoinType.INNER: "join",
    JoinType.LEFT_OUTER: "left_outer_join",
    JoinType.RIGHT_OUTER: "right_outer_join",
    JoinType.FULL_OUTER: "full_outer_join",
}


def _join(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    join: Join = operation

    def joined() -> Code:
        left, right = writer.table(join.left), writer.other(join.right)
        condition = []
        if join.condition is not None:
            condition = [writer.expressions(join, [join.condition]).expression(join.condition)]
        elif join.join_type in (JoinType.RIGHT_OUTER, JoinType.FULL_OUTER):
            condition = [invoke(function("lit"), python_value(True))]
        return method(left, _JOINS[join.join_type], right, *condition)

    yield joined


_AS_OF_JOINS = {JoinType.INNER: "as_of_join", JoinType.LEFT_OUTER: "left_outer_as_of_join"}


def _as_of_join(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    join: AsOfJoin = operation

    def joined() -> Code:
        left, right = writer.table(join.left), writer.other(join.right)
        write = writer.expressions(join, join.expressions)
        conditions = [join.match] if join.condition is None else [join.match, join.condition]
        return method(left, _AS_OF_JOINS[join.join_type], right, *[write.expression(c) for c in conditions])

    yield joined


def _write_set_operation(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    combined: SetOperation = operation
    name = combined.kind.value.lower() + ("_all" if combined.all else "")
    yield lambda: method(writer.table(combined.left), name, writer.other(combined.right))


_LATERAL_JOINS = {JoinType.INNER: "join_lateral", JoinType.LEFT_OUTER: "left_outer_join_lateral"}
_INNER_FORMS = {outer: inner for inner, outer in OUTER_FORMS.items() if inner is not outer}


def _lateral_join(writer: QueryWriter, operation: Any) -> Iterator[Candidate]:
    join: LateralJoin = operation
    right = join.right
    inner = _INNER_FORMS.get(right.function) if isinstance(right, Call) else None
    if isinstance(right, Call) and inner is not None and join.join_type is JoinType.INNER:
        yield lambda: _lateral(writer, join, right.evolve(function=inner), "left_outer_join_lateral")
    yield lambda: _lateral(writer, join, right, _LATERAL_JOINS[join.join_type])


def _lateral(writer: QueryWriter, join: LateralJoin, right: ResolvedExpression, name: str) -> Code:
    conditions = () if join.condition is None else (join.condition,)
    write = writer.expressions(join, (right, *conditions))
    called = _write_call(write.expression(right), right, join.names)
    return method(writer.table(join.input), name, called, *[write.expression(c) for c in conditions])


def _write_call(code: Code, right: ResolvedExpression, names: tuple[str, ...]) -> Code:
    own = tuple([column.name for column in right_columns(right)])
    return code if own == names or isinstance(right, TableReference) else method(code, "alias", *map(text, names))


def _flat_map(writer: QueryWriter, join: LateralJoin, projection: Project) -> Code:
    write = writer.expressions(join, (join.right,))
    called = _write_call(write.expression(join.right), join.right, projection.names)
    return method(writer.table(join.input), "flat_map", called)


# Operations without an entry are written in SQL: the fluent API has no method for them.
WRITERS: dict[type, Writer] = {
    Source: _source,
    InlineSource: _inline_source,
    Values: _values,
    RecursiveReference: _recursive_reference,
    Project: _project,
    Filter: _filter,
    Distinct: _distinct,
    Aggregate: aggregate_candidates,
    Join: _join,
    AsOfJoin: _as_of_join,
    LateralJoin: _lateral_join,
    SetOperation: _write_set_operation,
    Sort: _sort,
    Pivot: pivot_candidates,
    Unpivot: unpivot_candidates,
    Hint: _hint,
    Sample: _sample,
    Watermark: _watermark,
    Distribute: _distribute,
    SortPartitions: _sort_partitions,
    ProcessTable: process_candidates,
}
