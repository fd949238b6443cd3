"""Extract the aggregate calls of a SELECT list into an Aggregate below a Project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ir.call_expressions import Call, Over
from ir.calls import call, is_aggregate
from ir.column_references import column_references
from ir.contents import AGGREGATE, CHANGES, CHANGING, OUTER, OVER, QUERY
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
from ir.records import record
from ir.resolution.naming import choose_output_names, derive_name
from ir.resolution.subqueries import require_outer_columns
from ir.rewriting import rename_outer_columns, replace
from ir.runtime_errors import may_fail
from ir.summaries import ColumnName, ColumnNames, Summary


@record(eq=False, repr=False)
class GroupKeys:
    """The keys of an aggregation.

    Attributes:
        expressions: the keys, over the columns of the input.
        names: the given name of each key. A reference with input index 1 refers to a key with a given name.
        sets: the grouping sets, None for groups by all keys.
    """

    expressions: tuple[ResolvedExpression, ...] = ()
    names: tuple[str | None, ...] = ()
    sets: GroupingSets | None = None

    def named(self) -> list[int]:
        """Return the positions of the keys with a given name."""
        return [i for i, name in enumerate(self.names) if name is not None]

    def suggested_names(self) -> list[str | None]:
        """Return the column name of each key, None if one is to be generated."""
        return [name or derive_name(key) for key, name in zip(self.expressions, self.names, strict=True)]


def select_aggregated(
    input: QueryOperation,
    keys: GroupKeys,
    expressions: tuple[ResolvedExpression, ...],
    given: tuple[str | None, ...],
    having: ResolvedExpression | None = None,
    asked: Mapping[str, Call] = MappingProxyType({}),
) -> QueryOperation:
    """Return a projection to ``expressions`` over the aggregation of ``input`` by ``keys``.

    In the expressions, aggregates and keys refer to the columns of ``input``. Groups for which ``having`` is not TRUE
    are dropped. ``given`` are the names of the expressions. ``asked`` maps names to the aggregates to which subqueries
    refer by these names.

    Raises:
        ValidationException: an aggregate contains another one, or a column is neither a key nor inside an aggregate.
    """
    conditions = () if having is None else (having,)
    lifted = _outermost((*expressions, *conditions, *asked.values()), _window_test(keys))
    if having is None:
        aggregation = _as_aggregation(input, keys, expressions, given, [part for part in lifted if is_aggregate(part)])
        if aggregation is not None:
            return aggregation
    given = _generate_property_names(expressions, given, lifted, keys)
    return _aggregate(input, keys, lifted, asked).select(expressions, given, having)


def _as_aggregation(
    input: QueryOperation,
    keys: GroupKeys,
    expressions: tuple[ResolvedExpression, ...],
    given: tuple[str | None, ...],
    aggregates: list[ResolvedExpression],
) -> QueryOperation | None:
    """Return the aggregation if the expressions are all keys, then all aggregates, each with a name; None otherwise."""
    every = keys.expressions
    if expressions != (*every, *aggregates) or any(map(is_column_first, every)):
        return None
    # An expression without an alias refers to the first of equal keys.
    if None in given and len(set(every)) < len(every):
        return None
    names = _collect_column_names(expressions, given)
    if names is None:
        return None
    named, has_sets = keys.named(), keys.sets is not None
    calls = tuple([_replace_grouping_call(aggregate, every, named, has_sets) for aggregate in aggregates])
    return _group(input, every, calls, names, keys.sets) if len(set(calls)) == len(calls) else None


def _aggregate(
    input: QueryOperation, keys: GroupKeys, lifted: list[ResolvedExpression], asked: Mapping[str, Call]
) -> _Groups:
    """Aggregate the input by the keys; ``lifted`` are the aggregate calls and window properties over its rows."""
    given_keys = keys.expressions
    names = _column_names(keys.suggested_names(), [is_aggregate(part) for part in lifted])
    input, columns_of_keys = _keys_as_columns(input, given_keys)
    changed = {old: new for old, new in zip(given_keys, columns_of_keys, strict=True) if old is not new}
    named, has_sets = keys.named(), keys.sets is not None
    aggregates = [part for part in lifted if is_aggregate(part)]
    resolved = [_replace_grouping_call(a, columns_of_keys, named, has_sets, changed) for a in aggregates]
    # GROUPING_ID() and GROUPING_ID of all keys resolve to one aggregate.
    made = tuple(dict.fromkeys(resolved))
    count = len(columns_of_keys)
    if len(made) < len(resolved):
        names = (*names[:count], *[names[count + resolved.index(aggregate)] for aggregate in made])
    positions = _find_positions(keys, columns_of_keys)
    place = {aggregate: count + i for i, aggregate in enumerate(made)}
    positions.update({a: place[r] for a, r in zip(aggregates, resolved, strict=True)})
    generated = [n for n, g in zip(names, (*keys.names, *[None] * len(made)), strict=True) if g is None]
    operation = _group(input, columns_of_keys, made, names, keys.sets)
    return _Groups(operation, keys, columns_of_keys, positions, asked, frozenset(generated))


def _find_positions(keys: GroupKeys, columns_of_keys: tuple[ResolvedExpression, ...]) -> dict[ResolvedExpression, int]:
    """Return the position of each key, by the key as written and by the column that replaces it."""
    positions: dict[ResolvedExpression, int] = {}
    # An expression refers to the first of equal keys without an alias; a key with an alias is found by the alias.
    for i in sorted(range(len(columns_of_keys)), key=lambda i: (keys.names[i] is None, -i)):
        positions[columns_of_keys[i]] = i
        # A constant equals its key, unless some grouping set lacks the key, which is NULL there.
        is_same = keys.sets is None and isinstance(keys.expressions[i], ValueLiteral)
        if not is_same and not changes_at_each_evaluation(keys.expressions[i]):
            positions[keys.expressions[i]] = i
    return positions


class _Groups:
    """The groups of an aggregation, over which a SELECT list and HAVING are evaluated.

    Args:
        operation: the aggregation.
        keys: the keys as written.
        columns_of_keys: the keys by which the operation groups.
        positions: the position of the column of each key and aggregate.
        asked: the aggregates to which subqueries refer by name.
        generated: the column names that were generated.
    """

    def __init__(
        self,
        operation: QueryOperation,
        keys: GroupKeys,
        columns_of_keys: tuple[ResolvedExpression, ...],
        positions: dict[ResolvedExpression, int],
        asked: Mapping[str, Call],
        generated: frozenset[str],
    ) -> None:
        self._operation = operation
        self._columns = column_references(operation.schema)
        self._keys = columns_of_keys
        self._key_names = operation.schema.names[: len(columns_of_keys)]
        self._named = keys.named()
        self._positions = positions
        self._asked = asked
        self._generated = generated
        self._equivalents = Equivalents(key for key in columns_of_keys if not changes_at_each_evaluation(key))
        self._replace = replace
        if keys.sets is not None:
            # A key that some grouping set lacks is nullable, and so is each expression computed from it.
            from ir.resolution.typing import replace_and_type

            self._replace = replace_and_type

    def select(
        self,
        expressions: tuple[ResolvedExpression, ...],
        given: tuple[str | None, ...],
        having: ResolvedExpression | None,
    ) -> QueryOperation:
        """Return a projection to the expressions, over the groups for which ``having`` is TRUE."""
        projections = tuple([self._evaluate(expression) for expression in expressions])
        names = choose_output_names(projections, given, self._generated)
        if having is None:
            return project(self._operation, projections, names)
        if projections == tuple(self._columns):
            # Evaluate the condition over the columns under their final names, like a filter after the select.
            self._operation = self._operation.with_names(names) or self._operation
            self._columns = column_references(self._operation.schema)
            projections = tuple(self._columns)
        condition = self._evaluate(having)
        if any(map(may_fail, projections)):
            selected = project(self._operation, projections, names)
            condition_above = _rewrite_having(condition, projections, selected)
            if condition_above is not None:
                return Filter(selected, condition_above)
        return project(Filter(self._operation, condition), projections, names)

    def _evaluate(self, expression: ResolvedExpression) -> ResolvedExpression:
        """Return an expression over the columns of the groups."""
        evaluated = self._replace(expression, self._find)
        # A subquery beside the aggregates sees the groups, not the rows of the input.
        require_outer_columns(evaluated, (self._operation.schema,))
        return evaluated

    def _find(self, part: ResolvedExpression) -> ResolvedExpression | None:
        position = self._positions.get(part)
        if position is None:
            position = self._positions.get(self._equivalents.find(part) or part)
        if position is not None:
            return self._columns[position]
        if isinstance(part, FieldReference):
            if part.input_index == 1:
                return self._columns[self._named[part.index]]
            raise _make_ungrouped_error(part, self._key_names)
        if isinstance(part, TableReference) and part.operation.contents & OUTER:
            return self._rename_outer_columns(part)
        return None

    def _rename_outer_columns(self, query: TableReference) -> ResolvedExpression | None:
        """Rename the outer columns of a subquery, which are keys and aggregates, to the columns of the groups."""
        keys = enumerate(self._keys)
        called = {key.name: self._columns[i].name for i, key in keys if isinstance(key, FieldReference)}
        called |= {name: self._columns[self._positions[aggregate]].name for name, aggregate in self._asked.items()}
        changed = {before: after for before, after in called.items() if before != after}
        return TableReference(rename_outer_columns(query.operation, changed)) if changed else None


def _group(
    input: QueryOperation,
    keys: tuple[ResolvedExpression, ...],
    aggregates: tuple[ResolvedExpression, ...],
    names: tuple[str, ...],
    grouping_sets: GroupingSets | None,
) -> QueryOperation:
    if input.contents & CHANGES:
        from ir.resolution.retractions import refuse_retractions

        refuse_retractions(input, (*keys, *aggregates))
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


def _window_test(keys: GroupKeys) -> Callable[[ResolvedExpression], bool]:
    """Return a predicate: whether an expression is the start, end or row time of a window among the keys."""
    windows: set[ResolvedExpression] = {key for key in keys.expressions if is_time_window(key)}
    if not windows:
        return lambda part: False
    named = [(key, name) for key, name in zip(keys.expressions, keys.names, strict=True) if name is not None]
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
    keys: GroupKeys,
) -> tuple[str | None, ...]:
    """Return the given names, with a generated name for each window property that is selected without a name."""
    first_number = keys.suggested_names().count(None)
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
