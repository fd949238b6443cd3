"""Build the Python objects that annotations of process table functions name, also within lists, maps and rows."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, get_args, get_origin

from tableapi.spark.runtime.process.rows import (
    list_of_objects,
    make_by_name,
    make_object,
    map_of_objects,
    object_of_row,
    tuple_of,
)
from tableapi.user_functions.annotations import LISTS, MAPS, fields_of


def object_maker(cls: Any) -> Callable[..., Any] | None:
    """Return a callable that builds an object of a class from the values of its fields; None without a class."""
    fields = fields_of(cls)
    if fields is None:
        return None
    made: Callable[..., Any] = cls
    if dataclasses.is_dataclass(cls) and not all(field.init and not field.kw_only for field in dataclasses.fields(cls)):
        inits = tuple([(field.name, field.init) for field in dataclasses.fields(cls)])
        made = partial(make_by_name, made, inits)
    nested = {position: make for position, (_, hint) in enumerate(fields) if (make := value_maker(hint)) is not None}
    return partial(make_object, made, nested) if nested else made


def value_maker(annotation: Any) -> Callable[[Any], Any] | None:
    """Return a converter from a value to the type of an annotation; None if the value needs no conversion."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return value_maker(arguments[0])
    if origin is typing.Union or origin is types.UnionType:
        others = [option for option in arguments if option is not type(None)]
        return value_maker(others[0]) if len(others) == 1 else None
    if origin in LISTS:
        element = value_maker(arguments[0])
        return None if element is None else partial(list_of_objects, element)
    if origin in MAPS:
        key, value = value_maker(arguments[0]), value_maker(arguments[1])
        return None if key is None and value is None else partial(map_of_objects, key, value)
    if origin is tuple:
        nested = {i: make for i, part in enumerate(arguments) if (make := value_maker(part)) is not None}
        return partial(object_of_row, partial(make_object, tuple_of, nested)) if nested else None
    make = object_maker(annotation)
    return None if make is None else partial(object_of_row, make)


def element_makers(annotation: Any, count: int) -> tuple[Callable[[Any], Any] | None, ...]:
    """Return the converters to the objects in a ListView or MapView.

    Args:
        annotation: the annotation of the state.
        count: 1 for the elements of a list, 2 for the keys and the values of a map.
    """
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    elements = get_args(annotation)
    return tuple([value_maker(part) for part in elements]) if len(elements) == count else (None,) * count


def plain_fields(cls: Any) -> dict[str, Callable[[Any], Any] | None] | None:
    """Return the fields of a data class that adds no behaviour to its fields; None for any other class.

    Each field is mapped to the converter of its value. If a function only reads fields, its objects need not be built.
    """
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        return None
    names = [field.name for field in dataclasses.fields(cls)]
    code = getattr(cls.__init__, "__code__", None)
    # The generated __init__ of a data class has no file; a handwritten one may do anything.
    is_made = code is not None and code.co_filename == "<string>" and code.co_varnames[1:] == tuple(names)
    own = ("__post_init__", "__getattr__")
    if not is_made or any(hasattr(cls, name) for name in own) or cls.__getattribute__ is not object.__getattribute__:
        return None
    given = [object() for _ in names]
    try:
        made = cls(*given)
        if any(getattr(made, name) is not value for name, value in zip(names, given, strict=True)):
            return None
    except Exception:  # a property of the class may raise anything
        return None
    return {name: value_maker(hint) for name, hint in fields_of(cls) or ()}
