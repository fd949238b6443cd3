"""Recognize and check asynchronous functions."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ir.errors import ValidationException
from tableapi.async_functions.options import AsyncOptions, options_of_arguments
from tableapi.spark.runtime.base import AsyncScalarFunction


def is_async(given: Any) -> bool:
    """Whether a function, a class or an instance of a class is an asynchronous scalar function."""
    cls = given if isinstance(given, type) else type(given)
    return issubclass(cls, AsyncScalarFunction) or is_coroutine_function(given)


def is_coroutine_function(given: Any) -> bool:
    """Whether an object is a coroutine function, a partial of one, or an object whose ``__call__`` is one."""
    if isinstance(given, type):
        return False
    return inspect.iscoroutinefunction(given) or inspect.iscoroutinefunction(getattr(given, "__call__", None))  # noqa: B004  # not whether, but which


def options_of(
    name: str, target: Any, func_type: str, is_deterministic: bool, given: Mapping[str, Any]
) -> AsyncOptions:
    """Return the options of an asynchronous function.

    Raises:
        ValidationException: an option does not fit the function.
    """
    if func_type != "general":
        raise ValidationException(
            f"{name} is an asynchronous function, which has the func_type 'general' only, but was given {func_type!r}."
        )
    options = options_of_arguments(name, given)
    values = dict(options.values)
    if not is_deterministic and (values.get("deduplicate") or values.get("cache_size")):
        raise ValidationException(
            f"{name} is not deterministic: calls with equal arguments cannot share a result by deduplicate or "
            "cache_size."
        )
    if "batch_size" in values and not hasattr(target, "eval_batch"):
        raise ValidationException(f"{name} has a batch_size, but no method eval_batch that takes many calls.")
    return options
