"""Extract the aggregate calls of a SELECT list into an Aggregate below a Project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ir.call_expressions import Call, Over
from ir.calls import call, is_aggregate
from ir.column_references import column_references
from ir.contents import AGGREGATE, CHANGING, OUTER, OVER, QUERY
from ir.determinism import changes_at_each_evaluation, nondeterministic_call, refuse_in_aggregate
from ir.equivalence import Equivalents
from ir.errors import ValidationException, listing
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.aggregate import GROUPING, GROUPING_ID, KEY_FUNCTIONS
from ir.functions.collection import GET
from ir.functions.time_window import is_time_window, window_end
from ir.identifiers import fold
from ir.literals import literal
from ir.messages import Term, message
from ir.names import Names
from ir.operations.aggregate import Aggregate, GroupingSets
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import Project, project
from ir.resolution.naming import choose_output_names, derive_name
from ir.resolution.subqueries import require_outer_columns
from ir.rewriting import rename_outer_columns, replace
from ir.runtime_errors import may_fail
from ir.summaries import ColumnName, ColumnNames, Summary


def select_aggregated(
    input: QueryOperation,
    keys: tuple[ResolvedExpression, ...],
    key_names: tuple[str | None, ...],
    expressions: tuple[ResolvedExpression, ...],
    given: tuple[str | None, ...],
    grouping_sets: GroupingSets | None = None,
    having: ResolvedExpression | None = None,
    asked: Mapping[str, Call] = MappingProxyType({}),
) -> QueryOperation:
    """Return a projection to ``expressions`` over the aggregation of ``input`` by ``keys``.

    In the expressions, aggregates and keys refer to the columns of ``input``; a reference with input index 1 refers to
    a key by its given name. Groups for which ``having`` is not TRUE are dropped. ``asked`` maps names to the aggregates
    to which subqueries refer by these names.

    Raises:
        ValidationException: an aggregate contains another one, or a column is neither a key nor inside an aggregate.
    """
    conditions = () if having is None else (having,)
    lifted = _outermost((*expressions, *conditions, *asked.values()), _window_test(keys, key_names))
    aggregates = [part for part in lifted if is_aggregate(part)]
    as_written = having is None and expressions == (*keys, *aggregates) and not any(map(is_column_first, keys))
    # An expression without an alias refers to the first of equal keys.
    are_told = None not in given or len(set(keys)) == len(keys)
    own_names = _collect_column_names(expressions, given) if as_written and are_told else None
    if own_names is not None:
        # The SELECT list has the form of an Aggregate: all keys, then all aggregates, each with a name.
        named_keys = [i for i, name in enumerate(key_names) if name is not None]
        calls = tuple(
            [_replace_grouping_call(aggregate, keys, named_keys, grouping_sets is not None) for aggregate in aggregates]
        )
        if len(set(calls)) == len(calls):
            return _group(input, keys, calls, own_names, grouping_sets)
    suggested = [name or derive_name(key) for key, name in zip(keys, key_names, strict=True)]
    names = _column_names(suggested, [is_aggregate(part) for part in lifted])
    given = _generate_property_names(expressions, given, lifted, suggested.count(None))
    given_keys = keys
    input, keys = _keys_as_columns(input, keys)
    named = [i for i, name in enumerate(key_names) if name is not None]
    changed_keys = {before: after for before, after in zip(given_keys, keys, strict=True) if before is not after}
    resolved = [_replace_grouping_call(a, keys, named, grouping_sets is not None, changed_keys) for a in aggregates]
    # GROUPING_ID() and GROUPING_ID of all keys resolve to one aggregate.
    made = tuple(dict.fromkeys(resolved))
    if len(made) < len(resolved):
        names = (*names[: len(keys)], *[names[len(keys) + resolved.index(aggregate)] for aggregate in made])
    operation = _group(input, keys, made, names, grouping_sets)
    columns = column_references(operation.schema)

    position_of: dict[ResolvedExpression, int] = {}
    # An expression refers to the first of equal keys without an alias; a key with an alias is found by the alias.
    for i in sorted(range(len(keys)), key=lambda i: (key_names[i] is None, -i)):
        position_of[keys[i]] = i
        # A constant equals its key, unless some grouping set lacks the key, which is NULL there.
        is_same = grouping_sets is None and isinstance(given_keys[i], ValueLiteral)
        if not is_same and not changes_at_each_evaluation(given_keys[i]):
            position_of[given_keys[i]] = i
    place = {aggregate: len(keys) + i for i, aggregate in enumerate(made)}
    position_of.update({a: place[r] for a, r in zip(aggregates, resolved, strict=True)})
    equivalents = Equivalents(key for key in keys if not changes_at_each_evaluation(key))

    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        position = position_of.get(part)
        if position is None:
            position = position_of.get(equivalents.find(part) or part)
        if position is not None:
            return columns[position]
        if isinstance(part, FieldReference):
            if part.input_index == 1:
                return columns[named[part.index]]
            raise _make_ungrouped_error(part, names[: len(keys)])
        if isinstance(part, TableReference) and part.operation.contents & OUTER:
            # Rename the outer columns of a subquery, keys and aggregates, to the columns of the aggregation.
            called = {key.name: columns[i].name for i, key in enumerate(keys) if isinstance(key, FieldReference)}
            called |= {name: columns[position_of[aggregate]].name for name, aggregate in asked.items()}
            changed = {before: after for before, after in called.items() if before != after}
            return TableReference(rename_outer_columns(part.operation, changed)) if changed else None
        return None

    replaced = replace
    if grouping_sets is not None:
        # A key that some grouping set lacks is nullable, and so is each expression computed from it.
        from ir.resolution.typing import replace_and_type

        replaced = replace_and_type
    projections = tuple([replaced(expression, find) for expression in expressions])
    for projection in projections:
        # A subquery beside the aggregates sees the groups, not the rows of the input.
        require_outer_columns(projection, (operation.schema,))
    generated = frozenset(n for n, g in zip(names, (*key_names, *[None] * len(made)), strict=True) if g is None)
    chosen = choose_output_names(projections, given, generated)
    if having is not None:
        if projections == tuple(columns):
            # Evaluate the condition over the columns under their final names, like a filter after the select.
            operation = operation.with_names(chosen) or operation
            columns = column_references(operation.schema)
            projections = tuple(columns)
        condition = replaced(having, find)
        require_outer_columns(condition, (operation.schema,))
        if any(map(may_fail, projections)):
            selected = project(operation, projections, chosen)
            asked_last = _rewrite_having(condition, projections, selected)
            if asked_last is not None:
                return Filter(selected, asked_last)
        operation = Filter(operation, condition)
    return project(operation, projections, chosen)


def _group(
    input: QueryOperation,
    keys: tuple[ResolvedExpression, ...],
    aggregates: tuple[ResolvedExpression, ...],
    names: tuple[str, ...],
    grouping_sets: GroupingSets | None,
) -> QueryOperation:
    if input.is_unbounded:
        from ir.resolution.streams.windows import group_stream

        return group_stream(input, keys, aggregates, names, grouping_sets)
    return Aggregate(input, keys, aggregates, names, grouping_sets)


def _rewrite_having(
    condition: ResolvedExpression, projections: tuple[ResolvedExpression, ...], selected: QueryOperation
) -> ResolvedExpression | None:
    """Return the HAVING condition over the columns of the SELECT, None if it needs other columns.

    Spark computes the SELECT of every group before the condition. An expression that raises an error for a group
    therefore raises it even if the condition drops the group, as in a filter after the select.
    """
    contents = condition.contents
    for projection in projections:
        contents |= projection.contents
    if contents & (OVER | QUERY | OUTER | CHANGING):
        return None
    columns = dict(zip(reversed(projections), reversed(column_references(selected.schema)), strict=True))
    found = replace(condition, columns.get)
    # Above the SELECT no other column exists.
    known = set(columns.values())
    return found if all(p in known for p in found.walk() if isinstance(p, FieldReference)) else None


def _collect_column_names(
    expressions: tuple[ResolvedExpression, ...], given: tuple[str | None, ...]
) -> tuple[str, ...] | None:
    """Return the given names and those of plain columns, None if a name is missing or two names are equal."""
    names = [
        expression.name if name is None and isinstance(expression, FieldReference) else name
        for expression, name in zip(expressions, given, strict=True)
    ]
    known = tuple([name for name in names if name is not None])
    return known if len(set(map(fold, known))) == len(names) else None


def _sum_of_grouping(keys: list[ResolvedExpression]) -> str:
    """Return GROUPING_ID of keys as a sum of GROUPING calls, for an error message; the last key is the lowest bit."""
    bits = [(2 ** (len(keys) - 1 - i), key.as_summary_string()) for i, key in enumerate(keys)]
    return " + ".join([f"GROUPING({key})" + (f" * {bit}" if bit > 1 else "") for bit, key in bits])


def _replace_grouping_call(
    aggregate: ResolvedExpression,
    keys: tuple[ResolvedExpression, ...],
    named: list[int],
    has_sets: bool,
    changed: Mapping[ResolvedExpression, ResolvedExpression] = MappingProxyType({}),
) -> ResolvedExpression:
    """Return GROUPING of a key or GROUPING_ID of all keys over the keys themselves, any other aggregate unchanged.

    ``changed`` maps keys as written to the keys that replace them.
    """
    if not isinstance(aggregate, Call) or aggregate.function not in KEY_FUNCTIONS:
        return aggregate
    name = aggregate.function.sql_name
    if not has_sets:
        raise ValidationException(
            message(
                "{name} says by which keys a group of {GROUPING_SETS} is grouped. A plain {GROUP_BY} has one set of "
                "keys.",
                name=name,
            ),
            condition="UNSUPPORTED_GROUPING_EXPRESSION",
            part=aggregate,
        )
    given = [
        keys[named[part.index]]
        if isinstance(part, FieldReference) and part.input_index == 1
        else changed.get(part, part)
        for part in aggregate.arguments
    ]
    shown = listing([key.as_summary_string() for key in keys])
    if aggregate.function is GROUPING_ID:
        if given and tuple(given) != keys:
            raise ValidationException(
                message(
                    "{name} takes all keys, [{shown}] in this order. {advice}.",
                    name=name,
                    shown=shown,
                    advice=Term("For a single key, use grouping", f"For these, write {_sum_of_grouping(given)}"),
                ),
                condition="GROUPING_ID_COLUMN_MISMATCH",
                part=aggregate,
            )
        return call(GROUPING_ID, keys)
    if given[0] not in keys:
        given = [Equivalents(keys).find(part) or part for part in given]
    if given[0] not in keys:
        raise ValidationException(
            f"{name} is of a key, but {given[0].as_summary_string()} is none of [{shown}].",
            condition="GROUPING_COLUMN_MISMATCH",
            part=aggregate,
        )
    return call(GROUPING, given)


def replace_grouping_by_zero(
    expression: ResolvedExpression, keys: tuple[ResolvedExpression, ...]
) -> ResolvedExpression:
    """Replace GROUPING and GROUPING_ID of keys by 0, for rows that are grouped once, by all keys."""

    def told(part: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(part, Call) or part.function not in KEY_FUNCTIONS:
            return None
        known = part.arguments in ((), keys) if part.function is GROUPING_ID else part.arguments[0] in keys
        return literal(0, part.data_type) if known else None

    return replace(expression, told)


def _make_ungrouped_error(column: FieldReference, keys: tuple[str, ...]) -> ValidationException:
    shown, quoted = ColumnName(column.name), ColumnName(column.name, is_quoted=True)
    reference = f"col({column.name!r})"
    most = Term(f"{reference}.max", message("MAX({column})", column=quoted))
    if not keys:
        return ValidationException(
            message(
                "Cannot resolve field [{column}]: beside an aggregate, a {select} without {GROUP_BY} gives one row for "
                "all rows. Aggregate the column, for example with {most}, or {group}.",
                column=shown,
                select=Term("select", "SELECT"),
                most=most,
                group=Term(
                    f"group by it: group_by({reference}).select(…)", message("add GROUP BY {column}", column=quoted)
                ),
            ),
            condition="MISSING_GROUP_BY",
            part=column,
        )
    return ValidationException(
        message(
            "Cannot resolve field [{column}]: it is neither a key of {GROUP_BY} nor inside of an aggregate. The keys "
            "are [{keys}]. Aggregate the column, for example with {most}, or add it to {GROUP_BY}.",
            column=shown,
            keys=ColumnNames(keys),
            most=most,
        ),
        condition="MISSING_AGGREGATION",
        part=column,
    )


def _window_test(
    keys: tuple[ResolvedExpression, ...], key_names: tuple[str | None, ...]
) -> Callable[[ResolvedExpression], bool]:
    """Return a predicate: whether an expression is the start, end or row time of a window among the keys."""
    windows: set[ResolvedExpression] = {key for key in keys if is_time_window(key)}
    if not windows:
        return lambda part: False
    named = [(key, name) for key, name in zip(keys, key_names, strict=True) if name is not None]
    windows |= {FieldReference(n, k.data_type, 1, i) for i, (k, n) in enumerate(named) if k in windows}

    def is_property(part: ResolvedExpression) -> bool:
        part = window_end(part) or part
        return isinstance(part, Call) and part.function is GET and part.arguments[0] in windows

    return is_property


def _outermost(
    expressions: tuple[ResolvedExpression, ...], is_property: Callable[[ResolvedExpression], bool]
) -> list[ResolvedExpression]:
    """Return the distinct aggregate calls and window properties in the order in which they appear.

    Raises:
        ValidationException: an aggregate contains another one.
    """
    found: dict[ResolvedExpression, None] = {}
    seen: set[ResolvedExpression] = set()
    for expression in expressions:
        stack = [expression]
        while stack:
            part = stack.pop()
            if part in seen:
                continue
            seen.add(part)
            if is_aggregate(part):
                refuse_nested(part)
                refuse_in_aggregate(part)
                found[part] = None
            elif is_property(part):
                found[part] = None
            else:
                stack.extend(reversed(part.children))
    return list(found)


def refuse_nested(aggregate: ResolvedExpression) -> None:
    """Refuse an aggregate over another aggregate or over an OVER call.

    Raises:
        ValidationException: an argument contains an aggregate or an OVER call.
    """
    for argument in aggregate.children:
        if not argument.contents & (AGGREGATE | OVER):
            continue
        for part in argument.walk():
            if isinstance(part, Over):
                raise ValidationException(
                    message(
                        "{part} is computed over a window, inside of the aggregate {aggregate}. {SELECT_FIRST}, and "
                        "aggregate that.",
                        part=Summary(part),
                        aggregate=Summary(aggregate),
                    ),
                    part=part,
                )
            if is_aggregate(part):
                raise ValidationException(
                    message(
                        "It's not allowed to use an aggregate function as input of another aggregate function: {part} "
                        "in {aggregate}. {INNER_FIRST}, and aggregate that.",
                        part=Summary(part),
                        aggregate=Summary(aggregate),
                    ),
                    condition="NESTED_AGGREGATE_FUNCTION",
                    part=part,
                )


def _column_names(suggested: list[str | None], are_aggregates: list[bool]) -> tuple[str, ...]:
    """Return the names of the columns: the suggested names for keys, ``EXPR$`` and a number for all others.

    Window properties, which are not columns here, count in the numbering of the aggregates, as in Flink.
    """
    names = Names(name for name in suggested if name is not None)
    chosen: list[str] = []
    number = 0
    for name in suggested:
        if name is None:
            name = names.generate("EXPR$", number)
            number += 1
        chosen.append(name)
    chosen += [names.generate("EXPR$", number + i) for i, is_column in enumerate(are_aggregates) if is_column]
    return tuple(chosen)


def _generate_property_names(
    expressions: tuple[ResolvedExpression, ...],
    given: tuple[str | None, ...],
    lifted: list[ResolvedExpression],
    first_number: int,
) -> tuple[str | None, ...]:
    """Return the given names, with a generated name for each window property that is selected without a name."""
    numbers = {part: first_number + i for i, part in enumerate(lifted) if not is_aggregate(part)}
    names = Names(name for name in given if name is not None)
    return tuple(
        [
            names.generate("EXPR$", numbers[expression]) if name is None and expression in numbers else name
            for expression, name in zip(expressions, given, strict=True)
        ]
    )


def _keys_as_columns(
    input: QueryOperation, keys: tuple[ResolvedExpression, ...]
) -> tuple[QueryOperation, tuple[ResolvedExpression, ...]]:
    """Project keys to columns of the input if GROUP BY cannot hold them: constants, subqueries and RAND().

    GROUP BY 1 would mean the first column. The text of a key is written twice: nested subqueries would double the text
    with each level, and a nondeterministic call would have two values.
    """
    if not any(map(is_column_first, keys)):
        return input, keys
    columns = input.schema.columns
    references = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(columns)]
    projections: list[ResolvedExpression] = list(references)
    names = list(input.schema.names)
    unique = Names(names)
    replaced: list[ResolvedExpression] = []
    for key in keys:
        if is_column_first(key):
            names.append(unique.generate("EXPR$", len(replaced)))
            replaced.append(FieldReference(names[-1], key.data_type, 0, len(projections)))
            projections.append(key)
        else:
            replaced.append(key)
    return Project(input, tuple(projections), tuple(names)), tuple(replaced)


def is_column_first(key: ResolvedExpression) -> bool:
    """Whether a key has to be computed by a projection below the aggregation."""
    if isinstance(key, ValueLiteral) or key.contents & QUERY:
        return True
    return nondeterministic_call(key) is not None
