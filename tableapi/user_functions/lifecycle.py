"""Detect methods of a function class that are never called: misspelled methods, and methods that only Flink calls."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable, Iterator
from typing import Any

from ir.errors import ValidationException, did_you_mean
from ir.functions.definition import FunctionKind
from ir.migration_page import Section, see
from tableapi.spark.runtime import base
from tableapi.spark.runtime.process.declarations import ProcessTableFunction
from tableapi.user_functions.annotations import list_parameters

_COMMON = ("open", "close", "is_deterministic", "get_type_inference", "get_result_type")
_OF_KIND: dict[FunctionKind, tuple[str, ...]] = {
    FunctionKind.SCALAR: ("eval",),
    FunctionKind.ASYNC_SCALAR: ("eval", "eval_batch"),
    FunctionKind.TABLE: ("eval",),
    FunctionKind.AGGREGATE: ("create_accumulator", "accumulate", "get_value"),
    FunctionKind.TABLE_AGGREGATE: ("create_accumulator", "accumulate", "emit_value"),
    FunctionKind.PROCESS_TABLE: (
        *("eval", "on_timer", "finish", "on_late"),
        *("get_input_changelog_mode", "get_output_changelog_mode"),
    ),
}
_ACCEPTED = ("retract", "merge", "reset_accumulator", "get_accumulator_type")
"""Methods of PyFlink's aggregates that only streaming queries call."""

_STREAM = (
    "every row is an insertion here, on streams, too; only a ProcessTableFunction yields changes, by "
    "get_output_changelog_mode"
)
_EMITS = f"{_STREAM}; emit_value gives the rows of a group once"
REFUSED: dict[str, str] = {
    "get_changelog_mode": _STREAM,
    "get_input_changelog_mode": _STREAM,
    "get_output_changelog_mode": _STREAM,
    "emit_update_with_retract": _EMITS,
    "specialize": "a function is the same object for all of its calls; get_type_inference infers the types of a call",
    "get_requirements": "an aggregate can be used over windows and groups alike",
    "supports_constant_folding": "a call of Python code is never computed while a query is planned",
    "get_kind": "the class that a function derives from says its kind",
    "function_identifier": "create_function and its kin give a function its name",
    "get_parameter_types": "annotations, input_types or get_type_inference say the types of arguments",
    "get_signature": "annotations, input_types or get_type_inference say the types of arguments",
    "set_collector": "rows are given with yield",
    "eval_batch": "only an AsyncScalarFunction is given many calls at once; func_type='pandas' gives whole columns",
    "finish": "only a ProcessTableFunction has an end of its partitions; close is called at the end of a task",
    "on_timer": "only a ProcessTableFunction has timers",
    "on_late": "only a ProcessTableFunction gets the late rows of a stream",
}
"""Methods that Flink or a function of another kind would call, each with the reason why it has no effect here."""

_LIBRARY = (base.__name__, ProcessTableFunction.__module__)
_SHORTEST = 4


def require_known_methods(kind: FunctionKind, name: str, cls: type) -> None:
    """Check that a class has no method that its author expects to be called but that is never called.

    A method that other code of the class uses is accepted.

    Args:
        kind: the kind of the function.
        name: the name of the function in messages.
        cls: its class.

    Raises:
        ValidationException: a method is one of Flink's without effect here, or is nearly named like a method that is
            called.
    """
    called = (*_OF_KIND[kind], *_COMMON)
    own = dict(_walk_own_methods(cls))
    _require_self(name, called, cls)
    for method in own:
        if method.startswith("_") or method in called or method in _ACCEPTED:
            continue
        refused = next((known for known in REFUSED if _fold(known) == _fold(method) and known not in called), None)
        meant = next((known for known in called if known not in own and _is_near(method, known)), None)
        if (refused is None and meant is None) or method in _find_used_names(own.values()):
            continue
        if refused is not None:
            reason = REFUSED[refused]
            more = see(Section.STREAMS) if reason in (_STREAM, _EMITS) else ""
            raise ValidationException(
                f"{name} has a method {method}, which is not supported: {reason}. Remove the method.{more}"
            )
        raise ValidationException(f"{name} has a method {method}, which nobody calls. Did you mean {meant!r}?")


def _require_self(name: str, called: tuple[str, ...], cls: type) -> None:
    """Check that methods have a parameter for the instance.

    Raises:
        ValidationException: the first parameter of a method has an annotation, or the method has no parameter.
    """
    for method in called:
        code = inspect.getattr_static(cls, method, None)
        if not isinstance(code, types.FunctionType) or hasattr(code, "__wrapped__"):
            continue
        listed = list_parameters(code)
        is_instance = bool(listed) and (listed[0].annotation is listed[0].empty or listed[0].name == "self")
        if not is_instance and not (listed and listed[0].annotation in (Any, "Any")):
            rest = ", ".join(["self", *[parameter.name for parameter in listed]])
            raise ValidationException(f"{name}.{method} has no parameter for the instance: write def {method}({rest}).")


def missing_methods(cls: type, missing: Iterable[str]) -> str:
    """Return the message about missing methods, with the nearest name of an existing method."""
    listed = list(missing)
    own = [method for method, _ in _walk_own_methods(cls) if not method.startswith("_")]
    nearest = next((method for method in own if did_you_mean(listed[0], [method])), None)
    hint = f" Rename the method {nearest!r} to {listed[0]!r}." if nearest is not None else ""
    return f"The class {cls.__name__} does not have the method {', '.join(listed)}.{hint}"


def _walk_own_methods(cls: type) -> Iterator[tuple[str, object]]:
    """Yield the functions that the user's classes define, by name, starting with the most derived class."""
    seen: set[str] = set()
    for parent in cls.__mro__:
        if parent.__module__ in _LIBRARY or parent is object:
            continue
        for name, member in vars(parent).items():
            code = member.__func__ if isinstance(member, (staticmethod, classmethod)) else member
            if name not in seen and isinstance(code, types.FunctionType):
                seen.add(name)
                yield name, code


def _find_used_names(functions: Iterable[object]) -> set[str]:
    """Return the names that the code of functions, including nested code, mentions."""
    found: set[str] = set()
    waiting = [function.__code__ for function in functions if isinstance(function, types.FunctionType)]
    while waiting:
        code = waiting.pop()
        found.update(code.co_names)
        waiting += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return found


def _fold(name: str) -> str:
    return name.replace("_", "").lower()


def _is_near(given: str, known: str) -> bool:
    """Whether two names differ only in case, underscores and one letter: changed, missing, added or swapped."""
    first, second = _fold(given), _fold(known)
    if first == second:
        return True
    if len(second) < _SHORTEST or abs(len(first) - len(second)) > 1:
        return False
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    rest, other = first[start:], second[start:]
    return (
        rest[1:] == other[1:]
        or rest[1:] == other
        or rest == other[1:]
        or (rest[:2] == other[:2][::-1] and rest[2:] == other[2:])
    )
