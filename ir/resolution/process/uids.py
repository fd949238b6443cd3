"""Unique identifiers of calls of process table functions: within a statement, no two calls have the same one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from weakref import WeakKeyDictionary

from ir.errors import ValidationException
from ir.nodes import post_order
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable

_Calls = Mapping[str, ProcessTable]
_NONE: _Calls = {}
# Of each operation, the calls in it and below, so that a query that grows step by step is not walked again each time.
_known: WeakKeyDictionary[QueryOperation, _Calls] = WeakKeyDictionary()


def calls_of(operation: QueryOperation) -> _Calls:
    """Return the calls of process table functions in a query, by their unique identifiers.

    Raises:
        ValidationException: two different calls have the same.
    """

    def unknown_below(current: QueryOperation) -> list[QueryOperation]:
        return [o for o in (*current.inputs, *current.subqueries) if o not in _known]

    if operation not in _known:
        for current in post_order(operation, unknown_below):
            found = merged(_known.get(below, _NONE) for below in (*current.inputs, *current.subqueries))
            _known[current] = merged([found, {current.uid: current}]) if isinstance(current, ProcessTable) else found
    return _known[operation]


def merged(several: Iterable[_Calls]) -> _Calls:
    """Return calls of several queries together; one that several of them share is one call.

    Raises:
        ValidationException: two different calls have the same identifier.
    """
    together: _Calls = _NONE
    for calls in several:
        if not calls:
            continue
        for uid, call in calls.items():
            if together.get(uid, call) is not call:
                raise _duplicate(uid, together[uid], call)
        together = calls if not together else {**together, **calls}
    return together


def _duplicate(uid: str, one: ProcessTable, other: ProcessTable) -> ValidationException:
    names = " and ".join(dict.fromkeys((one.function.sql_name, other.function.sql_name)))
    return ValidationException(
        f"Duplicate unique identifier {uid!r} detected among process table functions: two different calls of {names} "
        "have "
        "it. Make sure that all calls have an identifier that is unique in the statement. Please provide a custom "
        "identifier using the implicit `uid` argument. For example: myFunction(..., uid => 'my-id')"
    )
