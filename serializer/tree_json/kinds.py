"""The kinds of values that fields hold: how each is written as JSON, read, and described by the JSON Schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Any, Protocol

from ir import light_attrs as attrs
from ir.errors import TableException, listing
from ir.functions.definition import FunctionDefinition
from ir.nodes import Node
from ir.schema import ResolvedSchema
from ir.types import LogicalType
from serializer.tree_json.mistakes import Mistake, check_keys, locate, unexpected, unknown_name

Json = Any


class Numbers(Protocol):
    """Numbers the types, schemas, functions and nodes of a document, which stores each of them once."""

    def number_type(self, data_type: LogicalType) -> int:
        """Return the number of a type."""
        ...

    def number_schema(self, schema: ResolvedSchema) -> int:
        """Return the number of a schema."""
        ...

    def number_function(self, function: FunctionDefinition) -> int:
        """Return the number of a function."""
        ...

    def number_node(self, node: Node) -> int:
        """Return the number of an operation or an expression, which has been written."""
        ...


@attrs.define
class Parts:
    """The parts of a document that have been read."""

    types: list[LogicalType] = attrs.field(factory=list)
    schemas: list[ResolvedSchema] = attrs.field(factory=list)
    functions: list[FunctionDefinition] = attrs.field(factory=list)
    nodes: list[Node] = attrs.field(factory=list)


class Kind(ABC):
    """A kind of value: how it is written, read and described."""

    @abstractmethod
    def holds(self, value: object) -> bool:
        """Whether a value of a field has the kind, for a field of several kinds."""

    @abstractmethod
    def accepts(self, given: Json) -> bool:
        """Whether JSON may represent a value of the kind, for a field of several kinds."""

    def nodes(self, value: Any) -> Iterator[Node]:
        """Yield the operations and expressions in a value."""
        return iter(())

    def write(self, value: Any, numbers: Numbers) -> Json:
        """Return a value as JSON."""
        return value

    @abstractmethod
    def read(self, given: Json, parts: Parts) -> Any:
        """Return the value that JSON represents.

        Raises:
            Mistake: the JSON does not represent a value of the kind.
        """

    @abstractmethod
    def schema(self) -> dict[str, Json]:
        """Return the JSON Schema of the kind."""


@attrs.frozen
class Plain(Kind):
    """A string, a whole number or a boolean, as JSON has it."""

    cls: type

    def holds(self, value: object) -> bool:
        return type(value) is self.cls

    def accepts(self, given: Json) -> bool:
        return type(given) is self.cls

    def read(self, given: Json, parts: Parts) -> Any:
        if type(given) is not self.cls:
            raise unexpected({str: "A string", int: "A whole number", bool: "true or false"}[self.cls], given)
        return given

    def schema(self) -> dict[str, Json]:
        return {"type": {str: "string", int: "integer", bool: "boolean"}[self.cls]}


@attrs.frozen
class DecimalNumber(Kind):
    """A decimal number, as a string."""

    def holds(self, value: object) -> bool:
        return isinstance(value, Decimal)

    def accepts(self, given: Json) -> bool:
        return type(given) is str

    def write(self, value: Any, numbers: Numbers) -> Json:
        return str(value)

    def read(self, given: Json, parts: Parts) -> Any:
        try:
            value = Decimal(given) if type(given) is str else None
        except InvalidOperation:
            value = None
        if value is None or not value.is_finite() or abs(value.adjusted()) > 100:
            raise unexpected("A decimal number in a string", given)
        return value

    def schema(self) -> dict[str, Json]:
        return {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$"}


@attrs.frozen
class Choice(Kind):
    """A member of an enumeration, by its name."""

    cls: type[Enum]

    def holds(self, value: object) -> bool:
        return isinstance(value, self.cls)

    def accepts(self, given: Json) -> bool:
        return type(given) is str

    def write(self, value: Any, numbers: Numbers) -> Json:
        return value.name

    def read(self, given: Json, parts: Parts) -> Any:
        names = self.cls.__members__
        if type(given) is not str:
            raise unexpected(f"One of [{listing(names)}]", given)
        if given not in names:
            raise unknown_name(self.cls.__name__, given, names)
        return names[given]

    def schema(self) -> dict[str, Json]:
        return {"enum": list(self.cls.__members__)}


@attrs.frozen
class Optional(Kind):
    """A value of another kind, or null."""

    kind: Kind

    def holds(self, value: object) -> bool:
        return value is None or self.kind.holds(value)

    def accepts(self, given: Json) -> bool:
        return given is None or self.kind.accepts(given)

    def nodes(self, value: Any) -> Iterator[Node]:
        return iter(()) if value is None else self.kind.nodes(value)

    def write(self, value: Any, numbers: Numbers) -> Json:
        return None if value is None else self.kind.write(value, numbers)

    def read(self, given: Json, parts: Parts) -> Any:
        return None if given is None else self.kind.read(given, parts)

    def schema(self) -> dict[str, Json]:
        return {"anyOf": [self.kind.schema(), {"type": "null"}]}


@attrs.frozen
class Either(Kind):
    """A value of one of two kinds, which differ in their JSON types."""

    first: Kind
    second: Kind

    def _of_value(self, value: object) -> Kind:
        return self.first if self.first.holds(value) else self.second

    def holds(self, value: object) -> bool:
        return self.first.holds(value) or self.second.holds(value)

    def accepts(self, given: Json) -> bool:
        return self.first.accepts(given) or self.second.accepts(given)

    def nodes(self, value: Any) -> Iterator[Node]:
        return self._of_value(value).nodes(value)

    def write(self, value: Any, numbers: Numbers) -> Json:
        return self._of_value(value).write(value, numbers)

    def read(self, given: Json, parts: Parts) -> Any:
        return (self.first if self.first.accepts(given) else self.second).read(given, parts)

    def schema(self) -> dict[str, Json]:
        return {"anyOf": [self.first.schema(), self.second.schema()]}


@attrs.frozen
class ListOf(Kind):
    """Any number of values of one kind."""

    kind: Kind

    def holds(self, value: object) -> bool:
        return isinstance(value, tuple)

    def accepts(self, given: Json) -> bool:
        return type(given) is list

    def nodes(self, value: Any) -> Iterator[Node]:
        for item in value:
            yield from self.kind.nodes(item)

    def write(self, value: Any, numbers: Numbers) -> Json:
        return [self.kind.write(item, numbers) for item in value]

    def read(self, given: Json, parts: Parts) -> Any:
        if type(given) is not list:
            raise unexpected("An array", given)
        found: list[Any] = []
        try:
            for item in given:
                found.append(self.kind.read(item, parts))
        except Mistake as mistake:
            mistake.path.append(len(found))
            raise
        return tuple(found)

    def schema(self) -> dict[str, Json]:
        return {"type": "array", "items": self.kind.schema()}


@attrs.frozen
class Pair(Kind):
    """Two values, each of a kind of its own."""

    first: Kind
    second: Kind

    def holds(self, value: object) -> bool:
        return isinstance(value, tuple)

    def accepts(self, given: Json) -> bool:
        return type(given) is list

    def nodes(self, value: Any) -> Iterator[Node]:
        yield from self.first.nodes(value[0])
        yield from self.second.nodes(value[1])

    def write(self, value: Any, numbers: Numbers) -> Json:
        return [self.first.write(value[0], numbers), self.second.write(value[1], numbers)]

    def read(self, given: Json, parts: Parts) -> Any:
        if type(given) is not list or len(given) != 2:
            raise unexpected("An array of two", given)
        with locate(0):
            first = self.first.read(given[0], parts)
        with locate(1):
            return (first, self.second.read(given[1], parts))

    def schema(self) -> dict[str, Json]:
        return {
            "type": "array",
            "prefixItems": [self.first.schema(), self.second.schema()],
            "minItems": 2,
            "maxItems": 2,
        }


@attrs.frozen
class Reference(Kind):
    """A part that the document stores once in a list, by its number.

    Attributes:
        cls: the class of the part.
        noun: the noun of the part for messages.
        list_name: the list.
        number: returns its number.
    """

    cls: type
    noun: str
    list_name: str
    number: Callable[[Numbers, Any], int]

    def holds(self, value: object) -> bool:
        return isinstance(value, self.cls)

    def accepts(self, given: Json) -> bool:
        return type(given) is int

    def nodes(self, value: Any) -> Iterator[Node]:
        return iter((value,) if self.list_name == "nodes" else ())

    def write(self, value: Any, numbers: Numbers) -> Json:
        return self.number(numbers, value)

    def read(self, given: Json, parts: Parts) -> Any:
        known: list[Any] = getattr(parts, self.list_name)
        if type(given) is not int:
            raise unexpected(f"The number of {self.noun} in {self.list_name}", given)
        if not 0 <= given < len(known):
            above = f"There are {len(known)} before this place" if known else "There is none before this place"
            raise Mistake(
                f"The number of {self.noun} in {self.list_name} is expected, but {given} was given. {above}, and a "
                "part refers to earlier ones only."
            )
        found = known[given]
        if not isinstance(found, self.cls):
            raise Mistake(
                f"The number of {self.noun} is expected, but /{self.list_name}/{given} is a {type(found).__name__}."
            )
        return found

    def schema(self) -> dict[str, Json]:
        return {"$ref": f"#/$defs/{self.list_name.removesuffix('s')}_number", "title": self.noun}


@attrs.frozen
class Field:
    """A field of a class.

    Attributes:
        name: the argument of ``__init__``.
        attribute: the attribute that has the value.
        key: the key in JSON.
        kind: the kind of its values.
        default: the default, ``attrs.NOTHING`` if there is none. A default is not written.
    """

    name: str
    attribute: str
    key: str
    kind: Kind
    default: object


@attrs.frozen
class Record(Kind):
    """An object with the fields of a class; ``tag`` is the key and the value that identify the class."""

    cls: Callable[..., Any]
    fields: tuple[Field, ...]
    tag: tuple[str, str] | None = None

    def holds(self, value: object) -> bool:
        return isinstance(value, self.cls)  # type: ignore[arg-type]  # a class, declared as a callable

    def accepts(self, given: Json) -> bool:
        return type(given) is dict

    def nodes(self, value: Any) -> Iterator[Node]:
        for field in self.fields:
            yield from field.kind.nodes(getattr(value, field.attribute))

    def write(self, value: Any, numbers: Numbers) -> Json:
        found: dict[str, Json] = {} if self.tag is None else {self.tag[0]: self.tag[1]}
        for field in self.fields:
            held, default = getattr(value, field.attribute), field.default
            if type(held) is not type(default) or held != default:
                found[field.key] = field.kind.write(held, numbers)
        return found

    def read(self, given: Json, parts: Parts) -> Any:
        return self.make(self.read_fields(given, parts))

    def read_fields(self, given: Json, parts: Parts, also: tuple[str, ...] = ()) -> dict[str, Any]:
        """Return the arguments of ``__init__``; ``also`` are further required keys, which the caller reads.

        Raises:
            Mistake: a key is missing or unknown, or a value does not have the kind of its field.
        """
        tag = () if self.tag is None else self.tag[:1]
        required = [field.key for field in self.fields if field.default is attrs.NOTHING]
        check_keys(given, self.name, [*tag, *[field.key for field in self.fields], *also], [*required, *also])
        values: dict[str, Any] = {}
        for field in self.fields:
            if field.key in given:
                with locate(field.key):
                    values[field.name] = field.kind.read(given[field.key], parts)
            else:
                values[field.name] = field.default
        return values

    @property
    def name(self) -> str:
        """The name of the class for messages."""
        return self.tag[1] if self.tag is not None else getattr(self.cls, "__name__", "the object")

    def make(self, values: Mapping[str, Any]) -> Any:
        """Return the object.

        Raises:
            Mistake: the class rejects the values.
        """
        try:
            return self.cls(**values)
        except TableException as error:
            raise Mistake(str(error)) from None

    def schema(self) -> dict[str, Json]:
        tag = {} if self.tag is None else {self.tag[0]: {"const": self.tag[1]}}
        properties = {**tag, **{field.key: self._property(field) for field in self.fields}}
        required = [*tag, *[field.key for field in self.fields if field.default is attrs.NOTHING]]
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    def _property(self, field: Field) -> dict[str, Json]:
        found = field.kind.schema()
        if field.default is attrs.NOTHING:
            return found
        default = list(field.default) if isinstance(field.default, tuple) else field.default
        return {**found, "default": default.name if isinstance(default, Enum) else default}
