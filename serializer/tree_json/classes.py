"""The fields that a document stores for each class, derived from the attrs fields of the classes in ``ir``."""

from __future__ import annotations

import types as python_types
import typing
from decimal import Decimal
from enum import Enum
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Union

import ir.operations
from ir import call_expressions, expressions, frames, types
from ir import light_attrs as attrs
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.operations import operation
from ir.operations.engine import EngineFunction
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource
from ir.schema import Column, ResolvedSchema
from ir.types import LogicalType
from serializer.tree_json.kinds import (
    Choice,
    DecimalNumber,
    Either,
    Field,
    Json,
    Kind,
    ListOf,
    Optional,
    Pair,
    Parts,
    Plain,
    Record,
    Reference,
)

NODE, TYPE = "node", "type"
"""The keys whose values name the class of an object."""

NOT_STORED = frozenset((InlineSource, EngineFunction))
"""Operations without JSON: data of this process, and parts of execution plans."""

_NOUNS = {QueryOperation: "an operation", ResolvedExpression: "an expression"}


@attrs.frozen
class LiteralValue(Kind):
    """The value of a literal. Its form depends on the type of the literal, so ``literal_json`` writes and reads it."""

    def holds(self, value: object) -> bool:
        return True

    def accepts(self, given: Json) -> bool:
        return True

    def read(self, given: Json, parts: Parts) -> Any:
        return given

    def schema(self) -> dict[str, Json]:
        return {"type": ["null", "boolean", "integer", "string"]}


@cache
def operation_records() -> dict[str, Record]:
    """Return the record of each operation by its name."""
    return {cls.__name__: make_record(cls, NODE, cls.__name__) for cls in operation_classes() if cls not in NOT_STORED}


@cache
def expression_records() -> dict[str, Record]:
    """Return the record of each expression by its name."""
    found = [
        cls for module in (expressions, call_expressions, operation) for cls in _classes_in(module, ResolvedExpression)
    ]
    found.sort(key=lambda cls: cls.__name__)
    return {cls.__name__: make_record(cls, NODE, cls.__name__) for cls in found if cls is not ResolvedExpression}


@cache
def node_records() -> dict[str, Record]:
    """Return the record of each operation and expression by its name."""
    return {**operation_records(), **expression_records()}


@cache
def type_records() -> dict[str, Record]:
    """Return the record of each type by its SQL name."""
    return {cls.root: make_record(cls, TYPE, cls.root) for cls in _classes_in(types, LogicalType) if cls.root}


@cache
def column_record() -> Record:
    """Return the record of a column."""
    return make_record(Column)


def operation_classes() -> list[type[QueryOperation]]:
    """Return the classes of operations in ``ir`` without abstract base classes."""
    found: list[type[QueryOperation]] = []
    for module in iter_modules(ir.operations.__path__, "ir.operations."):
        found += [cls for cls in _classes_in(import_module(module.name), QueryOperation) if cls.title]
    return found


def _classes_in(module: Any, base: type[Any]) -> list[type[Any]]:
    """Return the classes that a module defines, in the order of their names."""
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__
    ]
    return sorted(set(found), key=lambda cls: cls.__name__)


def make_record(cls: type[Any], tag_key: str | None = None, tag: str = "") -> Record:
    """Return the record of a class: the arguments of its ``__init__``."""
    hints = _hints(cls)
    fields = []
    for field in attrs.fields(cls):
        if field.init:
            kind = LiteralValue() if (cls, field.name) == (ValueLiteral, "value") else find_kind(hints[field.name])
            default = attrs.NOTHING if tag_key == TYPE and field.name not in _USUAL else field.default
            fields.append(Field(field.alias, field.name, _KEYS.get(field.name, field.name), kind, default))
    # The parameters of a type come before its nullability, as in its text.
    fields.sort(key=lambda field: field.key == "nullable")
    return Record(cls, tuple(fields), None if tag_key is None else (tag_key, tag))


# Fields of types that are omitted at their defaults. The other fields are always written, such as a precision of 6.
_USUAL = ("nullable", "collation")
_KEYS = {"type_": "type", "data_type": "type"}


def _hints(cls: type[Any]) -> dict[str, Any]:
    """Evaluate the annotations of the fields of a class.

    Some names are imported for type checkers only, because the modules would import each other.
    """
    known = {
        "QueryOperation": QueryOperation,
        "FunctionDefinition": FunctionDefinition,
        "Frame": frames.Frame,
        "ValueLiteral": ValueLiteral,
        "ResolvedExpression": ResolvedExpression,
        "Self": cls,
    }
    return typing.get_type_hints(cls, localns=known)


def find_kind(hint: Any) -> Kind:
    """Return the kind of the values of an annotation.

    Raises:
        TypeError: the annotation has no kind. Add one here for a new class of values.
    """
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, python_types.UnionType):
        several = [find_kind(argument) for argument in arguments if argument is not type(None)]
        kind = several[0] if len(several) == 1 else Either(several[0], several[1])
        return Optional(kind) if type(None) in arguments else kind
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            return ListOf(find_kind(arguments[0]))
        return Pair(find_kind(arguments[0]), find_kind(arguments[1]))
    if not isinstance(hint, type):
        raise TypeError(f"The JSON of trees has no kind for {hint!r}; see serializer.tree_json.classes.")
    return _find_kind_of_class(hint)


def _find_kind_of_class(cls: type[Any]) -> Kind:
    if cls in (str, int, bool):
        return Plain(cls)
    if issubclass(cls, Decimal):
        return DecimalNumber()
    if issubclass(cls, Enum):
        return Choice(cls)
    if issubclass(cls, LogicalType):
        noun = "a type" if cls is LogicalType else f"a type {cls.root}"
        return Reference(cls, noun, "types", lambda numbers, value: numbers.number_type(value))
    if issubclass(cls, ResolvedSchema):
        return Reference(cls, "a schema", "schemas", lambda numbers, value: numbers.number_schema(value))
    if cls is FunctionDefinition:
        return Reference(cls, "a function", "functions", lambda numbers, value: numbers.number_function(value))
    if issubclass(cls, (QueryOperation, ResolvedExpression)):
        noun = _NOUNS.get(cls, f"a {cls.__name__}")
        return Reference(cls, noun, "nodes", lambda numbers, value: numbers.number_node(value))
    if attrs.has(cls):
        return make_record(cls)
    raise TypeError(f"The JSON of trees has no kind for {cls.__name__}; see serializer.tree_json.classes.")
