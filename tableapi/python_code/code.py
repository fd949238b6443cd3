"""Python code as a tree whose parts carry the values that they evaluate to.

Each value is computed by the same call, operator or attribute that the text will contain. So generated code always has
the value that was checked, and anything that the API rejects is rejected during generation.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from importlib import import_module
from typing import Any

from ir import light_attrs as attrs


class Precedence(IntEnum):
    """The precedence of a Python expression."""

    LAMBDA = 0
    COMPARISON = 1
    OR = 2
    AND = 3
    ADDITIVE = 4
    MULTIPLICATIVE = 5
    UNARY = 6
    PRIMARY = 7


@attrs.frozen(eq=False)
class Operator:
    """A Python operator that expressions overload."""

    apply: Callable[..., Any]
    precedence: Precedence


BINARY_OPERATORS = {
    "==": Operator(operator.eq, Precedence.COMPARISON),
    "!=": Operator(operator.ne, Precedence.COMPARISON),
    "<": Operator(operator.lt, Precedence.COMPARISON),
    "<=": Operator(operator.le, Precedence.COMPARISON),
    ">": Operator(operator.gt, Precedence.COMPARISON),
    ">=": Operator(operator.ge, Precedence.COMPARISON),
    "|": Operator(operator.or_, Precedence.OR),
    "&": Operator(operator.and_, Precedence.AND),
    "+": Operator(operator.add, Precedence.ADDITIVE),
    "-": Operator(operator.sub, Precedence.ADDITIVE),
    "*": Operator(operator.mul, Precedence.MULTIPLICATIVE),
    "/": Operator(operator.truediv, Precedence.MULTIPLICATIVE),
    "%": Operator(operator.mod, Precedence.MULTIPLICATIVE),
}
UNARY_OPERATORS = {
    "~": Operator(operator.invert, Precedence.UNARY),
    "-": Operator(operator.neg, Precedence.UNARY),
}


@attrs.frozen(eq=False)
class Code:
    """A part of the code. ``weight`` approximates its length in characters, ``depth`` is its nesting depth."""

    value: Any = attrs.field(repr=False)
    weight: int
    depth: int

    @property
    def precedence(self) -> Precedence:
        """The precedence of the outermost operator."""
        return Precedence.PRIMARY

    @property
    def parts(self) -> tuple[Code, ...]:
        """The direct parts."""
        return ()

    def walk(self) -> Iterator[Code]:
        """Yield every distinct part once, in no particular order, without the definitions of variables."""
        seen: set[int] = set()
        stack: list[Code] = [self]
        while stack:
            current = stack.pop()
            if id(current) not in seen:
                seen.add(id(current))
                yield current
                stack.extend(current.parts)


@attrs.frozen(eq=False)
class Name(Code):
    """A name that is imported from a module, or that exists already."""

    text: str
    module: str | None = None


@attrs.frozen(eq=False)
class Constant(Code):
    """A constant such as a number, a string or None."""

    text: str

    @property
    def precedence(self) -> Precedence:
        return Precedence.UNARY if self.text.startswith("-") else Precedence.PRIMARY


@attrs.define(eq=False)
class Definition:
    """An assignment; the name of its variable is chosen when all assignments are known."""

    suggestion: str
    code: Code
    name: str = ""


@attrs.frozen(eq=False)
class Variable(Code):
    """A reference to the variable of an earlier assignment."""

    definition: Definition


@attrs.frozen(eq=False)
class Attribute(Code):
    """An attribute of an object."""

    owner: Code
    name: str

    @property
    def parts(self) -> tuple[Code, ...]:
        return (self.owner,)


@attrs.frozen(eq=False)
class Invocation(Code):
    """A call; an argument with a name is a keyword argument."""

    function: Code
    arguments: tuple[tuple[str | None, Code], ...]

    @property
    def parts(self) -> tuple[Code, ...]:
        return (self.function, *[argument for _, argument in self.arguments])


@attrs.frozen(eq=False)
class Binary(Code):
    """A binary operator with its operands."""

    symbol: str
    left: Code
    right: Code

    @property
    def precedence(self) -> Precedence:
        return BINARY_OPERATORS[self.symbol].precedence

    @property
    def parts(self) -> tuple[Code, ...]:
        return (self.left, self.right)


@attrs.frozen(eq=False)
class Unary(Code):
    """A unary operator with its operand."""

    symbol: str
    operand: Code

    @property
    def precedence(self) -> Precedence:
        return Precedence.UNARY

    @property
    def parts(self) -> tuple[Code, ...]:
        return (self.operand,)


@attrs.frozen(eq=False)
class Lambda(Code):
    """A lambda expression."""

    parameters: tuple[Name, ...]
    body: Code

    @property
    def precedence(self) -> Precedence:
        return Precedence.LAMBDA

    @property
    def parts(self) -> tuple[Code, ...]:
        return (*self.parameters, self.body)


@attrs.frozen(eq=False)
class Display(Code):
    """A list, tuple or dict display; the items of a dict are pairs."""

    brackets: str
    items: tuple[Code | tuple[Code, Code], ...]

    @property
    def parts(self) -> tuple[Code, ...]:
        return tuple([part for item in self.items for part in (item if isinstance(item, tuple) else (item,))])


def _measure(parts: Sequence[Code], own: int) -> tuple[int, int]:
    return own + sum([part.weight for part in parts]), 1 + max([part.depth for part in parts], default=0)


def name(text: str, value: Any) -> Name:
    """Return a name that exists when the code runs."""
    return Name(value, len(text), 0, text)


def import_name(text: str, module: str) -> Name:
    """Return a name that the code imports."""
    return Name(getattr(import_module(module), text), len(text), 0, text, module)


def module(text: str, path: str) -> Name:
    """Return a module that the code imports under a short name."""
    return Name(import_module(path), len(text), 0, text, path)


def list_importable_names(module: str) -> Sequence[str]:
    """Return the names that code may import from a module of users."""
    return import_module(module).__all__  # type: ignore[no-any-return]  # a list of strings


def constant(text: str, value: Any) -> Constant:
    """Return a constant with its text."""
    return Constant(value, len(text), 0, text)


def variable(suggestion: str, code: Code) -> Variable:
    """Return a variable to which the code is assigned before, with a name like the suggested one."""
    return Variable(code.value, len(suggestion), 0, Definition(suggestion, code))


def attribute(owner: Code, name: str) -> Attribute:
    """Return ``owner.name``."""
    weight, depth = _measure((owner,), len(name) + 1)
    return Attribute(getattr(owner.value, name), weight, depth, owner, name)


def invoke(function: Code, /, *arguments: Code, **named: Code) -> Invocation:
    """Return ``function(arguments)``."""
    given = (*[(None, argument) for argument in arguments], *named.items())
    parts = [argument for _, argument in given]
    value = function.value(*[a.value for a in arguments], **{key: a.value for key, a in named.items()})
    weight, depth = _measure((function, *parts), 2 * len(parts) + sum([len(key) + 1 for key in named]))
    return Invocation(value, weight, depth, function, given)


def method(owner: Code, name: str, /, *arguments: Code, **named: Code) -> Invocation:
    """Return ``owner.name(arguments)``."""
    return invoke(attribute(owner, name), *arguments, **named)


def binary(symbol: str, left: Code, right: Code) -> Binary:
    """Return ``left symbol right``."""
    value = BINARY_OPERATORS[symbol].apply(left.value, right.value)
    return Binary(value, *_measure((left, right), len(symbol) + 2), symbol, left, right)


def unary(symbol: str, operand: Code) -> Unary:
    """Return ``symbol operand``."""
    return Unary(UNARY_OPERATORS[symbol].apply(operand.value), *_measure((operand,), 1), symbol, operand)


def lambda_(parameters: Sequence[Name], body: Code, value: Any) -> Lambda:
    """Return ``lambda parameters: body``; ``value`` is the object that the API makes from the lambda."""
    weight, depth = _measure((*parameters, body), 9 + 2 * len(parameters))
    return Lambda(value, weight, depth, tuple(parameters), body)


def display_list(items: Sequence[Code]) -> Display:
    """Return a list display."""
    return Display([item.value for item in items], *_measure(items, 2 * len(items)), "[]", tuple(items))


def display_tuple(items: Sequence[Code]) -> Display:
    """Return a tuple display."""
    return Display(tuple([item.value for item in items]), *_measure(items, 2 * len(items)), "()", tuple(items))


def display_dict(items: Sequence[tuple[Code, Code]]) -> Display:
    """Return a dict display."""
    parts = [part for pair in items for part in pair]
    value = {key.value: item.value for key, item in items}
    return Display(value, *_measure(parts, 2 * len(parts)), "{}", tuple(items))
