"""Names of the rewrites, as ``explain`` shows them."""

from __future__ import annotations

from enum import Enum


class Rule(Enum):
    """A rewrite. The first names are those of FLIP-400 and of the AsyncCalcSplitRule of Flink."""

    SPLIT_CONDITION = "a call in a condition is made below it, and its result tested"
    SPLIT_PROJECT = "a call within a projection is made below the expression around it"
    SPLIT_PROJECTION_REX_FIELD = "a field of a call's result in a projection is taken above the call"
    SPLIT_CONDITION_REX_FIELD = "a field of a call's result in a condition is taken above the call"
    EXPAND_PROJECT = "a field as an argument of a call is taken below it"
    PUSH_CONDITION = "conditions without calls come before the calls"
    NESTED_SPLIT = "a call starts as soon as the call that is its argument has a result"
    ONE_PER_CALC_SPLIT = "several calls of a row are made, together where none waits for another"
    NO_ASYNC_JOIN_CONDITIONS = "calls in the condition of a join are made below it, or above it on the pairs"
    CONDITIONAL_SPLIT = "a call within CASE, COALESCE, AND or OR is made only for the rows that reach it"
    SHARED_CALL = "a call that is written several times is made once"
    UNUSED_CALL = "a call whose result nothing uses is not made"
    LIMIT_SPLIT = "a limit comes before the calls"
    SORT_SPLIT = "an order that no call decides comes before the calls"
    SORT_KEY_SPLIT = "a call in a sort key is made below the sort, and not again when it samples its input"
    AGGREGATE_SPLIT = "calls in group keys and arguments of aggregates are made below the aggregation"
    WINDOW_SPLIT = "calls in windows are made below them, calls on their results above"
    JOIN_SPLIT = "a call on one side of a join of all rows with all is made below it, and not for each pair"
    LATERAL_SPLIT = "calls in arguments of a table function are made below it"
    CORRELATED_SPLIT = "a call that a correlated query makes on columns of the query around it is made there"
    UNORDERED = "rows leave as they are done: nothing above or below depends on their order"
    SYNC_MODE = "the call stays where it is, one at a time for each task"
