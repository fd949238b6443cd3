"""Lowering of the steps of a JSON path to functions of VARIANT, and recognition of the path in the result.

Names and indexes become a path of VARIANT_GET. With ``v`` for the VARIANT, an index from the end becomes
``TRY_ELEMENT_AT(REVERSE(TRY_VARIANT_GET(v, '$', 'ARRAY<VARIANT>')), 1)``. A wildcard becomes an array of the elements
of an array, of the values of an object, or an empty array; further steps apply to each element.
"""

from __future__ import annotations

from collections.abc import Callable

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.expressions import Lambda, LambdaVariable, ResolvedExpression, ValueLiteral
from ir.functions.arrays import ARRAY_COMPACT, FLATTEN, REVERSE
from ir.functions.collection import ARRAY, AT
from ir.functions.higher_order import TRANSFORM
from ir.functions.json_paths import WILDCARD, parts_of
from ir.functions.let_bindings import function
from ir.functions.logic import COALESCE
from ir.functions.maps import MAP_VALUES
from ir.functions.variant import TRY_VARIANT_GET, VARIANT_GET
from ir.literals import literal

VALUES = "ARRAY<VARIANT>"
_MEMBERS = "MAP<STRING, VARIANT>"


def place(variant: ResolvedExpression, path: str) -> tuple[ResolvedExpression, ResolvedExpression]:
    """Return the VARIANT and the path that VARIANT_GET needs for a path without wildcards."""
    found, rest = variant, "$"
    for part in parts_of(path) or ():
        if part.startswith("[-"):
            backwards = calls.call(REVERSE, (_read_as_type(found, literal(rest), VALUES),))
            found, rest = calls.call(AT, (backwards, literal(int(part[2:-1])))), "$"
        else:
            rest += part
    return found, literal(rest)


def part(variant: ResolvedExpression, path: str) -> ResolvedExpression:
    """Return the VARIANT that a path without wildcards finds, NULL if it finds none."""
    return calls.call(VARIANT_GET, place(variant, path))


def way(path: str) -> str:
    """Return a path up to its first wildcard."""
    parts = parts_of(path) or ()
    return "$" + "".join(parts[: parts.index(WILDCARD)])


def find_parts(variant: ResolvedExpression, path: str) -> ResolvedExpression:
    """Return the array of VARIANTs that a path with wildcards finds."""
    first = way(path)
    rest = "$" + path[len(first) + len(WILDCARD) :]
    found = _elements(*place(variant, first))
    if rest == "$":
        return found
    if WILDCARD in (parts_of(rest) or ()):
        return calls.call(FLATTEN, (apply_to_each(found, lambda element: find_parts(element, rest)),))
    return calls.call(ARRAY_COMPACT, (apply_to_each(found, lambda element: part(element, rest)),))


def _elements(variant: ResolvedExpression, path: ResolvedExpression) -> ResolvedExpression:
    members = calls.call(MAP_VALUES, (_read_as_type(variant, path, _MEMBERS),))
    return calls.call(COALESCE, (_read_as_type(variant, path, VALUES), members, calls.call(ARRAY, ())))


def _read_as_type(variant: ResolvedExpression, path: ResolvedExpression, name: str) -> ResolvedExpression:
    return calls.call(TRY_VARIANT_GET, (variant, path, literal(name)))


def apply_to_each(
    array: ResolvedExpression, use: Callable[[ResolvedExpression], ResolvedExpression]
) -> ResolvedExpression:
    """Return the array of the results of ``use`` for each VARIANT of an array."""
    assert isinstance(array.data_type, t.ArrayType)
    return calls.call(TRANSFORM, (array, function(use, element=array.data_type.element)))


# --- raising ---------------------------------------------------------------------------------------------------------

Traced = tuple[ResolvedExpression, str]
"""A VARIANT, and the path into it."""

# No supported path has more steps of one kind.
_MOST_STEPS = 40


def trace(variant: ResolvedExpression, path: ResolvedExpression) -> Traced | None:
    """Return the arguments from which ``place`` may have computed its result, without checking them by computing it."""
    followed = ""
    for _ in range(_MOST_STEPS):
        if not isinstance(path, ValueLiteral) or not isinstance(path.value, str):
            return None
        followed = path.value[1:] + followed
        reverse = variant.arguments[0] if isinstance(variant, Call) and variant.function is AT else None
        if not isinstance(variant, Call) or not isinstance(reverse, Call) or reverse.function is not REVERSE:
            return variant, "$" + followed
        array, position = reverse.arguments[0], variant.arguments[1]
        if not isinstance(array, Call) or array.function is not TRY_VARIANT_GET:
            return None
        if not isinstance(position, ValueLiteral):
            return None
        followed = f"[-{position.value}]" + followed
        variant, path = array.arguments[:2]
    return None


def trace_all(found: ResolvedExpression, most: int = _MOST_STEPS) -> Traced | None:
    """Return the arguments from which ``find_parts`` may have made its result, with at most ``most`` nested lambdas."""
    followed = ""
    for _ in range(_MOST_STEPS):
        if not isinstance(found, Call):
            return None
        if found.function is COALESCE:
            first = found.arguments[0]
            if not isinstance(first, Call) or first.function is not TRY_VARIANT_GET:
                return None
            traced = trace(*first.arguments[:2])
            return None if traced is None else (traced[0], traced[1] + WILDCARD + followed)
        each = _find_followed_array(found, most - 1) if most else None
        if each is None:
            return None
        found, steps = each[0], each[1]
        followed = steps + followed
    return None


def _find_followed_array(found: Call, most: int) -> tuple[ResolvedExpression, str] | None:
    """Return the array whose elements are followed further, and the path that is followed in each."""
    transform = found.arguments[0] if found.function in (FLATTEN, ARRAY_COMPACT) else None
    if not isinstance(transform, Call) or transform.function is not TRANSFORM:
        return None
    array, step = transform.arguments
    if not isinstance(step, Lambda):
        return None
    if found.function is FLATTEN:
        inner = trace_all(step.body, most)
    else:
        got = step.body
        is_part = isinstance(got, Call) and got.function is VARIANT_GET and len(got.arguments) == 2
        inner = trace(*got.children) if is_part else None
    if inner is None or not isinstance(inner[0], LambdaVariable):
        return None
    return array, inner[1][1:]
