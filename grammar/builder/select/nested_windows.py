"""Extracts window calls that are nested in other window calls into columns of a projection below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grammar.builder.query_parts import QueryParts
from ir import light_attrs as attrs
from ir.expressions import Expression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.names import Names
from ir.operations.operation import QueryOperation
from ir.resolution.operations import field, select
from ir.unresolved import (
    Ordering,
    UnresolvedAlias,
    UnresolvedCall,
    UnresolvedNamedArgument,
    UnresolvedOver,
    UnresolvedStar,
    UnresolvedWindow,
    walk_written_parts,
)


def extract_inner_windows(
    builder: QueryParts, operation: QueryOperation, items: Sequence[UnresolvedAlias], position: int
) -> tuple[QueryOperation, list[UnresolvedAlias]]:
    """Add a column for each innermost window call to the operation, and rewrite the items over it."""
    made = list(items)
    while inner := inner_windows(made):
        width = len(operation.schema)
        unique = Names(operation.schema.names)
        columns: list[Expression] = [field(operation, index) for index in range(width)]
        columns += [
            UnresolvedAlias(part, unique.generate("EXPR$", number)) for number, part in enumerate(inner.values())
        ]
        operation = builder.call_resolver(position, select, operation, columns, builder.lookup)
        found = {key: field(operation, index) for index, key in enumerate(inner, width)}
        made = [attrs.evolve(item, expression=_replace_parts(item.expression, found)) for item in made]
    return operation, made


def find_group_expressions(items: Sequence[UnresolvedAlias]) -> list[Expression]:
    """Return the expressions that the items compute per group, below all window calls, each once."""
    found: dict[int, Expression] = {}
    stack: list[Expression] = [item.expression for item in reversed(items)]
    while stack:
        part = stack.pop()
        if isinstance(part, UnresolvedOver):
            # The call itself runs over the rows of the window; only its arguments are computed per group.
            stack += reversed([*_parts(part.call), *_parts(part)[1:]])
        elif isinstance(part, (Ordering, UnresolvedNamedArgument)) or any(True for _ in _overs([part])):
            stack += reversed(_parts(part))
        elif not isinstance(part, (ValueLiteral, TypeLiteral, SymbolLiteral, UnresolvedStar)):
            found.setdefault(id(part), part)
    return list(found.values())


def rewrite_over_groups(
    items: Sequence[UnresolvedAlias], computed: Sequence[Expression], groups: QueryOperation
) -> list[UnresolvedAlias]:
    """Rewrite the items over an operation that has a column for each expression computed per group."""
    found = {id(part): field(groups, index) for index, part in enumerate(computed)}
    return [attrs.evolve(item, expression=_replace_parts(item.expression, found)) for item in items]


def inner_windows(expressions: Sequence[Expression]) -> dict[int, UnresolvedOver]:
    """Return the window calls that are nested in another one and contain none themselves, by their identity."""
    found: dict[int, UnresolvedOver] = {}
    for over in _overs(expressions):
        for part in _overs([over]):
            if part is not over and sum(1 for _ in _overs([part])) == 1:
                found[id(part)] = part
    return found


def _overs(expressions: Sequence[Expression]) -> Iterator[UnresolvedOver]:
    return (part for part in walk_written_parts(expressions) if isinstance(part, UnresolvedOver))


def _replace_parts(root: Expression, found: Mapping[int, Expression]) -> Expression:
    """Replace parts of an expression, given by their identity. The walk uses a stack."""
    done: dict[int, Expression] = dict(found)
    stack: list[tuple[Expression, bool]] = [(root, False)]
    while stack:
        part, ready = stack.pop()
        if id(part) in done:
            continue
        if ready:
            done[id(part)] = _rebuild(part, done)
        else:
            stack.append((part, True))
            stack += [(child, False) for child in _parts(part)]
    return done[id(root)]


def _parts(part: Expression) -> list[Expression]:
    if isinstance(part, UnresolvedCall):
        return [*part.arguments, *part.order_by, *([] if part.filter is None else [part.filter])]
    if isinstance(part, (UnresolvedAlias, UnresolvedNamedArgument, Ordering)):
        return [part.expression]
    if isinstance(part, UnresolvedOver) and isinstance(part.window, UnresolvedWindow):
        return [part.call, *part.window.partition_by, *part.window.order_by]
    return []


def _rebuild(part: Expression, done: Mapping[int, Expression]) -> Expression:
    """Rebuild an expression from its replaced parts."""

    def became(parts: Sequence[Expression]) -> tuple[Expression, ...]:
        return tuple([done[id(child)] for child in parts])

    if isinstance(part, UnresolvedCall):
        condition = None if part.filter is None else done[id(part.filter)]
        return attrs.evolve(part, arguments=became(part.arguments), order_by=became(part.order_by), filter=condition)
    if isinstance(part, (UnresolvedAlias, UnresolvedNamedArgument, Ordering)):
        return attrs.evolve(part, expression=done[id(part.expression)])
    if isinstance(part, UnresolvedOver) and isinstance(part.window, UnresolvedWindow):
        window = attrs.evolve(
            part.window, partition_by=became(part.window.partition_by), order_by=became(part.window.order_by)
        )
        return attrs.evolve(part, call=done[id(part.call)], window=window)
    return part
