"""Parse the annotations of the methods of a process table function."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Sequence
from typing import Annotated, Any, get_args, get_origin

import attrs

from ir.errors import ValidationException
from ir.types import LogicalType
from tableapi.spark.runtime.process.context import Context, OnTimerContext
from tableapi.spark.runtime.process.declarations import (
    ArgumentHint,
    ArgumentTrait,
    ListView,
    MapView,
    StateHint,
)
from tableapi.user_functions.annotations import is_class, is_row_class, list_parameters, type_of
from tableapi.user_functions.declared_types import type_named


@attrs.frozen
class Written:
    """A parameter and its parsed annotation.

    Attributes:
        name: its name.
        inner: its annotation without metadata and Optional, or None without an annotation.
        is_nullable: whether it accepts None.
        state: the hint that declares it as state, or None.
        hint: the hint of an argument, or None.
        traits: the traits of an argument.
        data_types: other metadata of the annotation: data types, and the precision of decimals.
        default: its default, or ``inspect.Parameter.empty``.
    """

    name: str
    inner: Any
    is_nullable: bool
    state: StateHint | None
    hint: ArgumentHint | None
    traits: tuple[ArgumentTrait, ...]
    data_types: tuple[Any, ...]
    default: Any

    @property
    def is_context(self) -> bool:
        """Whether it is the context."""
        return is_class(self.inner) and issubclass(self.inner, Context)

    @property
    def view(self) -> type | None:
        """The class of a state view, or None for another parameter."""
        origin = get_origin(self.inner) or self.inner
        return origin if origin in (ListView, MapView) else None

    @property
    def is_state(self) -> bool:
        """Whether it is state."""
        return self.state is not None or self.view is not None

    @property
    def is_optional(self) -> bool:
        """Whether it has a default."""
        return self.default is not inspect.Parameter.empty


def parameters_of(name: str, method: Callable[..., Any]) -> list[Written]:
    """Return the parameters of a method without ``self``; ``name`` is the method in messages.

    Raises:
        ValidationException: the method takes variadic or keyword-only parameters, or an annotation is invalid.
    """
    listed = list_parameters(method)
    for parameter in listed:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise ValidationException(
                f"Process table functions require a non-overloaded, non-vararg, and static signature, but {name} takes "
                f"{'*' if parameter.kind is parameter.VAR_POSITIONAL else '**'}{parameter.name}."
            )
        if parameter.kind is parameter.KEYWORD_ONLY:
            raise ValidationException(f"{name} takes {parameter.name!r} only by its name; it is passed by position.")
    hints = annotations_of(name, method)
    return [parse_parameter(p.name, hints.get(p.name), p.default) for p in listed]


def annotations_of(name: str, method: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of a method, with annotations in string form resolved.

    Raises:
        ValidationException: an annotation names something undefined.
    """
    try:
        return typing.get_type_hints(method, include_extras=True)
    except NameError as error:
        # Python 3.14 resolves all annotations in the same way.
        others = "" if sys.version_info >= (3, 14) else "; or leave out `from __future__ import annotations`"
        raise ValidationException(
            f"An annotation of {name} names {error.name!r}, which its module does not have when the function is "
            f"declared. Define or import it at the top level of the module, and not for type checkers alone{others}."
        ) from None
    except TypeError as error:
        raise ValidationException(f"An annotation of {name} means nothing: {error}.") from None


def parse_parameter(name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> Written:
    """Parse an annotation."""
    inner, is_nullable = annotation, default is None
    said: list[Any] = []
    while True:
        if get_origin(inner) is Annotated:
            inner, *beside = get_args(inner)
            said += beside
            continue
        if get_origin(inner) in (typing.Union, types.UnionType):
            others = [option for option in get_args(inner) if option is not type(None)]
            if len(others) == 1:
                inner, is_nullable = others[0], True
                continue
        break
    hints = [one for one in said if isinstance(one, ArgumentHint)]
    states = [one for one in said if isinstance(one, StateHint)]
    traits = [t for s in said for t in (s.traits if isinstance(s, ArgumentHint) else (s,)) if _is_trait(t, s)]
    return Written(
        name,
        inner,
        is_nullable,
        states[-1] if states else None,
        _merge_hints(hints),
        tuple(traits),
        tuple([one for one in said if not isinstance(one, (ArgumentHint, StateHint, ArgumentTrait))]),
        default,
    )


def _is_trait(given: Any, said: Any) -> bool:
    """Whether an object is a trait, or is used as one in a hint."""
    return isinstance(given, ArgumentTrait) or isinstance(said, ArgumentHint)


def _merge_hints(hints: list[ArgumentHint]) -> ArgumentHint | None:
    """Merge several hints; for each property, the last hint that sets it wins."""
    if not hints:
        return None
    return ArgumentHint(
        name=next((hint.name for hint in reversed(hints) if hint.name is not None), None),
        is_optional=any(hint.is_optional for hint in hints),
        type=next((hint.type for hint in reversed(hints) if hint.type is not None), None),
    )


def split_context(name: str, parameters: list[Written], *, in_timer: bool) -> tuple[bool, list[Written]]:
    """Return whether a method takes a context, and its other parameters.

    Raises:
        ValidationException: the context is not the first parameter, or an OnTimerContext is used outside of on_timer.
    """
    contexts = [parameter for parameter in parameters if parameter.is_context]
    if not contexts:
        return False, parameters
    if len(contexts) > 1:
        raise ValidationException(f"{name} takes two contexts, {contexts[0].name!r} and {contexts[1].name!r}.")
    if not parameters[0].is_context:
        raise ValidationException(
            f"{name} takes the context {contexts[0].name!r} after {parameters[0].name!r}; it is the first parameter."
        )
    if not in_timer and issubclass(contexts[0].inner, OnTimerContext):
        raise ValidationException(f"{name} has no timer, and so takes a Context; OnTimerContext is for on_timer.")
    return True, parameters[1:]


def context_hint(parameters: Sequence[Written], declared: Sequence[str], context: str = "Context") -> str:
    """Return advice to annotate the first parameter as the context if that may be meant, otherwise an empty string."""
    if not parameters or parameters[0].inner is not None or parameters[0].name in declared:
        return ""
    name = parameters[0].name
    return f" The first parameter {name!r} has no annotation: if it is the context, write {name}: {context}."


def row_of(where: str, parameter: Written) -> tuple[LogicalType | None, Any]:
    """Return the row type of a table argument, None for any, and the class of its row objects.

    Raises:
        ValidationException: the annotation is not a row type.
    """
    hint = parameter.hint
    if hint is not None and hint.type is not None:
        return type_named(hint.type, where), None
    for given in parameter.data_types:
        if isinstance(given, LogicalType):
            return given, None
    if is_any_row(parameter.inner):
        return None, None
    try:
        return type_of(parameter.inner), parameter.inner
    except ValidationException:
        shown = getattr(parameter.inner, "__name__", None) or str(parameter.inner)
        raise ValidationException(
            f"Typed table arguments must use a composite type (i.e. row or structured type), but {where[0].lower()}"
            f"{where[1:]} is annotated with {shown}. Use a data class or a NamedTuple, or Row for any table."
        ) from None


def is_any_row(annotation: Any) -> bool:
    """Whether an annotation stands for any row: it is missing, Any, or the Row class of this library or PySpark."""
    return annotation in (None, Any) or isinstance(annotation, typing.TypeVar) or is_row_class(annotation)
