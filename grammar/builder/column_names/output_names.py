"""Generates the names of columns without an alias, as Spark does from their expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.column_names import display_times as names_of_times
from grammar.builder.column_names.display_functions import display_function_name, find_built_in, find_display_rules
from grammar.builder.column_names.display_parts import (
    field_text,
    field_type,
    occurrences_of_outer,
    outer_column,
    type_in_window,
    type_of_fields,
    window_row,
)
from grammar.builder.column_names.display_values import (
    constant_text,
    strip_casts,
    type_text,
)
from grammar.builder.column_names.name_writer import CONSTANTS, Binary, NameWriter
from grammar.builder.expressions import calls
from grammar.builder.expressions.literals import number
from grammar.builder.expressions.typed_literals import moment_of_reading, spell_typed
from grammar.builder.expressions.variant_paths import name_of, path_of
from grammar.builder.paths import is_grouping_id, path_in_parentheses
from grammar.errors import Misread
from grammar.language import Language
from grammar.lexemes import Token
from grammar.type_names import build_plain_type, read_collation
from ir.collations import BINARY_COLLATION
from ir.expressions import Expression, FieldReference, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.types import (
    STRING,
    VARIANT,
    ArrayType,
    CalendarIntervalType,
    IntervalType,
    LogicalType,
    MapType,
)
from ir.unresolved import UnresolvedCall

if TYPE_CHECKING:
    from grammar.builder.clause_names import ClauseNames
    from grammar.builder.scopes import Column, Scope

_LONGEST = 1_000_000


def _alias_before(node: s.Path, names: ClauseNames) -> Expression | None:
    """Return the expression of the lateral alias that a path denotes, None if it denotes something else."""
    name = fold(node.names[0].text)
    if name in names.keys:
        return None
    if name in names.aliases:
        return names.aliases[name] if names.scope.own(node) is None else None
    return names.generated[name] if name in names.generated and names.scope.find(node) is None else None


def _append_fields(column: Column, path: Sequence[str]) -> str:
    """Return a column and a field in it in Spark's display form."""
    shown, held = path[0], type_of_fields(column.field)
    for name in path[1:]:
        shown += field_text(held, name)
        held = field_type(held, name)
    return shown


class OutputNames:
    """Generates column names in one dialect. The walk uses a stack, so that depth is unbounded."""

    def __init__(
        self,
        language: Language,
        constant: Callable[[Any], ValueLiteral],
        parameter: Callable[[s.Parameter | s.JoinedText], ValueLiteral | None],
        identifier: Callable[[s.Call], s.Path],
        queries: Mapping[int, QueryOperation],
        written_functions: Mapping[int, FunctionDefinition],
        shown_variables: Mapping[tuple[str, ...], str],
        separate_patterns: Set[int],
        text: str,
        time_zone: str | None = None,
    ) -> None:
        self.language = language
        self.text = text
        self.identifier = identifier
        self.constant = constant
        self._parameter = parameter
        self._queries = queries
        self.written_functions = written_functions
        self._shown_variables = shown_variables
        self.separate_patterns = separate_patterns
        self._time_zone = time_zone
        self._binding = language.operators

    def of(self, node: Any, names: ClauseNames | None = None, collations: Mapping[str, str] | None = None) -> str:
        """Return the name of the column of an expression without an alias.

        ``names`` is the scope of the expression, ``collations`` maps its string constants to their collations.
        """
        node = strip_casts(node)
        if isinstance(node, s.Path):
            called = self._function_of_path(node, names)
            if is_grouping_id(node, self.language):
                return fold(node.names[0].text)
            return node.names[-1].text if called is None else called
        if isinstance(node, s.Member) and path_in_parentheses(node, self.language) is not None:
            return node.name.text
        if isinstance(node, s.VariantPath):
            field = name_of(path_of(node, self.language))
            if field is not None:
                return field
        text: list[str] = []
        writer = NameWriter(self, names, collations or {})
        stack: list[Any] = [node]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                text.append(item)
            else:
                stack.extend(reversed(writer.parts(item)))
        return "".join(text)[:_LONGEST]

    # --- names -------------------------------------------------------------------------------------------------------

    def path(self, node: s.Path, names: ClauseNames | None) -> str:
        """Return the display form of a column and its fields, without the relation before it."""
        called = self._function_of_path(node, names) or self._variable(node, names)
        if called is not None:
            return called
        if is_grouping_id(node, self.language) and names is not None and names.scope.find(node) is None:
            return "grouping_id()"
        parts = [name.text for name in node.names]
        meant = None if names is None else _alias_before(node, names)
        if names is not None and meant is not None:
            # The output of a table function is a column of the rows below.
            generated = isinstance(meant, FieldReference) and all(c.field is not meant for c in names.scope.columns)
            return parts[-1] if generated else f"lateralAliasReference({parts[-1]})"
        if names is None or (len(parts) == 1 and names.scope.parent is None):
            return parts[-1]
        if self._window_of(node, names) is not None:
            return ".".join(parts)
        scope: Scope | None = names.scope
        while scope is not None:
            try:
                found = scope.column(node)
            except Misread:
                break
            if found is not None:
                own = parts[len(parts) - len(found[1]) - 1 :]
                return _append_fields(found[0], own) if scope is names.scope else outer_column(found[0], own)
            scope = scope.parent
        return parts[-1]

    def _window_of(self, node: s.Path, names: ClauseNames | None) -> UnresolvedCall | None:
        """Return the time window that its function name denotes as a group key, None for any other name."""
        if names is None or fold(node.names[0].text) not in names.keys or names.scope.find(node) is not None:
            return None
        window = names.aliases[fold(node.names[0].text)]
        return window if isinstance(window, UnresolvedCall) else None

    def _function_of_path(self, node: s.Path, names: ClauseNames | None) -> str | None:
        """Return the display form of a niladic function such as CURRENT_DATE, None for a column."""
        if len(node.names) > 1 or node.names[0].quoted:
            return None
        name = fold(node.names[0].text)
        function = find_built_in(name)
        if function is None or name not in function.emission.bare_names:
            return None
        if not function.emission.before_columns and names is not None and names.scope.find(node) is not None:
            return None
        # Without parentheses, Spark reads USER and SESSION_USER as CURRENT_USER.
        name = "current_user" if name in ("user", "session_user") else name
        return f"{display_function_name(name)}({', '.join(t or '' for t in find_display_rules(name).defaults)})"

    def _variable(self, node: s.Path, names: ClauseNames | None) -> str | None:
        """Return the display form of a session variable, None for any other name."""
        shown = self._shown_variables.get(tuple(map(fold, node.parts))) if self._shown_variables else None
        if shown is None or names is None or fold(node.names[0].text) in names.aliases:
            return None
        return None if names.scope.find(node) is not None else shown

    # --- types -------------------------------------------------------------------------------------------------------

    def type_name(self, target: s.TypeName | LogicalType) -> str:
        """Return a type as Spark shows it in a cast."""
        collation = f" COLLATE {BINARY_COLLATION}" if isinstance(target, s.CollatedTypeName) else ""
        return type_text(self.type_of_target(target)) + collation

    def type_of_target(self, target: s.TypeName | LogicalType) -> LogicalType:
        """Return the target type of a cast."""
        if isinstance(target, LogicalType):
            return target
        return build_plain_type(Token(target.text, target.position), [], None, self.language)

    def type_of(self, node: Any, names: ClauseNames | None, depth: int = 20) -> LogicalType | None:
        """Return the type of a constant, column, cast, arithmetic with times, or certain calls, else None."""
        while isinstance(node, s.Parenthesised):
            node = node.inner
        if isinstance(node, s.Operation) and len(node.operators) == 1 and depth:
            types = [self.type_of(operand, names, depth - 1) for operand in node.operands]
            return names_of_times.type_of_operation(types[0], node.operators[0].text, types[1])
        if isinstance(node, Binary) and depth:
            left, right = (self.type_of(operand, names, depth - 1) for operand in (node.left, node.right))
            return names_of_times.type_of_operation(left, node.symbol, right)
        if type(node) in CONSTANTS:
            moment = moment_of_reading(node, self.language) if type(node) is s.TypedText else None
            return self.constant(node).data_type if moment is None else moment[1]
        if isinstance(node, s.Cast):
            return self.type_of_target(node.target)
        if isinstance(node, s.Collate):
            return STRING.evolve(collation=read_collation(node.collation))
        if isinstance(node, s.Call):
            result = find_display_rules(fold(node.function.names[-1].text)).result
            if result is not None:
                return result
        if isinstance(node, s.Call) and node.arguments and isinstance(node.arguments[0], s.Typed):
            try:
                return self.type_of_target(node.arguments[0].target)
            except Misread:
                return None
        if isinstance(node, s.Signed):
            if node.sign == "-" and isinstance(node.operand, s.Number):
                # The least number of a type fits it only with the sign.
                return number(node.operand, self.language, negative=True).data_type
            signed = self.type_of(node.operand, names, depth - 1) if depth else None
            return (
                signed
                if type(node.operand) in CONSTANTS or isinstance(signed, (IntervalType, CalendarIntervalType))
                else None
            )
        if isinstance(node, s.Path) and names is not None:
            window = self._window_of(node, names)
            if window is not None:
                return type_in_window(window, len(node.names) == 1)
            return type_of_fields(names.scope.find(node))
        if isinstance(node, s.Call) and [fold(name.text) for name in node.function.names] == ["map"]:
            values = node.arguments[1:2]
            # The display form does not depend on other value types, so that any type will do.
            return MapType(STRING, (self.type_of(values[0], names) if values else None) or VARIANT)
        if calls.window_name(node) is not None:
            return window_row(self.type_of(node.arguments[0], names)) if node.arguments else None
        if isinstance(node, s.Member):
            return field_type(self.type_of(node.base, names), node.name.text)
        if isinstance(node, s.Subscript) and len(node.indices) == 1:
            base = self.type_of(node.base, names)
            if isinstance(base, ArrayType):
                return base.element
            if type(node.indices[0]) is s.Text:
                return field_type(base, self.literal(node.indices[0]))
            return base.value if isinstance(base, MapType) else None
        return None

    # --- constants ---------------------------------------------------------------------------------------------------

    def literal(self, node: Any) -> str:
        """Return a constant's display form: strings without quotes, numbers as Java prints them."""
        if type(node) is s.TypedText and moment_of_reading(node, self.language) is not None:
            # Spark computes special strings such as 'now' when it reads the query.
            return spell_typed(node, self.language)
        return constant_text(self.constant(node), self._time_zone)

    def parameter(self, node: s.Parameter | s.JoinedText) -> str | None:
        """Return the display form of a parameter's value, None if it is not a constant."""
        value = self._parameter(node)
        return None if value is None else constant_text(value, self._time_zone)

    def outer_columns(self, query: Any) -> str:
        """Return the outer columns that a subquery refers to, separated by commas."""
        operation = self._queries.get(id(query))
        if operation is None:
            return ""
        return ", ".join(occurrences_of_outer(operation))

    def operations(self, operands: list[Any], operators: list[Token]) -> Any:
        """Group a chain of operators by precedence."""
        values: list[Any] = [operands[0]]
        waiting: list[Token] = []
        for operator, operand in zip(operators, operands[1:], strict=True):
            level = self._binding.get(operator.text.upper(), 0)
            while waiting and self._binding.get(waiting[-1].text.upper(), 0) >= level:
                right = values.pop()
                values[-1] = Binary(values[-1], waiting.pop().text.upper(), right)
            waiting.append(operator)
            values.append(operand)
        while waiting:
            right = values.pop()
            values[-1] = Binary(values[-1], waiting.pop().text.upper(), right)
        return values[0]
