"""Convert Python annotations to data types."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeGuard, get_args, get_origin

from ir import types as t
from ir.errors import ValidationException
from ir.types import LogicalType
from tableapi.types import Row

if sys.version_info >= (3, 14):
    import annotationlib

_SIMPLE: dict[Any, LogicalType] = {
    bool: t.BOOLEAN,
    int: t.BIGINT,
    float: t.DOUBLE,
    str: t.STRING,
    bytes: t.BYTES,
    decimal.Decimal: t.DecimalType(38, 18),
    dt.date: t.DATE,
    dt.time: t.TimeType(6),
    dt.datetime: t.TIMESTAMP,
    dt.timedelta: t.DayTimeIntervalType(),
}
LISTS = (list, Sequence)
MAPS = (dict, Mapping)
_MANY = (Iterator, Iterable, typing.Generator)


def type_of(annotation: Any) -> LogicalType | None:
    """Return the data type of an annotation; None for an annotation without a type, such as ``Any`` or ``Row``.

    ``int`` is BIGINT, ``float`` DOUBLE, ``datetime`` TIMESTAMP; ``Annotated[Decimal, (10, 2)]`` is DECIMAL(10, 2), and
    ``Annotated[x, DataTypes.INT()]`` is the given type. Data classes and NamedTuples are rows. A ``NewType`` has the
    type of its supertype, and a ``Literal`` the type of its values. A type is NOT NULL unless it is ``Optional``.

    Raises:
        ValidationException: the annotation has no corresponding data type.
    """
    if annotation in (Any, None, type(None)) or isinstance(annotation, typing.TypeVar) or is_row_class(annotation):
        return None
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is typing.Union or origin is types.UnionType:
        others = [a for a in arguments if a is not type(None)]
        inner = type_of(others[0]) if len(others) == 1 else None
        if len(others) != 1:
            raise ValidationException(f"The annotation {_show(annotation)} is of several types; one alone has a type.")
        return None if inner is None else inner.with_nullability(len(others) < len(arguments))
    if isinstance(annotation, typing.NewType):
        return type_of(annotation.__supertype__)
    if origin is typing.Literal:
        return _infer_from_values(annotation, arguments)
    if origin is Annotated:
        return _read_hint(arguments[0], arguments[1:])
    if annotation in _SIMPLE:
        return _SIMPLE[annotation].not_null()
    if origin in LISTS or annotation in LISTS:
        return t.ArrayType(_inner(annotation, arguments, 0), nullable=False)
    if origin in MAPS or annotation in MAPS:
        key = _inner(annotation, arguments, 0)
        return t.MapType(key.not_null(), _inner(annotation, arguments, 1), nullable=False)
    fields = fields_of(annotation)
    if fields is not None:
        made = [t.RowField(name, _inner(annotation, (given,), 0)) for name, given in fields]
        return t.RowType(tuple(made), nullable=False)
    if origin is tuple:
        made = [t.RowField(f"f{i}", _inner(annotation, arguments, i)) for i in range(len(arguments))]
        return t.RowType(tuple(made), nullable=False)
    raise ValidationException(
        f"The annotation {_show(annotation)} means no data type. Accepted are bool, int, float, str, bytes, Decimal, "
        "date, time, datetime, timedelta, list, dict, data classes, NamedTuples and Optional of these; for any other "
        "type use Annotated[…, DataTypes.…], or give the types to the decorator."
    )


def is_row_class(annotation: Any) -> bool:
    """Whether an annotation is the Row class of this library or of PySpark, which does not declare fields."""
    named = (getattr(annotation, "__module__", ""), getattr(annotation, "__name__", ""))
    return annotation is Row or named == ("pyspark.sql.types", "Row")


def row_type_of(annotation: Any) -> LogicalType | None:
    """Return the row type of a table function, which may be annotated with one row or with an iterable of rows."""
    if get_origin(annotation) in (*_MANY, *LISTS):
        arguments = get_args(annotation)
        return type_of(arguments[0]) if arguments else None
    return type_of(annotation)


def list_parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return the parameters of a function, whatever its annotations name.

    Python 3.14 evaluates annotations when they are read. A name that is imported for type checkers alone does not
    exist then.

    Raises:
        TypeError: the function has no parameters to list, because it is written in C.
        ValueError: see ``TypeError``.
    """
    if sys.version_info >= (3, 14):
        signature = inspect.signature(function, annotation_format=annotationlib.Format.FORWARDREF)
    else:
        signature = inspect.signature(function)
    return list(signature.parameters.values())


def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of a function, with annotations in string form resolved.

    Type variables of a method are replaced by the types that the class of its object assigns to them, through all
    levels of generic classes.
    """
    if isinstance(function, functools.partial):
        return hints_of(function.func)
    if not isinstance(function, type) and not inspect.isroutine(function):
        called: Any = function
        return hints_of(called.__call__)
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError):
        # Ignore names that no longer exist, such as local classes of a function.
        return {}
    owner = getattr(function, "__self__", None)
    if owner is None or isinstance(owner, type):
        return hints
    variables = _type_variables(type(owner), getattr(function, "__name__", ""))
    return {name: _substitute(hint, variables) for name, hint in hints.items()}


def _type_variables(owner: type, method: str) -> dict[Any, Any]:
    """Return the values of the type variables in the class that defines a method of ``owner``.

    Each class has its own mapping, because one variable can have several values in several classes.
    """
    known: dict[type, dict[Any, Any]] = {owner: {}}
    for current in owner.__mro__:
        own = known.get(current, {})
        if method in vars(current):
            return own
        for base in vars(current).get("__orig_bases__", current.__bases__):
            origin = get_origin(base) or base
            # A base class without type arguments keeps its own type variables.
            given = get_args(base) if origin is not base else getattr(origin, "__parameters__", ())
            parameters = getattr(origin, "__parameters__", ())
            known.setdefault(origin, dict(zip(parameters, [_substitute(a, own) for a in given], strict=False)))
    return {}


def is_class(annotation: Any) -> TypeGuard[type]:
    """Whether an annotation is a class without type arguments; Python 3.10 also counts ``list[int]`` as a class."""
    return isinstance(annotation, type) and get_origin(annotation) is None


def _substitute(annotation: Any, variables: Mapping[Any, Any]) -> Any:
    if isinstance(annotation, typing.TypeVar):
        return variables.get(annotation, annotation)
    inside = getattr(annotation, "__parameters__", ())
    if not variables or not inside or is_class(annotation):
        return annotation
    return annotation[tuple([variables.get(variable, variable) for variable in inside])]


def _read_hint(inner: Any, given: Sequence[Any]) -> LogicalType | None:
    nullable = type_of(inner) if inner is not Any else None
    for extra in given:
        if isinstance(extra, LogicalType):
            return extra
        if isinstance(extra, tuple) and len(extra) == 2 and all(isinstance(part, int) for part in extra):
            return t.DecimalType(*extra, nullable=nullable is not None and nullable.nullable)
    return nullable


def _infer_from_values(annotation: Any, values: Sequence[Any]) -> LogicalType | None:
    classes = {type(value) for value in values} - {type(None)}
    if len(classes) != 1:
        raise ValidationException(f"The annotation {annotation} has values of several types; one alone has a type.")
    found = type_of(classes.pop())
    return None if found is None else found.with_nullability(None in values)


def _inner(annotation: Any, arguments: Sequence[Any], position: int) -> LogicalType:
    found = type_of(arguments[position]) if position < len(arguments) else None
    if found is None:
        raise ValidationException(
            f"The annotation {_show(annotation)} does not say what is in it; write list[int] or dict[str, float]."
        )
    return found


def fields_of(annotation: Any) -> list[tuple[str, Any]] | None:
    """Return the names and annotations of the fields of a data class or NamedTuple; None for any other annotation."""
    if not is_class(annotation):
        return None
    if dataclasses.is_dataclass(annotation):
        hints = hints_of(annotation)
        return [(field.name, hints.get(field.name, field.type)) for field in dataclasses.fields(annotation)]
    if issubclass(annotation, tuple) and hasattr(annotation, "_fields"):
        hints = hints_of(annotation)
        return [(name, hints.get(name, Any)) for name in annotation._fields]
    return None


def _show(annotation: Any) -> str:
    return getattr(annotation, "__name__", None) or str(annotation)
