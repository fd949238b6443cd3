"""Check that methods of user-defined functions are plain, generators or coroutines, as their kind requires.

A generator or coroutine in place of a plain function would silently run none of its code.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable
from typing import Any

from ir.errors import ValidationException
from ir.functions.definition import FunctionKind


class _Code(enum.Enum):
    PLAIN = "plain"
    GENERATOR = "generator"
    COROUTINE = "coroutine"
    ASYNC_GENERATOR = "asynchronous generator"


_ROWS = (_Code.PLAIN, _Code.GENERATOR)
_ONE = (_Code.PLAIN,)
_AWAITED = (_Code.COROUTINE,)
_EITHER = (_Code.PLAIN, _Code.COROUTINE)
_ALLOWED: dict[FunctionKind, dict[str, tuple[_Code, ...]]] = {
    FunctionKind.SCALAR: {"eval": _ONE, "open": _ONE, "close": _ONE},
    FunctionKind.ASYNC_SCALAR: {"eval": _AWAITED, "eval_batch": _AWAITED, "open": _EITHER, "close": _EITHER},
    FunctionKind.TABLE: {"eval": _ROWS, "open": _ONE, "close": _ONE},
    FunctionKind.AGGREGATE: {
        "create_accumulator": _ONE,
        "accumulate": _ONE,
        "get_value": _ONE,
        "open": _ONE,
        "close": _ONE,
    },
    FunctionKind.TABLE_AGGREGATE: {
        "create_accumulator": _ONE,
        "accumulate": _ONE,
        "emit_value": _ROWS,
        "open": _ONE,
        "close": _ONE,
    },
}
_RESULT = {
    FunctionKind.SCALAR: "eval",
    FunctionKind.ASYNC_SCALAR: "eval",
    FunctionKind.TABLE: "eval",
    FunctionKind.AGGREGATE: "get_value",
    FunctionKind.TABLE_AGGREGATE: "emit_value",
}


def require_code(kind: FunctionKind, name: str, function: Callable[..., Any]) -> None:
    """Check the code of a plain function for its kind.

    Raises:
        ValidationException: the function has a wrong form, for instance a generator in place of a plain function.
    """
    _require(kind, name, _RESULT[kind], function, is_method=False)


def require_methods(kind: FunctionKind, name: str, target: Any) -> None:
    """Check the code of the methods of a function class for its kind.

    Raises:
        ValidationException: a method has a wrong form, for instance a generator in place of a plain method.
    """
    for method in _ALLOWED[kind]:
        code = getattr(target, method, None)
        if code is not None:
            _require(kind, f"{name}.{method}", method, code, is_method=True)


def _require(kind: FunctionKind, shown: str, method: str, given: Callable[..., Any], *, is_method: bool) -> None:
    found, allowed = _code_of(given), _ALLOWED[kind][method]
    if found in allowed:
        return
    is_result = method == _RESULT[kind]
    awaits = kind is FunctionKind.ASYNC_SCALAR
    if found is _Code.PLAIN:
        function = shown.split(".")[0]
        raise ValidationException(
            f"{function} is an asynchronous function, so its {method} has to be a coroutine function: write "
            f"'async def {method}'."
        )
    if found is _Code.COROUTINE:
        derives = kind is FunctionKind.SCALAR and is_result and is_method
        advice = "Derive from AsyncScalarFunction, or write it" if derives else "Write it"
        raise ValidationException(
            f"{shown} is a coroutine: it would never be awaited. {advice} as an ordinary function."
        )
    yields = "yields from 'async def'" if found is _Code.ASYNC_GENERATOR else "yields"
    if not is_result:
        raise ValidationException(f"{shown} {yields}, so that a call would run none of it. Write it without yield.")
    if _Code.GENERATOR in allowed:
        raise ValidationException(f"{shown} {yields}: it would never be awaited. Write it with def alone.")
    if kind is FunctionKind.AGGREGATE:
        raise ValidationException(
            f"{shown} {yields}, but an aggregate gives one value. Return it; a table aggregate, declared with udtaf, "
            "gives rows."
        )
    what = "an asynchronous function" if awaits else "a scalar function"
    also = " and derive from TableFunction" if is_method else ""
    alone = ", written with def alone" if found is _Code.ASYNC_GENERATOR else ""
    raise ValidationException(
        f"{shown} {yields}, but {what} gives one value. Return it; to give rows, declare it with udtf{also}{alone}."
    )


def _code_of(given: Any) -> _Code:
    """Return the form of the code of a function, a partial function, a method, or an object with ``__call__``."""
    called = getattr(type(given), "__call__", None)  # noqa: B004  # not whether, but which
    for is_one, found in (
        (inspect.isasyncgenfunction, _Code.ASYNC_GENERATOR),
        (inspect.iscoroutinefunction, _Code.COROUTINE),
        (inspect.isgeneratorfunction, _Code.GENERATOR),
    ):
        if is_one(given) or is_one(called):
            return found
    return _Code.PLAIN
