"""Call syntaxes as data: how to write a call that is not ``NAME(a, b)``.

A syntax is a sequence of pieces. In a template, ``{0}`` stands for the first argument, ``[…]`` for a part that is
written only if its argument exists, and ``{2*}`` for the third and all further arguments, separated by commas. Whether
an operand needs parentheses follows from the precedence of its own syntax.
"""

from __future__ import annotations

from enum import IntEnum

from ir import light_attrs as attrs


class Precedence(IntEnum):
    """The precedence of an expression; an operand with a lower precedence than its place requires gets parentheses.

    Comparisons and predicates have one precedence and do not chain, because the dialects disagree about their order.
    """

    OR = 1
    AND = 2
    NOT = 3
    PREDICATE = 4
    ADDITIVE = 5
    MULTIPLICATIVE = 6
    UNARY = 7
    PRIMARY = 8
    ANY = 0


@attrs.frozen(eq=False, repr=False)
class Operand(attrs.Slotted):
    """The place of the argument at ``position``, which requires at least ``precedence``."""

    position: int
    precedence: Precedence = Precedence.ANY


@attrs.frozen(eq=False, repr=False)
class Rest(attrs.Slotted):
    """The place of all arguments from ``position`` on, with ``separator`` between them."""

    position: int
    separator: str = ", "
    precedence: Precedence = Precedence.ANY


@attrs.frozen(eq=False, repr=False)
class Optional_(attrs.Slotted):
    """Pieces that are written only if the argument at ``position`` exists."""

    position: int
    pieces: tuple[str | Operand | Rest, ...]


Piece = str | Operand | Rest | Optional_


class OwnSyntax:
    """Syntaxes of calls that pieces do not describe.

    The serializer has a writer for each that an entry names as its ``syntax``, the grammar a reader for each that an
    entry names as its ``read_as``.
    """

    FUNCTION = "function"
    BARE_NAME = "bare name"
    BIT_OR = "bit or"
    CAST = "cast"
    TRY_CAST = "try cast"
    COLLATE = "collate"
    CASE = "case"
    NOT = "not"
    IN = "in"
    EXISTS = "exists"
    SCALAR_QUERY = "scalar query"
    TRIM = "trim"
    LTRIM = "ltrim"
    RTRIM = "rtrim"
    SUBSTRING = "substring"
    OVERLAY = "overlay"
    POSITION = "position"
    EXTRACT = "extract"
    TIMESTAMP_ADD = "timestamp add"
    TIMESTAMP_DIFF = "timestamp diff"
    FLOOR = "floor"
    CEIL = "ceil"
    TO_TIMESTAMP = "to timestamp"
    TO_TIMESTAMP_LTZ = "to timestamp ltz"
    ELEMENT = "element"
    FIELD = "field"
    STRUCT = "struct"
    ROW = "row"
    WEEK = "week"
    JSON_OBJECT = "json object"
    JSON_ARRAY = "json array"
    JSON_EXISTS = "json exists"
    JSON_VALUE = "json value"
    JSON_QUERY = "json query"
    JSON_OBJECTAGG = "json objectagg"
    JSON_ARRAYAGG = "json arrayagg"
    JSON_TABLE = "json table"


def _find_fixed(syntax: CallSyntax) -> tuple[str | Operand, ...] | None:
    found = tuple([piece for piece in syntax.pieces if isinstance(piece, (str, Operand))])
    return found if len(found) == len(syntax.pieces) else None


@attrs.frozen(eq=False, repr=False)
class CallSyntax(attrs.Slotted):
    """How to write a call; ``special`` is an ``OwnSyntax`` for a syntax that pieces cannot express."""

    pieces: tuple[Piece, ...] = ()
    precedence: Precedence = Precedence.PRIMARY
    special: str | None = None
    # The pieces if all calls have the same ones: strings and single operands.
    fixed: tuple[str | Operand, ...] | None = attrs.field(
        default=attrs.Factory(_find_fixed, takes_self=True), init=False
    )


FUNCTION = CallSyntax(special=OwnSyntax.FUNCTION)

_BRACKETS = {"{": "}", "[": "]"}


def _split_template(template: str) -> list[str]:
    """Split a template into ``{…}``, ``[…]`` and the text between them."""
    parts, closing = [""], ""
    for character in template:
        if not closing and character in _BRACKETS:
            closing = _BRACKETS[character]
            parts.append("")
        parts[-1] += character
        if character == closing:
            closing = ""
            parts.append("")
    return [part for part in parts if part]


def _pieces(template: str, precedence: Precedence) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for part in _split_template(template):
        if part[0] == "[":
            inner = _pieces(part[1:-1], precedence)
            at = min(p.position for p in inner if isinstance(p, (Operand, Rest)))
            found.append(Optional_(at, tuple(p for p in inner if not isinstance(p, Optional_))))
        elif part[0] != "{":
            found.append(part)
        elif part[-2] == "*":
            found.append(Rest(int(part[1:-2]), precedence=precedence))
        else:
            found.append(Operand(int(part[1:-1]), precedence))
    return tuple(found)


def syntax(
    template: str, precedence: Precedence = Precedence.PRIMARY, operands: Precedence = Precedence.ANY
) -> CallSyntax:
    """Return the syntax of a template; ``operands`` is the least precedence of its operands.

    >>> syntax("POSITION({0} IN {1})").pieces[0]
    'POSITION('
    """
    return CallSyntax(_pieces(template, operands), precedence)


def binary(symbol: str, precedence: Precedence) -> CallSyntax:
    """Return the syntax of a left-associative binary operator; a predicate does not chain."""
    tighter = Precedence(precedence + 1)
    left = tighter if precedence is Precedence.PREDICATE else precedence
    return CallSyntax((Operand(0, left), f" {symbol} ", Operand(1, tighter)), precedence)


def chain_syntax(symbol: str, precedence: Precedence) -> CallSyntax:
    """Return the syntax of an associative operator between any number of operands."""
    return CallSyntax((Rest(0, f" {symbol} ", Precedence(precedence + 1)),), precedence)


def predicate(template: str) -> CallSyntax:
    """Return the syntax of a predicate such as ``{0} BETWEEN {1} AND {2}``."""
    return syntax(template, Precedence.PREDICATE, Precedence.ADDITIVE)


def brackets_after() -> CallSyntax:
    """Return the syntax of an index in brackets after its operand, which a template cannot express."""
    return CallSyntax((Operand(0, Precedence.PRIMARY), "[", Operand(1), "]"))


def brackets(name: str) -> CallSyntax:
    """Return the syntax of a constructor such as ``ARRAY[a, b]``, which a template cannot express."""
    return CallSyntax((f"{name}[", Rest(0), "]"))


def special(writer: str, precedence: Precedence = Precedence.PRIMARY) -> CallSyntax:
    """Return a syntax that the serializer writes with the function of this name."""
    return CallSyntax(special=writer, precedence=precedence)
