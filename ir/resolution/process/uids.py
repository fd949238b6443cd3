"""Unique identifiers of process table function calls: all calls of a statement have distinct ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from weakref import WeakKeyDictionary, ref

from ir.contents import PROCESS
from ir.errors import ValidationException
from ir.nodes import post_order
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable


class Calls:
    """The calls in a query by identifier: the first ``count`` entries of a list that longer queries extend.

    Sharing the list makes the cost of a chain of calls linear. The list holds weak references; the query keeps its
    calls alive.
    """

    def __init__(self, listed: dict[str, ref[ProcessTable]] | None = None, count: int = 0) -> None:
        self._listed = {} if listed is None else listed
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[ProcessTable]:
        for found in islice(self._listed.values(), self._count):
            call = found()
            assert call is not None, "the query that holds the calls holds this one"
            yield call

    def with_call(self, call: ProcessTable) -> Calls:
        """Return these calls and another one.

        Raises:
            ValidationException: another call has the same identifier.
        """
        listed = self._listed
        known = listed.get(call.uid)
        if len(listed) > self._count and known is not None:
            # The known call may belong to a longer query; search the calls of this query only.
            listed = dict(islice(listed.items(), self._count))
            known = listed.get(call.uid)
        other = None if known is None else known()
        if other is call:
            return self
        if other is not None:
            raise _duplicate(call, other)
        if len(listed) > self._count:
            listed = dict(islice(listed.items(), self._count))
        listed[call.uid] = ref(call)
        return Calls(listed, self._count + 1)


_NONE = Calls()
# For each operation, the calls in it and below it, so that a growing query is not walked again at each step.
_known: WeakKeyDictionary[QueryOperation, Calls] = WeakKeyDictionary()


def calls_of(operation: QueryOperation) -> Calls:
    """Return the calls of process table functions in a query.

    Raises:
        ValidationException: two different calls have the same identifier.
    """

    if not operation.contents & PROCESS:
        return _NONE

    def unknown_below(current: QueryOperation) -> list[QueryOperation]:
        return [o for o in (*current.inputs, *current.subqueries) if o not in _known]

    if operation not in _known:
        for current in post_order(operation, unknown_below):
            found = merge_calls(_known.get(below, _NONE) for below in (*current.inputs, *current.subqueries))
            if isinstance(current, ProcessTable):
                found = (found if len(found) else Calls()).with_call(current)
            _known[current] = found
    return _known[operation]


def merge_calls(several: Iterable[Calls]) -> Calls:
    """Return the calls of several queries together; a call that several queries share counts once.

    Raises:
        ValidationException: two different calls have the same identifier.
    """
    most, *others = sorted([calls for calls in several if len(calls)], key=len, reverse=True) or [_NONE]
    for calls in others:
        if calls is not most:
            for call in calls:
                most = most.with_call(call)
    return most


def _duplicate(one: ProcessTable, other: ProcessTable) -> ValidationException:
    names = " and ".join(dict.fromkeys((other.function.sql_name, one.function.sql_name)))
    return ValidationException(
        f"Duplicate unique identifier {one.uid!r} detected among process table functions: two different calls of "
        f"{names} have it. Make sure that all calls have an identifier that is unique in the statement. Please provide "
        "a custom identifier using the implicit `uid` argument. For example: myFunction(..., uid => 'my-id')"
    )
