"""Determines the meaning of names in QUALIFY."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.expressions.within import parts_within
from grammar.builder.scopes import Column, Scope, column_of
from grammar.builder.select.generators import Item
from grammar.builder.select.item_columns import find_first_duplicates
from grammar.builder.select.sort_keys import field_of
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.call_expressions import Over
from ir.contents import CHANGING
from ir.expressions import Expression, FieldReference, ResolvedExpression, ValueLiteral
from ir.identifiers import fold
from ir.names import Names
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import Project, project
from ir.rewriting import replace
from ir.unresolved import Ordering, UnresolvedCall, UnresolvedOver, walk_written_parts


def build_qualify_names(clause: s.Clause, items: Sequence[Item], names: ClauseNames) -> ClauseNames:
    """Return the meaning of names in QUALIFY. ``names.outputs`` are the columns of the SELECT.

    If only the condition has window calls, Spark adds it to the SELECT as a column, so that columns of FROM win over
    aliases. Otherwise, a name without a relation means a column of the SELECT, or a column of FROM that its items with
    window calls use. A name of none of these means a column of FROM.

    Raises:
        Misread: a name in the condition has several meanings.
    """
    condition = clause.items[0]
    parts = list(walk_written_parts([item.expression for item in items]))
    has_windows = any(type(part) is UnresolvedOver for part in parts)
    # A merged join key that the SELECT names with its relation makes its name ambiguous.
    names = attrs.evolve(names, scope=names.scope.showing(set(parts)))
    if not has_windows and any(type(part) is s.Over for part in parts_within(condition)):
        return attrs.evolve(names, outputs={}, aliases=names.outputs, keys=frozenset(names.outputs))
    meanings = _meanings(items, names.scope)
    for part in parts_within(condition):
        if type(part) is s.Path and (len(part.names) == 1 or fold(part.names[0].text) in meanings.computed):
            _refuse_ambiguous(part, meanings)
    outputs = {name: found[0].field for name, found in meanings.outputs.items() if len(found) == 1}
    others = {name: found for name, found in meanings.columns().items() if name not in meanings.computed}
    scope = names.scope.preferring(others, frozenset(meanings.computed))
    return attrs.evolve(names, outputs={**names.outputs, **outputs}, in_aggregates=True, scope=scope)


def over_columns(made: QueryOperation) -> tuple[QueryOperation, ResolvedExpression]:
    """Return the columns of a SELECT without the last one, the condition of QUALIFY, and that condition over them.

    What the condition needs besides these columns becomes further columns: values over windows, and columns of FROM.
    """
    if not isinstance(made, Project):
        return made, field_of(made, len(made.schema) - 1)
    *shown, condition = made.projections
    places: dict[ResolvedExpression, int] = {}
    for index, column in enumerate(shown):
        if not isinstance(column, ValueLiteral) and not column.contents & CHANGING:
            places.setdefault(column, index)
    further: dict[ResolvedExpression, FieldReference] = {}
    free = Names(made.names[:-1])

    def moved(part: ResolvedExpression) -> ResolvedExpression | None:
        index = places.get(part)
        if index is not None:
            return FieldReference(made.names[index], part.data_type, 0, index)
        if part not in further:
            if isinstance(part, FieldReference) and free.is_free(part.name):
                name = free.free(part.name)
            elif isinstance(part, (FieldReference, Over)) or any(isinstance(c, TableReference) for c in part.children):
                name = free.generate("EXPR$", len(further))
            else:
                return None
            further[part] = FieldReference(name, part.data_type, 0, len(shown) + len(further))
        return further[part]

    condition = replace(condition, moved)
    names = (*made.names[:-1], *[column.name for column in further.values()])
    return project(made.input, (*shown, *further), names), condition


@attrs.frozen
class _Meanings:
    """The columns that names without a relation may mean, by folded name.

    ``outputs`` are the columns of the SELECT, ``used`` the other columns of FROM that its items with window calls use.
    ``computed`` are the names of the columns of the SELECT that are not passed on from FROM.
    """

    outputs: Mapping[str, list[Column]]
    used: Mapping[str, list[Column]]
    computed: set[str]

    def columns(self) -> dict[str, list[Column]]:
        """Return all columns."""
        return {
            name: [*self.outputs.get(name, ()), *self.used.get(name, ())] for name in self.outputs.keys() | self.used
        }


def _meanings(items: Sequence[Item], scope: Scope) -> _Meanings:
    """Return the meanings of names in QUALIFY if items have window calls.

    The items use the arguments and keys of their window calls, and what is outside of these. Spark computes other parts
    of a window call, such as the sum of two columns, before the window.
    """
    outputs: dict[str, dict[object, Column]] = {}
    used: dict[str, dict[object, Column]] = {}
    computed: set[str] = set()
    columns: dict[Expression, Column] = {column.field: column for column in scope.columns}
    fields: dict[Expression, None] = {}
    identity: object
    for item, first in zip(items, find_first_duplicates(items, scope.columns), strict=True):
        parts = list(walk_written_parts([item.expression], windows=False))
        overs = [part for part in parts if isinstance(part, UnresolvedOver)]
        if overs:
            operands = [operand for over in overs for operand in _operands(over)]
            fields |= dict.fromkeys([part for part in [*parts, *operands] if part in columns])
        column = None if item.aliased or item.by_alias is not None else columns.get(item.expression)
        if not item.is_nothing:
            name = fold(item.name)
            if column is None:
                computed.add(name)
                identity, meaning = first, column_of(name, (), item.expression)
            else:
                identity, meaning = _identity(column), column
            outputs.setdefault(name, {}).setdefault(identity, meaning)
    for field in fields:
        column = columns[field]
        name = fold(column.name)
        identity = _identity(column)
        if identity not in outputs.get(name, ()):
            used.setdefault(name, {}).setdefault(identity, column)
    return _Meanings(
        {name: list(found.values()) for name, found in outputs.items()},
        {name: list(found.values()) for name, found in used.items()},
        computed,
    )


def _identity(column: Column) -> object:
    """Return the key by which columns of FROM are recognised as the same column."""
    return column.field if column.origin is None else column.origin


def _refuse_ambiguous(path: s.Path, meanings: _Meanings) -> None:
    """Reject a name that means several columns.

    Raises:
        Misread: the name is ambiguous.
    """
    name = path.names[0]
    outputs, used = meanings.outputs.get(fold(name.text), ()), meanings.used.get(fold(name.text), ())
    if len(outputs) > 1:
        message = f"Ambiguous column name: {name.text}; several columns of the SELECT are called so."
    elif outputs and used:
        message = (
            f"Ambiguous column name: {name.text}; a column of the SELECT is called so, and a column of FROM that a "
            "window of the SELECT is over."
        )
    elif len(used) > 1:
        message = f"Ambiguous column name: {name.text}; windows of the SELECT are over several columns called so."
    else:
        return
    is_computed = fold(name.text) in meanings.computed
    advice = "Give the column another alias." if is_computed else "Write its relation before the name."
    raise Misread(path.position, f"{message} {advice}", "AMBIGUOUS_REFERENCE")


def _operands(over: UnresolvedOver) -> Iterator[Expression]:
    """Yield the arguments and the keys of a window call."""
    if isinstance(over.call, UnresolvedCall):
        yield from over.call.arguments
    if not isinstance(over.window, str):
        yield from over.window.partition_by
        for key in over.window.order_by:
            yield key.expression if isinstance(key, Ordering) else key
