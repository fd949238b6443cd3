"""Functions that pass on a part of an argument, or let an argument only decide: what each part of a result reads.

Every other function reads its arguments whole, as a transformation or an aggregation, which never misses an influence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ir.call_expressions import Call
from ir.expressions import Lambda, ResolvedExpression, ValueLiteral
from ir.functions import aggregate, arrays, collection, conversion, higher_order, logic, maps, string, subquery, window
from ir.functions.definition import FunctionDefinition
from ir.lineage.influences import Influence
from ir.lineage.paths import WHOLE, Path, Step, field_path, translate
from ir.lineage.reads import ROWS, Read
from ir.operations.operation import TableReference
from ir.types import ArrayType, LogicalType, MapType, RowType

Rule = Callable[[Call, Path], "list[Read] | None"]
"""Returns what a part of a call reads; None for all arguments as a whole."""

_COPY, _MADE, _DECIDES = Influence.IDENTITY, Influence.TRANSFORMATION, Influence.CONDITIONAL


def _whole(arguments: Iterable[ResolvedExpression], influence: Influence = _MADE) -> list[Read]:
    return [Read(argument, WHOLE, influence) for argument in arguments]


def _like(call: Call, argument: ResolvedExpression, path: Path, influence: Influence = _COPY) -> Read:
    """Return the read of an argument whose value has the type of the result, but for casts."""
    return Read(argument, translate(path, call.data_type, argument.data_type), influence)


# --- rows, arrays and maps -------------------------------------------------------------------------------------------


def _field(call: Call, path: Path) -> list[Read] | None:
    row, name = call.arguments
    assert isinstance(name, ValueLiteral)
    if isinstance(row.data_type, RowType):
        return [Read(row, (*_named(row.data_type, name.value), *path))]
    if not isinstance(row.data_type, ArrayType):
        return None
    # The field of each row of an array.
    step = _named(row.data_type.element, name.value)
    if path and path[0] is Step.SIZE:
        return [Read(row, path)]
    if path:
        return [Read(row, (Step.ELEMENT, *step, *path[1:]))]
    return [Read(row, (Step.ELEMENT, *step), _MADE), Read(row, (Step.SIZE,), _MADE)]


def _named(row: LogicalType, name_or_index: object) -> Path:
    assert isinstance(row, RowType)
    if isinstance(name_or_index, int):
        return field_path(row, name_or_index)
    return field_path(row, row.field_index(str(name_or_index))[0])


def _item(call: Call, path: Path) -> list[Read] | None:
    array = call.arguments[0]
    others = _whole(call.arguments[1:], _DECIDES)
    if isinstance(array.data_type, ArrayType):
        kind = array.data_type.element
        return [Read(array, (Step.ELEMENT, *translate(path, call.data_type, kind))), *others]
    if isinstance(array.data_type, MapType):
        kind = array.data_type.value
        value = Read(array, (Step.VALUE, *translate(path, call.data_type, kind)))
        return [value, Read(array, (Step.KEY,), _DECIDES), *others]
    return None


def _row(call: Call, path: Path) -> list[Read] | None:
    assert isinstance(call.data_type, RowType)
    if not path:
        return None
    for position in range(len(call.data_type.fields)):
        if field_path(call.data_type, position) == path[:1]:
            return [_inside(call.arguments[2 * position + 1], path[1:], call.data_type.children[position])]
    return None


def _inside(argument: ResolvedExpression, path: Path, kind: LogicalType, influence: Influence = _COPY) -> Read:
    """Return the read of an argument that became a part of the given type."""
    return Read(argument, translate(path, kind, argument.data_type), influence)


def _array(call: Call, path: Path) -> list[Read] | None:
    assert isinstance(call.data_type, ArrayType)
    if not path:
        return None
    if path[0] is Step.SIZE:
        return []
    return [_inside(argument, path[1:], call.data_type.element) for argument in call.arguments]


def _map(call: Call, path: Path) -> list[Read] | None:
    assert isinstance(call.data_type, MapType)
    if not path:
        return None
    if path[0] is Step.SIZE:
        return []
    is_key = path[0] is Step.KEY
    kind = call.data_type.key if is_key else call.data_type.value
    return [_inside(argument, path[1:], kind) for argument in call.arguments[0 if is_key else 1 :: 2]]


def _concatenation(call: Call, path: Path) -> list[Read] | None:
    if not path or not isinstance(call.data_type, ArrayType):
        return None
    return [_like(call, argument, path) for argument in call.arguments]


def _size(call: Call, path: Path) -> list[Read] | None:
    kept = [isinstance(argument.data_type, ArrayType | MapType) for argument in call.arguments]
    return [Read(a, (Step.SIZE,) if k else WHOLE, _MADE) for a, k in zip(call.arguments, kept, strict=True)]


def _elements(call: Call, path: Path) -> list[Read] | None:
    """Some elements of the first argument, or all in another order, which the other arguments decide."""
    array, *others = call.arguments
    if not path or not isinstance(array.data_type, ArrayType):
        return None
    return [_like(call, array, path), *_whole(others, _DECIDES)]


def _compared_elements(call: Call, path: Path) -> list[Read] | None:
    """Some elements of the first argument, or all in another order, which the elements themselves decide, too."""
    found = _elements(call, path)
    return None if found is None else [*found, Read(call.arguments[0], WHOLE, _DECIDES)]


def _flattened(call: Call, path: Path) -> list[Read] | None:
    (arrays_,) = call.arguments
    if not path:
        return None
    if path[0] is Step.SIZE:
        return [Read(arrays_, (Step.ELEMENT, Step.SIZE), _MADE)]
    return [Read(arrays_, (Step.ELEMENT, *path))]


def _part_of_map(step: Step) -> Rule:
    def rule(call: Call, path: Path) -> list[Read] | None:
        (given,) = call.arguments
        if not path:
            return [Read(given, (step,), _MADE)]
        return [Read(given, path if path[0] is Step.SIZE else (step, *path[1:]))]

    return rule


def _entries(call: Call, path: Path) -> list[Read] | None:
    (given,) = call.arguments
    if len(path) < 2:
        return None
    assert isinstance(call.data_type, ArrayType)
    is_key = field_path(call.data_type.element, 0) == path[1:2]
    return [Read(given, (Step.KEY if is_key else Step.VALUE, *path[2:]))]


def _map_of_arrays(call: Call, path: Path) -> list[Read] | None:
    if not path:
        return None
    keys, values = call.arguments
    if path[0] is Step.SIZE:
        return [Read(keys, path)]
    return [Read(values if path[0] is Step.VALUE else keys, (Step.ELEMENT, *path[1:]))]


def _map_of_entries(call: Call, path: Path) -> list[Read] | None:
    (entries,) = call.arguments
    if not path or not isinstance(entries.data_type, ArrayType):
        return None
    if path[0] is Step.SIZE:
        return [Read(entries, path)]
    field = field_path(entries.data_type.element, 1 if path[0] is Step.VALUE else 0)
    return [Read(entries, (Step.ELEMENT, *field, *(path[1:] if field else WHOLE)))]


def _zipped(call: Call, path: Path) -> list[Read] | None:
    assert isinstance(call.data_type, ArrayType)
    if len(path) < 2:
        return None
    row = call.data_type.element
    sizes = [Read(argument, (Step.SIZE,), _DECIDES) for argument in call.arguments]
    for position, argument in enumerate(call.arguments):
        if field_path(row, position) == path[1:2]:
            return [Read(argument, (Step.ELEMENT, *path[2:])), *sizes]
    return None


# --- choices ---------------------------------------------------------------------------------------------------------


def _case(call: Call, path: Path) -> list[Read]:
    pairs = len(call.arguments) // 2 * 2
    results = [*call.arguments[1:pairs:2], *call.arguments[pairs:]]
    chosen = [_like(call, result, path, _MADE) for result in results]
    return [*chosen, *_whole(call.arguments[:pairs:2], _DECIDES)]


def _first_not_null(call: Call, path: Path) -> list[Read]:
    chosen = [_like(call, argument, path, _MADE) for argument in call.arguments]
    return [*chosen, *_whole(call.arguments[:-1], _DECIDES)]


def _unless_equal(call: Call, path: Path) -> list[Read]:
    return [_like(call, call.arguments[0], path, _MADE), *_whole(call.arguments, _DECIDES)]


def _cast(call: Call, path: Path) -> list[Read]:
    return [_like(call, call.arguments[0], path, _MADE)]


# --- subqueries ------------------------------------------------------------------------------------------------------


def _exists(call: Call, path: Path) -> list[Read]:
    return [Read(argument, WHOLE, _MADE, ROWS) for argument in call.arguments]


def _scalar(call: Call, path: Path) -> list[Read]:
    (table,) = call.arguments
    assert isinstance(table, TableReference)
    return [Read(table, translate(path, call.data_type, table.operation.schema.types[0]), _COPY, 0)]


# --- lambdas ---------------------------------------------------------------------------------------------------------


def _body(
    function: ResolvedExpression,
    path: Path,
    influence: Influence,
    *given: tuple[ResolvedExpression, Path] | None,
) -> list[Read]:
    """Return the read of a lambda's body; ``given`` are the parts to which its parameters are bound, if any."""
    if not isinstance(function, Lambda):
        return _whole((function,), influence)
    bound = tuple([(p, *part) for p, part in zip(function.parameters, given, strict=False) if part is not None])
    return [Read(function.body, path, influence, bindings=bound)]


def _element(array: ResolvedExpression) -> tuple[ResolvedExpression, Path]:
    return array, (Step.ELEMENT,)


def _key_and_value(given: ResolvedExpression) -> tuple[tuple[ResolvedExpression, Path], ...]:
    return (given, (Step.KEY,)), (given, (Step.VALUE,))


def _transformed(call: Call, path: Path) -> list[Read]:
    array, function = call.arguments
    size = Read(array, (Step.SIZE,), _MADE)
    if path and path[0] is Step.SIZE:
        return [size]
    made = _body(function, path[1:], _COPY if path else _MADE, _element(array))
    return made if path else [*made, size]


def _filtered(call: Call, path: Path) -> list[Read]:
    array, function = call.arguments
    kept = _like(call, array, path, _COPY if path else _MADE)
    return [kept, *_body(function, WHOLE, _DECIDES, _element(array))]


def _tested(call: Call, path: Path) -> list[Read]:
    array, function = call.arguments
    return [*_body(function, WHOLE, _MADE, _element(array)), Read(array, (Step.SIZE,), _MADE)]


def _accumulated(call: Call, path: Path) -> list[Read]:
    # The accumulator depends on what start and merge read.
    array, start, merge, *finish = call.arguments
    found = [*_whole((start,)), *_body(merge, WHOLE, _MADE, None, _element(array)), Read(array, (Step.SIZE,), _MADE)]
    return [*found, *(read for function in finish for read in _body(function, WHOLE, _MADE))]


def _zipped_by(call: Call, path: Path) -> list[Read]:
    left, right, function = call.arguments
    sizes = [Read(array, (Step.SIZE,), _MADE) for array in (left, right)]
    if path and path[0] is Step.SIZE:
        return sizes
    made = _body(function, path[1:], _COPY if path else _MADE, _element(left), _element(right))
    # The shorter array is extended, so the elements depend on both lengths.
    return [*made, *sizes]


def _sorted_by(call: Call, path: Path) -> list[Read] | None:
    if len(call.arguments) == 1:
        return _compared_elements(call, path)
    array, function = call.arguments
    decides = _body(function, WHOLE, _DECIDES, _element(array), _element(array))
    return [_like(call, array, path, _COPY if path else _MADE), *decides]


def _filtered_map(call: Call, path: Path) -> list[Read]:
    given, function = call.arguments
    kept = _like(call, given, path, _COPY if path else _MADE)
    return [kept, *_body(function, WHOLE, _DECIDES, *_key_and_value(given))]


def _mapped(step: Step) -> Rule:
    def rule(call: Call, path: Path) -> list[Read]:
        given, function = call.arguments
        made = _body(function, path[1:], _COPY if path else _MADE, *_key_and_value(given))
        if not path:
            other = Step.VALUE if step is Step.KEY else Step.KEY
            return [*made, Read(given, (other,), _MADE)]
        return made if path[0] is step else [Read(given, path)]

    return rule


def _zipped_maps(call: Call, path: Path) -> list[Read]:
    left, right, function = call.arguments
    keys = [Read(given, (Step.KEY,), _MADE) for given in (left, right)]
    if path and path[0] is not Step.VALUE:
        return [Read(read.expression, (Step.KEY, *(path[1:] if path[0] is Step.KEY else ())), _MADE) for read in keys]
    values = [(given, (Step.VALUE,)) for given in (left, right)]
    return [*_body(function, path[1:], _COPY if path else _MADE, (left, (Step.KEY,)), *values), *keys]


# --- aggregates and windows ------------------------------------------------------------------------------------------


def _picked(call: Call, path: Path) -> list[Read]:
    return [_like(call, call.arguments[0], path), *_whole(call.arguments[1:], _DECIDES)]


def _most_frequent(call: Call, path: Path) -> list[Read] | None:
    if not call.arguments:
        return None
    found = _picked(call, path)
    return [*found, Read(call.arguments[0], WHOLE, _DECIDES)] if path else found


def _picked_by(call: Call, path: Path) -> list[Read] | None:
    value, *keys = call.arguments
    if len(keys) > 1:
        # With a count, the result is an array.
        found = _collected(call, path)
        return None if found is None else [*found, *_whole(keys, _DECIDES)]
    return [_like(call, value, path), *_whole(keys, _DECIDES)]


def _collected(call: Call, path: Path) -> list[Read] | None:
    value = call.arguments[0]
    assert isinstance(call.data_type, ArrayType)
    if not path or path[0] is Step.SIZE:
        return None
    return [_inside(value, path[1:], call.data_type.element)]


def _collected_once(call: Call, path: Path) -> list[Read] | None:
    found = _collected(call, path)
    return None if found is None else [*found, Read(call.arguments[0], WHOLE, _DECIDES)]


def _neighbour(call: Call, path: Path) -> list[Read]:
    value, *others = call.arguments
    default = [_like(call, argument, path, _MADE) for argument in others[1:2]]
    return [_like(call, value, path), *default, *_whole(others[:1], _DECIDES)]


RULES: dict[FunctionDefinition, Rule] = {
    collection.GET: _field,
    **dict.fromkeys((collection.ITEM, collection.AT, arrays.ARRAY_GET, arrays.ELEMENT_AT), _item),
    collection.ROW: _row,
    collection.ARRAY: _array,
    collection.MAP: _map,
    **dict.fromkeys((collection.CARDINALITY, arrays.ARRAY_SIZE), _size),
    string.CONCAT: _concatenation,
    **dict.fromkeys((arrays.REVERSE, arrays.SLICE, arrays.SHUFFLE), _elements),
    **dict.fromkeys(
        (
            arrays.ARRAY_COMPACT,
            arrays.ARRAY_DISTINCT,
            arrays.SORT_ARRAY,
            arrays.ARRAY_EXCEPT,
            arrays.ARRAY_INTERSECT,
            arrays.ARRAY_REMOVE,
        ),
        _compared_elements,
    ),
    arrays.FLATTEN: _flattened,
    arrays.ARRAYS_ZIP: _zipped,
    maps.MAP_KEYS: _part_of_map(Step.KEY),
    maps.MAP_VALUES: _part_of_map(Step.VALUE),
    maps.MAP_ENTRIES: _entries,
    maps.MAP_FROM_ARRAYS: _map_of_arrays,
    maps.MAP_FROM_ENTRIES: _map_of_entries,
    logic.CASE: _case,
    **dict.fromkeys((logic.COALESCE, logic.IF_NULL), _first_not_null),
    logic.NULLIF: _unless_equal,
    conversion.CAST: _cast,
    subquery.EXISTS: _exists,
    subquery.SCALAR: _scalar,
    higher_order.TRANSFORM: _transformed,
    higher_order.FILTER: _filtered,
    **dict.fromkeys((higher_order.ARRAY_EXISTS, higher_order.FORALL), _tested),
    higher_order.AGGREGATE: _accumulated,
    higher_order.ZIP_WITH: _zipped_by,
    higher_order.ARRAY_SORT: _sorted_by,
    higher_order.MAP_FILTER: _filtered_map,
    higher_order.TRANSFORM_KEYS: _mapped(Step.KEY),
    higher_order.TRANSFORM_VALUES: _mapped(Step.VALUE),
    higher_order.MAP_ZIP_WITH: _zipped_maps,
    **dict.fromkeys((aggregate.FIRST_VALUE, aggregate.LAST_VALUE, aggregate.ANY_VALUE), _picked),
    **dict.fromkeys((aggregate.MAX_BY, aggregate.MIN_BY), _picked_by),
    aggregate.MODE: _most_frequent,
    aggregate.ARRAY_AGG: _collected,
    aggregate.COLLECT_SET: _collected_once,
    **dict.fromkeys((window.LAG, window.LEAD), _neighbour),
    window.NTH_VALUE: _picked,
}
"""The functions with a rule of their own."""
