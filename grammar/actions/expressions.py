"""Actions that build the nodes of expressions."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from grammar.builder.expressions.literals import text_of
from grammar.errors import Misread
from grammar.identifier_clause import is_identifier_clause, path_of_text, read_literal_name
from grammar.language import Language
from grammar.lexemes import Token
from grammar.words import CLAUSES
from ir.nearest_names import nearest_name

# Spark reads a keyword without its clause as an alias; here it is an error, because it is most likely a mistake.
_CLAUSES = CLAUSES | {"SELECT", "FROM"}
_EXCLUDE = (
    "The frame of a window leaves no rows out: there is no EXCLUDE. Take what these rows give off the result, or use "
    "a frame before them and one behind them."
)


def require_no_clause(name: s.Name) -> None:
    """Reject a clause keyword as an alias without AS and quotes.

    Raises:
        Misread: the name is such a keyword.
    """
    if not name.quoted and name.text.upper() in _CLAUSES:
        message = f"{name.text} begins a clause. As an alias it is written AS {name.text} or `{name.text}`."
        raise Misread(name.position, message, "PARSE_SYNTAX_ERROR")


def require_path(path: Any, what: str) -> s.Path:
    """Return an expression that must be a path.

    Raises:
        Misread: the expression is not a path.
    """
    if isinstance(path, s.Path):
        return path
    raise Misread(path.position, f"{what} has a name before its parentheses; this is an expression.")


def call_of(language: Language, function: Any, arguments: list[Any], form: str = "", **parts: Any) -> s.Call:
    """Build a call of the function before the parentheses, which is a name or IDENTIFIER(…).

    Raises:
        Misread: the expression before the parentheses names no function.
    """
    if not isinstance(function, s.Call):
        path = require_path(function, "A call of a function")
        return s.Call(path.position, path, arguments, form, **parts)
    if not is_identifier_clause(function):
        raise Misread(
            function.position,
            "A call of a function has a name before its parentheses, or IDENTIFIER with the name as text; this is "
            "the call of another one.",
        )
    name = read_literal_name(function.arguments[0], language)
    if name is None:
        return s.Call(function.position, function.function, arguments, form, named_by=function, **parts)
    return s.Call(function.position, path_of_text(name, function), arguments, form, **parts)


class ExpressionActions:
    """Builds the nodes of expressions."""

    _language: Language

    # --- names and literals ---

    def name(self, token: Token) -> s.Name:
        return s.Name(token[1], token[0], False)

    keyword_name = name

    def quoted_name(self, token: Token) -> s.Name:
        return s.Name(token[1], token[0][1:-1].replace("``", "`"), True)

    def name_list(self, *names: s.Name) -> list[s.Name]:
        return list(names)

    def table_name(self, *names: s.Name) -> s.Path:
        return s.Path(names[0].position, list(names))

    def column(self, name: s.Name) -> s.Path:
        return s.Path(name.position, [name])

    def bare_column(self, token: Token) -> s.Path:
        name = self.quoted_name(token) if token.text.startswith("`") else self.name(token)
        return s.Path(token.position, [name])

    def number(self, token: Token) -> s.Number:
        return s.Number(token[1], token[0])

    def text(self, *tokens: Token) -> s.Text:
        return s.Text(tokens[0].position, list(tokens))

    def quoted_text(self, *tokens: Token) -> Token:
        """Join adjacent string literals into one string literal of the dialect."""
        value = "".join([text_of(token, self._language) for token in tokens])
        if self._language.literals.has_backslashes:
            value = value.replace("\\", "\\\\")
        return Token("'" + value.replace("'", "''") + "'", tokens[0].position)

    def joined_text(self, *parts: Token | s.Parameter) -> s.JoinedText:
        texts = [part if isinstance(part, s.Parameter) else s.Text(part.position, [part]) for part in parts]
        return s.JoinedText(parts[0].position, texts)

    def typed_literal(self, name: Token, *tokens: Token) -> s.TypedText:
        return s.TypedText(name.position, name.text, list(tokens))

    timestamp_literal = typed_literal

    def null(self, token: Token) -> s.Null:
        return s.Null(token.position)

    def true(self, token: Token) -> s.Boolean:
        return s.Boolean(token.position, True)

    def false(self, token: Token) -> s.Boolean:
        return s.Boolean(token.position, False)

    def interval(self, keyword: Token, sign: Token | None, *parts: s.IntervalPart) -> s.Interval:
        parts[0].negative = sign is not None and sign.text == "-"
        return s.Interval(keyword.position, list(parts))

    def signed_part(self, sign: Token, part: s.IntervalPart) -> s.IntervalPart:
        part.negative = sign.text == "-"
        return part

    def interval_text(self, keyword: Token, text: Token) -> s.TypedText:
        return s.TypedText(keyword.position, keyword.text, [text])

    def digits(self, *numbers: Token) -> None:
        return None

    def qualified(self, token: Token, inner: Any, unit: Token, last: Token | None) -> s.Qualified:
        return s.Qualified(token.position, inner, unit, None if last is None else last.text)

    def interval_part(self, value: Token, unit: Token, digits: None) -> s.IntervalPart:
        return s.IntervalPart(value.position, value, unit.text, None)

    def interval_range(self, value: Token, unit: Token, digits: None, last: Token, more: None) -> s.IntervalPart:
        return s.IntervalPart(value.position, value, unit.text, last.text)

    def named_parameter(self, colon: Token, name: Token) -> s.Parameter:
        return s.Parameter(colon.position, name.text)

    def positional_parameter(self, mark: Token) -> s.Parameter:
        return s.Parameter(mark.position, None)

    # --- operators and predicates ---

    def logical(self, *parts: Any) -> s.Logical:
        return s.Logical(parts[0].position, list(parts[::2]), list(parts[1::2]))

    def operation(self, *parts: Any) -> s.Operation:
        return s.Operation(parts[0].position, list(parts[::2]), list(parts[1::2]))

    def not_(self, token: Token, operand: Any) -> s.Not:
        return s.Not(token.position, operand)

    def signed(self, sign: Token, operand: Any) -> Any:
        # In Spark, the minus before a number is part of the literal: -1::STRING is '-1'.
        inner, outer = operand, None
        while sign.text == "-" and isinstance(inner, (s.Cast, s.Collate)):
            inner, outer = inner.value, inner
        if outer is None or not isinstance(inner, s.Number):
            return s.Signed(sign.position, sign.text, operand)
        outer.value = s.Signed(sign.position, sign.text, inner)
        return operand

    def negated(self, token: Token) -> Token:
        if token.text == "!":
            message = "! stands before a condition only; before IN, LIKE, BETWEEN and after IS it is written NOT."
            raise Misread(token.position, message, "SYNTAX_DISCONTINUED.BANG_EQUALS_NOT")
        return token

    def symmetric(self, token: Token) -> Token:
        return token

    def between(
        self, value: Any, negated: Token | None, token: Token, symmetric: Token | None, low: Any, high: Any
    ) -> s.Predicate:
        detail = "" if symmetric is None else symmetric.text.upper()
        return s.Predicate(token.position, "between", negated is not None, [value, low, high], detail)

    def in_(self, value: Any, negated: Token | None, token: Token, right: Any) -> s.Predicate:
        return s.Predicate(token.position, "in", negated is not None, [value, right])

    def like(self, value: Any, negated: Token | None, operator: Token, pattern: Any, escape: Any) -> s.Predicate:
        operands = [value, pattern] if escape is None else [value, pattern, escape]
        return s.Predicate(operator.position, "like", negated is not None, operands, operator.text.upper())

    def like_any(
        self, value: Any, negated: Token | None, operator: Token, quantifier: Token, patterns: Any
    ) -> s.Predicate:
        detail = f"{operator.text.upper()} {'ALL' if quantifier.text.upper() == 'ALL' else 'ANY'}"
        return s.Predicate(operator.position, "like_any", negated is not None, [value, patterns], detail)

    def similar(self, value: Any, negated: Token | None, pattern: Any, escape: Any) -> s.Predicate:
        operands = [value, pattern] if escape is None else [value, pattern, escape]
        return s.Predicate(value.position, "similar", negated is not None, operands)

    def is_null(self, value: Any, token: Token, negated: Token | None) -> s.Predicate:
        return s.Predicate(token.position, "is_null", negated is not None, [value])

    def is_truth(self, value: Any, token: Token, negated: Token | None, truth: Token) -> s.Predicate:
        return s.Predicate(token.position, "is_truth", negated is not None, [value], truth.text.upper())

    def is_distinct(self, value: Any, token: Token, negated: Token | None, other: Any) -> s.Predicate:
        return s.Predicate(token.position, "is_distinct", negated is not None, [value, other])

    def is_json(self, value: Any, token: Token, negated: Token | None, kind: Token | None) -> s.Predicate:
        detail = "" if kind is None else kind.text.upper()
        return s.Predicate(token.position, "is_json", negated is not None, [value], detail)

    def overlaps(self, left: Any, right: Any) -> s.Predicate:
        return s.Predicate(left.position, "overlaps", False, [left, right])

    # --- what follows an expression ---

    def member(self, base: Any, name: s.Name) -> Any:
        if type(base) is s.Path:
            return s.Path(base.position, [*base.names, name])
        if type(base) is s.VariantPath:
            return s.VariantPath(base.position, base.base, [*base.steps, name])
        return s.Member(name.position, base, name)

    def qualified_star(self, base: Any, star: Token, left_out: list[s.Path] | None) -> s.Star:
        return s.Star(base.position, base, left_out)

    def except_(self, *columns: s.Path) -> list[s.Path]:
        return list(columns)

    def star(self, star: Token, left_out: list[s.Path] | None) -> s.Star:
        return s.Star(star.position, None, left_out)

    def subscript(self, base: Any, *indices: Any) -> Any:
        written = [index for index in indices if index is not None]
        if isinstance(base, s.VariantPath):
            return s.VariantPath(base.position, base.base, [*base.steps, *written])
        return s.Subscript(base.position, base, written)

    def cast_operator(self, value: Any, target: Any) -> s.Cast:
        return s.Cast(value.position, value, target)

    def collate(self, value: Any, collation: s.Path) -> s.Collate:
        return s.Collate(value.position, value, collation)

    def variant_field(self, base: Any, name: s.Name) -> s.VariantPath:
        return s.VariantPath(base.position, base, [name])

    def variant_element(self, base: Any, index: Any) -> s.VariantPath:
        return s.VariantPath(base.position, base, [index])

    def parenthesised(self, token: Token, inner: Any) -> s.Parenthesised | s.Star:
        # As in Spark, parentheses around a star have no effect.
        return inner if isinstance(inner, s.Star) else s.Parenthesised(token.position, inner)

    def row(self, token: Token, *items: Any) -> s.Row:
        return s.Row(token.position, list(items))

    def case(self, token: Token, operand: Any, *rest: Any) -> s.Case:
        return s.Case(token.position, operand, list(rest[:-1]), rest[-1])

    def when(self, condition: Any, result: Any) -> tuple[Any, Any]:
        return condition, result

    def scalar_subquery(self, query: Any) -> s.ScalarSubquery:
        return s.ScalarSubquery(query.position, query)

    # --- calls ---

    def _call(self, function: Any, arguments: list[Any], form: str = "", **parts: Any) -> s.Call:
        return call_of(self._language, function, arguments, form, **parts)

    def call_without_arguments(self, function: Any) -> s.Call:
        return self._call(function, [])

    def plain_call(self, function: Any, arguments: list[Any], *clauses: s.JsonClause) -> s.Call:
        return self._call(function, arguments, clauses=list(clauses))

    def quantified_call(self, function: Any, quantifier: Token, arguments: list[Any]) -> s.Call:
        return self._call(function, arguments, quantifier=quantifier.text.upper())

    def query_call(self, function: Any, query: Any) -> s.Call:
        return self._call(function, [query], "query")

    def call_from(self, function: Any, value: Any, start: Any, length: Any) -> s.Call:
        return self._call(function, [value, start] if length is None else [value, start, length], "from")

    def call_trim(self, function: Any, side: Token, characters: Any, value: Any) -> s.Call:
        return self._call(function, [s.Word(side.position, side.text.upper()), characters, value], "trim")

    def call_placing(self, function: Any, value: Any, other: Any, start: Any, length: Any) -> s.Call:
        arguments = [value, other, start] if length is None else [value, other, start, length]
        return self._call(function, arguments, "placing")

    def call_to(self, function: Any, value: Any, unit: s.Name) -> s.Call:
        return self._call(function, [value, s.Word(unit.position, unit.text.upper())], "to")

    def call_ignoring_nulls(self, function: Any, argument: Any) -> s.Call:
        """Build FIRST(x IGNORE NULLS), which Spark accepts for three functions, as FIRST(x) IGNORE NULLS."""
        made = self._call(function, [argument])
        first, *others = made.function.names
        if others or first.text.upper() not in self._language.calls.nulls_inside:
            message = "IGNORE NULLS stands after the parentheses of a call: FIRST_VALUE(x) IGNORE NULLS."
            raise Misread(made.position, message, "PARSE_SYNTAX_ERROR")
        made.nulls = "IGNORE"
        return made

    def json_call(self, function: Any, *parts: Any) -> s.Call:
        members = [part for part in parts if isinstance(part, s.JsonMember)]
        return self._call(function, members, "json", clauses=list(parts[len(members) :]))

    def clauses_call(self, function: Any, *clauses: s.JsonClause) -> s.Call:
        return self._call(function, [], clauses=list(clauses))

    def call(self, call: s.Call, *parts: tuple[str, Any]) -> s.Call:
        for name, value in parts:
            if getattr(call, name) is not None:
                raise Misread(call.position, f"The call has two clauses of the same kind, {name.upper()}.")
            setattr(call, name, value)
        return call

    def within_group(self, *items: s.SortItem) -> tuple[str, Any]:
        return "within_group", list(items)

    def filter_clause(self, condition: Any) -> tuple[str, Any]:
        return "filter", condition

    def ignore_nulls(self) -> tuple[str, Any]:
        return "nulls", "IGNORE"

    def respect_nulls(self) -> tuple[str, Any]:
        return "nulls", "RESPECT"

    def arguments(self, *arguments: Any) -> list[Any]:
        return list(arguments)

    def typed(self, expression: Any, target: Any) -> s.Typed:
        return s.Typed(expression.position, expression, target)

    def aliased_argument(self, expression: Any, token: Token) -> s.Aliased:
        return s.Aliased(expression.position, expression, [self.quoted_name(token)])

    def lambda_(self, parameters: Any, body: Any) -> s.Lambda:
        written = parameters
        items = written.items if isinstance(written, s.Row) else [written]
        if isinstance(written, s.Parenthesised):
            items = [written.inner]
        names = []
        for item in items:
            if not isinstance(item, s.Path) or len(item.names) > 1:
                raise Misread(item.position, "Before -> stand the names of parameters: x -> x + 1, (x, y) -> x + y.")
            names += item.names
        return s.Lambda(written.position, names, body)

    def named_argument(self, name: s.Name, value: Any) -> s.NamedArgument:
        return s.NamedArgument(name.position, name, value)

    def named_lambda(self, name: s.Name, parameters: Any, body: Any) -> s.NamedArgument:
        return s.NamedArgument(name.position, name, self.lambda_(parameters, body))

    # --- JSON ---

    def json_member(self, key: Any, value: Any) -> s.JsonMember:
        return s.JsonMember(key.position, key, value)

    def json_pair(self, *parts: Any) -> s.JsonMember:
        key = self.text(*parts[:-1])
        return s.JsonMember(key.position, key, parts[-1])

    def json_returning(self, target: Any) -> s.JsonClause:
        return s.JsonClause(target.position if isinstance(target, s.Syntax) else 0, "RETURNING", "", target)

    def json_behavior(self, *words: Token) -> list[Token]:
        return list(words)

    def json_on(self, behaviour: list[Token], event: Token) -> s.JsonClause:
        shown = " ".join(word.text.upper() for word in behaviour)
        return s.JsonClause(behaviour[0].position, event.text.upper(), shown)

    def json_default(self, value: Any, event: Token) -> s.JsonClause:
        return s.JsonClause(value.position, event.text.upper(), "DEFAULT", value)

    def json_unique(self) -> s.JsonClause:
        return s.JsonClause(0, "UNIQUE KEYS", "")

    def json_wrapper(self, *words: Token) -> list[Token]:
        return list(words)

    def json_wrapping(self, words: list[Token]) -> s.JsonClause:
        return s.JsonClause(words[0].position, "WRAPPER", " ".join(word.text.upper() for word in words))

    # --- windows and sort keys ---

    def over(self, call: s.Call, token: Token, window: s.Window | s.Name) -> s.Over:
        return s.Over(token.position, call, window)

    def window_name(self, name: s.Name) -> s.Name:
        return name

    def window(self, token: Token, *parts: tuple[str, Any]) -> s.Window:
        made = s.Window(token.position)
        for name, value in parts:
            if getattr(made, name) is not None:
                if (
                    name == "base"
                    and made.base is not None
                    and "EXCLUDE" in (made.base.text.upper(), value.text.upper())
                ):
                    raise Misread(token.position, _EXCLUDE)
                if name == "base" and made.base is not None:
                    raise _make_two_names_error(made.base, value)
                kind = name.replace("_", " ").upper()
                raise Misread(
                    token.position, f"The window has two parts of the same kind: {kind}.", "PARSE_SYNTAX_ERROR"
                )
            setattr(made, name, value)
        return made

    def base_window(self, name: s.Name) -> tuple[str, Any]:
        return "base", name

    def window_partition(self, *keys: Any) -> tuple[str, Any]:
        return "partition_by", list(keys)

    def window_order(self, *items: s.SortItem) -> tuple[str, Any]:
        return "order_by", list(items)

    def frame(self, unit: Token, lower: s.Bound, upper: s.Bound | None = None) -> tuple[str, Any]:
        return "frame", s.Frame(unit.position, unit.text.upper(), lower, upper)

    def unbounded(self, token: Token, direction: Token) -> s.Bound:
        return s.Bound(token.position, "UNBOUNDED " + direction.text.upper())

    def current_row(self, token: Token) -> s.Bound:
        return s.Bound(token.position, "CURRENT ROW")

    def bound(self, offset: Any, direction: Token) -> s.Bound:
        return s.Bound(offset.position, direction.text.upper(), offset)

    def sort_item(self, expression: Any, direction: Token | None, nulls_first: bool | None) -> s.SortItem:
        ascending = None if direction is None else direction.text.upper() == "ASC"
        return s.SortItem(expression.position, expression, ascending, nulls_first)

    def nulls_first(self) -> bool:
        return True

    def nulls_last(self) -> bool:
        return False


def _make_two_names_error(first: s.Name, second: s.Name) -> Misread:
    """Return the error for a window with two names, most often a misspelt keyword."""
    both = f"{first.text} {second.text}"
    if first.text.upper() == "GROUP":
        meant = "PARTITION BY"
    else:
        meant = nearest_name(both if second.text.upper() == "BY" else first.text, ("PARTITION BY", "ORDER BY")) or ""
    if not meant:
        message = f"A window has one name at most, of the window that it is based on, but this one has two: {both}."
        return Misread(second.position, message, "PARSE_SYNTAX_ERROR")
    written = both if second.text.upper() == "BY" else first.text
    message = f"OVER takes PARTITION BY, ORDER BY and a frame. Did you mean {meant} instead of {written}?"
    return Misread(first.position, message, "PARSE_SYNTAX_ERROR")
