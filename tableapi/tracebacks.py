"""Tracebacks of mistakes: the user's line and one frame of the library, or all frames on request.

The public methods and functions are boundaries. An exception of the library, or Ctrl-C, that leaves one of them loses
the frames of the library and of what the library calls; the frames of code that the library calls back, such as a
lambda, stay. Any other exception is a defect of the library, and keeps its whole traceback. A call that succeeds costs
one Python frame.

pytest and IPython hide the frame that remains, since it says ``__tracebackhide__``.
"""

from __future__ import annotations

import os
import sys
from types import FunctionType, TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from ir.errors import TableException
from tableapi._packages import named_package
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from tableapi import unknown_members
else:
    unknown_members = lazy(__name__, "tableapi.unknown_members")

__all__ = ["show_internal_frames"]

VARIABLE = "TABLEAPI_TRACEBACK"
"""The environment variable that shows the frames of the library, with the value ``full``."""

# What unwinds through the library, or through what it calls on the way to a mistake.
_INTERNAL = {"tableapi", "ir", "serializer", "grammar", "attr", "attrs", "lark", "pyspark", "py4j", "pyarrow", "pandas"}

_shows_internal_frames: bool | None = None
_Class = TypeVar("_Class", bound=type)


def show_internal_frames(shown: bool | None = True) -> None:
    """Show the frames of the library in tracebacks, or leave them out, from now on in this process.

    >>> show_internal_frames()
    >>> show_internal_frames(None)

    Args:
        shown: whether they are shown; None leaves it to the environment variable ``TABLEAPI_TRACEBACK``, which shows
            them where its value is ``full``.
    """
    global _shows_internal_frames
    _shows_internal_frames = shown


def trim(error: BaseException) -> None:
    """Remove the frames below the function that handles an exception, but for those of the user's code.

    The function then raises the exception.
    """
    trace = error.__traceback__
    if trace is not None:
        # The first entry is the function that handles the exception; it is added again when it raises.
        below = trace.tb_next
        shows = _shows_internal_frames
        if shows is None:
            shows = os.environ.get(VARIABLE, "").strip().lower() == "full"
        if not shows:
            _hide_internal_context(error)
            below = _without_internal_frames(below)
        error.__traceback__ = below


def _without_internal_frames(trace: TracebackType | None) -> TracebackType | None:
    kept = []
    while trace is not None:
        if not _is_internal(trace):
            kept.append(trace)
        trace = trace.tb_next
    result: TracebackType | None = None
    for entry in reversed(kept):
        result = TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return result


def _is_internal(trace: TracebackType) -> bool:
    # Methods that attrs generates are in no module.
    root = str(trace.tb_frame.f_globals.get("__name__", "attrs")).partition(".")[0]
    return root in _INTERNAL or (root in sys.stdlib_module_names and root != "__main__")


def _hide_internal_context(error: BaseException) -> None:
    """Hide the exception that the library was handling when it raised; that of the user's own handler stays."""
    context = error.__context__
    if error.__cause__ is None and context is not None:
        trace = context.__traceback__
        if trace is not None and _is_internal(trace):
            error.__suppress_context__ = True


def _boundary(function: Any) -> Any:
    stops = (TableException, KeyboardInterrupt)
    trim_traceback = trim
    with_way_out = named_package
    with_parameters = _with_parameters

    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except stops as error:
            __tracebackhide__ = True
            trim_traceback(error)
            raise error  # Set TABLEAPI_TRACEBACK=full to see the frames below.
        except TypeError as error:
            # Raised in this frame, and not by what the function calls: the arguments are not those of the function.
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                __tracebackhide__ = True
                raise with_parameters(error, function, arguments, named) from None
            raise
        except ModuleNotFoundError as error:
            __tracebackhide__ = True
            raise with_way_out(error, function) from None

    return call


def _with_parameters(error: TypeError, function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> TypeError:
    return unknown_members.wrong_arguments(error, function, given, named)


def boundary(function: Any) -> Any:
    """Return a function from whose tracebacks the frames of the library are removed."""
    call: Any = _boundary(function)
    name = function.__name__
    # Of the globals of the function, so that doctest and inspect find it in its module; named as it is in tracebacks.
    code = call.__code__.replace(co_name=name, co_qualname=function.__qualname__)
    made = FunctionType(code, function.__globals__, name, None, call.__closure__)
    made.__qualname__ = function.__qualname__
    made.__doc__ = function.__doc__
    made.__annotations__ = function.__annotations__
    if function.__dict__:
        made.__dict__.update(function.__dict__)
    made.__wrapped__ = function  # type: ignore[attr-defined]  # inspect reads it
    return made


def boundaries(cls: _Class) -> _Class:
    """Make the public methods of a class, without those that it inherits, boundaries of the library."""
    for name, value in list(vars(cls).items()):
        if name[0] == "_" and name not in _SPECIAL:
            continue
        kind = type(value)
        if kind is FunctionType:
            setattr(cls, name, boundary(value))
        elif kind is staticmethod or kind is classmethod:
            setattr(cls, name, kind(boundary(value.__func__)))
        elif kind is property:
            setattr(cls, name, property(boundary(value.fget), value.fset, value.fdel, value.__doc__))
    return cls


_SPECIAL = frozenset({"__getitem__", "__enter__", "__exit__"})


def public_functions(namespace: dict[str, Any], without: tuple[str, ...] = ()) -> None:
    """Make the public functions of a module, given as its globals, boundaries of the library.

    Args:
        namespace: the globals.
        without: names of functions that are called often, and that raise in their own frame.
    """
    for name, value in list(namespace.items()):
        if name[0] != "_" and name not in without and type(value) is FunctionType and value.__globals__ is namespace:
            namespace[name] = boundary(value)
