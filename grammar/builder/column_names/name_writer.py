"""Writes each kind of expression as Spark shows it in the name of a column without an alias."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from grammar import syntax as s
from grammar.builder.column_names import display_times as names_of_times
from grammar.builder.column_names.display_calls import display_by_type, order_arguments
from grammar.builder.column_names.display_functions import display_function_name, find_display_rules, is_cast_function
from grammar.builder.column_names.display_parts import (
    COLLECTING,
    Joined,
    Plain,
    argument_of,
    display_row,
    fallback_text,
    field_text,
    frame_parts,
    has_parts,
    is_schema_of_map,
    keys_within_group,
    like_parts,
    mode_parts,
    negate_parts,
    quote_if_needed,
    separate,
    trim_parts,
    when_parts,
)
from grammar.builder.column_names.display_values import (
    ORDERED,
    WHOLE_OPERATORS,
    constant_text,
    next_whole,
    strip_parentheses,
)
from grammar.builder.expressions import calls
from grammar.builder.expressions.field_names import field_name
from grammar.builder.expressions.literals import number
from grammar.builder.expressions.named_windows import merge_base_windows
from grammar.builder.expressions.operands import is_value_of_query
from grammar.builder.expressions.variant_paths import name_of, path_of
from grammar.builder.paths import path_in_parentheses
from grammar.builder.select.stars import star_of
from grammar.identifier_clause import is_identifier_clause
from ir import light_attrs as attrs
from ir.functions.builtins import BUILT_INS
from ir.identifiers import fold
from ir.types import (
    DOUBLE,
    ArrayType,
    BytesType,
    DecimalType,
    IntegralType,
    IntervalType,
    NullType,
    NumericType,
    RowType,
    StringType,
)

if TYPE_CHECKING:
    from collections.abc import Set

    from grammar.builder.clause_names import ClauseNames
    from grammar.language import Language
    from grammar.lexemes import Token
    from ir.functions.definition import FunctionDefinition
    from ir.types import LogicalType


class Names(Protocol):
    """The interface by which the writer asks about the query whose columns get names."""

    language: Language
    text: str
    identifier: Callable[[s.Call], s.Path]
    written_functions: Mapping[int, FunctionDefinition]
    separate_patterns: Set[int]

    def path(self, node: s.Path, names: ClauseNames | None) -> str:
        """Return the display form of a column and its fields, without the relation before it."""

    def literal(self, node: Any) -> str:
        """Return a constant's display form."""

    def parameter(self, node: s.Parameter | s.JoinedText) -> str | None:
        """Return the display form of a parameter's value, None if it is not a constant."""

    def operations(self, operands: list[Any], operators: list[Token]) -> Any:
        """Group a chain of operators by precedence."""

    def type_of(self, node: Any, names: ClauseNames | None) -> LogicalType | None:
        """Return the type of a part, None if it is not known."""

    def type_name(self, target: s.TypeName | LogicalType) -> str:
        """Return a type as Spark shows it in a cast."""

    def outer_columns(self, query: Any) -> str:
        """Return the outer columns that a subquery refers to, separated by commas."""


@attrs.frozen(eq=False)
class Binary:
    """A binary operator and its operands, after grouping by precedence."""

    left: Any
    symbol: str
    right: Any


def _halve(symbol: str, operands: list[Any]) -> Any:
    """Group a chain of AND or OR in halves, as Spark does with every chain."""
    if len(operands) == 1:
        return operands[0]
    half = (len(operands) + 1) // 2
    return Binary(_halve(symbol, operands[:half]), symbol, _halve(symbol, operands[half:]))


@attrs.frozen(eq=False)
class _Inside:
    """A part of a lambda's body, in which some names are parameters."""

    node: Any
    variables: frozenset[str]


class NameWriter:
    """Returns the display text of each kind of syntax node, as a list of strings and child nodes."""

    def __init__(self, output: Names, names: ClauseNames | None, collations: Mapping[str, str]) -> None:
        self._output = output
        self._names = names
        self._collations = collations

    def parts(self, node: Any) -> list[Any]:
        """Return the text of a node as a list of strings and of child nodes to be written in between."""
        if type(node) is _Inside:
            while type(node.node) is _Inside:
                node = _Inside(node.node.node, node.variables | node.node.variables)
            if isinstance(node.node, s.Path) and fold(node.node.names[0].text) in node.variables:
                fields = "".join(f".{name.text}" for name in node.node.names[1:])
                return [f"namedlambdavariable(){fields}"]
            inner = self.parts(node.node)
            return [part if isinstance(part, str) else _Inside(part, node.variables) for part in inner]
        write = _WRITERS.get(type(node))
        return [fallback_text(node)] if write is None else write(self, node)

    # --- leaves ------------------------------------------------------------------------------------------------------

    def path(self, node: s.Path) -> list[Any]:
        return [self._output.path(node, self._names)]

    def literal(self, node: Any) -> list[Any]:
        text = self._output.literal(node)
        collation = self._collations.get(text) if type(node) is s.Text else None
        if collation is None:
            return [text]
        quoted = text.replace("\\", "\\\\").replace("'", "\\'")
        return [f"'{quoted}' collate {collation}"]

    def star(self, node: s.Star) -> list[Any]:
        if self._names is None:
            return ["*"]
        return [", ".join(column.name for column in star_of(node, self._names))]

    def parameter(self, node: s.Parameter | s.JoinedText) -> list[Any]:
        # Spark substitutes the values of parameters before it generates names.
        shown = self._output.parameter(node)
        if shown is None:
            shown = f":{node.key}" if isinstance(node, s.Parameter) and node.key else "?"
        return [shown]

    def word(self, node: s.Word) -> list[Any]:
        return [node.text]

    def variant_path(self, node: s.VariantPath) -> list[Any]:
        path = path_of(node, self._output.language)
        field = name_of(path)
        return ["variant_get(", node.base, f", {path})", "" if field is None else f" AS {field}"]

    # --- operators ---------------------------------------------------------------------------------------------------

    def operation(self, node: s.Operation) -> list[Any]:
        return [self._output.operations(node.operands, node.operators)]

    def binary(self, node: Binary) -> list[Any]:
        left, symbol, right = node.left, node.symbol, node.right
        symbol = {"!>": "<=", "!<": ">="}.get(symbol, symbol)
        if symbol == "||":
            return ["concat(", left, ", ", right, ")"]
        if symbol in ("<>", "!="):
            return ["(NOT (", left, " = ", right, "))"]
        if symbol in ("+", "-", "*", "/"):
            types = [self._output.type_of(side, self._names) for side in (left, right)]
            found = names_of_times.operation(left, symbol, right, *types)
            if found is not None:
                return found
        if symbol in ORDERED:
            left, right = self._widen_beside_decimal(left, symbol, right)
            if right is None:
                return [left]
        shown = {"==": "=", "DIV": "div"}.get(symbol, symbol)
        return ["(", left, f" {shown} ", right, ")"]

    def _widen_beside_decimal(self, left: Any, symbol: str, right: Any) -> tuple[Any, Any]:
        """Return the operands of a comparison. Spark replaces a decimal beside an integer by the next integer.

        If the comparison is constant for every whole number, the left side is the result and the right side is None.
        """
        for value, node, on_right in ((self._decimal(right), left, True), (self._decimal(left), right, False)):
            if value is not None and self._is_whole(node):
                whole = next_whole(value, symbol, on_right)
                return (whole, None) if whole in ("true", "false") else (left, whole) if on_right else (whole, right)
        return left, right

    def _decimal(self, node: Any) -> Decimal | None:
        """Return the value of a decimal literal, None for any other node."""
        node = strip_parentheses(node)
        negative = isinstance(node, s.Signed) and node.sign == "-"
        written = node.operand if isinstance(node, s.Signed) and negative else node
        if type(written) is not s.Number:
            return None
        constant = number(written, self._output.language, negative=negative)
        return constant.value if isinstance(constant.data_type, DecimalType) else None

    def _is_whole(self, root: Any) -> bool:
        """Whether an expression is known to be an integer: a constant, a column, a cast, or an operation on these."""
        pending = [root]
        while pending:
            node = strip_parentheses(pending.pop())
            if isinstance(node, Binary) and node.symbol in WHOLE_OPERATORS:
                pending += [node.left, node.right]
            elif isinstance(node, s.Operation) and all(o.text.upper() in WHOLE_OPERATORS for o in node.operators):
                pending += node.operands
            elif not isinstance(self._output.type_of(node, self._names), IntegralType):
                return False
        return True

    def logical(self, node: s.Logical) -> list[Any]:
        groups: list[list[Any]] = [[node.operands[0]]]
        for token, operand in zip(node.connectives, node.operands[1:], strict=True):
            if token.text.upper() == "AND":
                groups[-1].append(operand)
            else:
                groups.append([operand])
        return [_halve("OR", [_halve("AND", group) for group in groups])]

    def negation(self, node: s.Not) -> list[Any]:
        return ["(NOT ", node.operand, ")"]

    def signed(self, node: s.Signed) -> list[Any]:
        if node.sign == "-" and type(node.operand) is s.Number:
            return [constant_text(number(node.operand, self._output.language, negative=True))]
        return [node.sign, node.operand] if node.sign == "~" else [f"({node.sign} ", node.operand, ")"]

    def parenthesised(self, node: s.Parenthesised) -> list[Any]:
        return [node.inner]

    def case(self, node: s.Case) -> list[Any]:
        parts: list[Any] = ["CASE"]
        for condition, result in node.branches:
            tested = [condition] if node.operand is None else ["(", node.operand, " = ", condition, ")"]
            parts += [" WHEN ", *tested, " THEN ", result]
        if node.otherwise is not None:
            parts += [" ELSE ", node.otherwise]
        return [*parts, " END"]

    # --- predicates --------------------------------------------------------------------------------------------------

    def predicate(self, node: s.Predicate) -> list[Any]:
        operands, negated = node.operands, node.negated
        if node.kind == "is_null":
            return ["(", operands[0], f" IS{' NOT' if negated else ''} NULL)"]
        if node.kind == "is_truth":
            if node.detail == "UNKNOWN":
                # Spark rewrites IS UNKNOWN as IS NULL, except for the constants TRUE and FALSE.
                kept = "UNKNOWN" if isinstance(strip_parentheses(operands[0]), s.Boolean) else "NULL"
                return ["(", operands[0], f" IS{' NOT' if negated else ''} {kept})"]
            return negate_parts(["(", operands[0], f" <=> {node.detail.lower()})"], negated)
        if node.kind == "is_distinct":
            return negate_parts(["(", operands[0], " <=> ", operands[1], ")"], not negated)
        if node.kind == "like_any":
            operator, quantifier = node.detail.split()
            if id(node) in self._output.separate_patterns:
                return self._separate(operands, operator, quantifier == "ALL", negated)
            name = f"{'not' if negated else ''}like{'all' if quantifier == 'ALL' else 'any'}("
            lowered = ["lower(", operands[0], ")"] if operator == "ILIKE" else [operands[0]]
            return [name, *lowered, ")"]
        return negate_parts(self._positive(node), negated)

    def _separate(self, operands: list[Any], operator: str, of_all: bool, negated: bool) -> list[Any]:
        """Split a comparison with several patterns into one comparison for each, joined by AND or OR."""
        value, right = operands
        made: Any = None
        for pattern in right.items if isinstance(right, s.Row) else [right]:
            test = s.Predicate(value.position, "like", negated, [value, pattern], operator)
            made = test if made is None else Binary(made, "AND" if of_all else "OR", test)
        return [made]

    def _positive(self, node: s.Predicate) -> list[Any]:
        operands = node.operands
        if node.kind == "between":
            return ["between(", *separate(self._quote_literals(operands)), ")"]
        if node.kind == "in":
            value, right = operands
            if isinstance(right, s.ScalarSubquery) and not is_value_of_query(right, self._output.text):
                if isinstance(value, s.Call) and value.function.parts == ("struct",):
                    value = s.Row(value.position, value.arguments)
                shown = [value]
                if isinstance(value, s.Row):
                    shown = display_row(value, self._column, self._output.literal)
                return ["(", *shown, f" IN (listquery({self._output.outer_columns(right.query)})))"]
            items = right.items if isinstance(right, s.Row) else [right]
            return ["(", value, " IN (", *separate(items), "))"]
        if node.kind == "like":
            if node.detail in ("RLIKE", "REGEXP"):
                return ["RLIKE(", *separate(operands[:2]), ")"]
            if node.detail == "ILIKE":
                return ["ilike(", *separate(operands[:2]), ")"]
            return like_parts(operands)
        return [f"{node.kind}(", *separate(operands), ")"]

    def _column(self, path: s.Path) -> str | None:
        """Return the name of a column or of a field, as written; None for any other path."""
        scope = None if self._names is None else self._names.scope
        while scope is not None:
            found = scope.column(path)
            if found is not None:
                return ".".join([name.text for name in path.names[-1 - len(found[1]) :]])
            scope = scope.parent
        return None

    # --- calls -------------------------------------------------------------------------------------------------------

    def _quote_literals(self, arguments: Sequence[Any]) -> list[Any]:
        """Write string literals in quotes, for a call that Spark replaces but whose constants it shows as written."""
        return [self._output.literal(argument) if type(argument) is s.Text else argument for argument in arguments]

    def call(self, node: s.Call) -> list[Any]:
        name = fold(node.function.names[-1].text)
        arguments = list(node.arguments)
        function = self._output.written_functions.get(id(node))
        if function is not None:
            text = self._write_shown_call(node, function.user_code.called or name, order_arguments(arguments, function))
            return [*text, *self._condition(node)]
        if node.form == "query":
            return [f"exists({self._output.outer_columns(node.arguments[0])})"]
        if name in ("cast", "try_cast") and arguments and isinstance(arguments[0], s.Typed):
            typed = arguments[0]
            if has_parts(typed.target):
                return [typed.expression]
            return [f"{name.upper()}(", typed.expression, f" AS {self._output.type_name(typed.target)})"]
        if len(arguments) == 1 and is_cast_function(name):
            return [arguments[0]]
        if calls.window_name(node) is not None:
            return [name]
        if name == "div" and len(arguments) == 2:
            return ["(", arguments[0], " div ", arguments[1], ")"]
        if name == "if":
            return ["(IF(", *separate(arguments), "))"]
        if name == "when" and len(arguments) > 1:
            return when_parts(arguments)
        if name == "log" and len(arguments) == 1:
            return ["LOG(E(), ", arguments[0], ")"]
        if name == "assert_true" and len(arguments) == 1:
            return ["assert_true(", arguments[0], ", '", arguments[0], "' is not true!)"]
        if name == "raise_error" and len(arguments) == 1:
            return ["raise_error(USER_RAISED_EXCEPTION, map(errorMessage, ", arguments[0], "))"]
        of_time = names_of_times.display_time_call(node, lambda part: self._output.type_of(part, self._names))
        if of_time is not None:
            return of_time
        if name in ("trim", "ltrim", "rtrim"):
            return trim_parts(node, name, arguments)
        if name == "position" and len(arguments) == 1 and isinstance(arguments[0], s.Predicate):
            return ["locate(", *separate(arguments[0].operands), ", 1)"]
        if name == "substr" and node.form == "from":
            name = "substring"
        is_star = len(arguments) == 1 and isinstance(arguments[0], s.Star) and arguments[0].left_out is None
        if name == "count" and is_star and node.quantifier != "DISTINCT":
            arguments = ["1"]
        if name == "identifier" and is_identifier_clause(node):
            return [self._output.path(self._output.identifier(node), self._names)]
        if name == "like":
            return like_parts(arguments)
        own = find_display_rules(name)
        if own.as_written:
            arguments = self._quote_literals(arguments)
        if name == "named_struct":
            arguments[::2] = self._quote_literals(arguments[::2])
        if name == "collate" and len(arguments) == 2 and type(arguments[1]) is s.Text:
            return ["collate(", arguments[0], f", {self._output.literal(arguments[1]).rpartition('.')[2]})"]
        if name == "from_json" and len(arguments) > 1 and is_schema_of_map(arguments[1]):
            return ["entries"]
        if own.around is not None:
            before, after = own.around
            return [before, arguments[0], after, *arguments[1:]]
        return self._write_plain_call(node, name, arguments)

    def _write_plain_call(self, node: s.Call, name: str, arguments: list[Any]) -> list[Any]:
        arguments = order_arguments(arguments, BUILT_INS.find(name))
        name, arguments = display_by_type(
            name, arguments, lambda argument: self._output.type_of(argument, self._names), self._output.literal
        )
        of_bytes = name == "to_varchar" and isinstance(self._output.type_of(arguments[0], self._names), BytesType)
        is_own = of_bytes or (name in ("ceil", "floor") and len(arguments) > 1)
        shown = name if is_own else display_function_name(name)
        ignores = node.nulls == "IGNORE"
        flag = arguments[2] if name == "nth_value" and len(arguments) == 3 else None
        ignores = ignores or (isinstance(flag, s.Boolean) and flag.value)
        if ignores and name in ("first", "first_value", "last", "last_value", "lead", "lag", "any_value"):
            shown, ignores = shown.removesuffix("_value") if name != "any_value" else shown, False
        if node.nulls == "RESPECT" and name in ("first_value", "last_value"):
            # With RESPECT NULLS, Spark shows first_value as first.
            shown = shown.removesuffix("_value")
        if name == "string_agg" and node.within_group is not None:
            shown = "listagg"
        if name == "mode" and (node.within_group is not None or len(arguments) == 2):
            return mode_parts(node, arguments)
        own = find_display_rules(name)
        arguments = arguments[: own.shown_arguments]
        filled = own.defaults
        if len(arguments) < len(filled):
            collation = self._collation(arguments[0]) if own.collates_defaults and arguments else ""
            arguments += [
                f"'{text}'{collation}" if collation and text != "NULL" else text
                for text in filled[len(arguments) :]
                if text is not None
            ]
        text = self._write_shown_call(node, shown, arguments)
        if ignores and name not in COLLECTING:
            text.append(" ignore nulls")
        if node.nulls == "RESPECT" and name in COLLECTING:
            text.append(" RESPECT NULLS")
        if node.within_group is not None:
            text += [" WITHIN GROUP (ORDER BY ", *separate(keys_within_group(name, node.within_group)), ")"]
        return [*text, *self._condition(node)]

    def _write_shown_call(self, node: s.Call, shown: str, arguments: list[Any]) -> list[Any]:
        quantifier = "DISTINCT " if node.quantifier == "DISTINCT" else ""
        return [f"{shown}({quantifier}", *separate(map(argument_of, arguments)), ")"]

    def _condition(self, node: s.Call) -> list[Any]:
        return [] if node.filter is None else [" FILTER (WHERE ", node.filter, ")"]

    def _collation(self, node: Any) -> str:
        """Return the suffix that shows the collation of a string constant, empty for the default collation."""
        data_type = self._output.type_of(node, self._names)
        if isinstance(data_type, StringType) and data_type.has_collation:
            return f" collate {data_type.collation}"
        return ""

    def lambda_(self, node: s.Lambda) -> list[Any]:
        variables = frozenset(fold(name.text) for name in node.parameters)
        return ["lambdafunction(", _Inside(node.body, variables), ", namedlambdavariable()" * len(node.parameters), ")"]

    def sort_item(self, node: s.SortItem) -> list[Any]:
        direction = "DESC" if node.ascending is False else "ASC"
        first = node.ascending is not False if node.nulls_first is None else node.nulls_first
        return [node.expression, f" {direction} NULLS {'FIRST' if first else 'LAST'}"]

    def over(self, node: s.Over) -> list[Any]:
        windows = {} if self._names is None else self._names.windows
        window = merge_base_windows(node.window, windows, self._output.language)
        parts: list[Any] = []
        if window.partition_by:
            parts += ["PARTITION BY ", *separate(window.partition_by), " "]
        if window.order_by:
            parts += ["ORDER BY ", *separate(window.order_by), " "]
        return [node.call, " OVER (", *parts, *frame_parts(node, window, partial(self._is_cast, window)), ")"]

    def _is_cast(self, window: s.Window, distance: Any) -> bool:
        """Whether Spark casts the offset of a RANGE frame, because its type differs from that of the key."""
        keys = window.order_by or []
        if window.frame is None or window.frame.unit != "RANGE" or len(keys) != 1:
            return False
        key = self._output.type_of(keys[0].expression, self._names)
        written = self._output.type_of(distance, self._names)
        if isinstance(written, (StringType, NullType)):
            # Spark converts a signed string or NULL to a number.
            written = DOUBLE
        if not isinstance(key, (NumericType, IntervalType)) or not isinstance(written, (NumericType, IntervalType)):
            return False
        return key.as_nullable() != written.as_nullable()

    # --- values that have parts --------------------------------------------------------------------------------------

    def row(self, node: s.Row) -> list[Any]:
        fields: list[Any] = []
        for position, item in enumerate(node.items, 1):
            name, alias = f"col{position}", ""
            if isinstance(item, s.Aliased):
                name, item = item.names[0].text, item.expression
                alias = f" AS {quote_if_needed(name)}"
            else:
                name = field_name(item, self._output.language) or name
            fields += [", " if fields else "", name, ", ", item, alias]
        return ["named_struct(", *fields, ")"]

    def cast(self, node: s.Cast) -> list[Any]:
        if has_parts(node.target):
            return [node.value]
        return ["CAST(", node.value, f" AS {self._output.type_name(node.target)})"]

    def typed(self, node: s.Typed) -> list[Any]:
        name = node.target.text if isinstance(node.target, s.TypeName) else self._output.type_name(node.target)
        return [node.expression, f" AS {name}"]

    def aliased(self, node: s.Aliased) -> list[Any]:
        return [node.expression, f" AS {quote_if_needed(node.names[0].text)}"]

    def scalar(self, node: s.ScalarSubquery) -> list[Any]:
        return [f"scalarsubquery({self._output.outer_columns(node.query)})"]

    def member(self, node: s.Member) -> list[Any]:
        path = path_in_parentheses(node, self._output.language)
        if path is not None:
            return [path]
        return [node.base, field_text(self._output.type_of(node.base, self._names), node.name.text)]

    def subscript(self, node: s.Subscript) -> list[Any]:
        fields: list[str] = []
        base: Any = node
        while isinstance(base, s.Subscript) and len(base.indices) == 1 and isinstance(base.indices[0], s.Text):
            fields.append(self._output.literal(base.indices[0]))
            base = base.base
        held = self._output.type_of(base, self._names) if fields else None
        if isinstance(held.element if isinstance(held, ArrayType) else held, RowType):
            return [base, *[f".{name}" for name in reversed(fields)]]
        return [node.base, "[", *node.indices, "]"]

    def collate(self, node: s.Collate) -> list[Any]:
        return ["collate(", node.value, f", {node.collation.names[-1].text})"]


CONSTANTS = {s.Number, s.Text, s.TypedText, s.Null, s.Boolean, s.Interval}
_WRITERS: dict[type, Callable[[NameWriter, Any], list[Any]]] = {
    **dict.fromkeys(CONSTANTS, NameWriter.literal),
    s.Path: NameWriter.path,
    s.Star: NameWriter.star,
    **dict.fromkeys((s.Parameter, s.JoinedText), NameWriter.parameter),
    s.Word: NameWriter.word,
    s.Operation: NameWriter.operation,
    Binary: NameWriter.binary,
    s.Logical: NameWriter.logical,
    s.Not: NameWriter.negation,
    s.Signed: NameWriter.signed,
    s.Parenthesised: NameWriter.parenthesised,
    s.Case: NameWriter.case,
    s.VariantPath: NameWriter.variant_path,
    s.Predicate: NameWriter.predicate,
    s.Call: NameWriter.call,
    s.Lambda: NameWriter.lambda_,
    s.SortItem: NameWriter.sort_item,
    s.Over: NameWriter.over,
    s.Row: NameWriter.row,
    s.Cast: NameWriter.cast,
    s.Typed: NameWriter.typed,
    s.Aliased: NameWriter.aliased,
    s.ScalarSubquery: NameWriter.scalar,
    s.Member: NameWriter.member,
    s.Subscript: NameWriter.subscript,
    s.Collate: NameWriter.collate,
    Plain: lambda writer, node: [node.text],
    Joined: lambda writer, node: node.items,
}
