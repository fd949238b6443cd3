"""Grouping: the keys by which rows are grouped, possibly in grouping sets, and the SELECT list over the groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir.call_expressions import Call
from ir.calls import call
from ir.contents import AGGREGATE
from ir.determinism import refuse_as_key_of_sets
from ir.errors import ValidationException
from ir.expressions import Expression, ResolvedExpression
from ir.functions.collection import GET
from ir.functions.time_window import refuse_sessions, require_keys, require_one_window, require_whole_windows
from ir.inference.usage import Usage, usage_of_groups
from ir.literals import literal
from ir.operations.aggregate import GroupingSets
from ir.operations.keys import require_groupable
from ir.operations.operation import QueryOperation
from ir.records import record
from ir.resolution.aggregation import GroupKeys, is_column_first, replace_grouping_by_zero, select_aggregated
from ir.resolution.columns import expand
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import (
    cast_to_boolean,
    refuse_over,
    require_condition,
    resolve_rows,
    split_alias,
)
from ir.resolution.windows.columns import extract_windows_of_aggregation
from ir.schema import Column, ResolvedSchema
from ir.types import RowType
from ir.unresolved import UnresolvedAlias

# Keys and their given names.
ResolvedKeys = tuple[tuple[ResolvedExpression, ...], tuple[str | None, ...]]


@record(eq=False, repr=False)
class Grouping:
    """Keys as written and, for grouping sets, the positions of the keys of each set.

    ``is_of_sets`` says that GROUPING of the keys is allowed, even if a single set of all keys needs no ``sets``.
    ``resolved`` holds the keys over the grouped rows if they are resolved already.
    """

    keys: tuple[Expression, ...]
    sets: GroupingSets | None = None
    is_of_sets: bool = False
    resolved: ResolvedKeys | None = None

    def resolved_keys(self, input: QueryOperation, lookup: FunctionLookup) -> ResolvedKeys:
        """Return the keys over the columns of ``input`` and their given names.

        Raises:
            ValidationException: a key contains an aggregate, or its type cannot be compared.
        """
        return self.resolved or resolve_group_keys(input, self.keys, lookup)


def grouping_by(input: QueryOperation, keys: Sequence[Expression], lookup: FunctionLookup) -> Grouping:
    """Return the grouping by ``keys``.

    Raises:
        ValidationException: a key contains an aggregate, or its type cannot be compared.
    """
    return Grouping(tuple(keys), resolved=resolve_group_keys(input, keys, lookup))


def grouping_sets(
    input: QueryOperation,
    sets: Sequence[Sequence[Expression]],
    lookup: FunctionLookup,
    first: Sequence[Expression] = (),
) -> Grouping:
    """Return the grouping by several sets of keys; equal keys of different sets are one key.

    The keys are in the order of ``first``, which may hold keys that are in no set, then in the order of the sets.

    Raises:
        ValidationException: there is no key at all, or a key is not accepted.
    """
    keys: dict[ResolvedExpression, Expression] = {}
    chosen = []
    expanded = expand(first, (input.schema,))
    for key, expression in zip(resolve_group_keys(input, expanded, lookup)[0], expanded, strict=True):
        keys.setdefault(key, expression)
    for written in sets:
        expanded = expand(written, (input.schema,))
        resolved, _ = resolve_group_keys(input, expanded, lookup)
        for key, expression in zip(resolved, expanded, strict=True):
            keys.setdefault(key, expression)
        chosen.append(resolved)
    if not keys and len(chosen) == 1:
        raise ValidationException(
            "Grouping sets need at least one key; for one row of all rows, select aggregates alone."
        )
    if len(chosen) > 1:
        for key in keys:
            refuse_as_key_of_sets(key)
    position = {key: index for index, key in enumerate(keys)}
    found = tuple([tuple(sorted({position[key] for key in resolved})) for resolved in chosen])
    # A single set of all keys is a plain group_by.
    return Grouping(tuple(keys.values()), None if found == (tuple(range(len(keys))),) else found, True)


def group_and_select(
    input: QueryOperation,
    grouping: Grouping,
    expressions: Sequence[Expression],
    lookup: FunctionLookup,
    having: Expression | None = None,
    asked: Mapping[str, Call] | None = None,
    casts: bool = False,
) -> QueryOperation:
    """Return the aggregation of ``input`` by keys and the projection of its result to ``expressions``.

    The expressions may contain aggregates, keys, and the given names of keys. ``having``, the condition of the groups
    to keep, may contain the same; ``casts`` allows a condition that Spark casts to BOOLEAN. Subqueries in them may
    refer to the aggregates in ``asked`` by name.

    Raises:
        ValidationException: an expression uses a column that is neither a key nor inside an aggregate.
    """
    keys, key_names = grouping.resolved_keys(input, lookup)
    if grouping.sets is None:
        once, once_names = _drop_duplicates(keys, key_names)
        if len(once) < len(keys):
            shown, _ = resolve_of_groups(input, once, once_names, expressions, lookup, asked=asked)
            # Equal keys are separate columns if the SELECT list repeats them as often. With HAVING, or with keys that a
            # projection below computes, each key occurs once.
            is_once = having is not None or any(map(is_column_first, keys))
            if is_once or any(shown.count(key) < keys.count(key) for key in keys):
                keys, key_names = once, once_names
    else:
        # A session that is a key of every set is the same in all sets.
        some = {index for index in range(len(keys)) if not all(index in one for one in grouping.sets)}
        of_some = tuple([key for index, key in enumerate(keys) if index in some])
        refuse_sessions(of_some, "A grouping set among others without it", "Spark fails to compute it")
    resolved, given = resolve_of_groups(input, keys, key_names, expressions, lookup, asked=asked)
    conditions: tuple[ResolvedExpression, ...] = ()
    if having is not None:
        conditions, _ = resolve_of_groups(input, keys, key_names, [having], lookup, asked=asked)
        conditions = (cast_to_boolean(conditions[0]),) if casts else conditions
        require_condition(conditions[0], "HAVING", "HAVING")
    if grouping.is_of_sets and grouping.sets is None:
        resolved = tuple([replace_grouping_by_zero(expression, keys) for expression in resolved])
        conditions = tuple([replace_grouping_by_zero(condition, keys) for condition in conditions])
    input, keys, every = extract_windows_of_aggregation(input, keys, (*resolved, *conditions))
    require_keys(every, keys)
    resolved, conditions = every[: len(resolved)], every[len(resolved) :]
    condition = conditions[0] if conditions else None
    of_groups = GroupKeys(keys, key_names, grouping.sets)
    return select_aggregated(input, of_groups, resolved, given, condition, asked or {})


def _drop_duplicates(
    keys: tuple[ResolvedExpression, ...], names: tuple[str | None, ...]
) -> tuple[tuple[ResolvedExpression, ...], tuple[str | None, ...]]:
    """Return the keys without duplicates; a key with a given name is always kept."""
    if len(set(keys)) == len(keys):
        return keys, names
    kept = [
        i
        for i, key in enumerate(keys)
        if names[i] is not None or all(names[j] is not None or keys[j] != key for j in range(i))
    ]
    return tuple([keys[i] for i in kept]), tuple([names[i] for i in kept])


def resolve_of_groups(
    input: QueryOperation,
    keys: tuple[ResolvedExpression, ...],
    key_names: tuple[str | None, ...],
    expressions: Sequence[Expression],
    lookup: FunctionLookup,
    refused: Mapping[str, str] | None = None,
    asked: Mapping[str, Call] | None = None,
) -> tuple[tuple[ResolvedExpression, ...], tuple[str | None, ...]]:
    """Resolve expressions over groups, and return them with their given names.

    ``refused`` maps names that are invalid outside of aggregates to error messages. ``asked`` are the aggregates to
    which subqueries refer.

    Raises:
        ValidationException: there is no expression, or an expression cannot be resolved.
    """
    if not expressions:
        raise ValidationException("select needs at least one expression.")
    named = [(e, n) for e, n in zip(keys, key_names, strict=True) if n is not None]
    outer = ResolvedSchema(tuple([Column(name, key.data_type) for key, name in named])) if named else None
    known = (ResolvedSchema.of(list(asked), [a.data_type for a in asked.values()]),) if asked else ()
    scope, usage = Scope((input.schema,), outer, refused or {}, known), usage_of_groups(keys)
    resolver = ExpressionResolver(scope, lookup, time_windows=True, usage=usage)
    pairs = [split_alias(expression) for expression in expand(expressions, (input.schema,))]
    resolved = tuple([resolver.resolve(expression) for expression, _ in pairs])
    return resolved, tuple([name for _, name in pairs])


def aggregate_groups(
    input: QueryOperation, grouping: Grouping, aggregate: Expression, lookup: FunctionLookup
) -> QueryOperation:
    """Return the aggregation of ``input``: its keys and the result of one aggregate expression.

    A result of type ROW becomes a column for each field, unless its alias is a single name for several fields.

    Raises:
        ValidationException: the expression contains no aggregate, or its alias has more or fewer names than fields.
    """
    keys, names = grouping.resolved_keys(input, lookup)
    require_whole_windows(keys)
    written, given = _split_names(aggregate)
    made = resolve_aggregate(input, written, lookup, usage_of_groups(keys))
    values, of_values = _flatten_columns(made, given)
    return select_aggregated(input, GroupKeys(keys, names, grouping.sets), (*keys, *values), (*names, *of_values))


def _split_names(aggregate: Expression) -> tuple[Expression, tuple[str, ...]]:
    """Return an expression without its alias, and the names in the alias."""
    given: tuple[str, ...] = ()
    while isinstance(aggregate, UnresolvedAlias):
        given = given or (aggregate.name, *aggregate.extra_names)
        aggregate = aggregate.expression
    return aggregate, given


def _flatten_columns(
    made: ResolvedExpression, given: tuple[str, ...]
) -> tuple[tuple[ResolvedExpression, ...], tuple[str | None, ...]]:
    """Return the columns of the result of an aggregate, and their names."""
    fields = [field.name for field in made.data_type.fields] if isinstance(made.data_type, RowType) else []
    if len(given) > 1 and len(given) != len(fields):
        raise ValidationException(
            f"alias({', '.join(map(repr, given))}) gives {len(given)} names, but {made.as_summary_string()} is of type "
            f"{made.data_type.as_summary_string()}."
        )
    if not fields or (len(given) == 1 and len(fields) > 1):
        return (made,), given or (None,)
    return tuple([call(GET, (made, literal(name))) for name in fields]), given or tuple(fields)


def resolve_aggregate(
    input: QueryOperation, written: Expression, lookup: FunctionLookup, usage: Usage
) -> ResolvedExpression:
    """Return the resolved form of an expression that aggregates rows of ``input``.

    Raises:
        ValidationException: the expression contains no aggregate.
    """
    resolved = ExpressionResolver(Scope((input.schema,)), lookup, usage=usage).resolve(written)
    if not resolved.contents & AGGREGATE:
        raise ValidationException(f"aggregate takes an aggregate, but {resolved.as_summary_string()} holds none.")
    return resolved


def refuse_aggregates(input: QueryOperation, expression: Expression, lookup: FunctionLookup) -> None:
    """Refuse an expression over aggregated rows that aggregates them again.

    Raises:
        ValidationException: the expression contains an aggregate.
    """
    resolve_rows(input, [expression], lookup, "select after aggregate")


def resolve_group_keys(
    input: QueryOperation, keys: Sequence[Expression], lookup: FunctionLookup
) -> tuple[tuple[ResolvedExpression, ...], tuple[str | None, ...]]:
    """Resolve group keys, and return them with their given names.

    Raises:
        ValidationException: a key contains an aggregate, or its type cannot be compared.
    """
    resolved, names = resolve_rows(input, keys, lookup, "group_by")
    for key in resolved:
        refuse_over(key, "group_by", "GROUP BY")
    require_groupable(resolved)
    require_one_window(resolved)
    return resolved, names
