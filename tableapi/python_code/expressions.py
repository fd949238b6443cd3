"""Write resolved expressions as code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ir import types as t
from ir.call_expressions import Call, Over
from ir.errors import TableException, ValidationException
from ir.expressions import (
    FieldReference,
    Lambda,
    LambdaVariable,
    OuterReference,
    ResolvedExpression,
    SortOrder,
    SymbolLiteral,
    TypeLiteral,
    ValueLiteral,
)
from ir.frames import Direction, Frame, FrameBound, FrameUnit
from ir.functions import arithmetic as ar
from ir.functions import (
    collection,
    conversion,
    intervals,
    json,
    json_paths,
    logic,
    string,
    subquery,
    temporal,
    time_units,
)
from ir.functions import comparison as cmp
from ir.functions.aggregate import COUNT, GROUPING_ID
from ir.functions.calendar_fields import CALENDAR_FIELD
from ir.functions.definition import Fluent, FunctionDefinition
from ir.functions.json_table import JSON_TABLE
from ir.functions.time_window import window_end
from ir.identifiers import path_text
from ir.nodes import post_order
from ir.operations.operation import QueryOperation, TableReference
from ir.rewriting import variables_in
from ir.unresolved import UnresolvedLambda, UnresolvedVariable
from serializer.hidden_names import is_hidden
from tableapi.expression import unwrap, wrap
from tableapi.members.symbols import TimeIntervalUnit
from tableapi.python_code import spelling
from tableapi.python_code.code import (
    BINARY_OPERATORS,
    Code,
    Name,
    Precedence,
    attribute,
    binary,
    import_name,
    invoke,
    lambda_,
    method,
    name,
    unary,
    variable,
)
from tableapi.python_code.literals import (
    MAX_DEPTH,
    data_type,
    function,
    greatest_field,
    number_of_units,
    python_value,
    text,
    unit_of,
    write_expression,
    write_plain,
)

# An expression that is used several times gets a variable if its code is longer than this.
_LONG = 60
_LONG_WINDOW = 40
# The most conditions that are joined by & or |; more of them become arguments of and_ or or_.
_MOST_OPERANDS = 6


class ExpressionWriter:
    """Writes the expressions of one operation.

    Args:
        table: returns the code of a query within an expression.
        outer: returns the code of the table of an outer query that has a column.
        roots: the expressions.
        names: suggested names for the variables of expressions that are used more than once.
    """

    def __init__(
        self,
        table: Callable[[QueryOperation], Code],
        outer: Callable[[OuterReference], Code],
        roots: Sequence[ResolvedExpression],
        names: Sequence[str | None] = (),
    ) -> None:
        self._table = table
        self._outer = outer
        self._done: dict[ResolvedExpression, Code] = {}
        self._uses: Counter[ResolvedExpression] = Counter()
        self._windows: dict[tuple[object, ...], Code] = {}
        self._window_uses: Counter[tuple[object, ...]] = Counter()
        # For each part of a lambda, the variables that only its body defines.
        self._free: dict[ResolvedExpression, frozenset[LambdaVariable]] = {}
        self._variables: dict[LambdaVariable, Name] = {}
        self._names = {e: n for e, n in zip(roots, names, strict=False) if n is not None}
        seen: set[ResolvedExpression] = set()
        for root in roots:
            self._uses[root] += 1
            if root not in seen:
                for part in post_order(root, _operands):
                    if part not in seen:
                        seen.add(part)
                        free = variables_in(part, self._free)
                        if free:
                            self._free[part] = free
                        if isinstance(part, Over):
                            self._window_uses[part.partition_by, part.order_by, part.frame] += 1
                        self._uses.update(_operands(part))

    def expression(self, root: ResolvedExpression) -> Code:
        """Return the code of an expression.

        Raises:
            TableException: the API cannot build the expression.
        """
        for part in post_order(root, _operands):
            if part not in self._done and not _is_part_of_name(part):
                self._done[part] = self._shorten(part, self._write(part))
        return self._done[root]

    def _shorten(self, part: ResolvedExpression, code: Code) -> Code:
        if isinstance(part, SortOrder | Lambda) or part in self._free:
            return code
        shared = self._uses[part] > 1 and code.weight > _LONG
        if not shared and code.depth < MAX_DEPTH:
            return code
        suggestion = "condition" if isinstance(part.data_type, t.BooleanType) else "expression"
        return variable(self._names.get(part, suggestion), code)

    def _write(self, part: ResolvedExpression) -> Code:
        if isinstance(part, FieldReference):
            # col("*") would mean all columns.
            return invoke(function("with_columns" if part.name == "*" else "col"), text(part.name))
        if isinstance(part, ValueLiteral):
            return write_expression(part)
        if isinstance(part, OuterReference):
            return method(self._outer(part), "outer", text(part.name))
        if isinstance(part, TableReference):
            return self._table(part.operation)
        if isinstance(part, TypeLiteral):
            return data_type(part.type_)
        if isinstance(part, SymbolLiteral):
            kind, member = spelling.symbols()[part.symbol]
            return attribute(import_name(kind, "tableapi"), member)
        if isinstance(part, SortOrder):
            return self._order(part)
        if isinstance(part, Over):
            return method(self._call(part.call), "over", self._window(part))
        if isinstance(part, LambdaVariable):
            return self._variable(part)
        if isinstance(part, Lambda):
            return self._lambda(part)
        assert isinstance(part, Call), type(part)
        if any(isinstance(argument, Lambda) for argument in part.arguments) and not self._fits_python(part):
            return invoke(function("call_sql"), text(part.as_serializable_string()))
        return self._call(part)

    # --- lambdas -----------------------------------------------------------------------------------------------------

    def _variable(self, variable: LambdaVariable) -> Name:
        found = self._variables.get(variable)
        if found is None:
            value = wrap(UnresolvedVariable(variable.name))
            found = self._variables[variable] = name(variable.name, value)
        return found

    def _lambda(self, part: Lambda) -> Code:
        parameters = [self._variable(parameter) for parameter in part.parameters]
        body = self._argument(part.body)
        written: Any = tuple([unwrap(parameter.value) for parameter in parameters])
        return lambda_(parameters, body, wrap(UnresolvedLambda(written, unwrap(body.value))))

    def _fits_python(self, call: Call) -> bool:
        """Whether the lambdas of a call can be Python lambdas: all parameters are valid names, and nesting is limited.

        Lambdas within another lambda always pass, because the outermost one decides how all of them are written.
        """
        if call in self._free:
            return True
        if any(self._done[argument].depth > MAX_DEPTH for argument in call.arguments):
            return False
        inside = [part for part in call.walk() if isinstance(part, Lambda)]
        return all(spelling.is_free_name(p.name) for one in inside for p in one.parameters)

    # --- arguments ---------------------------------------------------------------------------------------------------

    def _argument(self, part: ResolvedExpression) -> Code:
        """Return the code of an argument; a constant is a plain Python value if that is enough."""
        if isinstance(part, ValueLiteral) and not part.is_null:
            return write_plain(part) or self._done[part]
        return self._done[part]

    def _arguments(self, parts: Iterable[ResolvedExpression]) -> list[Code]:
        return [self._argument(part) for part in parts]

    # --- calls -------------------------------------------------------------------------------------------------------

    def _call(self, call: Call) -> Code:
        code = self._bare(call)
        if call.distinct:
            code = attribute(code, "distinct")
        if call.order_by:
            code = method(code, "within_group", *[self._done[order] for order in call.order_by])
        if call.ignore_nulls:
            code = attribute(code, "ignore_nulls")
        if call.respect_nulls:
            code = attribute(code, "respect_nulls")
        return code if call.filter is None else method(code, "where", self._done[call.filter])

    def _bare(self, call: Call) -> Code:
        special = _SPECIAL.get(call.function)
        if special is not None:
            made = special(self, call)
            if made is not None:
                return made
        symbol = spelling.binary_operators().get(call.function)
        if symbol is not None and len(call.arguments) >= 2:
            made = self._operation(symbol, call)
            if made is not None:
                return made
        symbol = spelling.unary_operators().get(call.function)
        if symbol is not None:
            return unary(symbol, self._done[call.arguments[0]])
        form = spelling.form_of(call.function, len(call.arguments))
        if form is None:
            return self._write_by_name(call)
        if form.kind is Fluent.FUNCTION:
            return invoke(function(form.name), *self._arguments(call.arguments))
        receiver, *others = call.arguments
        if form.kind is Fluent.PROPERTY:
            return attribute(self._done[receiver], form.name)
        return method(self._done[receiver], form.name, *self._arguments(others))

    def _write_by_name(self, call: Call) -> Code:
        called = _path_of(call.function)
        return invoke(function("call"), text(called), *self._arguments(call.arguments))

    def _operation(self, symbol: str, call: Call) -> Code | None:
        if call.function is ar.PLUS and any(isinstance(a.data_type, t.CharacterType) for a in call.arguments):
            # For strings, the operator + concatenates.
            return None
        if call.function in (logic.AND, logic.OR) and len(call.arguments) > _MOST_OPERANDS:
            name = "and_" if call.function is logic.AND else "or_"
            return invoke(function(name), *self._arguments(call.arguments))
        first, *others = call.arguments
        code = self._write_left_operand(symbol, first, others[0])
        for other in others:
            code = self._join_operands(symbol, code, other)
        return code

    def _write_left_operand(self, symbol: str, left: ResolvedExpression, right: ResolvedExpression) -> Code:
        """Return the left operand, as a plain Python value only if Python then uses the operator of the right one."""
        arithmetic = BINARY_OPERATORS[symbol].precedence >= Precedence.ADDITIVE
        if arithmetic and isinstance(left, ValueLiteral) and isinstance(left.value, int | float | str):
            value = write_plain(left)
            if value is not None and not (symbol == "%" and isinstance(left.value, str)):
                return value if not isinstance(right, ValueLiteral) else self._done[left]
        return self._done[left]

    def _join_operands(self, symbol: str, left: Code, right: ResolvedExpression) -> Code:
        # Linters complain about ``== True``.
        is_truth = isinstance(right.data_type, t.BooleanType)
        return binary(symbol, left, self._done[right] if is_truth else self._argument(right))

    # --- windows over rows -------------------------------------------------------------------------------------------

    def _order(self, order: SortOrder) -> Code:
        code = self._done[order.expression]
        if order.nulls_first is order.ascending:
            return code if order.ascending else attribute(code, "desc")
        directed = attribute(code, "asc" if order.ascending else "desc")
        return attribute(directed, "nulls_first" if order.nulls_first else "nulls_last")

    def _window(self, over: Over) -> Code:
        key = (over.partition_by, over.order_by, over.frame)
        code = self._windows.get(key)
        if code is None:
            code = self._new_window(over)
            if self._window_uses[key] > 1 and code.weight > _LONG_WINDOW:
                code = variable("window", code)
            self._windows[key] = code
        return code

    def _new_window(self, over: Over) -> Code:
        code: Code = import_name("Over", "tableapi.window")
        if over.partition_by or not over.order_by:
            code = method(code, "partition_by", *[self._done[key] for key in over.partition_by])
        if over.order_by:
            code = method(code, "order_by", *[self._done[order] for order in over.order_by])
        if over.frame is None:
            return code
        frame = over.frame
        in_units = _fits_units(frame)
        code = method(code, "preceding", _write_bound(frame.unit, frame.lower, Direction.PRECEDING, in_units))
        if frame.upper.direction is Direction.CURRENT_ROW:
            return code
        return method(code, "following", _write_bound(frame.unit, frame.upper, Direction.FOLLOWING, in_units))


def _is_part_of_name(part: ResolvedExpression) -> bool:
    """Whether a keyword is part of a method's name, as in ``trim_leading``, instead of an argument."""
    return isinstance(part, SymbolLiteral) and part.symbol not in spelling.symbols()


def _operands(part: ResolvedExpression) -> Sequence[ResolvedExpression]:
    return part.children


def _fits_units(frame: Frame) -> bool:
    """Whether the API infers the interval types of a frame if each bound is written as a number of its own unit."""
    offsets = [bound.offset for bound in (frame.lower, frame.upper) if bound.offset is not None]
    if any(offset.is_null for offset in offsets):
        return False
    fields = [field for offset in offsets for field in (greatest_field(offset),) if field is not None]
    kinds = [offset.data_type for offset in offsets]
    return bool(fields) and all(
        isinstance(kind, t.IntervalType) and (kind.start, kind.end) == (min(fields), max(fields)) for kind in kinds
    )


def _write_bound(unit: FrameUnit, bound: FrameBound, side: Direction, in_units: bool) -> Code:
    suffix = "ROW" if unit is FrameUnit.ROWS else "RANGE"
    if bound.offset is None:
        name = "CURRENT" if bound.direction is Direction.CURRENT_ROW else "UNBOUNDED"
        return function(f"{name}_{suffix}")
    offset = bound.offset
    if offset.is_null:
        missing = write_expression(offset)
        return missing if isinstance(offset.data_type, t.IntervalType) else invoke(function("range_interval"), missing)
    if isinstance(offset.data_type, t.IntervalType):
        code = number_of_units(offset) if in_units else write_expression(offset)
        return code if bound.direction is side else unary("-", code)
    value = offset.value if bound.direction is side else -offset.value
    name = "row_interval" if unit is FrameUnit.ROWS else "range_interval"
    return invoke(function(name), python_value(value))


# --- functions that need special code --------------------------------------------------------------------------------

Special = Callable[[Any, Call], Code | None]


def _write_as_function(name: str, arguments: slice = slice(None)) -> Special:
    return lambda writer, call: invoke(function(name), *writer._arguments(call.arguments[arguments]))


def _write_as_method(name: str) -> Special:
    return lambda writer, call: method(writer._done[call.arguments[0]], name, *writer._arguments(call.arguments[1:]))


def _concatenation(writer: ExpressionWriter, call: Call) -> Code | None:
    has_text = any(isinstance(a.data_type, t.CharacterType) for a in call.arguments)
    if len(call.arguments) == 2 and has_text:
        first, second = call.arguments
        return writer._join_operands("+", writer._write_left_operand("+", first, second), second)
    return invoke(function("concat"), *writer._arguments(call.arguments))


def _count(writer: ExpressionWriter, call: Call) -> Code | None:
    only = call.arguments[0]
    rows = len(call.arguments) == 1 and isinstance(only, ValueLiteral) and only is ValueLiteral(1, t.INT.not_null())
    return attribute(invoke(function("col"), text("*")), "count") if rows and not call.distinct else None


def _grouping_id(writer: ExpressionWriter, call: Call) -> Code | None:
    # The fluent API only has the grouping_id of all keys.
    return invoke(function("grouping_id"))


def _multiplication(writer: ExpressionWriter, call: Call) -> Code | None:
    amount, factor = call.arguments
    unit = unit_of(factor)
    constant = isinstance(amount, ValueLiteral)
    return None if unit is None or constant else attribute(writer._done[amount], unit)


def _write_trim(writer: ExpressionWriter, call: Call) -> Code | None:
    side, receiver, *characters = call.arguments
    assert isinstance(side, SymbolLiteral)
    name = {"BOTH": "trim", "LEADING": "trim_leading", "TRAILING": "trim_trailing"}[side.symbol]
    return method(writer._done[receiver], name, *writer._arguments(characters))


def _write_extract(writer: ExpressionWriter, call: Call) -> Code | None:
    unit, source = call.arguments
    assert isinstance(unit, SymbolLiteral)
    member = attribute(import_name("TimeIntervalUnit", "tableapi"), TimeIntervalUnit(unit.symbol).name)
    return method(writer._done[source], "extract", member)


def _write_rounding(name: str) -> Special:
    """Return the writer for a method that takes a time unit."""

    def write(writer: ExpressionWriter, call: Call) -> Code | None:
        time, unit = call.arguments
        assert isinstance(unit, SymbolLiteral)
        member = attribute(import_name("TimeIntervalUnit", "tableapi"), unit.symbol)
        return method(writer._done[time], name, member)

    return write


def _write_in_units(name: str) -> Special:
    """Return the writer for a function whose first argument is a TimePointUnit."""

    def write(writer: ExpressionWriter, call: Call) -> Code | None:
        unit, *others = call.arguments
        assert isinstance(unit, SymbolLiteral)
        member = attribute(import_name("TimePointUnit", "tableapi"), unit.symbol)
        return invoke(function(name), member, *writer._arguments(others))

    return write


def _field(writer: ExpressionWriter, call: Call) -> Code | None:
    row, name = call.arguments
    assert isinstance(name, ValueLiteral)
    if name.value in ("start", "end") and isinstance(row, FieldReference):
        return attribute(writer._done[row], name.value)
    return method(writer._done[row], "get", text(name.value))


def _difference(writer: ExpressionWriter, call: Call) -> Code | None:
    end = window_end(call)
    if isinstance(end, Call) and end.function is collection.GET and isinstance(end.arguments[0], FieldReference):
        try:
            return attribute(writer._done[end.arguments[0]], "rowtime")
        except ValidationException:
            return None
    return None


def _row(writer: ExpressionWriter, call: Call) -> Code | None:
    if not call.arguments:
        return invoke(function("call"), text("named_struct"))
    names = [name.value for name in call.arguments[::2] if isinstance(name, ValueLiteral)]
    values = call.arguments[1::2]
    shown = [
        writer._argument(value) if name == f"f{i}" else method(writer._done[value], "alias", text(name))
        for i, (name, value) in enumerate(zip(names, values, strict=True))
    ]
    code = invoke(function("row"), *shown)
    row: Any = unwrap(code.value)
    made = [part.value for part in row.arguments[::2]]
    if made == names:
        return code
    every = [method(writer._done[v], "alias", text(n)) for n, v in zip(names, values, strict=True)]
    return invoke(function("row"), *every)


def _json(writer: ExpressionWriter, call: Call) -> Code | None:
    on_null, *rest = call.arguments
    assert isinstance(on_null, SymbolLiteral)
    member = attribute(import_name("JsonOnNull", "tableapi"), on_null.symbol)
    made = "json_object" if call.function is json.JSON_OBJECT else "json_array"
    return invoke(function(made), member, *writer._arguments(rest))


def _is_json(kind: str) -> Special:
    member = [attribute(import_name("JsonType", "tableapi"), kind)] if kind else []
    return lambda writer, call: method(writer._done[call.arguments[0]], "is_json", *member)


def _json_exists(writer: ExpressionWriter, call: Call) -> Code | None:
    value, path, on_error = call.arguments
    assert isinstance(on_error, SymbolLiteral)
    member = attribute(import_name("JsonExistsOnError", "tableapi"), on_error.symbol)
    chosen = [] if on_error.symbol == "FALSE" else [member]
    return method(writer._done[value], "json_exists", *writer._arguments([path]), *chosen)


def _json_value(writer: ExpressionWriter, call: Call) -> Code | None:
    value, path, target, default = call.arguments
    named: dict[str, Code] = {}
    if not isinstance(target.data_type, t.StringType):
        named["returning_type"] = data_type(target.data_type)
    if isinstance(default, SymbolLiteral):
        named["on_error"] = attribute(import_name("JsonValueOnEmptyOrError", "tableapi"), default.symbol)
    elif not isinstance(default.data_type, t.NullType):
        named["on_error"] = attribute(import_name("JsonValueOnEmptyOrError", "tableapi"), "DEFAULT")
        (named["default_on_error"],) = writer._arguments([default])
    return method(writer._done[value], "json_value", *writer._arguments([path]), **named)


def _json_query(writer: ExpressionWriter, call: Call) -> Code | None:
    value, path, target, wrapper, on_error = call.arguments
    assert isinstance(wrapper, SymbolLiteral)
    assert isinstance(on_error, SymbolLiteral)
    named: dict[str, Code] = {}
    if wrapper.symbol != "WITHOUT":
        member = f"{wrapper.symbol}_ARRAY"
        named["wrapping_behavior"] = attribute(import_name("JsonQueryWrapper", "tableapi"), member)
    if on_error.symbol != "NULL":
        member = on_error.symbol.replace(" ", "_")
        is_lax = isinstance(path, ValueLiteral) and json_paths.is_lax(path.value)
        clause = "on_empty" if is_lax else "on_error"
        named[clause] = attribute(import_name("JsonQueryOnEmptyOrError", "tableapi"), member)
    if not isinstance(target.data_type, t.StringType):
        named["returning_type"] = data_type(target.data_type)
    return method(writer._done[value], "json_query", *writer._arguments([path]), **named)


def _reject_outside_sql(writer: ExpressionWriter, call: Call) -> Code | None:
    raise TableException(f"the fluent API has no {call.function.sql_name}, whose columns are words of SQL.")


_SPECIAL: dict[FunctionDefinition, Special] = {
    JSON_TABLE: _reject_outside_sql,
    string.CONCAT: _concatenation,
    string.TRIM: _write_trim,
    COUNT: _count,
    GROUPING_ID: _grouping_id,
    ar.TIMES: _multiplication,
    ar.MINUS: _difference,
    temporal.EXTRACT: _write_extract,
    CALENDAR_FIELD: _write_extract,
    time_units.FLOOR_TO: _write_rounding("floor"),
    time_units.CEIL_TO: _write_rounding("ceil"),
    intervals.TIMESTAMP_ADD: _write_in_units("timestamp_add"),
    intervals.TIMESTAMP_DIFF: _write_in_units("timestamp_diff"),
    collection.GET: _field,
    collection.ROW: _row,
    collection.AT: _write_as_method("at"),
    collection.ARRAY: _write_as_function("array"),
    collection.MAP: _write_as_function("map_"),
    conversion.CAST: _write_as_method("cast"),
    conversion.TRY_CAST: _write_as_method("try_cast"),
    cmp.IN: _write_as_method("in_"),
    cmp.LIKE: _write_as_method("like"),
    json.IS_JSON: _is_json(""),
    json.IS_JSON_ARRAY: _is_json("ARRAY"),
    json.IS_JSON_OBJECT: _is_json("OBJECT"),
    json.IS_JSON_SCALAR: _is_json("SCALAR"),
    json.JSON_ARRAY: _json,
    json.JSON_EXISTS: _json_exists,
    json.JSON_OBJECT: _json,
    json.JSON_QUERY: _json_query,
    json.JSON_VALUE: _json_value,
    subquery.EXISTS: _write_as_function("exists"),
    subquery.SCALAR: _write_as_function("scalar"),
}


def _path_of(definition: FunctionDefinition) -> str:
    """Return the name with which ``call`` finds a function."""
    identifier = definition.user_code.identifier
    if identifier is not None and not identifier.is_system:
        return path_text(identifier.parts)
    name = definition.sql_name.lower()
    if definition.user_code.identifier is None and is_hidden(name):
        return f"system.builtin.{name}"
    return path_text((name,))
