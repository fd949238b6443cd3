"""Find the output modes that refuse a query over a stream, as Spark's ``UnsupportedOperationChecker`` does.

The rules read the tree once, inputs first. The class of an operation declares what depends on it alone:
``stream_limit``, ``needs_all_rows`` and ``groups_rows``. ``tests/streams`` compares the rules with Spark's verdicts on
all pairs of operations.

Source: https://spark.apache.org/docs/latest/streaming/apis-on-dataframes-and-datasets.html#unsupported-operations
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from weakref import ref

from ir import light_attrs as attrs
from ir.call_expressions import Call, Over
from ir.contents import CHANGING, COLUMN, OVER, QUERY, UNBOUNDED
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.aggregate import MAX_BY, MIN_BY
from ir.functions.collection import GET
from ir.functions.comparison import IN
from ir.functions.logic import NOT
from ir.functions.random import MONOTONICALLY_INCREASING_ID
from ir.functions.subquery import EXISTS
from ir.functions.time_window import SESSION_WINDOW, TIME_WINDOWS
from ir.functions.window import ROW_NUMBER
from ir.messages import Message, Term, message
from ir.nodes import post_order
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import Join
from ir.operations.operation import QueryOperation
from ir.operations.pivot import Pivot
from ir.operations.project import Project
from ir.operations.recursion import Recursion
from ir.operations.semi_join import find_semi_join
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.operations.watermark import Watermark
from ir.streaming.correlation import refused_correlation
from ir.streaming.event_time import carries_time, time_columns_of
from ir.streaming.joins import Above, refused_join, refused_semi_join
from ir.streaming.process_calls import refused_calls
from ir.streaming.reads import list_streams
from ir.streaming.refusals import EVERY_MODE, OutputMode, Refusal
from ir.streaming.remembered import RememberedFacts
from ir.streaming.time_bounds import split_conjuncts

_APPEND = frozenset({OutputMode.APPEND})
_UPDATE = frozenset({OutputMode.UPDATE})
_COMPLETE = frozenset({OutputMode.COMPLETE})
_BUT_COMPLETE = _APPEND | _UPDATE
_BUT_APPEND = _UPDATE | _COMPLETE

_UNSUPPORTED_MODE = "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION"
_ADD_WATERMARK = message(
    "Add a watermark to the stream, {how}, and make the time or a window over it a key; or run the query in output "
    "mode update or complete.",
    how=Term("watermark(col('ts'), lit(10).seconds)", "WATERMARK ts DELAY OF INTERVAL 10 SECONDS"),
)

_WITHIN_WATERMARK = message(
    "DataFrames of Spark remove duplicates within the delay of the watermark: "
    "from_spark(table.to_spark().dropDuplicatesWithinWatermark(['k'])), of a table with the time column."
)


def find_refusals(root: QueryOperation) -> tuple[Refusal, ...]:
    """Return the refusals of a query over a stream, inputs first; empty for a query whose rows end."""
    if not root.is_unbounded:
        return ()
    operations = list(post_order(root, list_streams))
    return tuple(_Rules(operations).find())


def refusals_in(mode: OutputMode, root: QueryOperation) -> tuple[Refusal, ...]:
    """Return the refusals of a query over a stream in an output mode."""
    return tuple([refusal for refusal in find_refusals(root) if mode in refusal.modes])


def require_some_mode(root: QueryOperation) -> None:
    """Reject a query over a stream that no output mode can run.

    Raises:
        ValidationException: an operation runs in no mode, or the operations have no mode in common; the message has the
            reason and the way around.
    """
    refusals = find_refusals(root)
    if not refusals or not all(any(mode in refusal.modes for refusal in refusals) for mode in OutputMode):
        return
    never = next((refusal for refusal in refusals if refusal.modes == EVERY_MODE), None)
    if never is not None:
        raise never.as_error()
    first = next(refusal for refusal in refusals if OutputMode.APPEND in refusal.modes)
    raise first.as_error(OutputMode.APPEND)


def require_step(operation: QueryOperation) -> None:
    """Reject the last operation of a query over a stream if no output mode can run it, regardless of later operations.

    Operations that only pass on rows are not looked at, so that a long chain of them costs nothing.

    Raises:
        ValidationException: no mode can run the operation; the message has the reason and the way around.
    """
    if isinstance(operation, Filter | Project | Watermark) and not _is_watched(operation):
        return
    if not operation.is_unbounded:
        return
    # The operations below were checked when they were built.
    for refusal in _Rules([operation]).find():
        if refusal.modes == EVERY_MODE and not refusal.is_curable:
            raise refusal.as_error()


def _is_watched(operation: QueryOperation) -> bool:
    """Whether an expression of an operation may prevent every mode."""
    return any(expression.contents & (OVER | QUERY | CHANGING) for expression in operation.expressions)


def require_mode(root: QueryOperation, mode: OutputMode) -> None:
    """Reject a query over a stream that an output mode cannot run.

    Raises:
        ValidationException: the mode cannot run the query; the message has the reason and the way around.
    """
    for refusal in refusals_in(mode, root):
        raise refusal.as_error(mode)


@attrs.frozen
class _Below:
    """The facts about an operation and all operations below it that the rules need.

    Attributes:
        has_watermark: whether a watermark is set here or below.
        is_summed: whether groups by keys are made here or below; complete mode keeps all of them.
        groups: the nearest operation that groups rows, None if there is none. The reference is weak, because this
            record is remembered as long as the operation lives.
    """

    has_watermark: bool
    is_summed: bool
    groups: ref[QueryOperation] | None


def _find_below(operation: QueryOperation) -> _Below:
    reads = [_BELOW.of(read) for read in list_streams(operation)]
    is_dated_source = not operation.inputs and bool(time_columns_of(operation))
    is_summing = operation.groups_rows and not operation.compares_rows
    return _Below(
        isinstance(operation, Watermark) or is_dated_source or any(below.has_watermark for below in reads),
        is_summing or any(below.is_summed for below in reads),
        ref(operation)
        if operation.groups_rows
        else next((below.groups for below in reads if below.groups is not None), None),
    )


_BELOW: Final = RememberedFacts(_find_below)


def _groups_in(operation: QueryOperation) -> QueryOperation | None:
    """Return the nearest operation that groups rows, at or below an operation over a stream; None otherwise."""
    groups = _BELOW.of(operation).groups if operation.is_unbounded else None
    return None if groups is None else groups()


class _Rules:
    """The rules on operations of a query over a stream, the last of which is the query itself."""

    def __init__(self, operations: Sequence[QueryOperation]) -> None:
        self._operations = operations
        self._above = Above(operations)

    def find(self) -> Iterator[Refusal]:
        for operation in self._operations:
            yield from self._subqueries(operation)
            yield from self._expressions(operation)
            if operation.is_unbounded:
                yield from self._operation(operation)
        root = self._operations[-1]
        if _groups_in(root) is None:
            yield Refusal(
                root,
                _COMPLETE,
                message("Complete mode writes the whole result after each batch, and Spark keeps it as groups only."),
                message("Run it in output mode append."),
                _UNSUPPORTED_MODE,
            )

    def _operation(self, operation: QueryOperation) -> Iterator[Refusal]:
        if any(read.is_unbounded for read in operation.inputs):
            yield from refused_correlation(operation)
        yield from refused_calls(operation)
        limit = operation.stream_limit
        if limit is not None:
            reason, instead = message(limit.reason), message(limit.instead)
            late = isinstance(operation, Recursion)
            yield Refusal(operation, EVERY_MODE, reason, instead, limit.condition, fails_at_start=late)
        if operation.needs_all_rows:
            yield self._sorted(operation)
        if isinstance(operation, Sort) and operation.is_limited:
            yield from _limited(operation)
        if operation.groups_rows:
            yield from self._grouping(operation)
        match operation:
            case SetOperation():
                yield from _combined(operation)
                if operation.kind is SetOperationType.MINUS and not time_columns_of(operation):
                    # Spark runs it as a removal of duplicates.
                    yield attrs.evolve(self._without_time(operation, (), frozenset()), fails_at_start=True)
            case Watermark():
                yield from self._watermark(operation)
            case Join():
                yield from refused_join(operation, self._above)
                if operation.left.is_unbounded and operation.right.is_unbounded:
                    yield from self._after_groups(operation)

    def _subqueries(self, operation: QueryOperation) -> Iterator[Refusal]:
        if not any(query.is_unbounded for query in operation.subqueries):
            return
        semi_join = find_semi_join(operation)
        if semi_join is not None:
            yield from refused_semi_join(operation, semi_join, self._above)
            yield from self._after_groups(operation)
            return
        if isinstance(operation, Filter) and any(map(_is_anti_join, split_conjuncts(operation.condition))):
            reason = message("A row without a match in a stream is never known: a match may come at any later time.")
            instead = message(
                "Keep the rows of a LEFT JOIN with bounds of time that have no match: its columns are NULL."
            )
        else:
            reason = message("A subquery over a stream has no result, because the rows of the stream do not end.")
            instead = message("Join the stream instead, by equal columns and with bounds of time.")
        yield Refusal(
            operation,
            EVERY_MODE,
            reason,
            instead,
            "INVALID_SUBQUERY_EXPRESSION.STREAMING_QUERY",
        )

    def _expressions(self, operation: QueryOperation) -> Iterator[Refusal]:
        for expression in operation.expressions:
            if expression.contents & OVER:
                yield from (_window(operation, part) for part in expression.walk() if isinstance(part, Over))
            if expression.contents & CHANGING:
                for part in expression.walk():
                    if isinstance(part, Call) and part.function is MONOTONICALLY_INCREASING_ID:
                        yield Refusal(
                            operation,
                            EVERY_MODE,
                            message("monotonically_increasing_id numbers the rows of one run, and a stream has many."),
                            message("Take an identifier from the data, or UUID(), which differs in each run."),
                        )

    def _watermark(self, operation: Watermark) -> Iterator[Refusal]:
        if operation.input.is_unbounded and _BELOW.of(operation.input).has_watermark:
            yield Refusal(
                operation,
                EVERY_MODE,
                message("The stream has a watermark already, and Spark takes no second one."),
                message(
                    "Set the watermark once, where the stream is read; its column keeps it in the operations above."
                ),
                fails_at_start=True,
            )

    def _sorted(self, operation: QueryOperation) -> Refusal:
        modes = _BUT_COMPLETE if _BELOW.of(operation).is_summed else EVERY_MODE
        return Refusal(
            operation,
            modes,
            message(
                "{ORDER_BY} over a stream has no first row, because the rows of a stream do not end."
                if isinstance(operation, Sort)
                else "{clause} over a stream is not supported: each batch would be sorted by itself.",
                clause=operation.sql_clause,
            ),
            message("Sort the result where it is read; groups can be sorted in output mode complete."),
        )

    def _grouping(self, operation: QueryOperation) -> Iterator[Refusal]:
        yield from self._after_groups(operation)
        if isinstance(operation, Pivot) and operation.aggregates:
            # Spark groups twice: by the columns with the pivoted ones, then without.
            yield _after_groups(operation, operation)
        keys, input = _keys_of(operation), operation.inputs[0]
        collated = next((key for key in keys if key.data_type.has_collation), None)
        if collated is not None:
            yield _collated(operation, collated)
        times = time_columns_of(input)
        if not any(carries_time(key, times) for key in keys):
            yield self._without_time(operation, keys, times)
        if any(_is_session(key, input) for key in keys):
            if not any(_computed(key, input).contents & COLUMN for key in keys if not _is_session(key, input)):
                yield Refusal(
                    operation,
                    EVERY_MODE,
                    message(
                        "Spark keeps sessions of a stream for each key, and {GROUP_BY} has none beside the session."
                    ),
                    message("Add a column of the stream as a key."),
                    fails_at_start=True,
                )
            yield Refusal(
                operation,
                _UPDATE,
                message("A session may grow together with another one, which a row that is written cannot take back."),
                message("Run the query in output mode append, which writes a session when it has ended."),
                _UNSUPPORTED_MODE,
            )
        if isinstance(operation, Aggregate):
            for aggregate in operation.aggregates:
                for part in aggregate.walk():
                    if isinstance(part, Call) and part.distinct:
                        yield _distinct_aggregate(operation, part)

    def _after_groups(self, operation: QueryOperation) -> Iterator[Refusal]:
        below = next((found for read in list_streams(operation) if (found := _groups_in(read)) is not None), None)
        if below is not None:
            yield _after_groups(operation, below)

    def _without_time(
        self, operation: QueryOperation, keys: tuple[ResolvedExpression, ...], times: frozenset[int]
    ) -> Refusal:
        field = next((found for key in keys if (found := _window_field(key, operation.inputs[0], times))), None)
        if field is not None:
            reason = message(
                "{GROUP_BY} takes the {field} of a window as a key, which no longer carries the watermark, so that no "
                "group ever ends.",
                field=field,
            )
            instead = message("Group by the whole window, and take its {field} from the result.", field=field)
        elif isinstance(operation, Aggregate | Pivot):
            what = "no key carries a watermark" if keys else "there is no key with a watermark"
            reason = message(
                "In append mode, {what} of a stream writes a group when it ends, and {why}.",
                what=operation.label,
                why=what,
            )
            instead = _ADD_WATERMARK
        else:
            reason = message(
                "In append mode, {what} of a stream has to remember all rows for ever: no column carries a watermark.",
                what=Term("distinct", "DISTINCT") if not isinstance(operation, SetOperation) else operation.label,
            )
            instead = message(
                "Add a watermark to the stream, {how}, and keep its column; or run the query in output mode update.",
                how=Term("watermark(col('ts'), lit(10).seconds)", "WATERMARK ts DELAY OF INTERVAL 10 SECONDS"),
            )
        is_duplicates = not isinstance(operation, Aggregate | Pivot | SetOperation) or _picks_rows(operation)
        if is_duplicates and _BELOW.of(operation).has_watermark:
            instead = message("{instead} {more}", instead=instead, more=_WITHIN_WATERMARK)
        return Refusal(operation, _APPEND, reason, instead, _UNSUPPORTED_MODE)


def _picks_rows(operation: QueryOperation) -> bool:
    """Whether an aggregation keeps a row for each key, as the removal of duplicates by ROW_NUMBER does."""
    return isinstance(operation, Aggregate) and all(
        isinstance(aggregate, Call) and aggregate.function in (MIN_BY, MAX_BY) for aggregate in operation.aggregates
    )


def _is_anti_join(condition: ResolvedExpression) -> bool:
    """Whether a condition keeps the rows without a match in a stream."""
    if not isinstance(condition, Call) or condition.function is not NOT:
        return False
    (test,) = condition.arguments
    return isinstance(test, Call) and test.function in (EXISTS, IN) and bool(test.contents & UNBOUNDED)


def _keys_of(operation: QueryOperation) -> tuple[ResolvedExpression, ...]:
    """Return the keys by which an operation groups the rows of its first input."""
    if isinstance(operation, Aggregate):
        return operation.group_keys
    if isinstance(operation, Pivot):
        return operation.group_columns
    columns = operation.inputs[0].schema.columns
    return tuple([FieldReference(c.name, c.data_type, 0, index) for index, c in enumerate(columns)])


def _is_session(key: ResolvedExpression, input: QueryOperation) -> bool:
    found = _computed(key, input)
    return isinstance(found, Call) and found.function is SESSION_WINDOW


def _computed(expression: ResolvedExpression, input: QueryOperation) -> ResolvedExpression:
    """Return the expression that a projection right below computes for a column."""
    if isinstance(expression, FieldReference) and isinstance(input, Project):
        return input.projections[expression.index]
    return expression


def _window_field(key: ResolvedExpression, input: QueryOperation, times: frozenset[int]) -> str | None:
    """Return the name of the field if a key is one of a window."""
    found = _computed(key, input)
    if not isinstance(found, Call) or found.function is not GET:
        return None
    window = _computed(found.arguments[0], input)
    if isinstance(window, Call) and window.function in TIME_WINDOWS:
        name = getattr(found.arguments[1], "value", None)
        return name if isinstance(name, str) else None
    return None


def _collated(operation: QueryOperation, key: ResolvedExpression) -> Refusal:
    return Refusal(
        operation,
        EVERY_MODE,
        message(
            "Spark keeps the state of a stream by the bytes of its keys, and {key} is of type {data_type}, whose equal "
            "values have different bytes.",
            key=key.as_summary_string(),
            data_type=key.data_type.as_summary_string(),
        ),
        message("Make one value of them first, such as LOWER({key}) COLLATE UTF8_BINARY.", key=key.as_summary_string()),
        "STATE_STORE_UNSUPPORTED_OPERATION_BINARY_INEQUALITY",
        fails_at_start=True,
    )


def _after_groups(operation: QueryOperation, below: QueryOperation) -> Refusal:
    return Refusal(
        operation,
        _BUT_APPEND,
        message(
            "The {what} keeps state over the result of the {below}, whose groups change in this mode, and Spark would "
            "count a changed group twice or take it for late.",
            what=operation.label,
            below=below.label,
        ),
        message(
            "Run the query in output mode append, with a watermark in the keys of both; or write the groups to a table "
            "and read that as another stream."
        ),
    )


def _distinct_aggregate(operation: Aggregate, aggregate: Call) -> Refusal:
    name = aggregate.function.name
    return Refusal(
        operation,
        EVERY_MODE,
        message(
            "{aggregate} over a stream is not supported, because Spark would keep all values of all groups.",
            aggregate=Term(aggregate.as_summary_string(), f"{name.upper()}(DISTINCT …)"),
        ),
        message(
            "Use APPROX_COUNT_DISTINCT; or remove duplicates first, {how}, and count the rows of the result.",
            how=Term("distinct() over the keys, the value and the window", "SELECT DISTINCT of keys, value and window"),
        ),
    )


def _window(operation: QueryOperation, over: Over) -> Refusal:
    instead: Message
    if over.call.function is ROW_NUMBER:
        instead = message(
            "Keep the first rows of each partition by a condition above it, {condition}, in an order whose keys all "
            "ascend or all descend, but for whole numbers, decimals, dates, instants and truth values; or remove "
            "duplicates with {distinct}.",
            condition=Term("filter(col('n') <= 3)", "WHERE n <= 3"),
            distinct=Term("distinct()", "SELECT DISTINCT"),
        )
    else:
        instead = message("Group by a window of time, or compute it over the table that the stream writes.")
    return Refusal(
        operation,
        EVERY_MODE,
        message("OVER needs all rows of a partition, and those of a stream do not end."),
        instead,
        "NON_TIME_WINDOW_NOT_SUPPORTED_IN_STREAMING",
        is_curable=over.call.function is ROW_NUMBER,
    )


def _limited(operation: Sort) -> Iterator[Refusal]:
    if operation.offset is not None:
        yield Refusal(
            operation,
            EVERY_MODE,
            message(
                "{offset} over a stream is not supported: its rows have no order.", offset=Term("offset", "OFFSET")
            ),
            message("Leave rows out by a condition on their time."),
        )
    if operation.fetch is not None:
        yield Refusal(
            operation,
            _UPDATE,
            message(
                "{limit} counts rows that are written once, and this mode writes changed rows again.",
                limit=Term("limit", "LIMIT"),
            ),
            message("Run the query in output mode append."),
        )


def _combined(operation: SetOperation) -> Iterator[Refusal]:
    left, right = (side.is_unbounded for side in operation.inputs)
    if operation.kind is SetOperationType.INTERSECT:
        yield Refusal(
            operation,
            EVERY_MODE,
            message("INTERSECT over a stream is not supported: a row may find its equal at any later time."),
            message("Join the inputs by all columns, with bounds of time, and remove duplicates."),
        )
    elif operation.kind is SetOperationType.MINUS and right:
        yield Refusal(
            operation,
            EVERY_MODE,
            message("EXCEPT by the rows of a stream is not supported: a row may find its equal at any later time."),
            message("Keep the rows of a LEFT JOIN with bounds of time that have no match: its columns are NULL."),
        )
    elif operation.kind is SetOperationType.UNION and left != right:
        yield Refusal(
            operation,
            EVERY_MODE,
            message("UNION of a stream and a table is not supported: Spark would add the table's rows to each batch."),
            message(
                "Read both as streams, {how}, or write both into one table.",
                how=Term("from_path('t', stream=True)", "FROM STREAM t"),
            ),
        )
