"""Replacement of parts of expressions by others of another type, by which the types of what is made of them change."""

from __future__ import annotations

from collections.abc import Callable

from ir.expressions import Call, Over, ResolvedExpression
from ir.functions.calls import call
from ir.nodes import post_order
from ir.resolution.windows.over import over
from ir.rewriting import replace, with_children


def replace_and_type(
    root: ResolvedExpression, find: Callable[[ResolvedExpression], ResolvedExpression | None]
) -> ResolvedExpression:
    """Replace the topmost parts for which ``find`` returns something else, and infer the types of all calls above."""
    found: dict[ResolvedExpression, ResolvedExpression] = {}

    def seen(part: ResolvedExpression) -> ResolvedExpression | None:
        made = find(part)
        if made is not None:
            found[part] = made
        return made

    replaced = replace(root, seen)
    if all(part.data_type is made.data_type for part, made in found.items()):
        return replaced
    done: dict[ResolvedExpression, ResolvedExpression] = {}
    stops = set(found.values())
    for part in post_order(replaced, lambda one: () if one in stops else one.children):
        if part in stops or not part.children:
            done[part] = part
            continue
        made = with_children(part, tuple([done[child] for child in part.children]))
        if isinstance(made, Call):
            made = _called(made)
        elif isinstance(made, Over):
            made = over(_called(made.call), made.partition_by, made.order_by, made.frame)
        done[part] = made
    return done[replaced]


def _called(made: Call) -> ResolvedExpression:
    return call(
        made.function,
        made.arguments,
        distinct=made.distinct,
        filter=made.filter,
        ignore_nulls=made.ignore_nulls,
        order_by=made.order_by,
        respect_nulls=made.respect_nulls,
    )
